// The tables of bodies, their shapes and hydrodynamics.
#include "hawser/hawser.h"
#include "scene_read.h"
#include "schema_sections.h"

static const hwKey attitudeKeys[] = {
    {.name = "rpy",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwSceneAttitude, rpy),
     .unit = "rad",
     .flags = HW_KEY_ANGLE | HW_KEY_ONE_NEEDED,
     .group = 1,
     .example = "[0, 0, 1.57]",
     .doc = "roll, pitch, yaw; yaw is applied first, then pitch, then roll (Z-Y'-X'')"},
    {.name = "quat",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwSceneAttitude, quat),
     .flags = HW_KEY_ONE_NEEDED,
     .group = 1,
     .sizes = {4},
     .example = "[1, 0, 0, 0]",
     .doc = "unit quaternion w, x, y, z"},
};

const hwSection hwSection_attitude = {
    .title = "an attitude",
    .heading = "Attitudes",
    .size = sizeof(hwSceneAttitude),
    HW_KEYS(attitudeKeys),
    .check = hwCheckAttitude,
    .doc = "How something is turned: its axes into the axes of what it stands in."};

// Shapes -----------------------------------------------------------------------------------------------------------

static const hwKey sphereKeys[] = {
    {.name = "radius",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneRound, radius),
     .unit = "m",
     .range = HW_ABOVE(0),
     .flags = HW_KEY_ONE_NEEDED,
     .group = 1,
     .example = "0.5",
     .doc = "radius"},
    {.name = "diameter",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneRound, diameter),
     .unit = "m",
     .range = HW_ABOVE(0),
     .flags = HW_KEY_ONE_NEEDED,
     .group = 1,
     .example = "1",
     .doc = "or the diameter"},
};

static const hwSection sphere = {.title = "a sphere",
                                 .heading = "shapes: sphere",
                                 .size = sizeof(hwSceneRound),
                                 HW_KEYS(sphereKeys),
                                 .shorthand = "radius",
                                 .check = hwCheckRound};

static const hwKey roundKeys[] = {
    {.name = "radius",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneRound, radius),
     .unit = "m",
     .range = HW_ABOVE(0),
     .flags = HW_KEY_ONE_NEEDED,
     .group = 1,
     .example = "0.5",
     .doc = "radius"},
    {.name = "diameter",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneRound, diameter),
     .unit = "m",
     .range = HW_ABOVE(0),
     .flags = HW_KEY_ONE_NEEDED,
     .group = 1,
     .example = "1",
     .doc = "or the diameter"},
    {.name = "length",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneRound, length),
     .flags = HW_KEY_REQUIRED,
     .unit = "m",
     .range = HW_ABOVE(0),
     .example = "2",
     .doc = "along z; of a capsule without its round ends"},
};

static const hwSection cylinder = {.title = "a cylinder",
                                   .heading = "shapes: cylinder and capsule",
                                   .size = sizeof(hwSceneRound),
                                   HW_KEYS(roundKeys),
                                   .shorthand = "radius|length",
                                   .check = hwCheckRound};
static const hwSection capsule = {.title = "a capsule",
                                  .heading = "shapes: cylinder and capsule",
                                  .size = sizeof(hwSceneRound),
                                  HW_KEYS(roundKeys),
                                  .shorthand = "radius|length",
                                  .check = hwCheckRound};

static const hwKey meshKeys[] = {
    {.name = "file",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwSceneMesh, file),
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED,
     .example = "hull.obj",
     .doc = "a file of triangles: .obj, .stl, .ply, .wrl, .gltf and others; coordinates in m"},
    {.name = "vertices",
     .type = HW_KEY_VECTORS,
     .offset = offsetof(hwSceneMesh, vertices),
     .group = 1,
     .unit = "m",
     .flags = HW_KEY_ONE_NEEDED,
     .example = "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
     .doc = "corners, with `triangles`"},
    {.name = "triangles",
     .type = HW_KEY_SPECIAL,
     .read = hwReadTriangles,
     .form = "list of [i, j, k]",
     .offset = offsetof(hwSceneMesh, triangleCount),
     .needs = "vertices",
     .example = "[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]",
     .bad = "[[0, 1]]",
     .doc = "three corners each, counted from 0, counter-clockwise seen from outside"},
};

