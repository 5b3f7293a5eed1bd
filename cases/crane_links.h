// Links of the cranes in seed 004's tests.
#ifndef HW_CASES_CRANE_LINKS_H
#define HW_CASES_CRANE_LINKS_H

#include "hawser/mechanism.h"

// A link by a row of Paul's table, angles in degrees.
hwLinkDef hwMakeCraneLink(const char* name, int parent, hwJointKind joint, double alphaDegrees, double a,
                          double d, double thetaDegrees);
void hwSetLinkMass(hwLinkDef* link, double mass, hwVec3 com, double xx, double yy, double zz);

// Gains of the seed's sample crane.
#define HW_CRANE_KP 1e9
#define HW_CRANE_KI 1.0
#define HW_CRANE_KD 1e8
#define HW_CRANE_POWER 5e5
// With these gains; velocity control has no derivative part.
void hwSetCraneControl(hwLinkDef* link, hwControlMode mode, double power);

// The seven-joint crane of sections 4.4.9 to 4.4.12 and 4.5.4, which holds its joints; no limits.
void hwFillPalfinger(hwLinkDef links[7]);

#endif
