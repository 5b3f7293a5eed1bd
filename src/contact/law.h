// What two surfaces do to each other where they touch: normal force from the common volume, friction from slip.
//
// Normal force (Kelvin-Voigt-Winkler, after Luo & Nahon 2011 and seed 004 eq. 78-89). Each body is a bed of springs and
// dashpots of depth h, with stress E strain + B (strain rate). The beds of two bodies are in series, so a pressure p deflects
// them together by p (hA/EA + hB/EB): over the area of contact
//     elastic force = K V,     K = EA EB / (hB EA + hA EB)   (eq. 83; eq. 84 holds for equal bodies only),
//     damping force = D dV/dt, D = BA BB / (hB BA + hA BB)   (eq. 87),
// with V the common volume. K and D are per area: Pa/m and Pa s/m.
//
// Release. The force never pulls: max(0, K V + D dV/dt). A body that leaves fast is let go while some overlap is left, which
// then costs nothing: damping takes energy only while the bodies press on each other. For a mass m on a flat area A with
// w^2 = K A / m and z = D w / (2 K) the coefficient of restitution is
//     e = exp(-2 z acos(z) / sqrt(1 - z^2))   (Schwager & Poeschel 2007),
// more than the exp(-pi z / sqrt(1 - z^2)) of a damper that may pull, and not zero for z > 1 either, where it reads
// exp(-2 z acosh(z) / sqrt(z^2 - 1)).
//
// The dashpot comes in over a micrometre of overlap, so that the force is continuous when flat faces meet.
#ifndef HW_CONTACT_LAW_H
#define HW_CONTACT_LAW_H

#include "hawser/contact.h"
#include "math/spatial.h"

// Constants of one pair of surfaces.
typedef struct hwContactLaw {
    double stiffness; // Pa/m
    double damping;   // Pa (s/m)^exponent: pressure over that power of the closing speed
    double exponent;  // 1: linear
    double hardening; // 1/m
    double share;     // of the deflection that the first body takes, 0..1
    double staticFriction, kineticFriction;
    double velocity;          // m/s
    double stribeck;          // m/s, 0: none
    double rolling, spinning; // m
    bool lugre;
} hwContactLaw;

// `depth` is the depth of the bed, h.
hwContactLaw hwContactLaw_Make(const hwMaterialDef* a, double depthA, const hwMaterialDef* b, double depthB);
// The ground, whose stiffness and damping are given per area, and which takes the whole deflection.
hwContactLaw hwContactLaw_MakeGround(double stiffness, double damping, double friction,
                                     const hwMaterialDef* body);

typedef struct hwNormalForce {
    double elastic, damping; // N; their sum is not negative
    double byVolume;         // d(force)/dV at constant area, Pa/m
    double byRate;           // d(force)/d(dV/dt), Pa s/m
} hwNormalForce;

// `area` is dV/d(depth); `rate` is dV/dt.
hwNormalForce hwContactLaw_Push(const hwContactLaw* law, double volume, double area, double rate);

// Friction ---------------------------------------------------------------------------------------------------------------
//
// A spring along the surface that slides at the Coulomb limit, and the same for turning about the normal; both together
// are limited by an ellipsoid (Goyal, Ruina & Papadopoulos 1991): an area that slides fast hardly resists turning. For a
// flat area of uniform pressure the largest torque over the largest force is the mean distance from the centre, 0.94 of
// the radius of gyration for a disc, which serves for all areas. Rolling resistance has a spring of its own.
//
// The springs' elongations are auxiliary variables of the world's solvers: with a step hd > 0 they are
// base + hd slip, cut at the limit, so that a contact at rest does not creep; with hd = 0 they are given, and their rates
// are wanted. What is beyond the limit or not loaded relaxes within a millisecond. So it does with a step where `relaxes` says so, for
// solvers that solve z = base + hd z' with the same z' and judge a step by it: when a pair breaks away, and its limit falls from the
// static to the kinetic one, cutting is a jump that no step is short enough for.

typedef struct hwRubInput {
    double normalForce;        // N
    double stiffness, damping; // N/m, N s/m, along the surface
    double radius;             // m, largest torque over largest force; 0: a point
    hwVec3 normal;             // unit
    hwVec3 slip;               // m/s, of the first body against the second, along the surface
    hwVec3 turn;               // rad/s, angular velocity of the first against the second
    bool sliding;              // it slid at the end of the last step
    double hd;
    bool relaxes;
} hwRubInput;

#define HW_RUB_SIZE 7 // elongation along the surface, m (3); rolling, rad (3); turning about the normal, rad

typedef struct hwRubOutput {
    hwVec3 force;              // N, on the first body
    hwVec3 torque;             // N m, likewise
    hwSym3 damping, stiffness; // minus the derivatives of the force
    hwSym3 turnDamping, turnStiffness;
    hwVec3 byNormal,
        turnByNormal; // slopes of force and torque by the normal force: where they are at the limit
    double z[HW_RUB_SIZE], zdot[HW_RUB_SIZE];
    double elastic;     // J
    double dissipation; // W
    bool slides;
} hwRubOutput;

void hwContactLaw_Rub(const hwContactLaw* law, const hwRubInput* in, const double* base, hwRubOutput* out);
// Nothing touches: the springs let go.
void hwContactLaw_LetGo(const double* base, double hd, bool relaxes, hwRubOutput* out);

// Stiffness along a surface over stiffness across it, of elastic bodies with Poisson's ratio 0.3 (Mindlin 1949).
#define HW_SHEAR_RATIO 0.82

#endif
