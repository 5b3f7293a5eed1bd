// Sparse square matrices and their solution: reordered to a narrow band (Cuthill & McKee 1969, reversed), then Gaussian
// elimination with row exchanges inside the band.
#ifndef HW_MATH_BAND_H
#define HW_MATH_BAND_H

#include "base/memory.h"

#include <stdbool.h>

// A sparse matrix by columns.
typedef struct hwSparse {
    int size;           // rows and columns
    int* start;         // [size + 1] where each column begins in `row` and `value`
    int* row;           // [entry] rising within a column
    double* value;      // [entry]
    int used, capacity; // entries
} hwSparse;

// Room for a matrix that is filled column by column; false: out of memory.
bool hwSparse_Begin(const hwAllocator* allocator, int size, hwSparse* matrix);
// Appends the entries of the next column that are not zero; `column` counts from 0.
bool hwSparse_AddColumn(const hwAllocator* allocator, hwSparse* matrix, int column, const double* values);
void hwSparse_Free(const hwAllocator* allocator, hwSparse* matrix);
// y += factor A x
void hwSparse_MultiplyAdd(const hwSparse* matrix, double factor, const double* x, double* y);

// An order of the rows in which entries of all matrices are near the diagonal: order[new] = old. Returns the half width of the
// band, -1 without memory.
int hwSparse_FindOrder(const hwAllocator* allocator, int count, const hwSparse* const* matrices, int* order);

// A band matrix, factored in place.
typedef struct hwBand {
    int size, width; // rows; half width of the band
    double* value;   // [row][3 width + 1], from column row - width on
    int* pivot;      // [row]
} hwBand;

bool hwBand_Begin(const hwAllocator* allocator, int size, int width, hwBand* band);
void hwBand_Free(const hwAllocator* allocator, hwBand* band);
void hwBand_Clear(hwBand* band);
static inline double* hwBand_At(const hwBand* band, int row, int column) {
    return &band->value[(long long)row * (3 * band->width + 1) + (column - row + band->width)];
}
// False: singular to the last digit.
bool hwBand_Factor(hwBand* band);
// x := A^-1 x
void hwBand_Solve(const hwBand* band, double* x);

#endif
