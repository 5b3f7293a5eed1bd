#include "apps/cli/fmu_description.h"

#include "hawser/base.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void PutEscaped(FILE* stream, const char* text) {
    for (; *text != 0; ++text) {
        switch (*text) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            if ((unsigned char)*text >= ' ') putc(*text, stream);
        }
    }
}

// Units ----------------------------------------------------------------------------------------------------------------------

// Exponents of kg, m, s, A, K, rad.
typedef struct Dimension {
    int exponents[6];
} Dimension;

static bool FindSymbol(const char* name, size_t length, Dimension* out) {
    static const struct {
        const char* name;
        Dimension dimension;
    } symbols[] = {
        {"kg", {{1, 0, 0, 0, 0, 0}}}, {"m", {{0, 1, 0, 0, 0, 0}}},    {"s", {{0, 0, 1, 0, 0, 0}}},
        {"A", {{0, 0, 0, 1, 0, 0}}},  {"K", {{0, 0, 0, 0, 1, 0}}},    {"rad", {{0, 0, 0, 0, 0, 1}}},
        {"N", {{1, 1, -2, 0, 0, 0}}}, {"Pa", {{1, -1, -2, 0, 0, 0}}}, {"J", {{1, 2, -2, 0, 0, 0}}},
        {"W", {{1, 2, -3, 0, 0, 0}}}, {"V", {{1, 2, -3, -1, 0, 0}}},  {"Hz", {{0, 0, -1, 0, 0, 0}}},
        {"1", {{0, 0, 0, 0, 0, 0}}},  {"T", {{1, 0, -2, -1, 0, 0}}},  {"Ohm", {{1, 2, -3, -2, 0, 0}}}};
    for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); ++i) {
        if (strlen(symbols[i].name) != length || strncmp(symbols[i].name, name, length) != 0) continue;
        *out = symbols[i].dimension;
        return true;
    }
    return false;
}

// A unit such as "N s/m2" in base units. False: it is not made of SI units.
static bool ParseUnit(const char* unit, Dimension* out) {
    *out = (Dimension){0};
    int sign = 1;
    while (*unit != 0) {
        size_t length = strcspn(unit, " /0123456789");
        if (length == 0 && *unit == '1') length = 1;
        Dimension symbol;
        if (length == 0 || !FindSymbol(unit, length, &symbol)) return false;
        unit += length;
        int power = isdigit((unsigned char)*unit) ? *unit++ - '0' : 1;
        for (int i = 0; i < 6; ++i) out->exponents[i] += sign * power * symbol.exponents[i];
        if (*unit == '/') {
            sign = -1;
            unit++;
        } else if (*unit == ' ') {
            unit++;
        } else if (*unit != 0) {
            return false;
        }
    }
    return true;
}

static void PutUnits(const hwFmuDescription* d, FILE* stream) {
    fputs("  <UnitDefinitions>\n", stream);
    for (int i = 0; i < d->count; ++i) {
        const char* unit = d->variables[i].unit;
        bool known = unit == NULL || unit[0] == 0;
        for (int j = 0; j < i && !known; ++j)
            known = d->variables[j].unit != NULL && strcmp(d->variables[j].unit, unit) == 0;
        if (known) continue;
        fputs("    <Unit name=\"", stream);
        PutEscaped(stream, unit);
        Dimension dimension;
        if (strcmp(unit, "deg") == 0) {
            fputs("\"><BaseUnit rad=\"1\" factor=\"0.017453292519943295\"/></Unit>\n", stream);
        } else if (ParseUnit(unit, &dimension)) {
            static const char* const names[] = {"kg", "m", "s", "A", "K", "rad"};
            fputs("\"><BaseUnit", stream);
            for (int k = 0; k < 6; ++k) {
                if (dimension.exponents[k] != 0)
                    fprintf(stream, " %s=\"%d\"", names[k], dimension.exponents[k]);
            }
            fputs("/></Unit>\n", stream);
        } else {
            fputs("\"/>\n", stream);
        }
    }
    fputs("  </UnitDefinitions>\n", stream);
}

// Variables --------------------------------------------------------------------------------------------------------------------

