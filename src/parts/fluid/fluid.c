// Water and air on links: sampling the fluid, and turning what the hydrodynamic models give into world axes.
#include "parts/fluid/fluid.h"

#include "env/waves.h"
#include "geom/shape_data.h"
#include "hydro/drag.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

static bool HasAddedMass(const hwSpatialSym* m) {
    return m->ll.xx + m->ll.yy + m->ll.zz + m->aa.xx + m->aa.yy + m->aa.zz > 0.0;
}

static bool IsDiagonal(const hwSpatialSym* m) {
    const hwMat3* la = &m->la;
    double off =
        fabs(m->ll.xy) + fabs(m->ll.xz) + fabs(m->ll.yz) + fabs(m->aa.xy) + fabs(m->aa.xz) + fabs(m->aa.yz);
    return off + hwLength(la->cx) + hwLength(la->cy) + hwLength(la->cz) == 0.0;
}

static void AddSample(hwFluidWork* work, int link, hwVec3 local) {
    work->sampleLocal[work->sampleCount] = local;
    work->sampleLink[work->sampleCount++] = link;
}

static void FindWetLinks(const hwWorld* world) {
    hwWork* all = world->work;
    hwFluidWork* work = all->fluid;
    work->wetCount = work->sampleCount = 0;
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        const hwFluidLink* info = &world->model.fluid->links[i];
        work->firstSample[i] = -1;
        work->linkPowers[i] = (hwPowers){0.0, 0.0, 0.0};
        all->linkPotential[i] = all->linkSubmerged[i] = 0.0;
        bool acts = hwEnvironment_GetDef(world->environment)->water ? info->hasHydro : info->hasDryForce;
        if (!world->model.links[i].active || !(acts || HasAddedMass(&world->state.fluid->addedMass[i])))
            continue;
        const hwSpatialSym* added = &world->state.fluid->addedMass[i];
        work->added[i] = (hwWideSym){hwWideMat_FromSym3(added->ll), hwWideMat_FromMat3(added->la),
                                     hwWideMat_FromSym3(added->aa)};
        work->addedDiagonal[i] = IsDiagonal(added);
        work->addedAxes[i] = (hwWideSpatial){hwWide_Make(added->ll.xx, added->ll.yy, added->ll.zz),
                                             hwWide_Make(added->aa.xx, added->aa.yy, added->aa.zz)};
        work->firstSample[i] = work->sampleCount;
        work->wetLinks[work->wetCount++] = i;
        AddSample(work, i, info->hydro.buoyancyCenter);
        for (int s = 0; s < info->hydro.stripCount; ++s) {
            const hwStripDef* strip = &info->hydro.strips[s];
            for (int k = 0; k < strip->count; ++k) AddSample(work, i, hwStrip_GetMiddle(strip, k));
        }
        for (int k = 0; k < info->pieceCount; ++k) AddSample(work, i, info->pieceMiddles[k]);
    }
}

// Sampling -----------------------------------------------------------------------------------------------------------------

typedef struct SampleJob {
    const hwWorld* world;
    bool calm;
    const hwVec3* points;
    double time;
    hwFluidSample* samples;
    hwWaveCell* cells; // null: none
    bool same;
} SampleJob;

// Static equilibrium is that of calm water.
static void SamplePoints(const hwWorld* world, bool calm, int count, const hwVec3* points, double time,
                         hwFluidSample* samples) {
    (calm ? hwEnvironment_SampleCalm : hwEnvironment_Sample)(world->environment, count, points, time,
                                                             samples);
}

static void SampleRange(int first, int last, void* context) {
    const SampleJob* job = context;
    if (job->cells != NULL && !job->calm) {
        hwEnvironment_SampleCells(job->world->environment, last - first, job->points + first, job->time,
                                  job->cells + first, job->same, job->samples + first);
    } else {
        SamplePoints(job->world, job->calm, last - first, job->points + first, job->time,
                     job->samples + first);
    }
}

