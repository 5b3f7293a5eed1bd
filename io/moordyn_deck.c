// The tables of a MoorDyn input file, versions 1 and 2.
//
// A line of dashes names the table that follows. The two lines after it hold names and units of the columns: where the
// names are known they say which column is which, otherwise the order of version 2 holds, or that of version 1 where a
// line type has its 9 columns. Options have no heading and put the value before its name.
#define _POSIX_C_SOURCE 200809L
#include "moordyn_reader.h"

#include "mech_text.h"
#include "scene_read.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HW_DECK_WORDS 40
#define HW_DECK_ROLES 16
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
// Rows ---------------------------------------------------------------------------------------------------------------------

static bool ReadElasticity(hwDeckReader* r, hwMoordynLineType* type) {
    const char* word = hwDeckReader_GetWord(r, HW_DECK_TYPE_EA);
    char text[200], name[160];
    double values[3];
    type->line = r->line;
    type->column = hwDeckReader_GetPlace(r, HW_DECK_TYPE_EA);
    if (word == NULL) return hwDeckReader_ReadRole(r, HW_DECK_TABLE_TYPES, HW_DECK_TYPE_EA, &type->EA);
    if (strncasecmp(word, "SYROPE:", 7) == 0) {
        const char* bar = strchr(word, '|');
        int count = bar != NULL ? hwDeck_ParseBars(bar + 1, 2, values) : 0;
        if (count != 2 || !(values[0] > 0.0) || !(values[1] >= 0.0)) {
            return hwDeckReader_FailWord(
                r, r->column[HW_DECK_TYPE_EA],
                "a Syrope line is SYROPE:file|EA_Dc|EA_D_Lm, EA_Dc above 0, EA_D_Lm at least 0");
        }
        snprintf(name, sizeof(name), "%.*s", (int)(bar - word - 7), word + 7);
        type->law = HW_MOORDYN_SYROPE;
        type->dynamicEA = values[0];
        type->dynamicSlope = values[1];
        return hwMoordyn_ReadSyrope(r->deck, name, r->line, type->column, type);
    }
    int count = hwDeck_ParseBars(word, 3, values);
    if (count == 0 && strchr(word, '|') == NULL) {
        type->law = HW_MOORDYN_TABLE;
        return hwMoordyn_ReadStrainTable(r->deck, word, r->line, type->column, &type->table);
    }
    if (count == 0) {
        snprintf(text, sizeof(text), "`%.60s` is neither EA, EA_s|EA_d, EA_s|EA_Dc|EA_D_Lm nor a file", word);
        return hwDeckReader_FailWord(r, r->column[HW_DECK_TYPE_EA], text);
    }
    type->EA = values[0];
    if (count == 1) return true;
    type->law = HW_MOORDYN_VISCO;
    type->dynamicEA = values[1];
    type->dynamicSlope = count == 3 ? values[2] : 0.0;
    if (type->dynamicEA > type->EA && type->dynamicSlope >= 0.0) return true;
    return hwDeckReader_FailWord(
        r, r->column[HW_DECK_TYPE_EA],
        "the dynamic stiffness must be above the static one: EA_s|EA_d, or EA_s|EA_Dc|EA_D_Lm");
}

static bool ReadDamping(hwDeckReader* r, hwMoordynLineType* type) {
    const char* word = hwDeckReader_GetWord(r, HW_DECK_TYPE_BA);
    double values[2] = {0.0, 0.0};
    int count = word != NULL ? hwDeck_ParseBars(word, 2, values) : 0;
    if (count == 0) {
        if (word == NULL || strchr(word, '|') != NULL || strpbrk(word, "0123456789") != NULL) {
            return hwDeckReader_ReadRole(r, HW_DECK_TABLE_TYPES, HW_DECK_TYPE_BA, &type->damping);
        }
        hwMoordyn_Warn(r->deck, r->line, hwDeckReader_GetPlace(r, HW_DECK_TYPE_BA),
                       "damping by the table `%.40s` has no counterpart: the line has none", word);
        return true;
    }
    type->damping = values[0];
    type->dynamicDamping = values[1];
    bool visco = type->law == HW_MOORDYN_VISCO || type->law == HW_MOORDYN_SYROPE;
    if (count == 2 && !visco)
        return hwDeckReader_FailWord(r, r->column[HW_DECK_TYPE_BA],
                                     "static and dynamic damping need a static and a dynamic EA");
    if (values[1] < 0.0)
        return hwDeckReader_FailWord(r, r->column[HW_DECK_TYPE_BA],
                                     "the dynamic damping must be a number of N s, at least 0");
    return true;
}

