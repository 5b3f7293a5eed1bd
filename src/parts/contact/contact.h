// Contact inside a world.
//
// Bodies are made of convex parts and meshes. The broad phase, once a step, finds pairs of parts whose boxes, swept over
// the step, overlap: each is given a slot, which keeps what the pair remembers (friction's springs, whether it slides) in
// the state. Every evaluation then asks the pairs in slots for their overlap and adds forces and matrices. Slots come and
// go only between steps, so the auxiliary variables mean the same throughout a step.
#ifndef HW_WORLD_CONTACT_INTERNAL_H
#define HW_WORLD_CONTACT_INTERNAL_H

#include "contact/law.h"
#include "contact/patch.h"
#include "geom/broad_phase.h"
#include "geom/hull.h"
#include "geom/mesh_query.h"
#include "hawser/contact.h"
#include "math/wide.h"
#include "mech/coupling.h"

#define HW_SEABED_PART -1
#define HW_FREE_SLOT -2
#define HW_CONTACT_CHANNELS 11   // of a body: force, point, elastic, damping, volume, depth, count
#define HW_CONTACT_SWITCHES 32   // pairs switched off while running
#define HW_CONTACT_TRIANGLES 512 // of a mesh or the ground that a part touches at a time

// A convex part of a body, or a mesh.
typedef struct hwContactPart {
    int link;
    int shape;         // index among the body's shapes
    int piece;         // index among the mesh's convex parts, -1: the whole shape
    int group;         // links joined by fixed joints are one group; its first link
    int material;      // index among the model's
    double depth;      // m, of the elastic bed
    bool moves;        // by forces
    bool onBottom;     // the seabed may touch it
    hwPose place;      // in the link's frame
    hwSolidPart solid; // convex parts
    hwMeshTree* mesh;  // or null
    hwBox box;         // in the part's own frame
    double reach;      // m: nothing of it is farther from its place
    double thickness;  // m, its least width; of a mesh, infinite
} hwContactPart;

// Everything with a name that may be ignored or switched: a group of links, all links of a mechanism, a cable, or the
// seabed.
typedef enum hwThingKind { HW_THING_LINK, HW_THING_MECHANISM, HW_THING_CABLE, HW_THING_SEABED } hwThingKind;

typedef struct hwThing {
    int32_t kind;  // hwThingKind
    int32_t index; // link, slot of the mechanism in its pool, slot of the cable
} hwThing;

typedef struct hwThingPair {
    hwThing a, b;
} hwThingPair;

typedef struct hwContactModel {
    bool any; // something may touch something else
    int partCount;
    hwContactPart* parts; // those that move first
    int movingCount;
    int hullCount;
    hwHull* hulls;
    int treeCount;
    hwMeshTree* trees;
    hwMeshTree* ground; // triangles of a seabed that is a mesh, else null
    int ignoreCount;
    hwThingPair* ignores;
    hwBroadPhase* broad; // proxy i is part i
    int slotCount;       // room for pairs
    int auxiliary;       // first of HW_RUB_SIZE for each slot
    int couplingCount;   // most pairs of links that contacts couple
    int mostFaces;       // of a hull
    size_t scratch;      // bytes for overlaps
} hwContactModel;

// One pair near each other; part of the state.
typedef struct hwContactSlot {
    int32_t a, b; // parts, a moves; b may be HW_SEABED_PART; a is HW_FREE_SLOT: not used
    int32_t sliding;
    float speed;    // m/s, of slip at the end of the last step
    hwSpatial load; // on a, about the world's origin, at the end of the last step
    double stored;  // J, likewise
} hwContactSlot;

typedef struct hwContactSwitch {
    hwThingPair pair;
    int32_t off; // 0: free
    int32_t unused;
} hwContactSwitch;

// What the last evaluation found for a slot.
typedef struct hwContactResult {
    bool touches, slides;
    double speed;            // m/s, of slip
    double volume, depth;    // m3, m
    double elastic, damping; // N
    hwVec3 point, normal;    // normal from a to b
    hwVec3 force;            // N, on a
    hwSpatial load;          // on a, about the world's origin
    double stored;           // J, by deformation
    hwSpatial first;         // the load of the step's first stage
    hwSpatial start;         // motion of a against b at the world's origin when the step began
    bool linked;             // both move and have touched since the step began
    int pair;                // index among the couplings, -1: none
    hwWideSym dampingMatrix,
        stiffnessMatrix; // if both move: about the origin of the link of a, on the motion of a against b
} hwContactResult;

#endif
