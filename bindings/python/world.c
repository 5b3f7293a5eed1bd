// Worlds and what is in them.
#include "world_object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// `type` is hawser.World, or a class of the caller's own above it.
World* hwPy_NewWorld(Module* module, PyObject* type) {
    if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject*)type, module->world)) {
        PyErr_SetString(PyExc_TypeError, "a subclass of hawser._core.World is needed");
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot((PyTypeObject*)type, Py_tp_alloc);
    World* self = (World*)allocate((PyTypeObject*)type, 0);
    if (self == NULL) return NULL;
    self->module = module;
    self->laws = PyList_New(0);
    if (self->laws != NULL) return self;
    Py_DECREF((PyObject*)self);
    return NULL;
}

static int World_Traverse(PyObject* object, visitproc visit, void* arg) {
    World* self = (World*)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->laws);
    Py_VISIT(self->observer);
    return 0;
}

static int World_Clear(PyObject* object) {
    World* self = (World*)object;
    if (self->world != NULL) hwWorld_SetObserver(self->world, NULL, NULL);
    Py_CLEAR(self->observer);
    return 0; // laws stay until the world is gone: it may still call them
}

static void World_Free(PyObject* object) {
    World* self = (World*)object;
    PyTypeObject* type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    hwPy_DestroyWorld(self);
    Py_XDECREF(self->laws);
    Py_XDECREF(self->observer);
    Py_XDECREF(self->errorType);
    Py_XDECREF(self->errorValue);
    Py_XDECREF(self->errorTrace);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject* World_Close(PyObject* object, PyObject* nothing) {
    (void)nothing;
    World* self = (World*)object;
    if (self->closed) Py_RETURN_NONE;
    if (!hwPy_Enter(self)) return NULL;
    self->closed = true; // what arrays still show lives until they are gone
    if (self->arrays == 0) hwPy_DestroyWorld(self);
    Py_RETURN_NONE;
}

static PyObject* World_Step(PyObject* object, PyObject* number) {
    World* self = (World*)object;
    double interval = PyFloat_AsDouble(number);
    if ((interval == -1.0 && PyErr_Occurred()) || !hwPy_Enter(self)) return NULL;
    hwError error;
    PyThreadState* thread = hwPy_Begin(self);
    hwStatus status = hwWorld_Step(self->world, interval, &error);
    if (status >= 0 && self->watches != NULL) hwPy_RefreshWatches(self);
    if (!hwPy_End(self, thread, status, &error)) return NULL;
    return PyBool_FromLong(status == HW_NEWS_SUBDIVIDED);
}

// Steps `rows - 1` times by `interval` and returns the chosen channels, rows x channels, from now on.
static PyObject* World_Record(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    double interval;
    Py_ssize_t rows;
    PyObject* patterns;
    if (!PyArg_ParseTuple(arguments, "dnO", &interval, &rows, &patterns) || !hwPy_Enter(self)) return NULL;
    int count = 0;
    int* channels = hwPy_SelectChannels(self, patterns, &count);
    if (channels == NULL) return NULL;
    if (rows < 1 || (size_t)rows > SIZE_MAX / sizeof(double) / ((size_t)count + 1)) {
        free(channels);
        return hwPy_RaiseArgument(self,
                                  "a record needs at least one row, and no more than there is memory for");
    }
    double* table = malloc((size_t)rows * (size_t)count * sizeof(double));
    if (table == NULL) {
        free(channels);
        return PyErr_NoMemory();
    }
    hwError error;
    PyThreadState* thread = hwPy_Begin(self);
    double start = hwWorld_GetTime(self->world);
    // the times of rows of `hawser run`: 0.1 s is not exact in binary, but 10 rows a second are
    double rate = round(1.0 / interval);
    bool whole = rate >= 1.0 && fabs(1.0 / interval - rate) < 1e-9 * rate;
    hwStatus status = HW_OK;
    for (Py_ssize_t row = 0; row < rows && status >= 0; ++row) {
        double to = start + (whole ? (double)row / rate : (double)row * interval);
        if (row > 0) status = hwWorld_Step(self->world, to - hwWorld_GetTime(self->world), &error);
        if (status >= 0) hwWorld_ReadChannels(self->world, count, channels, table + row * count);
    }
    if (status >= 0) hwPy_RefreshWatches(self);
    if (!hwPy_End(self, thread, status, &error)) {
        free(table);
        free(channels);
        return NULL;
    }
    PyObject* names = PyList_New(count);
    PyObject* units = PyList_New(count);
    for (int i = 0; names != NULL && units != NULL && i < count; ++i) {
        hwChannelInfo info = hwWorld_GetChannel(self->world, channels[i]);
        PyList_SetItem(names, i, PyUnicode_FromString(info.name));
        PyList_SetItem(units, i, PyUnicode_FromString(info.unit));
    }
    free(channels);
    PyObject* array = hwPy_MakeArray(self->module, NULL, NULL, table, true, 2, rows, count);
    PyObject* result =
        names != NULL && units != NULL && array != NULL ? PyTuple_Pack(3, names, units, array) : NULL;
    Py_XDECREF(names);
    Py_XDECREF(units);
    Py_XDECREF(array);
    return result;
}

// A KeyError that says what there is instead; the words are made by the class World.
static void RaiseMissing(PyObject* object, PyObject* key, bool setting) {
    PyObject* none = PyObject_CallMethod(object, "_raise_missing", "Oi", key, (int)setting);
    if (none == NULL) return;
    Py_DECREF(none);
    PyErr_SetObject(PyExc_KeyError, key);
}

static PyObject* World_GetItem(PyObject* object, PyObject* key) {
    World* self = (World*)object;
    if (!hwPy_EnterReading(self)) return NULL;
    const char* name = PyUnicode_AsUTF8AndSize(key, NULL);
    if (name == NULL) return NULL;
    int channel = hwWorld_FindChannel(self->world, name);
    double value;
    if (channel >= 0) {
        value = hwWorld_ReadChannel(self->world, channel);
    } else {
        int input = hwWorld_FindInput(self->world, name);
        if (input < 0) {
            RaiseMissing(object, key, false);
            return NULL;
        }
        value = hwWorld_ReadInput(self->world, input);
    }
    if (self->busy == BUSY_NOT && self->errorType != NULL) { // a sensor of Python's own failed
        PyErr_Restore(self->errorType, self->errorValue, self->errorTrace);
        self->errorType = self->errorValue = self->errorTrace = NULL;
        return NULL;
    }
    return PyFloat_FromDouble(value);
}

static int World_SetItem(PyObject* object, PyObject* key, PyObject* value) {
    World* self = (World*)object;
    if (!hwPy_Enter(self)) return -1;
    const char* name = PyUnicode_AsUTF8AndSize(key, NULL);
    if (name == NULL) return -1;
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "inputs cannot be deleted");
        return -1;
    }
    double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) return -1;
    int input = hwWorld_FindInput(self->world, name);
    if (input < 0) {
        RaiseMissing(object, key, true);
        return -1;
    }
    hwError error;
    if (hwWorld_SetInput(self->world, input, number, &error) >= 0) {
        hwPy_RefreshWatches(self);
        return 0;
    }
    hwPy_Raise(self->module, NULL, &error);
    return -1;
}

