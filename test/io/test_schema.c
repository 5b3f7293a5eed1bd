// Every key of the scene format, from the tables themselves: its example is accepted; misspelt, missing, empty, of a wrong
// type, out of range or not a number it is refused with a sentence that names it, at a line and column. And
// docs/scenes.md says what the tables say.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hawser/scene.h"
#include "schema.h"
#include "schema_sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FOLDER HAWSER_BINARY_DIR "/test/files"
#define DEEPEST 12

typedef struct Step {
    const hwSection* section;
    const hwKey* key; // leads to the next section
} Step;

// Where the section under test stands, and what is done to it.
typedef struct Job {
    Step path[DEEPEST];
    int depth;
    const hwSection* section;
    const hwKey* key;
    const char* name; // written for the key; null: its own
    const char* value;
    bool skip; // leave the key out
} Job;

typedef struct Text {
    char* data;
    size_t size, used;
} Text;

static void Put(Text* text, const char* piece) {
    size_t length = strlen(piece);
    while (text->used + length + 1 > text->size) {
        text->size = text->size > 0 ? 2 * text->size : 4096;
        text->data = realloc(text->data, text->size);
        assert_non_null(text->data);
    }
    memcpy(text->data + text->used, piece, length + 1);
    text->used += length;
}

// What an example needs beside it, where the tables cannot say so.
static const char* Companion(const hwSection* section, const hwKey* key) {
    if (section == &hwSection_signal && (strcmp(key->name, "csv") == 0 || strcmp(key->name, "time") == 0 ||
                                         strcmp(key->name, "interpolation") == 0)) {
        return "column: [x, y, z]";
    }
    if (strcmp(key->name, "vertices") == 0 && key->offset != 0) return section->keys[2].example;
    if (strcmp(key->name, "p1") == 0) return "p2: [0, 1, 0]";
    if (strcmp(key->name, "p2") == 0) return "p1: [1, 0, 0]";
    return NULL;
}

static const hwKey* Find(const hwSection* section, const char* name, size_t length) {
    for (int i = 0; i < section->keyCount; i++) {
        if (strlen(section->keys[i].name) == length && strncmp(section->keys[i].name, name, length) == 0) {
            return &section->keys[i];
        }
    }
    return NULL;
}

// The objects that examples refer to.
static const char* Standard(const hwKey* key) {
    if (strcmp(key->name, "materials") == 0) return "{steel: {young: 200e9}}";
    if (strcmp(key->name, "bodies") == 0) {
        return "[{name: payload, mass: 1, inertia: [1, 1, 1]}, "
               "{name: pile, motion: fixed, shapes: [{sphere: {radius: 1}}]}]";
    }
    if (strcmp(key->name, "cables") == 0) {
        return "[{name: wire, sections: [{length: 20, diameter: 0.02, density: 500, EA: 4e6}], "
               "ends: {a: {on: earth}, b: {joint: free}}}]";
    }
    if (strcmp(key->name, "vehicles") == 0) return "[{name: rov, model: box}]";
    if (strcmp(key->name, "environment") == 0) return "{water: {}}";
    return NULL;
}

// What a needed key is set to: some keys of links make sense with a ball joint only.
static const char* ExampleOf(const Job* job, const hwKey* key) {
    static const char* const ball[] = {"targets", "efforts", "swing"};
    for (size_t i = 0; i < sizeof(ball) / sizeof(ball[0]); i++) {
        if (strcmp(key->name, "joint") == 0 && key->example[0] == 'r' && job->key != NULL &&
            strcmp(job->key->name, ball[i]) == 0)
            return "ball";
    }
    return key->example;
}

static const hwSection* SectionOf(const hwKey* key) {
    if (key->type == HW_KEY_SIGNAL || key->type == HW_KEY_VECTOR_SIGNAL) return &hwSection_signal;
    return key->section;
}

static void PutSection(Text* text, const Job* job, int level);

