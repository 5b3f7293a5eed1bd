// Bad files: each gives one sentence with a place, quickly, and no memory is lost.
#define _POSIX_C_SOURCE 200809L
#include "scene_text.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void RefuseFile(const char* path, hwStatus status, const char* words) {
    hwError error;
    hwScene* scene = hwLoadScene(path, &error);
    assert_null(scene);
    if (error.status != status || strstr(error.message, words) == NULL)
        fail_msg("%d: %s", error.status, error.message);
}

static void RefuseBytes(const char* bytes, size_t size, hwStatus status, int line, const char* words) {
    hwError error;
    hwScene* scene = hwParseScene(bytes, size, "test.yaml", NULL, &error);
    assert_null(scene);
    if (error.status != status || error.line != line || error.column < 1 ||
        strstr(error.message, words) == NULL) {
        fail_msg("%d at %d:%d: %s", error.status, error.line, error.column, error.message);
    }
}

static void MissingFileFolderAndPath(void** state) {
    (void)state;
    RefuseFile(FOLDER "/nowhere.yaml", HW_ERROR_FILE, "does not exist");
    RefuseFile(FOLDER, HW_ERROR_FILE, "is a folder");
    WriteText(FOLDER "/plain.yaml", "hawser: 1\n");
    RefuseFile(FOLDER "/plain.yaml/inner.yaml", HW_ERROR_FILE, "not a folder");
}

static void FileWithoutPermission(void** state) {
    (void)state;
    if (geteuid() == 0) {
        print_message("root may read everything: nothing to try\n");
        skip();
    }
    WriteText(FOLDER "/locked.yaml", "hawser: 1\n");
    chmod(FOLDER "/locked.yaml", 0);
    RefuseFile(FOLDER "/locked.yaml", HW_ERROR_FILE, "no permission");
    chmod(FOLDER "/locked.yaml", 0600);
}

static void HugeFileIsRefusedUnread(void** state) {
    (void)state;
    const char* path = FOLDER "/huge.yaml";
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    // A hole: it takes no room on the disk.
    assert_int_equal(fseek(file, 100L << 20, SEEK_SET), 0);
    fputc('\n', file);
    fclose(file);
    RefuseFile(path, HW_ERROR_LIMIT, "larger than the 64 MB allowed");
    hwError error;
    assert_null(hwLoadScene(path, &error));
    assert_int_equal(error.line, 1);
    unlink(path);
}

static void EmptyAndNothingButComments(void** state) {
    (void)state;
    RefuseBytes("", 0, HW_ERROR_FORMAT, 1, "empty");
    RefuseBytes("# nothing\n\n", 11, HW_ERROR_FORMAT, 1, "empty");
    RefuseBytes("---\n...\n", 8, HW_ERROR_FORMAT, 1, "empty");
    RefuseBytes("~", 1, HW_ERROR_FORMAT, 1, "empty");
}

static void WrongTopLevel(void** state) {
    (void)state;
    RefuseAt("just text", 1, 1, "a scene must be a mapping");
    RefuseAt("[1, 2]", 1, 1, "not a list of 2");
    RefuseAt("duration: 1\n", 1, 1, "a scene needs `hawser`");
    RefuseAt("hawser: 2\nduration: 1\n", 1, 9, "`hawser` is 2, but must be 1");
}

static void BrokenYaml(void** state) {
    (void)state;
    RefuseAt("hawser: 1\n\tname: x\n", 2, 1, "not valid YAML");
    RefuseAt("hawser: 1\nname: [1, 2\n", 3, 1, "not valid YAML");
    RefuseAt("hawser: 1\nname: 'x\n", 3, 1, "not valid YAML");
    RefuseAt("hawser: 1\n name: x\n", 2, 6, "not valid YAML");
    RefuseBytes("hawser: 1\nname: \xff\xfe\n", 18, HW_ERROR_FORMAT, 2, "not UTF-8");
    RefuseBytes("hawser: 1\nname: \"a\\0b\"\n", 23, HW_ERROR_FORMAT, 2, "zero byte");
}

static void TwoDocumentsAndTags(void** state) {
    (void)state;
    RefuseAt("hawser: 1\nduration: 1\n---\nhawser: 1\n", 3, 1, "one YAML document");
    RefuseAt("hawser: !!int 1\nduration: 1\n", 1, 9, "tags are not allowed");
    RefuseAt("? [a, b]\n: 1\n", 1, 3, "a key must be a plain word");
}

// Ten levels of ten references each would be ten thousand million values.
static void AliasBomb(void** state) {
    (void)state;
    char text[2048] = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 10; i++) {
        char line[200];
        snprintf(line, sizeof(line), "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i - 1, i - 1, i - 1,
                 i - 1, i - 1);
        strcat(text, line);
    }
    RefuseAt(text, 1, 5, "anchors and aliases");
    RefuseAt("hawser: 1\nduration: *x\n", 2, 11, "anchors and aliases");
}

static void DeepNesting(void** state) {
    (void)state;
    char text[4200] = "hawser: ";
    memset(text + 8, '[', 4000);
    RefuseBytes(text, 4008, HW_ERROR_LIMIT, 1, "nested more than 32 deep");
}

static void TooManyValues(void** state) {
    (void)state;
    size_t size = 2 * 2000010 + 20;
    char* text = malloc(size + 1);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "record: [");
    while (used + 2 < size) {
        text[used++] = '1';
        text[used++] = ',';
    }
    text[used++] = ']';
    RefuseBytes(text, used, HW_ERROR_LIMIT, 1, "more than 2000000 values");
    free(text);
}

