// A six-legged walker like Aquarobot (Iwasaki et al. 1987; seed 002): 28 bodies, 45 freedoms. A free body, six legs of
// three revolute joints and a foot on a ball joint, and a camera boom of three revolute joints. Also plain chains.
#ifndef HW_BENCH_WALKER_H
#define HW_BENCH_WALKER_H

#include "hawser/hawser.h"

#define HW_WALKER_LINKS 27 // besides the body

// Fills `links`, which must live as long as the returned def is used. `wet`: added mass, drag and buoyancy on every body.
hwMechanismDef hwMakeWalker(bool wet, hwLinkDef links[HW_WALKER_LINKS]);

// A chain of `count` - 1 revolute links on a free body, axes alternating; at most 512.
hwMechanismDef hwMakeChain(int count, hwLinkDef* links);

// The same mechanism for MuJoCo, written into `text`; the number of characters.
int hwWriteMjcf(const hwMechanismDef* def, char* text, int size);

#endif