static bool ReadBending(hwDeckReader* r, hwMoordynLineType* type) {
    const char* word = hwDeckReader_GetWord(r, HW_DECK_TYPE_EI);
    if (word == NULL) return true;
    if (strpbrk(word, "0123456789") == NULL) {
        hwMoordyn_Warn(r->deck, r->line, hwDeckReader_GetPlace(r, HW_DECK_TYPE_EI),
                       "bending stiffness by the table `%.40s` has no counterpart: the line has none", word);
        return true;
    }
    return hwDeckReader_ReadRole(r, HW_DECK_TABLE_TYPES, HW_DECK_TYPE_EI, &type->EI);
}

static bool ReadType(hwDeckReader* r) {
    hwMoordynLineType type = {0};
    char text[200];
    double lift = 0.0, unused = 0.0;
    hwMoordynDeck* deck = r->deck;
    if (!r->named && r->wordCount == 9) {
        deck->version1 = true;
        hwDeckReader_SetOrder(r, HW_DECK_TABLE_TYPES, 1);
    }
    if (hwDeckReader_GetWord(r, HW_DECK_TYPE_NAME) == NULL)
        return hwDeckReader_FailWord(r, r->column[HW_DECK_TYPE_NAME], "the line type has no name");
    if (!hwDeckReader_ReadRole(r, HW_DECK_TABLE_TYPES, HW_DECK_TYPE_DIAMETER, &type.diameter) ||
        !hwDeckReader_ReadRole(r, HW_DECK_TABLE_TYPES, HW_DECK_TYPE_MASS, &type.mass) ||
        !ReadElasticity(r, &type) || !ReadDamping(r, &type) || !ReadBending(r, &type) ||
        !hwDeckReader_ReadRole(r, HW_DECK_TABLE_TYPES, HW_DECK_TYPE_CD, &type.drag) ||
        !hwDeckReader_ReadRole(r, HW_DECK_TABLE_TYPES, HW_DECK_TYPE_CA, &type.added) ||
        !hwDeckReader_ReadRole(r, HW_DECK_TABLE_TYPES, HW_DECK_TYPE_CDAX, &type.dragAlong) ||
        !hwDeckReader_ReadRole(r, HW_DECK_TABLE_TYPES, HW_DECK_TYPE_CAAX, &type.addedAlong) ||
        !hwDeckReader_ReadOptional(r, HW_DECK_TABLE_TYPES, HW_DECK_TYPE_CL, &lift) ||
        !hwDeckReader_ReadOptional(r, HW_DECK_TABLE_TYPES, HW_DECK_TYPE_DF, &unused) ||
        !hwDeckReader_ReadOptional(r, HW_DECK_TABLE_TYPES, HW_DECK_TYPE_CF, &unused)) {
        return false;
    }
    bool stiff = type.EA > 0.0 || type.law == HW_MOORDYN_TABLE || type.law == HW_MOORDYN_SYROPE;
    if (!(type.diameter > 0.0) || !(type.mass > 0.0) || !stiff) {
        return hwDeckReader_FailWord(r, r->column[HW_DECK_TYPE_DIAMETER],
                                     "diameter, mass per length and EA of a line type must be above 0");
    }
    if (lift != 0.0) {
        hwMoordyn_Warn(deck, r->line, hwDeckReader_GetPlace(r, HW_DECK_TYPE_CL),
                       "vortex-induced vibration (Cl, dF, cF) is not modelled: the lift force is left out");
    }
    const char* name = hwDeckReader_GetWord(r, HW_DECK_TYPE_NAME);
    for (int i = 0; i < deck->typeCount; i++) {
        if (strcasecmp(deck->types[i].name, name) != 0) continue;
        snprintf(text, sizeof(text), "there are two line types called `%.60s`", name);
        return hwDeckReader_FailWord(r, r->column[HW_DECK_TYPE_NAME], text);
    }
    type.name = hwStore_CopyText(&deck->store, name, strlen(name));
    type.label = hwMech_CleanName(&deck->store, name, "type");
    deck->types = hwMoordyn_Grow(deck, deck->types, deck->typeCount, sizeof(type));
    if (deck->types == NULL || type.name == NULL || type.label == NULL)
        return hwSceneFail_Memory(deck->error) == HW_OK;
    deck->types[deck->typeCount++] = type;
    return true;
}

