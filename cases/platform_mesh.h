// A structure of tubes like the jacket of an oil platform, as one triangle mesh, for cases and benchmarks.
#ifndef HW_CASES_PLATFORM_MESH_H
#define HW_CASES_PLATFORM_MESH_H

#include "hawser/shape.h"

// Four legs of 1 m diameter at the corners of a square of 12 m, from z = -24 m to 0, with horizontal and diagonal braces of
// 0.4 m diameter in three bays. `sides` (at least 3) corners round each tube and `rings` (at least 1) lengths along it.
// Memory is the caller's to free by hwFreePlatform. False: none was left.
bool hwMakePlatform(int sides, int rings, hwMeshData* out);
void hwFreePlatform(hwMeshData* mesh);

#endif
