// A load on a wire in C++: built, stepped, saved, branched; and a scene from text with a mistake in it.
#include "hawser.hpp"

#include <cmath>
#include <cstdio>

int main() {
    hawser::World world = hawser::World::create().value();
    hwBodyDef load = hwDefaultBodyDef();
    load.name = "load";
    load.mass = 500.0;
    load.inertia[0] = load.inertia[1] = load.inertia[2] = 50.0;
    load.position = hwMakeVec3(0.0, 0.0, -10.0);
    hwCableSectionDef steel = hwDefaultCableSectionDef();
    steel.length = 10.0;
    steel.elements = 10;
    steel.diameter = 0.02;
    steel.massPerLength = 1.6;
    steel.EA = 2e7;
    steel.axialDamping = 5e4;
    hwCableDef wire = hwDefaultCableDef();
    wire.name = "wire";
    wire.sectionCount = 1;
    wire.sections = &steel;
    wire.ends[0].joint = wire.ends[1].joint = HW_ATTACH_PIN;
    wire.ends[1].body = world.add(load).value();
    world.add(wire).value();
    world.prepare().check();

    hawser::Channel tension = world.channel("wire.a.tension");
    for (int i = 0; i < 600; ++i) world.step(1.0 / 60.0).check();
    std::printf("after %g s: %.0f %s\n", world.time(), tension.read(), tension.unit());
    double weight = (500.0 + 16.0) * 9.81;
    if (std::fabs(tension.read() - weight) > 1e-3 * weight) return 1; // at rest by then

    // another future from here
    hawser::World pulled = world.branch().value();
    pulled.set("load.force.x", 1000.0).check();
    pulled.step(1.0).check();
    hawser::State state = world.save().value();
    double saved = world.time();
    world.step(1.0).check();
    if (!(pulled["load.position.x"] > world["load.position.x"] + 0.1)) return 2;
    world.restore(state).check();
    if (world.time() != saved) return 3;
    hawser::World moved = std::move(world);
    if (world || !moved) return 4;

    // mistakes come back as values
    if (moved.set("load.farce.x", 1.0)) return 5;
    if (moved.step(-1.0)) return 6;
    auto scene = hawser::Scene::parse("hawser: 1\nduration: 1\nbodies:\n  - {name: stone, mass: -2, inertia: [1, 1, 1]}\n");
    if (scene || scene.status().error().line != 4) return 7;
    std::printf("refused: %s\n", scene.message().c_str());
    return 0;
}
