// Reading a tree of YAML nodes into structures by the tables of schema.h, with errors that name what is wrong and where.
#ifndef HW_IO_SCENE_READ_H
#define HW_IO_SCENE_READ_H

#include "scene_model.h"

struct hwReader {
    hwStore* store;
    hwError* error;
    const char* folder; // null: no files
    const char* object; // name of the object being read, or null
    int components;     // of the signal being read: 1 or 3
    hwSceneWarnings* warnings;
    hwSceneWarnings* estimates; // of hydrodynamics, or null
    hwSceneFiles* files;        // notes the files that are named, or null
};

// Fills the reader's error at a node, or at a line and column, and returns false.
bool hwReader_Fail(hwReader* reader, const hwYaml* node, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
bool hwReader_FailAt(hwReader* reader, int line, int column, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
bool hwReader_FailMemory(hwReader* reader);
// Adds a copy of a text to a list. False when out of memory.
bool hwReader_AddText(hwReader* reader, hwSceneWarnings* list, const char* text);

// Adds a sentence to the scene's warnings. False when out of memory.
bool hwReader_Warn(hwReader* reader, int line, const char* format, ...) __attribute__((format(printf, 3, 4)));

// Memory from the scene's store; fails the reader when there is none.
void* hwReader_Take(hwReader* reader, size_t count, size_t size);

// Reads a mapping, or what its shorthand stands for, into `item` of section->size bytes. A null node means "not given":
// only the defaults are set.
bool hwReadSection(hwReader* reader, const hwSection* section, const hwYaml* node, void* item);

// Reads one value of a key. `degrees`: it was written as name_deg.
bool hwReadValue(hwReader* reader, const hwKey* key, const hwYaml* node, bool degrees, void* field);

// One number that fits the key's range; the key gives name and unit for messages.
bool hwReadNumber(hwReader* reader, const hwKey* key, const hwYaml* node, bool degrees, double* out);

// A signal of `components` components, scaled by `scale`.
bool hwReadSignal(hwReader* reader, const hwKey* key, const hwYaml* node, int components, double scale,
                  hwSignal* out);

// The scene's path of a file, or null and an error when the scene has no folder.
const char* hwReader_JoinPath(hwReader* reader, const hwYaml* node, const char* file);

// Notes a file that the scene names, and the mesh that was read from it.
bool hwReader_NoteFile(hwReader* reader, const hwYaml* node, const char* path);
void hwReader_NoteMesh(hwReader* reader, const char* path, const hwMeshData* mesh);

// "`mass` must be a number above 0, kg, not the text `x`".
bool hwReader_FailType(hwReader* reader, const hwKey* key, const hwYaml* node);

// Adds "; did you mean `x`?" to the error just filled when a candidate is near.
void hwReader_Suggest(hwReader* reader, const char* text, const char* const* candidates, int count);

// Special values and checks of sections, used by the tables.
hwReadFn hwReadAddedMass, hwReadMotionAttitude, hwReadTriangles, hwReadPairs, hwReadSpot, hwReadSets,
    hwReadRecord, hwReadColumns, hwReadSum;
hwCheckFn hwCheckAttitude, hwCheckMesh, hwCheckHull, hwCheckShape, hwCheckProfile, hwCheckSeabed,
    hwCheckTorsethaugen, hwCheckOchiHubble, hwCheckSpectrum, hwCheckElevation, hwCheckEnvironment,
    hwCheckFriction, hwCheckBody, hwCheckFreeBase, hwCheckHydro, hwCheckRound, hwCheckLift, hwCheckLink,
    hwCheckFeet, hwCheckCapacity, hwCheckWatchLoop, hwCheckCableSection, hwCheckStretch, hwCheckCableShape,
    hwCheckPid, hwCheckEnd, hwCheckAttach, hwCheckElementLength, hwCheckSolver, hwCheckStart, hwCheckScene,
    hwCheckRamp, hwCheckLimit, hwCheckTable, hwCheckMechanism, hwCheckLesson, hwCheckObjective,
    hwCheckCondition, hwCheckLessonError, hwCheckProbes, hwCheckStrip, hwCheckMotion, hwCheckPrescribed,
    hwCheckForce;

// What a section of a cable with a `type` does not say itself it has from that file.
bool hwInheritCableFile(hwReader* reader, const hwYaml* node, hwSceneCableSection* section);

// Drag and added mass of objects with `hydro_from_shapes`: of all in a scene, or of one in water of that density.
bool hwEstimateHydro(hwReader* reader, hwSceneModel* model);
bool hwEstimateHydro_Of(hwReader* reader, double waterDensity, const hwPlace* place, const hwItems* shapes,
                        hwSceneHydro* hydro, const char* name);

// Fills what users see of a scene's lesson.
bool hwFillLesson(hwReader* reader, hwScene* scene);

// References between objects, unique names: everything that needs the whole scene.
bool hwCheckReferences(hwReader* reader, const hwSceneModel* model);

// Files that scenes refer to. Messages say what is wrong with the file; the caller adds the place in the scene.

// Reads a whole file of at most `limit` bytes into zero-terminated memory of `store`. `line` and `column` go into the
// error, whose status is HW_ERROR_FILE or HW_ERROR_LIMIT.
char* hwReadFileText(hwStore* store, const char* path, size_t limit, int line, int column, size_t* size,
                     hwError* error);

// Fails unless the path is a file that can be opened.
bool hwReader_CheckFile(hwReader* reader, const hwYaml* node, const char* path);

// Columns of a CSV file: a row of names, rows of numbers; a second row that is not numeric holds units and is skipped.
// `columns[i]` null means none. times and values have `count` rows.
bool hwReadCsvColumns(hwReader* reader, const hwYaml* node, const char* path, const char* timeColumn,
                      int columnCount, const char* const* columns, int* count, const double** times,
                      const hwVec3** values);

// Current on a grid; see docs/scenes.md for the columns.
bool hwReadFlowGrid(hwReader* reader, const hwYaml* node, const char* path, hwFlowGridDef* grid);
// The obstacles behind which the current is weaker, from the shapes of the bodies that the scene names.
bool hwReadLees(hwReader* reader, hwSceneModel* model);

// A second random sea beside the first, as a table.
bool hwTabulateJonswap(hwReader* reader, const hwJonswapDef* def, hwSeaDef* sea);

// Up to `most` numbers of a line, separated by blanks or commas; false when something else stands there.
bool hwReadNumberLine(const char* at, const char* end, int most, double* numbers, int* count);
// Sorts, and keeps one of each: how many are left. Index of a value in what is left, or -1.
int hwSortUnique(double* values, int count);
int hwFindNumber(const double* values, int count, double value);

// Hydrodynamic coefficients of all bodies that have files of them.
bool hwReadPotentials(hwReader* reader, hwSceneModel* model);

// How a ship answers waves; see docs/scenes.md for the columns.
// WAMIT's .4 file; `length` is its ULEN.
bool hwReadWamitRao(hwReader* reader, const hwYaml* node, const char* path, double length, hwRaoDef* rao);
// OrcaFlex's text layout, and a data file that it has saved. `vessel` and `draught` may be null where there is one.
bool hwReadOrcaFlexRao(hwReader* reader, const hwYaml* node, const char* path, const char* draught,
                       hwRaoDef* rao);
bool hwReadOrcaFlexData(hwReader* reader, const hwYaml* node, const char* path, const char* vessel,
                        const char* draught, hwRaoDef* rao);
bool hwReadRaoTable(hwReader* reader, const hwYaml* node, const char* path, hwRaoDef* rao);
// What to do with a table of a program whose layout is not read, as the error's hint.
void hwReader_HintRao(hwReader* reader);

// Heights of a seabed; see docs/scenes.md for the format. `spacing` is that of the scene, 0: not given.
bool hwReadHeightfield(hwReader* reader, const hwYaml* node, const char* path, hwSceneSeabed* seabed);

// Triangles from a file in one of the formats of docs/scenes.md, vertices welded, outward.
bool hwLoadMesh(hwReader* reader, const hwYaml* node, const char* path, hwMeshData* out);

// Reverses all triangles when the volume they enclose comes out negative. True: it did.
bool hwMesh_TurnOutward(hwMeshData* mesh);

// Convex parts for the contact of a concave mesh, at most `most`; none when it is convex itself.
bool hwFindParts(hwReader* reader, const hwYaml* node, const hwMeshData* mesh, int most, hwShapeDef* shape);

// The same for the shapes of what moves, where the scene does not say how many; a warning says what touches.
bool hwDivideShapes(hwReader* reader, const hwYaml* node, const hwItems* shapes);

// The convex hull of points, as triangles, outward.
bool hwBuildHull(hwReader* reader, const hwYaml* node, int count, const hwVec3* points, hwMeshData* out);

#endif
