#include "dynamechs.h"

#include "hawser/mechanism.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 64 // nesting of blocks

// Words ----------------------------------------------------------------------------------------------------------------

typedef enum TokenKind { TOKEN_END, TOKEN_WORD, TOKEN_TEXT, TOKEN_OPEN, TOKEN_CLOSE } TokenKind;

typedef struct Token {
    TokenKind kind;
    char text[256]; // cut when longer
    int line, column;
} Token;

typedef struct Scanner {
    const hwDmReader* reader;
    const char *at, *end;
    int line, column;
    Token token; // the current one
} Scanner;

static bool Fail(const Scanner* s, const Token* token, const char* format, const char* what) {
    char quoted[64];
    return hwMech_Fail(s->reader->error, s->reader->input, token->line, token->column, format,
                       hwQuoteText(quoted, sizeof(quoted), what));
}

static void Step(Scanner* s) {
    if (*s->at == '\n') {
        s->line += 1;
        s->column = 0;
    }
    s->at += 1;
    s->column += 1;
}

static void SkipSpace(Scanner* s) {
    while (s->at < s->end) {
        if (*s->at == '#') {
            while (s->at < s->end && *s->at != '\n') Step(s);
        } else if (isspace((unsigned char)*s->at) || *s->at == '\0') {
            Step(s);
        } else {
            return;
        }
    }
}

static void Next(Scanner* s) {
    SkipSpace(s);
    Token* token = &s->token;
    *token = (Token){.kind = TOKEN_END, .line = s->line, .column = s->column};
    if (s->at >= s->end) return;
    size_t used = 0;
    if (*s->at == '{' || *s->at == '}') {
        token->kind = *s->at == '{' ? TOKEN_OPEN : TOKEN_CLOSE;
        token->text[0] = *s->at;
        Step(s);
        return;
    }
    bool quoted = *s->at == '"';
    token->kind = quoted ? TOKEN_TEXT : TOKEN_WORD;
    if (quoted) Step(s);
    while (s->at < s->end) {
        char c = *s->at;
        if (quoted ? (c == '"' || c == '\n')
                   : (isspace((unsigned char)c) || c == '{' || c == '}' || c == '#'))
            break;
        if (used + 1 < sizeof(token->text)) token->text[used++] = c;
        Step(s);
    }
    if (quoted && s->at < s->end && *s->at == '"') Step(s);
}

static bool IsNumber(const Token* token, double* value) {
    if (token->kind != TOKEN_WORD) return false;
    char* end;
    *value = strtod(token->text, &end);
    return end != token->text && *end == '\0' && isfinite(*value);
}

// Reads `count` numbers after a label.
static bool ReadNumbers(Scanner* s, const char* label, int count, double* values) {
    for (int i = 0; i < count; i++) {
        if (IsNumber(&s->token, &values[i])) {
            Next(s);
            continue;
        }
        if (s->token.kind == TOKEN_END) {
            return hwMech_Fail(s->reader->error, s->reader->input, s->token.line, s->token.column,
                               "the file ends inside `%s`, after %d of %d numbers", label, i, count);
        }
        char quoted[48];
        return hwMech_Fail(s->reader->error, s->reader->input, s->token.line, s->token.column,
                           "`%s` needs %d numbers, but after %d of them stands `%s`", label, count, i,
                           hwQuoteText(quoted, sizeof(quoted), s->token.text));
    }
    return true;
}

// Blocks of links ----------------------------------------------------------------------------------------------------

// Everything that a block can say.
typedef struct Block {
    Token start;
    const char* name;
    double mass, inertia[9], com[3];
    double volume, addedMass[36], buoyancy[3], dragAxis, cylinder[2], radius, drag;
    double contacts, dynamicContacts;
    hwVec3 *points, *dynamicPoints;
    double position[3], quat[4], velocity[6];
    double mdh[4], rate, limits[2], spring, damper, actuator, friction;
    double motor[9];
    double offset[3], angles[3], angular[3], axes[3];
    double screw[2];
    uint64_t given; // a bit for each label
} Block;

typedef struct Label {
    const char* name;
    int count;
    size_t offset;
} Label;

