// MoorDyn decks: the tables of an input file as plain structures, and the files that it names.
#ifndef HW_IO_MOORDYN_DECK_H
#define HW_IO_MOORDYN_DECK_H

#include "hawser/math.h"
#include "moordyn.h"
#include "scene_store.h"

#define HW_MOORDYN_BYTES (16u << 20) // of a deck, and of each file that it names

// How the stretch of a line gives its tension.
typedef enum hwMoordynLaw {
    HW_MOORDYN_ELASTIC, // EA e
    HW_MOORDYN_TABLE,   // tension by strain
    HW_MOORDYN_VISCO,   // a static and a dynamic spring in series, each with a dashpot beside it
    HW_MOORDYN_SYROPE   // likewise, the static one by a table that depends on the largest load so far
} hwMoordynLaw;

typedef struct hwMoordynTable {
    int count;
    double* strain;
    double* tension; // N
} hwMoordynTable;

typedef struct hwMoordynLineType {
    const char *name, *label; // as the file has it, and fit for a remark
    int line, column;         // of its EA
    hwMoordynLaw law;
    double diameter, mass, EA, damping, EI, drag, added, dragAlong, addedAlong;
    double dynamicEA, dynamicSlope, dynamicDamping; // stiffness dynamicEA + dynamicSlope * mean load
    hwMoordynTable table;
    int workingCurve; // Syrope: 0 linear, 1 quadratic, 2 exponential
    double k1, k2;    // Syrope: its coefficients
} hwMoordynLineType;

typedef struct hwMoordynRodType {
    const char* name;
    double diameter, mass, drag, added, dragEnd, addedEnd;
} hwMoordynRodType;

// What holds or moves an object.
typedef enum hwMoordynKind {
    HW_MOORDYN_FIXED,
    HW_MOORDYN_COUPLED, // moved by another program
    HW_MOORDYN_FREE,
    HW_MOORDYN_PINNED,         // held at its reference point, turns freely
    HW_MOORDYN_COUPLED_PINNED, // likewise, the point moved by another program
    HW_MOORDYN_ON_BODY,
    HW_MOORDYN_ON_BODY_PINNED
} hwMoordynKind;

typedef struct hwMoordynBody {
    int line, id;
    hwMoordynKind kind;
    hwVec3 position;
    hwQuat attitude;
    double mass, volume;
    hwVec3 com, inertia; // inertia about the centre of mass
    double dragArea[6], added[3];
} hwMoordynBody;

typedef struct hwMoordynRod {
    int line, id, type;
    hwMoordynKind kind;
    int body; // index, or -1
    hwVec3 ends[2];
    int segments; // 0: no length, it only passes moments on
    int attached; // line ends on it
} hwMoordynRod;

typedef struct hwMoordynPoint {
    int line, id;
    hwMoordynKind kind;
    int body; // index, or -1
    hwVec3 position, force;
    double mass, volume, dragArea, added;
    int attached; // line ends on it
    double held;  // kg, of the lines that end here: half of each
    bool stiff;   // one of them has bending stiffness
} hwMoordynPoint;

typedef struct hwMoordynEnd {
    bool rod;
    int index;
    int rodEnd; // 0: A, 1: B
} hwMoordynEnd;

typedef struct hwMoordynLine {
    int line, id;
    const char* name;
    int type;
    hwMoordynEnd ends[2];
    double length;
    int elements;
    double largestLoad, meanLoad; // N, at the start of a Syrope line; NaN: not given
    const hwVec3* nodes;          // where those between its ends begin, or null
    // Where it is in the scene; set by hwMoordyn_JoinLines.
    int cable;        // index of the first line of its cable, in this deck
    int next;         // line after it in the cable, or -1
    bool reversed;    // its end b comes first
    int firstElement; // in the cable
} hwMoordynLine;

// Depth by place, on lines of a grid.
typedef struct hwMoordynGrid {
    int columns, rows;
    double *x, *y, *depth; // depth: rows x columns, m, positive downwards
} hwMoordynGrid;

// Current by height and, with more than one time, by time.
typedef struct hwMoordynCurrent {
    int levels, times;
    double *z, *time;
    hwVec3* velocity; // times x levels
} hwMoordynCurrent;

typedef struct hwMoordynWave {
    double amplitude, omega, direction, phase; // amplitude cos(k x - omega t + phase)
} hwMoordynWave;

