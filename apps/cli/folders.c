#include "apps/cli/folders.h"

#include "apps/cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool hwCli_MakeFolders(const char* path, char** made) {
    char* part = hwCli_Copy(path);
    bool good = true;
    for (char* at = part + 1; good; ++at) {
        if (*at != '/' && *at != 0) continue;
        char end = *at;
        *at = 0;
        if (mkdir(part, 0777) == 0) {
            if (made != NULL && *made == NULL) *made = hwCli_Copy(part);
        } else {
            struct stat about;
            int reason = errno;
            good = stat(part, &about) == 0 && S_ISDIR(about.st_mode);
            if (!good) {
                hwCli_Complain("Choose another folder with --out.", "Cannot create the folder %s: %s.", part,
                               reason == EEXIST ? "there is a file of that name" : strerror(reason));
            }
        }
        *at = end;
        if (end == 0) break;
    }
    free(part);
    return good;
}

char* hwCli_NameResults(const char* file) {
    const char* slash = strrchr(file, '/');
    const char* base = slash ? slash + 1 : file;
    const char* dot = strrchr(base, '.');
    int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    size_t size = (size_t)length + 16;
    char* name = hwCli_Allocate(NULL, size);
    snprintf(name, size, "results/%.*s", length, base);
    return name;
}
