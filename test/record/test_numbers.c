// Numbers as text: the same bits after reading back, short where short is possible, whatever the locale.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "csv_number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t NextRandom(uint64_t* state) {
    *state += 0x9e3779b97f4a7c15u;
    uint64_t x = *state;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static bool ParseText(const char* text, double* value) {
    return hwParseNumber(text, text + strlen(text), value);
}

static void AssertRoundTrip(double value) {
    char text[HW_NUMBER_SIZE + 1];
    int length = hwFormatNumber(value, text);
    assert_in_range(length, 1, HW_NUMBER_SIZE - 1);
    text[length] = 0;
    double back = strtod(text, NULL), ours = 0;
    if (memcmp(&back, &value, sizeof(value)) != 0) fail_msg("%.17g became %s", value, text);
    assert_true(hwParseNumber(text, text + length, &ours));
    if (memcmp(&ours, &value, sizeof(value)) != 0) fail_msg("%s was read as %.17g", text, ours);
}

static void EveryNumberReadsBackToTheSameBits(void** state) {
    (void)state;
    uint64_t random = 7;
    for (int i = 0; i < 400000; ++i) {
        uint64_t bits = NextRandom(&random);
        double value;
        memcpy(&value, &bits, sizeof(value));
        if (isfinite(value)) AssertRoundTrip(value);
        AssertRoundTrip((double)(int64_t)bits * 0x1p-60);
        AssertRoundTrip((double)(bits % 1000000) / 1000);
    }
    for (int exponent = -1074; exponent < 1024; ++exponent) {
        double power = ldexp(1, exponent);
        AssertRoundTrip(power);
        AssertRoundTrip(nextafter(power, 0));
        AssertRoundTrip(-nextafter(power, DBL_MAX));
    }
    AssertRoundTrip(DBL_MAX);
    AssertRoundTrip(0);
    AssertRoundTrip(-0.0);
}

static void ShortNumbersStayShort(void** state) {
    (void)state;
    static const struct {
        double value;
        const char* text;
    } cases[] = {
        {0.1, "0.1"},      {0.3, "0.3"},       {-9.81, "-9.81"},    {1025, "1025"},
        {1e6, "1000000"},  {1e-4, "0.0001"},   {1e-7, "1e-07"},     {2e20, "2e+20"},
        {1e300, "1e+300"}, {5e-324, "5e-324"}, {1.5e-9, "1.5e-09"}, {123.25, "123.25"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        char text[HW_NUMBER_SIZE];
        int length = hwFormatNumber(cases[i].value, text);
        text[length] = 0;
        assert_string_equal(text, cases[i].text);
    }
    // Decimals of up to 15 digits never need more (DBL_DIG), so a table of hundredths shows hundredths.
    for (int i = 0; i < 100000; ++i) {
        char text[HW_NUMBER_SIZE];
        assert_true(hwFormatNumber(i / 100.0, text) <= 6);
    }
}

static void WhatIsNotANumberIsRefused(void** state) {
    (void)state;
    static const char* const bad[] = {"",    " ",      "x",  "1x", "0x10",  "1 2",
                                      "--1", "nan(1)", "1e", ".",  "1.2.3", "1;2"};
    double value;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
        if (ParseText(bad[i], &value)) fail_msg("\"%s\" was read as a number", bad[i]);
    }
    char text[HW_NUMBER_SIZE];
    assert_int_equal(hwFormatNumber((double)NAN, text), 3);
    assert_true(ParseText("nan", &value) && isnan(value));
    assert_true(ParseText(" -inf ", &value) && value < -DBL_MAX);
}

static void TheLocaleDoesNotMatter(void** state) {
    (void)state;
    static const char* const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "fr_FR"};
    bool found = false;
    for (int i = 0; i < 4 && !found; ++i) found = setlocale(LC_NUMERIC, names[i]) != NULL;
    char text[HW_NUMBER_SIZE + 1];
    int length = hwFormatNumber(1234.0625, text);
    text[length] = 0;
    double value = 0;
    bool read = ParseText("3.14159265358979312", &value);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text, "1234.0625");
    assert_true(read && value == 3.14159265358979312);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EveryNumberReadsBackToTheSameBits),
        cmocka_unit_test(ShortNumbersStayShort),
        cmocka_unit_test(WhatIsNotANumberIsRefused),
        cmocka_unit_test(TheLocaleDoesNotMatter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
