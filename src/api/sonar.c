// Imaging sonars: rays against bodies and the seabed, pieces of cables by themselves, speckle.
#include "hawser/sonar.h"

#include "base/error.h"
#include "base/normal.h"
#include "hawser/query.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

#define HW_SONAR_COOKIE 0x48570053
#define GOLDEN 0.61803398874989485 // spreads rays evenly over a beam's width, whatever their number
#define CABLE_RAYS 100000          // pieces of cables looked at in a ping, at most

hwSonarDef hwDefaultSonarDef(void) {
    hwSonarDef def = {.attitude = {1.0, 0.0, 0.0, 0.0},
                      .beams = 256,
                      .bins = 512,
                      .rays = 16,
                      .fan = 130.0 * HW_DEGREE,
                      .beamWidth = 0.6 * HW_DEGREE,
                      .aperture = 20.0 * HW_DEGREE,
                      .least = 0.1,
                      .most = 30.0,
                      .speckle = 1.0,
                      .floor = 0.002,
                      .cookie = HW_SONAR_COOKIE};
    return def;
}

double hwSonar_GetBearing(const hwSonarDef* def, int beam) {
    return def->bearing + (def->beams > 1 ? def->fan * (0.5 - (double)beam / (def->beams - 1)) : 0.0);
}

double hwSonar_GetRange(const hwSonarDef* def, int bin) {
    return def->least + (bin + 0.5) * (def->most - def->least) / def->bins;
}

static hwStatus CheckSonar(const hwWorld* world, const hwSonarDef* def, hwError* error) {
    if (def == NULL || def->cookie != HW_SONAR_COOKIE)
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the sonar def was not made by hwDefaultSonarDef");
    if (!HW_IS_NULL(def->body) && !hwBody_IsValid(world, def->body))
        return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "body", "the sonar is on no body of this world");
    if (def->beams < 1 || def->beams > 4096 || def->bins < 1 || def->bins > 65536 || def->rays < 1 ||
        def->rays > 1024)
        return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "beams",
                           "a sonar has 1 to 4096 beams, 1 to 65536 bins and 1 to 1024 rays");
    if (!(def->least >= 0.0) || !(def->most > def->least) || !isfinite(def->most))
        return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "most",
                           "a sonar's ranges are positive, finite and in order");
    if (!(def->fan >= 0.0) || !(def->fan <= 2.0 * HW_PI) || !(def->beamWidth > 0.0) ||
        !(def->beamWidth < HW_PI) || !(def->aperture > 0.0) || !(def->aperture < HW_PI) ||
        !isfinite(def->bearing))
        return hwFailField(
            error, HW_ERROR_ARGUMENT, NULL, "fan",
            "a sonar's fan is at most a full turn, its beams are wider than 0 and narrower than half of one");
    if (!(def->speckle >= 0.0) || !(def->speckle <= 1.0) || !(def->floor >= 0.0) || !isfinite(def->floor))
        return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "speckle",
                           "a sonar's speckle is from 0 to 1 and its floor not negative");
    return HW_OK;
}

typedef struct Ping {
    const hwWorld* world;
    const hwSonarDef* def;
    hwVec3 origin;
    hwMat3 axes; // of the sonar to world
    hwQueryFilter filter;
    float* image;
} Ping;

// Puts energy at a range of a beam, shared by the two bins whose middles are nearest: between bins echoes do not jump.
static void AddEcho(const Ping* ping, int beam, double range, double energy) {
    const hwSonarDef* def = ping->def;
    if (beam < 0 || beam >= def->beams || range < def->least || range > def->most) return;
    double at = (range - def->least) / (def->most - def->least) * def->bins - 0.5;
    int low = (int)floor(at);
    double share = at - low;
    float* bins = ping->image + (size_t)beam * (size_t)def->bins;
    if (low >= 0 && low < def->bins) bins[low] += (float)((1.0 - share) * energy);
    if (low + 1 >= 0 && low + 1 < def->bins) bins[low + 1] += (float)(share * energy);
}

// Unit vector in world axes: bearing to starboard, elevation up.
static hwVec3 AimBeam(const Ping* ping, double bearing, double elevation) {
    double sine, cosine, up, level;
    hwSinAndCos(bearing, &sine, &cosine);
    hwSinAndCos(elevation, &up, &level);
    return hwMulMV(ping->axes, hwMakeVec3(level * cosine, -level * sine, up));
}

static hwStatus CastBeam(const Ping* ping, int beam, hwError* error) {
    const hwSonarDef* def = ping->def;
    double middle = hwSonar_GetBearing(def, beam), golden = 0.5 * GOLDEN;
    for (int i = 0; i < def->rays; ++i) {
        golden += GOLDEN;
        golden -= floor(golden);
        double bearing = middle + (golden - 0.5) * def->beamWidth;
        double elevation = ((i + 0.5) / def->rays - 0.5) * def->aperture;
        hwRay ray = {
            .origin = ping->origin, .direction = AimBeam(ping, bearing, elevation), .length = def->most};
        hwQueryHit hit;
        hwStatus status = hwWorld_CastRay(ping->world, &ray, &ping->filter, &hit, error);
        if (status != HW_OK) return status;
        if (hit.kind == HW_HIT_NONE) continue;
        double cosine = hwFmin(fabs(hwDot(hit.normal, ray.direction)), 1.0);
        AddEcho(ping, beam, hit.distance, cosine * cosine / def->rays);
    }
    return HW_OK;
}

// Nothing of bodies and bottom lies before a point.
static bool IsInSight(const Ping* ping, hwVec3 direction, double distance) {
    hwRay ray = {.origin = ping->origin, .direction = direction, .length = distance};
    hwQueryHit hit;
    return hwWorld_CastRay(ping->world, &ray, &ping->filter, &hit, NULL) == HW_OK && hit.kind == HW_HIT_NONE;
}

