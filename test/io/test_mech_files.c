// DynaMechs models and URDF robots: what they become, and what is said about bad ones; a crane's results as SMS has them.
#define _POSIX_C_SOURCE 200809L
#include "hawser/convert.h"
#include "hawser/mechanism.h"
#include "hawser/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define FOLDER HAWSER_BINARY_DIR "/test/mech_files"
#define SCENE FOLDER "/scene.yaml"

static hwError error;
static char logged[4096];

static void Log(hwLogLevel level, const char* text, void* context) {
    (void)level, (void)context;
    size_t used = strlen(logged);
    snprintf(logged + used, sizeof(logged) - used, "%s\n", text);
}

static void Write(const char* name, const char* text) {
    char path[512];
    snprintf(path, sizeof(path), FOLDER "/%s", name);
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int MakeFolder(void** state) {
    (void)state;
    mkdir(HAWSER_BINARY_DIR "/test", 0777);
    mkdir(FOLDER, 0777);
    return 0;
}

static hwWorld* Load(void) {
    hwScene* scene = hwLoadScene(SCENE, &error);
    if (scene == NULL) print_message("%s\n", error.message);
    assert_non_null(scene);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) print_message("%s\n", error.message);
    assert_non_null(world);
    hwDestroyScene(scene);
    return world;
}

static double Read(hwWorld* world, const char* name) {
    int channel = hwWorld_FindChannel(world, name);
    if (channel < 0) print_message("no channel %s\n", name);
    assert_true(channel >= 0);
    return hwWorld_ReadChannel(world, channel);
}

static void Near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) print_message("%.15g instead of %.15g\n", value, expected);
    assert_true(fabs(value - expected) <= tolerance);
}

// DynaMechs ------------------------------------------------------------------------------------------------------------

#define BODY                                                                                                 \
    "Mass 4 Inertia 1.2 0 0  0 1.5 0  0 0 1.6\n Center_of_Gravity 0.1 0 0\n Number_of_Contact_Points 0\n"
#define HEAD "# DynaMechs V 2.0.3 ascii\nGraphics_Models { Number_Graphics_Models 1 \"x.xan\" }\n"
#define FREE                                                                                                 \
    "DynamicRefMember { Graphics_Model_Index 0 " BODY                                                        \
    " Position 1 2 3 Orientation_Quat 0 0 0.6 0.8 Velocity 0 0 0.5 0.1 0.2 0.3 }\n"

// A body with two legs: one by itself, one behind a screw, each with a branch.
static const char model[] = HEAD
    "System {\n" FREE "  Articulation {\n"
    "    RevoluteLink { Graphics_Model_Index 0 " BODY
    " MDH_Parameters 0.5 0.3 0.1 0.2 Initial_Joint_Velocity 0.7 Joint_Limits -1 1 "
    "Joint_Limit_Spring_Constant 500\n"
    " Joint_Limit_Damper_Constant 50 Actuator_Type 0 Joint_Friction 0.35 }\n"
    "    Branch { PrismaticLink { Graphics_Model_Index 0 " BODY
    " MDH_Parameters 0 0 0.4 0 Initial_Joint_Velocity 0 Joint_Limits 0 0 Joint_Limit_Spring_Constant 0\n"
    " Joint_Limit_Damper_Constant 0 Joint_Friction 0 } }\n"
    "    SphericalLink { Graphics_Model_Index 0 Mass 2 Inertia 0.1 0 0 0 0.1 0 0 0 0.1 Center_of_Gravity 0 0 "
    "0\n"
    "      Number_of_Contact_Points 2 Contact_Locations 0.1 0 0  -0.1 0 0.2\n"
    "      Position_From_Inboard_Link 0.6 0.1 0 Initial_Joint_Angles 0.1 0.2 0.3 Initial_Angular_Velocity "
    "0.4 0.5 0.6\n"
    "      Axes_Limits 0.5 0 0 Joint_Limit_Spring_Constant 800 Joint_Limit_Damper_Constant 10 Joint_Friction "
    "0.1 }\n"
    "  }\n"
    "  Articulation {\n"
    "    ZScrewTxLink { ZScrew_Parameters 0.25 1.1 }\n"
    "    RevoluteLink { Graphics_Model_Index 0 " BODY " MDH_Parameters 0.2 1.5 0 -0.4 Initial_Joint_Velocity "
    "0 Joint_Limits -1 1 Joint_Limit_Spring_Constant 0\n"
    " Joint_Limit_Damper_Constant 0 Actuator_Type 1 Motor_Torque_Constant 32 Motor_BackEMF_Constant 33\n"
    " Motor_Armature_Resistance 3.2 Motor_Inertia 5.3 Motor_Coulomb_Friction_Constant 10 "
    "Motor_Viscous_Friction_Constant 7\n"
    " Motor_Max_Brush_Drop 2 Motor_Half_Drop_Value 3 } # a comment\n"
    "  }\n"
    "}\n";

