// MoorDyn input files, version 2, to scenes: line types, points, lines, options.
//
// The file is a row of tables. A line of dashes names the one that follows; the two lines after it, names and units of the
// columns, are for people; options have none and put the value before its name. Points hold the ends of lines: fixed ones
// stand on the earth, coupled ones are moved by another program and stand still here, free ones become small bodies.
#define _POSIX_C_SOURCE 200809L
#include "mech_text.h"
#include "moordyn.h"

#include "hawser/convert.h"
#include "scene_read.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_BYTES (16u << 20)
#define MOST_WORDS 24

typedef enum Table { TABLE_NONE, TABLE_TYPES, TABLE_POINTS, TABLE_LINES, TABLE_OPTIONS, TABLE_IGNORED } Table;

typedef struct LineType {
    const char *name, *label; // as the file has it, and fit for a remark
    double diameter, mass, EA, damping, EI, drag, added, dragAlong, addedAlong;
} LineType;

typedef enum PointKind { POINT_FIXED, POINT_COUPLED, POINT_FREE } PointKind;

typedef struct Point {
    int line, id;
    PointKind kind;
    hwVec3 position;
    double mass, volume, dragArea, added;
    double held; // kg, of the lines that end here: half of each
} Point;

typedef struct Mooring {
    int line;
    const char* name;
    int type, ends[2]; // indices
    double length;
    int elements;
} Mooring;

typedef struct Reader {
    hwStore store;
    const char* input;
    hwLogFn* log;
    void* logContext;
    hwError* error;
    int line;
    char* words[MOST_WORDS];
    int columns[MOST_WORDS];
    int wordCount;
    LineType* types;
    Point* points;
    Mooring* lines;
    int typeCount, pointCount, lineCount, capacity;
    double gravity, density, depth, stiffness, damping, friction; // NaN: not given
} Reader;

// Words ------------------------------------------------------------------------------------------------------------------

static bool FailWord(Reader* r, int word, const char* text) {
    int column = word < r->wordCount ? r->columns[word] : 1;
    return hwMech_Fail(r->error, r->input, r->line, column, "%s", text);
}

// Cuts a line into words, in place.
static void Split(Reader* r, char* line) {
    r->wordCount = 0;
    for (char* at = line; *at != 0 && r->wordCount < MOST_WORDS;) {
        at += strspn(at, " \t\r,");
        if (*at == 0) break;
        r->columns[r->wordCount] = (int)(at - line) + 1;
        r->words[r->wordCount++] = at;
        at += strcspn(at, " \t\r,");
        if (*at != 0) *at++ = 0;
    }
}

static bool ReadNumber(Reader* r, int word, const char* what, double* value) {
    char text[160], *end = NULL;
    if (word >= r->wordCount) {
        snprintf(text, sizeof(text), "the line ends before the %s; %d columns are needed here", what,
                 word + 1);
        return FailWord(r, word, text);
    }
    *value = strtod(r->words[word], &end);
    if (end != r->words[word] && *end == 0 && isfinite(*value)) return true;
    snprintf(text, sizeof(text), "the %s must be a number, not `%.60s`", what, r->words[word]);
    return FailWord(r, word, text);
}

static bool ReadNumbers(Reader* r, int from, int count, const char* const* what, double* const* values) {
    for (int i = 0; i < count; i++) {
        if (!ReadNumber(r, from + i, what[i], values[i])) return false;
    }
    return true;
}

static bool Is(const char* word, const char* const* names) {
    for (; *names != NULL; names++) {
        if (strcasecmp(word, *names) == 0) return true;
    }
    return false;
}

static bool Contains(const char* text, const char* part) {
    size_t length = strlen(part);
    for (; *text != 0; text++) {
        if (strncasecmp(text, part, length) == 0) return true;
    }
    return false;
}

// Tables -----------------------------------------------------------------------------------------------------------------

