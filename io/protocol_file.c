// Reading the protocols of training studies, and who gets what by them.
#include "hawser/protocol.h"

#include "named_file.h"
#include "scene_read.h"
#include "schema.h"

#include <string.h>

typedef struct FileGroup {
    hwPlace place;
    const char* name;
} FileGroup;

typedef struct FileStep {
    hwPlace place;
    const char *phase, *lesson, *pair, *group;
    int runs;
} FileStep;

typedef struct FileClip {
    hwPlace place;
    const char *flight, *model;
} FileClip;

typedef struct FilePair {
    hwPlace place;
    const char *name, *question;
    FileClip first, second;
} FilePair;

typedef struct FileProtocol {
    hwPlace place;
    int version;
    const char* title;
    uint64_t seed;
    hwItems groups, steps, pairs;
} FileProtocol;

// Tables ---------------------------------------------------------------------------------------------------------------------

static const hwKey groupKeys[] = {{.name = "name",
                                   .type = HW_KEY_NAME,
                                   .offset = offsetof(FileGroup, name),
                                   .flags = HW_KEY_REQUIRED,
                                   .example = "simulator",
                                   .doc = "unique"}};
static const hwSection groupSection = {.title = "a group",
                                       .heading = "Protocol: groups",
                                       .size = sizeof(FileGroup),
                                       HW_KEYS(groupKeys),
                                       .shorthand = "name"};

static const hwKey stepKeys[] = {
    {.name = "phase",
     .type = HW_KEY_NAME,
     .offset = offsetof(FileStep, phase),
     .flags = HW_KEY_REQUIRED,
     .example = "pre",
     .doc = "goes into the logbook with every run"},
    {.name = "lesson",
     .type = HW_KEY_NAME,
     .offset = offsetof(FileStep, lesson),
     .flags = HW_KEY_ONE_NEEDED,
     .group = 1,
     .example = "check_dive",
     .doc = "what is flown, by its name"},
    {.name = "pair",
     .type = HW_KEY_NAME,
     .offset = offsetof(FileStep, pair),
     .flags = HW_KEY_ONE_NEEDED,
     .group = 1,
     .example = "pile",
     .doc = "the pair that is rated"},
    {.name = "runs",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(FileStep, runs),
     .range = HW_RANGE(1, 100),
     .fallback = "1",
     .example = "3",
     .doc = "how often the lesson is flown"},
    {.name = "group",
     .type = HW_KEY_NAME,
     .offset = offsetof(FileStep, group),
     .fallback = "(all)",
     .example = "simulator",
     .doc = "who does it"},
};
static const hwSection stepSection = {
    .title = "a step", .heading = "Protocol: steps", .size = sizeof(FileStep), HW_KEYS(stepKeys)};

static const hwKey clipKeys[] = {{.name = "flight",
                                  .type = HW_KEY_NAME,
                                  .offset = offsetof(FileClip, flight),
                                  .flags = HW_KEY_REQUIRED,
                                  .example = "20261116-101530-f1",
                                  .doc = "a recording in the folder of flights"},
                                 {.name = "model",
                                  .type = HW_KEY_NAME,
                                  .offset = offsetof(FileClip, model),
                                  .flags = HW_KEY_REQUIRED,
                                  .example = "dynamic",
                                  .doc = "its tether model, written beside the rating and never shown"}};
static const hwSection clipSection = {
    .title = "a clip", .heading = "Protocol: first, second", .size = sizeof(FileClip), HW_KEYS(clipKeys)};

static const hwKey pairKeys[] = {
    {.name = "name",
     .type = HW_KEY_NAME,
     .offset = offsetof(FilePair, name),
     .flags = HW_KEY_REQUIRED,
     .example = "pile",
     .doc = "unique"},
    {.name = "question",
     .type = HW_KEY_TEXT,
     .offset = offsetof(FilePair, question),
     .fallback = "(How real is the tether?)",
     .example = "How real is the tether?",
     .doc = "asked about both"},
    {.name = "first",
     .type = HW_KEY_SECTION,
     .offset = offsetof(FilePair, first),
     .section = &clipSection,
     .flags = HW_KEY_REQUIRED,
     .example = "{flight: 20261116-101530-f1, model: dynamic}",
     .doc = "one recording"},
    {.name = "second",
     .type = HW_KEY_SECTION,
     .offset = offsetof(FilePair, second),
     .section = &clipSection,
     .flags = HW_KEY_REQUIRED,
     .example = "{flight: 20261116-101602-f1, model: wrap}",
     .doc = "the other"},
};
static const hwSection pairSection = {
    .title = "a pair", .heading = "Protocol: pairs", .size = sizeof(FilePair), HW_KEYS(pairKeys)};

