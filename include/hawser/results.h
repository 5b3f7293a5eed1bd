/// @file results.h
/// Results of runs: tables of named channels in HDF5, CSV and VTK files, and reports. Part of hawser-io.
///
/// A recorder writes rows while a run goes on; hwOpenResults reads them back. The first channel of a file is
/// `world.time`.
///
/// HDF5 files hold: `/table`, doubles, rows x channels, extendible; `/channels` and `/units`, strings; `/scene`, the
/// text of the scene file when there is one; `/extremes`, channels x numbers of hwExtreme (`/extreme_columns`), over all
/// steps of the run; `/ranges`, `/range_cables` and `/range_columns`, range graphs along cables, one row
/// for each station; and attributes of the root for everything in hwRunInfo. They are
/// readable at every moment of a run: a run that is killed leaves all rows but those of its last second.
///
/// CSV files hold: a row of channel names, a row of units, then the rows, numbers in the shortest form that reads
/// back to the same bits.
#ifndef HAWSER_RESULTS_H
#define HAWSER_RESULTS_H

#include "hawser/base.h"
#include "hawser/extremes.h"
#include "hawser/ranges.h"
#include "hawser/sonar_cloud.h"
#include "hawser/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a run was and how it went, kept beside its rows. Texts are zero-terminated.
typedef struct hwRunInfo {
    char title[128];  ///< the scene's name
    char solver[32];  ///< "realtime" or "reference"
    char status[384]; ///< "running", "completed", "interrupted", or the sentence that says why it ended early
    char started[32]; ///< when, ISO 8601, UTC
    char version[32]; ///< of Hawser
    char incidents[4096]; ///< what happened to cables, a line each
    char limits[4096];    ///< limits of the scene and how they were kept, a line each, see hwRunInfo_AddLimit
    double interval;      ///< s between rows; 0: not known
    double start;         ///< s, simulated time of the first row
    double duration;      ///< s of simulated time asked for
    double wallTime;      ///< s it took
    double
        energyError; ///< J, drift of kinetic + potential + elastic + dissipated + method - work since the start
    double energyMethod; ///< J, what the solver's steps themselves damped since the start; below 0: put in
    hwCounters counters; ///< the solver's
} hwRunInfo;

/// An empty description with this library's version, status "running" and the present time as `started`.
HW_API hwRunInfo hwDefaultRunInfo(void);

/// Notes a limit: the quantity, its unit, what is allowed (NaN: no bound on that side) and the least and greatest value that
/// were reached (NaN: not known). A line of tab-separated fields `of, unit, min, max, least, greatest`. False: no room.
HW_API bool hwRunInfo_AddLimit(hwRunInfo* info, const char* of, const char* unit, double min, double max,
                               double least, double greatest);

/// Whether a name fits a pattern, in which `*` stands for any characters.
HW_API bool hwName_Matches(const char* pattern, const char* name);

/// Chooses channels of a prepared world by name. A pattern may hold `*` for any characters; `world.time` comes first
/// whether asked for or not, the rest in the order of the patterns, none twice. No pattern: every channel.
/// Channels of parts that a cable may yet break into (`line-2.length`) are chosen only by a pattern that names the part, as
/// `line-2.*`; they are not numbers until it does.
/// `channels` needs room for hwWorld_GetChannelCount entries. A pattern that fits nothing is an error that names the
/// nearest channel.
HW_API hwStatus hwWorld_SelectChannels(const hwWorld* world, int patternCount, const char* const* patterns,
                                       int* channels, int* count, hwError* error);
/// Fills [channel] with hwWorld_GetChannelRoom of those that no pattern has asked for: one asks for nodes and elements by a `[`, as
/// `line.node[*].position.z`.
HW_API void hwWorld_FindRooms(const hwWorld* world, int patternCount, const char* const* patterns, int count,
                              const int* channels, int* rooms);

/// Kinds of result files.
typedef enum hwResultsFormat {
    HW_RESULTS_AUTO, ///< from the file's name: .h5, .hdf5, .csv or .mcap
    HW_RESULTS_HDF5, ///< whatever the file's name
    HW_RESULTS_CSV,  ///< likewise
    HW_RESULTS_MCAP  ///< likewise: messages as in topics.h, for Foxglove
} hwResultsFormat;

