// Robots in the Unified Robot Description Format to scenes, as far as rigid trees go. XML is read by expat.
#define _POSIX_C_SOURCE 200809L
#include "hawser/convert.h"
#include "mech_text.h"
#include "results_internal.h"
#include "scene_read.h"
#include "sms_scene.h"

#include <expat.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((size_t)64 << 20)
#define MAX_LINKS 10000
#define STIFFNESS 1e6 // of limits: the format gives none
#define DAMPING 1e4

typedef struct Link {
    hwMechLink out;
    const char* name; // as written
    bool hasMass;
    int shapes, shapeRoom;
    hwMechShape* shapeList;
} Link;

typedef struct Joint {
    const char *name, *type, *parent, *child;
    hwVec3 position, rpy, axis;
    bool limited;
    double low, high, effort, damping, friction;
    int line;
} Joint;

typedef struct Reader {
    hwStore store;
    const char* input;
    hwLogFn* log;
    void* logContext;
    hwError* error;
    XML_Parser parser;
    bool failed;
    int depth;
    const char* robot;
    int linkCount, linkRoom, jointCount, jointRoom;
    Link* links;
    Joint* joints;
    // where the parser is
    Link* link;
    Joint* joint;
    bool inertial, collision, visual;
    hwVec3 originPosition, originRpy;
} Reader;

static int Line(const Reader* r) {
    return (int)XML_GetCurrentLineNumber(r->parser);
}

static void Stop(Reader* r) {
    r->failed = true;
    XML_StopParser(r->parser, XML_FALSE);
}

static bool FailMemory(Reader* r) {
    hwSceneFail_Memory(r->error);
    Stop(r);
    return false;
}

#define FAIL(r, line, ...)                                                                                   \
    do {                                                                                                     \
        hwMech_Fail((r)->error, (r)->input, (line), (int)XML_GetCurrentColumnNumber((r)->parser) + 1,        \
                    __VA_ARGS__);                                                                            \
        Stop(r);                                                                                             \
    } while (0)

// Attributes -------------------------------------------------------------------------------------------------------------

static const char* Find(const char** attributes, const char* name) {
    for (; *attributes != NULL; attributes += 2) {
        if (strcmp(attributes[0], name) == 0) return attributes[1];
    }
    return NULL;
}

static const char* CopyText(Reader* r, const char* text) {
    const char* copy = hwStore_CopyText(&r->store, text, strlen(text));
    if (copy == NULL) FailMemory(r);
    return copy;
}

static const char* NeedText(Reader* r, const char** attributes, const char* name, const char* element) {
    const char* text = Find(attributes, name);
    if (text != NULL && text[0] != '\0') return CopyText(r, text);
    FAIL(r, Line(r), "<%s> needs the attribute `%s`", element, name);
    return NULL;
}

// `count` numbers; absent ones leave `out` as it is unless they are needed.
static bool ReadNumbers(Reader* r, const char** attributes, const char* name, const char* element,
                        bool needed, int count, double* out) {
    const char* text = Find(attributes, name);
    if (text == NULL) {
        if (needed) FAIL(r, Line(r), "<%s> needs the attribute `%s`", element, name);
        return !needed;
    }
    const char* cursor = text;
    char quoted[48];
    for (int i = 0; i < count; i++) {
        char* end;
        out[i] = strtod(cursor, &end);
        if (end == cursor || !isfinite(out[i])) {
            FAIL(r, Line(r), "`%s` of <%s> must be %d number%s, not `%s`", name, element, count,
                 count == 1 ? "" : "s", hwQuoteText(quoted, sizeof(quoted), text));
            return false;
        }
        cursor = end;
    }
    if (strspn(cursor, " \t\r\n") == strlen(cursor)) return true;
    FAIL(r, Line(r), "`%s` of <%s> must be %d number%s, not `%s`", name, element, count,
         count == 1 ? "" : "s", hwQuoteText(quoted, sizeof(quoted), text));
    return false;
}

static bool ReadVector(Reader* r, const char** attributes, const char* name, const char* element,
                       hwVec3* out) {
    double v[3] = {out->x, out->y, out->z};
    if (!ReadNumbers(r, attributes, name, element, false, 3, v)) return false;
    *out = hwMakeVec3(v[0], v[1], v[2]);
    return true;
}

