#include "bench/tether_mujoco.h"

#include "bench/mujoco.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAS_MUJOCO
// Capsules from node to node of the tether at rest: each its length of tether with the water that moves with it, on ball
// joints with the stiffness EI/l. The last one is tied to a body that is moved by hand. Weight and buoyancy cancel.
static int WriteModel(char* text, int room, int elements, const hwVec3* nodes, double step) {
    hwVec3 end = nodes[elements];
    double length = HW_TETHER_LENGTH / elements, radius = 0.5 * HW_TETHER_DIAMETER;
    double mass =
        2.0 * 1025.0 * HW_PI * radius * radius * length; // added mass of one times the water displaced
    double inertia = mass * length * length / 12.0;
    size_t size = (size_t)room;
    int used = snprintf(
        text, size,
        "<mujoco><option timestep=\"%.9g\" gravity=\"0 0 0\" integrator=\"Euler\" jacobian=\"sparse\"/>"
        "<size njmax=\"500\" nconmax=\"10\"/><default><geom contype=\"0\" conaffinity=\"0\"/></default>"
        "<worldbody><body name=\"hand\" mocap=\"true\" pos=\"%.9g %.9g %.9g\"/>",
        step, end.x, end.y, end.z);
    for (int i = 0; i < elements; ++i) {
        hwVec3 at = i == 0 ? nodes[0] : hwSub(nodes[i], nodes[i - 1]), to = hwSub(nodes[i + 1], nodes[i]);
        double stiffness = i == 0 ? 0.0 : HW_TETHER_EI / length;
        used += snprintf(text + used, size - (size_t)used,
                         "<body name=\"b%d\" pos=\"%.9g %.9g %.9g\"><joint type=\"ball\" stiffness=\"%.9g\"/>"
                         "<inertial pos=\"%.9g %.9g %.9g\" mass=\"%.9g\" diaginertia=\"%.9g %.9g %.9g\"/>"
                         "<geom type=\"capsule\" size=\"%.9g\" fromto=\"0 0 0 %.9g %.9g %.9g\"/>",
                         i, at.x, at.y, at.z, stiffness, 0.5 * to.x, 0.5 * to.y, 0.5 * to.z, mass, inertia,
                         inertia, inertia, radius, to.x, to.y, to.z);
    }
    for (int i = 0; i < elements; ++i) used += snprintf(text + used, size - (size_t)used, "</body>");
    hwVec3 tip = hwSub(nodes[elements], nodes[elements - 1]);
    used += snprintf(text + used, size - (size_t)used,
                     "</worldbody><equality><connect body1=\"b%d\" body2=\"hand\" anchor=\"%.9g %.9g %.9g\"/>"
                     "</equality></mujoco>",
                     elements - 1, tip.x, tip.y, tip.z);
    return used;
}

static mjModel* LoadModel(const hwMujoco* m, int elements, const hwVec3* nodes, double step) {
    const int room = 1 << 18;
    char* text = malloc((size_t)room);
    int used = WriteModel(text, room, elements, nodes, step);
    mjModel* model = hwMujoco_Load(m, text, used);
    free(text);
    return model;
}

// Morison's drag on each capsule at its middle.
static void ApplyDrag(const mjModel* model, mjData* data, int elements) {
    double length = HW_TETHER_LENGTH / elements;
    double across = 0.5 * 1025.0 * HW_TETHER_DRAG * HW_TETHER_DIAMETER * length;
    double along = 0.5 * 1025.0 * HW_TETHER_FRICTION * HW_PI * HW_TETHER_DIAMETER * length;
    for (int i = 0; i < elements; ++i) {
        int body = model->nbody - elements + i;
        const double* R = data->xmat + 9 * body;
        const double* axis = model->body_ipos + 3 * body;
        hwVec3 local = hwNormalize(hwMakeVec3(axis[0], axis[1], axis[2]));
        hwVec3 t = hwMakeVec3(R[0] * local.x + R[1] * local.y + R[2] * local.z,
                              R[3] * local.x + R[4] * local.y + R[5] * local.z,
                              R[6] * local.x + R[7] * local.y + R[8] * local.z);
        // velocities are about the centre of mass of the whole tree, rotation first
        const double* v = data->cvel + 6 * body;
        const double* c = data->subtree_com + 3 * model->body_rootid[body];
        const double* p = data->xipos + 3 * body;
        hwVec3 rate = hwMakeVec3(v[0], v[1], v[2]), arm = hwMakeVec3(p[0] - c[0], p[1] - c[1], p[2] - c[2]);
        hwVec3 flow = hwSub(hwMakeVec3(HW_TETHER_CURRENT, 0.0, 0.0),
                            hwAdd(hwMakeVec3(v[3], v[4], v[5]), hwCross(rate, arm)));
        double slide = hwDot(flow, t);
        hwVec3 normal = hwMulAdd(flow, -slide, t);
        hwVec3 force =
            hwAdd(hwScale(across * hwLength(normal), normal), hwScale(along * fabs(slide) * slide, t));
        double* applied = data->xfrc_applied + 6 * body;
        applied[0] = force.x;
        applied[1] = force.y;
        applied[2] = force.z;
    }
}

bool hwMujoco_RunTether(int elements, double time, double step, hwRigRecord* record, double* seconds) {
    hwMujoco m;
    hwCableView view;
    if (!hwMujoco_Open(&m)) return false;
    hwWorld* world = hwRig_MakeTether(elements, (hwRigSolver){0.0, 0.0}, NULL);
    if (world == NULL) return false;
    mjModel* model = NULL;
    if (hwCable_GetView(world, hwWorld_FindCable(world, "cable"), &view, NULL) == HW_OK)
        model = LoadModel(&m, elements, view.positions, step);
    hwDestroyWorld(world);
    if (model == NULL) return false;
    mjData* data = m.makeData(model);
    record->count = 0;
    int steps = (int)lround(time / step);
    double start = hwRig_GetTime();
    for (int i = 0; i < steps; ++i) {
        hwVec3 end = hwRig_GetTetherEnd(i * step).value;
        data->mocap_pos[0] = end.x;
        data->mocap_pos[1] = end.y;
        data->mocap_pos[2] = end.z;
        m.step1(model, data);
        ApplyDrag(model, data, elements);
        m.step2(model, data);
        const double* f = data->efc_force;
        double force = data->nefc >= 3 ? sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]) : HUGE_VAL;
        hwRigRecord_Add(record, i * step, force);
        if (!(force < 1e4)) break; // it has gone unstable
    }
    *seconds = hwRig_GetTime() - start;
    m.deleteData(data);
    m.deleteModel(model);
    return true;
}
#else
bool hwMujoco_RunTether(int elements, double time, double step, hwRigRecord* record, double* seconds) {
    (void)elements, (void)time, (void)step, (void)record, (void)seconds;
    return false;
}
#endif
