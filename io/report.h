// What the files of the report page share.
#ifndef HW_IO_REPORT_H
#define HW_IO_REPORT_H

#include "results_internal.h"

// JSON inside a script element: a number, null where it is not finite; a text in quotes.
void hwReport_PutNumber(FILE* stream, double value);
void hwReport_PutString(FILE* stream, const char* text);

// Members of the page's object, each with a comma before it: `limits`, `spectra`, `study`, `pictures`. Files that the def
// names are read, and an error ends the report.
hwStatus hwReport_PutFront(FILE* stream, hwResults* results, const hwReportDef* def, hwError* error);

#endif