// Elements ---------------------------------------------------------------------------------------------------------------

static void* Grow(Reader* r, void* items, int count, int* room, size_t size) {
    if (count < *room) return items;
    int wanted = *room > 0 ? 2 * *room : 16;
    void* more = hwStore_Take(&r->store, (size_t)wanted, size);
    if (more == NULL) {
        FailMemory(r);
        return NULL;
    }
    if (count > 0) memcpy(more, items, (size_t)count * size);
    *room = wanted;
    return more;
}

static void StartLink(Reader* r, const char** attributes) {
    const char* name = NeedText(r, attributes, "name", "link");
    if (name == NULL) return;
    for (int i = 0; i < r->linkCount; i++) {
        if (strcmp(r->links[i].name, name) == 0) {
            FAIL(r, Line(r), "there are two links called `%.60s`", name);
            return;
        }
    }
    if (r->linkCount == MAX_LINKS) {
        FAIL(r, Line(r), "there are more than %d links", MAX_LINKS);
        return;
    }
    Link* links = Grow(r, r->links, r->linkCount, &r->linkRoom, sizeof(Link));
    if (links == NULL) return;
    r->links = links;
    r->link = &links[r->linkCount++];
    *r->link = (Link){.name = name, .out = {.line = Line(r), .joint = "fixed", .parent = "base"}};
}

static void StartJoint(Reader* r, const char** attributes) {
    const char* name = NeedText(r, attributes, "name", "joint");
    const char* type = name != NULL ? NeedText(r, attributes, "type", "joint") : NULL;
    if (type == NULL) return;
    Joint* joints = Grow(r, r->joints, r->jointCount, &r->jointRoom, sizeof(Joint));
    if (joints == NULL) return;
    r->joints = joints;
    r->joint = &joints[r->jointCount++];
    *r->joint = (Joint){.name = name, .type = type, .axis = {1.0, 0.0, 0.0}, .line = Line(r)};
}

static void ReadInertia(Reader* r, const char** attributes) {
    static const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    for (int i = 0; i < 6; i++) {
        if (!ReadNumbers(r, attributes, names[i], "inertia", i < 3, 1, &r->link->out.inertia[i])) return;
    }
}

static void AddShape(Reader* r, const char* element, const char** attributes) {
    Link* link = r->link;
    hwMechShape shape = {.kind = strcmp(element, "box") == 0
                                     ? "box"
                                     : (strcmp(element, "sphere") == 0 ? "sphere" : "cylinder"),
                         .position = r->originPosition,
                         .rpy = r->originRpy};
    if (strcmp(element, "box") == 0) {
        if (!ReadNumbers(r, attributes, "size", element, true, 3, shape.numbers)) return;
    } else {
        if (!ReadNumbers(r, attributes, "radius", element, true, 1, &shape.numbers[0])) return;
        if (strcmp(element, "cylinder") == 0 &&
            !ReadNumbers(r, attributes, "length", element, true, 1, &shape.numbers[1]))
            return;
    }
    hwMechShape* list = Grow(r, link->shapeList, link->shapes, &link->shapeRoom, sizeof(hwMechShape));
    if (list == NULL) return;
    link->shapeList = list;
    list[link->shapes++] = shape;
}

