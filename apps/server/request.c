#include "apps/server/request.h"

#include "hawser/vehicle.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180.0)

static const char* const g_commandNames[COMMAND_NAMES] = {
    [COMMAND_ARM] = "arm",
    [COMMAND_MODE] = "mode",
    [COMMAND_LIGHTS] = "lights",
    [COMMAND_LIGHTS_STEP] = "lights_step",
    [COMMAND_GRIPPER] = "gripper",
    [COMMAND_TILT] = "camera_tilt_deg",
    [COMMAND_TILT_RATE] = "camera_tilt_rate_deg",
    [COMMAND_CENTER] = "camera_center",
    [COMMAND_ZOOM] = "camera_zoom",
    [COMMAND_ZOOM_RATE] = "camera_zoom_rate",
    [COMMAND_GAIN] = "gain",
    [COMMAND_GAIN_STEP] = "gain_step",
    [COMMAND_HOLD_DEPTH] = "hold_depth",
    [COMMAND_HOLD_HEADING] = "hold_heading",
    [COMMAND_RESET_TURNS] = "reset_turns",
    [COMMAND_FAIL_THRUSTER] = "fail_thruster",
    [COMMAND_REVERSE_THRUSTER] = "reverse_thruster",
    [COMMAND_SONAR_RANGE] = "sonar_range",
};

static const char* const g_modeNames[] = {
    [HW_MODE_MANUAL] = "manual",
    [HW_MODE_STABILIZE] = "stabilize",
    [HW_MODE_DEPTH_HOLD] = "depth_hold",
    [HW_MODE_HEADING_HOLD] = "heading_hold",
    [HW_MODE_HOLD] = "hold",
    [HW_MODE_ALTITUDE] = "altitude_hold",
    [HW_MODE_STATION] = "station",
    [HW_MODE_ROUTE] = "route",
    [HW_MODE_HOME] = "home",
    [HW_MODE_UNWIND] = "unwind",
};
static const char* const g_handlerNames[] = {
    [HANDLER_HOLD] = "hold",
    [HANDLER_MANUAL] = "manual",
    [HANDLER_AUTO] = "auto",
};
static const char* const g_kindNames[] = {
    [OPEN_PRESET] = "preset", [OPEN_SCENE] = "scene",   [OPEN_REPLAY] = "replay",
    [OPEN_WATCH] = "watch",   [OPEN_RESUME] = "resume", [OPEN_CLIP] = "clip",
};
static const char* const g_twinNames[] = {
    [TWIN_NONE] = "none",
    [TWIN_WRAP_LINE] = "wrap_line",
    [TWIN_WRAP_BENT] = "wrap_vee",
    [TWIN_WRAP_CATENARY] = "wrap_catenary",
    [TWIN_PID] = "pid",
};
static const char* const g_tetherNames[] = {
    [TETHER_PAY_OUT] = "pay_out",
    [TETHER_HAUL_IN] = "haul_in",
    [TETHER_HOLD] = "hold",
    [TETHER_AUTO] = "auto",
};
static const char* const g_actionNames[] = {
    [ACTION_NOTE] = "note",
    [ACTION_SAVE] = "save",
    [ACTION_PLAY] = "play",
    [ACTION_STOP] = "stop",
};
static const char* const g_axisNames[] = {"surge", "sway", "heave", "yaw"};
static const char* const g_tuneNames[] = {"dead_zone", "sensitivity", "expo", "invert"};

static const char* const g_roleNames[ROLE_COUNT] = {
    [ROLE_PILOT] = "pilot",           [ROLE_HANDLER] = "handler",   [ROLE_WINCH] = "winch",
    [ROLE_INSTRUCTOR] = "instructor", [ROLE_OBSERVER] = "observer",
};
static const char* const g_controlNames[CONTROL_NONE] = {
    [CONTROL_VEHICLE] = "vehicle", [CONTROL_TETHER] = "tether",     [CONTROL_EQUIPMENT] = "equipment",
    [CONTROL_TIME] = "time",       [CONTROL_TEACHING] = "teaching",
};
static const char* const g_faultNames[FAULT_KINDS] = {
    [FAULT_THRUSTER] = "thruster",
    [FAULT_LEAK] = "leak",
    [FAULT_CAMERA] = "camera",
    [FAULT_VIDEO_DELAY] = "video_delay",
    [FAULT_COMMAND_DELAY] = "command_delay",
    [FAULT_LOSS] = "loss",
    [FAULT_COMPASS] = "compass",
    [FAULT_LOAD_CELL] = "load_cell",
};

const char* hwWebRole_GetName(hwWebRole role) {
    return g_roleNames[role];
}

const char* hwWebControl_GetName(hwWebControl control) {
    return g_controlNames[control];
}

const char* hwWebFaultKind_GetName(hwWebFaultKind kind) {
    return g_faultNames[kind];
}

const char* hwWebHandlerMode_GetName(hwWebHandlerMode mode) {
    return g_handlerNames[mode];
}

