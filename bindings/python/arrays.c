// Numbers of worlds as arrays: borrowed ones, and channels that are filled anew after each step.
#include "world_object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Arrays -----------------------------------------------------------------------------------------------------------------

PyObject* hwPy_MakeArray(Module* module, World* world, PyObject* keeper, double* data, bool owned,
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

void hwPy_DestroyWorld(World* self) {
    hwDestroyWorld(self->world);
    hwDestroyScene(self->scene);
    self->world = NULL;
    self->scene = NULL;
}

static void Array_Free(PyObject* object) {
    Array* self = (Array*)object;
    PyTypeObject* type = Py_TYPE(object);
    free(self->owned);
    if (self->world != NULL && --self->world->arrays == 0 && self->world->closed)
        hwPy_DestroyWorld(self->world);
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
PyType_Spec hwPyArraySpec = {"hawser._core.Array", sizeof(Array), 0,
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

void hwPy_RefreshWatches(World* self) {
    for (Watch* watch = self->watches; watch != NULL; watch = watch->next)
        hwWorld_ReadChannels(self->world, watch->count, watch->channels, watch->values);
}

static PyObject* Watch_GetValues(PyObject* object, void* closure) {
    (void)closure;
    Watch* self = (Watch*)object;
    return hwPy_MakeArray(self->world->module, NULL, object, self->values, false, 1, self->count, 0);
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
PyType_Spec hwPyWatchSpec = {"hawser._core.Watch", sizeof(Watch), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, g_watchSlots};

static char* CopyText(const char* text) {
    size_t size = strlen(text) + 1;
    char* copy = malloc(size);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

// Names as an array of C strings that live as long as the list. Returns null with an exception set; free() the result.
const char** hwPy_TakeTexts(PyObject* list, Py_ssize_t* count) {
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

int* hwPy_SelectChannels(World* self, PyObject* patterns, int* count) {
    Py_ssize_t patternCount = 0;
    const char** texts = hwPy_TakeTexts(patterns, &patternCount);
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
        hwPy_Raise(self->module, NULL, &error);
        free(channels);
        return NULL;
    }
    return channels;
}

PyObject* hwPy_WatchWorld(PyObject* object, PyObject* patterns) {
    World* self = (World*)object;
    if (!hwPy_Enter(self)) return NULL;
    int count = 0;
    int* channels = hwPy_SelectChannels(self, patterns, &count);
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
