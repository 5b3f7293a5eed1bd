// Printing after Loitsch (2010), "Printing floating-point numbers quickly and accurately with integers", Grisu2: the
// digits are always exact on reading back, and the fewest possible in all but about one case in a thousand.
#define _GNU_SOURCE
#include "csv_number.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A number f 2^e, f taking all 64 bits.
typedef struct Wide {
    uint64_t f;
    int e;
} Wide;

// 10^k for k = -348, -340 ... 340, rounded to 64 bits.
static const Wide g_powers[] = {
    {0xfa8fd5a0081c0288u, -1220}, {0xbaaee17fa23ebf76u, -1193}, {0x8b16fb203055ac76u, -1166},
    {0xcf42894a5dce35eau, -1140}, {0x9a6bb0aa55653b2du, -1113}, {0xe61acf033d1a45dfu, -1087},
    {0xab70fe17c79ac6cau, -1060}, {0xff77b1fcbebcdc4fu, -1034}, {0xbe5691ef416bd60cu, -1007},
    {0x8dd01fad907ffc3cu, -980},  {0xd3515c2831559a83u, -954},  {0x9d71ac8fada6c9b5u, -927},
    {0xea9c227723ee8bcbu, -901},  {0xaecc49914078536du, -874},  {0x823c12795db6ce57u, -847},
    {0xc21094364dfb5637u, -821},  {0x9096ea6f3848984fu, -794},  {0xd77485cb25823ac7u, -768},
    {0xa086cfcd97bf97f4u, -741},  {0xef340a98172aace5u, -715},  {0xb23867fb2a35b28eu, -688},
    {0x84c8d4dfd2c63f3bu, -661},  {0xc5dd44271ad3cdbau, -635},  {0x936b9fcebb25c996u, -608},
    {0xdbac6c247d62a584u, -582},  {0xa3ab66580d5fdaf6u, -555},  {0xf3e2f893dec3f126u, -529},
    {0xb5b5ada8aaff80b8u, -502},  {0x87625f056c7c4a8bu, -475},  {0xc9bcff6034c13053u, -449},
    {0x964e858c91ba2655u, -422},  {0xdff9772470297ebdu, -396},  {0xa6dfbd9fb8e5b88fu, -369},
    {0xf8a95fcf88747d94u, -343},  {0xb94470938fa89bcfu, -316},  {0x8a08f0f8bf0f156bu, -289},
    {0xcdb02555653131b6u, -263},  {0x993fe2c6d07b7facu, -236},  {0xe45c10c42a2b3b06u, -210},
    {0xaa242499697392d3u, -183},  {0xfd87b5f28300ca0eu, -157},  {0xbce5086492111aebu, -130},
    {0x8cbccc096f5088ccu, -103},  {0xd1b71758e219652cu, -77},   {0x9c40000000000000u, -50},
    {0xe8d4a51000000000u, -24},   {0xad78ebc5ac620000u, 3},     {0x813f3978f8940984u, 30},
    {0xc097ce7bc90715b3u, 56},    {0x8f7e32ce7bea5c70u, 83},    {0xd5d238a4abe98068u, 109},
    {0x9f4f2726179a2245u, 136},   {0xed63a231d4c4fb27u, 162},   {0xb0de65388cc8ada8u, 189},
    {0x83c7088e1aab65dbu, 216},   {0xc45d1df942711d9au, 242},   {0x924d692ca61be758u, 269},
    {0xda01ee641a708deau, 295},   {0xa26da3999aef774au, 322},   {0xf209787bb47d6b85u, 348},
    {0xb454e4a179dd1877u, 375},   {0x865b86925b9bc5c2u, 402},   {0xc83553c5c8965d3du, 428},
    {0x952ab45cfa97a0b3u, 455},   {0xde469fbd99a05fe3u, 481},   {0xa59bc234db398c25u, 508},
    {0xf6c69a72a3989f5cu, 534},   {0xb7dcbf5354e9beceu, 561},   {0x88fcf317f22241e2u, 588},
    {0xcc20ce9bd35c78a5u, 614},   {0x98165af37b2153dfu, 641},   {0xe2a0b5dc971f303au, 667},
    {0xa8d9d1535ce3b396u, 694},   {0xfb9b7cd9a4a7443cu, 720},   {0xbb764c4ca7a44410u, 747},
    {0x8bab8eefb6409c1au, 774},   {0xd01fef10a657842cu, 800},   {0x9b10a4e5e9913129u, 827},
    {0xe7109bfba19c0c9du, 853},   {0xac2820d9623bf429u, 880},   {0x80444b5e7aa7cf85u, 907},
    {0xbf21e44003acdd2du, 933},   {0x8e679c2f5e44ff8fu, 960},   {0xd433179d9c8cb841u, 986},
    {0x9e19db92b4e31ba9u, 1013},  {0xeb96bf6ebadf77d9u, 1039},  {0xaf87023b9bf0ee6bu, 1066},
};
#define POWER_COUNT ((int)(sizeof(g_powers) / sizeof(g_powers[0])))