#define AT(member) offsetof(Block, member)
static const Label labels[] = {
    {"Mass", 1, AT(mass)},
    {"Inertia", 9, AT(inertia)},
    {"Center_of_Gravity", 3, AT(com)},
    {"MDH_Parameters", 4, AT(mdh)},
    {"Position_From_Inboard_Link", 3, AT(offset)},
    {"ZScrew_Parameters", 2, AT(screw)},
    {"Position", 3, AT(position)},
    {"Orientation_Quat", 4, AT(quat)},
    {"Velocity", 6, AT(velocity)},
    {"Initial_Joint_Velocity", 1, AT(rate)},
    {"Initial_Joint_Angles", 3, AT(angles)},
    {"Initial_Angular_Velocity", 3, AT(angular)},
    {"Joint_Limits", 2, AT(limits)},
    {"Axes_Limits", 3, AT(axes)},
    {"Joint_Limit_Spring_Constant", 1, AT(spring)},
    {"Joint_Limit_Damper_Constant", 1, AT(damper)},
    {"Joint_Friction", 1, AT(friction)},
    {"Actuator_Type", 1, AT(actuator)},
    {"Motor_Torque_Constant", 1, AT(motor[0])},
    {"Motor_BackEMF_Constant", 1, AT(motor[1])},
    {"Motor_Armature_Resistance", 1, AT(motor[2])},
    {"Motor_Inertia", 1, AT(motor[3])},
    {"Motor_Coulomb_Friction_Constant", 1, AT(motor[4])},
    {"Motor_Viscous_Friction_Constant", 1, AT(motor[5])},
    {"Motor_Max_Brush_Drop", 1, AT(motor[6])},
    {"Motor_Half_Drop_Value", 1, AT(motor[7])},
    {"Motor_Gear_Ratio", 1, AT(motor[8])},
    {"Volume", 1, AT(volume)},
    {"Added_Mass", 36, AT(addedMass)},
    {"Center_of_Bouyancy", 3, AT(buoyancy)}, // as the format spells it
    {"Center_of_Buoyancy", 3, AT(buoyancy)},
    {"Drag_Axis", 1, AT(dragAxis)},
    {"Cylinder_Bounds", 2, AT(cylinder)},
    {"Cylinder_Radius", 1, AT(radius)},
    {"Drag_Coefficient", 1, AT(drag)},
    {"Number_of_Contact_Points", 1, AT(contacts)},
    {"Number_of_Dynamic_Contact_Points", 1, AT(dynamicContacts)},
};
#define LABELS ((int)(sizeof(labels) / sizeof(labels[0])))

static bool Has(const Block* block, const char* name) {
    for (int i = 0; i < LABELS; i++) {
        if (strcmp(labels[i].name, name) == 0) return (block->given >> i & 1) != 0;
    }
    return false;
}

// `number` points, as the label `counted` said before.
static bool ReadPoints(Scanner* s, const Block* block, const char* label, const char* counted, double number,
                       hwVec3** points) {
    int count = (int)number;
    if (!Has(block, counted) || count < 0 || count > HW_DM_MAX_LINKS || count != number) {
        return hwMech_Fail(s->reader->error, s->reader->input, s->token.line, s->token.column,
                           "`%s` needs a sensible `%s` before it", label, counted);
    }
    *points = HW_STORE_TAKE(s->reader->store, hwVec3, count);
    if (*points == NULL) {
        hwSceneFail_Memory(s->reader->error);
        return false;
    }
    for (int i = 0; i < count; i++) {
        double p[3];
        if (!ReadNumbers(s, label, 3, p)) return false;
        (*points)[i] = hwMakeVec3(p[0], p[1], p[2]);
    }
    return true;
}

static bool ReadText(Scanner* s, const char** out) {
    if (s->token.kind != TOKEN_TEXT)
        return Fail(s, &s->token, "a name in quotes is expected here, not `%s`", s->token.text);
    if (out != NULL) *out = hwStore_CopyText(s->reader->store, s->token.text, strlen(s->token.text));
    if (out != NULL && *out == NULL) {
        hwSceneFail_Memory(s->reader->error);
        return false;
    }
    Next(s);
    return true;
}

static bool ReadLabel(Scanner* s, Block* block) {
    Token label = s->token;
    if (label.kind != TOKEN_WORD) return Fail(s, &label, "a label is expected here, not `%s`", label.text);
    Next(s);
    double ignored;
    if (strcmp(label.text, "Name") == 0) return ReadText(s, &block->name);
    if (strcmp(label.text, "Graphics_Model") == 0) return ReadText(s, NULL);
    if (strcmp(label.text, "Graphics_Model_Index") == 0) return ReadNumbers(s, label.text, 1, &ignored);
    if (strcmp(label.text, "Contact_Locations") == 0)
        return ReadPoints(s, block, "Contact_Locations", "Number_of_Contact_Points", block->contacts,
                          &block->points);
    if (strcmp(label.text, "Dynamic_Contact_Locations") == 0)
        return ReadPoints(s, block, "Dynamic_Contact_Locations", "Number_of_Dynamic_Contact_Points",
                          block->dynamicContacts, &block->dynamicPoints);
    const char* names[LABELS];
    for (int i = 0; i < LABELS; i++) {
        names[i] = labels[i].name;
        if (strcmp(labels[i].name, label.text) != 0) continue;
        block->given |= (uint64_t)1 << i;
        return ReadNumbers(s, labels[i].name, labels[i].count,
                           (double*)(void*)((char*)block + labels[i].offset));
    }
    Fail(s, &label, "`%s` is not a label of a link", label.text);
    const char* nearest = hwFindNearest(label.text, names, LABELS);
    if (nearest != NULL) hwSceneFail_Hint(s->reader->error, "did you mean `%s`?", nearest);
    return false;
}

