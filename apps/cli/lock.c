#define _DEFAULT_SOURCE // flock
#include "apps/cli/lock.h"

#include "apps/cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Process that holds the lock, as the system lists it (proc(5), locks); 0: not known.
static long FindHolder(const struct stat* about) {
    FILE* file = fopen("/proc/locks", "r");
    char line[256];
    long holder = 0;
    while (file && holder == 0 && fgets(line, sizeof(line), file)) {
        long process = 0;
        unsigned long long node = 0;
        if (sscanf(line, "%*d: FLOCK %*s %*s %ld %*x:%*x:%llu", &process, &node) == 2 &&
            node == (unsigned long long)about->st_ino)
            holder = process;
    }
    if (file) fclose(file);
    return holder;
}

static void GetName(long process, char* name, size_t size) {
    char path[64];
    snprintf(path, sizeof(path), "/proc/%ld/comm", process);
    FILE* file = fopen(path, "r");
    name[0] = 0;
    if (file && fgets(name, (int)size, file)) name[strcspn(name, "\n")] = 0;
    if (file) fclose(file);
}

// Locks of this program, kept open to its end.
enum { MOST_LOCKS = 8 };
static int g_locks[MOST_LOCKS];
static int g_lockCount;

// Workers that were being started when their parent was killed hold its lock until they notice: moments.
static bool TakeLock(int fd) {
    for (int i = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; ++i) {
        if (errno != EWOULDBLOCK || i == 20) return false;
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    return true;
}

void hwCli_LeaveLocks(void) {
    for (int i = 0; i < g_lockCount; ++i) close(g_locks[i]);
    g_lockCount = 0;
}

bool hwCli_LockFolder(const char* path) {
    static const char hint[] = "Wait for it, or choose another folder with --out.";
    struct stat about;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return true; // whoever writes there will say why
    if (TakeLock(fd)) {
        if (g_lockCount < MOST_LOCKS) g_locks[g_lockCount++] = fd;
        return true;
    }
    bool taken = errno == EWOULDBLOCK;
    long holder = taken && fstat(fd, &about) == 0 ? FindHolder(&about) : 0;
    close(fd);
    if (!taken) return true;
    char name[64] = "";
    if (holder > 0) GetName(holder, name, sizeof(name));
    if (name[0] != 0) {
        hwCli_Complain(hint, "%s is being written by another run: process %ld (%s).", path, holder, name);
    } else {
        hwCli_Complain(hint, "%s is being written by another run.", path);
    }
    return false;
}
