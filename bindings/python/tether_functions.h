// Functions of the tether module, added to hawser._core.
#ifndef HW_PYTHON_TETHER_FUNCTIONS_H
#define HW_PYTHON_TETHER_FUNCTIONS_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

extern PyMethodDef hwTetherFunctions[];

#endif