static void PutPair(Text* text, const char* name, const char* value, bool* first) {
    if (!*first) Put(text, ", ");
    *first = false;
    Put(text, name);
    Put(text, ": ");
    Put(text, value);
}

static void PutInner(Text* text, const Job* job, int level, const hwKey* key, bool* first) {
    const char *open = "", *close = "";
    if (key->type == HW_KEY_LIST || key->type == HW_KEY_ONE_OR_LIST) open = "[", close = "]";
    if (key->type == HW_KEY_NAMED) open = "{steel: ", close = "}";
    PutPair(text, key->name, open, first);
    PutSection(text, job, level + 1);
    Put(text, close);
}

// A mapping with everything it needs, and the key that leads on or is under test.
static void PutSection(Text* text, const Job* job, int level) {
    const hwSection* section = level < job->depth ? job->path[level].section : job->section;
    const hwKey* chosen = level < job->depth ? job->path[level].key : job->key;
    const hwKey* needed = NULL;
    const char* neededValue = NULL;
    bool first = true;
    if (chosen != NULL && chosen->needs != NULL) {
        const char* colon = strchr(chosen->needs, ':');
        size_t length = colon != NULL ? (size_t)(colon - chosen->needs) : strlen(chosen->needs);
        needed = Find(section, chosen->needs, length);
        assert_non_null(needed);
        neededValue = colon != NULL ? colon + 2 : needed->example;
    }
    Put(text, "{");
    for (int i = 0; i < section->keyCount; i++) {
        const hwKey* key = &section->keys[i];
        if (key == chosen) {
            if (level < job->depth) {
                PutInner(text, job, level, key, &first);
            } else if (!job->skip) {
                PutPair(text, job->name != NULL ? job->name : key->name, job->value, &first);
            }
            continue;
        }
        if (key == needed) {
            PutPair(text, key->name, neededValue, &first);
            continue;
        }
        const char* standard = level == 0 ? Standard(key) : NULL;
        if (standard != NULL) PutPair(text, key->name, standard, &first);
        bool together = (key->flags & HW_KEY_TOGETHER) != 0;
        bool rival = chosen != NULL && key->group != 0 && key->group == chosen->group && !together;
        bool rivalOfNeeded = needed != NULL && key->group != 0 && key->group == needed->group;
        bool member = key->group == 0 || &section->keys[i] == Find(section, key->name, strlen(key->name));
        for (int j = 0; j < i; j++)
            member = member && (key->group == 0 || section->keys[j].group != key->group);
        bool wanted = (key->flags & (HW_KEY_REQUIRED | HW_KEY_CHECKED)) != 0 ||
                      ((key->flags & HW_KEY_ONE_NEEDED) != 0 && member &&
                       !(chosen != NULL && chosen->group == key->group));
        if (wanted && !rival && !rivalOfNeeded && standard == NULL)
            PutPair(text, key->name, ExampleOf(job, key), &first);
    }
    if (chosen != NULL && level == job->depth) {
        const char* extra = Companion(section, chosen);
        if (extra != NULL && strcmp(chosen->name, "vertices") == 0) {
            PutPair(text, "triangles", extra, &first);
        } else if (extra != NULL) {
            Put(text, first ? "" : ", ");
            Put(text, extra);
        }
    }
    Put(text, "}");
}

static hwScene* Parse(const Job* job, hwError* error, Text* text) {
    text->used = 0;
    PutSection(text, job, 0);
    memset(error, 0, sizeof(*error));
    return hwParseScene(text->data, text->used, "test", FOLDER, error);
}

static void Accept(const Job* job) {
    Text text = {0};
    hwError error;
    hwScene* scene = Parse(job, &error, &text);
    if (scene == NULL) fail_msg("refused: %s\n%s", error.message, text.data);
    hwDestroyScene(scene);
    free(text.data);
}

