// Measuring watches, and what is remembered of them from step to step.
#include "parts/entanglement/entanglement.h"

#include "api/step_events.h"
#include "world/contact_rules.h"

#include <math.h>

hwPolyline hwWatch_GetNodes(const hwWorld* world, int slot) {
    const hwCableStore* store = &world->state.cables->stores[slot];
    const hwVec3* x =
        (const hwVec3*)(const void*)(world->state.q + world->model.cables->slots[slot].coordinate);
    return (hwPolyline){store->core->nodes, x};
}

hwPolyline hwWatch_GetPath(const hwWorld* world, int number) {
    int slot = world->model.entanglement->watches[number].slot, count = 0;
    hwVec3* path = world->work->entanglement->watches[number].path;
    HW_EACH_HOOK(world, part, getPath) count += part->cables->getPath(world, slot, path);
    return count > 0 ? (hwPolyline){count, path} : hwWatch_GetNodes(world, slot);
}

hwPolyline hwWatch_GetReference(const hwWorld* world, const hwWatch* watch, hwPolyline cable, hwVec3* room) {
    const hwEntanglementDef* def = &watch->object->def;
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    if (def->reference == HW_REFERENCE_PATH) return (hwPolyline){def->pathCount, def->path};
    if (def->reference == HW_REFERENCE_STRAIGHT || !environment->water || cable.count < 2)
        return (hwPolyline){0, NULL};
    hwVec3 a = cable.points[0], b = cable.points[cable.count - 1];
    room[0] = hwMakeVec3(b.x, b.y, environment->surface);
    room[1] = hwMakeVec3(a.x, a.y, environment->surface);
    return (hwPolyline){2, room};
}

// The feature where it is now.
static void PlacePiece(const hwWorld* world, const hwWatch* watch, const hwWatchPiece* piece,
                       hwWatchTools* tools, hwTetherFeature* out) {
    hwPose pose = hwPose_identity;
    if (piece->link >= 0) {
        hwBodyState state;
        hwBody_ReadMotion(world, piece->link, &state);
        pose = (hwPose){state.position, state.attitude};
    }
    out->isAxis = piece->isAxis;
    if (piece->isAxis) {
        out->axis = piece->axis;
        out->axis.point = hwTransformPoint(pose, piece->axis.point);
        out->axis.direction = hwNormalize(hwRotate(pose.q, piece->axis.direction));
        return;
    }
    hwVec3* points = tools->points + piece->first;
    for (int k = 0; k < piece->count; ++k)
        points[k] = hwTransformPoint(pose, watch->points[piece->first + k]);
    out->loop = (hwPolyline){piece->count, points};
}

const hwWatchTools* hwWatch_Measure(const hwWorld* world, int number) {
    const hwWatch* watch = &world->model.entanglement->watches[number];
    hwWatchTools* tools = &world->work->entanglement->watches[number];
    const hwStateHeader* header = world->state.header;
    if (tools->known && tools->time == header->time && tools->steps == header->counters.steps) return tools;
    hwPolyline cable = hwWatch_GetPath(world, number);
    hwVec3 room[2];
    hwPolyline reference = hwWatch_GetReference(world, watch, cable, room);
    for (int i = 0; i < watch->pieceCount; ++i)
        PlacePiece(world, watch, &watch->pieces[i], tools, &tools->features[i]);
    tools->word = hwTether_CountAll(cable, reference, watch->pieceCount, tools->features, tools->counts,
                                    HW_WATCH_LETTERS, tools->letters);
    tools->known = true;
    tools->time = header->time;
    tools->steps = header->counters.steps;
    return tools;
}

double hwWatch_GetTurns(const hwWorld* world, int number, int piece) {
    const hwTetherFeature* feature = &hwWatch_Measure(world, number)->features[piece];
    hwPolyline cable = hwWatch_GetPath(world, number);
    return feature->isAxis ? hwTether_GetSweptAngle(cable, &feature->axis, NULL) / (2.0 * HW_PI) : 0.0;
}

