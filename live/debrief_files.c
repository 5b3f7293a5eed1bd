// Debriefs as CSV and JSON.
#define _POSIX_C_SOURCE 200809L
#include "debrief_internal.h"
#include "flight_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A file that appears when it is complete.
FILE* hwDebrief_OpenFile(const char* path, char* temporary, size_t size, hwError* error) {
    snprintf(temporary, size, "%.1000s.%ld.new", path, (long)getpid());
    errno = 0;
    FILE* file = fopen(temporary, "w");
    if (file == NULL) {
        hwLiveFail(error, HW_ERROR_FILE, "");
        if (error != NULL)
            snprintf(error->message, sizeof(error->message), "%.160s cannot be written: %.80s.", path,
                     strerror(errno));
    }
    return file;
}

hwStatus hwDebrief_CloseFile(FILE* file, const char* path, const char* temporary, hwError* error) {
    errno = 0;
    bool good = ferror(file) == 0;
    if (fclose(file) != 0) good = false;
    if (good) good = rename(temporary, path) == 0;
    if (good) return HW_OK;
    int reason = errno;
    unlink(temporary);
    hwLiveFail(error, HW_ERROR_FILE, "");
    if (error != NULL)
        snprintf(error->message, sizeof(error->message), "%.160s cannot be written: %.80s.", path,
                 strerror(reason != 0 ? reason : EIO));
    return HW_ERROR_FILE;
}

// CSV ------------------------------------------------------------------------------------------------------------------

