// In place of mesh_hull.c in a program that was built without qhull.
#include "../scene_read.h"

bool hwBuildHull(hwReader* reader, const hwYaml* node, int count, const hwVec3* points, hwMeshData* out) {
    (void)count;
    (void)points;
    (void)out;
    return hwReader_Fail(
        reader, node,
        "hulls of points cannot be made: this program was built without qhull (install libqhull-dev "
        "and build it again)");
}