static void Refuse(const Job* job, const char* mention) {
    Text text = {0};
    hwError error;
    hwScene* scene = Parse(job, &error, &text);
    if (scene != NULL) fail_msg("accepted: %s", text.data);
    if (error.status != HW_ERROR_FORMAT && error.status != HW_ERROR_FILE)
        fail_msg("status %d: %s", error.status, text.data);
    if (error.line < 1 || error.column < 1) fail_msg("no place: %s\n%s", error.message, text.data);
    const char* shorthand = job->key->section != NULL ? job->key->section->shorthand : NULL;
    bool named = strstr(error.message, mention) != NULL;
    if (!named && shorthand != NULL)
        named = strncmp(error.message + 1, shorthand, strcspn(shorthand, "|")) == 0;
    if (!named && job->key->section != NULL) named = strstr(error.message, job->key->section->title) != NULL;
    // A value that is read as a section or signal may be refused for what is inside it.
    if (!named && job->key->type != HW_KEY_SECTION && job->key->type != HW_KEY_SPECIAL) {
        fail_msg("`%s` is not named: %s\n%s", mention, error.message, text.data);
    }
    free(text.data);
}

static void RefuseValue(Job job, const char* value) {
    job.value = value;
    Refuse(&job, job.key->name);
}

static void TryWrongTypes(const Job* job) {
    const hwKey* key = job->key;
    RefuseValue(*job, "");
    if (key->bad != NULL) RefuseValue(*job, key->bad);
    switch (key->type) {
    case HW_KEY_NUMBER:
    case HW_KEY_INTEGER:
    case HW_KEY_SEED:
        RefuseValue(*job, "heavy");
        RefuseValue(*job, "[1]");
        RefuseValue(*job, "{a: 1}");
        RefuseValue(*job, "\"5\"");
        if (key->type != HW_KEY_NUMBER) RefuseValue(*job, "1.5");
        break;
    case HW_KEY_SWITCH:
        RefuseValue(*job, "maybe");
        RefuseValue(*job, "1");
        break;
    case HW_KEY_NAME:
        RefuseValue(*job, "a.b"); /* fall through */
    case HW_KEY_TEXT:
    case HW_KEY_REFERENCE:
    case HW_KEY_FILE:
        RefuseValue(*job, "[a]");
        RefuseValue(*job, "{a: b}");
        break;
    case HW_KEY_CHOICE:
        RefuseValue(*job, "nonsense");
        RefuseValue(*job, "[a]");
        break;
    case HW_KEY_VECTOR:
    case HW_KEY_COMPONENTS:
    case HW_KEY_SIGNAL:
    case HW_KEY_VECTOR_SIGNAL:
        RefuseValue(*job, "word");
        RefuseValue(*job, "[1, 2]");
        if (key->type != HW_KEY_SIGNAL) RefuseValue(*job, "[1, 2, word]");
        break;
    case HW_KEY_NUMBERS:
    case HW_KEY_VECTORS:
    case HW_KEY_SERIES:
        RefuseValue(*job, "word");
        RefuseValue(*job, "[]");
        RefuseValue(*job, "[word]");
        RefuseValue(*job, "{a: 1}");
        break;
    case HW_KEY_SECTION:
        if (key->section->shorthand == NULL) RefuseValue(*job, "5");
        RefuseValue(*job, "[word]");
        break;
    case HW_KEY_LIST:
    case HW_KEY_ONE_OR_LIST:
        RefuseValue(*job, "[5]"); /* fall through */
    case HW_KEY_NAMED:
        RefuseValue(*job, "5");
        break;
    case HW_KEY_SPECIAL:
        break;
    }
}

// Puts a number where the key's value has one.
static bool Shape(const hwKey* key, double number, const char* word, char* value, size_t size) {
    char text[40];
    if (word != NULL) {
        snprintf(text, sizeof(text), "%s", word);
    } else {
        snprintf(text, sizeof(text), "%.17g", number);
    }
    switch (key->type) {
    case HW_KEY_NUMBER:
    case HW_KEY_INTEGER:
    case HW_KEY_SIGNAL:
        snprintf(value, size, "%s", text);
        return true;
    case HW_KEY_VECTOR:
    case HW_KEY_COMPONENTS:
    case HW_KEY_VECTOR_SIGNAL:
        snprintf(value, size, "[%s, 1, 1]", text);
        return true;
    case HW_KEY_NUMBERS:
        snprintf(value, size, "[%s", text);
        for (int i = 1; i < (key->sizes[0] > 0 ? key->sizes[0] : 2); i++)
            strncat(value, ", 1", size - strlen(value) - 1);
        strncat(value, "]", size - strlen(value) - 1);
        return true;
    case HW_KEY_VECTORS:
        snprintf(value, size, "[[%s, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]", text);
        return true;
    default:
        return false;
    }
}

