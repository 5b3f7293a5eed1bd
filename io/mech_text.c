#define _POSIX_C_SOURCE 200809L
#include "mech_text.h"

#include "hawser/mechanism.h"
#include "hawser/scene.h"
#include "results_internal.h"
#include "sms_scene.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void hwMech_MoveInertia(double mass, hwVec3 c, double inertia[6]) {
    double square = hwDot(c, c);
    const double shift[6] = {square - c.x * c.x, square - c.y * c.y, square - c.z * c.z,
                             -c.x * c.y,         -c.x * c.z,         -c.y * c.z};
    for (int i = 0; i < 6; i++) inertia[i] -= mass * shift[i];
}

const char* hwMech_CleanName(hwStore* store, const char* text, const char* fallback) {
    char name[48] = "";
    size_t used = 0;
    for (; text != NULL && *text != 0 && used < 40; text++) {
        char c = *text;
        bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                    c == '_';
        name[used++] = good ? c : '_';
    }
    if (used == 0) snprintf(name, sizeof(name), "%.40s", fallback);
    if (strcmp(name, "base") == 0) snprintf(name, sizeof(name), "base_link");
    return hwStore_CopyText(store, name, strlen(name));
}

// Writing --------------------------------------------------------------------------------------------------------------

static void PutVector(FILE* file, hwVec3 v) {
    const double values[3] = {v.x, v.y, v.z};
    hwSms_PutList(file, 3, values);
}

static void Put(FILE* file, const char* before, double value) {
    fputs(before, file);
    hwSms_PutNumber(file, value);
}

static bool IsZero(hwVec3 v) {
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

static void WriteFrame(FILE* file, const hwMechLink* link) {
    if (link->mdh) {
        Put(file, "        mdh: {alpha: ", link->alpha);
        Put(file, ", a: ", link->a);
        Put(file, ", d: ", link->d);
        Put(file, ", theta: ", link->theta);
        if (link->branchD != 0.0) Put(file, ", branch_d: ", link->branchD);
        if (link->branchTheta != 0.0) Put(file, ", branch_theta: ", link->branchTheta);
        fputs("}\n", file);
        return;
    }
    fputs("        frame: {position: ", file);
    PutVector(file, link->position);
    if (!IsZero(link->rpy)) {
        fputs(", attitude: {rpy: ", file);
        PutVector(file, link->rpy);
        fputs("}", file);
    }
    if (!IsZero(link->axis)) {
        fputs(", axis: ", file);
        PutVector(file, link->axis);
    }
    fputs("}\n", file);
}

static void WriteMass(FILE* file, const hwMechLink* link) {
    Put(file, "        mass: ", link->mass);
    fputs("\n        com: ", file);
    PutVector(file, link->com);
    if (!IsZero(link->comRpy)) {
        fputs("\n        com_attitude: {rpy: ", file);
        PutVector(file, link->comRpy);
        fputs("}", file);
    }
    bool products = link->inertia[3] != 0.0 || link->inertia[4] != 0.0 || link->inertia[5] != 0.0;
    fputs("\n        inertia: ", file);
    hwSms_PutList(file, products ? 6 : 3, link->inertia);
    fputs("\n", file);
}

static void WriteState(FILE* file, const char* key, int count, const double* values) {
    bool any = false;
    for (int i = 0; i < count; i++) any = any || values[i] != 0.0;
    if (!any) return;
    fprintf(file, "        %s: ", key);
    if (count == 1) {
        hwSms_PutNumber(file, values[0]);
    } else {
        hwSms_PutList(file, count, values);
    }
    fputs("\n", file);
}

static void WriteDrive(FILE* file, const hwMechLink* link) {
    if (link->limited || link->swings) {
        fputs("        limits: {", file);
        if (link->limited) {
            Put(file, "range: [", link->low);
            Put(file, ", ", link->high);
        } else {
            for (int i = 0; i < 3; i++) {
                fputs(i == 0 ? "swing: [" : ", ", file);
                if (isinf(link->swing[i])) {
                    fputs(".inf", file);
                } else {
                    hwSms_PutNumber(file, link->swing[i]);
                }
            }
        }
        Put(file, "], stiffness: ", link->stiffness);
        Put(file, ", damping: ", link->damping);
        fputs("}\n", file);
    }
    if (link->viscous != 0.0 || link->coulomb != 0.0) {
        Put(file, "        friction: {viscous: ", link->viscous);
        if (link->coulomb != 0.0) Put(file, ", coulomb: ", link->coulomb);
        fputs("}\n", file);
    }
    if (link->motor) {
        Put(file, "        actuator: {kind: motor, torque_constant: ", link->torqueConstant);
        Put(file, ", back_emf: ", link->backEmf);
        Put(file, ", resistance: ", link->resistance);
        Put(file, ", inertia: ", link->rotor);
        Put(file, ", brush_drop: ", link->brushDrop);
        Put(file, ", half_drop: ", link->halfDrop);
        fputs("}\n        control: {mode: effort, effort: 0}   # V; the set point `target` is an input\n",
              file);
    } else if (link->effortLimit > 0.0) {
        Put(file, "        control: {mode: passive, limit: ", link->effortLimit);
        fputs("}\n", file);
    }
}

static void WriteFeet(FILE* file, const hwMechLink* link, const hwMechGround* ground) {
    if (link->footCount == 0) return;
    fputs("        feet:\n          points:\n", file);
    for (int i = 0; i < link->footCount; i++) {
        fputs("            - ", file);
        PutVector(file, link->feet[i]);
        fputs("\n", file);
    }
    const struct {
        const char* key;
        double value;
    } numbers[] = {{"stiffness", ground->stiffness},
                   {"damping", ground->damping},
                   {"planar_stiffness", ground->planarStiffness},
                   {"planar_damping", ground->planarDamping},
                   {"friction", ground->friction},
                   {"kinetic_friction", ground->kineticFriction}};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (!(numbers[i].value >= 0.0)) continue;
        fprintf(file, "          %s: ", numbers[i].key);
        hwSms_PutNumber(file, numbers[i].value);
        fputs("\n", file);
    }
}

