// A free span of a wrapped tether: shape and forces under weight and current.
#include "tether/wrap.h"

#include <string.h>

#define ITERATIONS 60
#define LEAST_LOAD 1e-9 // N/m: a tether without weight in still water hangs down by this

// (sinh x / x)^2 - 1, which keeps its digits near 0.
static double GetExcess(double x) {
    if (x < 0.05) {
        double q = x * x; // next term 2e-5 x^8
        return q / 3.0 + 2.0 * q * q / 45.0 + q * q * q / 315.0;
    }
    double r = hwSinh(x) / x;
    return r * r - 1.0;
}

static double GetCotangent(double x) { // x coth x - 1
    if (x < 0.05) {
        double q = x * x;
        return q / 3.0 - q * q / 45.0 + 2.0 * q * q * q / 945.0;
    }
    double e = hwExp(-2.0 * x);
    return x * (1.0 + e) / (1.0 - e) - 1.0;
}

// What is solved: half width over parameter, x = h / 2A. Stretched length sqrt(h^2 (sinh x / x)^2 + v^2) is the rest length
// times 1 + T / EA, with T = load A. The difference of logarithms rises with ln x everywhere.
typedef struct Elastic {
    double width, distance, rest, soft; // m, m, m, load h / (2 EA)
} Elastic;

static double GetDefect(const Elastic* e, double x, double* slope) {
    double excess = GetExcess(x), rest2 = e->rest * e->rest, w2 = e->width * e->width;
    double grown = (w2 * excess + (e->distance - e->rest) * (e->distance + e->rest)) / rest2;
    double strain = e->soft / x, length2 = w2 * excess + e->distance * e->distance;
    *slope = w2 * (1.0 + excess) / length2 * GetCotangent(x) + strain / (1.0 + strain);
    return 0.5 * hwLog1p(hwFmax(grown, -1.0 + 1e-300)) - hwLog1p(strain);
}

static double GuessParameter(const Elastic* e) {
    double w = e->width, d = e->distance;
    // as stiff by stretch as by sag: w^2 x^2 / (6 d^2) = soft / x
    double both = hwCbrt(6.0 * e->soft * (d / w) * (d / w));
    if (e->rest > d) {
        double target = 0.5 * hwLog1p((e->rest - d) / w * ((e->rest + d) / w));
        double sag = target < 1.0 ? sqrt(6.0 * target) : target + hwLog(2.0 * target + 4.0);
        return hwClamp(hwFmax(sag, hwFmin(both, 1.0)), 1e-14, 100.0);
    }
    double strain = d / e->rest - 1.0;
    return hwClamp(strain > 0.0 ? hwFmin(both, e->soft / strain) : both, 1e-14, 100.0);
}

static double SolveParameter(const Elastic* e, double* slope) {
    double x = GuessParameter(e), low = 1e-16, high = 300.0;
    for (int k = 0; k < ITERATIONS; ++k) {
        double error = GetDefect(e, x, slope);
        *(error > 0.0 ? &high : &low) = x;
        double step = -error / *slope, next = fabs(step) < 3.0 ? x * hwExp(step) : 0.0;
        if (fabs(step) <= 1e-13) return x;
        if (fabs(step) <= 1e-7) return next; // each step squares the error
        x = next > low && next < high ? next : sqrt(low * high);
    }
    return x;
}

static void SetStraight(hwWrapSpan* span, double tension, hwVec3 load, double EA) {
    hwVec3 d = hwSub(span->shape.b, span->shape.a);
    double distance = hwLength(d);
    hwVec3 along = distance > 0.0 ? hwScale(1.0 / distance, d) : span->shape.load;
    double more = 0.5 * hwDot(load, along) * span->rest; // the load along it, from its middle
    span->shape.taut = true;
    span->shape.length = distance;
    span->tension[0] = hwFmax(tension + more, 0.0);
    span->tension[1] = hwFmax(tension - more, 0.0);
    span->tangent[0] = span->tangent[1] = along;
    span->pull[0] = hwMulAdd(hwScale(0.5 * span->rest, load), tension, along);
    span->pull[1] = hwMulAdd(hwScale(0.5 * span->rest, load), -tension, along);
    span->stiffness = tension > 0.0 ? EA / span->rest : 0.0;
}

