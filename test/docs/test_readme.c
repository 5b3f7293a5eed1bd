// The manual's front page: its scene and its program are those that the other tests run, and its links lead somewhere.
#include "support.h"

static char* ReadAll(const char* path) {
    FILE* file = fopen(path, "rb");
    if (file == NULL) fail_msg("%s cannot be opened", path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char* text = calloc(1, (size_t)size + 1);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

static void scene_is_the_one_of_the_folder(void** state) {
    (void)state;
    char* readme = ReadAll(HAWSER_SOURCE_DIR "/README.md");
    char* scene = ReadAll(HAWSER_SOURCE_DIR "/scenes/load_on_a_wire.yaml");
    assert_non_null(strstr(readme, scene));
    free(scene);
    free(readme);
}

static void program_is_the_one_of_the_folder(void** state) {
    (void)state;
    char* readme = ReadAll(HAWSER_SOURCE_DIR "/README.md");
    char* program = ReadAll(HAWSER_SOURCE_DIR "/examples/load_on_a_wire.c");
    const char* code = strstr(program, "#include");
    assert_non_null(code);
    assert_non_null(strstr(readme, code));
    free(program);
    free(readme);
}

static void links_lead_somewhere(void** state) {
    (void)state;
    char* readme = ReadAll(HAWSER_SOURCE_DIR "/README.md");
    int count = 0;
    for (const char* at = readme; (at = strstr(at, "](")) != NULL; at += 2) {
        char path[600];
        int length = (int)strcspn(at + 2, ")#");
        if (strncmp(at + 2, "http", 4) == 0) continue;
        snprintf(path, sizeof(path), "%s/%.*s", HAWSER_SOURCE_DIR, length, at + 2);
        FILE* file = fopen(path, "rb");
        if (file == NULL) fail_msg("%.*s does not exist", length, at + 2);
        fclose(file);
        count++;
    }
    assert_true(count > 5);
    free(readme);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scene_is_the_one_of_the_folder),
        cmocka_unit_test(program_is_the_one_of_the_folder),
        cmocka_unit_test(links_lead_somewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