static void PutAttributes(const hwFmuVariable* variable, int number, FILE* stream) {
    static const char* const causalities[] = {"independent", "output", "input", "parameter"};
    fputs(" name=\"", stream);
    PutEscaped(stream, variable->name);
    fprintf(stream, "\" valueReference=\"%d\" causality=\"%s\" variability=\"%s\"", number,
            causalities[variable->causality],
            variable->causality == HW_CAUSALITY_PARAMETER ? "fixed"
            : variable->discrete                          ? "discrete"
                                                          : "continuous");
}

static void PutType(const hwFmuVariable* variable, FILE* stream) {
    if (variable->unit != NULL && variable->unit[0] != 0) {
        fputs(" unit=\"", stream);
        PutEscaped(stream, variable->unit);
        putc('"', stream);
    }
    if (variable->causality >= HW_CAUSALITY_INPUT) fprintf(stream, " start=\"%.17g\"", variable->start);
}

static void PutVariables(const hwFmuDescription* d, FILE* stream) {
    fputs("  <ModelVariables>\n", stream);
    for (int i = 0; i < d->count; ++i) {
        fputs(d->version == 2 ? "    <ScalarVariable" : "    <Float64", stream);
        PutAttributes(&d->variables[i], i, stream);
        if (d->version == 2) fputs("><Real", stream);
        PutType(&d->variables[i], stream);
        fputs(d->version == 2 ? "/></ScalarVariable>\n" : "/>\n", stream);
    }
    fputs("  </ModelVariables>\n", stream);
}

// Outputs are those of the end of the last step and depend on no input that is set then.
static void PutStructure(const hwFmuDescription* d, FILE* stream) {
    bool any = false;
    for (int i = 0; i < d->count; ++i) any = any || d->variables[i].causality == HW_CAUSALITY_OUTPUT;
    fputs("  <ModelStructure>\n", stream);
    for (int pass = 0; pass < 2 && any; ++pass) {
        if (d->version == 2) fputs(pass == 0 ? "    <Outputs>\n" : "    <InitialUnknowns>\n", stream);
        for (int i = 0; i < d->count; ++i) {
            if (d->variables[i].causality != HW_CAUSALITY_OUTPUT) continue;
            const char* dependencies = pass == 0 ? " dependencies=\"\"" : "";
            if (d->version == 2) {
                fprintf(stream, "      <Unknown index=\"%d\"%s/>\n", i + 1, dependencies);
            } else {
                fprintf(stream, "    <%s valueReference=\"%d\"%s/>\n",
                        pass == 0 ? "Output" : "InitialUnknown", i, dependencies);
            }
        }
        if (d->version == 2) fputs(pass == 0 ? "    </Outputs>\n" : "    </InitialUnknowns>\n", stream);
    }
    fputs("  </ModelStructure>\n", stream);
}

void hwFmuDescription_Write(const hwFmuDescription* d, FILE* stream) {
    fprintf(
        stream,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%d.0\" modelName=\"",
        d->version);
    PutEscaped(stream, d->name);
    fprintf(stream, "\" %s=\"%s\" generationTool=\"Hawser %s\" variableNamingConvention=\"flat\"",
            d->version == 2 ? "guid" : "instantiationToken", d->token, hwGetVersion());
    fputs(d->version == 2 ? " numberOfEventIndicators=\"0\">\n" : ">\n", stream);
    fprintf(stream, "  <CoSimulation modelIdentifier=\"%s\" canHandleVariableCommunicationStepSize=\"true\"",
            d->identifier);
    fputs(d->version == 2 ? " canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\" "
                            "canSerializeFMUstate=\"true\"/>\n"
                          : " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" "
                            "mightReturnEarlyFromDoStep=\"true\" hasEventMode=\"true\"/>\n",
          stream);
    PutUnits(d, stream);
    fputs("  <LogCategories>\n"
          "    <Category name=\"logStatusError\" description=\"calls that failed\"/>\n"
          "    <Category name=\"logStatusWarning\" description=\"what is probably a mistake\"/>\n"
          "  </LogCategories>\n",
          stream);
    fprintf(stream, "  <DefaultExperiment startTime=\"%.17g\" stopTime=\"%.17g\" stepSize=\"%.17g\"/>\n",
            d->start, d->stop, d->step);
    PutVariables(d, stream);
    PutStructure(d, stream);
    fputs("</fmiModelDescription>\n", stream);
}