// Extra current and wind from the inputs `environment.current` and `environment.wind`, the first six inputs.
static void AddInputFlow(const hwWorld* world, hwFluidSample* sample, double height) {
    const double* flow = world->state.inputs + (height < sample->surface ? 0 : 3);
    sample->velocity = hwAdd(sample->velocity, hwMakeVec3(flow[0], flow[1], flow[2]));
}

static bool HasInputFlow(const hwWorld* world) {
    const double* flow = world->state.inputs;
    return flow[0] != 0.0 || flow[1] != 0.0 || flow[2] != 0.0 || flow[3] != 0.0 || flow[4] != 0.0 ||
           flow[5] != 0.0;
}

void hwWorld_FinishSamples(const hwWorld* world, int count, const hwVec3* points, double time,
                           hwFluidSample* samples) {
    hwVec3 current = hwVec3_zero;
    if (world->prepared && HasInputFlow(world)) {
        for (int i = 0; i < count; ++i) AddInputFlow(world, &samples[i], points[i].z);
        current = hwMakeVec3(world->state.inputs[0], world->state.inputs[1], world->state.inputs[2]);
    }
    if (hwEnvironment_HasLee(world->environment))
        hwEnvironment_AddLee(world->environment, current, count, points, time, samples);
}

static void FinishRange(int first, int last, void* context) {
    const SampleJob* job = context;
    hwWorld_FinishSamples(job->world, last - first, job->points + first, job->time, job->samples + first);
}

void hwWorld_SampleEnvironment(const hwWorld* world, const hwMode* mode, int count, const hwVec3* points,
                               double time, hwFluidSample* samples) {
    SampleJob job = {world, mode->calm, points, time, samples, NULL, false};
    hwTeam_Loop(world->team, count, 64, SampleRange, &job);
    if (HasInputFlow(world) || hwEnvironment_HasLee(world->environment))
        hwTeam_Loop(world->team, count, 64, FinishRange, &job);
}

void hwWorld_SampleCells(const hwWorld* world, const hwMode* mode, int count, const hwVec3* points,
                         double time, hwWaveCell* cells, bool same, hwFluidSample* samples) {
    SampleJob job = {world, mode->calm, points, time, samples, cells, same};
    SampleRange(0, count, &job);
    if (HasInputFlow(world) || hwEnvironment_HasLee(world->environment)) FinishRange(0, count, &job);
}

static void SampleFluid(const hwWorld* world, const hwMode* mode, double time) {
    hwWork* work = world->work;
    for (int i = 0; i < work->fluid->sampleCount; ++i) {
        const hwLinkMotion* m = &work->forest.motion[work->fluid->sampleLink[i]];
        work->fluid->samplePoints[i] =
            hwWide_ToVec3(m->p + hwWideMat_Mul(&m->R, hwWide_FromVec3(work->fluid->sampleLocal[i])));
    }
    hwWorld_SampleEnvironment(world, mode, work->fluid->sampleCount, work->fluid->samplePoints, time,
                              work->fluid->samples);
    for (int i = 0; i < work->fluid->sampleCount && mode->towed; ++i) {
        hwFluidSample* sample = &work->fluid->samples[i];
        sample->velocity = hwSub(sample->velocity, work->tow[work->fluid->sampleLink[i]]);
    }
}

// A link near the surface needs both fluids: sample the side on which its buoyancy centre is not.
static void SampleOtherSide(const hwWorld* world, const hwMode* mode, int link, double time) {
    const hwFluidLink* info = &world->model.fluid->links[link];
    const hwFluidSample* sample = &world->work->fluid->samples[world->work->fluid->firstSample[link]];
    hwVec3 point = world->work->fluid->samplePoints[world->work->fluid->firstSample[link]];
    double height = point.z - sample->surface;
    world->work->fluid->otherSide[link] = *sample;
    if (!(fabs(height) < info->reach)) return;
    point.z = sample->surface + (height < 0.0 ? 1e-6 * info->reach : -1e-6 * info->reach);
    SamplePoints(world, mode->calm, 1, &point, time, &world->work->fluid->otherSide[link]);
    hwFluidSample* other = &world->work->fluid->otherSide[link];
    hwWorld_FinishSamples(world, 1, &point, time, other);
    if (mode->towed) other->velocity = hwSub(other->velocity, world->work->tow[link]);
}

