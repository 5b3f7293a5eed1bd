// hawser fmu: a scene as a functional mock-up unit for co-simulation, FMI 2.0 or 3.0, in one file.
#define _XOPEN_SOURCE 700
#include "apps/cli/cli.h"
#include "apps/cli/fmu_description.h"
#include "apps/cli/session.h"
#include "apps/cli/zip.h"
#include "apps/fmu/binary.h"
#include "apps/fmu/table.h"
#include "hawser/hawser.h"
#include "hawser/results.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    OPTION_OUT,
    OPTION_FMI,
    OPTION_OUTPUTS,
    OPTION_PARAMETERS,
    OPTION_ENDS,
    OPTION_PORTS,
    OPTION_STEP,
    OPTION_PARALLEL,
    OPTION_WINDOWS
};

static const hwOption g_options[] = {
    {"out", 'o', "FILE.fmu", "file to write; default: the scene's name with .fmu"},
    {"fmi", 0, "2|3", "version of the standard; default 2"},
    {"outputs", 0, "a,b,...",
     "channels; default: the scene's record, or all but those of nodes and elements"},
    {"parameters", 0, "a,b,...", "paths of numbers in the scene, as in bodies.load.mass"},
    {"ends", 0, "a,b,...", "cable ends on the earth that the master moves, as in wire.a"},
    {"ports", 0, "a,b,...", "bodies that the master pulls at, as in load or load@0:0:1.5 (m, body frame)"},
    {"step", 0, "S", "step that is expected; default: the scene's output interval"},
    {"parallel", 0, NULL, "ends get motion of the step's start, from masters that step all units at once"},
    {"windows", 0, "FILE.dll",
     "the library for Windows, hawser_fmu.dll of `make windows`, goes into the unit too"},
    HW_SET_OPTION,
    {0},
};

typedef struct Unit {
    hwSession session;
    const hwArguments* arguments;
    int version;
    double step;
    char identifier[64];
    char token[40];
    int count, capacity;
    hwFmuVariable* variables;
    char* table; // lines without head
    size_t tableSize;
    FILE* tableStream;
    char folder[64]; // of the packed scene
} Unit;

// Modes, switches and counts jump from one whole number to another.
static bool IsDiscrete(const char* name) {
    static const char* const last[] = {"mode",   "armed", "failed",    "invert", "sense", "held",
                                       "bypass", "valid", "saturated", "count",  "steps", "beams"};
    size_t length = strlen(name);
    if (length > 6 && strcmp(name + length - 6, ".input") == 0) length -= 6; // beside a channel of the name
    for (size_t i = 0; i < sizeof(last) / sizeof(last[0]); ++i) {
        size_t own = strlen(last[i]);
        if (length > own && name[length - own - 1] == '.' && strncmp(name + length - own, last[i], own) == 0)
            return true;
    }
    return false;
}

// The unit of a key as units of channels are written, m2 for m²; empty where a key has one or the other.
static void ConvertUnit(const char* unit, char* out, size_t size) {
    size_t used = 0;
    if (strstr(unit, " or ") != NULL || strchr(unit, ',') != NULL || strstr(unit, "unit") != NULL) unit = "";
    while (*unit != 0 && used + 1 < size) {
        bool two = strncmp(unit, "²", 2) == 0, three = strncmp(unit, "³", 2) == 0;
        out[used++] = two ? '2' : three ? '3' : *unit;
        unit += two || three ? 2 : 1;
    }
    out[used] = 0;
}

static void AddVariable(Unit* unit, hwCausality causality, const char* units, double start,
                        const char* format, ...) __attribute__((format(printf, 5, 6)));
static void AddVariable(Unit* unit, hwCausality causality, const char* units, double start,
                        const char* format, ...) {
    if (unit->count == unit->capacity) {
        unit->capacity = unit->capacity > 0 ? 2 * unit->capacity : 64;
        unit->variables = hwCli_Allocate(unit->variables, (size_t)unit->capacity * sizeof(*unit->variables));
    }
    char name[400];
    va_list list;
    va_start(list, format);
    vsnprintf(name, sizeof(name), format, list);
    va_end(list);
    unit->variables[unit->count++] = (hwFmuVariable){.name = hwCli_Copy(name),
                                                     .unit = hwCli_Copy(units),
                                                     .causality = causality,
                                                     .discrete = IsDiscrete(name),
                                                     .start = start};
}