// The shortest digits that read back as the same number; nothing for none.
static void PutNumber(FILE* file, double value) {
    char text[40];
    if (!isfinite(value)) return;
    for (int digits = 6; digits <= 17; ++digits) {
        snprintf(text, sizeof(text), "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    fputs(text, file);
}

static void PutCell(FILE* file, const char* text) {
    fputc('"', file);
    for (; *text != 0; ++text) {
        if (*text == '"') fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

hwStatus hwDebrief_WriteCsv(const hwDebrief* d, const char* path, hwError* error) {
    static const char* const names[CURVE_COUNT][2] = {
        {"time", "s"},          {"x", "m"},      {"y", "m"},          {"z", "m"},        {"heading", "rad"},
        {"speed", "m/s"},       {"turns", "1"},  {"tether_out", "m"}, {"straight", "m"}, {"tension", "N"},
        {"winch_tension", "N"}, {"wrap", "rad"}, {"effort", "1"},     {"wound", "1"}};
    char temporary[1100];
    FILE* file = hwDebrief_OpenFile(path, temporary, sizeof(temporary), error);
    if (file == NULL) return HW_ERROR_FILE;
    for (int unit = 0; unit < 2; ++unit) {
        for (int i = 0; i < CURVE_COUNT; ++i) fprintf(file, "%s%s", i > 0 ? "," : "", names[i][unit]);
        for (int i = 0; i < d->obstacleCount; ++i) {
            fputc(',', file);
            char name[100];
            snprintf(name, sizeof(name), "%s.%s", d->obstacles[i].name,
                     d->obstacles[i].isAxis ? "winding" : "linking");
            PutCell(file, unit == 0 ? name : "1");
        }
        fputc('\n', file);
    }
    for (int k = 0; k < d->rows; ++k) {
        for (int i = 0; i < CURVE_COUNT; ++i) {
            if (i > 0) fputc(',', file);
            PutNumber(file, d->curves[i][k]);
        }
        for (int i = 0; i < d->obstacleCount; ++i)
            fprintf(file, ",%d", d->numbers[(size_t)i * (size_t)d->rows + (size_t)k]);
        fputc('\n', file);
    }
    return hwDebrief_CloseFile(file, path, temporary, error);
}

// JSON -----------------------------------------------------------------------------------------------------------------

static json_t* Number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t* Vector(hwVec3 v) {
    return json_pack("[o, o, o]", Number(v.x), Number(v.y), Number(v.z));
}

static json_t* PackTerms(const hwDebrief* d) {
    const hwScore* score = &d->result.score;
    json_t* list = json_array();
    for (int i = 0; i < HW_TERM_COUNT; ++i) {
        if (!(d->lesson->def.weights[i] > 0.0)) continue;
        char text[120];
        hwLessonTerm_Describe(&d->lesson->def, (hwLessonTerm)i, score->measures[i], text, sizeof(text));
        json_array_append_new(list, json_pack("{s:s, s:f, s:o, s:o, s:s}", "name",
                                              hwLessonTerm_GetName((hwLessonTerm)i), "weight",
                                              d->lesson->def.weights[i], "value", Number(score->terms[i]),
                                              "measure", Number(score->measures[i]), "text", text));
    }
    return list;
}

static json_t* PackLine(int count, const double* points) {
    json_t* list = json_array();
    for (int i = 0; i < count; ++i)
        json_array_append_new(list, json_pack("[f, f]", points[2 * i], points[2 * i + 1]));
    return list;
}

// What was asked at freezes, what was answered and what was so, and the tether as it was sketched.
const char* hwDebrief_NameProbe(hwProbeItem item) {
    static const char* const names[HW_PROBE_ITEM_COUNT] = {[HW_PROBE_DEPTH] = "Depth",
                                                           [HW_PROBE_HEADING] = "Heading",
                                                           [HW_PROBE_TURNS] = "Turns",
                                                           [HW_PROBE_LENGTH] = "Tether out",
                                                           [HW_PROBE_BEARING] = "Where the tether leaves",
                                                           [HW_PROBE_TOUCHES] = "Touches something",
                                                           [HW_PROBE_SLACK] = "The tether is",
                                                           [HW_PROBE_SKETCH] = "Sketch of the tether",
                                                           [HW_PROBE_UNWIND] = "Which way unwinds",
                                                           [HW_PROBE_ADVANCE] = "5 m ahead are possible",
                                                           [HW_PROBE_SNAG] = "Hauled in, it snags on"};
    return names[item];
}

const char* hwDebrief_FormatProbe(const hwDebrief* d, hwProbeItem item, double value, char* text,
                                  size_t size) {
    static const char* const slack[] = {"taut", "right", "too slack"};
    static const char* const unwind[] = {"to port", "neither way", "to starboard"};
    const hwLessonProbes* probes = &d->lesson->def.probes;
    int choice = isfinite(value) && fabs(value) < 1e6 ? (int)lround(value) : -2;
    const char* word = NULL;
    text[0] = 0;
    if (!isfinite(value)) {
        snprintf(text, size, "%s", item == HW_PROBE_SKETCH ? "" : "–");
        return text;
    }
    switch (item) {
    case HW_PROBE_DEPTH:
    case HW_PROBE_LENGTH:
        snprintf(text, size, "%.1f m", value);
        return text;
    case HW_PROBE_HEADING:
        snprintf(text, size, "%03d°", ((choice % 360) + 360) % 360);
        return text;
    case HW_PROBE_TURNS:
        snprintf(text, size, "%.2f", round(100.0 * value) / 100.0 + 0.0);
        return text;
    case HW_PROBE_BEARING:
        snprintf(text, size, "%.1f o'clock", value);
        return text;
    case HW_PROBE_TOUCHES:
    case HW_PROBE_ADVANCE:
        word = choice != 0 ? "yes" : "no";
        break;
    case HW_PROBE_SLACK:
        if (choice >= 0 && choice <= 2) word = slack[choice];
        break;
    case HW_PROBE_UNWIND:
        if (choice >= -1 && choice <= 1) word = unwind[choice + 1];
        break;
    case HW_PROBE_SNAG:
        word = choice >= 0 && choice < probes->obstacleCount ? probes->obstacles[choice].name : "nothing";
        break;
    case HW_PROBE_SKETCH:
    case HW_PROBE_ITEM_COUNT:
        break;
    }
    if (word != NULL) snprintf(text, size, "%s", word);
    return text;
}

static json_t* PackProbes(const hwDebrief* d) {
    json_t* list = json_array();
    for (int k = 0; k < d->result.probeCount; ++k) {
        const hwProbeResult* p = &d->result.probes[k];
        json_t *items = json_array(), *sketch = json_null();
        for (int i = 0; i < p->probe.itemCount; ++i) {
            hwProbeItem item = p->probe.items[i];
            double answer = p->answered ? p->answer.values[item] : (double)NAN;
            char said[100], so[100];
            hwDebrief_FormatProbe(d, item, answer, said, sizeof(said));
            hwDebrief_FormatProbe(d, item, p->truth[item], so, sizeof(so));
            json_array_append_new(items,
                                  json_pack("{s:s, s:s, s:s, s:s, s:i, s:o, s:o, s:o}", "text",
                                            hwDebrief_NameProbe(item), "answer_text", said, "truth_text", so,
                                            "item", hwProbeItem_GetName(item), "level",
                                            hwProbeItem_GetLevel(item), "answer", Number(answer), "truth",
                                            Number(p->truth[item]), "points", Number(p->points[item])));
        }
        if (p->answered && p->answer.planCount > 1 && p->answer.elevationCount > 1)
            sketch = json_pack("{s:o, s:o}", "plan", PackLine(p->answer.planCount, p->answer.plan),
                               "elevation", PackLine(p->answer.elevationCount, p->answer.elevation));
        json_array_append_new(list, json_pack("{s:f, s:b, s:o, s:o, s:o}", "time", p->time, "answered",
                                              (int)p->answered, "confidence",
                                              Number(p->answered ? p->answer.confidence : (double)NAN),
                                              "items", items, "sketch", sketch));
    }
    return list;
}

static json_t* PackScore(const hwDebrief* d) {
    const hwScore* score = &d->result.score;
    json_t *gates = json_array(), *events = json_array(), *runs = json_array();
    for (unsigned i = 0; i < HW_GATE_COUNT; ++i) {
        if ((score->gates & (1u << i)) != 0)
            json_array_append_new(gates, json_string(hwLessonGate_GetText(1u << i)));
    }
    for (int i = 0; i < d->result.eventCount; ++i) {
        char text[160];
        const hwLessonEvent* event = &d->result.events[i];
        hwLessonEvent_Describe(&d->lesson->def, event, text, sizeof(text));
        json_array_append_new(events, json_pack("{s:f, s:s, s:s}", "time", event->time, "kind",
                                                hwLessonEvent_GetKind(event->kind), "text", text));
    }
    for (int i = 0; i < d->runCount; ++i)
        json_array_append_new(runs, json_pack("{s:s, s:s, s:f, s:b}", "flight", d->runs[i].id, "started",
                                              d->runs[i].started, "score", d->runs[i].score, "passed",
                                              (int)d->runs[i].passed));
    return json_pack("{s:f, s:b, s:b, s:f, s:i, s:o, s:o, s:o, s:o, s:o}", "score", score->score, "passed",
                     (int)score->passed, "complete", (int)score->complete, "time", score->time, "hits",
                     score->hits, "terms", PackTerms(d), "gates", gates, "events", events, "trend", runs,
                     "probes", PackProbes(d));
}

// From when to when there was a second tether, and when it was farthest from the true one; null: there was none.
static json_t* PackGhost(const hwDebrief* d) {
    int count;
    const hwGhostLine *lines = hwGhosts_GetLines(d->ghosts, &count), *most = hwDebrief_FindFarthestGhost(d);
    if (most == NULL) return json_null();
    return json_pack("{s:s, s:f, s:f, s:f, s:f}", "model", most->model, "start", lines[0].time, "end",
                     lines[count - 1].time, "time", most->time, "apart", most->apart);
}

static json_t* PackTether(const hwDebrief* d) {
    json_t *obstacles = json_array(), *changes = json_array(), *handling = json_array();
    for (int i = 0; i < d->obstacleCount; ++i) {
        const hwDebriefObstacle* o = &d->obstacles[i];
        json_array_append_new(obstacles,
                              json_pack("{s:s, s:s, s:o, s:f, s:i, s:i, s:i, s:o}", "name", o->name, "kind",
                                        o->isAxis ? "axis" : "loop", "point", Vector(o->point), "radius",
                                        o->radius, "start", o->start, "end", o->end, "most", o->most, "since",
                                        Number(o->since)));
    }
    for (int i = 0; i < d->changeCount; ++i)
        json_array_append_new(changes, json_pack("{s:f, s:i, s:i, s:i}", "time", d->changes[i].time,
                                                 "obstacle", d->changes[i].obstacle, "from",
                                                 d->changes[i].from, "to", d->changes[i].to));
    for (int i = 0; i < d->handlingCount; ++i)
        json_array_append_new(handling, json_pack("{s:f, s:f, s:f, s:o}", "start", d->handling[i].start,
                                                  "end", d->handling[i].end, "paid", d->handling[i].paid,
                                                  "tension", Number(d->handling[i].tension)));
    json_t* cause = json_null();
    if (d->cause.found)
        cause = json_pack("{s:f, s:s, s:b, s:i, s:i, s:o, s:o, s:s, s:s}", "time", d->cause.time, "body",
                          d->cause.body, "stayed", (int)d->cause.stayed, "from", d->cause.from, "to",
                          d->cause.to, "position", Vector(d->cause.position), "heading",
                          Number(d->cause.heading), "text", d->cause.text, "remedy", d->cause.remedy);
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "obstacles", obstacles, "changes", changes, "handling",
                     handling, "cause", cause, "ghost", PackGhost(d));
}

char* hwDebrief_WriteJson(const hwDebrief* d) {
    char hash[24] = "", scene[24];
    if (d->info.hashed) snprintf(hash, sizeof(hash), "0x%016llx", (unsigned long long)d->info.hash);
    snprintf(scene, sizeof(scene), "0x%016llx", (unsigned long long)d->sceneHash);
    json_t *tips = json_array(), *marks = json_array();
    for (int i = 0; hwDebrief_GetTip(d, i) != NULL; ++i) json_array_append_new(tips, json_string(d->tips[i]));
    for (int i = 0; i < d->markCount; ++i)
        json_array_append_new(marks, json_pack("{s:f, s:s, s:s}", "time", d->marks[i].time, "level",
                                               d->marks[i].level, "text", d->marks[i].text));
    json_t* json = json_pack("{s:s, s:s, s:s, s:s, s:f, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "flight",
                             d->info.id, "title", d->lesson != NULL ? d->lesson->title : d->info.title,
                             "pilot", d->info.pilot, "started", d->info.started, "duration", d->info.duration,
                             "status", d->info.status, "version", d->info.version, "hash", hash, "scene_hash",
                             scene, "tips", tips, "marks", marks, "tether", PackTether(d));
    if (json != NULL && d->lesson != NULL) json_object_set_new(json, "lesson", PackScore(d));
    char* text = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    return text;
}
