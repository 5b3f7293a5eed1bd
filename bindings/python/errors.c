// Errors of the library as exceptions, and who may use a world when.
#include "world_object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void SetItem(PyObject* object, const char* name, PyObject* value) {
    if (value != NULL) PyObject_SetAttrString(object, name, value);
    Py_XDECREF(value);
}

// Raises hawser.Error with what the library says; the class by status is chosen in errors.py.
PyObject* hwPy_Raise(Module* module, const char* path, const hwError* error) {
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

PyObject* hwPy_RaiseArgument(World* self, const char* message) {
    hwError error = {.status = HW_ERROR_ARGUMENT, .index = -1, .time = NAN};
    strncpy(error.message, message, sizeof(error.message) - 1);
    return hwPy_Raise(self->module, NULL, &error);
}

// True when the world may be changed by this call.
bool hwPy_Enter(World* self) {
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
bool hwPy_EnterReading(World* self) {
    if (self->busy == BUSY_WATCHED && self->thread == PyThread_get_thread_ident()) return !self->closed;
    return hwPy_Enter(self);
}

void hwPy_KeepError(World* self) {
    if (self->errorType == NULL) {
        PyErr_Fetch(&self->errorType, &self->errorValue, &self->errorTrace);
    } else {
        PyErr_Clear();
    }
}
