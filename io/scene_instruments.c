#include "scene_instruments.h"

#include "scene_place.h"
#include "vehicle_file.h"

#include <stdio.h>
#include <string.h>

static const hwFieldKey instrumentKeys[] = {{"body", "on"}, {"cable", "on"}, {"", "kind"}, {NULL, NULL}};

static bool Fail(const hwSceneInstrument* instrument, hwError* error) {
    if (error != NULL) hwPlaceField(&instrument->place, instrumentKeys, error);
    return false;
}

bool hwScene_AddInstruments(const hwScene* scene, hwWorld* world, hwError* error) {
    for (int i = 0; i < scene->model.instruments.count; i++) {
        const hwSceneInstrument* instrument = HW_ITEM(scene->model.instruments, hwSceneInstrument, i);
        hwInstrumentDef def = instrument->def;
        def.cookie = hwDefaultInstrumentDef().cookie;
        def.name = instrument->name;
        def.kind = (hwInstrumentKind)instrument->kind;
        if (def.kind == HW_INSTRUMENT_LOAD_CELL) {
            def.cable = hwWorld_FindCable(world, instrument->on.text);
        } else {
            def.body = hwWorld_FindBody(world, instrument->on.text);
        }
        if (instrument->transceiver.text != NULL)
            def.transceiver = hwWorld_FindBody(world, instrument->transceiver.text);
        if (HW_IS_NULL(hwWorld_AddInstrument(world, &def, error))) return Fail(instrument, error);
    }
    return true;
}

bool hwVehicleType_AddInstruments(const hwVehicleType* type, hwWorld* world, hwBodyId body, hwError* error) {
    for (int i = 0; i < type->look.instrumentCount; i++) {
        hwInstrumentDef def = type->look.instruments[i];
        char name[128];
        snprintf(name, sizeof(name), "%s.%s", hwBody_GetName(world, body), def.name);
        def.name = name;
        def.body = body;
        if (HW_IS_NULL(hwWorld_AddInstrument(world, &def, error))) return false;
    }
    return true;
}