static const hwSection mesh = {.title = "a mesh",
                               .heading = "shapes: mesh",
                               .size = sizeof(hwSceneMesh),
                               HW_KEYS(meshKeys),
                               .shorthand = "file",
                               .check = hwCheckMesh,
                               .doc = "A closed surface of any form."};

static const hwKey hullKeys[] = {
    {.name = "file",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwSceneHull, file),
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED,
     .example = "hull.obj",
     .doc = "a file as for `mesh`; only its corners count"},
    {.name = "points",
     .type = HW_KEY_VECTORS,
     .offset = offsetof(hwSceneHull, points),
     .group = 1,
     .unit = "m",
     .flags = HW_KEY_ONE_NEEDED,
     .example = "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
     .doc = "four or more points that do not lie in a plane"},
};

static const hwSection hull = {.title = "a hull",
                               .heading = "shapes: hull",
                               .size = sizeof(hwSceneHull),
                               HW_KEYS(hullKeys),
                               .shorthand = "file",
                               .check = hwCheckHull,
                               .doc = "The convex hull of points."};

static const hwKey shapeKeys[] = {
    {.name = "box",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwSceneShape, box),
     .unit = "m",
     .range = HW_ABOVE(0),
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED,
     .example = "[5, 5, 5]",
     .doc = "edges along x, y, z"},
    {.name = "sphere",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneShape, sphere),
     .section = &sphere,
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED,
     .example = "0.5",
     .doc = "radius, m"},
    {.name = "cylinder",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneShape, cylinder),
     .section = &cylinder,
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED,
     .example = "{radius: 0.5, length: 2}",
     .doc = "axis along z"},
    {.name = "capsule",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneShape, capsule),
     .section = &capsule,
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED,
     .example = "{radius: 0.5, length: 2}",
     .doc = "a cylinder with round ends, axis along z"},
    {.name = "mesh",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneShape, mesh),
     .section = &mesh,
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED,
     .example = "{vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "
                "triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}",
     .doc = "closed surface from a file or from lists"},
    {.name = "hull",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneShape, hull),
     .section = &hull,
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED,
     .example = "{points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}",
     .doc = "convex hull of a file's corners or of points"},
    {.name = "position",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwSceneShape, position),
     .unit = "m",
     .fallback = "[0, 0, 0]",
     .example = "[0, 0, 1]",
     .doc = "of its centre or its own origin, in the body's frame"},
    {.name = "attitude",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneShape, attitude),
     .section = &hwSection_attitude,
     .fallback = "(as the body)",
     .example = "{rpy_deg: [0, 90, 0]}",
     .doc = "how it is turned in the body's frame"},
    {.name = "scale",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwSceneShape, scale),
     .range = HW_ABOVE(0),
     .sizes = {1, 3},
     .fallback = "1",
     .example = "2",
     .doc = "factor on its size, for example 0.001 for a mesh in mm; `[x, y, z]` for box, mesh and hull"},
    {.name = "parts",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(hwSceneShape, parts),
     .range = HW_RANGE(0, 64),
     .fallback = "0",
     .example = "8",
     .doc = "of a concave `mesh`: most convex parts that touch in its place, found when the scene is read; "
            "0: its triangles "
            "do, which suits what does not move. A body or link that moves by forces has up to 8 unless it "
            "is given, or the mesh more than 20,000 triangles"},
    {.name = "material",
     .type = HW_KEY_REFERENCE,
     .offset = offsetof(hwSceneShape, material),
     .example = "steel",
     .fallback = "(none)",
     .doc = "one of `materials`"},
};

const hwSection hwSection_shape = {.title = "a shape",
                                   .heading = "shapes",
                                   .size = sizeof(hwSceneShape),
                                   HW_KEYS(shapeKeys),
                                   .check = hwCheckShape,
                                   .doc = "What displaces water and what touches."};

// Hydrodynamics ----------------------------------------------------------------------------------------------------

