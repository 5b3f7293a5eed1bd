// Files of SMS: the keys of seed 004 section 3.2 become scene keys or warnings; mass matrices split; bad files are refused.
#define _POSIX_C_SOURCE 200809L
#include "scene_text.h"

#include "hawser/convert.h"
#include "sms_mass.h"
#include "sms_scene.h"

#include <sys/stat.h>
#include <unistd.h>

typedef struct Warnings {
    int count;
    char text[64][480];
} Warnings;

static void Collect(hwLogLevel level, const char* text, void* context) {
    Warnings* warnings = context;
    assert_int_equal(level, HW_LOG_WARNING);
    assert_true(warnings->count < 64);
    snprintf(warnings->text[warnings->count++], sizeof(warnings->text[0]), "%s", text);
}

static bool Warned(const Warnings* warnings, const char* words) {
    for (int i = 0; i < warnings->count; i++) {
        if (strstr(warnings->text[i], words) != NULL) return true;
    }
    return false;
}

// Converts one text; the caller frees the result.
static char* Convert(const char* text, Warnings* warnings, hwError* error) {
    hwSmsJob* job = malloc(sizeof(*job));
    assert_non_null(job);
    memset(warnings, 0, sizeof(*warnings));
    hwSms_Begin(job, Collect, warnings, error);
    char* scene = NULL;
    size_t size;
    if (!hwSms_AddFile(job, text, strlen(text), "test.ini") || !hwSms_Write(job, &scene, &size)) scene = NULL;
    hwSms_End(job);
    free(job);
    return scene;
}

static void RefuseIni(const char* text, int line, int column, const char* words) {
    Warnings warnings;
    hwError error;
    char* scene = Convert(text, &warnings, &error);
    if (scene != NULL) fail_msg("accepted:\n%s", scene);
    if (error.line != line || error.column != column || strstr(error.message, words) == NULL) {
        fail_msg("says %d:%d %s", error.line, error.column, error.message);
    }
    assert_string_equal(error.object, "test.ini");
}

#define AT_REST                                                                                              \
    "$0|IC 0\n$1|IC 0\n$2|IC 0\n$3|IC 0\n$4|IC 0\n$5|IC 0\n$6|IC 3.645\n$7|IC 0\n$8|IC -0.346\n$9|IC "       \
    "0\n$10|IC 0\n$11|IC 0\n"
#define RIGID                                                                                                \
    "$0|Mass 7800 0 0 0 0 0\n$1|Mass 0 7800 0 0 0 0\n$2|Mass 0 0 7800 0 0 0\n$3|Mass 0 0 0 500 0 0\n"        \
    "$4|Mass 0 0 0 0 500 0\n$5|Mass 0 0 0 0 0 500\n"
#define CONTACT                                                                                              \
    "$Young_modulus 95e7 //Pa\n$B 5e7 //Pa-s\n$muc 0.05 //Coulomb\n$mus 0.07\n$OutputFolder "                \
    "payload_output_folder\n"

static const hwBodyDef* FirstBody(const hwScene* scene) {
    return &HW_ITEM(scene->model.bodies, hwSceneBody, 0)->def;
}