static bool ReadRodType(hwDeckReader* r) {
    hwMoordynRodType type = {0};
    hwMoordynDeck* deck = r->deck;
    double* const values[] = {NULL,        &type.diameter, &type.mass,    &type.drag,
                              &type.added, &type.dragEnd,  &type.addedEnd};
    if (hwDeckReader_GetWord(r, HW_DECK_ROD_TYPE_NAME) == NULL)
        return hwDeckReader_FailWord(r, 0, "the rod type has no name");
    for (int role = HW_DECK_ROD_TYPE_DIAMETER; role <= HW_DECK_ROD_TYPE_CA_END; role++) {
        if (!hwDeckReader_ReadRole(r, HW_DECK_TABLE_ROD_TYPES, role, values[role])) return false;
        if (!(*values[role] >= 0.0))
            return hwDeckReader_FailWord(r, r->column[role], "this must be at least 0");
    }
    if (!(type.diameter > 0.0))
        return hwDeckReader_FailWord(r, r->column[HW_DECK_ROD_TYPE_DIAMETER],
                                     "the diameter of a rod type must be above 0");
    const char* name = hwDeckReader_GetWord(r, HW_DECK_ROD_TYPE_NAME);
    type.name = hwStore_CopyText(&deck->store, name, strlen(name));
    deck->rodTypes = hwMoordyn_Grow(deck, deck->rodTypes, deck->rodTypeCount, sizeof(type));
    if (deck->rodTypes == NULL || type.name == NULL) return hwSceneFail_Memory(deck->error) == HW_OK;
    deck->rodTypes[deck->rodTypeCount++] = type;
    return true;
}

static bool FailCount(const hwDeckReader* r, int role, const char* counts) {
    char text[160];
    snprintf(text, sizeof(text), "the %s must be %s numbers, separated by bars",
             hwDeck_GetWhat(HW_DECK_TABLE_BODIES, role), counts);
    return hwDeckReader_FailWord(r, r->column[role], text);
}

static bool ReadBars(const hwDeckReader* r, int role, int most, double* values, int* count) {
    const char* word = hwDeckReader_GetWord(r, role);
    if (word == NULL) return hwDeckReader_ReadRole(r, HW_DECK_TABLE_BODIES, role, values);
    *count = hwDeck_ParseBars(word, most, values);
    return true;
}

static bool ReadBodyNumbers(const hwDeckReader* r, hwMoordynBody* body) {
    double values[6] = {0};
    int count = 0;
    if (!ReadBars(r, HW_DECK_BODY_CG, 3, values, &count)) return false;
    if (count != 1 && count != 3) return FailCount(r, HW_DECK_BODY_CG, "1 or 3");
    body->com = count == 1 ? hwMakeVec3(0.0, 0.0, values[0]) : hwMakeVec3(values[0], values[1], values[2]);
    if (!ReadBars(r, HW_DECK_BODY_INERTIA, 3, values, &count)) return false;
    if (count != 1 && count != 3) return FailCount(r, HW_DECK_BODY_INERTIA, "1 or 3");
    body->inertia = count == 1 ? hwMakeVec3(values[0], values[0], values[0])
                               : hwMakeVec3(values[0], values[1], values[2]);
    if (!ReadBars(r, HW_DECK_BODY_CDA, 6, values, &count)) return false;
    if (count != 1 && count != 2 && count != 3 && count != 6)
        return FailCount(r, HW_DECK_BODY_CDA, "1, 2, 3 or 6");
    for (int i = 0; i < 6; i++) {
        int from = count == 1 ? 0 : count == 2 ? i / 3 : count == 3 ? i % 3 : i;
        body->dragArea[i] = values[from];
        if (!(values[from] >= 0.0))
            return hwDeckReader_FailWord(r, r->column[HW_DECK_BODY_CDA], "CdA must be at least 0");
    }
    if (!ReadBars(r, HW_DECK_BODY_CA, 3, values, &count)) return false;
    if (count != 1 && count != 3) return FailCount(r, HW_DECK_BODY_CA, "1 or 3");
    for (int i = 0; i < 3; i++) body->added[i] = values[count == 1 ? 0 : i];
    return true;
}

