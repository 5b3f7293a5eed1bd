// A rope that stiffens as it is stretched, in a side wind of its own: laws of tension and of nodal forces by the caller.
#include "hawser/hawser.h"

#include <math.h>
#include <stdio.h>

// Polyester, roughly: EA (e + 15 e^2), no compression.
static void Polyester(const hwTensionInput* in, hwTensionOutput* out, void* context) {
    (void)context;
    if (in->strain <= 0.0) return;
    out->tension = in->EA * in->strain * (1.0 + 15.0 * in->strain) + in->damping * in->rate;
    out->stiffness = in->EA * (1.0 + 30.0 * in->strain);
    out->damping = in->damping;
}

// A wind of 20 m/s along y that pushes each node in proportion to the difference of speeds.
static void Wind(const hwCableForceInput* in, hwCableForceOutput* out, void* context) {
    double c = *(const double*)context;
    for (int i = 0; i < in->nodeCount; ++i) {
        out->forces[i] = hwScale(c, hwSub(hwMakeVec3(0.0, 20.0, 0.0), in->velocities[i]));
        out->damping[i][0] = out->damping[i][3] = out->damping[i][5] = c; // xx, yy, zz
    }
}

int main(void) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "load";
    body.mass = 1000.0;
    for (int i = 0; i < 3; ++i) body.inertia[i] = 100.0;
    body.position.z = -20.0;
    hwBodyId load = hwWorld_AddBody(world, &body, &error);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 20.0;
    section.elements = 10;
    section.diameter = 0.04;
    section.massPerLength = 1.0;
    section.EA = 1e5;
    section.axialDamping = 2e4;
    hwCableDef rope = hwDefaultCableDef();
    rope.name = "rope";
    rope.sectionCount = 1;
    rope.sections = &section;
    rope.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN};
    rope.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .body = load};
    rope.tension = Polyester;
    hwCableId id = hwWorld_AddCable(world, &rope, &error);
    double drag = 0.5; // N s/m for each node
    hwCableForceDef wind = hwDefaultCableForceDef();
    wind.cable = id;
    wind.function = Wind;
    wind.functionContext = &drag;
    hwWorld_AddCableForce(world, &wind, &error);
    if (hwWorld_Prepare(world, &error) != HW_OK) return 1;
    if (hwWorld_Step(world, 60.0, &error) < HW_OK) return 1;

    hwCableView view;
    hwBodyState state;
    hwCable_GetView(world, id, &view, &error);
    hwBody_GetState(world, load, &state, &error);
    double tension = view.tensions[view.elementCount - 1];
    double strain = view.lengths[view.elementCount - 1] / 2.0 - 1.0,
           law = 1e5 * strain * (1.0 + 15.0 * strain);
    printf(
        "the rope is %.2f m long under %.0f N (its law says %.0f N) and the load hangs %.2f m to leeward\n",
        hwLength(state.position), tension, law, state.position.y);
    hwDestroyWorld(world);
    // its damping adds a little while the load swings
    return fabs(tension - law) < 0.02 * law && state.position.y > 0.05 && hwLength(state.position) > 20.8 ? 0
                                                                                                          : 1;
}