static hwPose ScrewZ(double d, double angle) {
    hwPose p = {{0.0, 0.0, d}, hwQuatFromAxisAngle(hwMakeVec3(0.0, 0.0, 1.0), angle)};
    return p;
}

static hwPose ScrewX(double a, double angle) {
    hwPose p = {{a, 0.0, 0.0}, hwQuatFromAxisAngle(hwMakeVec3(1.0, 0.0, 0.0), angle)};
    return p;
}

static void CheckPose(hwWorld* world, const char* name, hwPose expected) {
    hwBodyState s;
    assert_int_equal(hwBody_GetState(world, hwWorld_FindBody(world, name), &s, &error), HW_OK);
    assert_true(hwDistance(s.position, expected.p) < 1e-12);
    hwVec3 probe = {0.3, 0.5, 0.7};
    assert_true(hwDistance(hwRotate(s.attitude, probe), hwRotate(expected.q, probe)) < 1e-12);
}

static void ModelsOfDynamechs(void** state) {
    (void)state;
    Write("robot.dm", model);
    logged[0] = '\0';
    hwStatus status = hwConvertDynamechs(FOLDER "/robot.dm", SCENE, Log, NULL, &error);
    if (status != HW_OK) print_message("%d: %s\n", error.line, error.message);
    assert_int_equal(status, HW_OK);
    assert_non_null(strstr(logged, "no ground"));
    hwWorld* world = Load();
    hwPose body = {{1.0, 2.0, 3.0}, {0.8, 0.0, 0.0, 0.6}};
    CheckPose(world, "robot.body", body);
    Near(Read(world, "robot.body.velocity.y"), 0.2, 1e-15);
    Near(Read(world, "robot.body.rate.z"), 0.5, 1e-12);
    hwPose hip = hwMulPose(body, hwMulPose(ScrewX(0.5, 0.3), ScrewZ(0.1, 0.2)));
    CheckPose(world, "robot.link2", hip);
    CheckPose(world, "robot.link3", hwMulPose(hip, ScrewZ(0.4, 0.0)));
    hwPose ball = {{0.6, 0.1, 0.0}, hwQuatFromRpy(0.1, 0.2, 0.3)};
    CheckPose(world, "robot.link4", hwMulPose(hip, ball));
    hwPose other =
        hwMulPose(hwMulPose(body, ScrewZ(0.25, 1.1)), hwMulPose(ScrewX(0.2, 1.5), ScrewZ(0.0, -0.4)));
    CheckPose(world, "robot.link5", other);
    Near(Read(world, "robot.link2.qd"), 0.7, 0.0);
    Near(Read(world, "robot.link4.qd.z"), 0.6, 0.0);
    // the file's inertia is about the origin: seen at the joint it is what the file says
    hwMechanismId id = hwWorld_FindMechanism(world, "robot");
    int n = hwMechanism_GetFreedomCount(world, id);
    assert_int_equal(n, 6 + 1 + 1 + 3 + 1);
    double* M = malloc((size_t)(n * n) * sizeof(double));
    assert_int_equal(hwMechanism_ComputeMatrix(world, id, M, &error), HW_OK);
    Near(M[(n - 1) * n + n - 1], 1.6 + 5.3, 1e-12);
    free(M);
    // volts on the motor
    assert_int_equal(
        hwJoint_SetTarget(world, hwWorld_FindBody(world, "robot.link5"), hwMakeVec3(6.0, 0, 0), &error),
        HW_OK);
    Near(Read(world, "robot.link5.effort"), 32.0 / 3.2 * (6.0 - 2.0 * 0.75), 1e-9);
    hwDestroyWorld(world);
}