json_t* hwWebFlightOptions_ToJson(const hwWebFlightOptions* o) {
    json_t* tether = o->tether ? json_pack("{s:s, s:f, s:f}", "type", o->tetherType, "length",
                                           o->tetherLength, "out", o->tetherOut)
                               : json_null();
    json_t* json = json_pack(
        "{s:s, s:s, s:{s:f, s:f}, s:{s:f, s:f, s:f}, s:f, s:o, s:s, s:b, s:s}", "vehicle", o->vehicle,
        "surroundings", o->surroundings, "current", "speed", o->currentSpeed, "direction_deg",
        o->currentDirection / DEGREE, "waves", "height", o->waveHeight, "period", o->wavePeriod,
        "direction_deg", o->waveDirection / DEGREE, "visibility", o->visibility, "tether", tether, "handler",
        g_handlerNames[o->handler], "record", (int)o->record, "title", o->title);
    if (json != NULL && o->scene[0] != 0) json_object_set_new(json, "scene", json_string(o->scene));
    if (json != NULL && o->pilot[0] != 0) json_object_set_new(json, "pilot", json_string(o->pilot));
    if (json != NULL && o->group[0] != 0) json_object_set_new(json, "group", json_string(o->group));
    if (json != NULL && o->phase[0] != 0) json_object_set_new(json, "phase", json_string(o->phase));
    return json;
}

// Reading values -------------------------------------------------------------------------------------------------------

typedef struct Reader {
    hwWebRequestError* error;
} Reader;

static bool Fail(Reader* reader, const char* code, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

static bool Fail(Reader* reader, const char* code, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->error->message, sizeof(reader->error->message), format, arguments);
    va_end(arguments);
    reader->error->code = code;
    return false;
}

// Leaves `out` alone when the key is absent.
static bool ReadNumber(Reader* reader, const json_t* json, const char* key, double low, double high,
                       double* out) {
    const json_t* value = json_object_get(json, key);
    if (value == NULL) return true;
    if (!json_is_number(value)) return Fail(reader, "type", "`%s` must be a number", key);
    double number = json_number_value(value);
    if (!(number >= low && number <= high)) {
        return Fail(reader, "value", "`%s` must be from %g to %g, it is %g", key, low, high, number);
    }
    *out = number;
    return true;
}

static bool NeedNumber(Reader* reader, const json_t* json, const char* key, double low, double high,
                       double* out) {
    if (json_object_get(json, key) == NULL) return Fail(reader, "type", "`%s` is missing", key);
    return ReadNumber(reader, json, key, low, high, out);
}

// Counts and indices: 2.0 is one, 1.5 is not.
static bool ReadWhole(Reader* reader, const json_t* json, const char* key, double low, double high,
                      double* out) {
    const json_t* value = json_object_get(json, key);
    if (value != NULL && json_is_number(value) &&
        json_number_value(value) != floor(json_number_value(value))) {
        return Fail(reader, "value", "`%s` must be a whole number from %.0f to %.0f, it is %g", key, low,
                    high, json_number_value(value));
    }
    return ReadNumber(reader, json, key, low, high, out);
}

static bool NeedWhole(Reader* reader, const json_t* json, const char* key, double low, double high,
                      double* out) {
    if (json_object_get(json, key) == NULL) return Fail(reader, "type", "`%s` is missing", key);
    return ReadWhole(reader, json, key, low, high, out);
}

static bool ReadSwitch(Reader* reader, const json_t* json, const char* key, bool* out) {
    const json_t* value = json_object_get(json, key);
    if (value == NULL) return true;
    if (!json_is_boolean(value)) return Fail(reader, "type", "`%s` must be true or false", key);
    *out = json_is_true(value);
    return true;
}

static bool ReadText(Reader* reader, const json_t* json, const char* key, char* out, size_t size) {
    const json_t* value = json_object_get(json, key);
    if (value == NULL) return true;
    const char* text = json_string_value(value);
    if (text == NULL) return Fail(reader, "type", "`%s` must be a text", key);
    size_t length = json_string_length(value);
    if (length >= size || strlen(text) != length) {
        return Fail(reader, "value", "`%s` must have less than %zu characters and no zero", key, size);
    }
    memcpy(out, text, length + 1);
    return true;
}

static int FindWord(const char* text, int count, const char* const* words) {
    for (int i = 0; text != NULL && i < count; ++i) {
        if (strcmp(text, words[i]) == 0) return i;
    }
    return -1;
}

static bool ReadChoice(Reader* reader, const json_t* json, const char* key, int count,
                       const char* const* words, int* out) {
    const json_t* value = json_object_get(json, key);
    if (value == NULL) return true;
    *out = FindWord(json_string_value(value), count, words);
    if (*out >= 0) return true;
    char list[160] = "";
    for (int i = 0; i < count; ++i) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof(list) - used, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    return Fail(reader, "value", "`%s` must be one of %s", key, list);
}

static bool ReadObject(Reader* reader, const json_t* json, const char* key, const json_t** out) {
    *out = json_object_get(json, key);
    if (*out == NULL || json_is_null(*out)) {
        *out = NULL;
        return true;
    }
    return json_is_object(*out) || Fail(reader, "type", "`%s` must be an object", key);
}

