// What hwCableWork keeps: arrays by component, four nodes or elements per vector operation.
#ifndef HW_CABLE_ARRAYS_H
#define HW_CABLE_ARRAYS_H

#include "cable/cable.h"
#include "math/lanes.h"

// An element's mass matrix has HW_MASS_COUPLING between its nodes and 1/2 - HW_MASS_COUPLING on each: 0 is
// the lumped mass, 1/6 the consistent mass of a straight element. 1/12, the mean of the two, makes the
// frequencies of a uniform string fourth order instead of second (Goudreau 1970), for the same work in an
// implicit step. docs/numerics.md has the measurements.
#define HW_MASS_COUPLING (1.0 / 12.0)
#define HW_MASS_SHARE (0.5 - HW_MASS_COUPLING)

// Cosine of the turning angle plus one, below which the bending energy goes on along its tangent: 168.5
// degrees.
#define HW_FOLD 1e-2

// Share of its length below which an element resists being shortened whatever its compression says: folded material has
// a length too, and bending has no limit where two nodes meet. With S = HW_SHORTEST and the stretch r the energy per
// length is EA S (S - r)^3 / (3 r): no speed brings the nodes together. Below HW_FLAT, where none comes, it goes on
// straight. A heap does not spring back: the push grows with the rate of shortening times HW_HEAP_TIME (s), as that of
// Hunt & Crossley (1975), up to HW_HEAP_MOST times, and is none while it comes apart faster than one over that.
#define HW_SHORTEST 0.2
#define HW_FLAT 1e-3
#define HW_HEAP_TIME 1.0
#define HW_HEAP_MOST 4.0

// Over EA: the energy per length, the push and its slope.
typedef struct hwFold {
    double energy, push, slope;
} hwFold;

static inline hwFold hwFold_Make(double stretch) {
    hwFold fold = {0.0, 0.0, 0.0};
    const double S = HW_SHORTEST;
    double r = stretch > HW_FLAT ? stretch : HW_FLAT, left = S - r;
    if (!(left > 0.0)) return fold;
    fold.push = S * left * left * (2.0 * r + S) / (3.0 * r * r);
    fold.slope = 2.0 * S / 3.0 * (S * S * S / (r * r * r) - 1.0);
    fold.energy = S * left * left * left / (3.0 * r) + fold.push * (r - stretch);
    return fold;
}

// Matrix slots: node i has slot i + 4, the rotation of clamp a slot 3 and of clamp b the slot after node N.
// Blocks are stored in groups of four slots, entry by entry.
#define HW_SLOT(node) ((node) + 4)
#define HW_AT(entries, slot, k) ((((slot) >> 2) * (entries) + (k)) * 4 + ((slot)&3))

#define HW_FACTOR_SIZE 24
#define HW_FILL_SIZE 18