static const hwKey stripKeys[] = {
    {.name = "from",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwSceneStrip, from),
     .flags = HW_KEY_REQUIRED,
     .unit = "m",
     .example = "[0, 0, -1]",
     .doc = "one end of the axis, in the body's frame"},
    {.name = "to",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwSceneStrip, to),
     .flags = HW_KEY_REQUIRED,
     .unit = "m",
     .example = "[0, 0, 1]",
     .doc = "the other end"},
    {.name = "diameter",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneStrip, diameter),
     .flags = HW_KEY_REQUIRED,
     .unit = "m",
     .range = HW_ABOVE(0),
     .example = "0.2",
     .doc = "of the cylinder"},
    {.name = "normal",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneStrip, normal),
     .range = HW_FROM(0),
     .fallback = "1",
     .example = "1.2",
     .doc = "drag coefficient across; with `curve: cylinder` a factor on the curve"},
    {.name = "tangential",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneStrip, tangential),
     .range = HW_FROM(0),
     .fallback = "0",
     .example = "0.01",
     .doc = "drag coefficient along, on the wetted surface"},
    {.name = "count",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(hwSceneStrip, count),
     .range = HW_RANGE(1, 1000),
     .fallback = "10",
     .example = "20",
     .doc = "number of strips"},
    {.name = "curve",
     .type = HW_KEY_CHOICE,
     .offset = offsetof(hwSceneStrip, curve),
     .choices = HW_CHOICES({"constant", HW_DRAG_CONSTANT}, {"cylinder", HW_DRAG_CYLINDER}),
     .fallback = "constant",
     .example = "cylinder",
     .doc = "whether the coefficient follows the Reynolds number"},
};

static const hwSection strip = {.title = "a strip",
                                .heading = "drag: strips",
                                .size = sizeof(hwSceneStrip),
                                HW_KEYS(stripKeys),
                                .check = hwCheckStrip,
                                .doc = "Drag integrated along a cylinder fixed in the body (strip theory)."};

static const hwKey liftKeys[] = {
    {.name = "at",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwSceneLift, at),
     .unit = "m",
     .fallback = "[0, 0, 0]",
     .example = "[-1, 0, 0]",
     .doc = "where the lift acts, in the body's frame"},
    {.name = "normal",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwSceneLift, normal),
     .flags = HW_KEY_REQUIRED,
     .example = "[0, 0, 1]",
     .bad = "[0, 0, 0]",
     .doc = "direction across the surface, any length"},
    {.name = "area",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneLift, area),
     .flags = HW_KEY_REQUIRED,
     .unit = "m²",
     .range = HW_ABOVE(0),
     .example = "0.5",
     .doc = "of the surface"},
    {.name = "slope",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneLift, slope),
     .unit = "1/rad",
     .range = HW_ABOVE(0),
     .fallback = "6.283",
     .example = "4",
     .doc = "lift coefficient over angle of attack"},
    {.name = "stall",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneLift, stall),
     .unit = "rad",
     .flags = HW_KEY_ANGLE,
     .range = HW_ABOVE_TO(0, 1.5),
     .fallback = "0.26",
     .example = "0.3",
     .doc = "angle of attack beyond which the lift falls off"},
    {.name = "ahead",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwSceneLift, ahead),
     .fallback = "[0, 0, 0]",
     .example = "[1, 0, 0]",
     .doc = "not zero: instead of a surface the blunt end of a hull, which trails while it moves this way at "
            "`u` and across it at `w`; "
            "it feels ½ ρ `area` `slope` u w against its normal motion, whatever the angle, without stall"},
};

static const hwSection lift = {.title = "a lifting surface",
                               .heading = "drag: lift",
                               .size = sizeof(hwSceneLift),
                               HW_KEYS(liftKeys),
                               .check = hwCheckLift,
                               .doc = "Fins, rudders, wings."};

static const hwKey skinKeys[] = {
    {.name = "area",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneSkin, area),
     .flags = HW_KEY_REQUIRED,
     .unit = "m²",
     .range = HW_ABOVE(0),
     .example = "30",
     .doc = "wetted surface"},
    {.name = "length",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneSkin, length),
     .flags = HW_KEY_REQUIRED,
     .unit = "m",
     .range = HW_ABOVE(0),
     .example = "6",
     .doc = "length for the Reynolds number"},
};

