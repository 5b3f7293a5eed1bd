// A rod is a slender cylinder: its drag across acts strip by strip, that of its two ends (MoorDyn's CdEnd on the area of
// each) along it; its added mass across is spread over its length, along it that of a half sphere at each end.
#include "moordyn_rigid.h"

#include "scene_read.h"

#include <math.h>
#include <string.h>

static hwMoordynTensor MakeDiagonal(double x, double y, double z) {
    return (hwMoordynTensor){{{x, 0.0, 0.0}, {0.0, y, 0.0}, {0.0, 0.0, z}}};
}

static hwMoordynTensor AddMat(hwMoordynTensor a, double scale, hwMoordynTensor b) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) a.m[i][j] += scale * b.m[i][j];
    }
    return a;
}

static hwMoordynTensor Multiply(hwMoordynTensor a, hwMoordynTensor b) {
    hwMoordynTensor c = {0};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) c.m[i][j] += a.m[i][k] * b.m[k][j];
        }
    }
    return c;
}

static hwMoordynTensor MakeCross(hwVec3 r) {
    return (hwMoordynTensor){{{0.0, -r.z, r.y}, {r.z, 0.0, -r.x}, {-r.y, r.x, 0.0}}};
}

static hwMoordynTensor MakeOuter(hwVec3 q) {
    return (hwMoordynTensor){{{q.x * q.x, q.x * q.y, q.x * q.z},
                              {q.y * q.x, q.y * q.y, q.y * q.z},
                              {q.z * q.x, q.z * q.y, q.z * q.z}}};
}

// Kinetic energy of a mass tensor A that moves with the point r of the body: velocity v - [r] w.
static void AddTensor(double added[6][6], hwMoordynTensor A, hwVec3 r) {
    hwMoordynTensor cross = MakeCross(r);
    hwMoordynTensor coupling = Multiply(A, cross), turning = Multiply(cross, coupling);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            added[i][j] += A.m[i][j];
            added[i][j + 3] -= coupling.m[i][j];
            added[j + 3][i] -= coupling.m[i][j];
            added[i + 3][j + 3] -= turning.m[i][j];
        }
    }
}

static void AddMassPoint(hwMoordynRigid* rigid, double mass, hwVec3 r) {
    hwMoordynTensor cross = MakeCross(r);
    rigid->mass += mass;
    rigid->moment = hwMulAdd(rigid->moment, mass, r);
    rigid->inertia = AddMat(rigid->inertia, -mass, Multiply(cross, cross));
}

void hwMoordynRigid_AddRod(hwMoordynRigid* rigid, const hwMoordynRodType* type, hwVec3 a, hwVec3 b) {
    double length = hwDistance(a, b), radius = 0.5 * type->diameter, mass = type->mass * length;
    hwVec3 q = hwScale(1.0 / length, hwSub(b, a)), middle = hwScale(0.5, hwAdd(a, b));
    hwMoordynTensor along = MakeOuter(q), across = AddMat(MakeDiagonal(1.0, 1.0, 1.0), -1.0, along);
    double end = rigid->density * type->addedEnd * 2.0 / 3.0 * HW_PI * radius * radius * radius;
    hwMoordynTensor endTensor = AddMat((hwMoordynTensor){0}, end, along);
    hwMoordynTensor half = AddMat(
        (hwMoordynTensor){0}, 0.5 * rigid->density * type->added * HW_PI * radius * radius * length, across);
    // two points of Gauss integrate the squares of the lever arms exactly
    for (int i = 0; i < 2; i++) {
        hwVec3 place = hwMulAdd(middle, (i == 0 ? -0.5 : 0.5) * length / sqrt(3.0), q);
        AddMassPoint(rigid, 0.5 * mass, place);
        AddTensor(rigid->added, half, place);
    }
    // a solid cylinder has more than a slender one: m r^2/4 across, m r^2/2 along
    rigid->inertia = AddMat(rigid->inertia, 0.25 * mass * radius * radius, across);
    rigid->inertia = AddMat(rigid->inertia, 0.5 * mass * radius * radius, along);
    AddTensor(rigid->added, endTensor, a);
    AddTensor(rigid->added, endTensor, b);
}

