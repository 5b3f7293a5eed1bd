// The tables in words: for messages, and as the reference part of docs/scenes.md.
#include "csv_number.h"
#include "schema.h"
#include "schema_sections.h"

#include <string.h>

void hwRange_Describe(const hwRange* range, bool degrees, char* buffer, size_t size) {
    // Rounded, so that bounds given in radians read well in degrees.
    double scale = degrees ? 1.0 / HW_DEGREE : 1.0;
    char low[HW_NUMBER_SIZE] = "", high[HW_NUMBER_SIZE] = "";
    bool hasLow = range->low > -HUGE_VAL, hasHigh = range->high < HUGE_VAL;
    if (hasLow) low[hwFormatNumber(degrees ? round(range->low * scale) : range->low, low)] = 0;
    if (hasHigh) high[hwFormatNumber(degrees ? round(range->high * scale) : range->high, high)] = 0;
    buffer[0] = 0;
    if (range->low == 0.0 && range->high == 0.0) return;
    if (range->low == range->high) {
        snprintf(buffer, size, "%s", low);
    } else if (hasLow && hasHigh) {
        snprintf(buffer, size, "%s %s %s %s", range->openLow ? "above" : "from", low,
                 range->openHigh  ? "and below"
                 : range->openLow ? "and at most"
                                  : "to",
                 high);
    } else if (hasLow) {
        snprintf(buffer, size, "%s %s", range->openLow ? "above" : "at least", low);
    } else if (hasHigh) {
        snprintf(buffer, size, "%s %s", range->openHigh ? "below" : "at most", high);
    }
    if (range->infinite) snprintf(buffer + strlen(buffer), size - strlen(buffer), " or .inf");
}

static void DescribeChoices(const hwChoice* choices, char* buffer, size_t size) {
    size_t used = (size_t)snprintf(buffer, size, "word:");
    for (const hwChoice* choice = choices; choice->word != NULL && used < size; choice++) {
        const char* joint = choice == choices ? " " : choice[1].word != NULL ? ", " : " or ";
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", joint, choice->word);
    }
}

static void DescribeNumbers(const hwKey* key, char* buffer, size_t size) {
    const int* sizes = key->sizes;
    if (sizes[0] == 0) {
        snprintf(buffer, size, "list of numbers");
    } else if (sizes[1] == 0) {
        snprintf(buffer, size, "list of %d numbers", sizes[0]);
    } else if (sizes[0] == 1 && sizes[2] == 0) {
        snprintf(buffer, size, "number or list of %d", sizes[1]);
    } else if (sizes[0] == 1 && sizes[3] > 0) {
        snprintf(buffer, size, "number or list of %d, %d or %d", sizes[1], sizes[2], sizes[3]);
    } else if (sizes[0] == 1) {
        snprintf(buffer, size, "number or list of %d or %d", sizes[1], sizes[2]);
    } else {
        snprintf(buffer, size, "list of %d or %d numbers", sizes[0], sizes[1]);
    }
}