static const hwSection skin = {.title = "`skin`",
                               .heading = "drag: skin",
                               .size = sizeof(hwSceneSkin),
                               HW_KEYS(skinKeys),
                               .doc = "Friction on the wetted surface (ITTC 1957 line)."};

static const hwKey sphereDragKeys[] = {
    {.name = "diameter",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneSphereDrag, diameter),
     .flags = HW_KEY_REQUIRED,
     .unit = "m",
     .range = HW_ABOVE(0),
     .example = "0.4",
     .doc = "of the sphere"},
    {.name = "factor",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneSphereDrag, factor),
     .range = HW_FROM(0),
     .fallback = "1",
     .example = "1.1",
     .doc = "on the drag coefficient"},
};

static const hwSection sphereDrag = {
    .title = "`sphere`",
    .heading = "drag: sphere",
    .size = sizeof(hwSceneSphereDrag),
    HW_KEYS(sphereDragKeys),
    .shorthand = "diameter",
    .doc = "Drag of a smooth sphere at the centre of buoyancy, by Reynolds number."};

static const hwKey dragKeys[] = {
    {.name = "linear",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwSceneDrag, linear),
     .unit = "N s/m, N m s",
     .range = HW_FROM(0),
     .sizes = {6},
     .example = "[1, 1, 1, 2, 2, 2]",
     .doc = "k in the force -k·v on each axis: x, y, z, then about x, y, z"},
    {.name = "quadratic",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwSceneDrag, quadratic),
     .unit = "N s²/m², N m s²",
     .range = HW_FROM(0),
     .sizes = {6},
     .example = "[1, 1, 1, 2, 2, 2]",
     .doc = "k in the force -k·&#124;v&#124;·v on each axis; velocity relative to the water"},
    {.name = "strips",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwSceneDrag, strips),
     .section = &strip,
     .example = "[{from: [0, 0, -1], to: [0, 0, 1], diameter: 0.2}]",
     .doc = "cylinders, cut into strips"},
    {.name = "lift",
     .type = HW_KEY_ONE_OR_LIST,
     .offset = offsetof(hwSceneDrag, lift),
     .section = &lift,
     .example = "{normal: [0, 0, 1], area: 0.5}",
     .doc = "lifting surfaces"},
    {.name = "skin",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneDrag, skin),
     .section = &skin,
     .example = "{area: 30, length: 6}",
     .doc = "skin friction"},
    {.name = "sphere",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneDrag, sphere),
     .section = &sphereDrag,
     .example = "{diameter: 0.4}",
     .doc = "a sphere's drag"},
};

const hwSection hwSection_drag = {.title = "`drag`",
                                  .heading = "drag",
                                  .size = sizeof(hwSceneDrag),
                                  HW_KEYS(dragKeys),
                                  .doc = "Everything given here adds up."};

#define HYDRO_KEYS(structure, member)                                                                        \
    {.name = "volume",                                                                                       \
     .type = HW_KEY_NUMBER,                                                                                  \
     .offset = offsetof(structure, member volume),                                                           \
     .unit = "m³",                                                                                           \
     .range = HW_FROM(0),                                                                                    \
     .fallback = "(that of the shapes)",                                                                     \
     .example = "1.2",                                                                                       \
     .doc = "displaced when under water"},                                                                   \
        {.name = "buoyancy_center",                                                                          \
         .type = HW_KEY_VECTOR,                                                                              \
         .offset = offsetof(structure, member buoyancyCenter),                                               \
         .unit = "m",                                                                                        \
         .fallback = "(the shapes' centroid, or the origin)",                                                \
         .example = "[0, 0, 0.2]",                                                                           \
         .doc = "centre of the displaced volume; the shapes displace water as if moved there"},              \
        {.name = "added_mass",                                                                               \
         .type = HW_KEY_SPECIAL,                                                                             \
         .read = hwReadAddedMass,                                                                            \
         .form = "list of 6 numbers, or a symmetric 6 x 6 matrix",                                           \
         .offset = offsetof(structure, member addedMass),                                                    \
         .unit = "kg, kg m, kg m²",                                                                          \
         .fallback = "[0, 0, 0, 0, 0, 0]",                                                                   \
         .example = "[1, 1, 1, 0, 0, 0]",                                                                    \
         .bad = "[1, 2]",                                                                                    \
         .doc = "of the water that moves along: diagonal or matrix, linear then angular"},                   \
        {.name = "hydro_from_shapes",                                                                        \
         .type = HW_KEY_SWITCH,                                                                              \
         .offset = offsetof(structure, member fromShapes),                                                   \
         .fallback = "false",                                                                                \
         .example = "true",                                                                                  \
         .doc = "`drag` and `added_mass` estimated from the shapes, where they are not given; see Water"},   \
    {                                                                                                        \
        .name = "drag", .type = HW_KEY_SECTION, .offset = offsetof(structure, member drag),                  \
        .section = &hwSection_drag, .example = "{linear: [1, 1, 1, 1, 1, 1]}", .fallback = "(none)",         \
        .doc = "resistance of the water"                                                                     \
    }

