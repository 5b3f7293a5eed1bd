// The shared library of functional mock-up units, as bytes in the program. Size 0: this build has none.
#ifndef HW_FMU_BINARY_H
#define HW_FMU_BINARY_H

#include <stddef.h>

extern const unsigned char hwFmuBinary[];
size_t hwFmuBinary_GetSize(void);

#endif
