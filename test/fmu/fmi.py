"""Functional mock-up units for tests: the rules of a description as importers check them, and masters through ctypes."""
import ctypes
import os
import re
import shutil
import tempfile
import zipfile
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p
from xml.etree import ElementTree

FUNCTIONS_2 = """GetTypesPlatform GetVersion SetDebugLogging Instantiate FreeInstance SetupExperiment EnterInitializationMode
ExitInitializationMode Terminate Reset GetReal GetInteger GetBoolean GetString SetReal SetInteger SetBoolean SetString GetFMUstate
SetFMUstate FreeFMUstate SerializedFMUstateSize SerializeFMUstate DeSerializeFMUstate GetDirectionalDerivative EnterEventMode
NewDiscreteStates EnterContinuousTimeMode CompletedIntegratorStep SetTime SetContinuousStates GetDerivatives GetEventIndicators
GetContinuousStates GetNominalsOfContinuousStates SetRealInputDerivatives GetRealOutputDerivatives DoStep CancelStep GetStatus
GetRealStatus GetIntegerStatus GetBooleanStatus GetStringStatus""".split()
TYPES_3 = "Float32 Float64 Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Boolean String Binary Clock".split()
FUNCTIONS_3 = (
    """GetVersion SetDebugLogging InstantiateModelExchange InstantiateCoSimulation InstantiateScheduledExecution FreeInstance
EnterInitializationMode ExitInitializationMode EnterEventMode Terminate Reset GetNumberOfVariableDependencies
GetVariableDependencies GetFMUState SetFMUState FreeFMUState SerializedFMUStateSize SerializeFMUState DeserializeFMUState
GetDirectionalDerivative GetAdjointDerivative EnterConfigurationMode ExitConfigurationMode GetIntervalDecimal
GetIntervalFraction GetShiftDecimal GetShiftFraction SetIntervalDecimal SetIntervalFraction SetShiftDecimal SetShiftFraction
EvaluateDiscreteStates UpdateDiscreteStates EnterContinuousTimeMode CompletedIntegratorStep SetTime SetContinuousStates
GetContinuousStateDerivatives GetEventIndicators GetContinuousStates GetNominalsOfContinuousStates GetNumberOfEventIndicators
GetNumberOfContinuousStates EnterStepMode GetOutputDerivatives DoStep ActivateModelPartition""".split()
    + ["Get" + name for name in TYPES_3]
    + ["Set" + name for name in TYPES_3]
)
ORDER_2 = "ModelExchange CoSimulation UnitDefinitions TypeDefinitions LogCategories DefaultExperiment VendorAnnotations ModelVariables ModelStructure".split()
ORDER_3 = "ModelExchange CoSimulation ScheduledExecution UnitDefinitions TypeDefinitions LogCategories DefaultExperiment ModelVariables ModelStructure Annotations".split()
# What may be combined: causality, variability, and the initial that is meant when none is given (FMI 2.0.4, 2.2.7; FMI 3.0, 2.4.7.5)
ALLOWED = {
    ("parameter", "fixed"): "exact",
    ("parameter", "tunable"): "exact",
    ("input", "discrete"): None,
    ("input", "continuous"): None,
    ("output", "constant"): "exact",
    ("output", "discrete"): "calculated",
    ("output", "continuous"): "calculated",
    ("independent", "continuous"): None,
}


class Variable:
    def __init__(self, name, reference, causality, variability, initial, start, unit):
        self.name, self.reference, self.causality, self.variability = name, reference, causality, variability
        self.initial, self.start, self.unit = initial, start, unit