// Links deep under water with simple coefficients: the same as hwHydro_Evaluate, without its generality -----------------

// Minus drag by axis, and its derivative.
static inline hwWide AxisDrag(hwWide linear, hwWide quadratic, hwWide v, hwWide* slope) {
    hwWide more = quadratic * hwWide_Abs(v);
    *slope = linear + 2.0 * more;
    return (linear + more) * v;
}

// A x for added mass in link axes.
static inline hwWideSpatial MulAdded(const hwWork* work, int i, hwWideSpatial x) {
    if (!work->fluid->addedDiagonal[i]) return hwWideSym_Mul(&work->fluid->added[i], x);
    hwWideSpatial y = {work->fluid->addedAxes[i].l * x.l, work->fluid->addedAxes[i].a * x.a};
    return y;
}

// m += R diag(d) R^T = d_z + (d_x - d_z) x x^T + (d_y - d_z) y y^T: bodies with two equal entries, such as rods, need one
// product.
static inline void AddTurnedAxes(hwWideMat* m, const hwWideMat* R, hwWide d) {
    double x = d[0] - d[2], y = d[1] - d[2];
    if (x != 0.0) hwWideMat_AddOuter(m, x, R->x, R->x);
    if (y != 0.0) hwWideMat_AddOuter(m, y, R->y, R->y);
    m->x += hwWide_Make(d[2], 0.0, 0.0);
    m->y += hwWide_Make(0.0, d[2], 0.0);
    m->z += hwWide_Make(0.0, 0.0, d[2]);
}

static inline void AddTurnedMass(hwWork* work, int i, const hwWideMat* R) {
    hwWideSym* K = &work->inertia[i];
    if (work->fluid->addedDiagonal[i]) {
        AddTurnedAxes(&K->ll, R, work->fluid->addedAxes[i].l);
        AddTurnedAxes(&K->aa, R, work->fluid->addedAxes[i].a);
        return;
    }
    const hwWideSym* A = &work->fluid->added[i];
    hwWideMat ll = hwWideMat_Turn(R, &A->ll), la = hwWideMat_Turn(R, &A->la), aa = hwWideMat_Turn(R, &A->aa);
    hwWideMat_Add(&K->ll, &ll);
    hwWideMat_Add(&K->la, &la);
    hwWideMat_Add(&K->aa, &aa);
}

// nr x* p
static inline hwWideSpatial CrossForce(hwWideSpatial nr, hwWideSpatial p) {
    hwWideSpatial s = {hwWide_Cross(nr.a, p.l), hwWide_Cross(nr.a, p.a) + hwWide_Cross(nr.l, p.l)};
    return s;
}

// Work of moving water: the fluid's power on the link that is neither buoyancy in calm water nor drag on the relative
// motion.
static double WaterWork(const hwWork* work, int i, hwWideSpatial nr, hwWideSpatial gyro, hwWideSpatial drag,
                        hwWide u, hwWide acceleration, double displaced) {
    const hwLinkMotion* m = &work->forest.motion[i];
    hwWideSpatial own = {hwWideMat_MulT(&m->R, m->v.l), nr.a};
    hwWideSpatial rate = {hwWideMat_MulT(&m->R, acceleration) - hwWide_Cross(nr.a, hwWideMat_MulT(&m->R, u)),
                          hwWide_Zero()};
    hwWideSpatial carried = MulAdded(work, i, rate);
    hwWideSpatial sum = {carried.l - gyro.l - drag.l, carried.a - gyro.a - drag.a};
    hwVec3 point = work->fluid->samplePoints[work->fluid->firstSample[i]];
    hwWide arm = hwWide_FromVec3(point) - m->p;
    hwWide there = m->v.l + hwWide_Cross(m->v.a, arm);
    return hwWideSpatial_Dot(sum, own) + hwWideSpatial_Dot(drag, nr) +
           displaced * hwWide_Dot(acceleration, there);
}

