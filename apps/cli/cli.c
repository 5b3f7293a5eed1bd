#define _XOPEN_SOURCE 700
#include "apps/cli/cli.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t g_stop;
static volatile sig_atomic_t g_nothingKept; // a run that ends now loses nothing

// Layouts, meshes and hulls are not asked whether they are to go on. While nothing is kept, a program that has not ended by itself
// so much of its processor time after a request ends at once.
#ifndef _WIN32
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PATIENCE 200000000 // ns
#else
#define PATIENCE 40000000
#endif

static timer_t g_timer;
static bool g_timed;

static void HandleTimer(int number) {
    static const char text[] = "hawser: interrupted before its first step\n";
    (void)number;
    if (!g_nothingKept) return;
    ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);
    (void)written;
    _exit(EXIT_INTERRUPTED);
}

static void PrepareTimer(void) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    struct sigaction action = {.sa_handler = HandleTimer};
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    g_timed = timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &g_timer) == 0 &&
              sigaction(SIGALRM, &action, NULL) == 0;
}

static void StartTimer(void) {
    struct itimerspec once = {.it_value = {0, PATIENCE}};
    if (g_timed && g_nothingKept) timer_settime(g_timer, 0, &once, NULL);
}
#else
static void PrepareTimer(void) {}
static void StartTimer(void) {}
#endif

static void HandleStop(int number) {
    (void)number;
    g_stop = 1;
    StartTimer();
}

void hwCli_KeepNothing(bool nothing) {
    g_nothingKept = nothing;
}

volatile sig_atomic_t* hwCli_CatchSignals(void) {
    static bool caught = false;
    if (caught) return &g_stop;
    caught = true;
    PrepareTimer();
    struct sigaction action = {.sa_handler = HandleStop};
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    return &g_stop;
}

bool hwCli_IsStopped(void* context) {
    (void)context;
    if (g_stop != 0) g_nothingKept = 0; // who asked comes to an end in order
    return g_stop != 0;
}

// The length of the character at `at` that a terminal may be sent; 0: a control character, or no UTF-8.
static int MeasureCharacter(const unsigned char* at) {
    int length = at[0] < 0x80   ? 1
                 : at[0] < 0xc2 ? 0
                 : at[0] < 0xe0 ? 2
                 : at[0] < 0xf0 ? 3
                 : at[0] < 0xf5 ? 4
                                : 0;
    for (int i = 1; i < length; ++i) {
        if ((at[i] & 0xc0) != 0x80) return 0;
    }
    bool control =
        (at[0] < 0x20 && at[0] != '\n' && at[0] != '\t') || at[0] == 0x7f || (at[0] == 0xc2 && at[1] < 0xa0);
    return control ? 0 : length;
}

static void CleanText(char* text) {
    for (char* at = text; *at != 0;) {
        int length = MeasureCharacter((const unsigned char*)at);
        if (length == 0) *at = '?';
        at += length > 0 ? length : 1;
    }
}

static void PutText(FILE* stream, const char* format, va_list arguments) {
    char text[4096];
    vsnprintf(text, sizeof(text), format, arguments);
    CleanText(text);
    fputs(text, stream);
}

void hwCli_PutText(FILE* stream, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    PutText(stream, format, arguments);
    va_end(arguments);
}