static bool ReadNames(Reader* reader, const json_t* json, const char* key, int most, hwWebRequest* request) {
    const json_t* list = json_object_get(json, key);
    if (!json_is_array(list)) return Fail(reader, "type", "`%s` must be a list of names", key);
    if (json_array_size(list) > (size_t)most)
        return Fail(reader, "value", "`%s` may hold %d names", key, most);
    request->count = (int)json_array_size(list);
    for (int i = 0; i < request->count; ++i) {
        const json_t* item = json_array_get(list, (size_t)i);
        const char* text = json_string_value(item);
        if (text == NULL || json_string_length(item) >= REQUEST_NAME ||
            strlen(text) != json_string_length(item)) {
            return Fail(reader, "type", "`%s` must be a list of names", key);
        }
        memcpy(request->names[i], text, strlen(text) + 1);
    }
    return true;
}

// Messages -------------------------------------------------------------------------------------------------------------

static bool ReadHello(Reader* reader, const json_t* json, hwWebRequest* request) {
    double version = 0.0;
    const json_t* resume;
    if (!NeedWhole(reader, json, "version", 0.0, 1e6, &version)) return false;
    if (!ReadText(reader, json, "token", request->token, sizeof(request->token)) ||
        !ReadText(reader, json, "instructor", request->instructor, sizeof(request->instructor)) ||
        !ReadText(reader, json, "name", request->name, sizeof(request->name)))
        return false;
    if (!ReadObject(reader, json, "resume", &resume)) return false;
    request->version = (int)version;
    request->resumes = resume != NULL;
    return resume == NULL || (ReadText(reader, resume, "flight", request->flight, sizeof(request->flight)) &&
                              ReadText(reader, resume, "secret", request->secret, sizeof(request->secret)));
}

static bool ReadTetherOptions(Reader* reader, const json_t* options, hwWebFlightOptions* o) {
    const json_t* tether = json_object_get(options, "tether");
    if (tether == NULL) return true;
    o->tether = !json_is_null(tether);
    if (!o->tether) return true;
    if (!json_is_object(tether)) return Fail(reader, "type", "`tether` must be an object or null");
    return ReadText(reader, tether, "type", o->tetherType, sizeof(o->tetherType)) &&
           ReadNumber(reader, tether, "length", 1.0, 5000.0, &o->tetherLength) &&
           ReadNumber(reader, tether, "out", 1.0, 5000.0, &o->tetherOut);
}

static bool ReadStart(Reader* reader, const json_t* json, hwWebRequest* request) {
    hwWebFlightOptions* o = &request->options;
    const json_t *options, *current, *waves;
    double degrees;
    int handler = (int)o->handler;
    if (!ReadObject(reader, json, "options", &options)) return false;
    if (options == NULL) return true;
    if (!ReadText(reader, options, "vehicle", o->vehicle, sizeof(o->vehicle)) ||
        !ReadText(reader, options, "surroundings", o->surroundings, sizeof(o->surroundings)) ||
        !ReadText(reader, options, "scene", o->scene, sizeof(o->scene)) ||
        !ReadObject(reader, options, "current", &current) || !ReadObject(reader, options, "waves", &waves)) {
        return false;
    }
    degrees = o->currentDirection / DEGREE;
    if (current != NULL && (!ReadNumber(reader, current, "speed", 0.0, 3.0, &o->currentSpeed) ||
                            !ReadNumber(reader, current, "direction_deg", -360.0, 360.0, &degrees))) {
        return false;
    }
    o->currentDirection = DEGREE * degrees;
    degrees = o->waveDirection / DEGREE;
    if (waves != NULL && (!ReadNumber(reader, waves, "height", 0.0, 5.0, &o->waveHeight) ||
                          !ReadNumber(reader, waves, "period", 2.0, 20.0, &o->wavePeriod) ||
                          !ReadNumber(reader, waves, "direction_deg", -360.0, 360.0, &degrees))) {
        return false;
    }
    o->waveDirection = DEGREE * degrees;
    // every water has its own, see hwWebCatalog_CheckOptions
    if (json_object_get(options, "visibility") == NULL) o->visibility = (double)NAN;
    if (!ReadNumber(reader, options, "visibility", 0.5, 50.0, &o->visibility) ||
        !ReadTetherOptions(reader, options, o) ||
        !ReadChoice(reader, options, "handler", 3, g_handlerNames, &handler) ||
        !ReadSwitch(reader, options, "record", &o->record) ||
        !ReadText(reader, options, "title", o->title, sizeof(o->title)) ||
        !ReadText(reader, options, "pilot", o->pilot, sizeof(o->pilot)) ||
        !ReadText(reader, options, "group", o->group, sizeof(o->group)) ||
        !ReadText(reader, options, "phase", o->phase, sizeof(o->phase))) {
        return false;
    }
    o->handler = (hwWebHandlerMode)handler;
    return true;
}

static bool ReadParticipant(Reader* reader, const json_t* json, hwWebRequest* request) {
    return ReadText(reader, json, "pilot", request->name, sizeof(request->name));
}