static void DescribeForm(const hwKey* key, char* buffer, size_t size) {
    switch (key->type) {
    case HW_KEY_NUMBER:
        snprintf(buffer, size, "number");
        break;
    case HW_KEY_INTEGER:
        snprintf(buffer, size, "whole number");
        break;
    case HW_KEY_SEED:
        snprintf(buffer, size, "whole number from 0");
        break;
    case HW_KEY_SWITCH:
        snprintf(buffer, size, "switch: true or false");
        break;
    case HW_KEY_TEXT:
        snprintf(buffer, size, "text");
        break;
    case HW_KEY_NAME:
        snprintf(buffer, size, "name of letters, digits, _ and -");
        break;
    case HW_KEY_REFERENCE:
        snprintf(buffer, size, "name");
        break;
    case HW_KEY_FILE:
        snprintf(buffer, size, "file name");
        break;
    case HW_KEY_CHOICE:
        DescribeChoices(key->choices, buffer, size);
        break;
    case HW_KEY_VECTOR:
        snprintf(buffer, size, "vector [x, y, z]");
        break;
    case HW_KEY_NUMBERS:
        DescribeNumbers(key, buffer, size);
        break;
    case HW_KEY_VECTORS:
        snprintf(buffer, size, "list of vectors [x, y, z]");
        break;
    case HW_KEY_COMPONENTS:
        snprintf(buffer, size,
                 key->flags & HW_KEY_SPREAD ? "number or [x, y, z]"
                                            : "number, or [x, y, z] in a vector signal");
        break;
    case HW_KEY_SERIES:
        snprintf(buffer, size, "list of numbers, or of [x, y, z] in a vector signal");
        break;
    case HW_KEY_SIGNAL:
        snprintf(buffer, size, "number or signal");
        break;
    case HW_KEY_VECTOR_SIGNAL:
        snprintf(buffer, size, "vector [x, y, z] or signal");
        break;
    case HW_KEY_SECTION:
        snprintf(buffer, size, "mapping");
        break;
    case HW_KEY_LIST:
        snprintf(buffer, size, "list of mappings");
        break;
    case HW_KEY_ONE_OR_LIST:
        snprintf(buffer, size, "mapping or list of them");
        break;
    case HW_KEY_NAMED:
        snprintf(buffer, size, "mapping from names to mappings");
        break;
    case HW_KEY_SPECIAL:
        snprintf(buffer, size, "%s", key->form);
        break;
    }
}

void hwKey_Describe(const hwKey* key, bool degrees, char* buffer, size_t size) {
    char range[64];
    DescribeForm(key, buffer, size);
    hwRange_Describe(&key->range, degrees, range, sizeof(range));
    bool each = key->type != HW_KEY_NUMBER && key->type != HW_KEY_INTEGER;
    size_t used = strlen(buffer);
    if (range[0] != 0)
        used += (size_t)snprintf(buffer + used, size - used, each ? ", each %s" : " %s", range);
    if (used >= size) return;
    if (degrees) {
        snprintf(buffer + used, size - used, " (degrees)");
    } else if (key->unit != NULL) {
        snprintf(buffer + used, size - used, " (%s)", key->unit);
    }
}

// Markdown ---------------------------------------------------------------------------------------------------------

#define MOST_SECTIONS 96

typedef struct Page {
    FILE* file;
    int count;
    const hwSection* done[MOST_SECTIONS];
} Page;