// Contact ------------------------------------------------------------------------------------------------------------------

// Angle through which the cable turns between two material coordinates.
static double GetTurningBetween(const hwWorld* world, int slot, double from, double to) {
    hwPolyline cable = hwWatch_GetNodes(world, slot);
    const double* material = world->state.cables->stores[slot].material;
    int first = 0, last = cable.count - 2;
    while (first < last && material[first + 1] <= from) first += 1;
    while (last > first && material[last] >= to) last -= 1;
    return hwTether_GetTurning(cable, first, last);
}

double hwWatch_GetWrap(const hwWorld* world, int number, int body, double* exponent) {
    const hwWatch* watch = &world->model.entanglement->watches[number];
    const hwWatchBody* on = &watch->bodies[body];
    const hwWatchStore* store = &world->state.entanglement->watches[number];
    double sum = 0.0;
    *exponent = 0.0;
    for (int s = 0; s < on->object->def.shapeCount; ++s) {
        const hwShapeStore* shape = &store->shapes[on->firstShape + s];
        double angle = 0.0;
        bool known = false;
        HW_EACH_HOOK(world, part, getWrapOn)
        known = known || part->cables->getWrapOn(world, watch->slot, on->link, s, &angle);
        if (!known && shape->from <= shape->to)
            angle = GetTurningBetween(world, watch->slot, shape->from, shape->to);
        sum += angle;
        *exponent += watch->friction[on->firstShape + s] * angle;
    }
    return sum;
}

// Contact that grows counts at once, what is lost after a while: instruments do not chatter.
static void HoldContact(hwShapeStore* shape, double from, double to, double time) {
    bool touches = from <= to, held = shape->from <= shape->to;
    if (touches && (!held || from <= shape->from || time - shape->fromSeen > HW_WATCH_DWELL)) {
        shape->from = from;
        shape->fromSeen = time;
    }
    if (touches && (!held || to >= shape->to || time - shape->toSeen > HW_WATCH_DWELL)) {
        shape->to = to;
        shape->toSeen = time;
    }
    if (!touches && held && time - shape->fromSeen > HW_WATCH_DWELL &&
        time - shape->toSeen > HW_WATCH_DWELL) {
        shape->from = 1.0;
        shape->to = 0.0;
    }
}

static void LookAtContact(hwWorld* world, int number, const hwContactView* views, int count) {
    const hwWatch* watch = &world->model.entanglement->watches[number];
    hwWatchStore* store = &world->state.entanglement->watches[number];
    const double* material = world->state.cables->stores[watch->slot].material;
    hwCableId cable = world->model.cables->slots[watch->slot].object->id;
    double time = world->state.header->time;
    for (int b = 0; b < watch->bodyCount; ++b) {
        const hwWatchBody* body = &watch->bodies[b];
        for (int s = 0; s < body->object->def.shapeCount; ++s) {
            double from = HUGE_VAL, to = -HUGE_VAL;
            for (int i = 0; i < count; ++i) {
                const hwContactView* view = &views[i];
                if (!HW_SAME_ID(view->cableA, cable) || !HW_SAME_ID(view->bodyB, body->object->id) ||
                    view->shapeB != s) {
                    continue;
                }
                from = hwFmin(from, material[view->elementA]);
                to = hwFmax(to, material[view->elementA + 1]);
            }
            HoldContact(&store->shapes[body->firstShape + s], from, to, time);
        }
    }
}

// Numbers that changed ----------------------------------------------------------------------------------------------------