// Calls `use` for each of the names between commas.
static bool EachName(Unit* unit, const char* text, bool (*use)(Unit*, char*)) {
    if (text == NULL) return true;
    char* copy = hwCli_Copy(text);
    bool good = true;
    char* rest = NULL;
    for (char* name = strtok_r(copy, ", ", &rest); name != NULL && good; name = strtok_r(NULL, ", ", &rest))
        good = use(unit, name);
    free(copy);
    return good;
}

static bool AddParameter(Unit* unit, char* path) {
    double value;
    hwError error;
    if (hwScene_ReadNumber(unit->session.scene, path, &value, &error) < 0) {
        hwCli_PrintError(unit->session.path, &error);
        return false;
    }
    fprintf(unit->tableStream, "%c %.17g %s\n", HW_FMU_PARAMETER, value, path);
    char units[80];
    ConvertUnit(hwScene_GetUnit(unit->session.scene, path), units, sizeof(units));
    AddVariable(unit, HW_CAUSALITY_PARAMETER, units, value, "%s", path);
    return true;
}

static const char* const g_axes[] = {"x", "y", "z"};
static const char* const g_pairs[] = {"xx", "xy", "xz", "yy", "yz", "zz"};

static void AddVector(Unit* unit, hwCausality causality, const char* units, const double* starts,
                      const char* owner, const char* part) {
    for (int i = 0; i < 3; ++i)
        AddVariable(unit, causality, units, starts != NULL ? starts[i] : 0.0, "%s.coupling.%s.%s", owner,
                    part, g_axes[i]);
}

static void AddImpedance(Unit* unit, hwCausality causality, const char* owner) {
    for (int i = 0; i < 6; ++i)
        AddVariable(unit, causality, "N s/m", 0.0, "%s.coupling.impedance.%s", owner, g_pairs[i]);
}

static void AddTurn(Unit* unit, hwCausality causality, const char* owner) {
    AddVariable(unit, causality, "1", 1.0, "%s.coupling.turn.w", owner);
    AddVector(unit, causality, "1", NULL, owner, "turn");
}

// What is with the angular velocity: force, moment.
static void AddTurningImpedance(Unit* unit, hwCausality causality, const char* owner) {
    for (int i = 0; i < 9; ++i)
        AddVariable(unit, causality, "N s/rad", 0.0, "%s.coupling.cross_impedance.%s%s", owner, g_axes[i / 3],
                    g_axes[i % 3]);
    for (int i = 0; i < 6; ++i)
        AddVariable(unit, causality, "N m s/rad", 0.0, "%s.coupling.rotation_impedance.%s", owner,
                    g_pairs[i]);
}