static void SimulationsOfDynamechs(void** state) {
    (void)state;
    Write("robot.dm",
          HEAD "System { " FREE
               " Articulation { RevoluteLink { Mass 4 Inertia 1 0 0 0 1 0 0 0 1 Center_of_Gravity 0 0 0\n"
               " Volume 0.002 Added_Mass 1 0 0 0 0 0  0 2 0 0 0 0.5  0 0 3 0 -0.5 0  0 0 0 4 0 0  0 0 -0.5 0 "
               "5 0  0 0.5 0 0 0 6\n"
               " Center_of_Bouyancy 0.1 0 0 Drag_Axis 0 Cylinder_Bounds 0 0.5 Cylinder_Radius 0.05 "
               "Drag_Coefficient 1.1\n"
               " Number_of_Contact_Points 1 Contact_Locations 0.5 0 0 MDH_Parameters 0.1 0 0 0 } } }\n");
    Write("env.cfg",
          "Gravity_Vector 0 0 -9.8 # down\nTerrain_Data_Filename "
          "\"../elsewhere/ground.dat\"\nGround_Planar_Spring_Constant 55000\n"
          "Ground_Normal_Spring_Constant 75000\nGround_Planar_Damper_Constant "
          "500\nGround_Normal_Damper_Constant 400\n"
          "Ground_Static_Friction_Coeff 0.8\nGround_Kinetic_Friction_Coeff 0.6\nFluid_Density 1020\n");
    Write("ground.dat", "3 2 5.0\n0 1\n2 3\n4 5\n");
    Write("sim.cfg", "Integration_Stepsize 0.003\nEnvironment_Parameter_File "
                     "\"env.cfg\"\nRobot_Parameter_File \"robot.dm\"\n");
    logged[0] = '\0';
    hwStatus status = hwConvertDynamechs(FOLDER "/sim.cfg", SCENE, Log, NULL, &error);
    if (status != HW_OK) print_message("%s:%d: %s\n", error.object, error.line, error.message);
    assert_int_equal(status, HW_OK);
    assert_non_null(strstr(logged, "Integration_Stepsize"));
    FILE* file = fopen(FOLDER "/scene_terrain.txt", "r");
    char text[200] = "";
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
    fclose(file);
    assert_string_equal(text, "3 2 5\n0 2 4\n1 3 5\n"); // x runs along the rows now
    hwWorld* world = Load();
    assert_true(hwWorld_Step(world, 0.1, &error) >= HW_OK);
    hwDestroyWorld(world);
}

static void RefuseDm(const char* text, int line, const char* words) {
    Write("bad.dm", text);
    unlink(SCENE);
    assert_int_equal(hwConvertDynamechs(FOLDER "/bad.dm", SCENE, NULL, NULL, &error), HW_ERROR_FORMAT);
    if (error.line != line || strstr(error.message, words) == NULL)
        print_message("%d: %s\n", error.line, error.message);
    assert_int_equal(error.line, line);
    assert_non_null(strstr(error.message, words));
    assert_string_equal(error.object, "bad.dm");
    assert_int_not_equal(access(SCENE, F_OK), 0); // nothing is left behind
}

