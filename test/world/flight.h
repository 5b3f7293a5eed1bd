// A vehicle in a jacket flown by a simple autopilot, its tether minded by the automatic handler. Used by the tests of ways home and
// looks ahead.
#ifndef TEST_WORLD_FLIGHT_H
#define TEST_WORLD_FLIGHT_H

#include "jacket.h"

#include "hawser/look_ahead.h"
#include "hawser/pilot.h"

#define FRAME (1.0 / 30.0) // s
#define LOOK 3             // frames between looks of autopilot and handler
#define LEAD                                                                                                 \
    0.5 // m by which the held place runs ahead: corners are cut by half of it, and clearances are 0.6 m
#define LONGEST 80.0 // m of tether on the drum and out together
#define WAYPOINTS 2100

static const hwVec3 g_boat = {4.0, 0.0, -0.5}, g_start = {11.0, 0.0, -5.0};

typedef struct Flight {
    Jacket jacket;
    int inputs[4], mode, drum; // place, depth and heading that are held
    int place[3], length, tension;
    int count; // way-points
    hwVec3 way[WAYPOINTS];
    double done, whole; // m of the way
    // what was commanded from frame `from` on, where there is room for it
    int from, commandCount, commandRoom;
    hwCommandAhead* commands;
} Flight;

static inline void StartFlight(Flight* flight) {
    char text[2000];
    snprintf(
        text, sizeof(text),
        "vehicles:\n"
        "  - {name: rov, model: bluerov2_heavy, position: [%g, %g, %g], armed: true, mode: station}\n"
        "cables:\n"
        "  - name: tether\n"
        "    sections: [{length: %.17g, elements: 6, type: rov_tether_7_6, material: plastic, "
        "element_length: {min: 0.7, max: 2}}]\n"
        "    ends: {a: {on: earth, at: [%g, %g, %g]}, b: {on: rov, at: tether}}\n"
        "winches:\n"
        "  - {name: drum, cable: tether, end: a, mode: velocity, setpoint: 0, longest: %g, acceleration: 2, "
        "deceleration: -2}\n"
        "entanglement: [{cable: tether}]\n",
        g_start.x, g_start.y, g_start.z, 1.1 * hwDistance(g_boat, g_start), g_boat.x, g_boat.y, g_boat.z,
        LONGEST);
    *flight = (Flight){.jacket = MakeJacket(text)};
    const hwWorld* world = flight->jacket.world;
    static const char* const inputs[4] = {"rov.hold.x", "rov.hold.y", "rov.hold.depth", "rov.hold.heading"};
    static const char* const places[3] = {"rov.position.x", "rov.position.y", "rov.position.z"};
    for (int i = 0; i < 4; ++i) flight->inputs[i] = hwWorld_FindInput(world, inputs[i]);
    for (int i = 0; i < 3; ++i) flight->place[i] = hwWorld_FindChannel(world, places[i]);
    flight->drum = hwWorld_FindInput(world, "drum.setpoint");
    flight->length = hwWorld_FindChannel(world, "tether.length");
    flight->tension = hwWorld_FindChannel(world, "rov.tether.tension");
    assert_true(flight->drum >= 0 && flight->length >= 0 && flight->tension >= 0);
}

static inline hwVec3 GetPlace(const Flight* flight) {
    const hwWorld* world = flight->jacket.world;
    return hwMakeVec3(hwWorld_ReadChannel(world, flight->place[0]),
                      hwWorld_ReadChannel(world, flight->place[1]),
                      hwWorld_ReadChannel(world, flight->place[2]));
}

static inline void SetWay(Flight* flight, int count, const hwVec3* points) {
    flight->count = count;
    memcpy(flight->way, points, (size_t)count * sizeof(hwVec3));
    flight->done = 0.0;
    flight->whole = hwTether_GetLength((hwPolyline){count, points});
}

static inline hwVec3 GetWayPoint(const Flight* flight, double s) {
    for (int i = 1; i < flight->count; ++i) {
        double size = hwDistance(flight->way[i - 1], flight->way[i]);
        if (s <= size && size > 0.0)
            return hwMulAdd(flight->way[i - 1], s / size, hwSub(flight->way[i], flight->way[i - 1]));
        s -= size;
    }
    return flight->way[flight->count - 1];
}

static inline void Command(Flight* flight, int frame, int input, double value) {
    hwError error;
    assert_status(hwWorld_SetInput(flight->jacket.world, input, value, &error), HW_OK);
    if (flight->commandCount < flight->commandRoom)
        flight->commands[flight->commandCount++] =
            (hwCommandAhead){(frame - flight->from) * FRAME, input, value};
}

// The simple autopilot: the place to be held runs along the way as long as it is within reach of the vehicle.
static inline void Steer(Flight* flight, int frame) {
    hwVec3 here = GetPlace(flight), held = GetWayPoint(flight, flight->done);
    for (int i = 0; i < 40 && flight->done < flight->whole && hwDistance(held, here) < LEAD; ++i) {
        flight->done = hwFmin(flight->done + 0.05, flight->whole);
        held = GetWayPoint(flight, flight->done);
    }
    Command(flight, frame, flight->inputs[0], held.x);
    Command(flight, frame, flight->inputs[1], held.y);
    Command(flight, frame, flight->inputs[2], -held.z);
    double x = held.x - here.x, y = held.y - here.y;
    if (hypot(x, y) > 0.3) Command(flight, frame, flight->inputs[3], atan2(-y, x));
}

static inline void MindTether(Flight* flight, int frame) {
    const hwWorld* world = flight->jacket.world;
    hwHandlerView view = {.length = hwWorld_ReadChannel(world, flight->length),
                          .straight = hwDistance(g_boat, GetPlace(flight)),
                          .tension = hwWorld_ReadChannel(world, flight->tension),
                          .longest = LONGEST,
                          .interval = LOOK * FRAME};
    Command(flight, frame, flight->drum, hwHandler_LimitRate(&view, hwHandler_ChooseRate(&view)));
}

static inline bool Advance(Flight* flight, int frame) {
    hwError error;
    if (frame % LOOK == 0) {
        Steer(flight, frame);
        MindTether(flight, frame);
    }
    if (hwWorld_Step(flight->jacket.world, FRAME, &error) >= HW_OK) return true;
    print_message("  %s\n", error.message);
    return false;
}

// Flies the way until it is done or the time is over.
static inline bool Fly(Flight* flight, double most) {
    for (int i = 0; i < (int)(most / FRAME); ++i) {
        if (!Advance(flight, i)) return false;
        if (flight->done >= flight->whole &&
            hwDistance(GetPlace(flight), flight->way[flight->count - 1]) < 0.5)
            return true;
    }
    return true;
}

#endif