static void FolderOfFiles(void** state) {
    (void)state;
    const char* folder = FOLDER "/sms";
    mkdir(folder, 0777);
    mkdir(FOLDER "/sms/parts", 0777);
    WriteText(FOLDER "/sms/env.ini", "$airDensity 1.25\n$airKinematicViscosity 1.4e-5\n$waterDensity 1000.0\n"
                                     "$waterKinematicViscosity 1.1e-6\n$g 9.80665\n");
    WriteText(FOLDER "/sms/RK45.ini", "$Timestep_MAX 1.0\r\n$Timestep_MIN 1e-15\r\n$Timestep 0.0001\r\n");
    WriteText(FOLDER "/sms/parts/pay load.ini", AT_REST RIGID CONTACT);
    WriteText(FOLDER "/sms/notes.txt", "not for us\n");
    Warnings warnings = {0};
    hwError error;
    const char* out = FOLDER "/sms.yaml";
    unlink(out);
    hwStatus status = hwConvertSms(folder, out, Collect, &warnings, &error);
    if (status != HW_OK) fail_msg("%s:%d: %s", error.object, error.line, error.message);
    hwScene* scene = hwLoadScene(out, &error);
    if (scene == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    const hwSceneInfo* info = hwScene_GetInfo(scene);
    assert_string_equal(info->name, "sms");
    assert_true(info->mode == HW_SOLVER_REFERENCE && info->solver.initial == 1e-4 &&
                info->solver.min == 1e-15 && info->solver.max == 1.0);
    const hwEnvironmentDef* environment = &scene->model.environment.def;
    assert_true(environment->gravity == 9.80665 && environment->waterDensity == 1000.0 && environment->water);
    assert_true(environment->waterViscosity == 1.1e-6 && environment->airDensity == 1.25 &&
                environment->airViscosity == 1.4e-5);
    const hwBodyDef* body = FirstBody(scene);
    assert_string_equal(body->name, "pay_load");
    assert_true(body->mass == 7800.0 && body->inertia[0] == 500.0 && body->position.x == 3.645 &&
                body->position.z == -0.346);
    assert_true(body->hydro.addedMass[0][0] == 0.0);
    const hwSceneMaterial* material = HW_ITEM(scene->model.materials, hwSceneMaterial, 0);
    assert_true(material->young == 95e7 && material->damping == 5e7 &&
                material->friction.staticValue == 0.07 && material->friction.kinetic == 0.05);
    assert_true(Warned(&warnings, "$OutputFolder"));
    assert_true(Warned(&warnings, "how long to run"));
    hwDestroyScene(scene);
}

// Rates of Euler angles: a body turned by roll p, pitch q, yaw r whose angles change must move its axes as their
// difference over a short time says.
static void EulerRatesBecomeBodyRates(void** state) {
    (void)state;
    Warnings warnings;
    hwError error;
    char* text = Convert(
        "$0|IC 1\n$1|IC 2\n$2|IC 3\n$3|IC 0.1\n$4|IC -0.2\n$5|IC 0.3\n$6|IC 4\n$7|IC 5\n$8|IC 6\n$9|IC 0.4\n"
        "$10|IC 0.5\n$11|IC 0.6\n" RIGID,
        &warnings, &error);
    assert_non_null(text);
    hwScene* scene = Take(text);
    const hwBodyDef* body = FirstBody(scene);
    double h = 1e-6;
    hwQuat after = hwQuatFromRpy(0.4 + 0.1 * h, 0.5 - 0.2 * h, 0.6 + 0.3 * h);
    hwQuat before = hwQuatFromRpy(0.4 - 0.1 * h, 0.5 + 0.2 * h, 0.6 - 0.3 * h);
    hwVec3 turn = hwRotationVectorFromQuat(hwMulQuat(hwConjugate(before), after));
    // Central difference: h^2 and rounding 1e-16 / h.
    assert_true(hwDistance(hwScale(0.5 / h, turn), body->rate) < 1e-9);
    assert_true(body->velocity.y == 2.0 && body->position.z == 6.0);
    hwDestroyScene(scene);
    free(text);
}

// Mass matrices ----------------------------------------------------------------------------------------------------

static void Rigid(double m, hwVec3 c, const double inertia[6], double out[6][6]) {
    const double s[3] = {m * c.x, m * c.y, m * c.z};
    const double cross[3][3] = {{0, -s[2], s[1]}, {s[2], 0, -s[0]}, {-s[1], s[0], 0}};
    const double I[3][3] = {{inertia[0], inertia[3], inertia[4]},
                            {inertia[3], inertia[1], inertia[5]},
                            {inertia[4], inertia[5], inertia[2]}};
    double square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[i][j] = i == j ? m : 0.0;
            out[i][j + 3] = -cross[i][j];
            out[i + 3][j] = cross[i][j];
            out[i + 3][j + 3] = I[i][j] + ((i == j ? square : 0.0) - s[i] * s[j]) / m;
        }
    }
}

