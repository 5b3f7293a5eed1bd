// Numbers as text: the shortest form that reads back to the same bits, whatever the locale.
#ifndef HW_IO_CSV_NUMBER_H
#define HW_IO_CSV_NUMBER_H

#include <stdbool.h>

// Longest text, zero included.
#define HW_NUMBER_SIZE 32

// Writes the number without a zero at the end and returns its length. Not finite: nan, inf or -inf.
int hwFormatNumber(double value, char* text);

// Reads a number that ends at `end`: decimal, nan, inf or -inf. Spaces around it are allowed; false when anything else
// is. A decimal number beyond what a double holds is false too, with the infinity of its sign in `value`; otherwise a
// failure leaves not-a-number there.
bool hwParseNumber(const char* text, const char* end, double* value);

#endif
