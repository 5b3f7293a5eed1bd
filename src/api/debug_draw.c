// Drawing through the host's functions.
#include "geom/shape_data.h"
#include "hawser/debug_draw.h"
#include "world/cable_slots.h"

#include <math.h>

#define HW_DRAW_COOKIE 0x48570042

hwDebugDraw hwDefaultDebugDraw(void) {
    hwDebugDraw draw = {.shapes = true,
                        .cables = true,
                        .seabed = true,
                        .contacts = true,
                        .forceScale = 1e-3,
                        .axisLength = 1.0,
                        .seabedExtent = 50.0,
                        .seabedLines = 21,
                        .cookie = HW_DRAW_COOKIE};
    return draw;
}

static void DrawLine(const hwDebugDraw* draw, hwVec3 from, hwVec3 to, hwDrawRole role) {
    if (draw->line != NULL) draw->line(from, to, role, draw->context);
}

static void DrawPoint(const hwDebugDraw* draw, hwVec3 at, double size, hwDrawRole role) {
    if (draw->point != NULL) draw->point(at, size, role, draw->context);
}

static void DrawText(const hwDebugDraw* draw, hwVec3 at, const char* text) {
    if (draw->text != NULL) draw->text(at, text, HW_DRAW_TEXT, draw->context);
}

static void DrawShape(const hwDebugDraw* draw, const hwShapeDef* shape, hwPose body, hwDrawRole role) {
    hwPose pose = hwMulPose(body, shape->pose);
    if (shape->kind == HW_SHAPE_SPHERE || shape->kind == HW_SHAPE_CAPSULE) {
        double half = shape->kind == HW_SHAPE_CAPSULE ? 0.5 * shape->length : 0.0;
        hwVec3 arm = hwRotate(pose.q, hwMakeVec3(0.0, 0.0, half));
        if (draw->capsule != NULL)
            draw->capsule(hwSub(pose.p, arm), hwAdd(pose.p, arm), shape->radius, role, draw->context);
    } else if (draw->shape != NULL) {
        draw->shape(shape, pose, role, draw->context);
    }
}

static void DrawBox(const hwDebugDraw* draw, hwVec3 low, hwVec3 high) {
    hwVec3 corner[8];
    for (int i = 0; i < 8; ++i) {
        corner[i] = hwMakeVec3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    }
    for (int i = 0; i < 8; ++i) {
        for (int axis = 1; axis < 8; axis *= 2) {
            if (!(i & axis)) DrawLine(draw, corner[i], corner[i | axis], HW_DRAW_BOX);
        }
    }
}

static void DrawBody(const hwWorld* world, const hwDebugDraw* draw, const hwBodyObject* body) {
    hwBodyState state;
    hwBody_ReadMotion(world, body->link, &state);
    hwPose pose = {state.position, state.attitude};
    hwDrawRole role = world->model.links[body->link].active ? HW_DRAW_FREE : HW_DRAW_FIXED;
    for (int k = 0; k < body->def.shapeCount; ++k) {
        const hwShapeDef* shape = &body->def.shapes[k];
        if (draw->shapes) DrawShape(draw, shape, pose, role);
        hwVec3 low, high;
        hwShape_GetBounds(shape, pose, &low, &high);
        if (draw->boxes) DrawBox(draw, low, high);
    }
    if (draw->frames) {
        const hwVec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
        const hwDrawRole roles[3] = {HW_DRAW_AXIS_X, HW_DRAW_AXIS_Y, HW_DRAW_AXIS_Z};
        for (int i = 0; i < 3; ++i) {
            hwVec3 tip = hwMulAdd(pose.p, draw->axisLength, hwRotate(pose.q, axes[i]));
            DrawLine(draw, pose.p, tip, roles[i]);
        }
        DrawPoint(draw, hwTransformPoint(pose, body->def.com), 6.0, HW_DRAW_COM);
    }
    if (draw->names) DrawText(draw, pose.p, body->def.name);
}

static void DrawCable(const hwWorld* world, const hwDebugDraw* draw, int slot) {
    const hwCableTools* tools = &world->work->cables->tools[slot];
    const hwCableModel* model = &world->model.cables->slots[slot].model;
    const hwCableState* state = &tools->state;
    int nodes = tools->work.nodes;
    for (int e = 0; e + 1 < nodes; ++e) {
        hwDrawRole role = tools->work.tension[e] > 0.0 ? HW_DRAW_CABLE : HW_DRAW_SLACK;
        if (draw->capsule != NULL) {
            double diameter =
                hwCableModel_Average(model, state->material[e], state->material[e + 1]).diameter;
            draw->capsule(state->position[e], state->position[e + 1], 0.5 * diameter, role, draw->context);
        } else {
            DrawLine(draw, state->position[e], state->position[e + 1], role);
        }
    }
    if (draw->names) DrawText(draw, state->position[nodes / 2], world->model.cables->slots[slot].name);
}

// Heights along lines both ways; where a mesh has no ground the line is broken.
static void DrawSeabed(const hwWorld* world, const hwDebugDraw* draw) {
    int count = draw->seabedLines;
    double step = 2.0 * draw->seabedExtent / (count - 1);
    for (int along = 0; along < 2; ++along) {
        for (int i = 0; i < count; ++i) {
            hwVec3 last = hwVec3_zero;
            for (int j = 0; j < count; ++j) {
                double u = -draw->seabedExtent + step * j, w = -draw->seabedExtent + step * i;
                double x = along == 0 ? u : w, y = along == 0 ? w : u;
                hwVec3 here = hwMakeVec3(x, y, hwWorld_GetSeabed(world, x, y, NULL));
                if (j > 0 && isfinite(here.z) && isfinite(last.z)) DrawLine(draw, last, here, HW_DRAW_SEABED);
                last = here;
            }
        }
    }
}

static void DrawContacts(const hwWorld* world, const hwDebugDraw* draw) {
    const hwContactView* views;
    int count = hwWorld_GetContacts(world, &views);
    for (int i = 0; i < count; ++i) {
        DrawPoint(draw, views[i].point, 8.0, HW_DRAW_CONTACT);
        hwVec3 tip = hwMulAdd(views[i].point, draw->forceScale, views[i].force);
        DrawLine(draw, views[i].point, tip, HW_DRAW_FORCE);
    }
}

hwStatus hwWorld_DebugDraw(const hwWorld* world, const hwDebugDraw* draw, hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    if (draw == NULL || draw->cookie != HW_DRAW_COOKIE) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the drawing was not made by hwDefaultDebugDraw");
    }
    if (draw->seabed && (draw->seabedLines < 2 || !isfinite(draw->seabedExtent))) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "the grid of the seabed needs two lines and a finite extent");
    }
    hwWorld_Refresh(world);
    for (int i = 0; i < world->bodies.slots; ++i) {
        if (world->bodies.items[i] != NULL) DrawBody(world, draw, world->bodies.items[i]);
    }
    for (int slot = 0; draw->cables && slot < world->model.cables->count; ++slot) {
        if (hwWorld_HasCable(world, slot)) DrawCable(world, draw, slot);
    }
    bool bottom = hwEnvironment_GetDef(world->environment)->seabed.kind != HW_SEABED_NONE;
    if (draw->seabed && bottom) DrawSeabed(world, draw);
    if (draw->contacts) DrawContacts(world, draw);
    return HW_OK;
}
