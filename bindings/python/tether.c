// The tether module (tether.h) for hawser.tether: curves as buffers of doubles, solids as tuples.
#include "tether_functions.h"

#include "hawser/tether.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A polyline in somebody's buffer of doubles, three a point. Released by PyBuffer_Release.
static bool TakeLine(PyObject* object, Py_buffer* buffer, hwPolyline* line) {
    if (PyObject_GetBuffer(object, buffer, PyBUF_SIMPLE) != 0) return false;
    if (buffer->len % (Py_ssize_t)sizeof(hwVec3) != 0 ||
        buffer->len / (Py_ssize_t)sizeof(hwVec3) > 100000000) {
        PyBuffer_Release(buffer);
        PyErr_SetString(PyExc_ValueError, "a curve is an array of points with three coordinates each");
        return false;
    }
    *line = (hwPolyline){(int)(buffer->len / (Py_ssize_t)sizeof(hwVec3)), buffer->buf};
    return true;
}

static PyObject* Raise(const hwError* error) {
    PyObject* module = PyImport_ImportModule("hawser.errors");
    PyObject* made = module != NULL ? PyObject_CallMethod(module, "make_error", "iss", (int)error->status, "",
                                                          error->message)
                                    : NULL;
    if (made != NULL) PyErr_SetObject((PyObject*)Py_TYPE(made), made);
    Py_XDECREF(made);
    Py_XDECREF(module);
    return NULL;
}

// Numbers --------------------------------------------------------------------------------------------------------------------

static PyObject* AnswerCount(hwTurnCount count) {
    if (!count.certain) Py_RETURN_NONE;
    return PyLong_FromLong(count.count);
}

static PyObject* CountWinding(PyObject* module, PyObject* arguments) {
    (void)module;
    PyObject *points, *reference;
    hwTetherAxis axis = {.from = -INFINITY, .to = INFINITY};
    hwVec3 *p = &axis.point, *d = &axis.direction;
    if (!PyArg_ParseTuple(arguments, "OO(ddd)(ddd)", &points, &reference, &p->x, &p->y, &p->z, &d->x, &d->y,
                          &d->z))
        return NULL;
    Py_buffer a, b;
    hwPolyline line, back;
    if (!TakeLine(points, &a, &line)) return NULL;
    if (!TakeLine(reference, &b, &back)) {
        PyBuffer_Release(&a);
        return NULL;
    }
    hwTurnCount count = hwTether_CountWinding(line, back, &axis);
    PyBuffer_Release(&a);
    PyBuffer_Release(&b);
    return AnswerCount(count);
}

static PyObject* CountLinking(PyObject* module, PyObject* arguments) {
    (void)module;
    PyObject* objects[3];
    if (!PyArg_ParseTuple(arguments, "OOO", &objects[0], &objects[1], &objects[2])) return NULL;
    Py_buffer buffers[3];
    hwPolyline lines[3];
    int taken = 0;
    while (taken < 3 && TakeLine(objects[taken], &buffers[taken], &lines[taken])) taken++;
    hwTurnCount count = {0};
    if (taken == 3) count = hwTether_CountLinking(lines[0], lines[1], lines[2]);
    for (int i = 0; i < taken; ++i) PyBuffer_Release(&buffers[i]);
    return taken == 3 ? AnswerCount(count) : NULL;
}

static PyObject* GetSweptAngle(PyObject* module, PyObject* arguments) {
    (void)module;
    PyObject* points;
    hwTetherAxis axis = {0};
    hwVec3 *p = &axis.point, *d = &axis.direction;
    if (!PyArg_ParseTuple(arguments, "O(ddd)(ddd)dd", &points, &p->x, &p->y, &p->z, &d->x, &d->y, &d->z,
                          &axis.from, &axis.to))
        return NULL;
    Py_buffer buffer;
    hwPolyline line;
    if (!TakeLine(points, &buffer, &line)) return NULL;
    double angle = hwTether_GetSweptAngle(line, &axis, NULL);
    PyBuffer_Release(&buffer);
    return PyFloat_FromDouble(angle);
}

static PyObject* Measure(PyObject* module, PyObject* points) {
    (void)module;
    Py_buffer buffer;
    hwPolyline line;
    if (!TakeLine(points, &buffer, &line)) return NULL;
    int at = -1;
    double length = hwTether_GetLength(line), radius = hwTether_GetBendRadius(line, &at);
    double turning = line.count > 2 ? hwTether_GetTurning(line, 0, line.count - 2) : 0.0;
    PyBuffer_Release(&buffer);
    return Py_BuildValue("(ddid)", length, radius, at, turning);
}

static PyObject* GetCapstan(PyObject* module, PyObject* arguments) {
    (void)module;
    double friction, angle;
    if (!PyArg_ParseTuple(arguments, "dd", &friction, &angle)) return NULL;
    return PyFloat_FromDouble(hwTether_GetCapstan(friction, angle));
}

