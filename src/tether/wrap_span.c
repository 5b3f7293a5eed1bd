// A free span of a wrapped tether: shape and forces under weight and current.
#include "tether/wrap.h"

#include <string.h>

#define ITERATIONS 60
#define LEAST_LOAD 1e-9 // N/m: a tether without weight in still water hangs down by this

// (sinh x / x)^2 - 1 and half of its derivative with respect to ln x, which keep their digits near 0: below 1 by the series
// sum of 2^(2m-1) x^(2m-2) / (2m)! from m = 2 on, whose terms are all positive (next term 1.3e-18), above by one exponential.
static double GetExcess(double x, double* half) {
    if (x < 1.0) {
        static const double term[] = {1.0 / 3.0,
                                      2.0 / 45.0,
                                      1.0 / 315.0,
                                      2.0 / 14175.0,
                                      2.0 / 467775.0,
                                      4.0 / 42567525.0,
                                      1.0 / 638512875.0,
                                      2.0 / 97692469875.0,
                                      2.0 / 9280784638125.0,
                                      4.0 / 2143861251406875.0,
                                      2.0 / 147926426347074375.0};
        double q = x * x, sum = 0.0, rise = 0.0;
        // what is left out is below 1e-16 of the first
        for (int m = 10; q >= 0.25 && m > 7; --m) {
            sum = (sum + term[m]) * q;
            rise = (rise + (m + 1) * term[m]) * q;
        }
        for (int m = 7; q >= 0.04 && m > 5; --m) {
            sum = (sum + term[m]) * q;
            rise = (rise + (m + 1) * term[m]) * q;
        }
        for (int m = 5; m >= 0; --m) {
            sum = (sum + term[m]) * q;
            rise = (rise + (m + 1) * term[m]) * q;
        }
        *half = rise;
        return sum;
    }
    double e = hwExp(x), i = 1.0 / e, r = 0.5 * (e - i) / x;
    *half = r * (0.5 * (e + i) - r);
    return r * r - 1.0;
}

// What is solved: half width over parameter, x = h / 2A. Stretched length sqrt(h^2 (sinh x / x)^2 + v^2) is the rest length
// times 1 + T / EA, with T = load A. The logarithm of their ratio rises with ln x everywhere.
typedef struct Elastic {
    double width, distance, rest, soft; // m, m, m, load h / (2 EA)
} Elastic;

static double GetDefect(const Elastic* e, double x, double* slope) {
    double half, excess = GetExcess(x, &half), rest2 = e->rest * e->rest, w2 = e->width * e->width;
    double strain = e->soft / x, length2 = w2 * excess + e->distance * e->distance;
    *slope = w2 * half / length2 + strain / (1.0 + strain);
    // square of the ratio less 1
    double more = w2 * excess + (e->distance - e->rest) * (e->distance + e->rest) -
                  rest2 * (2.0 + strain) * strain,
           of = rest2 * (1.0 + strain) * (1.0 + strain);
    // ln(1 + z) = 2 z / (2 + z) (1 + z^2 / 12 + ...), with the same root and slope there
    if (fabs(more) < 0.5 * of) return more / (2.0 * of + more);
    return 0.5 * hwLog1p(hwFmax(more / of, -1.0 + 1e-300));
}

// x of a given excess, by two terms of its series and the third as a correction.
static double GuessSag(double excess) {
    double y = 90.0 * excess / (15.0 + sqrt(225.0 + 360.0 * excess));
    return sqrt(y - y * y * y / (105.0 + 28.0 * y));
}

