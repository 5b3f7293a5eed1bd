// The built-in hydrodynamic model (seed 002 section 4; Fossen, "Guidance and Control of Ocean Vehicles", 1994).
//
// For a body with added mass A moving with nu in a stream u (both in body axes), Kirchhoff's equations in terms of the
// relative velocity nr = nu - u give the fluid's reaction
//     -A nr' - nr x* (A nr),   nr' = nu' - (R^T du/dt - w x u),
// of which -A nu' is left to the inertia and the rest is the wrench here. To it come the Froude-Krylov force of the
// displaced water rho V (g + du/dt) at the centre of the submerged volume, and drag on nr.
#include "hawser/hydro.h"

#include "geom/shape_data.h"
#include "hydro/buoyancy.h"
#include "hydro/drag.h"

#include <math.h>

hwHydroDef hwDefaultHydroDef(void) {
    hwHydroDef def = {.volume = -1.0};
    return def;
}

// Everything about one evaluation that the parts share.
typedef struct Scene {
    const hwHydroInput* in;
    hwMat3 turn; // body to world
    hwSpatial v; // relative to the earth, body axes
    hwDisplacement displaced;
    hwSpatial lift;         // pieces only: of them all, with the force of accelerating water
    hwSpatialSym stiffness; // pieces only
    hwSpatial growth;       // of the volume under water by motion of the body, m2 and m3, body axes
    double swell;           // m3/s, of that volume by motion of the surface
} Scene;

// rho g integral over the waterplane of h h^T, with h the rise of a point of it: the stiffness that a moving surface
// cut has. Body axes, about the origin.
static hwSpatialSym WaterplaneStiffness(const Scene* s, const hwSubmergence* cut, hwVec3 normal) {
    double k = s->in->waterDensity * s->in->gravity;
    hwVec3 n = hwMulTV(s->turn, normal);
    hwVec3 u = hwMulTV(s->turn, hwPerpendicular(normal));
    hwVec3 w = hwCross(n, u);
    hwVec3 c = hwMulTV(s->turn, hwSub(cut->cutCentroid, s->in->pose.p));
    hwVec3 arm = hwCross(c, n);
    double ka = k * cut->area;
    hwSpatialSym m;
    m.ll = (hwSym3){ka * n.x * n.x, ka * n.y * n.y, ka * n.z * n.z,
                    ka * n.x * n.y, ka * n.x * n.z, ka * n.y * n.z};
    m.la = (hwMat3){hwScale(ka * arm.x, n), hwScale(ka * arm.y, n), hwScale(ka * arm.z, n)};
    // a point a u + b w of the cut has the moment arm (a u + b w) x n = b u - a w
    double kuu = k * cut->cutMoment[0], kww = k * cut->cutMoment[1], kuw = k * cut->cutMoment[2];
#define HW_ENTRY(i, j)                                                                                       \
    (ka * arm.i * arm.j + kuu * w.i * w.j + kww * u.i * u.j - kuw * (u.i * w.j + w.i * u.j))
    m.aa = (hwSym3){HW_ENTRY(x, x), HW_ENTRY(y, y), HW_ENTRY(z, z),
                    HW_ENTRY(x, y), HW_ENTRY(x, z), HW_ENTRY(y, z)};
#undef HW_ENTRY
    return m;
}

static hwSpatial WrenchAt(const Scene* s, hwVec3 force, hwVec3 worldPoint) {
    hwVec3 f = hwMulTV(s->turn, force);
    hwVec3 arm = hwMulTV(s->turn, hwSub(worldPoint, s->in->pose.p));
    hwSpatial w = {f, hwCross(arm, f)};
    return w;
}

static hwSpatial GetBuoyancy(const Scene* s, const hwSubmergence* cut) {
    double weight = s->in->waterDensity * s->in->gravity * cut->volume;
    return WrenchAt(s, hwMakeVec3(0.0, 0.0, weight), cut->centroid);
}

// The potential is that of calm water, rho g V times the depth of the centroid; what waves add is work.
static void AddPotential(const Scene* s, hwHydroOutput* out) {
    const hwVec3 up = {0.0, 0.0, 1.0};
    hwSubmergence calm = s->displaced.cut;
    bool waves =
        s->in->water.surface != s->in->level || s->in->water.normal.z != 1.0 || s->in->pieceCount > 0;
    if (waves) calm = hwComputeDisplacement(s->in, s->in->level, up).cut;
    if (!(calm.volume > 0.0)) return;
    double weight = s->in->waterDensity * s->in->gravity * calm.volume;
    out->potential += weight * (s->in->level - calm.centroid.z);
    double rising = hwDotS(GetBuoyancy(s, &calm), s->v);
    out->work -= rising;
    out->storedPower -= rising;
}