// False when the link is not of this kind or not deep enough.
static bool AddSubmerged(const hwWorld* world, int i) {
    hwWork* work = world->work;
    const hwFluidLink* info = &world->model.fluid->links[i];
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    const hwFluidSample* sample = &work->fluid->samples[work->fluid->firstSample[i]];
    hwVec3 point = work->fluid->samplePoints[work->fluid->firstSample[i]];
    if (!info->simple || !environment->water) return false;
    double deep = point.z + info->reach;
    if (!(sample->surface > deep && environment->surface > deep)) return false;
    const hwLinkMotion* m = &work->forest.motion[i];
    hwWide u = hwWide_FromVec3(sample->velocity), acceleration = hwWide_FromVec3(sample->acceleration);
    hwWideSpatial nr = {hwWideMat_MulT(&m->R, m->v.l - u), hwWideMat_MulT(&m->R, m->v.a)};
    hwLinkTerms* terms = &work->terms[i];
    terms->kinds |= HW_TERMS_DIAGONAL;
    hwWideSpatial drag = {AxisDrag(info->linearDrag.l, info->quadraticDrag.l, nr.l, &terms->diagonalL),
                          AxisDrag(info->linearDrag.a, info->quadraticDrag.a, nr.a, &terms->diagonalA)};
    // Kirchhoff's equations with the part of the acceleration that is known
    hwWideSpatial known = {hwWideMat_MulT(&m->R, acceleration - m->a0.l) + hwWide_Cross(nr.a, nr.l),
                           -hwWideMat_MulT(&m->R, m->a0.a)};
    hwWideSpatial gyro = CrossForce(nr, MulAdded(work, i, nr)), carried = MulAdded(work, i, known);
    hwWide force = carried.l - gyro.l - drag.l, moment = carried.a - gyro.a - drag.a;
    double displaced = environment->waterDensity * info->hydro.volume;
    double weight = displaced * environment->gravity;
    hwWide lift = displaced * acceleration + hwWide_Make(0.0, 0.0, weight);
    hwWide arm = hwWide_FromVec3(point) - m->p;
    work->wrench[i].l += hwWideMat_Mul(&m->R, force) + lift;
    work->wrench[i].a += hwWideMat_Mul(&m->R, moment) + hwWide_Cross(arm, lift);
    AddTurnedMass(work, i, &m->R);
    work->linkPotential[i] = weight * (environment->surface - point.z);
    work->linkSubmerged[i] = 1.0;
    double rise = m->v.l[2] + (m->v.a[0] * arm[1] - m->v.a[1] * arm[0]); // of the point
    hwPowers powers = {hwWideSpatial_Dot(drag, nr), 0.0, -weight * rise};
    hwWide moving = u * u + acceleration * acceleration;
    if (moving[0] + moving[1] + moving[2] > 0.0) {
        powers.work = WaterWork(work, i, nr, gyro, drag, u, acceleration, displaced);
    }
    work->fluid->linkPowers[i] = powers;
    return true;
}

// Any link -----------------------------------------------------------------------------------------------------------------

static void FillInput(const hwWorld* world, int i, double time, const hwHydroDef* hydro,
                      hwHydroInput* input) {
    const hwWork* work = world->work;
    const hwFluidLink* info = &world->model.fluid->links[i];
    const hwLinkMotion* motion = &work->forest.motion[i];
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    int first = work->fluid->firstSample[i];
    const hwFluidSample* sample = &work->fluid->samples[first];
    *input = (hwHydroInput){.time = time,
                            .mass = info->mass,
                            .pose = {hwWide_ToVec3(motion->p), hwQuatFromMat3(hwWideMat_ToMat3(&motion->R))},
                            .gravity = environment->gravity,
                            .waterDensity = environment->water ? environment->waterDensity : 0.0,
                            .level = environment->surface,
                            .airDensity = environment->airDensity,
                            .water = *sample,
                            .air = *sample,
                            .strips = sample + 1,
                            .def = hydro,
                            .solid = &info->body->solid,
                            .pieceCount = info->pieceCount,
                            .pieces = info->pieces,
                            .pieceMiddles = info->pieceMiddles};
    int strips = 0;
    for (int k = 0; k < hydro->stripCount; ++k) strips += hydro->strips[k].count;
    input->pieceWater = sample + 1 + strips;
    if (environment->water) {
        bool under = work->fluid->samplePoints[first].z < sample->surface;
        *(under ? &input->air : &input->water) = work->fluid->otherSide[i];
    }
    hwSpatialToArray(hwWideSpatial_ToLink(motion->v, &motion->R), input->velocity);
}