static Table FindTable(const char* line) {
    if (Contains(line, "line types") || Contains(line, "line dictionary")) return TABLE_TYPES;
    if (Contains(line, "rod")) return TABLE_IGNORED;
    if (Contains(line, "point") || Contains(line, "connection")) return TABLE_POINTS;
    if (Contains(line, "option")) return TABLE_OPTIONS;
    if (Contains(line, "input file")) return TABLE_NONE;
    return Contains(line, "line") ? TABLE_LINES : TABLE_IGNORED;
}

static void* Grow(Reader* r, void* items, int count, size_t size) {
    if ((count & (count - 1)) != 0) return items; // room for the next power of two is there
    void* more = hwStore_Take(&r->store, (size_t)(count > 0 ? 2 * count : 1), size);
    if (more == NULL) {
        hwSceneFail_Memory(r->error);
        return NULL;
    }
    if (count > 0) memcpy(more, items, (size_t)count * size);
    return more;
}

static bool ReadType(Reader* r) {
    LineType type = {0};
    char text[200];
    if (r->wordCount == 9) {
        return FailWord(r, 0, "a line type has 10 columns; with 9 this is a file of MoorDyn version 1");
    }
    static const char* const what[] = {"diameter",         "mass per length", "stiffness EA",
                                       "damping BA/-zeta", "stiffness EI",    "drag coefficient Cd",
                                       "added mass Ca",    "axial drag CdAx", "axial added mass CaAx"};
    double* const values[] = {&type.diameter, &type.mass,  &type.EA,        &type.damping,   &type.EI,
                              &type.drag,     &type.added, &type.dragAlong, &type.addedAlong};
    for (int word = 3; word <= 5 && word < r->wordCount; word++) {
        char* end = NULL;
        strtod(r->words[word], &end);
        if (end != r->words[word] && *end == 0) continue;
        snprintf(text, sizeof(text),
                 "`%.60s` is no number: stiffness and damping by tables or in parts have no counterpart",
                 r->words[word]);
        return FailWord(r, word, text);
    }
    if (!ReadNumbers(r, 1, 9, what, values)) return false;
    if (!(type.diameter > 0.0) || !(type.mass > 0.0) || !(type.EA > 0.0)) {
        return FailWord(r, 1, "diameter, mass per length and EA of a line type must be above 0");
    }
    for (int i = 0; i < r->typeCount; i++) {
        if (strcasecmp(r->types[i].name, r->words[0]) != 0) continue;
        snprintf(text, sizeof(text), "there are two line types called `%.60s`", r->words[0]);
        return FailWord(r, 0, text);
    }
    type.name = hwStore_CopyText(&r->store, r->words[0], strlen(r->words[0]));
    type.label = hwMech_CleanName(&r->store, r->words[0], "type");
    r->types = Grow(r, r->types, r->typeCount, sizeof(LineType));
    if (r->types == NULL || type.name == NULL || type.label == NULL)
        return hwSceneFail_Memory(r->error) == HW_OK;
    r->types[r->typeCount++] = type;
    return true;
}

