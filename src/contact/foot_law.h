// The compliant contact of a point with the bottom (Freeman & Orin 1991): a spring and a damper across it, and along it a spring
// that slides at the Coulomb limit, so that a standing foot does not creep.
#ifndef HW_CONTACT_FOOT_LAW_H
#define HW_CONTACT_FOOT_LAW_H

#include "hawser/mechanism.h"
#include "hawser/environment.h"
#include "math/spatial.h"

// Constants of one point's contact.
typedef struct hwFootLaw {
    double stiffness, damping;             // N/m, N s/m, across the bottom
    double planarStiffness, planarDamping; // along it
    double friction, kinetic;
} hwFootLaw;

typedef struct hwFootInput {
    double depth;    // m, below the bottom along the normal; not positive: the foot is lifted
    hwVec3 normal;   // unit, out of the bottom
    hwVec3 velocity; // m/s, of the point
    double base[3];  // m, elongation of the spring along the bottom; of a step of hd before its rate is added
    double hd;       // s; 0: the rate of the elongation is asked for
} hwFootInput;

// Force on the foot, minus its derivatives, and the spring's new elongation with its rate.
typedef struct hwFootOutput {
    hwVec3 force;
    hwSym3 damping, stiffness; // -d force / d velocity, -d force / d position
    double z[3], zdot[3];
    double elastic;     // J
    double storing;     // W, its rate
    double dissipation; // W
} hwFootOutput;

// What the def leaves out comes from the bottom.
hwFootLaw hwFootLaw_Make(const hwFootDef* foot, const hwSeabedDef* seabed);
void hwFootLaw_Push(const hwFootLaw* law, const hwFootInput* in, hwFootOutput* out);

#endif
