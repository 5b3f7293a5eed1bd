// hawser modes: natural periods, shapes and damping about the equilibrium, and the response to regular waves.
#define _XOPEN_SOURCE 700
#include "apps/cli/cli.h"
#include "apps/cli/folders.h"
#include "apps/cli/lock.h"
#include "apps/cli/session.h"
#include "hawser/math.h"
#include "hawser/modes.h"
#include "hawser/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_COUNT,
    OPTION_OUT,
    OPTION_SIZE,
    OPTION_JSON,
    OPTION_RESPONSE,
    OPTION_PERIODS,
    OPTION_HEIGHT,
    OPTION_DIRECTION,
    OPTION_DRIVE,
    OPTION_QUIET
};

static const hwOption g_options[] = {
    {"count", 'n', "N", "modes to find, the slowest ones; default: 10"},
    {"out", 'o', "DIR", "folder for modes.csv, response.csv and an animation of each mode (mode-1.h5, .glb)"},
    {"size", 0, "M", "largest displacement in the animations; default: 1 m"},
    {"json", 0, NULL, "print JSON"},
    {"response", 0, "a,b,...", "amplitudes of these channels in regular waves; * stands for any characters"},
    {"periods", 0, "FROM:TO:N", "of the waves, N at equal distances; or a list, 6,8,10; default: 4:20:17"},
    {"height", 0, "M", "of the waves, crest to trough; default: 1 m"},
    {"direction", 0, "DEG", "where the waves go, counter-clockwise from +x; default: 0"},
    {"drive", 0, "PATH", "no waves: the sine at this path of the scene takes the periods instead"},
    {"quiet", 'q', NULL, "say nothing but what went wrong"},
    HW_SET_OPTION,
    {0},
};

#define MOST_MODES 1000
#define MOST_PERIODS 1000
#define FRAMES 24 // of an animation, one cycle

typedef struct Response {
    int count; // periods
    double* periods;
    int channelCount;
    int* channels;
    hwResponse* values; // [period][channel]; amplitude NaN: none was found
    int tensionCount;   // all tensions, of which some may go slack
    int* tensions;
    int* slack; // [period] the one that does, -1: none
} Response;

typedef struct Modes {
    hwSession session;
    const hwArguments* arguments;
    int wanted; // modes asked for
    hwModes* modes;
    Response response;
    bool quiet;
} Modes;

static bool ParsePeriods(Modes* m) {
    const char* text = m->arguments->values[OPTION_PERIODS];
    if (!text) text = "4:20:17";
    m->response.periods = hwCli_Allocate(NULL, MOST_PERIODS * sizeof(double));
    double from, to, count;
    char rest;
    if (strchr(text, ':')) {
        bool good = sscanf(text, "%lf:%lf:%lf%c", &from, &to, &count, &rest) == 3 && from > 0 && to >= from &&
                    isfinite(to) && count >= 1 && count <= MOST_PERIODS && count == floor(count);
        for (int i = 0; good && i < (int)count; ++i)
            m->response.periods[m->response.count++] =
                count > 1 ? from + (to - from) * i / (count - 1) : from;
        if (good) return true;
    } else {
        const char* at = text;
        char* end;
        for (; *at && m->response.count < MOST_PERIODS; at = *end == ',' ? end + 1 : end) {
            double period = strtod(at, &end);
            if (end == at || !(period > 0) || !isfinite(period) || (*end != 0 && *end != ',')) break;
            m->response.periods[m->response.count++] = period;
        }
        if (*at == 0 && m->response.count > 0) return true;
    }
    hwCli_Complain("--periods 4:20:17 are 17 of them from 4 to 20 s, --periods 6,8,10 these three.",
                   "--periods needs positive times in s, at most %d, not \"%s\".", MOST_PERIODS, text);
    return false;
}

// Natural modes ----------------------------------------------------------------------------------------------------------------

static int FindModes(Modes* m) {
    const char* text = m->arguments->values[OPTION_COUNT];
    double count = 10;
    if (text && !hwCli_ParsePositive("count", text, &count)) return EXIT_USAGE;
    if (count != floor(count) || count > MOST_MODES) {
        hwCli_Complain(NULL, "--count is a whole number from 1 to %d, not \"%s\".", MOST_MODES, text);
        return EXIT_USAGE;
    }
    hwModesDef def = hwDefaultModesDef();
    def.count = (int)count;
    m->wanted = (int)count;
    hwError error;
    m->modes = hwWorld_FindModes(m->session.world, &def, &error);
    return m->modes ? EXIT_GOOD : hwCli_PrintError(m->session.path, &error);
}

