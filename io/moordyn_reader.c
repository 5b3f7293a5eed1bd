// Words of a deck's line, and the columns that they are in.
#define _POSIX_C_SOURCE 200809L
#include "moordyn_reader.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// One column of a table: the names it goes by, separated by bars, and what it is in a message.
typedef struct Role {
    const char *names, *what;
    bool needed;
} Role;

static const Role typeRoles[] = {
    {"TypeName|LineType|Name|Type", "name", true},
    {"Diam|Diameter|d", "diameter", true},
    {"Mass/m|MassDen|MassDenInAir|MassPerLength|w", "mass per length", true},
    {"EA", "stiffness EA", true},
    {"BA/-zeta|BA|cIntDamp|BA/-zeta(N-s/-)", "damping BA/-zeta", true},
    {"EI", "stiffness EI", false},
    {"Cd|Cdn", "drag coefficient Cd", true},
    {"Ca|Can", "added mass Ca", true},
    {"CdAx|Cdt", "axial drag CdAx", true},
    {"CaAx|Cat", "axial added mass CaAx", true},
    {"Cl", "lift coefficient Cl", false},
    {"dF", "frequency range dF", false},
    {"cF", "centre frequency cF", false},
};
static const int typeOrder1[] = {HW_DECK_TYPE_NAME, HW_DECK_TYPE_DIAMETER, HW_DECK_TYPE_MASS,
                                 HW_DECK_TYPE_EA,   HW_DECK_TYPE_BA,       HW_DECK_TYPE_CA,
                                 HW_DECK_TYPE_CAAX, HW_DECK_TYPE_CD,       HW_DECK_TYPE_CDAX};

static const Role rodTypeRoles[] = {
    {"TypeName|RodType|Name|Type", "name", true},
    {"Diam|Diameter|d", "diameter", true},
    {"Mass/m|MassDen|MassDenInAir|MassPerLength|w", "mass per length", true},
    {"Cd|Cdn", "drag coefficient Cd", true},
    {"Ca|Can", "added mass Ca", true},
    {"CdEnd", "drag coefficient CdEnd", true},
    {"CaEnd", "added mass CaEnd", true},
};

static const Role bodyRoles[] = {
    {"ID|Body", "number of the body", true},
    {"Attachment|Type|Name", "attachment", true},
    {"X0|X", "x", true},
    {"Y0|Y", "y", true},
    {"Z0|Z", "z", true},
    {"r0|roll", "roll", true},
    {"p0|pitch", "pitch", true},
    {"y0|yaw", "yaw", true},
    {"Mass|M", "mass", true},
    {"CG|CM", "centre of gravity CG", true},
    {"I|Inertia", "inertia I", true},
    {"Volume|V", "volume", true},
    {"CdA", "drag area CdA", true},
    {"Ca", "added mass Ca", true},
};

static const Role rodRoles[] = {
    {"ID|Rod", "number of the rod", true},
    {"RodType|Type", "type of the rod", true},
    {"Attachment", "attachment", true},
    {"Xa", "x of end A", true},
    {"Ya", "y of end A", true},
    {"Za", "z of end A", true},
    {"Xb", "x of end B", true},
    {"Yb", "y of end B", true},
    {"Zb", "z of end B", true},
    {"NumSegs", "number of segments", true},
};

static const Role pointRoles[] = {
    {"ID|Node|Point", "number of the point", true},
    {"Attachment|Type", "attachment", true},
    {"X", "x", true},
    {"Y", "y", true},
    {"Z", "z", true},
    {"Mass|M", "mass", true},
    {"Volume|V|Vol", "volume", true},
    {"CdA", "drag area CdA", true},
    {"Ca", "added mass Ca", true},
    {"FX", "force FX", false},
    {"FY", "force FY", false},
    {"FZ", "force FZ", false},
};
static const int pointOrder1[] = {HW_DECK_POINT_ID,     HW_DECK_POINT_KIND, HW_DECK_POINT_X,
                                  HW_DECK_POINT_Y,      HW_DECK_POINT_Z,    HW_DECK_POINT_MASS,
                                  HW_DECK_POINT_VOLUME, HW_DECK_POINT_FX,   HW_DECK_POINT_FY,
                                  HW_DECK_POINT_FZ,     HW_DECK_POINT_CDA,  HW_DECK_POINT_CA};

