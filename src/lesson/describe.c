// What scores and events of lessons say to people: the program, the page and the debrief use the same words.
#include "hawser/lesson.h"

#include <math.h>
#include <stdio.h>

void hwLessonTerm_Describe(const hwLessonDef* def, hwLessonTerm term, double value, char* text, size_t size) {
    switch (term) {
    case HW_TERM_TASK:
        snprintf(text, size, "%g done", value);
        return;
    case HW_TERM_TIME:
        snprintf(text, size, "%.1f s, par %g s", value, def->par);
        return;
    case HW_TERM_TURNS:
        snprintf(text, size, "%.2f turns at most", value);
        return;
    case HW_TERM_SLACK:
        snprintf(text, size, "%.0f %% of the time right", 100.0 * value);
        return;
    case HW_TERM_WRAP:
        snprintf(text, size, "wrapped by %.0f degrees at most", value * 180.0 / HW_PI);
        return;
    case HW_TERM_TENSION:
        snprintf(text, size, "%.1f N not exceeded for 95 %% of the time", value);
        return;
    case HW_TERM_RETURN:
        snprintf(text, size, "%.2f m from the way out at most", value);
        return;
    case HW_TERM_AWARENESS:
        snprintf(text, size, isnan(value) ? "nothing was asked" : "%.2f right", value);
        return;
    default:
        break;
    }
    switch (def->error) {
    case HW_LESSON_ERROR_CROSS_TRACK:
        snprintf(text, size, "%.2f m off the line", value);
        return;
    case HW_LESSON_ERROR_STATION:
        snprintf(text, size, "%.0f %% of the time in place", 100.0 * value);
        return;
    case HW_LESSON_ERROR_IN_VIEW:
        snprintf(text, size, "%.0f %% of the time in view", 100.0 * value);
        return;
    case HW_LESSON_ERROR_STEPS:
        snprintf(text, size, "%g steps in order", value);
        return;
    default:
        text[0] = 0;
        return;
    }
}

void hwLessonEvent_Describe(const hwLessonDef* def, const hwLessonEvent* event, char* text, size_t size) {
    switch (event->kind) {
    case HW_LESSON_DONE:
        snprintf(text, size, "%.80s", def->objectives[event->index].name);
        return;
    case HW_LESSON_HIT:
        snprintf(text, size, "The hull hit something at %.2f m/s.", event->value);
        return;
    case HW_LESSON_GATE:
        snprintf(text, size, "%s", hwLessonGate_GetText((unsigned)event->index));
        return;
    case HW_LESSON_COMPLETE:
        snprintf(text, size, "Everything is done.");
        return;
    case HW_LESSON_EXPIRED:
        snprintf(text, size, "The time was up.");
        return;
    }
    text[0] = 0;
}

const char* hwLessonEvent_GetKind(hwLessonEventKind kind) {
    static const char* const names[] = {
        [HW_LESSON_DONE] = "done",         [HW_LESSON_HIT] = "hit",         [HW_LESSON_GATE] = "gate",
        [HW_LESSON_COMPLETE] = "complete", [HW_LESSON_EXPIRED] = "expired",
    };
    return kind >= 0 && kind <= HW_LESSON_EXPIRED ? names[kind] : "";
}
