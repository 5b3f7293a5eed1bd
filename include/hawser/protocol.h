/// @file protocol.h
/// The protocol of a training study: groups, what each of their participants flies in which phase, and pairs of recorded flights whose
/// realism is rated blind. A file of its own, `hawser_protocol: 1`. Part of hawser-io.
#ifndef HAWSER_PROTOCOL_H
#define HAWSER_PROTOCOL_H

#include "hawser/base.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Something that participants do, in order: runs of a lesson, or the rating of a pair.
typedef struct hwProtocolStep {
    const char* phase;  ///< such as "pre", "training", "post"
    const char* lesson; ///< name of the lesson; null: a pair is rated
    int runs;           ///< of the lesson
    int pair;           ///< index of the pair; -1: a lesson
    int group;          ///< index of the group that does it; -1: all
} hwProtocolStep;

/// Two recordings of the same flight with different tether models.
typedef struct hwProtocolPair {
    const char* name;
    const char* question;   ///< asked about both
    const char* flights[2]; ///< names of recordings
    const char* models[2];  ///< what each was made with, for the record alone: participants never see it
} hwProtocolPair;

typedef struct hwProtocolInfo {
    const char* title;
    uint64_t seed;
    int groupCount, stepCount, pairCount;
    const char* const* groups;
    const hwProtocolStep* steps;
    const hwProtocolPair* pairs;
} hwProtocolInfo;

typedef struct hwProtocol hwProtocol;

/// Reads a protocol; null with line and column in `error` when something is wrong with it.
HW_API hwProtocol* hwLoadProtocol(const char* path, hwError* error);
/// The same from text.
HW_API hwProtocol* hwParseProtocol(const char* text, size_t size, hwError* error);
/// Null is allowed.
HW_API void hwDestroyProtocol(hwProtocol* protocol);
/// What it holds; lives as long as the protocol.
HW_API const hwProtocolInfo* hwProtocol_GetInfo(const hwProtocol* protocol);

/// The group of the participant who came as number `participant` (from 0): each block of as many participants as there are groups
/// holds every group once, in an order that the seed decides (permuted blocks), so that groups never differ by more than one.
HW_API int hwProtocolInfo_ChooseGroup(const hwProtocolInfo* info, int participant);
/// Whether this participant sees the second recording of a pair first: of two who came one after the other one does, which one the
/// seed decides.
HW_API bool hwProtocolInfo_IsSwapped(const hwProtocolInfo* info, int participant, int pair);

#ifdef __cplusplus
}
#endif
#endif