// A scaled number has a binary exponent of -60 to -32: its integer part fits 32 bits, and ten times its fraction 64.
#define EXPONENT_MIN (-60)

static Wide Multiply(Wide a, Wide b) {
    __extension__ typedef unsigned __int128 Product;
    Product product = (Product)a.f * b.f + ((uint64_t)1 << 63);
    return (Wide){(uint64_t)(product >> 64), a.e + b.e + 64};
}

static Wide Normalize(Wide value) {
    int shift = __builtin_clzll(value.f);
    return (Wide){value.f << shift, value.e - shift};
}

// The power that brings a number with binary exponent e into the bounds; *decimal becomes its exponent.
static Wide FindPower(int e, int* decimal) {
    // Neighbours in the table differ by 8 log2(10) = 26.6 binary digits.
    int index = (int)((double)(EXPONENT_MIN - 64 - e - g_powers[0].e) / 26.575424759098898);
    if (index < 0) index = 0;
    if (index > POWER_COUNT - 1) index = POWER_COUNT - 1;
    while (index > 0 && g_powers[index - 1].e + e + 64 >= EXPONENT_MIN) --index;
    while (index < POWER_COUNT - 1 && g_powers[index].e + e + 64 < EXPONENT_MIN) ++index;
    *decimal = -348 + 8 * index;
    return g_powers[index];
}

// Lowers the last digit while that brings the number nearer to the true one. All in units of the last place.
static void RoundLast(char* digits, int count, uint64_t delta, uint64_t rest, uint64_t ten,
                      uint64_t distance) {
    while (rest < distance && delta - rest >= ten &&
           (rest + ten < distance || distance - rest > rest + ten - distance)) {
        --digits[count - 1];
        rest += ten;
    }
}

// Fewest digits of a number between low and high, near to value; all three have the same exponent. Returns how many;
// the number is digits 10^(*decimal).
static int Generate(Wide low, Wide value, Wide high, char* digits, int* decimal) {
    static const uint32_t tens[] = {1,      10,      100,      1000,      10000,
                                    100000, 1000000, 10000000, 100000000, 1000000000};
    uint64_t delta = high.f - low.f, distance = high.f - value.f;
    int shift = -high.e, count = 0;
    uint64_t one = (uint64_t)1 << shift;
    uint32_t whole = (uint32_t)(high.f >> shift);
    uint64_t fraction = high.f & (one - 1);
    int left = 10;
    while (left > 1 && whole < tens[left - 1]) --left;
    while (left > 0) {
        uint32_t ten = tens[--left];
        uint32_t digit = whole / ten;
        whole %= ten;
        if (digit || count) digits[count++] = (char)('0' + digit);
        uint64_t rest = ((uint64_t)whole << shift) + fraction;
        if (rest <= delta) {
            *decimal += left;
            RoundLast(digits, count, delta, rest, (uint64_t)ten << shift, distance);
            return count;
        }
    }
    for (;;) {
        fraction *= 10;
        delta *= 10;
        distance *= 10;
        --*decimal;
        char digit = (char)(fraction >> shift);
        if (digit || count) digits[count++] = (char)('0' + digit);
        fraction &= one - 1;
        if (fraction < delta) {
            RoundLast(digits, count, delta, fraction, one, distance);
            return count;
        }
    }
}