// Least eigenvalue by inverse-free shifting: the matrix plus `shift` has a Cholesky factor.
static bool IsPositive(double matrix[6][6], double shift) {
    double l[6][6] = {{0}};
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = matrix[i][j] + (i == j ? shift : 0.0);
            for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 0.0)) return false;
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    }
    return true;
}

// Both parts are what they should be, and their sum is the matrix.
static void CheckSplit(double matrix[6][6], const hwMassParts* parts) {
    double rigid[6][6], scale = 0.0;
    Rigid(parts->mass, parts->com, parts->inertia, rigid);
    for (int i = 0; i < 6; i++) scale = fmax(scale, matrix[i][i]);
    double added[6][6];
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            added[i][j] = parts->addedMass[i][j];
            assert_true(fabs(rigid[i][j] + added[i][j] - matrix[i][j]) < 1e-8 * scale);
        }
    }
    // Rounding of the eigenvalues is the only thing that may make the rest negative.
    assert_true(IsPositive(added, 1e-8 * scale));
    assert_true(IsPositive(rigid, 0.0));
    double half = 0.5 * (parts->inertia[0] + parts->inertia[1] + parts->inertia[2]);
    double moments[6][6] = {{half - parts->inertia[0], -parts->inertia[3], -parts->inertia[4]},
                            {-parts->inertia[3], half - parts->inertia[1], -parts->inertia[5]},
                            {-parts->inertia[4], -parts->inertia[5], half - parts->inertia[2]}};
    for (int i = 3; i < 6; i++) moments[i][i] = 1.0;
    assert_true(IsPositive(moments, 1e-8 * scale));
}

static void RigidMatricesComeBack(void** state) {
    (void)state;
    const double inertia[6] = {5, 6, 7, 0.3, -0.2, 0.1};
    double matrix[6][6];
    hwMassParts parts;
    Rigid(12.5, hwMakeVec3(0.1, -0.2, 0.3), inertia, matrix);
    assert_int_equal(hwSplitMass((const double(*)[6])matrix, &parts), HW_MASS_RIGID);
    assert_true(fabs(parts.mass - 12.5) < 1e-12 && hwDistance(parts.com, hwMakeVec3(0.1, -0.2, 0.3)) < 1e-12);
    for (int i = 0; i < 6; i++) assert_true(fabs(parts.inertia[i] - inertia[i]) < 1e-10);
}

static void AddedMassIsSplitOff(void** state) {
    (void)state;
    const double inertia[6] = {5, 6, 7, 0, 0, 0};
    double matrix[6][6];
    hwMassParts parts;
    Rigid(10, hwMakeVec3(0, 0, 0.1), inertia, matrix);
    matrix[1][1] += 4.0;
    matrix[2][2] += 9.0;
    matrix[3][3] += 1.0;
    assert_int_equal(hwSplitMass((const double(*)[6])matrix, &parts), HW_MASS_SPLIT);
    // Along x there is no water, so the body's mass is known; the water's inertia stays with the body, which may have it.
    assert_true(fabs(parts.mass - 10.0) < 1e-12 && fabs(parts.com.z - 0.1) < 1e-12);
    assert_true(fabs(parts.addedMass[1][1] - 4.0) < 1e-9 && fabs(parts.addedMass[2][2] - 9.0) < 1e-9);
    assert_true(parts.addedMass[0][0] == 0.0 && fabs(parts.inertia[0] - 6.0) < 1e-9);
    CheckSplit(matrix, &parts);
}

static void ImpossibleInertiaIsCut(void** state) {
    (void)state;
    const double inertia[6] = {1, 2, 30, 0, 0, 0};
    double matrix[6][6];
    hwMassParts parts;
    Rigid(10, hwVec3_zero, inertia, matrix);
    assert_int_equal(hwSplitMass((const double(*)[6])matrix, &parts), HW_MASS_SPLIT);
    assert_true(fabs(parts.inertia[2] - 3.0) < 1e-9 && fabs(parts.addedMass[5][5] - 27.0) < 1e-9);
    CheckSplit(matrix, &parts);
}