static bool Open(Scanner* s, const Token* label) {
    if (s->token.kind == TOKEN_OPEN) {
        Next(s);
        return true;
    }
    return Fail(s, &s->token, "`{` is expected after `%s`", label->text);
}

static bool FailEnd(const Scanner* s, const Token* label) {
    char quoted[48];
    return hwMech_Fail(s->reader->error, s->reader->input, s->token.line, s->token.column,
                       "the file ends inside `%s`, which begins in line %d",
                       hwQuoteText(quoted, sizeof(quoted), label->text), label->line);
}

static bool ReadBlock(Scanner* s, Block* block) {
    *block = (Block){.start = s->token};
    Next(s);
    if (!Open(s, &block->start)) return false;
    while (s->token.kind != TOKEN_CLOSE) {
        if (s->token.kind == TOKEN_END) return FailEnd(s, &block->start);
        if (!ReadLabel(s, block)) return false;
    }
    Next(s);
    return true;
}

static bool Need(const Scanner* s, const Block* block, const char* name) {
    if (Has(block, name)) return true;
    return hwMech_Fail(s->reader->error, s->reader->input, block->start.line, block->start.column,
                       "`%s` needs `%s`", block->start.text, name);
}

// From blocks to links -------------------------------------------------------------------------------------------------

// Points on springs, and those of version 4 that touch without (by complementarity): both become feet.
static bool FillFeet(const Scanner* s, const Block* block, hwMechLink* link) {
    int springs = block->points != NULL ? (int)block->contacts : 0;
    int hard = block->dynamicPoints != NULL ? (int)block->dynamicContacts : 0;
    link->footCount = springs;
    link->feet = block->points;
    if (hard == 0) return true;
    hwVec3* feet = HW_STORE_TAKE(s->reader->store, hwVec3, springs + hard);
    if (feet == NULL) {
        hwSceneFail_Memory(s->reader->error);
        return false;
    }
    if (springs > 0) memcpy(feet, block->points, (size_t)springs * sizeof(*feet));
    memcpy(feet + springs, block->dynamicPoints, (size_t)hard * sizeof(*feet));
    link->feet = feet;
    link->footCount = springs + hard;
    hwMech_Log(s->reader->log, s->reader->logContext, s->reader->input, block->start.line,
               "the dynamic contact points of `%.40s` touch with the ground's springs too", link->name);
    return true;
}

static bool FillBody(const Scanner* s, const Block* block, hwMechLink* link) {
    if (!Need(s, block, "Mass") || !Need(s, block, "Inertia") || !Need(s, block, "Center_of_Gravity"))
        return false;
    const double* I = block->inertia;
    link->mass = block->mass;
    link->com = hwMakeVec3(block->com[0], block->com[1], block->com[2]);
    const double tensor[6] = {I[0], I[4], I[8], I[1], I[2], I[5]};
    if (I[1] != I[3] || I[2] != I[6] || I[5] != I[7]) {
        return hwMech_Fail(s->reader->error, s->reader->input, block->start.line, block->start.column,
                           "the `Inertia` of `%s` is not symmetric", block->start.text);
    }
    // The file's tensor is about the link's origin. Some files have it about the centre of mass instead, which shows where
    // the mass at the centre alone would have more.
    memcpy(link->inertia, tensor, sizeof(tensor));
    hwMech_MoveInertia(link->mass, link->com, link->inertia);
    double size = fabs(tensor[0]) + fabs(tensor[1]) + fabs(tensor[2]);
    bool negative = false;
    for (int i = 0; i < 3; i++) {
        if (fabs(link->inertia[i]) < 1e-12 * size) link->inertia[i] = 0.0;
        negative = negative || link->inertia[i] < 0.0;
    }
    if (negative) {
        bool solid = tensor[0] + tensor[1] >= tensor[2] && tensor[1] + tensor[2] >= tensor[0] &&
                     tensor[2] + tensor[0] >= tensor[1];
        if (!solid) {
            return hwMech_Fail(
                s->reader->error, s->reader->input, block->start.line, block->start.column,
                "the `Inertia` of `%s` is less than its mass at its `Center_of_Gravity` alone has",
                block->start.text);
        }
        memcpy(link->inertia, tensor, sizeof(tensor));
        hwMech_Log(
            s->reader->log, s->reader->logContext, s->reader->input, block->start.line,
            "the `Inertia` of `%.40s` is less than its mass at its `Center_of_Gravity` alone has: it is "
            "read as about that centre",
            link->name);
    }
    return FillFeet(s, block, link);
}