static void DuplicateKeys(void** state) {
    (void)state;
    RefuseAt("hawser: 1\nduration: 1\nname: a\nduration: 2\n", 4, 1,
             "`duration` is given twice; the first one is in line 2");
    // Large mappings are checked another way.
    char text[4096] = "hawser: 1\nduration: 1\nmaterials:\n";
    for (int i = 0; i < 30; i++) {
        char line[64];
        snprintf(line, sizeof(line), "  m%d: {young: 1}\n", i == 20 ? 3 : i);
        strcat(text, line);
    }
    RefuseAt(text, 24, 3, "`m3` is given twice; the first one is in line 7");
}

static void NamesWithIndicesInsideBrackets(void** state) {
    (void)state;
    hwScene* scene = Take("hawser: 1\nduration: 1\nrecord: [wire.node[3].position.x, \"a[0]\", b[12].c]\n");
    const hwSceneInfo* info = hwScene_GetInfo(scene);
    assert_int_equal(info->recordCount, 3);
    assert_string_equal(info->record[0], "wire.node[3].position.x");
    assert_string_equal(info->record[1], "a[0]");
    assert_string_equal(info->record[2], "b[12].c");
    hwDestroyScene(scene);
    // Columns count characters of the file as it is.
    RefuseAt("hawser: 1\nduration: 1\nevents: [{at: 1, fail: rov.thruster[2], at: 2}]\n", 3, 41,
             "`at` is given twice");
}

static void LongAndStrangeValuesStayReadable(void** state) {
    (void)state;
    char text[3000] = "hawser: 1\nduration: ";
    memset(text + strlen(text), 'x', 2000);
    hwError error;
    assert_null(hwParseScene(text, strlen(text), "t", NULL, &error));
    assert_non_null(strstr(error.message, "\xe2\x80\xa6"));
    assert_true(strlen(error.message) < 200);
    RefuseAt("hawser: 1\nduration: \"a\\nb\"\n", 2, 11, "the text `a b`");
}

static void InfoSaysWhatTheFileSays(void** state) {
    (void)state;
    WriteText(FOLDER "/a scene.yaml",
              "hawser: 1\nduration: 5\noutput: {interval: 0.5}\n"
              "solver: {mode: reference, method: bdf, tolerance: 1e-7, initial: 1e-3, min: 1e-9, "
              "max: 0.5, threads: 3}\nstart: {statics: true, time: 2}\nrecord: [world.time]\n");
    hwError error;
    hwScene* scene = hwLoadScene(FOLDER "/a scene.yaml", &error);
    assert_non_null(scene);
    const hwSceneInfo* info = hwScene_GetInfo(scene);
    assert_string_equal(info->path, FOLDER "/a scene.yaml");
    assert_string_equal(info->name, "a scene");
    assert_true(info->duration == 5.0 && info->interval == 0.5 && info->start == 2.0 && info->statics);
    assert_true(info->mode == HW_SOLVER_REFERENCE && info->method == HW_REFERENCE_BDF && info->threads == 3);
    assert_true(info->solver.tolerance == 1e-7 && info->solver.initial == 1e-3 && info->solver.min == 1e-9 &&
                info->solver.max == 0.5);
    assert_int_equal(info->recordCount, 1);
    hwScene_SetSolver(scene, HW_SOLVER_REALTIME);
    assert_int_equal(info->mode, HW_SOLVER_REALTIME);
    hwDestroyScene(scene);
    scene = Take("hawser: 1\nduration: 1\n");
    info = hwScene_GetInfo(scene);
    assert_string_equal(info->name, "test");
    assert_true(info->interval == 0.01 && info->mode == HW_SOLVER_REALTIME && info->threads == 1 &&
                !info->statics);
    hwDestroyScene(scene);
}

static void TooManyRows(void** state) {
    (void)state;
    RefuseAt("hawser: 1\nduration: 1e9\noutput: {interval: 1e-9}\n", 3, 20, "more than 1e+09 rows");
    RefuseAt("hawser: 1\nduration: 1\nsolver: {min: 1, max: 0.5}\n", 3, 15,
             "`min` is 1 s, but must be at most `max`");
}

// Texts of scenes are printed: none may hold what a terminal obeys.
static void ControlCharactersAreRefused(void** state) {
    (void)state;
    RefuseAt("hawser: 1\nduration: 1\nname: \"\\e[31mred\"\n", 3, 7, "the control character 1B");
    RefuseAt("hawser: 1\nduration: 1\nname: \"\\N\"\n", 3, 7, "the control character 85");
    RefuseAt("hawser: 1\nduration: 1\nname: \"a\\x7f\"\n", 3, 7, "the control character 7F");
    RefuseAt("hawser: 1\nduration: 1\nenvironment: {seabed: {heightfield: \"a\\tb\"}}\n", 3, 37,
             "the control character 09");
    hwDestroyScene(Take("hawser: 1\nduration: 1\nname: \"two\\nlines, a\\ttab, \\xc2\\xe9\"\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(MissingFileFolderAndPath),
        cmocka_unit_test(FileWithoutPermission),
        cmocka_unit_test(HugeFileIsRefusedUnread),
        cmocka_unit_test(EmptyAndNothingButComments),
        cmocka_unit_test(WrongTopLevel),
        cmocka_unit_test(BrokenYaml),
        cmocka_unit_test(TwoDocumentsAndTags),
        cmocka_unit_test(AliasBomb),
        cmocka_unit_test(DeepNesting),
        cmocka_unit_test(TooManyValues),
        cmocka_unit_test(DuplicateKeys),
        cmocka_unit_test(NamesWithIndicesInsideBrackets),
        cmocka_unit_test(LongAndStrangeValuesStayReadable),
        cmocka_unit_test(ControlCharactersAreRefused),
        cmocka_unit_test(InfoSaysWhatTheFileSays),
        cmocka_unit_test(TooManyRows),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
