// Numbers as text: the shortest form that reads back to the same bits, whatever the locale.
#ifndef HW_IO_CSV_NUMBER_H
#define HW_IO_CSV_NUMBER_H

#include <stdbool.h>

// Longest text, zero included.
#define HW_NUMBER_SIZE 32

// Writes the number without a zero at the end and returns its length. Not finite: nan, inf or -inf.
int hwFormatNumber(double value, char* text);

// Reads a number that ends at `end`. Spaces around it are allowed; false when anything else is.
bool hwParseNumber(const char* text, const char* end, double* value);

#endif