static bool ReadPoint(Reader* r) {
    static const char* const fixed[] = {"fixed", "fix", "anchor", NULL};
    static const char* const coupled[] = {"coupled", "vessel", "cpld", "ves", NULL};
    static const char* const loose[] = {"free", "point", "connect", "con", NULL};
    static const char* const what[] = {"x", "y", "z", "mass", "volume", "drag area CdA", "added mass Ca"};
    Point point = {.line = r->line};
    double id;
    char text[200];
    if (!ReadNumber(r, 0, "number of the point", &id)) return false;
    if (r->wordCount < 2) return FailWord(r, 1, "a point needs its attachment: fixed, coupled or free");
    if (!(fabs(id) < 1e9)) return FailWord(r, 0, "the number of the point is too large");
    point.id = (int)id;
    if (Is(r->words[1], fixed)) {
        point.kind = POINT_FIXED;
    } else if (Is(r->words[1], coupled)) {
        point.kind = POINT_COUPLED;
        hwMech_Log(
            r->log, r->logContext, r->input, r->line,
            "point %d is moved by another program there; here it stands still until you say how it moves",
            point.id);
    } else if (Is(r->words[1], loose)) {
        point.kind = POINT_FREE;
    } else {
        snprintf(text, sizeof(text),
                 "a point is fixed, coupled or free, not `%.60s`; bodies and rods are not converted",
                 r->words[1]);
        return FailWord(r, 1, text);
    }
    double* const values[] = {&point.position.x, &point.position.y, &point.position.z, &point.mass,
                              &point.volume,     &point.dragArea,   &point.added};
    if (!ReadNumbers(r, 2, 3, what, values)) return false;
    for (int i = 3; i < 7 && 2 + i < r->wordCount; i++) {
        if (!ReadNumber(r, 2 + i, what[i], values[i])) return false;
    }
    for (int i = 0; i < r->pointCount; i++) {
        if (r->points[i].id != point.id) continue;
        snprintf(text, sizeof(text), "there are two points with the number %d, the other one in line %d",
                 point.id, r->points[i].line);
        return FailWord(r, 0, text);
    }
    r->points = Grow(r, r->points, r->pointCount, sizeof(Point));
    if (r->points == NULL) return false;
    r->points[r->pointCount++] = point;
    return true;
}

static bool FindPoint(Reader* r, int word, int* index) {
    char text[200], *end = NULL;
    long id = word < r->wordCount ? strtol(r->words[word], &end, 10) : 0;
    if (word < r->wordCount && end != r->words[word] && *end == 0) {
        for (int i = 0; i < r->pointCount; i++) {
            if (r->points[i].id != id) continue;
            *index = i;
            return true;
        }
    }
    snprintf(text, sizeof(text),
             "there is no point `%.60s` to attach a line to; ends on rods and bodies are not converted",
             word < r->wordCount ? r->words[word] : "");
    return FailWord(r, word, text);
}

static bool ReadLine(Reader* r) {
    Mooring line = {.line = r->line, .type = -1};
    char text[200];
    double elements;
    if (r->wordCount < 6)
        return FailWord(r, r->wordCount, "a line needs ID, LineType, AttachA, AttachB, UnstrLen, NumSegs");
    for (int i = 0; i < r->typeCount; i++) {
        if (strcasecmp(r->types[i].name, r->words[1]) == 0) line.type = i;
    }
    if (line.type < 0) {
        snprintf(text, sizeof(text), "there is no line type `%.60s`", r->words[1]);
        return FailWord(r, 1, text);
    }
    if (!FindPoint(r, 2, &line.ends[0]) || !FindPoint(r, 3, &line.ends[1])) return false;
    if (!ReadNumber(r, 4, "unstretched length", &line.length) ||
        !ReadNumber(r, 5, "number of segments", &elements))
        return false;
    if (!(line.length > 0.0)) return FailWord(r, 4, "the unstretched length must be above 0");
    if (!(elements >= 1.0 && elements <= 100000.0)) return FailWord(r, 5, "the segments must be 1 to 100000");
    line.elements = (int)elements;
    char name[64];
    snprintf(name, sizeof(name), "line%.40s", r->words[0]);
    line.name = hwMech_CleanName(&r->store, name, "line");
    r->lines = Grow(r, r->lines, r->lineCount, sizeof(Mooring));
    if (r->lines == NULL || line.name == NULL) return false;
    r->lines[r->lineCount++] = line;
    return true;
}