static bool AddEnd(Unit* unit, char* name) {
    const hwWorld* world = unit->session.world;
    char* dot = strrchr(name, '.');
    bool known = dot != NULL && (strcmp(dot, ".a") == 0 || strcmp(dot, ".b") == 0);
    if (known) *dot = 0;
    hwCableId cable = known ? hwWorld_FindCable(world, name) : (hwCableId){0};
    if (known) *dot = '.';
    if (HW_IS_NULL(cable)) {
        hwCli_Complain("Give a cable and its end, as in wire.a.", "There is no cable's end \"%s\".", name);
        return false;
    }
    int end = dot[1] == 'b';
    double impedance[6][6];
    hwError error;
    hwCableView view;
    if (hwCable_PredictEndLoad(world, cable, end, unit->step, NULL, NULL, impedance, &error) < 0 ||
        hwCable_GetView(world, cable, &view, &error) < 0) {
        hwCli_PrintError(NULL, &error);
        return false;
    }
    hwVec3 at = view.positions[end == 0 ? 0 : view.nodeCount - 1];
    const double starts[3] = {at.x, at.y, at.z};
    bool clamped = hwCable_GetDef(world, cable)->ends[end].joint == HW_ATTACH_CLAMP;
    fprintf(unit->tableStream, "%c %c %.*s\n", clamped ? HW_FMU_CLAMP : HW_FMU_END, dot[1], (int)(dot - name),
            name);
    AddVector(unit, HW_CAUSALITY_INPUT, "m", starts, name, "position");
    AddVector(unit, HW_CAUSALITY_INPUT, "m/s", NULL, name, "velocity");
    AddVector(unit, HW_CAUSALITY_INPUT, "N", NULL, name, "felt");
    AddVector(unit, HW_CAUSALITY_OUTPUT, "N", NULL, name, "force");
    AddImpedance(unit, HW_CAUSALITY_OUTPUT, name);
    AddVector(unit, HW_CAUSALITY_OUTPUT, "m/s", NULL, name, "reference");
    AddVector(unit, HW_CAUSALITY_OUTPUT, "N", NULL, name, "mean");
    if (!clamped) return true;
    AddTurn(unit, HW_CAUSALITY_INPUT, name);
    AddVector(unit, HW_CAUSALITY_INPUT, "rad/s", NULL, name, "rate");
    AddVector(unit, HW_CAUSALITY_INPUT, "N m", NULL, name, "felt_moment");
    AddVector(unit, HW_CAUSALITY_OUTPUT, "N m", NULL, name, "moment");
    AddTurningImpedance(unit, HW_CAUSALITY_OUTPUT, name);
    AddVector(unit, HW_CAUSALITY_OUTPUT, "rad/s", NULL, name, "reference_rate");
    AddVector(unit, HW_CAUSALITY_OUTPUT, "N m", NULL, name, "mean_moment");
    return true;
}

static bool AddPort(Unit* unit, char* name) {
    hwVec3 at = hwVec3_zero;
    char* sign = strchr(name, '@');
    int used = 0;
    bool good =
        sign == NULL || (sscanf(sign, "@%lf:%lf:%lf%n", &at.x, &at.y, &at.z, &used) == 3 && sign[used] == 0);
    if (sign != NULL) *sign = 0;
    if (!good || HW_IS_NULL(hwWorld_FindBody(unit->session.world, name))) {
        hwCli_Complain(
            "Give a body or link, with @x:y:z where it is not pulled at its origin.",
            good ? "There is no body or link \"%s\"." : "The point of \"%s\" is not three numbers.", name);
        return false;
    }
    fprintf(unit->tableStream, "%c %.17g %.17g %.17g %s\n", HW_FMU_PORT, at.x, at.y, at.z, name);
    AddVector(unit, HW_CAUSALITY_INPUT, "N", NULL, name, "force");
    AddImpedance(unit, HW_CAUSALITY_INPUT, name);
    AddVector(unit, HW_CAUSALITY_INPUT, "m/s", NULL, name, "reference");
    AddVector(unit, HW_CAUSALITY_OUTPUT, "m", NULL, name, "position");
    AddVector(unit, HW_CAUSALITY_OUTPUT, "m/s", NULL, name, "velocity");
    AddVector(unit, HW_CAUSALITY_OUTPUT, "N", NULL, name, "felt");
    AddVector(unit, HW_CAUSALITY_INPUT, "N m", NULL, name, "moment");
    AddTurningImpedance(unit, HW_CAUSALITY_INPUT, name);
    AddVector(unit, HW_CAUSALITY_INPUT, "rad/s", NULL, name, "reference_rate");
    AddTurn(unit, HW_CAUSALITY_OUTPUT, name);
    AddVector(unit, HW_CAUSALITY_OUTPUT, "rad/s", NULL, name, "rate");
    AddVector(unit, HW_CAUSALITY_OUTPUT, "N m", NULL, name, "felt_moment");
    return true;
}

static bool IsOfNodes(const char* name) {
    return strstr(name, ".node[") != NULL || strstr(name, ".element[") != NULL;
}

// Names that were asked for twice, or that the scene has already.
static bool CheckNames(const Unit* unit, int first) {
    for (int i = first; i < unit->count; ++i) {
        for (int j = 0; j < i; ++j) {
            if (strcmp(unit->variables[i].name, unit->variables[j].name) != 0) continue;
            hwCli_Complain(NULL, "There are two variables of the name %s.", unit->variables[i].name);
            return false;
        }
    }
    return true;
}