// A piece of a cable returns the share of the beam that it covers, times the square of the cosine across it.
static void AddPiece(const Ping* ping, hwVec3 point, hwVec3 tangent, double length, double diameter) {
    const hwSonarDef* def = ping->def;
    hwVec3 away = hwSub(point, ping->origin), local = hwMulTV(ping->axes, away);
    double range = hwLength(away);
    if (range < def->least || range > def->most || !(range > 0.0)) return;
    double elevation = hwAsin(hwClamp(local.z / range, -1.0, 1.0));
    double bearing = hwAtan2(-local.y, local.x) - def->bearing;
    bearing -= 2.0 * HW_PI * round(bearing / (2.0 * HW_PI));
    if (fabs(elevation) > 0.5 * def->aperture || fabs(bearing) > 0.5 * (def->fan + def->beamWidth)) return;
    hwVec3 direction = hwScale(1.0 / range, away);
    if (!IsInSight(ping, direction, range - diameter)) return;
    double across = 1.0 - hwDot(direction, tangent) * hwDot(direction, tangent);
    double area = length * sqrt(hwFmax(across, 0.0)) * diameter;
    double energy = across * area / (range * range * def->beamWidth * def->aperture);
    double step = def->beams > 1 ? def->fan / (def->beams - 1) : 1.0;
    int beam = def->beams > 1 ? (int)round((0.5 * def->fan - bearing) / step) : 0;
    AddEcho(ping, beam, range, energy);
}

// Of the section that a node's material belongs to.
static double FindDiameter(const hwCableDef* def, const hwCableView* view, int node) {
    double at = view->materials != NULL ? view->materials[node] : 0.0;
    int section = 0;
    for (double end = def->sections[0].length; section + 1 < def->sectionCount && at > end;)
        end += def->sections[++section].length;
    return def->sections[section].diameter;
}

static void LookAtCable(const Ping* ping, hwCableId cable, int* pieces) {
    const hwSonarDef* def = ping->def;
    hwCableView view;
    const hwCableDef* cableDef = hwCable_GetDef(ping->world, cable);
    if (cableDef == NULL || hwCable_GetView(ping->world, cable, &view, NULL) != HW_OK) return;
    double bin = (def->most - def->least) / def->bins;
    for (int i = 0; i + 1 < view.nodeCount; ++i) {
        hwVec3 leg = hwSub(view.positions[i + 1], view.positions[i]);
        double length = hwLength(leg);
        if (!(length > 0.0)) continue;
        // far from the sonar nothing of it can be seen
        double nearest = hwDistance(ping->origin, view.positions[i]) - length;
        if (nearest > def->most) continue;
        // no longer than a bin, and than a beam is wide there
        double piece = hwFmin(bin, hwFmax(nearest, 0.5) * def->beamWidth);
        int count = (int)hwFmin(ceil(length / piece), 10000.0);
        double diameter = FindDiameter(cableDef, &view, i);
        for (int k = 0; k < count && *pieces < CABLE_RAYS; ++k, ++*pieces) {
            hwVec3 point = hwMulAdd(view.positions[i], (k + 0.5) / count, leg);
            AddPiece(ping, point, hwScale(1.0 / length, leg), length / count, diameter);
        }
    }
}

// What comes from many scatterers and from nowhere adds up with random phases: intensities are exponential about their mean.
static void AddSpeckle(const Ping* ping, uint64_t number) {
    const hwSonarDef* def = ping->def;
    if (!(def->speckle > 0.0) && !(def->floor > 0.0)) return;
    size_t count = (size_t)def->beams * (size_t)def->bins;
    uint64_t key = def->seed + 0x9e3779b97f4a7c15u * number;
    for (size_t i = 0; i < count; ++i) {
        double mean = (double)ping->image[i] + def->floor;
        if (!(mean > 0.0)) continue;
        hwRandom random = hwRandom_At(key, i);
        double speckle = -hwLog(1.0 - hwRandom_Uniform(&random));
        ping->image[i] = (float)(mean * (1.0 - def->speckle + def->speckle * speckle));
    }
}

hwStatus hwWorld_PingSonar(const hwWorld* world, const hwSonarDef* def, uint64_t number, float* image,
                           hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status == HW_OK) status = CheckSonar(world, def, error);
    if (status != HW_OK) return status;
    Ping ping = {.world = world,
                 .def = def,
                 .origin = def->position,
                 .axes = hwMat3FromQuat(def->attitude),
                 .filter = hwDefaultQueryFilter(),
                 .image = image};
    if (!HW_IS_NULL(def->body)) {
        hwBodyState body;
        status = hwBody_GetState(world, def->body, &body, error);
        if (status != HW_OK) return status;
        ping.origin = hwAdd(body.position, hwRotate(body.attitude, def->position));
        ping.axes = hwMulMM(hwMat3FromQuat(body.attitude), ping.axes);
    }
    ping.filter.cables = false;
    ping.filter.except = def->body;
    memset(image, 0, (size_t)def->beams * (size_t)def->bins * sizeof(float));
    for (int i = 0; i < def->beams && status == HW_OK; ++i) status = CastBeam(&ping, i, error);
    if (status != HW_OK) return status;
    int pieces = 0;
    hwCableId cables[64];
    int count = hwWorld_GetCables(world, 64, cables);
    for (int i = 0; i < count && i < 64; ++i) LookAtCable(&ping, cables[i], &pieces);
    AddSpeckle(&ping, number);
    return HW_OK;
}
