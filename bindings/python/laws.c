// Functions of Python's that the library calls: forces, sensors, observers; and steps without Python's lock.
#include "world_object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POLL_SIGNALS 64 // sub-steps between two looks for Ctrl-C

// A Python function behind a C callback. `world` is the one it was added to; branches call it too.
typedef struct Law {
    PyObject* function;
    World* world;
    bool above; // hydrodynamics: on top of the built-in ones
} Law;

static void Law_Free(PyObject* capsule) {
    Law* law = PyCapsule_GetPointer(capsule, NULL);
    if (law == NULL) return;
    Py_XDECREF(law->function);
    free(law);
}

bool hwPy_ReadNumbers(PyObject* sequence, Py_ssize_t count, double* out) {
    Py_ssize_t size = PySequence_Size(sequence);
    if (size < 0) return false;
    if (size != count) {
        PyErr_Format(PyExc_ValueError, "%zd numbers are needed, not %zd", count, size);
        return false;
    }
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject* item = PySequence_GetItem(sequence, i);
        out[i] = item != NULL ? PyFloat_AsDouble(item) : NAN;
        Py_XDECREF(item);
        if (PyErr_Occurred()) return false;
    }
    return true;
}

bool hwPy_ReadVec3(PyObject* sequence, hwVec3* out) {
    double numbers[3];
    if (!hwPy_ReadNumbers(sequence, 3, numbers)) return false;
    *out = hwMakeVec3(numbers[0], numbers[1], numbers[2]);
    return true;
}

static bool ReadMatrix(PyObject* rows, double out[6][6]) {
    Py_ssize_t size = PySequence_Size(rows);
    if (size != 6) {
        if (size >= 0) PyErr_SetString(PyExc_ValueError, "a matrix of a force has 6 rows of 6 numbers");
        return false;
    }
    for (Py_ssize_t i = 0; i < 6; ++i) {
        PyObject* row = PySequence_GetItem(rows, i);
        bool good = row != NULL && hwPy_ReadNumbers(row, 6, out[i]);
        Py_XDECREF(row);
        if (!good) return false;
    }
    return true;
}

// (force, torque), or with damping and stiffness matrices behind.
static bool ReadForce(PyObject* result, hwForceOutput* output) {
    Py_ssize_t size = PySequence_Size(result);
    if (size < 0) return false;
    if (size != 2 && size != 4) {
        PyErr_SetString(PyExc_ValueError,
                        "a force function returns (force, torque) or (force, torque, damping, stiffness)");
        return false;
    }
    for (Py_ssize_t i = 0; i < size; ++i) {
        PyObject* item = PySequence_GetItem(result, i);
        bool good = item != NULL && (i == 0   ? hwPy_ReadVec3(item, &output->force)
                                     : i == 1 ? hwPy_ReadVec3(item, &output->torque)
                                     : i == 2 ? ReadMatrix(item, output->damping)
                                              : ReadMatrix(item, output->stiffness));
        Py_XDECREF(item);
        if (!good) return false;
    }
    return true;
}

static void CallForce(const hwForceInput* input, hwForceOutput* output, void* context) {
    Law* law = context;
    PyGILState_STATE lock = PyGILState_Ensure();
    const hwVec3 *p = &input->position, *v = &input->velocity, *w = &input->rate;
    PyObject* result = PyObject_CallFunction(law->function, "d(ddd)(dddd)(ddd)(ddd)", input->time, p->x, p->y,
                                             p->z, input->attitude.w, input->attitude.x, input->attitude.y,
                                             input->attitude.z, v->x, v->y, v->z, w->x, w->y, w->z);
    hwForceOutput given = *output;
    if (result != NULL && ReadForce(result, &given)) *output = given;
    if (PyErr_Occurred()) hwPy_KeepError(law->world);
    Py_XDECREF(result);
    PyGILState_Release(lock);
}

static void AddMatrix(double out[6][6], double more[6][6]) {
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 6; ++k) out[i][k] += more[i][k];
    }
}

// (wrench, added mass, damping, stiffness, (potential, dissipation, work, submerged)), as World.set_hydrodynamics makes it.
static bool ReadHydro(PyObject* result, hwHydroOutput* output) {
    double wrench[6], matrices[3][6][6], rest[4];
    if (!PyTuple_Check(result) || PyTuple_Size(result) != 5) {
        PyErr_SetString(PyExc_TypeError, "hydrodynamics return a wrench or a mapping");
        return false;
    }
    if (!hwPy_ReadNumbers(PyTuple_GetItem(result, 0), 6, wrench) ||
        !hwPy_ReadNumbers(PyTuple_GetItem(result, 4), 4, rest))
        return false;
    for (int i = 0; i < 3; ++i) {
        if (!ReadMatrix(PyTuple_GetItem(result, i + 1), matrices[i])) return false;
    }
    for (int i = 0; i < 6; ++i) output->wrench[i] += wrench[i];
    AddMatrix(output->addedMass, matrices[0]);
    AddMatrix(output->damping, matrices[1]);
    AddMatrix(output->stiffness, matrices[2]);
    output->potential += rest[0];
    output->dissipation += rest[1];
    output->work += rest[2];
    if (!isnan(rest[3])) output->submerged = rest[3];
    return true;
}

