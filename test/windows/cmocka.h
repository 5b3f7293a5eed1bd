// What the core's unit tests use of cmocka, for Windows, for which Debian has no cmocka. A failed check ends its test, and the
// program's status is the number of tests that failed.
#ifndef HW_TEST_WINDOWS_CMOCKA_H
#define HW_TEST_WINDOWS_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
    const char* name;
    void (*test)(void** state);
};

#define cmocka_unit_test(function)                                                                           \
    { #function, function }
#define cmocka_run_group_tests(tests, setup, teardown)                                                       \
    MiniRun(tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

static jmp_buf s_miniFailure;

static inline void MiniFail(const char* file, int line, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("%s:%d: ", file, line);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    longjmp(s_miniFailure, 1);
}

// Ends a test that has nothing to try here, as one that passed.
#define skip() longjmp(s_miniFailure, 2)

static inline int MiniRun(const struct CMUnitTest* tests, size_t count, int (*setup)(void**),
                          int (*teardown)(void**)) {
    void* state = NULL;
    volatile int failed = 0;
    if (setup != NULL && setup(&state) != 0) return 99;
    for (volatile size_t i = 0; i < count; ++i) {
        switch (setjmp(s_miniFailure)) {
        case 0:
            tests[i].test(&state);
            printf("good   %s\n", tests[i].name);
            break;
        case 2:
            printf("skipped %s\n", tests[i].name);
            break;
        default:
            failed = failed + 1;
            printf("FAILED %s\n", tests[i].name);
        }
    }
    if (teardown != NULL && teardown(&state) != 0) failed = failed + 1;
    return failed;
}

#define fail_msg(...) MiniFail(__FILE__, __LINE__, __VA_ARGS__)
#define print_message(...) printf(__VA_ARGS__)
#define assert_true(condition)                                                                               \
    do {                                                                                                     \
        if (!(condition)) fail_msg("not true: %s", #condition);                                              \
    } while (0)
#define assert_false(condition) assert_true(!(condition))
#define assert_null(pointer) assert_true((pointer) == NULL)
#define assert_non_null(pointer) assert_true((pointer) != NULL)
#define assert_int_equal(a, b) assert_true((a) == (b))
#define assert_int_not_equal(a, b) assert_true((a) != (b))
#define assert_ptr_equal(a, b) assert_true((const void*)(a) == (const void*)(b))
#define assert_ptr_not_equal(a, b) assert_true((const void*)(a) != (const void*)(b))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b) assert_true(strcmp(a, b) != 0)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)
#define assert_memory_not_equal(a, b, size) assert_true(memcmp(a, b, size) != 0)

#endif
