// Thrusters: from a wanted force to a command, from a command to the propeller's speed, from that to force and torque.
//
// The propeller's speed is x times its top speed, x in -1..1, and follows the command with a first-order lag. Thrust at
// zero inflow is F t(x), F the thruster's strength forward or in reverse and
//     t(x) = sign(x) (x^2 + |x| sqrt(x^2 + 4 e)) / 2,
// which is x|x| (Newman 1977, thrust with the square of the speed) but linear near zero, where blades are in viscous flow
// and where the square's inverse would have no slope. Inflow Va along the axis takes away F |x| Va / advance: the linear fall
// of the thrust coefficient with the advance number (Fossen 2011, section 9.1).
#ifndef HW_VEHICLE_THRUSTER_H
#define HW_VEHICLE_THRUSTER_H

#include "hawser/vehicle.h"

// Thrust as a share of the strength at the command u, and the command that gives a share: the static curve. Within the
// dead band the share is zero; the inverse of zero is zero.
double hwThruster_ShareOfCommand(const hwThrusterDef* def, double u);
double hwThruster_CommandOfShare(const hwThrusterDef* def, double share);

// Speed x that gives a share of thrust at zero inflow, and back.
double hwThruster_SpeedOfShare(double share);
double hwThruster_ShareOfSpeed(double x);

typedef struct hwThrust {
    double force;   // N, along the axis
    double torque;  // N m, on the vehicle about the axis
    double damping; // N s/m, minus the derivative of the force with the axial speed through the water
} hwThrust;

// What a propeller at speed x gives. `inflow` is the thruster's own velocity through the water along its axis; `wet` is
// the share of the propeller under water.
hwThrust hwThruster_Evaluate(const hwThrusterDef* def, double x, double inflow, double wet);

// The speed at the end of an implicit stage x = base + hd x', x' = (target - x) / time constant, and its rate there; hd = 0:
// the speed is `base`. Without a time constant the speed is the target.
double hwThruster_Follow(const hwThrusterDef* def, double target, double base, double hd, double* rate);

#endif
