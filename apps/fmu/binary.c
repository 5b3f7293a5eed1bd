#include "apps/fmu/binary.h"

// The assembler puts the file in; as an array in C it would take the compiler a minute.
#define PUT_FILE(name, path)                                                                                 \
    __asm__(".section .rodata\n"                                                                             \
            ".global " name "\n" name ":\n"                                                                  \
            ".incbin \"" path "\"\n"                                                                         \
            ".global " name "_end\n" name "_end:\n"                                                          \
            ".byte 0\n"                                                                                      \
            ".text\n")

#ifdef HAWSER_FMU_BINARY
PUT_FILE("hwFmuBinary", HAWSER_FMU_BINARY);
extern const unsigned char hwFmuBinary_end[];

size_t hwFmuBinary_GetSize(void) {
    return (size_t)(hwFmuBinary_end - hwFmuBinary);
}
#else
const unsigned char hwFmuBinary[] = {0};

size_t hwFmuBinary_GetSize(void) {
    return 0;
}
#endif

#ifdef HAWSER_FMU_WINDOWS
PUT_FILE("hwFmuWindows", HAWSER_FMU_WINDOWS);
extern const unsigned char hwFmuWindows_end[];

size_t hwFmuWindows_GetSize(void) {
    return (size_t)(hwFmuWindows_end - hwFmuWindows);
}
#else
const unsigned char hwFmuWindows[] = {0};

size_t hwFmuWindows_GetSize(void) {
    return 0;
}
#endif
