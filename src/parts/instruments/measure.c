// What each kind of instrument measures.
#include "parts/instruments/instruments.h"

#include "base/normal.h"
#include "env/environment.h"
#include "math/spatial.h"
#include "world/cable_slots.h"

#include <math.h>
#include <string.h>

#define MU0_OVER_4PI 1e-7 // T m/A

// Truths, in the order of hwInstrument_Look.
enum { DEPTH };                                // pressure
enum { RATE = 0, FORCE = 3 };                  // IMU
enum { FIELD = 0, DOWN = 3 };                  // compass: field, and the direction down, both in its axes
enum { VELOCITY = 0, RANGES = 3, HEIGHT = 7 }; // DVL: of the beams, inf: none
enum { RANGE };                                // altimeter
enum { OFFSET = 0 };                           // USBL: world axes
enum { TENSION };                              // load cell

static const hwInstrumentValue g_values[HW_INSTRUMENT_KINDS][HW_INSTRUMENT_VALUES + 1] = {
    [HW_INSTRUMENT_PRESSURE] = {{"pressure", "Pa"}, {"depth", "m"}},
    [HW_INSTRUMENT_IMU] = {{"gyro.x", "rad/s"},
                           {"gyro.y", "rad/s"},
                           {"gyro.z", "rad/s"},
                           {"accel.x", "m/s2"},
                           {"accel.y", "m/s2"},
                           {"accel.z", "m/s2"}},
    [HW_INSTRUMENT_COMPASS] = {{"field.x", "T"}, {"field.y", "T"}, {"field.z", "T"}, {"heading", "rad"}},
    [HW_INSTRUMENT_DVL] = {{"velocity.x", "m/s"},
                           {"velocity.y", "m/s"},
                           {"velocity.z", "m/s"},
                           {"altitude", "m"},
                           {"beams", "1"}},
    [HW_INSTRUMENT_ALTIMETER] = {{"range", "m"}},
    [HW_INSTRUMENT_USBL] = {{"position.x", "m"}, {"position.y", "m"}, {"position.z", "m"}, {"range", "m"}},
    [HW_INSTRUMENT_LOAD_CELL] = {{"force", "N"}}};

const hwInstrumentValue* hwInstrument_GetValues(hwInstrumentKind kind) {
    return g_values[kind];
}

const char* hwInstrumentKind_GetName(hwInstrumentKind kind) {
    static const char* const names[HW_INSTRUMENT_KINDS] = {
        [HW_INSTRUMENT_PRESSURE] = "pressure",   [HW_INSTRUMENT_IMU] = "imu",
        [HW_INSTRUMENT_COMPASS] = "compass",     [HW_INSTRUMENT_DVL] = "dvl",
        [HW_INSTRUMENT_ALTIMETER] = "altimeter", [HW_INSTRUMENT_USBL] = "usbl",
        [HW_INSTRUMENT_LOAD_CELL] = "load_cell"};
    return (int)kind >= 0 && kind < HW_INSTRUMENT_KINDS ? names[kind] : NULL;
}

const char* hwInstrumentKind_GetValue(hwInstrumentKind kind, int index) {
    bool known = (int)kind >= 0 && kind < HW_INSTRUMENT_KINDS;
    return known && index >= 0 && index < HW_INSTRUMENT_VALUES ? g_values[kind][index].name : NULL;
}

double hwInstrument_Draw(const hwInstrumentEntry* entry, int stream, uint64_t k, int component) {
    hwRandom random = hwRandom_At(entry->key + 0x9e3779b97f4a7c15u * (uint64_t)(16 * stream + component), k);
    return stream == HW_STREAM_DROPOUT ? hwRandom_Uniform(&random) : hwRandom_Normal(&random);
}

const hwNoiseDef* hwInstrument_GetNoise(const hwInstrumentDef* def, int bias) {
    switch (def->kind) {
    case HW_INSTRUMENT_IMU:
        return bias < 3 ? &def->noise : &def->second;
    case HW_INSTRUMENT_COMPASS:
        return bias < 3 ? &def->noise : NULL;
    case HW_INSTRUMENT_DVL:
        return bias < 4 ? &def->noise : NULL; // of each beam
    case HW_INSTRUMENT_USBL:
        return bias == 0 ? &def->noise : (bias < 3 ? &def->second : NULL); // range and two angles
    default:
        return bias == 0 ? &def->noise : NULL;
    }
}

