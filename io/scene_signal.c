// Signals: constants, sines, ramps, tables and their sums.
#include "scene_read.h"
#include "schema_sections.h"

#include <string.h>

bool hwCheckLimit(hwReader* reader, const hwYaml* node, void* item) {
    hwLimitKeys* limit = item;
    if (hwYaml_Find(node, "max") == NULL) limit->max = (double)NAN;
    if (hwYaml_Find(node, "min") == NULL) limit->min = (double)NAN;
    if (isnan(limit->max) && isnan(limit->min))
        return hwReader_Fail(reader, node, "the limit on `%s` needs `max` or `min`", limit->of);
    if (limit->min > limit->max)
        return hwReader_Fail(reader, node, "`min` (%g) of the limit on `%s` is above `max` (%g)", limit->min,
                             limit->of, limit->max);
    return true;
}

bool hwCheckRamp(hwReader* reader, const hwYaml* node, void* item) {
    const hwSceneRamp* ramp = item;
    if (ramp->end > ramp->start) return true;
    const hwYaml* end = hwYaml_Find(node, "end");
    return hwReader_Fail(reader, end != NULL ? end : node,
                         "`end` of a ramp is %g s, but must be after `start`, %g s", ramp->end, ramp->start);
}

static bool CheckIncreasing(hwReader* reader, const hwYaml* node, const char* name,
                            const hwNumbers* numbers) {
    for (int i = 1; i < numbers->count; i++) {
        if (numbers->values[i] > numbers->values[i - 1]) continue;
        return hwReader_Fail(reader, node, "the numbers of `%s` must increase, but %g follows %g", name,
                             numbers->values[i], numbers->values[i - 1]);
    }
    return true;
}

bool hwCheckTable(hwReader* reader, const hwYaml* node, void* item) {
    const hwSceneTable* table = item;
    const hwYaml* value = hwYaml_Find(node, "value");
    if (!CheckIncreasing(reader, hwYaml_Find(node, "time"), "time", &table->time)) return false;
    if (table->time.count == table->value.count) return true;
    return hwReader_Fail(reader, value, "`value` has %d entries, but `time` has %d", table->value.count,
                         table->time.count);
}

bool hwCheckProfile(hwReader* reader, const hwYaml* node, void* item) {
    const hwSceneProfile* profile = item;
    const char* name = hwYaml_Find(node, "depth") != NULL ? "depth" : "height";
    const hwYaml* velocity = hwYaml_Find(node, "velocity");
    if (!CheckIncreasing(reader, hwYaml_Find(node, name), name, &profile->levels)) return false;
    if (profile->times.count > 0 &&
        !CheckIncreasing(reader, hwYaml_Find(node, "time"), "time", &profile->times))
        return false;
    if (profile->levels.count == 0)
        return hwReader_Fail(reader, hwYaml_Find(node, name), "`%s` is empty", name);
    int rows = profile->times.count > 0 ? profile->times.count : 1;
    if (profile->velocity.count % profile->levels.count == 0 &&
        profile->velocity.count / profile->levels.count == rows)
        return true;
    if (rows > 1) {
        return hwReader_Fail(reader, velocity, "`velocity` has %d entries, but `%s` has %d and `time` %d",
                             profile->velocity.count, name, profile->levels.count, rows);
    }
    return hwReader_Fail(reader, velocity, "`velocity` has %d entries, but `%s` has %d",
                         profile->velocity.count, name, profile->levels.count);
}

// Terms ------------------------------------------------------------------------------------------------------------

static void ScaleTerm(hwSignalTerm* term, double scale, const hwVec3* values) {
    term->offset = hwScale(scale, term->offset);
    term->amplitude = hwScale(scale, term->amplitude);
    hwVec3* writable = (hwVec3*)values;
    for (int i = 0; i < term->count; i++) writable[i] = hwScale(scale, writable[i]);
}

static bool TableFromCsv(hwReader* reader, const hwYaml* node, const hwSceneSignal* signal,
                         hwSignalTerm* term) {
    const hwYaml* csv = hwYaml_Find(node, "csv");
    int wanted = reader->components;
    if (signal->columnCount != 1 && signal->columnCount != wanted) {
        const hwYaml* column = hwYaml_Find(node, "column");
        return hwReader_Fail(
            reader, column != NULL ? column : csv, "a signal from a CSV file needs `column`: %s",
            wanted == 1 ? "one name" : "three names, or one that stands for name.x, name.y, name.z");
    }
    const char* columns[3] = {signal->columns[0], signal->columns[1], signal->columns[2]};
    if (wanted == 3 && signal->columnCount == 1) {
        size_t length = strlen(signal->columns[0]);
        for (int i = 0; i < 3; i++) {
            char* name = hwReader_Take(reader, length + 3, 1);
            if (name == NULL) return false;
            memcpy(name, signal->columns[0], length);
            name[length] = '.';
            name[length + 1] = "xyz"[i];
            columns[i] = name;
        }
    }
    term->kind = HW_SIGNAL_TABLE;
    term->cubic = signal->interpolation == HW_SCENE_CUBIC;
    return hwReadCsvColumns(reader, csv, signal->csv, signal->timeColumn, wanted, columns, &term->count,
                            &term->times, &term->values);
}

