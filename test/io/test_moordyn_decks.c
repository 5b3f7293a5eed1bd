// What each table of a MoorDyn deck becomes, against values worked out by hand.
#define DECKS FOLDER "/moordyn_decks"
#include "moordyn_text.h"

#define TITLE "----- MoorDyn Input File -----\nours\n"
#define TYPE_HEAD "----- LINE TYPES -----\nTypeName Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx\nunits\n"
#define POINT_HEAD "----- POINTS -----\nID Attachment X Y Z Mass Volume CdA Ca\nunits\n"
#define LINE_HEAD "----- LINES -----\nID LineType AttachA AttachB UnstrLen NumSegs Outputs\nunits\n"
#define ROD_TYPE_HEAD "----- ROD TYPES -----\nTypeName Diam Mass/m Cd Ca CdEnd CaEnd\nunits\n"
#define ROD_HEAD "----- RODS -----\nID RodType Attachment Xa Ya Za Xb Yb Zb NumSegs RodOutputs\nunits\n"
#define BODY_HEAD "----- BODIES -----\nID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG* I* Volume CdA* Ca*\nunits\n"
#define OPTION_HEAD "----- OPTIONS -----\n"
#define END "----- need this line -----\n"
#define CHAIN "chain 0.1 80 1e8 1e5 0 1.5 0.9 0.2 0.1\n"

static const hwSceneCableSection* GetSection(const hwScene* scene, int cable, int section) {
    return HW_ITEM(HW_ITEM(scene->model.cables, hwSceneCable, cable)->sections, hwSceneCableSection, section);
}

static void AssertChain(const hwSceneCableSection* s) {
    assert_true(s->diameter == 0.1 && s->massPerLength == 80.0 && s->EA == 1e8 && s->damping.axial == 1e5);
    assert_true(s->drag.normal == 1.5 && s->addedMass.normal == 0.9 && s->drag.tangential == 0.2 &&
                s->addedMass.tangential == 0.1);
}

