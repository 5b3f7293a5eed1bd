// In place of mesh_import.c where assimp is not at hand: scenes as hwScene_Pack writes them have their meshes as numbers.
#include "../mesh_soup.h"

bool hwImportMesh(hwReader* reader, const hwYaml* node, const char* name, const char* path, uint64_t bytes,
                  hwMeshSoup* soup) {
    (void)path;
    (void)bytes;
    (void)soup;
    return hwReader_Fail(reader, node,
                         "`%s` is a mesh that only the whole of Hawser can read; pack the scene again", name);
}
