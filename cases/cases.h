// Validation cases: each computes quantities whose exact value is known, with both solvers.
//
// A file cases/<source>.c defines a list of cases named after where they come from, ended by an entry without a name,
// and cases/registry.c names the list.
#ifndef HW_CASES_CASES_H
#define HW_CASES_CASES_H

#include "hawser/base.h"

// Who made the value that a row is judged by.
typedef enum hwCaseMaker {
    HW_MADE_UNKNOWN,   // by whatever the case ran since its last row, see hwCase_NoteRun
    HW_MADE_DIRECT,    // no solver: geometry, kinematics, matrices
    HW_MADE_REALTIME,  // the built-in solver
    HW_MADE_STATICS,   // the equilibrium that Prepare finds
    HW_MADE_REFERENCE, // the reference solver
} hwCaseMaker;

// One quantity of a case. Start from hwDefaultCaseRow().
typedef struct hwCaseRow {
    const char* quantity;     // what, with its unit
    double exact;             // analytic, or from the source where nothing better exists
    double seed;              // the source's own printed value; NaN: none
    double reference;         // from the reference solver, or from `maker`
    double realtime;          // from the built-in solver; NaN: none
    double tolerance;         // on |reference - exact| / |exact|, or on |reference - exact| when exact is 0
    double realtimeTolerance; // likewise; NaN: shown without judgement
    hwCaseMaker maker;        // of `reference`
    const char* note;         // why the source differs, where the tolerance comes from; null: none
} hwCaseRow;

// Where a case puts its rows.
typedef struct hwCaseContext hwCaseContext;

typedef void hwCaseFn(hwCaseContext* context);

typedef struct hwCase {
    const char*
        name; // "source/subject", for example "sms-4.3.1"; chosen on the command line by name or beginning
    const char* source;  // citation
    const char* summary; // one sentence
    hwCaseFn* function;
} hwCase;

// No seed, no realtime, not a number elsewhere.
hwCaseRow hwDefaultCaseRow(void);

// Adds a row; strings are copied.
void hwCase_AddRow(hwCaseContext* context, const hwCaseRow* row);

// Says that a run has ended: rows that follow are made by the runs between the last row before and themselves, the
// reference solver before statics, statics before the built-in solver.
void hwCase_NoteRun(hwCaseContext* context, hwCaseMaker maker);

// Adds a row that fails, with the error's message as its note.
void hwCase_AddError(hwCaseContext* context, const char* quantity, const hwError* error);

// All lists, ended by null.
extern const hwCase* const hwCaseLists[];

#endif
