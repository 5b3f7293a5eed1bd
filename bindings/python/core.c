// The extension module hawser._core: worlds, results and arrays for the Python package beside it. CPython's stable ABI (3.11 and
// later), the public C headers, and no other library of Python: arrays go out through the buffer protocol.
//
// A world is used by one thread at a time. Steps release Python's lock, so that other threads run their own worlds; `busy` says
// that a world is in a step, and every other call on it is refused meanwhile.
#include "tether_functions.h"

#include "hawser/hawser.h"
#include "hawser/results.h"
#include "hawser/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POLL_SIGNALS 64 // sub-steps between two looks for Ctrl-C

typedef struct Module {
    PyObject* error; // hawser.Error and, by status, its subclasses
    PyTypeObject *world, *watch, *array;
} Module;

typedef enum Busy { BUSY_NOT, BUSY_STEPPING, BUSY_WATCHED } Busy;

typedef struct Watch Watch;

typedef struct World {
    PyObject ob_base;
    hwWorld* world;
    hwScene* scene;
    Py_ssize_t arrays; // that point into the world's memory
    bool closed;
    Busy busy;
    unsigned long thread; // that steps it
    unsigned polls;
    PyObject* laws;                                // list of Law, kept alive as long as the world
    PyObject* observer;                            // called after each sub-step, or null
    PyObject *errorType, *errorValue, *errorTrace; // raised by a callback within a step
    Watch* watches;                                // of this world, each kept alive by whoever uses it
    Module* module;
} World;

// Chosen channels in memory of its own, filled anew after each step.
struct Watch {
    PyObject ob_base;
    World* world;
    Watch *next, *previous;
    int count;
    int* channels;
    char** names;
    double* values;
};

// Numbers with a shape, owned or borrowed from a world.
typedef struct Array {
    PyObject ob_base;
    World* world;     // null: owned
    PyObject* keeper; // object that owns the numbers, or null
    double* owned;
    double* data;
    int dimensions;
    Py_ssize_t shape[2], strides[2];
} Array;

// Errors -----------------------------------------------------------------------------------------------------------------

static void SetItem(PyObject* object, const char* name, PyObject* value) {
    if (value != NULL) PyObject_SetAttrString(object, name, value);
    Py_XDECREF(value);
}

// Raises hawser.Error with what the library says; the class by status is chosen in errors.py.
static PyObject* Raise(Module* module, const char* path, const hwError* error) {
    if (error->status == HW_ERROR_MEMORY) return PyErr_NoMemory();
    PyObject* made =
        PyObject_CallFunction(module->error, "iss", (int)error->status, path ? path : "", error->message);
    if (made == NULL) return NULL;
    SetItem(made, "object",
            PyUnicode_DecodeUTF8(error->object, (Py_ssize_t)strlen(error->object), "replace"));
    SetItem(made, "field", PyUnicode_DecodeUTF8(error->field, (Py_ssize_t)strlen(error->field), "replace"));
    SetItem(made, "hint", PyUnicode_DecodeUTF8(error->hint, (Py_ssize_t)strlen(error->hint), "replace"));
    SetItem(made, "line", PyLong_FromLong(error->line));
    SetItem(made, "column", PyLong_FromLong(error->column));
    SetItem(made, "index", PyLong_FromLong(error->index));
    SetItem(made, "time", PyFloat_FromDouble(error->time));
    if (!PyErr_Occurred()) PyErr_SetObject((PyObject*)Py_TYPE(made), made);
    Py_DECREF(made);
    return NULL;
}

static PyObject* RaiseArgument(World* self, const char* message) {
    hwError error = {.status = HW_ERROR_ARGUMENT, .index = -1, .time = NAN};
    strncpy(error.message, message, sizeof(error.message) - 1);
    return Raise(self->module, NULL, &error);
}

// True when the world may be changed by this call.
static bool Enter(World* self) {
    if (self->closed || self->world == NULL) {
        PyErr_SetString(PyExc_ValueError, "the world is closed");
        return false;
    }
    if (self->busy != BUSY_NOT) {
        PyErr_SetString(PyExc_RuntimeError,
                        self->busy == BUSY_WATCHED
                            ? "an observer may read its world, not change it"
                            : "the world is being stepped: one thread at a time may use it");
        return false;
    }
    return true;
}

// True when it may be read: also by an observer in its own step.
static bool EnterReading(World* self) {
    if (self->busy == BUSY_WATCHED && self->thread == PyThread_get_thread_ident()) return !self->closed;
    return Enter(self);
}

static void KeepError(World* self) {
    if (self->errorType == NULL) {
        PyErr_Fetch(&self->errorType, &self->errorValue, &self->errorTrace);
    } else {
        PyErr_Clear();
    }
}

// Arrays -----------------------------------------------------------------------------------------------------------------

