#include "study_group.h"

#include "csv_number.h"
#include "hawser/elementary.h"
#include "named_file.h"
#include "scene_store.h"

#include <stdlib.h>
#include <string.h>

// Number of a run's combination on the kept axes.
static int64_t FindKey(const hwStudy* study, int64_t run, const bool* keep) {
    int64_t key = 0;
    for (int i = 0; i < study->axisCount; ++i) {
        if (keep[i]) key = key * study->axes[i].count + hwStudy_GetIndex(study, run, i);
    }
    return key;
}

hwStudyGroup* hwStudy_MakeGroups(const hwStudy* study, const hwStudyRow* rows, const bool* keep, int column,
                                 int* count) {
    int64_t total = 1;
    for (int i = 0; i < study->axisCount; ++i) {
        if (keep[i]) total *= study->axes[i].count;
    }
    int64_t each = study->runCount / (total > 0 ? total : 1) + study->samples;
    hwStudyGroup* groups = calloc((size_t)total + 1, sizeof(hwStudyGroup));
    bool good = groups != NULL;
    for (int64_t g = 0; good && g < total; ++g) {
        groups[g].first = -1;
        groups[g].values = malloc((size_t)each * sizeof(double));
        good = groups[g].values != NULL;
    }
    for (int64_t run = 0; good && run < study->runCount; ++run) {
        hwStudyGroup* group = &groups[FindKey(study, run, keep)];
        if (group->first < 0) group->first = run;
        if (!rows[run].done) continue;
        if (rows[run].failure != NULL) {
            group->failed += 1;
        } else if (isfinite(rows[run].values[column])) {
            group->values[group->count++] = rows[run].values[column];
        }
    }
    *count = (int)total;
    if (good) return groups;
    hwStudy_FreeGroups(groups, (int)total);
    return NULL;
}

void hwStudy_FreeGroups(hwStudyGroup* groups, int count) {
    for (int i = 0; groups != NULL && i < count; ++i) free(groups[i].values);
    free(groups);
}

static int CompareUp(const void* first, const void* second) {
    double a = *(const double*)first, b = *(const double*)second;
    return a < b ? -1 : a > b ? 1 : 0;
}

hwStudyQuantile hwStudy_FindQuantile(const hwStudyGroup* group, bool asTheyAre, double sign,
                                     double probability, double confidence) {
    enum { FEWEST = 5 };
    hwStudyQuantile q = {(double)NAN, (double)NAN, (double)NAN, false};
    if (group->count == 0 || group->failed > 0) return q;
    double* values = malloc((size_t)group->count * sizeof(double));
    if (values == NULL) return q;
    for (int i = 0; i < group->count; ++i) values[i] = sign * group->values[i];
    hwExtremeFit fit;
    q.fitted = !asTheyAre && group->count >= FEWEST && hwFitGumbel(group->count, values, &fit, NULL) == HW_OK;
    if (q.fitted) {
        q.value = hwExtremeFit_GetQuantile(&fit, 1.0, probability);
        hwExtremeFit_GetBounds(&fit, 1.0, probability, confidence, &q.low, &q.high);
    } else {
        qsort(values, (size_t)group->count, sizeof(double), CompareUp);
        int rank = asTheyAre ? (int)ceil(probability * group->count - 1e-9) - 1 : group->count - 1;
        q.value = q.low = q.high = values[rank < 0 ? 0 : rank];
    }
    free(values);
    return q;
}

// Operability --------------------------------------------------------------------------------------------------------------

static double GetNumber(const hwStudy* study, int axis, int64_t run) {
    return study->axes[axis].numbers[hwStudy_GetIndex(study, run, axis)];
}

// Where a curve over the heights rises through zero: the last height at which it is not above, interpolated. *first: the number of
// the first height above.
static double FindCrossing(int count, const double* heights, const double* excess, int* end, int* first) {
    for (int i = 0; i < count; ++i) {
        if (excess[i] <= 0.0) continue; // a NaN, of failed runs, does not hold
        *first = i;
        if (i == 0) {
            *end = -1;
            return 0.0;
        }
        *end = 0;
        double share = isfinite(excess[i]) ? excess[i - 1] / (excess[i - 1] - excess[i]) : 0.0;
        return heights[i - 1] + share * (heights[i] - heights[i - 1]);
    }
    *end = 1;
    return heights[count - 1];
}

