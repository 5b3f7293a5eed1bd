// Forces and matrices of a long cable in pieces, which may be done on several threads: first the nodes of all pieces are gathered,
// then the elements of all evaluated, then their nodes. Bit for bit what hwCableWork_Evaluate gives.
#ifndef HW_CABLE_PIECES_H
#define HW_CABLE_PIECES_H

#include "cable/cable.h"

#define HW_PIECE 64 // nodes, at least

typedef struct hwCablePiece {
    int from, to;           // nodes; multiples of four but for the last
    bool splash;            // the surface cuts some of its elements
    bool slack;             // some of them are slack
    hwCableContact contact; // with the bottom
} hwCablePiece;

// Into how many pieces so many nodes are cut, and piece k of them.
int hwCable_CountPieces(int nodes);
hwCablePiece hwCable_CutPiece(int nodes, int count, int k);
// Whether a cable can be evaluated in pieces: it has stretch alone, and its ends are not fed.
bool hwCableWork_GoesInPieces(const hwCableWork* work, const hwCableInput* input);

// Before all others, once.
void hwCableWork_BeginPieces(hwCableWork* work, const hwCableState* state, const hwCableInput* input);
// Nodes from `from`, a multiple of four, to before `to`, one of them too or the number of nodes.
void hwCableWork_GatherPiece(hwCableWork* work, const hwCableState* state, const hwCableInput* input,
                             int from, int to);
// When all are gathered.
void hwCableWork_EvaluateElements(hwCableWork* work, const hwCableInput* input, hwCablePiece* piece);
// When the elements of all are done. `seabed` is level, or null: there is none. Its heights are those of the piece's own nodes.
void hwCableWork_EvaluateNodes(hwCableWork* work, const hwCableState* state, const hwCableInput* input,
                               const hwCableSeabed* seabed, hwCablePiece* piece);
// After all others, once. Returns the whole contact with the bottom.
hwCableContact hwCableWork_FinishPieces(hwCableWork* work, int count, const hwCablePiece* pieces);

// hwCableWork_MulMass of the nodes from `from`, a multiple of four, to before `to`, one of them too or the number of nodes. `own` are
// vectors of these nodes, `all` those of all nodes but the two at the ends of the cable.
void hwCableWork_MulMassOf(const hwCableWork* work, const hwVec3* all, const hwVec3* own, int from, int to,
                           hwVec3* out);

#endif