static const Role lineRoles[] = {
    {"ID|Line", "number of the line", true},
    {"LineType|Type", "type of the line", true},
    {"AttachA|NodeA|NodeAnch|EndA", "attachment of end A", true},
    {"AttachB|NodeB|NodeFair|EndB", "attachment of end B", true},
    {"UnstrLen|Length", "unstretched length", true},
    {"NumSegs|NumNodes", "number of segments", true},
};
static const int lineOrder1[] = {HW_DECK_LINE_ID,       HW_DECK_LINE_TYPE, HW_DECK_LINE_LENGTH,
                                 HW_DECK_LINE_SEGMENTS, HW_DECK_LINE_A,    HW_DECK_LINE_B};

static const struct TableRoles {
    const Role* roles;
    int count;
} tables[HW_DECK_TABLE_COUNT] = {
    [HW_DECK_TABLE_TYPES] = {typeRoles, 13},   [HW_DECK_TABLE_ROD_TYPES] = {rodTypeRoles, 7},
    [HW_DECK_TABLE_BODIES] = {bodyRoles, 14},  [HW_DECK_TABLE_RODS] = {rodRoles, 10},
    [HW_DECK_TABLE_POINTS] = {pointRoles, 12}, [HW_DECK_TABLE_LINES] = {lineRoles, 6},
};
// Words ------------------------------------------------------------------------------------------------------------------

bool hwDeckReader_FailWord(const hwDeckReader* r, int word, const char* text) {
    int column = word >= 0 && word < r->wordCount ? r->places[word] : 1;
    return hwMoordyn_Fail(r->deck, r->line, column, "%s", text);
}

// Cuts a line into words, in place.
void hwDeckReader_Split(hwDeckReader* r, char* line) {
    r->wordCount = 0;
    for (char* at = line; *at != 0 && r->wordCount < HW_DECK_WORDS;) {
        at += strspn(at, " \t\r,");
        if (*at == 0) break;
        r->places[r->wordCount] = (int)(at - line) + 1;
        r->words[r->wordCount++] = at;
        at += strcspn(at, " \t\r,");
        if (*at != 0) *at++ = 0;
    }
}

bool hwDeck_Contains(const char* text, const char* part) {
    size_t length = strlen(part);
    for (; *text != 0; text++) {
        if (strncasecmp(text, part, length) == 0) return true;
    }
    return false;
}

// Whether a word is one of names that are separated by bars.
bool hwDeck_IsNamed(const char* word, size_t length, const char* names) {
    while (*names != 0) {
        size_t size = strcspn(names, "|");
        if (size == length && strncasecmp(word, names, size) == 0) return true;
        names += size + (names[size] == '|');
    }
    return false;
}

bool hwDeck_IsOne(const char* word, const char* names) {
    return hwDeck_IsNamed(word, strlen(word), names);
}

// A word of a row by its role; null where the row ends before it or the table has no such column.
const char* hwDeckReader_GetWord(const hwDeckReader* r, int role) {
    int word = r->column[role];
    return word >= 0 && word < r->wordCount ? r->words[word] : NULL;
}

int hwDeckReader_GetPlace(const hwDeckReader* r, int role) {
    int word = r->column[role];
    return word >= 0 && word < r->wordCount ? r->places[word] : 1;
}

const char* hwDeck_GetWhat(hwDeckTable table, int role) {
    return tables[table].roles[role].what;
}

bool hwDeckReader_ReadNumber(const hwDeckReader* r, int word, const char* what, double* value) {
    char text[160];
    if (word < 0 || word >= r->wordCount) {
        snprintf(text, sizeof(text), "the line ends before the %s; %d columns are needed here", what,
                 word + 1);
        return hwDeckReader_FailWord(r, word, text);
    }
    if (hwMoordyn_ParseNumber(r->words[word], value)) return true;
    snprintf(text, sizeof(text), "the %s must be a number, not `%.60s`", what, r->words[word]);
    return hwDeckReader_FailWord(r, word, text);
}

bool hwDeckReader_ReadRole(const hwDeckReader* r, hwDeckTable table, int role, double* value) {
    return hwDeckReader_ReadNumber(r, r->column[role], tables[table].roles[role].what, value);
}