#define SLOPE_TIME 1e-4 // s, over which the change of the surface's slope is measured

// How fast the slope of the surface changes at a sample that moves with the link.
static hwVec3 GetSlopeRate(const hwWorld* world, int i, int index, double time) {
    const hwWork* work = world->work;
    const hwLinkMotion* m = &work->forest.motion[i];
    hwVec3 point = work->fluid->samplePoints[index];
    hwVec3 v = hwWide_ToVec3(m->v.l + hwWide_Cross(m->v.a, hwWide_FromVec3(point) - m->p));
    hwVec3 next = hwMulAdd(point, SLOPE_TIME, v);
    hwFluidSample later;
    hwEnvironment_Sample(world->environment, 1, &next, time + SLOPE_TIME, &later);
    hwVec3 a = work->fluid->samples[index].normal, b = later.normal;
    return hwMakeVec3((a.x / a.z - b.x / b.z) / SLOPE_TIME, (a.y / a.z - b.y / b.z) / SLOPE_TIME, 0.0);
}

// Those of the buoyancy centre, or of a long body's pieces. Only bodies that come out by more than half of what they displace
// afloat need them; a plane above the centroid leaves 27/64 of a convex body under water at least (Grunbaum 1960).
static void FindSlopeRates(const hwWorld* world, bool calm, int i, double time, hwHydroInput* input) {
    hwWork* work = world->work;
    const hwFluidLink* info = &world->model.fluid->links[i];
    int first = work->fluid->firstSample[i], count = 1;
    const hwFluidSample* sample = &work->fluid->samples[first];
    bool near = fabs(work->fluid->samplePoints[first].z - sample->surface) < info->reach;
    bool needed = near && !calm && hwEnvironment_HasWaves(world->environment);
    if (input->pieceCount > 0) {
        first = (int)(input->pieceWater - work->fluid->samples);
        count = input->pieceCount;
    }
    bool under = info->mass / sample->density < 0.84 * info->hydro.volume;
    for (int k = first; k < first + count && under; ++k)
        under = work->fluid->samplePoints[k].z < work->fluid->samples[k].surface;
    for (int k = first; k < first + count; ++k)
        work->fluid->slopeRates[k] = needed && !under ? GetSlopeRate(world, i, k, time) : hwVec3_zero;
    input->slopeRates = &work->fluid->slopeRates[first];
}

