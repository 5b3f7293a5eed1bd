// Floating bodies by linear potential flow: added mass of infinite frequency, waves that they radiate as lines that they drive
// (hydro/radiation.h), wave forces, and hydrostatics.
#include "parts/floaters/floaters.h"

#include "math/spatial.h"
#include "record/channels.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

enum { LINES = HW_RADIATION_LINES, VARIABLES = 2 * 6 * LINES };

// Wave forces --------------------------------------------------------------------------------------------------------------

// A table whose headings go all the way round, with no wider gap from the last to the first than between two others.
static bool IsFullCircle(const hwPotentialDef* def) {
    double widest = 0.0;
    for (int h = 1; h < def->headingCount; ++h)
        widest = hwFmax(widest, def->headings[h] - def->headings[h - 1]);
    double gap = def->headings[0] + 2.0 * HW_PI - def->headings[def->headingCount - 1];
    return def->headingCount > 2 && gap > 0.0 && gap <= widest * (1.0 + 1e-6);
}

// Where X is for waves that go `heading` relative to the bow, -pi to pi: `share` of the way from one of the table's headings to
// another.
typedef struct HeadingPlace {
    int from, to;
    double share;
    bool mirrored; // it is of the other side
    bool beyond;   // the table has none there: its nearest
} HeadingPlace;

static HeadingPlace FindHeading(const hwPotentialDef* def, double heading) {
    const double slack = 1e-9, turn = 2.0 * HW_PI, *list = def->headings;
    int last = def->headingCount - 1;
    HeadingPlace place = {0};
    if (heading < list[0] - slack && heading + turn <= list[last] + slack) heading += turn;
    if (heading > list[last] + slack && heading - turn >= list[0] - slack) heading -= turn;
    bool inside = heading >= list[0] - slack && heading <= list[last] + slack;
    if (!inside && IsFullCircle(def)) {
        double past = heading > list[last] ? heading - list[last] : heading + turn - list[last];
        return (HeadingPlace){last, 0, past / (list[0] + turn - list[last]), false, false};
    }
    place.mirrored = !inside && list[0] >= -slack && list[last] <= HW_PI + slack && heading < 0.0;
    if (place.mirrored) heading = -heading;
    place.beyond = heading < list[0] - 1e-6 || heading > list[last] + 1e-6;
    int h = 0;
    while (h + 2 <= last && heading > list[h + 1]) ++h;
    place.from = h;
    place.to = h < last ? h + 1 : h;
    if (h < last) place.share = hwFmin(1.0, hwFmax(0.0, (heading - list[h]) / (list[h + 1] - list[h])));
    return place;
}

// X for a heading and a frequency: linear between the table's complex values; zero in frequency beyond the table's ends is
// wrong for long waves, so the ends are held.
static void ReadExcitation(const hwPotentialDef* def, const HeadingPlace* place, double omega, double real[6],
                           double imaginary[6]) {
    int f = 0;
    while (f + 2 < def->frequencyCount && omega > def->frequencies[f + 1]) ++f;
    double ff = (omega - def->frequencies[f]) / (def->frequencies[f + 1] - def->frequencies[f]);
    ff = hwFmin(1.0, hwFmax(0.0, ff));
    memset(real, 0, 6 * sizeof(double));
    memset(imaginary, 0, 6 * sizeof(double));
    for (int corner = 0; corner < 4; ++corner) {
        int h = corner / 2 ? place->to : place->from, df = corner % 2;
        double weight = (corner / 2 ? place->share : 1.0 - place->share) * (df ? ff : 1.0 - ff);
        if (weight == 0.0) continue;
        const double* row = def->excitation + 12 * (h * def->frequencyCount + f + df);
        for (int i = 0; i < 6; ++i) {
            real[i] += weight * row[2 * i];
            imaginary[i] += weight * row[2 * i + 1];
        }
    }
}