typedef struct Point {
    double height;
    hwStudyQuantile quantile;
} Point;

static int ComparePoints(const void* first, const void* second) {
    return CompareUp(&((const Point*)first)->height, &((const Point*)second)->height);
}

// Allowed height for one limit of the groups that belong together.
static void ApplyLimit(const hwStudyLimit* limit, double bound, double sign, int count, const Point* points,
                       hwStudyAllowed* allowed) {
    double* heights = malloc((size_t)count * 4 * sizeof(double));
    if (heights == NULL) return;
    double* excess[3] = {heights + count, heights + 2 * count, heights + 3 * count};
    for (int i = 0; i < count; ++i) {
        heights[i] = points[i].height;
        excess[0][i] = points[i].quantile.value - sign * bound;
        excess[1][i] = points[i].quantile.low - sign * bound;
        excess[2][i] = points[i].quantile.high - sign * bound;
    }
    int end, other, first = 0, unused;
    double hs = FindCrossing(count, heights, excess[0], &end, &first);
    double high = FindCrossing(count, heights, excess[1], &other, &unused);
    double low = FindCrossing(count, heights, excess[2], &other, &unused);
    bool bounded = points[first].quantile.fitted && points[first > 0 ? first - 1 : 0].quantile.fitted;
    free(heights);
    if (low < allowed->low) allowed->low = low;
    if (high < allowed->high) allowed->high = high;
    if (hs >= allowed->hs && allowed->limit != NULL) return;
    if (end == 1) return; // this limit decides nothing
    allowed->hs = hs;
    allowed->end = end;
    allowed->limit = limit->of;
    allowed->bounded = bounded;
}

// Counts, and shares of the time that are zero in most runs: no distribution of extremes fits them.
static bool IsTakenAsItIs(const hwStudy* study, int column) {
    int exceedances = HW_STUDY_FIRST_CABLE + HW_STUDY_CABLE_COLUMNS * study->cableCount +
                      HW_STUDY_CHANNEL_COLUMNS * study->channelCount;
    return column == HW_STUDY_SLACK || column == HW_STUDY_TAUT || column == HW_STUDY_PARTED ||
           column >= exceedances;
}

hwStudyAllowed* hwStudy_FindAllowed(const hwStudy* study, const hwStudyRow* rows, int* count) {
    const hwStudyOperability* o = &study->file.operability;
    int hs = hwStudy_FindAxis(study, o->hs), tp = hwStudy_FindAxis(study, o->tp);
    int heading = o->heading != NULL ? hwStudy_FindAxis(study, o->heading) : -1;
    bool* keep = calloc((size_t)study->axisCount + 1, sizeof(bool));
    bool* cells = calloc((size_t)study->axisCount + 1, sizeof(bool));
    int steps = study->axes[hs].count, cellCount = 1;
    bool seeds = study->file.seeds.place.line > 0;
    for (int i = 0; keep != NULL && cells != NULL && i < study->axisCount; ++i) {
        keep[i] = !study->axes[i].sampled && !(seeds && i == study->axisCount - 1);
        cells[i] = keep[i] && i != hs;
        if (cells[i]) cellCount *= study->axes[i].count;
    }
    hwStudyAllowed* list = calloc((size_t)cellCount, sizeof(hwStudyAllowed));
    Point* points = malloc((size_t)steps * (size_t)cellCount * sizeof(Point));
    int* filled = calloc((size_t)cellCount, sizeof(int));
    bool good = keep != NULL && cells != NULL && list != NULL && points != NULL && filled != NULL;
    for (int c = 0; good && c < cellCount; ++c)
        list[c] = (hwStudyAllowed){.run = -1, .hs = HUGE_VAL, .low = HUGE_VAL, .high = HUGE_VAL, .end = 1};
    for (int l = 0; good && l < study->file.limits.count; ++l) {
        const hwStudyLimit* limit = (const hwStudyLimit*)study->file.limits.items + l;
        int column = hwStudy_FindColumn(study, limit->of), groupCount;
        hwStudyGroup* groups = hwStudy_MakeGroups(study, rows, keep, column, &groupCount);
        good = groups != NULL;
        for (int side = 0; good && side < 2; ++side) {
            double bound = side == 0 ? limit->max : limit->min, sign = side == 0 ? 1.0 : -1.0;
            if (isnan(bound)) continue;
            memset(filled, 0, (size_t)cellCount * sizeof(int));
            for (int g = 0; g < groupCount; ++g) {
                int c = (int)FindKey(study, groups[g].first, cells);
                if (list[c].run < 0) list[c].run = groups[g].first;
                points[c * steps + filled[c]++] =
                    (Point){GetNumber(study, hs, groups[g].first),
                            hwStudy_FindQuantile(&groups[g], IsTakenAsItIs(study, column), sign,
                                                 o->probability, o->confidence)};
            }
            for (int c = 0; c < cellCount; ++c) {
                qsort(points + c * steps, (size_t)filled[c], sizeof(Point), ComparePoints);
                ApplyLimit(limit, bound, sign, filled[c], points + c * steps, &list[c]);
            }
        }
        hwStudy_FreeGroups(groups, groupCount);
    }
    double highest = -HUGE_VAL;
    for (int i = 0; i < steps; ++i) highest = fmax(highest, study->axes[hs].numbers[i]);
    for (int c = 0; good && c < cellCount; ++c) {
        list[c].tp = GetNumber(study, tp, list[c].run);
        list[c].heading = heading >= 0 ? GetNumber(study, heading, list[c].run) : 0.0;
        list[c].hs = fmin(list[c].hs, highest);
        bool known = list[c].limit == NULL || list[c].bounded;
        list[c].low = known ? fmin(list[c].low, highest) : (double)NAN;
        list[c].high = known ? fmin(list[c].high, highest) : (double)NAN;
    }
    free(keep);
    free(cells);
    free(points);
    free(filled);
    *count = cellCount;
    if (good) return list;
    free(list);
    return NULL;
}

