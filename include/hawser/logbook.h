/// @file logbook.h
/// The logbook of a folder of flights: one line for each lesson that a pilot has flown to its end. A pilot is a name; nothing
/// leaves the machine. Part of hawser-live.
///
/// The file is CSV, one line a run, only ever appended to, each line by a single write: a program that is killed leaves whole lines.
/// A later line of the same flight (after a rewind) takes the place of an earlier one.
#ifndef HAWSER_LOGBOOK_H
#define HAWSER_LOGBOOK_H

#include "hawser/base.h"
#include "hawser/lesson.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A run.
typedef struct hwLogbookLine {
    char started[32];            ///< ISO 8601, UTC
    char pilot[64];              ///< who flew it; never empty
    char group[32];              ///< of a study, or empty
    char phase[32];              ///< of a study: "pre", "post" or whatever its protocol names, or empty
    char lesson[128];            ///< its title
    char flight[48];             ///< name of the recording
    double score;                ///< 0 to 100
    bool passed;                 ///< the lesson was passed
    bool complete;               ///< everything was done
    double time;                 ///< s
    int hits;                    ///< of the hull
    unsigned gates;              ///< bits of HW_GATE_*
    double terms[HW_TERM_COUNT]; ///< 0 to 1; NaN: not measured
    char version[32];            ///< of Hawser
} hwLogbookLine;

/// Fills score, time and terms of a line.
HW_API void hwLogbookLine_SetScore(hwLogbookLine* line, const hwScore* score);

/// Adds a line to a file, which is made when it is not there; the line is on the disk when this returns.
HW_API hwStatus hwLogbook_Append(const char* path, const hwLogbookLine* line, hwError* error);

/// Reads a file: the lines in order, of each flight and pilot the last one. The caller frees `lines` with free(). A file that is not
/// there has no lines. HW_ERROR_FORMAT with the number of the line in `error` when it is not a logbook.
HW_API hwStatus hwLogbook_Read(const char* path, int* count, hwLogbookLine** lines, hwError* error);

/// How often a pilot has passed a lesson in a row up to the last line.
HW_API int hwLogbook_CountPasses(int count, const hwLogbookLine* lines, const char* pilot,
                                 const char* lesson);

/// Adds the lines of another logbook that are not in this one yet; returns how many, or a negative status.
HW_API int hwLogbook_Import(const char* path, const char* from, hwError* error);

/// Writes the lines of one pilot, or of all when `pilot` is null, to a new file. With `anonymous` names become P01, P02, ... in the order
/// of an FNV-1a hash of name and `salt`, the times of day are left out, and so are the names of flights: what a study may pass on.
HW_API hwStatus hwLogbook_Export(const char* path, const char* to, const char* pilot, bool anonymous,
                                 const char* salt, hwError* error);

/// A blind rating of a pair of recordings in a study: `participants.csv` and `ratings.csv` lie beside the logbook and are appended
/// to as it is.
typedef struct hwRatingLine {
    char started[32];  ///< ISO 8601, UTC
    char pilot[64];    ///< who rated; never empty
    char group[32];    ///< of the study
    char pair[64];     ///< its name in the protocol
    char shown[2][64]; ///< models of the clips in the order in which they were shown
    double realism[2]; ///< of each, 1 to 7, in that order
    int preferred;     ///< 0, 1: the first or the second shown; -1: no difference
    char comment[256]; ///< or empty
    char version[32];  ///< of Hawser
} hwRatingLine;

/// Adds a rating to a file, which is made when it is not there; it is on the disk when this returns.
HW_API hwStatus hwRatings_Append(const char* path, const hwRatingLine* line, hwError* error);
/// Reads a file: the lines in order, of each pilot and pair the last one. The caller frees `lines` with free().
HW_API hwStatus hwRatings_Read(const char* path, int* count, hwRatingLine** lines, hwError* error);
/// Writes all ratings to a new file. With `anonymous` names become those that hwLogbook_Export gives for the same `logbook` and
/// `salt`; who is not in that logbook comes after all who are. Times of day are left out.
HW_API hwStatus hwRatings_Export(const char* path, const char* logbook, const char* to, bool anonymous,
                                 const char* salt, hwError* error);

/// The number, from 0 on, under which a pilot takes part in a study: that in the file, or the next one, which is added to it.
/// Negative: a status.
HW_API int hwParticipants_Enrol(const char* path, const char* pilot, hwError* error);

#ifdef __cplusplus
}
#endif
#endif
