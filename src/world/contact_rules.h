// Who may touch whom, and of what they are made: shared by all parts that find contacts.
#ifndef HW_WORLD_CONTACT_RULES_H
#define HW_WORLD_CONTACT_RULES_H

#include "world/world.h"

#define HW_MATERIAL_COOKIE 0x48570030
#define HW_CONTACT_COOKIE 0x48570031
#define HW_CONTACT_SWITCHES 32 // pairs switched off while running

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
    hwMaterialDef* materials; // [0] is for what names none
    int ignoreCount;
    hwThingPair* ignores;
} hwRulesModel;

typedef struct hwRulesState {
    hwContactSwitch* switches; // [HW_CONTACT_SWITCHES]
} hwRulesState;

#endif
