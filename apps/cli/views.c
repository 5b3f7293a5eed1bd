// Pictures of results: the viewer's server in a thread, its page in a browser without a window.
#define _XOPEN_SOURCE 700
#include "apps/cli/views.h"

#include "apps/cli/browser.h"
#include "apps/cli/cli.h"
#include "apps/server/server.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VIEWS = 50, WIDTH = 1280 }; // pixels

typedef struct Viewer {
    hwWebServerDef def;
    volatile sig_atomic_t stop;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char address[300];
    bool over;
    hwError error;
} Viewer;

static void NoteAddress(const char* url, const char* instructor, void* context) {
    (void)instructor;
    Viewer* viewer = context;
    pthread_mutex_lock(&viewer->lock);
    snprintf(viewer->address, sizeof(viewer->address), "%s", url);
    pthread_cond_signal(&viewer->changed);
    pthread_mutex_unlock(&viewer->lock);
}

static void* Serve(void* context) {
    Viewer* viewer = context;
    hwWebServer_Run(&viewer->def, &viewer->error);
    pthread_mutex_lock(&viewer->lock);
    viewer->over = true;
    pthread_cond_signal(&viewer->changed);
    pthread_mutex_unlock(&viewer->lock);
    return NULL;
}

// First and last time, and about how far rows are apart.
static bool ReadTimes(hwResults* results, double* first, double* last, double* interval) {
    int channels = hwResults_GetChannelCount(results), time = hwResults_FindChannel(results, "world.time");
    int64_t rows = hwResults_GetRowCount(results);
    hwError error;
    double* row = hwCli_Allocate(NULL, (size_t)(channels + 1) * sizeof(double));
    bool good = time >= 0 && rows > 0;
    for (int i = 0; i < 2 && good; ++i) {
        good = hwResults_ReadRows(results, i == 0 ? 0 : rows - 1, 1, row, &error) == HW_OK;
        *(i == 0 ? first : last) = row[time];
    }
    if (good) *interval = rows > 1 ? (*last - *first) / (double)(rows - 1) : 0.0;
    free(row);
    if (!good) hwCli_Complain(NULL, "The results have no times, so there is nothing to draw.");
    return good;
}

// Times that were given, each within the results.
static bool ParseTimes(const char* text, double first, double last, double* times, int* count) {
    for (const char* at = text; *count < MOST_VIEWS; ++at) {
        char* end;
        double time = strtod(at, &end);
        if (end == at || (*end != ',' && *end != 0) || !(time >= first && time <= last)) {
            hwCli_Complain(NULL, "--views wants times from %g to %g s with commas between, not \"%s\".",
                           first, last, text);
            return false;
        }
        times[(*count)++] = time;
        if (*end == 0) return true;
        at = end;
    }
    hwCli_Complain(NULL, "--views draws %d pictures at most.", MOST_VIEWS);
    return false;
}

static bool DrawTimes(const char* address, int count, const double* times, double within, char** files) {
    char *scripts[MOST_VIEWS], ready[] = "window.hawser && hawser.session.replaying && hawser.frame()";
    for (int i = 0; i < count; ++i) {
        scripts[i] = hwCli_Allocate(NULL, 200);
        snprintf(scripts[i], 200, "hawser.drawReport(%.17g, %d, %.17g)", times[i], WIDTH, within);
    }
    bool good = hwBrowser_Draw(address, ready, count, (const char* const*)scripts, (const char* const*)files);
    for (int i = 0; i < count; ++i) free(scripts[i]);
    return good;
}

bool hwViews_Draw(const char* path, hwResults* results, const char* text, const char* folder, char*** names,
                  int* nameCount) {
    double times[MOST_VIEWS], first = 0.0, last = 0.0, interval = 0.0;
    int count = 0;
    if (!ReadTimes(results, &first, &last, &interval) || !ParseTimes(text, first, last, times, &count))
        return false;
    Viewer viewer = {.def = hwDefaultWebServerDef(),
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .changed = PTHREAD_COND_INITIALIZER};
    viewer.def.view = true;
    viewer.def.preset = path;
    viewer.def.stop = &viewer.stop;
    viewer.def.ready = NoteAddress;
    viewer.def.context = &viewer;
    pthread_t thread;
    if (pthread_create(&thread, NULL, Serve, &viewer) != 0) {
        hwCli_Complain(NULL, "There is no thread left to draw with.");
        return false;
    }
    pthread_mutex_lock(&viewer.lock);
    while (!viewer.over && !viewer.address[0]) pthread_cond_wait(&viewer.changed, &viewer.lock);
    bool good = viewer.address[0] != 0;
    pthread_mutex_unlock(&viewer.lock);
    *names = hwCli_Allocate(*names, (size_t)(*nameCount + count) * sizeof(char*));
    char** files = *names + *nameCount;
    for (int i = 0; i < count; ++i) {
        size_t size = strlen(folder) + 60;
        files[i] = hwCli_Allocate(NULL, size);
        snprintf(files[i], size, "%s/at %g s", folder, times[i]);
    }
    *nameCount += count;
    if (!good) hwCli_PrintError(path, &viewer.error);
    good = good && DrawTimes(viewer.address, count, times, 1.5 * interval + 0.05, files);
    viewer.stop = 1;
    pthread_join(thread, NULL);
    return good;
}
