// The nodes of a VRML 2 file, as a tree whose branches USE may share.
#ifndef HW_IO_VRML_TREE_H
#define HW_IO_VRML_TREE_H

#include "mesh_soup.h"

typedef enum hwVrmlKind {
    HW_VRML_OTHER, // read, and passed over
    HW_VRML_GROUP, // also Anchor, Billboard, Collision, and the file itself
    HW_VRML_TRANSFORM,
    HW_VRML_LOD,
    HW_VRML_SWITCH,
    HW_VRML_SHAPE,
    HW_VRML_FACE_SET,
    HW_VRML_BOX,
    HW_VRML_SPHERE,
    HW_VRML_CYLINDER,
    HW_VRML_CONE,
    HW_VRML_EXTRUSION,
    HW_VRML_ELEVATION_GRID,
    HW_VRML_INLINE,
    HW_VRML_KIND_TOTAL
} hwVrmlKind;

typedef struct hwVrmlNode hwVrmlNode;

// A field's numbers (TRUE is 1, FALSE 0) and nodes; texts are not kept.
typedef struct hwVrmlField {
    const char* name;
    size_t numberCount, nodeCount;
    const double* numbers;
    const hwVrmlNode* const* nodes;
} hwVrmlField;

struct hwVrmlNode {
    hwVrmlKind kind;
    int line;
    size_t fieldCount;
    const hwVrmlField* fields;
};

// The whole file as one group, in the reader's memory. Null: an error that names the line.
const hwVrmlNode* hwVrml_ReadTree(hwReader* reader, const hwYaml* node, const char* name, const char* text,
                                  size_t size);

const hwVrmlField* hwVrml_FindField(const hwVrmlNode* node, const char* name);
const char* hwVrml_GetKindName(hwVrmlKind kind);

#endif