/// How HDF5 files are compressed: by the format's own filters shuffle and deflate, which other programs read too. Rows then
/// reach the file a chunk at a time; a run that is killed loses those of its last chunk.
typedef enum hwCompression {
    HW_COMPRESS_NONE,  ///< rows reach the file within half a second
    HW_COMPRESS_EXACT, ///< no bit is lost
    HW_COMPRESS_SINGLE ///< all but `world.time` rounded to the 24 bits of a float
} hwCompression;

/// Description of a recorder. Start from hwDefaultRecorderDef(); pointers are borrowed until Create returns.
typedef struct hwRecorderDef {
    const char* path;              ///< file to write; "-" is the standard output, CSV only
    hwResultsFormat format;        ///< from the file's name by default
    int channelCount;              ///< number of columns
    const hwChannelInfo* channels; ///< the first one is `world.time`
    const int*
        rooms; ///< [channel] above 0: those with the same number come into the file, with NaN in the rows before, when one of
    ///< them first holds a number (see hwWorld_FindRooms); 0, or null: there from the start. Of MCAP all are there
    ///< from the start, and what is no ordinary file stays as it begins.
    const char* scene;         ///< text of the scene, or null
    hwCompression compression; ///< HDF5 only
    int chunkRows;             ///< compressed: rows of a chunk; 0: those of a quarter MiB, at most 1024
    const hwWorld* world;      ///< MCAP: shapes of its bodies are drawn; null: none are
    const hwSonarClouds*
        clouds; ///< MCAP: sonars whose new ping is written with the next row; they outlive the recorder. Null: none
    const hwExtreme* extremes; ///< [channel] as they are at the start, see hwRecorder_SetExtremes; null: none
    int stationCount;          ///< stations of range graphs along cables, see hwRecorder_SetStations; 0: none
    const hwRangeStation* stations;   ///< as they are at the start
    const char* const* stationCables; ///< name of the cable of each
    hwRunInfo info;                   ///< what is known at the start; hwRecorder_Finish may replace it
    bool live;  ///< the file appears under its name at once and grows; otherwise when it is finished
    int cookie; ///< set by hwDefaultRecorderDef
} hwRecorderDef;

/// A live recorder that still needs a path and channels.
HW_API hwRecorderDef hwDefaultRecorderDef(void);

/// Writes rows to a file. May be used from one thread at a time.
typedef struct hwRecorder hwRecorder;

/// Creates the file. When that fails, a file that was there before stays as it was. The caller owns the recorder.
HW_API hwRecorder* hwCreateRecorder(const hwRecorderDef* def, hwError* error);

/// Appends `rows` rows of values, row by row. They reach the file within half a second. After a failure (a full disk,
/// say) the file holds what had reached it before, and every later call fails the same way.
HW_API hwStatus hwRecorder_Append(hwRecorder* recorder, int rows, const double* values, hwError* error);

/// Appends one row read from a prepared world. The channels are looked up by name at the first call, and again when
/// their number has changed.
HW_API hwStatus hwRecorder_AppendWorld(hwRecorder* recorder, const hwWorld* world, hwError* error);

/// Replaces the numbers of all stations that the def named, at any time before the file is finished. CSV files have no place
/// for them: see hwRanges_WriteCsv.
HW_API hwStatus hwRecorder_SetStations(hwRecorder* recorder, const hwRangeStation* stations, hwError* error);

/// Replaces the extremes of all channels, where the def had some, at any time before the file is finished. CSV files have no
/// place for them, see hwExtremes_WriteCsv.
HW_API hwStatus hwRecorder_SetExtremes(hwRecorder* recorder, const hwExtreme* extremes, hwError* error);

/// Writes extremes as CSV: a row for each channel with its name, its unit and the numbers of hwExtreme.
HW_API hwStatus hwExtremes_WriteCsv(int channelCount, const hwChannelInfo* channels,
                                    const hwExtreme* extremes, const char* path, hwError* error);

/// Writes the stations that were ever out as CSV: the cable's name and the numbers of hwRangeStation, with a row of names and a
/// row of units.
HW_API hwStatus hwRanges_WriteCsv(const hwRanges* ranges, const char* path, hwError* error);

