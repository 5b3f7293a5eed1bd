// Output files and error sentences of the results library.
#define _XOPEN_SOURCE 700
#include "results_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

hwStatus hwResultsFail(hwError* error, hwStatus status, const char* format, ...) {
    if (!error) return status;
    *error = (hwError){.status = status, .index = -1, .time = (double)NAN};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
    return status;
}

void hwResultsFail_Hint(hwError* error, const char* format, ...) {
    if (!error) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->hint, sizeof(error->hint), format, arguments);
    va_end(arguments);
}

hwStatus hwResultsFail_System(hwError* error, int errorNumber, const char* doing, const char* path) {
    const char* hint = "";
    hwStatus status = HW_ERROR_FILE;
    switch (errorNumber) {
    case ENOENT:
        hwResultsFail(error, status, "Cannot %s %s: there is no such file or folder.", doing, path);
        hint = "Check the name and the folder it is in.";
        break;
    case EACCES:
    case EPERM:
    case EROFS:
        hwResultsFail(error, status, "Cannot %s %s: permission denied.", doing, path);
        hint = "Choose another place, or change the permissions.";
        break;
    case EISDIR:
        hwResultsFail(error, status, "Cannot %s %s: it is a folder.", doing, path);
        hint = "Give the name of a file.";
        break;
    case ENOTDIR:
        hwResultsFail(error, status, "Cannot %s %s: a part of the path is not a folder.", doing, path);
        break;
    case ENOSPC:
    case EDQUOT:
        hwResultsFail(error, status, "Cannot %s %s: the disk is full.", doing, path);
        hint = "Make room, or write to another disk.";
        break;
    case EFBIG:
        hwResultsFail(error, status, "Cannot %s %s: the file would become larger than allowed.", doing, path);
        break;
    case ENOMEM:
        status = hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for %s.", path);
        break;
    default:
        hwResultsFail(error, status, "Cannot %s %s: %s.", doing, path, strerror(errorNumber));
        break;
    }
    hwResultsFail_Hint(error, "%s", hint);
    return status;
}

void hwResults_CopyText(char* to, size_t size, const char* text) {
    snprintf(to, size, "%s", text ? text : "");
}

bool hwResults_HasExtension(const char* path, const char* extension) {
    const char* name = strrchr(path, '/');
    const char* dot = strrchr(name ? name : path, '.');
    return dot && strcasecmp(dot + 1, extension) == 0;
}

bool hwOutput_Write(int fd, const void* data, size_t size) {
    const char* bytes = data;
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

// Opens a new file beside the final one. The name holds the process's number, so a leftover is overwritten at most by
// a process that cannot be its owner any more.
static int OpenTemporary(hwOutput* output) {
    size_t size = strlen(output->path) + 48;
    output->temporary = malloc(size);
    if (!output->temporary) {
        errno = ENOMEM;
        return -1;
    }
    for (int attempt = 0; attempt < 100; ++attempt) {
        snprintf(output->temporary, size, "%s.%ld-%d.tmp", output->path, (long)getpid(), attempt);
        int fd = open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

hwStatus hwOutput_Open(hwOutput* output, const char* path, hwError* error) {
    *output = (hwOutput){.fd = -1};
    struct stat about;
    bool exists = stat(path, &about) == 0;
    output->path = exists ? realpath(path, NULL) : strdup(path);
    if (!output->path) return hwResultsFail_System(error, errno, "write", path);
    int reason = 0;
    if (exists && S_ISDIR(about.st_mode)) {
        reason = EISDIR;
    } else if (exists && !S_ISREG(about.st_mode)) {
        output->fd = open(output->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        reason = output->fd < 0 ? errno : 0;
    } else if (exists && access(output->path, W_OK) != 0) {
        reason = errno;
    } else {
        output->fd = OpenTemporary(output);
        reason = output->fd < 0 ? errno : 0;
    }
    if (reason == 0) return HW_OK;
    free(output->temporary);
    free(output->path);
    *output = (hwOutput){.fd = -1};
    return hwResultsFail_System(error, reason, "write", path);
}

hwStatus hwOutput_Publish(hwOutput* output, hwError* error) {
    if (!output->temporary) return HW_OK;
    if (rename(output->temporary, output->path) != 0)
        return hwResultsFail_System(error, errno, "write", output->path);
    free(output->temporary);
    output->temporary = NULL;
    return HW_OK;
}

void hwOutput_Close(hwOutput* output) {
    if (output->fd >= 0) close(output->fd);
    if (output->temporary) unlink(output->temporary);
    free(output->temporary);
    free(output->path);
    *output = (hwOutput){.fd = -1};
}

hwStatus hwSink_Open(hwSink* sink, const char* path, hwError* error) {
    sink->stream = NULL;
    hwStatus status = hwOutput_Open(&sink->output, path, error);
    if (status != HW_OK) return status;
    int fd = dup(sink->output.fd);
    sink->stream = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (sink->stream) return HW_OK;
    status = hwResultsFail_System(error, errno, "write", path);
    if (fd >= 0) close(fd);
    hwOutput_Close(&sink->output);
    return status;
}

hwStatus hwSink_Close(hwSink* sink, hwStatus status, hwError* error) {
    // A failed write is remembered by the stream but not why; a full disk is by far the most likely reason.
    bool failed = ferror(sink->stream) != 0;
    int reason = ENOSPC;
    if (!failed && fflush(sink->stream) != 0) {
        failed = true;
        reason = errno;
    }
    if (fclose(sink->stream) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    if (status == HW_OK && failed) status = hwResultsFail_System(error, reason, "write", sink->output.path);
    if (status == HW_OK) status = hwOutput_Publish(&sink->output, error);
    hwOutput_Close(&sink->output);
    return status;
}

const char hwEncoderDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void hwEncoder_Put(hwEncoder* encoder, const void* data, size_t size) {
    const unsigned char* bytes = data;
    for (size_t i = 0; i < size; ++i) {
        encoder->waiting[encoder->count++] = bytes[i];
        if (encoder->count == 3) hwEncoder_End(encoder);
    }
}

void hwEncoder_End(hwEncoder* encoder) {
    if (encoder->count == 0) return;
    const unsigned char* waiting = encoder->waiting;
    unsigned group = (unsigned)waiting[0] << 16 | (unsigned)waiting[1] << 8 | waiting[2];
    char text[4];
    for (int i = 0; i < 4; ++i)
        text[i] = i <= encoder->count ? hwEncoderDigits[group >> (18 - 6 * i) & 63] : '=';
    fwrite(text, 1, 4, encoder->stream);
    memset(encoder->waiting, 0, 3);
    encoder->count = 0;
}

void hwPutEscaped(FILE* stream, const char* text) {
    for (; *text; ++text) {
        switch (*text) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fputc(*text, stream);
            break;
        }
    }
}