void hwMoordynRigid_AddPoint(hwMoordynRigid* rigid, const hwMoordynPoint* point) {
    double added = rigid->density * point->volume * point->added;
    AddMassPoint(rigid, point->mass, point->position);
    AddTensor(rigid->added, MakeDiagonal(added, added, added), point->position);
    rigid->volume += point->volume;
    rigid->volumeMoment = hwMulAdd(rigid->volumeMoment, point->volume, point->position);
    for (int i = 0; i < 3; i++) rigid->quadratic[i] += 0.5 * rigid->density * point->dragArea;
}

bool hwMoordynRigid_AddBody(hwMoordynDeck* deck, hwMoordynRigid* rigid, int index) {
    const hwMoordynBody* body = &deck->bodies[index];
    AddMassPoint(rigid, body->mass, body->com);
    rigid->inertia =
        AddMat(rigid->inertia, 1.0, MakeDiagonal(body->inertia.x, body->inertia.y, body->inertia.z));
    rigid->volume += body->volume;
    rigid->volumeMoment = hwMulAdd(rigid->volumeMoment, body->volume, body->com); // as MoorDyn has it
    for (int i = 0; i < 3; i++) rigid->added[i][i] += rigid->density * body->volume * body->added[i];
    for (int i = 0; i < 6; i++) rigid->quadratic[i] += 0.5 * rigid->density * body->dragArea[i];
    for (int i = 0; i < deck->pointCount; i++) {
        const hwMoordynPoint* point = &deck->points[i];
        if (point->kind != HW_MOORDYN_ON_BODY || point->body != index) continue;
        hwMoordynRigid_AddPoint(rigid, point);
        if (point->dragArea > 0.0) {
            hwMoordyn_Warn(deck, point->line, 0, "the drag of point %d acts at the origin of body %d",
                           point->id, body->id);
        }
    }
    rigid->rods = HW_STORE_TAKE(&deck->store, const hwMoordynRod*, deck->rodCount);
    if (rigid->rods == NULL) return hwSceneFail_Memory(deck->error) == HW_OK;
    for (int i = 0; i < deck->rodCount; i++) {
        const hwMoordynRod* rod = &deck->rods[i];
        if (rod->kind != HW_MOORDYN_ON_BODY || rod->body != index || rod->segments == 0) continue;
        hwMoordynRigid_AddRod(rigid, &deck->rodTypes[rod->type], rod->ends[0], rod->ends[1]);
        rigid->rods[rigid->rodCount++] = rod;
    }
    return true;
}

void hwMoordynRigid_WriteMass(const hwMoordynRigid* rigid, FILE* file, const char* indent) {
    hwVec3 com = rigid->mass > 0.0 ? hwScale(1.0 / rigid->mass, rigid->moment) : hwVec3_zero;
    hwMoordynTensor cross = MakeCross(com);
    hwMoordynTensor inertia = AddMat(rigid->inertia, rigid->mass, Multiply(cross, cross));
    // rotation needs an inertia, however small
    double least = hwFmax(1e-6 * rigid->mass, 1e-9);
    for (int i = 0; i < 3; i++) inertia.m[i][i] = hwFmax(inertia.m[i][i], least);
    fprintf(file, "%smass: %.10g\n%scom: [%.10g, %.10g, %.10g]\n", indent, rigid->mass, indent, com.x, com.y,
            com.z);
    fprintf(file, "%sinertia: [%.10g, %.10g, %.10g, %.10g, %.10g, %.10g]\n", indent, inertia.m[0][0],
            inertia.m[1][1], inertia.m[2][2], inertia.m[0][1], inertia.m[0][2], inertia.m[1][2]);
}