static bool ReadRating(Reader* reader, const json_t* json, hwWebRequest* request) {
    const json_t* realism = json_object_get(json, "realism");
    if (!json_is_array(realism) || json_array_size(realism) != 2)
        return Fail(reader, "type", "`realism` must be a list of two numbers");
    for (size_t i = 0; i < 2; ++i) {
        const json_t* value = json_array_get(realism, i);
        double number = json_is_number(value) ? json_number_value(value) : 0.0;
        if (!(number >= 1.0 && number <= 7.0))
            return Fail(reader, "value", "`realism` must hold numbers from 1 to 7");
        request->values[i] = number;
    }
    request->second = -1.0;
    return ReadParticipant(reader, json, request) &&
           NeedWhole(reader, json, "pair", 0.0, 1000.0, &request->value) &&
           ReadWhole(reader, json, "preferred", -1.0, 1.0, &request->second) &&
           ReadText(reader, json, "comment", request->text, sizeof(request->text));
}

static bool ReadOpen(Reader* reader, const json_t* json, hwWebRequest* request) {
    int kind = -1;
    if (json_object_get(json, "kind") == NULL) return Fail(reader, "type", "`kind` is missing");
    if (!ReadChoice(reader, json, "kind", 6, g_kindNames, &kind)) return false;
    request->kind = (hwWebOpenKind)kind;
    if (request->kind == OPEN_CLIP)
        return ReadParticipant(reader, json, request) &&
               NeedWhole(reader, json, "pair", 0.0, 1000.0, &request->value) &&
               NeedWhole(reader, json, "clip", 0.0, 1.0, &request->second);
    return ReadText(reader, json, "name", request->name, sizeof(request->name)) &&
           ReadText(reader, json, "flight", request->flight, sizeof(request->flight));
}

static bool ReadPilot(Reader* reader, const json_t* json, hwWebRequest* request) {
    double seq = 0.0;
    const json_t* axes = json_object_get(json, "axes");
    if (!json_is_array(axes) || json_array_size(axes) != 4) {
        return Fail(reader, "type", "`axes` must be a list of four numbers");
    }
    for (int i = 0; i < 4; ++i) {
        const json_t* value = json_array_get(axes, (size_t)i);
        if (!json_is_number(value)) return Fail(reader, "type", "`axes` must be a list of four numbers");
        double number = json_number_value(value);
        request->axes[i] = number > 1.0 ? 1.0 : (number < -1.0 ? -1.0 : number);
    }
    if (!ReadWhole(reader, json, "seq", 0.0, 4294967295.0, &seq)) return false;
    request->seq = (uint32_t)seq;
    return ReadSwitch(reader, json, "hold", &request->hold);
}

static bool ReadGripper(Reader* reader, const json_t* value, hwWebRequest* request) {
    const char* word = json_string_value(value);
    if (json_is_number(value)) {
        request->value = json_number_value(value);
        if (request->value >= 0.0 && request->value <= 1.0) return true;
    } else if (word != NULL && strcmp(word, "stop") == 0) {
        request->gripperStop = true;
        return true;
    } else if (word != NULL && (strcmp(word, "open") == 0 || strcmp(word, "close") == 0)) {
        request->value = word[0] == 'o' ? 1.0 : 0.0;
        return true;
    }
    return Fail(reader, "value", "`gripper` takes open, close, stop, or a number from 0 to 1");
}

static bool ReadThruster(Reader* reader, const json_t* value, const char* key, hwWebRequest* request) {
    double thruster = -1.0;
    if (!json_is_object(value)) return Fail(reader, "type", "`value` must be an object");
    if (!NeedWhole(reader, value, "thruster", 0.0, 15.0, &thruster)) return false;
    request->thruster = (int)thruster;
    request->flag = true;
    return ReadSwitch(reader, value, key, &request->flag);
}

// A sonar, by its place in the vehicle's list.
static bool NeedSonar(Reader* reader, const json_t* json, hwWebRequest* request) {
    double sonar = 0.0;
    if (!NeedWhole(reader, json, "sonar", 0.0, 15.0, &sonar)) return false;
    request->sonar = (int)sonar;
    return true;
}

static bool ReadCommand(Reader* reader, const json_t* json, hwWebRequest* request) {
    static const double ranges[COMMAND_NAMES][2] = {[COMMAND_LIGHTS] = {0.0, 1.0},
                                                    [COMMAND_LIGHTS_STEP] = {-1.0, 1.0},
                                                    [COMMAND_TILT] = {-180.0, 180.0},
                                                    [COMMAND_TILT_RATE] = {-360.0, 360.0},
                                                    [COMMAND_ZOOM] = {1.0, 100.0},
                                                    [COMMAND_ZOOM_RATE] = {-20.0, 20.0},
                                                    [COMMAND_GAIN] = {0.0, 1.0},
                                                    [COMMAND_GAIN_STEP] = {-1.0, 1.0},
                                                    [COMMAND_HOLD_DEPTH] = {-100.0, 10000.0},
                                                    [COMMAND_HOLD_HEADING] = {-100.0, 100.0}};
    const json_t* value = json_object_get(json, "value");
    int name = FindWord(json_string_value(json_object_get(json, "name")), COMMAND_NAMES, g_commandNames);
    if (name < 0) return Fail(reader, "value", "there is no such command; see `name`");
    request->command = (hwWebCommandName)name;
    switch (request->command) {
    case COMMAND_ARM:
        if (value == NULL) return Fail(reader, "type", "`value` is missing");
        return ReadSwitch(reader, json, "value", &request->flag);
    case COMMAND_MODE: {
        int mode = FindWord(json_string_value(value), HW_MODE_COUNT, g_modeNames);
        if (mode < 0)
            return Fail(
                reader, "value",
                "modes are manual, stabilize, depth_hold, heading_hold, hold, altitude_hold, station, "
                "route, home and unwind");
        request->value = mode;
        return true;
    }
    case COMMAND_GRIPPER:
        return ReadGripper(reader, value, request);
    case COMMAND_CENTER:
    case COMMAND_RESET_TURNS:
        return true;
    case COMMAND_FAIL_THRUSTER:
        return ReadThruster(reader, value, "failed", request);
    case COMMAND_REVERSE_THRUSTER:
        return ReadThruster(reader, value, "reversed", request);
    case COMMAND_SONAR_RANGE:
        if (!json_is_object(value)) return Fail(reader, "type", "`value` must be an object");
        return NeedSonar(reader, value, request) &&
               NeedNumber(reader, value, "range", 0.1, 1000.0, &request->value);
    default:
        return NeedNumber(reader, json, "value", ranges[name][0], ranges[name][1], &request->value);
    }
}