static void PutPeriod(hwTable* table, double value) {
    if (isnan(value)) {
        hwTable_Add(table, "-");
    } else if (isinf(value)) {
        hwTable_Add(table, "free");
    } else {
        hwTable_Add(table, "%.5g", value);
    }
}

static void PrintModes(const Modes* m) {
    hwTable table = {.columns = 6, .right = "rrrrlr"};
    static const char* const heads[] = {"mode", "period, s", "rad/s", "damping", "moves", "share"};
    for (int i = 0; i < 6; ++i) hwTable_Add(&table, "%s", heads[i]);
    for (int i = 0; i < hwModes_GetCount(m->modes); ++i) {
        hwModeInfo mode = hwModes_Get(m->modes, i);
        hwTable_Add(&table, "%d", i + 1);
        if (isnan(mode.period)) {
            hwTable_Add(&table, "falls away");
            hwTable_Add(&table, "e^(%.4g t)", mode.growth);
        } else {
            PutPeriod(&table, mode.period);
            hwTable_Add(&table, "%.5g", mode.omega);
        }
        hwTable_Add(&table, isnan(mode.damping) ? "-" : "%.3g", mode.damping);
        hwTable_Add(&table, "%s", mode.object);
        hwTable_Add(&table, "%.0f %%", 100 * mode.share);
    }
    printf("%s: %d freedoms about its static equilibrium\n", m->session.info->name,
           hwModes_GetFreedomCount(m->modes));
    hwTable_Print(&table, stdout);
    hwTable_Free(&table);
    int count = hwModes_GetCount(m->modes), freedoms = hwModes_GetFreedomCount(m->modes);
    if (count < m->wanted && count < freedoms)
        printf("%d freedoms more have no mass, or are too fast to be told beside the slow ones\n",
               freedoms - count);
    if (hwModes_GetUnbalance(m->modes) > 1e-6)
        fprintf(
            stderr,
            "hawser: warning: forces of %.2g of the largest one are left there: what is held or driven in "
            "statics is free here\n",
            hwModes_GetUnbalance(m->modes));
}

// Response ---------------------------------------------------------------------------------------------------------------------

static int SelectChannels(Modes* m) {
    Response* r = &m->response;
    const char* text = m->arguments->values[OPTION_RESPONSE];
    char* copy = hwCli_Copy(text);
    const char** patterns = hwCli_Allocate(NULL, (strlen(text) / 2 + 2) * sizeof(char*));
    int count = 0;
    for (char* name = strtok(copy, ", "); name; name = strtok(NULL, ", ")) patterns[count++] = name;
    r->channels = hwCli_Allocate(NULL, (size_t)hwWorld_GetChannelCount(m->session.world) * sizeof(int));
    hwError error;
    hwStatus status =
        hwWorld_SelectChannels(m->session.world, count, patterns, r->channels, &r->channelCount, &error);
    free(patterns);
    free(copy);
    if (status != HW_OK) return hwCli_PrintError(NULL, &error);
    // world.time always comes first
    r->channelCount -= 1;
    memmove(r->channels, r->channels + 1, (size_t)r->channelCount * sizeof(int));
    return EXIT_GOOD;
}

// All channels with a tension.
static void ListTensions(Modes* m) {
    Response* r = &m->response;
    int count = hwWorld_GetChannelCount(m->session.world);
    r->tensions = hwCli_Allocate(NULL, ((size_t)count + 1) * sizeof(int));
    r->slack = hwCli_Allocate(NULL, (size_t)r->count * sizeof(int));
    for (int i = 0; i < r->count; ++i) r->slack[i] = -1;
    for (int i = 0; i < count; ++i) {
        const char* name = hwWorld_GetChannel(m->session.world, i).name;
        size_t length = strlen(name);
        if (length > 8 && strcmp(name + length - 8, ".tension") == 0) r->tensions[r->tensionCount++] = i;
    }
}

