// Who may touch whom, and of what they are made: shared by all parts that find contacts.
#ifndef HW_WORLD_CONTACT_RULES_H
#define HW_WORLD_CONTACT_RULES_H

#include "geom/mesh_query.h"
#include "world/world.h"

#define HW_MATERIAL_COOKIE 0x48570030
#define HW_CONTACT_COOKIE 0x48570031
#define HW_CONTACT_SWITCHES 32 // pairs switched off while running

// Inputs of a material, in the order of its rows.
enum { HW_MATERIAL_YOUNG, HW_MATERIAL_DAMPING, HW_MATERIAL_FRICTION, HW_MATERIAL_INPUTS };

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

typedef struct hwContactSwitch {
    hwThingPair pair;
    int32_t off; // 0: free
    int32_t unused;
} hwContactSwitch;

typedef struct hwRulesModel {
    int materialCount;
    hwMaterialDef* materials; // [0] is for what names none; as given, see hwRulesWork
    int given;                // the one called `default`, of which [0] is a copy; 0: none
    int input;                // first of theirs, HW_MATERIAL_INPUTS of each from [1] on
    int ignoreCount;
    hwThingPair* ignores;
} hwRulesModel;

typedef struct hwRulesWork {
    hwMaterialDef* materials; // those of the model, as the inputs have them
    hwContactView* views;
} hwRulesWork;

typedef struct hwRulesState {
    hwContactSwitch* switches; // [HW_CONTACT_SWITCHES]
} hwRulesState;

// Sums over a body's contacts: the force on it, its mean place by volume, volumes, the largest depth.
typedef struct hwContactSum {
    hwVec3 force, point;
    double elastic, damping, volume, depth, count;
} hwContactSum;

void hwContactSum_Add(hwContactSum* sum, hwVec3 force, hwVec3 point, double elastic, double damping,
                      double volume, double depth);

// Index among the model's materials: 0 for no name, -1 when there is none of that name.
int hwModel_FindMaterial(const hwModel* model, const char* name);
hwStatus hwWorld_FindThings(const hwWorld* world, const hwModel* model, const char* a, const char* b,
                            hwThingPair* pair, hwError* error);
// Whether two links, cables or the seabed never touch, by their names or those of what they belong to; and whether they do
// not touch now.
bool hwModel_IsIgnored(const hwWorld* world, const hwModel* model, hwThing a, hwThing b);
bool hwWorld_IsSwitchedOff(const hwWorld* world, hwThing a, hwThing b);
// Whether anything is.
bool hwWorld_HasSwitches(const hwWorld* world);
// Whether a cable touches the seabed where that is.
bool hwWorld_MeetsBottom(const hwWorld* world, int slot);
// For views: the triangle nearest to a point, of a mesh in its frame and of a seabed that has triangles; -1: none.
int hwMesh_FindTriangle(const hwMeshTree* tree, hwVec3 point);
int hwWorld_FindGroundTriangle(const hwWorld* world, hwVec3 point, double reach);

#endif
