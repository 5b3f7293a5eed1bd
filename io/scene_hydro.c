// Drag and added mass from shapes, where a scene asks for them: once all of it has been read, since they need the water.
#include "scene_read.h"

#include <stdio.h>
#include <string.h>

// For the summary of a run: what was not given, but estimated.
static bool NoteEstimate(hwReader* reader, const hwSceneHydro* hydro, const char* name) {
    if (reader->estimates == NULL || (hydro->hasAddedMass && hydro->hasDrag)) return true;
    const hwHydroDef* def = &hydro->def;
    char text[320], added[80] = "", drag[80] = "";
    if (!hydro->hasAddedMass)
        snprintf(added, sizeof(added), "added mass %.4g, %.4g, %.4g kg", def->addedMass[0][0],
                 def->addedMass[1][1], def->addedMass[2][2]);
    if (!hydro->hasDrag)
        snprintf(drag, sizeof(drag), "drag %.4g, %.4g, %.4g N s2/m2", def->quadraticDrag[0],
                 def->quadraticDrag[1], def->quadraticDrag[2]);
    snprintf(text, sizeof(text), "%.100s: %s%s%s along x, y, z", name, added,
             added[0] != 0 && drag[0] != 0 ? ", " : "", drag);
    return hwReader_AddText(reader, reader->estimates, text);
}

bool hwEstimateHydro_Of(hwReader* reader, double waterDensity, const hwPlace* place, const hwItems* shapes,
                        hwSceneHydro* hydro, const char* name) {
    if (!hydro->fromShapes) return true;
    if (shapes->count == 0) {
        return hwReader_Warn(reader, place->line, "`hydro_from_shapes` does nothing: `%s` has no shapes",
                             name);
    }
    hwShapeDef* defs = hwReader_Take(reader, (size_t)shapes->count, sizeof(*defs));
    if (defs == NULL) return false;
    for (int i = 0; i < shapes->count; i++) defs[i] = HW_ITEM(*shapes, hwSceneShape, i)->def;
    hwHydroDef estimate = hydro->def;
    hwError error;
    if (hwHydroDef_EstimateFromShapes(shapes->count, defs, waterDensity, &estimate, &error) != HW_OK) {
        return hwReader_FailAt(reader, place->line, place->column, "`hydro_from_shapes` of `%s`: %s", name,
                               error.message);
    }
    if (!hydro->hasAddedMass) memcpy(hydro->def.addedMass, estimate.addedMass, sizeof(estimate.addedMass));
    if (!hydro->hasDrag)
        memcpy(hydro->def.quadraticDrag, estimate.quadraticDrag, sizeof(estimate.quadraticDrag));
    return NoteEstimate(reader, hydro, name);
}

bool hwEstimateHydro(hwReader* reader, hwSceneModel* model) {
    const hwEnvironmentDef* environment = &model->environment.def;
    double density = environment->water ? environment->waterDensity : 0.0;
    for (int i = 0; i < model->bodies.count; i++) {
        hwSceneBody* body = HW_ITEM(model->bodies, hwSceneBody, i);
        if (!hwEstimateHydro_Of(reader, density, &body->place, &body->shapes, &body->hydro, body->name))
            return false;
        body->def.hydro = body->hydro.def;
    }
    for (int i = 0; i < model->mechanisms.count; i++) {
        hwSceneMechanism* mechanism = HW_ITEM(model->mechanisms, hwSceneMechanism, i);
        hwSceneFreeBase* base = &mechanism->base.free;
        if (!hwEstimateHydro_Of(reader, density, &base->place, &base->shapes, &base->hydro, mechanism->name))
            return false;
        for (int k = 0; k < mechanism->links.count; k++) {
            hwSceneLink* link = HW_ITEM(mechanism->links, hwSceneLink, k);
            if (!hwEstimateHydro_Of(reader, density, &link->place, &link->shapes, &link->hydro, link->name))
                return false;
        }
    }
    return true;
}
