#include "posix.h"

#include <locale.h>
#include <stdbool.h>
#include <windows.h>

#include "sys/ioctl.h"
#include "sys/mman.h"

#undef fclose
#undef signal

// Files and folders ------------------------------------------------------------------------------------------------

static int SetErrno(void) {
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
        errno = ENOENT;
        break;
    case ERROR_PATH_NOT_FOUND:
        errno = ENOENT;
        break;
    case ERROR_ACCESS_DENIED:
        errno = EACCES;
        break;
    case ERROR_SHARING_VIOLATION:
        errno = EBUSY;
        break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        errno = EEXIST;
        break;
    case ERROR_DISK_FULL:
        errno = ENOSPC;
        break;
    default:
        errno = EIO;
    }
    return -1;
}

// A file that is open can be renamed and removed, as elsewhere: writers publish theirs while they write.
int hwPosix_Open(const char* path, int flags, ...) {
    DWORD access = GENERIC_READ, creation = OPEN_EXISTING;
    if ((flags & (O_WRONLY | O_RDWR)) == O_WRONLY) access = GENERIC_WRITE;
    if ((flags & (O_WRONLY | O_RDWR)) == O_RDWR) access = GENERIC_READ | GENERIC_WRITE;
    if (flags & O_CREAT)
        creation = flags & O_EXCL ? CREATE_NEW : flags & O_TRUNC ? CREATE_ALWAYS : OPEN_ALWAYS;
    HANDLE handle = CreateFileA(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                creation, FILE_ATTRIBUTE_NORMAL, NULL);
    if (handle == INVALID_HANDLE_VALUE) return SetErrno();
    int fd = _open_osfhandle((intptr_t)handle, _O_BINARY | (flags & (O_APPEND | O_NOINHERIT)));
    if (fd < 0) CloseHandle(handle);
    return fd;
}

int hwPosix_Rename(const char* from, const char* to) {
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return 0;
    return SetErrno();
}

int hwPosix_MakeFolder(const char* path) {
    return _mkdir(path);
}

char* hwPosix_MakeTemporaryFolder(char* pattern) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    size_t length = strlen(pattern);
    unsigned long long seed = GetTickCount64() * 1000003u + GetCurrentProcessId();
    for (int attempt = 0; length >= 6 && attempt < 1000; attempt++) {
        for (size_t i = length - 6; i < length; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            pattern[i] = letters[(seed >> 33) % (sizeof(letters) - 1)];
        }
        if (_mkdir(pattern) == 0) return pattern;
        if (errno != EEXIST) break;
    }
    return NULL;
}

ssize_t hwPosix_ReadAt(int fd, void* data, size_t size, int64_t offset) {
    OVERLAPPED place = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
    DWORD got = 0, most = size > 0x40000000 ? 0x40000000 : (DWORD)size;
    if (ReadFile((HANDLE)_get_osfhandle(fd), data, most, &got, &place)) return (ssize_t)got;
    return GetLastError() == ERROR_HANDLE_EOF ? 0 : SetErrno();
}

void* hwPosix_Map(size_t size, int fd) {
    HANDLE mapping = CreateFileMappingA((HANDLE)_get_osfhandle(fd), NULL, PAGE_READONLY, 0, 0, NULL);
    if (mapping == NULL) return MAP_FAILED;
    void* data = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, size);
    CloseHandle(mapping); // the view keeps it
    return data != NULL ? data : MAP_FAILED;
}

int hwPosix_Unmap(void* data) {
    return UnmapViewOfFile(data) ? 0 : -1;
}

// Streams ----------------------------------------------------------------------------------------------------------

// A stream into memory is a temporary file, read when it is closed.
typedef struct MemoryStream {
    FILE* stream;
    char** text;
    size_t* size;
    struct MemoryStream* next;
} MemoryStream;

static MemoryStream* g_streams;
static SRWLOCK g_streamLock = SRWLOCK_INIT;

FILE* hwPosix_OpenMemory(char** text, size_t* size) {
    char folder[MAX_PATH + 1], path[MAX_PATH + 1];
    *text = NULL;
    *size = 0;
    MemoryStream* entry = calloc(1, sizeof(*entry));
    if (entry == NULL || GetTempPathA(sizeof(folder), folder) == 0 ||
        GetTempFileNameA(folder, "hw", 0, path) == 0 || (entry->stream = fopen(path, "w+bTD")) == NULL) {
        free(entry);
        return NULL;
    }
    entry->text = text;
    entry->size = size;
    AcquireSRWLockExclusive(&g_streamLock);
    entry->next = g_streams;
    g_streams = entry;
    ReleaseSRWLockExclusive(&g_streamLock);
    return entry->stream;
}