static void WriteHydro(FILE* file, const hwMechLink* link) {
    if (!link->wet) return;
    Put(file, "        hydro:\n          volume: ", link->volume);
    fputs("\n          buoyancy_center: ", file);
    PutVector(file, link->buoyancyCenter);
    fputs("\n          added_mass:\n", file);
    for (int i = 0; i < 6; i++) {
        fputs("            - ", file);
        hwSms_PutList(file, 6, link->addedMass[i]);
        fputs("\n", file);
    }
    fputs("          drag:\n            quadratic: ", file);
    hwSms_PutList(file, 6, link->quadratic);
    if (link->strip) {
        fputs("\n            strips: [{from: ", file);
        PutVector(file, link->stripFrom);
        fputs(", to: ", file);
        PutVector(file, link->stripTo);
        Put(file, ", diameter: ", link->stripDiameter);
        Put(file, ", normal: ", link->stripDrag);
        fputs(", tangential: 0, count: 4}]", file);
    }
    fputs("\n", file);
}

static void WriteShapes(FILE* file, const hwMechLink* link) {
    if (link->shapeCount == 0) return;
    fputs("        shapes:\n", file);
    for (int i = 0; i < link->shapeCount; i++) {
        const hwMechShape* shape = &link->shapes[i];
        fprintf(file, "          - {%s: ", shape->kind);
        if (strcmp(shape->kind, "box") == 0) {
            hwSms_PutList(file, 3, shape->numbers);
        } else {
            Put(file, "{radius: ", shape->numbers[0]);
            if (strcmp(shape->kind, "cylinder") == 0) Put(file, ", length: ", shape->numbers[1]);
            fputs("}", file);
        }
        fputs(", position: ", file);
        PutVector(file, shape->position);
        if (!IsZero(shape->rpy)) {
            fputs(", attitude: {rpy: ", file);
            PutVector(file, shape->rpy);
            fputs("}", file);
        }
        fputs("}\n", file);
    }
}

