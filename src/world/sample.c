// Results at given times while the solver goes its own way. The world is brought to a time within a step that was taken, is
// read, and is put back bit by bit: state, work and the parts' slices are copied as they are.
#include "world/part.h"

#include <math.h>
#include <string.h>

hwStatus hwWorld_SetSampler(hwWorld* world, double first, hwSamplerFn* sampler, void* context,
                            hwError* error) {
    hwClearError(error);
    if (sampler != NULL && isnan(first))
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the time of the first sample is not a number");
    world->sampling.sampler = sampler;
    world->sampling.context = context;
    world->sampling.next = first;
    world->sampling.interval = 0.0;
    if (sampler == NULL) hwWorld_FreeSampling(world);
    return HW_OK;
}

void hwWorld_FreeSampling(hwWorld* world) {
    hwRelease(&world->allocator, world->sampling.kept);
    world->sampling.kept = NULL;
    world->sampling.size = 0;
}

hwStatus hwWorld_ReserveSampling(hwWorld* world, hwError* error) {
    hwSampling* sampling = &world->sampling;
    if (sampling->sampler == NULL) return HW_OK;
    // of the caches only what is in use is ever written
    size_t size = world->state.size + world->model.sliceSize + world->work->stepSize + world->work->cacheSize;
    if (size <= sampling->size) return HW_OK;
    hwWorld_FreeSampling(world);
    sampling->kept = hwAllocate(&world->allocator, size);
    if (sampling->kept == NULL) return hwFail_Memory(error, NULL);
    sampling->size = size;
    return HW_OK;
}

void hwWorld_KeepForSamples(hwWorld* world) {
    char* kept = world->sampling.kept;
    memcpy(kept, world->state.block, world->state.size);
    kept += world->state.size;
    memcpy(kept, world->model.slices, world->model.sliceSize); // hwWork itself is among them
    kept += world->model.sliceSize;
    memcpy(kept, world->work->block, world->work->stepSize);
    kept += world->work->stepSize;
    hwSampling* sampling = &world->sampling;
    sampling->spanCount = 0;
    HW_EACH_PART(world, part, getKept) {
        hwSpan span = part->getKept(world);
        if (span.size > 0) memcpy(kept, span.start, span.size);
        kept += span.size;
        sampling->spans[sampling->spanCount++] = span;
    }
}

void hwWorld_RestoreFromSample(hwWorld* world) {
    const char* kept = world->sampling.kept;
    hwStageTimer timer = world->work->timer; // reading takes time too
    memcpy(world->state.block, kept, world->state.size);
    kept += world->state.size;
    memcpy(world->model.slices, kept, world->model.sliceSize);
    kept += world->model.sliceSize;
    memcpy(world->work->block, kept, world->work->stepSize);
    kept += world->work->stepSize;
    for (int i = 0; i < world->sampling.spanCount; ++i) {
        hwSpan span = world->sampling.spans[i];
        if (span.size > 0) memcpy(span.start, kept, span.size);
        kept += span.size;
    }
    world->work->timer = timer;
}

void hwWorld_Sample(hwWorld* world) {
    hwSampling* sampling = &world->sampling;
    world->work->isCurrent = false;
    double now = sampling->next, next = sampling->sampler(world, sampling->context);
    sampling->next = next > now ? next : (double)INFINITY;
    sampling->interval = next - now;
}

static void SampleUpTo(hwWorld* world, double last) {
    const hwSampling* sampling = &world->sampling;
    if (sampling->sampler == NULL || !(sampling->next <= last)) return;
    hwWorld_KeepForSamples(world);
    while (sampling->next <= last) hwWorld_Sample(world);
    hwWorld_RestoreFromSample(world);
}

void hwWorld_SampleNow(hwWorld* world) {
    const hwStateHeader* header = world->state.header;
    SampleUpTo(world, header->time + HW_SAMPLE_SLACK * header->counters.lastStep);
}

void hwWorld_SampleLast(hwWorld* world) {
    double interval = world->sampling.interval;
    if (isfinite(interval)) SampleUpTo(world, world->state.header->time + HW_SAMPLE_SLACK * interval);
}
