// Forces and matrices of a long cable in pieces, which may be done on several threads: first all nodes are gathered, then all
// pieces evaluated, then what lies across the seams between them. Bit for bit what hwCableWork_Evaluate gives.
#ifndef HW_CABLE_PIECES_H
#define HW_CABLE_PIECES_H

#include "cable/cable.h"

#define HW_PIECE 200 // nodes, at least
#define HW_MOST_PIECES 8

typedef struct hwCablePiece {
    int from, to;           // nodes; multiples of four but for the last
    bool splash;            // the surface cuts some of its elements
    hwCableContact contact; // with the bottom
} hwCablePiece;

// Their number, 1 for most cables: those that are long, have stretch alone and whose ends are not fed.
int hwCableWork_CountPieces(const hwCableWork* work, const hwCableInput* input);
void hwCableWork_CutPieces(const hwCableWork* work, int count, hwCablePiece* pieces);

// Before all others, once.
void hwCableWork_BeginPieces(hwCableWork* work, const hwCableState* state, const hwCableInput* input);
// Nodes from `from`, a multiple of four, to before `to`, one of them too or the number of nodes.
void hwCableWork_GatherPiece(hwCableWork* work, const hwCableState* state, const hwCableInput* input,
                             int from, int to);
// `seabed` is level, or null: there is none. Its heights are those of the piece's own nodes.
void hwCableWork_EvaluatePiece(hwCableWork* work, const hwCableState* state, const hwCableInput* input,
                               const hwCableSeabed* seabed, hwCablePiece* piece);
// After all others, once. Returns the whole contact with the bottom.
hwCableContact hwCableWork_FinishPieces(hwCableWork* work, const hwCableState* state,
                                        const hwCableInput* input, const hwCableSeabed* seabed, int count,
                                        const hwCablePiece* pieces);

#endif
