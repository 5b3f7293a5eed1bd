// Discretisation errors of a run's numbers: the scene again on finer meshes with smaller steps.
#ifndef HW_CLI_CERTIFY_H
#define HW_CLI_CERTIFY_H

#include "hawser/ranges.h"
#include "hawser/results.h"
#include "hawser/scene.h"
#include "hawser/statistics.h"

// Each mesh is finer than the one before by this.
#define HW_CERTIFY_RATIO 1.5

// A number of a run: least, greatest, mean or deviation of a channel, or a cable's use.
typedef struct hwCertified {
    char* name;
    const char* unit;   // owned by the world
    const char* object; // channel or cable, within the name's memory
    int channel;        // column of the run, -1: a cable's
    int kind;
    double values[3];
    hwConvergence found;
} hwCertified;

typedef struct hwCertificate {
    int count;
    hwCertified* list;
} hwCertificate;

typedef struct hwCertifyDef {
    const char* path;
    int setCount;
    const char* const* sets;
    bool reference; // solver
    double duration;
    int channelCount;
    const hwChannelInfo* channels; // of the run
    const hwExtreme* extremes;     // [channel] of the run
    const hwRanges* ranges;        // of the run
} hwCertifyDef;

// Whether a channel or a study's column is of the mesh and the steps themselves, so that it tends to nothing that a finer mesh would
// show: counts of steps and of nodes that touch, lengths of elements, what the steps damp, the energy balance.
bool hwCertify_IsOfMethod(const char* name);
// Does the finer runs, both at once in processes of their own. An exit status; on failure a complaint was printed.
int hwCertify(const hwCertifyDef* def, hwCertificate* out);
// The number of this name, or null.
const hwCertified* hwCertificate_Find(const hwCertificate* certificate, const char* name);
bool hwCertificate_Write(const hwCertificate* certificate, const char* path);
void hwCertificate_Free(hwCertificate* certificate);

#endif
