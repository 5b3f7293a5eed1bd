// The tables of a MoorDyn input file, versions 1 and 2.
//
// A line of dashes names the table that follows. The two lines after it hold names and units of the columns: where the
// names are known they say which column is which, otherwise the order of version 2 holds, or that of version 1 where a
// line type has its 9 columns. Options have no heading and put the value before its name.
#define _POSIX_C_SOURCE 200809L
#include "moordyn_deck.h"

#include "mech_text.h"
#include "scene_read.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_WORDS 40
#define MOST_ROLES 16

typedef enum Table {
    TABLE_NONE,
    TABLE_TYPES,
    TABLE_ROD_TYPES,
    TABLE_BODIES,
    TABLE_RODS,
    TABLE_POINTS,
    TABLE_LINES,
    TABLE_SYROPE,
    TABLE_OPTIONS,
    TABLE_IGNORED,
    TABLE_COUNT
} Table;

// One column of a table: the names it goes by, separated by bars, and what it is in a message.
typedef struct Role {
    const char *names, *what;
    bool needed;
} Role;

enum {
    TYPE_NAME,
    TYPE_DIAMETER,
    TYPE_MASS,
    TYPE_EA,
    TYPE_BA,
    TYPE_EI,
    TYPE_CD,
    TYPE_CA,
    TYPE_CDAX,
    TYPE_CAAX,
    TYPE_CL,
    TYPE_DF,
    TYPE_CF
};
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
static const int typeOrder1[] = {TYPE_NAME, TYPE_DIAMETER, TYPE_MASS, TYPE_EA,  TYPE_BA,
                                 TYPE_CA,   TYPE_CAAX,     TYPE_CD,   TYPE_CDAX};

enum {
    ROD_TYPE_NAME,
    ROD_TYPE_DIAMETER,
    ROD_TYPE_MASS,
    ROD_TYPE_CD,
    ROD_TYPE_CA,
    ROD_TYPE_CD_END,
    ROD_TYPE_CA_END
};
static const Role rodTypeRoles[] = {
    {"TypeName|RodType|Name|Type", "name", true},
    {"Diam|Diameter|d", "diameter", true},
    {"Mass/m|MassDen|MassDenInAir|MassPerLength|w", "mass per length", true},
    {"Cd|Cdn", "drag coefficient Cd", true},
    {"Ca|Can", "added mass Ca", true},
    {"CdEnd", "drag coefficient CdEnd", true},
    {"CaEnd", "added mass CaEnd", true},
};