static void WriteStrips(const hwMoordynDeck* deck, const hwMoordynRigid* rigid, FILE* file) {
    fprintf(file, ", strips: [");
    for (int i = 0; i < rigid->rodCount; i++) {
        const hwMoordynRod* rod = rigid->rods[i];
        const hwMoordynRodType* type = &deck->rodTypes[rod->type];
        double length = hwDistance(rod->ends[0], rod->ends[1]);
        // the drag of both ends, spread over the side of the cylinder
        double along = 0.5 * type->dragEnd * type->diameter / length;
        fprintf(file,
                "%s{from: [%.10g, %.10g, %.10g], to: [%.10g, %.10g, %.10g], diameter: %.10g, normal: %.10g, "
                "tangential: %.10g, count: %d}",
                i > 0 ? ", " : "", rod->ends[0].x, rod->ends[0].y, rod->ends[0].z, rod->ends[1].x,
                rod->ends[1].y, rod->ends[1].z, type->diameter, type->drag, along,
                rod->segments > 10 ? rod->segments : 10);
    }
    fprintf(file, "]");
}

void hwMoordynRigid_WriteWater(const hwMoordynDeck* deck, const hwMoordynRigid* rigid, FILE* file,
                               const char* indent) {
    if (rigid->rodCount == 0) {
        hwVec3 centre = rigid->volume > 0.0 ? hwScale(1.0 / rigid->volume, rigid->volumeMoment) : hwVec3_zero;
        fprintf(file, "%svolume: %.10g\n%sbuoyancy_center: [%.10g, %.10g, %.10g]\n", indent, rigid->volume,
                indent, centre.x, centre.y, centre.z);
    }
    fprintf(file, "%sadded_mass: [", indent);
    for (int i = 0; i < 6; i++) {
        fprintf(file, "%s[", i > 0 ? ", " : "");
        for (int j = 0; j < 6; j++) {
            double value = 0.5 * (rigid->added[i][j] + rigid->added[j][i]);
            fprintf(file, "%s%.10g", j > 0 ? ", " : "", value);
        }
        fprintf(file, "]");
    }
    fprintf(file, "]\n%sdrag: {quadratic: [%.10g, %.10g, %.10g, %.10g, %.10g, %.10g]", indent,
            rigid->quadratic[0], rigid->quadratic[1], rigid->quadratic[2], rigid->quadratic[3],
            rigid->quadratic[4], rigid->quadratic[5]);
    if (rigid->rodCount > 0) WriteStrips(deck, rigid, file);
    fprintf(file, "}\n");
}

// What displaces water beside rods is a sphere of its volume.
void hwMoordynRigid_WriteShapes(const hwMoordynDeck* deck, const hwMoordynRigid* rigid, FILE* file,
                                const char* indent) {
    if (rigid->rodCount == 0) return;
    fprintf(file, "%sshapes:\n", indent);
    if (rigid->volume > 0.0) {
        hwVec3 centre = hwScale(1.0 / rigid->volume, rigid->volumeMoment);
        fprintf(file, "%s  - {sphere: %.10g, position: [%.10g, %.10g, %.10g]}\n", indent,
                hwCbrt(0.75 * rigid->volume / HW_PI), centre.x, centre.y, centre.z);
    }
    for (int i = 0; i < rigid->rodCount; i++) {
        const hwMoordynRod* rod = rigid->rods[i];
        double length = hwDistance(rod->ends[0], rod->ends[1]);
        hwVec3 q = hwScale(1.0 / length, hwSub(rod->ends[1], rod->ends[0])),
               middle = hwScale(0.5, hwAdd(rod->ends[0], rod->ends[1]));
        // the least turn that brings z to q
        hwVec3 axis = hwMakeVec3(-q.y, q.x, 0.0);
        hwQuat turn = q.z < -1.0 + 1e-12 ? (hwQuat){0.0, 1.0, 0.0, 0.0}
                                         : hwNormalizeQuat((hwQuat){1.0 + q.z, axis.x, axis.y, 0.0});
        fprintf(
            file,
            "%s  - {cylinder: {diameter: %.10g, length: %.10g}, position: [%.10g, %.10g, %.10g], attitude: "
            "{quat: [%.10g, %.10g, %.10g, %.10g]}}\n",
            indent, deck->rodTypes[rod->type].diameter, length, middle.x, middle.y, middle.z, turn.w, turn.x,
            turn.y, turn.z);
    }
}