// Full matrices, symmetric coupling included: a random square times its transpose plus a diagonal.
static void RandomMatricesSplit(void** state) {
    (void)state;
    uint64_t random = 1;
    for (int trial = 0; trial < 300; trial++) {
        double a[6][6], matrix[6][6];
        for (int i = 0; i < 36; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            a[i / 6][i % 6] = (double)(random >> 11) / 9007199254740992.0 - 0.5;
        }
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                matrix[i][j] = i == j ? 0.05 : 0.0;
                for (int k = 0; k < 6; k++) matrix[i][j] += a[i][k] * a[j][k];
            }
        }
        hwMassParts parts;
        hwMassKind kind = hwSplitMass((const double(*)[6])matrix, &parts);
        assert_int_equal(kind, HW_MASS_SPLIT);
        CheckSplit(matrix, &parts);
    }
}

static void NegativeMatricesAreRefused(void** state) {
    (void)state;
    const double inertia[6] = {5, 6, 7, 0, 0, 0};
    double matrix[6][6];
    hwMassParts parts;
    Rigid(10, hwVec3_zero, inertia, matrix);
    matrix[0][4] = matrix[4][0] = 100.0;
    assert_int_equal(hwSplitMass((const double(*)[6])matrix, &parts), HW_MASS_UNUSABLE);
}

static void SplitIsWrittenWithAWarning(void** state) {
    (void)state;
    Warnings warnings;
    hwError error;
    char* text = Convert(
        AT_REST "$0|Mass 110 0 0 0 0 0\n$1|Mass 0 120 0 0 0 0\n$2|Mass 0 0 130 0 0 0\n$3|Mass 0 0 0 50 0 0\n"
                "$4|Mass 0 0 0 0 60 0\n$5|Mass 0 0 0 0 0 70\n",
        &warnings, &error);
    assert_non_null(text);
    assert_true(Warned(&warnings, "no rigid body has this mass matrix; it was split into a body of 110 kg"));
    hwScene* scene = Take(text);
    const hwBodyDef* body = FirstBody(scene);
    assert_true(body->mass == 110.0 && body->hydro.addedMass[1][1] == 10.0 &&
                body->hydro.addedMass[2][2] == 20.0);
    hwDestroyScene(scene);
    free(text);
}

// Machines ---------------------------------------------------------------------------------------------------------

// Takes the `# ` off the commented sections, as a user would to complete them.
static char* Uncomment(const char* text) {
    char* out = calloc(1, strlen(text) + 1);
    assert_non_null(out);
    bool inside = false;
    for (const char* line = text; *line != 0;) {
        size_t length = strcspn(line, "\n");
        if (strncmp(line, "# mechanisms:", 13) == 0 || strncmp(line, "# cables:", 9) == 0 ||
            strncmp(line, "# winches:", 10) == 0)
            inside = true;
        size_t skipped = inside && line[0] == '#' ? 2 : 0;
        strncat(out, line + skipped, length - skipped);
        strcat(out, "\n");
        line += length + (line[length] == '\n');
    }
    return out;
}

