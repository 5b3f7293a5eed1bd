#define _DEFAULT_SOURCE
#include "apps/cli/progress.h"

#include "apps/cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool HasUnicode(void) {
    static const char* const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; ++i) {
        const char* value = getenv(names[i]);
        if (value && value[0])
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8");
    }
    return false;
}

void hwProgress_Begin(hwProgress* progress, double start, double end, bool shown) {
    *progress = (hwProgress){.start = start, .end = end, .begun = hwCli_GetTime(), .shown = shown};
    const char* kind = getenv("TERM");
    progress->terminal = isatty(STDERR_FILENO) && !(kind && strcmp(kind, "dumb") == 0);
    progress->unicode = HasUnicode();
    progress->next = progress->begun + (progress->terminal ? 0.1 : 10);
}

static void ShowDuration(double seconds, char* text, size_t size) {
    if (seconds < 60) {
        snprintf(text, size, "%.0f s", seconds);
    } else if (seconds < 3600) {
        snprintf(text, size, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
    } else {
        snprintf(text, size, "%.0f h %02d min", seconds / 3600 - 0.5, (int)(seconds / 60) % 60);
    }
}

static void DrawBar(const hwProgress* progress, double part, int width) {
    // A cell has eight eighths.
    static const char* const eighths[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    double cells = part * width;
    for (int i = 0; i < width; ++i) {
        double fill = cells - i;
        fill = fill < 0 ? 0 : fill > 1 ? 1 : fill;
        fputs(progress->unicode ? eighths[(int)(8 * fill)] : fill >= 0.5 ? "#" : "-", stderr);
    }
}

void hwProgress_Update(hwProgress* progress, double time) {
    if (!progress->shown) return;
    double now = hwCli_GetTime();
    if (now < progress->next) return;
    progress->next = now + (progress->terminal ? 0.1 : 10);
    double span = progress->end - progress->start, wall = now - progress->begun;
    double part = span > 0 ? (time - progress->start) / span : 1;
    double speed = wall > 0 ? (time - progress->start) / wall : 0;
    char left[48] = "?", text[160];
    if (speed > 0) ShowDuration((progress->end - time) / speed, left, sizeof(left));
    snprintf(text, sizeof(text), "%.2f of %g s  %3.0f %%  %.*f x real time  %s left", time - progress->start,
             span, 100 * part, speed < 10 ? 2 : 0, speed, left);
    if (!progress->terminal) {
        fprintf(stderr, "%s\n", text);
        return;
    }
    struct winsize size = {0};
    int columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
    int width = columns - (int)strlen(text) - 5;
    if (width > 32) width = 32;
    fputs("\r\033[K", stderr);
    if (width >= 6) {
        fputs("[", stderr);
        DrawBar(progress, part, width);
        fputs("] ", stderr);
    }
    fprintf(stderr, "%.*s", columns - 1, text);
    fflush(stderr);
}

void hwProgress_End(hwProgress* progress) {
    if (progress->shown && progress->terminal) fputs("\r\033[K", stderr);
    progress->shown = false;
}