static hwFloaterHarmonic MakeHarmonic(const hwPotentialDef* def, double bow, const hwWaveComponent* wave) {
    hwFloaterHarmonic harmonic = {.kx = wave->k * hwCos(wave->direction),
                                  .ky = wave->k * hwSin(wave->direction),
                                  .omega = wave->omega,
                                  .phase = wave->phase};
    if (def->headingCount == 0) return harmonic;
    HeadingPlace place = FindHeading(def, remainder(wave->direction - bow, 2.0 * HW_PI));
    ReadExcitation(def, &place, wave->omega, harmonic.real, harmonic.imaginary);
    for (int i = 0; i < 6; ++i) {
        // waves to the other side: sway, roll and yaw change sign
        double size = place.mirrored && i % 2 == 1 ? -wave->amplitude : wave->amplitude;
        harmonic.real[i] *= size;
        harmonic.imaginary[i] *= size;
    }
    return harmonic;
}

// Waves from where the table has no headings, or of other periods, push as the nearest ones do. That is said where they make up
// more than a share of the variance of the force, or of the moment.
#define LARGEST_SHARE_BEYOND 0.05

static void WarnBeyondTable(const hwWorld* world, const hwBodyDef* body, double bow, int count,
                            const hwWaveComponent* waves, const hwFloaterHarmonic* harmonics) {
    const hwPotentialDef* def = &body->potential;
    const double* w = def->frequencies;
    int last = def->frequencyCount - 1;
    double whole[2] = {0.0, 0.0}, byPeriod[2] = {0.0, 0.0}, byHeading[2] = {0.0, 0.0};
    for (int i = 0; i < count && def->headingCount > 0; ++i) {
        bool otherPeriod = waves[i].omega < w[0] * (1.0 - 1e-9) || waves[i].omega > w[last] * (1.0 + 1e-9);
        bool otherHeading = FindHeading(def, remainder(waves[i].direction - bow, 2.0 * HW_PI)).beyond;
        for (int k = 0; k < 6; ++k) {
            double re = harmonics[i].real[k], im = harmonics[i].imaginary[k], square = re * re + im * im;
            whole[k / 3] += square;
            byPeriod[k / 3] += otherPeriod ? square : 0.0;
            byHeading[k / 3] += otherHeading ? square : 0.0;
        }
    }
    double share[2] = {0.0, 0.0};
    for (int k = 0; k < 2; ++k) {
        if (!(whole[k] > 0.0)) continue;
        share[0] = hwFmax(share[0], byPeriod[k] / whole[k]);
        share[1] = hwFmax(share[1], byHeading[k] / whole[k]);
    }
    if (share[0] > LARGEST_SHARE_BEYOND)
        hwWorld_Log(world, HW_LOG_WARNING,
                    "%s: its wave forces are for periods from %g to %g s; %.0f %% of their variance comes "
                    "from waves outside these, with the forces of the nearest period",
                    body->name, 2.0 * HW_PI / w[last], 2.0 * HW_PI / w[0], 100.0 * share[0]);
    if (share[1] > LARGEST_SHARE_BEYOND)
        hwWorld_Log(world, HW_LOG_WARNING,
                    "%s: its wave forces are for headings from %g to %g degrees; %.0f %% of their variance "
                    "comes from waves outside these, with the forces of the nearest heading",
                    body->name, def->headings[0] / HW_DEGREE,
                    def->headings[def->headingCount - 1] / HW_DEGREE, 100.0 * share[1]);
}

// At the floater's mean place, by its axes at the start.
static hwSpatial SumExcitation(const hwWorld* world, const hwFloaterModel* floater, hwVec3 at, double time) {
    double sum[6] = {0};
    for (int j = 0; j < world->model.floaters->waveCount; ++j) {
        const hwFloaterHarmonic* h = &floater->harmonics[j];
        double c, s;
        hwSinAndCos(h->kx * at.x + h->ky * at.y - h->omega * time + h->phase, &s, &c);
        // Re(X exp(-i theta)), as for ships
        for (int i = 0; i < 6; ++i) sum[i] += h->real[i] * c + h->imaginary[i] * s;
    }
    double growth = hwEnvironment_GetGrowth(world->environment, time).x;
    hwVec3 force = hwMulMV(floater->axes, hwMakeVec3(sum[0], sum[1], sum[2]));
    hwVec3 moment = hwMulMV(floater->axes, hwMakeVec3(sum[3], sum[4], sum[5]));
    return (hwSpatial){hwScale(growth, force), hwScale(growth, moment)};
}

