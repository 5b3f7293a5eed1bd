// Motion that is given from outside: by signals, by hand, and as the response of a ship to the waves.
#ifndef HW_PARTS_SHIPS_SHIPS_H
#define HW_PARTS_SHIPS_SHIPS_H

#include "world/world.h"
#include "env/waves.h"

// A prescribed body that answers the waves; see prescribed.c.
typedef struct hwShipModel {
    int link;
    struct hwShipHarmonic* harmonics; // [wave]
} hwShipModel;

typedef struct hwShipsModel {
    int waveCount, count;
    hwShipModel* items; // by rising link
    struct hwShipHarmonic* harmonics;
    hwWaveComponent* waves;
} hwShipsModel;

// Motion of a prescribed body that the caller drives by hwBody_SetState.
typedef struct hwManualMotion {
    double set;  // 0: not used
    double time; // when it was set
    hwBodyState state;
} hwManualMotion;

typedef struct hwShipsState {
    hwManualMotion* manual; // [link]
} hwShipsState;

typedef struct hwShipsWork {
    double time; // s, of the drives in the world's work; NaN: not known
    bool calm;   // they are those of calm water
} hwShipsWork;

#endif