// A tension that is lost at some moment, though there is one in the mean: not that of what lies loose.
static int FindSlack(const Response* r, const hwResponse* tensions) {
    double most = 0;
    for (int i = 0; i < r->tensionCount; ++i) most = fmax(most, tensions[i].greatest);
    for (int i = 0; i < r->tensionCount; ++i) {
        if (tensions[i].least <= 0 && tensions[i].mean > 0.01 * most) return r->tensions[i];
    }
    return -1;
}

// The scene again with this period.
static hwWorld* MakeWorld(const Modes* m, double period, hwScene** scene, hwError* error) {
    const hwArguments* arguments = m->arguments;
    const char* drive = arguments->values[OPTION_DRIVE];
    const char** sets = hwCli_Allocate(NULL, ((size_t)arguments->setCount + 1) * sizeof(char*));
    for (int i = 0; i < arguments->setCount; ++i) sets[i] = arguments->sets[i];
    size_t size = (drive ? strlen(drive) : 0) + 200;
    char* own = hwCli_Allocate(NULL, size);
    if (drive) {
        snprintf(own, size, "%s.period=%.17g", drive, period);
    } else {
        const char *height = arguments->values[OPTION_HEIGHT],
                   *direction = arguments->values[OPTION_DIRECTION];
        bool flat = hwWorld_GetEnvironment(m->session.world)->flatSurface;
        snprintf(
            own, size,
            "environment.waves={airy: {height: %.30s, period: %.17g, direction_deg: %.30s}, surface: %s}",
            height ? height : "1", period, direction ? direction : "0", flat ? "flat" : "moving");
    }
    sets[arguments->setCount] = own;
    *scene = hwLoadSceneWith(m->session.path, arguments->setCount + 1, sets, error);
    hwWorldDef base = hwDefaultWorldDef();
    base.stop = hwCli_IsStopped;
    hwWorld* world = *scene ? hwScene_CreateWorld(*scene, &base, error) : NULL;
    free(sets);
    free(own);
    return world;
}

static int FindResponses(Modes* m) {
    Response* r = &m->response;
    int status = SelectChannels(m);
    if (status != EXIT_GOOD) return status;
    size_t total = (size_t)r->count * (size_t)r->channelCount;
    r->values = hwCli_Allocate(NULL, (total + 1) * sizeof(hwResponse));
    const double none = (double)NAN;
    for (size_t i = 0; i < total; ++i) r->values[i] = (hwResponse){none, none, none, none, none, 0};
    ListTensions(m);
    int all = r->channelCount + r->tensionCount;
    int* channels = hwCli_Allocate(NULL, (size_t)all * sizeof(int));
    hwResponse* values = hwCli_Allocate(NULL, (size_t)all * sizeof(hwResponse));
    memcpy(channels, r->channels, (size_t)r->channelCount * sizeof(int));
    memcpy(channels + r->channelCount, r->tensions, (size_t)r->tensionCount * sizeof(int));
    for (int i = 0; i < r->count && status != EXIT_USAGE; ++i) {
        hwError error;
        hwScene* scene = NULL;
        hwWorld* world = MakeWorld(m, r->periods[i], &scene, &error);
        hwStatus found =
            world ? hwModes_Respond(m->modes, world, r->periods[i], all, channels, values, &error) : HW_OK;
        hwDestroyWorld(world);
        hwDestroyScene(scene);
        if (!world || found == HW_ERROR_STOPPED || found == HW_ERROR_MODEL) {
            status = hwCli_PrintError(m->session.path, &error);
            break;
        }
        if (found == HW_OK) {
            memcpy(r->values + (size_t)i * (size_t)r->channelCount, values,
                   (size_t)r->channelCount * sizeof(hwResponse));
            r->slack[i] = FindSlack(r, values + r->channelCount);
        } else { // the others are not spoiled
            hwCli_Complain(error.hint, "%s.", error.message);
            status = EXIT_NUMERIC;
        }
    }
    free(channels);
    free(values);
    return status;
}

// Where the balance is not the whole of the motion.
static void PrintLimits(const Modes* m) {
    const Response* r = &m->response;
    static const char* const scopes[] = {"everything moves by a sine about its place in calm water",
                                         "bodies and joints move by sines about their places in calm water"};
    for (int i = 0; i < r->count && r->channelCount > 0; ++i) {
        const hwResponse* value = &r->values[(size_t)i * (size_t)r->channelCount];
        if (isnan(value->amplitude)) continue;
        if (value->scope != HW_RESPONSE_WHOLE)
            fprintf(stderr,
                    "hawser: warning: at %g s %s, no balance with means and harmonics was found: amplitudes "
                    "may be too large, a run shows them\n",
                    r->periods[i], scopes[value->scope]);
        if (r->slack[i] >= 0)
            fprintf(stderr,
                    "hawser: warning: at %g s %s goes slack, which three harmonics follow badly: a run shows "
                    "peaks and snaps\n",
                    r->periods[i], hwWorld_GetChannel(m->session.world, r->slack[i]).name);
    }
}

