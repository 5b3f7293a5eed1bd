// What the files of the extension share: worlds, watches and arrays as objects of Python.
#ifndef HW_PYTHON_WORLD_OBJECT_H
#define HW_PYTHON_WORLD_OBJECT_H

#include "tether_functions.h"

#include "hawser/hawser.h"
#include "hawser/results.h"
#include "hawser/scene.h"

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

extern PyType_Spec hwPyArraySpec, hwPyWatchSpec, hwPyWorldSpec;

// errors.c: raise what the library says, as hawser.Error; null for returning it.
PyObject* hwPy_Raise(Module* module, const char* path, const hwError* error);
PyObject* hwPy_RaiseArgument(World* self, const char* message);
// True when the world may be changed by this call, or read; otherwise an exception is set.
bool hwPy_Enter(World* self);
bool hwPy_EnterReading(World* self);
// Keeps the exception of a callback until the step that called it has returned.
void hwPy_KeepError(World* self);
// arrays.c: numbers for numpy, borrowed from `world`, held by `keeper`, or owned.
PyObject* hwPy_MakeArray(Module* module, World* world, PyObject* keeper, double* data, bool owned,
                         int dimensions, Py_ssize_t rows, Py_ssize_t columns);
// Frees the world of C; arrays that show it must be gone.
void hwPy_DestroyWorld(World* self);
void hwPy_RefreshWatches(World* self);
// Texts of a list, which must outlive them; free() the result. Null with an exception.
const char** hwPy_TakeTexts(PyObject* list, Py_ssize_t* count);
// Channels by names and patterns; free() the result. Null with an exception.
int* hwPy_SelectChannels(World* self, PyObject* patterns, int* count);
PyObject* hwPy_WatchWorld(PyObject* object, PyObject* patterns);
// laws.c: begin and end what takes long, without Python's lock; End is false with the exception of a callback or the
// library's error.
PyThreadState* hwPy_Begin(World* self);
bool hwPy_End(World* self, PyThreadState* thread, hwStatus status, const hwError* error);
// The `stop` and `log` of worlds.
bool hwPy_IsStopped(void* context);
void hwPy_LogLine(hwLogLevel level, const char* text, void* context);
bool hwPy_ReadVec3(PyObject* sequence, hwVec3* out);
bool hwPy_ReadNumbers(PyObject* sequence, Py_ssize_t count, double* out);
PyObject* hwPy_AddForce(PyObject* object, PyObject* arguments);
PyObject* hwPy_SetHydro(PyObject* object, PyObject* arguments);
PyObject* hwPy_AddSensor(PyObject* object, PyObject* arguments);
PyObject* hwPy_AddEvent(PyObject* object, PyObject* arguments);
PyObject* hwPy_SetObserver(PyObject* object, PyObject* function);
// world.c: an empty object of hawser.World or a class of the caller's own above it.
World* hwPy_NewWorld(Module* module, PyObject* type);

#endif