static bool ListVariables(Unit* unit) {
    const hwSession* session = &unit->session;
    const hwWorld* world = session->world;
    const hwArguments* arguments = unit->arguments;
    bool asked = arguments->values[OPTION_OUTPUTS] != NULL || session->info->recordCount > 0;
    AddVariable(unit, HW_CAUSALITY_INDEPENDENT, "s", 0.0, "time");
    fprintf(unit->tableStream, "%c %.17g %d\n", HW_FMU_STEP, unit->step,
            arguments->values[OPTION_PARALLEL] != NULL);
    for (int i = 0; i < session->channelCount; ++i) {
        hwChannelInfo channel = hwWorld_GetChannel(world, session->channels[i]);
        // the clock comes first in every table; here it is asked for or it is not
        if (!asked && IsOfNodes(channel.name)) continue;
        fprintf(unit->tableStream, "%c %s\n", HW_FMU_OUTPUT, channel.name);
        AddVariable(unit, HW_CAUSALITY_OUTPUT, channel.unit, 0.0, "%s", channel.name);
    }
    for (int i = 0; i < hwWorld_GetInputCount(world); ++i) {
        hwChannelInfo input = hwWorld_GetInput(world, i);
        double start = hwWorld_ReadInput(world, i);
        bool twice = hwWorld_FindChannel(world, input.name) >= 0;
        if (!isfinite(start)) start = 0.0;
        fprintf(unit->tableStream, "%c %.17g %s\n", HW_FMU_INPUT, start, input.name);
        AddVariable(unit, HW_CAUSALITY_INPUT, input.unit, start, twice ? "%s.input" : "%s", input.name);
    }
    int first = unit->count;
    return EachName(unit, arguments->values[OPTION_PARAMETERS], AddParameter) &&
           EachName(unit, arguments->values[OPTION_ENDS], AddEnd) &&
           EachName(unit, arguments->values[OPTION_PORTS], AddPort) && CheckNames(unit, first);
}

// A C identifier from the file's name.
static void MakeIdentifier(const char* path, char* out, size_t size) {
    const char* slash = strrchr(path, '/');
    const char* base = slash != NULL ? slash + 1 : path;
    size_t length = strcspn(base, "."), used = 0;
    if (isdigit((unsigned char)base[0])) out[used++] = '_';
    for (size_t i = 0; i < length && used + 1 < size; ++i)
        out[used++] = isalnum((unsigned char)base[i]) ? base[i] : '_';
    if (used == 0) out[used++] = 'm';
    out[used] = 0;
}

static char* LoadFile(const char* path, size_t* size) {
    FILE* file = fopen(path, "rb");
    char* bytes = NULL;
    *size = 0;
    for (size_t got = 1; file != NULL && got > 0;) {
        bytes = hwCli_Allocate(bytes, *size + 65536);
        got = fread(bytes + *size, 1, 65536, file);
        *size += got;
    }
    if (file != NULL) fclose(file);
    return bytes;
}

static uint64_t HashBytes(uint64_t hash, const void* bytes, size_t size) {
    const unsigned char* at = bytes;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ at[i]) * 0x100000001b3ull; // FNV-1a
    return hash;
}

// Packs the scene and looks whether what was packed is the same world, bit by bit.
static bool PackScene(Unit* unit) {
    snprintf(unit->folder, sizeof(unit->folder), "/tmp/hawser-fmu-XXXXXX");
    hwError error;
    if (mkdtemp(unit->folder) == NULL) {
        unit->folder[0] = 0;
        hwCli_Complain(NULL, "Cannot create a folder in /tmp: %s.", strerror(errno));
        return false;
    }
    char path[80];
    snprintf(path, sizeof(path), "%s/scene.yaml", unit->folder);
    hwScene* scene = NULL;
    hwWorld* world = NULL;
    if (hwScene_Pack(unit->session.scene, unit->folder, &error) >= 0) scene = hwLoadScene(path, &error);
    if (scene != NULL) world = hwScene_CreateWorld(scene, NULL, &error);
    bool good = world != NULL;
    if (!good) {
        hwCli_PrintError(NULL, &error);
    } else if (hwWorld_HashState(world) != hwWorld_HashState(unit->session.world)) {
        hwCli_Complain(NULL, "The packed scene begins with another state than the scene itself.");
        good = false;
    }
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    return good;
}