static void StartInLink(Reader* r, const char* element, const char** attributes) {
    if (strcmp(element, "inertial") == 0) {
        r->inertial = r->link->hasMass = true;
    } else if (strcmp(element, "collision") == 0) {
        r->collision = true;
        r->originPosition = r->originRpy = hwVec3_zero;
    } else if (strcmp(element, "visual") == 0) {
        r->visual = true;
    } else if (strcmp(element, "origin") == 0 && r->inertial) {
        if (ReadVector(r, attributes, "xyz", element, &r->link->out.com))
            ReadVector(r, attributes, "rpy", element, &r->link->out.comRpy);
    } else if (strcmp(element, "origin") == 0 && r->collision) {
        if (ReadVector(r, attributes, "xyz", element, &r->originPosition))
            ReadVector(r, attributes, "rpy", element, &r->originRpy);
    } else if (strcmp(element, "mass") == 0 && r->inertial) {
        ReadNumbers(r, attributes, "value", element, true, 1, &r->link->out.mass);
    } else if (strcmp(element, "inertia") == 0 && r->inertial) {
        ReadInertia(r, attributes);
    } else if (r->collision && (strcmp(element, "box") == 0 || strcmp(element, "sphere") == 0 ||
                                strcmp(element, "cylinder") == 0)) {
        AddShape(r, element, attributes);
    } else if (r->collision && strcmp(element, "mesh") == 0) {
        hwMech_Log(r->log, r->logContext, r->input, Line(r),
                   "the mesh of `%.40s` is left out: add it to the scene's `shapes`", r->link->name);
    }
}

static void StartInJoint(Reader* r, const char* element, const char** attributes) {
    Joint* joint = r->joint;
    if (strcmp(element, "parent") == 0) {
        joint->parent = NeedText(r, attributes, "link", element);
    } else if (strcmp(element, "child") == 0) {
        joint->child = NeedText(r, attributes, "link", element);
    } else if (strcmp(element, "origin") == 0) {
        if (ReadVector(r, attributes, "xyz", element, &joint->position))
            ReadVector(r, attributes, "rpy", element, &joint->rpy);
    } else if (strcmp(element, "axis") == 0) {
        ReadVector(r, attributes, "xyz", element, &joint->axis);
    } else if (strcmp(element, "limit") == 0) {
        joint->limited = true;
        if (ReadNumbers(r, attributes, "lower", element, false, 1, &joint->low) &&
            ReadNumbers(r, attributes, "upper", element, false, 1, &joint->high))
            ReadNumbers(r, attributes, "effort", element, false, 1, &joint->effort);
    } else if (strcmp(element, "dynamics") == 0) {
        if (ReadNumbers(r, attributes, "damping", element, false, 1, &joint->damping))
            ReadNumbers(r, attributes, "friction", element, false, 1, &joint->friction);
    } else if (strcmp(element, "mimic") == 0) {
        hwMech_Log(r->log, r->logContext, r->input, Line(r),
                   "`%.40s` follows another joint: it is free in the scene", joint->name);
    }
}

static void XMLCALL OnStart(void* context, const char* element, const char** attributes) {
    Reader* r = context;
    int depth = r->depth++;
    if (r->failed) return;
    if (depth == 0) {
        if (strcmp(element, "robot") != 0) {
            FAIL(r, Line(r), "this is no robot: its first element is <%.40s>, not <robot>", element);
            return;
        }
        const char* name = Find(attributes, "name");
        r->robot = CopyText(r, name != NULL ? name : "robot");
    } else if (depth == 1 && strcmp(element, "link") == 0) {
        StartLink(r, attributes);
    } else if (depth == 1 && strcmp(element, "joint") == 0) {
        StartJoint(r, attributes);
    } else if (r->link != NULL) {
        StartInLink(r, element, attributes);
    } else if (r->joint != NULL) {
        StartInJoint(r, element, attributes);
    }
}

static void XMLCALL OnEnd(void* context, const char* element) {
    Reader* r = context;
    r->depth -= 1;
    if (r->depth == 1) {
        r->link = NULL;
        r->joint = NULL;
    }
    if (strcmp(element, "inertial") == 0) r->inertial = false;
    if (strcmp(element, "collision") == 0) r->collision = false;
    if (strcmp(element, "visual") == 0) r->visual = false;
}

// The tree ---------------------------------------------------------------------------------------------------------------

static Link* FindLink(Reader* r, const char* name) {
    for (int i = 0; i < r->linkCount; i++) {
        if (strcmp(r->links[i].name, name) == 0) return &r->links[i];
    }
    return NULL;
}

static bool FailAt(Reader* r, int line, const char* format, const char* a, const char* b) {
    char first[48], second[48];
    return hwMech_Fail(r->error, r->input, line, 1, format, hwQuoteText(first, sizeof(first), a),
                       hwQuoteText(second, sizeof(second), b));
}