static bool ReadBody(hwDeckReader* r) {
    hwMoordynBody body = {.line = r->line};
    hwMoordynDeck* deck = r->deck;
    double roll, pitch, yaw;
    int on;
    if (!hwDeckReader_ReadId(r, HW_DECK_TABLE_BODIES, &body.id) ||
        !hwDeckReader_ReadAttachment(r, HW_DECK_BODY_KIND, "fixed, coupled, coupledpinned or free",
                                     &body.kind, &on) ||
        !hwDeckReader_ReadRole(r, HW_DECK_TABLE_BODIES, HW_DECK_BODY_X, &body.position.x) ||
        !hwDeckReader_ReadRole(r, HW_DECK_TABLE_BODIES, HW_DECK_BODY_Y, &body.position.y) ||
        !hwDeckReader_ReadRole(r, HW_DECK_TABLE_BODIES, HW_DECK_BODY_Z, &body.position.z) ||
        !hwDeckReader_ReadRole(r, HW_DECK_TABLE_BODIES, HW_DECK_BODY_ROLL, &roll) ||
        !hwDeckReader_ReadRole(r, HW_DECK_TABLE_BODIES, HW_DECK_BODY_PITCH, &pitch) ||
        !hwDeckReader_ReadRole(r, HW_DECK_TABLE_BODIES, HW_DECK_BODY_YAW, &yaw) ||
        !hwDeckReader_ReadRole(r, HW_DECK_TABLE_BODIES, HW_DECK_BODY_MASS, &body.mass) ||
        !hwDeckReader_ReadRole(r, HW_DECK_TABLE_BODIES, HW_DECK_BODY_VOLUME, &body.volume) ||
        !ReadBodyNumbers(r, &body)) {
        return false;
    }
    if (on >= 0 || body.kind == HW_MOORDYN_PINNED)
        return hwDeckReader_FailWord(r, r->column[HW_DECK_BODY_KIND],
                                     "a body is fixed, coupled, coupledpinned or free");
    if (!(body.mass >= 0.0) || !(body.volume >= 0.0))
        return hwDeckReader_FailWord(r, r->column[HW_DECK_BODY_MASS],
                                     "mass and volume of a body must be at least 0");
    if (hwMoordyn_FindBody(deck, body.id) >= 0)
        return hwDeckReader_FailWord(r, r->column[HW_DECK_BODY_ID], "there are two bodies with this number");
    // MoorDyn turns by roll, pitch, yaw about the axes that turn along: X, then Y', then Z''
    const double degree = HW_PI / 180.0;
    hwQuat turns[] = {hwQuatFromAxisAngle(hwMakeVec3(1.0, 0.0, 0.0), roll * degree),
                      hwQuatFromAxisAngle(hwMakeVec3(0.0, 1.0, 0.0), pitch * degree),
                      hwQuatFromAxisAngle(hwMakeVec3(0.0, 0.0, 1.0), yaw * degree)};
    body.attitude = hwMulQuat(hwMulQuat(turns[0], turns[1]), turns[2]);
    if (body.kind == HW_MOORDYN_COUPLED || body.kind == HW_MOORDYN_COUPLED_PINNED)
        hwDeckReader_WarnCoupled(r, HW_DECK_BODY_KIND, "body", body.id);
    deck->bodies = hwMoordyn_Grow(deck, deck->bodies, deck->bodyCount, sizeof(body));
    if (deck->bodies == NULL) return false;
    deck->bodies[deck->bodyCount++] = body;
    return true;
}

