// The extension module hawser._core: worlds, results and arrays for the Python package beside it. CPython's stable ABI (3.11 and
// later), the public C headers, and no other library of Python: arrays go out through the buffer protocol.
//
// A world is used by one thread at a time. Steps release Python's lock, so that other threads run their own worlds; `busy` says
// that a world is in a step, and every other call on it is refused meanwhile.
#include "world_object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static PyObject* FinishLoading(Module* module, PyObject* type, hwScene* scene, const char* path,
                               const hwError* error) {
    if (scene == NULL) return hwPy_Raise(module, path, error);
    World* self = hwPy_NewWorld(module, type);
    if (self == NULL) {
        hwDestroyScene(scene);
        return NULL;
    }
    self->scene = scene;
    hwWorldDef def = hwDefaultWorldDef();
    def.log = hwPy_LogLine;
    def.stop = hwPy_IsStopped;
    def.stopContext = self;
    hwError failure;
    PyThreadState* thread = hwPy_Begin(self);
    self->world = hwScene_CreateWorld(scene, &def, &failure);
    // a world in Python begins where its run does
    bool made = self->world != NULL && hwWorld_BuildUp(self->world, &failure) == HW_OK;
    if (hwPy_End(self, thread, made ? HW_OK : failure.status, &failure)) return (PyObject*)self;
    Py_DECREF((PyObject*)self);
    return NULL;
}

static PyObject* LoadWorld(PyObject* moduleObject, PyObject* arguments) {
    Module* module = PyModule_GetState(moduleObject);
    const char* path;
    PyObject *type, *list;
    if (!PyArg_ParseTuple(arguments, "OsO", &type, &path, &list)) return NULL;
    Py_ssize_t count = 0;
    const char** sets = hwPy_TakeTexts(list, &count);
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
    if (results == NULL) return hwPy_Raise(module, path, &error);
    int64_t rows = hwResults_GetRowCount(results);
    int count = hwResults_GetChannelCount(results);
    double* table = malloc(((size_t)rows * (size_t)count + 1) * sizeof(double));
    PyObject *names = PyList_New(count), *units = PyList_New(count), *result = NULL;
    if (table == NULL) {
        PyErr_NoMemory();
    } else if (hwResults_ReadRows(results, 0, rows, table, &error) < 0) {
        hwPy_Raise(module, path, &error);
    } else if (names != NULL && units != NULL) {
        for (int i = 0; i < count; ++i) {
            hwChannelInfo info = hwResults_GetChannel(results, i);
            PyList_SetItem(names, i, PyUnicode_FromString(info.name));
            PyList_SetItem(units, i, PyUnicode_FromString(info.unit));
        }
        const hwRunInfo* info = hwResults_GetInfo(results);
        PyObject* array = hwPy_MakeArray(module, NULL, NULL, table, true, 2, (Py_ssize_t)rows, count);
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
    if (status < 0) return hwPy_Raise(PyModule_GetState(moduleObject), from, &error);
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
    module->array = (PyTypeObject*)PyType_FromModuleAndSpec(object, &hwPyArraySpec, NULL);
    module->watch = (PyTypeObject*)PyType_FromModuleAndSpec(object, &hwPyWatchSpec, NULL);
    module->world = (PyTypeObject*)PyType_FromModuleAndSpec(object, &hwPyWorldSpec, NULL);
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