static hwVec3 AlongAxis(int axis, double x) {
    return hwMakeVec3(axis == 0 ? x : 0.0, axis == 1 ? x : 0.0, axis == 2 ? x : 0.0);
}

static bool FillHydro(const Scanner* s, const Block* block, hwMechLink* link) {
    if (!Has(block, "Volume") && !Has(block, "Added_Mass")) return true;
    link->wet = true;
    link->volume = block->volume;
    link->buoyancyCenter = hwMakeVec3(block->buoyancy[0], block->buoyancy[1], block->buoyancy[2]);
    // the file has the angular components first
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) link->addedMass[i][j] = block->addedMass[6 * ((i + 3) % 6) + (j + 3) % 6];
    }
    int axis = (int)block->dragAxis;
    if (!Has(block, "Drag_Coefficient") || !(block->radius > 0.0)) return true;
    if (axis < 0 || axis > 2 || axis != block->dragAxis) {
        return hwMech_Fail(s->reader->error, s->reader->input, block->start.line, block->start.column,
                           "`Drag_Axis` must be 0, 1 or 2");
    }
    link->strip = true;
    link->stripFrom = AlongAxis(axis, block->cylinder[0]);
    link->stripTo = AlongAxis(axis, block->cylinder[1]);
    link->stripDiameter = 2.0 * block->radius;
    link->stripDrag = block->drag;
    link->quadratic[axis] = 0.5 * s->reader->density * block->drag * HW_PI * block->radius * block->radius;
    return true;
}

static bool FillLimits(const Scanner* s, const Block* block, hwMechLink* link) {
    link->stiffness = block->spring;
    link->damping = block->damper;
    if (strcmp(link->joint, "ball") == 0) {
        for (int i = 0; i < 3; i++) {
            link->swing[i] = block->axes[i] > 0.0 ? block->axes[i] : HUGE_VAL;
            link->swings = link->swings || (block->axes[i] > 0.0 && block->spring > 0.0);
        }
        return true;
    }
    if (!Has(block, "Joint_Limits") || !(block->spring > 0.0)) return true;
    if (!(block->limits[0] < block->limits[1])) {
        return hwMech_Fail(s->reader->error, s->reader->input, block->start.line, block->start.column,
                           "the `Joint_Limits` of `%s` are reversed", block->start.text);
    }
    link->low = block->limits[0];
    link->high = block->limits[1];
    link->limited = link->low > -1e9 || link->high < 1e9;
    return true;
}

static bool FillMotor(const Scanner* s, const Block* block, hwMechLink* link) {
    link->viscous = block->friction;
    if (block->actuator == 0.0) return true;
    const double* m = block->motor;
    double n = Has(block, "Motor_Gear_Ratio") ? m[8] : 1.0;
    if (!(m[2] > 0.0)) return Need(s, block, "Motor_Armature_Resistance");
    link->motor = true;
    link->torqueConstant = n * m[0];
    link->backEmf = n * m[1];
    link->resistance = m[2];
    link->rotor = n * n * m[3];
    link->coulomb = n * m[4];
    link->viscous += n * n * m[5];
    link->brushDrop = m[6];
    link->halfDrop = m[7];
    return true;
}

// Trees ----------------------------------------------------------------------------------------------------------------

// Where the next link goes: its parent, and the screws since.
typedef struct Place {
    const char* parent;
    double d, theta;
} Place;

static hwMechLink* AddLink(Scanner* s, hwDmSystem* system, const Block* block, const Place* place) {
    if (system->count == HW_DM_MAX_LINKS) {
        Fail(s, &block->start, "`%s` is one link too many", block->start.text);
        return NULL;
    }
    if (system->count == system->capacity) {
        int capacity = system->capacity > 0 ? 2 * system->capacity : 16;
        hwMechLink* links = HW_STORE_TAKE(s->reader->store, hwMechLink, capacity);
        if (links == NULL) {
            hwSceneFail_Memory(s->reader->error);
            return NULL;
        }
        if (system->count > 0) memcpy(links, system->links, (size_t)system->count * sizeof(*links));
        system->links = links;
        system->capacity = capacity;
    }
    hwMechLink* link = &system->links[system->count];
    char fallback[32];
    snprintf(fallback, sizeof(fallback), "link%d", system->count + 1);
    link->name = hwMech_CleanName(s->reader->store, block->name, fallback);
    for (int i = 0; i < system->count && link->name != NULL; i++) {
        if (strcmp(system->links[i].name, link->name) != 0) continue;
        link->name = hwMech_CleanName(s->reader->store, fallback, fallback);
    }
    link->parent = place->parent;
    link->line = block->start.line;
    if (link->name == NULL) {
        hwSceneFail_Memory(s->reader->error);
        return NULL;
    }
    system->count += 1;
    return link;
}

