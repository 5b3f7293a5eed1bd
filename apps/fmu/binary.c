#include "apps/fmu/binary.h"

#ifdef HAWSER_FMU_BINARY
// The assembler puts the file in; as an array in C it would take the compiler a minute.
__asm__(".section .rodata\n"
        ".global hwFmuBinary\n"
        "hwFmuBinary:\n"
        ".incbin \"" HAWSER_FMU_BINARY "\"\n"
        ".global hwFmuBinary_end\n"
        "hwFmuBinary_end:\n"
        ".byte 0\n"
        ".text\n");
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
