// Options of `hawser serve` for DDS.
#ifndef HW_CLI_DDS_OPTIONS_H
#define HW_CLI_DDS_OPTIONS_H

#include "connect/dds.h"

// As they were given; null: not.
typedef struct hwDdsTexts {
    const char *domain, *free, *name, *network, *keep, *step, *ports, *ends, *send, *receive;
} hwDdsTexts;

typedef struct hwDdsOptions {
    bool used;
    hwDdsDef def;
    hwCouplingDef links[HW_MOST_COUPLINGS];
    char name[96]; // of the scene's file, where none is given
} hwDdsOptions;

// False with a complaint. The texts and `options` stay where they are as long as they are used.
bool hwDdsOptions_Parse(hwDdsOptions* options, const hwDdsTexts* texts, const char* scene);

#endif