static bool ReadRod(hwDeckReader* r) {
    hwMoordynRod rod = {.line = r->line, .type = -1};
    hwMoordynDeck* deck = r->deck;
    double segments;
    char text[160];
    if (!hwDeckReader_ReadId(r, HW_DECK_TABLE_RODS, &rod.id) ||
        !hwDeckReader_ReadAttachment(
            r, HW_DECK_ROD_KIND, "fixed, coupled, free, pinned, coupledpinned, or on a body as in `Body1`",
            &rod.kind, &rod.body)) {
        return false;
    }
    double* const values[] = {&rod.ends[0].x, &rod.ends[0].y, &rod.ends[0].z,
                              &rod.ends[1].x, &rod.ends[1].y, &rod.ends[1].z};
    for (int i = 0; i < 6; i++) {
        if (!hwDeckReader_ReadRole(r, HW_DECK_TABLE_RODS, HW_DECK_ROD_XA + i, values[i])) return false;
    }
    if (!hwDeckReader_ReadRole(r, HW_DECK_TABLE_RODS, HW_DECK_ROD_SEGMENTS, &segments)) return false;
    if (!(segments >= 0.0 && segments <= 1000.0))
        return hwDeckReader_FailWord(r, r->column[HW_DECK_ROD_SEGMENTS], "a rod has 0 to 1000 segments");
    rod.segments = (int)segments;
    const char* type = hwDeckReader_GetWord(r, HW_DECK_ROD_TYPE);
    for (int i = 0; i < deck->rodTypeCount; i++) {
        if (strcasecmp(deck->rodTypes[i].name, type) == 0) rod.type = i;
    }
    if (rod.type < 0) {
        snprintf(text, sizeof(text), "there is no rod type `%.60s`", type);
        return hwDeckReader_FailWord(r, r->column[HW_DECK_ROD_TYPE], text);
    }
    if (rod.segments > 0 && !(hwDistance(rod.ends[0], rod.ends[1]) > 1e-9))
        return hwDeckReader_FailWord(r, r->column[HW_DECK_ROD_XB],
                                     "the ends of a rod with segments must not be in one place");
    if (hwMoordyn_FindRod(deck, rod.id) >= 0) {
        for (int i = 0; i < deck->rodCount; i++)
            rod.id = rod.id > deck->rods[i].id ? rod.id : deck->rods[i].id + 1;
        hwMoordyn_Warn(deck, r->line, hwDeckReader_GetPlace(r, HW_DECK_ROD_ID),
                       "this number of a rod is taken; it becomes rod %d", rod.id);
    }
    if (rod.kind == HW_MOORDYN_COUPLED || rod.kind == HW_MOORDYN_COUPLED_PINNED)
        hwDeckReader_WarnCoupled(r, HW_DECK_ROD_KIND, "rod", rod.id);
    deck->rods = hwMoordyn_Grow(deck, deck->rods, deck->rodCount, sizeof(rod));
    if (deck->rods == NULL) return false;
    deck->rods[deck->rodCount++] = rod;
    return true;
}