// A number that may be left out, with its column or at the end of a row.
bool hwDeckReader_ReadOptional(const hwDeckReader* r, hwDeckTable table, int role, double* value) {
    return hwDeckReader_GetWord(r, role) == NULL || hwDeckReader_ReadRole(r, table, role, value);
}

// Numbers that a word holds, separated by bars; their count, 0 when one is none.
int hwDeck_ParseBars(const char* word, int most, double* values) {
    char copy[128];
    int count = 0;
    snprintf(copy, sizeof(copy), "%s", word);
    for (char* at = copy; at != NULL && count < most;) {
        char* bar = strchr(at, '|');
        if (bar != NULL) *bar++ = 0;
        if (!hwMoordyn_ParseNumber(at, &values[count])) return 0;
        count += 1;
        at = bar;
        if (at != NULL && count == most) return 0;
    }
    return count;
}

bool hwDeckReader_ReadId(const hwDeckReader* r, hwDeckTable table, int* id) {
    double value = 0.0;
    if (!hwDeckReader_ReadRole(r, table, 0, &value)) return false;
    if (!(fabs(value) < 1e9))
        return hwDeckReader_FailWord(r, r->column[0], "this number of an object is too large");
    *id = (int)value;
    return true;
}

// `Body2Pinned` is letters, a number, letters.
bool hwDeckReader_ReadAttachment(const hwDeckReader* r, int role, const char* choices, hwMoordynKind* kind,
                                 int* body) {
    const char* word = hwDeckReader_GetWord(r, role);
    char text[220];
    *body = -1;
    if (word == NULL) {
        snprintf(text, sizeof(text), "the attachment is missing: %s", choices);
        return hwDeckReader_FailWord(r, r->column[role], text);
    }
    size_t letters = strcspn(word, "0123456789");
    const char* rest = word + letters;
    long id = strtol(rest, (char**)&rest, 10);
    if (hwDeck_IsNamed(word, letters, "fixed|fix|anchor") && *rest == 0) {
        *kind = HW_MOORDYN_FIXED;
    } else if (hwDeck_IsNamed(word, letters, "coupled|vessel|ves|cpld|fairlead|turbine") && *rest == 0) {
        *kind = HW_MOORDYN_COUPLED;
    } else if (hwDeck_IsNamed(word, letters, "free|point|connect|con") && *rest == 0) {
        *kind = HW_MOORDYN_FREE;
    } else if (hwDeck_IsNamed(word, letters, "pinned|pin") && *rest == 0) {
        *kind = HW_MOORDYN_PINNED;
    } else if (hwDeck_IsNamed(word, letters, "coupledpinned|vesselpinned|vespin|cpldpin") && *rest == 0) {
        *kind = HW_MOORDYN_COUPLED_PINNED;
    } else if (hwDeck_IsNamed(word, letters, "body") && word[letters] != 0) {
        *kind = *rest == 0 ? HW_MOORDYN_ON_BODY : HW_MOORDYN_ON_BODY_PINNED;
        *body = id >= INT_MIN && id <= INT_MAX ? hwMoordyn_FindBody(r->deck, (int)id) : -1;
        if (*rest != 0 && !hwDeck_IsOne(rest, "pinned|pin")) *body = -1;
        if (*body >= 0) return true;
        snprintf(text, sizeof(text), "there is no body for the attachment `%.60s`", word);
        return hwDeckReader_FailWord(r, r->column[role], text);
    } else {
        snprintf(text, sizeof(text), "the attachment is %s, not `%.60s`", choices, word);
        return hwDeckReader_FailWord(r, r->column[role], text);
    }
    return true;
}

void hwDeckReader_WarnCoupled(const hwDeckReader* r, int role, const char* what, int id) {
    hwMoordyn_Warn(r->deck, r->line, hwDeckReader_GetPlace(r, role),
                   "%s %d is moved by another program there; here it stands still until you say how it moves",
                   what, id);
}

// Headings ---------------------------------------------------------------------------------------------------------------