static PyObject* ListChannels(World* self, int count, hwChannelInfo (*get)(const hwWorld*, int)) {
    PyObject* map = PyDict_New();
    for (int i = 0; map != NULL && i < count; ++i) {
        if (get == hwWorld_GetChannel && hwWorld_IsChannelAbsent(self->world, i)) continue;
        hwChannelInfo info = get(self->world, i);
        PyObject* unit = PyUnicode_FromString(info.unit);
        if (unit == NULL || PyDict_SetItemString(map, info.name, unit) != 0) Py_CLEAR(map);
        Py_XDECREF(unit);
    }
    return map;
}

static PyObject* World_GetChannels(PyObject* object, void* closure) {
    (void)closure;
    World* self = (World*)object;
    return hwPy_EnterReading(self)
               ? ListChannels(self, hwWorld_GetChannelCount(self->world), hwWorld_GetChannel)
               : NULL;
}

static PyObject* World_GetInputs(PyObject* object, void* closure) {
    (void)closure;
    World* self = (World*)object;
    return hwPy_EnterReading(self) ? ListChannels(self, hwWorld_GetInputCount(self->world), hwWorld_GetInput)
                                   : NULL;
}

static PyObject* World_GetTime(PyObject* object, void* closure) {
    (void)closure;
    World* self = (World*)object;
    return hwPy_EnterReading(self) ? PyFloat_FromDouble(hwWorld_GetTime(self->world)) : NULL;
}

