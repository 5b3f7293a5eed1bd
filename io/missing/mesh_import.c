// In place of mesh_import.c in a program that was built without assimp.
#include "../mesh_soup.h"

bool hwImportMesh(hwReader* reader, const hwYaml* node, const char* name, const char* path, uint64_t bytes,
                  hwMeshSoup* soup) {
    (void)path;
    (void)bytes;
    (void)soup;
    return hwReader_Fail(
        reader, node,
        "`%s` cannot be read: this program was built without assimp (install libassimp-dev and build "
        "it again); VRML 2 files need none",
        name);
}