// Water and air on link i: its wrench, added inertia, and what the implicit solver needs.
static void AddHydro(const hwWorld* world, const hwMode* mode, int i, double time) {
    hwWork* work = world->work;
    const hwFluidLink* info = &world->model.fluid->links[i];
    const hwLinkMotion* motion = &work->forest.motion[i];
    if (hwEnvironment_GetDef(world->environment)->water) SampleOtherSide(world, mode, i, time);
    hwHydroDef hydro = info->hydro;
    hwSpatialSymToArray(&world->state.fluid->addedMass[i], &hydro.addedMass[0][0]);
    hwHydroInput input;
    FillInput(world, i, time, &hydro, &input);
    FindSlopeRates(world, mode->calm, i, time, &input);
    hwHydroOutput output = {0};
    hwHydroFn* function = info->body->def.hydroFn;
    if (function != NULL) {
        function(&input, &output, info->body->def.hydroContext);
    } else {
        hwHydro_Evaluate(&input, &output);
    }
    hwWideSpatial wrench = hwWideSpatial_FromLink(hwSpatialFromArray(output.wrench), &motion->R);
    hwSpatialSym added = hwSpatialSymFromArray(&output.addedMass[0][0]);
    hwWideSym turned = hwWideSym_FromLink(&added, &motion->R);
    // the model's acceleration is the rate of change of the velocity's components in link axes
    hwWideSpatial rate = {motion->a0.l - hwWide_Cross(motion->v.a, motion->v.l), motion->a0.a};
    hwWideSpatial needed = hwWideSym_Mul(&turned, rate);
    work->wrench[i].l += wrench.l - needed.l;
    work->wrench[i].a += wrench.a - needed.a;
    hwWideSym_Add(&work->inertia[i], &turned);
    work->terms[i].kinds |= HW_TERMS_LINK;
    work->terms[i].damping = hwSpatialSymFromArray(&output.damping[0][0]);
    work->terms[i].stiffness = hwSpatialSymFromArray(&output.stiffness[0][0]);
    work->linkPotential[i] = output.potential;
    work->linkSubmerged[i] = output.submerged;
    work->fluid->linkPowers[i] =
        (hwPowers){output.dissipation, output.work, function != NULL ? 0.0 : output.storedPower};
}

// All of them --------------------------------------------------------------------------------------------------------------

typedef struct WetJob {
    const hwWorld* world;
    double time;
    const hwMode* mode;
} WetJob;

static void AddHydroRange(int first, int last, void* context) {
    const WetJob* job = context;
    const hwWorld* world = job->world;
    const int* links = world->work->fluid->wetLinks;
    for (int k = first; k < last; ++k) {
        if (!AddSubmerged(world, links[k])) AddHydro(world, job->mode, links[k], job->time);
    }
}

static void EvaluateFluid(const hwWorld* world, const hwEvaluation* e) {
    hwWork* work = world->work;
    if (work->fluid->wetCount == 0) return;
    SampleFluid(world, &e->mode, e->time);
    WetJob job = {world, e->time, &e->mode};
    hwTeam_Loop(world->team, work->fluid->wetCount, 16, AddHydroRange, &job);
}

static void AddFluidPowers(const hwWorld* world, hwPowers* powers) {
    const hwFluidWork* work = world->work->fluid;
    hwPowers sum = *powers;
    for (int k = 0; k < work->wetCount; ++k) {
        const hwPowers* own = &work->linkPowers[work->wetLinks[k]];
        sum.dissipation += own->dissipation;
        sum.work += own->work;
        sum.stored += own->stored;
    }
    *powers = sum;
}

bool hwWorld_GetWater(const hwWorld* world, int link, hwFluidSample* sample) {
    const hwFluidWork* work = world->work->fluid;
    int first = work->firstSample[link];
    if (first < 0) return false;
    bool under = work->samplePoints[first].z < work->samples[first].surface;
    *sample = under ? work->samples[first] : work->otherSide[link];
    return true;
}

// Model and state --------------------------------------------------------------------------------------------------------------

static int CountStrips(const hwHydroDef* hydro) {
    int count = 0;
    for (int i = 0; i < hydro->stripCount; ++i) count += hydro->strips[i].count;
    return count;
}

#define PIECES_PER_WAVE 8.0 // the surface of a piece is a plane
#define WAVE_SHARE 0.9      // of the sea's energy is in waves that count for that

// Longest piece of a body in this sea, m.
static double FindPieceLength(const hwWorld* world) {
    hwWaveComponent waves[HW_MAX_WAVES];
    int count = hwEnvironment_GetWaves(world->environment, HW_MAX_WAVES, waves);
    double sum = 0.0, part = 0.0;
    for (int i = 0; i < count; ++i) sum += waves[i].amplitude * waves[i].amplitude;
    for (int i = 0; i < count; ++i) {
        part += waves[i].amplitude * waves[i].amplitude;
        if (part >= WAVE_SHARE * sum) return 2.0 * HW_PI / (PIECES_PER_WAVE * waves[i].k);
    }
    return HUGE_VAL;
}

