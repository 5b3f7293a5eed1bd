// Commands that take a vehicle where others take a scene.
#ifndef HW_CLI_VEHICLE_OPERAND_H
#define HW_CLI_VEHICLE_OPERAND_H

#include <stdbool.h>

// Whether it is the name of a vehicle that comes with Hawser.
bool hwCli_IsBuiltInVehicle(const char* name);
// Whether a file describes a vehicle: its first key says so.
bool hwCli_IsVehicleFile(const char* path);

// hawser check of a vehicle: what it is, and what is missing with what follows from that. An exit status.
int hwCli_CheckVehicle(const char* name);

#endif