static bool AddScrew(Scanner* s, const Block* block, Place* place) {
    if (!Need(s, block, "ZScrew_Parameters")) return false;
    place->d += block->screw[0];
    place->theta += block->screw[1];
    return true;
}

static bool AddAxisLink(Scanner* s, hwDmSystem* system, const Block* block, Place* place, bool turns) {
    hwMechLink* link = AddLink(s, system, block, place);
    if (link == NULL || !Need(s, block, "MDH_Parameters")) return false;
    link->joint = turns ? "revolute" : "prismatic";
    link->mdh = true;
    link->a = block->mdh[0], link->alpha = block->mdh[1], link->d = block->mdh[2],
    link->theta = block->mdh[3];
    link->branchD = place->d;
    link->branchTheta = place->theta;
    link->qdCount = 1;
    link->qd[0] = block->rate;
    *place = (Place){.parent = link->name};
    return FillBody(s, block, link) && FillHydro(s, block, link) && FillLimits(s, block, link) &&
           FillMotor(s, block, link);
}

static bool AddBallLink(Scanner* s, hwDmSystem* system, const Block* block, Place* place) {
    hwMechLink* link = AddLink(s, system, block, place);
    if (link == NULL || !Need(s, block, "Position_From_Inboard_Link")) return false;
    link->joint = "ball";
    double c = hwCos(place->theta), n = hwSin(place->theta);
    const double* p = block->offset;
    link->position = hwMakeVec3(c * p[0] - n * p[1], n * p[0] + c * p[1], place->d + p[2]);
    link->rpy.z = place->theta;
    link->qCount = link->qdCount = 3;
    memcpy(link->q, block->angles, sizeof(block->angles));
    memcpy(link->qd, block->angular, sizeof(block->angular));
    if (strcmp(block->start.text, "QuaternionLink") == 0 && Has(block, "Orientation_Quat")) {
        const double* q = block->quat;
        hwVec3 rpy = hwRpyFromQuat(hwNormalizeQuat((hwQuat){q[3], q[0], q[1], q[2]}));
        link->q[0] = rpy.x, link->q[1] = rpy.y, link->q[2] = rpy.z;
    }
    *place = (Place){.parent = link->name};
    return FillBody(s, block, link) && FillHydro(s, block, link) && FillLimits(s, block, link) &&
           FillMotor(s, block, link);
}

// A body that moves freely: its velocity is angular first, along the world's axes.
static bool AddFreeLink(Scanner* s, hwDmSystem* system, const Block* block, Place* place) {
    hwMechLink* link = AddLink(s, system, block, place);
    if (link == NULL || !Need(s, block, "Position")) return false;
    if (block->name == NULL || block->name[0] == '\0') {
        link->name = hwMech_CleanName(s->reader->store, "body", "body");
        if (link->name == NULL) return false;
    }
    const double *q = block->quat, *v = block->velocity;
    hwQuat turn =
        Has(block, "Orientation_Quat") ? hwNormalizeQuat((hwQuat){q[3], q[0], q[1], q[2]}) : hwQuat_identity;
    hwVec3 rpy = hwRpyFromQuat(turn), rate = hwInvRotate(turn, hwMakeVec3(v[0], v[1], v[2]));
    const double start[6] = {block->position[0], block->position[1], block->position[2], rpy.x, rpy.y, rpy.z};
    const double motion[6] = {v[3], v[4], v[5], rate.x, rate.y, rate.z};
    link->joint = "free";
    link->qCount = link->qdCount = 6;
    memcpy(link->q, start, sizeof(start));
    memcpy(link->qd, motion, sizeof(motion));
    *place = (Place){.parent = link->name};
    return FillBody(s, block, link) && FillHydro(s, block, link);
}

static bool ReadTree(Scanner* s, hwDmSystem* system, Place place, const Token* label, int depth);

typedef enum LinkKind {
    LINK_REVOLUTE,
    LINK_PRISMATIC,
    LINK_SPHERICAL,
    LINK_QUATERNION,
    LINK_MOBILE_BASE,
    LINK_STATIC_ROOT,
    LINK_SCREW,
    LINK_SCREW_OLD, // deprecated spelling
    LINK_NONE
} LinkKind;