static bool ReadTune(Reader* reader, const json_t* json, hwWebRequest* request) {
    static const double most[4] = {0.5, 2.0, 1.0, 1.0};
    const json_t* axes;
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) request->tune[i].values[k] = (double)NAN;
    }
    if (!ReadObject(reader, json, "axes", &axes)) return false;
    for (int i = 0; i < 4; ++i) {
        const json_t* axis;
        if (!ReadObject(reader, axes, g_axisNames[i], &axis)) return false;
        if (axis == NULL) continue;
        for (int k = 0; k < 3; ++k) {
            if (!ReadNumber(reader, axis, g_tuneNames[k], 0.0, most[k], &request->tune[i].values[k]))
                return false;
        }
        bool invert = false;
        if (!ReadSwitch(reader, axis, "invert", &invert)) return false;
        if (json_object_get(axis, "invert") != NULL) request->tune[i].values[3] = invert ? 1.0 : 0.0;
    }
    return true;
}

static bool ReadTether(Reader* reader, const json_t* json, hwWebRequest* request) {
    int action = -1;
    if (json_object_get(json, "action") == NULL) return Fail(reader, "type", "`action` is missing");
    if (!ReadChoice(reader, json, "action", 4, g_tetherNames, &action)) return false;
    request->tether = (hwWebTetherAction)action;
    request->value = 0.5;
    return ReadNumber(reader, json, "rate", 0.0, 2.0, &request->value);
}

static bool ReadSet(Reader* reader, const json_t* json, hwWebRequest* request) {
    json_t* inputs = json_object_get(json, "inputs");
    const char* key;
    json_t* value;
    if (!json_is_object(inputs)) return Fail(reader, "type", "`inputs` must be an object");
    if (json_object_size(inputs) > REQUEST_MOST_NAMES) {
        return Fail(reader, "value", "`inputs` may hold %d names", REQUEST_MOST_NAMES);
    }
    json_object_foreach(inputs, key, value) {
        if (strlen(key) >= REQUEST_NAME || !json_is_number(value) || !isfinite(json_number_value(value))) {
            return Fail(reader, "type", "`inputs` must hold names of inputs and numbers");
        }
        memcpy(request->names[request->count], key, strlen(key) + 1);
        request->values[request->count++] = json_number_value(value);
    }
    return true;
}

static bool ReadHistory(Reader* reader, const json_t* json, hwWebRequest* request) {
    double points = 1000.0;
    request->from = -HUGE_VAL;
    request->to = HUGE_VAL;
    if (!ReadNames(reader, json, "channels", 32, request) ||
        !ReadNumber(reader, json, "from", -1e12, 1e12, &request->from) ||
        !ReadNumber(reader, json, "to", -1e12, 1e12, &request->to) ||
        !ReadWhole(reader, json, "points", 2.0, 2000.0, &points)) {
        return false;
    }
    request->points = (int)points;
    return true;
}

// The crew and the instructor ------------------------------------------------------------------------------------------

static bool NeedChoice(Reader* reader, const json_t* json, const char* key, int count,
                       const char* const* words, int* out) {
    if (json_object_get(json, key) == NULL) return Fail(reader, "type", "`%s` is missing", key);
    return ReadChoice(reader, json, key, count, words, out);
}

static bool ReadRole(Reader* reader, const json_t* json, hwWebRequest* request) {
    int role = 0;
    if (!NeedChoice(reader, json, "role", ROLE_COUNT, g_roleNames, &role)) return false;
    request->role = (hwWebRole)role;
    return ReadText(reader, json, "flight", request->flight, sizeof(request->flight)) &&
           ReadText(reader, json, "secret", request->secret, sizeof(request->secret)) &&
           ReadText(reader, json, "name", request->name, sizeof(request->name));
}