// Looking --------------------------------------------------------------------------------------------------------------

typedef struct Place {
    hwVec3 position; // m, world
    hwMat3 axes;     // of the instrument to world
    hwVec3 arm;      // m, from the body's origin, world axes
} Place;

static Place FindPlace(const hwWorld* world, const hwInstrumentEntry* entry) {
    const hwInstrumentDef* def = &entry->object->def;
    const hwLinkMotion* m = &world->work->forest.motion[entry->link];
    hwMat3 body = hwWideMat_ToMat3(&m->R);
    Place place = {.axes = hwMulMM(body, hwMat3FromQuat(def->attitude)), .arm = hwMulMV(body, def->position)};
    place.position = hwAdd(hwWide_ToVec3(m->p), place.arm);
    return place;
}

static hwVec3 PointOf(const hwWorld* world, int link, hwVec3 at) {
    if (link < 0) return at;
    const hwLinkMotion* m = &world->work->forest.motion[link];
    return hwWide_ToVec3(m->p + hwWideMat_Mul(&m->R, hwWide_FromVec3(at)));
}

static void PutVec3(double* to, hwVec3 v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static hwVec3 GetVec3(const double* from) {
    return hwMakeVec3(from[0], from[1], from[2]);
}

static void LookInertial(const hwWorld* world, const hwInstrumentEntry* entry, double* truth) {
    Place place = FindPlace(world, entry);
    const hwLinkMotion* m = &world->work->forest.motion[entry->link];
    const hwWideSpatial* a = &world->work->forest.a[entry->link];
    hwVec3 rate = hwWide_ToVec3(m->v.a), turning = hwWide_ToVec3(a->a);
    double gravity = hwEnvironment_GetDef(world->environment)->gravity;
    // a + alpha x r + omega x (omega x r) - g
    hwVec3 felt = hwAdd(hwWide_ToVec3(a->l),
                        hwAdd(hwCross(turning, place.arm), hwCross(rate, hwCross(rate, place.arm))));
    felt.z += gravity;
    PutVec3(truth + RATE, hwMulTV(place.axes, rate));
    PutVec3(truth + FORCE, hwMulTV(place.axes, felt));
}

static void LookMagnetic(const hwWorld* world, const hwInstrumentEntry* entry, double* truth) {
    const hwInstrumentDef* def = &entry->object->def;
    Place place = FindPlace(world, entry);
    double sine, cosine, east, north;
    hwSinAndCos(def->inclination, &sine, &cosine);
    hwSinAndCos(def->declination, &east, &north);
    // x north, y west, z up
    hwVec3 field = hwScale(def->field, hwMakeVec3(cosine * north, -cosine * east, -sine));
    hwVec3 r = hwSub(place.position, def->dipolePosition);
    double distance = hwLength(r);
    if (distance > 0.0 && hwLengthSquared(def->dipoleMoment) > 0.0) {
        hwVec3 n = hwScale(1.0 / distance, r);
        double share = MU0_OVER_4PI / (distance * distance * distance);
        hwVec3 own = hwSub(hwScale(3.0 * hwDot(def->dipoleMoment, n), n), def->dipoleMoment);
        field = hwMulAdd(field, share, own);
    }
    hwVec3 seen = hwMulTV(place.axes, field);
    seen = hwAdd(seen, hwMulTV(hwMat3FromQuat(def->attitude), def->hardIron));
    PutVec3(truth + FIELD, seen);
    PutVec3(truth + DOWN, hwMulTV(place.axes, hwMakeVec3(0.0, 0.0, -1.0)));
}

// Along `beam` (unit, world) from `from` to the bottom: m, or inf where it is out of range or too steep. A bottom that is no plane
// is sought in steps of 1/64 of the range, and then between two of them.
static double FindBottom(const hwWorld* world, const hwInstrumentDef* def, hwVec3 from, hwVec3 beam) {
    const hwEnvironmentDef* sea = hwEnvironment_GetDef(world->environment);
    hwVec3 normal = {0.0, 0.0, 1.0};
    double range = (double)INFINITY;
    if (sea->seabed.kind == HW_SEABED_PLANE) {
        double bottom = hwEnvironment_GetSeabed(world->environment, from.x, from.y, &normal);
        if (beam.z < 0.0) range = (bottom - from.z) / beam.z;
    } else if (sea->seabed.kind != HW_SEABED_NONE) {
        double low = 0.0;
        for (int i = 0; i <= 64; ++i) {
            double s = def->most * i / 64.0;
            hwVec3 p = hwMulAdd(from, s, beam);
            double above = p.z - hwEnvironment_GetSeabed(world->environment, p.x, p.y, &normal);
            if (!(above > 0.0)) {
                if (i == 0 || !isfinite(above)) break;
                double high = s;
                for (int k = 0; k < 40; ++k) {
                    double middle = 0.5 * (low + high);
                    p = hwMulAdd(from, middle, beam);
                    bool over = p.z > hwEnvironment_GetSeabed(world->environment, p.x, p.y, &normal);
                    *(over ? &low : &high) = middle;
                }
                range = high;
                break;
            }
            low = s;
        }
    }
    bool good = range >= def->least && range <= def->most && -hwDot(normal, beam) >= hwCos(def->steepest);
    return good ? range : (double)INFINITY;
}

// Unit vector of a beam in the instrument's axes.
static hwVec3 GetBeam(const hwInstrumentDef* def, int beam) {
    static const double signs[4][2] = {{1.0, 1.0}, {-1.0, 1.0}, {-1.0, -1.0}, {1.0, -1.0}};
    double sine, cosine;
    hwSinAndCos(def->beamAngle, &sine, &cosine);
    return hwMakeVec3(sine * sqrt(0.5) * signs[beam][0], sine * sqrt(0.5) * signs[beam][1], -cosine);
}

static void LookDoppler(const hwWorld* world, const hwInstrumentEntry* entry, double* truth) {
    const hwInstrumentDef* def = &entry->object->def;
    Place place = FindPlace(world, entry);
    const hwLinkMotion* m = &world->work->forest.motion[entry->link];
    hwVec3 velocity = hwAdd(hwWide_ToVec3(m->v.l), hwCross(hwWide_ToVec3(m->v.a), place.arm));
    PutVec3(truth + VELOCITY, hwMulTV(place.axes, velocity));
    for (int i = 0; i < 4; ++i)
        truth[RANGES + i] = FindBottom(world, def, place.position, hwMulMV(place.axes, GetBeam(def, i)));
}

// An inline cell lies along the cable's end: what it feels is the part of the force along it, positive where the cable pulls
// and negative where it pushes, as a bent or a stiff one does. (The force's length would show a push as tension.)
static double LookTension(const hwWorld* world, const hwInstrumentEntry* entry) {
    const hwCableStore* cable = &world->state.cables->stores[entry->cable];
    int end = entry->object->def.end;
    if (cable->core->nodes < 2 || cable->ends[end].joint == HW_ATTACH_FREE) return 0.0;
    hwVec3 force, moment;
    hwWorld_GetEndLoad(world, entry->cable, end, &force, &moment);
    // models without inertia have shapes of their own; their spans hang and do not push
    if (!hwWorld_HasNodes(world, entry->cable))
        return hwWorld_GetEndTension(world, entry->cable, end) < 0.0 ? -hwLength(force) : hwLength(force);
    hwCableState view = hwWorld_ViewCable(world, entry->cable, world->state.q, world->state.v);
    int last = view.core->nodes - 1, first = end == 0 ? 0 : last, next = end == 0 ? 1 : last - 1;
    hwVec3 along = hwSub(view.position[next], view.position[first]);
    double length = hwLength(along);
    return length > 0.0 ? hwDot(force, along) / length : 0.0;
}

void hwInstrument_Look(const hwWorld* world, const hwInstrumentEntry* entry, double* truth) {
    const hwInstrumentDef* def = &entry->object->def;
    memset(truth, 0, HW_INSTRUMENT_TRUTHS * sizeof(double));
    switch (def->kind) {
    case HW_INSTRUMENT_PRESSURE:
        truth[DEPTH] = hwEnvironment_GetDef(world->environment)->surface - FindPlace(world, entry).position.z;
        break;
    case HW_INSTRUMENT_IMU:
        LookInertial(world, entry, truth);
        break;
    case HW_INSTRUMENT_COMPASS:
        LookMagnetic(world, entry, truth);
        break;
    case HW_INSTRUMENT_DVL:
        LookDoppler(world, entry, truth);
        break;
    case HW_INSTRUMENT_ALTIMETER: {
        Place place = FindPlace(world, entry);
        truth[RANGE] =
            FindBottom(world, def, place.position, hwMulMV(place.axes, hwMakeVec3(0.0, 0.0, -1.0)));
        break;
    }
    case HW_INSTRUMENT_USBL:
        PutVec3(truth + OFFSET, hwSub(FindPlace(world, entry).position,
                                      PointOf(world, entry->otherLink, def->transceiverAt)));
        break;
    case HW_INSTRUMENT_LOAD_CELL:
        truth[TENSION] = LookTension(world, entry);
        break;
    case HW_INSTRUMENT_KINDS:
        break;
    }
}

void hwInstrument_Interpolate(const hwInstrumentEntry* entry, const double* from, const double* to,
                              double share, double* truth) {
    (void)entry;
    for (int i = 0; i < HW_INSTRUMENT_TRUTHS; ++i) {
        // a beam that has no bottom at one of the two loses it half-way
        bool lost = !isfinite(from[i]) || !isfinite(to[i]);
        truth[i] = lost ? (share < 0.5 ? from[i] : to[i]) : from[i] + share * (to[i] - from[i]);
    }
}

double hwInstrument_GetDelay(const hwInstrumentEntry* entry, const double* truth) {
    const hwInstrumentDef* def = &entry->object->def;
    if (def->kind != HW_INSTRUMENT_USBL) return 0.0;
    return 2.0 * hwFmin(hwLength(GetVec3(truth + OFFSET)), def->most) / def->soundSpeed;
}

// Measuring ------------------------------------------------------------------------------------------------------------

static double GetSigma(const hwNoiseDef* noise, double rate) {
    return sqrt(noise->sigma * noise->sigma + noise->density * noise->density * rate);
}

static double RoundReading(double value, double resolution) {
    return resolution > 0.0 ? resolution * round(value / resolution) : value;
}

// A value with its noise, its bias and its steps.
static double AddErrors(const hwInstrumentEntry* entry, int component, uint64_t k, const double* bias,
                        double value) {
    const hwInstrumentDef* def = &entry->object->def;
    const hwNoiseDef* noise = hwInstrument_GetNoise(def, component);
    double sigma = GetSigma(noise, def->rate);
    if (sigma > 0.0) value += sigma * hwInstrument_Draw(entry, HW_STREAM_NOISE, k, component);
    return RoundReading(value + bias[component], noise->resolution);
}

// Heading of the field's horizontal part, clockwise from it to the instrument's x axis: level the axes by what is down.
static double GetHeading(hwVec3 field, hwVec3 down) {
    hwVec3 east = hwCross(down, field); // of magnetic north
    hwVec3 north = hwCross(east, down);
    double x = north.x / hwFmax(hwLength(north), 1e-300), y = east.x / hwFmax(hwLength(east), 1e-300);
    double heading = hwAtan2(y, x);
    return heading < 0.0 ? heading + 2.0 * HW_PI : heading;
}

// Velocity by least squares from the beams that have the bottom: three or four.
static bool MeasureDoppler(const hwInstrumentEntry* entry, const double* truth, uint64_t k,
                           const double* bias, double* values) {
    const hwInstrumentDef* def = &entry->object->def;
    hwVec3 velocity = GetVec3(truth + VELOCITY);
    hwMat3 normal;
    memset(&normal, 0, sizeof(normal));
    double right[3] = {0.0}, height = 0.0;
    int beams = 0;
    for (int i = 0; i < 4; ++i) {
        double range = truth[RANGES + i];
        if (!isfinite(range)) continue;
        hwVec3 b = GetBeam(def, i);
        double sigma = GetSigma(&def->noise, def->rate) + def->beamByRange * range;
        double along = hwDot(b, velocity) + bias[i];
        if (sigma > 0.0) along += sigma * hwInstrument_Draw(entry, HW_STREAM_NOISE, k, i);
        along = RoundReading(along, def->noise.resolution);
        normal.cx = hwMulAdd(normal.cx, b.x, b);
        normal.cy = hwMulAdd(normal.cy, b.y, b);
        normal.cz = hwMulAdd(normal.cz, b.z, b);
        right[0] += along * b.x;
        right[1] += along * b.y;
        right[2] += along * b.z;
        height += -b.z * range;
        beams += 1;
    }
    values[4] = beams;
    if (beams < 3) return false;
    // Cramer's rule: the matrix of three directions that span space is regular
    hwVec3 r = GetVec3(right);
    double whole = hwDot(normal.cx, hwCross(normal.cy, normal.cz));
    values[0] = hwDot(r, hwCross(normal.cy, normal.cz)) / whole;
    values[1] = hwDot(normal.cx, hwCross(r, normal.cz)) / whole;
    values[2] = hwDot(normal.cx, hwCross(normal.cy, r)) / whole;
    values[3] = height / beams;
    return true;
}

// Range, and the two angles across it, each with its own error.
static bool MeasureAcoustic(const hwInstrumentEntry* entry, const double* truth, uint64_t k,
                            const double* bias, double* values) {
    const hwInstrumentDef* def = &entry->object->def;
    hwVec3 offset = GetVec3(truth + OFFSET);
    double range = hwLength(offset);
    if (!(range > 0.0) || range > def->most) return false;
    double bearing = hwAtan2(offset.y, offset.x);
    double elevation = hwAsin(hwClamp(offset.z / range, -1.0, 1.0));
    range = AddErrors(entry, 0, k, bias, range);
    bearing = AddErrors(entry, 1, k, bias, bearing);
    elevation = AddErrors(entry, 2, k, bias, elevation);
    double sine, cosine, up, level;
    hwSinAndCos(bearing, &sine, &cosine);
    hwSinAndCos(elevation, &up, &level);
    PutVec3(values, hwScale(range, hwMakeVec3(level * cosine, level * sine, up)));
    values[3] = range;
    return true;
}

bool hwInstrument_Measure(const hwWorld* world, const hwInstrumentEntry* entry, const double* truth,
                          uint64_t k, const double* bias, double* values) {
    const hwInstrumentDef* def = &entry->object->def;
    const hwEnvironmentDef* sea = hwEnvironment_GetDef(world->environment);
    for (int i = 0; i < HW_INSTRUMENT_VALUES; ++i) values[i] = (double)NAN;
    switch (def->kind) {
    case HW_INSTRUMENT_PRESSURE: {
        double weight = sea->water ? sea->waterDensity * sea->gravity : 0.0;
        values[0] = AddErrors(entry, 0, k, bias, def->atmosphere + weight * hwFmax(truth[DEPTH], 0.0));
        values[1] = weight > 0.0 ? (values[0] - def->atmosphere) / weight : 0.0;
        return true;
    }
    case HW_INSTRUMENT_IMU:
        for (int i = 0; i < 6; ++i) values[i] = AddErrors(entry, i, k, bias, truth[i]);
        return true;
    case HW_INSTRUMENT_COMPASS:
        for (int i = 0; i < 3; ++i) values[i] = AddErrors(entry, i, k, bias, truth[FIELD + i]);
        values[3] = GetHeading(GetVec3(values), GetVec3(truth + DOWN));
        return true;
    case HW_INSTRUMENT_DVL:
        return MeasureDoppler(entry, truth, k, bias, values);
    case HW_INSTRUMENT_ALTIMETER:
        if (!isfinite(truth[RANGE])) return false;
        values[0] = AddErrors(entry, 0, k, bias, truth[RANGE]);
        return true;
    case HW_INSTRUMENT_USBL:
        return MeasureAcoustic(entry, truth, k, bias, values);
    case HW_INSTRUMENT_LOAD_CELL:
        values[0] = AddErrors(entry, 0, k, bias, truth[TENSION]);
        return true;
    case HW_INSTRUMENT_KINDS:
        break;
    }
    return false;
}
