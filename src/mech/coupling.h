// Couplings between links of a forest: blocks K_ij of the matrix that the articulated solve factors, for links i and j
// of the same tree or of different ones. Cables between two bodies, several cables on one load, closed loops and contacts
// between moving things lead to them.
//
// Eliminating the freedoms y of link i (motion a_i = X a_p + S y, p its parent, children eliminated before) leaves, with
// D = S^T K_ii S + joint terms and U = K_ii S, besides the articulated inertia passed to the parent,
//     K_pj += X^T (K_ij - U D^-1 S^T K_ij),      K_jk -= (S^T K_ij)^T D^-1 (S^T K_ik)
// for all links j, k coupled to i: a coupling climbs towards the root until its two links meet, where it becomes part of
// one link's own block, or until it reaches the earth, where it vanishes. It ends below a free joint, which passes no
// force. Any order with children before parents is correct; links with few couplings go first (minimum degree).
//
// The symbolic part (order, who is coupled with whom when, which block is written where) is done again only when the set
// of pairs changes, in memory reserved before. Links whose elimination has nothing to do with each other may change places: what is
// eliminated into the same link comes together, and blocks are numbered in the order in which they are used up, so that a sweep reads
// its memory from one end to the other, and what it writes to is still in the cache.
#ifndef HW_MECH_COUPLING_H
#define HW_MECH_COUPLING_H

#include "mech/forest.h"

// Two different links.
typedef struct hwLinkPair {
    int first, second;
} hwLinkPair;

// One link j that is coupled to link i when i is eliminated.
typedef struct hwCouplingEntry {
    int other;      // j
    int block;      // K_ij, or its transpose
    bool row;       // the block's rows are i's
    bool targetRow; // the rows of `target` are the parent's
    int target;     // block of (p, j) that K_ij goes to; the same as `block` when that becomes it
    int rows; // index of its first row, one for each freedom of i; of a free joint they take the block's place
} hwCouplingEntry;

#define HW_COUPLING_FOLD -1 // target: j is the parent, the block joins its own
#define HW_COUPLING_DROP -2 // target: the earth, or a free joint

typedef struct hwCouplingFill {
    int block; // K_jk
    bool row;  // its rows are those of the entry that comes first
} hwCouplingFill;

// Of a free joint the rows are as large as the block, which nothing needs once they are there.
typedef union hwCouplingBlock {
    hwWideBlock block;
    hwWideSpatial rows[6];
} hwCouplingBlock;

// Factors of a free joint, as hwForestWork has them for others: in one place, in the order of elimination. Its freedoms are those of
// the link's motion in world axes, angular ones first.
typedef struct hwFreeFactor {
    hwWide U[3];
    double pivots[6], lower[6];
    double reduced[6]; // scratch of solves
} hwFreeFactor;

typedef struct hwCouplingSizes {
    int pairs, blocks, entries, rows, fills;
} hwCouplingSizes;

typedef struct hwCouplings {
    hwCouplingSizes capacity, used;
    hwLinkPair* pairs;        // [pair] as given
    int* pairBlock;           // [pair] its block, or -1 when one of the links never moves
    bool* pairRow;            // [pair] the block's rows are the first link's
    int* order;               // [link] order of elimination
    int *first, *last;        // [link] its entries, in the order of elimination
    int* fill;                // [link] its first fill, likewise
    hwCouplingEntry* entries; // [entry]
    hwCouplingFill* fills;    // [fill] for each link, pairs of its entries
    hwCouplingBlock* blocks;  // [block]
    hwWideSpatial* rows;      // [row] by hwForest_Factor: L^-1 S^T K_ij
    hwFreeFactor* factors;    // [link] by hwForest_Factor, in the order of elimination
    // scratch of the symbolic part
    struct hwCouplingNode* nodes;                    // [2 * block]
    int *list, *degree, *children, *next, *previous; // [link]
    int* number;                                     // [block]
} hwCouplings;

// Room for `pairs` couplings; `factor` >= 1 leaves more for the fill-in of tangled ones.
hwCouplingSizes hwCouplings_ChooseSizes(const hwForest* forest, int pairs, double factor);

// Lays out the arrays (two passes, see hwArena); `couplings` is null while measuring.
hwCouplings* hwCouplings_Take(const hwForest* forest, hwArena* arena, hwCouplingSizes capacity);

// Sets the pairs that may be coupled from now on; repeated pairs share a block. Does nothing when they are the same as
// before. False, with no couplings left, when they do not fit into the memory reserved.
bool hwForest_SetCouplings(const hwForest* forest, hwCouplings* couplings, int count,
                           const hwLinkPair* pairs);

// Sets all blocks to zero; hwForest_Factor destroys them.
void hwCouplings_Clear(hwCouplings* couplings);

// The rows of an entry of link i's elimination.
static inline hwWideSpatial* hwCouplings_GetRows(const hwCouplings* couplings, hwJointType joint,
                                                 const hwCouplingEntry* entry) {
    return joint == HW_LINK_FREE ? couplings->blocks[entry->block].rows : &couplings->rows[entry->rows];
}

// Adds a block to pair number `pair`: force on the first link by motion of the second.
void hwCouplings_Add(hwCouplings* couplings, int pair, const hwWideBlock* block);

#endif
