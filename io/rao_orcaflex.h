// What both of OrcaFlex's layouts of response amplitude operators share: conventions, rows, the table that they become.
#ifndef HW_IO_RAO_ORCAFLEX_H
#define HW_IO_RAO_ORCAFLEX_H

#include "scene_read.h"

// How numbers are meant. Axes and signs of OrcaFlex are ours unless it says otherwise; its defaults are degrees per m of
// amplitude, and phases in degrees by which the motion lags behind the crest.
typedef struct hwOrcaConventions {
    char wave;        // 'P' period, 'H' hertz, 'R' rad/s
    double rotation;  // rad in the unit of rotations
    double phase;     // rad in the unit of phases, negative for phases that lag
    double shift;     // rad by which the motion is ahead of the crest at a phase of zero
    double turned[6]; // rad: pi for a motion that is positive the other way
    double length;    // m in the unit of length
    char symmetry;    // 'n' none, 'x' the xz plane, 'b' xz and yz planes, 'c' circular
    double depth;     // m of water, infinite unless known
    double origin[3]; // m, ship's axes: the point that moves so
    double crest[3];  // m, ship's axes: where the crest is that phases count from
} hwOrcaConventions;

hwOrcaConventions hwDefaultOrcaConventions(void);

typedef enum hwOrcaWord { HW_ORCA_SET, HW_ORCA_UNKNOWN_KEY, HW_ORCA_UNKNOWN_VALUE } hwOrcaWord;

// Takes one convention by its name in OrcaFlex.
hwOrcaWord hwOrcaConventions_Set(hwOrcaConventions* conventions, const char* key, size_t length,
                                 const char* value);

// Whether two words are the same but for capitals; whether a text holds a word.
bool hwOrca_IsWord(const char* at, size_t length, const char* word);
bool hwOrca_Holds(const char* text, const char* word);

// Rows in the order of the file.
typedef struct hwOrcaTable {
    hwReader* reader;
    const hwYaml* node; // where the scene names the file
    const char* quoted; // the file's name for messages
    int count, capacity;
    int beyond;         // rows left out: directions outside of 0 to 180 degrees
    double (*rows)[14]; // direction (degrees), period (s), six pairs of amplitude and phase as in the file
} hwOrcaTable;

// Adds a row of 13 numbers: wave, then amplitude and phase of six motions. Limits of long and short waves and directions
// of the other side are left out.
bool hwOrcaTable_Add(hwOrcaTable* table, const hwOrcaConventions* conventions, double direction,
                     const double* numbers);

// The table about the ship's origin, for directions from 0 to 180 degrees.
bool hwOrcaTable_Finish(hwOrcaTable* table, const hwOrcaConventions* conventions, hwRaoDef* rao);

#endif
