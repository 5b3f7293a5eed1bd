// Mechanisms, cables, winches, vehicles, and references between objects: read whole, and refused where they do not fit.
#define _POSIX_C_SOURCE 200809L
#include "scene_text.h"

#define HEAD "hawser: 1\nduration: 1\n"

// The machines of the example in the description of the format.
static void ExampleMachines(void** state) {
    (void)state;
    hwScene* scene = Take(
        HEAD
        "materials: {steel: {young: 200e9, friction: 0.3}}\n"
        "contact: {ignore: [[wire, payload], [crane.slew, seabed]]}\n"
        "bodies: [{name: payload, mass: 7800, inertia: [500, 500, 500]}]\n"
        "mechanisms:\n"
        "  - name: crane\n"
        "    base: {on: earth, position: [0, 0, 1], attitude: {rpy_deg: [0, 0, 0]}}\n"
        "    links:\n"
        "      - name: slew\n"
        "        parent: base\n"
        "        joint: revolute\n"
        "        dh: {alpha_deg: 90, a: -0.65, d: 1.4, theta_deg: 0}\n"
        "        mass: 682.97\n"
        "        com: [-0.35, 0.7, 0]\n"
        "        inertia: [139.44, 139.44, 55.776]\n"
        "        q_deg: 45\n"
        "        qd: 0\n"
        "        limits: {range_deg: [-45, 90], stiffness: 1e7, damping: 1e7}\n"
        "        control: {mode: position, target_deg: 0, kp: 1e9, ki: 1, kd: 1e8, power: 5e5}\n"
        "        friction: 0.0\n"
        "        hydro: {volume: 0.1, added_mass: [1, 1, 1, 0, 0, 0], drag: {linear: [1, 1, 1, 1, 1, 1]}}\n"
        "      - {name: boom, parent: slew, joint: prismatic, mdh: {a: 1}, mass: 10, inertia: [1, 1, 1], q: "
        "2, "
        "control: {mode: effort, effort: 100}}\n"
        "cables:\n"
        "  - name: wire\n"
        "    model: dynamic\n"
        "    sections:\n"
        "      - {length: 14.6, elements: 20, diameter: 0.024, density: 500, EA: 4e6, EI: 0, GJ: 0,\n"
        "         damping: {axial: 1e3, bending: 0, torsion: 0}, drag: {normal: 1.2, tangential: 0.01},\n"
        "         added_mass: {normal: 1.0, tangential: 0.0}, compression: 0, break: .inf, material: steel}\n"
        "    ends:\n"
        "      a: {on: crane.boom, at: [0, 0, 0.5], joint: pin}\n"
        "      b: {on: payload, at: [0, 0, 1], joint: clamp, p1: [1, 0, 0], p2: [0, 1, 0]}\n"
        "    shape: straight\n"
        "    masses: [{at: 12.0, mass: 3.0, diameter: 0.1}]\n"
        "winches:\n"
        "  - {name: winch, cable: wire, end: a, mode: velocity, setpoint: 0.1,\n"
        "     kp: 0.1, ki: 1e-4, kd: 0.01, acceleration: 3, deceleration: -3, drum: {inertia: 0, radius: "
        "0.5, brake: 0}}\n"
        "vehicles:\n"
        "  - {name: rov, model: bluerov2_heavy, position: [0, 0, -2], attitude: {rpy_deg: [0, 0, 0]}, armed: "
        "true, mode: "
        "depth_hold}\n"
        "forces:\n"
        "  - {on: payload, at: [0, 0, 0], force: {sine: {amplitude: [0, 0, 250], period: 5}}}\n"
        "  - {on: wire, at: 12.0, force: {constant: [0, 0, -10]}}\n"
        "events:\n"
        "  - {at: 10.0, set: {winch.setpoint: 0.0}}\n"
        "  - {at: 11.0, detach: wire.b}\n"
        "  - {at: 11.5, attach: {end: wire.b, on: payload, at: [0, 0, 1], joint: pin}}\n"
        "  - {at: 11.7, cut: {cable: wire, at: 12.0}, fail: rov.thruster[2]}\n"
        "  - {at: 12.0, set: {rov.pilot.surge: 0.5, rov.pilot.yaw: -0.2, rov.armed: false, rov.mode: "
        "manual}}\n"
        "record: [wire.a.tension, payload.position.z]\n");
    const hwSceneModel* model = &scene->model;
    const hwSceneMaterial* steel = HW_ITEM(model->materials, hwSceneMaterial, 0);
    assert_true(strcmp(steel->name, "steel") == 0 && steel->friction.staticValue == 0.3 &&
                steel->friction.kinetic == 0.3);
    const hwSceneMechanism* crane = HW_ITEM(model->mechanisms, hwSceneMechanism, 0);
    const hwSceneLink* slew = HW_ITEM(crane->links, hwSceneLink, 0);
    const hwSceneLink* boom = HW_ITEM(crane->links, hwSceneLink, 1);
    assert_true(slew->parentIndex == -1 && boom->parentIndex == 0 && crane->base.position.z == 1.0);
    assert_true(fabs(slew->dh.alpha - 0.5 * HW_PI) < 1e-15 && slew->dh.a == -0.65);
    assert_true(fabs(slew->q.values[0] - 0.25 * HW_PI) < 1e-15 && slew->control.power == 5e5);
    assert_true(fabs(slew->limits.range.values[0] + 0.25 * HW_PI) < 1e-15 && slew->hydro.def.volume == 0.1);
    assert_true(boom->mdh.a == 1.0 && boom->q.values[0] == 2.0 && isinf(boom->control.power));
    const hwSceneCable* wire = HW_ITEM(model->cables, hwSceneCable, 0);
    const hwSceneCableSection* section = HW_ITEM(wire->sections, hwSceneCableSection, 0);
    assert_true(section->EA == 4e6 && section->elements == 20 && isinf(section->breakLoad) &&
                section->damping.axial == 1e3);
    assert_true(wire->ends.b.joint == HW_ATTACH_CLAMP && wire->ends.b.p2.y == 1.0);
    assert_true(hwSignal_Evaluate(&wire->ends.a.at.point, 0.0).value.z == 0.5);
    const hwSceneWinch* winch = HW_ITEM(model->winches, hwSceneWinch, 0);
    assert_true(winch->deceleration == -3.0 && hwSignal_Evaluate(&winch->setpoint, 0.0).value.x == 0.1);
    const hwSceneVehicle* rov = HW_ITEM(model->vehicles, hwSceneVehicle, 0);
    assert_true(rov->armed && rov->mode == 2);
    assert_true(HW_ITEM(model->forces, hwSceneForce, 0)->body == 0 &&
                HW_ITEM(model->forces, hwSceneForce, 1)->at.arc == 12.0);
    const hwSceneEvent* last = HW_ITEM(model->events, hwSceneEvent, 4);
    assert_int_equal(last->setCount, 4);
    assert_true(last->sets[1].value == -0.2 && last->sets[2].value == 0.0);
    assert_string_equal(last->sets[3].word, "manual");
    hwDestroyScene(scene);
}