// Where the waves meet the floater -----------------------------------------------------------------------------------------

// Linear wave forces are those on a body at its mean place. Taken at the place of the moment they have a mean of their own, by
// k x F of second order, which is one part of a drift force without the others: a free body drifts by a law that is not the
// water's. So the place is the slow part y of x, by H = (3 c^2 s + c^3) / (s + c)^3: slow motions and steady speeds (encounter
// frequencies) pass without a lag, motions with the waves by 3 (c/w)^2. The variables of each of the axes x, y are the rest
// d = x - y, u = y' and q:
//     d' = v - u, u' = q - 3 c u + 3 c^2 d, q' = c^3 d,
// so that a body that is put elsewhere takes its mean place along.
static void FollowPlace(double c, double v, const double* base, double hd, double* z, double* zdot) {
    if (c == 0.0) { // no waves: nothing to keep apart, also for a sea that may come later
        for (int k = 0; k < 3; ++k) {
            z[k] = base[k];
            zdot[k] = 0.0;
        }
        return;
    }
    double a = hd * c, reach = base[0] + hd * v;
    double u = (base[1] + hd * base[2] + c * a * (3.0 + a) * reach) / ((1.0 + a) * (1.0 + a) * (1.0 + a));
    double d = reach - hd * u;
    z[0] = d;
    z[1] = u;
    z[2] = base[2] + a * c * c * d;
    zdot[0] = v - u;
    zdot[1] = z[2] - 3.0 * c * (u - c * d);
    zdot[2] = c * c * c * d;
}

// Axes of the floater at the start, turned about the vertical as far as it has turned since. Radiation is linear in motions
// about a mean attitude: in axes that roll and pitch along, heave's damping would push it sideways, to second order, likewise as
// one part of a drift force without the others.
static hwWideMat FindMeanAxes(const hwFloaterModel* floater, const hwWideMat* R) {
    hwMat3 turn = hwMulMM(hwWideMat_ToMat3(R), hwTransposeMat3(floater->axes));
    double c = turn.cx.x + turn.cy.y, s = turn.cx.y - turn.cy.x, size = sqrt(c * c + s * s);
    c = size > 0.0 ? c / size : 1.0; // upside down: none
    s = size > 0.0 ? s / size : 0.0;
    hwMat3 yaw = {{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}};
    return hwWideMat_FromMat3(hwMulMM(yaw, floater->axes));
}

// A sixteenth of the sea's mean frequency: 1.2 % of the motion with the waves is left.
static double FindCorner(int count, const hwWaveComponent* waves) {
    double sum = 0.0, moment = 0.0;
    for (int i = 0; i < count; ++i) {
        double energy = waves[i].amplitude * waves[i].amplitude;
        sum += energy;
        moment += energy * waves[i].omega;
    }
    return sum > 0.0 ? moment / sum / 16.0 : 0.0;
}

// Radiation ----------------------------------------------------------------------------------------------------------------

// What the lines do at a velocity: their force, what they store and dissipate, and the damping that an implicit stage sees.
typedef struct Radiated {
    double force[6], damping[36];
    double stored, dissipation;
} Radiated;