static void LookAtNumbers(hwWorld* world, int number) {
    const hwWatch* watch = &world->model.entanglement->watches[number];
    hwWatchStore* store = &world->state.entanglement->watches[number];
    const hwWatchTools* tools = hwWatch_Measure(world, number);
    double time = world->state.header->time;
    for (int i = 0; i < watch->pieceCount; ++i) {
        hwTurnCount count = tools->counts[i];
        hwPieceStore* piece = &store->pieces[i];
        if (!count.certain || count.count == piece->number) continue;
        if (piece->number == 0) {
            piece->since = time;
            piece->side = count.count > 0 ? 1 : -1;
        }
        if (count.count == 0) {
            piece->since = (double)NAN;
            piece->side = 0;
        }
        piece->number = count.count;
        int link = watch->pieces[i].link;
        hwBodyId body = link >= 0 ? world->model.links[link].body->id : (hwBodyId){0, 0};
        hwWorld_LogWound(world, watch->slot, body, i, count.count);
    }
}

hwStatus hwWatches_Finish(hwWorld* world, const hwMode* mode, double step, bool* changed, hwError* error) {
    (void)step;
    (void)changed;
    (void)error;
    if (mode->calm || mode->settling || mode->held) return HW_OK;
    int count = -1;
    double time = world->state.header->time;
    for (int i = 0; i < world->model.entanglement->count; ++i) {
        hwWatchStore* store = &world->state.entanglement->watches[i];
        if (!hwWorld_HasCable(world, world->model.entanglement->watches[i].slot)) continue;
        if (time < *store->looked + HW_WATCH_INTERVAL) continue;
        *store->looked = time;
        hwContactView* views = world->work->rules->views;
        if (count < 0) {
            count = 0;
            HW_EACH_PART(world, part, viewContacts) count += part->viewContacts(world, views + count);
        }
        LookAtContact(world, i, views, count);
        world->work->entanglement->watches[i].known = false;
        LookAtNumbers(world, i);
    }
    return HW_OK;
}

// Summary -------------------------------------------------------------------------------------------------------------------

static double GetLeastTension(const hwCableWork* work) {
    double least = HUGE_VAL;
    for (int e = 0; e + 1 < work->nodes; ++e) least = hwFmin(least, work->tension[e]);
    return least;
}

void hwWatch_Summarize(const hwWorld* world, int number, hwEntanglement* out) {
    const hwWatch* watch = &world->model.entanglement->watches[number];
    const hwWatchStore* store = &world->state.entanglement->watches[number];
    const hwWatchTools* tools = hwWatch_Measure(world, number);
    const hwCableTools* cable = &world->work->cables->tools[watch->slot];
    const hwCableSectionDef* section = &world->model.cables->slots[watch->slot].object->def.sections[0];
    hwPolyline line = hwWatch_GetNodes(world, watch->slot);
    *out = (hwEntanglement){.featureCount = watch->pieceCount,
                            .bodyCount = watch->bodyCount,
                            .word = tools->word,
                            .first = -1,
                            .firstTime = (double)NAN};
    for (int i = 0; i < watch->pieceCount; ++i) {
        int count = tools->counts[i].count;
        out->sum += count < 0 ? -count : count;
        out->uncertain += !tools->counts[i].certain;
        if (store->pieces[i].number == 0) continue;
        if (out->first >= 0 && !(store->pieces[i].since < out->firstTime)) continue;
        out->first = i;
        out->firstTime = store->pieces[i].since;
    }
    double exponents = 0.0;
    for (int b = 0; b < watch->bodyCount; ++b) {
        double exponent;
        out->wrap += hwWatch_GetWrap(world, number, b, &exponent);
        exponents += exponent;
    }
    out->capstan = hwExp(exponents);
    if (line.count < 2) return;
    double length = hwCableState_GetLength(&cable->state);
    out->slack = length / hwDistance(line.points[0], line.points[line.count - 1]) - 1.0;
    out->bendRadius = hwTether_GetBendRadius(line, NULL);
    double allowed = watch->object->def.bendRadius;
    out->bendMargin = allowed > 0.0 ? out->bendRadius / allowed : HUGE_VAL;
    out->twist = out->hockle = 0.0;
    if (!hwWorld_HasNodes(world, watch->slot)) return;
    out->twist = cable->work.twist;
    out->hockle =
        hwTether_GetHockleIndex(section->GJ, section->EI, GetLeastTension(&cable->work), out->twist, length);
}