static void MechanismMistakes(void** state) {
    (void)state;
#define LINK(text)                                                                                           \
    HEAD                                                                                                     \
        "mechanisms:\n  - {name: m, base: {on: earth}, links: [{name: a, mass: 1, inertia: [1, 1, 1], " text \
        "}]}\n"
    RefuseAt(LINK("parent: b, joint: revolute"), 4, 0, "there is no link `b`");
    RefuseAt(LINK("parent: a, joint: revolute"), 4, 0, "`a` is its own ancestor");
    RefuseAt(LINK("parent: base, joint: prismatic, q_deg: 5"), 4, 0, "`q_deg` cannot be degrees");
    RefuseAt(LINK("parent: base, joint: prismatic, limits: {range_deg: [0, 1]}"), 4, 0,
             "`range_deg` cannot be degrees");
    RefuseAt(LINK("parent: base, joint: revolute, q: [1, 2, 3]"), 4, 0,
             "`q` has 3 numbers, but this joint takes 1");
    RefuseAt(LINK("parent: base, joint: ball, dh: {a: 1}"), 4, 0, "`dh` makes sense only for");
    RefuseAt(LINK("parent: base, joint: ball, limits: {range: [0, 1]}"), 4, 0,
             "`limits` of a ball joint needs `swing`");
    RefuseAt(LINK("parent: base, joint: revolute, limits: {swing: [1, 1, 1]}"), 4, 0,
             "`limits` of a revolute or prismatic joint needs `range`");
    RefuseAt(LINK("parent: base, joint: free, limits: {range: [0, 1]}"), 4, 0,
             "`limits` makes sense only for");
    RefuseAt(LINK("parent: base, joint: fixed, control: {mode: passive}"), 4, 0,
             "`control` makes sense only for");
    RefuseAt(LINK("parent: base, joint: ball, control: {mode: position, target: 1}"), 4, 0,
             "`target` makes sense only for revolute and prismatic joints");
    RefuseAt(LINK("parent: base, joint: revolute, control: {mode: position, targets: [1, 0, 0]}"), 4, 0,
             "`targets` makes sense only for ball joints");
    RefuseAt(LINK("parent: base, joint: revolute, actuator: motor, feet: {points: []}"), 4, 0,
             "`points` must be a list");
    RefuseAt(LINK("parent: base, joint: revolute, feet: {points: [[0, 0, 0]], friction: 0.1, "
                  "kinetic_friction: 0.2}"),
             4, 0, "must be at most `friction`");
    RefuseAt(LINK("parent: base, joint: fixed, q: 1"), 4, 0, "makes no sense with a fixed joint");
    RefuseAt(LINK("parent: base, joint: revolute, limits: {range: [1, 0]}"), 4, 0,
             "from the lesser to the greater");
    RefuseAt(LINK("parent: base, joint: revolute, frame: {axis: [0, 0, 0]}"), 4, 0,
             "`axis` of a frame must not be zero");
    RefuseAt(HEAD "mechanisms: [{name: m, base: {on: ship}, links: [{name: a, parent: base, joint: fixed, "
                  "mass: 1, inertia: [1, 1, 1]}]}]\n",
             3, 35, "there is no body or vehicle `ship`");
    RefuseAt(HEAD "mechanisms: [{name: m, base: {on: earth}, links: []}]\n", 3, 50, "at least one link");
    RefuseAt(HEAD "mechanisms: [{name: m, base: {on: earth}, links: [{name: a, parent: b, joint: fixed, "
                  "mass: 1, inertia: [1, 1, 1]}, "
                  "{name: b, parent: a, joint: fixed, mass: 1, inertia: [1, 1, 1]}]}]\n",
             3, 0, "its own ancestor");
}

