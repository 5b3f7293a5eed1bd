// Which functions of this process take the processor's time: where it is, looked at once a millisecond of CPU. Functions have
// the names that the program's symbol table gives them, static ones too, unless it was stripped. Linux on x86-64 and AArch64.
#ifndef HAWSER_APPS_CLI_SAMPLER_H
#define HAWSER_APPS_CLI_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>

// False where this is not offered.
bool hwSampler_Start(void);
void hwSampler_Stop(void);
// Forgets what was seen.
void hwSampler_Clear(void);

// Writes the `most` dearest functions since Clear into `text`: "a 34 %, b 12 %, c 8 % of 0.52 s".
void hwSampler_Describe(int most, char* text, size_t size);

#endif
