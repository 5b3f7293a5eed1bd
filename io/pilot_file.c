// Reading the scripts of pilots.
#include "pilot_file.h"

#include "named_file.h"
#include "scene_read.h"

#include <math.h>
#include <string.h>

bool hwCheckAction(hwReader* reader, const hwYaml* node, void* item) {
    hwFileAction* action = item;
    if (hwYaml_Find(node, "handler") != NULL && !action->handler)
        return hwReader_Fail(reader, hwYaml_Find(node, "handler"),
                             "`handler` is true, or `tether` takes it over");
    return true;
}

struct hwPilotScript {
    hwStore store;
    hwFilePilotScript file;
    hwPilotAction* actions;
};

static bool IsGiven(const hwYaml* node, const char* key, const char* degrees) {
    return hwYaml_Find(node, key) != NULL || (degrees != NULL && hwYaml_Find(node, degrees) != NULL);
}

static void FillGo(const hwYaml* node, const hwFileGo* go, hwPilotAction* to) {
    to->kind = HW_PILOT_GO;
    to->position = go->to;
    to->within = go->within;
    to->speed = go->speed;
    to->timeout = go->timeout;
    to->ahead = go->ahead;
    to->heading = IsGiven(node, "heading", "heading_deg") ? go->heading : (double)NAN;
}

static void FillTurn(const hwYaml* node, const hwFileTurn* turn, hwPilotAction* to) {
    to->kind = HW_PILOT_TURN;
    to->within = turn->within;
    to->speed = turn->speed;
    to->timeout = turn->timeout;
    to->value = turn->by;
    to->heading = IsGiven(node, "to", "to_deg") ? turn->to : (double)NAN;
}

static void FillAction(const hwFileAction* from, hwPilotAction* to) {
    const hwYaml* node = from->place.node;
    *to = (hwPilotAction){.timeout = (double)INFINITY,
                          .heading = (double)NAN,
                          .line = from->place.line,
                          .column = from->place.column};
    if (hwYaml_Find(node, "arm") != NULL) {
        to->kind = HW_PILOT_ARM;
        to->value = from->arm ? 1.0 : 0.0;
    } else if (hwYaml_Find(node, "mode") != NULL) {
        to->kind = HW_PILOT_MODE;
        to->value = from->mode;
    } else if (hwYaml_Find(node, "gain") != NULL) {
        to->kind = HW_PILOT_GAIN;
        to->value = from->gain;
    } else if (hwYaml_Find(node, "go") != NULL) {
        FillGo(hwYaml_Find(node, "go"), &from->go, to);
    } else if (hwYaml_Find(node, "turn") != NULL) {
        FillTurn(hwYaml_Find(node, "turn"), &from->turn, to);
    } else if (hwYaml_Find(node, "wait") != NULL) {
        to->kind = HW_PILOT_WAIT;
        to->value = from->wait;
    } else if (hwYaml_Find(node, "hold") != NULL) {
        to->kind = HW_PILOT_HOLD;
        to->value = from->hold;
    } else if (hwYaml_Find(node, "set") != NULL) {
        to->kind = HW_PILOT_SET;
        to->input = from->set.input;
        to->value = from->set.value;
        to->over = from->set.over;
    } else {
        to->kind = HW_PILOT_TETHER;
        to->value = hwYaml_Find(node, "tether") != NULL ? from->tether : (double)NAN;
    }
}

static bool FillActions(hwReader* reader, hwPilotScript* script) {
    int count = script->file.actions.count;
    script->actions = hwReader_Take(reader, (size_t)count, sizeof(*script->actions));
    for (int i = 0; script->actions != NULL && i < count; i++)
        FillAction(HW_ITEM(script->file.actions, hwFileAction, i), &script->actions[i]);
    return script->actions != NULL;
}

hwPilotScript* hwMakePilotScript(hwReader* reader, const hwItems* actions) {
    hwPilotScript* script = hwReader_Take(reader, 1, sizeof(*script));
    if (script == NULL) return NULL;
    script->file.actions = *actions;
    return FillActions(reader, script) ? script : NULL;
}

hwPilotScript* hwParsePilotScript(const char* text, size_t size, hwError* error) {
    hwStore keep;
    hwStore_Init(&keep, NULL);
    hwPilotScript* script = HW_STORE_TAKE(&keep, hwPilotScript, 1);
    if (script == NULL) {
        hwSceneFail_Memory(error);
        return NULL;
    }
    script->store = keep;
    hwReader reader = {.store = &script->store, .error = error, .components = 1};
    hwYaml* root = hwYaml_Parse(&script->store, text, size, error);
    bool good = root != NULL && hwReadSection(&reader, &hwSection_pilotScript, root, &script->file);
    if (good && FillActions(&reader, script)) return script;
    hwDestroyPilotScript(script);
    return NULL;
}

hwPilotScript* hwLoadPilotScript(const char* path, hwError* error) {
    hwStore store;
    hwStore_Init(&store, NULL);
    hwFileText file;
    hwPilotScript* script = NULL;
    if (hwReadFile(&store, path, &file, error)) script = hwParsePilotScript(file.text, file.size, error);
    hwStore_Free(&store);
    return script;
}

void hwDestroyPilotScript(hwPilotScript* script) {
    if (script == NULL) return;
    hwStore store = script->store;
    hwStore_Free(&store);
}

const hwPilotAction* hwPilotScript_GetActions(const hwPilotScript* script, int* count) {
    *count = script->file.actions.count;
    return script->actions;
}

hwPilotFrame hwPilotScript_GetFrame(const hwPilotScript* script) {
    return (hwPilotFrame)script->file.frame;
}