static void CableBecomesACable(void** state) {
    (void)state;
    Warnings warnings;
    hwError error;
    char* text = Convert(
        "$EA 4.0e6\n$EI 1\n$GJ 2\n$rho_cable 500.0\n$dia_cable 0.024\n$CDc 1.1\n$CAc 0.9\n$CID 1e3\n$BCID "
        "3\n$CE 1\n"
        "$ElementLengthMax 12\n$ElementLengthMin 1\n$NODEO_STATIC 1\n$NODEN_STATIC 0\n"
        "$0|IC 0 3.645 0 0 0 15\n$1|IC 0 3.645 0 0 0 11\n$2|IC 0.5 3.645 0 0 0 7\n$3|IC 0 3.645 0 0 0 1\n"
        "$ElementLengths 4 4 6\n$OutputFolder x\n$0|ExtMasses 5 0.2 7800\n",
        &warnings, &error);
    if (text == NULL) fail_msg("%d: %s", error.line, error.message);
    assert_true(Warned(&warnings, "end b is attached to"));
    hwScene* scene = Take(text);
    const hwSceneCable* cable = HW_ITEM(scene->model.cables, hwSceneCable, 0);
    assert_int_equal(cable->sections.count, 2);
    const hwSceneCableSection* first = HW_ITEM(cable->sections, hwSceneCableSection, 0);
    assert_true(first->length == 8.0 && first->elements == 2 && first->EA == 4e6 && first->EI == 1.0 &&
                first->GJ == 2.0);
    assert_true(first->density == 500.0 && first->diameter == 0.024 && first->drag.normal == 1.1 &&
                first->addedMass.normal == 0.9);
    assert_true(first->damping.axial == 1e3 && first->damping.bending == 3.0 && first->compression == 1.0);
    assert_true(first->elementLength.min == 1.0 && first->elementLength.max == 12.0);
    assert_int_equal(cable->shape.nodes.count, 4);
    assert_true(cable->shape.nodes.values[3].z == 1.0 && cable->shape.velocities.values[2].x == 0.5);
    assert_true(cable->ends.a.joint == HW_ATTACH_PIN && cable->ends.b.joint == HW_ATTACH_FREE);
    const hwSceneCableMass* mass = HW_ITEM(cable->masses, hwSceneCableMass, 0);
    assert_true(fabs(mass->mass - 7800.0 * HW_PI / 6.0 * 0.008) < 1e-9 && mass->at == 5.0);
    // and it runs
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%d: %s", error.line, error.message);
    assert_true(hwWorld_Step(world, 0.1, &error) >= HW_OK);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    free(text);
}

static void CraneBecomesAMechanism(void** state) {
    (void)state;
    Warnings warnings;
    hwError error;
    char* text = Convert(
        "$VERBOSE 0\n//Link 1\n$0|LinkDHParameters 90 -0.65 1.4 0\n$0|LinkJointVariable "
        "Theta\n$0|LinkJointVelocity 0.1\n"
        "$0|LinkCGLocation -0.35 0.7 0\n$0|LinkCGOrientation 0 0 0.2\n$0|LinkMass 682.97 682.97 682.97\n"
        "$0|LinkMomentOfInertia 139.44 139.44 55.776\n$0|JointControlType position\n"
        "$0|JointProportionalCoefficient 1000000000\n$0|JointIntegralCoefficient "
        "1\n$0|JointDerivativeCoefficient 1e8\n"
        "$0|MaximumActuatablePower 500000\n$0|UpstreamJointLimits -1e30 1e30 //no "
        "limits\n$0|JointLimitStiffness 1e6\n"
        "$0|JointLimitDamping 10000\n// Link 2\n$1|LinkDHParameters 0 1 0 45\n$1|LinkJointVariable d\n"
        "$1|LinkMass 754\n$1|LinkMomentOfInertia 31.42 78.5 78.5\n$1|UpstreamJointLimits 0 9\n$OutputFolder "
        "y\n",
        &warnings, &error);
    if (text == NULL) fail_msg("%d: %s", error.line, error.message);
    assert_true(Warned(&warnings, "$VERBOSE"));
    hwScene* scene = Take(text);
    const hwSceneMechanism* crane = HW_ITEM(scene->model.mechanisms, hwSceneMechanism, 0);
    assert_int_equal(crane->links.count, 2);
    const hwSceneLink* first = HW_ITEM(crane->links, hwSceneLink, 0);
    const hwSceneLink* second = HW_ITEM(crane->links, hwSceneLink, 1);
    assert_true(fabs(first->dh.alpha - 0.5 * HW_PI) < 1e-15 && first->dh.d == 1.4 && first->mass == 682.97 &&
                first->qd.values[0] == 0.1);
    assert_true(first->control.kp == 1e9 && first->control.power == 5e5 && first->limits.place.line == 0);
    assert_true(first->comAttitude.rpy.z == 0.2);
    assert_true(second->joint == HW_JOINT_PRISMATIC && second->parentIndex == 0 &&
                second->limits.range.values[1] == 9.0);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%d: %s", error.line, error.message);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    free(text);
}