static PyObject* GetHockle(PyObject* module, PyObject* arguments) {
    (void)module;
    double v[5];
    if (!PyArg_ParseTuple(arguments, "ddddd", &v[0], &v[1], &v[2], &v[3], &v[4])) return NULL;
    return PyFloat_FromDouble(hwTether_GetHockleIndex(v[0], v[1], v[2], v[3], v[4]));
}

// Solids -----------------------------------------------------------------------------------------------------------------------

static const char g_capsule[] = "hawser.TetherSpace";

static void FreeSpace(PyObject* capsule) {
    hwDestroyTetherSpace(PyCapsule_GetPointer(capsule, g_capsule));
}

// (kind, (x, y, z), radius, length, vertices, triangles, position, attitude); the buffers of a mesh are kept until the space
// has copied them.
static bool TakeSolid(PyObject* tuple, hwShapeDef* shape, hwPose* pose, Py_buffer buffers[2], int* held) {
    PyObject *vertices, *triangles;
    int kind;
    hwVec3* p = &pose->p;
    hwQuat* q = &pose->q;
    *shape = hwDefaultShapeDef();
    *held = 0;
    if (!PyArg_ParseTuple(tuple, "i(ddd)ddOO(ddd)(dddd)", &kind, &shape->size.x, &shape->size.y,
                          &shape->size.z, &shape->radius, &shape->length, &vertices, &triangles, &p->x, &p->y,
                          &p->z, &q->w, &q->x, &q->y, &q->z))
        return false;
    if (kind < HW_SHAPE_BOX || kind > HW_SHAPE_MESH) {
        PyErr_SetString(PyExc_ValueError, "there is no such kind of solid");
        return false;
    }
    shape->kind = (hwShapeKind)kind;
    if (kind != HW_SHAPE_MESH && kind != HW_SHAPE_HULL) return true;
    hwPolyline points;
    if (!TakeLine(vertices, &buffers[0], &points)) return false;
    *held = 1;
    if (PyObject_GetBuffer(triangles, &buffers[1], PyBUF_SIMPLE) != 0) return false;
    *held = 2;
    Py_ssize_t count = buffers[1].len / (Py_ssize_t)(3 * sizeof(int));
    const int(*corners)[3] = buffers[1].buf;
    for (Py_ssize_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            if (corners[i][k] >= 0 && corners[i][k] < points.count) continue;
            PyErr_SetString(PyExc_ValueError, "a triangle names a vertex that is not there");
            return false;
        }
    }
    shape->mesh.vertexCount = points.count;
    shape->mesh.vertices = points.points;
    shape->mesh.triangleCount = (int)count;
    shape->mesh.triangles = corners;
    return true;
}

static PyObject* MakeSpace(PyObject* module, PyObject* list) {
    (void)module;
    Py_ssize_t count = PySequence_Size(list);
    if (count < 0) return NULL;
    size_t room = (size_t)count + 1;
    hwShapeDef* shapes = malloc(room * sizeof(*shapes));
    hwTetherSolid* solids = malloc(room * sizeof(*solids));
    Py_buffer(*buffers)[2] = malloc(room * sizeof(*buffers));
    int* held = calloc(room, sizeof(*held));
    bool good = shapes != NULL && solids != NULL && buffers != NULL && held != NULL;
    if (!good) PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count && good; ++i) {
        PyObject* tuple = PySequence_GetItem(list, i);
        good = tuple != NULL && TakeSolid(tuple, &shapes[i], &solids[i].pose, buffers[i], &held[i]);
        if (good) solids[i].shape = &shapes[i];
        Py_XDECREF(tuple);
    }
    PyObject* capsule = NULL;
    if (good) {
        hwError error;
        hwTetherSpace* space = hwCreateTetherSpace((int)count, solids, NULL, &error);
        capsule = space != NULL ? PyCapsule_New(space, g_capsule, FreeSpace) : Raise(&error);
        if (space != NULL && capsule == NULL) hwDestroyTetherSpace(space);
    }
    for (Py_ssize_t i = 0; held != NULL && i < count; ++i) {
        for (int k = 0; k < held[i]; ++k) PyBuffer_Release(&buffers[i][k]);
    }
    free(shapes);
    free(solids);
    free(buffers);
    free(held);
    return capsule;
}

static PyObject* Tighten(PyObject* module, PyObject* arguments) {
    (void)module;
    PyObject *capsule, *points;
    double radius;
    if (!PyArg_ParseTuple(arguments, "OOd", &capsule, &points, &radius)) return NULL;
    const hwTetherSpace* space = PyCapsule_GetPointer(capsule, g_capsule);
    Py_buffer buffer;
    hwPolyline line;
    if (space == NULL || !TakeLine(points, &buffer, &line)) return NULL;
    // arcs about solids may need points that the curve does not have
    int capacity = 8 * line.count + 4096;
    hwVec3* tight = malloc((size_t)capacity * sizeof(*tight));
    int count = 0;
    if (tight != NULL) {
        PyThreadState* thread = PyEval_SaveThread();
        count = hwTetherSpace_Tighten(space, line, radius, capacity, tight);
        PyEval_RestoreThread(thread);
    }
    PyBuffer_Release(&buffer);
    PyObject* bytes = NULL;
    if (tight == NULL) {
        PyErr_NoMemory();
    } else if (count == 0) {
        PyErr_SetString(PyExc_ValueError,
                        "the curve cannot be pulled tight: it needs at least two finite points");
    } else {
        bytes = PyBytes_FromStringAndSize((const char*)tight, (Py_ssize_t)((size_t)count * sizeof(*tight)));
    }
    free(tight);
    return bytes;
}