// Arrays by node or element may be read one group (four entries) before their start and after their end; what
// is there adds nothing.
typedef struct hwCableArrays {
    // By element, set by Refresh.
    double *rest, *restInverse;            // m, 1/m
    double* stiffness;                     // N, EA
    double* compression;                   //
    double* damping;                       // N s
    double* mass;                          // kg
    double* volume;                        // m3
    double *dragNormal, *dragTangential;   // m: 1/2 C d, 1/2 C pi d
    double *addedNormal, *addedTangential; // m3: C times the volume
    double* radius;                        // m
    double* breakTension;                  // N
    double *bendStiffness, *bendDamper;    // N m2, N m2 s
    double *twistCompliance, *twistDamper; // 1/(N m): rest / GJ, and damping rest / GJ^2
    double *growth, *relief;    // m/s, m: see hwCableState.slack, as it is at the time of the evaluation
    bool slackened, fades;      // some inner element, or any, counts as shorter
    const hwCableCurve** curve; // null: EA; the array is null where the model has none
    // Restrictors, null where the model has none: by element, and by joint.
    double *lockCurvature, *lockStiffness; // 1/m, N m2
    double *bendFree, *lockBend;           // N m: EI/l, and what is added to it beyond
    double *lockTurn, *lockRank;           // 2 tan(p/2) at which it locks, kg m2
    double clampFree[2], clampLock[2], clampTurn[2], clampRank[2];
    // By node, set by Refresh.
    double *bend, *bendDamping; // N m, N m s: joint stiffness EI/l and damping; 0 at the end nodes
    double clampBend[2], clampDamping[2];
    double* lumpMass; // kg
    // By element, set by Evaluate.
    double *tx, *ty, *tz;  // unit tangent
    double* lengthInverse; // 1/m
    double *wetA, *wetB; // wet share of the element counted for its first and second node; 1/2 when immersed
    double *inertia, *inertiaAlong; // kg, M_e = inertia 1 + inertiaAlong t t^T
    double *iso, *along;            // kg, K_e = iso 1 + along t t^T
    double* pull;                   // N, EA e + c de/dt
    // By element, slack.c: how far below zero that may be for an element to count as taut in the next evaluation of a stage,
    // N; what it will be after a correction, m/s; the next `drawn`.
    double *drawn, *foreseen, *passed;
    int drawnCount;         // elements from the first on of which `drawn` may be other than 0
    bool slack, slackKnown; // whether some element was slack at the last evaluation, where that is known
    double* shear[3];       // N, bending and torsion force on the chord vector x_(e+1) - x_e
    double* stiff[6];       // kg, K_e + HW_MASS_SHARE M_e in full (pentadiagonal only)
    // By node, set by Evaluate.
    double *px, *py, *pz, *vx, *vy, *vz;
    double *ux, *uy, *uz, *ax, *ay, *az;    // fluid velocity and acceleration
    double* depth;                          // m, below the surface
    double* heave;                          // N/m, loss of buoyancy with height
    double* lumpInertia;                    // kg, lumps with their added mass
    double *before[3], *after[3];           // 1/m, gradient of the turning angle's cosine with the chords
    double *bendForce, *bendIso, *bendRank; // N m, kg m2, kg m2
    double* couple[9];                      // kg, coupling C_i of the chords before (rows) and after node i
    double *gx, *gy, *gz;                   // rad/m, gradient of the twist
    double *bx, *by, *bz;                   // t0 x t1 / (1 + t0.t1) at joints 0..N, clamps included
    double* spin;                           // rad/s, of the directions between joints
    double bendDissipation;                 // W
    bool bendIsDamped, splash, fluid;
    bool laden; // the caller gave inertia of its own
    // By slot.
    double *diagonal, *first, *second; // 6, 9, 9 entries: A(s, s), A(s, s+1), A(s, s+2)
    double* factor;                    // L (3), 1/D (3), D^-1 E (9), D^-1 F (9)
    double* fill;                      // D^-1 G (3 x 6): coupling to the separator behind
    hwVec3 *solution, *twistColumn;
    const hwVec3* reducedFor;          // eliminated along with the matrix, and not yet asked for
    hwVec3 *staticsFrom, *staticsStep; // by node
    // Torsion.
    double twistStiffness, twistDamping; // N m/rad, N m s/rad
    double twistScale;                   // kg m2, factor of the rank-one term; 0: none
    double twistPivot, twistRhs;
    hwVec3 known[2];         // m/s, increments of known end nodes
    hwVec3 twistRotation[2]; // gradient of the twist with the clamps' rotations
    double twistRate;        // rad/s
    double fadeTime;         // s, in which `relief` fades
    // Lumps on this cable.
    int lumpCount;
    int *lump, *lumpElement;
    double* lumpFraction;
    // The condensed system.
    hwCableReduced reduced;
    struct hwCableSegment* segments;
    int segmentCount;
    int* separatorSlot; // first slot of each separator
    bool wide;          // block pentadiagonal
} hwCableArrays;

// A run of slots to eliminate, in the direction from `first` to `last`.
typedef struct hwCableSegment {
    int first, last, direction; // +1, -1
    int behind, ahead;          // separators, or -1
} hwCableSegment;

// s, in which elements that count as shorter come to count as long as they are, and what is left of it after some time.
double hwCableCore_GetFadeTime(const hwCableCore* core);
double hwCableCore_GetFade(const hwCableCore* core, double time);

