// A tether wound round a pile of the complex area, headless: turns, contact and tension tell, and unwinding undoes it.
#define _GNU_SOURCE
#include "flight_world.h"

#include "apps/server/frame.h"

#define PILE_X 6.0
#define PILE_Y 12.0
#define PILE_RADIUS 0.4
#define LENGTH 24.0
#define STEP (1.0 / 60.0)

static hwWorld* MakeWorld(void) {
    hwWebCatalog catalog;
    hwError error;
    assert_true(hwWebCatalog_Init(&catalog, NULL, &error));
    hwWebFlightOptions options = catalog.defaults;
    strcpy(options.surroundings, "complex_area");
    strcpy(options.vehicle, "bluerov2_heavy");
    options.tetherLength = options.tetherOut = LENGTH;
    options.handler = HANDLER_HOLD;
    char message[200];
    if (!hwWebCatalog_CheckOptions(&catalog, &options, message, sizeof(message))) fail_msg("%s", message);
    hwWorld* world = MakeFlight(&catalog, &options);
    hwWebCatalog_Free(&catalog);
    return world;
}

// What a pilot does: pushes towards a point, with the bow along the way round the pile; `yaw` is the stick.
static void PushTowards(hwWorld* world, double x, double y, double yaw) {
    double ex = x - Read(world, "rov.position.x"), ey = y - Read(world, "rov.position.y");
    double fx = 1.2 * ex - 1.0 * Read(world, "rov.velocity.x"),
           fy = 1.2 * ey - 1.0 * Read(world, "rov.velocity.y");
    double heading = Read(world, "rov.heading"); // clockwise from north; west is +y
    Set(world, "rov.pilot.surge", hwClamp(fx * cos(heading) - fy * sin(heading), -1.0, 1.0));
    Set(world, "rov.pilot.sway", hwClamp(-fx * sin(heading) - fy * cos(heading), -1.0, 1.0));
    Set(world, "rov.pilot.yaw", yaw);
}

// Round the pile by `turns` of a circle from the angle `from`, 20 s for each; positive is counter-clockwise from above.
static void Circle(hwWorld* world, double from, double turns, double radius) {
    hwError error;
    int steps = (int)(fabs(turns) * 20.0 / STEP);
    for (int i = 0; i < steps; ++i) {
        double angle = from + 2.0 * HW_PI * turns * i / steps;
        if (i % 6 == 0) {
            // 18 degrees a second at 60 degrees a second of full stick
            double yaw = turns > 0.0 ? -0.3 : 0.3;
            PushTowards(world, PILE_X + radius * cos(angle), PILE_Y + radius * sin(angle), yaw);
        }
        if (hwWorld_Step(world, STEP, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

static void GoTo(hwWorld* world, double x, double y, double seconds) {
    hwError error;
    for (int i = 0; i < (int)(seconds / STEP); ++i) {
        if (i % 6 == 0) PushTowards(world, x, y, 0.0);
        if (hwWorld_Step(world, STEP, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

// Contact bits in a frame's section about the tether.
static int CountMarks(hwWorld* world, double* wrap) {
    hwWebChannelSource source = hwWebChannelSource_FromWorld(world);
    hwWebFrameMap* map = hwWebFrameMap_Create(world, &source);
    double* values = malloc((size_t)(hwWebFrameMap_GetChannelCount(map) + 1) * sizeof(double));
    hwWorld_ReadChannels(world, hwWebFrameMap_GetChannelCount(map), hwWebFrameMap_GetChannels(map), values);
    static uint8_t frame[FRAME_MOST_BYTES];
    hwWebFrameHead head = {.time = hwWorld_GetTime(world), .speed = 1.0};
    size_t size = hwWebFrameMap_Encode(map, &head, values, frame, sizeof(frame));
    int marks = -1;
    for (size_t at = 32; at + 8 <= size;) {
        unsigned kind = frame[at] | (unsigned)frame[at + 1] << 8;
        uint32_t length;
        memcpy(&length, frame + at + 4, 4);
        if (kind == 4 && marks < 0) {
            const uint8_t* cable = frame + at + 8;
            int nodes = cable[0] | cable[1] << 8;
            float angle;
            memcpy(&angle, cable + 20, 4);
            *wrap = (double)angle;
            const uint8_t* bits = cable + 24 + 12 * nodes + 4 * (nodes - 1);
            marks = 0;
            for (int i = 0; i < nodes; ++i) marks += bits[i / 8] >> (i % 8) & 1;
        }
        at += 8 + length;
    }
    free(values);
    hwWebFrameMap_Free(map);
    return marks;
}

static void test_TetherIsWoundRoundAPileAndOffAgain(void** state) {
    (void)state;
    hwWorld* world = MakeWorld();
    Set(world, "rov.armed", 1.0);
    Set(world, "rov.mode", HW_MODE_HOLD);
    Set(world, "rov.gain", 1.0);
    Set(world, "rov.hold.depth", 4.0);
    Set(world, "rov.axis.yaw.dead_zone", 0.0);
    Set(world, "rov.axis.yaw.expo", 0.0);
    // to the side of the pile that faces the boat
    double dx = Read(world, "tether.node[0].position.x") - PILE_X,
           dy = Read(world, "tether.node[0].position.y") - PILE_Y;
    double from = atan2(dy, dx);
    GoTo(world, PILE_X + 1.5 * cos(from), PILE_Y + 1.5 * sin(from), 30.0);
    assert_close(Read(world, "rov.position.x"), PILE_X + 1.5 * cos(from), 0.5);
    double wrapBefore = 0.0, turns = Read(world, "rov.turns");
    CountMarks(world, &wrapBefore);
    assert_true(wrapBefore < 0.5);
    // once and three quarters round it, counter-clockwise: the counter goes back
    Circle(world, from, 1.75, 1.5);
    double tension = Read(world, "rov.tether.tension"), wrap = 0.0;
    int marks = CountMarks(world, &wrap);
    assert_close(Read(world, "rov.turns") - turns, -1.75, 0.4);
    assert_true(Read(world, "tether.contact.count") >= 1.0);
    assert_true(marks >= 1);
    assert_true(wrap > 3.0); // about a turn lies on the pile
    // pulling away now pulls at the pile, not at the boat: capstan
    double angle = from + 2.0 * HW_PI * 1.75;
    // (the tether lies close to the pile, so that some nine metres are left beyond it; it slips round it for 25 s)
    GoTo(world, PILE_X + 9.0 * cos(angle), PILE_Y + 9.0 * sin(angle), 30.0);
    assert_true(Read(world, "rov.tether.tension") > tension + 20.0);
    double reach = hypot(Read(world, "rov.position.x") - PILE_X, Read(world, "rov.position.y") - PILE_Y);
    assert_true(reach < LENGTH - hypot(dx, dy) - 4.0); // what is left of the tether beyond the pile
    assert_true(Read(world, "rov.tether.tension") > 1.3 * Read(world, "tether.a.tension"));
    // The other way round: it comes off. Twice as far out, so that it is drawn along: close to the pile its slack lies in loops over one
    // another, and chance decides whether they slip off it.
    GoTo(world, PILE_X + 3.0 * cos(angle), PILE_Y + 3.0 * sin(angle), 20.0);
    Circle(world, angle, -1.75, 3.0);
    GoTo(world, 0.0, 4.0, 25.0);
    CountMarks(world, &wrap);
    assert_close(Read(world, "rov.turns") - turns, 0.0, 0.5);
    assert_true(wrap < 1.0);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_TetherIsWoundRoundAPileAndOffAgain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