static const char* const linkKinds[LINK_NONE] = {
    [LINK_REVOLUTE] = "RevoluteLink",      [LINK_PRISMATIC] = "PrismaticLink",
    [LINK_SPHERICAL] = "SphericalLink",    [LINK_QUATERNION] = "QuaternionLink",
    [LINK_MOBILE_BASE] = "MobileBaseLink", [LINK_STATIC_ROOT] = "StaticRootLink",
    [LINK_SCREW] = "ZScrewTxLink",         [LINK_SCREW_OLD] = "ZScrewLinkTx"};

static LinkKind FindLinkKind(const char* name) {
    int kind = 0;
    while (kind < LINK_NONE && strcmp(linkKinds[kind], name) != 0) kind++;
    return (LinkKind)kind;
}

static bool ReadTreeItem(Scanner* s, hwDmSystem* system, Place* place, int depth) {
    const char* what = s->token.text;
    if (s->token.kind != TOKEN_WORD)
        return Fail(s, &s->token, "a link or a branch is expected here, not `%s`", what);
    if (strcmp(what, "Name") == 0 || strcmp(what, "Graphics_Model") == 0) {
        Next(s);
        return ReadText(s, NULL);
    }
    if (strcmp(what, "Branch") == 0) {
        Token label = s->token;
        Next(s);
        return ReadTree(s, system, *place, &label, depth + 1);
    }
    LinkKind kind = FindLinkKind(what);
    if (kind == LINK_NONE) {
        Fail(s, &s->token, "`%s` is no kind of link", what);
        const char* nearest = hwFindNearest(what, linkKinds, LINK_NONE);
        if (nearest != NULL) hwSceneFail_Hint(s->reader->error, "did you mean `%s`?", nearest);
        return false;
    }
    Block* block = HW_STORE_TAKE(s->reader->store, Block, 1);
    if (block == NULL) {
        hwSceneFail_Memory(s->reader->error);
        return false;
    }
    if (!ReadBlock(s, block)) return false;
    switch (kind) {
    case LINK_REVOLUTE:
    case LINK_PRISMATIC:
        return AddAxisLink(s, system, block, place, kind == LINK_REVOLUTE);
    case LINK_SPHERICAL:
    case LINK_QUATERNION:
        return AddBallLink(s, system, block, place);
    case LINK_MOBILE_BASE:
        return AddFreeLink(s, system, block, place);
    case LINK_STATIC_ROOT: // the reference system itself, with a name
        return true;
    default:
        return AddScrew(s, block, place);
    }
}

// From `{` to `}`.
static bool ReadTree(Scanner* s, hwDmSystem* system, Place place, const Token* label, int depth) {
    if (depth > DEEPEST) return Fail(s, label, "`%s` is nested too deeply", label->text);
    if (!Open(s, label)) return false;
    while (s->token.kind != TOKEN_CLOSE) {
        if (s->token.kind == TOKEN_END) return FailEnd(s, label);
        if (!ReadTreeItem(s, system, &place, depth)) return false;
    }
    Next(s);
    return true;
}

static bool ReadReference(Scanner* s, hwDmSystem* system, Place* place) {
    Block* block = HW_STORE_TAKE(s->reader->store, Block, 1);
    if (block == NULL) {
        hwSceneFail_Memory(s->reader->error);
        return false;
    }
    bool dynamic = strcmp(s->token.text, "DynamicRefMember") == 0;
    if (!ReadBlock(s, block)) return false;
    if (dynamic) return AddFreeLink(s, system, block, place);
    const double *p = block->position, *q = block->quat;
    system->position = hwMakeVec3(p[0], p[1], p[2]);
    if (Has(block, "Orientation_Quat"))
        system->rpy = hwRpyFromQuat(hwNormalizeQuat((hwQuat){q[3], q[0], q[1], q[2]}));
    return true;
}

static bool ReadSystem(Scanner* s, hwDmSystem* system, const Token* label) {
    Place place = {.parent = "base"};
    bool referred = false;
    if (!Open(s, label)) return false;
    while (s->token.kind != TOKEN_CLOSE) {
        Token inner = s->token;
        if (inner.kind == TOKEN_END) return FailEnd(s, label);
        if (strcmp(inner.text, "Name") == 0 && inner.kind == TOKEN_WORD) {
            Next(s);
            if (!ReadText(s, &system->name)) return false;
        } else if (strcmp(inner.text, "DynamicRefMember") == 0 ||
                   strcmp(inner.text, "StaticRefMember") == 0) {
            if (referred) return Fail(s, &inner, "`%s` is a second reference member", inner.text);
            referred = true;
            if (!ReadReference(s, system, &place)) return false;
        } else if (strcmp(inner.text, "Articulation") == 0) {
            if (!referred) return Fail(s, &inner, "`%s` stands before the reference member", inner.text);
            Next(s);
            if (!ReadTree(s, system, place, &inner, 0)) return false;
        } else {
            return Fail(s, &inner, "`%s` has no place in a system", inner.text);
        }
    }
    Next(s);
    if (!referred) return Fail(s, label, "`%s` has no reference member", label->text);
    return true;
}