static MemoryStream* TakeEntry(FILE* stream) {
    AcquireSRWLockExclusive(&g_streamLock);
    MemoryStream** at = &g_streams;
    while (*at != NULL && (*at)->stream != stream) at = &(*at)->next;
    MemoryStream* entry = *at;
    if (entry != NULL) *at = entry->next;
    ReleaseSRWLockExclusive(&g_streamLock);
    return entry;
}

int hwPosix_Close(FILE* stream) {
    MemoryStream* entry = TakeEntry(stream);
    if (entry == NULL) return fclose(stream);
    bool good = fflush(stream) == 0 && !ferror(stream) && fseek(stream, 0, SEEK_END) == 0;
    long size = good ? ftell(stream) : -1;
    char* text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    good = text != NULL && fseek(stream, 0, SEEK_SET) == 0 &&
           fread(text, 1, (size_t)size, stream) == (size_t)size;
    fclose(stream);
    if (good) {
        text[size] = 0;
        *entry->text = text;
        *entry->size = (size_t)size;
    } else {
        free(text);
    }
    free(entry);
    return good ? 0 : EOF;
}

ssize_t hwPosix_ReadLine(char** line, size_t* capacity, FILE* stream) {
    size_t used = 0;
    for (int c = fgetc(stream); c != EOF; c = fgetc(stream)) {
        if (used + 2 > *capacity) {
            size_t larger = 2 * *capacity + 128;
            char* text = realloc(*line, larger);
            if (text == NULL) return -1;
            *line = text;
            *capacity = larger;
        }
        (*line)[used++] = (char)c;
        if (c == '\n') break;
    }
    if (used == 0) return -1;
    (*line)[used] = 0;
    return (ssize_t)used;
}

// Texts and numbers ------------------------------------------------------------------------------------------------

char* hwPosix_CopyText(const char* text, size_t most) {
    size_t length = strnlen(text, most);
    char* copy = malloc(length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

double hwPosix_ReadNumber(const char* text, char** end) {
    char point = localeconv()->decimal_point[0], copy[512];
    size_t length = strspn(text, "+-.0123456789eE");
    if (point == '.' || length >= sizeof(copy)) return strtod(text, end);
    for (size_t i = 0; i < length; i++) copy[i] = text[i] == '.' ? point : text[i];
    copy[length] = 0;
    char* stop;
    double value = strtod(copy, &stop);
    if (end != NULL) *end = (char*)text + (stop - copy);
    return value;
}

struct tm* hwPosix_SplitTime(const time_t* time, struct tm* parts) {
    return gmtime_s(parts, time) == 0 ? parts : NULL;
}

// Signals, processors, the console ---------------------------------------------------------------------------------

static void (*g_closing)(int);

static BOOL WINAPI HandleClosing(DWORD kind) {
    if (kind != CTRL_CLOSE_EVENT && kind != CTRL_SHUTDOWN_EVENT && kind != CTRL_LOGOFF_EVENT) return FALSE;
    if (g_closing != NULL) g_closing(SIGTERM);
    Sleep(5000); // the system ends the program when this returns
    return TRUE;
}

int hwPosix_SetAction(int number, const struct sigaction* action) {
    if (number == SIGTERM) {
        g_closing = action->sa_handler;
        SetConsoleCtrlHandler(HandleClosing, TRUE);
    }
    return signal(number, action->sa_handler) == SIG_ERR ? -1 : 0;
}

void hwPosix_SetHandler(int number, void (*handler)(int)) {
    if (number != 0) signal(number, handler);
}

long hwPosix_CountProcessors(void) {
    SYSTEM_INFO about;
    GetSystemInfo(&about);
    return (long)about.dwNumberOfProcessors;
}

int hwPosix_GetColumns(void) {
    CONSOLE_SCREEN_BUFFER_INFO about;
    if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &about)) return 0;
    return about.srWindow.Right - about.srWindow.Left + 1;
}