static bool ReadPoint(hwDeckReader* r) {
    hwMoordynPoint point = {.line = r->line};
    hwMoordynDeck* deck = r->deck;
    char text[200];
    if (!r->named) hwDeckReader_SetOrder(r, HW_DECK_TABLE_POINTS, r->wordCount >= 12 ? 1 : 2);
    if (!hwDeckReader_ReadId(r, HW_DECK_TABLE_POINTS, &point.id) ||
        !hwDeckReader_ReadAttachment(r, HW_DECK_POINT_KIND,
                                     "fixed, coupled or free, or on a body as in `Body1`", &point.kind,
                                     &point.body)) {
        return false;
    }
    if (point.kind == HW_MOORDYN_PINNED || point.kind == HW_MOORDYN_COUPLED_PINNED ||
        point.kind == HW_MOORDYN_ON_BODY_PINNED) {
        return hwDeckReader_FailWord(r, r->column[HW_DECK_POINT_KIND],
                                     "a point is fixed, coupled, free or on a body, never pinned");
    }
    double* const needed[] = {&point.position.x, &point.position.y, &point.position.z};
    for (int i = 0; i < 3; i++) {
        if (!hwDeckReader_ReadRole(r, HW_DECK_TABLE_POINTS, HW_DECK_POINT_X + i, needed[i])) return false;
    }
    double* const optional[] = {&point.mass,    &point.volume,  &point.dragArea, &point.added,
                                &point.force.x, &point.force.y, &point.force.z};
    for (int i = 0; i < 7; i++) {
        if (!hwDeckReader_ReadOptional(r, HW_DECK_TABLE_POINTS, HW_DECK_POINT_MASS + i, optional[i]))
            return false;
    }
    if (!(point.mass >= 0.0) || !(point.volume >= 0.0) || !(point.dragArea >= 0.0) || !(point.added >= 0.0))
        return hwDeckReader_FailWord(r, r->column[HW_DECK_POINT_MASS],
                                     "mass, volume, CdA and Ca of a point must be at least 0");
    int other = hwMoordyn_FindPoint(deck, point.id);
    if (other >= 0) {
        snprintf(text, sizeof(text), "there are two points with the number %d, the other one in line %d",
                 point.id, deck->points[other].line);
        return hwDeckReader_FailWord(r, r->column[HW_DECK_POINT_ID], text);
    }
    if (point.kind == HW_MOORDYN_COUPLED) hwDeckReader_WarnCoupled(r, HW_DECK_POINT_KIND, "point", point.id);
    if (hwLength(point.force) > 0.0 && point.kind != HW_MOORDYN_FREE) {
        hwMoordyn_Warn(deck, r->line, hwDeckReader_GetPlace(r, HW_DECK_POINT_FX),
                       "the force on a point that is held is left out");
    }
    deck->points = hwMoordyn_Grow(deck, deck->points, deck->pointCount, sizeof(point));
    if (deck->points == NULL) return false;
    deck->points[deck->pointCount++] = point;
    return true;
}

// A point's number, or a rod's end as in `R2B`.
static bool ReadEnd(hwDeckReader* r, int role, hwMoordynEnd* end) {
    hwMoordynDeck* deck = r->deck;
    const char* word = hwDeckReader_GetWord(r, role) != NULL ? hwDeckReader_GetWord(r, role) : "";
    char text[200], *rest = NULL;
    size_t letters = strcspn(word, "-0123456789");
    long id = strtol(word + letters, &rest, 10);
    bool number = rest != word + letters && id >= INT_MIN && id <= INT_MAX;
    if (number && *rest == 0 && (letters == 0 || hwDeck_IsNamed(word, letters, "c|con|p|point"))) {
        *end = (hwMoordynEnd){.index = hwMoordyn_FindPoint(deck, (int)id)};
        if (end->index >= 0) return true;
    }
    if (number && hwDeck_IsNamed(word, letters, "r|rod") && hwDeck_IsOne(rest, "a|b")) {
        *end = (hwMoordynEnd){true, hwMoordyn_FindRod(deck, (int)id), *rest == 'b' || *rest == 'B'};
        if (end->index >= 0) return true;
    }
    snprintf(text, sizeof(text), "there is no point `%.60s`, nor a rod with such an end, to attach a line to",
             word);
    return hwDeckReader_FailWord(r, r->column[role], text);
}

