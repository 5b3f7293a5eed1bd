// One line of a MoorDyn deck at a time: its words, and which of them is what.
#ifndef HW_IO_MOORDYN_READER_H
#define HW_IO_MOORDYN_READER_H

#include "moordyn_deck.h"

#define HW_DECK_WORDS 40
#define HW_DECK_ROLES 16

typedef enum hwDeckTable {
    HW_DECK_TABLE_NONE,
    HW_DECK_TABLE_TYPES,
    HW_DECK_TABLE_ROD_TYPES,
    HW_DECK_TABLE_BODIES,
    HW_DECK_TABLE_RODS,
    HW_DECK_TABLE_POINTS,
    HW_DECK_TABLE_LINES,
    HW_DECK_TABLE_SYROPE,
    HW_DECK_TABLE_OPTIONS,
    HW_DECK_TABLE_IGNORED,
    HW_DECK_TABLE_COUNT
} hwDeckTable;

// Columns of each table, in the order of version 2.
enum {
    HW_DECK_TYPE_NAME,
    HW_DECK_TYPE_DIAMETER,
    HW_DECK_TYPE_MASS,
    HW_DECK_TYPE_EA,
    HW_DECK_TYPE_BA,
    HW_DECK_TYPE_EI,
    HW_DECK_TYPE_CD,
    HW_DECK_TYPE_CA,
    HW_DECK_TYPE_CDAX,
    HW_DECK_TYPE_CAAX,
    HW_DECK_TYPE_CL,
    HW_DECK_TYPE_DF,
    HW_DECK_TYPE_CF
};

enum {
    HW_DECK_ROD_TYPE_NAME,
    HW_DECK_ROD_TYPE_DIAMETER,
    HW_DECK_ROD_TYPE_MASS,
    HW_DECK_ROD_TYPE_CD,
    HW_DECK_ROD_TYPE_CA,
    HW_DECK_ROD_TYPE_CD_END,
    HW_DECK_ROD_TYPE_CA_END
};

enum {
    HW_DECK_BODY_ID,
    HW_DECK_BODY_KIND,
    HW_DECK_BODY_X,
    HW_DECK_BODY_Y,
    HW_DECK_BODY_Z,
    HW_DECK_BODY_ROLL,
    HW_DECK_BODY_PITCH,
    HW_DECK_BODY_YAW,
    HW_DECK_BODY_MASS,
    HW_DECK_BODY_CG,
    HW_DECK_BODY_INERTIA,
    HW_DECK_BODY_VOLUME,
    HW_DECK_BODY_CDA,
    HW_DECK_BODY_CA
};

enum {
    HW_DECK_ROD_ID,
    HW_DECK_ROD_TYPE,
    HW_DECK_ROD_KIND,
    HW_DECK_ROD_XA,
    HW_DECK_ROD_YA,
    HW_DECK_ROD_ZA,
    HW_DECK_ROD_XB,
    HW_DECK_ROD_YB,
    HW_DECK_ROD_ZB,
    HW_DECK_ROD_SEGMENTS
};

enum {
    HW_DECK_POINT_ID,
    HW_DECK_POINT_KIND,
    HW_DECK_POINT_X,
    HW_DECK_POINT_Y,
    HW_DECK_POINT_Z,
    HW_DECK_POINT_MASS,
    HW_DECK_POINT_VOLUME,
    HW_DECK_POINT_CDA,
    HW_DECK_POINT_CA,
    HW_DECK_POINT_FX,
    HW_DECK_POINT_FY,
    HW_DECK_POINT_FZ
};

enum {
    HW_DECK_LINE_ID,
    HW_DECK_LINE_TYPE,
    HW_DECK_LINE_A,
    HW_DECK_LINE_B,
    HW_DECK_LINE_LENGTH,
    HW_DECK_LINE_SEGMENTS
};

typedef struct hwDeckReader {
    hwMoordynDeck* deck;
    int line;
    char* words[HW_DECK_WORDS];
    int places[HW_DECK_WORDS]; // columns of the text
    int wordCount;
    int column[HW_DECK_ROLES]; // word of each role in this table; -1: not there
    bool named;                // by its heading
} hwDeckReader;

bool hwDeckReader_FailWord(const hwDeckReader* r, int word, const char* text);
// Cuts a line into words, in place.
void hwDeckReader_Split(hwDeckReader* r, char* line);
bool hwDeck_Contains(const char* text, const char* part);
// Whether a word is one of names that are separated by bars.
bool hwDeck_IsNamed(const char* word, size_t length, const char* names);
bool hwDeck_IsOne(const char* word, const char* names);
// A word of a row by its role; null where the row ends before it or the table has no such column.
const char* hwDeckReader_GetWord(const hwDeckReader* r, int role);
// Its column in the text, 1 where there is none.
int hwDeckReader_GetPlace(const hwDeckReader* r, int role);
// What a column is in a message.
const char* hwDeck_GetWhat(hwDeckTable table, int role);
bool hwDeckReader_ReadNumber(const hwDeckReader* r, int word, const char* what, double* value);
bool hwDeckReader_ReadRole(const hwDeckReader* r, hwDeckTable table, int role, double* value);
// A number that may be left out, with its column or at the end of a row.
bool hwDeckReader_ReadOptional(const hwDeckReader* r, hwDeckTable table, int role, double* value);
// Numbers that a word holds, separated by bars; their count, 0 when one is none.
int hwDeck_ParseBars(const char* word, int most, double* values);
bool hwDeckReader_ReadId(const hwDeckReader* r, hwDeckTable table, int* id);
bool hwDeckReader_ReadAttachment(const hwDeckReader* r, int role, const char* choices, hwMoordynKind* kind,
                                 int* body);
void hwDeckReader_WarnCoupled(const hwDeckReader* r, int role, const char* what, int id);

// The table that a line of dashes names.
hwDeckTable hwDeck_FindTable(const char* line);
// The order of version 2, or 1, for the rows that follow.
void hwDeckReader_SetOrder(hwDeckReader* r, hwDeckTable table, int version);
// Columns by the names in the heading, where all that are needed can be told.
void hwDeckReader_ReadHeading(hwDeckReader* r, hwDeckTable table);

#endif