static void PrintResponses(const Modes* m) {
    const Response* r = &m->response;
    const char* drive = m->arguments->values[OPTION_DRIVE];
    double height = m->arguments->values[OPTION_HEIGHT] ? atof(m->arguments->values[OPTION_HEIGHT]) : 1;
    char* right = hwCli_Allocate(NULL, 8);
    strcpy(right, "lrrrr");
    hwTable table = {.columns = drive ? 4 : 5, .right = right};
    hwTable_Add(&table, "channel");
    hwTable_Add(&table, "period, s");
    hwTable_Add(&table, "amplitude");
    if (!drive) hwTable_Add(&table, "per m of wave");
    hwTable_Add(&table, "phase, deg");
    for (int c = 0; c < r->channelCount; ++c) {
        hwChannelInfo channel = hwWorld_GetChannel(m->session.world, r->channels[c]);
        for (int i = 0; i < r->count; ++i) {
            const hwResponse* value = &r->values[(size_t)i * (size_t)r->channelCount + (size_t)c];
            hwTable_Add(&table, "%s, %s", channel.name, channel.unit);
            hwTable_Add(&table, "%.5g", r->periods[i]);
            hwTable_Add(&table, "%.5g", value->amplitude);
            if (!drive) hwTable_Add(&table, "%.5g", value->amplitude / (0.5 * height));
            hwTable_Add(&table, "%.1f", value->phase * 180 / HW_PI);
        }
    }
    putchar('\n');
    hwTable_Print(&table, stdout);
    hwTable_Free(&table);
    free(right);
}

// Files ------------------------------------------------------------------------------------------------------------------------

static void PutJson(const Modes* m, FILE* stream) {
    fputs("{\"scene\": ", stream);
    hwCli_PutJsonString(stream, m->session.info->name);
    fprintf(stream, ", \"freedoms\": %d, \"unbalance\": ", hwModes_GetFreedomCount(m->modes));
    hwCli_PutJsonNumber(stream, hwModes_GetUnbalance(m->modes));
    fputs(", \"modes\": [", stream);
    for (int i = 0; i < hwModes_GetCount(m->modes); ++i) {
        hwModeInfo mode = hwModes_Get(m->modes, i);
        static const char* const names[] = {"omega", "period", "growth", "damping", "damped_period", "share"};
        const double values[] = {mode.omega, mode.period, mode.growth, mode.damping, mode.damped, mode.share};
        fprintf(stream, "%s\n  {\"mode\": %d, \"object\": ", i > 0 ? "," : "", i + 1);
        hwCli_PutJsonString(stream, mode.object);
        for (int k = 0; k < 6; ++k) {
            fprintf(stream, ", \"%s\": ", names[k]);
            hwCli_PutJsonNumber(stream, values[k]);
        }
        fputc('}', stream);
    }
    fputs("]", stream);
    const Response* r = &m->response;
    if (r->values) fputs(", \"response\": [", stream);
    for (int c = 0, first = 1; c < r->channelCount; ++c) {
        for (int i = 0; i < r->count; ++i, first = 0) {
            const hwResponse* value = &r->values[(size_t)i * (size_t)r->channelCount + (size_t)c];
            fprintf(stream, "%s\n  {\"channel\": ", first ? "" : ",");
            hwCli_PutJsonString(stream, hwWorld_GetChannel(m->session.world, r->channels[c]).name);
            const double values[] = {r->periods[i], value->amplitude, value->phase,
                                     value->mean,   value->least,     value->greatest};
            static const char* const names[] = {"period", "amplitude", "phase", "mean", "least", "greatest"};
            for (int k = 0; k < 6; ++k) {
                fprintf(stream, ", \"%s\": ", names[k]);
                hwCli_PutJsonNumber(stream, values[k]);
            }
            fputc('}', stream);
        }
    }
    fputs(r->values ? "]}\n" : "}\n", stream);
}