static bool ReadLine(hwDeckReader* r) {
    hwMoordynLine line = {.line = r->line, .type = -1, .largestLoad = (double)NAN, .meanLoad = (double)NAN};
    hwMoordynDeck* deck = r->deck;
    char text[200];
    double elements;
    if (!r->named && deck->version1) hwDeckReader_SetOrder(r, HW_DECK_TABLE_LINES, 1);
    if (r->wordCount < 6)
        return hwDeckReader_FailWord(r, r->wordCount - 1,
                                     "a line needs ID, LineType, AttachA, AttachB, UnstrLen, NumSegs");
    const char* type =
        hwDeckReader_GetWord(r, HW_DECK_LINE_TYPE) != NULL ? hwDeckReader_GetWord(r, HW_DECK_LINE_TYPE) : "";
    for (int i = 0; i < deck->typeCount; i++) {
        if (strcasecmp(deck->types[i].name, type) == 0) line.type = i;
    }
    if (line.type < 0) {
        snprintf(text, sizeof(text), "there is no line type `%.60s`", type);
        return hwDeckReader_FailWord(r, r->column[HW_DECK_LINE_TYPE], text);
    }
    if (!ReadEnd(r, HW_DECK_LINE_A, &line.ends[0]) || !ReadEnd(r, HW_DECK_LINE_B, &line.ends[1]) ||
        !hwDeckReader_ReadRole(r, HW_DECK_TABLE_LINES, HW_DECK_LINE_LENGTH, &line.length) ||
        !hwDeckReader_ReadRole(r, HW_DECK_TABLE_LINES, HW_DECK_LINE_SEGMENTS, &elements)) {
        return false;
    }
    if (!(line.length > 0.0))
        return hwDeckReader_FailWord(r, r->column[HW_DECK_LINE_LENGTH],
                                     "the unstretched length must be above 0");
    if (!(elements >= 1.0 && elements <= 100000.0))
        return hwDeckReader_FailWord(r, r->column[HW_DECK_LINE_SEGMENTS], "the segments must be 1 to 100000");
    line.elements = (int)elements;
    const char* id = hwDeckReader_GetWord(r, HW_DECK_LINE_ID);
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
static bool ReadSyropeStart(hwDeckReader* r) {
    double largest, mean, id;
    if (r->wordCount < 3)
        return hwDeckReader_FailWord(r, r->wordCount - 1, "a row needs Line(s), Tmax0, Tmean0");
    int last = r->wordCount - 1;
    if (!hwDeckReader_ReadNumber(r, last - 1, "largest load Tmax0", &largest) ||
        !hwDeckReader_ReadNumber(r, last, "mean load Tmean0", &mean)) {
        return false;
    }
    if (!(largest >= mean && mean >= 0.0))
        return hwDeckReader_FailWord(r, last, "Tmean0 must be at least 0 and at most Tmax0");
    for (int word = 0; word < last - 1; word++) {
        if (!hwDeckReader_ReadNumber(r, word, "number of the line", &id)) return false;
        int line = fabs(id) < 1e9 ? hwMoordyn_FindLine(r->deck, (int)id) : -1;
        if (line < 0) return hwDeckReader_FailWord(r, word, "there is no line with this number");
        r->deck->lines[line].largestLoad = largest;
        r->deck->lines[line].meanLoad = mean;
    }
    return true;
}

// Options ------------------------------------------------------------------------------------------------------------------

static bool ReadWhole(const hwDeckReader* r, const char* name, int* value) {
    double number;
    if (!hwDeckReader_ReadNumber(r, 0, name, &number)) return false;
    if (!(number >= 0.0 && number <= 100.0))
        return hwDeckReader_FailWord(r, 0, "this option must be from 0 to 100");
    *value = (int)number;
    return true;
}

static bool KeepFile(hwDeckReader* r, const char* word) {
    size_t length = strlen(word);
    if (length >= 2 && word[0] == '"' && word[length - 1] == '"') {
        word += 1;
        length -= 2;
    }
    r->deck->bottomFile = hwStore_CopyText(&r->deck->store, word, length);
    r->deck->bottomLine = r->line;
    return r->deck->bottomFile != NULL || hwSceneFail_Memory(r->deck->error) == HW_OK;
}

static bool ReadOption(hwDeckReader* r) {
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
    if (hwDeck_IsOne(name, "wtrdpth") && !hwMoordyn_ParseNumber(r->words[0], &ignored) &&
        strpbrk(r->words[0], "./\"") != NULL) {
        return KeepFile(r, r->words[0]); // MoorDyn-F: a bathymetry file in place of the depth
    }
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (hwDeck_IsOne(name, numbers[i].names))
            return hwDeckReader_ReadNumber(r, 0, name, numbers[i].value);
    }
    if (hwDeck_IsOne(name, numeric)) return true; // how MoorDyn computes and writes
    if (hwDeck_IsOne(name, "seafloorfile")) return KeepFile(r, r->words[0]);
    if (hwDeck_IsOne(name, "wavekin")) {
        deck->waveLine = r->line;
        return ReadWhole(r, name, &deck->waveKinematics);
    }
    if (hwDeck_IsOne(name, "currents")) {
        deck->currentLine = r->line;
        return ReadWhole(r, name, &deck->currents);
    }
    if (hwDeck_IsOne(name, "fileic|icfile")) {
        deck->startFile = hwStore_CopyText(&deck->store, r->words[0], strlen(r->words[0]));
        deck->startLine = r->line;
        deck->startColumn = r->places[0];
        return deck->startFile != NULL || hwSceneFail_Memory(deck->error) == HW_OK;
    }
    hwMoordyn_Warn(deck, r->line, r->places[1], "the option `%.40s` has no counterpart", name);
    return true;
}