static bool ReadControl(Reader* reader, const json_t* json, hwWebRequest* request) {
    int control = 0;
    if (!NeedChoice(reader, json, "control", CONTROL_NONE, g_controlNames, &control)) return false;
    request->control = (hwWebControl)control;
    return true;
}

static bool NeedText(Reader* reader, const json_t* json, hwWebRequest* request) {
    if (!ReadText(reader, json, "text", request->text, sizeof(request->text))) return false;
    return request->text[0] != 0 || Fail(reader, "type", "`text` is missing");
}

static bool ReadFault(Reader* reader, const json_t* json, hwWebRequest* request) {
    static const double ranges[FAULT_KINDS][2] = {
        [FAULT_THRUSTER] = {0.0, 1.0},    [FAULT_LEAK] = {0.0, 200.0},        [FAULT_CAMERA] = {0.0, 1.0},
        [FAULT_VIDEO_DELAY] = {0.0, 5.0}, [FAULT_COMMAND_DELAY] = {0.0, 5.0}, [FAULT_LOSS] = {0.0, 0.95},
        [FAULT_COMPASS] = {-90.0, 90.0},  [FAULT_LOAD_CELL] = {-500.0, 500.0}};
    int kind = 0;
    double thruster = -1.0;
    if (!NeedChoice(reader, json, "kind", FAULT_KINDS, g_faultNames, &kind)) return false;
    request->fault = (hwWebFaultKind)kind;
    if (request->fault == FAULT_THRUSTER && !NeedWhole(reader, json, "thruster", 0.0, 15.0, &thruster))
        return false;
    request->thruster = (int)thruster;
    return NeedNumber(reader, json, "value", ranges[kind][0], ranges[kind][1], &request->value) &&
           ReadNumber(reader, json, "in", 0.0, 3600.0, &request->after);
}

static bool ReadAnswer(Reader* reader, const json_t* json, hwWebRequest* request) {
    double probe = 0.0;
    const json_t* answers = json_object_get(json, "answers");
    if (!NeedWhole(reader, json, "probe", 0.0, 1000.0, &probe)) return false;
    if (!json_is_object(answers)) return Fail(reader, "type", "`answers` must be an object");
    request->points = (int)probe;
    char* text = json_dumps(answers, JSON_COMPACT);
    size_t length = text != NULL ? strlen(text) : REQUEST_MOST_ANSWER;
    if (length < REQUEST_MOST_ANSWER) memcpy(request->answer, text, length + 1);
    free(text);
    return length < REQUEST_MOST_ANSWER ||
           Fail(reader, "value", "`answers` may have %d characters", REQUEST_MOST_ANSWER - 1);
}

static bool ReadAction(Reader* reader, const json_t* json, hwWebRequest* request) {
    static const char* const frames[] = {"start", "world"};
    int verb = 0, frame = 0;
    if (!NeedChoice(reader, json, "do", 4, g_actionNames, &verb) ||
        !ReadChoice(reader, json, "frame", 2, frames, &frame) ||
        !ReadNumber(reader, json, "within", 0.01, 10.0, &request->value))
        return false;
    request->action = (hwWebActionVerb)verb;
    request->flag = frame == 1;
    if (request->action != ACTION_PLAY) return true;
    if (json_object_get(json, "script") == NULL) return Fail(reader, "type", "`script` is missing");
    return ReadText(reader, json, "script", request->script, sizeof(request->script));
}

// The messages: name, who may send them, and what they hold ------------------------------------------------------------

static bool ReadFlight(Reader* reader, const json_t* json, hwWebRequest* request) {
    return ReadText(reader, json, "flight", request->flight, sizeof(request->flight));
}

static bool ReadCurrent(Reader* reader, const json_t* json, hwWebRequest* request) {
    return NeedNumber(reader, json, "speed", 0.0, 3.0, &request->value) &&
           ReadNumber(reader, json, "direction_deg", -360.0, 360.0, &request->second);
}

static bool ReadPause(Reader* reader, const json_t* json, hwWebRequest* request) {
    request->flag = true;
    return ReadSwitch(reader, json, "paused", &request->flag) &&
           ReadSwitch(reader, json, "blank", &request->blank);
}

static bool ReadSpeed(Reader* reader, const json_t* json, hwWebRequest* request) {
    return NeedNumber(reader, json, "factor", 0.1, 16.0, &request->value);
}

static bool ReadStep(Reader* reader, const json_t* json, hwWebRequest* request) {
    return ReadNumber(reader, json, "seconds", 0.0, 60.0, &request->value);
}

static bool ReadSeek(Reader* reader, const json_t* json, hwWebRequest* request) {
    return NeedNumber(reader, json, "time", -1e12, 1e12, &request->value);
}

static bool ReadFrames(Reader* reader, const json_t* json, hwWebRequest* request) {
    return NeedNumber(reader, json, "rate", 1.0, 60.0, &request->value);
}

static bool ReadFilter(Reader* reader, const json_t* json, hwWebRequest* request) {
    return ReadText(reader, json, "filter", request->text, sizeof(request->text));
}

static bool ReadPlot(Reader* reader, const json_t* json, hwWebRequest* request) {
    return ReadNames(reader, json, "channels", 32, request);
}

