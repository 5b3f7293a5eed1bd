// One program at a time writes into a folder of results.
#ifndef HW_CLI_LOCK_H
#define HW_CLI_LOCK_H

#include <stdbool.h>

// Locks a folder until the program ends; the lock leaves nothing behind. False: another process has it, and the complaint
// names it. Where the file system has no locks, nothing is locked.
bool hwCli_LockFolder(const char* path);

// In a worker, after fork: the lock is its parent's and ends with that, however long the worker takes to die.
void hwCli_LeaveLocks(void);

#endif