static void CableMistakes(void** state) {
    (void)state;
#define CABLE(section, ends) HEAD "cables:\n  - {name: w, sections: [" section "], ends: {" ends "}}\n"
#define GOOD "{length: 1, diameter: 0.1, density: 1, EA: 1}"
    RefuseAt(CABLE("{length: 1, density: 1, EA: 1}", "a: {on: earth}, b: {joint: free}"), 4, 0,
             "needs `diameter`");
    RefuseAt(CABLE("{length: 1, diameter: 1, EA: 1}", "a: {on: earth}, b: {joint: free}"), 4, 0,
             "needs `density`");
    RefuseAt(CABLE("{length: 1, diameter: 1, density: 1, mass_per_length: 1, EA: 1}",
                   "a: {on: earth}, b: {joint: free}"),
             4, 0, "either `density` or `mass_per_length`");
    hwDestroyScene(Take(CABLE("{length: 1, type: wire_rope_24}", "a: {on: earth}, b: {joint: free}")));
    RefuseAt(CABLE("", "a: {on: earth}, b: {joint: free}"), 4, 0, "at least one section");
    RefuseAt(CABLE(GOOD, "a: {on: earth}"), 4, 0, "`ends` needs `b`");
    RefuseAt(CABLE(GOOD, "a: {on: earth}, b: {at: [0, 0, 0]}"), 4, 0, "an end needs `on`");
    RefuseAt(CABLE(GOOD, "a: {on: eart}, b: {joint: free}"), 4, 0,
             "there is no body, link or vehicle `eart`");
    RefuseAt(CABLE(GOOD, "a: {on: earth, at: 5}, b: {joint: free}"), 4, 0, "must be a point");
    RefuseAt(CABLE(GOOD, "a: {on: earth, at: tether}, b: {joint: free}"), 4, 0,
             "names a point, which only vehicles have");
    RefuseAt(CABLE(GOOD, "a: {on: earth, joint: clamp, p1: [1, 0, 0], p2: [2, 0, 0]}, b: {joint: free}"), 4,
             0, "not parallel");
    RefuseAt(CABLE(GOOD, "a: {on: earth, p1: [1, 0, 0]}, b: {joint: free}"), 4, 0,
             "makes sense only with `joint: clamp`");
    RefuseAt(CABLE("{length: 1, diameter: 0.1, density: 1, EA: 1, element_length: {min: 2, max: 3}}",
                   "a: {on: earth}, b: {joint: free}"),
             4, 0, "at least twice `min`");
    RefuseAt(HEAD "winches: [{name: w, cable: x}]\n", 3, 28, "there is no cable `x`");
}

static void NamesMustBeUniqueAndFree(void** state) {
    (void)state;
    RefuseAt(
        HEAD
        "bodies:\n  - {name: a, motion: fixed}\n  - {name: b, motion: fixed}\n  - {name: a, motion: fixed}\n",
        6, 5, "the name `a` is already taken by the body in line 4");
    RefuseAt(HEAD "bodies: [{name: a, motion: fixed}]\nvehicles: [{name: a, model: x}]\n", 4, 12,
             "already taken by the body");
    RefuseAt(HEAD "bodies: [{name: earth, motion: fixed}]\n", 3, 10, "cannot have the name `earth`");
    RefuseAt(HEAD "bodies: [{name: a b, motion: fixed}]\n", 3, 17,
             "`name` must be a name of letters, digits, _ and -");
    RefuseAt(HEAD "bodies: [{name: a.b, motion: fixed}]\n", 3, 17, "not the text `a.b`");
}

