// The shared libraries of functional mock-up units for Linux and for Windows, as bytes in the program. Size 0: this build has none.
#ifndef HW_FMU_BINARY_H
#define HW_FMU_BINARY_H

#include <stddef.h>

extern const unsigned char hwFmuBinary[], hwFmuWindows[];
size_t hwFmuBinary_GetSize(void);
size_t hwFmuWindows_GetSize(void);

#endif
