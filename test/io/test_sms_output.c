// Results in the format of SMS, from channels that the test makes up: which files, which columns, which numbers.
#define _POSIX_C_SOURCE 200809L
#include "scene_text.h"

#include "sms_output.h"

#include <sys/stat.h>
#include <unistd.h>

static const char* const names[] = {
    "world.time",
    "world.energy",
    "box.position.x",
    "box.position.y",
    "box.position.z",
    "box.attitude.roll",
    "box.attitude.pitch",
    "box.attitude.yaw",
    "box.velocity.x",
    "box.velocity.y",
    "box.velocity.z",
    "box.rate.x",
    "box.rate.y",
    "box.rate.z",
    "box.contact.force.x",
    "box.contact.force.y",
    "box.contact.force.z",
    "box.contact.point.x",
    "box.contact.point.y",
    "box.contact.point.z",
    "box.contact.elastic",
    "box.contact.damping",
    "box.contact.volume",
    "box.contact.depth",
    "buoy.position.x",
    "buoy.position.y",
    "buoy.position.z",
    "buoy.attitude.roll",
    "buoy.attitude.pitch",
    "buoy.attitude.yaw",
    "buoy.velocity.x",
    "buoy.velocity.y",
    "buoy.velocity.z",
    "buoy.rate.x",
    "buoy.rate.y",
    "buoy.rate.z",
    "wire.a.force.x",
    "wire.a.force.y",
    "wire.a.force.z",
    "wire.a.moment.x",
    "wire.a.moment.y",
    "wire.a.moment.z",
    "wire.b.force.x",
    "wire.b.force.y",
    "wire.b.force.z",
    "wire.b.moment.x",
    "wire.b.moment.y",
    "wire.b.moment.z",
    "wire.node[0].position.x",
    "wire.node[0].position.y",
    "wire.node[0].position.z",
    "wire.node[0].velocity.x",
    "wire.node[0].velocity.y",
    "wire.node[0].velocity.z",
    "wire.node[1].position.x",
    "wire.node[1].position.y",
    "wire.node[1].position.z",
    "wire.node[1].velocity.x",
    "wire.node[1].velocity.y",
    "wire.node[1].velocity.z",
    "wire.node[2].position.x",
    "wire.node[2].position.y",
    "wire.node[2].position.z",
    "wire.node[2].velocity.x",
    "wire.node[2].velocity.y",
    "wire.node[2].velocity.z",
    "wire.element[0].tension",
    "wire.element[1].tension",
    "wire.element[0].length",
    "wire.element[1].length",
    "winch.rate",
    "winch.tension",
};
#define COUNT ((int)(sizeof(names) / sizeof(names[0])))

static double values[COUNT];

static const char* GetName(const void* context, int channel) {
    (void)context;
    return names[channel];
}

static void Read(const void* context, int count, const int* channels, double* out) {
    (void)context;
    for (int i = 0; i < count; i++) out[i] = values[channels[i]];
}

static const hwSmsSource source = {COUNT, GetName, Read, NULL};

static int Index(const char* name) {
    for (int i = 0; i < COUNT; i++) {
        if (strcmp(names[i], name) == 0) return i;
    }
    fail_msg("no channel %s", name);
    return -1;
}

static void ReadFile(const char* name, char* text, size_t size) {
    char path[400];
    snprintf(path, sizeof(path), FOLDER "/sms_out/%s", name);
    FILE* file = fopen(path, "r");
    if (file == NULL) fail_msg("%s is missing", path);
    size_t length = fread(text, 1, size - 1, file);
    text[length] = 0;
    fclose(file);
}

static hwScene* MakeScene(void) {
    return Take("hawser: 1\nduration: 1\nbodies: [{name: box, motion: fixed}, {name: buoy, motion: fixed}]\n"
                "cables: [{name: wire, sections: [{length: 1, diameter: 0.02, density: 500, EA: 4e6}], ends: "
                "{a: {on: box}, b: {on: earth}}}]\n");
}

