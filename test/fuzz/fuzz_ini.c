// Any bytes as an SMS file: an error or a scene that can be read, never a crash, a leak or a hang.
#include "sms_scene.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void Ignore(hwLogLevel level, const char* text, void* context) {
    (void)level;
    (void)context;
    if (text[0] == 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    hwError error;
    hwSmsJob* job = malloc(sizeof(*job));
    if (job == NULL) return 0;
    hwSms_Begin(job, Ignore, NULL, &error);
    char* text = NULL;
    size_t length;
    // A zero byte separates files, so that folders of them are tried too.
    bool good = true;
    for (size_t start = 0, i = 0; good && i <= size; i++) {
        if (i < size && data[i] != 0) continue;
        good = hwSms_AddFile(job, (const char*)data + start, i - start, "fuzz.ini");
        start = i + 1;
    }
    good = good && hwSms_Write(job, &text, &length);
    if (!good && (error.status >= 0 || error.message[0] == 0)) abort();
    free(text);
    hwSms_End(job);
    free(job);
    return 0;
}
