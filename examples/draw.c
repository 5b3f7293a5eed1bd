// Draws a load on a wire through debug-draw callbacks, here as a count of primitives and a side view in characters.
#include "hawser/hawser.h"

#include <stdio.h>
#include <string.h>

typedef struct Screen {
    char rows[24][61];
    int lines, points, capsules, shapes, texts;
} Screen;

// x from -6 to 6 m, z from -11 to 1 m.
static void Plot(Screen* screen, hwVec3 p, char c) {
    int column = (int)((p.x + 6.0) * 5.0), row = (int)((1.0 - p.z) * 2.0);
    if (column >= 0 && column < 60 && row >= 0 && row < 24) screen->rows[row][column] = c;
}

static void Line(hwVec3 from, hwVec3 to, hwDrawRole role, void* context) {
    Screen* screen = context;
    screen->lines += 1;
    if (role == HW_DRAW_SEABED)
        for (int i = 0; i <= 20; ++i) Plot(screen, hwMulAdd(from, i / 20.0, hwSub(to, from)), '_');
}

static void Point(hwVec3 at, double size, hwDrawRole role, void* context) {
    (void)size, (void)role;
    Screen* screen = context;
    screen->points += 1;
    Plot(screen, at, '*');
}

static void Capsule(hwVec3 from, hwVec3 to, double radius, hwDrawRole role, void* context) {
    (void)radius;
    Screen* screen = context;
    screen->capsules += 1;
    Plot(screen, hwScale(0.5, hwAdd(from, to)), role == HW_DRAW_SLACK ? ':' : '|');
}

static void Shape(const hwShapeDef* shape, hwPose pose, hwDrawRole role, void* context) {
    (void)role;
    Screen* screen = context;
    screen->shapes += 1;
    for (int i = 0; i < 8; ++i) {
        hwVec3 h = hwScale(0.5, shape->size);
        hwVec3 corner = hwMakeVec3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
        Plot(screen, hwTransformPoint(pose, corner), '#');
    }
}

static void Text(hwVec3 at, const char* text, hwDrawRole role, void* context) {
    (void)at, (void)text, (void)role;
    ((Screen*)context)->texts += 1;
}

int main(void) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef ground = hwDefaultEnvironmentDef();
    ground.seabed.kind = HW_SEABED_PLANE;
    ground.seabed.depth = 10.0;
    ground.seabed.stiffness = 1e6;
    hwWorld_SetEnvironment(world, &ground, &error);
    hwShapeDef box = hwDefaultShapeDef();
    box.size = hwMakeVec3(2.0, 2.0, 2.0);
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "load";
    body.mass = 800.0;
    for (int i = 0; i < 3; ++i) body.inertia[i] = 500.0;
    body.position.z = -9.0;
    body.shapeCount = 1;
    body.shapes = &box;
    hwBodyId load = hwWorld_AddBody(world, &body, &error);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 9.0;
    section.elements = 12;
    section.diameter = 0.02;
    section.massPerLength = 1.5;
    section.EA = 1e6;
    hwCableDef wire = hwDefaultCableDef();
    wire.name = "wire";
    wire.sectionCount = 1;
    wire.sections = &section;
    wire.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN};
    wire.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .body = load, .at = {0.0, 0.0, 1.0}};
    wire.shape = HW_CABLE_CATENARY_SHAPE;
    hwWorld_AddCable(world, &wire, &error);
    if (hwWorld_Prepare(world, &error) != HW_OK || hwWorld_Step(world, 0.5, &error) < HW_OK) return 1;

    Screen screen;
    memset(&screen, 0, sizeof(screen));
    memset(screen.rows, ' ', sizeof(screen.rows));
    hwDebugDraw draw = hwDefaultDebugDraw();
    draw.line = Line;
    draw.point = Point;
    draw.capsule = Capsule;
    draw.shape = Shape;
    draw.text = Text;
    draw.names = true;
    draw.frames = true;
    draw.seabedExtent = 5.0;
    draw.seabedLines = 3;
    draw.context = &screen;
    if (hwWorld_DebugDraw(world, &draw, &error) != HW_OK) return 1;
    for (int i = 0; i < 24; ++i) printf("%.60s\n", screen.rows[i]);
    printf("%d lines, %d points, %d capsules, %d shapes, %d texts\n", screen.lines, screen.points,
           screen.capsules, screen.shapes, screen.texts);
    hwDestroyWorld(world);
    // twelve elements, one box, its centre of mass and one contact, three axes, twelve pieces of grid, one force; two names
    bool right = screen.capsules == 12 && screen.shapes == 1 && screen.points == 2 &&
                 screen.lines == 3 + 12 + 1 && screen.texts == 2;
    return right ? 0 : 1;
}