static PyObject* World_GetInfo(PyObject* object, void* closure) {
    (void)closure;
    World* self = (World*)object;
    if (!hwPy_EnterReading(self)) return NULL;
    if (self->scene == NULL) Py_RETURN_NONE;
    const hwSceneInfo* info = hwScene_GetInfo(self->scene);
    PyObject* warnings = PyList_New(info->warningCount);
    PyObject* record = PyList_New(info->recordCount);
    if (warnings == NULL || record == NULL) return NULL;
    for (int i = 0; i < info->warningCount; ++i)
        PyList_SetItem(warnings, i, PyUnicode_FromString(info->warnings[i]));
    for (int i = 0; i < info->recordCount; ++i)
        PyList_SetItem(record, i, PyUnicode_FromString(info->record[i]));
    return Py_BuildValue("{s:s,s:s,s:d,s:d,s:d,s:s,s:N,s:N}", "path", info->path, "name", info->name, "start",
                         info->start, "duration", info->duration, "interval", info->interval, "solver",
                         info->mode == HW_SOLVER_REALTIME ? "realtime" : "reference", "warnings", warnings,
                         "record", record);
}

static PyObject* World_GetCounters(PyObject* object, void* closure) {
    (void)closure;
    World* self = (World*)object;
    if (!hwPy_EnterReading(self)) return NULL;
    hwCounters c = hwWorld_GetCounters(self->world);
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K,s:d}", "steps", (unsigned long long)c.steps, "rejected",
                         (unsigned long long)c.rejected, "evaluations", (unsigned long long)c.evaluations,
                         "iterations", (unsigned long long)c.iterations, "factorizations",
                         (unsigned long long)c.factorizations, "unconverged",
                         (unsigned long long)c.unconverged, "last_step", c.lastStep);
}

static PyObject* World_GetEnergy(PyObject* object, void* closure) {
    (void)closure;
    World* self = (World*)object;
    if (!hwPy_EnterReading(self)) return NULL;
    hwEnergy e = hwWorld_GetEnergy(self->world);
    return Py_BuildValue("{s:d,s:d,s:d,s:d,s:d,s:d,s:d}", "kinetic", e.kinetic, "potential", e.potential,
                         "elastic", e.elastic, "dissipated", e.dissipated, "work", e.work, "method", e.method,
                         "stilled", e.stilled);
}

// Of a state's bytes, eight at a time. A world trusts its own block, in which there are indices too; bytes in Python come from files and
// other machines, so what save() gives ends with this and restore() refuses what was damaged on its way.
static uint64_t GetCheckSum(const char* bytes, size_t size) {
    uint64_t sum = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < size; i += sizeof(sum)) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < sizeof(word) ? size - i : sizeof(word));
        sum = (sum ^ word) * 0x9e3779b97f4a7c15ull;
        sum ^= sum >> 32;
    }
    return sum;
}

static PyObject* World_Save(PyObject* object, PyObject* nothing) {
    (void)nothing;
    World* self = (World*)object;
    if (!hwPy_Enter(self)) return NULL;
    size_t size = hwWorld_GetStateSize(self->world);
    uint64_t sum;
    PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(size + sizeof(sum)));
    hwError error;
    if (bytes == NULL) return NULL;
    char* data = PyBytes_AsString(bytes);
    if (hwWorld_SaveState(self->world, data, size, &error) >= 0) {
        sum = GetCheckSum(data, size);
        memcpy(data + size, &sum, sizeof(sum));
        return bytes;
    }
    Py_DECREF(bytes);
    return hwPy_Raise(self->module, NULL, &error);
}