static void columns_follow_their_names(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene = Convert(
        TITLE "----- LINE TYPES -----\nLineType Diam MassDenInAir EA BA/-zeta EI tbd Can Cat Cdn Cdt\nunits\n"
              "chain 0.1 80 1e8 1e5 0 7 0.9 0.1 1.5 0.2\n"
              "----- POINTS -----\nNode Type Z X Y V M CA CdA\nunits\n1 Fixed -50 90 0 0 0 0 0\n2 Fixed -1 0 "
              "0 0 0 0 0\n"
              "----- LINES -----\nLine NumSegs UnstrLen NodeB NodeA LineType Flags/Outputs\nunits\n1 5 110 2 "
              "1 chain -\n" OPTION_HEAD "50 WtrDpth\n" END,
        &notes);
    AssertChain(GetSection(scene, 0, 0));
    const hwSceneCable* cable = HW_ITEM(scene->model.cables, hwSceneCable, 0);
    assert_true(GetSection(scene, 0, 0)->length == 110.0 && GetSection(scene, 0, 0)->elements == 5);
    assert_non_null(strstr(notes.text, "mooring.dat:4:43: the column `tbd` is not known"));
    assert_non_null(strstr(notes.text, "MoorDyn 2 itself reads them by their places"));
    assert_string_equal(cable->name, "line1");
    hwWorld* world = MakeWorld(scene);
    assert_true(fabs(Channel(world, "line1.node[0].position.x") - 90.0) < 1e-9);
    assert_true(fabs(Channel(world, "line1.node[5].position.z") + 1.0) < 1e-9);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// Version 1: other columns in another order, also where the heading does not name them; forces on points.
static void version_1_is_read(void** state) {
    (void)state;
    static const char* const heads[][3] = {
        {"LineType Diam MassDen EA BA/-zeta Can Cat Cdn Cdt", "Node Type X Y Z M V FX FY FZ CdA CA",
         "Line LineType UnstrLen NumSegs NodeAnch NodeFair Flags/Outputs"},
        {"a", "b", "c"},
        {"1 NTypes - number of types\na", "3 NConnects - number\nb", "2 NLines - number of line objects\nc"}};
    for (int i = 0; i < 3; i++) {
        Notes notes = {0};
        char text[1200];
        snprintf(text, sizeof(text),
                 "title\n--- LINE DICTIONARY ---\n%s\nunits\nchain 0.1 80 1e8 1e5 0.9 0.1 1.5 0.2\n"
                 "--- NODE PROPERTIES ---\n%s\nunits\n1 Fixed 90 0 -50 0 0 0 0 0 0 0\n2 Vessel 0 0 -1 0 0 0 "
                 "0 0 0 0\n"
                 "3 Connect 50 0 -40 100 0.01 0 0 500 0 0\n"
                 "--- LINE PROPERTIES ---\n%s\nunits\n1 chain 60 5 1 3 p\n2 chain 75 5 3 2 p\n"
                 "--- SOLVER OPTIONS---\n50 WtrDpth\n9.81 g\n--- need this line ---\n",
                 heads[i][0], heads[i][1], heads[i][2]);
        hwScene* scene = Convert(text, &notes);
        AssertChain(GetSection(scene, 0, 0));
        assert_true(GetSection(scene, 1, 0)->length == 75.0 && GetSection(scene, 1, 0)->elements == 5);
        // the point is in balance: its weight in water less the 500 N that hold it up
        hwWorld* world = MakeWorld(scene);
        double weight = 9.81 * (100.0 - 1025.0 * 0.01) - 500.0;
        double up = Channel(world, "line1.b.force.z") + Channel(world, "line2.a.force.z");
        assert_true(fabs(up - weight) < 1e-3 * fabs(weight));
        hwDestroyWorld(world);
        hwDestroyScene(scene);
    }
}

#define TWO_POINTS "1 Fixed 100 0 -100 0 0 0 0\n2 Fixed 0 0 0 0 0 0 0\n"

// Two lines that meet in a point without mass are one line: the tensions of the whole.
static void points_without_mass_have_none(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* whole = Convert(TITLE TYPE_HEAD CHAIN POINT_HEAD TWO_POINTS LINE_HEAD
                             "1 chain 1 2 160 16 -\n" OPTION_HEAD "500 WtrDpth\n" END,
                             &notes);
    hwScene* parts = Convert(TITLE TYPE_HEAD CHAIN POINT_HEAD TWO_POINTS
                             "3 Free 40 0 -90 0 0 0 0\n" LINE_HEAD
                             "1 chain 3 1 80 8 -\n2 chain 3 2 80 8 -\n" OPTION_HEAD "500 WtrDpth\n" END,
                             &notes);
    assert_int_equal(parts->model.bodies.count, 0);
    assert_int_equal(parts->model.cables.count, 1);
    assert_string_equal(HW_ITEM(parts->model.cables, hwSceneCable, 0)->name, "line1_2");
    hwWorld *a = MakeWorld(whole), *b = MakeWorld(parts);
    double expected = Channel(a, "line1.b.tension"), found = Channel(b, "line1_2.b.tension");
    assert_true(fabs(found - expected) <
                1e-6 * expected); // the same system, solved to the tolerance of statics
    hwDestroyWorld(a);
    hwDestroyWorld(b);
    hwDestroyScene(whole);
    hwDestroyScene(parts);
}

static void three_lines_meet_in_a_body_of_next_to_no_mass(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene = Convert(TITLE TYPE_HEAD CHAIN POINT_HEAD TWO_POINTS
                             "3 Free 50 0 -90 0 0 0 0\n4 Fixed -50 80 -20 0 0 0 0\n" LINE_HEAD
                             "1 chain 3 1 80 8 -\n2 chain 3 2 120 8 -\n3 chain 4 3 170 8 -\n" OPTION_HEAD
                             "500 WtrDpth\n" END,
                             &notes);
    assert_int_equal(scene->model.bodies.count, 1);
    double held = 0.5 * 80.0 * (80.0 + 120.0 + 170.0);
    assert_true(HW_ITEM(scene->model.bodies, hwSceneBody, 0)->def.mass <= 1.01e-6 * held);
    hwWorld* world = MakeWorld(scene);
    hwError error;
    double z = Channel(world, "point3.position.z");
    assert_int_equal(hwWorld_Step(world, 5.0, &error), HW_OK);
    assert_true(fabs(Channel(world, "point3.position.z") - z) <
                1e-3); // and it stays where statics has put it
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// A line that ends in a free point without mass hangs down: it carries its weight in water.
static void a_loose_end_hangs(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene = Convert(TITLE TYPE_HEAD CHAIN POINT_HEAD
                             "1 Fixed 0 0 -10 0 0 0 0\n2 Free 0 0 -60 0 0 0 0\n" LINE_HEAD
                             "1 chain 1 2 50 10 -\n" OPTION_HEAD "500 WtrDpth\n9.81 g\n" END,
                             &notes);
    hwWorld* world = MakeWorld(scene);
    double weight = 50.0 * 9.81 * (80.0 - 1025.0 * 0.25 * HW_PI * 0.01);
    assert_true(fabs(Channel(world, "line1.a.tension") - weight) < 1e-4 * weight);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

#define FAR_LINE                                                                                             \
    POINT_HEAD "1 Fixed 500 0 -5 0 0 0 0\n2 Fixed 500 0 -10 0 0 0 0\n" LINE_HEAD "1 chain 1 2 5 1 -\n"

// A free rod under water rises with (rho V - m) g / (m + Ca rho V), lying; standing its ends' added mass counts.
static void free_rods_feel_the_water(void** state) {
    (void)state;
    for (int standing = 0; standing < 2; standing++) {
        Notes notes = {0};
        char text[1200];
        snprintf(text, sizeof(text),
                 TITLE TYPE_HEAD CHAIN ROD_TYPE_HEAD "spar 0.4 90 0 0.8 0 0.6\n" ROD_HEAD
                                                     "7 spar free 1 2 -30 %s 4 -\n" FAR_LINE OPTION_HEAD
                                                     "0 TmaxIC\n50 WtrDpth\n1000 rho\n9.81 g\n" END,
                 standing ? "1 2 -27" : "1 5 -30");
        hwScene* scene = Convert(text, &notes);
        hwWorld* world = MakeWorld(scene);
        hwError error;
        double volume = 3.0 * HW_PI * 0.04, mass = 270.0, water = 1000.0 * volume;
        double added = standing ? 2.0 * 0.6 * 1000.0 * 2.0 / 3.0 * HW_PI * 0.008 : 0.8 * water;
        double expected = (water - mass) * 9.81 / (mass + added);
        assert_int_equal(hwWorld_Step(world, 0.5, &error), HW_OK);
        double speed = Channel(world, "rod7.velocity.z");
        assert_true(fabs(speed - 0.5 * expected) < 1e-6 * expected);
        hwDestroyWorld(world);
        hwDestroyScene(scene);
    }
}

// The drag of a rod across is that of its length, along that of its two ends.
static void free_rods_have_drag(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene =
        Convert(TITLE TYPE_HEAD CHAIN ROD_TYPE_HEAD "spar 0.4 90 1.1 0 0.7 0\n" ROD_HEAD
                                                    "7 spar free 1 2 -30 1 5 -30 4 -\n" FAR_LINE OPTION_HEAD
                                                    "0 TmaxIC\n0 g\n1000 rho\n" END,
                &notes);
    hwError error;
    for (int along = 0; along < 2; along++) {
        hwWorld* world = MakeWorld(scene);
        hwBodyId rod = hwWorld_FindBody(world, "rod7");
        hwBodyState moving;
        assert_int_equal(hwBody_GetState(world, rod, &moving, &error), HW_OK);
        moving.velocity = along ? hwMakeVec3(0.0, 2.0, 0.0) : hwMakeVec3(2.0, 0.0, 0.0);
        assert_int_equal(hwBody_SetState(world, rod, &moving, &error), HW_OK);
        double force =
            along ? 0.5 * 1000.0 * 0.7 * 2.0 * HW_PI * 0.04 * 4.0 : 0.5 * 1000.0 * 1.1 * 0.4 * 3.0 * 4.0;
        double step = 1e-3, found = 2.0;
        assert_int_equal(hwWorld_Step(world, step, &error), HW_OK);
        found -= Channel(world, along ? "rod7.velocity.y" : "rod7.velocity.x");
        // drag falls with the square of the speed: over the step by less than 1 %
        assert_true(fabs(found * 270.0 / step / force - 1.0) < 0.01);
        hwDestroyWorld(world);
    }
    hwDestroyScene(scene);
}

// A pinned rod in air, let go lying: its end falls with m g (L/2) L / I.
static void pinned_rods_swing(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene = Convert(TITLE ROD_TYPE_HEAD "bar 0.2 30 0 0 0 0\n" ROD_HEAD
                                                 "1 bar Pinned 1 2 5 3 2 5 2 -\n" OPTION_HEAD
                                                 "0 TmaxIC\n0 WtrDnsty\n9.81 g\n" END,
                             &notes);
    hwWorld* world = MakeWorld(scene);
    hwError error;
    double inertia = 60.0 * (4.0 / 3.0 + 0.01 / 4.0), expected = 60.0 * 9.81 * 1.0 / inertia;
    assert_int_equal(hwWorld_Step(world, 0.02, &error), HW_OK);
    double rate =
        sqrt(pow(Channel(world, "rod1.rod.rate.x"), 2.0) + pow(Channel(world, "rod1.rod.rate.y"), 2.0));
    assert_true(fabs(rate / (0.02 * expected) - 1.0) < 1e-3); // the lever shortens by less in this time
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// Mass, centre and inertia of a body with points and rods are those of the parts.
static void bodies_are_put_together(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene = Convert(TITLE ROD_TYPE_HEAD
                             "bar 0.2 30 1 0.5 0 0\n" BODY_HEAD
                             "1 free 0 10 -20 0 0 0 50 0|0|2 3|4|5 0.1 1|2|3|4|5|6 1|2|3\n" ROD_HEAD
                             "1 bar Body1 -1 0 -1 1 0 -1 4 -\n" POINT_HEAD
                             "1 Body1 0 2 0 10 0 0 0\n" OPTION_HEAD "0 TmaxIC\n70 WtrDpth\n1000 rho\n" END,
                             &notes);
    const hwBodyDef* body = &HW_ITEM(scene->model.bodies, hwSceneBody, 0)->def;
    double mass = 50.0 + 60.0 + 10.0;
    hwVec3 com = {0.0, 20.0 / mass, (100.0 - 60.0) / mass};
    assert_true(fabs(body->mass - mass) < 1e-9 && hwDistance(body->com, com) < 1e-9);
    // Ixx about the origin: body 3 + 50 * 4, rod m r^2/2 + 60 * 1, point 10 * 4; then to the centre of mass
    double xx = 3.0 + 200.0 + 0.5 * 60.0 * 0.01 + 60.0 + 40.0 - mass * (com.y * com.y + com.z * com.z);
    // Iyy: body 4 + 200, rod 60 (4/12 + 0.01/4 + 1)
    double yy = 4.0 + 200.0 + 60.0 * (1.0 / 3.0 + 0.0025 + 1.0) - mass * com.z * com.z;
    assert_true(fabs(body->inertia[0] - xx) < 1e-6);
    assert_true(fabs(body->inertia[1] - yy) < 1e-6);
    hwDestroyScene(scene);
}

// Roll, pitch and yaw turn about axes that turn along.
static void bodies_turn_as_in_moordyn(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene = Convert(
        TITLE BODY_HEAD "1 Coupled 1 2 -3 90 0 90 0 0 0 0 0 0\n" OPTION_HEAD "70 WtrDpth\n" END, &notes);
    const hwBodyDef* body = &HW_ITEM(scene->model.bodies, hwSceneBody, 0)->def;
    // yaw first brings x to y, then roll brings that to z
    assert_true(hwDistance(hwRotate(body->attitude, hwMakeVec3(1, 0, 0)), hwMakeVec3(0, 0, 1)) < 1e-9);
    assert_non_null(strstr(notes.text, "mooring.dat:6:3: body 1 is moved by another program"));
    hwDestroyScene(scene);
}

// A line that a fixed rod holds is a cantilever: it sinks by w L^4 / (8 EI) at its end.
static void rods_hold_the_direction_of_lines(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene = Convert(
        TITLE TYPE_HEAD "beam 0.05 20 1e9 -1 4e6 0 0 0 0\n" ROD_TYPE_HEAD "wall 0.2 10 0 0 0 0\n" ROD_HEAD
                        "1 wall Fixed -1 0 10 0 0 10 1 -\n" POINT_HEAD "1 Free 8 0 10 0 0 0 0\n" LINE_HEAD
                        "1 beam R1B 1 8 20 -\n" OPTION_HEAD "10 WtrDpth\n9.81 g\n" END,
        &notes);
    hwWorld* world = MakeWorld(scene);
    double expected = 20.0 * 9.81 * pow(8.0, 4.0) / (8.0 * 4e6);
    double found = 10.0 - Channel(world, "line1.node[20].position.z");
    assert_true(fabs(found / expected - 1.0) < 0.005); // the lumps of 20 elements make up 0.3 %
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// Across a free rod without length the bending goes on: the same cantilever in two lines.
static void rods_without_length_pass_bending_on(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene = Convert(
        TITLE TYPE_HEAD "beam 0.05 20 1e9 -1 4e6 0 0 0 0\n" ROD_TYPE_HEAD "wall 0.2 10 0 0 0 0\n" ROD_HEAD
                        "1 wall Fixed -1 0 10 0 0 10 1 -\n2 wall Free 4 0 10 4 0 10 0 -\n" POINT_HEAD
                        "1 Free 8 0 10 0 0 0 0\n" LINE_HEAD
                        "1 beam R1B R2A 4 10 -\n2 beam 1 R2B 4 10 -\n" OPTION_HEAD "10 WtrDpth\n9.81 g\n" END,
        &notes);
    assert_int_equal(scene->model.cables.count, 1);
    hwWorld* world = MakeWorld(scene);
    double expected = 20.0 * 9.81 * pow(8.0, 4.0) / (8.0 * 4e6);
    double found = 10.0 - Channel(world, "line1_2.node[20].position.z");
    assert_true(fabs(found / expected - 1.0) < 0.005);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

static void Advance(hwWorld* world, double time) {
    hwError error;
    for (int i = 0; i < 20; i++) assert_int_equal(hwWorld_Step(world, time / 20.0, &error), HW_OK);
}

// Springs of soft rope may begin far beyond what is a mistake of a chain.
static void soft_lines_may_begin_stretched(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene =
        Convert(TITLE TYPE_HEAD
                "soft 0.1 1 5e4 100 0 0 0 0 0\nhard 0.1 1 1e5 100 0 0 0 0 0\n" POINT_HEAD
                "1 Fixed 0 0 0 0 0 0 0\n2 Free 14 0 0 0 0 0 0\n3 Fixed 26 0 0 0 0 0 0\n" LINE_HEAD
                "1 soft 1 2 10 4 -\n2 hard 2 3 10 4 -\n" OPTION_HEAD "0 TmaxIC\n0 g\n0 WtrDnsty\n" END,
                &notes);
    hwWorld* world = MakeWorld(scene);
    // 6 m of stretch, two thirds of it in the soft half: 5e4 * 0.4 = 1e5 * 0.2
    assert_true(fabs(Channel(world, "line1_2.element[0].tension") - 2e4) < 1e-3);
    assert_true(fabs(Channel(world, "line1_2.element[7].tension") - 2e4) < 1e-3);
    assert_non_null(strstr(notes.text, "mooring.dat:17: line1 begins stretched by 40 %"));
    assert_non_null(strstr(notes.text, "mooring.dat:18: line2 begins stretched by 20 %"));
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// EA_s | EA_d: held at a strain, the tension relaxes to EA_s e with the time constant BA_s / (EA_1 + EA_2), where EA_1 is
// what gives EA_s in series with EA_2 = EA_d.
static void viscoelastic_lines_relax(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene =
        Convert(TITLE TYPE_HEAD "rope 0.1 1 1e6|3e6 9e6|1e4 0 0 0 0 0\n" POINT_HEAD
                                "1 Fixed 0 0 0 0 0 0 0\n2 Fixed 10.2 0 0 0 0 0 0\n" LINE_HEAD
                                "1 rope 1 2 10 4 -\n" OPTION_HEAD "0 TmaxIC\n0 g\n0 WtrDnsty\n" END,
                &notes);
    hwWorld* world = MakeWorld(scene);
    double stiff = 3e6 * 1e6 / (3e6 - 1e6), tau = 9e6 / (stiff + 3e6), rest = 1e6 * 0.02;
    Advance(world, tau);
    double first = Channel(world, "line1.element[0].tension") - rest;
    Advance(world, tau);
    double second = Channel(world, "line1.element[0].tension") - rest;
    assert_true(fabs(first) > 100.0);
    assert_true(fabs(second / first - exp(-1.0)) < 0.01); // the dynamic dashpot adds 1e4 / 9e6 of tau
    Advance(world, 12.0 * tau);
    assert_true(fabs(Channel(world, "line1.element[0].tension") / rest - 1.0) < 1e-4);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// A line by a table has the table's tension at the start, whatever the strain.
static void stiffness_by_a_table_is_met_at_the_start(void** state) {
    (void)state;
    Notes notes = {0};
    WriteText(DECKS "/rope.dat", "----rope----\nStrain Tension\n(-) (N)\n0 0\n0.01 1e4\n0.03 5e4\n0.1 3e5\n");
    hwScene* scene =
        Convert(TITLE TYPE_HEAD "rope 0.1 1 rope.dat 100 0 0 0 0 0\n" POINT_HEAD
                                "1 Fixed 0 0 0 0 0 0 0\n2 Fixed 10.2 0 0 0 0 0 0\n" LINE_HEAD
                                "1 rope 1 2 10 4 -\n" OPTION_HEAD "0 TmaxIC\n0 g\n0 WtrDnsty\n" END,
                &notes);
    hwWorld* world = MakeWorld(scene);
    assert_true(fabs(Channel(world, "line1.element[2].tension") - 3e4) < 30.0); // e = 0.02
    assert_non_null(
        strstr(notes.text, "mooring.dat:6:12: the stiffness of line1 by a table is its tangent at 3e+04 N"));
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// A Syrope line begins at its mean load where its working curve says. Linear: the curve runs from strain k1 e_max with no
// load to e_max with Tmax0.
static void syrope_lines_begin_at_their_mean_load(void** state) {
    (void)state;
    Notes notes = {0};
    WriteText(DECKS "/owc.dat", "Strain Tension\n(-) (N)\n0 0\n0.02 2e5\n0.04 6e5\n0.06 1.2e6\n");
    WriteText(DECKS "/syrope.dat", "owc.dat OWC x\nLINEAR WCType x\n0.25 k1 x\n1 k2 x\n");
    // Tmax0 6e5 is at 0.04; from 0.01 to 0.04 the curve rises to it: 3e5 is at 0.025
    double strain = 0.025;
    char text[900];
    snprintf(text, sizeof(text),
             TITLE TYPE_HEAD
             "rope 0.1 1 SYROPE:syrope.dat|1e7|10 1e8|1e4 0 0 0 0 0\n" POINT_HEAD
             "1 Fixed 0 0 0 0 0 0 0\n2 Fixed %.12g 0 0 0 0 0 0\n" LINE_HEAD
             "1 rope 1 2 10 2 -\n----- SYROPE IC -----\nLine(s) Tmax0 Tmean0\nu\n1 6e5 3e5\n" OPTION_HEAD
             "1 TmaxIC\n0 g\n0 WtrDnsty\n" END,
             10.0 * (1.0 + strain));
    hwScene* scene = Convert(text, &notes);
    hwWorld* world = MakeWorld(scene);
    for (int i = 0; i < 4; i++) {
        char name[40];
        snprintf(name, sizeof(name), "line1.element[%d].tension", i);
        assert_true(fabs(Channel(world, name) / 3e5 - 1.0) < 1e-4);
    }
    assert_non_null(strstr(notes.text, "tangent at Tmean0 3e+05 N"));
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

static void lift_coefficients_are_read_and_said_to_be_left_out(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene = Convert(
        TITLE "----- LINE TYPES -----\nTypeName Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx Cl dF cF\nunits\n"
              "chain 0.1 80 1e8 1e5 0 1.5 0.9 0.2 0.1 0.7 0.08 0.18\n" POINT_HEAD TWO_POINTS LINE_HEAD
              "1 chain 1 2 160 16 -\n" OPTION_HEAD "500 WtrDpth\n" END,
        &notes);
    AssertChain(GetSection(scene, 0, 0));
    assert_non_null(strstr(notes.text, "mooring.dat:6:40: vortex-induced vibration"));
    hwDestroyScene(scene);
}

#define PLAIN TITLE TYPE_HEAD CHAIN POINT_HEAD TWO_POINTS LINE_HEAD "1 chain 1 2 160 16 -\n" OPTION_HEAD

static void currents_come_from_their_files(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene;
    WriteText(DECKS "/current_profile.txt", "t\nt\nt\n-50 0.2 0 0\n-10 1 0.5 0\n0 2 0 0\n");
    scene = Convert(PLAIN "500 WtrDpth\n1 Currents\n" END, &notes);
    const hwFlowDef* flow = &scene->model.environment.def.current;
    assert_true(flow->count == 3 && flow->timeCount == 0 && flow->levels[0] == 0.0 &&
                flow->levels[2] == 50.0);
    assert_true(flow->velocities[0].x == 2.0 && flow->velocities[1].y == 0.5 && flow->velocities[2].x == 0.2);
    hwDestroyScene(scene);
    WriteText(DECKS "/current_profile_dynamic.txt",
              "t\nt\n\n\n -40 0\n\n0 0 0 0 0\n10 1 2 3 4\n30 5 6 7 8\n");
    scene = Convert(PLAIN "500 WtrDpth\n2 Currents\n" END, &notes);
    flow = &scene->model.environment.def.current;
    assert_true(flow->count == 2 && flow->timeCount == 3 && flow->times[1] == 10.0);
    // rows from the surface down
    assert_true(flow->velocities[2].x == 2.0 && flow->velocities[2].y == 4.0 && flow->velocities[3].x == 1.0);
    hwDestroyScene(scene);
    assert_null(strstr(notes.text, "changes with x and y"));
    WriteText(DECKS "/current_profile_4d.txt",
              "2 1 2 2\n-1 1\n0\n-3 0\n0 15\n-1 0 -3 0 0 0 0\n-1 0 0 0 1 0 0\n1 0 -3 0 2 0 0\n1 0 0 0 1 0 0\n"
              "-1 0 -3 15 4 0 0\n-1 0 0 15 4 0 0\n1 0 -3 15 4 0 0\n1 0 0 15 4 0 0\n");
    scene = Convert(PLAIN "500 WtrDpth\n5 Currents\n" END, &notes);
    flow = &scene->model.environment.def.current;
    assert_true(flow->velocities[0].x == 1.0 && flow->velocities[1].x == 1.0 && flow->velocities[3].x == 4.0);
    assert_non_null(strstr(notes.text, "differs by up to 1 m/s rms"));
    hwDestroyScene(scene);
}

static double GetElevation(const hwScene* scene, double time) {
    const hwEnvironmentDef* def = &scene->model.environment.def;
    double sum = 0.0;
    for (int i = 0; i < def->airyCount; i++) {
        const hwAiryDef* wave = &def->airy[i];
        sum += 0.5 * wave->height * cos(wave->phase - 2.0 * HW_PI / wave->period * time);
    }
    return sum;
}

static void waves_come_from_their_files(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene;
    // WaveKin 7: the sine of omega t + arg; 2: the cosine
    WriteText(DECKS "/wave_frequencies.txt", "0 0 0\n0.5 1 0\n1 0 2 1.5\n");
    for (int kind = 2; kind <= 7; kind += 5) {
        char text[900];
        snprintf(text, sizeof(text), "%s500 WtrDpth\n%d WaveKin\n" END, PLAIN, kind);
        scene = Convert(text, &notes);
        for (double t = 0.0; t < 10.0; t += 1.3) {
            double expected = kind == 7 ? sin(0.5 * t) + 2.0 * sin(t + 0.5 * HW_PI)
                                        : cos(0.5 * t) + 2.0 * cos(t + 0.5 * HW_PI);
            assert_true(fabs(GetElevation(scene, t) - expected) < 1e-8);
        }
        assert_true(fabs(scene->model.environment.def.airy[1].direction - 1.5) < 1e-9);
        hwDestroyScene(scene);
    }
    // 3: the record at its own times
    char text[4000] = "";
    for (int i = 0; i < 64; i++) {
        double t = 0.5 * i, eta = 0.8 * sin(2.0 * HW_PI * t / 8.0) + 0.3 * cos(2.0 * HW_PI * t / 4.0);
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%g %.12g\n", t, eta);
    }
    WriteText(DECKS "/wave_elevation.txt", text);
    scene = Convert(PLAIN "500 WtrDpth\n3 WaveKin\n0.5 dtWave\n" END, &notes);
    assert_int_equal(scene->model.environment.def.airyCount, 2);
    for (int i = 0; i < 64; i++) {
        double t = 0.5 * i, eta = 0.8 * sin(2.0 * HW_PI * t / 8.0) + 0.3 * cos(2.0 * HW_PI * t / 4.0);
        assert_true(fabs(GetElevation(scene, t) - eta) < 1e-8);
    }
    hwDestroyScene(scene);
}

static double FindDepth(const hwScene* scene, double x, double y) {
    const hwMeshData* mesh = &scene->model.environment.def.seabed.mesh;
    for (int i = 0; i < mesh->vertexCount; i++) {
        if (mesh->vertices[i].x == x && mesh->vertices[i].y == y) return -mesh->vertices[i].z;
    }
    return (double)NAN;
}

static void bathymetry_comes_from_its_file(void** state) {
    (void)state;
    Notes notes = {0};
    WriteText(DECKS "/bottom.txt",
              "2 2\n-200 200\n-100 100\n-200 -100 -110\n200 -100 -120\n-200 100 130\n200 100 140\n");
    hwScene* scene = Convert(PLAIN "500 WtrDpth\nelsewhere/bottom.txt SeafloorFile\n" END, &notes);
    assert_int_equal(scene->model.environment.def.seabed.kind, HW_SEABED_MESH);
    assert_true(FindDepth(scene, 200.0, -100.0) == 120.0 && FindDepth(scene, -200.0, 100.0) == 130.0);
    hwDestroyScene(scene);
    WriteText(DECKS "/bottom_f.txt", "--- MoorDyn Bathymetry Input File ---\nnGridX 2\nnGridY 3\n -200 200\n"
                                     "-100 110 120\n0 150 160\n100 130 140\n");
    scene = Convert(PLAIN "\"bottom_f.txt\" WtrDpth\n" END, &notes);
    assert_true(FindDepth(scene, 200.0, 0.0) == 160.0 && FindDepth(scene, -200.0, 100.0) == 130.0);
    hwDestroyScene(scene);
}

static void without_settling_it_begins_as_given(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene = Convert(TITLE TYPE_HEAD CHAIN POINT_HEAD
                             "1 Fixed 0 0 -10 0 0 0 0\n2 Free 30 0 -10 200 0 0 0\n" LINE_HEAD
                             "1 chain 1 2 31 10 -\n" OPTION_HEAD "0 TmaxIC\n500 WtrDpth\n" END,
                             &notes);
    hwWorld* world = MakeWorld(scene);
    assert_true(Channel(world, "point2.position.x") == 30.0 && Channel(world, "point2.position.z") == -10.0);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

static void PutWord(FILE* file, double value) {
    unsigned char bytes[8];
    uint64_t word;
    memcpy(&word, &value, sizeof(word));
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(word >> 8 * i);
    fwrite(bytes, 1, 8, file);
}

static void PutCount(FILE* file, uint64_t word) {
    double value;
    memcpy(&value, &word, sizeof(value));
    PutWord(file, value);
}

// A snapshot with a fixed point, a free one and a line of three segments in its middle; `extra` words too many.
static void WriteSnapshot(int extra) {
    FILE* file = fopen(DECKS "/own.ic", "wb");
    fwrite("MoorDyn\2\4", 1, 9, file);
    PutCount(file, 1 + 2 * 8 + 2 + 12 + (uint64_t)extra);
    PutCount(file, 3);
    const double places[2][3] = {{0, 0, -10}, {3, 4, -40}}, nodes[2][3] = {{1, 1, -20}, {2, 3, -30}};
    for (int i = 0; i < 2; i++) {
        PutCount(file, 1);
        PutCount(file, 6);
        for (int k = 0; k < 6; k++) PutWord(file, k < 3 ? places[i][k] : 0.0);
    }
    PutCount(file, 2);
    PutCount(file, 6);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 6; k++) PutWord(file, k < 3 ? nodes[i][k] : 0.0);
    }
    for (int i = 0; i < extra; i++) PutWord(file, 0.0);
    fclose(file);
}

static void snapshots_say_where_everything_begins(void** state) {
    (void)state;
    static const char deck[] = TITLE TYPE_HEAD CHAIN POINT_HEAD
        "1 Fixed 0 0 -10 0 0 0 0\n2 Free 30 0 -10 200 0 0 0\n" LINE_HEAD "1 chain 1 2 36 3 -\n" OPTION_HEAD
        "0 TmaxIC\n500 WtrDpth\nown.ic fileIC\n" END;
    for (int extra = 0; extra < 2; extra++) {
        Notes notes = {0};
        WriteSnapshot(extra);
        hwScene* scene = Convert(deck, &notes);
        hwWorld* world = MakeWorld(scene);
        assert_true(Channel(world, "point2.position.x") == (extra ? 30.0 : 3.0));
        if (!extra) {
            assert_true(Channel(world, "line1.node[1].position.z") == -20.0);
            assert_true(Channel(world, "line1.node[2].position.y") == 3.0);
            assert_int_equal(notes.count, 0);
        } else {
            assert_non_null(strstr(notes.text, "mooring.dat:19:1: `own.ic` is no snapshot of this deck"));
        }
        hwDestroyWorld(world);
        hwDestroyScene(scene);
    }
    remove(DECKS "/own.ic");
    Notes notes = {0};
    hwDestroyScene(Convert(deck, &notes));
    assert_non_null(strstr(notes.text, "the snapshot `own.ic` is not there"));
}

static void RefuseFile(const char* name, const char* text, const char* deck, const char* words) {
    hwError error;
    WriteText(name, text);
    WriteText(DECKS "/bad.dat", deck);
    assert_int_equal(hwConvertMoordyn(DECKS "/bad.dat", DECKS "/bad.yaml", NULL, NULL, &error),
                     HW_ERROR_FORMAT);
    if (strstr(error.message, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", error.message, words);
    assert_true(error.line > 0);
}

static void mistakes_in_files_are_told(void** state) {
    (void)state;
    const char* current = DECKS "/current_profile.txt";
    RefuseFile(current, "t\nt\nt\n0 1 0 0\n-1 1 0 0\n", PLAIN "1 Currents\n" END,
               "current_profile.txt, line 5: the heights of the profile must increase");
    RefuseFile(current, "t\nt\nt\nx 1 0 0\n", PLAIN "1 Currents\n" END, "line 4: a number is missing here");
    RefuseFile(current, "t\nt\nt\n", PLAIN "1 Currents\n" END, "the profile is empty");
    const char* moving = DECKS "/current_profile_dynamic.txt";
    RefuseFile(moving, "\n\n\n\n-1 0\n\n0 1\n", PLAIN "2 Currents\n" END, "a velocity is missing");
    RefuseFile(moving, "\n\n\n\n\n\n0 1\n", PLAIN "2 Currents\n" END, "the fifth line must hold the heights");
    RefuseFile(moving, "\n\n\n\n-1\n\n0 1\n0 1\n", PLAIN "2 Currents\n" END, "the times must increase");
    RefuseFile(DECKS "/current_profile_4d.txt", "1 1 1 1\n0\n0\n0\n0\n", PLAIN "5 Currents\n" END,
               "velocities are missing");
    RefuseFile(DECKS "/bed.txt", "2 2\n0 1\n0 1\n0 0 5\n", PLAIN "bed.txt SeafloorFile\n" END,
               "depths are missing");
    RefuseFile(DECKS "/bed.txt", "2 2\n0 1\n0 1\n0 7 5\n", PLAIN "bed.txt SeafloorFile\n" END,
               "not on the grid");
    RefuseFile(DECKS "/bed.txt", "2 2\n1 1\n0 1\n", PLAIN "bed.txt SeafloorFile\n" END, "axis must increase");
    RefuseFile(DECKS "/bed.txt", "200000 2\n", PLAIN "bed.txt SeafloorFile\n" END, "1 to 20000");
    RefuseFile(DECKS "/wave_elevation.txt", "0 0\n1 1\n", PLAIN "3 WaveKin\n" END, "at least three rows");
    RefuseFile(DECKS "/wave_frequencies.txt", "-1 0 0\n", PLAIN "7 WaveKin\n" END, "at least 0");
    RefuseFile(DECKS "/rope.dat", "a\nb\nc\n0 0\n0 1\n",
               TITLE TYPE_HEAD "rope 0.1 1 rope.dat 0 0 0 0 0 0\n" END,
               "strain and tension of the table must increase");
    RefuseFile(DECKS "/syrope.dat", "LINEAR WCType\n",
               TITLE TYPE_HEAD "rope 0.1 1 SYROPE:syrope.dat|1|1 0 0 0 0 0 0\n" END, "OWC, WCType");
}

// Two lines that meet in a free point without mass are one cable, which begins where the deck has the point: the first hangs on
// a catenary of its length, lying on the bottom in part, the second is stretched by a tenth.
static void joined_lines_begin_where_their_point_is(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene =
        Convert(TITLE TYPE_HEAD CHAIN POINT_HEAD "1 Fixed -100 0 -60 0 0 0 0\n2 Free 0 0 -40 0 0 0 0\n"
                                                 "3 Fixed 33 0 4 0 0 0 0\n" LINE_HEAD
                                                 "1 chain 1 2 110 40 -\n2 chain 2 3 50 10 -\n" OPTION_HEAD
                                                 "0 TmaxIC\n60 WtrDpth\n" END,
                &notes);
    assert_non_null(strstr(notes.text, "line2 begins stretched by 10 %"));
    hwWorld* world = MakeWorld(scene);
    assert_true(fabs(Channel(world, "line1_2.node[40].position.x")) < 1e-9);
    assert_true(fabs(Channel(world, "line1_2.node[40].position.z") + 40.0) < 1e-9);
    assert_true(fabs(Channel(world, "line1_2.node[45].position.x") - 16.5) < 1e-9);
    assert_true(fabs(Channel(world, "line1_2.node[45].position.z") + 18.0) < 1e-9);
    double longest = 0.0, lowest = 0.0;
    for (int i = 0; i < 40; i++) {
        char name[48];
        snprintf(name, sizeof(name), "line1_2.element[%d].length", i);
        longest = fmax(longest, Channel(world, name));
        snprintf(name, sizeof(name), "line1_2.node[%d].position.z", i);
        lowest = fmin(lowest, Channel(world, name));
    }
    assert_true(longest < 2.75 * (1.0 + 1e-6) && longest > 2.7); // 110 m in 40 elements: none is stretched
    assert_true(lowest > -60.0 - 1e-9 && lowest < -60.0 + 1e-9);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

static int MakeOwnFolder(void** state) {
    MakeFolder(state);
    mkdir(DECKS, 0777);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_follow_their_names),
        cmocka_unit_test(version_1_is_read),
        cmocka_unit_test(points_without_mass_have_none),
        cmocka_unit_test(three_lines_meet_in_a_body_of_next_to_no_mass),
        cmocka_unit_test(a_loose_end_hangs),
        cmocka_unit_test(free_rods_feel_the_water),
        cmocka_unit_test(free_rods_have_drag),
        cmocka_unit_test(pinned_rods_swing),
        cmocka_unit_test(bodies_are_put_together),
        cmocka_unit_test(bodies_turn_as_in_moordyn),
        cmocka_unit_test(rods_hold_the_direction_of_lines),
        cmocka_unit_test(rods_without_length_pass_bending_on),
        cmocka_unit_test(soft_lines_may_begin_stretched),
        cmocka_unit_test(viscoelastic_lines_relax),
        cmocka_unit_test(stiffness_by_a_table_is_met_at_the_start),
        cmocka_unit_test(syrope_lines_begin_at_their_mean_load),
        cmocka_unit_test(lift_coefficients_are_read_and_said_to_be_left_out),
        cmocka_unit_test(currents_come_from_their_files),
        cmocka_unit_test(waves_come_from_their_files),
        cmocka_unit_test(bathymetry_comes_from_its_file),
        cmocka_unit_test(without_settling_it_begins_as_given),
        cmocka_unit_test(joined_lines_begin_where_their_point_is),
        cmocka_unit_test(snapshots_say_where_everything_begins),
        cmocka_unit_test(mistakes_in_files_are_told),
    };
    return cmocka_run_group_tests(tests, MakeOwnFolder, NULL);
}
