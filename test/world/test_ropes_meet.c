// Ropes that meet what moves: bodies, links of mechanisms, each other.
#include "rope.h"

// Bodies and links -----------------------------------------------------------------------------------------------------

static hwBodyId AddFree(hwWorld* world, const char* name, double mass, const hwShapeDef* shape, hwVec3 at) {
    hwError error;
    hwBodyDef def = MakeObstacle(name, shape, 1);
    def.motion = HW_MOTION_FREE;
    def.mass = mass;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 0.1 * mass;
    def.position = at;
    hwBodyId id = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static hwBodyState ReadBody(const hwWorld* world, hwBodyId id) {
    hwBodyState body;
    assert_status(hwBody_GetState(world, id, &body, NULL), HW_OK);
    return body;
}

// Momentum, linear and about the origin, of a rope and a ball of 0.1 m2 radius of gyration squared.
static void AddMomenta(hwWorld* world, hwCableId rope, double perMetre, hwBodyId ball, double mass,
                       hwVec3* linear, hwVec3* angular) {
    hwCableView view = View(world, rope);
    const double* material = world->state.cables->stores[0].material; // contact inserts nodes
    hwBodyState body = ReadBody(world, ball);
    *linear = hwScale(mass, body.velocity);
    *angular =
        hwAdd(hwCross(body.position, *linear), hwScale(0.1 * mass, hwRotate(body.attitude, body.rate)));
    // the rope's mass matrix has 5/12 of an element's mass on each of its nodes and 1/12 between them
    for (int e = 0; e + 1 < view.nodeCount; ++e) {
        hwVec3 a = view.velocities[e], b = view.velocities[e + 1];
        double perNode = perMetre * (material[e + 1] - material[e]);
        hwVec3 pa = hwScale(perNode, hwAdd(hwScale(5.0 / 12.0, a), hwScale(1.0 / 12.0, b)));
        hwVec3 pb = hwScale(perNode, hwAdd(hwScale(5.0 / 12.0, b), hwScale(1.0 / 12.0, a)));
        *linear = hwAdd(*linear, hwAdd(pa, pb));
        *angular = hwAdd(*angular, hwCross(view.positions[e], pa));
        *angular = hwAdd(*angular, hwCross(view.positions[e + 1], pb));
    }
}

// Nodes that contact inserts keep momentum; of an element that turns each takes m l^2 rate / 16 of angular momentum (docs/numerics.md).
// One comes here: 0.1 kg, 0.2 m, ends that go past each other at no more than twice the 2 m/s of the rope, 20 rad/s (0.0034 N m s measured).
static void MeetABall(bool fixedMesh) {
    hwWorld* world = MakeWorld(false, 0.0, 0.5);
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_SPHERE;
    shape.radius = 0.2;
    hwBodyId ball = AddFree(world, "ball", 2.0, &shape, hwMakeVec3(0.1, 0.05, 0.0));
    hwVec3 points[2] = {{-1.0, 0.0, 0.25}, {1.0, 0.0, 0.25}};
    Rope rope = {.length = 2.0, .elements = 10, .points = points, .pointCount = 2, .fixedMesh = fixedMesh};
    hwCableId id = AddRope(world, rope);
    // it folds up behind the ball; friction between axes that are a diameter apart would leave a couple
    assert_status(hwWorld_IgnoreContact(world, "rope", "rope", NULL), HW_OK);
    Prepare(world);
    double* v = world->state.v + world->model.cables->slots[0].freedom;
    for (int i = 0; i < 11; ++i) {
        v[3 * i + 2] = -2.0;
        v[3 * i] = 0.5;
    }
    hwWorld_StateChanged(world);
    hwVec3 linear, angular, linearThen, angularThen;
    AddMomenta(world, id, 0.5, ball, 2.0, &linear, &angular);
    for (int i = 0; i < 60; ++i) Step(world);
    AddMomenta(world, id, 0.5, ball, 2.0, &linearThen, &angularThen);
    assert_true(hwLength(ReadBody(world, ball).velocity) > 0.3); // it was hit
    // forces are equal and opposite at one point; Newton leaves 1e-5 of an element and 1e-9 of a speed
    assert_close_vec3(linearThen, linear, 2e-5 * hwLength(linear));
    double taken = fixedMesh ? 0.0 : 0.1 * 0.2 * 0.2 * 20.0 / 16.0;
    assert_close_vec3(angularThen, angular, 5e-4 * hwLength(linear) + taken);
    hwDestroyWorld(world);
}

static void a_rope_and_a_ball_exchange_momentum(void** state) {
    (void)state;
    MeetABall(true);
    MeetABall(false);
}

static void a_hard_light_float_under_a_taut_rope_needs_few_iterations(void** state) {
    (void)state;
    // Steel on steel: the stiffness of contact times the step squared is thousands of times the float's and the rope's
    // mass. Each side solved with the other held would not converge.
    hwError error;
    hwWorld* world = MakeWorld(true, 9.81, 0.3);
    hwMaterialDef steel = hwDefaultMaterialDef();
    steel.name = "steel";
    steel.young = 200e9;
    assert_status(hwWorld_AddMaterial(world, &steel, &error), HW_OK);
    hwShapeDef shape = Cylinder(0.3, 1.0, hwMakeVec3(0.0, 1.0, 0.0));
    shape.material = "steel";
    hwBodyId drum = AddFree(world, "drum", 100.0, &shape, hwMakeVec3(0.0, 0.0, -0.32)); // displaces 290 kg
    hwVec3 points[2] = {{-2.0, 0.0, 0.0}, {2.0, 0.0, 0.0}};
    Rope rope = {.length = 4.0, .elements = 20, .points = points, .pointCount = 2};
    rope.ends[0] = Pin(points[0]);
    rope.ends[1] = Pin(points[1]);
    AddRope(world, rope);
    Prepare(world);
    for (int i = 0; i < 300; ++i) Step(world);
    hwCounters counters = world->state.header->counters;
    hwBodyState body = ReadBody(world, drum);
    assert_true(body.position.z > -0.4 && body.position.z < 0.0); // held down by the rope
    // 7 a stage; with the links' motion left out of the matrix 18, and five times as many steps
    assert_true(counters.iterations < 18 * counters.steps);
    assert_true(counters.unconverged < 60);
    hwDestroyWorld(world);
}

static void a_heavy_link_rides_on_a_rope(void** state) {
    (void)state;
    // A ring's bottom, a bar of 20 kg, hangs on a rope between two points that are nearer than it is long: T on both sides
    // carries it, 2 T sin(angle) = weight.
    hwWorld* world = MakeWorld(false, 9.81, 0.0);
    hwShapeDef shape = Cylinder(0.05, 0.4, hwMakeVec3(0.0, 1.0, 0.0));
    hwBodyId bar = AddFree(world, "bar", 20.0, &shape, hwMakeVec3(0.0, 0.0, 0.061));
    hwVec3 points[3] = {{-1.0, 0.0, 0.5}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.5}};
    double length = 2.0 * hwDistance(points[0], points[1]);
    Rope rope = {.length = length, .elements = 22, .points = points, .pointCount = 3};
    rope.ends[0] = Pin(points[0]);
    rope.ends[1] = Pin(points[2]);
    hwCableId id = AddRope(world, rope);
    Prepare(world);
    double least = HUGE_VAL, force = 0.0;
    for (int i = 0; i < 240; ++i) {
        Step(world);
        least = fmin(least, ReadBody(world, bar).position.z);
    }
    hwWorld_Refresh(world);
    for (int i = 0; i < world->work->cableContact->count; ++i)
        force += world->work->cableContact->patches[i].force.z;
    assert_true(least > -0.1); // it never fell through
    hwBodyState body = ReadBody(world, bar);
    double carried = -force - 20.0 * (9.81 + body.acceleration.z);
    assert_close(carried / (20.0 * 9.81), 0.0,
                 0.05); // what it presses with is what it weighs and how it accelerates
    (void)id;
    hwDestroyWorld(world);
}