static bool ReadMember(Reader* reader, const json_t* json, hwWebRequest* request) {
    double member = 0.0;
    if (!NeedWhole(reader, json, "member", 1.0, 9007199254740992.0, &member)) return false;
    request->member = (uint64_t)member;
    return true;
}

static bool ReadOn(Reader* reader, const json_t* json, hwWebRequest* request) {
    request->flag = true;
    return ReadSwitch(reader, json, "on", &request->flag);
}

static bool ReadSonar(Reader* reader, const json_t* json, hwWebRequest* request) {
    return NeedSonar(reader, json, request) && ReadOn(reader, json, request);
}

// Rates as shares of the greatest, cut to -1..1: of the tip's six, or of as many joints as are given.
static bool ReadManipulate(Reader* reader, const json_t* json, hwWebRequest* request) {
    double arm = 0.0;
    const json_t *joints = json_object_get(json, "joints"), *tool = json_object_get(json, "tool");
    const json_t* list = tool != NULL ? tool : joints;
    if (!NeedWhole(reader, json, "arm", 0.0, 15.0, &arm) ||
        !ReadNumber(reader, json, "jaw", -1.0, 1.0, &request->second))
        return false;
    if (joints != NULL && tool != NULL) return Fail(reader, "type", "`joints` or `tool`, not both");
    if (list != NULL && (!json_is_array(list) || json_array_size(list) > (tool != NULL ? 6u : 12u)))
        return Fail(reader, "type", "`tool` must be a list of six numbers, `joints` of up to twelve");
    for (size_t i = 0; i < json_array_size(list); ++i) {
        const json_t* value = json_array_get(list, i);
        if (!json_is_number(value)) return Fail(reader, "type", "`tool` and `joints` must hold numbers");
        double number = json_number_value(value);
        request->values[i] = number > 1.0 ? 1.0 : (number < -1.0 ? -1.0 : number);
    }
    request->count = (int)json_array_size(list);
    request->arm = (int)arm;
    request->armByTip = tool != NULL;
    return true;
}

static bool ReadVisibility(Reader* reader, const json_t* json, hwWebRequest* request) {
    return NeedNumber(reader, json, "value", 0.5, 50.0, &request->value);
}

static bool ReadForecast(Reader* reader, const json_t* json, hwWebRequest* request) {
    return ReadNumber(reader, json, "ahead", 0.0, 30.0, &request->value);
}

static bool ReadTwin(Reader* reader, const json_t* json, hwWebRequest* request) {
    int model = TWIN_NONE;
    if (!NeedChoice(reader, json, "model", TWIN_MODELS, g_twinNames, &model)) return false;
    request->twin = (hwWebTwinModel)model;
    return true;
}

static bool ReadMark(Reader* reader, const json_t* json, hwWebRequest* request) {
    return ReadText(reader, json, "text", request->text, sizeof(request->text));
}

static bool ReadPing(Reader* reader, const json_t* json, hwWebRequest* request) {
    return ReadNumber(reader, json, "t", -1e300, 1e300, &request->value);
}