static bool ReadOption(Reader* r) {
    static const char* const gravity[] = {"g", "gravity", "grav", "gravaccel", NULL};
    static const char* const density[] = {"rho", "rhow", "wtrdnsty", "waterdensity", NULL};
    static const char* const depth[] = {"wtrdpth", "depth", "wdepth", NULL};
    static const char* const stiffness[] = {"kb", "kbot", "k_bot", NULL};
    static const char* const damping[] = {"cb", "cbot", "c_bot", NULL};
    static const char* const friction[] = {
        "frictioncoefficient", "friction_coefficient", "mu", "mu_kt", "mu_ka", NULL};
    static const char* const numeric[] = {
        "dtm",      "dt",        "dtic",         "tmaxic",  "icdt",           "icdrag",     "cdscaleic",
        "threshic", "icthresh",  "ictmax",       "tscheme", "writelog",       "writeunits", "writeunit",
        "dtout",    "outswitch", "icgenDynamic", "cfl",     "disableouttime", NULL};
    if (r->wordCount < 2) return true;
    const char* name = r->words[1];
    const struct {
        const char* const* names;
        double* value;
    } options[] = {{gravity, &r->gravity},     {density, &r->density}, {depth, &r->depth},
                   {stiffness, &r->stiffness}, {damping, &r->damping}, {friction, &r->friction}};
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        if (Is(name, options[i].names)) return ReadNumber(r, 0, name, options[i].value);
    }
    if (Is(name, numeric)) return true; // how MoorDyn computes and writes
    hwMech_Log(r->log, r->logContext, r->input, r->line, "the option `%.40s` has no counterpart", name);
    return true;
}

static bool ReadRow(Reader* r, Table table) {
    switch (table) {
    case TABLE_TYPES:
        return ReadType(r);
    case TABLE_POINTS:
        return ReadPoint(r);
    case TABLE_LINES:
        return ReadLine(r);
    case TABLE_OPTIONS:
        return ReadOption(r);
    default:
        return true;
    }
}

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
        if (strncmp(line, "---", 3) == 0 || strncmp(line, "===", 3) == 0) {
            if (Contains(line, "need this line")) break;
            table = FindTable(line);
            heading = table == TABLE_OPTIONS ? 0 : 2;
            warned = false;
            continue;
        }
        if (table == TABLE_NONE || table == TABLE_IGNORED) {
            if (table == TABLE_IGNORED && heading > 0) {
                heading -= 1;
            } else if (table == TABLE_IGNORED && !warned &&
                       isdigit((unsigned char)line[strspn(line, " \t")])) {
                hwMech_Log(r->log, r->logContext, r->input, r->line,
                           "this table has no counterpart and was left out");
                warned = true;
            }
            continue;
        }
        if (heading > 0) {
            heading -= 1;
            continue;
        }
        line[strcspn(line, "#!")] = 0;
        Split(r, line);
        if (r->wordCount > 0 && !ReadRow(r, table)) return false;
    }
    if (r->lineCount > 0) return true;
    r->line = 1;
    r->wordCount = 0;
    return FailWord(r, 0, "the file has no lines: no table of lines was found, or it is empty");
}

// The scene --------------------------------------------------------------------------------------------------------------

static double Or(double value, double fallback) {
    return isnan(value) ? fallback : value;
}

static void WriteEnvironment(Reader* r, FILE* file) {
    double lowest = 0.0;
    for (int i = 0; i < r->pointCount; i++) lowest = fmin(lowest, r->points[i].position.z);
    if (isnan(r->depth)) {
        r->depth = -lowest;
        hwMech_Log(r->log, r->logContext, r->input, 0,
                   "the file gives no water depth: %g m, that of the lowest point, was taken", r->depth);
    }
    fprintf(file, "environment:\n  gravity: %.10g\n  water: {density: %.10g}\n", Or(r->gravity, 9.80665),
            Or(r->density, 1025.0));
    if (r->depth > 0.0) {
        fprintf(file, "  seabed: {depth: %.10g, stiffness: %.10g, damping: %.10g, friction: %.10g}\n",
                r->depth, Or(r->stiffness, 3e6), Or(r->damping, 3e5), Or(r->friction, 0.0));
    }
}

