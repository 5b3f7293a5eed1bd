// The table of parts. A new part is a row in each of the two orders, and a pointer for each of its slices in world.h.
#include "world/part.h"

#include <string.h>

extern const hwPart hwBodiesPart, hwMechanismsPart, hwForcesPart, hwFluidPart, hwShipsPart, hwJointsPart,
    hwFeetPart, hwVehiclesPart, hwGrippersPart, hwCablesPart, hwSheavesPart, hwWinchesPart, hwCablePairsPart,
    hwIncidentsPart, hwCableContactPart, hwContactsPart, hwRulesPart, hwSensorsPart, hwEntanglementPart,
    hwInstrumentsPart, hwToolsPart, hwWrapsPart, hwHomingPart, hwFloatersPart, hwLoadCellsPart;

// The order in the state's block and among freedoms and auxiliary variables: states saved by earlier versions rely on it.
const hwPart* const hwPartsByLayout[HW_PART_COUNT] = {
    &hwBodiesPart,   &hwMechanismsPart, &hwForcesPart,     &hwFluidPart,        &hwShipsPart,
    &hwJointsPart,   &hwFeetPart,       &hwVehiclesPart,   &hwGrippersPart,     &hwCablesPart,
    &hwSheavesPart,  &hwWinchesPart,    &hwCablePairsPart, &hwIncidentsPart,    &hwCableContactPart,
    &hwContactsPart, &hwRulesPart,      &hwSensorsPart,    &hwEntanglementPart, &hwInstrumentsPart,
    &hwToolsPart,    &hwWrapsPart,      &hwHomingPart,     &hwFloatersPart,     &hwLoadCellsPart};

// The order of evaluations and of all else in a step: cables after what holds their ends, and what borders the matrix last.
const hwPart* const hwPartsByStep[HW_PART_COUNT] = {
    &hwBodiesPart,       &hwMechanismsPart,   &hwShipsPart,     &hwFluidPart,    &hwFloatersPart,
    &hwForcesPart,       &hwJointsPart,       &hwFeetPart,      &hwContactsPart, &hwVehiclesPart,
    &hwGrippersPart,     &hwCableContactPart, &hwWinchesPart,   &hwWrapsPart,    &hwCablesPart,
    &hwCablePairsPart,   &hwSheavesPart,      &hwIncidentsPart, &hwRulesPart,    &hwSensorsPart,
    &hwEntanglementPart, &hwInstrumentsPart,  &hwToolsPart,     &hwHomingPart,   &hwLoadCellsPart};

_Static_assert(HW_PART_COUNT < sizeof(((hwModel*)0)->parts) / sizeof(((hwModel*)0)->parts[0]),
               "a model lists its parts and a null after them");

_Static_assert(sizeof(hwPart) / sizeof(void*) <= sizeof(((hwModel*)0)->partsWith) / sizeof(uint32_t) &&
                   sizeof(((hwModel*)0)->parts) / sizeof(void*) <= 32,
               "a model has a word for each function of a part, and a bit in it for each part");

void hwModel_NoteParts(hwModel* model) {
    memset(model->partsWith, 0, sizeof(model->partsWith));
    for (size_t k = 0; k < sizeof(hwPart) / sizeof(void*); ++k) { // of sizes and flags nobody asks
        for (int i = 0; i < model->partCount; ++i) {
            void* member; // null pointers to functions are as null as others
            memcpy(&member, (const char*)model->parts[i] + k * sizeof(void*), sizeof(member));
            if (member != NULL) model->partsWith[k] |= UINT32_C(1) << i;
        }
    }
}

static void TakeSlice(hwArena* arena, hwSlice slice, void* owner) {
    if (slice.size == 0) return;
    void* taken = hwArena_Take(arena, 1, slice.size);
    // all pointers to structures have one representation
    if (owner != NULL) memcpy((char*)owner + slice.offset, &taken, sizeof(taken));
}

bool hwParts_TakeSlices(const hwAllocator* allocator, hwModel* model, hwState* state, hwWork** work) {
    hwArena arena = {0};
    for (int pass = 0; pass < 2; ++pass) {
        hwWork* own = HW_TAKE(&arena, hwWork, 1);
        for (int i = 0; i < HW_PART_COUNT; ++i) {
            TakeSlice(&arena, hwPartsByLayout[i]->model, model);
            TakeSlice(&arena, hwPartsByLayout[i]->state, state);
            TakeSlice(&arena, hwPartsByLayout[i]->work, own);
        }
        *work = own;
        if (pass == 1) break;
        arena.base = hwAllocate(allocator, arena.used);
        if (arena.base == NULL) return false;
        arena.used = 0;
    }
    model->slices = arena.base;
    model->sliceSize = arena.used;
    return true;
}

hwStatus hwWorld_CheckInput(const hwModel* model, int input, double value, hwError* error) {
    const hwChannelEntry* entry = &model->inputs.entries[input];
    return entry->check != NULL ? entry->check(entry->name, value, error) : HW_OK;
}

void hwWorld_InputChanged(hwWorld* world, int input) {
    HW_EACH_PART(world, part, inputChanged) part->inputChanged(world, input);
}