// Cables and cables ---------------------------------------------------------------------------------------------------------

static void AllowCables(hwWorld* world) {
    hwContactDef contact = hwDefaultContactDef();
    contact.cables = true;
    assert_status(hwWorld_SetContact(world, &contact, NULL), HW_OK);
}

static double FindHighest(hwCableView view) {
    double highest = -HUGE_VAL;
    for (int i = 0; i < view.nodeCount; ++i) highest = fmax(highest, view.positions[i].z);
    return highest;
}

static void a_rope_hangs_over_a_taut_rope(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(true, 9.81, 0.3);
    AllowCables(world);
    hwVec3 taut[2] = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}, loose[2] = {{0.05, -1.2, 0.1}, {0.05, 1.0, 0.1}};
    Rope line = {.length = 1.99, .elements = 9, .points = taut, .pointCount = 2};
    line.ends[0] = Pin(taut[0]);
    line.ends[1] = Pin(taut[1]);
    Rope rope = {.length = 2.2, .elements = 11, .points = loose, .pointCount = 2};
    AddNamedRope(world, "line", line);
    hwCableId id = AddNamedRope(world, "rope", rope);
    Prepare(world);
    double deepest = 0.0;
    for (int i = 0; i < 240; ++i) {
        Step(world);
        for (int k = 0; k < world->work->cablePairs->count; ++k) {
            if (world->work->cablePairs->items[k].touches)
                deepest = fmax(deepest, world->work->cablePairs->items[k].depth);
        }
    }
    hwCableView view = View(world, id);
    const hwContactView* contacts;
    int count = hwWorld_GetContacts(world, &contacts);
    assert_true(count > 0 && strcmp(contacts[0].a, "line") == 0 && strcmp(contacts[0].b, "rope") == 0);
    assert_true(FindHighest(view) > -0.1);                                  // it hangs over the line
    assert_true(view.positions[0].z < -0.4 && view.positions[11].z < -0.2); // on both sides
    assert_true(deepest < 0.25 * DIAMETER);
    hwDestroyWorld(world);
}

