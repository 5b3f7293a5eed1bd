// Answers to probes, as pages send them and recordings keep them.
#include "flight_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static hwStatus Fail(hwError* error, const char* item, const char* text) {
    hwLiveFail(error, HW_ERROR_FORMAT, "");
    if (error != NULL) snprintf(error->message, sizeof(error->message), "answers.%.40s %.160s", item, text);
    return HW_ERROR_FORMAT;
}

// A list of [a, b], m.
static hwStatus ReadLine(const json_t* sketch, const char* name, int* count, double* points, hwError* error) {
    const json_t* line = json_object_get(sketch, name);
    *count = 0;
    if (line == NULL || json_is_null(line)) return HW_OK;
    if (!json_is_array(line) || json_array_size(line) > HW_PROBE_MAX_POINTS)
        return Fail(error, "sketch", "must have `plan` and `elevation`, lists of at most 128 points");
    for (size_t i = 0; i < json_array_size(line); ++i) {
        for (size_t k = 0; k < 2; ++k) {
            const json_t* value = json_array_get(json_array_get(line, i), k);
            double number = json_number_value(value);
            if (!json_is_number(value) || !(fabs(number) < 1e6))
                return Fail(error, "sketch", "must have points of two numbers in m");
            points[2 * i + k] = number;
        }
    }
    *count = (int)json_array_size(line);
    return HW_OK;
}

static hwStatus ReadAnswer(const json_t* json, hwProbeAnswer* answer, hwError* error) {
    *answer = hwDefaultProbeAnswer();
    for (int i = 0; i < HW_PROBE_ITEM_COUNT; ++i) {
        const char* name = hwProbeItem_GetName((hwProbeItem)i);
        const json_t* value = json_object_get(json, name);
        if (i == HW_PROBE_SKETCH || value == NULL || json_is_null(value)) continue;
        if (!json_is_number(value) || !isfinite(json_number_value(value)))
            return Fail(error, name, "must be a number or null");
        answer->values[i] = json_number_value(value);
    }
    const json_t* confidence = json_object_get(json, "confidence");
    if (confidence != NULL && !json_is_null(confidence)) {
        double share = json_number_value(confidence);
        if (!json_is_number(confidence) || !(share >= 0.0 && share <= 1.0))
            return Fail(error, "confidence", "must be from 0 to 1");
        answer->confidence = share;
    }
    const json_t* sketch = json_object_get(json, "sketch");
    hwStatus status = ReadLine(sketch, "plan", &answer->planCount, answer->plan, error);
    if (status != HW_OK) return status;
    return ReadLine(sketch, "elevation", &answer->elevationCount, answer->elevation, error);
}

static hwStatus Answer(hwScorer* scorer, int probe, const json_t* json, hwError* error) {
    hwProbeAnswer* answer = malloc(sizeof(*answer));
    if (answer == NULL) return hwLiveFail(error, HW_ERROR_MEMORY, "there is not enough memory for an answer");
    hwStatus status = json_is_object(json) ? ReadAnswer(json, answer, error)
                                           : hwLiveFail(error, HW_ERROR_FORMAT, "answers must be an object");
    if (status == HW_OK) {
        status = hwScorer_AnswerProbe(scorer, probe, answer);
        if (status != HW_OK) hwLiveFail(error, status, "the lesson has no such probe");
    }
    free(answer);
    return status;
}

hwStatus hwAnswerProbe(hwScorer* scorer, int probe, const char* json, hwError* error) {
    json_t* answers = json_loads(json, 0, NULL);
    hwStatus status = Answer(scorer, probe, answers, error);
    json_decref(answers);
    return status;
}

hwStatus hwFlight_AnswerProbes(const hwFlight* flight, hwScorer* scorer, hwError* error) {
    json_t* events = json_loads(hwFlight_GetEvents(flight), 0, NULL);
    hwStatus status = HW_OK;
    for (size_t i = 0; status == HW_OK && i < json_array_size(events); ++i) {
        const json_t* event = json_array_get(events, i);
        const char* type = json_string_value(json_object_get(event, "type"));
        if (type == NULL || strcmp(type, "answer") != 0) continue;
        int probe = (int)json_integer_value(json_object_get(event, "probe"));
        status = Answer(scorer, probe, json_object_get(event, "answers"), error);
    }
    json_decref(events);
    return status;
}