static void CallHydro(const hwHydroInput* input, hwHydroOutput* output, void* context) {
    Law* law = context;
    if (law->above) hwHydro_Evaluate(input, output);
    PyGILState_STATE lock = PyGILState_Ensure();
    const hwVec3 *p = &input->pose.p, *w = &input->water.velocity, *a = &input->water.acceleration;
    const hwQuat* q = &input->pose.q;
    const double* v = input->velocity;
    bool wet = input->waterDensity > 0.0;
    PyObject* result = PyObject_CallFunction(
        law->function, "d(ddd)(dddd)(dddddd)(ddd)(ddd)dddd", input->time, p->x, p->y, p->z, q->w, q->x, q->y,
        q->z, v[0], v[1], v[2], v[3], v[4], v[5], wet ? w->x : 0.0, wet ? w->y : 0.0, wet ? w->z : 0.0,
        wet ? a->x : 0.0, wet ? a->y : 0.0, wet ? a->z : 0.0, wet ? input->water.surface : -INFINITY,
        input->waterDensity, input->gravity, input->mass);
    if (result != NULL) ReadHydro(result, output);
    if (PyErr_Occurred()) hwPy_KeepError(law->world);
    Py_XDECREF(result);
    PyGILState_Release(lock);
}

static double CallSensor(const hwWorld* world, void* context) {
    (void)world;
    Law* law = context;
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject* result = PyObject_CallFunction(law->function, NULL);
    double value = result != NULL ? PyFloat_AsDouble(result) : NAN;
    if (PyErr_Occurred()) hwPy_KeepError(law->world);
    Py_XDECREF(result);
    PyGILState_Release(lock);
    return value;
}

bool hwPy_IsStopped(void* context) {
    World* self = context;
    if (self->errorType != NULL) return true;
    if (++self->polls < POLL_SIGNALS) return false;
    self->polls = 0;
    PyGILState_STATE lock = PyGILState_Ensure();
    if (PyErr_CheckSignals() != 0) hwPy_KeepError(self);
    PyGILState_Release(lock);
    return self->errorType != NULL;
}

static void CallObserver(const hwWorld* world, void* context) {
    (void)world;
    World* self = context;
    PyGILState_STATE lock = PyGILState_Ensure();
    self->busy = BUSY_WATCHED;
    PyObject* result = PyObject_CallFunction(self->observer, NULL);
    self->busy = BUSY_STEPPING;
    if (result == NULL) hwPy_KeepError(self);
    Py_XDECREF(result);
    PyGILState_Release(lock);
}

void hwPy_LogLine(hwLogLevel level, const char* text, void* context) {
    (void)context;
    if (level != HW_LOG_WARNING) return;
    PyGILState_STATE lock = PyGILState_Ensure();
    if (PyErr_WarnEx(PyExc_UserWarning, text, 1) != 0) PyErr_WriteUnraisable(NULL);
    PyGILState_Release(lock);
}

// Begins and ends what takes long: without Python's lock, and with the exceptions of callbacks.
PyThreadState* hwPy_Begin(World* self) {
    self->busy = BUSY_STEPPING;
    self->thread = PyThread_get_thread_ident();
    return PyEval_SaveThread();
}

bool hwPy_End(World* self, PyThreadState* thread, hwStatus status, const hwError* error) {
    PyEval_RestoreThread(thread);
    self->busy = BUSY_NOT;
    if (self->errorType != NULL) {
        PyErr_Restore(self->errorType, self->errorValue, self->errorTrace);
        self->errorType = self->errorValue = self->errorTrace = NULL;
        return false;
    }
    if (status >= 0) return true;
    hwPy_Raise(self->module, self->scene != NULL ? hwScene_GetInfo(self->scene)->path : NULL, error);
    return false;
}

static bool AddLaw(World* self, PyObject* function, Law** out) {
    if (!PyCallable_Check(function)) {
        PyErr_SetString(PyExc_TypeError, "a function is needed");
        return false;
    }
    Law* law = malloc(sizeof(*law));
    if (law == NULL) {
        PyErr_NoMemory();
        return false;
    }
    *law = (Law){Py_NewRef(function), self, false};
    PyObject* capsule = PyCapsule_New(law, NULL, Law_Free);
    bool good = capsule != NULL && PyList_Append(self->laws, capsule) == 0;
    Py_XDECREF(capsule);
    *out = law;
    return good;
}

// After something was added: what stayed keeps its state, channels may have other numbers.
static bool PrepareAgain(World* self) {
    hwError error;
    PyThreadState* thread = hwPy_Begin(self);
    hwStatus status = hwWorld_Prepare(self->world, &error);
    if (!hwPy_End(self, thread, status, &error)) return false;
    for (Watch* watch = self->watches; watch != NULL; watch = watch->next) {
        for (int i = 0; i < watch->count; ++i)
            watch->channels[i] = hwWorld_FindChannel(self->world, watch->names[i]);
    }
    hwPy_RefreshWatches(self);
    return true;
}