// Types of joints, and what a scene calls them.
typedef enum JointType { REVOLUTE, CONTINUOUS, PRISMATIC, FIXED, FLOATING, SPHERICAL, JOINT_TYPES } JointType;

static bool ApplyType(Reader* r, const Joint* joint, hwMechLink* out) {
    static const char* const types[JOINT_TYPES][2] = {
        [REVOLUTE] = {"revolute", "revolute"},    [CONTINUOUS] = {"continuous", "revolute"},
        [PRISMATIC] = {"prismatic", "prismatic"}, [FIXED] = {"fixed", "fixed"},
        [FLOATING] = {"floating", "free"},        [SPHERICAL] = {"spherical", "ball"}};
    for (int i = 0; i < JOINT_TYPES; i++) {
        if (strcmp(joint->type, types[i][0]) != 0) continue;
        out->joint = types[i][1];
        bool axial = i == REVOLUTE || i == CONTINUOUS || i == PRISMATIC;
        if (axial && !(hwLength(joint->axis) > 0.0))
            return FailAt(r, joint->line, "the axis of `%s` is zero%s", joint->name, "");
        if (axial) out->axis = hwNormalize(joint->axis);
        bool turnsFreely = i == CONTINUOUS;
        if (axial && !turnsFreely && joint->limited && joint->low > joint->high) {
            // Bullet's way to say that there are none; other readers of the format refuse it.
            hwMech_Log(r->log, r->logContext, r->input, joint->line,
                       "the limits of `%.40s` are reversed (%g > %g): read as none, as Bullet does",
                       joint->name, joint->low, joint->high);
        } else if (axial && !turnsFreely && joint->limited) {
            if (joint->low == joint->high)
                return FailAt(r, joint->line, "the limits of `%s` are equal: make it `fixed`%s", joint->name,
                              "");
            out->limited = true;
            out->low = joint->low;
            out->high = joint->high;
            out->stiffness = STIFFNESS;
            out->damping = DAMPING;
        }
        if (axial || i == SPHERICAL) {
            out->viscous = joint->damping;
            out->coulomb = joint->friction;
        }
        if (axial) out->effortLimit = joint->effort;
        return true;
    }
    return FailAt(r, joint->line, "`%s` is a %s joint, which is no part of a rigid tree", joint->name,
                  joint->type);
}

static bool ApplyJoint(Reader* r, const Joint* joint) {
    if (joint->parent == NULL || joint->child == NULL) {
        return FailAt(r, joint->line, "`%s` needs <parent link=...> and <child link=...>%s", joint->name, "");
    }
    const Link* parent = FindLink(r, joint->parent);
    Link* child = FindLink(r, joint->child);
    if (parent == NULL)
        return FailAt(r, joint->line, "`%s` has the unknown parent `%s`", joint->name, joint->parent);
    if (child == NULL)
        return FailAt(r, joint->line, "`%s` has the unknown child `%s`", joint->name, joint->child);
    if (strcmp(child->out.parent, "base") != 0)
        return FailAt(r, joint->line, "`%s` is the second joint of `%s`", joint->name, joint->child);
    child->out.parent = parent->out.name;
    child->out.position = joint->position;
    child->out.rpy = joint->rpy;
    if (!ApplyType(r, joint, &child->out)) return false;
    if (strcmp(child->out.joint, "free") == 0) {
        child->out.qCount = 6;
        const double q[6] = {joint->position.x, joint->position.y, joint->position.z,
                             joint->rpy.x,      joint->rpy.y,      joint->rpy.z};
        memcpy(child->out.q, q, sizeof(q));
    }
    return true;
}

