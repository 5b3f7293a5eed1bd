// Any bytes as the head of an HTTP request: refused with a status and a sentence, let in, or not whole yet; and what is let
// in with one byte fewer is not whole yet.
#include "apps/server/head.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const hwWebHeadRules rules = {.host = "trainer.example", .port = 8420};
    hwWebHead head;
    hwWebHeadResult result = hwWebHead_Read((const char*)data, size, &rules, &head);
    if (result == HEAD_BAD && (head.status < 400 || head.status > 599 || head.text[0] == 0)) abort();
    if (result != HEAD_GOOD) return 0;
    // the head alone is enough, and no less
    size_t end = 0;
    while (end + 4 <= size && memcmp(data + end, "\r\n\r\n", 4) != 0) ++end;
    if (end + 4 > size || size - end < 4) abort();
    if (hwWebHead_Read((const char*)data, end + 4, &rules, &head) != HEAD_GOOD) abort();
    if (hwWebHead_Read((const char*)data, end + 3, &rules, &head) == HEAD_GOOD) abort();
    return 0;
}