// Sensitivity --------------------------------------------------------------------------------------------------------------

static int CompareSwings(const void* first, const void* second) {
    const hwStudySwing *a = first, *b = second;
    double x = fabs(a->high - a->low), y = fabs(b->high - b->low);
    return x > y ? -1 : x < y ? 1 : a->axis - b->axis;
}

// Mean of the column where the axis' value is the least or among the lowest third of the samples, and likewise at the other
// end.
hwStudySwing* hwStudy_FindSwings(const hwStudy* study, const hwStudyRow* rows, int* count) {
    int column = hwStudy_FindColumn(study, study->file.sensitivity);
    hwStudySwing* swings = calloc((size_t)study->axisCount + 1, sizeof(hwStudySwing));
    *count = 0;
    if (swings == NULL) return NULL;
    for (int a = 0; a < study->axisCount; ++a) {
        const hwStudyAxis* axis = &study->axes[a];
        double least = HUGE_VAL, greatest = -HUGE_VAL;
        for (int i = 0; i < axis->count; ++i) {
            least = fmin(least, axis->numbers[i]);
            greatest = fmax(greatest, axis->numbers[i]);
        }
        if (!(greatest > least)) continue;
        double lower = least, upper = greatest;
        if (axis->sampled) {
            double* sorted = malloc((size_t)axis->count * sizeof(double));
            if (sorted == NULL) continue;
            memcpy(sorted, axis->numbers, (size_t)axis->count * sizeof(double));
            qsort(sorted, (size_t)axis->count, sizeof(double), CompareUp);
            lower = sorted[(axis->count - 1) / 3];
            upper = sorted[axis->count - 1 - (axis->count - 1) / 3];
            free(sorted);
        }
        double sums[2] = {0}, counts[2] = {0};
        for (int64_t run = 0; run < study->runCount; ++run) {
            if (!rows[run].done || rows[run].failure || !isfinite(rows[run].values[column])) continue;
            double value = axis->numbers[hwStudy_GetIndex(study, run, a)];
            for (int k = 0; k < 2; ++k) {
                if (k == 0 ? value > lower : value < upper) continue;
                sums[k] += rows[run].values[column];
                counts[k] += 1.0;
            }
        }
        if (counts[0] == 0.0 || counts[1] == 0.0) continue;
        swings[(*count)++] = (hwStudySwing){a, sums[0] / counts[0], sums[1] / counts[1], least, greatest};
    }
    qsort(swings, (size_t)*count, sizeof(hwStudySwing), CompareSwings);
    return swings;
}