void hwCli_Complain(const char* hint, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("hawser: ", stderr);
    PutText(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    if (hint && hint[0]) hwCli_PutText(stderr, "        %s\n", hint);
}

int hwCli_PrintError(const char* path, const hwError* error) {
    if (error->status == HW_ERROR_STOPPED) {
        hwCli_PutText(stderr, "%s: interrupted: %s\n", path ? path : "hawser", error->message);
        return EXIT_INTERRUPTED;
    }
    if (path && error->line > 0 && error->column > 0) {
        hwCli_PutText(stderr, "%s:%d:%d: %s\n", path, error->line, error->column, error->message);
    } else if (path && error->line > 0) {
        hwCli_PutText(stderr, "%s:%d: %s\n", path, error->line, error->message);
    } else if (path && !strstr(error->message, path)) {
        hwCli_PutText(stderr, "%s: %s\n", path, error->message);
    } else {
        hwCli_PutText(stderr, "hawser: %s\n", error->message);
    }
    if (error->hint[0]) hwCli_PutText(stderr, "        %s\n", error->hint);
    return error->status == HW_ERROR_NUMERIC ? EXIT_NUMERIC : EXIT_USAGE;
}

void hwCli_Log(hwLogLevel level, const char* text, void* context) {
    (void)context;
    hwCli_PutText(stderr, "hawser: %s%s\n", level == HW_LOG_WARNING ? "warning: " : "", text);
}

// Edits to turn one name into the other (Levenshtein 1966), of the first 63 characters.
static int Distance(const char* first, const char* second) {
    int previous[64], current[64];
    int width = (int)strlen(second);
    if (width > 63) width = 63;
    for (int j = 0; j <= width; ++j) previous[j] = j;
    for (int i = 0; i < 63 && first[i]; ++i) {
        current[0] = i + 1;
        for (int j = 1; j <= width; ++j) {
            int change = previous[j - 1] + (first[i] != second[j - 1]);
            int gap = (previous[j] < current[j - 1] ? previous[j] : current[j - 1]) + 1;
            current[j] = change < gap ? change : gap;
        }
        memcpy(previous, current, sizeof(previous));
    }
    return previous[width];
}

const char* hwCli_FindNearest(const char* text, int count, const char* const* names) {
    const char* nearest = NULL;
    int best = (int)strlen(text) / 2 + 2;
    for (int i = 0; i < count; ++i) {
        int distance = Distance(text, names[i]);
        if (distance >= best) continue;
        best = distance;
        nearest = names[i];
    }
    return nearest;
}

bool hwCli_Choose(const hwArguments* arguments, const char* kind, int count, const char* const* names,
                  bool* chosen) {
    for (int i = 0; i < count; ++i) chosen[i] = arguments->count == 0;
    for (int k = 0; k < arguments->count; ++k) {
        const char* text = arguments->operands[k];
        bool found = false, exact = false;
        for (int i = 0; i < count; ++i) exact = exact || strcmp(names[i], text) == 0;
        for (int i = 0; i < count; ++i) {
            bool fits = exact ? strcmp(names[i], text) == 0 : strncmp(names[i], text, strlen(text)) == 0;
            chosen[i] = chosen[i] || fits;
            found = found || fits;
        }
        if (found) continue;
        const char* nearest = hwCli_FindNearest(text, count, names);
        char hint[256] = "";
        if (nearest) snprintf(hint, sizeof(hint), "Did you mean %s?", nearest);
        hwCli_Complain(hint, "There is no %s \"%s\".", kind, text);
        return false;
    }
    return true;
}

bool hwCli_ParsePositive(const char* option, const char* text, double* value) {
    char* end = NULL;
    *value = strtod(text, &end);
    if (end != text && *end == 0 && isfinite(*value) && *value > 0) return true;
    hwCli_Complain(NULL, "--%s needs a positive number, not \"%s\".", option, text);
    return false;
}

// Options

static int CountOptions(const hwCommand* command) {
    int count = 0;
    while (command->options && command->options[count].name) ++count;
    return count;
}

void hwCommand_PrintHelp(const hwCommand* command, FILE* stream) {
    fprintf(stream, "%s\n\nusage: hawser %s%s%s [options]\n\n", command->summary, command->name,
            command->operands[0] ? " " : "", command->operands);
    for (int i = 0; i <= CountOptions(command); ++i) {
        static const hwOption help = {"help", 'h', NULL, "this text"};
        const hwOption* option = i < CountOptions(command) ? &command->options[i] : &help;
        char text[64];
        snprintf(text, sizeof(text), "%s%c%s--%s%s%s", option->letter ? "-" : " ",
                 option->letter ? option->letter : ' ', option->letter ? ", " : "  ", option->name,
                 option->argument ? " " : "", option->argument ? option->argument : "");
        fprintf(stream, "  %-24s %s\n", text, option->help);
    }
    if (command->details) fprintf(stream, "\n%s", command->details);
}

static const hwOption* FindOption(const hwCommand* command, const char* text, size_t length) {
    for (const hwOption* option = command->options; option->name; ++option) {
        bool longForm = text[0] == '-' && strlen(option->name) == length - 1 &&
                        strncmp(text + 1, option->name, length - 1) == 0;
        bool shortForm = option->letter && length == 1 && text[0] == option->letter;
        if (longForm || shortForm) return option;
    }
    return NULL;
}

static int FailOption(const hwCommand* command, const char* text) {
    const char* names[HW_CLI_MAX_OPTIONS + 1] = {"help"};
    int count = 1;
    for (const hwOption* option = command->options; option->name; ++option) names[count++] = option->name;
    const char* typed = text;
    while (*text == '-') ++text;
    const char* nearest = hwCli_FindNearest(text, count, names);
    char hint[128];
    if (nearest) {
        snprintf(hint, sizeof(hint), "Did you mean --%s?", nearest);
    } else {
        snprintf(hint, sizeof(hint), "\"hawser %s --help\" lists the options.", command->name);
    }
    hwCli_Complain(hint, "%s has no option %s.", command->name, typed);
    return EXIT_USAGE;
}

// Takes the option at *index, and its argument when it has one; 0 or the exit status.
static int TakeOption(const hwCommand* command, int count, char** texts, int* index, hwArguments* arguments) {
    const char* text = texts[*index] + 1;
    const char* equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    const hwOption* option = FindOption(command, text, length);
    const char* attached = equals ? equals + 1 : NULL;
    if (!option && strchr("0123456789", text[1])) { // -j8
        option = FindOption(command, text, 1);
        attached = option && option->argument ? text + 1 : NULL;
        if (!attached) option = NULL;
    }
    if (!option) return FailOption(command, texts[*index]);
    const char* value = "";
    if (option->argument) {
        value = attached ? attached : *index + 1 < count ? texts[++*index] : NULL;
    } else if (equals) {
        hwCli_Complain(NULL, "--%s takes no value.", option->name);
        return EXIT_USAGE;
    }
    // an option where the value should be: it was left out
    bool leftOut = option->argument && !attached && value && strncmp(value, "--", 2) == 0 &&
                   FindOption(command, value + 1, strcspn(value + 1, "=")) != NULL;
    if (!value || leftOut || (option->argument && !value[0])) {
        hwCli_Complain(NULL, "--%s needs a value: --%s %s.", option->name, option->name, option->argument);
        return EXIT_USAGE;
    }
    arguments->values[option - command->options] = value;
    if (strcmp(option->name, HW_OPTION_SET) == 0) arguments->sets[arguments->setCount++] = value;
    return 0;
}

int hwCommand_Execute(const hwCommand* command, int count, char** texts) {
    if (command->missing) {
        hwCli_Complain(NULL, "There is no `hawser %s` here: %s.", command->name, command->missing);
        return EXIT_USAGE;
    }
    hwArguments arguments = {0};
    arguments.operands = hwCli_Allocate(NULL, (size_t)(count + 1) * sizeof(char*));
    arguments.sets = hwCli_Allocate(NULL, (size_t)(count + 1) * sizeof(char*));
    bool onlyOperands = false;
    int status = -1;
    for (int i = 0; i < count && status < 0; ++i) {
        const char* text = texts[i];
        if (onlyOperands || text[0] != '-' || text[1] == 0) {
            arguments.operands[arguments.count++] = text;
        } else if (strcmp(text, "--") == 0) {
            onlyOperands = true;
        } else if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
            hwCommand_PrintHelp(command, stdout);
            status = EXIT_GOOD;
        } else {
            int failed = TakeOption(command, count, texts, &i, &arguments);
            if (failed) status = failed;
        }
    }
    if (status < 0 && (arguments.count < command->minOperands || arguments.count > command->maxOperands)) {
        char hint[128];
        snprintf(hint, sizeof(hint), "usage: hawser %s %s [options]", command->name, command->operands);
        if (arguments.count < command->minOperands) {
            hwCli_Complain(hint, "%s needs %s.", command->name, command->operands);
        } else {
            hwCli_Complain(hint, "%s takes %s; \"%s\" is one too many.", command->name, command->operands,
                           arguments.operands[command->maxOperands]);
        }
        status = EXIT_USAGE;
    }
    if (status < 0) status = command->run(&arguments);
    free(arguments.operands);
    free(arguments.sets);
    return status;
}

