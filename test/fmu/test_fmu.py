"""`hawser fmu`: archives as importers take them, the same bits as plain steps, states, hostile masters, two units on one cable."""
import ctypes
import math
import os
import subprocess
import sys
import tempfile
import unittest
from ctypes import byref, c_bool, c_double, c_int, c_size_t, c_uint, c_void_p

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fmi  # noqa: E402

sys.path.insert(0, os.environ["HAWSER_PACKAGE"])
import hawser  # noqa: E402

PROGRAM, SOURCE = os.environ["HAWSER_PROGRAM"], os.environ["HAWSER_SOURCE"]
LOAD = os.path.join(SOURCE, "scenes", "load_on_a_wire.yaml")


def make(folder, scene, version, *options, name="unit.fmu"):
    target = os.path.join(folder, f"{version}_{name}")
    subprocess.run([PROGRAM, "fmu", scene, "-o", target, "--fmi", str(version), *options], check=True, stdout=subprocess.DEVNULL)
    return fmi.Unit(target)


class Units(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.units = {version: make(cls.folder.name, LOAD, version, "--parameters", "bodies.load.mass") for version in (2, 3)}

    @classmethod
    def tearDownClass(cls):
        for unit in cls.units.values():
            unit.close()
        cls.folder.cleanup()

    def each(self):
        for version, unit in self.units.items():
            with self.subTest(version=version):
                yield unit

    def test_descriptions_keep_the_rules(self):
        for unit in self.each():
            self.assertEqual(unit.description.faults, [])
            self.assertEqual(unit.names[0], "modelDescription.xml")
            self.assertFalse([name for name in unit.names if "\\" in name or name.startswith("/")])
            self.assertEqual(unit.description.by_name["bodies.load.mass"].causality, "parameter")
            self.assertEqual(unit.description.by_name["load.position.z"].unit, "m")

    def test_parameters_have_units_and_modes_are_discrete(self):
        paths = {"bodies.load.mass": "kg", "cables.wire.sections.0.EA": "N", "environment.waves.jonswap.hs": "m",
                 "cables.wire.sections.0.mass_per_length": "kg/m", "environment.current.0": "m/s",
                 "cables.wire.ends.a.at.sine.phase_deg": "deg", "cables.wire.ends.a.at.sine.amplitude.2": "m"}
        scene = os.path.join(self.folder.name, "winch.yaml")
        with open(scene, "w") as file:
            file.write(open(LOAD).read() + "winches:\n  - {name: winch, cable: wire, end: b, mode: velocity}\n")
        for version in (2, 3):
            with self.subTest(version=version):
                unit = make(self.folder.name, scene, version, "--parameters", ",".join(paths), name="winch.fmu")
                self.assertEqual(unit.description.faults, [])
                by_name = unit.description.by_name
                self.assertEqual({path: by_name[path].unit for path in paths}, paths)
                # numbers of modes, switches and counts; all else is continuous
                for name, variability in (("winch.mode", "discrete"), ("load.contact.count", "discrete"), ("winch.setpoint", "continuous"),
                                          ("wire.a.tension", "continuous"), ("bodies.load.mass", "fixed")):
                    self.assertEqual(by_name[name].variability, variability, name)
                instance = unit.instantiate()
                instance.initialise()
                instance.put({"winch.mode": 1.0, "winch.setpoint": 0.1})
                instance.step(0.0, 0.1)
                instance.free()
                unit.close()

    def test_nodes_that_are_not_paid_out_are_where_the_cable_ends(self):
        scene = os.path.join(self.folder.name, "lower.yaml")
        with open(scene, "w") as file:
            file.write("""hawser: 1
duration: 10
environment: {water: {}}
bodies:
  - {name: load, mass: 500, position: [0, 0, -6], shapes: [{box: [0.5, 0.5, 0.5]}]}
cables:
  - name: wire
    sections: [{length: 6, elements: 6, diameter: 0.02, mass_per_length: 1.5, EA: 1e6}]
    ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: load}}
winches:
  - {name: winch, cable: wire, end: a, mode: velocity, setpoint: 1}
""")
        for version in (2, 3):
            with self.subTest(version=version):
                unit = make(self.folder.name, scene, version, "--outputs", "wire.node[*,wire.element[*", name="lower.fmu")
                outputs = [v.name for v in unit.description.variables if v.causality == "output"]
                instance = unit.instantiate()
                instance.initialise()
                lengths = []
                for k in range(30):
                    values = dict(zip(outputs, instance.get(*outputs)))
                    self.assertTrue(all(math.isfinite(value) for value in values.values()), [n for n, v in values.items() if not math.isfinite(v)][:3])
                    heights = [values[name] for name in outputs if name.startswith("wire.node[") and name.endswith("].position.z")]
                    # from end a down to end b, and there all that is still on the drum
                    end = min(heights)
                    paid = heights.index(end)
                    self.assertEqual(set(heights[paid:]), {end})
                    lengths.append(paid)
                    instance.step(k * 0.1, 0.1)
                self.assertGreater(lengths[-1], lengths[0])
                instance.free()
                unit.close()

    def test_all_functions_are_exported(self):
        for unit in self.each():
            self.assertEqual(unit.missing, [])
            self.assertEqual((len(fmi.FUNCTIONS_2), len(set(fmi.FUNCTIONS_3))), (44, 75))

    def test_the_library_needs_the_c_library_only(self):
        unit = self.units[2]
        path = os.path.join(unit.folder, "binaries", "linux64", unit.description.identifier + ".so")
        text = subprocess.run(["objdump", "-p", path], check=True, capture_output=True, text=True).stdout
        needed = {line.split()[1] for line in text.splitlines() if "NEEDED" in line}
        self.assertLessEqual(needed, {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"})

    def test_same_bits_as_the_same_steps_without_it(self):
        names = ["load.position.z", "wire.a.tension", "world.energy"]
        table = hawser.load(LOAD).run(2.0, 0.01, names)
        rows = [[time, *(float(table[name][k]) for name in names)] for k, time in enumerate(table.time.tolist())]
        for unit in self.each():
            instance = unit.instantiate()
            instance.initialise()
            got = [[0.0] + instance.get(*names)]
            for k in range(200):
                instance.step(k * 0.01, 0.01)
                got.append([(k + 1) / 100] + instance.get(*names))
            self.assertEqual(got, rows)
            instance.check("Terminate")
            instance.free()

    def test_a_start_time_of_the_masters_own(self):
        for unit in self.each():
            ends = []
            for start in (0.0, 1000.0):
                instance = unit.instantiate()
                instance.initialise(start)
                for k in range(10):
                    instance.step(start + k * 0.01, 0.01)
                ends.append(instance.get("load.position.z")[0])
                self.assertAlmostEqual(instance.get("time")[0], start + 0.1)
                instance.free()
            self.assertAlmostEqual(ends[0], ends[1], delta=1e-9)

    def test_states_save_restore_and_travel_bit_by_bit(self):
        names = ["load.position.x", "load.position.z", "wire.a.tension", "world.energy.balance"]
        for unit in self.each():
            one, two = unit.instantiate("one"), unit.instantiate("two")
            one.put({"bodies.load.mass": 4321.0})
            for instance in (one, two):
                instance.initialise()
            for k in range(20):
                one.step(k * 0.02, 0.02)
            one.put({"load.force.x": 500.0})
            state = one.save()
            data = one.serialise(state)
            before = one.get(*names)

            def go_on(instance):
                values = []
                for k in range(20, 40):
                    instance.step(k * 0.02, 0.02)
                    values.append(instance.get(*names))
                return values

            first = go_on(one)
            one.restore(state)
            self.assertEqual(one.get(*names), before)
            self.assertEqual(go_on(one), first)
            two.restore(two.deserialise(data))  # another instance, made with another mass
            self.assertEqual(two.get(*names, "load.force.x", "bodies.load.mass"), before + [500.0, 4321.0])
            self.assertEqual(go_on(two), first)
            damaged = [data[:k] + bytes([data[k] ^ 16]) + data[k + 1:] for k in (3, 44, 100, len(data) // 2, len(data) - 1)]
            for wrong in (data[:-1], data[:40], b"x" * len(data), b"", *damaged):
                with self.assertRaises(AssertionError):
                    two.deserialise(wrong)
            one.check(f"Free{one.state}", byref(state))
            one.free()
            two.free()

    def test_parameters_and_reset(self):
        for unit in self.each():
            pulls = []
            instance = unit.instantiate()
            for mass in (None, 9000.0, None):
                if mass is not None:
                    instance.put({"bodies.load.mass": mass})
                instance.initialise()
                for k in range(5):
                    instance.step(k * 0.1, 0.1)
                pulls.append(instance.get("wire.a.tension")[0])
                instance.check("Reset")
            self.assertEqual(pulls[0], pulls[2])
            self.assertGreater(pulls[1], 1.2 * pulls[0])
            instance.free()

    def test_inputs_act_and_untouched_ones_are_the_scenes(self):
        for unit in self.each():
            calm, pushed, told = (unit.instantiate() for _ in range(3))
            for instance in (calm, pushed, told):
                instance.initialise()
            # a master that passes every start value on changes nothing
            told.put({v.name: float(v.start) for v in unit.description.variables if v.causality == "input"})
            pushed.put({"load.force.x": 2000.0})
            for k in range(20):
                for instance in (calm, pushed, told):
                    instance.step(k * 0.05, 0.05)
            self.assertEqual(calm.get("load.position.x", "load.position.z"), told.get("load.position.x", "load.position.z"))
            self.assertGreater(pushed.get("load.position.x")[0], calm.get("load.position.x")[0] + 0.01)
            for instance in (calm, pushed, told):
                instance.free()

    def test_early_return_at_an_event(self):
        scene = os.path.join(self.folder.name, "drop.yaml")
        with open(scene, "w") as file:
            file.write("hawser: 1\nduration: 5\nenvironment: {water: {}, seabed: {depth: 2}}\n"
                       "bodies: [{name: ball, mass: 500, inertia: [1, 1, 1], volume: 0.01, shapes: [{sphere: 0.1}]}]\n")
        unit = make(self.folder.name, scene, 3, name="drop.fmu")
        instance = unit.instantiate(early=True)
        instance.initialise()
        reached = instance.step(0.0, 3.0)
        self.assertTrue(instance.early)
        self.assertGreater(reached, 0.3)
        self.assertLess(reached, 1.5)
        self.assertAlmostEqual(instance.get("ball.position.z")[0], -1.9, delta=0.2)  # a sub-step at 3 m/s later
        self.assertEqual(instance.step(reached, 0.01) > reached, True)
        self.assertFalse(instance.event)  # there is no event mode to enter
        patient = unit.instantiate("patient")
        patient.initialise()
        self.assertEqual(patient.step(0.0, 3.0), 3.0)
        # with event mode: the same way, and the step says that the event is to be handled
        modal = unit.instantiate("modal", early=True, events=True)
        modal.check("EnterInitializationMode", c_bool(False), c_double(0), c_double(0), c_bool(False), c_double(0))
        modal.check("ExitInitializationMode")
        with self.assertRaises(AssertionError):
            modal.step(0.0, 3.0)  # still in event mode
        self.assertIn("event mode", modal.messages[-1])
        modal.update()
        self.assertEqual(modal.step(0.0, 3.0), reached)
        self.assertTrue(modal.early and modal.event)
        state = modal.save()
        modal.check("EnterEventMode")
        self.assertEqual(modal.call("EnterEventMode"), 3)
        modal.put({"ball.force.z": 9000.0})  # a new value at the event
        before = modal.get("ball.position.z")[0]
        modal.update()
        self.assertEqual(modal.call("EnterStepMode"), 3)
        ways = []
        for _ in range(2):  # with it, and from the state before without it
            time = reached
            while time < reached + 0.5 - 1e-9:
                time = modal.step(time, reached + 0.5 - time)
            ways.append(modal.get("ball.position.z")[0] - before)
            modal.restore(state)
            self.assertEqual(modal.get("ball.position.z")[0], before)
        self.assertAlmostEqual(ways[0] - ways[1], 0.5 * 9000 / 505 * 0.5**2, delta=0.4)  # with added mass; ground and drag take a part
        modal.check("EnterEventMode")
        modal.check("Terminate")
        # event mode without early return: steps end where the master wants
        late = unit.instantiate("late", events=True)
        late.initialise()
        self.assertEqual(late.step(0.0, 3.0), 3.0)
        self.assertEqual(late.get("ball.position.z"), patient.get("ball.position.z"))
        for each in (instance, patient, modal, late):
            each.free()
        unit.close()

    def test_meshes_travel_along(self):
        scene = os.path.join(self.folder.name, "mesh.yaml")
        with open(os.path.join(self.folder.name, "box.obj"), "w") as file:
            for k in range(8):
                file.write(f"v {k & 1} {k >> 1 & 1} {k >> 2}\n")
            for face in ("1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"):
                file.write(f"f {face}\n")
        with open(os.path.join(self.folder.name, "pull.csv"), "w") as file:
            file.write("time,f.x,f.y,f.z\n0,0,0,0\n1,100,0,0\n2,100,0,0\n")
        with open(scene, "w") as file:
            file.write("hawser: 1\nduration: 5\nenvironment: {water: {}}\nbodies:\n"
                       "  - {name: hull, mass: 700, inertia: [100, 100, 100], shapes: [{mesh: box.obj}, {hull: {file: box.obj}, position: [2, 0, 0]}]}\n"
                       "forces:\n  - {on: hull, force: {sum: [{csv: pull.csv, column: f}]}}\n")
        try:
            unit = make(self.folder.name, scene, 2, name="mesh.fmu")
        except subprocess.CalledProcessError:
            self.fail("the scene with a mesh was refused")
        os.rename(os.path.join(self.folder.name, "box.obj"), os.path.join(self.folder.name, "gone.obj"))
        instance = unit.instantiate()
        instance.initialise()
        instance.step(0.0, 1.0)
        os.rename(os.path.join(self.folder.name, "gone.obj"), os.path.join(self.folder.name, "box.obj"))
        world = hawser.load(scene)
        world.step(1.0)
        self.assertEqual(instance.get("hull.position.z")[0], world["hull.position.z"])
        instance.free()
        unit.close()

    def test_many_instances_at_once(self):
        for unit in self.each():
            instances = [unit.instantiate(f"number {i}") for i in range(5)]
            for instance in instances:
                instance.initialise()
            instances[2].put({"load.force.y": 100.0})
            for k in range(4):
                for instance in instances:
                    instance.step(k * 0.1, 0.1)
            values = [instance.get("load.position.y")[0] for instance in instances]
            self.assertEqual(len({values[0], values[1], values[3], values[4]}), 1)
            self.assertNotEqual(values[2], values[0])
            for instance in instances:
                instance.free()


class HostileMasters(unittest.TestCase):
    """Errors, never a crash; and what is refused leaves the instance as it was."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.units = {version: make(cls.folder.name, LOAD, version) for version in (2, 3)}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    each = Units.each

    def test_wrong_tokens_and_folders(self):
        for unit in self.each():
            for token, resources in (("{no}", None), ("", None), (None, "/nowhere"), (None, SOURCE)):
                instance = unit.instantiate(token=token, resources=resources)
                self.assertIsNone(instance.pointer)
                self.assertTrue(instance.messages)

    def test_no_instance(self):
        for unit in self.each():
            for pointer in (None, 1, id(unit)):
                instance = unit.instantiate()
                instance.free()
                instance.pointer = pointer
                for name in ("EnterInitializationMode", "Terminate", "Reset", "ExitInitializationMode"):
                    self.assertEqual(instance.call(name), 3)
                instance.free()
            instance = unit.instantiate()
            instance.free()
            instance.free()
            self.assertEqual(instance.call("Reset"), 3)

    def test_wrong_order(self):
        for unit in self.each():
            instance = unit.instantiate()
            for name in ("ExitInitializationMode", "Terminate"):
                self.assertEqual(instance.call(name), 3)
            with self.assertRaises(AssertionError):
                instance.step(0.0, 0.1)
            instance.initialise()
            self.assertEqual(instance.call("ExitInitializationMode"), 3)
            instance.step(0.0, 0.1)
            instance.check("Terminate")
            with self.assertRaises(AssertionError):
                instance.step(0.1, 0.1)
            instance.check("Reset")
            instance.initialise()
            instance.step(0.0, 0.1)
            instance.free()

    def test_numbers_that_are_none(self):
        nan, inf = float("nan"), float("inf")
        for unit in self.each():
            instance = unit.instantiate()
            setup = "SetupExperiment" if unit.description.version == 2 else "EnterInitializationMode"
            flag = c_int if unit.description.version == 2 else c_bool
            for tolerance, start, stop in ((nan, 0, 1), (inf, 0, 1), (-1, 0, 1), (1e-6, nan, 1), (1e-6, inf, 1), (1e-6, 0, nan), (1e-6, 5, 1)):
                arguments = (flag(True), c_double(tolerance), c_double(start), flag(True), c_double(stop))
                self.assertEqual(instance.call(setup, *arguments), 3, (tolerance, start, stop))
            instance.initialise()
            before = instance.get("load.position.z")
            for time, size in ((0, nan), (nan, 0.1), (0, 0), (0, -1), (0, inf), (5, 0.1), (0, 1e300), (0, 1e-300), (0, 1e9)):
                with self.assertRaises(AssertionError):
                    instance.step(time, size)
            for value in (nan, inf, -inf):
                with self.assertRaises(AssertionError):
                    instance.put({"load.force.x": value})
            for name in ("load.position.z", "time"):
                with self.assertRaises(AssertionError):
                    instance.put({name: 1.0})
            # one wrong value among others: none of them is taken
            with self.assertRaises(AssertionError):
                instance.put({"load.force.x": 3e6, "load.force.y": nan})
            self.assertEqual(instance.get("load.force.x"), [0.0])
            wrong = (c_uint * 1)(4000000000)
            room = (c_double * 1)()
            for call in (instance.getter, instance.setter):
                self.assertEqual(instance.call(call, wrong, c_size_t(1), room, *instance.tail(1)), 3)
                self.assertEqual(instance.call(call, None, c_size_t(1), None, *instance.tail(1)), 3)
            self.assertEqual(instance.get("load.position.z"), before)
            instance.step(0.0, 0.1)
            instance.free()

    def test_states_that_are_none(self):
        for unit in self.each():
            one, two = unit.instantiate("one"), unit.instantiate("two")
            for instance in (one, two):
                instance.initialise()
            state = one.save()
            for wrong in (c_void_p(), c_void_p(12345), state):
                self.assertEqual(two.call(f"Set{two.state}", wrong), 3)
                self.assertEqual(two.call(f"Serialized{two.state}Size", wrong, byref(c_size_t())), 3)
            small = (ctypes.c_ubyte * 4)()
            self.assertEqual(one.call(f"Serialize{one.state}", state, small, c_size_t(4)), 3)
            one.check(f"Free{one.state}", byref(state))
            self.assertIsNone(state.value)
            one.free()
            two.free()

    def test_what_is_not_offered_says_so(self):
        calls = {2: ("EnterEventMode", "CancelStep", "EnterContinuousTimeMode"),
                 3: ("EnterContinuousTimeMode", "EnterConfigurationMode", "EvaluateDiscreteStates")}
        for version, names in calls.items():
            instance = self.units[version].instantiate()
            instance.initialise()
            for name in names:
                self.assertEqual(instance.call(name), 3)
                self.assertIn("not offered", instance.messages[-1])
            if version == 3:
                self.assertEqual(instance.call("EnterEventMode"), 3)
                self.assertIn("without event mode", instance.messages[-1])
                self.assertEqual(instance.call("EnterStepMode"), 3)
                self.assertEqual(instance.call("UpdateDiscreteStates", *[None] * 6), 3)
            instance.step(0.0, 0.1)
            instance.free()
        library = self.units[3].library
        for name in ("fmi3InstantiateModelExchange", "fmi3InstantiateScheduledExecution"):
            getattr(library, name).restype = c_void_p
            self.assertIsNone(getattr(library, name)(b"x", b"y", b"z", c_bool(False), c_bool(False), None, None, None, None, None))


BLOCK = """hawser: 1
duration: 10
output: {interval: 0.01}
solver: {tolerance: 1e-5}
bodies:
  - {name: block, mass: 400, inertia: [30, 30, 30]}
cables:
""" + (BLOCK_HANGER := """  - name: hanger
    sections: [{length: 3.8, elements: 1, diameter: 0.02, mass_per_length: 0.1, EA: 1e5, damping: {axial: 200}, compression: 1}]
    ends: {a: {on: earth, at: [0, 0, 4]}, b: {on: block}}
""")
WIRE = """    sections: [{length: 3, elements: 6, diameter: 0.02, mass_per_length: 2, EA: 1e7, damping: {axial: 1e4}}]
"""
LOAD_BODY = "  - {name: load, mass: 100, inertia: [5, 5, 5], position: [0, 0, -3.0003]}\n"


class TwoUnitsOnOneCable(unittest.TestCase):
    """A block on a soft line, and below it a stiff wire with a load: whole, and split at the wire's upper end."""

    PARTS = ("force.x", "force.y", "force.z", *("impedance." + p for p in ("xx", "xy", "xz", "yy", "yz", "zz")),
             "reference.x", "reference.y", "reference.z")

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def run_whole(self, version, steps, size):
        text = BLOCK.replace("cables:\n", LOAD_BODY + "cables:\n  - name: wire\n" + WIRE +
                             "    ends: {a: {on: block}, b: {on: load}}\n")
        unit = make(self.folder.name, self.write("whole.yaml", text), version, name="whole.fmu")
        instance = unit.instantiate()
        instance.initialise()
        instance.put({"block.force.x": 300.0})
        rows = []
        for k in range(steps):
            instance.step(k * size, size)
            rows.append(instance.get("block.position.x", "block.position.z", "load.position.x", "load.position.z"))
        instance.free()
        unit.close()
        return rows

    def run_split(self, version, steps, size, parallel=False, passes=1):
        below = ("hawser: 1\nduration: 10\noutput: {interval: 0.01}\nsolver: {tolerance: 1e-5}\nbodies:\n" + LOAD_BODY +
                 "cables:\n  - name: wire\n" + WIRE + "    ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: load}}\n")
        options = ["--parallel"] if parallel else []
        upper = make(self.folder.name, self.write("upper.yaml", BLOCK), version, "--ports", "block", "--step", str(size), name="u.fmu")
        lower = make(self.folder.name, self.write("lower.yaml", below), version, "--ends", "wire.a", "--step", str(size), *options, name="l.fmu")
        block, wire = upper.instantiate("block"), lower.instantiate("wire")
        for instance in (block, wire):
            instance.initialise()
        block.put({"block.force.x": 300.0})

        axes = "xyz"

        def pass_on(source, name, target, other, parts):
            """Outputs `name`.part of the source to the inputs `other`.part of the target."""
            values = source.get(*(f"{name}.coupling.{part}" for part in parts))
            target.put({f"{other}.coupling.{part}": value for part, value in zip(parts, values)})

        def vectors(*kinds):
            return [f"{kind}.{axis}" for kind in kinds for axis in axes]

        rows = []
        states = [None, None]
        for k in range(steps):
            pass_on(wire, "wire.a", block, "block", self.PARTS)
            if parallel:
                pass_on(block, "block", wire, "wire.a", vectors("position", "velocity", "felt"))
            if passes > 1:
                states = [block.save(states[0]), wire.save(states[1])]
            for turn in range(passes):
                if turn > 0:  # again, with the force that the wire really had on the way that the block took
                    force = wire.get(*("wire.a.coupling." + part for part in vectors("mean", "reference")))
                    block.restore(states[0])
                    block.put({"block.coupling." + part: value for part, value in zip(vectors("force", "reference"), force)})
                block.step(k * size, size)
                if turn > 0:
                    motion = block.get(*("block.coupling." + part for part in vectors("position", "velocity", "felt")))
                    wire.restore(states[1])
                    wire.put({"wire.a.coupling." + p: v for p, v in zip(vectors("position", "velocity", "felt"), motion)})
                elif not parallel:
                    pass_on(block, "block", wire, "wire.a", vectors("position", "velocity", "felt"))
                wire.step(k * size, size)
            rows.append(block.get("block.position.x", "block.position.z") + wire.get("load.position.x", "load.position.z"))
        for instance in (block, wire):
            instance.free()
        upper.close()
        lower.close()
        return rows

    def distance(self, a, b):
        """Largest difference over the largest way."""
        ways = [max(abs(row[i] - a[0][i]) for row in a) for i in range(4)]
        return max(max(abs(p[i] - q[i]) for p, q in zip(a, b)) / max(ways) for i in range(4))

    def test_repeated_steps_at_10_ms_are_within_one_percent(self):
        for version in (2, 3):
            error = self.distance(self.run_whole(version, 300, 0.01), self.run_split(version, 300, 0.01, passes=4))
            self.assertLess(error, 0.01)

    def test_steps_that_are_not_repeated_are_within_one_percent(self):
        # measured 0.11 % and 0.45 % in 3 s, 0.43 % in 20 s; the plain exchange of forces bears 2 sqrt(m / k) = 11 ms at most.
        # Without what is owed of all steps so far, momentum drifts away: 1.0 %, 1.3 % and 1.9 %.
        whole = self.run_whole(2, 300, 0.01)
        self.assertLess(self.distance(whole, self.run_split(2, 300, 0.01)), 0.005)
        self.assertLess(self.distance(whole, self.run_split(2, 300, 0.01, parallel=True)), 0.01)
        self.assertLess(self.distance(self.run_whole(3, 2000, 0.01), self.run_split(3, 2000, 0.01)), 0.01)


def vectors(*kinds):
    return [f"{kind}.{axis}" for kind in kinds for axis in "xyz"]


class TwoUnitsOnOneClamp(unittest.TestCase):
    """A block on a soft line, and below it a rod that is clamped to it and to a load: forces and moments. The block is turned from the
    start, and the rod is not at its centre."""

    HEAD = "hawser: 1\nduration: 10\noutput: {interval: 0.01}\nsolver: {tolerance: 1e-5}\nbodies:\n"
    BLOCK = "  - {name: block, mass: 400, inertia: [30, 40, 20], attitude: {rpy: [0, 0, 0.4]}}\n"
    LOAD = "  - {name: load, mass: 100, inertia: [5, 5, 5], position: [0, 0, -3.5], attitude: {rpy: [0, 0, 0.4]}}\n"
    HANGER = BLOCK_HANGER
    AXES = "joint: clamp, p1: [0, 1, 0], p2: [1, 0, 0]"
    TURNED = f"joint: clamp, p1: [{-math.sin(0.4)!r}, {math.cos(0.4)!r}, 0], p2: [{math.cos(0.4)!r}, {math.sin(0.4)!r}, 0]"
    PAIRS = ("xx", "xy", "xz", "yy", "yz", "zz")
    LOADS = (vectors("force", "moment", "reference", "reference_rate") + ["impedance." + p for p in PAIRS]
             + ["rotation_impedance." + p for p in PAIRS] + ["cross_impedance." + a + b for a in "xyz" for b in "xyz"])
    MOTION = vectors("position", "velocity", "felt", "rate", "felt_moment") + ["turn." + p for p in "wxyz"]
    SEEN = vectors("position") + ["attitude." + p for p in ("roll", "pitch", "yaw")]
    PUSH = {"block.force.x": 300.0, "block.torque.x": -100.0, "block.torque.y": 200.0, "block.torque.z": 10.0}

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def unit(self, name, text, version, *options):
        path = os.path.join(self.folder.name, name + ".yaml")
        with open(path, "w") as file:
            file.write(text)
        return make(self.folder.name, path, version, *options, name=name + ".fmu")

    def rod(self, stiffness, a):
        return (f"  - name: rod\n    sections: [{{length: 3, elements: 6, diameter: 0.1, mass_per_length: 10, EA: 1e7, EI: {stiffness}, "
                f"GJ: {stiffness / 2}, damping: {{axial: 1e4, bending: {stiffness / 100}, torsion: {stiffness / 200}}}}}]\n"
                f"    ends: {{a: {{{a}}}, b: {{on: load, {self.AXES}}}}}\n")

    def run_whole(self, version, stiffness, steps, size):
        text = self.HEAD + self.BLOCK + self.LOAD + "cables:\n" + self.HANGER + self.rod(stiffness, "on: block, at: [0, 0, -0.5], " + self.AXES)
        instance = self.unit("whole", text, version).instantiate()
        instance.initialise()
        instance.put(self.PUSH)
        rows = []
        for k in range(steps):
            instance.step(k * size, size)
            rows.append(instance.get(*("block." + name for name in self.SEEN), *("load." + name for name in self.SEEN)))
        instance.free()
        return rows

    def start(self, version, stiffness, size, *options):
        upper = self.unit("upper", self.HEAD + self.BLOCK + "cables:\n" + self.HANGER, version, "--ports", "block@0:0:-0.5", "--step", str(size))
        lower = self.unit("lower", self.HEAD + self.LOAD + "cables:\n" + self.rod(stiffness, "on: earth, at: [0, 0, -0.5], " + self.TURNED),
                          version, "--ends", "rod.a", "--step", str(size), *options)
        block, rod = upper.instantiate("block"), lower.instantiate("rod")
        for unit, instance in ((upper, block), (lower, rod)):
            self.assertEqual(unit.description.faults, [])
            instance.initialise()
        block.put(self.PUSH)
        return block, rod

    def pass_on(self, source, name, target, other, parts, into=None):
        values = source.get(*(f"{name}.coupling.{part}" for part in parts))
        target.put({f"{other}.coupling.{part}": value for part, value in zip(into or parts, values)})

    def run_split(self, version, stiffness, steps, size, parallel=False, passes=1):
        block, rod = self.start(version, stiffness, size, *(["--parallel"] if parallel else []))
        rows, states = [], [None, None]
        for k in range(steps):
            self.pass_on(rod, "rod.a", block, "block", self.LOADS)
            if parallel:
                self.pass_on(block, "block", rod, "rod.a", self.MOTION)
            states = [block.save(states[0]), rod.save(states[1])]
            for turn in range(passes):
                if turn > 0:  # again, with the load that the rod really had
                    values = rod.get(*("rod.a.coupling." + p for p in vectors("mean", "mean_moment", "reference", "reference_rate")))
                    block.restore(states[0])
                    rod.restore(states[1])
                    block.put({"block.coupling." + p: v for p, v in zip(vectors("force", "moment", "reference", "reference_rate"), values)})
                block.step(k * size, size)
                if not parallel:
                    self.pass_on(block, "block", rod, "rod.a", self.MOTION)
                rod.step(k * size, size)
            rows.append(block.get(*("block." + name for name in self.SEEN)) + rod.get(*("load." + name for name in self.SEEN)))
        block.free()
        rod.free()
        return rows

    def distance(self, a, b):
        """Largest differences of places and of angles over the largest way and turn."""
        def of(columns):
            way = max(abs(row[i] - a[0][i]) for row in a for i in columns)
            return max(abs(p[i] - q[i]) for p, q in zip(a, b) for i in columns) / way
        return max(of((0, 1, 2, 6, 7, 8)), of((3, 4, 5, 9, 10, 11)))

    def test_moments_pass_through_at_10_ms(self):
        # measured 0.14 % and, in two passes, 0.05 %; without the moments 270 %
        whole = self.run_whole(2, 2e5, 100, 0.01)
        self.assertLess(self.distance(whole, self.run_split(2, 2e5, 100, 0.01)), 0.005)
        self.assertLess(self.distance(whole, self.run_split(3, 2e5, 100, 0.01, passes=2)), 0.003)

    def test_masters_that_step_both_at_once(self):
        whole = self.run_whole(3, 2e4, 200, 0.005)  # measured 0.03 %
        self.assertLess(self.distance(whole, self.run_split(3, 2e4, 200, 0.005, parallel=True)), 0.002)

    def test_states_and_turns_that_are_none(self):
        for version in (2, 3):
            block, rod = self.start(version, 2e5, 0.01)

            def go(first, count):
                values = []
                for k in range(first, first + count):
                    self.pass_on(rod, "rod.a", block, "block", self.LOADS)
                    block.step(k * 0.01, 0.01)
                    self.pass_on(block, "block", rod, "rod.a", self.MOTION)
                    rod.step(k * 0.01, 0.01)
                    values.append(block.get("block.attitude.pitch", *("block.coupling." + p for p in self.MOTION)))
                    values.append(rod.get(*("rod.a.coupling." + p for p in self.LOADS)))
                return values

            go(0, 10)
            states = [instance.serialise(instance.save()) for instance in (block, rod)]
            first = go(10, 10)
            for instance, data in ((block, states[0]), (rod, states[1])):
                instance.restore(instance.deserialise(data))
            self.assertEqual(go(10, 10), first)
            for length in (0.0, 0.5, 3.0):  # quaternions of a wrong length leave the unit as it is
                rod.put({"rod.a.coupling.turn.w": length, **{"rod.a.coupling.turn." + p: 0.0 for p in "xyz"}})
                with self.assertRaises(AssertionError):
                    rod.step(0.2, 0.01)
                self.assertIn("no rotation", rod.messages[-1])
            block.step(0.2, 0.01)
            self.pass_on(block, "block", rod, "rod.a", self.MOTION)
            rod.step(0.2, 0.01)
            block.free()
            rod.free()


if __name__ == "__main__":
    unittest.main()
