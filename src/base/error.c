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

hwStatus hwFail(hwError* error, hwStatus status, const char* object, const char* format, ...) {
    if (error == NULL) return status;
    hwClearError(error);
    error->status = status;
    if (object != NULL) snprintf(error->object, sizeof(error->object), "%s", object);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
    return status;
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