static bool ReadRow(hwDeckReader* r, hwDeckTable table) {
    switch (table) {
    case HW_DECK_TABLE_TYPES:
        return ReadType(r);
    case HW_DECK_TABLE_ROD_TYPES:
        return ReadRodType(r);
    case HW_DECK_TABLE_BODIES:
        return ReadBody(r);
    case HW_DECK_TABLE_RODS:
        return ReadRod(r);
    case HW_DECK_TABLE_POINTS:
        return ReadPoint(r);
    case HW_DECK_TABLE_LINES:
        return ReadLine(r);
    case HW_DECK_TABLE_SYROPE:
        return ReadSyropeStart(r);
    case HW_DECK_TABLE_OPTIONS:
        return ReadOption(r);
    default:
        return true;
    }
}

// The file -------------------------------------------------------------------------------------------------------------------

// "3 NLines - number of lines": older decks of version 1 say above a heading how many rows follow.
static bool IsCount(const hwDeckReader* r) {
    if (r->wordCount < 2 || toupper((unsigned char)r->words[1][0]) != 'N') return false;
    return isalpha((unsigned char)r->words[1][1]) && r->words[0][strspn(r->words[0], "0123456789")] == 0;
}

static bool Parse(hwDeckReader* r, char* text) {
    hwDeckTable table = HW_DECK_TABLE_NONE;
    int heading = 0;
    bool warned = false;
    for (char* at = text; *at != 0;) {
        char* line = at;
        size_t length = strcspn(at, "\n");
        at += length + (at[length] == '\n');
        line[length] = 0;
        r->line += 1;
        if (strncmp(line + strspn(line, " \t"), "---", 3) == 0 || strncmp(line, "===", 3) == 0) {
            if (hwDeck_Contains(line, "need this line")) break;
            table = hwDeck_FindTable(line);
            heading = table == HW_DECK_TABLE_OPTIONS ? 0 : 2;
            hwDeckReader_SetOrder(r, table, 2);
            r->named = warned = false;
            continue;
        }
        if (table == HW_DECK_TABLE_NONE) continue;
        if (table == HW_DECK_TABLE_IGNORED) {
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
        hwDeckReader_Split(r, line);
        if (heading > 0) {
            if (heading == 2 && IsCount(r)) continue;
            if (heading == 2) hwDeckReader_ReadHeading(r, table);
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
    hwDeckReader r = {.deck = deck};
    hwDeckReader_SetOrder(&r, HW_DECK_TABLE_NONE, 2);
    if (!Parse(&r, text)) return false;
    if (deck->lineCount == 0 && deck->rodCount == 0 && deck->bodyCount == 0)
        return hwMoordyn_Fail(deck, 1, 1,
                              "the file has no lines: no table of lines was found, or it is empty");
    LoadPoints(deck);
    return hwMoordyn_ReadSnapshot(deck) && hwMoordyn_ReadBottom(deck) && hwMoordyn_ReadCurrent(deck) &&
           hwMoordyn_ReadWaves(deck);
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