// The pieces that the shapes of a floating body are cut into.
static void TakePieces(const hwBodyObject* body, double longest, hwArena* arena, hwFluidLink* info) {
    bool moves = body->def.motion == HW_MOTION_FREE && body->def.hydro.volume != 0.0;
    bool cut = moves && longest < 2.0 * body->solid.radius;
    info->pieceCount = cut ? hwSolid_CutIntoPieces(&body->solid, longest, NULL) : 0;
    info->pieces = HW_TAKE(arena, hwShapeDef, info->pieceCount);
    info->pieceMiddles = HW_TAKE(arena, hwVec3, info->pieceCount);
    if (info->pieces == NULL || info->pieceCount == 0) return;
    hwSolid_CutIntoPieces(&body->solid, longest, info->pieces);
    for (int k = 0; k < info->pieceCount; ++k) {
        info->pieceMiddles[k] = hwShape_GetMassProperties(&info->pieces[k]).centroid;
    }
}

static void FillFluidLink(const hwWorld* world, const hwBodyObject* body, hwFluidLink* info) {
    info->body = body;
    info->mass = body->def.mass;
    info->hydro = body->def.hydro;
    if (info->hydro.volume < 0.0) info->hydro.volume = body->solid.volume;
    if (!info->hydro.hasBuoyancyCenter) {
        info->hydro.buoyancyCenter = body->solid.volume > 0.0 ? body->solid.centroid : hwVec3_zero;
    }
    bool axes = false;
    for (int i = 0; i < 6; ++i) {
        axes = axes || info->hydro.linearDrag[i] > 0.0 || info->hydro.quadraticDrag[i] > 0.0;
    }
    info->simple = body->def.hydroFn == NULL && info->hydro.stripCount == 0 && info->hydro.liftCount == 0 &&
                   !(info->hydro.sphereDrag > 0.0) && !(info->hydro.skinArea > 0.0) && info->pieceCount == 0;
    info->hasDryForce = axes || !info->simple;
    info->hasHydro = info->hasDryForce || info->hydro.volume > 0.0;
    info->linearDrag = hwWideSpatial_From(hwSpatialFromArray(info->hydro.linearDrag));
    info->quadraticDrag = hwWideSpatial_From(hwSpatialFromArray(info->hydro.quadraticDrag));
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    double density = environment->water ? environment->waterDensity : environment->airDensity;
    double radius = body->solid.radius + hwDistance(body->solid.center, info->hydro.buoyancyCenter);
    info->reach = hwFmax(radius, hwCbrt(hwFmax(info->hydro.volume, info->mass / density)));
}

static void LayFluid(const hwWorld* world, hwArena* arena, hwModel* model) {
    double longest = FindPieceLength(world);
    model->fluid->sampleCapacity = 0;
    model->fluid->links = HW_TAKE(arena, hwFluidLink, model->forest.linkCount);
    for (int i = 0; i < world->bodies.slots; ++i) {
        const hwBodyObject* body = world->bodies.items[i];
        if (body == NULL) continue;
        hwFluidLink cut;
        TakePieces(body, longest, arena, &cut);
        model->fluid->sampleCapacity += 1 + CountStrips(&body->def.hydro) + cut.pieceCount;
        if (arena->base == NULL) continue;
        hwFluidLink* info = &model->fluid->links[hwModel_FindLink(model, body)];
        info->pieceCount = cut.pieceCount;
        info->pieces = cut.pieces;
        info->pieceMiddles = cut.pieceMiddles;
        FillFluidLink(world, body, info);
    }
}

static void LayFluidState(const hwModel* model, hwArena* arena, hwState* state) {
    state->fluid->addedMass = HW_TAKE(arena, hwSpatialSym, model->forest.linkCount);
}

