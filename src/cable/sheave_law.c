#include "cable/sheave_law.h"

#include "hawser/elementary.h"

#include <math.h>

#define STICK_TIME 1e-3 // s: damping over stiffness of the spring

void hwSheaveLaw_Rub(const hwSheaveLaw* law, const hwSheaveInput* in, hwSheaveOutput* out) {
    double t[2] = {hwFmax(in->tension[0], 0.0), hwFmax(in->tension[1], 0.0)};
    int low = t[0] <= t[1] ? 0 : 1;
    double grip = hwExpm1(law->friction * in->angle), w = in->rate, hd = in->hd, k = law->stick;
    hwVec3 load = hwAdd(hwScale(t[0], in->into[0]), hwScale(t[1], in->into[1]));
    double size = hwLength(load), limit = grip * t[low] + law->bearing * size;
    double most = limit / k;
    double z = hwClamp(in->base + hd * w, -most, most);
    double change =
        hd > 0.0 ? (z - in->base) / hd : (fabs(in->base) >= most && in->base * w >= 0.0 ? 0.0 : w);
    *out = (hwSheaveOutput){.z = hd > 0.0 ? z : in->base, .zdot = change};
    double force = k * (z + STICK_TIME * w), sign = force < 0.0 ? -1.0 : 1.0;
    out->elastic = 0.5 * k * z * z;
    out->storing = k * z * change;
    if (fabs(force) < limit) {
        out->stiffness = fabs(z) < most ? k : 0.0;
        out->damping = STICK_TIME * k;
    } else {
        force = sign * limit;
        out->lean[low] = sign * grip;
        for (int s = 0; s < 2 && size > 0.0; ++s) {
            out->lean[s] += sign * law->bearing * hwDot(load, in->into[s]) / size;
        }
    }
    out->force = force;
    out->dissipation = force * w - out->storing;
}
