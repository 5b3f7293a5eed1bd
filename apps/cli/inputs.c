#define _POSIX_C_SOURCE 200809L
#include "apps/cli/inputs.h"

#include "apps/cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMED 4
#define LONGEST 60 // characters of a value that are shown

static char* MakePath(const char* journal) {
    const char *slash = strrchr(journal, '/'), name[] = "inputs.txt";
    size_t folder = slash != NULL ? (size_t)(slash + 1 - journal) : 0;
    char* path = hwCli_Allocate(NULL, folder + sizeof(name));
    memcpy(path, journal, folder);
    memcpy(path + folder, name, sizeof(name));
    return path;
}

bool hwInputs_Write(const hwStudy* study, const char* path) {
    char* own = MakePath(path);
    FILE* file = fopen(own, "w");
    bool good = file != NULL && fputs(hwStudy_GetInputs(study), file) >= 0;
    if (file != NULL) good = fclose(file) == 0 && good;
    if (!good) hwCli_Complain(NULL, "Cannot write %s: %s.", own, strerror(errno));
    free(own);
    return good;
}

// `bodies.load.mass: 5000`, cut in two.
typedef struct Input {
    const char *key, *value;
} Input;

static int Compare(const void* a, const void* b) {
    return strcmp(((const Input*)a)->key, ((const Input*)b)->key);
}

// Cuts the lines of a text into inputs, sorted by key. The caller frees the list.
static Input* CutLines(char* text, int* count) {
    int lines = 1;
    for (const char* c = text; *c; ++c) lines += *c == '\n';
    Input* list = hwCli_Allocate(NULL, (size_t)lines * sizeof(Input));
    *count = 0;
    for (char* line = text; *line;) {
        char *end = line + strcspn(line, "\n"), *next = *end ? end + 1 : end;
        *end = 0;
        char* colon = strstr(line, ": ");
        if (colon == NULL) colon = strchr(line, ':');
        if (colon != NULL) {
            *colon = 0;
            list[(*count)++] = (Input){line, colon[1] == ' ' ? colon + 2 : colon + 1};
        }
        line = next;
    }
    qsort(list, (size_t)*count, sizeof(Input), Compare);
    return list;
}

static char* ReadText(const char* path) {
    FILE* file = fopen(path, "r");
    size_t size = 0, capacity = 1 << 16, got;
    char* text = hwCli_Allocate(NULL, capacity + 1);
    while (file != NULL && (got = fread(text + size, 1, capacity - size, file)) > 0) {
        size += got;
        if (size == capacity) text = hwCli_Allocate(text, (capacity *= 2) + 1);
    }
    if (file != NULL) fclose(file);
    text[size] = 0;
    return text;
}

// As much of a value as a line has room for.
static const char* Shorten(const char* value, char* buffer) {
    size_t length = strlen(value);
    snprintf(buffer, LONGEST + 4, "%.*s%s", LONGEST, value, length > LONGEST ? "..." : "");
    for (char* c = buffer; *c; ++c) {
        if ((unsigned char)*c < ' ' || *c == 127) *c = '?'; // nothing that a terminal obeys
    }
    return buffer;
}

// How much of a key that one list lacks names what the list lacks as a whole: of `cables.other.ends.a.on` the first two steps, where
// there is no such cable.
static size_t FindLacking(const char* key, const Input* list, int count) {
    if (strncmp(key, "file ", 5) == 0) return strlen(key);
    for (const char* dot = strchr(key, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        size_t length = (size_t)(dot - key);
        bool there = false;
        for (int i = 0; i < count && !there; ++i)
            there = strncmp(list[i].key, key, length) == 0 && strchr(".", list[i].key[length]) != NULL;
        if (!there) return length;
    }
    return strlen(key);
}

typedef struct Changes {
    FILE* out;
    int count; // of those told
    char last[LONGEST + 4];
} Changes;

static void PutLacking(Changes* c, const Input* input, const Input* list, int count, const char* what) {
    char key[LONGEST + 4], name[LONGEST + 4];
    size_t length = FindLacking(Shorten(input->key, key), list, count);
    snprintf(name, sizeof(name), "%.*s", (int)length, key);
    if (strcmp(name, c->last) == 0) return;
    memcpy(c->last, name, sizeof(name));
    if (c->count++ < MOST_NAMED) fprintf(c->out, "%s`%s` is %s", c->count > 1 ? ", " : "", name, what);
}

static void PutChange(Changes* c, const Input* before, const Input* now) {
    char key[LONGEST + 4], old[LONGEST + 4], new[LONGEST + 4];
    if (strcmp(before->value, now->value) == 0 || c->count++ >= MOST_NAMED) return;
    fprintf(c->out, "%s", c->count > 1 ? ", " : "");
    if (strncmp(now->key, "file ", 5) == 0) {
        fprintf(c->out, "%s holds something else", Shorten(now->key, key));
    } else {
        fprintf(c->out, "`%s` was %s and is %s", Shorten(now->key, key), Shorten(before->value, old),
                Shorten(now->value, new));
    }
}

// Goes through two sorted lists side by side; null: nothing that they tell differs. The caller frees the text.
static char* ListChanges(const Input* before, int beforeCount, const Input* now, int nowCount) {
    char* text = NULL;
    size_t size = 0;
    Changes c = {.out = open_memstream(&text, &size)};
    if (c.out == NULL) return NULL;
    for (int i = 0, k = 0; i < beforeCount || k < nowCount;) {
        int order = i == beforeCount ? 1 : k == nowCount ? -1 : Compare(&before[i], &now[k]);
        if (order == 0) PutChange(&c, &before[i], &now[k]);
        if (order < 0) PutLacking(&c, &before[i], now, nowCount, "gone");
        if (order > 0) PutLacking(&c, &now[k], before, beforeCount, "new");
        i += order <= 0;
        k += order >= 0;
    }
    if (c.count > MOST_NAMED) fprintf(c.out, ", and %d more", c.count - MOST_NAMED);
    fclose(c.out);
    if (c.count > 0) return text;
    free(text);
    return NULL;
}

void hwInputs_Refuse(const hwStudy* study, const char* path) {
    int beforeCount, nowCount;
    char *own = MakePath(path), *old = ReadText(own), *new = hwCli_Copy(hwStudy_GetInputs(study));
    Input *before = CutLines(old, &beforeCount), *now = CutLines(new, &nowCount);
    char* changes = beforeCount > 0 ? ListChanges(before, beforeCount, now, nowCount) : NULL;
    hwCli_Complain("Choose another folder with --out, or begin anew with --fresh.",
                   "%s is of other runs: %s.", path,
                   changes != NULL ? changes
                                   : "the scene, a file it names, the parameters, what is kept or Hawser has "
                                     "changed");
    free(changes);
    free(before);
    free(now);
    free(old);
    free(new);
    free(own);
}
