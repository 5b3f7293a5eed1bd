#include "math/band.h"

#include <math.h>
#include <string.h>

bool hwSparse_Begin(const hwAllocator* allocator, int size, hwSparse* matrix) {
    *matrix = (hwSparse){.size = size, .capacity = 16 * size + 64};
    matrix->start = hwAllocate(allocator, ((size_t)size + 1) * sizeof(int));
    matrix->row = hwAllocate(allocator, (size_t)matrix->capacity * sizeof(int));
    matrix->value = hwAllocate(allocator, (size_t)matrix->capacity * sizeof(double));
    if (matrix->start == NULL || matrix->row == NULL || matrix->value == NULL) {
        hwSparse_Free(allocator, matrix);
        return false;
    }
    matrix->start[0] = 0;
    return true;
}

void hwSparse_Free(const hwAllocator* allocator, hwSparse* matrix) {
    hwRelease(allocator, matrix->start);
    hwRelease(allocator, matrix->row);
    hwRelease(allocator, matrix->value);
    *matrix = (hwSparse){0};
}

static bool GrowSparse(const hwAllocator* allocator, hwSparse* matrix) {
    int capacity = 2 * matrix->capacity;
    int* row = hwAllocate(allocator, (size_t)capacity * sizeof(int));
    double* value = hwAllocate(allocator, (size_t)capacity * sizeof(double));
    if (row != NULL && value != NULL) {
        memcpy(row, matrix->row, (size_t)matrix->used * sizeof(int));
        memcpy(value, matrix->value, (size_t)matrix->used * sizeof(double));
        hwRelease(allocator, matrix->row);
        hwRelease(allocator, matrix->value);
        matrix->row = row;
        matrix->value = value;
        matrix->capacity = capacity;
        return true;
    }
    hwRelease(allocator, row);
    hwRelease(allocator, value);
    return false;
}

bool hwSparse_AddColumn(const hwAllocator* allocator, hwSparse* matrix, int column, const double* values) {
    for (int i = 0; i < matrix->size; ++i) {
        if (values[i] == 0.0) continue;
        if (matrix->used == matrix->capacity && !GrowSparse(allocator, matrix)) return false;
        matrix->row[matrix->used] = i;
        matrix->value[matrix->used++] = values[i];
    }
    matrix->start[column + 1] = matrix->used;
    return true;
}

void hwSparse_MultiplyAdd(const hwSparse* matrix, double factor, const double* x, double* y) {
    for (int j = 0; j < matrix->size; ++j) {
        double scaled = factor * x[j];
        if (scaled == 0.0) continue;
        for (int k = matrix->start[j]; k < matrix->start[j + 1]; ++k)
            y[matrix->row[k]] += matrix->value[k] * scaled;
    }
}

// Neighbours of each row, by entries of any of the matrices or of their transposes.
typedef struct Graph {
    int size;
    int *start, *list, *degree;
} Graph;

static void EachEdge(int count, const hwSparse* const* matrices, Graph* graph, bool fill) {
    for (int m = 0; m < count; ++m) {
        for (int j = 0; j < graph->size; ++j) {
            for (int k = matrices[m]->start[j]; k < matrices[m]->start[j + 1]; ++k) {
                int i = matrices[m]->row[k];
                if (i == j) continue;
                if (fill) {
                    graph->list[graph->start[i] + graph->degree[i]] = j;
                    graph->list[graph->start[j] + graph->degree[j]] = i;
                }
                graph->degree[i] += 1;
                graph->degree[j] += 1;
            }
        }
    }
}

// Breadth first from `root`; returns the number of rows reached, the last one in order[first + number - 1].
static int SearchBreadthFirst(const Graph* graph, int root, int first, int* order, int* mark, int stamp) {
    int head = first, tail = first;
    order[tail++] = root;
    mark[root] = stamp;
    while (head < tail) {
        int i = order[head++], from = tail;
        for (int k = graph->start[i]; k < graph->start[i + 1]; ++k) {
            int j = graph->list[k];
            if (mark[j] == stamp) continue;
            mark[j] = stamp;
            int at = tail++;
            while (at > from && graph->degree[order[at - 1]] > graph->degree[j]) {
                order[at] = order[at - 1];
                at -= 1;
            }
            order[at] = j;
        }
    }
    return tail - first;
}

