// What the commands of `hawser` share: options, messages, names that are nearly right, JSON.
#ifndef HW_CLI_CLI_H
#define HW_CLI_CLI_H

#include "hawser/base.h"

#include <signal.h>
#include <stdio.h>

// Exit statuses.
enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_NUMERIC = 3, EXIT_INTERRUPTED = 130 };

#define HW_CLI_MAX_OPTIONS 20

typedef struct hwOption {
    const char* name;     // without the dashes; null ends the list
    char letter;          // short form, or 0
    const char* argument; // what follows, for the help; null: nothing does
    const char* help;
} hwOption;

// The arguments of a command, sorted.
typedef struct hwArguments {
    const char* values[HW_CLI_MAX_OPTIONS]; // of each option; "" for one without argument; null: not given
    int setCount;                           // values of --set, which may be given many times
    const char** sets;
    int count; // operands
    const char** operands;
} hwArguments;

typedef struct hwCommand {
    const char* name;
    const char* operands; // for the help
    int minOperands, maxOperands;
    const char* summary;
    const char* details; // more help, or null
    const hwOption* options;
    const char* missing; // why this program lacks the command; null: it has it
    int (*run)(const hwArguments* arguments);
} hwCommand;

// The option for values set over what a scene says; HW_OPTION_SET is its name.
#define HW_OPTION_SET "set"
#define HW_SET_OPTION                                                                                        \
    {                                                                                                        \
        HW_OPTION_SET, 0, "PATH=VALUE",                                                                      \
            "set a value over what the scene says, as in bodies.load.mass=3000; repeatable"                  \
    }

extern const hwCommand hwCommand_Run, hwCommand_Check, hwCommand_Channels, hwCommand_Validate,
    hwCommand_Bench, hwCommand_Convert, hwCommand_Compare, hwCommand_Report, hwCommand_Train, hwCommand_Serve,
    hwCommand_Tune, hwCommand_View, hwCommand_Replay, hwCommand_Action, hwCommand_Fly, hwCommand_Score,
    hwCommand_Debrief, hwCommand_Logbook, hwCommand_Fmu, hwCommand_Study, hwCommand_Modes, hwCommand_Fit;

// Prints help for one command.
void hwCommand_PrintHelp(const hwCommand* command, FILE* stream);
// Sorts the arguments and runs the command.
int hwCommand_Execute(const hwCommand* command, int count, char** arguments);

// From now on a request to stop (SIGINT, SIGTERM, SIGHUP) sets the flag that comes back; a second one ends the program at once.
// Files that grow too large and closed pipes are errors to report, not reasons to die.
volatile sig_atomic_t* hwCli_CatchSignals(void);
// Whether one of them came: the `stop` of worlds.
bool hwCli_IsStopped(void* context);
// While there is nothing to be kept a request to stop that nobody has answered within 0.04 s of processor time ends the program, with the
// exit status of an interrupted one.
void hwCli_KeepNothing(bool nothing);

// Prints what may hold text of others' files, up to 4095 characters: control characters and what is no UTF-8, which would drive a
// terminal, become question marks.
void hwCli_PutText(FILE* stream, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Prints "hawser: sentence" and, when not null, the hint below it.
void hwCli_Complain(const char* hint, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Prints an error of the library. `path` is the file it is about, or null. Returns the exit status that goes with it.
int hwCli_PrintError(const char* path, const hwError* error);
// A log function for the library: warnings go to the standard error.
void hwCli_Log(hwLogLevel level, const char* text, void* context);

// The name most like `text` in a list, or null when none is near.
const char* hwCli_FindNearest(const char* text, int count, const char* const* names);

// Marks the names that an operand is equal to or begins; all without operands. False with a complaint when an operand
// fits none; `kind` says what the names are.
bool hwCli_Choose(const hwArguments* arguments, const char* kind, int count, const char* const* names,
                  bool* chosen);

// Reads a number; false with a complaint when the text of the option is not one or not positive.
bool hwCli_ParsePositive(const char* option, const char* text, double* value);

// JSON: a string with quotes; a number, null when not finite.
void hwCli_PutJsonString(FILE* stream, const char* text);
void hwCli_PutJsonNumber(FILE* stream, double value);

// Text that stands in one cell of a Markdown table.
void hwCli_PutMarkdown(FILE* stream, const char* text);

// A file for output, or the standard output when `path` is null. Written under another name until closed.
typedef struct hwCliOutput {
    FILE* stream;
    char* path;
    char* temporary;
} hwCliOutput;

bool hwCliOutput_Open(hwCliOutput* output, const char* path);
// False with a complaint when something could not be written.
bool hwCliOutput_Close(hwCliOutput* output);

// Cells of a text table, printed with aligned columns once all are known.
typedef struct hwTable {
    int columns;
    int count, capacity; // cells
    char** cells;
    const char* right; // for each column 'r' when it is aligned right
} hwTable;

void hwTable_Add(hwTable* table, const char* format, ...) __attribute__((format(printf, 2, 3)));
// The first row is the header.
void hwTable_Print(const hwTable* table, FILE* stream);
void hwTable_Free(hwTable* table);

// strdup that ends the program when there is no memory.
char* hwCli_Copy(const char* text);
void* hwCli_Allocate(void* old, size_t size);

// Wall time in s from an arbitrary start.
double hwCli_GetTime(void);

#endif