// Digits of a positive finite number.
static int MakeDigits(double number, char* digits, int* decimal) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof(bits));
    uint64_t hidden = (uint64_t)1 << 52;
    int biased = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = bits & (hidden - 1);
    Wide value = biased ? (Wide){mantissa | hidden, biased - 1075} : (Wide){mantissa, -1074};
    // Half way to the neighbours; the lower one of a power of two is twice as near.
    Wide high = Normalize((Wide){2 * value.f + 1, value.e - 1});
    bool nearer = mantissa == 0 && biased > 1;
    Wide low = nearer ? (Wide){4 * value.f - 1, value.e - 2} : (Wide){2 * value.f - 1, value.e - 1};
    low.f <<= low.e - high.e;
    low.e = high.e;
    Wide power = FindPower(high.e, decimal);
    value = Multiply(Normalize(value), power);
    low = Multiply(low, power);
    high = Multiply(high, power);
    // The products are off by at most one unit: step inside.
    ++low.f;
    --high.f;
    *decimal = -*decimal;
    return Generate(low, value, high, digits, decimal);
}

static int WriteExponent(int exponent, char* text) {
    int length = 0;
    text[length++] = 'e';
    text[length++] = exponent < 0 ? '-' : '+';
    if (exponent < 0) exponent = -exponent;
    if (exponent >= 100) text[length++] = (char)('0' + exponent / 100);
    text[length++] = (char)('0' + exponent / 10 % 10);
    text[length++] = (char)('0' + exponent % 10);
    return length;
}

int hwFormatNumber(double value, char* text) {
    if (isnan(value)) {
        memcpy(text, "nan", 3);
        return 3;
    }
    int length = 0;
    if (signbit(value)) text[length++] = '-';
    value = fabs(value);
    if (isinf(value)) {
        memcpy(text + length, "inf", 3);
        return length + 3;
    }
    if (value == 0) {
        text[length++] = '0';
        return length;
    }
    char digits[20];
    int decimal = 0;
    int count = MakeDigits(value, digits, &decimal);
    int point = count + decimal; // digits before the decimal point
    if (point > 17 || point < -4) {
        text[length++] = digits[0];
        if (count > 1) {
            text[length++] = '.';
            memcpy(text + length, digits + 1, (size_t)count - 1);
            length += count - 1;
        }
        return length + WriteExponent(point - 1, text + length);
    }
    if (point <= 0) {
        text[length++] = '0';
        text[length++] = '.';
        for (int i = point; i < 0; ++i) text[length++] = '0';
        memcpy(text + length, digits, (size_t)count);
        return length + count;
    }
    for (int i = 0; i < point || i < count; ++i) {
        if (i == point) text[length++] = '.';
        text[length++] = i < count ? digits[i] : '0';
    }
    return length;
}

// A number of at most 15 digits with a small exponent is one exact integer times or over one exact power of ten
// (Clinger 1990); false when it is not of this kind.
static bool ParseSimple(const char* text, const char* end, double* value) {
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    bool negative = text < end && *text == '-';
    if (negative) ++text;
    uint64_t mantissa = 0;
    int digits = 0, scale = 0;
    bool point = false;
    for (; text < end; ++text) {
        if (*text == '.' && !point) {
            point = true;
        } else if (*text >= '0' && *text <= '9') {
            mantissa = 10 * mantissa + (uint64_t)(*text - '0');
            scale += point;
            if (++digits > 15) return false;
        } else {
            return false;
        }
    }
    if (digits == 0) return false;
    double result = (double)mantissa / tens[scale];
    *value = negative ? -result : result;
    return true;
}

bool hwParseNumber(const char* text, const char* end, double* value) {
    *value = (double)NAN;
    while (text < end && (*text == ' ' || *text == '\t')) ++text;
    while (end > text && (end[-1] == ' ' || end[-1] == '\t')) --end;
    if (ParseSimple(text, end, value)) return true;
    char copy[400];
    size_t length = (size_t)(end - text);
    if (length == 0 || length >= sizeof(copy)) return false;
    // strtod also takes hexadecimal numbers and nan(...), which no table has.
    for (size_t i = 0; i < length; ++i) {
        if (!strchr("0123456789+-.eEinfatyINFATY", text[i])) return false;
    }
    memcpy(copy, text, length);
    copy[length] = 0;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return false;
    char* stop = NULL;
    *value = strtod_l(copy, &stop, plain);
    freelocale(plain);
    if (stop != copy + length) {
        *value = (double)NAN;
        return false;
    }
    // An infinity that was not written as one: too large for a double.
    return !isinf(*value) || strpbrk(copy, "0123456789") == NULL;
}