static PyObject* World_Restore(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    const char* data;
    Py_ssize_t size;
    int adopt;
    if (!PyArg_ParseTuple(arguments, "y#p", &data, &size, &adopt) || !hwPy_Enter(self)) return NULL;
    uint64_t sum = 0;
    size_t block = (size_t)size > sizeof(sum) ? (size_t)size - sizeof(sum) : 0;
    if (block > 0) memcpy(&sum, data + block, sizeof(sum));
    if (block == 0 || sum != GetCheckSum(data, block)) {
        hwError damaged = {.status = HW_ERROR_ARGUMENT,
                           .index = -1,
                           .time = (double)NAN,
                           .message = "these bytes are no saved state, or a damaged one"};
        return hwPy_Raise(self->module, NULL, &damaged);
    }
    // the library reads doubles in it, so it has to be aligned as such
    void* copy = malloc(block);
    if (copy == NULL) return PyErr_NoMemory();
    memcpy(copy, data, block);
    hwError error;
    hwStatus status = (adopt ? hwWorld_AdoptState : hwWorld_RestoreState)(self->world, copy, block, &error);
    free(copy);
    if (status < 0) return hwPy_Raise(self->module, NULL, &error);
    hwPy_RefreshWatches(self);
    Py_RETURN_NONE;
}

static PyObject* World_Hash(PyObject* object, PyObject* nothing) {
    (void)nothing;
    World* self = (World*)object;
    return hwPy_Enter(self) ? PyLong_FromUnsignedLongLong(hwWorld_HashState(self->world)) : NULL;
}

static PyObject* World_Branch(PyObject* object, PyObject* nothing) {
    (void)nothing;
    World* self = (World*)object;
    if (!hwPy_Enter(self)) return NULL;
    if (PyList_Size(self->laws) > 0) {
        PyErr_SetString(PyExc_RuntimeError,
                        "a world with functions of Python's cannot branch: load it again, add "
                        "them, and restore what save() gave");
        return NULL;
    }
    World* branch = hwPy_NewWorld(self->module, (PyObject*)Py_TYPE(object));
    if (branch == NULL) return NULL;
    hwError error;
    branch->world = hwWorld_Branch(self->world, &error);
    if (branch->world != NULL) return (PyObject*)branch;
    Py_DECREF((PyObject*)branch);
    return hwPy_Raise(self->module, NULL, &error);
}

// Objects in it -----------------------------------------------------------------------------------------------------------

static PyObject* World_ListNames(PyObject* object, PyObject* kind) {
    World* self = (World*)object;
    if (!hwPy_EnterReading(self)) return NULL;
    const char* what = PyUnicode_AsUTF8AndSize(kind, NULL);
    if (what == NULL) return NULL;
    bool cables = strcmp(what, "cables") == 0;
    int count = cables ? hwWorld_GetCables(self->world, 0, NULL) : hwWorld_GetBodies(self->world, 0, NULL);
    void* ids = malloc(((size_t)count + 1) * (cables ? sizeof(hwCableId) : sizeof(hwBodyId)));
    if (ids == NULL) return PyErr_NoMemory();
    PyObject* list = PyList_New(count);
    if (cables) {
        hwWorld_GetCables(self->world, count, ids);
    } else {
        hwWorld_GetBodies(self->world, count, ids);
    }
    for (int i = 0; list != NULL && i < count; ++i) {
        const char* name = cables ? hwCable_GetName(self->world, ((hwCableId*)ids)[i])
                                  : hwBody_GetName(self->world, ((hwBodyId*)ids)[i]);
        PyList_SetItem(list, i, PyUnicode_FromString(name));
    }
    free(ids);
    return list;
}

static bool FindBody(World* self, const char* name, hwBodyId* body) {
    *body = hwWorld_FindBody(self->world, name);
    if (!HW_IS_NULL(*body)) return true;
    PyErr_Format(PyExc_KeyError, "there is no body or link %s", name);
    return false;
}