static void LayFluidWork(const hwModel* model, hwArena* arena, hwWork* all) {
    hwFluidWork* work = all->fluid;
    int links = model->forest.linkCount, samples = model->fluid->sampleCapacity;
    work->wetLinks = HW_TAKE(arena, int, links);
    work->added = HW_TAKE(arena, hwWideSym, links);
    work->addedDiagonal = HW_TAKE(arena, bool, links);
    work->addedAxes = HW_TAKE(arena, hwWideSpatial, links);
    work->firstSample = HW_TAKE(arena, int, links);
    work->sampleLocal = HW_TAKE(arena, hwVec3, samples);
    work->sampleLink = HW_TAKE(arena, int, samples);
    work->samplePoints = HW_TAKE(arena, hwVec3, samples);
    work->slopeRates = HW_TAKE(arena, hwVec3, samples);
    work->samples = HW_TAKE(arena, hwFluidSample, samples);
    work->otherSide = HW_TAKE(arena, hwFluidSample, links);
    work->linkPowers = HW_TAKE(arena, hwPowers, links);
}

static void CarryFluid(const hwWorld* before, hwModel* model, hwState* state) {
    for (int i = 0; i < model->forest.linkCount; ++i) {
        const hwBodyObject* body = model->links[i].body;
        state->fluid->addedMass[i] = hwSpatialSymFromArray(&body->def.hydro.addedMass[0][0]);
        if (before->model.block != NULL && body->link >= 0)
            state->fluid->addedMass[i] = before->state.fluid->addedMass[body->link];
    }
}

static hwStatus StartFluid(hwWorld* world, hwError* error) {
    (void)error;
    FindWetLinks(world);
    return HW_OK;
}

static void RefreshFluid(hwWorld* world) {
    FindWetLinks(world);
}

hwStatus hwBody_SetAddedMass(hwWorld* world, hwBodyId id, const double* addedMass, hwError* error) {
    hwClearError(error);
    hwBodyObject* body = hwWorld_GetBody(world, id);
    if (body == NULL)
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the handle does not refer to a body of this world");
    hwBodyDef changed = body->def;
    memcpy(changed.hydro.addedMass, addedMass, sizeof(changed.hydro.addedMass));
    hwStatus status = hwBody_CheckHydro(&changed, error);
    if (status != HW_OK) return status;
    if (world->prepared) {
        hwSleep_Wake(world, body->link);
        world->state.fluid->addedMass[body->link] = hwSpatialSymFromArray(addedMass);
        FindWetLinks(world);
        hwWorld_StateChanged(world);
    } else {
        memcpy(body->def.hydro.addedMass, addedMass, sizeof(body->def.hydro.addedMass));
    }
    return HW_OK;
}

hwStatus hwBody_SetHydroFn(hwWorld* world, hwBodyId id, hwHydroFn* function, void* context, hwError* error) {
    hwClearError(error);
    hwBodyObject* body = hwWorld_GetBody(world, id);
    if (body == NULL)
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the handle does not refer to a body of this world");
    body->def.hydroFn = function;
    body->def.hydroContext = context;
    hwWorld_Unprepare(world);
    return HW_OK;
}

// Water and air that stand still do not move what rests in them.
static void KeepWetAwake(const hwWorld* world, uint8_t* lively) {
    const hwFluidWork* work = world->work->fluid;
    bool moves = hwEnvironment_HasWaves(world->environment) || hwEnvironment_HasFlow(world->environment);
    for (int k = 0; k < 6; ++k) moves = moves || world->state.inputs[k] != 0.0;
    for (int k = 0; k < work->wetCount; ++k) {
        int link = work->wetLinks[k];
        if (moves || world->model.links[link].body->def.hydroFn != NULL) lively[link] = 1;
    }
}

const hwPart hwFluidPart = {.name = "fluid",
                            .keepAwake = KeepWetAwake,
                            .aside = true,
                            .model = HW_SLICE(hwModel, fluid),
                            .state = HW_SLICE(hwState, fluid),
                            .work = HW_SLICE(hwWork, fluid),
                            .layModel = LayFluid,
                            .layState = LayFluidState,
                            .layWork = LayFluidWork,
                            .carry = CarryFluid,
                            .start = StartFluid,
                            .refresh = RefreshFluid,
                            .evaluate = EvaluateFluid,
                            .addPowers = AddFluidPowers};
