// Tension by a law of the caller's own instead of EA e + c de/dt.
//
// It replaces the tension of each element after the vector pass, and the axial part of the matrix with it; what keeps
// folded elements apart stays. The energy stored counts as that of EA, and the work of the difference as dissipated, so that
// the balance closes whatever the law does.
#include "cable/arrays.h"

void hwCableLaw_Apply(hwCableWork* work, const hwCableInput* input) {
    hwCableArrays* s = work->arrays;
    const hwCableLaw* law = &work->model->law;
    double hd = input->hd, hd2 = hd * hd, scale = work->model->axialScale;
    for (int e = 0; e < work->nodes - 1; ++e) {
        hwVec3 dv = hwMakeVec3(s->vx[e + 1] - s->vx[e], s->vy[e + 1] - s->vy[e], s->vz[e + 1] - s->vz[e]);
        double inverse = s->restInverse[e], stretch = (work->length[e] - s->relief[e]) * inverse;
        double rate = (hwDot(hwTangent(s, e), dv) - stretch * s->growth[e]) * inverse;
        double stiffness = s->stiffness[e], damping = s->damping[e];
        double u = stiffness * (stretch - 1.0) + damping * rate, part = u > 0.0 ? 1.0 : s->compression[e];
        hwTensionInput in = {stretch - 1.0, rate, stiffness / scale, damping};
        hwTensionOutput out = {0.0, 0.0, 0.0};
        law->function(&in, &out, law->context);
        work->tension[e] += scale * out.tension - part * u;
        if (!input->matrix) continue;
        double spring = hwMax(stiffness - damping * s->growth[e] * inverse, 0.0);
        double built = part * (hd2 * spring + hd * damping) * inverse;
        double own = hwMax(hd2 * scale * out.stiffness + hd * out.damping, 0.0) * inverse;
        double axial = s->along[e] + s->iso[e] - built + own;
        s->iso[e] = hd2 * hwMax(work->tension[e], 0.0) * s->lengthInverse[e];
        s->along[e] = axial - s->iso[e];
    }
}