static const hwKey protocolKeys[] = {
    {.name = "hawser_protocol",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(FileProtocol, version),
     .flags = HW_KEY_REQUIRED,
     .range = HW_RANGE(1, 1),
     .example = "1",
     .doc = "version of this format"},
    {.name = "title",
     .type = HW_KEY_TEXT,
     .offset = offsetof(FileProtocol, title),
     .flags = HW_KEY_REQUIRED,
     .example = "Tether awareness",
     .doc = "of the study"},
    {.name = "seed",
     .type = HW_KEY_SEED,
     .offset = offsetof(FileProtocol, seed),
     .fallback = "1",
     .example = "7",
     .doc = "decides groups and the order of clips"},
    {.name = "groups",
     .type = HW_KEY_LIST,
     .offset = offsetof(FileProtocol, groups),
     .section = &groupSection,
     .flags = HW_KEY_REQUIRED,
     .example = "[simulator, untrained]",
     .doc = "into which participants come"},
    {.name = "steps",
     .type = HW_KEY_LIST,
     .offset = offsetof(FileProtocol, steps),
     .section = &stepSection,
     .flags = HW_KEY_REQUIRED,
     .example = "[{phase: pre, lesson: check_dive}]",
     .doc = "what they do, in order"},
    {.name = "pairs",
     .type = HW_KEY_LIST,
     .offset = offsetof(FileProtocol, pairs),
     .section = &pairSection,
     .fallback = "(none)",
     .example = "[]",
     .doc = "flights whose realism is rated blind"},
};
static const hwSection protocolSection = {.title = "a protocol",
                                          .heading = "The protocol",
                                          .size = sizeof(FileProtocol),
                                          HW_KEYS(protocolKeys),
                                          .doc = "What the participants of a study do."};

// Reading --------------------------------------------------------------------------------------------------------------------

struct hwProtocol {
    hwStore store;
    hwProtocolInfo info;
};

static int FindGroup(const hwItems* groups, int count, const char* name) {
    for (int i = 0; i < count; ++i) {
        if (strcmp(HW_ITEM(*groups, FileGroup, i)->name, name) == 0) return i;
    }
    return -1;
}

static int FindPair(const hwItems* pairs, int count, const char* name) {
    for (int i = 0; i < count; ++i) {
        if (strcmp(HW_ITEM(*pairs, FilePair, i)->name, name) == 0) return i;
    }
    return -1;
}

static bool FillGroups(hwReader* reader, const FileProtocol* file, hwProtocolInfo* info) {
    int count = file->groups.count;
    if (count < 1)
        return hwReader_Fail(reader, hwYaml_Find(file->place.node, "groups"),
                             "a protocol needs a group, or several");
    const char** groups = hwReader_Take(reader, (size_t)count, sizeof(*groups));
    for (int i = 0; groups != NULL && i < count; ++i) {
        const FileGroup* one = HW_ITEM(file->groups, FileGroup, i);
        if (FindGroup(&file->groups, i, one->name) >= 0)
            return hwReader_FailAt(reader, one->place.line, one->place.column,
                                   "there is already a group `%s`", one->name);
        groups[i] = one->name;
    }
    info->groups = groups;
    info->groupCount = count;
    return groups != NULL;
}

static bool FillPairs(hwReader* reader, const FileProtocol* file, hwProtocolInfo* info) {
    int count = file->pairs.count;
    hwProtocolPair* pairs = hwReader_Take(reader, (size_t)count + 1, sizeof(*pairs));
    for (int i = 0; pairs != NULL && i < count; ++i) {
        const FilePair* one = HW_ITEM(file->pairs, FilePair, i);
        if (FindPair(&file->pairs, i, one->name) >= 0)
            return hwReader_FailAt(reader, one->place.line, one->place.column, "there is already a pair `%s`",
                                   one->name);
        if (strcmp(one->first.flight, one->second.flight) == 0)
            return hwReader_FailAt(reader, one->second.place.line, one->second.place.column,
                                   "`first` and `second` are the same flight");
        pairs[i] =
            (hwProtocolPair){.name = one->name,
                             .question = one->question != NULL ? one->question : "How real is the tether?",
                             .flights = {one->first.flight, one->second.flight},
                             .models = {one->first.model, one->second.model}};
    }
    info->pairs = pairs;
    info->pairCount = count;
    return pairs != NULL;
}