static void DriveLines(const hwFloaterModel* floater, const double v[6], const double* base, double hd,
                       bool still, double* z, double* zdot, Radiated* out) {
    const hwRadiation* radiation = &floater->radiation;
    memset(out, 0, sizeof(*out));
    memcpy(z, base, VARIABLES * sizeof(double));
    memset(zdot, 0, VARIABLES * sizeof(double));
    if (still) return; // statics: no waves are made
    for (int k = 0; k < LINES; ++k) {
        double e = radiation->widths[k], square = radiation->lines[k] * radiation->lines[k];
        double rate[6] = {0}, place[6] = {0};
        // r = base + hd (v - 2 e r - w^2 s), s = base + hd r
        double inverse = 1.0 / (1.0 + hd * (2.0 * e + hd * square));
        for (int j = 0; j < 6; ++j) {
            if (!radiation->active[j]) continue;
            int at = 2 * (j * LINES + k);
            rate[j] = (base[at] + hd * (v[j] - square * base[at + 1])) * inverse;
            place[j] = base[at + 1] + hd * rate[j];
            z[at] = rate[j];
            z[at + 1] = place[j];
            zdot[at] = v[j] - 2.0 * e * rate[j] - square * place[j];
            zdot[at + 1] = rate[j];
        }
        const double* c = radiation->weights[k];
        double slope = hd * inverse;
        for (int i = 0; i < 6; ++i) {
            if (!radiation->active[i]) continue;
            double force = 0.0, stretch = 0.0;
            for (int j = 0; j < 6; ++j) {
                force += c[6 * i + j] * rate[j];
                stretch += c[6 * i + j] * place[j];
                out->damping[6 * i + j] += slope * c[6 * i + j];
            }
            out->force[i] -= force;
            out->stored += 0.5 * (force * rate[i] + square * stretch * place[i]);
            out->dissipation += 2.0 * e * force * rate[i];
        }
    }
}

// Hydrostatics -------------------------------------------------------------------------------------------------------------

// Water that carries the weight at rest and, with it, brings the body back: the slope of the energy 1/2 x C x in the rise of the
// origin and the tilt of the vertical in body axes, x = (rise, u_y, -u_x), so that no work is lost at larger angles either. The
// weight is cancelled where it acts: C is that of both.
static hwWideSpatial AddHydrostatics(const hwWorld* world, const hwFloaterModel* floater, double* potential) {
    const hwLinkInfo* info = &world->model.links[floater->link];
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    const hwLinkMotion* m = &world->work->forest.motion[floater->link];
    const double(*C)[6] = floater->def->stiffness;
    hwVec3 u = hwWide_ToVec3(hwWideMat_MulT(&m->R, hwWide_Make(0.0, 0.0, 1.0)));
    double x[3] = {m->p[2] - environment->surface - floater->def->height, u.y, -u.x}, g[3];
    *potential = 0.0;
    for (int i = 0; i < 3; ++i) {
        g[i] = 0.0;
        for (int j = 0; j < 3; ++j) g[i] += 0.5 * (C[2 + i][2 + j] + C[2 + j][2 + i]) * x[j];
        *potential += 0.5 * g[i] * x[i];
    }
    hwVec3 moment = {-g[1] * u.z, -g[2] * u.z, g[1] * u.x + g[2] * u.y};
    double weight = info->mass * environment->gravity;
    hwWide com = hwWideMat_Mul(&m->R, hwWide_FromVec3(info->com)), lift = hwWide_Make(0.0, 0.0, weight);
    hwWideSpatial wrench = {lift - hwWide_Make(0.0, 0.0, g[0]),
                            hwWide_Cross(com, lift) + hwWideMat_Mul(&m->R, hwWide_FromVec3(moment))};
    *potential -= weight * (m->p[2] + com[2]);
    return wrench;
}

// What the implicit solver sees of it: heave, roll and pitch, where they bring the body back.
static void AddStiffness(const hwPotentialDef* def, double stiffness[36]) {
    for (int i = 2; i < 5; ++i) {
        if (!(def->stiffness[i][i] > 0.0)) continue;
        for (int j = 2; j < 5; ++j) {
            if (def->stiffness[j][j] > 0.0)
                stiffness[6 * i + j] += 0.5 * (def->stiffness[i][j] + def->stiffness[j][i]);
        }
    }
}

// Evaluation ---------------------------------------------------------------------------------------------------------------