// d V / d t = -area times the rise of the cut above the moving surface. The plane that touches the surface above `from` turns
// as the wave goes by.
static void AddGrowth(Scene* s, const hwSubmergence* cut, const hwFluidSample* water, hwVec3 from,
                      int index) {
    if (!(cut->area > 0.0)) return;
    hwVec3 n = hwMulTV(s->turn, water->normal);
    hwVec3 c = hwMulTV(s->turn, hwSub(cut->cutCentroid, s->in->pose.p));
    hwVec3 off = hwSub(cut->cutCentroid, from);
    double rising = water->surfaceRate;
    if (s->in->slopeRates != NULL)
        rising += s->in->slopeRates[index].x * off.x + s->in->slopeRates[index].y * off.y;
    s->growth.l = hwMulAdd(s->growth.l, -cut->area, n);
    s->growth.a = hwMulAdd(s->growth.a, -cut->area, hwCross(c, n));
    s->swell += cut->area * water->normal.z * rising;
}

// A body that is long against the waves: each piece at the surface, with the slope and the acceleration of its own middle.
// The error of a piece of length l is that of a plane through a wave, (k l)^2 / 24 of its share.
static void CutPieces(Scene* s) {
    s->displaced = (hwDisplacement){.wet = 1.0};
    for (int k = 0; k < s->in->pieceCount; ++k) {
        const hwFluidSample* water = &s->in->pieceWater[k];
        hwSubmergence cut = hwComputePiece(s->in, k);
        if (!(cut.volume > 0.0)) continue;
        s->lift = hwAddS(s->lift, GetBuoyancy(s, &cut));
        double mass = s->in->waterDensity * cut.volume;
        hwVec3 middle = hwTransformPoint(s->in->pose, s->in->pieceMiddles[k]);
        // where the middle is in the air, the water amidships has to do
        hwVec3 acceleration = middle.z < water->surface ? water->acceleration : s->in->water.acceleration;
        s->lift = hwAddS(s->lift, WrenchAt(s, hwScale(mass, acceleration), cut.centroid));
        if (cut.area > 0.0) {
            hwSpatialSym m = WaterplaneStiffness(s, &cut, water->normal);
            hwMulAddSpatialSym(&s->stiffness, 1.0, &m);
        }
        AddGrowth(s, &cut, water, middle, k);
        hwSubmergence_Add(&s->displaced.cut, &cut, s->in->water.normal);
    }
    hwDisplacement_Finish(&s->displaced, s->in);
}

// Buoyancy and the Froude-Krylov force of accelerating water.
static void AddBuoyancy(const Scene* s, hwSpatial* wrench, hwHydroOutput* out) {
    if (!(s->in->def->volume > 0.0)) return;
    AddPotential(s, out);
    const hwSubmergence* cut = &s->displaced.cut;
    if (!(cut->volume > 0.0)) return;
    if (s->in->pieceCount > 0) {
        *wrench = hwAddS(*wrench, s->lift);
    } else {
        double mass = s->in->waterDensity * cut->volume;
        *wrench = hwAddS(*wrench, GetBuoyancy(s, cut));
        *wrench = hwAddS(*wrench, WrenchAt(s, hwScale(mass, s->in->water.acceleration), cut->centroid));
    }
    if (cut->area > 0.0) {
        double stiffness[6][6];
        hwSpatialSym m =
            s->in->pieceCount > 0 ? s->stiffness : WaterplaneStiffness(s, cut, s->in->water.normal);
        hwSpatialSymToArray(&m, &stiffness[0][0]);
        for (int i = 0; i < 6; ++i) {
            for (int j = 0; j < 6; ++j) out->stiffness[i][j] += stiffness[i][j];
        }
    }
}