static bool AddFolder(hwZip* zip, const char* folder, const char* name) {
    DIR* list = opendir(folder);
    if (list == NULL) return false;
    bool good = true;
    for (struct dirent* entry = readdir(list); entry != NULL && good; entry = readdir(list)) {
        if (entry->d_name[0] == '.') continue;
        char path[1200], inside[1200];
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        snprintf(inside, sizeof(inside), "%s/%s", name, entry->d_name);
        struct stat about;
        if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
            good = AddFolder(zip, path, inside);
            continue;
        }
        size_t size;
        char* bytes = LoadFile(path, &size);
        good = bytes != NULL;
        if (good) hwZip_Add(zip, inside, bytes, size);
        free(bytes);
    }
    closedir(list);
    return good;
}

static int RemoveEntry(const char* path, const struct stat* about, int kind, struct FTW* walk) {
    (void)about;
    (void)kind;
    (void)walk;
    return remove(path);
}

// Token: what the unit is made of, so that a description and a library that do not belong together notice it.
static void MakeToken(Unit* unit) {
    char path[80];
    size_t size;
    snprintf(path, sizeof(path), "%s/scene.yaml", unit->folder);
    char* scene = LoadFile(path, &size);
    uint64_t high = HashBytes(0xcbf29ce484222325ull, scene, size),
             low = HashBytes(high, unit->table, unit->tableSize);
    uint64_t state = hwWorld_HashState(unit->session.world);
    high = HashBytes(low, &state, sizeof(state));
    free(scene);
    snprintf(unit->token, sizeof(unit->token), "{%08x-%04x-%04x-%04x-%012llx}", (unsigned)(high >> 32),
             (unsigned)(high >> 16 & 0xffff), (unsigned)(high & 0xffff), (unsigned)(low >> 48),
             (unsigned long long)(low & 0xffffffffffffull));
}

// The library for Windows: that of --windows, or the one in this program. False with a complaint when the file is none.
static bool AddWindows(const Unit* unit, hwZip* zip) {
    const char* path = unit->arguments->values[OPTION_WINDOWS];
    size_t size = hwFmuWindows_GetSize();
    char* bytes = NULL;
    if (path != NULL) {
        bytes = LoadFile(path, &size);
        if (bytes == NULL || size < 2 || memcmp(bytes, "MZ", 2) != 0) {
            hwCli_Complain("`make windows` builds it: build-windows/hawser_fmu.dll.",
                           bytes == NULL ? "Cannot read %s." : "%s is no library for Windows.", path);
            free(bytes);
            return false;
        }
    }
    char name[200];
    snprintf(name, sizeof(name), "binaries/%s/%s.dll", unit->version == 2 ? "win64" : "x86_64-windows",
             unit->identifier);
    if (size > 0) hwZip_Add(zip, name, bytes != NULL ? bytes : (const char*)hwFmuWindows, size);
    free(bytes);
    return true;
}

static bool WriteUnit(Unit* unit, const char* target) {
    hwCliOutput output;
    if (!hwCliOutput_Open(&output, target)) return false;
    hwZip zip;
    hwZip_Begin(&zip, output.stream);
    char* text = NULL;
    size_t size = 0;
    FILE* stream = open_memstream(&text, &size);
    const hwSceneInfo* info = unit->session.info;
    hwFmuDescription description = {.version = unit->version,
                                    .name = info->name,
                                    .identifier = unit->identifier,
                                    .token = unit->token,
                                    .start = info->start,
                                    .stop = info->start + info->duration,
                                    .step = unit->step,
                                    .count = unit->count,
                                    .variables = unit->variables};
    hwFmuDescription_Write(&description, stream);
    fclose(stream);
    hwZip_Add(&zip, "modelDescription.xml", text, size);
    free(text);
    char name[200];
    snprintf(name, sizeof(name), "binaries/%s/%s.so", unit->version == 2 ? "linux64" : "x86_64-linux",
             unit->identifier);
    hwZip_Add(&zip, name, hwFmuBinary, hwFmuBinary_GetSize());
    bool windows = AddWindows(unit, &zip);
    stream = open_memstream(&text, &size);
    fprintf(stream, "%s\n%s\n%.*s", HW_FMU_TABLE_HEAD, unit->token, (int)unit->tableSize, unit->table);
    fclose(stream);
    hwZip_Add(&zip, "resources/" HW_FMU_TABLE_FILE, text, size);
    free(text);
    bool good = AddFolder(&zip, unit->folder, "resources");
    good = hwZip_End(&zip) && good;
    if (!good) hwCli_Complain(NULL, "Cannot write %s.", target);
    return hwCliOutput_Close(&output) && good && windows;
}