static const hwKey hydroKeys[] = {HYDRO_KEYS(hwSceneHydro, )};

const hwSection hwSection_hydro = {.title = "`hydro`",
                                   .heading = "hydro",
                                   .size = sizeof(hwSceneHydro),
                                   HW_KEYS(hydroKeys),
                                   .check = hwCheckHydro,
                                   .doc = "What the water does to a link; bodies have these keys directly."};

// Bodies -----------------------------------------------------------------------------------------------------------

static const hwKey boxMotionKeys[] = {
    {.name = "length",
     .type = HW_KEY_NUMBER,
     .flags = HW_KEY_REQUIRED,
     .offset = offsetof(hwSceneBox, def.length),
     .unit = "m",
     .range = HW_ABOVE(0),
     .example = "90",
     .doc = "along its x axis"},
    {.name = "beam",
     .type = HW_KEY_NUMBER,
     .flags = HW_KEY_REQUIRED,
     .offset = offsetof(hwSceneBox, def.beam),
     .unit = "m",
     .range = HW_ABOVE(0),
     .example = "18",
     .doc = "across"},
    {.name = "draught",
     .type = HW_KEY_NUMBER,
     .flags = HW_KEY_REQUIRED,
     .offset = offsetof(hwSceneBox, def.draught),
     .unit = "m",
     .range = HW_ABOVE(0),
     .example = "5",
     .doc = "of the box: displacement over waterplane for other hulls"},
    {.name = "roll_period",
     .type = HW_KEY_NUMBER,
     .flags = HW_KEY_REQUIRED,
     .offset = offsetof(hwSceneBox, def.rollPeriod),
     .unit = "s",
     .range = HW_ABOVE(0),
     .example = "11",
     .doc = "natural period of roll"},
    {.name = "roll_damping",
     .type = HW_KEY_NUMBER,
     .flags = HW_KEY_REQUIRED,
     .offset = offsetof(hwSceneBox, def.rollDamping),
     .range = HW_ABOVE(0),
     .example = "0.1",
     .doc = "of critical"},
};

static const hwSection boxMotion = {.title = "a floating box",
                                    .heading = "bodies: motion.prescribed.box",
                                    .size = sizeof(hwSceneBox),
                                    HW_KEYS(boxMotionKeys),
                                    .doc = "The body's origin is amidships, about the waterline. Heave and "
                                           "pitch by strips after Jensen, Mansour and "
                                           "Olsen (2004), roll as an oscillator driven by the slope of the "
                                           "waves; it surges, sways and yaws with the "
                                           "water."};