static void TryNumbers(const Job* job) {
    const hwRange* range = &job->key->range;
    char value[200];
    if (!Shape(job->key, 0.0, ".nan", value, sizeof(value))) return;
    RefuseValue(*job, value);
    Shape(job->key, 0.0, "1e999", value, sizeof(value));
    RefuseValue(*job, value);
    Shape(job->key, 0.0, ".inf", value, sizeof(value));
    if (!range->infinite) RefuseValue(*job, value);
    Shape(job->key, 0.0, "-.inf", value, sizeof(value));
    RefuseValue(*job, value);
    if (range->low == 0.0 && range->high == 0.0) return;
    if (range->low > -HUGE_VAL) {
        Shape(job->key, range->openLow ? range->low : range->low - 1.0, NULL, value, sizeof(value));
        RefuseValue(*job, value);
    }
    if (range->high < HUGE_VAL) {
        Shape(job->key, range->openHigh ? range->high : range->high * 2.0 + 1.0, NULL, value, sizeof(value));
        RefuseValue(*job, value);
    }
}

static void TryNames(Job job) {
    char name[64];
    job.value = job.key->example;
    snprintf(name, sizeof(name), "%sq", job.key->name);
    job.name = name;
    Refuse(&job, name);
    if ((job.key->flags & HW_KEY_ANGLE) == 0) return;
    // Degrees alone are fine where the joint turns; with radians beside them they are not.
    char both[160];
    snprintf(name, sizeof(name), "%s_deg", job.key->name);
    Accept(&job);
    snprintf(both, sizeof(both), "%s, %s: %s", job.key->example, job.key->name, job.key->example);
    job.value = both;
    Refuse(&job, "not both");
}

static int keyCount;

static void TryKey(const Job* job) {
    keyCount++;
    Job good = *job;
    good.value = job->key->example;
    Accept(&good);
    if (job->key->fallback != NULL && job->key->fallback[0] != '(' && job->key->needs == NULL) {
        good.value = job->key->fallback;
        Accept(&good);
    }
    TryNames(*job);
    TryWrongTypes(job);
    TryNumbers(job);
    if ((job->key->flags & (HW_KEY_REQUIRED | HW_KEY_CHECKED)) != 0) {
        Job missing = *job;
        missing.skip = true;
        missing.value = "";
        Refuse(&missing, job->key->name);
    }
}

typedef struct Seen {
    int count;
    const hwSection* sections[128];
} Seen;

static void Walk(Seen* seen, Job* job, const hwSection* section) {
    for (int i = 0; i < seen->count; i++) {
        if (seen->sections[i] == section) return;
    }
    assert_true(seen->count < 128 && job->depth < DEEPEST);
    seen->sections[seen->count++] = section;
    job->section = section;
    for (int i = 0; i < section->keyCount; i++) {
        job->key = &section->keys[i];
        assert_non_null(job->key->doc);
        assert_non_null(job->key->example);
        TryKey(job);
    }
    for (int i = 0; i < section->keyCount; i++) {
        const hwSection* inner = SectionOf(&section->keys[i]);
        if (inner == NULL) continue;
        Job next = *job;
        next.path[next.depth++] = (Step){section, &section->keys[i]};
        Walk(seen, &next, inner);
    }
}

