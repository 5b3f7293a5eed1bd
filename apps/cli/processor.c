// A program that was compiled for a wider processor than it finds says so before it meets an instruction that is not there. A core
// with both widths (HAWSER_ARCH=any, the default of a release) has no such processor.
#define _POSIX_C_SOURCE 200809L

#if defined(HAWSER_NEEDS_V3) && defined(__x86_64__)
#include <unistd.h>

static const char g_words[] =
    "hawser: This processor has no AVX2 and FMA, for which the program was compiled.\n"
    "        Build it on this machine, or with cmake -DHAWSER_ARCH=any for every x86-64.\n";

__attribute__((constructor)) static void CheckProcessor(void) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return;
    if (write(2, g_words, sizeof(g_words) - 1) < 0) _exit(4);
    _exit(3);
}
#else
typedef int hwNoProcessorCheck; // ISO C requires a declaration
#endif