static void SetTangents(hwWrapSpan* span, hwVec3 a, hwVec3 b) {
    span->tangent[0] = a;
    span->tangent[1] = b;
    span->pull[0] = hwScale(span->tension[0], a);
    span->pull[1] = hwScale(-span->tension[1], b);
}

// Down along the load and up again.
static void SolveFolded(hwWrapSpan* span, double EA, double with, double distance, hwVec3 weight) {
    if (span->rest <= distance) {
        SetStraight(span, EA * (distance / span->rest - 1.0), weight, EA);
        return;
    }
    hwTetherSpan* shape = &span->shape;
    double heavy = hwFmax(hwDot(weight, shape->load), 0.0), down = 0.5 * (span->rest + with);
    shape->taut = false;
    shape->scale = 0.0;
    shape->length = span->rest;
    span->tension[0] = heavy * down;
    span->tension[1] = heavy * (span->rest - down);
    SetTangents(span, shape->load, hwNeg(shape->load));
}

static void SolveCatenary(hwWrapSpan* span, double EA, double load, hwVec3 weight, double width, double rise,
                          double distance) {
    hwTetherSpan* shape = &span->shape;
    Elastic e = {width, distance, span->rest, 0.5 * load * width / EA};
    double slope, x = SolveParameter(&e, &slope), scale = 0.5 * width / x;
    double root = sqrt(width * width * (1.0 + GetExcess(x)));
    shape->taut = false;
    shape->scale = scale;
    shape->start = hwAsinh(rise / root) - x;
    shape->length = sqrt(root * root + rise * rise);
    double aside = hwDot(weight, shape->across), heavy = hwDot(weight, shape->load);
    hwVec3 tangents[2];
    for (int k = 0; k < 2; ++k) {
        // T = load A at the lowest point, and from there the work of the weight
        double u = shape->start + k * 2.0 * x, s = hwSinh(u), c = sqrt(1.0 + s * s);
        double lift = s * s / (c + 1.0); // cosh u - 1
        span->tension[k] = hwFmax(scale * (load - aside * u + heavy * lift), 0.0);
        tangents[k] = hwAdd(hwScale(1.0 / c, shape->across), hwScale(-s / c, shape->load));
    }
    SetTangents(span, tangents[0], tangents[1]);
    span->stiffness = load * scale / (slope * distance);
}

// Two straight links with the same slope against the load, equation 2-1 of seed 000: a load that slides freely to where they
// meet. Half of the load is there, a quarter at either end.
static void SolveVee(hwWrapSpan* span, double EA, double load, double width, double with, double distance) {
    hwTetherSpan* shape = &span->shape;
    double rest = span->rest, quarter = 0.25 * load * rest;
    double low = distance, high = distance, length = distance, tension = 0.0;
    // length - rest (1 + T / EA) rises with the length, T = quarter / sin(theta)
    double sine = sqrt(hwFmax(1.0 - width / distance * (width / distance), 0.0));
    double straight = EA * (distance / rest - 1.0);
    if (sine > 0.0 && straight * sine >= quarter) {
        SetStraight(span, straight, hwScale(load, shape->load), EA);
        return;
    }
    high = hwFmax(rest, distance) * 1.5 + distance + rest * load * rest / EA;
    for (int k = 0; k < 200 && high - low > 1e-16 * high; ++k) {
        length = 0.5 * (low + high);
        double cosine = width / length;
        sine = sqrt((1.0 - cosine) * (1.0 + cosine));
        bool more = sine > 0.0 && length - rest > rest * quarter / (sine * EA);
        *(more ? &high : &low) = length;
    }
    length = high;
    double cosine = width / length;
    sine = hwFmax(sqrt((1.0 - cosine) * (1.0 + cosine)), 1e-12);
    tension = quarter / sine;
    shape->taut = false;
    shape->length = length;
    shape->link = hwClamp(0.5 * length + 0.5 * with / sine, 0.0, length);
    hwVec3 down = hwAdd(hwScale(cosine, shape->across), hwScale(sine, shape->load));
    hwVec3 up = hwAdd(hwScale(cosine, shape->across), hwScale(-sine, shape->load));
    shape->bendPoint = hwMulAdd(shape->a, shape->link, down);
    span->tension[0] = span->tension[1] = tension;
    SetTangents(span, down, up);
    for (int k = 0; k < 2; ++k) span->pull[k] = hwMulAdd(span->pull[k], quarter, shape->load);
    // dT/dd of the length's equation
    double byLength = tension * cosine * cosine / (sine * sine * length) + 1e-300;
    span->stiffness = 1.0 / (1.0 / byLength + rest / EA);
}