static void WriteFile(const char* path, const char* text) {
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

// Of an empty world: scenes are read here, not made.
static void WriteState(const char* path) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_int_equal(hwWorld_Prepare(world, &error), HW_OK);
    assert_int_equal(hwWorld_WriteState(world, path, &error), HW_OK);
    hwDestroyWorld(world);
}

static void EveryKeyIsCheckedAsItsTableSays(void** state) {
    (void)state;
    static const char tetrahedron[] =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    mkdir(HAWSER_BINARY_DIR "/test", 0777);
    mkdir(FOLDER, 0777);
    WriteFile(FOLDER "/motion.csv", "t,x,y,z\ns,m,m,m\n0,0,0,0\n1,1,0,0\n2,0,0,1\n");
    WriteFile(FOLDER "/spectrum.csv", "f,S\n0.05,0\n0.1,8\n0.2,0\n");
    WriteFile(FOLDER "/elevation.csv", "t,eta\n0,0\n1,1\n2,0\n3,-1\n");
    WriteFile(FOLDER "/ship_rao.csv",
              "heading_deg,period,surge,surge_phase_deg,sway,sway_phase_deg,heave,heave_phase_deg,roll_deg,"
              "roll_phase_deg,"
              "pitch_deg,pitch_phase_deg,yaw_deg,yaw_phase_deg\n0,9,0,0,0,0,1,0,0,0,0,0,0,0\n");
    WriteFile(FOLDER "/bottom.txt", "2 2 10\n0 1\n2 3\n");
    WriteFile(FOLDER "/bottom.obj", tetrahedron);
    WriteFile(FOLDER "/hull.obj", tetrahedron);
    WriteFile(FOLDER "/current.csv", "x,y,depth,time,u,v,w\n0,0,0,0,1,0,0\n");
    WriteFile(FOLDER "/hull.1", "0 3 3 1\n5 3 3 0.9 0.05\n8 3 3 1.1 0.1\n12 3 3 1.1 0.05\n");
    WriteFile(FOLDER "/hull.3", "5 0 3 1 0\n8 0 3 1 0\n12 0 3 1 0\n");
    WriteFile(FOLDER "/hull.hst", "3 3 10\n");
    WriteState(FOLDER "/settled.state");
    Seen seen = {0};
    Job job = {0};
    Walk(&seen, &job, hwSchema_GetRoot());
    // The format of SCENES has 51 sections and some 240 keys; far fewer would mean that the walk has lost its way.
    assert_true(seen.count >= 50);
    assert_true(keyCount >= 240);
}

// The part of docs/scenes.md below its marker is what the tables write.
static void DocumentationIsWhatTheTablesSay(void** state) {
    (void)state;
    static const char marker[] = "<!-- everything below is written from the tables in io/schema_*.c -->\n";
    const char* path = HAWSER_SOURCE_DIR "/docs/scenes.md";
    char* wanted = NULL;
    size_t wantedSize = 0;
    FILE* memory = tmpfile();
    assert_non_null(memory);
    hwSchema_WriteMarkdown(memory);
    wantedSize = (size_t)ftell(memory);
    wanted = calloc(1, wantedSize + 1);
    rewind(memory);
    assert_int_equal(fread(wanted, 1, wantedSize, memory), wantedSize);
    fclose(memory);
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    static char page[400000];
    size_t size = fread(page, 1, sizeof(page) - 1, file);
    fclose(file);
    page[size] = 0;
    char* rest = strstr(page, marker);
    assert_non_null(rest);
    rest += strlen(marker);
    if (strcmp(rest, wanted) != 0 && getenv("HAWSER_WRITE_DOCS") != NULL) {
        file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "%.*s%s", (int)(rest - page), page, wanted);
        fclose(file);
        print_message("docs/scenes.md was written anew\n");
    } else if (strcmp(rest, wanted) != 0) {
        fail_msg("docs/scenes.md differs from the tables; run this test with HAWSER_WRITE_DOCS=1 to write it "
                 "anew");
    }
    free(wanted);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EveryKeyIsCheckedAsItsTableSays),
        cmocka_unit_test(DocumentationIsWhatTheTablesSay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