static PyObject* MakeArray(Module* module, World* world, PyObject* keeper, double* data, bool owned,
                           int dimensions, Py_ssize_t rows, Py_ssize_t columns) {
    Array* array = PyObject_New(Array, module->array);
    if (array == NULL) {
        if (owned) free(data);
        return NULL;
    }
    array->world = world;
    array->keeper = keeper;
    array->owned = owned ? data : NULL;
    array->data = data;
    array->dimensions = dimensions;
    array->shape[0] = rows;
    array->shape[1] = columns;
    array->strides[0] = (Py_ssize_t)sizeof(double) * (dimensions == 2 ? columns : 1);
    array->strides[1] = (Py_ssize_t)sizeof(double);
    if (world != NULL) {
        world->arrays++;
        Py_INCREF((PyObject*)world);
    }
    Py_XINCREF(keeper);
    return (PyObject*)array;
}

static void DestroyWorld(World* self) {
    hwDestroyWorld(self->world);
    hwDestroyScene(self->scene);
    self->world = NULL;
    self->scene = NULL;
}

static void Array_Free(PyObject* object) {
    Array* self = (Array*)object;
    PyTypeObject* type = Py_TYPE(object);
    free(self->owned);
    if (self->world != NULL && --self->world->arrays == 0 && self->world->closed) DestroyWorld(self->world);
    Py_XDECREF((PyObject*)self->world);
    Py_XDECREF(self->keeper);
    PyObject_Free(self);
    Py_DECREF(type);
}

static int Array_GetBuffer(PyObject* object, Py_buffer* view, int flags) {
    Array* self = (Array*)object;
    bool writable = self->owned != NULL;
    if ((flags & PyBUF_WRITABLE) && !writable) {
        PyErr_SetString(PyExc_BufferError, "these numbers belong to a world and can only be read");
        return -1;
    }
    view->buf = self->data;
    view->obj = Py_NewRef(object);
    view->len = (self->dimensions == 2 ? self->shape[0] * self->shape[1] : self->shape[0]) *
                (Py_ssize_t)sizeof(double);
    view->readonly = !writable;
    view->itemsize = (Py_ssize_t)sizeof(double);
    view->format = (flags & PyBUF_FORMAT) ? "d" : NULL;
    view->ndim = self->dimensions;
    view->shape = (flags & PyBUF_ND) ? self->shape : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? self->strides : NULL;
    view->suboffsets = NULL;
    view->internal = NULL;
    return 0;
}

static PyType_Slot g_arraySlots[] = {{Py_tp_dealloc, Array_Free},
                                     {Py_bf_getbuffer, Array_GetBuffer},
                                     {Py_tp_doc, "Numbers that numpy.asarray takes without a copy."},
                                     {0, NULL}};
static PyType_Spec g_arraySpec = {"hawser._core.Array", sizeof(Array), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, g_arraySlots};

// Watches ----------------------------------------------------------------------------------------------------------------

static void Watch_Unlink(Watch* self) {
    if (self->previous != NULL) self->previous->next = self->next;
    if (self->next != NULL) self->next->previous = self->previous;
    if (self->world != NULL && self->world->watches == self) self->world->watches = self->next;
    self->next = self->previous = NULL;
}

static void Watch_Free(PyObject* object) {
    Watch* self = (Watch*)object;
    PyTypeObject* type = Py_TYPE(object);
    Watch_Unlink(self);
    for (int i = 0; self->names != NULL && i < self->count; ++i) free(self->names[i]);
    free(self->names);
    free(self->channels);
    free(self->values);
    Py_XDECREF((PyObject*)self->world);
    PyObject_Free(self);
    Py_DECREF(type);
}

static void RefreshWatches(World* self) {
    for (Watch* watch = self->watches; watch != NULL; watch = watch->next)
        hwWorld_ReadChannels(self->world, watch->count, watch->channels, watch->values);
}

static PyObject* Watch_GetValues(PyObject* object, void* closure) {
    (void)closure;
    Watch* self = (Watch*)object;
    return MakeArray(self->world->module, NULL, object, self->values, false, 1, self->count, 0);
}

static PyObject* Watch_GetNames(PyObject* object, void* closure) {
    (void)closure;
    Watch* self = (Watch*)object;
    PyObject* list = PyList_New(self->count);
    for (int i = 0; list != NULL && i < self->count; ++i) {
        PyObject* name = PyUnicode_FromString(self->names[i]);
        if (name == NULL || PyList_SetItem(list, i, name) != 0) Py_CLEAR(list);
    }
    return list;
}