static void ReferencesWithSuggestions(void** state) {
    (void)state;
#define PAYLOAD HEAD "bodies: [{name: payload, mass: 1, inertia: [1, 1, 1]}]\n"
    RefuseAt(PAYLOAD "forces: [{on: paylod, force: [0, 0, 1]}]\n", 4, 15,
             "`paylod` in this scene; did you mean `payload`?");
    RefuseAt(PAYLOAD "forces: [{on: payload}]\n", 4, 10, "a force needs one of `force`, `torque`");
    RefuseAt(PAYLOAD "forces: [{on: payload, at: 3, force: [0, 0, 1]}]\n", 4, 28,
             "must be a point [x, y, z]");
    RefuseAt(PAYLOAD
             "forces: [{on: payload, at: {sine: {amplitude: [1, 0, 0], period: 1}}, force: [0, 0, 1]}]\n",
             4, 28, "fixed point");
    RefuseAt(CABLE(GOOD, "a: {on: earth}, b: {joint: free}") "forces: [{on: w, at: 2, force: [0, 0, 1]}]\n",
             5, 22, "`at` of a force is 2 m, but the cable is 1 m long");
    hwDestroyScene(
        Take(CABLE(GOOD, "a: {on: earth}, b: {joint: free}") "forces: [{on: w, at: 2, force: [0, 0, 1]}]\n"
                                                             "winches: [{name: v, cable: w, end: b}]\n"));
    static const char format[] =
        HEAD "mechanisms:\n  - {name: g, base: {%s}, links: [{name: l, parent: base, "
             "joint: ball, mass: 1, inertia: [1, 1, 1]}]}\n"
             "forces: [{on: g.base, force: [0, 0, 1]}]\n";
    char text[400];
    snprintf(text, sizeof(text), format, "on: earth");
    RefuseAt(text, 5, 15, "the mechanism `g` has no link `base`");
    snprintf(text, sizeof(text), format, "free: {mass: 2, inertia: [1, 1, 1]}");
    hwScene* scene = Take(text);
    hwWorld* world = MakeWorld(scene);
    assert_true(fabs(Channel(world, "g.base.acceleration.z") + 9.81 - 1.0 / 3.0) < 1e-9);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    RefuseAt(PAYLOAD "contact: {ignore: [[payload, wire]]}\n", 4, 30, "there is no object `wire`");
    RefuseAt(PAYLOAD "events: [{at: 1, detach: payload}]\n", 4, 26, "no end of a cable");
    RefuseAt(PAYLOAD "events: [{at: 1, fail: payload.x}]\n", 4, 24, "no part of a vehicle");
    RefuseAt(PAYLOAD "events: [{at: 1}]\n", 4, 10, "an event needs one of");
    RefuseAt(PAYLOAD "events: [{at: 1, set: {}}]\n", 4, 23, "`set` must be");
    RefuseAt(PAYLOAD "events: [{at: 1, set: {x: .inf}}]\n", 4, 27, "`x` is set to .inf");
    RefuseAt(HEAD "bodies: [{name: a, motion: fixed, shapes: [{sphere: 1, material: stel}]}]\nmaterials: "
                  "{steel: {young: 1}}\n",
             3, 66, "did you mean `steel`?");
    RefuseAt(HEAD "materials: {a: {young: 1, friction: {static: 0.1, kinetic: 0.2}}}\n", 3, 60,
             "`kinetic` friction is 0.2");
    RefuseAt(HEAD "materials: {a b: {young: 1}}\n", 3, 13, "is no name");
}

static void MisspeltKeysWithSuggestions(void** state) {
    (void)state;
    RefuseAt(HEAD "bodies: [{name: a, mas: 1}]\n", 3, 20,
             "unknown key `mas` in a body; did you mean `mass`?");
    RefuseAt(HEAD "enviroment: {}\n", 3, 1,
             "unknown key `enviroment` in a scene; did you mean `environment`?");
    RefuseAt(HEAD "zzz: 1\n", 3, 1, "unknown key `zzz` in a scene, which may have hawser, name");
    RefuseAt(HEAD "solver: {mode: fast}\n", 3, 16,
             "`mode` is `fast`, but must be a word: realtime or reference");
    RefuseAt(HEAD "solver: {mode: referense}\n", 3, 16, "did you mean `reference`?");
    RefuseAt(HEAD "bodies: [{name: a, positoin: [0, 0, 0]}]\n", 3, 20, "did you mean `position`?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ExampleMachines),
        cmocka_unit_test(MechanismMistakes),
        cmocka_unit_test(CableMistakes),
        cmocka_unit_test(NamesMustBeUniqueAndFree),
        cmocka_unit_test(ReferencesWithSuggestions),
        cmocka_unit_test(MisspeltKeysWithSuggestions),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
