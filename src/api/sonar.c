// Imaging sonars: rays against bodies and the seabed, pieces of cables by themselves, speckle.
#include "hawser/sonar.h"

#include "api/query_beam.h"
#include "api/query_scene.h"
#include "api/speckle.h"
#include "base/error.h"
#include "base/normal.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

#define HW_SONAR_COOKIE 0x48570053
#define GOLDEN 0.61803398874989485 // spreads rays evenly over a beam's width, whatever their number
#define CABLE_RAYS 100000          // pieces of cables looked at in a ping, at most
#define RAYS 1024                  // of a beam, at most

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
        def->rays > RAYS)
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
    hwVec3 rays[RAYS]; // of a beam, in its own frame: x along its middle, y to port, z up
    hwWedge wedge;     // that they fill, likewise
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

// Rays are spread alike in all beams.
static void SpreadRays(Ping* ping) {
    const hwSonarDef* def = ping->def;
    double golden = 0.5 * GOLDEN, side, ahead, up, level;
    for (int i = 0; i < def->rays; ++i) {
        golden += GOLDEN;
        golden -= floor(golden);
        hwSinAndCos((golden - 0.5) * def->beamWidth, &side, &ahead);
        hwSinAndCos(((i + 0.5) / def->rays - 0.5) * def->aperture, &up, &level);
        ping->rays[i] = hwMakeVec3(level * ahead, -level * side, up);
    }
    // y <= x tan(width / 2), and z <= x tan(aperture / 2) / cos(width / 2), which is how high the outermost rays rise
    hwSinAndCos(0.5 * def->beamWidth, &side, &ahead);
    hwSinAndCos(0.5 * def->aperture, &up, &level);
    ping->wedge = (hwWedge){.origin = ping->origin,
                            .inward = {{side, ahead, 0.0},
                                       {side, -ahead, 0.0},
                                       {up, 0.0, level * ahead},
                                       {up, 0.0, -level * ahead}},
                            .reach = def->most};
}

static void CastBeam(const Ping* ping, int beam) {
    const hwSonarDef* def = ping->def;
    double sine, cosine;
    hwSinAndCos(hwSonar_GetBearing(def, beam), &sine, &cosine);
    hwMat3 axes = hwMulMM(ping->axes, (hwMat3){{cosine, -sine, 0.0}, {sine, cosine, 0.0}, {0.0, 0.0, 1.0}});
    hwWedge wedge = ping->wedge;
    for (int i = 0; i < 4; ++i) wedge.inward[i] = hwMulMV(axes, wedge.inward[i]);
    hwQueryBeam things;
    hwQueryBeam_Aim(&things, ping->world, &ping->filter, &wedge);
    for (int i = 0; i < def->rays; ++i) {
        hwVec3 direction = hwMulMV(axes, ping->rays[i]);
        hwQueryHit hit;
        if (!hwQueryBeam_Cast(&things, direction, &hit)) continue;
        double square = hwDot(hit.normal, direction) * hwDot(hit.normal, direction);
        AddEcho(ping, beam, hit.distance, hwFmin(square, 1.0) / def->rays);
    }
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

static void LookAtCable(const Ping* ping, const hwQueryItem* cable, int* pieces) {
    const hwSonarDef* def = ping->def;
    double bin = (def->most - def->least) / def->bins;
    for (int i = 0; i + 1 < cable->nodes; ++i) {
        hwVec3 leg = hwSub(cable->positions[i + 1], cable->positions[i]);
        double length = hwLength(leg);
        if (!(length > 0.0)) continue;
        // far from the sonar nothing of it can be seen
        double nearest = hwDistance(ping->origin, cable->positions[i]) - length;
        if (nearest > def->most) continue;
        // no longer than a bin, and than a beam is wide there
        double piece = hwFmin(bin, hwFmax(nearest, 0.5) * def->beamWidth);
        int count = (int)hwFmin(ceil(length / piece), 10000.0);
        for (int k = 0; k < count && *pieces < CABLE_RAYS; ++k, ++*pieces) {
            hwVec3 point = hwMulAdd(cable->positions[i], (k + 0.5) / count, leg);
            AddPiece(ping, point, hwScale(1.0 / length, leg), length / count, 2.0 * cable->radii[i]);
        }
    }
}

// What comes from many scatterers and from nowhere.
static void AddNoise(const Ping* ping, uint64_t number) {
    const hwSonarDef* def = ping->def;
    if (!(def->speckle > 0.0) && !(def->floor > 0.0)) return;
    hwRandom random = hwRandom_At(def->seed, number);
    uint64_t bits = hwRandom_Next(&random);
    const uint32_t key[2] = {(uint32_t)bits, (uint32_t)(bits >> 32)};
    hwAddSpeckle(ping->image, (size_t)def->beams * (size_t)def->bins, (float)def->floor, (float)def->speckle,
                 key);
}

hwStatus hwWorld_PingSonar(const hwWorld* world, const hwSonarDef* def, uint64_t number, float* image,
                           hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status == HW_OK) status = hwWorld_RequireQueries(world, error);
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
    if (!hwIsFiniteVec3(ping.origin) || !hwIsFiniteVec3(hwMulMV(ping.axes, hwMakeVec3(1.0, 1.0, 1.0))))
        return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "position",
                           "a sonar's place and attitude are finite");
    ping.filter.cables = false;
    ping.filter.except = def->body;
    memset(image, 0, (size_t)def->beams * (size_t)def->bins * sizeof(float));
    SpreadRays(&ping);
    for (int i = 0; i < def->beams; ++i) CastBeam(&ping, i);
    int pieces = 0;
    for (int i = 0; i < world->queries->count; ++i) {
        if (world->queries->items[i].slot >= 0) LookAtCable(&ping, &world->queries->items[i], &pieces);
    }
    AddNoise(&ping, number);
    return HW_OK;
}