static const struct {
    const char* name;
    hwWebControl control; // whose it is; hwWebCrew_GetControl knows the two that depend on what they hold
    bool (*read)(Reader*, const json_t*, hwWebRequest*); // null: it holds nothing
} g_requests[REQUEST_TYPES] = {
    [REQUEST_HELLO] = {"hello", CONTROL_NONE, ReadHello},
    [REQUEST_CATALOG] = {"catalog", CONTROL_NONE, NULL},
    [REQUEST_START] = {"start", CONTROL_NONE, ReadStart},
    [REQUEST_STOP] = {"stop", CONTROL_NONE, NULL},
    [REQUEST_OPEN] = {"open", CONTROL_NONE, ReadOpen},
    [REQUEST_PILOT] = {"pilot", CONTROL_VEHICLE, ReadPilot},
    [REQUEST_COMMAND] = {"command", CONTROL_VEHICLE, ReadCommand},
    [REQUEST_TUNE] = {"tune", CONTROL_VEHICLE, ReadTune},
    [REQUEST_TETHER] = {"tether", CONTROL_TETHER, ReadTether},
    [REQUEST_SET] = {"set", CONTROL_EQUIPMENT, ReadSet},
    [REQUEST_INPUTS] = {"inputs", CONTROL_NONE, NULL},
    [REQUEST_CURRENT] = {"current", CONTROL_TEACHING, ReadCurrent},
    [REQUEST_PAUSE] = {"pause", CONTROL_TIME, ReadPause},
    [REQUEST_SPEED] = {"speed", CONTROL_TIME, ReadSpeed},
    [REQUEST_STEP] = {"step", CONTROL_TIME, ReadStep},
    [REQUEST_SEEK] = {"seek", CONTROL_TIME, ReadSeek},
    [REQUEST_BRANCH] = {"branch", CONTROL_PILOT, NULL},
    [REQUEST_FRAMES] = {"frames", CONTROL_NONE, ReadFrames},
    [REQUEST_CHANNELS] = {"channels", CONTROL_NONE, ReadFilter},
    [REQUEST_PLOT] = {"plot", CONTROL_TIME, ReadPlot},
    [REQUEST_HISTORY] = {"history", CONTROL_NONE, ReadHistory},
    [REQUEST_READ] = {"read", CONTROL_NONE, ReadPlot},
    [REQUEST_FLIGHTS] = {"flights", CONTROL_NONE, NULL},
    [REQUEST_MARK] = {"mark", CONTROL_NONE, ReadMark},
    [REQUEST_MARKS] = {"marks", CONTROL_NONE, NULL},
    [REQUEST_PING] = {"ping", CONTROL_NONE, ReadPing},
    [REQUEST_DEBRIEF] = {"debrief", CONTROL_NONE, ReadFlight},
    [REQUEST_LOGBOOK] = {"logbook", CONTROL_NONE, NULL},
    [REQUEST_JOIN] = {"join", CONTROL_NONE, ReadRole},
    [REQUEST_INVITE] = {"invite", CONTROL_NONE, ReadRole},
    [REQUEST_HAND_OVER] = {"hand_over", CONTROL_NONE, ReadMember},
    [REQUEST_TAKE] = {"take", CONTROL_NONE, ReadControl},
    [REQUEST_GIVE] = {"give", CONTROL_NONE, ReadControl},
    [REQUEST_SAY] = {"say", CONTROL_NONE, NeedText},
    [REQUEST_COMMS] = {"comms", CONTROL_TEACHING, ReadOn},
    [REQUEST_CLASS] = {"class", CONTROL_NONE, NULL},
    [REQUEST_FAULT] = {"fault", CONTROL_TEACHING, ReadFault},
    [REQUEST_VISIBILITY] = {"visibility", CONTROL_TEACHING, ReadVisibility},
    [REQUEST_NOTE] = {"note", CONTROL_TEACHING, NeedText},
    [REQUEST_ANSWER] = {"answer", CONTROL_PILOT, ReadAnswer},
    [REQUEST_ACTION] = {"action", CONTROL_VEHICLE, ReadAction},
    [REQUEST_FORECAST] = {"forecast", CONTROL_NONE, ReadForecast},
    [REQUEST_TWIN] = {"twin", CONTROL_NONE, ReadTwin},
    [REQUEST_HINTS] = {"hints", CONTROL_TEACHING, ReadOn},
    [REQUEST_SONAR] = {"sonar", CONTROL_NONE, ReadSonar},
    [REQUEST_MANIPULATE] = {"manipulate", CONTROL_VEHICLE, ReadManipulate},
    [REQUEST_STUDY] = {"study", CONTROL_NONE, ReadParticipant},
    [REQUEST_RATE] = {"rate", CONTROL_NONE, ReadRating},
};

const char* hwWebTwinModel_GetName(hwWebTwinModel model) {
    return g_twinNames[model];
}

const char* hwWebRequestType_GetName(hwWebRequestType type) {
    return g_requests[type].name;
}

hwWebControl hwWebRequestType_GetControl(hwWebRequestType type) {
    return g_requests[type].control;
}

static int FindType(const char* name) {
    for (int i = 0; name != NULL && i < REQUEST_TYPES; ++i) {
        if (strcmp(name, g_requests[i].name) == 0) return i;
    }
    return -1;
}

// Brackets outside of texts, so that the JSON reader never recurses far.
static bool IsShallow(const char* text, size_t size) {
    int depth = 0;
    bool inside = false;
    for (size_t i = 0; i < size; ++i) {
        char c = text[i];
        if (inside) {
            if (c == '\\') {
                i += 1;
            } else if (c == '"') {
                inside = false;
            }
        } else if (c == '"') {
            inside = true;
        } else if (c == '[' || c == '{') {
            if (++depth > REQUEST_MOST_DEPTH) return false;
        } else if (c == ']' || c == '}') {
            depth -= 1;
        }
    }
    return true;
}

bool hwWebRequest_Parse(const char* text, size_t size, const hwWebFlightOptions* defaults,
                        hwWebRequest* request, hwWebRequestError* error) {
    memset(request, 0, sizeof(*request));
    memset(error, 0, sizeof(*error));
    Reader reader = {error};
    if (size > REQUEST_MOST_BYTES || !IsShallow(text, size))
        return Fail(&reader, "json", "the message is too large or too deep");
    json_error_t where;
    json_t* json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    if (json == NULL) return Fail(&reader, "json", "the message is not JSON: %.120s", where.text);
    if (!json_is_object(json)) {
        json_decref(json);
        return Fail(&reader, "json", "the message is JSON, but not an object");
    }
    const json_t* id = json_object_get(json, "id");
    bool good = true;
    if (id != NULL) {
        json_int_t number = json_integer_value(id);
        good = json_is_integer(id) && number >= 1 && number <= 9007199254740992;
        if (good) {
            request->id = number;
        } else {
            Fail(&reader, "type", "`id` must be a whole number from 1");
        }
    }
    if (good) {
        int type = FindType(json_string_value(json_object_get(json, "type")));
        if (type < 0) {
            good = Fail(&reader, "type", "there is no such message; see `type`");
        } else {
            request->type = (hwWebRequestType)type;
            request->options = *defaults;
            good = g_requests[type].read == NULL || g_requests[type].read(&reader, json, request);
        }
    }
    json_decref(json);
    return good;
}
