// Rainflow counts after ASTM E1049-85 (2017), 5.4.4, S-N curves and Miner's sum.
#include "base/memory.h"
#include "hawser/elementary.h"
#include "statistics/statistics.h"

#include <math.h>
#include <string.h>

struct hwRainflow {
    double* points; // reversals whose ranges are not counted yet; the last one may still move on
    int count, capacity;
};

hwRainflow* hwCreateRainflow(void) {
    const hwAllocator allocator = hwDefaultAllocator();
    return hwAllocate(&allocator, sizeof(hwRainflow));
}

void hwDestroyRainflow(hwRainflow* rainflow) {
    const hwAllocator allocator = hwDefaultAllocator();
    if (rainflow == NULL) return;
    hwRelease(&allocator, rainflow->points);
    hwRelease(&allocator, rainflow);
}

static bool Rainflow_Push(hwRainflow* r, double value) {
    if (r->count == r->capacity) {
        const hwAllocator allocator = hwDefaultAllocator();
        int capacity = r->capacity ? 2 * r->capacity : 16;
        double* points = hwAllocate(&allocator, (size_t)capacity * sizeof(double));
        if (points == NULL) return false;
        if (r->count > 0) memcpy(points, r->points, (size_t)r->count * sizeof(double));
        hwRelease(&allocator, r->points);
        r->points = points;
        r->capacity = capacity;
    }
    r->points[r->count++] = value;
    return true;
}

static void Rainflow_Give(double a, double b, double count, hwRainflowFn* receive, void* context) {
    hwRainflowCycle cycle = {fabs(a - b), 0.5 * (a + b), count};
    if (receive) receive(&cycle, context);
}

// Rules 2 to 5: X is the range of the last two points, Y the one before. The last point must be a reversal.
static void Rainflow_Close(hwRainflow* r, hwRainflowFn* receive, void* context) {
    while (r->count >= 3) {
        double* last = r->points + r->count - 1;
        if (fabs(last[0] - last[-1]) < fabs(last[-1] - last[-2])) return;
        if (r->count == 3) { // Y contains the start
            Rainflow_Give(last[-2], last[-1], 0.5, receive, context);
            memmove(r->points, r->points + 1, 2 * sizeof(double));
            r->count = 2;
        } else {
            Rainflow_Give(last[-2], last[-1], 1.0, receive, context);
            last[-2] = last[0];
            r->count -= 2;
        }
    }
}

hwStatus hwRainflow_Add(hwRainflow* r, double value, hwRainflowFn* receive, void* context) {
    if (!isfinite(value)) return HW_ERROR_ARGUMENT;
    if (r->count == 0) return Rainflow_Push(r, value) ? HW_OK : HW_ERROR_MEMORY;
    double* last = r->points + r->count - 1;
    if (value == *last) return HW_OK;
    if (r->count > 1 && (value > *last) == (*last > last[-1])) { // goes on in the same direction
        *last = value;
        return HW_OK;
    }
    // The last point has turned out to be a reversal.
    Rainflow_Close(r, receive, context);
    return Rainflow_Push(r, value) ? HW_OK : HW_ERROR_MEMORY;
}

void hwRainflow_Finish(hwRainflow* r, hwRainflowFn* receive, void* context) {
    Rainflow_Close(r, receive, context);
    for (int i = 1; i < r->count; ++i) Rainflow_Give(r->points[i - 1], r->points[i], 0.5, receive, context);
    r->count = 0;
}

typedef struct CycleList {
    int64_t capacity, count;
    hwRainflowCycle* cycles;
} CycleList;

static void CycleList_Add(const hwRainflowCycle* cycle, void* context) {
    CycleList* list = context;
    if (list->count < list->capacity) list->cycles[list->count] = *cycle;
    list->count += 1;
}

int64_t hwSeries_CountRainflow(int64_t count, const double* values, int64_t capacity,
                               hwRainflowCycle* cycles) {
    CycleList list = {.capacity = capacity, .cycles = cycles};
    hwRainflow* rainflow = hwCreateRainflow();
    hwStatus status = rainflow != NULL ? HW_OK : HW_ERROR_MEMORY;
    for (int64_t i = 0; i < count && status == HW_OK; ++i)
        status = hwRainflow_Add(rainflow, values[i], CycleList_Add, &list);
    if (status == HW_OK) hwRainflow_Finish(rainflow, CycleList_Add, &list);
    hwDestroyRainflow(rainflow);
    return status == HW_OK ? list.count : -1;
}

hwFatigueCurve hwDefaultFatigueCurve(void) {
    return (hwFatigueCurve){.slope = 3.0, .kneeLife = (double)INFINITY, .kneeSlope = 5.0, .factor = 1.0};
}

// Beyond the knee the curve goes on from where it is: N = Nk (Sk/S)^m2 with Nk = a Sk^-m.
double hwFatigueCurve_GetLife(const hwFatigueCurve* curve, double range) {
    double stress = range * curve->factor;
    if (!(stress > 0.0) || stress < curve->limit) return (double)INFINITY;
    double log = curve->logA - curve->slope * hwLog10(stress);
    double knee = hwLog10(curve->kneeLife);
    if (log > knee) log = knee + (log - knee) * curve->kneeSlope / curve->slope;
    return hwPow(10.0, log);
}

double hwFatigueCurve_SumDamage(const hwFatigueCurve* curve, int64_t count, const hwRainflowCycle* cycles) {
    double sum = 0.0;
    for (int64_t i = 0; i < count; ++i)
        sum += cycles[i].count / hwFatigueCurve_GetLife(curve, cycles[i].range);
    return sum;
}