static bool SkipBlock(Scanner* s, const Token* label) {
    if (!Open(s, label)) return false;
    for (int depth = 1; depth > 0; Next(s)) {
        if (s->token.kind == TOKEN_END) return FailEnd(s, label);
        depth += s->token.kind == TOKEN_OPEN ? 1 : (s->token.kind == TOKEN_CLOSE ? -1 : 0);
    }
    return true;
}

// Versions 3 and 4: the tree itself is the file's block, with the place of its reference system. In a closed articulation
// the tree stands in a block of its own, and joints that close loops follow.
static bool ReadArticulation(Scanner* s, hwDmSystem* system, const Token* label) {
    Place place = {.parent = "base"};
    if (!Open(s, label)) return false;
    while (s->token.kind != TOKEN_CLOSE) {
        Token inner = s->token;
        double position[3], q[4];
        if (inner.kind == TOKEN_END) return FailEnd(s, label);
        bool word = inner.kind == TOKEN_WORD;
        if (word && strcmp(inner.text, "Name") == 0) {
            Next(s);
            if (!ReadText(s, &system->name)) return false;
        } else if (word && strcmp(inner.text, "Position") == 0) {
            Next(s);
            if (!ReadNumbers(s, inner.text, 3, position)) return false;
            system->position = hwMakeVec3(position[0], position[1], position[2]);
        } else if (word && strcmp(inner.text, "Orientation_Quat") == 0) {
            Next(s);
            if (!ReadNumbers(s, inner.text, 4, q)) return false;
            system->rpy = hwRpyFromQuat(hwNormalizeQuat((hwQuat){q[3], q[0], q[1], q[2]}));
        } else if (word && strcmp(inner.text, "TreeStructure") == 0) {
            Next(s);
            if (!ReadTree(s, system, place, &inner, 0)) return false;
        } else if (word && strcmp(inner.text, "SecondaryJoints") == 0) {
            hwMech_Log(
                s->reader->log, s->reader->logContext, s->reader->input, inner.line,
                "`SecondaryJoints` are left out: mechanisms of a scene are trees, so the loops are open");
            Next(s);
            if (!SkipBlock(s, &inner)) return false;
        } else if (!ReadTreeItem(s, system, &place, 0)) {
            return false;
        }
    }
    Next(s);
    return true;
}

// The first line says which version it is.
static int ReadVersion(const hwDmReader* reader, const char* text, size_t size) {
    static const struct {
        const char* line;
        int major;
    } known[] = {{"# DynaMechs V 2.0.3 ascii", 2},
                 {"# DynaMechs V 2.1 ascii", 2},
                 {"# DynaMechs V 3.0 ascii", 3},
                 {"# DynaMechs V 4.0 ascii", 4}};
    size_t length = 0;
    while (length < size && text[length] != '\n' && text[length] != '\r') length++;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        size_t needed = strlen(known[i].line);
        if (length >= needed && strncmp(text, known[i].line, needed) == 0) return known[i].major;
    }
    if (length >= 11 && strncmp(text, "# DynaMechs", 11) == 0) {
        char line[80], quoted[80];
        snprintf(line, sizeof(line), "%.*s", (int)(length < 60 ? length : 60), text);
        hwMech_Fail(reader->error, reader->input, 1, 1,
                    "the first line is `%s`, but only V 2.0.3, 2.1, 3.0 and 4.0 can be read",
                    hwQuoteText(quoted, sizeof(quoted), line));
    } else {
        hwMech_Fail(
            reader->error, reader->input, 1, 1,
            "this is no DynaMechs model: its first line should be `# DynaMechs V 4.0 ascii`, or V 2.0.3, "
            "2.1, 3.0");
    }
    return 0;
}

// From version 3 on the file ends with its first block; what follows is not read.
static bool ReadArticulationFile(Scanner* s, hwDmSystem* system) {
    Token label = s->token;
    bool tree = strcmp(label.text, "Articulation") == 0 || strcmp(label.text, "ClosedArticulation") == 0;
    if (label.kind == TOKEN_END)
        return hwMech_Fail(s->reader->error, s->reader->input, label.line, 1,
                           "the file ends without an `Articulation`");
    if (label.kind != TOKEN_WORD || !tree)
        return Fail(s, &label, "an `Articulation` is expected here, not `%s`", label.text);
    Next(s);
    return ReadArticulation(s, system, &label);
}