enum {
    BODY_ID,
    BODY_KIND,
    BODY_X,
    BODY_Y,
    BODY_Z,
    BODY_ROLL,
    BODY_PITCH,
    BODY_YAW,
    BODY_MASS,
    BODY_CG,
    BODY_INERTIA,
    BODY_VOLUME,
    BODY_CDA,
    BODY_CA
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

enum { ROD_ID, ROD_TYPE, ROD_KIND, ROD_XA, ROD_YA, ROD_ZA, ROD_XB, ROD_YB, ROD_ZB, ROD_SEGMENTS };
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

enum {
    POINT_ID,
    POINT_KIND,
    POINT_X,
    POINT_Y,
    POINT_Z,
    POINT_MASS,
    POINT_VOLUME,
    POINT_CDA,
    POINT_CA,
    POINT_FX,
    POINT_FY,
    POINT_FZ
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
static const int pointOrder1[] = {POINT_ID,     POINT_KIND, POINT_X,  POINT_Y,  POINT_Z,   POINT_MASS,
                                  POINT_VOLUME, POINT_FX,   POINT_FY, POINT_FZ, POINT_CDA, POINT_CA};

enum { LINE_ID, LINE_TYPE, LINE_A, LINE_B, LINE_LENGTH, LINE_SEGMENTS };
static const Role lineRoles[] = {
    {"ID|Line", "number of the line", true},
    {"LineType|Type", "type of the line", true},
    {"AttachA|NodeA|NodeAnch|EndA", "attachment of end A", true},
    {"AttachB|NodeB|NodeFair|EndB", "attachment of end B", true},
    {"UnstrLen|Length", "unstretched length", true},
    {"NumSegs|NumNodes", "number of segments", true},
};
static const int lineOrder1[] = {LINE_ID, LINE_TYPE, LINE_LENGTH, LINE_SEGMENTS, LINE_A, LINE_B};

static const struct TableRoles {
    const Role* roles;
    int count;
} tables[TABLE_COUNT] = {
    [TABLE_TYPES] = {typeRoles, 13}, [TABLE_ROD_TYPES] = {rodTypeRoles, 7}, [TABLE_BODIES] = {bodyRoles, 14},
    [TABLE_RODS] = {rodRoles, 10},   [TABLE_POINTS] = {pointRoles, 12},     [TABLE_LINES] = {lineRoles, 6},
};

typedef struct Reader {
    hwMoordynDeck* deck;
    int line;
    char* words[MOST_WORDS];
    int places[MOST_WORDS]; // columns of the text
    int wordCount;
    int column[MOST_ROLES]; // word of each role in this table; -1: not there
    bool named;             // by its heading
} Reader;

// Messages and memory ----------------------------------------------------------------------------------------------------

bool hwMoordyn_Fail(const hwMoordynDeck* deck, int line, int column, const char* format, ...) {
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return hwMech_Fail(deck->error, deck->input, line, column, "%s", text);
}

void hwMoordyn_Warn(const hwMoordynDeck* deck, int line, int column, const char* format, ...) {
    if (deck->log == NULL) return;
    char text[300], sentence[420];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (line > 0 && column > 0) {
        snprintf(sentence, sizeof(sentence), "%.60s:%d:%d: %s", deck->input, line, column, text);
    } else if (line > 0) {
        snprintf(sentence, sizeof(sentence), "%.60s:%d: %s", deck->input, line, text);
    } else {
        snprintf(sentence, sizeof(sentence), "%.60s: %s", deck->input, text);
    }
    deck->log(HW_LOG_WARNING, sentence, deck->logContext);
}

void* hwMoordyn_Grow(hwMoordynDeck* deck, void* items, int count, size_t size) {
    if ((count & (count - 1)) != 0) return items; // room for the next power of two is there
    void* more = hwStore_Take(&deck->store, (size_t)(count > 0 ? 2 * count : 1), size);
    if (more == NULL) {
        hwSceneFail_Memory(deck->error);
        return NULL;
    }
    if (count > 0) memcpy(more, items, (size_t)count * size);
    return more;
}

bool hwMoordyn_ParseNumber(const char* text, double* value) {
    char* end = NULL;
    *value = strtod(text, &end);
    return end != text && *end == 0 && isfinite(*value);
}

void hwMoordyn_InitDeck(hwMoordynDeck* deck, const char* input, hwLogFn* log, void* logContext,
                        hwMoordynReadFn* readFile, void* readContext, hwError* error) {
    const char* slash = strrchr(input, '/');
    double none = (double)NAN;
    *deck = (hwMoordynDeck){.input = slash != NULL ? slash + 1 : input,
                            .log = log,
                            .logContext = logContext,
                            .readFile = readFile,
                            .readContext = readContext,
                            .error = error,
                            .gravity = none,
                            .density = none,
                            .depth = none,
                            .stiffness = none,
                            .damping = none,
                            .friction = none,
                            .settle = none,
                            .interval = none,
                            .waveStep = 0.25};
    hwStore_Init(&deck->store, NULL);
}

void hwMoordyn_FreeDeck(hwMoordynDeck* deck) {
    hwStore_Free(&deck->store);
}

// Words ------------------------------------------------------------------------------------------------------------------

static bool FailWord(const Reader* r, int word, const char* text) {
    int column = word >= 0 && word < r->wordCount ? r->places[word] : 1;
    return hwMoordyn_Fail(r->deck, r->line, column, "%s", text);
}

// Cuts a line into words, in place.
static void Split(Reader* r, char* line) {
    r->wordCount = 0;
    for (char* at = line; *at != 0 && r->wordCount < MOST_WORDS;) {
        at += strspn(at, " \t\r,");
        if (*at == 0) break;
        r->places[r->wordCount] = (int)(at - line) + 1;
        r->words[r->wordCount++] = at;
        at += strcspn(at, " \t\r,");
        if (*at != 0) *at++ = 0;
    }
}

static bool Contains(const char* text, const char* part) {
    size_t length = strlen(part);
    for (; *text != 0; text++) {
        if (strncasecmp(text, part, length) == 0) return true;
    }
    return false;
}

// Whether a word is one of names that are separated by bars.
static bool IsNamed(const char* word, size_t length, const char* names) {
    while (*names != 0) {
        size_t size = strcspn(names, "|");
        if (size == length && strncasecmp(word, names, size) == 0) return true;
        names += size + (names[size] == '|');
    }
    return false;
}

static bool Is(const char* word, const char* names) {
    return IsNamed(word, strlen(word), names);
}

// A word of a row by its role; null where the row ends before it or the table has no such column.
static const char* GetWord(const Reader* r, int role) {
    int word = r->column[role];
    return word >= 0 && word < r->wordCount ? r->words[word] : NULL;
}

static int GetPlace(const Reader* r, int role) {
    int word = r->column[role];
    return word >= 0 && word < r->wordCount ? r->places[word] : 1;
}

static bool ReadNumber(const Reader* r, int word, const char* what, double* value) {
    char text[160];
    if (word < 0 || word >= r->wordCount) {
        snprintf(text, sizeof(text), "the line ends before the %s; %d columns are needed here", what,
                 word + 1);
        return FailWord(r, word, text);
    }
    if (hwMoordyn_ParseNumber(r->words[word], value)) return true;
    snprintf(text, sizeof(text), "the %s must be a number, not `%.60s`", what, r->words[word]);
    return FailWord(r, word, text);
}

static bool ReadRole(const Reader* r, Table table, int role, double* value) {
    return ReadNumber(r, r->column[role], tables[table].roles[role].what, value);
}

// A number that may be left out, with its column or at the end of a row.
static bool ReadOptional(const Reader* r, Table table, int role, double* value) {
    return GetWord(r, role) == NULL || ReadRole(r, table, role, value);
}

// Numbers that a word holds, separated by bars; their count, 0 when one is none.
static int ParseBars(const char* word, int most, double* values) {
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

static bool ReadId(const Reader* r, Table table, int* id) {
    double value = 0.0;
    if (!ReadRole(r, table, 0, &value)) return false;
    if (!(fabs(value) < 1e9)) return FailWord(r, r->column[0], "this number of an object is too large");
    *id = (int)value;
    return true;
}

// `Body2Pinned` is letters, a number, letters.
static bool ReadAttachment(const Reader* r, int role, const char* choices, hwMoordynKind* kind, int* body) {
    const char* word = GetWord(r, role);
    char text[220];
    *body = -1;
    if (word == NULL) {
        snprintf(text, sizeof(text), "the attachment is missing: %s", choices);
        return FailWord(r, r->column[role], text);
    }
    size_t letters = strcspn(word, "0123456789");
    const char* rest = word + letters;
    long id = strtol(rest, (char**)&rest, 10);
    if (IsNamed(word, letters, "fixed|fix|anchor") && *rest == 0) {
        *kind = HW_MOORDYN_FIXED;
    } else if (IsNamed(word, letters, "coupled|vessel|ves|cpld|fairlead|turbine") && *rest == 0) {
        *kind = HW_MOORDYN_COUPLED;
    } else if (IsNamed(word, letters, "free|point|connect|con") && *rest == 0) {
        *kind = HW_MOORDYN_FREE;
    } else if (IsNamed(word, letters, "pinned|pin") && *rest == 0) {
        *kind = HW_MOORDYN_PINNED;
    } else if (IsNamed(word, letters, "coupledpinned|vesselpinned|vespin|cpldpin") && *rest == 0) {
        *kind = HW_MOORDYN_COUPLED_PINNED;
    } else if (IsNamed(word, letters, "body") && word[letters] != 0) {
        *kind = *rest == 0 ? HW_MOORDYN_ON_BODY : HW_MOORDYN_ON_BODY_PINNED;
        *body = id >= INT_MIN && id <= INT_MAX ? hwMoordyn_FindBody(r->deck, (int)id) : -1;
        if (*rest != 0 && !Is(rest, "pinned|pin")) *body = -1;
        if (*body >= 0) return true;
        snprintf(text, sizeof(text), "there is no body for the attachment `%.60s`", word);
        return FailWord(r, r->column[role], text);
    } else {
        snprintf(text, sizeof(text), "the attachment is %s, not `%.60s`", choices, word);
        return FailWord(r, r->column[role], text);
    }
    return true;
}

static void WarnCoupled(const Reader* r, int role, const char* what, int id) {
    hwMoordyn_Warn(r->deck, r->line, GetPlace(r, role),
                   "%s %d is moved by another program there; here it stands still until you say how it moves",
                   what, id);
}

// Headings ---------------------------------------------------------------------------------------------------------------

static Table FindTable(const char* line) {
    if (Contains(line, "line types") || Contains(line, "line dictionary")) return TABLE_TYPES;
    if (Contains(line, "rod types") || Contains(line, "rod dictionary")) return TABLE_ROD_TYPES;
    if (Contains(line, "bodies") || Contains(line, "body")) return TABLE_BODIES;
    if (Contains(line, "rods") || Contains(line, "rod ")) return TABLE_RODS;
    if (Contains(line, "point") || Contains(line, "connection") || Contains(line, "node prop")) {
        return TABLE_POINTS;
    }
    if (Contains(line, "option")) return TABLE_OPTIONS;
    if (Contains(line, "syrope")) return TABLE_SYROPE;
    if (Contains(line, "input file")) return TABLE_NONE;
    if (Contains(line, "failure") || Contains(line, "control") || Contains(line, "external") ||
        Contains(line, "output")) {
        return TABLE_IGNORED;
    }
    return Contains(line, "line") ? TABLE_LINES : TABLE_IGNORED;
}

static void SetOrder(Reader* r, int roles, const int* order, int count) {
    for (int i = 0; i < MOST_ROLES; i++) r->column[i] = order == NULL && i < roles ? i : -1;
    for (int i = 0; i < count; i++) r->column[order[i]] = i;
}

// Columns by the names in the heading, where all that are needed can be told.
static void ReadHeading(Reader* r, Table table) {
    const struct TableRoles* known = &tables[table];
    SetOrder(r, known->count, NULL, 0);
    r->named = false;
    if (known->count == 0) return;
    int column[MOST_ROLES], strangers = 0, firstStranger = -1;
    for (int i = 0; i < MOST_ROLES; i++) column[i] = -1;
    for (int word = 0; word < r->wordCount; word++) {
        size_t length = strcspn(r->words[word], "*(");
        int role = 0;
        // two columns may share a name but for case, as Y0 and y0 of bodies do: in the order of the table
        while (role < known->count &&
               (column[role] >= 0 || !IsNamed(r->words[word], length, known->roles[role].names))) {
            role += 1;
        }
        if (role < known->count) {
            column[role] = word;
        } else if (!Contains(r->words[word], "output") && strangers++ == 0) {
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
        if (table != TABLE_TYPES || column[role] < 0 || column[role] == role || column[TYPE_EI] < 0) continue;
        hwMoordyn_Warn(r->deck, r->line, r->places[column[role]],
                       "the columns are read by their names; MoorDyn 2 itself reads them by their places, "
                       "where this one is the %s",
                       column[role] < known->count ? known->roles[column[role]].what : "one after the last");
        break;
    }
    if (table == TABLE_TYPES && column[TYPE_EI] < 0) r->deck->version1 = true;
}

// Rows ---------------------------------------------------------------------------------------------------------------------

static bool ReadElasticity(Reader* r, hwMoordynLineType* type) {
    const char* word = GetWord(r, TYPE_EA);
    char text[200], name[160];
    double values[3];
    type->line = r->line;
    type->column = GetPlace(r, TYPE_EA);
    if (word == NULL) return ReadRole(r, TABLE_TYPES, TYPE_EA, &type->EA);
    if (strncasecmp(word, "SYROPE:", 7) == 0) {
        const char* bar = strchr(word, '|');
        int count = bar != NULL ? ParseBars(bar + 1, 2, values) : 0;
        if (count != 2 || !(values[0] > 0.0) || !(values[1] >= 0.0)) {
            return FailWord(r, r->column[TYPE_EA],
                            "a Syrope line is SYROPE:file|EA_Dc|EA_D_Lm, EA_Dc above 0, EA_D_Lm at least 0");
        }
        snprintf(name, sizeof(name), "%.*s", (int)(bar - word - 7), word + 7);
        type->law = HW_MOORDYN_SYROPE;
        type->dynamicEA = values[0];
        type->dynamicSlope = values[1];
        return hwMoordyn_ReadSyrope(r->deck, name, r->line, type->column, type);
    }
    int count = ParseBars(word, 3, values);
    if (count == 0 && strchr(word, '|') == NULL) {
        type->law = HW_MOORDYN_TABLE;
        return hwMoordyn_ReadStrainTable(r->deck, word, r->line, type->column, &type->table);
    }
    if (count == 0) {
        snprintf(text, sizeof(text), "`%.60s` is neither EA, EA_s|EA_d, EA_s|EA_Dc|EA_D_Lm nor a file", word);
        return FailWord(r, r->column[TYPE_EA], text);
    }
    type->EA = values[0];
    if (count == 1) return true;
    type->law = HW_MOORDYN_VISCO;
    type->dynamicEA = values[1];
    type->dynamicSlope = count == 3 ? values[2] : 0.0;
    if (type->dynamicEA > type->EA && type->dynamicSlope >= 0.0) return true;
    return FailWord(r, r->column[TYPE_EA],
                    "the dynamic stiffness must be above the static one: EA_s|EA_d, or EA_s|EA_Dc|EA_D_Lm");
}

static bool ReadDamping(Reader* r, hwMoordynLineType* type) {
    const char* word = GetWord(r, TYPE_BA);
    double values[2] = {0.0, 0.0};
    int count = word != NULL ? ParseBars(word, 2, values) : 0;
    if (count == 0) {
        if (word == NULL || strchr(word, '|') != NULL || strpbrk(word, "0123456789") != NULL) {
            return ReadRole(r, TABLE_TYPES, TYPE_BA, &type->damping);
        }
        hwMoordyn_Warn(r->deck, r->line, GetPlace(r, TYPE_BA),
                       "damping by the table `%.40s` has no counterpart: the line has none", word);
        return true;
    }
    type->damping = values[0];
    type->dynamicDamping = values[1];
    bool visco = type->law == HW_MOORDYN_VISCO || type->law == HW_MOORDYN_SYROPE;
    if (count == 2 && !visco)
        return FailWord(r, r->column[TYPE_BA], "static and dynamic damping need a static and a dynamic EA");
    if (values[1] < 0.0)
        return FailWord(r, r->column[TYPE_BA], "the dynamic damping must be a number of N s, at least 0");
    return true;
}

static bool ReadBending(Reader* r, hwMoordynLineType* type) {
    const char* word = GetWord(r, TYPE_EI);
    if (word == NULL) return true;
    if (strpbrk(word, "0123456789") == NULL) {
        hwMoordyn_Warn(r->deck, r->line, GetPlace(r, TYPE_EI),
                       "bending stiffness by the table `%.40s` has no counterpart: the line has none", word);
        return true;
    }
    return ReadRole(r, TABLE_TYPES, TYPE_EI, &type->EI);
}

static bool ReadType(Reader* r) {
    hwMoordynLineType type = {0};
    char text[200];
    double lift = 0.0, unused = 0.0;
    hwMoordynDeck* deck = r->deck;
    if (!r->named && r->wordCount == 9) {
        deck->version1 = true;
        SetOrder(r, 0, typeOrder1, 9);
    }
    if (GetWord(r, TYPE_NAME) == NULL) return FailWord(r, r->column[TYPE_NAME], "the line type has no name");
    if (!ReadRole(r, TABLE_TYPES, TYPE_DIAMETER, &type.diameter) ||
        !ReadRole(r, TABLE_TYPES, TYPE_MASS, &type.mass) || !ReadElasticity(r, &type) ||
        !ReadDamping(r, &type) || !ReadBending(r, &type) || !ReadRole(r, TABLE_TYPES, TYPE_CD, &type.drag) ||
        !ReadRole(r, TABLE_TYPES, TYPE_CA, &type.added) ||
        !ReadRole(r, TABLE_TYPES, TYPE_CDAX, &type.dragAlong) ||
        !ReadRole(r, TABLE_TYPES, TYPE_CAAX, &type.addedAlong) ||
        !ReadOptional(r, TABLE_TYPES, TYPE_CL, &lift) || !ReadOptional(r, TABLE_TYPES, TYPE_DF, &unused) ||
        !ReadOptional(r, TABLE_TYPES, TYPE_CF, &unused)) {
        return false;
    }
    bool stiff = type.EA > 0.0 || type.law == HW_MOORDYN_TABLE || type.law == HW_MOORDYN_SYROPE;
    if (!(type.diameter > 0.0) || !(type.mass > 0.0) || !stiff) {
        return FailWord(r, r->column[TYPE_DIAMETER],
                        "diameter, mass per length and EA of a line type must be above 0");
    }
    if (lift != 0.0) {
        hwMoordyn_Warn(deck, r->line, GetPlace(r, TYPE_CL),
                       "vortex-induced vibration (Cl, dF, cF) is not modelled: the lift force is left out");
    }
    const char* name = GetWord(r, TYPE_NAME);
    for (int i = 0; i < deck->typeCount; i++) {
        if (strcasecmp(deck->types[i].name, name) != 0) continue;
        snprintf(text, sizeof(text), "there are two line types called `%.60s`", name);
        return FailWord(r, r->column[TYPE_NAME], text);
    }
    type.name = hwStore_CopyText(&deck->store, name, strlen(name));
    type.label = hwMech_CleanName(&deck->store, name, "type");
    deck->types = hwMoordyn_Grow(deck, deck->types, deck->typeCount, sizeof(type));
    if (deck->types == NULL || type.name == NULL || type.label == NULL)
        return hwSceneFail_Memory(deck->error) == HW_OK;
    deck->types[deck->typeCount++] = type;
    return true;
}

static bool ReadRodType(Reader* r) {
    hwMoordynRodType type = {0};
    hwMoordynDeck* deck = r->deck;
    double* const values[] = {NULL,        &type.diameter, &type.mass,    &type.drag,
                              &type.added, &type.dragEnd,  &type.addedEnd};
    if (GetWord(r, ROD_TYPE_NAME) == NULL) return FailWord(r, 0, "the rod type has no name");
    for (int role = ROD_TYPE_DIAMETER; role <= ROD_TYPE_CA_END; role++) {
        if (!ReadRole(r, TABLE_ROD_TYPES, role, values[role])) return false;
        if (!(*values[role] >= 0.0)) return FailWord(r, r->column[role], "this must be at least 0");
    }
    if (!(type.diameter > 0.0))
        return FailWord(r, r->column[ROD_TYPE_DIAMETER], "the diameter of a rod type must be above 0");
    const char* name = GetWord(r, ROD_TYPE_NAME);
    type.name = hwStore_CopyText(&deck->store, name, strlen(name));
    deck->rodTypes = hwMoordyn_Grow(deck, deck->rodTypes, deck->rodTypeCount, sizeof(type));
    if (deck->rodTypes == NULL || type.name == NULL) return hwSceneFail_Memory(deck->error) == HW_OK;
    deck->rodTypes[deck->rodTypeCount++] = type;
    return true;
}

static bool FailCount(const Reader* r, int role, const char* counts) {
    char text[160];
    snprintf(text, sizeof(text), "the %s must be %s numbers, separated by bars", bodyRoles[role].what,
             counts);
    return FailWord(r, r->column[role], text);
}

static bool ReadBars(const Reader* r, int role, int most, double* values, int* count) {
    const char* word = GetWord(r, role);
    if (word == NULL) return ReadRole(r, TABLE_BODIES, role, values);
    *count = ParseBars(word, most, values);
    return true;
}

static bool ReadBodyNumbers(const Reader* r, hwMoordynBody* body) {
    double values[6] = {0};
    int count = 0;
    if (!ReadBars(r, BODY_CG, 3, values, &count)) return false;
    if (count != 1 && count != 3) return FailCount(r, BODY_CG, "1 or 3");
    body->com = count == 1 ? hwMakeVec3(0.0, 0.0, values[0]) : hwMakeVec3(values[0], values[1], values[2]);
    if (!ReadBars(r, BODY_INERTIA, 3, values, &count)) return false;
    if (count != 1 && count != 3) return FailCount(r, BODY_INERTIA, "1 or 3");
    body->inertia = count == 1 ? hwMakeVec3(values[0], values[0], values[0])
                               : hwMakeVec3(values[0], values[1], values[2]);
    if (!ReadBars(r, BODY_CDA, 6, values, &count)) return false;
    if (count != 1 && count != 2 && count != 3 && count != 6) return FailCount(r, BODY_CDA, "1, 2, 3 or 6");
    for (int i = 0; i < 6; i++) {
        int from = count == 1 ? 0 : count == 2 ? i / 3 : count == 3 ? i % 3 : i;
        body->dragArea[i] = values[from];
        if (!(values[from] >= 0.0)) return FailWord(r, r->column[BODY_CDA], "CdA must be at least 0");
    }
    if (!ReadBars(r, BODY_CA, 3, values, &count)) return false;
    if (count != 1 && count != 3) return FailCount(r, BODY_CA, "1 or 3");
    for (int i = 0; i < 3; i++) body->added[i] = values[count == 1 ? 0 : i];
    return true;
}

static bool ReadBody(Reader* r) {
    hwMoordynBody body = {.line = r->line};
    hwMoordynDeck* deck = r->deck;
    double roll, pitch, yaw;
    int on;
    if (!ReadId(r, TABLE_BODIES, &body.id) ||
        !ReadAttachment(r, BODY_KIND, "fixed, coupled, coupledpinned or free", &body.kind, &on) ||
        !ReadRole(r, TABLE_BODIES, BODY_X, &body.position.x) ||
        !ReadRole(r, TABLE_BODIES, BODY_Y, &body.position.y) ||
        !ReadRole(r, TABLE_BODIES, BODY_Z, &body.position.z) ||
        !ReadRole(r, TABLE_BODIES, BODY_ROLL, &roll) || !ReadRole(r, TABLE_BODIES, BODY_PITCH, &pitch) ||
        !ReadRole(r, TABLE_BODIES, BODY_YAW, &yaw) || !ReadRole(r, TABLE_BODIES, BODY_MASS, &body.mass) ||
        !ReadRole(r, TABLE_BODIES, BODY_VOLUME, &body.volume) || !ReadBodyNumbers(r, &body)) {
        return false;
    }
    if (on >= 0 || body.kind == HW_MOORDYN_PINNED)
        return FailWord(r, r->column[BODY_KIND], "a body is fixed, coupled, coupledpinned or free");
    if (!(body.mass >= 0.0) || !(body.volume >= 0.0))
        return FailWord(r, r->column[BODY_MASS], "mass and volume of a body must be at least 0");
    if (hwMoordyn_FindBody(deck, body.id) >= 0)
        return FailWord(r, r->column[BODY_ID], "there are two bodies with this number");
    // MoorDyn turns by roll, pitch, yaw about the axes that turn along: X, then Y', then Z''
    const double degree = HW_PI / 180.0;
    hwQuat turns[] = {hwQuatFromAxisAngle(hwMakeVec3(1.0, 0.0, 0.0), roll * degree),
                      hwQuatFromAxisAngle(hwMakeVec3(0.0, 1.0, 0.0), pitch * degree),
                      hwQuatFromAxisAngle(hwMakeVec3(0.0, 0.0, 1.0), yaw * degree)};
    body.attitude = hwMulQuat(hwMulQuat(turns[0], turns[1]), turns[2]);
    if (body.kind == HW_MOORDYN_COUPLED || body.kind == HW_MOORDYN_COUPLED_PINNED)
        WarnCoupled(r, BODY_KIND, "body", body.id);
    deck->bodies = hwMoordyn_Grow(deck, deck->bodies, deck->bodyCount, sizeof(body));
    if (deck->bodies == NULL) return false;
    deck->bodies[deck->bodyCount++] = body;
    return true;
}

static bool ReadRod(Reader* r) {
    hwMoordynRod rod = {.line = r->line, .type = -1};
    hwMoordynDeck* deck = r->deck;
    double segments;
    char text[160];
    if (!ReadId(r, TABLE_RODS, &rod.id) ||
        !ReadAttachment(r, ROD_KIND,
                        "fixed, coupled, free, pinned, coupledpinned, or on a body as in `Body1`", &rod.kind,
                        &rod.body)) {
        return false;
    }
    double* const values[] = {&rod.ends[0].x, &rod.ends[0].y, &rod.ends[0].z,
                              &rod.ends[1].x, &rod.ends[1].y, &rod.ends[1].z};
    for (int i = 0; i < 6; i++) {
        if (!ReadRole(r, TABLE_RODS, ROD_XA + i, values[i])) return false;
    }
    if (!ReadRole(r, TABLE_RODS, ROD_SEGMENTS, &segments)) return false;
    if (!(segments >= 0.0 && segments <= 1000.0))
        return FailWord(r, r->column[ROD_SEGMENTS], "a rod has 0 to 1000 segments");
    rod.segments = (int)segments;
    const char* type = GetWord(r, ROD_TYPE);
    for (int i = 0; i < deck->rodTypeCount; i++) {
        if (strcasecmp(deck->rodTypes[i].name, type) == 0) rod.type = i;
    }
    if (rod.type < 0) {
        snprintf(text, sizeof(text), "there is no rod type `%.60s`", type);
        return FailWord(r, r->column[ROD_TYPE], text);
    }
    if (rod.segments > 0 && !(hwDistance(rod.ends[0], rod.ends[1]) > 1e-9))
        return FailWord(r, r->column[ROD_XB], "the ends of a rod with segments must not be in one place");
    if (hwMoordyn_FindRod(deck, rod.id) >= 0) {
        for (int i = 0; i < deck->rodCount; i++)
            rod.id = rod.id > deck->rods[i].id ? rod.id : deck->rods[i].id + 1;
        hwMoordyn_Warn(deck, r->line, GetPlace(r, ROD_ID), "this number of a rod is taken; it becomes rod %d",
                       rod.id);
    }
    if (rod.kind == HW_MOORDYN_COUPLED || rod.kind == HW_MOORDYN_COUPLED_PINNED)
        WarnCoupled(r, ROD_KIND, "rod", rod.id);
    deck->rods = hwMoordyn_Grow(deck, deck->rods, deck->rodCount, sizeof(rod));
    if (deck->rods == NULL) return false;
    deck->rods[deck->rodCount++] = rod;
    return true;
}

static bool ReadPoint(Reader* r) {
    hwMoordynPoint point = {.line = r->line};
    hwMoordynDeck* deck = r->deck;
    char text[200];
    if (!r->named && r->wordCount >= 12) SetOrder(r, 0, pointOrder1, 12);
    if (!r->named && r->wordCount < 12) SetOrder(r, POINT_FX, NULL, 0);
    if (!ReadId(r, TABLE_POINTS, &point.id) ||
        !ReadAttachment(r, POINT_KIND, "fixed, coupled or free, or on a body as in `Body1`", &point.kind,
                        &point.body)) {
        return false;
    }
    if (point.kind == HW_MOORDYN_PINNED || point.kind == HW_MOORDYN_COUPLED_PINNED ||
        point.kind == HW_MOORDYN_ON_BODY_PINNED) {
        return FailWord(r, r->column[POINT_KIND],
                        "a point is fixed, coupled, free or on a body, never pinned");
    }
    double* const needed[] = {&point.position.x, &point.position.y, &point.position.z};
    for (int i = 0; i < 3; i++) {
        if (!ReadRole(r, TABLE_POINTS, POINT_X + i, needed[i])) return false;
    }
    double* const optional[] = {&point.mass,    &point.volume,  &point.dragArea, &point.added,
                                &point.force.x, &point.force.y, &point.force.z};
    for (int i = 0; i < 7; i++) {
        if (!ReadOptional(r, TABLE_POINTS, POINT_MASS + i, optional[i])) return false;
    }
    if (!(point.mass >= 0.0) || !(point.volume >= 0.0) || !(point.dragArea >= 0.0) || !(point.added >= 0.0))
        return FailWord(r, r->column[POINT_MASS], "mass, volume, CdA and Ca of a point must be at least 0");
    int other = hwMoordyn_FindPoint(deck, point.id);
    if (other >= 0) {
        snprintf(text, sizeof(text), "there are two points with the number %d, the other one in line %d",
                 point.id, deck->points[other].line);
        return FailWord(r, r->column[POINT_ID], text);
    }
    if (point.kind == HW_MOORDYN_COUPLED) WarnCoupled(r, POINT_KIND, "point", point.id);
    if (hwLength(point.force) > 0.0 && point.kind != HW_MOORDYN_FREE) {
        hwMoordyn_Warn(deck, r->line, GetPlace(r, POINT_FX), "the force on a point that is held is left out");
    }
    deck->points = hwMoordyn_Grow(deck, deck->points, deck->pointCount, sizeof(point));
    if (deck->points == NULL) return false;
    deck->points[deck->pointCount++] = point;
    return true;
}

// A point's number, or a rod's end as in `R2B`.
static bool ReadEnd(Reader* r, int role, hwMoordynEnd* end) {
    hwMoordynDeck* deck = r->deck;
    const char* word = GetWord(r, role) != NULL ? GetWord(r, role) : "";
    char text[200], *rest = NULL;
    size_t letters = strcspn(word, "-0123456789");
    long id = strtol(word + letters, &rest, 10);
    bool number = rest != word + letters && id >= INT_MIN && id <= INT_MAX;
    if (number && *rest == 0 && (letters == 0 || IsNamed(word, letters, "c|con|p|point"))) {
        *end = (hwMoordynEnd){.index = hwMoordyn_FindPoint(deck, (int)id)};
        if (end->index >= 0) return true;
    }
    if (number && IsNamed(word, letters, "r|rod") && Is(rest, "a|b")) {
        *end = (hwMoordynEnd){true, hwMoordyn_FindRod(deck, (int)id), *rest == 'b' || *rest == 'B'};
        if (end->index >= 0) return true;
    }
    snprintf(text, sizeof(text), "there is no point `%.60s`, nor a rod with such an end, to attach a line to",
             word);
    return FailWord(r, r->column[role], text);
}

static bool ReadLine(Reader* r) {
    hwMoordynLine line = {.line = r->line, .type = -1, .largestLoad = (double)NAN, .meanLoad = (double)NAN};
    hwMoordynDeck* deck = r->deck;
    char text[200];
    double elements;
    if (!r->named && deck->version1) SetOrder(r, 0, lineOrder1, 6);
    if (r->wordCount < 6)
        return FailWord(r, r->wordCount - 1,
                        "a line needs ID, LineType, AttachA, AttachB, UnstrLen, NumSegs");
    const char* type = GetWord(r, LINE_TYPE) != NULL ? GetWord(r, LINE_TYPE) : "";
    for (int i = 0; i < deck->typeCount; i++) {
        if (strcasecmp(deck->types[i].name, type) == 0) line.type = i;
    }
    if (line.type < 0) {
        snprintf(text, sizeof(text), "there is no line type `%.60s`", type);
        return FailWord(r, r->column[LINE_TYPE], text);
    }
    if (!ReadEnd(r, LINE_A, &line.ends[0]) || !ReadEnd(r, LINE_B, &line.ends[1]) ||
        !ReadRole(r, TABLE_LINES, LINE_LENGTH, &line.length) ||
        !ReadRole(r, TABLE_LINES, LINE_SEGMENTS, &elements)) {
        return false;
    }
    if (!(line.length > 0.0))
        return FailWord(r, r->column[LINE_LENGTH], "the unstretched length must be above 0");
    if (!(elements >= 1.0 && elements <= 100000.0))
        return FailWord(r, r->column[LINE_SEGMENTS], "the segments must be 1 to 100000");
    line.elements = (int)elements;
    const char* id = GetWord(r, LINE_ID);
    line.id = (int)strtol(id, NULL, 10);
    char name[64];
    snprintf(name, sizeof(name), "line%.40s", id);
    line.name = hwMech_CleanName(&deck->store, name, "line");
    deck->lines = hwMoordyn_Grow(deck, deck->lines, deck->lineCount, sizeof(line));
    if (deck->lines == NULL || line.name == NULL) return false;
    deck->lines[deck->lineCount++] = line;
    return true;
}

// Lines, then the largest load so far and the mean one.
static bool ReadSyropeStart(Reader* r) {
    double largest, mean, id;
    if (r->wordCount < 3) return FailWord(r, r->wordCount - 1, "a row needs Line(s), Tmax0, Tmean0");
    int last = r->wordCount - 1;
    if (!ReadNumber(r, last - 1, "largest load Tmax0", &largest) ||
        !ReadNumber(r, last, "mean load Tmean0", &mean)) {
        return false;
    }
    if (!(largest >= mean && mean >= 0.0))
        return FailWord(r, last, "Tmean0 must be at least 0 and at most Tmax0");
    for (int word = 0; word < last - 1; word++) {
        if (!ReadNumber(r, word, "number of the line", &id)) return false;
        int line = fabs(id) < 1e9 ? hwMoordyn_FindLine(r->deck, (int)id) : -1;
        if (line < 0) return FailWord(r, word, "there is no line with this number");
        r->deck->lines[line].largestLoad = largest;
        r->deck->lines[line].meanLoad = mean;
    }
    return true;
}

// Options ------------------------------------------------------------------------------------------------------------------

static bool ReadWhole(const Reader* r, const char* name, int* value) {
    double number;
    if (!ReadNumber(r, 0, name, &number)) return false;
    if (!(number >= 0.0 && number <= 100.0)) return FailWord(r, 0, "this option must be from 0 to 100");
    *value = (int)number;
    return true;
}

static bool KeepFile(Reader* r, const char* word) {
    size_t length = strlen(word);
    if (length >= 2 && word[0] == '"' && word[length - 1] == '"') {
        word += 1;
        length -= 2;
    }
    r->deck->bottomFile = hwStore_CopyText(&r->deck->store, word, length);
    r->deck->bottomLine = r->line;
    return r->deck->bottomFile != NULL || hwSceneFail_Memory(r->deck->error) == HW_OK;
}

static bool ReadOption(Reader* r) {
    hwMoordynDeck* deck = r->deck;
    const struct {
        const char* names;
        double* value;
    } numbers[] = {{"g|gravity|grav|gravaccel", &deck->gravity},
                   {"rho|rhow|wtrdnsty|waterdensity", &deck->density},
                   {"wtrdpth|depth|wdepth", &deck->depth},
                   {"kb|kbot|k_bot", &deck->stiffness},
                   {"cb|cbot|c_bot", &deck->damping},
                   {"frictioncoefficient|friction_coefficient|mu|mu_kt|mu_ka", &deck->friction},
                   {"tmaxic|ictmax", &deck->settle},
                   {"dtout", &deck->interval},
                   {"dtwave", &deck->waveStep}};
    static const char* const numeric =
        "dtm|dt|dtic|icdt|icdrag|cdscaleic|icdfac|threshic|icthresh|tscheme|writelog|writeunits|writeunit|"
        "outswitch|icgendynamic|gendynamicic|cfl|disableouttime|disableoutput|unifycurrentgrid|echo";
    if (r->wordCount < 2) return true;
    const char* name = r->words[1];
    double ignored;
    if (Is(name, "wtrdpth") && !hwMoordyn_ParseNumber(r->words[0], &ignored) &&
        strpbrk(r->words[0], "./\"") != NULL) {
        return KeepFile(r, r->words[0]); // MoorDyn-F: a bathymetry file in place of the depth
    }
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (Is(name, numbers[i].names)) return ReadNumber(r, 0, name, numbers[i].value);
    }
    if (Is(name, numeric)) return true; // how MoorDyn computes and writes
    if (Is(name, "seafloorfile")) return KeepFile(r, r->words[0]);
    if (Is(name, "wavekin")) {
        deck->waveLine = r->line;
        return ReadWhole(r, name, &deck->waveKinematics);
    }
    if (Is(name, "currents")) {
        deck->currentLine = r->line;
        return ReadWhole(r, name, &deck->currents);
    }
    if (Is(name, "fileic|icfile")) {
        hwMoordyn_Warn(deck, r->line, r->places[0],
                       "the snapshot `%.40s` is not read: static equilibrium is found anew", r->words[0]);
        return true;
    }
    hwMoordyn_Warn(deck, r->line, r->places[1], "the option `%.40s` has no counterpart", name);
    return true;
}

static bool ReadRow(Reader* r, Table table) {
    switch (table) {
    case TABLE_TYPES:
        return ReadType(r);
    case TABLE_ROD_TYPES:
        return ReadRodType(r);
    case TABLE_BODIES:
        return ReadBody(r);
    case TABLE_RODS:
        return ReadRod(r);
    case TABLE_POINTS:
        return ReadPoint(r);
    case TABLE_LINES:
        return ReadLine(r);
    case TABLE_SYROPE:
        return ReadSyropeStart(r);
    case TABLE_OPTIONS:
        return ReadOption(r);
    default:
        return true;
    }
}

// The file -------------------------------------------------------------------------------------------------------------------

static bool Parse(Reader* r, char* text) {
    Table table = TABLE_NONE;
    int heading = 0;
    bool warned = false;
    for (char* at = text; *at != 0;) {
        char* line = at;
        size_t length = strcspn(at, "\n");
        at += length + (at[length] == '\n');
        line[length] = 0;
        r->line += 1;
        if (strncmp(line + strspn(line, " \t"), "---", 3) == 0 || strncmp(line, "===", 3) == 0) {
            if (Contains(line, "need this line")) break;
            table = FindTable(line);
            heading = table == TABLE_OPTIONS ? 0 : 2;
            SetOrder(r, tables[table].count, NULL, 0);
            r->named = warned = false;
            continue;
        }
        if (table == TABLE_NONE) continue;
        if (table == TABLE_IGNORED) {
            bool row = isdigit((unsigned char)line[strspn(line, " \t")]);
            if (heading > 0) {
                heading -= 1;
            } else if (row && !warned) {
                hwMoordyn_Warn(r->deck, r->line, 0, "this table has no counterpart and was left out");
                warned = true;
            }
            continue;
        }
        line[strcspn(line, "#!")] = 0;
        Split(r, line);
        if (heading > 0) {
            if (heading == 2) ReadHeading(r, table);
            heading -= 1;
            continue;
        }
        if (r->wordCount > 0 && !ReadRow(r, table)) return false;
    }
    return true;
}

// What the lines weigh on the points that hold them.
static void LoadPoints(hwMoordynDeck* deck) {
    for (int i = 0; i < deck->lineCount; i++) {
        const hwMoordynLine* line = &deck->lines[i];
        for (int e = 0; e < 2; e++) {
            if (line->ends[e].rod) {
                deck->rods[line->ends[e].index].attached += 1;
                continue;
            }
            hwMoordynPoint* point = &deck->points[line->ends[e].index];
            point->attached += 1;
            point->held += 0.5 * line->length * deck->types[line->type].mass;
            point->stiff = point->stiff || deck->types[line->type].EI > 0.0;
        }
    }
}

bool hwMoordyn_ReadDeck(hwMoordynDeck* deck, char* text) {
    Reader r = {.deck = deck};
    SetOrder(&r, 0, NULL, 0);
    if (!Parse(&r, text)) return false;
    if (deck->lineCount == 0 && deck->rodCount == 0 && deck->bodyCount == 0)
        return hwMoordyn_Fail(deck, 1, 1,
                              "the file has no lines: no table of lines was found, or it is empty");
    LoadPoints(deck);
    return hwMoordyn_ReadBottom(deck) && hwMoordyn_ReadCurrent(deck) && hwMoordyn_ReadWaves(deck);
}

// Finding --------------------------------------------------------------------------------------------------------------------

#define FIND(kind, Kind, items)                                                                              \
    int hwMoordyn_Find##Kind(const hwMoordynDeck* deck, int id) {                                            \
        for (int i = 0; i < deck->kind##Count; i++) {                                                        \
            if (deck->items[i].id == id) return i;                                                           \
        }                                                                                                    \
        return -1;                                                                                           \
    }

FIND(line, Line, lines)
FIND(point, Point, points)
FIND(body, Body, bodies)
FIND(rod, Rod, rods)
