// What the readers, the writers and the program use of POSIX and mingw-w64 lacks, for Windows. The compiler includes this file before
// each source of theirs (-include, see io/CMakeLists.txt), so that the sources say what they say everywhere else. The core needs none
// of it. Paths are UTF-8 (program.manifest); files have the same bytes as on other systems: no line ends are changed.
#ifndef HW_WINDOWS_POSIX_H
#define HW_WINDOWS_POSIX_H

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

// Files and folders.
#define O_CLOEXEC O_NOINHERIT
#define O_NOCTTY 0
#ifndef EDQUOT
#define EDQUOT 10069 // nothing here gives it
#endif
int hwPosix_Open(const char* path, int flags, ...);
int hwPosix_Rename(const char* from, const char* to); // over a file that is there too
int hwPosix_MakeFolder(const char* path);
char* hwPosix_MakeTemporaryFolder(char* pattern);
ssize_t hwPosix_ReadAt(int fd, void* data, size_t size, int64_t offset);
#define open hwPosix_Open
#define rename hwPosix_Rename
#define mkdir(path, mode) hwPosix_MakeFolder(path)
#define mkdtemp hwPosix_MakeTemporaryFolder
#define pread hwPosix_ReadAt
#define fsync _commit
#define realpath(path, resolved) _fullpath((resolved), (path), 0)

// Streams into memory. Their text is there once they are closed.
FILE* hwPosix_OpenMemory(char** text, size_t* size);
int hwPosix_Close(FILE* stream);
#define open_memstream hwPosix_OpenMemory
#define fclose hwPosix_Close
ssize_t hwPosix_ReadLine(char** line, size_t* capacity, FILE* stream);
#define getline hwPosix_ReadLine

// Texts, numbers, dates.
char* hwPosix_CopyText(const char* text, size_t most);
#define strndup hwPosix_CopyText
typedef int hwPosixLocale;
#define locale_t hwPosixLocale
#define LC_ALL_MASK 0
#define newlocale(mask, name, base) ((void)(base), 1)
#define freelocale(locale) ((void)(locale))
double hwPosix_ReadNumber(const char* text,
                          char** end); // the decimal point is a point, whatever the host's locale
#define strtod_l(text, end, locale) ((void)(locale), hwPosix_ReadNumber((text), (end)))
struct tm* hwPosix_SplitTime(const time_t* time, struct tm* parts);
#define gmtime_r hwPosix_SplitTime
double _j0(double x);
#define j0 _j0

// Signals: Ctrl-C, Ctrl-Break and the closing of the console window are requests to stop; a second one ends the program.
struct sigaction {
    void (*sa_handler)(int);
    int sa_mask, sa_flags;
};
#define SA_RESETHAND 0
#define SIGHUP SIGBREAK
#define SIGXFSZ 0
#define SIGPIPE 0
int hwPosix_SetAction(int number, const struct sigaction* action);
#define sigaction(number, action, old) hwPosix_SetAction((number), (action))
#define sigemptyset(set) (*(set) = 0)
void hwPosix_SetHandler(int number, void (*handler)(int));
#define signal hwPosix_SetHandler

// Processors.
#define _SC_NPROCESSORS_ONLN 1
long hwPosix_CountProcessors(void);
#define sysconf(name) hwPosix_CountProcessors()

#endif