static bool WriteModes(const Modes* m, const char* folder) {
    char* path = hwCli_Allocate(NULL, strlen(folder) + 32);
    hwCliOutput output;
    sprintf(path, "%s/modes.csv", folder);
    bool good = hwCliOutput_Open(&output, path);
    if (good) {
        fputs("mode,period,omega,growth,damping,damped_period,object,share\n,s,rad/s,1/s,,s,,\n",
              output.stream);
        for (int i = 0; i < hwModes_GetCount(m->modes); ++i) {
            hwModeInfo mode = hwModes_Get(m->modes, i);
            fprintf(output.stream, "%d,%.17g,%.17g,%.17g,%.17g,%.17g,%s,%.17g\n", i + 1, mode.period,
                    mode.omega, mode.growth, mode.damping, mode.damped, mode.object, mode.share);
        }
        good = hwCliOutput_Close(&output);
    }
    const Response* r = &m->response;
    sprintf(path, "%s/response.csv", folder);
    if (good && r->values && hwCliOutput_Open(&output, path)) {
        fputs("channel,unit,period,amplitude,phase,mean,least,greatest\n,,s,,rad,,,\n", output.stream);
        for (int c = 0; c < r->channelCount; ++c) {
            hwChannelInfo channel = hwWorld_GetChannel(m->session.world, r->channels[c]);
            for (int i = 0; i < r->count; ++i) {
                const hwResponse* value = &r->values[(size_t)i * (size_t)r->channelCount + (size_t)c];
                fprintf(output.stream, "%s,%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", channel.name,
                        channel.unit, r->periods[i], value->amplitude, value->phase, value->mean,
                        value->least, value->greatest);
            }
        }
        good = hwCliOutput_Close(&output);
    }
    free(path);
    return good;
}

// The largest way of anything with a position, m, at size 1 of a mode.
static double MeasureShape(const Modes* m, int mode, const int* places, int count, double* rest,
                           double* moved) {
    hwWorld* world = m->session.world;
    hwError error;
    const double small = 1e-3;
    hwModes_Pose(m->modes, mode, 0, world, &error);
    hwWorld_ReadChannels(world, count, places, rest);
    hwModes_Pose(m->modes, mode, small, world, &error);
    hwWorld_ReadChannels(world, count, places, moved);
    double most = 0;
    for (int i = 0; i < count; ++i) most = fmax(most, fabs(moved[i] - rest[i]) / small);
    return most;
}

// A cycle of a mode as results, which viewers and converters take.
static bool WriteShape(const Modes* m, int mode, double size, const char* folder, const char* scene) {
    hwWorld* world = m->session.world;
    int count = hwWorld_GetChannelCount(world);
    hwChannelInfo* channels = hwCli_Allocate(NULL, (size_t)count * sizeof(hwChannelInfo));
    double* row = hwCli_Allocate(NULL, (size_t)count * sizeof(double));
    int* all = hwCli_Allocate(NULL, (size_t)count * sizeof(int));
    for (int i = 0; i < count; ++i) {
        channels[i] = hwWorld_GetChannel(world, i);
        all[i] = i;
    }
    hwModeInfo info = hwModes_Get(m->modes, mode);
    double period = isfinite(info.period) ? info.period : 10.0;
    char* path = hwCli_Allocate(NULL, strlen(folder) + 64);
    char* glb = hwCli_Allocate(NULL, strlen(folder) + 64);
    sprintf(path, "%s/mode-%d.h5", folder, mode + 1);
    sprintf(glb, "%s/mode-%d.glb", folder, mode + 1);
    hwRecorderDef def = hwDefaultRecorderDef();
    def.path = path;
    def.channelCount = count;
    def.channels = channels;
    def.scene = scene;
    def.world = world;
    def.live = false;
    def.info.interval = period / FRAMES;
    def.info.duration = period;
    snprintf(def.info.title, sizeof(def.info.title), "%.60s, mode %d", m->session.info->name, mode + 1);
    snprintf(def.info.status, sizeof(def.info.status), "completed");
    hwError error;
    hwRecorder* recorder = hwCreateRecorder(&def, &error);
    bool good = recorder != NULL;
    for (int k = 0; k <= FRAMES && good; ++k) {
        good = hwModes_Pose(m->modes, mode, size * sin(2 * HW_PI * k / FRAMES), world, &error) == HW_OK;
        hwWorld_ReadChannels(world, count, all, row);
        row[0] = period * k / FRAMES;
        good = good && hwRecorder_Append(recorder, 1, row, &error) == HW_OK;
    }
    good = good && hwRecorder_Finish(recorder, NULL, &error) == HW_OK;
    hwDestroyRecorder(recorder);
    good = good && hwConvertResults(path, glb, &error) == HW_OK;
    if (!good) hwCli_PrintError(NULL, &error);
    free(path);
    free(glb);
    free(channels);
    free(row);
    free(all);
    return good;
}