static int OrderGraph(const Graph* graph, int* order, int* mark, int* place) {
    int size = graph->size, done = 0;
    // `mark` holds the stamp of the last search that reached a row; stamps of final searches are 1
    for (int i = 0; i < size; ++i) mark[i] = 0;
    for (int root = 0; root < size; ++root) {
        if (mark[root] == 1) continue;
        // the row reached last is far out: a better place to begin
        int count = SearchBreadthFirst(graph, root, done, order, mark, 2);
        int end = order[done + count - 1];
        count = SearchBreadthFirst(graph, end, done, order, mark, 3);
        end = order[done + count - 1];
        done += SearchBreadthFirst(graph, end, done, order, mark, 1);
    }
    for (int i = 0; i < size / 2; ++i) {
        int swap = order[i];
        order[i] = order[size - 1 - i];
        order[size - 1 - i] = swap;
    }
    for (int i = 0; i < size; ++i) place[order[i]] = i;
    int width = 0;
    for (int i = 0; i < size; ++i) {
        for (int k = graph->start[i]; k < graph->start[i + 1]; ++k) {
            int far = place[i] - place[graph->list[k]];
            if (far > width) width = far;
        }
    }
    return width;
}

int hwSparse_FindOrder(const hwAllocator* allocator, int count, const hwSparse* const* matrices, int* order) {
    int size = matrices[0]->size, entries = 0, width = -1;
    for (int m = 0; m < count; ++m) entries += matrices[m]->used;
    Graph graph = {.size = size};
    int* block = hwAllocate(allocator, (4 * (size_t)size + 2 + 2 * (size_t)entries) * sizeof(int));
    if (block == NULL) return -1;
    graph.start = block;
    graph.degree = block + size + 1;
    int *mark = graph.degree + size, *place = mark + size;
    graph.list = place + size;
    for (int i = 0; i < size; ++i) graph.degree[i] = 0;
    EachEdge(count, matrices, &graph, false);
    graph.start[0] = 0;
    for (int i = 0; i < size; ++i) {
        graph.start[i + 1] = graph.start[i] + graph.degree[i];
        graph.degree[i] = 0;
    }
    EachEdge(count, matrices, &graph, true);
    width = OrderGraph(&graph, order, mark, place);
    hwRelease(allocator, block);
    return width;
}

bool hwBand_Begin(const hwAllocator* allocator, int size, int width, hwBand* band) {
    *band = (hwBand){.size = size, .width = width};
    band->value = hwAllocate(allocator, (size_t)size * (3 * (size_t)width + 1) * sizeof(double));
    band->pivot = hwAllocate(allocator, (size_t)size * sizeof(int));
    if (band->value != NULL && band->pivot != NULL) return true;
    hwBand_Free(allocator, band);
    return false;
}

void hwBand_Free(const hwAllocator* allocator, hwBand* band) {
    hwRelease(allocator, band->value);
    hwRelease(allocator, band->pivot);
    *band = (hwBand){0};
}

void hwBand_Clear(hwBand* band) {
    memset(band->value, 0, (size_t)band->size * (3 * (size_t)band->width + 1) * sizeof(double));
}

static int LeastInt(int a, int b) {
    return a < b ? a : b;
}

bool hwBand_Factor(hwBand* band) {
    int n = band->size, w = band->width;
    for (int k = 0; k < n; ++k) {
        int best = k, last = LeastInt(n - 1, k + w), right = LeastInt(n - 1, k + 2 * w);
        for (int i = k + 1; i <= last; ++i) {
            if (fabs(*hwBand_At(band, i, k)) > fabs(*hwBand_At(band, best, k))) best = i;
        }
        band->pivot[k] = best;
        double *top = hwBand_At(band, k, k), *other = hwBand_At(band, best, k);
        for (int j = 0; j <= right - k && best != k; ++j) {
            double swap = top[j];
            top[j] = other[j];
            other[j] = swap;
        }
        if (!isfinite(top[0]) || top[0] == 0.0) return false;
        for (int i = k + 1; i <= last; ++i) {
            double* row = hwBand_At(band, i, k);
            if (row[0] == 0.0) continue;
            double factor = row[0] /= top[0];
            for (int j = 1; j <= right - k; ++j) row[j] -= factor * top[j];
        }
    }
    return true;
}

void hwBand_Solve(const hwBand* band, double* x) {
    int n = band->size, w = band->width;
    for (int k = 0; k < n; ++k) {
        double value = x[band->pivot[k]];
        x[band->pivot[k]] = x[k];
        x[k] = value;
        for (int i = k + 1; i <= LeastInt(n - 1, k + w); ++i) x[i] -= *hwBand_At(band, i, k) * value;
    }
    for (int k = n - 1; k >= 0; --k) {
        const double* row = hwBand_At(band, k, k);
        double sum = x[k];
        for (int j = 1; j <= LeastInt(n - 1 - k, 2 * w); ++j) sum -= row[j] * x[k + j];
        x[k] = sum / row[0];
    }
}