static void EvaluateFloater(const hwWorld* world, int index, const hwEvaluation* e) {
    hwWork* work = world->work;
    const hwFloaterModel* floater = &world->model.floaters->items[index];
    int link = floater->link;
    const hwLinkMotion* m = &work->forest.motion[link];
    hwSpatial own = hwWideSpatial_ToLink(m->v, &m->R);
    double v[6], stiffness[36] = {0};
    hwWideMat axes = FindMeanAxes(floater, &m->R);
    hwSpatialToArray(hwWideSpatial_ToLink(m->v, &axes), v);
    Radiated radiated;
    DriveLines(floater, v, e->zBase + floater->lines, e->hd, e->mode.calm || e->mode.held,
               work->z + floater->lines, work->zdot + floater->lines, &radiated);
    hwWideSpatial radiation = hwWideSpatial_FromLink(hwSpatialFromArray(radiated.force), &axes);
    hwSpatial waves = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double c = world->model.floaters->corner, *z = work->z + floater->place;
    const double* base = e->zBase + floater->place;
    for (int i = 0; i < 2; ++i)
        FollowPlace(c, m->v.l[i], base + 3 * i, e->hd, z + 3 * i, work->zdot + floater->place + 3 * i);
    hwVec3 mean = {m->p[0] - z[0], m->p[1] - z[3], m->p[2]};
    if (!e->mode.calm) waves = SumExcitation(world, floater, mean, e->time);
    hwWideSpatial statics = AddHydrostatics(world, floater, &work->floaters->potential[index]);
    // Kirchhoff's equations for the added mass of infinite frequency, in water at rest
    hwSpatialSym added = hwSpatialSymFromArray(&floater->def->addedMass[0][0]);
    hwWideSym turned = hwWideSym_FromLink(&added, &m->R);
    hwSpatial gyro = hwCrossForce(own, hwMulSpatialSym(&added, own));
    hwWideSpatial carried = hwWideSpatial_FromLink(gyro, &m->R);
    hwWideSpatial rate = {m->a0.l - hwWide_Cross(m->v.a, m->v.l), m->a0.a};
    hwWideSpatial needed = hwWideSym_Mul(&turned, rate);
    hwWideSym_Add(&work->inertia[link], &turned);
    work->wrench[link].l += statics.l + radiation.l + hwWide_FromVec3(waves.l) - carried.l - needed.l;
    work->wrench[link].a += statics.a + radiation.a + hwWide_FromVec3(waves.a) - carried.a - needed.a;
    AddStiffness(floater->def, stiffness);
    hwSpatialSym D = hwSpatialSymFromArray(radiated.damping), K = hwSpatialSymFromArray(stiffness);
    hwWideSym damping = hwWideSym_FromLink(&D, &axes), back = hwWideSym_FromLink(&K, &m->R);
    hwLinkTerms* terms = hwWorld_GetWorldTerms(world, link);
    hwWideSym_AddScaled(&terms->worldDamping, 1.0, &damping);
    hwWideSym_AddScaled(&terms->worldStiffness, 1.0, &back);
    work->elastic += radiated.stored;
    work->floaters->stored[index] = work->floaters->potential[index] + radiated.stored;
    work->floaters->storedRate[index] =
        -hwWideSpatial_Dot(statics, m->v) - hwWideSpatial_Dot(radiation, m->v) - radiated.dissipation;
    work->powers.dissipation += radiated.dissipation;
    work->powers.work += hwDot(waves.l, hwWide_ToVec3(m->v.l)) + hwDot(waves.a, hwWide_ToVec3(m->v.a));
    work->floaters->excitation[index] = waves;
    work->floaters->radiation[index] = (hwSpatial){hwWide_ToVec3(radiation.l), hwWide_ToVec3(radiation.a)};
}

static void EvaluateFloaters(const hwWorld* world, const hwEvaluation* e) {
    for (int i = 0; i < world->model.floaters->count; ++i) EvaluateFloater(world, i, e);
}

static void SumFloaterEnergy(const hwWorld* world, hwEnergySum* sum) {
    for (int i = 0; i < world->model.floaters->count; ++i) {
        sum->energy.potential += world->work->floaters->potential[i];
        sum->stored += world->work->floaters->stored[i];
    }
}

static double RateStored(const hwWorld* world, const double* a) {
    (void)a;
    double sum = 0.0;
    for (int i = 0; i < world->model.floaters->count; ++i) sum += world->work->floaters->storedRate[i];
    return sum;
}

// The mean place is where the floater is, and goes as fast.
static void StartPlace(double* z, hwVec3 velocity) {
    memset(z, 0, 6 * sizeof(double));
    z[1] = velocity.x;
    z[4] = velocity.y;
}

