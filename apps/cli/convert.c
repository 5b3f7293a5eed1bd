// hawser convert: files of others to scenes, results between formats.
#define _XOPEN_SOURCE 700
#include "apps/cli/cli.h"
#include "hawser/convert.h"
#include "hawser/results.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const hwOption g_options[] = {{0}};

static bool HasExtension(const char* path, const char* const* extensions) {
    const char* slash = strrchr(path, '/');
    const char* dot = strrchr(slash ? slash : path, '.');
    for (; dot && *extensions; ++extensions) {
        if (strcasecmp(dot + 1, *extensions) == 0) return true;
    }
    return false;
}

typedef hwStatus ConvertFn(const char* input, const char* output, hwLogFn* log, void* context,
                           hwError* error);

static ConvertFn* ChooseConverter(const char* from) {
    static const char* const ini[] = {"ini", NULL};
    static const char* const dynamechs[] = {"dm", "dm21", "dm30", "cfg", "env", NULL};
    static const char* const urdf[] = {"urdf", "xml", NULL};
    static const char* const moordyn[] = {"dat", "txt", NULL};
    struct stat about;
    if (stat(from, &about) == 0 && S_ISDIR(about.st_mode)) return hwConvertSms;
    if (HasExtension(from, ini)) return hwConvertSms;
    if (HasExtension(from, dynamechs)) return hwConvertDynamechs;
    if (HasExtension(from, moordyn)) return hwConvertMoordyn;
    return HasExtension(from, urdf) ? hwConvertUrdf : NULL;
}

static int ConvertToScene(const char* from, const char* to) {
    ConvertFn* convert = ChooseConverter(from);
    if (convert == NULL) {
        hwCli_Complain("It reads .ini files of SMS and folders of them, .dm and .cfg files of DynaMechs, "
                       ".urdf files, and .dat\n"
                       "and .txt files of MoorDyn.",
                       "%s is nothing that convert can turn into a scene.", from);
        return EXIT_USAGE;
    }
    hwError error;
    if (convert(from, to, hwCli_Log, NULL, &error) == HW_OK) {
        printf("%s\n", to);
        return EXIT_GOOD;
    }
    return hwCli_PrintError(error.line > 0 && error.object[0] ? error.object : NULL, &error);
}

static int RunConvert(const hwArguments* arguments) {
    static const char* const scenes[] = {"yaml", "yml", NULL};
    static const char* const results[] = {"h5", "hdf5", "csv", "mcap", "glb", "vtp", "pvd", NULL};
    const char *from = arguments->operands[0], *to = arguments->operands[1];
    if (HasExtension(to, scenes)) return ConvertToScene(from, to);
    bool toOutput = strcmp(to, "-") == 0;
    if (!toOutput && !HasExtension(to, results)) {
        hwCli_Complain("Results become .h5, .csv, .mcap, .glb, .vtp or .pvd, scenes .yaml.",
                       "The name %s does not say what to convert to.", to);
        return EXIT_USAGE;
    }
    hwError error;
    if (hwConvertResults(from, to, &error) != HW_OK)
        return hwCli_PrintError(error.line > 0 ? from : NULL, &error);
    if (!toOutput) printf("%s\n", to);
    return EXIT_GOOD;
}

const hwCommand hwCommand_Convert = {
    .name = "convert",
    .operands = "IN OUT",
    .minOperands = 2,
    .maxOperands = 2,
    .summary = "Turn files of others into scenes, and results into other formats",
    .details =
        "The ending of OUT says what to make:\n"
        "  .yaml            a scene, from an .ini file of SMS or a folder of them, a .dm model or\n"
        "                   .cfg simulation of DynaMechs, a .urdf robot, or a .dat or .txt file of "
        "MoorDyn\n"
        "  .h5 .csv         a table of results; - is CSV on the standard output\n"
        "  .mcap            messages for Foxglove: channels, frames, shapes, what happened; no sonars\n"
        "  .glb             an animated scene (glTF 2.0) for any viewer\n"
        "  .vtp             the path of every object, and the table, for ParaView\n"
        "  .pvd             an animation for ParaView, with a folder of frames beside it\n",
    .options = g_options,
    .run = RunConvert,
};