class Description:
    """modelDescription.xml, read and held against the rules; `faults` are sentences."""

    def __init__(self, text):
        root = ElementTree.fromstring(text)
        self.faults = []
        self.version = int(root.get("fmiVersion", "0").split(".")[0])
        self.token = root.get("guid" if self.version == 2 else "instantiationToken")
        two = self.version == 2
        tags = [child.tag for child in root]
        self.expect(tags == [tag for tag in (ORDER_2 if two else ORDER_3) if tag in tags], f"order of elements: {tags}")
        self.expect(root.tag == "fmiModelDescription" and bool(self.token) and bool(root.get("modelName")), "root")
        co = root.find("CoSimulation")
        self.identifier = co.get("modelIdentifier")
        self.expect(re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", self.identifier) is not None, "modelIdentifier")
        for name, value in co.attrib.items():
            if name.startswith(("can", "might", "has", "provides")):
                self.expect(value in ("true", "false"), f"{name} is no boolean")
        experiment = root.find("DefaultExperiment")
        self.start, self.stop, self.step = (float(experiment.get(key)) for key in ("startTime", "stopTime", "stepSize"))
        self.expect(self.stop > self.start and self.step > 0, "DefaultExperiment")
        units = [unit.get("name") for unit in root.find("UnitDefinitions")]
        self.expect(len(units) == len(set(units)), "units are there twice")
        self.variables = []
        for element in root.find("ModelVariables"):
            kind = element[0] if two else element
            self.expect(kind.tag == ("Real" if two else "Float64"), f"type {kind.tag}")
            self.variables.append(Variable(element.get("name"), int(element.get("valueReference")), element.get("causality"),
                                           element.get("variability"), element.get("initial"), kind.get("start"), kind.get("unit")))
        self.check_variables(units)
        self.check_structure(root.find("ModelStructure"), two)
        self.by_name = {variable.name: variable for variable in self.variables}

    def expect(self, good, sentence):
        if not good:
            self.faults.append(sentence)

    def check_variables(self, units):
        names = [v.name for v in self.variables]
        self.expect(len(names) == len(set(names)), "names are there twice")
        references = [v.reference for v in self.variables]
        self.expect(len(references) == len(set(references)), "value references are there twice")
        self.expect(sum(v.causality == "independent" for v in self.variables) == 1, "exactly one independent variable")
        for v in self.variables:
            self.expect((v.causality, v.variability) in ALLOWED, f"{v.name}: {v.causality} {v.variability}")
            initial = v.initial or ALLOWED.get((v.causality, v.variability))
            self.expect(not (v.causality in ("input", "independent") and v.initial), f"{v.name}: initial")
            needed = v.causality == "input" or initial in ("exact", "approx")
            self.expect((v.start is not None) == needed, f"{v.name}: start")
            self.expect(v.unit is None or v.unit in units, f"{v.name}: unit {v.unit}")
            if v.start is not None:
                float(v.start)

    def check_structure(self, structure, two):
        outputs = [i + 1 if two else v.reference for i, v in enumerate(self.variables) if v.causality == "output"]
        if two:
            self.expect([child.tag for child in structure] == ["Outputs", "InitialUnknowns"], "order in ModelStructure")
            listed = [int(u.get("index")) for u in structure.find("Outputs")]
            unknown = [int(u.get("index")) for u in structure.find("InitialUnknowns")]
        else:
            listed = [int(u.get("valueReference")) for u in structure.findall("Output")]
            unknown = [int(u.get("valueReference")) for u in structure.findall("InitialUnknown")]
        self.expect(listed == outputs, "outputs of ModelStructure")
        self.expect(unknown == outputs, "initial unknowns of ModelStructure")


LOGGER_2 = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p)
LOGGER_3 = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)


class Callbacks(ctypes.Structure):
    _fields_ = [("logger", LOGGER_2), ("allocate", c_void_p), ("free", c_void_p), ("finished", c_void_p), ("environment", c_void_p)]


class Unit:
    """An archive, unpacked and loaded."""

    def __init__(self, path):
        self.folder = tempfile.mkdtemp(prefix="unit é %41 ")  # a name that has to be coded in a URI
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None
            self.names = archive.namelist()
            archive.extractall(self.folder)
        with open(os.path.join(self.folder, "modelDescription.xml"), "rb") as file:
            self.description = Description(file.read())
        d = self.description
        place = "linux64" if d.version == 2 else "x86_64-linux"
        self.library = ctypes.CDLL(os.path.join(self.folder, "binaries", place, d.identifier + ".so"))
        self.missing = [name for version, names in (("fmi2", FUNCTIONS_2), ("fmi3", FUNCTIONS_3)) if version == f"fmi{d.version}"
                        for name in names if not hasattr(self.library, version + name)]
        self.resources = os.path.join(self.folder, "resources")

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def instantiate(self, name="one", token=None, resources=None, early=False, events=False):
        return (Instance2 if self.description.version == 2 else Instance3)(self, name, token, resources, early, events)