static double GuessParameter(const Elastic* e) {
    double w = e->width, d = e->distance;
    // as stiff by stretch as by sag: w^2 x^2 / (6 d^2) = soft / x
    double cube = 6.0 * e->soft * (d / w) * (d / w);
    if (e->rest > d) {
        double sag, ratio = e->rest / w, square = (e->rest - d) / w * ((e->rest + d) / w); // of the excess
        if (square < 2.0) {
            sag = GuessSag(square);
            double strain = e->soft / sag; // lengthens it
            if (sag * sag * sag >= 8.0 * cube)
                sag = GuessSag(square + ratio * ratio * (2.0 + strain) * strain);
        } else {
            double target = 0.5 * hwLog1p(square);
            sag = target < 1.0 ? sqrt(6.0 * target) : target + hwLog(2.0 * target + 4.0);
        }
        if (sag * sag * sag < cube) sag = hwFmax(sag, hwFmin(hwCbrt(cube), 1.0));
        return hwClamp(sag, 1e-14, 100.0);
    }
    double strain = d / e->rest - 1.0, both = hwCbrt(cube);
    return hwClamp(strain > 0.0 ? hwFmin(both, e->soft / strain) : both, 1e-14, 100.0);
}

static double SolveParameter(const Elastic* e, double* slope) {
    double x = GuessParameter(e), low = 1e-16, high = 300.0;
    for (int k = 0; k < ITERATIONS; ++k) {
        double error = GetDefect(e, x, slope);
        *(error > 0.0 ? &high : &low) = x;
        double step = -error / *slope, next = 0.0;
        if (fabs(step) <= 1e-13) return x;
        if (fabs(step) < 0.25) // e^step, nearer than the step is to the root
            next = x * (1.0 + step * (1.0 + step * (0.5 + step * (1.0 / 6.0))));
        else if (fabs(step) < 3.0)
            next = x * hwExp(step);
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

// Twice the inverse hyperbolic tangent of less than a tenth.
static double GetDoubleTurn(double ratio) {
    double q = ratio * ratio, sum = 1.0 / 15.0; // next term 1e-16 / 17
    for (int n = 13; n > 0; n -= 2) sum = sum * q + 1.0 / n;
    return 2.0 * ratio * sum;
}

// The inverse hyperbolic sine: the tangent of its half is halved until the series does.
static double GetAngle(double sine) {
    double ratio = sine / (1.0 + sqrt(1.0 + sine * sine)), scale = 1.0;
    for (int n = 0; n < 3 && fabs(ratio) >= 0.1; ++n) {
        ratio /= 1.0 + sqrt(1.0 - ratio * ratio);
        scale *= 2.0;
    }
    return fabs(ratio) < 0.1 ? scale * GetDoubleTurn(ratio) : hwAsinh(sine);
}

static void SolveCatenary(hwWrapSpan* span, double EA, double load, hwVec3 weight, double width, double rise,
                          double distance) {
    hwTetherSpan* shape = &span->shape;
    Elastic e = {width, distance, span->rest, 0.5 * load * width / EA};
    double slope, half, x = SolveParameter(&e, &slope), scale = 0.5 * width / x;
    double stretch = sqrt(1.0 + GetExcess(x, &half)), root = width * stretch, tilt = rise / root;
    double middle = GetAngle(tilt);
    shape->taut = false;
    shape->scale = scale;
    shape->start = middle - x;
    shape->length = sqrt(root * root + rise * rise);
    if (x < 1.0) { // sinh of middle - x and middle + x; beyond that too much is lost
        double sine = x * stretch, cosine = sqrt(1.0 + sine * sine), up = sqrt(1.0 + tilt * tilt);
        span->slope[0] = tilt * cosine - up * sine;
        span->slope[1] = tilt * cosine + up * sine;
    } else {
        span->slope[0] = hwSinh(middle - x);
        span->slope[1] = hwSinh(middle + x);
    }
    double aside = hwDot(weight, shape->across), heavy = hwDot(weight, shape->load);
    hwVec3 tangents[2];
    for (int k = 0; k < 2; ++k) {
        // T = load A at the lowest point, and from there the work of the weight
        double u = shape->start + k * 2.0 * x, s = span->slope[k], c = sqrt(1.0 + s * s);
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

hwWrapKey hwWrapSpan_MakeKey(const hwWrapSetup* setup, hwVec3 a, hwVec3 b, double rest) {
    hwWrapKey key = {.a = a,
                     .b = b,
                     .rest = hwFmax(rest, 1e-9),
                     .EA = setup->EA,
                     .bend = (int32_t)setup->bend,
                     .known = 1};
    setup->load(setup->context, a, b, &key.load);
    return key;
}

void hwWrapSpan_SolveKey(const hwWrapSetup* setup, const hwWrapKey* key, hwWrapSpan* out) {
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
    hwWrapKey key = hwWrapSpan_MakeKey(setup, a, b, rest);
    hwWrapSpan_SolveKey(setup, &key, out);
}

bool hwWrapSpan_SolveAgain(const hwWrapSetup* setup, hwVec3 a, hwVec3 b, double rest, hwWrapSpan* span) {
    hwWrapKey key = hwWrapSpan_MakeKey(setup, a, b, rest);
    if (hwHaveSameBits(&key, &span->key, sizeof(key))) return false;
    hwWrapSpan_SolveKey(setup, &key, span);
    return true;
}

bool hwWrapSpan_SetRest(const hwWrapSetup* setup, double rest, hwWrapSpan* span) {
    hwWrapKey key = span->key;
    key.rest = hwFmax(rest, 1e-9);
    if (key.rest == span->key.rest) return false;
    hwWrapSpan_SolveKey(setup, &key, span);
    return true;
}

// Twice the inverse hyperbolic tangent of (sinh v - sinh u) / (cosh v + cosh u), which is v - u.
static double GetTurn(double ratio, double to, double from) {
    if (fabs(ratio) < 0.1) return GetDoubleTurn(ratio);
    return fabs(ratio) < 0.9 ? 2.0 * hwAtanh(ratio) : hwAsinh(to) - hwAsinh(from);
}

static bool IsCatenary(const hwWrapSpan* span) {
    return !span->shape.taut && span->shape.bend == HW_BEND_CATENARY && span->shape.scale > 0.0;
}

// As hwTetherSpan_GetPoint, with what is known of the ends. Shares rise; points count on from each other, and from the nearer
// end, where less is lost.
void hwWrapSpan_GetPoints(const hwWrapSpan* span, int count, const double* share, hwVec3* out) {
    const hwTetherSpan* shape = &span->shape;
    if (!IsCatenary(span)) {
        for (int j = 0; j < count; ++j) out[j] = hwTetherSpan_GetPoint(shape, share[j] * shape->length);
        return;
    }
    for (int end = 0; end < 2; ++end) {
        double from = span->slope[end], cosine = sqrt(1.0 + from * from), turn = 0.0;
        double last = 0.0, slope = from, its = cosine; // of the point before
        for (int i = 0; i < count; ++i) {
            int j = end == 0 ? i : count - 1 - i;
            if (end == 0 ? share[j] > 0.5 : share[j] <= 0.5) break;
            double way = (end == 0 ? share[j] : share[j] - 1.0) * shape->length,
                   to = from + way / shape->scale;
            double here = sqrt(1.0 + to * to);
            turn += GetTurn((way - last) / (shape->scale * (here + its)), to, slope);
            double rise = way * ((to + from) / (here + cosine));
            hwVec3 p = hwMulAdd(end == 0 ? shape->a : shape->b, shape->scale * turn, shape->across);
            out[j] = hwMulAdd(p, -rise, shape->load);
            last = way, slope = to, its = here;
        }
    }
}

double hwWrapSpan_GetTension(const hwWrapSpan* span, double share, hwVec3 p) {
    // what the weight has worked from a on; in a straight line it grows evenly
    if (span->shape.taut || span->shape.bend != HW_BEND_CATENARY)
        return span->tension[0] + share * (span->tension[1] - span->tension[0]);
    return hwFmax(span->tension[0] - hwDot(span->weight, hwSub(p, span->shape.a)), 0.0);
}

hwVec3 hwWrapSpan_GetPoint(const hwWrapSpan* span, double s, double* tension) {
    double share = hwClamp(s / span->rest, 0.0, 1.0);
    hwVec3 p;
    hwWrapSpan_GetPoints(span, 1, &share, &p);
    if (tension != NULL) *tension = hwWrapSpan_GetTension(span, share, p);
    return p;
}