static bool FillSteps(hwReader* reader, const FileProtocol* file, hwProtocolInfo* info) {
    int count = file->steps.count;
    hwProtocolStep* steps = hwReader_Take(reader, (size_t)count + 1, sizeof(*steps));
    for (int i = 0; steps != NULL && i < count; ++i) {
        const FileStep* one = HW_ITEM(file->steps, FileStep, i);
        steps[i] = (hwProtocolStep){
            .phase = one->phase, .lesson = one->lesson, .runs = one->runs, .pair = -1, .group = -1};
        if (one->pair != NULL) {
            steps[i].pair = FindPair(&file->pairs, file->pairs.count, one->pair);
            if (steps[i].pair < 0)
                return hwReader_Fail(reader, hwYaml_Find(one->place.node, "pair"), "there is no pair `%s`",
                                     one->pair);
        }
        if (one->group != NULL) {
            steps[i].group = FindGroup(&file->groups, file->groups.count, one->group);
            if (steps[i].group < 0)
                return hwReader_Fail(reader, hwYaml_Find(one->place.node, "group"), "there is no group `%s`",
                                     one->group);
        }
    }
    info->steps = steps;
    info->stepCount = count;
    return steps != NULL;
}

hwProtocol* hwParseProtocol(const char* text, size_t size, hwError* error) {
    hwStore keep;
    hwStore_Init(&keep, NULL);
    hwProtocol* protocol = HW_STORE_TAKE(&keep, hwProtocol, 1);
    if (protocol == NULL) {
        hwSceneFail_Memory(error);
        return NULL;
    }
    protocol->store = keep;
    hwReader reader = {.store = &protocol->store, .error = error, .components = 1};
    FileProtocol file = {0};
    hwYaml* root = hwYaml_Parse(&protocol->store, text, size, error);
    if (root != NULL && hwReadSection(&reader, &protocolSection, root, &file)) {
        protocol->info.title = file.title;
        protocol->info.seed = file.seed;
        if (FillGroups(&reader, &file, &protocol->info) && FillPairs(&reader, &file, &protocol->info) &&
            FillSteps(&reader, &file, &protocol->info))
            return protocol;
    }
    hwDestroyProtocol(protocol);
    return NULL;
}

hwProtocol* hwLoadProtocol(const char* path, hwError* error) {
    hwStore store;
    hwStore_Init(&store, NULL);
    hwFileText file;
    hwProtocol* protocol = NULL;
    if (hwReadFile(&store, path, &file, error)) protocol = hwParseProtocol(file.text, file.size, error);
    hwStore_Free(&store);
    return protocol;
}

void hwDestroyProtocol(hwProtocol* protocol) {
    if (protocol == NULL) return;
    hwStore store = protocol->store;
    hwStore_Free(&store);
}

const hwProtocolInfo* hwProtocol_GetInfo(const hwProtocol* protocol) {
    return &protocol->info;
}

// Who gets what --------------------------------------------------------------------------------------------------------------

// A number that only the seed and what it is for decide (splitmix64, Steele, Lea and Flood 2014).
static uint64_t Draw(uint64_t seed, uint64_t block, uint64_t use) {
    uint64_t z = seed + 0x9e3779b97f4a7c15u * (block + 1) + 0xd1b54a32d192ed03u * (use + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// The place in its block that a permutation of the block gives, by the ranks of drawn numbers.
int hwProtocolInfo_ChooseGroup(const hwProtocolInfo* info, int participant) {
    int count = info->groupCount, own = participant % count, rank = 0;
    uint64_t block = (uint64_t)(participant / count), mine = Draw(info->seed, block, (uint64_t)own);
    for (int i = 0; i < count; ++i) {
        uint64_t other = Draw(info->seed, block, (uint64_t)i);
        rank += other < mine || (other == mine && i < own);
    }
    return rank;
}

bool hwProtocolInfo_IsSwapped(const hwProtocolInfo* info, int participant, int pair) {
    bool first = (Draw(info->seed, (uint64_t)(participant / 2), 1000u + (uint64_t)pair) & 1u) != 0;
    return first != (participant % 2 != 0);
}