static const hwKey prescribedKeys[] = {
    {.name = "position",
     .type = HW_KEY_VECTOR_SIGNAL,
     .offset = offsetof(hwScenePrescribed, position),
     .unit = "m",
     .fallback = "(stays)",
     .example = "{sine: {amplitude: [0, 0, 1], period: 8}}",
     .doc = "of the body's origin"},
    {.name = "attitude",
     .type = HW_KEY_SPECIAL,
     .read = hwReadMotionAttitude,
     .form = "mapping {rpy_deg: signal} or {rpy: signal}, or a signal in rad",
     .offset = offsetof(hwScenePrescribed, attitude),
     .fallback = "(stays)",
     .example = "{rpy_deg: {sine: {amplitude: [5, 0, 0], period: 9}}}",
     .bad = "{roll: 5}",
     .doc = "roll, pitch, yaw"},
    {.name = "rao",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwScenePrescribed, raoFile),
     .fallback = "(none)",
     .group = 1,
     .example = "ship_rao.csv",
     .doc =
         "a ship's response to the waves, added to `position`: table of response amplitude operators, CSV, "
         "WAMIT's `.4`, OrcaFlex's text layout in a `.txt`, or a data file saved by OrcaFlex, `.yml`"},
    {.name = "rao_length",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwScenePrescribed, raoLength),
     .unit = "m",
     .range = HW_ABOVE(0),
     .fallback = "1",
     .example = "90",
     .doc = "length ULEN by which rotations in a `.4` file are made nondimensional"},
    {.name = "rao_vessel",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwScenePrescribed, raoVessel),
     .fallback = "(the only one)",
     .example = "Supply vessel",
     .doc = "name of the vessel type in a data file of OrcaFlex that holds several"},
    {.name = "rao_draught",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwScenePrescribed, raoDraught),
     .fallback = "(the only one)",
     .example = "Deep",
     .doc = "name of the draught in a file of OrcaFlex that holds several"},
    {.name = "box",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwScenePrescribed, box),
     .section = &boxMotion,
     .fallback = "(none)",
     .group = 1,
     .example = "{length: 90, beam: 18, draught: 5, roll_period: 11, roll_damping: 0.1}",
     .doc = "the same for a ship without a table: that of a floating box"},
};

static const hwSection prescribed = {
    .title = "a prescribed motion",
    .heading = "bodies: motion.prescribed",
    .size = sizeof(hwScenePrescribed),
    HW_KEYS(prescribedKeys),
    .check = hwCheckPrescribed,
    .doc =
        "A table of response operators is a CSV file with the columns `heading_deg` (where the waves go, "
        "relative to the "
        "bow: 0 following, 90 to port, 180 head seas), `period` (s), then `surge`, `surge_phase_deg`, "
        "`sway`, "
        "`sway_phase_deg`, `heave`, `heave_phase_deg` (m/m), `roll_deg`, `roll_phase_deg`, `pitch_deg`, "
        "`pitch_phase_deg`, `yaw_deg`, `yaw_phase_deg` (deg/m); rows sorted by heading from 0 to 180, "
        "each with the same "
        "periods. A phase is how far the motion is ahead of the crest at the ship's mean place. The sea's "
        "harmonics, "
        "Airy or JONSWAP, each move the ship by their operator, port and starboard alike. A data file saved "
        "by OrcaFlex is read with its conventions, units and symmetry, and its operators are taken from "
        "their own point to the body's origin. Beyond the periods and headings of a table its operators stay "
        "as at its edge; where more than 5 % of the ship's motion comes from such waves, a warning says so. "
        "There is no reader for ShipMo3D, MOSES or AQWA. Their tables become this CSV: `period` is 2π over "
        "the wave frequency in rad/s, not the frequency of encounter; rotations per wave slope are "
        "multiplied by the wave number; a heading that says where waves come from, or counts to starboard, "
        "is turned; phases that lag, or refer to a trough or another point, are converted. Tables for a "
        "ship under way do not fit: these are at zero speed."};

static const hwKey motionKeys[] = {
    {.name = "kind",
     .type = HW_KEY_CHOICE,
     .offset = offsetof(hwSceneMotion, kind),
     .choices = HW_CHOICES({"none", HW_MOTION_FREE}, {"free", HW_MOTION_FREE}, {"fixed", HW_MOTION_FIXED},
                           {"prescribed", HW_MOTION_PRESCRIBED}),
     .fallback = "none",
     .example = "fixed",
     .doc = "`none` and `free`: by the forces on it; `fixed`: not at all; `prescribed`: by another program"},
    {.name = "prescribed",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneMotion, prescribed),
     .section = &prescribed,
     .example = "{position: [0, 0, 0]}",
     .doc = "by signals"},
};