// Text of a file that a deck names, zero-terminated and in the store, or null when it is not there.
typedef char* hwMoordynReadFn(hwStore* store, const char* name, size_t* size, void* context);

// From the disk: beside the deck whose path is the context, or in the folders above it.
char* hwMoordyn_ReadBeside(hwStore* store, const char* name, size_t* size, void* context);

typedef struct hwMoordynDeck {
    hwStore store;
    const char* input; // its name in messages
    hwLogFn* log;
    void* logContext;
    hwMoordynReadFn* readFile;
    void* readContext;
    hwError* error;
    hwMoordynLineType* types;
    hwMoordynRodType* rodTypes;
    hwMoordynBody* bodies;
    hwMoordynRod* rods;
    hwMoordynPoint* points;
    hwMoordynLine* lines;
    int typeCount, rodTypeCount, bodyCount, rodCount, pointCount, lineCount;
    bool version1;
    double gravity, density, depth, stiffness, damping, friction; // NaN: not given
    double settle, interval, waveStep;                            // TmaxIC, dtOut, dtWave
    int waveKinematics, currents;                                 // options of these names
    int waveLine, currentLine, bottomLine;
    const char* bottomFile;
    const char* startFile; // a snapshot of where everything is at the start
    int startLine, startColumn;
    hwMoordynGrid bottom; // columns 0: flat
    hwMoordynCurrent current;
    hwMoordynWave* waves;
    int waveCount;
} hwMoordynDeck;

void hwMoordyn_InitDeck(hwMoordynDeck* deck, const char* input, hwLogFn* log, void* logContext,
                        hwMoordynReadFn* readFile, void* readContext, hwError* error);
void hwMoordyn_FreeDeck(hwMoordynDeck* deck);

// Takes the text of a deck apart, in place, and reads the files that it names. False with an error that has its line.
bool hwMoordyn_ReadDeck(hwMoordynDeck* deck, char* text);

// The parts of hwMoordyn_ReadDeck that read other files, once the tables are there.
bool hwMoordyn_ReadBottom(hwMoordynDeck* deck);
bool hwMoordyn_ReadCurrent(hwMoordynDeck* deck);
bool hwMoordyn_ReadWaves(hwMoordynDeck* deck);
bool hwMoordyn_ReadSnapshot(hwMoordynDeck* deck);
bool hwMoordyn_ReadStrainTable(hwMoordynDeck* deck, const char* name, int line, int column,
                               hwMoordynTable* table);
bool hwMoordyn_ReadSyrope(hwMoordynDeck* deck, const char* name, int line, int column,
                          hwMoordynLineType* type);

// Chains lines that meet in free points without mass, or in free rods without length, into one cable.
void hwMoordyn_JoinLines(hwMoordynDeck* deck);
// Elements of a line in the scene: two for each segment of a viscoelastic one.
int hwMoordyn_CountElements(const hwMoordynDeck* deck, const hwMoordynLine* line);
// Name of the cable that a line is in: line1, or line1_2_3.
void hwMoordyn_NameCable(const hwMoordynDeck* deck, int cable, char* name, size_t size);
// Index of the line with this number, or -1; likewise of points, bodies and rods.
int hwMoordyn_FindLine(const hwMoordynDeck* deck, int id);
int hwMoordyn_FindPoint(const hwMoordynDeck* deck, int id);
int hwMoordyn_FindBody(const hwMoordynDeck* deck, int id);
int hwMoordyn_FindRod(const hwMoordynDeck* deck, int id);

// Whether a free point is the node between two lines of a cable, or its free end, rather than a body.
bool hwMoordyn_IsNode(const hwMoordynPoint* point);

// The scene, to be freed; false with an error.
bool hwMoordyn_WriteScene(hwMoordynDeck* deck, char** scene, size_t* size);

// Fails at a place of the deck; logs a warning about one, column 0: none.
bool hwMoordyn_Fail(const hwMoordynDeck* deck, int line, int column, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
void hwMoordyn_Warn(const hwMoordynDeck* deck, int line, int column, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
// Room for one more of `count` items that the store holds; null with an error when there is none.
void* hwMoordyn_Grow(hwMoordynDeck* deck, void* items, int count, size_t size);
// A text that is one finite number and nothing else.
bool hwMoordyn_ParseNumber(const char* text, double* value);

#endif