static bool MakeTree(Reader* r, hwMechLink** links, int** order) {
    if (r->linkCount == 0) return hwMech_Fail(r->error, r->input, 1, 1, "the robot has no links");
    *links = HW_STORE_TAKE(&r->store, hwMechLink, r->linkCount);
    *order = HW_STORE_TAKE(&r->store, int, r->linkCount);
    if (*links == NULL || *order == NULL) return hwSceneFail_Memory(r->error) == HW_OK;
    for (int i = 0; i < r->linkCount; i++) {
        r->links[i].out.name = hwMech_CleanName(&r->store, r->links[i].name, "link");
        if (r->links[i].out.name == NULL) return hwSceneFail_Memory(r->error) == HW_OK;
    }
    for (int i = 0; i < r->jointCount; i++) {
        if (!ApplyJoint(r, &r->joints[i])) return false;
    }
    int roots = 0;
    for (int i = 0; i < r->linkCount; i++) {
        Link* link = &r->links[i];
        link->out.shapeCount = link->shapes;
        link->out.shapes = link->shapeList;
        roots += strcmp(link->out.parent, "base") == 0;
        (*links)[i] = link->out;
    }
    int lost = hwMech_OrderLinks(*links, r->linkCount, *order);
    if (lost >= 0)
        return FailAt(r, r->links[lost].out.line, "`%s` is its own ancestor%s", r->links[lost].name, "");
    if (roots > 1)
        hwMech_Log(r->log, r->logContext, r->input, 0,
                   "there are %d links without a parent; all stand on the earth", roots);
    return true;
}

static void WriteScene(const Reader* r, const hwMechLink* links, const int* order, FILE* file) {
    const hwMechGround ground = {-1, -1, -1, -1, -1, -1};
    hwStore* store = (hwStore*)&r->store;
    const char* name = hwMech_CleanName(store, r->robot, "robot");
    fprintf(file, "# Converted from %s\nhawser: 1\nname: \"%s\"\n", r->input, name != NULL ? name : "robot");
    fputs("duration: 10   # the file does not say how long to run\noutput: {interval: 0.02}\n\nmechanisms:\n",
          file);
    fprintf(file,
            "  - name: %s\n    base: {on: earth}   # its first link is fixed there; `joint: free` lets it "
            "move\n    links:\n",
            name != NULL ? name : "robot");
    for (int i = 0; i < r->linkCount; i++) hwMech_WriteLink(file, &links[order[i]], &ground);
}

static bool Parse(Reader* r, const char* text, size_t size) {
    r->parser = XML_ParserCreate(NULL);
    if (r->parser == NULL) return hwSceneFail_Memory(r->error) == HW_OK;
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, OnStart, OnEnd);
    bool good = XML_Parse(r->parser, text, (int)size, 1) == XML_STATUS_OK && !r->failed;
    if (!good && !r->failed) {
        hwMech_Fail(r->error, r->input, Line(r), (int)XML_GetCurrentColumnNumber(r->parser) + 1,
                    "the XML is broken: %s", XML_ErrorString(XML_GetErrorCode(r->parser)));
    }
    XML_ParserFree(r->parser);
    return good;
}

static bool Convert(Reader* r, const char* input, const char* output) {
    size_t size;
    const char* text = hwReadFileText(&r->store, input, MAX_BYTES, 0, 0, &size, r->error);
    hwMechLink* links = NULL;
    int* order = NULL;
    if (text == NULL || !Parse(r, text, size) || !MakeTree(r, &links, &order)) return false;
    char* scene = NULL;
    size_t sceneSize;
    FILE* memory = open_memstream(&scene, &sceneSize);
    if (memory == NULL) return hwSceneFail_Memory(r->error) == HW_OK;
    WriteScene(r, links, order, memory);
    bool good = fclose(memory) == 0;
    if (!good) hwSceneFail_Memory(r->error);
    good =
        good && hwMech_PublishScene(r->input, links, r->linkCount, scene, sceneSize, NULL, output, r->error);
    free(scene);
    return good;
}

hwStatus hwConvertUrdf(const char* input, const char* outputScene, hwLogFn* log, void* logContext,
                       hwError* error) {
    hwError local;
    if (error == NULL) error = &local;
    memset(error, 0, sizeof(*error));
    const char* slash = strrchr(input, '/');
    Reader reader = {
        .input = slash != NULL ? slash + 1 : input, .log = log, .logContext = logContext, .error = error};
    hwStore_Init(&reader.store, NULL);
    bool good = Convert(&reader, input, outputScene);
    hwStore_Free(&reader.store);
    if (!good) return error->status;
    memset(error, 0, sizeof(*error));
    error->index = -1;
    error->time = (double)NAN;
    return HW_OK;
}
