// Speckle: what many scatterers return adds up with random phases, so that intensities are exponential about their mean.
#ifndef HW_API_SPECKLE_H
#define HW_API_SPECKLE_H

#include <stddef.h>
#include <stdint.h>

// Each intensity, with the floor's mean added, times (1 - share) + share e; e is exponential with mean 1, drawn by the counter of its
// place and two words of a key. At most 2^32 intensities. Same bits at every vector width.
void hwAddSpeckle(float* intensities, size_t count, float floor, float share, const uint32_t key[2]);

#endif