// As the body leaves the water its added mass A = wet(V) A0 changes. Lagrange's equations for the energy nr A nr / 2
// then have two more terms, -A' nr + (d A / d x) nr nr / 2, which keep that energy accounted for.
static hwSpatial ChangingAddedMass(const Scene* s, const hwSpatialSym* full, hwSpatial relative,
                                   hwHydroOutput* out) {
    hwSpatial wrench = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (!(s->displaced.wetSlope > 0.0 && s->displaced.cut.area > 0.0)) return wrench;
    double slope = s->displaced.wetSlope;
    hwSpatial gradient = {hwScale(slope, s->growth.l), hwScale(slope, s->growth.a)};
    hwSpatial momentum = hwMulSpatialSym(full, relative);
    double rate = hwDotS(gradient, s->v) + slope * s->swell;
    double growing = 0.5 * rate * hwDotS(s->v, hwMulSpatialSym(full, s->v));
    out->work += growing;
    out->storedPower += growing;
    wrench = hwMulAddS(wrench, -rate, momentum);
    return hwMulAddS(wrench, 0.5 * hwDotS(relative, momentum), gradient);
}

static void AddAddedMass(const Scene* s, hwVec3 stream, hwSpatial relative, hwSpatial* wrench,
                         hwHydroOutput* out) {
    hwSpatialSym full = hwSpatialSymFromArray(&s->in->def->addedMass[0][0]);
    double wet = s->displaced.wet;
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) out->addedMass[i][j] += wet * s->in->def->addedMass[i][j];
    }
    hwVec3 acceleration = s->in->waterDensity > 0.0 ? s->in->water.acceleration : s->in->air.acceleration;
    // rate of change of the stream's components in body axes
    hwSpatial streamRate = {hwSub(hwMulTV(s->turn, acceleration), hwCross(s->v.a, stream)), {0.0, 0.0, 0.0}};
    hwSpatial reaction =
        hwSubS(hwMulSpatialSym(&full, streamRate), hwCrossForce(relative, hwMulSpatialSym(&full, relative)));
    *wrench = hwMulAddS(*wrench, wet, reaction);
    *wrench = hwAddS(*wrench, ChangingAddedMass(s, &full, relative, out));
}

static void AddDrag(const Scene* s, hwSpatial relative, hwSpatial* wrench, hwHydroOutput* out) {
    const hwHydroInput* in = s->in;
    const hwHydroDef* def = in->def;
    hwDragSum sum = {0};
    bool dry = !(in->waterDensity > 0.0);
    const hwFluidSample* fluid = dry ? &in->air : &in->water;
    hwAddAxisDrag(def, relative, s->displaced.wet, &sum);
    hwAddSurfaceDrag(def, relative, fluid->density, fluid->viscosity, s->displaced.wet, &sum);
    double aloft = dry ? 0.0 : 1.0 - s->displaced.fraction;
    if (aloft > 0.0) {
        // The same shape in the wind: coefficients scale with the density.
        hwSpatial wind = s->v;
        wind.l = hwSub(wind.l, hwMulTV(s->turn, in->air.velocity));
        hwAddAxisDrag(def, wind, aloft * in->airDensity / in->waterDensity, &sum);
        hwAddSurfaceDrag(def, wind, in->air.density, in->air.viscosity, aloft, &sum);
    }
    hwAddStripDrag(def, in->strips, s->turn, s->v, &sum);
    *wrench = hwAddS(*wrench, sum.wrench);
    out->dissipation += sum.dissipation;
    double damping[6][6];
    hwSpatialSymToArray(&sum.damping, &damping[0][0]);
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) out->damping[i][j] += damping[i][j];
    }
}

void hwHydro_Evaluate(const hwHydroInput* input, hwHydroOutput* output) {
    Scene s = {.in = input, .turn = hwMat3FromQuat(input->pose.q), .v = hwSpatialFromArray(input->velocity)};
    if (input->pieceCount > 0) {
        CutPieces(&s);
    } else {
        s.displaced = hwComputeDisplacement(input, input->water.surface, input->water.normal);
        AddGrowth(&s, &s.displaced.cut, &input->water,
                  hwTransformPoint(input->pose, input->def->buoyancyCenter), 0);
    }
    output->submerged = s.displaced.fraction;
    hwVec3 stream = hwMulTV(s.turn, input->waterDensity > 0.0 ? input->water.velocity : input->air.velocity);
    hwSpatial relative = {hwSub(s.v.l, stream), s.v.a};
    hwSpatial wrench = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    AddBuoyancy(&s, &wrench, output);
    AddAddedMass(&s, stream, relative, &wrench, output);
    AddDrag(&s, relative, &wrench, output);
    output->work += hwDotS(wrench, s.v) + output->dissipation;
    double sum[6];
    hwSpatialToArray(wrench, sum);
    for (int i = 0; i < 6; ++i) output->wrench[i] += sum[i];
}