static bool ReadSystemFile(Scanner* s, hwDmSystem* system) {
    bool found = false;
    while (s->token.kind != TOKEN_END) {
        Token label = s->token;
        if (label.kind != TOKEN_WORD)
            return Fail(s, &label, "a block is expected here, not `%s`", label.text);
        Next(s);
        if (strcmp(label.text, "Graphics_Models") == 0) {
            if (!SkipBlock(s, &label)) return false;
        } else if (strcmp(label.text, "System") == 0) {
            if (found) return Fail(s, &label, "`%s` stands here a second time", label.text);
            found = true;
            if (!ReadSystem(s, system, &label)) return false;
        } else {
            return Fail(s, &label, "`%s` is no block of a DynaMechs model", label.text);
        }
    }
    if (found) return true;
    return hwMech_Fail(s->reader->error, s->reader->input, s->token.line, 1,
                       "the file ends without a `System`");
}

bool hwDm_Parse(const hwDmReader* reader, const char* text, size_t size, hwDmSystem* system) {
    memset(system, 0, sizeof(*system));
    int version = ReadVersion(reader, text, size);
    if (version == 0) return false;
    Scanner s = {.reader = reader, .at = text, .end = text + size, .line = 1, .column = 1};
    Next(&s);
    if (!(version == 2 ? ReadSystemFile(&s, system) : ReadArticulationFile(&s, system))) return false;
    if (system->count == 0) return hwMech_Fail(reader->error, reader->input, 1, 1, "the system has no links");
    for (int i = 0; i < system->count; i++) system->wet = system->wet || system->links[i].wet;
    return true;
}

// Simulation and environment ---------------------------------------------------------------------------------------------

static bool ReadFileName(Scanner* s, const char** out, int* line) {
    *line = s->token.line;
    return ReadText(s, out);
}

bool hwDm_ParseConfig(const hwDmReader* reader, const char* text, size_t size, hwDmConfig* config) {
    Scanner s = {.reader = reader, .at = text, .end = text + size, .line = 1, .column = 1};
    const struct {
        const char* name;
        double* value;
    } numbers[] = {{"Ground_Planar_Spring_Constant", &config->ground.planarStiffness},
                   {"Ground_Normal_Spring_Constant", &config->ground.stiffness},
                   {"Ground_Planar_Damper_Constant", &config->ground.planarDamping},
                   {"Ground_Normal_Damper_Constant", &config->ground.damping},
                   {"Ground_Static_Friction_Coeff", &config->ground.friction},
                   {"Ground_Kinetic_Friction_Coeff", &config->ground.kineticFriction},
                   {"Fluid_Density", &config->density}};
    for (Next(&s); s.token.kind != TOKEN_END;) {
        Token label = s.token;
        double gravity[3], ignored;
        if (label.kind != TOKEN_WORD)
            return Fail(&s, &label, "a label is expected here, not `%s`", label.text);
        Next(&s);
        bool good = true, known = false;
        for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]) && !known; i++) {
            known = strcmp(label.text, numbers[i].name) == 0;
            if (known) good = ReadNumbers(&s, label.text, 1, numbers[i].value);
        }
        if (known) {
            // done
        } else if (strcmp(label.text, "Gravity_Vector") == 0) {
            good = ReadNumbers(&s, label.text, 3, gravity);
            if (good && (gravity[0] != 0.0 || gravity[1] != 0.0 || gravity[2] > 0.0)) {
                return Fail(&s, &label, "`%s` must point along -z: scenes have z up", label.text);
            }
            if (good) config->gravity = -gravity[2];
        } else if (strcmp(label.text, "Terrain_Data_Filename") == 0) {
            good = ReadFileName(&s, &config->terrain, &config->terrainLine);
        } else if (strcmp(label.text, "Environment_Parameter_File") == 0) {
            good = ReadFileName(&s, &config->environment, &config->environmentLine);
        } else if (strcmp(label.text, "Robot_Parameter_File") == 0) {
            if (config->robotCount == HW_DM_MAX_MODELS)
                return Fail(&s, &label, "`%s` is one model too many", label.text);
            good = ReadText(&s, &config->robots[config->robotCount++]);
        } else {
            hwMech_Log(reader->log, reader->logContext, reader->input, label.line,
                       "`%.40s` has no counterpart in a scene", label.text);
            while (good && (IsNumber(&s.token, &ignored) || s.token.kind == TOKEN_TEXT)) Next(&s);
        }
        if (!good) return false;
    }
    return true;
}
