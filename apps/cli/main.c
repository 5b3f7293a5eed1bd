// The program `hawser`.
#include "apps/cli/cli.h"

#include <errno.h>
#include <string.h>

static const hwCommand* const g_commands[] = {
    &hwCommand_Run,     &hwCommand_Check,   &hwCommand_Channels, &hwCommand_Validate, &hwCommand_Bench,
    &hwCommand_Convert, &hwCommand_Compare, &hwCommand_Report,   &hwCommand_Train,    &hwCommand_Serve,
    &hwCommand_Tune,    &hwCommand_View,    &hwCommand_Replay,   &hwCommand_Action,   &hwCommand_Fly,
    &hwCommand_Score,   &hwCommand_Debrief, &hwCommand_Logbook,  &hwCommand_Fmu,      &hwCommand_Study,
    &hwCommand_Modes,   &hwCommand_Fit};
#define COMMAND_COUNT ((int)(sizeof(g_commands) / sizeof(g_commands[0])))

static void PrintHelp(FILE* stream) {
    fputs("Hawser simulates what hangs, tows, lifts and tethers at sea.\n\nusage: hawser COMMAND ...\n\n",
          stream);
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        char text[64];
        snprintf(text, sizeof(text), "%s %s", g_commands[i]->name, g_commands[i]->operands);
        fprintf(stream, "  %-28s %s\n", text, g_commands[i]->summary);
    }
    fputs("\n\"hawser COMMAND --help\" tells more about each; \"hawser --version\" the version.\n\n"
          "Exit status: 0 success, 1 a check or case failed, 2 bad usage or bad input, 3 numerical failure,\n"
          "130 interrupted.\n",
          stream);
}

static const hwCommand* FindCommand(const char* name) {
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        if (strcmp(g_commands[i]->name, name) == 0) return g_commands[i];
    }
    return NULL;
}

static int FailCommand(const char* name) {
    const char* names[COMMAND_COUNT];
    char hint[512] = "The commands are";
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        names[i] = g_commands[i]->name;
        size_t length = strlen(hint);
        snprintf(hint + length, sizeof(hint) - length, "%s%s",
                 i == 0                  ? " "
                 : i + 1 < COMMAND_COUNT ? ", "
                                         : " and ",
                 names[i]);
    }
    const char* nearest = hwCli_FindNearest(name, COMMAND_COUNT, names);
    size_t length = strlen(hint);
    snprintf(hint + length, sizeof(hint) - length, nearest ? "; did you mean %s?" : ".",
             nearest ? nearest : "");
    hwCli_Complain(hint, "There is no command \"%s\".", name);
    return EXIT_USAGE;
}

static int Dispatch(int count, char** arguments) {
    if (count < 2) {
        PrintHelp(stderr);
        return EXIT_USAGE;
    }
    const char* name = arguments[1];
    bool help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0;
    if (help && count < 3) {
        PrintHelp(stdout);
        return EXIT_GOOD;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
        printf("hawser %s\n", hwGetVersion());
        return EXIT_GOOD;
    }
    const hwCommand* command = FindCommand(help ? arguments[2] : name);
    if (!command) return FailCommand(help ? arguments[2] : name);
    if (help) {
        hwCommand_PrintHelp(command, stdout);
        return EXIT_GOOD;
    }
    return hwCommand_Execute(command, count - 2, arguments + 2);
}

int main(int count, char** arguments) {
    int status = Dispatch(count, arguments);
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == EXIT_GOOD) {
        hwCli_Complain(NULL, "Cannot write the standard output: %s.", strerror(errno));
        status = EXIT_USAGE;
    }
    return status;
}