static void ropes_that_meet_keep_their_momentum(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(false, 0.0, 0.5);
    AllowCables(world);
    hwVec3 one[2] = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}, two[2] = {{0.13, -1.0, 0.1}, {0.13, 1.0, 0.1}};
    Rope rope = {.length = 2.0, .elements = 10, .points = one, .pointCount = 2};
    AddNamedRope(world, "one", rope);
    rope.points = two;
    AddNamedRope(world, "two", rope);
    Prepare(world);
    double* v = world->state.v + world->model.cables->slots[1].freedom;
    for (int i = 0; i < 11; ++i) {
        v[3 * i + 2] = -3.0;
        v[3 * i] = 0.4;
    }
    hwWorld_StateChanged(world);
    for (int i = 0; i < 60; ++i) Step(world);
    hwVec3 sum = hwVec3_zero;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int k = 0; k < 2; ++k) {
        hwCableView view = View(world, hwWorld_FindCable(world, k == 0 ? "one" : "two"));
        for (int i = 0; i < view.nodeCount; ++i) {
            double mass = 0.5 * 0.2 * (i == 0 || i == 10 ? 0.5 : 1.0);
            sum = hwMulAdd(sum, mass, view.velocities[i]);
            if (k == 0) least = fmin(least, view.velocities[i].z);
            most = fmax(most, fabs(view.velocities[i].z));
        }
    }
    assert_true(least < -0.3); // the first one was hit
    assert_true(most < 20.0);
    // equal and opposite forces; Newton leaves 3e-5 of a radius
    assert_close_vec3(sum, hwMakeVec3(0.4, 0.0, -3.0), 1e-4);
    hwDestroyWorld(world);
}