static const hwSection motion = {.title = "`motion`",
                                 .heading = "bodies: motion",
                                 .size = sizeof(hwSceneMotion),
                                 HW_KEYS(motionKeys),
                                 .shorthand = "kind",
                                 .check = hwCheckMotion};

#define INERTIA_KEYS(structure)                                                                              \
    {.name = "mass",                                                                                         \
     .type = HW_KEY_NUMBER,                                                                                  \
     .offset = offsetof(structure, mass),                                                                    \
     .flags = HW_KEY_CHECKED,                                                                                \
     .unit = "kg",                                                                                           \
     .range = HW_ABOVE(0),                                                                                   \
     .example = "7800",                                                                                      \
     .doc = "needed unless the body is fixed or prescribed"},                                                \
        {.name = "inertia",                                                                                  \
         .type = HW_KEY_NUMBERS,                                                                             \
         .offset = offsetof(structure, inertia),                                                             \
         .flags = HW_KEY_CHECKED,                                                                            \
         .unit = "kg m²",                                                                                    \
         .sizes = {3, 6},                                                                                    \
         .example = "[500, 500, 500]",                                                                       \
         .bad = "[1, 2]",                                                                                    \
         .fallback = "(that of the shapes, filled evenly)",                                                  \
         .doc = "Ixx Iyy Izz, then Ixy Ixz Iyz of the tensor, about the centre of mass; needed without "     \
                "shapes"},                                                                                   \
        {.name = "com",                                                                                      \
         .type = HW_KEY_VECTOR,                                                                              \
         .offset = offsetof(structure, com),                                                                 \
         .unit = "m",                                                                                        \
         .fallback = "[0, 0, 0]",                                                                            \
         .example = "[0, 0, 0.1]",                                                                           \
         .doc = "centre of mass, in the body's frame"},                                                      \
    {                                                                                                        \
        .name = "com_attitude", .type = HW_KEY_SECTION, .offset = offsetof(structure, comAttitude),          \
        .section = &hwSection_attitude, .fallback = "(as the body)", .example = "{rpy_deg: [0, 0, 45]}",     \
        .doc = "axes of the inertia, in the body's frame"                                                    \
    }

#define PLACE_KEYS(structure)                                                                                \
    {.name = "position",                                                                                     \
     .type = HW_KEY_VECTOR,                                                                                  \
     .offset = offsetof(structure, position),                                                                \
     .unit = "m",                                                                                            \
     .fallback = "[0, 0, 0]",                                                                                \
     .example = "[3.6, 0, 0]",                                                                               \
     .doc = "of its origin"},                                                                                \
        {.name = "attitude",                                                                                 \
         .type = HW_KEY_SECTION,                                                                             \
         .offset = offsetof(structure, attitude),                                                            \
         .section = &hwSection_attitude,                                                                     \
         .fallback = "(not turned)",                                                                         \
         .example = "{rpy_deg: [0, 0, 90]}",                                                                 \
         .doc = "how it is turned"},                                                                         \
        {.name = "velocity",                                                                                 \
         .type = HW_KEY_VECTOR,                                                                              \
         .offset = offsetof(structure, velocity),                                                            \
         .unit = "m/s",                                                                                      \
         .fallback = "[0, 0, 0]",                                                                            \
         .example = "[1, 0, 0]",                                                                             \
         .doc = "of its origin, world axes"},                                                                \
    {                                                                                                        \
        .name = "rate", .type = HW_KEY_VECTOR, .offset = offsetof(structure, rate), .unit = "rad/s",         \
        .flags = HW_KEY_ANGLE, .fallback = "[0, 0, 0]", .example = "[0, 0, 0.1]",                            \
        .doc = "angular velocity, body axes"                                                                 \
    }