static int MakeUnit(Unit* unit) {
    const char* target = unit->arguments->values[OPTION_OUT];
    char name[80];
    snprintf(name, sizeof(name), "%s.fmu", unit->identifier);
    if (target == NULL) target = name;
    unit->tableStream = open_memstream(&unit->table, &unit->tableSize);
    bool good = unit->tableStream != NULL && ListVariables(unit);
    if (unit->tableStream != NULL) fclose(unit->tableStream);
    good = good && PackScene(unit);
    if (good) {
        MakeToken(unit);
        good = WriteUnit(unit, target);
    }
    if (unit->folder[0] != 0) nftw(unit->folder, RemoveEntry, 16, FTW_DEPTH | FTW_PHYS);
    if (good) {
        int counts[4] = {0};
        for (int i = 0; i < unit->count; ++i) counts[unit->variables[i].causality]++;
        bool windows = unit->arguments->values[OPTION_WINDOWS] != NULL || hwFmuWindows_GetSize() > 0;
        printf("%s: FMI %d.0, %d outputs, %d inputs, %d parameters, for %s\n", target, unit->version,
               counts[HW_CAUSALITY_OUTPUT], counts[HW_CAUSALITY_INPUT], counts[HW_CAUSALITY_PARAMETER],
               windows ? "Linux and Windows" : "Linux only");
    }
    for (int i = 0; i < unit->count; ++i) {
        free(unit->variables[i].name);
        free(unit->variables[i].unit);
    }
    free(unit->variables);
    free(unit->table);
    return good ? EXIT_GOOD : EXIT_USAGE;
}

static int RunFmu(const hwArguments* arguments) {
    Unit unit = {.arguments = arguments, .version = 2};
    const char* version = arguments->values[OPTION_FMI];
    if (version != NULL && strcmp(version, "2") != 0 && strcmp(version, "3") != 0) {
        hwCli_Complain(NULL, "--fmi is 2 or 3, not \"%s\".", version);
        return EXIT_USAGE;
    }
    if (version != NULL) unit.version = version[0] - '0';
    if (hwFmuBinary_GetSize() == 0) {
        hwCli_Complain("It needs static libraries of qhull and SUNDIALS when it is built.",
                       "This program was built without functional mock-up units.");
        return EXIT_USAGE;
    }
    const char* step = arguments->values[OPTION_STEP];
    if (step != NULL && !hwCli_ParsePositive("step", step, &unit.step)) return EXIT_USAGE;
    int status = hwSession_Open(&unit.session, &(hwSessionDef){.path = arguments->operands[0],
                                                               .channels = arguments->values[OPTION_OUTPUTS],
                                                               .setCount = arguments->setCount,
                                                               .sets = arguments->sets});
    if (status != EXIT_GOOD) return status;
    if (step == NULL) unit.step = unit.session.info->interval;
    MakeIdentifier(arguments->operands[0], unit.identifier, sizeof(unit.identifier));
    status = MakeUnit(&unit);
    hwSession_Close(&unit.session);
    return status;
}

const hwCommand hwCommand_Fmu = {
    .name = "fmu",
    .operands = "SCENE",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "Make a functional mock-up unit for co-simulation",
    .details = "The file holds the library, the scene and all files it names; it needs nothing else on the "
               "machine that\n"
               "runs it (Linux, x86-64). Inputs are all inputs of the scene; one that the master never "
               "changes is left to the\n"
               "scene. docs/embedding.md has the rest, and how two units share a cable's end.\n",
    .options = g_options,
    .run = RunFmu,
};