static void WriteAnchor(FILE* file, const char* heading) {
    for (const char* c = heading; *c != 0; c++) {
        if (*c == ' ') {
            fputc('-', file);
        } else if (*c >= 'A' && *c <= 'Z') {
            fputc(*c - 'A' + 'a', file);
        } else if ((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_' || *c == '-') {
            fputc(*c, file);
        }
    }
}

static const hwSection* SectionOf(const hwKey* key) {
    if (key->type == HW_KEY_SIGNAL || key->type == HW_KEY_VECTOR_SIGNAL) return &hwSection_signal;
    return key->section;
}

// Choices stand as code, sections as links, the rest as in messages.
static void WriteValue(FILE* file, const hwKey* key) {
    char text[240];
    const hwSection* section = SectionOf(key);
    if (key->type == HW_KEY_CHOICE) {
        for (const hwChoice* choice = key->choices; choice->word != NULL; choice++)
            fprintf(file, "%s`%s`", choice == key->choices ? "" : ", ", choice->word);
        return;
    }
    if (key->type == HW_KEY_SPECIAL) {
        fprintf(file, "%s", key->form);
        if (key->unit != NULL) fprintf(file, " (%s)", key->unit);
        return;
    }
    hwKey_Describe(key, false, text, sizeof(text));
    if (section == NULL) {
        fprintf(file, "%s", text);
        return;
    }
    fprintf(file, "[%s](#", text);
    WriteAnchor(file, section->heading);
    fputc(')', file);
}

static void WriteKey(FILE* file, const hwKey* key) {
    fprintf(file, "| `%s`", key->name);
    if ((key->flags & HW_KEY_ANGLE) != 0) fprintf(file, ", `%s_deg`", key->name);
    fprintf(file, " | ");
    WriteValue(file, key);
    fprintf(file, " | ");
    if ((key->flags & HW_KEY_REQUIRED) != 0) {
        fprintf(file, "**needed**");
    } else if (key->fallback != NULL && key->fallback[0] == '(') {
        fprintf(file, "%.*s", (int)strlen(key->fallback) - 2, key->fallback + 1);
    } else if (key->fallback != NULL) {
        fprintf(file, "`%s`", key->fallback);
    } else if ((key->flags & HW_KEY_ALWAYS) != 0) {
        fprintf(file, "see there");
    }
    fprintf(file, " | %s", key->doc);
    if (key->needs != NULL) fprintf(file, "; only with `%s`", key->needs);
    fprintf(file, " |\n");
}

// The keys of a group, in one sentence.
static void WriteGroup(FILE* file, const hwSection* section, int group) {
    const char* separator = "";
    bool together = true, needed = false;
    for (int i = 0; i < section->keyCount; i++) {
        if (section->keys[i].group != group) continue;
        together = together && (section->keys[i].flags & HW_KEY_TOGETHER) != 0;
        needed = needed || (section->keys[i].flags & HW_KEY_ONE_NEEDED) != 0;
    }
    fprintf(file, "\n%s of ", needed ? together ? "At least one" : "Exactly one" : "At most one");
    for (int i = 0; i < section->keyCount; i++) {
        if (section->keys[i].group != group) continue;
        fprintf(file, "%s`%s`", separator, section->keys[i].name);
        separator = ", ";
    }
    fprintf(file, " is given.\n");
}

static void WriteGroups(FILE* file, const hwSection* section) {
    for (int i = 0; i < section->keyCount; i++) {
        int group = section->keys[i].group;
        bool first = group != 0;
        for (int k = 0; k < i && first; k++) first = section->keys[k].group != group;
        if (first) WriteGroup(file, section, group);
    }
}

static void WriteShorthand(FILE* file, const hwSection* section) {
    if (section->shorthand == NULL) return;
    if (strchr(section->shorthand, '|') == NULL) {
        fprintf(file, "\nA value alone, without the mapping, is `%s`.\n", section->shorthand);
        return;
    }
    fprintf(file, "\nA list alone, without the mapping, is `[");
    for (const char* c = section->shorthand; *c != 0; c++) {
        if (*c == '|') {
            fprintf(file, ", ");
        } else {
            fputc(*c, file);
        }
    }
    fprintf(file, "]`.\n");
}

static bool IsDone(Page* page, const hwSection* section) {
    for (int i = 0; i < page->count; i++) {
        if (strcmp(page->done[i]->heading, section->heading) == 0 && page->done[i]->keys == section->keys)
            return true;
    }
    if (page->count < MOST_SECTIONS) page->done[page->count++] = section;
    return false;
}

static void WriteSection(Page* page, const hwSection* section) {
    if (IsDone(page, section)) return;
    bool seen = false;
    for (int i = 0; i < page->count - 1; i++)
        seen = seen || strcmp(page->done[i]->heading, section->heading) == 0;
    if (!seen) fprintf(page->file, "\n### %s\n", section->heading);
    if (section->doc != NULL) fprintf(page->file, "\n%s\n", section->doc);
    fprintf(page->file, "\n| key | value | default | meaning |\n|---|---|---|---|\n");
    for (int i = 0; i < section->keyCount; i++) WriteKey(page->file, &section->keys[i]);
    WriteGroups(page->file, section);
    WriteShorthand(page->file, section);
    for (int i = 0; i < section->keyCount; i++) {
        const hwSection* inner = SectionOf(&section->keys[i]);
        // Signals and attitudes are everywhere; they come at the end.
        if (inner != NULL && inner != &hwSection_signal && inner != &hwSection_attitude)
            WriteSection(page, inner);
    }
}

void hwSchema_WriteMarkdown(FILE* file) {
    hwSection_WriteMarkdown(hwSchema_GetRoot(), file);
}

void hwSection_WriteMarkdown(const hwSection* root, FILE* file) {
    Page page = {.file = file};
    WriteSection(&page, root);
    WriteSection(&page, &hwSection_attitude);
    WriteSection(&page, &hwSection_signal);
}