// Output

void hwCli_PutJsonString(FILE* stream, const char* text) {
    fputc('"', stream);
    for (const unsigned char* c = (const unsigned char*)text; *c; ++c) {
        if (*c == '"' || *c == '\\') {
            fprintf(stream, "\\%c", *c);
        } else if (*c < 0x20) {
            fprintf(stream, "\\u%04x", *c);
        } else {
            fputc(*c, stream);
        }
    }
    fputc('"', stream);
}

void hwCli_PutJsonNumber(FILE* stream, double value) {
    if (isfinite(value)) {
        fprintf(stream, "%.17g", value);
    } else {
        fputs("null", stream);
    }
}

void hwCli_PutMarkdown(FILE* stream, const char* text) {
    for (; *text; ++text) {
        if (*text == '|' || *text == '<' || *text == '*' || *text == '_') fputc('\\', stream);
        fputc(*text == '\n' ? ' ' : *text, stream);
    }
}

bool hwCliOutput_Open(hwCliOutput* output, const char* path) {
    *output = (hwCliOutput){.stream = stdout};
    if (!path) return true;
    struct stat about;
    bool exists = stat(path, &about) == 0;
    output->path = hwCli_Copy(path);
    if (exists && S_ISDIR(about.st_mode)) {
        errno = EISDIR;
        output->stream = NULL;
    } else if (exists && !S_ISREG(about.st_mode)) {
        output->stream = fopen(path, "w");
    } else {
        size_t size = strlen(path) + 32;
        output->temporary = hwCli_Allocate(NULL, size);
        snprintf(output->temporary, size, "%s.%ld.tmp", path, (long)getpid());
        output->stream = fopen(output->temporary, "w");
    }
    if (output->stream) return true;
    hwCli_Complain(NULL, "Cannot write %s: %s.", path, strerror(errno));
    free(output->temporary);
    free(output->path);
    return false;
}