static const hwKey potentialKeys[] = {
    {.name = "radiation",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwScenePotential, radiation),
     .flags = HW_KEY_REQUIRED,
     .example = "hull.1",
     .doc = "added mass and damping, WAMIT's `.1`: period, mode, mode, A, B"},
    {.name = "excitation",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwScenePotential, excitation),
     .fallback = "(no wave forces)",
     .example = "hull.3",
     .doc = "wave forces, WAMIT's `.3`: period, heading, mode, modulus, phase, real and imaginary part"},
    {.name = "hydrostatics",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwScenePotential, hydrostatics),
     .flags = HW_KEY_REQUIRED,
     .example = "hull.hst",
     .doc = "stiffness of water and weight, WAMIT's `.hst`: mode, mode, C"},
    {.name = "length",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwScenePotential, length),
     .unit = "m",
     .range = HW_ABOVE(0),
     .fallback = "1",
     .example = "1",
     .doc = "ULEN, by which the files are nondimensional"},
    {.name = "height",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwScenePotential, height),
     .unit = "m",
     .fallback = "0",
     .example = "0",
     .doc = "of the body's origin, which is that of the files, above calm water at rest"},
};

static const hwSection potential = {
    .title = "`potential`",
    .heading = "bodies: potential",
    .size = sizeof(hwScenePotential),
    HW_KEYS(potentialKeys),
    .doc = "A floating body by the hydrodynamic coefficients of a panel "
           "program (WAMIT, Capytaine's export): added mass, waves "
           "that it radiates (Cummins' equation with its memory), wave "
           "forces and hydrostatics, about the body's origin, instead "
           "of buoyancy and added mass; drag acts beside it. At rest the "
           "water carries the body's own weight. Files are "
           "nondimensional by the scene's water density and gravity and by "
           "`length`. Wave forces are those of the directions "
           "relative to the heading at the start, at the body's mean place; headings of one side, 0 to 180, "
           "serve both, and a warning tells where more than 5 % come from headings or periods beyond the "
           "files. Small motions: no drift forces, no forward speed."};

static const hwKey bodyKeys[] = {
    {.name = "name",
     .type = HW_KEY_NAME,
     .offset = offsetof(hwSceneBody, name),
     .flags = HW_KEY_REQUIRED,
     .example = "payload",
     .doc = "unique; letters, digits, `_` and `-`"},
    INERTIA_KEYS(hwSceneBody),
    PLACE_KEYS(hwSceneBody),
    HYDRO_KEYS(hwSceneBody, hydro.),
    {.name = "shapes",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwSceneBody, shapes),
     .section = &hwSection_shape,
     .fallback = "[]",
     .example = "[{box: [1, 1, 1]}]",
     .doc = "what it looks like, to water and to others"},
    {.name = "motion",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneBody, motion),
     .section = &motion,
     .fallback = "none",
     .example = "fixed",
     .doc = "`none` (free), `fixed`, or `{prescribed: {position: signal, attitude: signal}}`"},
    {.name = "potential",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneBody, potential),
     .section = &potential,
     .fallback = "(none)",
     .example = "{radiation: hull.1, hydrostatics: hull.hst}",
     .doc = "a floating body by hydrodynamic coefficients"},
};

const hwSection hwSection_body = {.title = "a body",
                                  .heading = "bodies",
                                  .size = sizeof(hwSceneBody),
                                  HW_KEYS(bodyKeys),
                                  .check = hwCheckBody,
                                  .doc = "Position and velocity are those of the body's origin in world "
                                         "axes; rates, inertia, added mass and drag are "
                                         "in the body's axes."};

// The base of a mechanism shares the keys.
static const hwKey freeBaseKeys[] = {
    INERTIA_KEYS(hwSceneFreeBase),
    PLACE_KEYS(hwSceneFreeBase),
    {.name = "hydro",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneFreeBase, hydro),
     .section = &hwSection_hydro,
     .fallback = "(none)",
     .example = "{volume: 2}",
     .doc = "what the water does to it"},
    {.name = "shapes",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwSceneFreeBase, shapes),
     .section = &hwSection_shape,
     .fallback = "[]",
     .example = "[{box: [1, 1, 1]}]",
     .doc = "as for bodies"},
};

const hwSection hwSection_freeBase = {.title = "a free base",
                                      .heading = "mechanisms: base.free",
                                      .size = sizeof(hwSceneFreeBase),
                                      HW_KEYS(freeBaseKeys),
                                      .check = hwCheckFreeBase,
                                      .doc = "A base that moves like a body."};
