// Vehicles that mirror a real one: a spring and a damper, critically damped, hold the vehicle to the motion that its inputs tell.
// All comes by inputs, so that recordings, rewinding and replays include it; the tether pulls at the vehicle as ever, and the
// real vehicle has answered that already.
#include "parts/vehicles/vehicles.h"

#include "world/part.h"

#define FOLLOWING                                                                                            \
    12.0 // rad/s, natural frequency: follows within a quarter of a second, ignores the noise of telemetry

static void AddRound(hwWideMat* m, double s) {
    hwWideMat add = hwWideMat_FromSym3((hwSym3){s, s, s, 0.0, 0.0, 0.0});
    hwWideMat_Add(m, &add);
}

// The largest of three entries of the diagonal of the added mass.
static double FindLargest(const hwHydroDef* hydro, int first) {
    double most = 0.0;
    for (int k = first; k < first + 3; ++k) most = hwFmax(most, hydro->addedMass[k][k]);
    return most;
}

void hwWorld_FollowMirror(const hwWorld* world, const hwVehicleEntry* entry) {
    const double* in = world->state.inputs + entry->input + HW_VEHICLE_MIRROR;
    if (!(in[HW_MIRROR_ON] > 0.5)) return;
    const hwBodyDef* body = &entry->object->def.body;
    const hwLinkMotion* m = &world->work->forest.motion[entry->link];
    double mass = body->mass + FindLargest(&body->hydro, 0);
    double inertia =
        hwFmax(body->inertia[0], hwFmax(body->inertia[1], body->inertia[2])) + FindLargest(&body->hydro, 3);
    double k = mass * FOLLOWING * FOLLOWING, c = 2.0 * mass * FOLLOWING;
    double kr = inertia * FOLLOWING * FOLLOWING, cr = 2.0 * inertia * FOLLOWING;
    hwVec3 place = hwMakeVec3(in[HW_MIRROR_POSITION], in[HW_MIRROR_POSITION + 1], in[HW_MIRROR_POSITION + 2]);
    hwVec3 velocity =
        hwMakeVec3(in[HW_MIRROR_VELOCITY], in[HW_MIRROR_VELOCITY + 1], in[HW_MIRROR_VELOCITY + 2]);
    // north-east-down to x forward, y to port, z up: pitch and heading change their sign
    hwQuat wanted = hwQuatFromRpy(in[HW_MIRROR_ROLL], -in[HW_MIRROR_PITCH], -in[HW_MIRROR_HEADING]);
    hwQuat off = hwMulQuat(wanted, hwConjugate(hwQuatFromMat3(hwWideMat_ToMat3(&m->R))));
    hwWide turn = hwWide_FromVec3(hwRotationVectorFromQuat(off));
    hwWide rate = hwWide_FromVec3(hwMakeVec3(0.0, 0.0, -in[HW_MIRROR_TURN_RATE]));
    hwWide force = k * (hwWide_FromVec3(place) - m->p) + c * (hwWide_FromVec3(velocity) - m->v.l);
    hwWide moment = kr * turn + cr * (rate - m->v.a);
    hwWork* work = world->work;
    work->wrench[entry->link].l += force;
    work->wrench[entry->link].a += moment;
    work->powers.work += hwDot(hwWide_ToVec3(force), hwWide_ToVec3(m->v.l)) +
                         hwDot(hwWide_ToVec3(moment), hwWide_ToVec3(m->v.a));
    hwLinkTerms* terms = hwWorld_GetWorldTerms(world, entry->link);
    AddRound(&terms->worldDamping.ll, c);
    AddRound(&terms->worldStiffness.ll, k);
    AddRound(&terms->worldDamping.aa, cr);
    AddRound(&terms->worldStiffness.aa, kr);
}