static hwWrapKey MakeKey(const hwWrapSetup* setup, hwVec3 a, hwVec3 b, double rest) {
    hwWrapKey key = {.a = a,
                     .b = b,
                     .rest = hwFmax(rest, 1e-9),
                     .EA = setup->EA,
                     .bend = (int32_t)setup->bend,
                     .known = 1};
    setup->load(setup->context, a, b, &key.load);
    return key;
}

static void SolveKey(const hwWrapSetup* setup, const hwWrapKey* key, hwWrapSpan* out) {
    const hwWrapLoad load = key->load;
    hwVec3 a = key->a, b = key->b, sum = hwAdd(load.weight, load.drag), d = hwSub(b, a);
    double size = hwLength(sum), distance = hwLength(d), rest = key->rest;
    *out = (hwWrapSpan){.key = *key, .rest = rest, .weight = load.weight};
    hwTetherSpan* shape = &out->shape;
    *shape = (hwTetherSpan){.bend = setup->bend, .a = a, .b = b, .length = rest};
    if (!(size > LEAST_LOAD)) {
        sum = hwMakeVec3(0.0, 0.0, -LEAST_LOAD);
        size = LEAST_LOAD;
    }
    shape->load = hwScale(1.0 / size, sum);
    double with = hwDot(d, shape->load);
    hwVec3 side = hwMulAdd(d, -with, shape->load);
    double width = hwLength(side);
    shape->across = width > 0.0 ? hwScale(1.0 / width, side) : hwPerpendicular(shape->load);
    if (setup->bend == HW_BEND_LINE) {
        SetStraight(out, hwFmax(setup->EA * (distance / rest - 1.0), 0.0), sum, setup->EA);
    } else if (width <= 1e-9 * hwFmax(rest, distance)) {
        SolveFolded(out, setup->EA, with, distance, load.weight);
    } else if (setup->bend == HW_BEND_VEE) {
        SolveVee(out, setup->EA, size, width, with, distance);
    } else {
        SolveCatenary(out, setup->EA, size, load.weight, width, -with, distance);
    }
}

void hwWrapSpan_Solve(const hwWrapSetup* setup, hwVec3 a, hwVec3 b, double rest, hwWrapSpan* out) {
    hwWrapKey key = MakeKey(setup, a, b, rest);
    SolveKey(setup, &key, out);
}

bool hwWrapSpan_SolveAgain(const hwWrapSetup* setup, hwVec3 a, hwVec3 b, double rest, hwWrapSpan* span) {
    hwWrapKey key = MakeKey(setup, a, b, rest);
    if (memcmp(&key, &span->key, sizeof(key)) == 0) return false;
    SolveKey(setup, &key, span);
    return true;
}

hwVec3 hwWrapSpan_GetPoint(const hwWrapSpan* span, double s, double* tension) {
    double share = hwClamp(s / span->rest, 0.0, 1.0);
    hwVec3 p = hwTetherSpan_GetPoint(&span->shape, share * span->shape.length);
    if (tension == NULL) return p;
    // what the weight has worked from a on; in a straight line it grows evenly
    *tension = span->shape.taut || span->shape.bend != HW_BEND_CATENARY
                   ? span->tension[0] + share * (span->tension[1] - span->tension[0])
                   : hwFmax(span->tension[0] - hwDot(span->weight, hwSub(p, span->shape.a)), 0.0);
    return p;
}