static void FilesAndColumns(void** state) {
    (void)state;
    hwError error;
    hwScene* scene = MakeScene();
    hwSmsOutput* output = hwCreateSmsOutput_From(&source, scene, FOLDER "/sms_out", &error);
    if (output == NULL) fail_msg("%s", error.message);
    for (int row = 0; row < 2; row++) {
        for (int i = 0; i < COUNT; i++) values[i] = i + 100.0 * row;
        values[Index("world.time")] = 0.25 * row;
        // Not turned: rates of the angles are the angular velocity.
        values[Index("box.attitude.roll")] = values[Index("box.attitude.pitch")] =
            values[Index("box.attitude.yaw")] = 0.0;
        assert_int_equal(hwSmsOutput_WriteFrom(output, &source, &error), HW_OK);
    }
    assert_int_equal(hwDestroySmsOutput(output, &error), HW_OK);
    char text[2000];
    ReadFile("box/results.dat", text, sizeof(text));
    assert_string_equal(text,
                        "0 8 9 10 11 12 13 2 3 4 0 0 0\n0.25 108 109 110 111 112 113 102 103 104 0 0 0\n");
    ReadFile("box/cable_forces.dat", text, sizeof(text));
    assert_string_equal(text, "0 36 37 38 39 40 41\n0.25 136 137 138 139 140 141\n");
    ReadFile("box/contact_forces.dat", text, sizeof(text));
    assert_string_equal(text, "0 14 15 16 17 18 19 20 21\n0.25 114 115 116 117 118 119 120 121\n");
    ReadFile("box/contact_geometry.dat", text, sizeof(text));
    assert_string_equal(text, "0 22 23\n0.25 122 123\n");
    ReadFile("wire/results.dat", text, sizeof(text));
    assert_int_equal(strncmp(text, "0 51 48 52 49 53 50 57 54 58 55 59 56 63 60 64 61 65 62 68 69\n", 62), 0);
    ReadFile("wire/tensions.dat", text, sizeof(text));
    assert_string_equal(text, "0 66 67\n0.25 166 167\n");
    ReadFile("winch/winch_velocity.dat", text, sizeof(text));
    assert_string_equal(text, "0 70\n0.25 170\n");
    // What an object does not have gets no file.
    assert_int_equal(access(FOLDER "/sms_out/buoy/results.dat", F_OK), 0);
    assert_int_equal(access(FOLDER "/sms_out/buoy/contact_forces.dat", F_OK), -1);
    assert_int_equal(access(FOLDER "/sms_out/buoy/cable_forces.dat", F_OK), -1);
    assert_int_equal(access(FOLDER "/sms_out/wire/curvatures.dat", F_OK), -1);
    hwDestroyScene(scene);
}

// Against the difference of the angles themselves while the body turns with a constant rate for a short time.
static void EulerRatesFromBodyRates(void** state) {
    (void)state;
    const hwVec3 rpy = {0.4, -0.7, 2.0}, rate = {0.3, -0.5, 0.9};
    double h = 1e-6;
    hwQuat q = hwQuatFromRpy(rpy.x, rpy.y, rpy.z);
    hwVec3 after = hwRpyFromQuat(hwMulQuat(q, hwQuatFromRotationVector(hwScale(h, rate))));
    hwVec3 before = hwRpyFromQuat(hwMulQuat(q, hwQuatFromRotationVector(hwScale(-h, rate))));
    hwVec3 rates = hwSms_EulerRates(rpy, rate);
    // Central difference: h^2 and rounding 1e-16 / h.
    assert_true(hwDistance(hwScale(0.5 / h, hwSub(after, before)), rates) < 1e-9);
    hwVec3 up = hwSms_EulerRates(hwMakeVec3(0.0, 0.5 * HW_PI, 0.0), rate);
    assert_true(hwIsFiniteVec3(up));
}

static void PlacesThatCannotBeWritten(void** state) {
    (void)state;
    hwError error;
    WriteText(FOLDER "/taken", "a file\n");
    assert_null(hwCreateSmsOutput_From(&source, NULL, FOLDER "/taken", &error));
    assert_int_equal(error.status, HW_ERROR_FILE);
    assert_null(hwCreateSmsOutput_From(&source, NULL, FOLDER "/nowhere/deep", &error));
    assert_int_equal(error.status, HW_ERROR_FILE);
    const hwSmsSource nothing = {0, GetName, Read, NULL};
    assert_null(hwCreateSmsOutput_From(&nothing, NULL, FOLDER "/sms_out", &error));
    assert_int_equal(error.status, HW_ERROR_ORDER);
    assert_int_equal(hwDestroySmsOutput(NULL, NULL), HW_OK);
}

static void FullDiskIsReported(void** state) {
    (void)state;
    hwError error;
    if (access("/dev/full", W_OK) != 0) skip();
    mkdir(FOLDER "/sms_full", 0777);
    mkdir(FOLDER "/sms_full/box", 0777);
    unlink(FOLDER "/sms_full/box/results.dat");
    assert_int_equal(symlink("/dev/full", FOLDER "/sms_full/box/results.dat"), 0);
    hwSmsOutput* output = hwCreateSmsOutput_From(&source, NULL, FOLDER "/sms_full", &error);
    assert_non_null(output);
    hwStatus status = HW_OK;
    // The rows reach the disk when a buffer is full, or at the end.
    for (int i = 0; i < 1000 && status == HW_OK; i++) status = hwSmsOutput_WriteFrom(output, &source, &error);
    hwError last;
    hwStatus end = hwDestroySmsOutput(output, &last);
    assert_true(status == HW_ERROR_FILE || end == HW_ERROR_FILE);
    assert_non_null(strstr(status != HW_OK ? error.message : last.message, "full"));
    unlink(FOLDER "/sms_full/box/results.dat");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FilesAndColumns),
        cmocka_unit_test(EulerRatesFromBodyRates),
        cmocka_unit_test(PlacesThatCannotBeWritten),
        cmocka_unit_test(FullDiskIsReported),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