// Water at rest makes no waves.
static void EndStatics(hwWorld* world, const hwMode* mode) {
    (void)mode;
    for (int i = 0; i < world->model.floaters->count; ++i) {
        const hwFloaterModel* floater = &world->model.floaters->items[i];
        memset(world->state.z + floater->lines, 0, VARIABLES * sizeof(double));
        StartPlace(world->state.z + floater->place,
                   hwWide_ToVec3(world->work->forest.motion[floater->link].v.l));
    }
}

static int ListLines(const hwWorld* world, int capacity, hwLineSet* sets) {
    const hwFloatersModel* floaters = world->model.floaters;
    for (int i = 0; i < floaters->count && i < capacity; ++i) {
        const hwFloaterModel* floater = &floaters->items[i];
        hwWideMat axes = FindMeanAxes(floater, &world->work->forest.motion[floater->link].R);
        sets[i] = (hwLineSet){.link = floater->link,
                              .count = LINES,
                              .frequencies = floater->radiation.lines,
                              .widths = floater->radiation.widths,
                              .weights = (const double(*)[36])floater->radiation.weights,
                              .axes = hwWideMat_ToMat3(&axes),
                              .variables = floater->lines,
                              .place = floater->place};
    }
    return floaters->count;
}

// The part -------------------------------------------------------------------------------------------------------------------

static bool IsFloater(const hwBodyDef* def) {
    return def->motion == HW_MOTION_FREE && def->potential.frequencyCount > 0;
}

static void LayFloaters(const hwWorld* world, hwArena* arena, hwModel* model) {
    hwFloatersModel* floaters = model->floaters;
    floaters->count = 0;
    for (int i = 0; i < world->bodies.slots; ++i) {
        const hwBodyObject* body = world->bodies.items[i];
        floaters->count += body != NULL && IsFloater(&body->def);
    }
    floaters->waveCount = floaters->count > 0 ? hwEnvironment_GetWaves(world->environment, 0, NULL) : 0;
    floaters->items = HW_TAKE(arena, hwFloaterModel, floaters->count);
    floaters->waves = HW_TAKE(arena, hwWaveComponent, floaters->waveCount);
    for (int i = 0; i < floaters->count; ++i) {
        hwFloaterHarmonic* harmonics = HW_TAKE(arena, hwFloaterHarmonic, floaters->waveCount);
        double* weights = HW_TAKE(arena, double, 36 * LINES);
        if (floaters->items == NULL) continue; // while measuring
        floaters->items[i].harmonics = harmonics;
        floaters->items[i].radiation.weights = (double(*)[36])(void*)weights;
    }
}

static void FillFloaters(const hwWorld* world, hwModel* model) {
    hwFloatersModel* floaters = model->floaters;
    if (floaters->count == 0) return;
    hwEnvironment_GetWaves(world->environment, floaters->waveCount, floaters->waves);
    floaters->corner = FindCorner(floaters->waveCount, floaters->waves);
    int next = 0;
    for (int i = 0; i < model->forest.linkCount; ++i) {
        const hwBodyDef* def = &model->links[i].body->def;
        if (!IsFloater(def)) continue;
        hwFloaterModel* floater = &floaters->items[next++];
        floater->link = i;
        floater->def = &def->potential;
        floater->axes = hwMat3FromQuat(hwNormalizeQuat(def->attitude));
        floater->lines = hwModel_TakeAuxiliary(model, true, VARIABLES);
        floater->place = hwModel_TakeAuxiliary(model, true, 6);
        hwVec3 bow = hwMulMV(floater->axes, hwMakeVec3(1.0, 0.0, 0.0));
        for (int k = 0; k < floaters->waveCount; ++k)
            floater->harmonics[k] = MakeHarmonic(&def->potential, hwAtan2(bow.y, bow.x), &floaters->waves[k]);
        WarnBeyondTable(world, def, hwAtan2(bow.y, bow.x), floaters->waveCount, floaters->waves,
                        floater->harmonics);
    }
}