static void BadModelsOfDynamechs(void** state) {
    (void)state;
    RefuseDm("", 1, "no DynaMechs model");
    RefuseDm("# DynaMechs V 5.0 ascii\n", 1, "only V 2.0.3, 2.1, 3.0 and 4.0");
    RefuseDm("# DynaMechs V 3.0 ascii\n", 2, "ends without an `Articulation`");
    RefuseDm("# DynaMechs V 4.0 ascii\nSystem {\n}\n", 2, "an `Articulation` is expected here, not `System`");
    RefuseDm("# DynaMechs V 4.0 ascii\nArticulation {\n", 3, "ends inside `Articulation`");
    RefuseDm("# DynaMechs V 4.0 ascii\nArticulation {\nPosition 1 2\n}\n", 4, "`Position` needs 3 numbers");
    RefuseDm("# DynaMechs V 4.0 ascii\nArticulation {\n}\n", 1, "no links");
    RefuseDm(HEAD, 3, "ends without a `System`");
    RefuseDm(HEAD "System {\n}\n", 3, "no reference member");
    RefuseDm(HEAD "System {\n" FREE "Articulation {\nRevoluteLink {\n" BODY
                  "MDH_Parameters 1 2 3\nJoint_Friction 0 } } }\n",
             14, "`MDH_Parameters` needs 4 numbers, but after 3 of them stands `Joint_Friction`");
    RefuseDm(HEAD "System {\n" FREE "Articulation {\nRevoluteLink {\n" BODY "} } }\n", 9,
             "needs `MDH_Parameters`");
    RefuseDm(HEAD "System {\n" FREE "Articulation {\nRevoluteLonk {\n" BODY "} } }\n", 9, "no kind of link");
    assert_non_null(strstr(error.hint, "RevoluteLink"));
    RefuseDm(HEAD "System {\n" FREE "Articulation {\nRevoluteLink { Moss 3 } } }\n", 9, "not a label");
    RefuseDm(HEAD "System {\n" FREE "Articulation {\nRevoluteLink {\n" BODY
                  "MDH_Parameters 0 0 0 0 Joint_Limits 1 -1 Joint_Limit_Spring_Constant 5 } } }\n",
             9, "reversed");
    RefuseDm(HEAD "System {\n" FREE "Articulation {\nRevoluteLink { Mass 0 Inertia 0 0 0 0 0 0 0 0 0 "
                  "Center_of_Gravity 0 0 0 MDH_Parameters 0 0 0 0 } } }\n",
             9, "needs inertia");
    RefuseDm(HEAD "System {\n" FREE "Articulation {\nRevoluteLink { Mass 9 Inertia 0.1 0 0 0 0.1 0 0 0 0.3 "
                  "Center_of_Gravity 1 0 0 MDH_Parameters 0 0 0 0 } } }\n",
             9, "less than its mass");
    RefuseDm(HEAD "System {\n" FREE
                  "Articulation {\nRevoluteLink { Number_of_Contact_Points -3 Contact_Locations 1 } } }\n",
             9, "sensible");
}

// Versions 3 and 4: the tree with the place of its reference system.
static const char articulation[] =
    "# DynaMechs V 4.0 ascii\n"
    "Articulation {\n"
    "  Name \"walker\" Graphics_Model \"\"\n"
    "  Position 1 2 3 Orientation_Quat 0 0 0.6 0.8\n"
    "  MobileBaseLink { Name \"torso\" Graphics_Model \"a.xan|b.xan\" " BODY
    "    Number_of_Contact_Points 1 Contact_Locations 0 0 -0.5\n"
    "    Number_of_Dynamic_Contact_Points 2 Dynamic_Contact_Locations 0 0.1 -0.5 0 -0.1 -0.5\n"
    "    Position 0.5 0 0 Orientation_Quat 0 0 0 1 Velocity 0 0 0.5 0.1 0.2 0.3 }\n"
    "  Branch {\n"
    "    ZScrewLinkTx { Name \"\" ZScrew_Parameters 0.25 1.1 }\n"
    "    RevoluteLink { Name \"hip\" Graphics_Model \"\" " BODY " MDH_Parameters 0.2 1.5 0 -0.4\n"
    "      Initial_Joint_Velocity 0.7 Joint_Limits -1 1 Joint_Limit_Spring_Constant 0\n"
    "      Joint_Limit_Damper_Constant 0 Actuator_Type 0 Joint_Friction 0.1 }\n"
    "  }\n"
    "  QuaternionLink { Name \"head\" Graphics_Model \"\" Mass 9 Inertia 0.1 0 0 0 0.1 0 0 0 0.1\n"
    "    Center_of_Gravity 0 0 1 Number_of_Contact_Points 0 Position_From_Inboard_Link 0 0 0.4\n"
    "    Orientation_Quat 0 0 0.6 0.8 Initial_Angular_Velocity 0 0 0 Joint_Friction 0 }\n"
    "}\n"
    "Articulation { this is not read }\n";