// The crane of the manual with its integrator file: controllers of 1e9 N m/rad. An explicit method took 30,000 steps for a
// second; an implicit one needs about a hundred, one for each row.
static void CraneOfTheManualRuns(void** state) {
    (void)state;
    static const char crane[] =
        "$0|LinkDHParameters 90 -0.65 1.4 0\n$0|LinkJointVariable Theta\n$0|LinkJointVelocity 0\n"
        "$0|LinkCGLocation -0.35 0.7 0\n$0|LinkCGOrientation 0 0 0\n$0|LinkMass 682.97 682.97 682.97\n"
        "$0|LinkMomentOfInertia 139.44 139.44 55.776\n$0|JointControlType position\n"
        "$0|JointProportionalCoefficient 1000000000\n$0|JointIntegralCoefficient 1\n"
        "$0|JointDerivativeCoefficient 100000000\n$0|MaximumActuatablePower 500000\n"
        "$0|UpstreamJointLimits -1e30 1e30 //no limits\n$0|JointLimitStiffness 1000000\n"
        "$0|JointLimitDamping 10000\n$1|LinkDHParameters 0 1 0 45\n$1|LinkJointVariable Theta\n"
        "$1|LinkCGLocation 0.5 0 0\n$1|LinkMass 754 754 754\n$1|LinkMomentOfInertia 31.42 78.5 78.5\n"
        "$1|JointControlType position\n$1|JointProportionalCoefficient 1000000000\n"
        "$1|JointIntegralCoefficient 1\n$1|JointDerivativeCoefficient 100000000\n"
        "$1|MaximumActuatablePower 500000\n$1|UpstreamJointLimits 0 90\n$1|JointLimitStiffness 10000000\n"
        "$1|JointLimitDamping 1000000\n";
    static const char integrator[] = "$Timestep_MAX 1.0\n$Timestep_MIN 1e-15\n$Timestep 0.0001\n";
    Warnings warnings = {0};
    hwError error = {0};
    char* text = NULL;
    size_t size = 0;
    hwSmsJob* job = malloc(sizeof(*job));
    assert_non_null(job);
    hwSms_Begin(job, Collect, &warnings, &error);
    bool good = hwSms_AddFile(job, crane, strlen(crane), "crane.ini") &&
                hwSms_AddFile(job, integrator, strlen(integrator), "RK45.ini") &&
                hwSms_Write(job, &text, &size);
    hwSms_End(job);
    free(job);
    if (!good) fail_msg("%d: %s", error.line, error.message);
    hwScene* scene = Take(text);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    double start = hwWorld_ReadChannel(world, hwWorld_FindChannel(world, "crane.link2.q"));
    for (int row = 0; row < 100; row++) {
        if (hwWorld_Step(world, 0.01, &error) < HW_OK) fail_msg("%s", error.message);
    }
    assert_true(hwWorld_GetCounters(world).steps < 1000);
    // the weight of 754 kg half a metre out turns the joint by about m g r cos 45 / kp
    double sag = hwWorld_ReadChannel(world, hwWorld_FindChannel(world, "crane.link2.q")) - start;
    assert_true(fabs(sag) < 754 * 9.81 * 0.5 / 1e9);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    free(text);
}

static void WinchBecomesAComment(void** state) {
    (void)state;
    Warnings warnings;
    hwError error;
    char* text = Convert("$VelocitySetPoint 0.5\n$TensionSetPoint 2000\n$accel_max 4\n$decel_max -5\n$Kp "
                         "0.1\n$Kd 0.01\n$Ki 0.0001\n",
                         &warnings, &error);
    assert_non_null(text);
    char* open = Uncomment(text);
    char* complete = malloc(strlen(open) + 300);
    assert_non_null(complete);
    sprintf(complete,
            "%scables: [{name: the_cable, sections: [{length: 1, diameter: 0.02, density: 500, EA: 4e6}], "
            "ends: {a: {on: earth}, b: "
            "{joint: free}}}]\n",
            open);
    hwScene* scene = Take(complete);
    const hwSceneWinch* winch = HW_ITEM(scene->model.winches, hwSceneWinch, 0);
    assert_true(winch->kp == 0.1 && winch->ki == 1e-4 && winch->kd == 0.01 && winch->acceleration == 4.0 &&
                winch->deceleration == -5.0);
    assert_true(hwSignal_Evaluate(&winch->setpoint, 0.0).value.x == 0.5);
    hwDestroyScene(scene);
    free(complete);
    free(open);
    free(text);
}