// Two lists of the cable's numbers without a copy: positions and velocities (nodes x 3), tensions and lengths (elements).
static PyObject* World_ViewCable(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    const char *name, *field;
    if (!PyArg_ParseTuple(arguments, "ss", &name, &field) || !hwPy_EnterReading(self)) return NULL;
    hwCableId cable = hwWorld_FindCable(self->world, name);
    if (HW_IS_NULL(cable)) {
        PyErr_Format(PyExc_KeyError, "there is no cable %s", name);
        return NULL;
    }
    hwCableView view;
    hwError error;
    if (hwCable_GetView(self->world, cable, &view, &error) < 0) return hwPy_Raise(self->module, NULL, &error);
    if (strcmp(field, "length") == 0) return PyFloat_FromDouble(view.length);
    if (strcmp(field, "twist") == 0) return PyFloat_FromDouble(view.twist);
    bool velocities = strcmp(field, "velocities") == 0;
    if (velocities || strcmp(field, "positions") == 0) {
        const hwVec3* data = velocities ? view.velocities : view.positions;
        return hwPy_MakeArray(self->module, self, NULL, (double*)(uintptr_t)data, false, 2, view.nodeCount,
                              3);
    }
    const double* data = strcmp(field, "tensions") == 0 ? view.tensions : view.lengths;
    return hwPy_MakeArray(self->module, self, NULL, (double*)(uintptr_t)data, false, 1, view.elementCount, 0);
}

static PyObject* World_GetBody(PyObject* object, PyObject* key) {
    World* self = (World*)object;
    if (!hwPy_EnterReading(self)) return NULL;
    const char* name = PyUnicode_AsUTF8AndSize(key, NULL);
    hwBodyId body;
    hwBodyState s;
    hwError error;
    if (name == NULL || !FindBody(self, name, &body)) return NULL;
    if (hwBody_GetState(self->world, body, &s, &error) < 0) return hwPy_Raise(self->module, NULL, &error);
    return Py_BuildValue("((ddd)(dddd)(ddd)(ddd)(ddd)(ddd))", s.position.x, s.position.y, s.position.z,
                         s.attitude.w, s.attitude.x, s.attitude.y, s.attitude.z, s.velocity.x, s.velocity.y,
                         s.velocity.z, s.rate.x, s.rate.y, s.rate.z, s.acceleration.x, s.acceleration.y,
                         s.acceleration.z, s.rateAcceleration.x, s.rateAcceleration.y, s.rateAcceleration.z);
}

static PyObject* World_SetBody(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    const char* name;
    PyObject *position, *attitude, *velocity, *rate;
    if (!PyArg_ParseTuple(arguments, "sOOOO", &name, &position, &attitude, &velocity, &rate) ||
        !hwPy_Enter(self))
        return NULL;
    hwBodyId body;
    hwBodyState s;
    hwError error;
    if (!FindBody(self, name, &body)) return NULL;
    if (hwBody_GetState(self->world, body, &s, &error) < 0) return hwPy_Raise(self->module, NULL, &error);
    double q[4];
    if (position != Py_None && !hwPy_ReadVec3(position, &s.position)) return NULL;
    if (velocity != Py_None && !hwPy_ReadVec3(velocity, &s.velocity)) return NULL;
    if (rate != Py_None && !hwPy_ReadVec3(rate, &s.rate)) return NULL;
    if (attitude != Py_None) {
        if (!hwPy_ReadNumbers(attitude, 4, q)) return NULL;
        s.attitude = (hwQuat){.w = q[0], .x = q[1], .y = q[2], .z = q[3]};
    }
    if (hwBody_SetState(self->world, body, &s, &error) < 0) return hwPy_Raise(self->module, NULL, &error);
    hwPy_RefreshWatches(self);
    Py_RETURN_NONE;
}

static PyObject* World_ApplyWrench(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    const char* name;
    PyObject *force, *torque, *point;
    int inBody;
    hwVec3 f, t, p;
    hwBodyId body;
    if (!PyArg_ParseTuple(arguments, "sOOOp", &name, &force, &torque, &point, &inBody) || !hwPy_Enter(self))
        return NULL;
    if (!FindBody(self, name, &body) || !hwPy_ReadVec3(force, &f) || !hwPy_ReadVec3(torque, &t) ||
        !hwPy_ReadVec3(point, &p))
        return NULL;
    hwError error;
    hwStatus status =
        hwBody_ApplyWrench(self->world, body, f, t, p, inBody ? HW_FRAME_BODY : HW_FRAME_WORLD, &error);
    if (status < 0) return hwPy_Raise(self->module, NULL, &error);
    Py_RETURN_NONE;
}