static bool WriteShapes(const Modes* m, const char* folder) {
    hwWorld* world = m->session.world;
    int count = hwWorld_GetChannelCount(world), placeCount = 0;
    int* places = hwCli_Allocate(NULL, (size_t)count * sizeof(int));
    double* rest = hwCli_Allocate(NULL, 2 * (size_t)count * sizeof(double));
    for (int i = 0; i < count; ++i) {
        if (strstr(hwWorld_GetChannel(world, i).name, ".position.")) places[placeCount++] = i;
    }
    double largest = 1;
    const char* text = m->arguments->values[OPTION_SIZE];
    bool good = !text || hwCli_ParsePositive("size", text, &largest);
    char* scene = hwScene_WriteText(m->session.scene);
    for (int i = 0; i < hwModes_GetCount(m->modes) && good; ++i) {
        double way = MeasureShape(m, i, places, placeCount, rest, rest + count);
        good = WriteShape(m, i, way > 0 ? largest / way : 1, folder, scene);
    }
    free(scene);
    free(places);
    free(rest);
    return good;
}

static int Execute(Modes* m) {
    const hwArguments* arguments = m->arguments;
    double unused;
    const char *height = arguments->values[OPTION_HEIGHT], *direction = arguments->values[OPTION_DIRECTION];
    if (height && !hwCli_ParsePositive("height", height, &unused)) return EXIT_USAGE;
    char* end = NULL;
    if (direction && (!isfinite(strtod(direction, &end)) || end == direction || *end != 0)) {
        hwCli_Complain(NULL, "--direction needs degrees, not \"%s\".", direction);
        return EXIT_USAGE;
    }
    bool respond = arguments->values[OPTION_RESPONSE] != NULL;
    const char* folder = arguments->values[OPTION_OUT];
    if (respond && !ParsePeriods(m)) return EXIT_USAGE;
    if (folder && !(hwCli_MakeFolders(folder, NULL) && hwCli_LockFolder(folder))) return EXIT_USAGE;
    int status = FindModes(m);
    if (status == EXIT_GOOD && respond) status = FindResponses(m);
    if (status != EXIT_GOOD && status != EXIT_NUMERIC) return status;
    if (!m->modes) return status;
    if (arguments->values[OPTION_JSON]) {
        PutJson(m, stdout);
    } else if (!m->quiet) {
        PrintModes(m);
        if (respond) PrintResponses(m);
    }
    if (respond && !m->quiet) PrintLimits(m);
    if (folder && !(WriteModes(m, folder) && WriteShapes(m, folder))) return EXIT_USAGE;
    if (folder && !m->quiet && !arguments->values[OPTION_JSON]) printf("  folder     %s\n", folder);
    return status;
}

static int RunModes(const hwArguments* arguments) {
    Modes m = {.arguments = arguments, .quiet = arguments->values[OPTION_QUIET] != NULL};
    int status = hwSession_Open(&m.session, &(hwSessionDef){.path = arguments->operands[0],
                                                            .channels = "*",
                                                            .setCount = arguments->setCount,
                                                            .sets = arguments->sets});
    if (status != EXIT_GOOD) return status;
    status = Execute(&m);
    hwDestroyModes(m.modes);
    free(m.response.periods);
    free(m.response.channels);
    free(m.response.values);
    free(m.response.tensions);
    free(m.response.slack);
    hwSession_Close(&m.session);
    return status;
}

const hwCommand hwCommand_Modes = {
    .name = "modes",
    .operands = "SCENE",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "Natural periods, mode shapes, damping; response to regular waves",
    .details =
        "About the static equilibrium in calm water, with everything that a run has. --response gives the "
        "steady\n"
        "amplitude of channels such as wire.a.tension over the period of a wave, without a run.\n",
    .options = g_options,
    .run = RunModes,
};
