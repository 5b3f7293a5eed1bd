// The program writes the same bytes as elsewhere: the C library of Windows changes line ends unless it is told not to. Not in
// posix.c, which is part of FMUs too: their host decides for itself.
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>

__attribute__((constructor)) static void UseBytes(void) {
    _fmode = _O_BINARY;
    for (int stream = 0; stream < 3; stream++) _setmode(stream, _O_BINARY);
}