static bool EnterBuilding(World* self) {
    if (!hwPy_Enter(self)) return false;
    if (self->arrays == 0) return true;
    PyErr_SetString(PyExc_BufferError, "arrays of this world are in use: drop them before adding to it");
    return false;
}

PyObject* hwPy_AddForce(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    const char* name;
    PyObject *function, *at;
    if (!PyArg_ParseTuple(arguments, "sOO", &name, &function, &at) || !EnterBuilding(self)) return NULL;
    hwForceDef def = hwDefaultForceDef();
    def.body = hwWorld_FindBody(self->world, name);
    Law* law = NULL;
    if (!hwPy_ReadVec3(at, &def.at) || !AddLaw(self, function, &law)) return NULL;
    def.function = CallForce;
    def.functionContext = law;
    hwError error;
    if (HW_IS_NULL(def.body)) {
        char text[160];
        PyOS_snprintf(text, sizeof(text), "there is no body or link %.80s", name);
        return hwPy_RaiseArgument(self, text);
    }
    hwForceId id = hwWorld_AddForce(self->world, &def, &error);
    if (HW_IS_NULL(id)) return hwPy_Raise(self->module, NULL, &error);
    if (!PrepareAgain(self)) {
        // the world goes on without the force
        PyObject *type, *value, *trace;
        PyErr_Fetch(&type, &value, &trace);
        hwWorld_RemoveForce(self->world, id, NULL);
        if (!PrepareAgain(self)) PyErr_Clear();
        PyErr_Restore(type, value, trace);
        return NULL;
    }
    return PyLong_FromUnsignedLong(id.index);
}

PyObject* hwPy_SetHydro(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    const char* name;
    PyObject* function;
    int above;
    if (!PyArg_ParseTuple(arguments, "sOp", &name, &function, &above) || !EnterBuilding(self)) return NULL;
    hwBodyId body = hwWorld_FindBody(self->world, name);
    if (HW_IS_NULL(body)) {
        char text[160];
        PyOS_snprintf(text, sizeof(text), "there is no body or link %.80s", name);
        return hwPy_RaiseArgument(self, text);
    }
    Law* law = NULL;
    if (function != Py_None) {
        if (!AddLaw(self, function, &law)) return NULL;
        law->above = above != 0;
    }
    const hwBodyDef* def = hwBody_GetDef(self->world, body);
    hwHydroFn* before = def->hydroFn;
    void* context = def->hydroContext;
    hwBody_SetHydroFn(self->world, body, law != NULL ? CallHydro : NULL, law, NULL);
    if (PrepareAgain(self)) Py_RETURN_NONE;
    // the world goes on with what it had
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    hwBody_SetHydroFn(self->world, body, before, context, NULL);
    if (!PrepareAgain(self)) PyErr_Clear();
    PyErr_Restore(type, value, trace);
    return NULL;
}

PyObject* hwPy_AddSensor(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    PyObject* function;
    hwSensorDef def = hwDefaultSensorDef();
    if (!PyArg_ParseTuple(arguments, "ssO", &def.name, &def.unit, &function) || !EnterBuilding(self))
        return NULL;
    Law* law = NULL;
    if (!AddLaw(self, function, &law)) return NULL;
    def.read = CallSensor;
    def.context = law;
    hwError error;
    if (HW_IS_NULL(hwWorld_AddSensor(self->world, &def, &error)))
        return hwPy_Raise(self->module, NULL, &error);
    if (!PrepareAgain(self)) return NULL;
    Py_RETURN_NONE;
}

PyObject* hwPy_AddEvent(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    hwEventDef def;
    if (!PyArg_ParseTuple(arguments, "dsd", &def.time, &def.input, &def.value) || !EnterBuilding(self))
        return NULL;
    if (hwWorld_FindInput(self->world, def.input) < 0) {
        char text[160];
        PyOS_snprintf(text, sizeof(text), "there is no input %.80s", def.input);
        return hwPy_RaiseArgument(self, text);
    }
    hwError error;
    if (hwWorld_AddEvent(self->world, &def, &error) < 0) return hwPy_Raise(self->module, NULL, &error);
    if (!PrepareAgain(self)) return NULL;
    Py_RETURN_NONE;
}

PyObject* hwPy_SetObserver(PyObject* object, PyObject* function) {
    World* self = (World*)object;
    if (!hwPy_Enter(self)) return NULL;
    Py_CLEAR(self->observer);
    if (function != Py_None) {
        if (!PyCallable_Check(function)) {
            PyErr_SetString(PyExc_TypeError, "an observer is a function, or None");
            return NULL;
        }
        self->observer = Py_NewRef(function);
    }
    hwWorld_SetObserver(self->world, self->observer != NULL ? CallObserver : NULL, self);
    Py_RETURN_NONE;
}