static bool MakeTerm(hwReader* reader, const hwYaml* node, const hwSceneSignal* signal, hwSignalTerm* term) {
    if (signal->sine.place.line > 0) {
        term->kind = HW_SIGNAL_SINE;
        term->offset = signal->sine.offset;
        term->amplitude = signal->sine.amplitude;
        term->period = signal->sine.period;
        term->phase = signal->sine.phase;
    } else if (signal->ramp.place.line > 0) {
        term->kind = HW_SIGNAL_RAMP;
        term->offset = signal->ramp.from;
        term->amplitude = hwSub(signal->ramp.to, signal->ramp.from);
        term->start = signal->ramp.start;
        term->end = signal->ramp.end;
        if (!hwIsFiniteVec3(term->amplitude)) {
            return hwReader_Fail(reader, node, "the rise of the `ramp` is too large for a number");
        }
    } else if (signal->table.place.line > 0) {
        term->kind = HW_SIGNAL_TABLE;
        term->count = signal->table.time.count;
        term->times = signal->table.time.values;
        term->values = signal->table.value.values;
        term->cubic = signal->table.interpolation == HW_SCENE_CUBIC;
    } else if (signal->csv != NULL) {
        return TableFromCsv(reader, node, signal, term);
    } else {
        term->kind = HW_SIGNAL_CONSTANT;
        term->offset = signal->constant;
    }
    return true;
}

bool hwReadSignal(hwReader* reader, const hwKey* key, const hwYaml* node, int components, double scale,
                  hwSignal* out) {
    hwSceneSignal signal;
    memset(&signal, 0, sizeof(signal));
    int outer = reader->components;
    reader->components = components;
    // A bare value of the wrong form is a mistake in the key whose value is a signal, not in a `constant` nobody wrote.
    bool vector = node->kind == HW_YAML_LIST;
    if (node->kind != HW_YAML_MAP && (vector != (components == 3) || (vector && node->count != 3))) {
        return hwReader_FailType(reader, key, node);
    }
    if (node->kind != HW_YAML_MAP) {
        hwKey bare = *key;
        bare.type = HW_KEY_COMPONENTS;
        bare.flags = 0;
        if (!hwReadValue(reader, &bare, node, false, &signal.constant)) return false;
    } else if (!hwReadSection(reader, &hwSection_signal, node, &signal)) {
        return false;
    }
    if (signal.sum.termCount > 0) {
        *out = signal.sum;
        for (int i = 0; scale != 1.0 && i < out->termCount; i++) {
            hwSignalTerm* term = (hwSignalTerm*)&out->terms[i];
            ScaleTerm(term, scale, term->values);
        }
    } else {
        hwSignalTerm* term = hwReader_Take(reader, 1, sizeof(*term));
        if (term == NULL || !MakeTerm(reader, node, &signal, term)) return false;
        if (scale != 1.0) ScaleTerm(term, scale, term->values);
        out->termCount = 1;
        out->terms = term;
    }
    reader->components = outer;
    return true;
}

bool hwReadSum(hwReader* reader, const hwKey* key, const hwYaml* node, void* field) {
    hwSignal* out = field;
    if (node->kind != HW_YAML_LIST || node->count == 0) return hwReader_FailType(reader, key, node);
    hwSignal* parts = hwReader_Take(reader, (size_t)node->count, sizeof(*parts));
    if (parts == NULL) return false;
    int count = 0, termCount = 0;
    for (const hwYaml* element = node->first; element != NULL; element = element->next) {
        if (!hwReadSignal(reader, key, element, reader->components, 1.0, &parts[count])) return false;
        termCount += parts[count++].termCount;
    }
    hwSignalTerm* terms = hwReader_Take(reader, (size_t)termCount, sizeof(*terms));
    if (terms == NULL) return false;
    out->terms = terms;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < parts[i].termCount; j++) terms[out->termCount++] = parts[i].terms[j];
    }
    return true;
}

bool hwReadColumns(hwReader* reader, const hwKey* key, const hwYaml* node, void* field) {
    hwSceneSignal* signal = (hwSceneSignal*)(void*)((char*)field - offsetof(hwSceneSignal, columns));
    bool single = node->kind == HW_YAML_SCALAR;
    if (node->kind == HW_YAML_MAP || (!single && node->count != 3))
        return hwReader_FailType(reader, key, node);
    const hwYaml* element = single ? node : node->first;
    for (int i = 0; i < (single ? 1 : 3); i++, element = element->next) {
        if (element->kind != HW_YAML_SCALAR || element->text[0] == 0)
            return hwReader_FailType(reader, key, element);
        signal->columns[i] = hwStore_CopyText(reader->store, element->text, strlen(element->text));
        if (signal->columns[i] == NULL) return hwReader_FailMemory(reader);
        signal->columnCount++;
    }
    return true;
}

bool hwReadMotionAttitude(hwReader* reader, const hwKey* key, const hwYaml* node, void* field) {
    const hwYaml* radians = hwYaml_Find(node, "rpy");
    const hwYaml* degrees = hwYaml_Find(node, "rpy_deg");
    if (hwYaml_Find(node, "quat") != NULL) {
        return hwReader_Fail(
            reader, node,
            "a prescribed `attitude` is a signal of roll, pitch, yaw: `quat` cannot stand here");
    }
    if (radians != NULL || degrees != NULL) {
        const hwYaml* signal = degrees != NULL ? degrees : radians;
        if (node->count > 1) {
            const hwYaml* extra = node->first == signal ? node->first->next : node->first;
            return hwReader_Fail(reader, extra->key,
                                 "`attitude` takes `rpy_deg` or `rpy` alone, not `%.40s` beside it",
                                 extra->key->text);
        }
        return hwReadSignal(reader, key, signal, 3, degrees != NULL ? HW_DEGREE : 1.0, field);
    }
    return hwReadSignal(reader, key, node, 3, 1.0, field);
}
