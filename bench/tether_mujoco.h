// The tether of cable_rigs.h in MuJoCo (Todorov et al. 2012), where it is installed.
#ifndef HW_BENCH_TETHER_MUJOCO_H
#define HW_BENCH_TETHER_MUJOCO_H

#include "bench/cable_rigs.h"

// Runs it with capsules on ball joints for `time` s with a fixed step. False when MuJoCo is not there.
bool hwMujoco_RunTether(int elements, double time, double step, hwRigRecord* record, double* seconds);

#endif