static void a_knot_tightens_and_does_not_come_undone(void** state) {
    (void)state;
    // An overhand knot (Shastri's polynomials) whose ends are drawn apart. A rope that passed through itself would become
    // straight and slack again at the length it is given.
    hwWorld* world = MakeWorld(true, 0.0, 0.1);
    AllowCables(world);
    enum { POINTS = 81 };
    hwVec3 points[POINTS];
    double length = 0.0;
    for (int i = 0; i < POINTS; ++i) {
        double t = 2.15 * (i - 40) / 40.0, t2 = t * t;
        points[i] = hwMakeVec3(0.02 * t * (t2 * t2 - 10.0), 0.12 * t * (t2 - 3.0), 0.05 * t2 * (t2 - 4.0));
        if (i > 0) length += hwDistance(points[i - 1], points[i]);
    }
    hwVec3 apart = hwNormalize(hwSub(points[80], points[0])),
           middle = hwScale(0.5, hwAdd(points[0], points[80]));
    double half = 0.5 * hwDistance(points[0], points[80]), most = 0.5 * (length - 0.45);
    hwVec3 from = hwMulAdd(middle, -half, apart), to = hwMulAdd(middle, half, apart);
    hwSignalTerm left = hwRampTerm(from, hwMulAdd(middle, -most, apart), 0.0, 6.0);
    hwSignalTerm right = hwRampTerm(to, hwMulAdd(middle, most, apart), 0.0, 6.0);
    Rope rope = {.length = length, .elements = 60, .points = points, .pointCount = POINTS};
    rope.ends[0] = Pin(points[0]);
    rope.ends[0].path = (hwSignal){.termCount = 1, .terms = &left};
    rope.ends[1] = Pin(points[80]);
    rope.ends[1].path = (hwSignal){.termCount = 1, .terms = &right};
    AddNamedRope(world, "rope", rope);
    Prepare(world);
    int touching = 0;
    double deepest = 0.0;
    for (int i = 0; i < 480; ++i) {
        Step(world);
        touching = 0;
        for (int k = 0; k < world->work->cablePairs->count; ++k) {
            if (!world->work->cablePairs->items[k].touches) continue;
            touching += 1;
            deepest = fmax(deepest, world->work->cablePairs->items[k].depth);
        }
    }
    assert_true(touching >= 3);
    assert_true(deepest < 0.25 * DIAMETER);
    hwDestroyWorld(world);
}

// G' B G x of all contacts between cables, less that from y.
static void TakeContacts(const hwWorld* world, const double* x, double* y) {
    const hwCablePairs* pairs = world->work->cablePairs;
    for (int i = 0; i < pairs->active; ++i) {
        const hwCablePair* pair = &pairs->items[pairs->touching[i]];
        const double* b = pair->block;
        int rows[2];
        hwVec3 u = hwVec3_zero;
        for (int k = 0; k < 2; ++k) {
            rows[k] = world->model.cables->slots[pair->slot[k]].freedom + 3 * pair->element[k];
            const hwVec3* at = (const hwVec3*)(const void*)(x + rows[k]);
            hwVec3 its = hwMulAdd(at[0], pair->at[k], hwSub(at[1], at[0]));
            u = k == 0 ? its : hwSub(u, its);
        }
        double f[3] = {b[0] * u.x + b[1] * u.y + b[2] * u.z, b[1] * u.x + b[3] * u.y + b[4] * u.z,
                       b[2] * u.x + b[4] * u.y + b[5] * u.z};
        for (int k = 0; k < 2; ++k) {
            for (int r = 0; r < 3; ++r) {
                double force = k == 0 ? f[r] : -f[r];
                y[rows[k] + r] -= (1.0 - pair->at[k]) * force;
                y[rows[k] + 3 + r] -= pair->at[k] * force;
            }
        }
    }
}