static PyObject* FindArcs(PyObject* module, PyObject* arguments) {
    (void)module;
    PyObject *capsule, *points, *frictions;
    double radius;
    if (!PyArg_ParseTuple(arguments, "OOdO", &capsule, &points, &radius, &frictions)) return NULL;
    const hwTetherSpace* space = PyCapsule_GetPointer(capsule, g_capsule);
    Py_buffer buffer, friction;
    hwPolyline line;
    if (space == NULL || !TakeLine(points, &buffer, &line)) return NULL;
    if (PyObject_GetBuffer(frictions, &friction, PyBUF_SIMPLE) != 0) {
        PyBuffer_Release(&buffer);
        return NULL;
    }
    int capacity = line.count + 1;
    hwTetherArc* arcs = malloc((size_t)capacity * sizeof(*arcs));
    int count = arcs != NULL ? hwTetherSpace_FindArcs(space, line, radius, friction.buf, capacity, arcs) : 0;
    PyBuffer_Release(&buffer);
    PyBuffer_Release(&friction);
    PyObject* list = arcs != NULL ? PyList_New(count) : PyErr_NoMemory();
    for (int i = 0; list != NULL && i < count; ++i) {
        const hwTetherArc* a = &arcs[i];
        PyObject* item = Py_BuildValue("(iii(ddd)ddd)", a->solid, a->first, a->last, a->point.x, a->point.y,
                                       a->point.z, a->at, a->angle, a->factor);
        if (item == NULL || PyList_SetItem(list, i, item) != 0) Py_CLEAR(list);
    }
    free(arcs);
    return list;
}

static PyObject* FindRoute(PyObject* module, PyObject* arguments) {
    (void)module;
    PyObject *capsule, *points;
    double radius, clearance;
    if (!PyArg_ParseTuple(arguments, "OOdd", &capsule, &points, &radius, &clearance)) return NULL;
    const hwTetherSpace* space = PyCapsule_GetPointer(capsule, g_capsule);
    Py_buffer buffer;
    hwPolyline line;
    if (space == NULL || !TakeLine(points, &buffer, &line)) return NULL;
    // there may be more way-points than points of the tether: then once more, with room for all
    int room = line.count + 1, count = 0;
    hwTetherWaypoint* route = NULL;
    for (int tries = 0; tries < 2; ++tries) {
        hwTetherWaypoint* larger = realloc(route, (size_t)room * sizeof(*route));
        if (larger == NULL) {
            free(route);
            route = NULL;
            break;
        }
        route = larger;
        count = hwTetherSpace_FindRoute(space, line, radius, clearance, room, route);
        if (count <= room) break;
        room = count;
    }
    PyBuffer_Release(&buffer);
    PyObject* bytes = route != NULL ? PyBytes_FromStringAndSize((const char*)route,
                                                                (Py_ssize_t)((size_t)count * sizeof(*route)))
                                    : PyErr_NoMemory();
    free(route);
    return bytes;
}

static PyObject* GetClearance(PyObject* module, PyObject* arguments) {
    (void)module;
    PyObject* capsule;
    hwVec3 p, normal = {0.0, 0.0, 0.0};
    double reach;
    int solid = -1;
    if (!PyArg_ParseTuple(arguments, "O(ddd)d", &capsule, &p.x, &p.y, &p.z, &reach)) return NULL;
    const hwTetherSpace* space = PyCapsule_GetPointer(capsule, g_capsule);
    if (space == NULL) return NULL;
    double distance = hwTetherSpace_GetClearance(space, p, reach, &solid, &normal);
    return Py_BuildValue("(di(ddd))", distance, solid, normal.x, normal.y, normal.z);
}

PyMethodDef hwTetherFunctions[] = {{"tether_winding", CountWinding, METH_VARARGS, NULL},
                                   {"tether_linking", CountLinking, METH_VARARGS, NULL},
                                   {"tether_swept", GetSweptAngle, METH_VARARGS, NULL},
                                   {"tether_measure", Measure, METH_O, NULL},
                                   {"tether_capstan", GetCapstan, METH_VARARGS, NULL},
                                   {"tether_hockle", GetHockle, METH_VARARGS, NULL},
                                   {"tether_space", MakeSpace, METH_O, NULL},
                                   {"tether_tighten", Tighten, METH_VARARGS, NULL},
                                   {"tether_arcs", FindArcs, METH_VARARGS, NULL},
                                   {"tether_route", FindRoute, METH_VARARGS, NULL},
                                   {"tether_clearance", GetClearance, METH_VARARGS, NULL},
                                   {NULL, NULL, 0, NULL}};