/// Brings all rows into the file now; of a compressed file, all whole chunks.
HW_API hwStatus hwRecorder_Flush(hwRecorder* recorder, hwError* error);

/// Number of columns that the file has now, see hwRecorderDef.rooms.
HW_API int hwRecorder_GetChannelCount(const hwRecorder* recorder);

/// Number of rows appended.
HW_API int64_t hwRecorder_GetRowCount(const hwRecorder* recorder);

/// Completes the file with how the run went, null for no news, and closes it. Only hwDestroyRecorder is allowed then.
HW_API hwStatus hwRecorder_Finish(hwRecorder* recorder, const hwRunInfo* info, hwError* error);

/// Frees a recorder. Without hwRecorder_Finish, a live file keeps its rows and any other is removed. Null is allowed.
HW_API void hwDestroyRecorder(hwRecorder* recorder);

/// Results opened for reading. May be used from one thread at a time.
typedef struct hwResults hwResults;

/// Opens results: HDF5, CSV, or VTK as written by hwConvertResults; a folder stands for the results.h5 in it. A file
/// that is still being written may be opened too. Returns null and fills `error` on failure; the caller owns it.
HW_API hwResults* hwOpenResults(const char* path, hwError* error);
/// Closes results. Null is allowed.
HW_API void hwCloseResults(hwResults* results);

/// Number of channels, `world.time` included.
HW_API int hwResults_GetChannelCount(const hwResults* results);
/// Name and unit of a channel, owned by the results; empty texts for an index out of range.
HW_API hwChannelInfo hwResults_GetChannel(const hwResults* results, int channel);
/// Index of the channel with this name, or -1.
HW_API int hwResults_FindChannel(const hwResults* results, const char* name);
/// Number of rows.
HW_API int64_t hwResults_GetRowCount(const hwResults* results);
/// What is known about the run; CSV files know nothing of it.
HW_API const hwRunInfo* hwResults_GetInfo(const hwResults* results);
/// Text of the scene, or null.
HW_API const char* hwResults_GetScene(const hwResults* results);
/// Extremes of a channel over all steps of the run, owned by the results; null: the file has none.
HW_API const hwExtreme* hwResults_GetExtreme(const hwResults* results, int channel);
/// Number of stations of range graphs; 0 without any.
HW_API int hwResults_GetStationCount(const hwResults* results);
/// A station and the name of its cable, null when not wanted; owned by the results. Null for an index out of range.
HW_API const hwRangeStation* hwResults_GetStation(const hwResults* results, int station, const char** cable);
/// Reads `count` rows from row `first` on into `values`, rows x channels.
HW_API hwStatus hwResults_ReadRows(hwResults* results, int64_t first, int64_t count, double* values,
                                   hwError* error);

/// Writes the results in `from` as another kind of file: .h5 or .hdf5, .csv, .mcap (messages for Foxglove), .glb (an animated
/// scene, glTF 2.0), .vtp (the path of every object, and the
/// table) or .pvd (an animation for ParaView, in files beside it). On failure nothing is left under the name `to`.
HW_API hwStatus hwConvertResults(const char* from, const char* to, hwError* error);

/// Writes one self-contained HTML page with plots of everything recorded.
HW_API hwStatus hwResults_WriteReport(hwResults* results, const char* path, hwError* error);

/// What goes into a report beside the results themselves. Start from hwDefaultReportDef(); pointers are borrowed for the call.
typedef struct hwReportDef {
    const char* path;  ///< the page to write
    const char* study; ///< folder of a study whose tables are put in (operability and others); null: none
    int pictureCount;  ///< pictures to put in
    const char* const* pictures; ///< PNG, JPEG or SVG files
    int cookie;                  ///< set by hwDefaultReportDef
} hwReportDef;

/// A description that still needs a path.
HW_API hwReportDef hwDefaultReportDef(void);

/// The same page with what the description names. Nothing is left under its name where one of them cannot be read.
HW_API hwStatus hwResults_WriteReportDef(hwResults* results, const hwReportDef* def, hwError* error);

#ifdef __cplusplus
}
#endif
#endif