static PyObject* World_ClearForces(PyObject* object, PyObject* key) {
    World* self = (World*)object;
    if (!hwPy_Enter(self)) return NULL;
    const char* name = PyUnicode_AsUTF8AndSize(key, NULL);
    hwBodyId body;
    hwError error;
    if (name == NULL || !FindBody(self, name, &body)) return NULL;
    if (hwBody_ClearForces(self->world, body, &error) < 0) return hwPy_Raise(self->module, NULL, &error);
    Py_RETURN_NONE;
}

static PyObject* World_SampleFluid(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    PyObject* rows;
    double time;
    if (!PyArg_ParseTuple(arguments, "Od", &rows, &time) || !hwPy_EnterReading(self)) return NULL;
    Py_ssize_t count = PySequence_Size(rows);
    if (count < 0) return NULL;
    hwVec3* points = malloc(((size_t)count + 1) * sizeof(*points));
    hwFluidSample* samples = malloc(((size_t)count + 1) * sizeof(*samples));
    double* table = malloc(((size_t)count + 1) * 9 * sizeof(double));
    PyObject* array = NULL;
    bool good = points != NULL && samples != NULL && table != NULL;
    if (!good) PyErr_NoMemory();
    for (Py_ssize_t i = 0; good && i < count; ++i) {
        PyObject* row = PySequence_GetItem(rows, i);
        good = row != NULL && hwPy_ReadVec3(row, &points[i]);
        Py_XDECREF(row);
    }
    hwError error;
    if (good && hwWorld_SampleFluid(self->world, (int)count, points, time, samples, &error) < 0) {
        hwPy_Raise(self->module, NULL, &error);
        good = false;
    }
    for (Py_ssize_t i = 0; good && i < count; ++i) {
        const hwFluidSample* s = &samples[i];
        double row[9] = {s->velocity.x,     s->velocity.y,     s->velocity.z,
                         s->acceleration.x, s->acceleration.y, s->acceleration.z,
                         s->density,        s->surface,        s->surfaceRate};
        memcpy(table + 9 * i, row, sizeof(row));
    }
    free(points);
    free(samples);
    if (good) {
        array = hwPy_MakeArray(self->module, NULL, NULL, table, true, 2, count, 9);
    } else {
        free(table);
    }
    return array;
}

static const char* NameEventKind(hwStepEventKind kind) {
    switch (kind) {
    case HW_EVENT_CONTACT_BEGIN:
        return "contact_begin";
    case HW_EVENT_CONTACT_HIT:
        return "contact_hit";
    case HW_EVENT_CONTACT_END:
        return "contact_end";
    case HW_EVENT_CABLE_SLACK:
        return "cable_slack";
    case HW_EVENT_CABLE_TAUT:
        return "cable_taut";
    case HW_EVENT_CABLE_SNAP:
        return "cable_snap";
    case HW_EVENT_CABLE_PARTED:
        return "cable_parted";
    case HW_EVENT_CABLE_LATCHED:
        return "cable_latched";
    case HW_EVENT_CABLE_RELEASED:
        return "cable_released";
    case HW_EVENT_CABLE_WOUND:
        return "cable_wound";
    }
    return "unknown";
}

static PyObject* World_KeepEvents(PyObject* object, PyObject* flag) {
    World* self = (World*)object;
    int keep = PyObject_IsTrue(flag);
    if (keep < 0 || !hwPy_Enter(self)) return NULL;
    hwStepEventDef def = hwDefaultStepEventDef();
    hwError error;
    if (hwWorld_KeepStepEvents(self->world, keep ? &def : NULL, &error) < 0)
        return hwPy_Raise(self->module, NULL, &error);
    Py_RETURN_NONE;
}