static void ArticulationsOfDynamechs(void** state) {
    (void)state;
    Write("walker.dm", articulation);
    logged[0] = '\0';
    hwStatus status = hwConvertDynamechs(FOLDER "/walker.dm", SCENE, Log, NULL, &error);
    if (status != HW_OK) print_message("%d: %s\n", error.line, error.message);
    assert_int_equal(status, HW_OK);
    assert_non_null(strstr(logged, "the dynamic contact points of `torso`"));
    assert_non_null(strstr(logged, "the `Inertia` of `head` is less than its mass"));
    hwWorld* world = Load();
    hwPose reference = {{1.0, 2.0, 3.0}, {0.8, 0.0, 0.0, 0.6}};
    hwPose torso = hwMulPose(reference, (hwPose){{0.5, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}});
    CheckPose(world, "walker.torso", torso);
    CheckPose(world, "walker.hip",
              hwMulPose(hwMulPose(torso, ScrewZ(0.25, 1.1)), hwMulPose(ScrewX(0.2, 1.5), ScrewZ(0.0, -0.4))));
    CheckPose(world, "walker.head", hwMulPose(torso, (hwPose){{0.0, 0.0, 0.4}, {0.8, 0.0, 0.0, 0.6}}));
    // the velocity is along the axes of the reference system
    hwVec3 v = hwRotate(reference.q, hwMakeVec3(0.1, 0.2, 0.3));
    Near(Read(world, "walker.torso.velocity.x"), v.x, 1e-14);
    Near(Read(world, "walker.torso.velocity.y"), v.y, 1e-14);
    Near(Read(world, "walker.torso.rate.z"), 0.5, 1e-14);
    Near(Read(world, "walker.hip.qd"), 0.7, 0.0);
    assert_true(hwWorld_Step(world, 0.05, &error) >= HW_OK);
    hwDestroyWorld(world);
}

// A slider crank: a root with a name, a tree in a block of its own, and a joint that closes the loop, which a scene's tree
// cannot have.
static void ClosedArticulationsOfDynamechs(void** state) {
    (void)state;
    Write("crank.dm30",
          "# DynaMechs V 3.0 ascii\nClosedArticulation { Name \"crank\" Graphics_Model \"\"\n"
          " Position 0 0 1 Orientation_Quat 0 0 0 1\n TreeStructure {\n"
          "  StaticRootLink { Name \"ground\" Graphics_Model \"\" }\n"
          "  ZScrewTxLink { ZScrew_Parameters 0.5 0 }\n"
          "  RevoluteLink { Name \"wheel\" " BODY
          " MDH_Parameters 0 0 0 0 Initial_Joint_Velocity 2 Joint_Limits -1e10 1e10\n"
          "  Joint_Limit_Spring_Constant 0 Joint_Limit_Damper_Constant 0 Actuator_Type 0 "
          "Joint_Friction 0 } }\n"
          " SecondaryJoints { HardPrismaticJoint { Name \"s\" Stabilization BAUMGARTE Link_A_Name "
          "\"ground\" Link_B_Name \"wheel\" Joint_Friction 0 } }\n}\n");
    logged[0] = '\0';
    hwStatus status = hwConvertDynamechs(FOLDER "/crank.dm30", SCENE, Log, NULL, &error);
    if (status != HW_OK) print_message("%d: %s\n", error.line, error.message);
    assert_int_equal(status, HW_OK);
    assert_non_null(strstr(logged, "`SecondaryJoints` are left out"));
    hwWorld* world = Load();
    CheckPose(world, "crank.wheel", (hwPose){{0.0, 0.0, 1.5}, {1.0, 0.0, 0.0, 0.0}});
    Near(Read(world, "crank.wheel.qd"), 2.0, 0.0);
    hwDestroyWorld(world);
}