// fmin and fmax are calls into libm; these are one instruction.
HW_INLINE double hwMin(double a, double b) {
    return a < b ? a : b;
}

HW_INLINE double hwMax(double a, double b) {
    return a > b ? a : b;
}

// Bounds of a boundary element's length under payout, and the length of the piece that a split leaves in the
// cable.
void hwCableModel_GetPayoutBounds(const hwCableSection* section, double* min, double* max, double* inner);

// Fraction of a vertical line of half height `radius` around `depth` that is wet: linear over the diameter.
static inline double hwWetFraction(double depth, double radius) {
    return hwClamp(0.5 + 0.5 * depth / radius, 0.0, 1.0);
}

// Integrals of hwWetFraction along an element from depth h0 to h1: the wet shares of the two nodes, the
// integral of the fraction's own depth integral (m), and the derivative of the two shares with a common rise
// (1/m).
typedef struct hwWetElement {
    double a, b, integral, riseA, riseB;
} hwWetElement;
hwWetElement hwWetElement_Make(double h0, double h1, double radius);

// Recomputes boundary elements whose material coordinates have changed since the last call.
void hwCableWork_RefreshEnds(hwCableWork* work, const hwCableState* state);

// seabed.c: of nodes from `from`, a multiple of four, on a level bottom, as they were evaluated last.
hwCableContact hwCableWork_AddLevel(hwCableWork* work, const hwCableState* state, const hwCableSeabed* seabed,
                                    int from, int to);
void hwCableContact_Add(hwCableContact* sum, const hwCableContact* part);

// pid.c: behavioural links.
void hwCablePid_Elements(hwCableWork* work, const hwCableInput* input);
// law.c: after the pass over the elements.
void hwCableLaw_Apply(hwCableWork* work, const hwCableInput* input);
// curve.c: the same with a table of tension by strain.
void hwCableCurve_Apply(hwCableWork* work, const hwCableInput* input);
// Tension, slope (N) and energy per rest length (N) at a positive strain, of a curve whose first slope is scaled to EA.
typedef struct hwCurvePoint {
    double tension, slope, energy;
} hwCurvePoint;
hwCurvePoint hwCableCurve_Get(const hwCableCurve* curve, double EA, double strain);
// The curve of an element that is stretched, or null.
HW_INLINE const hwCableCurve* hwCableArrays_GetCurve(const hwCableArrays* s, int e, double strain) {
    return s->curve != NULL && strain > 0.0 ? s->curve[e] : NULL;
}
// lock.c: joints and clamps of restrictors, before the pass over the joints, and after it.
void hwCableLock_Apply(hwCableWork* work, const hwCableInput* input);
void hwCableLock_AddRank(hwCableWork* work);
// Energy of joint i, or of the clamp at an end, beyond that of `bend` or `clampBend` as they are set by hwCableLock_Apply.
double hwCableLock_GetEnergy(const hwCableWork* work, int joint);
double hwCableLock_GetClampEnergy(const hwCableWork* work, int end);
// How the energy that is stored beyond locking grows with the length of the element at a boundary, N.
double hwCableLock_GetCost(const hwCableWork* work, int joint);
double hwCableLock_GetClampCost(const hwCableWork* work, int end);
void hwCablePid_AddFriction(hwCableWork* work);
void hwCablePid_AddEnergy(const hwCableWork* work, int element, hwCableEnergy* energy);
void hwCablePid_AddFrictionPower(const hwCableWork* work, hwCableEnergy* energy);

// bend.c: one joint at a time.
void hwCableBend_AddClamp(hwCableWork* work, int end);
void hwCableBend_AddDamping(hwCableWork* work);
void hwCableTwist_Add(hwCableWork* work, const hwCableState* state);

HW_INLINE hwVec3 hwTangent(const hwCableArrays* s, int element) {
    return hwMakeVec3(s->tx[element], s->ty[element], s->tz[element]);
}

// slack.c: whether some elements from `from` to before `to` are slack; sets `drawn` to 0.
bool hwCableArrays_IsAnySlack(const hwCableArrays* s, int from, int to);
void hwCableArrays_ForgetDrawn(hwCableArrays* s);

#endif