hwDeckTable hwDeck_FindTable(const char* line) {
    if (hwDeck_Contains(line, "line types") || hwDeck_Contains(line, "line dictionary"))
        return HW_DECK_TABLE_TYPES;
    if (hwDeck_Contains(line, "rod types") || hwDeck_Contains(line, "rod dictionary"))
        return HW_DECK_TABLE_ROD_TYPES;
    if (hwDeck_Contains(line, "bodies") || hwDeck_Contains(line, "body")) return HW_DECK_TABLE_BODIES;
    if (hwDeck_Contains(line, "rods") || hwDeck_Contains(line, "rod ")) return HW_DECK_TABLE_RODS;
    if (hwDeck_Contains(line, "point") || hwDeck_Contains(line, "connection") ||
        hwDeck_Contains(line, "node prop")) {
        return HW_DECK_TABLE_POINTS;
    }
    if (hwDeck_Contains(line, "option")) return HW_DECK_TABLE_OPTIONS;
    if (hwDeck_Contains(line, "syrope")) return HW_DECK_TABLE_SYROPE;
    if (hwDeck_Contains(line, "input file")) return HW_DECK_TABLE_NONE;
    if (hwDeck_Contains(line, "failure") || hwDeck_Contains(line, "control") ||
        hwDeck_Contains(line, "external") || hwDeck_Contains(line, "output")) {
        return HW_DECK_TABLE_IGNORED;
    }
    return hwDeck_Contains(line, "line") ? HW_DECK_TABLE_LINES : HW_DECK_TABLE_IGNORED;
}

void hwDeckReader_SetOrder(hwDeckReader* r, hwDeckTable table, int version) {
    static const struct {
        const int* order;
        int count;
    } first[HW_DECK_TABLE_COUNT] = {[HW_DECK_TABLE_TYPES] = {typeOrder1, 9},
                                    [HW_DECK_TABLE_POINTS] = {pointOrder1, 12},
                                    [HW_DECK_TABLE_LINES] = {lineOrder1, 6}};
    for (int i = 0; i < HW_DECK_ROLES; i++) r->column[i] = version == 2 && i < tables[table].count ? i : -1;
    // version 2 has no forces on points
    if (version == 2 && table == HW_DECK_TABLE_POINTS)
        r->column[HW_DECK_POINT_FX] = r->column[HW_DECK_POINT_FY] = r->column[HW_DECK_POINT_FZ] = -1;
    for (int i = 0; version == 1 && i < first[table].count; i++) r->column[first[table].order[i]] = i;
}

// Columns by the names in the heading, where all that are needed can be told.
void hwDeckReader_ReadHeading(hwDeckReader* r, hwDeckTable table) {
    const struct TableRoles* known = &tables[table];
    hwDeckReader_SetOrder(r, table, 2);
    r->named = false;
    if (known->count == 0) return;
    int column[HW_DECK_ROLES], strangers = 0, firstStranger = -1;
    for (int i = 0; i < HW_DECK_ROLES; i++) column[i] = -1;
    for (int word = 0; word < r->wordCount; word++) {
        size_t length = strcspn(r->words[word], "*(");
        int role = 0;
        // two columns may share a name but for case, as Y0 and y0 of bodies do: in the order of the table
        while (role < known->count &&
               (column[role] >= 0 || !hwDeck_IsNamed(r->words[word], length, known->roles[role].names))) {
            role += 1;
        }
        if (role < known->count) {
            column[role] = word;
        } else if (!hwDeck_Contains(r->words[word], "output") && strangers++ == 0) {
            firstStranger = word;
        }
    }
    for (int role = 0; role < known->count; role++) {
        if (known->roles[role].needed && column[role] < 0) return;
    }
    r->named = true;
    memcpy(r->column, column, sizeof(column));
    if (strangers > 0) {
        hwMoordyn_Warn(r->deck, r->line, r->places[firstStranger],
                       "the column `%.40s` is not known and was left out", r->words[firstStranger]);
    }
    for (int role = 0; role < known->count; role++) {
        if (table != HW_DECK_TABLE_TYPES || column[role] < 0 || column[role] == role ||
            column[HW_DECK_TYPE_EI] < 0)
            continue;
        hwMoordyn_Warn(r->deck, r->line, r->places[column[role]],
                       "the columns are read by their names; MoorDyn 2 itself reads them by their places, "
                       "where this one is the %s",
                       column[role] < known->count ? known->roles[column[role]].what : "one after the last");
        break;
    }
    if (table == HW_DECK_TABLE_TYPES && column[HW_DECK_TYPE_EI] < 0) r->deck->version1 = true;
}
