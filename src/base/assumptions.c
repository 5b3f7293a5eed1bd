// What the code takes for granted of a machine. Where one of these fails, results would differ from other machines or be wrong, so
// the library does not compile there.
#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(CHAR_BIT == 8, "bytes have 8 bits: states, files and frames are laid out in them");
_Static_assert(sizeof(int) == 4 && sizeof(int64_t) == 8,
               "int has 32 bits: indices of nodes, triangles and rows");
_Static_assert(sizeof(size_t) == 8 && sizeof(void*) == 8,
               "addresses have 64 bits: sizes of states and meshes are not "
               "checked for 32");
_Static_assert(-1 == ~0, "two's complement: hashes and random numbers convert between signed and unsigned");
_Static_assert(sizeof(double) == 8 && sizeof(float) == 4 && FLT_RADIX == 2 && DBL_MANT_DIG == 53 &&
                   DBL_MAX_EXP == 1024 && FLT_MANT_DIG == 24,
               "float and double are IEEE 754 binary32 and binary64: hashes and files hold their bits");
_Static_assert(FLT_EVAL_METHOD == 0,
               "expressions have the precision of their type (no x87): the same bits everywhere");
#if defined(__BYTE_ORDER__)
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "little-endian: saved states, hashes and the trainer's frames hold "
               "numbers as they lie in memory");
#elif !defined(_WIN32)
#error "the byte order of this machine is not known; saved states, hashes and frames need little-endian"
#endif
#if defined(__FAST_MATH__)
#error                                                                                                       \
    "-ffast-math reorders sums and drops NaN: results would differ between compilers, and failures would go unseen"
#endif
