// Replaces the built-in hydrodynamics of a body: here a parachute whose drag opens over two seconds.
#include "hawser/hawser.h"

#include <math.h>
#include <stdio.h>

typedef struct Parachute {
    double area;    // m2, fully open
    double opening; // s
} Parachute;

static void EvaluateParachute(const hwHydroInput* input, hwHydroOutput* output, void* context) {
    const Parachute* chute = context;
    hwHydro_Evaluate(input, output); // what the built-in model says: here buoyancy
    double open = fmin(1.0, input->time / chute->opening);
    hwVec3 v = {input->velocity[0], input->velocity[1], input->velocity[2]};
    double k = 0.5 * input->waterDensity * 1.3 * chute->area * open, speed = hwLength(v);
    for (int i = 0; i < 3; ++i) {
        output->wrench[i] -= k * speed * input->velocity[i];
        output->damping[i][i] += 2.0 * k * speed; // lets the solver take long steps
    }
    output->dissipation += k * speed * speed * speed;
}

int main(void) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    hwWorld_SetEnvironment(world, &sea, &error);

    Parachute chute = {.area = 2.0, .opening = 2.0};
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "lander";
    body.mass = 800.0;
    for (int i = 0; i < 3; ++i) body.inertia[i] = 200.0;
    body.position.z = -10.0;
    body.hydro.volume = 0.4;
    body.hydroFn = EvaluateParachute;
    body.hydroContext = &chute;
    hwBodyId lander = hwWorld_AddBody(world, &body, &error);

    double speed = 0.0;
    if (hwWorld_Prepare(world, &error) != HW_OK) return 1;
    for (int i = 0; i < 10; ++i) {
        if (hwWorld_Step(world, 1.0, &error) < HW_OK) return 1;
        hwBodyState state;
        hwBody_GetState(world, lander, &state, &error);
        speed = -state.velocity.z;
        printf("%2d s: sinking at %.3f m/s\n", i + 1, speed);
    }
    double terminal = sqrt((800.0 - 410.0) * 9.81 / (0.5 * 1025.0 * 1.3 * 2.0));
    hwDestroyWorld(world);
    return fabs(speed / terminal - 1.0) < 1e-3 ? 0 : 1;
}