// With one cable that has one end standing still there is no doubt where the winch is.
static void WinchFindsTheOnlyCable(void** state) {
    (void)state;
    mkdir(FOLDER "/winch and cable", 0777);
    WriteText(FOLDER "/winch and cable/wire.ini",
              "$EA 4.0e6\n$rho_cable 500.0\n$dia_cable 0.024\n$NODE0_STATIC 0\n$NODEN_STATIC "
              "1\n$ElementLengths 4 4\n"
              "$0|IC 0 0 0 0 0 0\n$1|IC 0 0 0 0 0 4\n$2|IC 0 0 0 0 0 8\n");
    WriteText(FOLDER "/winch and cable/winch.ini", "$VelocitySetPoint 0.5\n$TensionSetPoint 2000\n$Kp 0.1\n");
    hwError error;
    const char* out = FOLDER "/winch and cable.yaml";
    if (hwConvertSms(FOLDER "/winch and cable", out, NULL, NULL, &error) != HW_OK)
        fail_msg("%s", error.message);
    hwScene* scene = hwLoadScene(out, &error);
    if (scene == NULL) fail_msg("%d: %s", error.line, error.message);
    const hwSceneWinch* winch = HW_ITEM(scene->model.winches, hwSceneWinch, 0);
    assert_string_equal(winch->cable.text, "wire");
    assert_int_equal(winch->end, 1);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%d: %s", error.line, error.message);
    for (int i = 0; i < 60; i++) assert_true(hwWorld_Step(world, 1.0 / 60.0, &error) >= HW_OK);
    // 0.5 m/s, reached at 3 m/s2
    double length = hwWorld_ReadChannel(world, hwWorld_FindChannel(world, "wire.length"));
    assert_true(fabs(length - (8.5 - 0.5 * 0.25 / 3.0)) < 1e-3);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// Bad files --------------------------------------------------------------------------------------------------------

static void BadLines(void** state) {
    (void)state;
    RefuseIni("", 1, 1, "no `$key`");
    RefuseIni("// only a comment\n", 1, 1, "no `$key`");
    RefuseIni("$g 9.81\nwaterDensity 5\n", 2, 1, "a line must be `$key values`");
    RefuseIni("$g 9.81\n  $ 5\n", 2, 4, "after `$` there must be a key");
    RefuseIni("$x|IC 5\n", 1, 2, "before the bar");
    RefuseIni("$foo 1\n$bar 2\n", 1, 1, "`$foo` and the other keys are not those of");
    RefuseIni("$g heavy\n", 1, 4, "`$g` holds `heavy`");
    RefuseIni("$g nan\n", 1, 4, "`$g` holds `nan`");
    RefuseIni("$g 9.81\n$waterDensity -5\n", 2, 15, "`$waterDensity` is -5, but must be at least 0");
    RefuseIni("$g 9.81\n$airDensity 1 2\n", 2, 1, "`$airDensity` needs 1 value, but has 2");
    RefuseIni("$Timestep 1\n$Timestep_MAX 0.5\n", 2, 15, "must be at least `$Timestep`");
    RefuseIni(RIGID, 1, 1, "a payload needs `$0|IC`");
    RefuseIni(AT_REST "$0|Mass 1 0 0 0 0 0\n$Young_modulus 5\n", 1, 1, "a payload needs `$1|Mass`");
    RefuseIni(AT_REST "$0|Mass 0 0 0 0 0 0\n$1|Mass 0 1 0 0 0 0\n$2|Mass 0 0 1 0 0 0\n$3|Mass 0 0 0 1 0 "
                      "0\n$4|Mass 0 0 0 0 1 0\n"
                      "$5|Mass 0 0 0 0 0 1\n",
              13, 1, "not positive definite");
    RefuseIni("$EA 1\n", 1, 1, "a cable needs `$rho_cable`");
    RefuseIni("$0|LinkMass 1 1 1\n$0|LinkDHParameters 90 -0.65 1.4\n", 2, 1,
              "`$LinkDHParameters` needs 4 values, but has 3");
}

static void UnknownKeysAndOddValuesGiveWarnings(void** state) {
    (void)state;
    Warnings warnings;
    hwError error;
    char* text = Convert("$g 9.81\n$waterDensty 1000\n$waterDensity 0\n", &warnings, &error);
    assert_non_null(text);
    assert_true(Warned(&warnings,
                       "test.ini:2: `$waterDensty` is not a key of environment files and was left out; "
                       "did you mean `$waterDensity`?"));
    assert_true(Warned(&warnings, "without water"));
    hwScene* scene = Take(text);
    assert_false(scene->model.environment.def.water);
    hwDestroyScene(scene);
    free(text);
}

static void NothingIsWrittenOnFailure(void** state) {
    (void)state;
    hwError error;
    const char* out = FOLDER "/never.yaml";
    unlink(out);
    WriteText(FOLDER "/bad.ini", "$g heavy\n");
    assert_int_equal(hwConvertSms(FOLDER "/bad.ini", out, NULL, NULL, &error), HW_ERROR_FORMAT);
    assert_string_equal(error.object, "bad.ini");
    assert_int_equal(access(out, F_OK), -1);
    assert_int_equal(hwConvertSms(FOLDER "/nowhere.ini", out, NULL, NULL, &error), HW_ERROR_FILE);
    mkdir(FOLDER "/empty folder", 0777);
    assert_int_equal(hwConvertSms(FOLDER "/empty folder", out, NULL, NULL, &error), HW_ERROR_FILE);
    assert_non_null(strstr(error.message, "no .ini files"));
    WriteText(FOLDER "/good.ini", "$g 9.81\n");
    assert_int_equal(hwConvertSms(FOLDER "/good.ini", FOLDER "/no such folder/x.yaml", NULL, NULL, &error),
                     HW_ERROR_FILE);
    assert_int_equal(hwConvertSms(FOLDER "/good.ini", out, NULL, NULL, NULL), HW_OK);
}

// docs/sms.md has a row for every key.
static void EveryKeyIsDocumented(void** state) {
    (void)state;
    static char page[100000];
    FILE* file = fopen(HAWSER_SOURCE_DIR "/docs/sms.md", "r");
    assert_non_null(file);
    size_t size = fread(page, 1, sizeof(page) - 1, file);
    fclose(file);
    page[size] = 0;
    for (const hwSmsKey* key = hwSms_GetKeys(); key->name != NULL; key++) {
        char row[400];
        snprintf(row, sizeof(row), "| `$%s%s` | %s%s%s | %s |\n", key->indexed ? "id\\|" : "", key->name,
                 key->target != NULL ? "`" : "", key->target != NULL ? key->target : "a warning",
                 key->target != NULL ? "`" : "", key->note != NULL ? key->note : "");
        if (strstr(page, row) == NULL) fail_msg("docs/sms.md lacks the row\n%s", row);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FolderOfFiles),
        cmocka_unit_test(EulerRatesBecomeBodyRates),
        cmocka_unit_test(RigidMatricesComeBack),
        cmocka_unit_test(AddedMassIsSplitOff),
        cmocka_unit_test(ImpossibleInertiaIsCut),
        cmocka_unit_test(RandomMatricesSplit),
        cmocka_unit_test(NegativeMatricesAreRefused),
        cmocka_unit_test(SplitIsWrittenWithAWarning),
        cmocka_unit_test(CableBecomesACable),
        cmocka_unit_test(CraneBecomesAMechanism),
        cmocka_unit_test(CraneOfTheManualRuns),
        cmocka_unit_test(WinchBecomesAComment),
        cmocka_unit_test(WinchFindsTheOnlyCable),
        cmocka_unit_test(BadLines),
        cmocka_unit_test(UnknownKeysAndOddValuesGiveWarnings),
        cmocka_unit_test(NothingIsWrittenOnFailure),
        cmocka_unit_test(EveryKeyIsDocumented),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