class Instance:
    """What both versions share. Calls return the status; `check` raises when it is not OK."""

    def __init__(self, unit, name, token, resources, early, events):
        self.unit = unit
        self.messages = []
        self.prefix = f"fmi{unit.description.version}"
        self.events = events
        token = unit.description.token if token is None else token
        self.pointer = self.create(name.encode(), token.encode(), unit.resources if resources is None else resources, early)

    def call(self, name, *arguments):
        function = getattr(self.unit.library, self.prefix + name)
        function.restype = c_int
        return function(c_void_p(self.pointer), *arguments)

    def check(self, name, *arguments):
        status = self.call(name, *arguments)
        if status != 0:
            raise AssertionError(f"{name}: status {status}: {self.messages[-1:]}")

    def references(self, names):
        numbers = [self.unit.description.by_name[name].reference for name in names]
        return (c_uint * len(numbers))(*numbers)

    def get(self, *names):
        values = (c_double * len(names))()
        self.check(self.getter, self.references(names), c_size_t(len(names)), values, *self.tail(len(names)))
        return list(values)

    def set(self, **pairs):
        self.put(pairs)

    def put(self, pairs):
        values = (c_double * len(pairs))(*pairs.values())
        self.check(self.setter, self.references(pairs), c_size_t(len(pairs)), values, *self.tail(len(pairs)))

    def free(self):
        function = getattr(self.unit.library, self.prefix + "FreeInstance")
        function.restype = None
        function(c_void_p(self.pointer))

    def save(self, state=None):
        state = c_void_p() if state is None else state
        self.check(f"Get{self.state}", byref(state))
        return state

    def restore(self, state):
        self.check(f"Set{self.state}", state)

    def serialise(self, state):
        size = c_size_t()
        self.check(f"Serialized{self.state}Size", state, byref(size))
        data = (ctypes.c_ubyte * size.value)()
        self.check(f"Serialize{self.state}", state, data, size)
        return bytes(data)

    def deserialise(self, data):
        state = c_void_p()
        self.check(self.deserialiser, (ctypes.c_ubyte * len(data))(*data), c_size_t(len(data)), byref(state))
        return state


class Instance2(Instance):
    getter, setter, state, deserialiser = "GetReal", "SetReal", "FMUstate", "DeSerializeFMUstate"

    def tail(self, count):
        return ()

    def create(self, name, token, resources, early):
        def log(environment, instance, status, category, message):
            self.messages.append(message.decode())

        self.callbacks = Callbacks(LOGGER_2(log), None, None, None, None)
        import urllib.parse

        location = ("file://" + urllib.parse.quote(resources)).encode()
        function = self.unit.library.fmi2Instantiate
        function.restype = c_void_p
        return function(name, c_int(1), token, location, byref(self.callbacks), c_int(0), c_int(1))

    def initialise(self, start=0.0):
        self.check("SetupExperiment", c_int(0), c_double(0), c_double(start), c_int(0), c_double(0))
        self.check("EnterInitializationMode")
        self.check("ExitInitializationMode")

    def step(self, time, size):
        self.check("DoStep", c_double(time), c_double(size), c_int(1))
        return time + size


class Instance3(Instance):
    getter, setter, state, deserialiser = "GetFloat64", "SetFloat64", "FMUState", "DeserializeFMUState"

    def tail(self, count):
        return (c_size_t(count),)

    def create(self, name, token, resources, early):
        def log(environment, status, category, message):
            self.messages.append(message.decode())

        self.logger = LOGGER_3(log)
        function = self.unit.library.fmi3InstantiateCoSimulation
        function.restype = c_void_p
        return function(name, token, resources.encode(), c_bool(False), c_bool(True), c_bool(self.events), c_bool(early), None,
                        c_size_t(0), None, self.logger, None)

    def initialise(self, start=0.0):
        self.check("EnterInitializationMode", c_bool(False), c_double(0), c_double(start), c_bool(False), c_double(0))
        self.check("ExitInitializationMode")
        if self.events:
            self.update()

    def update(self):
        """From event mode to step mode, as masters do it."""
        flags, time = [c_bool(True) for _ in range(5)], c_double()
        while flags[0].value:
            self.check("UpdateDiscreteStates", *(byref(flag) for flag in flags), byref(time))
        assert not any(flag.value for flag in flags)
        self.check("EnterStepMode")

    def step(self, time, size):
        flags = [c_bool(), c_bool(), c_bool()]
        reached = c_double()
        self.check("DoStep", c_double(time), c_double(size), c_bool(True), *(byref(flag) for flag in flags), byref(reached))
        self.event, self.early = flags[0].value, flags[2].value
        return reached.value