bool hwCliOutput_Close(hwCliOutput* output) {
    bool good = fflush(output->stream) == 0 && !ferror(output->stream);
    int reason = errno;
    if (output->path) {
        if (fclose(output->stream) != 0 && good) {
            good = false;
            reason = errno;
        }
        if (output->temporary && good && rename(output->temporary, output->path) != 0) {
            good = false;
            reason = errno;
        }
        if (output->temporary && !good) unlink(output->temporary);
    }
    if (!good) {
        hwCli_Complain(NULL, "Cannot write %s: %s.", output->path ? output->path : "the standard output",
                       strerror(reason));
    }
    free(output->temporary);
    free(output->path);
    return good;
}

void hwTable_Add(hwTable* table, const char* format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    CleanText(text);
    if (table->count == table->capacity) {
        table->capacity = table->capacity ? 2 * table->capacity : 64;
        table->cells = hwCli_Allocate(table->cells, (size_t)table->capacity * sizeof(char*));
    }
    table->cells[table->count++] = hwCli_Copy(text);
}

// Characters of UTF-8 text.
static int MeasureText(const char* text) {
    int count = 0;
    for (; *text; ++text) count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

void hwTable_Print(const hwTable* table, FILE* stream) {
    int* widths = hwCli_Allocate(NULL, (size_t)table->columns * sizeof(int));
    memset(widths, 0, (size_t)table->columns * sizeof(int));
    for (int i = 0; i < table->count; ++i) {
        int width = MeasureText(table->cells[i]);
        if (width > widths[i % table->columns]) widths[i % table->columns] = width;
    }
    for (int i = 0; i < table->count; ++i) {
        int column = i % table->columns, space = widths[column] - MeasureText(table->cells[i]);
        bool last = column + 1 == table->columns, right = table->right[column] == 'r';
        fprintf(stream, "%*s%s%*s%s", right ? space : 0, "", table->cells[i], right || last ? 0 : space, "",
                last ? "\n" : "  ");
    }
    free(widths);
}

void hwTable_Free(hwTable* table) {
    for (int i = 0; i < table->count; ++i) free(table->cells[i]);
    free(table->cells);
    *table = (hwTable){0};
}

void* hwCli_Allocate(void* old, size_t size) {
    void* memory = realloc(old, size ? size : 1);
    if (memory) return memory;
    hwCli_Complain(NULL, "There is not enough memory.");
    exit(EXIT_USAGE);
}

char* hwCli_Copy(const char* text) {
    size_t size = strlen(text) + 1;
    return memcpy(hwCli_Allocate(NULL, size), text, size);
}

double hwCli_GetTime(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
