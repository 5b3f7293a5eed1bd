// Links held at their length by a controller: the behavioural model of Brateau (2022), "Rigid tether modeling for
// underwater environment simulation".
//
// Link of rest length r and length l: relative error e = (l - r)/l, tension T = Kp e + Kd de/dt + Ki integral(e dt),
// pulling and pushing. The integral takes over what the others hold by being off, so that links come to their length
// whatever hangs on them. Friction f |u| u on each node, u its velocity through the water, whatever the direction.
//
// Energy. The proportional part alone has a potential, Kp (l - r - r ln(l/r)); the derivative part takes
// Kd (de/dt)^2 l^2/r; what the integral does depends on the past, and counts as work put in by the controller.
#include "cable/arrays.h"

// Past the last element the vector passes read on; nothing there may act.
static void CloseEnds(hwCableWork* work) {
    hwCableArrays* s = work->arrays;
    int elements = work->nodes - 1;
    for (int k = 0; k < HW_LANES; ++k) {
        work->tension[elements + k] = work->length[elements + k] = 0.0;
        s->lengthInverse[elements + k] = 1.0;
        s->tx[elements + k] = s->tx[elements - 1];
        s->ty[elements + k] = s->ty[elements - 1];
        s->tz[elements + k] = s->tz[elements - 1];
    }
    s->tx[-1] = s->tx[0];
    s->ty[-1] = s->ty[0];
    s->tz[-1] = s->tz[0];
}

void hwCablePid_Elements(hwCableWork* work, const hwCableInput* input) {
    hwCableArrays* s = work->arrays;
    const hwCablePid* pid = &work->model->pid;
    double hd = input->hd, hd2 = hd * hd;
    for (int e = 0; e < work->nodes - 1; ++e) {
        hwVec3 d = hwMakeVec3(s->px[e + 1] - s->px[e], s->py[e + 1] - s->py[e], s->pz[e + 1] - s->pz[e]);
        hwVec3 dv = hwMakeVec3(s->vx[e + 1] - s->vx[e], s->vy[e + 1] - s->vy[e], s->vz[e + 1] - s->vz[e]);
        double full = sqrt(hwDot(d, d) + 1e-30);
        hwVec3 t = hwScale(1.0 / full, d);
        double length = hwMax(full - s->relief[e], 1e-3 * s->rest[e]), inverse = 1.0 / length;
        double slope = s->rest[e] * inverse * inverse; // d error / d length
        double error = 1.0 - s->rest[e] * inverse;
        double rate = slope * hwDot(t, dv) - s->growth[e] * inverse;
        double integral = (input->integral != NULL ? input->integral[e] : 0.0) + input->integralStep * error;
        double tension = (pid->kp + input->penalty) * error + pid->kd * rate + pid->ki * integral;
        s->tx[e] = t.x;
        s->ty[e] = t.y;
        s->tz[e] = t.z;
        s->lengthInverse[e] = 1.0 / full;
        work->length[e] = full;
        work->tension[e] = tension;
        work->linkError[e] = error;
        work->linkRate[e] = rate;

        s->inertia[e] = s->mass[e];
        s->inertiaAlong[e] = 0.0;
        if (input->fluid != NULL) {
            double wet = input->waterDensity * (s->wetA[e] + s->wetB[e]);
            s->inertia[e] += wet * s->addedNormal[e];
            s->inertiaAlong[e] = wet * (s->addedTangential[e] - s->addedNormal[e]);
        }
        if (!input->matrix) continue;
        double spring = pid->kp + input->penalty + input->integralStep * pid->ki;
        double geometric = hd2 * hwMax(tension, 0.0) / full;
        s->iso[e] = geometric;
        s->along[e] = slope * (hd2 * spring + hd * pid->kd) - geometric;
    }
    CloseEnds(work);
}

// Coefficient of friction at a node, kg/m: that of the wet cable around it.
static double GetFriction(const hwCableWork* work, int i) {
    const hwCableArrays* s = work->arrays;
    const hwCablePid* pid = &work->model->pid;
    double before = i > 0 ? s->rest[i - 1] * s->wetB[i - 1] : 0.0;
    double after = i < work->nodes - 1 ? s->rest[i] * s->wetA[i] : 0.0;
    return (pid->friction + work->input.waterDensity * pid->width) * (before + after);
}

static hwVec3 GetFlow(const hwCableArrays* s, int i) {
    return hwMakeVec3(s->ux[i] - s->vx[i], s->uy[i] - s->vy[i], s->uz[i] - s->vz[i]);
}

void hwCablePid_AddFriction(hwCableWork* work) {
    const hwCableArrays* s = work->arrays;
    for (int i = 0; i < work->nodes; ++i) {
        double f = GetFriction(work, i);
        hwVec3 u = GetFlow(s, i);
        double speed = hwLength(u);
        work->force[i] = hwMulAdd(work->force[i], f * speed, u);
        if (!work->input.matrix) continue;
        double iso = work->input.hd * f * speed, rank = speed > 0.0 ? work->input.hd * f / speed : 0.0;
        hwCableBlock block = {iso + rank * u.x * u.x, rank * u.x * u.y, rank * u.x * u.z,
                              iso + rank * u.y * u.y, rank * u.y * u.z, iso + rank * u.z * u.z};
        hwCableWork_AddBlock(work, i, block);
    }
}

void hwCablePid_AddEnergy(const hwCableWork* work, int e, hwCableEnergy* energy) {
    const hwCableArrays* s = work->arrays;
    const hwCablePid* pid = &work->model->pid;
    double rest = s->rest[e], length = hwMax(work->length[e] - s->relief[e], 1e-3 * rest);
    double kept = pid->kp * work->linkError[e], damped = pid->kd * work->linkRate[e];
    // the rate of the error is (r dl/dt - l dr/dt) / l^2
    double stretching = (work->linkRate[e] * length + s->growth[e]) * length / rest;
    energy->stretch += pid->kp * (length - rest - rest * hwLog(length / rest));
    energy->damping += damped * work->linkRate[e] * length * length / rest;
    energy->control -= (work->tension[e] - kept - damped) * stretching;
    energy->payout -= s->growth[e] * (pid->kp * hwLog(length / rest) + damped * length / rest);
}

void hwCablePid_AddFrictionPower(const hwCableWork* work, hwCableEnergy* energy) {
    const hwCableArrays* s = work->arrays;
    for (int i = 0; i < work->nodes; ++i) {
        double f = GetFriction(work, i);
        hwVec3 u = GetFlow(s, i), fluid = hwMakeVec3(s->ux[i], s->uy[i], s->uz[i]);
        double speed = hwLength(u);
        energy->drag += f * speed * speed * speed;
        energy->fluid += f * speed * hwDot(u, fluid);
    }
}
