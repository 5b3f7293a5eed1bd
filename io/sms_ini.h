// The .ini files of SMS: lines `$key values // comment` and `$id|key values`, and which keys each kind of file has.
#ifndef HW_IO_SMS_INI_H
#define HW_IO_SMS_INI_H

#include "scene_store.h"

#define HW_INI_MAX_BYTES (16u << 20)
#define HW_INI_MAX_VALUES 10000

typedef enum hwSmsKind {
    HW_SMS_ENVIRONMENT,
    HW_SMS_INTEGRATOR,
    HW_SMS_PAYLOAD,
    HW_SMS_CABLE,
    HW_SMS_WINCH,
    HW_SMS_CRANE
} hwSmsKind;
#define HW_SMS_KIND_COUNT 6

typedef struct hwIniValue {
    const char* text;
    int column;
} hwIniValue;

typedef struct hwIniEntry {
    int id; // before the bar, -1: none
    const char* key;
    int line, column; // of the `$`
    int valueCount;
    const hwIniValue* values;
} hwIniEntry;

typedef struct hwIni {
    const char* file; // base name, for messages and comments; only printable ASCII
    int count;
    hwIniEntry* entries;
} hwIni;

// False and `error` with line and column on failure; `error->object` is the file.
bool hwIni_Parse(hwStore* store, const char* text, size_t size, const char* file, hwIni* ini, hwError* error);

// The last entry of a key, whatever the case of its letters; null when there is none. `id` -1: without one.
const hwIniEntry* hwIni_Find(const hwIni* ini, int id, const char* key);

// A key that a kind of file has.
typedef struct hwSmsKey {
    hwSmsKind kind;
    const char* name;
    bool indexed;           // written with an id
    int minCount, maxCount; // values
    const char* target;     // the scene key it becomes; null: none, a warning says so
    const char* note;       // for docs/sms.md
} hwSmsKey;

// All keys; ends with a null name.
const hwSmsKey* hwSms_GetKeys(void);
const char* hwSms_GetKindName(hwSmsKind kind);

// The key that an entry is in a file of this kind, or null.
const hwSmsKey* hwSms_FindKey(hwSmsKind kind, const hwIniEntry* entry);

// Which kind of file this is, from its keys; false and `error` when they tell nothing.
bool hwSms_DetectKind(const hwIni* ini, hwSmsKind* kind, hwError* error);

// A finite number from an entry, or an error at its place.
bool hwSms_ReadNumber(const hwIni* ini, const hwIniEntry* entry, int index, double* value, hwError* error);

// Error at a place of the file.
bool hwSms_Fail(const hwIni* ini, int line, int column, hwError* error, const char* format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