static hwStatus BuildFloaters(const hwWorld* world, hwModel* model, hwError* error) {
    for (int i = 0; i < model->floaters->count; ++i) {
        hwFloaterModel* floater = &model->floaters->items[i];
        if (!hwRadiation_Fit(&world->allocator, floater->def, &floater->radiation))
            return hwFail_Memory(error, model->links[floater->link].body->def.name);
    }
    return HW_OK;
}

static bool HasFloaters(const hwModel* model) {
    return model->floaters->count > 0;
}

static void LayFloatersWork(const hwModel* model, hwArena* arena, hwWork* work) {
    work->floaters->excitation = HW_TAKE(arena, hwSpatial, model->floaters->count);
    work->floaters->radiation = HW_TAKE(arena, hwSpatial, model->floaters->count);
    work->floaters->potential = HW_TAKE(arena, double, model->floaters->count);
    work->floaters->stored = HW_TAKE(arena, double, model->floaters->count);
    work->floaters->storedRate = HW_TAKE(arena, double, model->floaters->count);
}

// The waves around floaters that were there before.
static void CarryFloaters(const hwWorld* before, hwModel* model, hwState* state) {
    for (int k = 0; k < model->floaters->count; ++k) {
        const hwFloaterModel* floater = &model->floaters->items[k];
        StartPlace(state->z + floater->place, model->links[floater->link].body->def.velocity);
        if (before->model.block == NULL) continue;
        int link = model->links[floater->link].body->link;
        for (int m = 0; m < before->model.floaters->count; ++m) {
            if (before->model.floaters->items[m].link != link) continue;
            const hwFloaterModel* old = &before->model.floaters->items[m];
            memcpy(state->z + floater->lines, before->state.z + old->lines, VARIABLES * sizeof(double));
            memcpy(state->z + floater->place, before->state.z + old->place, 6 * sizeof(double));
        }
    }
}

// Channels -----------------------------------------------------------------------------------------------------------------

static const hwSpatial* FindWrench(const hwWorld* world, int link, const hwSpatial* wrenches) {
    for (int i = 0; i < world->model.floaters->count; ++i)
        if (world->model.floaters->items[i].link == link) return &wrenches[i];
    return NULL;
}

static double ReadExcitationForce(const hwWorld* world, int link, int component) {
    return (&FindWrench(world, link, world->work->floaters->excitation)->l.x)[component];
}

static double ReadExcitationMoment(const hwWorld* world, int link, int component) {
    return (&FindWrench(world, link, world->work->floaters->excitation)->a.x)[component];
}

static double ReadRadiationForce(const hwWorld* world, int link, int component) {
    return (&FindWrench(world, link, world->work->floaters->radiation)->l.x)[component];
}

static double ReadRadiationMoment(const hwWorld* world, int link, int component) {
    return (&FindWrench(world, link, world->work->floaters->radiation)->a.x)[component];
}

static const hwChannelRow floaterRows[] = {HW_CHANNELS_XYZ("excitation.force", "N", ReadExcitationForce),
                                           HW_CHANNELS_XYZ("excitation.moment", "N m", ReadExcitationMoment),
                                           HW_CHANNELS_XYZ("radiation.force", "N", ReadRadiationForce),
                                           HW_CHANNELS_XYZ("radiation.moment", "N m", ReadRadiationMoment)};

static void AddFloaterChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model,
                               int link) {
    (void)world;
    const hwBodyDef* def = &model->links[link].body->def;
    if (IsFloater(def)) hwTable_AddChannels(builder, def->name, HW_ROW_COUNT(floaterRows), floaterRows, link);
}

const hwPart hwFloatersPart = {.name = "floaters",
                               .model = HW_SLICE(hwModel, floaters),
                               .work = HW_SLICE(hwWork, floaters),
                               .layModel = LayFloaters,
                               .fillModel = FillFloaters,
                               .buildModel = BuildFloaters,
                               .isPresent = HasFloaters,
                               .layWork = LayFloatersWork,
                               .carry = CarryFloaters,
                               .addLinkChannels = AddFloaterChannels,
                               .evaluate = EvaluateFloaters,
                               .sumEnergy = SumFloaterEnergy,
                               .rateStored = RateStored,
                               .listLines = ListLines,
                               .endStatics = EndStatics};
