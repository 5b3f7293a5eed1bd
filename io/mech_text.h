// What converters of mechanisms (DynaMechs, URDF) have in common: links as plain structures, and writing them as a scene.
#ifndef HW_IO_MECH_TEXT_H
#define HW_IO_MECH_TEXT_H

#include "hawser/math.h"
#include "scene_store.h"

#include <stdio.h>

typedef struct hwMechShape {
    const char* kind; // box, sphere, cylinder
    double numbers[3];
    hwVec3 position, rpy;
} hwMechShape;

// One link, numbers as the scene file has them.
typedef struct hwMechLink {
    const char* name;
    const char* parent; // "base" or a link's
    const char* joint;
    int line; // where it stands in its file
    bool mdh; // by the parameters below, else by frame
    double alpha, a, d, theta, branchD, branchTheta;
    hwVec3 position, rpy, axis;
    double mass;
    hwVec3 com, comRpy;
    double inertia[6]; // about the centre of mass
    int qCount, qdCount;
    double q[6], qd[6];
    bool limited, swings;
    double low, high, swing[3]; // swing: infinite where there is none
    double stiffness, damping;
    double viscous, coulomb, effortLimit; // effortLimit 0: none
    bool motor;
    double torqueConstant, backEmf, resistance, rotor, brushDrop, halfDrop;
    int footCount;
    const hwVec3* feet;
    bool wet;
    double volume;
    hwVec3 buoyancyCenter;
    double addedMass[6][6];
    double quadratic[6];
    bool strip;
    hwVec3 stripFrom, stripTo;
    double stripDiameter, stripDrag;
    int shapeCount;
    const hwMechShape* shapes;
} hwMechLink;

// Of the ground under feet; negative: not given.
typedef struct hwMechGround {
    double stiffness, damping, planarStiffness, planarDamping, friction, kineticFriction;
} hwMechGround;

// Moves an inertia tensor (xx yy zz xy xz yz) from the origin to the centre of mass.
void hwMech_MoveInertia(double mass, hwVec3 com, double inertia[6]);

// Letters, digits, _ and - of `text`, at most 40 characters, others as _; empty text gives `fallback`.
const char* hwMech_CleanName(hwStore* store, const char* text, const char* fallback);

void hwMech_WriteLink(FILE* file, const hwMechLink* link, const hwMechGround* ground);

// Sorts `order` so that parents come first; -1 or the index of a link that is its own ancestor or has no known parent.
int hwMech_OrderLinks(const hwMechLink* links, int count, int* order);

// Checks that the text is a scene whose world can be prepared, and writes it to a file. `input` names the source in
// messages; failures of links get their lines.
bool hwMech_PublishScene(const char* input, const hwMechLink* links, int count, const char* text, size_t size,
                         const char* folder, const char* path, hwError* error);

// Writes a file as a whole or not at all.
bool hwMech_WriteFile(const char* path, const char* text, size_t size, hwError* error);

// Fails with `input` as the object.
bool hwMech_Fail(hwError* error, const char* input, int line, int column, const char* format, ...)
    __attribute__((format(printf, 5, 6)));

// One line for the log, with file and line.
void hwMech_Log(hwLogFn* log, void* context, const char* input, int line, const char* format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