static PyObject* World_GetEvents(PyObject* object, PyObject* nothing) {
    (void)nothing;
    World* self = (World*)object;
    if (!hwPy_Enter(self)) return NULL;
    const hwStepEvent* events;
    int count = hwWorld_GetStepEvents(self->world, &events, NULL);
    PyObject* list = PyList_New(count);
    for (int i = 0; list != NULL && i < count; ++i) {
        const hwStepEvent* e = &events[i];
        const char* a = HW_IS_NULL(e->bodyA) ? hwCable_GetName(self->world, e->cableA)
                                             : hwBody_GetName(self->world, e->bodyA);
        const char* b = HW_IS_NULL(e->bodyB) ? hwCable_GetName(self->world, e->cableB)
                                             : hwBody_GetName(self->world, e->bodyB);
        PyObject* item = Py_BuildValue("(sddssi(ddd))", NameEventKind(e->kind), e->time, e->value, a, b,
                                       e->end, e->point.x, e->point.y, e->point.z);
        if (item == NULL || PyList_SetItem(list, i, item) != 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject* World_Describe(PyObject* object, PyObject* nothing) {
    (void)nothing;
    World* self = (World*)object;
    if (!hwPy_Enter(self)) return NULL;
    if (self->scene == NULL) return PyUnicode_FromString("");
    char* text = hwScene_Describe(self->scene, self->world, NULL, NULL);
    if (text == NULL) return PyErr_NoMemory();
    PyObject* result = PyUnicode_FromString(text);
    free(text);
    return result;
}

static PyMethodDef g_worldMethods[] = {
    {"close", World_Close, METH_NOARGS,
     "Frees the world; using it afterwards is a ValueError. ``with`` does it by itself."},
    {"step", World_Step, METH_O,
     "Advances by an interval (s). True: the solver had to subdivide it further than planned."},
    {"_record", World_Record, METH_VARARGS, NULL},
    {"_watch", hwPy_WatchWorld, METH_O, NULL},
    {"save", World_Save, METH_NOARGS,
     "The whole state as bytes: :meth:`restore` in this world or in another one of the same scene goes on "
     "from there to the bit."},
    {"_restore", World_Restore, METH_VARARGS, NULL},
    {"hash", World_Hash, METH_NOARGS,
     "A number of 64 bits that is the same where the whole state is the same to the bit."},
    {"_branch", World_Branch, METH_NOARGS, NULL},
    {"_names", World_ListNames, METH_O, NULL},
    {"_cable", World_ViewCable, METH_VARARGS, NULL},
    {"_body", World_GetBody, METH_O, NULL},
    {"_set_body", World_SetBody, METH_VARARGS, NULL},
    {"_apply", World_ApplyWrench, METH_VARARGS, NULL},
    {"clear_forces", World_ClearForces, METH_O, "Takes back what :meth:`apply_force` has added to a body."},
    {"_fluid", World_SampleFluid, METH_VARARGS, NULL},
    {"_add_force", hwPy_AddForce, METH_VARARGS, NULL},
    {"_set_hydro", hwPy_SetHydro, METH_VARARGS, NULL},
    {"_add_sensor", hwPy_AddSensor, METH_VARARGS, NULL},
    {"_add_event", hwPy_AddEvent, METH_VARARGS, NULL},
    {"_observe", hwPy_SetObserver, METH_O, NULL},
    {"keep_events", World_KeepEvents, METH_O, "Whether :meth:`events` tells what happened during a step."},
    {"_events", World_GetEvents, METH_NOARGS, NULL},
    {"describe", World_Describe, METH_NOARGS, "What the world is made of, in words."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef g_worldFields[] = {
    {"time", World_GetTime, NULL, "simulated time, s", NULL},
    {"channels", World_GetChannels, NULL, "units of all channels by name", NULL},
    {"inputs", World_GetInputs, NULL, "units of all inputs by name", NULL},
    {"info", World_GetInfo, NULL, "what the scene says about its run", NULL},
    {"counters", World_GetCounters, NULL, "what the solver has done", NULL},
    {"energy", World_GetEnergy, NULL, "energies, J", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot g_worldSlots[] = {{Py_tp_dealloc, World_Free},
                                     {Py_tp_traverse, World_Traverse},
                                     {Py_tp_clear, World_Clear},
                                     {Py_tp_methods, g_worldMethods},
                                     {Py_tp_getset, g_worldFields},
                                     {Py_mp_subscript, World_GetItem},
                                     {Py_mp_ass_subscript, World_SetItem},
                                     {Py_tp_doc, "A world of the C library; hawser.World is its face."},
                                     {0, NULL}};
PyType_Spec hwPyWorldSpec = {"hawser._core.World", sizeof(World), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE |
                                 Py_TPFLAGS_DISALLOW_INSTANTIATION,
                             g_worldSlots};