static PyGetSetDef g_watchFields[] = {
    {"values", Watch_GetValues, NULL, "the numbers, always those after the last step", NULL},
    {"names", Watch_GetNames, NULL, "names of the channels", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot g_watchSlots[] = {{Py_tp_dealloc, Watch_Free},
                                     {Py_tp_getset, g_watchFields},
                                     {Py_tp_doc, "Channels of a world that are filled anew after each step."},
                                     {0, NULL}};
static PyType_Spec g_watchSpec = {"hawser._core.Watch", sizeof(Watch), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, g_watchSlots};

static char* CopyText(const char* text) {
    size_t size = strlen(text) + 1;
    char* copy = malloc(size);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

// Names as an array of C strings that live as long as the list. Returns null with an exception set; free() the result.
static const char** TakeTexts(PyObject* list, Py_ssize_t* count) {
    *count = PySequence_Size(list);
    if (*count < 0) return NULL;
    const char** texts = malloc((size_t)(*count + 1) * sizeof(char*));
    if (texts == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < *count; ++i) {
        PyObject* item = PySequence_GetItem(list, i);
        texts[i] = item != NULL ? PyUnicode_AsUTF8AndSize(item, NULL) : NULL;
        Py_XDECREF(item); // the list still holds it
        if (texts[i] == NULL) {
            free(texts);
            return NULL;
        }
    }
    return texts;
}

static int* SelectChannels(World* self, PyObject* patterns, int* count) {
    Py_ssize_t patternCount = 0;
    const char** texts = TakeTexts(patterns, &patternCount);
    if (texts == NULL) return NULL;
    int* channels = malloc((size_t)(hwWorld_GetChannelCount(self->world) + 1) * sizeof(int));
    hwError error;
    hwStatus status = HW_OK;
    if (channels == NULL) {
        PyErr_NoMemory();
    } else {
        status = hwWorld_SelectChannels(self->world, (int)patternCount, texts, channels, count, &error);
    }
    free(texts);
    if (status < 0) {
        Raise(self->module, NULL, &error);
        free(channels);
        return NULL;
    }
    return channels;
}

static PyObject* World_Watch(PyObject* object, PyObject* patterns) {
    World* self = (World*)object;
    if (!Enter(self)) return NULL;
    int count = 0;
    int* channels = SelectChannels(self, patterns, &count);
    if (channels == NULL) return NULL;
    Watch* watch = PyObject_New(Watch, self->module->watch);
    if (watch == NULL) {
        free(channels);
        return NULL;
    }
    watch->world = (World*)Py_NewRef(object);
    watch->next = watch->previous = NULL;
    watch->count = count;
    watch->channels = channels;
    watch->values = malloc((size_t)(count + 1) * sizeof(double));
    watch->names = calloc((size_t)count + 1, sizeof(char*));
    bool good = watch->values != NULL && watch->names != NULL;
    for (int i = 0; good && i < count; ++i) {
        watch->names[i] = CopyText(hwWorld_GetChannel(self->world, channels[i]).name);
        good = watch->names[i] != NULL;
    }
    if (!good) {
        Py_DECREF((PyObject*)watch);
        return PyErr_NoMemory();
    }
    watch->next = self->watches;
    if (self->watches != NULL) self->watches->previous = watch;
    self->watches = watch;
    hwWorld_ReadChannels(self->world, count, channels, watch->values);
    return (PyObject*)watch;
}

// Laws of the caller's own -------------------------------------------------------------------------------------------------

// A Python function behind a C callback. `world` is the one it was added to; branches call it too.
typedef struct Law {
    PyObject* function;
    World* world;
} Law;

static void Law_Free(PyObject* capsule) {
    Law* law = PyCapsule_GetPointer(capsule, NULL);
    if (law == NULL) return;
    Py_XDECREF(law->function);
    free(law);
}

static bool ReadNumbers(PyObject* sequence, Py_ssize_t count, double* out) {
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

static bool ReadVec3(PyObject* sequence, hwVec3* out) {
    double numbers[3];
    if (!ReadNumbers(sequence, 3, numbers)) return false;
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
        bool good = row != NULL && ReadNumbers(row, 6, out[i]);
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
        bool good = item != NULL && (i == 0   ? ReadVec3(item, &output->force)
                                     : i == 1 ? ReadVec3(item, &output->torque)
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
    if (PyErr_Occurred()) KeepError(law->world);
    Py_XDECREF(result);
    PyGILState_Release(lock);
}

static double CallSensor(const hwWorld* world, void* context) {
    (void)world;
    Law* law = context;
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject* result = PyObject_CallFunction(law->function, NULL);
    double value = result != NULL ? PyFloat_AsDouble(result) : NAN;
    if (PyErr_Occurred()) KeepError(law->world);
    Py_XDECREF(result);
    PyGILState_Release(lock);
    return value;
}

static bool IsStopped(void* context) {
    World* self = context;
    if (self->errorType != NULL) return true;
    if (++self->polls < POLL_SIGNALS) return false;
    self->polls = 0;
    PyGILState_STATE lock = PyGILState_Ensure();
    if (PyErr_CheckSignals() != 0) KeepError(self);
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
    if (result == NULL) KeepError(self);
    Py_XDECREF(result);
    PyGILState_Release(lock);
}

static void LogLine(hwLogLevel level, const char* text, void* context) {
    (void)context;
    if (level != HW_LOG_WARNING) return;
    PyGILState_STATE lock = PyGILState_Ensure();
    if (PyErr_WarnEx(PyExc_UserWarning, text, 1) != 0) PyErr_WriteUnraisable(NULL);
    PyGILState_Release(lock);
}

// Begins and ends what takes long: without Python's lock, and with the exceptions of callbacks.
static PyThreadState* Begin(World* self) {
    self->busy = BUSY_STEPPING;
    self->thread = PyThread_get_thread_ident();
    return PyEval_SaveThread();
}

static bool End(World* self, PyThreadState* thread, hwStatus status, const hwError* error) {
    PyEval_RestoreThread(thread);
    self->busy = BUSY_NOT;
    if (self->errorType != NULL) {
        PyErr_Restore(self->errorType, self->errorValue, self->errorTrace);
        self->errorType = self->errorValue = self->errorTrace = NULL;
        return false;
    }
    if (status >= 0) return true;
    Raise(self->module, self->scene != NULL ? hwScene_GetInfo(self->scene)->path : NULL, error);
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
    *law = (Law){Py_NewRef(function), self};
    PyObject* capsule = PyCapsule_New(law, NULL, Law_Free);
    bool good = capsule != NULL && PyList_Append(self->laws, capsule) == 0;
    Py_XDECREF(capsule);
    *out = law;
    return good;
}

// After something was added: what stayed keeps its state, channels may have other numbers.
static bool PrepareAgain(World* self) {
    hwError error;
    PyThreadState* thread = Begin(self);
    hwStatus status = hwWorld_Prepare(self->world, &error);
    if (!End(self, thread, status, &error)) return false;
    for (Watch* watch = self->watches; watch != NULL; watch = watch->next) {
        for (int i = 0; i < watch->count; ++i)
            watch->channels[i] = hwWorld_FindChannel(self->world, watch->names[i]);
    }
    RefreshWatches(self);
    return true;
}

static bool EnterBuilding(World* self) {
    if (!Enter(self)) return false;
    if (self->arrays == 0) return true;
    PyErr_SetString(PyExc_BufferError, "arrays of this world are in use: drop them before adding to it");
    return false;
}

static PyObject* World_AddForce(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    const char* name;
    PyObject *function, *at;
    if (!PyArg_ParseTuple(arguments, "sOO", &name, &function, &at) || !EnterBuilding(self)) return NULL;
    hwForceDef def = hwDefaultForceDef();
    def.body = hwWorld_FindBody(self->world, name);
    Law* law = NULL;
    if (!ReadVec3(at, &def.at) || !AddLaw(self, function, &law)) return NULL;
    def.function = CallForce;
    def.functionContext = law;
    hwError error;
    if (HW_IS_NULL(def.body)) {
        char text[160];
        PyOS_snprintf(text, sizeof(text), "there is no body or link %.80s", name);
        return RaiseArgument(self, text);
    }
    hwForceId id = hwWorld_AddForce(self->world, &def, &error);
    if (HW_IS_NULL(id)) return Raise(self->module, NULL, &error);
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

static PyObject* World_AddSensor(PyObject* object, PyObject* arguments) {
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
    if (HW_IS_NULL(hwWorld_AddSensor(self->world, &def, &error))) return Raise(self->module, NULL, &error);
    if (!PrepareAgain(self)) return NULL;
    Py_RETURN_NONE;
}

static PyObject* World_AddEvent(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    hwEventDef def;
    if (!PyArg_ParseTuple(arguments, "dsd", &def.time, &def.input, &def.value) || !EnterBuilding(self))
        return NULL;
    if (hwWorld_FindInput(self->world, def.input) < 0) {
        char text[160];
        PyOS_snprintf(text, sizeof(text), "there is no input %.80s", def.input);
        return RaiseArgument(self, text);
    }
    hwError error;
    if (hwWorld_AddEvent(self->world, &def, &error) < 0) return Raise(self->module, NULL, &error);
    if (!PrepareAgain(self)) return NULL;
    Py_RETURN_NONE;
}

static PyObject* World_SetObserver(PyObject* object, PyObject* function) {
    World* self = (World*)object;
    if (!Enter(self)) return NULL;
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

// Worlds -----------------------------------------------------------------------------------------------------------------

// `type` is hawser.World, or a class of the caller's own above it.
static World* NewWorld(Module* module, PyObject* type) {
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
    DestroyWorld(self);
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
    if (!Enter(self)) return NULL;
    self->closed = true; // what arrays still show lives until they are gone
    if (self->arrays == 0) DestroyWorld(self);
    Py_RETURN_NONE;
}

static PyObject* World_Step(PyObject* object, PyObject* number) {
    World* self = (World*)object;
    double interval = PyFloat_AsDouble(number);
    if ((interval == -1.0 && PyErr_Occurred()) || !Enter(self)) return NULL;
    hwError error;
    PyThreadState* thread = Begin(self);
    hwStatus status = hwWorld_Step(self->world, interval, &error);
    if (status >= 0 && self->watches != NULL) RefreshWatches(self);
    if (!End(self, thread, status, &error)) return NULL;
    return PyBool_FromLong(status == HW_NEWS_SUBDIVIDED);
}

// Steps `rows - 1` times by `interval` and returns the chosen channels, rows x channels, from now on.
static PyObject* World_Record(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    double interval;
    Py_ssize_t rows;
    PyObject* patterns;
    if (!PyArg_ParseTuple(arguments, "dnO", &interval, &rows, &patterns) || !Enter(self)) return NULL;
    int count = 0;
    int* channels = SelectChannels(self, patterns, &count);
    if (channels == NULL) return NULL;
    if (rows < 1 || (size_t)rows > SIZE_MAX / sizeof(double) / ((size_t)count + 1)) {
        free(channels);
        return RaiseArgument(self, "a record needs at least one row, and no more than there is memory for");
    }
    double* table = malloc((size_t)rows * (size_t)count * sizeof(double));
    if (table == NULL) {
        free(channels);
        return PyErr_NoMemory();
    }
    hwError error;
    PyThreadState* thread = Begin(self);
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
    if (status >= 0) RefreshWatches(self);
    if (!End(self, thread, status, &error)) {
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
    PyObject* array = MakeArray(self->module, NULL, NULL, table, true, 2, rows, count);
    PyObject* result =
        names != NULL && units != NULL && array != NULL ? PyTuple_Pack(3, names, units, array) : NULL;
    Py_XDECREF(names);
    Py_XDECREF(units);
    Py_XDECREF(array);
    return result;
}

static PyObject* World_GetItem(PyObject* object, PyObject* key) {
    World* self = (World*)object;
    if (!EnterReading(self)) return NULL;
    const char* name = PyUnicode_AsUTF8AndSize(key, NULL);
    if (name == NULL) return NULL;
    int channel = hwWorld_FindChannel(self->world, name);
    double value;
    if (channel >= 0) {
        value = hwWorld_ReadChannel(self->world, channel);
    } else {
        int input = hwWorld_FindInput(self->world, name);
        if (input < 0) {
            PyErr_SetObject(PyExc_KeyError, key);
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
    if (!Enter(self)) return -1;
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
        PyErr_SetObject(PyExc_KeyError, key);
        return -1;
    }
    hwError error;
    if (hwWorld_SetInput(self->world, input, number, &error) >= 0) {
        RefreshWatches(self);
        return 0;
    }
    Raise(self->module, NULL, &error);
    return -1;
}

static PyObject* ListChannels(World* self, int count, hwChannelInfo (*get)(const hwWorld*, int)) {
    PyObject* map = PyDict_New();
    for (int i = 0; map != NULL && i < count; ++i) {
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
    return EnterReading(self) ? ListChannels(self, hwWorld_GetChannelCount(self->world), hwWorld_GetChannel)
                              : NULL;
}

static PyObject* World_GetInputs(PyObject* object, void* closure) {
    (void)closure;
    World* self = (World*)object;
    return EnterReading(self) ? ListChannels(self, hwWorld_GetInputCount(self->world), hwWorld_GetInput)
                              : NULL;
}

static PyObject* World_GetTime(PyObject* object, void* closure) {
    (void)closure;
    World* self = (World*)object;
    return EnterReading(self) ? PyFloat_FromDouble(hwWorld_GetTime(self->world)) : NULL;
}

static PyObject* World_GetInfo(PyObject* object, void* closure) {
    (void)closure;
    World* self = (World*)object;
    if (!EnterReading(self)) return NULL;
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
    if (!EnterReading(self)) return NULL;
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
    if (!EnterReading(self)) return NULL;
    hwEnergy e = hwWorld_GetEnergy(self->world);
    return Py_BuildValue("{s:d,s:d,s:d,s:d,s:d}", "kinetic", e.kinetic, "potential", e.potential, "elastic",
                         e.elastic, "dissipated", e.dissipated, "work", e.work);
}

static PyObject* World_Save(PyObject* object, PyObject* nothing) {
    (void)nothing;
    World* self = (World*)object;
    if (!Enter(self)) return NULL;
    size_t size = hwWorld_GetStateSize(self->world);
    PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    hwError error;
    if (bytes == NULL) return NULL;
    if (hwWorld_SaveState(self->world, PyBytes_AsString(bytes), size, &error) >= 0) return bytes;
    Py_DECREF(bytes);
    return Raise(self->module, NULL, &error);
}

static PyObject* World_Restore(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    const char* data;
    Py_ssize_t size;
    int adopt;
    if (!PyArg_ParseTuple(arguments, "y#p", &data, &size, &adopt) || !Enter(self)) return NULL;
    // the library reads doubles in it, so it has to be aligned as such
    void* copy = malloc((size_t)size + 1);
    if (copy == NULL) return PyErr_NoMemory();
    memcpy(copy, data, (size_t)size);
    hwError error;
    hwStatus status =
        (adopt ? hwWorld_AdoptState : hwWorld_RestoreState)(self->world, copy, (size_t)size, &error);
    free(copy);
    if (status < 0) return Raise(self->module, NULL, &error);
    RefreshWatches(self);
    Py_RETURN_NONE;
}

static PyObject* World_Hash(PyObject* object, PyObject* nothing) {
    (void)nothing;
    World* self = (World*)object;
    return Enter(self) ? PyLong_FromUnsignedLongLong(hwWorld_HashState(self->world)) : NULL;
}

static PyObject* World_Branch(PyObject* object, PyObject* nothing) {
    (void)nothing;
    World* self = (World*)object;
    if (!Enter(self)) return NULL;
    if (PyList_Size(self->laws) > 0) {
        PyErr_SetString(PyExc_RuntimeError,
                        "a world with functions of Python's cannot branch: load it again, add "
                        "them, and restore what save() gave");
        return NULL;
    }
    World* branch = NewWorld(self->module, (PyObject*)Py_TYPE(object));
    if (branch == NULL) return NULL;
    hwError error;
    branch->world = hwWorld_Branch(self->world, &error);
    if (branch->world != NULL) return (PyObject*)branch;
    Py_DECREF((PyObject*)branch);
    return Raise(self->module, NULL, &error);
}

// Objects in it -----------------------------------------------------------------------------------------------------------

static PyObject* World_ListNames(PyObject* object, PyObject* kind) {
    World* self = (World*)object;
    if (!EnterReading(self)) return NULL;
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
    if (!PyArg_ParseTuple(arguments, "ss", &name, &field) || !EnterReading(self)) return NULL;
    hwCableId cable = hwWorld_FindCable(self->world, name);
    if (HW_IS_NULL(cable)) {
        PyErr_Format(PyExc_KeyError, "there is no cable %s", name);
        return NULL;
    }
    hwCableView view;
    hwError error;
    if (hwCable_GetView(self->world, cable, &view, &error) < 0) return Raise(self->module, NULL, &error);
    if (strcmp(field, "length") == 0) return PyFloat_FromDouble(view.length);
    if (strcmp(field, "twist") == 0) return PyFloat_FromDouble(view.twist);
    bool velocities = strcmp(field, "velocities") == 0;
    if (velocities || strcmp(field, "positions") == 0) {
        const hwVec3* data = velocities ? view.velocities : view.positions;
        return MakeArray(self->module, self, NULL, (double*)(uintptr_t)data, false, 2, view.nodeCount, 3);
    }
    const double* data = strcmp(field, "tensions") == 0 ? view.tensions : view.lengths;
    return MakeArray(self->module, self, NULL, (double*)(uintptr_t)data, false, 1, view.elementCount, 0);
}

static PyObject* World_GetBody(PyObject* object, PyObject* key) {
    World* self = (World*)object;
    if (!EnterReading(self)) return NULL;
    const char* name = PyUnicode_AsUTF8AndSize(key, NULL);
    hwBodyId body;
    hwBodyState s;
    hwError error;
    if (name == NULL || !FindBody(self, name, &body)) return NULL;
    if (hwBody_GetState(self->world, body, &s, &error) < 0) return Raise(self->module, NULL, &error);
    return Py_BuildValue("((ddd)(dddd)(ddd)(ddd)(ddd)(ddd))", s.position.x, s.position.y, s.position.z,
                         s.attitude.w, s.attitude.x, s.attitude.y, s.attitude.z, s.velocity.x, s.velocity.y,
                         s.velocity.z, s.rate.x, s.rate.y, s.rate.z, s.acceleration.x, s.acceleration.y,
                         s.acceleration.z, s.rateAcceleration.x, s.rateAcceleration.y, s.rateAcceleration.z);
}

static PyObject* World_SetBody(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    const char* name;
    PyObject *position, *attitude, *velocity, *rate;
    if (!PyArg_ParseTuple(arguments, "sOOOO", &name, &position, &attitude, &velocity, &rate) || !Enter(self))
        return NULL;
    hwBodyId body;
    hwBodyState s;
    hwError error;
    if (!FindBody(self, name, &body)) return NULL;
    if (hwBody_GetState(self->world, body, &s, &error) < 0) return Raise(self->module, NULL, &error);
    double q[4];
    if (position != Py_None && !ReadVec3(position, &s.position)) return NULL;
    if (velocity != Py_None && !ReadVec3(velocity, &s.velocity)) return NULL;
    if (rate != Py_None && !ReadVec3(rate, &s.rate)) return NULL;
    if (attitude != Py_None) {
        if (!ReadNumbers(attitude, 4, q)) return NULL;
        s.attitude = (hwQuat){.w = q[0], .x = q[1], .y = q[2], .z = q[3]};
    }
    if (hwBody_SetState(self->world, body, &s, &error) < 0) return Raise(self->module, NULL, &error);
    RefreshWatches(self);
    Py_RETURN_NONE;
}

static PyObject* World_ApplyWrench(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    const char* name;
    PyObject *force, *torque, *point;
    int inBody;
    hwVec3 f, t, p;
    hwBodyId body;
    if (!PyArg_ParseTuple(arguments, "sOOOp", &name, &force, &torque, &point, &inBody) || !Enter(self))
        return NULL;
    if (!FindBody(self, name, &body) || !ReadVec3(force, &f) || !ReadVec3(torque, &t) || !ReadVec3(point, &p))
        return NULL;
    hwError error;
    hwStatus status =
        hwBody_ApplyWrench(self->world, body, f, t, p, inBody ? HW_FRAME_BODY : HW_FRAME_WORLD, &error);
    if (status < 0) return Raise(self->module, NULL, &error);
    Py_RETURN_NONE;
}

static PyObject* World_ClearForces(PyObject* object, PyObject* key) {
    World* self = (World*)object;
    if (!Enter(self)) return NULL;
    const char* name = PyUnicode_AsUTF8AndSize(key, NULL);
    hwBodyId body;
    hwError error;
    if (name == NULL || !FindBody(self, name, &body)) return NULL;
    if (hwBody_ClearForces(self->world, body, &error) < 0) return Raise(self->module, NULL, &error);
    Py_RETURN_NONE;
}

static PyObject* World_SampleFluid(PyObject* object, PyObject* arguments) {
    World* self = (World*)object;
    PyObject* rows;
    double time;
    if (!PyArg_ParseTuple(arguments, "Od", &rows, &time) || !EnterReading(self)) return NULL;
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
        good = row != NULL && ReadVec3(row, &points[i]);
        Py_XDECREF(row);
    }
    hwError error;
    if (good && hwWorld_SampleFluid(self->world, (int)count, points, time, samples, &error) < 0) {
        Raise(self->module, NULL, &error);
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
        array = MakeArray(self->module, NULL, NULL, table, true, 2, count, 9);
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
    if (keep < 0 || !Enter(self)) return NULL;
    hwStepEventDef def = hwDefaultStepEventDef();
    hwError error;
    if (hwWorld_KeepStepEvents(self->world, keep ? &def : NULL, &error) < 0)
        return Raise(self->module, NULL, &error);
    Py_RETURN_NONE;
}

static PyObject* World_GetEvents(PyObject* object, PyObject* nothing) {
    (void)nothing;
    World* self = (World*)object;
    if (!Enter(self)) return NULL;
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
    if (!Enter(self)) return NULL;
    if (self->scene == NULL) return PyUnicode_FromString("");
    char* text = hwScene_Describe(self->scene, self->world, NULL, NULL);
    if (text == NULL) return PyErr_NoMemory();
    PyObject* result = PyUnicode_FromString(text);
    free(text);
    return result;
}

static PyMethodDef g_worldMethods[] = {{"close", World_Close, METH_NOARGS, NULL},
                                       {"step", World_Step, METH_O, NULL},
                                       {"_record", World_Record, METH_VARARGS, NULL},
                                       {"_watch", World_Watch, METH_O, NULL},
                                       {"save", World_Save, METH_NOARGS, NULL},
                                       {"_restore", World_Restore, METH_VARARGS, NULL},
                                       {"hash", World_Hash, METH_NOARGS, NULL},
                                       {"_branch", World_Branch, METH_NOARGS, NULL},
                                       {"_names", World_ListNames, METH_O, NULL},
                                       {"_cable", World_ViewCable, METH_VARARGS, NULL},
                                       {"_body", World_GetBody, METH_O, NULL},
                                       {"_set_body", World_SetBody, METH_VARARGS, NULL},
                                       {"_apply", World_ApplyWrench, METH_VARARGS, NULL},
                                       {"clear_forces", World_ClearForces, METH_O, NULL},
                                       {"_fluid", World_SampleFluid, METH_VARARGS, NULL},
                                       {"_add_force", World_AddForce, METH_VARARGS, NULL},
                                       {"_add_sensor", World_AddSensor, METH_VARARGS, NULL},
                                       {"_add_event", World_AddEvent, METH_VARARGS, NULL},
                                       {"_observe", World_SetObserver, METH_O, NULL},
                                       {"keep_events", World_KeepEvents, METH_O, NULL},
                                       {"_events", World_GetEvents, METH_NOARGS, NULL},
                                       {"describe", World_Describe, METH_NOARGS, NULL},
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
static PyType_Spec g_worldSpec = {"hawser._core.World", sizeof(World), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE |
                                      Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                  g_worldSlots};

// The module ---------------------------------------------------------------------------------------------------------------

static PyObject* FinishLoading(Module* module, PyObject* type, hwScene* scene, const char* path,
                               const hwError* error) {
    if (scene == NULL) return Raise(module, path, error);
    World* self = NewWorld(module, type);
    if (self == NULL) {
        hwDestroyScene(scene);
        return NULL;
    }
    self->scene = scene;
    hwWorldDef def = hwDefaultWorldDef();
    def.log = LogLine;
    def.stop = IsStopped;
    def.stopContext = self;
    hwError failure;
    PyThreadState* thread = Begin(self);
    self->world = hwScene_CreateWorld(scene, &def, &failure);
    bool made = self->world != NULL;
    if (End(self, thread, made ? HW_OK : failure.status, &failure)) return (PyObject*)self;
    Py_DECREF((PyObject*)self);
    return NULL;
}

static PyObject* LoadWorld(PyObject* moduleObject, PyObject* arguments) {
    Module* module = PyModule_GetState(moduleObject);
    const char* path;
    PyObject *type, *list;
    if (!PyArg_ParseTuple(arguments, "OsO", &type, &path, &list)) return NULL;
    Py_ssize_t count = 0;
    const char** sets = TakeTexts(list, &count);
    if (sets == NULL) return NULL;
    hwError error;
    PyThreadState* thread = PyEval_SaveThread();
    hwScene* scene = hwLoadSceneWith(path, (int)count, sets, &error);
    PyEval_RestoreThread(thread);
    free(sets);
    return FinishLoading(module, type, scene, path, &error);
}

static PyObject* ParseWorld(PyObject* moduleObject, PyObject* arguments) {
    Module* module = PyModule_GetState(moduleObject);
    const char *text, *name, *folder;
    Py_ssize_t size;
    PyObject* type;
    if (!PyArg_ParseTuple(arguments, "Os#sz", &type, &text, &size, &name, &folder)) return NULL;
    hwError error;
    PyThreadState* thread = PyEval_SaveThread();
    hwScene* scene = hwParseScene(text, (size_t)size, name, folder, &error);
    PyEval_RestoreThread(thread);
    return FinishLoading(module, type, scene, name, &error);
}

static PyObject* OpenResults(PyObject* moduleObject, PyObject* arguments) {
    Module* module = PyModule_GetState(moduleObject);
    const char* path;
    if (!PyArg_ParseTuple(arguments, "s", &path)) return NULL;
    hwError error;
    hwResults* results = hwOpenResults(path, &error);
    if (results == NULL) return Raise(module, path, &error);
    int64_t rows = hwResults_GetRowCount(results);
    int count = hwResults_GetChannelCount(results);
    double* table = malloc(((size_t)rows * (size_t)count + 1) * sizeof(double));
    PyObject *names = PyList_New(count), *units = PyList_New(count), *result = NULL;
    if (table == NULL) {
        PyErr_NoMemory();
    } else if (hwResults_ReadRows(results, 0, rows, table, &error) < 0) {
        Raise(module, path, &error);
    } else if (names != NULL && units != NULL) {
        for (int i = 0; i < count; ++i) {
            hwChannelInfo info = hwResults_GetChannel(results, i);
            PyList_SetItem(names, i, PyUnicode_FromString(info.name));
            PyList_SetItem(units, i, PyUnicode_FromString(info.unit));
        }
        const hwRunInfo* info = hwResults_GetInfo(results);
        PyObject* array = MakeArray(module, NULL, NULL, table, true, 2, (Py_ssize_t)rows, count);
        table = NULL;
        if (array != NULL) {
            result = Py_BuildValue("(OON{s:s,s:s,s:s,s:s,s:d,s:d,s:z})", names, units, array, "title",
                                   info->title, "solver", info->solver, "status", info->status, "incidents",
                                   info->incidents, "interval", info->interval, "duration", info->duration,
                                   "scene", hwResults_GetScene(results));
        }
    }
    free(table);
    Py_XDECREF(names);
    Py_XDECREF(units);
    hwCloseResults(results);
    return result;
}

static PyObject* ConvertResults(PyObject* moduleObject, PyObject* arguments) {
    const char *from, *to;
    if (!PyArg_ParseTuple(arguments, "ss", &from, &to)) return NULL;
    hwError error;
    PyThreadState* thread = PyEval_SaveThread();
    hwStatus status = hwConvertResults(from, to, &error);
    PyEval_RestoreThread(thread);
    if (status < 0) return Raise(PyModule_GetState(moduleObject), from, &error);
    Py_RETURN_NONE;
}

static PyMethodDef g_functions[] = {{"load", LoadWorld, METH_VARARGS, NULL},
                                    {"parse", ParseWorld, METH_VARARGS, NULL},
                                    {"open_results", OpenResults, METH_VARARGS, NULL},
                                    {"convert_results", ConvertResults, METH_VARARGS, NULL},
                                    {NULL, NULL, 0, NULL}};

static int Module_Execute(PyObject* object) {
    Module* module = PyModule_GetState(object);
    PyObject* errors = PyImport_ImportModule("hawser.errors");
    module->error = errors != NULL ? PyObject_GetAttrString(errors, "make_error") : NULL;
    Py_XDECREF(errors);
    if (module->error == NULL) return -1;
    module->array = (PyTypeObject*)PyType_FromModuleAndSpec(object, &g_arraySpec, NULL);
    module->watch = (PyTypeObject*)PyType_FromModuleAndSpec(object, &g_watchSpec, NULL);
    module->world = (PyTypeObject*)PyType_FromModuleAndSpec(object, &g_worldSpec, NULL);
    if (module->array == NULL || module->watch == NULL || module->world == NULL) return -1;
    if (PyModule_AddType(object, module->world) != 0 || PyModule_AddType(object, module->watch) != 0)
        return -1;
    if (PyModule_AddFunctions(object, hwTetherFunctions) != 0) return -1;
    return PyModule_AddStringConstant(object, "version", hwGetVersion());
}

static PyModuleDef_Slot g_moduleSlots[] = {{Py_mod_exec, Module_Execute}, {0, NULL}};
static PyModuleDef g_module = {PyModuleDef_HEAD_INIT,
                               "hawser._core",
                               "The C library behind the package hawser.",
                               sizeof(Module),
                               g_functions,
                               g_moduleSlots,
                               NULL,
                               NULL,
                               NULL};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void) {
    return PyModuleDef_Init(&g_module);
}