static void WriteBodies(const Reader* r, FILE* file) {
    bool any = false;
    for (int i = 0; i < r->pointCount; i++) {
        const Point* p = &r->points[i];
        if (p->kind != POINT_FREE) continue;
        if (!any) fprintf(file, "\nbodies:\n");
        any = true;
        // a point without mass of its own gets a hundredth of what hangs on it
        double mass = p->mass > 0.0 ? p->mass : fmax(0.01 * p->held, 1e-3);
        double drag = 0.5 * Or(r->density, 1025.0) * p->dragArea,
               added = Or(r->density, 1025.0) * p->volume * p->added;
        fprintf(file, "  - name: point%d   # line %d%s\n    mass: %.10g\n    inertia: [%.6g, %.6g, %.6g]\n",
                p->id, p->line, p->mass > 0.0 ? "" : "; it has no mass there", mass, 0.1 * mass, 0.1 * mass,
                0.1 * mass);
        fprintf(file, "    position: [%.10g, %.10g, %.10g]\n    volume: %.10g\n", p->position.x,
                p->position.y, p->position.z, p->volume);
        fprintf(file, "    added_mass: [%.6g, %.6g, %.6g, 0, 0, 0]\n", added, added, added);
        // rotation means nothing here; a little drag keeps it from spinning
        fprintf(file,
                "    drag: {linear: [0, 0, 0, %.6g, %.6g, %.6g], quadratic: [%.6g, %.6g, %.6g, 0, 0, 0]}\n",
                0.1 * mass, 0.1 * mass, 0.1 * mass, drag, drag, drag);
    }
}

static void WriteEnd(const Reader* r, FILE* file, char letter, const Point* p) {
    (void)r;
    if (p->kind == POINT_FREE) {
        fprintf(file, "      %c: {on: point%d}\n", letter, p->id);
        return;
    }
    fprintf(file, "      %c: {on: earth, at: [%.10g, %.10g, %.10g]}   # point %d%s\n", letter, p->position.x,
            p->position.y, p->position.z, p->id,
            p->kind == POINT_COUPLED ? ", coupled: attach it to what moves it" : "");
}

static void WriteLines(const Reader* r, FILE* file) {
    fprintf(file, "\ncables:\n");
    for (int i = 0; i < r->lineCount; i++) {
        const Mooring* line = &r->lines[i];
        const LineType* type = &r->types[line->type];
        // a negative number is a share of the critical damping of a segment
        double segment = line->length / line->elements;
        double damping =
            type->damping >= 0.0 ? type->damping : -type->damping * segment * sqrt(type->EA * type->mass);
        fprintf(file, "  - name: %s   # line %d, type %s\n    sections:\n", line->name, line->line,
                type->label);
        fprintf(file,
                "      - {length: %.10g, elements: %d, diameter: %.10g, mass_per_length: %.10g, EA: %.10g, "
                "EI: %.10g,\n"
                "         damping: {axial: %.6g}, drag: {normal: %.10g, tangential: %.10g},\n"
                "         added_mass: {normal: %.10g, tangential: %.10g}}\n    ends:\n",
                line->length, line->elements, type->diameter, type->mass, type->EA, type->EI, damping,
                type->drag, type->dragAlong, type->added, type->addedAlong);
        WriteEnd(r, file, 'a', &r->points[line->ends[0]]);
        WriteEnd(r, file, 'b', &r->points[line->ends[1]]);
        fprintf(file, "    shape: catenary\n");
    }
}

// Line of what an error is about.
static int FindLine(const Reader* r, const char* object) {
    for (int i = 0; i < r->lineCount; i++) {
        if (strcmp(r->lines[i].name, object) == 0) return r->lines[i].line;
    }
    for (int i = 0; i < r->pointCount; i++) {
        char name[32];
        snprintf(name, sizeof(name), "point%d", r->points[i].id);
        if (strcmp(name, object) == 0) return r->points[i].line;
    }
    return 1;
}