// (K + G' B G) x = b, therefore x = K^-1 (b - G' B G x): with ropes between the earth and a body, held, pinned or clamped to it, that
// lie across two lines.
static void what_touches_is_in_the_matrix_whatever_holds_the_ends(void** state) {
    (void)state;
    for (int way = 0; way < 3; ++way) {
        hwWorld* world = MakeWorld(true, 9.81, 0.3);
        AllowCables(world);
        hwVec3 taut[2] = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}},
               loose[2] = {{0.05, -1.0, 0.3}, {0.05, 1.0, 0.1}};
        hwShapeDef ball = hwDefaultShapeDef();
        ball.kind = HW_SHAPE_SPHERE;
        ball.radius = 0.05;
        AddFree(world, "ball", 0.6, &ball, loose[1]);
        Rope line = {.length = 1.99, .elements = 9, .points = taut, .pointCount = 2, .EI = 0.1};
        line.ends[0] = Pin(taut[0]);
        line.ends[1] = Pin(taut[1]);
        Rope rope = {.length = 2.4, .elements = 24, .points = loose, .pointCount = 2, .EI = 0.1};
        rope.ends[0] = Pin(loose[0]);
        if (way > 0) {
            hwBodyId body = hwWorld_FindBody(world, "ball");
            rope.ends[1] = (hwCableEndDef){.joint = way == 1 ? HW_ATTACH_PIN : HW_ATTACH_CLAMP, .body = body};
            rope.ends[1].p1 = hwMakeVec3(0.0, 0.0, 1.0);
            rope.ends[1].p2 = hwMakeVec3(1.0, 0.0, 0.0);
        }
        AddNamedRope(world, "line", line);
        hwVec3 second[2] = {{-1.0, -0.5, 0.1}, {1.0, -0.5, 0.1}};
        line.points = second;
        for (int e = 0; e < 2; ++e) line.ends[e] = Pin(second[e]);
        AddNamedRope(world, "second", line);
        AddNamedRope(world, "rope", rope);
        Prepare(world);
        hwError error;
        int looked = 0, several = 0, freedoms = world->model.freedomCount;
        double *b = calloc((size_t)freedoms, sizeof(double)), *x = calloc((size_t)freedoms, sizeof(double)),
               *y = calloc((size_t)freedoms, sizeof(double));
        for (int i = 0; i < 90; ++i) {
            Step(world);
            double hd = i % 2 == 0 ? 1e-3 : 5e-3;
            EvaluateWorld(world, world->state.header->time, hd);
            assert_status(hwWorld_Factor(world, hd, NULL, &error), HW_OK);
            hwCablePairs* pairs = world->work->cablePairs;
            int active = pairs->active;
            if (active == 0) continue;
            assert_int_equal(pairs->apart, way == 0 || (way == 1 && active > 1));
            if (pairs->apart) assert_int_equal(pairs->endCount, way == 0 ? 0 : 3);
            for (int k = 0; k < freedoms; ++k) b[k] = sin(0.7 * k * k + i);
            hwWorld_SolveFactored(world, b, x);
            TakeContacts(world, x, b);
            pairs->active = 0;
            hwWorld_SolveFactored(world, b, y);
            pairs->active = active;
            double most = 0.0, off = 0.0;
            for (int k = 0; k < freedoms; ++k)
                most = fmax(most, fabs(x[k])), off = fmax(off, fabs(x[k] - y[k]));
            // stiffness of contacts over that of a slack rope: some 1e5 times rounding
            assert_true(off < 1e-9 * most);
            looked += 1;
            several += active > 1;
        }
        print_message("looked at %d times, %d with several contacts\n", looked, several);
        assert_true(looked > 5 && several > 2);
        free(b);
        free(x);
        free(y);
        hwDestroyWorld(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rope_and_a_ball_exchange_momentum),
        cmocka_unit_test(a_hard_light_float_under_a_taut_rope_needs_few_iterations),
        cmocka_unit_test(a_heavy_link_rides_on_a_rope),
        cmocka_unit_test(a_rope_hangs_over_a_taut_rope),
        cmocka_unit_test(ropes_that_meet_keep_their_momentum),
        cmocka_unit_test(what_touches_is_in_the_matrix_whatever_holds_the_ends),
        cmocka_unit_test(a_knot_tightens_and_does_not_come_undone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
