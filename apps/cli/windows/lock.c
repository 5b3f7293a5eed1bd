// Locks of folders on Windows: a hidden file that only one program can have open and that vanishes with it, however that ends.
#include "apps/cli/lock.h"

#include "apps/cli/cli.h"

#include <windows.h>

bool hwCli_LockFolder(const char* path) {
    size_t size = strlen(path) + 16;
    char* name = hwCli_Allocate(NULL, size);
    snprintf(name, size, "%s/.hawser.lock", path);
    HANDLE file = CreateFileA(name, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS,
                              FILE_ATTRIBUTE_HIDDEN | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    bool taken = file == INVALID_HANDLE_VALUE && GetLastError() == ERROR_SHARING_VIOLATION;
    free(name);
    // Held to the end of the program. Where it cannot be made, whoever writes there will say why.
    if (taken)
        hwCli_Complain("Wait for it, or choose another folder with --out.",
                       "%s is being written by another run.", path);
    return !taken;
}

void hwCli_LeaveLocks(void) {}