void hwMech_WriteLink(FILE* file, const hwMechLink* link, const hwMechGround* ground) {
    fprintf(file, "      - name: %s\n        parent: %s\n        joint: %s\n", link->name, link->parent,
            link->joint);
    if (strcmp(link->joint, "free") != 0) WriteFrame(file, link);
    WriteMass(file, link);
    WriteState(file, "q", link->qCount, link->q);
    WriteState(file, "qd", link->qdCount, link->qd);
    WriteDrive(file, link);
    WriteFeet(file, link, ground);
    WriteHydro(file, link);
    WriteShapes(file, link);
}

int hwMech_OrderLinks(const hwMechLink* links, int count, int* order) {
    int placed = 0;
    bool progress = true;
    while (placed < count && progress) {
        progress = false;
        for (int i = 0; i < count; i++) {
            bool done = false, ready = strcmp(links[i].parent, "base") == 0;
            for (int k = 0; k < placed; k++) {
                done = done || order[k] == i;
                ready = ready || strcmp(links[order[k]].name, links[i].parent) == 0;
            }
            if (done || !ready) continue;
            order[placed++] = i;
            progress = true;
        }
    }
    if (placed == count) return -1;
    for (int i = 0; i < count; i++) {
        bool done = false;
        for (int k = 0; k < placed; k++) done = done || order[k] == i;
        if (!done) return i;
    }
    return -1;
}

// Errors and files -------------------------------------------------------------------------------------------------------

bool hwMech_Fail(hwError* error, const char* input, int line, int column, const char* format, ...) {
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    hwSceneFail(error, HW_ERROR_FORMAT, line, column, "%s", text);
    if (error != NULL) hwResults_CopyText(error->object, sizeof(error->object), input);
    return false;
}

void hwMech_Log(hwLogFn* log, void* context, const char* input, int line, const char* format, ...) {
    if (log == NULL) return;
    char text[300], sentence[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (line > 0) {
        snprintf(sentence, sizeof(sentence), "%.60s:%d: %s", input, line, text);
    } else {
        snprintf(sentence, sizeof(sentence), "%.60s: %s", input, text);
    }
    log(HW_LOG_WARNING, sentence, context);
}

bool hwMech_WriteFile(const char* path, const char* text, size_t size, hwError* error) {
    hwOutput output;
    if (hwOutput_Open(&output, path, error) != HW_OK) return false;
    bool good = hwOutput_Write(output.fd, text, size);
    if (!good) hwResultsFail_System(error, errno, "write", path);
    good = good && hwOutput_Publish(&output, error) == HW_OK;
    hwOutput_Close(&output);
    return good;
}

// The line in the source of the link that an error is about: its object is `mechanism.link`, or its index counts the links
// of the mechanism.
static int FindLine(const hwMechLink* links, int count, const hwError* error) {
    const char* dot = strchr(error->object, '.');
    for (int i = 0; i < count && dot != NULL; i++) {
        if (strcmp(links[i].name, dot + 1) == 0) return links[i].line;
    }
    bool inLinks = strncmp(error->field, "links[]", strlen("links[]")) == 0;
    if (inLinks && error->index >= 0 && error->index < count) return links[error->index].line;
    return count > 0 ? links[0].line : 1;
}

bool hwMech_PublishScene(const char* input, const hwMechLink* links, int count, const char* text, size_t size,
                         const char* folder, const char* path, hwError* error) {
    hwScene* scene = hwParseScene(text, size, "scene", folder, error);
    hwWorld* world = scene != NULL ? hwScene_CreateWorld(scene, NULL, error) : NULL;
    bool good = world != NULL;
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    if (good) return hwMech_WriteFile(path, text, size, error);
    if (error->status == HW_ERROR_MEMORY || error->status == HW_ERROR_FILE) return false;
    char message[sizeof(error->message)];
    memcpy(message, error->message, sizeof(message));
    return hwMech_Fail(error, input, FindLine(links, count, error), 1, "the file makes no mechanism: %s",
                       message);
}
