// modelDescription.xml of a functional mock-up unit, FMI 2.0 or 3.0.
#ifndef HW_CLI_FMU_DESCRIPTION_H
#define HW_CLI_FMU_DESCRIPTION_H

#include <stdbool.h>
#include <stdio.h>

typedef enum hwCausality {
    HW_CAUSALITY_INDEPENDENT,
    HW_CAUSALITY_OUTPUT,
    HW_CAUSALITY_INPUT,
    HW_CAUSALITY_PARAMETER
} hwCausality;

typedef struct hwFmuVariable {
    char* name;
    char* unit; // "": none
    hwCausality causality;
    bool discrete;
    double start; // of inputs and parameters
} hwFmuVariable;

typedef struct hwFmuDescription {
    int version;            // 2 or 3
    const char* name;       // for people
    const char* identifier; // of the library
    const char* token;
    double start, stop, step; // s
    int count;
    const hwFmuVariable* variables; // value references are their numbers
} hwFmuDescription;

void hwFmuDescription_Write(const hwFmuDescription* description, FILE* stream);

#endif