// A simulation of several models has them all, with names of their own; without any it is an environment.
static void SimulationsWithSeveralModelsAndNone(void** state) {
    (void)state;
    Write("walker.dm", articulation);
    Write("two.cfg", "Integration_Stepsize 0.01\nEnvironment_Parameter_File \"air.env\"\n"
                     "Robot_Parameter_File \"walker.dm\"\nRobot_Parameter_File \"walker.dm\"\n");
    Write("air.env", "Gravity_Vector 0 0 -3.7\n");
    hwStatus status = hwConvertDynamechs(FOLDER "/two.cfg", SCENE, Log, NULL, &error);
    if (status != HW_OK) print_message("%d: %s\n", error.line, error.message);
    assert_int_equal(status, HW_OK);
    hwWorld* world = Load();
    assert_true(hwWorld_FindChannel(world, "walker.hip.q") >= 0);
    assert_true(hwWorld_FindChannel(world, "walker_2.hip.q") >= 0);
    hwDestroyWorld(world);
    logged[0] = '\0';
    assert_int_equal(hwConvertDynamechs(FOLDER "/air.env", SCENE, Log, NULL, &error), HW_OK);
    assert_non_null(strstr(logged, "it names no model"));
    hwDestroyWorld(Load());
}

// A file cut anywhere is refused with a line, and never read as something else.
static void CutModelsOfDynamechs(void** state) {
    (void)state;
    size_t size = strlen(model);
    int refused = 0;
    for (size_t cut = 1; cut + 3 < size; cut += 7) {
        char* part = strndup(model, cut);
        assert_non_null(part);
        Write("cut.dm", part);
        free(part);
        assert_int_equal(hwConvertDynamechs(FOLDER "/cut.dm", SCENE, NULL, NULL, &error), HW_ERROR_FORMAT);
        assert_true(error.line >= 1);
        refused += 1;
    }
    assert_true(refused > 100);
}

// URDF -------------------------------------------------------------------------------------------------------------------

static const char robot[] =
    "<?xml version=\"1.0\"?>\n<robot name=\"arm 1\">\n"
    "  <link name=\"world\"/>\n"
    "  <link name=\"upper\"><inertial><origin xyz=\"0 0 0.5\" rpy=\"0 0 0.3\"/><mass value=\"2\"/>\n"
    "    <inertia ixx=\"0.2\" iyy=\"0.3\" izz=\"0.1\" ixy=\"0.01\" ixz=\"0\" iyz=\"0\"/></inertial>\n"
    "    <collision><origin xyz=\"0 0 0.5\"/><geometry><cylinder radius=\"0.05\" "
    "length=\"1\"/></geometry></collision></link>\n"
    "  <link name=\"lower\"><inertial><mass value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.1\" "
    "izz=\"0.1\"/></inertial></link>\n"
    "  <link name=\"tool\"><inertial><mass value=\"0.5\"/><inertia ixx=\"0.01\" iyy=\"0.01\" "
    "izz=\"0.01\"/></inertial></link>\n"
    "  <joint name=\"elbow\" type=\"prismatic\"><parent link=\"upper\"/><child link=\"lower\"/><origin "
    "xyz=\"0 0 1\" rpy=\"0 1.57 0\"/>\n"
    "    <axis xyz=\"0 0 2\"/><limit lower=\"-0.1\" upper=\"0.4\" effort=\"50\" velocity=\"1\"/><dynamics "
    "damping=\"3\" friction=\"2\"/></joint>\n"
    "  <joint name=\"shoulder\" type=\"continuous\"><parent link=\"world\"/><child link=\"upper\"/><origin "
    "xyz=\"0.1 0.2 0.3\" rpy=\"0 0 0.5\"/></joint>\n"
    "  <joint name=\"wrist\" type=\"fixed\"><parent link=\"lower\"/><child link=\"tool\"/><origin xyz=\"0.2 "
    "0 0\"/></joint>\n"
    "</robot>\n";