// What is written has made a world, and come to rest.
static bool Publish(Reader* r, const char* text, size_t size, const char* path) {
    hwScene* scene = hwParseScene(text, size, "scene", NULL, r->error);
    hwWorld* world = scene != NULL ? hwScene_CreateWorld(scene, NULL, r->error) : NULL;
    bool good = world != NULL;
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    if (good) return hwMech_WriteFile(path, text, size, r->error);
    if (r->error->status == HW_ERROR_MEMORY || r->error->status == HW_ERROR_FILE) return false;
    char message[sizeof(r->error->message)];
    memcpy(message, r->error->message, sizeof(message));
    return hwMech_Fail(r->error, r->input, FindLine(r, r->error->object), 1, "%s", message);
}

// Takes the text of a deck apart, in place.
static bool MakeScene(Reader* r, char* text, char** scene, size_t* size) {
    *scene = NULL;
    if (!Parse(r, text)) return false;
    for (int i = 0; i < r->lineCount; i++) {
        const Mooring* line = &r->lines[i];
        for (int e = 0; e < 2; e++)
            r->points[line->ends[e]].held += 0.5 * line->length * r->types[line->type].mass;
    }
    FILE* memory = open_memstream(scene, size);
    if (memory == NULL) return hwSceneFail_Memory(r->error) == HW_OK;
    fprintf(memory,
            "# Converted from %s\nhawser: 1\nduration: 60   # the file does not say how long to run\n"
            "output: {interval: 0.05}\nstart: {statics: true}\n\n",
            r->input);
    WriteEnvironment(r, memory);
    WriteBodies(r, memory);
    WriteLines(r, memory);
    return fclose(memory) == 0 || hwSceneFail_Memory(r->error) == HW_OK;
}

static bool Convert(Reader* r, const char* input, const char* output) {
    size_t size, sceneSize;
    char* scene = NULL;
    char* text = hwReadFileText(&r->store, input, MAX_BYTES, 0, 0, &size, r->error);
    bool good =
        text != NULL && MakeScene(r, text, &scene, &sceneSize) && Publish(r, scene, sceneSize, output);
    free(scene);
    return good;
}

static Reader MakeReader(const char* input, hwLogFn* log, void* logContext, hwError* error) {
    const char* slash = strrchr(input, '/');
    double none = (double)NAN;
    Reader reader = {.input = slash != NULL ? slash + 1 : input,
                     .log = log,
                     .logContext = logContext,
                     .error = error,
                     .gravity = none,
                     .density = none,
                     .depth = none,
                     .stiffness = none,
                     .damping = none,
                     .friction = none};
    hwStore_Init(&reader.store, NULL);
    return reader;
}

hwStatus hwMoordyn_MakeScene(const char* name, const char* text, size_t size, hwLogFn* log, void* logContext,
                             char** scene, size_t* sceneSize, hwError* error) {
    memset(error, 0, sizeof(*error));
    Reader reader = MakeReader(name, log, logContext, error);
    char* copy = hwStore_CopyText(&reader.store, text, size);
    bool good =
        copy != NULL ? MakeScene(&reader, copy, scene, sceneSize) : hwSceneFail_Memory(error) == HW_OK;
    hwStore_Free(&reader.store);
    return good ? HW_OK : error->status;
}

hwStatus hwConvertMoordyn(const char* input, const char* outputScene, hwLogFn* log, void* logContext,
                          hwError* error) {
    hwError local;
    if (error == NULL) error = &local;
    memset(error, 0, sizeof(*error));
    Reader reader = MakeReader(input, log, logContext, error);
    bool good = Convert(&reader, input, outputScene);
    hwStore_Free(&reader.store);
    if (!good) return error->status;
    memset(error, 0, sizeof(*error));
    error->index = -1;
    error->time = (double)NAN;
    return HW_OK;
}
