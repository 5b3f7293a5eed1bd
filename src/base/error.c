#include "base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char* hwStatus_GetText(hwStatus status) {
    switch (status) {
    case HW_OK:
        return "success";
    case HW_ERROR_ARGUMENT:
        return "bad argument";
    case HW_ERROR_MEMORY:
        return "out of memory";
    case HW_ERROR_ORDER:
        return "call not allowed now";
    case HW_ERROR_MODEL:
        return "modelling mistake";
    case HW_ERROR_NUMERIC:
        return "numerical failure";
    case HW_ERROR_FILE:
        return "file error";
    case HW_ERROR_FORMAT:
        return "bad file content";
    case HW_ERROR_LIMIT:
        return "limit exceeded";
    case HW_ERROR_STOPPED:
        return "stopped by the caller";
    case HW_NEWS_SUBDIVIDED:
        return "step subdivided";
    }
    return "unknown status";
}

const char* hwGetVersion(void) {
#define HW_TEXT_(x) #x
#define HW_TEXT(x) HW_TEXT_(x)
    return HW_TEXT(HW_VERSION_MAJOR) "." HW_TEXT(HW_VERSION_MINOR) "." HW_TEXT(HW_VERSION_PATCH);
}

void hwClearError(hwError* error) {
    if (error == NULL) return;
    memset(error, 0, sizeof(*error));
    error->index = -1;
    error->time = (double)NAN;
}

static void FillError(hwError* error, hwStatus status, const char* object, const char* format,
                      va_list arguments) {
    hwClearError(error);
    error->status = status;
    if (object != NULL) snprintf(error->object, sizeof(error->object), "%s", object);
    vsnprintf(error->message, sizeof(error->message), format, arguments);
}

hwStatus hwFail(hwError* error, hwStatus status, const char* object, const char* format, ...) {
    if (error == NULL) return status;
    va_list arguments;
    va_start(arguments, format);
    FillError(error, status, object, format, arguments);
    va_end(arguments);
    return status;
}

hwStatus hwFailField(hwError* error, hwStatus status, const char* object, const char* field,
                     const char* format, ...) {
    if (error == NULL) return status;
    va_list arguments;
    va_start(arguments, format);
    FillError(error, status, object, format, arguments);
    va_end(arguments);
    snprintf(error->field, sizeof(error->field), "%s", field);
    return status;
}

void hwFail_Inside(hwError* error, const char* outer) {
    if (error == NULL) return;
    const size_t room = sizeof(error->field) - 1;
    size_t length = strlen(outer), dot = error->field[0] != '\0' ? 1 : 0;
    if (length + dot > room) return;
    size_t kept = strlen(error->field);
    if (kept > room - length - dot) kept = room - length - dot;
    memmove(error->field + length + dot, error->field, kept);
    memcpy(error->field, outer, length);
    if (dot > 0) error->field[length] = '.';
    error->field[length + dot + kept] = '\0';
}

void hwFail_At(hwError* error, int index, double time) {
    if (error == NULL) return;
    error->index = index;
    error->time = time;
}

void hwFail_Hint(hwError* error, const char* format, ...) {
    if (error == NULL) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->hint, sizeof(error->hint), format, arguments);
    va_end(arguments);
}

hwStatus hwFail_Memory(hwError* error, const char* object) {
    return hwFail(error, HW_ERROR_MEMORY, object, "there is not enough memory");
}

hwStatus hwCheckArray(int count, const void* array, const char* object, const char* field, hwError* error) {
    if (count == 0 || (count > 0 && array != NULL)) return HW_OK;
    const char *name = object != NULL ? object : "", *colon = object != NULL ? ": " : "";
    if (count < 0) {
        return hwFailField(error, HW_ERROR_ARGUMENT, object, field, "%s%s`%s` cannot have %d entries", name,
                           colon, field, count);
    }
    return hwFailField(error, HW_ERROR_ARGUMENT, object, field, "%s%s`%s` is null, but its count is %d", name,
                       colon, field, count);
}