static void RobotsOfUrdf(void** state) {
    (void)state;
    Write("arm.urdf", robot);
    hwStatus status = hwConvertUrdf(FOLDER "/arm.urdf", SCENE, NULL, NULL, &error);
    if (status != HW_OK) print_message("%d: %s\n", error.line, error.message);
    assert_int_equal(status, HW_OK);
    hwWorld* world = Load();
    hwPose upper = {{0.1, 0.2, 0.3}, hwQuatFromRpy(0.0, 0.0, 0.5)};
    hwPose lower = hwMulPose(upper, (hwPose){{0.0, 0.0, 1.0}, hwQuatFromRpy(0.0, 1.57, 0.0)});
    CheckPose(world, "arm_1.upper", upper);
    CheckPose(world, "arm_1.lower", lower);
    CheckPose(world, "arm_1.tool", hwMulPose(lower, (hwPose){{0.2, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}));
    // pushed along its axis: friction 2 of 5 N is left for 1.5 kg
    assert_int_equal(hwWorld_SetInput(world, hwWorld_FindInput(world, "arm_1.lower.mode"), 3.0, &error),
                     HW_OK);
    assert_int_equal(hwWorld_SetInput(world, hwWorld_FindInput(world, "arm_1.lower.target"), 500.0, &error),
                     HW_OK);
    Near(Read(world, "arm_1.lower.effort"), 50.0, 1e-9); // the limit of its effort
    hwDestroyWorld(world);
}

static void RefuseUrdf(const char* text, int line, const char* words) {
    Write("bad.urdf", text);
    assert_int_equal(hwConvertUrdf(FOLDER "/bad.urdf", SCENE, NULL, NULL, &error), HW_ERROR_FORMAT);
    if (error.line != line || strstr(error.message, words) == NULL)
        print_message("%d: %s\n", error.line, error.message);
    assert_int_equal(error.line, line);
    assert_non_null(strstr(error.message, words));
}

#define MASS "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>"

// Bullet's way to say "unlimited": lower above upper.
static void ReversedLimitsOfUrdfAreNone(void** state) {
    (void)state;
    Write("free.urdf", "<robot name=\"r\">\n<link name=\"a\"/><link name=\"b\">" MASS
                       "</link>\n<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>"
                       "<limit lower=\"1\" upper=\"-1\" effort=\"10\"/></joint></robot>\n");
    logged[0] = '\0';
    assert_int_equal(hwConvertUrdf(FOLDER "/free.urdf", SCENE, Log, NULL, &error), HW_OK);
    assert_non_null(strstr(logged, "the limits of `j` are reversed (1 > -1): read as none"));
    char text[4000] = {0};
    FILE* file = fopen(SCENE, "r");
    assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
    fclose(file);
    assert_null(strstr(text, "limits:"));
    assert_non_null(strstr(text, "joint: revolute"));
    hwDestroyWorld(Load());
}

static void BadRobotsOfUrdf(void** state) {
    (void)state;
    RefuseUrdf("<robot>\n<link name=\"a\">\n</robot>\n", 3, "the XML is broken");
    RefuseUrdf("<model/>\n", 1, "this is no robot");
    RefuseUrdf("<robot/>\n", 1, "has no links");
    RefuseUrdf("<robot>\n<link name=\"a\"/>\n<link name=\"a\"/></robot>\n", 3, "two links called `a`");
    RefuseUrdf("<robot>\n<link name=\"a\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child "
               "link=\"b\"/></joint></robot>\n",
               3, "unknown child `b`");
    RefuseUrdf("<robot>\n<link name=\"a\">" MASS "</link><link name=\"b\">" MASS "</link>\n"
               "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>\n"
               "<joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint></robot>\n",
               2, "its own ancestor");
    RefuseUrdf("<robot>\n<link name=\"a\"/><link name=\"b\">" MASS
               "</link>\n<joint name=\"j\" type=\"planar\"><parent link=\"a\"/><child "
               "link=\"b\"/></joint></robot>\n",
               3, "no part of a rigid tree");
    RefuseUrdf("<robot>\n<link name=\"a\"/><link name=\"b\">" MASS
               "</link>\n<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>"
               "<limit lower=\"1\" upper=\"1\"/></joint></robot>\n",
               3, "the limits of `j` are equal");
    RefuseUrdf("<robot>\n<link name=\"a\"/>\n<link name=\"b\"/><joint name=\"j\" type=\"continuous\"><parent "
               "link=\"a\"/><child link=\"b\"/></joint></robot>\n",
               3, "needs inertia");
    RefuseUrdf("<robot>\n<link name=\"a\"><inertial><mass value=\"heavy\"/></inertial></link></robot>\n", 2,
               "must be 1 number");
    assert_int_equal(hwConvertUrdf(FOLDER "/none.urdf", SCENE, NULL, NULL, &error), HW_ERROR_FILE);
    assert_int_equal(hwConvertDynamechs(FOLDER "/none.dm", SCENE, NULL, NULL, &error), HW_ERROR_FILE);
}

// SMS ------------------------------------------------------------------------------------------------------------------

// A crane on a ship that moves and turns; every column differs from the others.
static void CranesInSmsResults(void** state) {
    (void)state;
    Write(
        "scene.yaml",
        "hawser: 1\nduration: 1\nenvironment: {gravity: 0}\n"
        "bodies: [{name: ship, mass: 1000, inertia: [1, 1, 1], position: [10, 20, 30],\n"
        "          attitude: {rpy: [0, 0, 1]}, velocity: [1, 2, 3], rate: [0.1, 0.2, 0.5]}]\n"
        "mechanisms:\n- name: crane\n  base: {on: ship, position: [2, 0, 4], attitude: {rpy: [0.3, 0, 0]}}\n"
        "  links:\n"
        "  - {name: post, parent: base, joint: revolute, mass: 1, inertia: [1, 1, 1], q: 0.3, qd: 0.1}\n"
        "  - {name: boom, parent: post, joint: prismatic, mass: 1, inertia: [1, 1, 1], q: 0.7, qd: 0.2}\n");
    hwWorld* world = Load();
    hwSmsOutput* output = hwCreateSmsOutput(world, NULL, FOLDER "/sms", &error);
    assert_non_null(output);
    assert_int_equal(hwSmsOutput_Write(output, world, &error), HW_OK);
    assert_int_equal(hwDestroySmsOutput(output, &error), HW_OK);
    hwDestroyWorld(world);
    FILE* file = fopen(FOLDER "/sms/crane/results.dat", "r");
    assert_non_null(file);
    double row[18];
    int count = 0;
    while (count < 18 && fscanf(file, "%lf", &row[count]) == 1) count += 1;
    fclose(file);
    assert_int_equal(count, 17);
    hwVec3 arm = {2.0, 0.0, 4.0}, rate = {0.1, 0.2, 0.5};
    hwQuat ship = hwQuatFromRpy(0.0, 0.0, 1.0);
    hwVec3 v = hwAdd(hwMakeVec3(1.0, 2.0, 3.0), hwRotate(ship, hwCross(rate, arm)));
    hwVec3 p = hwAdd(hwMakeVec3(10.0, 20.0, 30.0), hwRotate(ship, arm));
    // Roll 0.3 after yaw 1: the base's pitch rate is the rate about the axis y of the yawed frame, the ship's.
    const double expected[17] = {0.0, v.x, v.y, v.z, 0.1, 0.2, 0.5, 0.1, 0.2,
                                 p.x, p.y, p.z, 0.3, 0.0, 1.0, 0.3, 0.7};
    for (int i = 0; i < 17; ++i) Near(row[i], expected[i], 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ArticulationsOfDynamechs),
        cmocka_unit_test(ClosedArticulationsOfDynamechs),
        cmocka_unit_test(SimulationsWithSeveralModelsAndNone),
        cmocka_unit_test(ReversedLimitsOfUrdfAreNone),
        cmocka_unit_test(ModelsOfDynamechs),
        cmocka_unit_test(SimulationsOfDynamechs),
        cmocka_unit_test(BadModelsOfDynamechs),
        cmocka_unit_test(CutModelsOfDynamechs),
        cmocka_unit_test(RobotsOfUrdf),
        cmocka_unit_test(BadRobotsOfUrdf),
        cmocka_unit_test(CranesInSmsResults),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
