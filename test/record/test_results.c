// Results written in one kind of file and read back, and what happens when files do not cooperate.
#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "results_util.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void WriteMadeAs(const char* path, int rows, bool live, hwCompression compression, int chunkRows) {
    hwRecorderDef def = MadeDef(path);
    def.live = live;
    def.compression = compression;
    def.chunkRows = chunkRows;
    hwError error;
    hwRecorder* recorder = hwCreateRecorder(&def, &error);
    if (!recorder) fail_msg("%s", error.message);
    // Uneven portions cross the borders of chunks and buffers.
    for (int done = 0, portion = 1; done < rows; portion = portion * 3 + 1) {
        int count = portion < rows - done ? portion : rows - done;
        AppendMade(recorder, CHANNEL_COUNT, done, count);
        if (portion % 2 == 0) assert_int_equal(hwRecorder_Flush(recorder, &error), HW_OK);
        done += count;
    }
    assert_int_equal(hwRecorder_GetRowCount(recorder), rows);
    hwRunInfo info = def.info;
    snprintf(info.status, sizeof(info.status), "completed");
    info.wallTime = 0.25;
    info.counters.steps = 12345678901234u;
    info.counters.lastStep = 1e-3;
    assert_int_equal(hwRecorder_Finish(recorder, &info, &error), HW_OK);
    assert_int_equal(hwRecorder_Append(recorder, 0, NULL, &error), HW_ERROR_ORDER);
    hwDestroyRecorder(recorder);
}

static void WriteMade(const char* path, int rows, bool live) {
    WriteMadeAs(path, rows, live, HW_COMPRESS_NONE, 0);
}

static hwResults* OpenGood(const char* path) {
    hwError error;
    hwResults* results = hwOpenResults(path, &error);
    if (!results) fail_msg("%s", error.message);
    return results;
}

static void AssertChannels(const hwResults* results) {
    for (int i = 0; i < CHANNEL_COUNT; ++i) {
        assert_string_equal(hwResults_GetChannel(results, i).name, g_channels[i].name);
        assert_string_equal(hwResults_GetChannel(results, i).unit, g_channels[i].unit);
        assert_int_equal(hwResults_FindChannel(results, g_channels[i].name), i);
    }
    assert_int_equal(hwResults_FindChannel(results, "buoy"), -1);
    assert_string_equal(hwResults_GetChannel(results, CHANNEL_COUNT).name, "");
}

static void AssertError(const hwError* error, const char* part) {
    if (!strstr(error->message, part)) fail_msg("\"%s\" does not say \"%s\"", error->message, part);
}

static void Hdf5KeepsEveryBitAndWhatIsKnownAboutTheRun(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    const char* path = Scratch_Path(&scratch, "results.h5");
    WriteMade(path, 5000, true);
    hwResults* results = OpenGood(path);
    AssertMade(results, CHANNEL_COUNT, 5000);
    AssertChannels(results);
    const hwRunInfo* info = hwResults_GetInfo(results);
    assert_string_equal(info->title, "made up");
    assert_string_equal(info->status, "completed");
    assert_string_equal(info->version, hwGetVersion());
    assert_true(info->counters.steps == 12345678901234u);
    assert_true(info->wallTime == 0.25 && info->interval == 0.01 && info->counters.lastStep == 1e-3);
    assert_string_equal(hwResults_GetScene(results), "hawser: 1\nname: made up\n");
    hwCloseResults(results);
    // A folder stands for the results.h5 in it.
    results = OpenGood(scratch.folder);
    assert_int_equal(hwResults_GetRowCount(results), 5000);
    double value;
    hwError error;
    assert_int_equal(hwResults_ReadRows(results, 5000, 1, &value, &error), HW_ERROR_ARGUMENT);
    hwCloseResults(results);
    Scratch_Close(&scratch);
}

// Numbers of any bits, which deflate makes no smaller (HDF5 then stores them shuffled only), and chunks that the last rows do
// not fill.
static void CompressedRowsKeepEveryBit(void** state) {
    (void)state;
    static const int chunkRows[] = {0, 1, 10, 3000};
    Scratch scratch;
    Scratch_Open(&scratch);
    for (int i = 0; i < 4; ++i) {
        const char* path = Scratch_Path(&scratch, "results.h5");
        WriteMadeAs(path, 2345, i % 2 == 0, HW_COMPRESS_EXACT, chunkRows[i]);
        hwResults* results = OpenGood(path);
        AssertMade(results, CHANNEL_COUNT, 2345);
        AssertChannels(results);
        // back and forth, rows of one chunk after those of another
        hwError error;
        double row[CHANNEL_COUNT];
        for (int k = 0; k < 200; ++k) {
            int64_t at = (int64_t)k * 977 % 2345;
            assert_int_equal(hwResults_ReadRows(results, at, 1, row, &error), HW_OK);
            assert_true(row[0] == MakeValue(at, 0));
        }
        hwCloseResults(results);
    }
    Scratch_Close(&scratch);
}

// A float's 24 bits: 2^-24 of the value, half a unit. What floats have no number for, and time, stays.
static void SinglePrecisionRoundsAllButTime(void** state) {
    (void)state;
    enum { ROWS = 100 };
    Scratch scratch;
    Scratch_Open(&scratch);
    const char* path = Scratch_Path(&scratch, "results.h5");
    WriteMadeAs(path, ROWS, true, HW_COMPRESS_SINGLE, 16);
    hwResults* results = OpenGood(path);
    for (int64_t i = 0; i < ROWS; ++i) {
        hwError error;
        double row[CHANNEL_COUNT];
        assert_int_equal(hwResults_ReadRows(results, i, 1, row, &error), HW_OK);
        assert_true(row[0] == MakeValue(i, 0));
        for (int k = 1; k < CHANNEL_COUNT; ++k) {
            double given = MakeValue(i, k);
            if (!(fabs(given) < 3e38)) {
                assert_true(row[k] == given || given != given);
            } else {
                assert_true(row[k] == (double)(float)given);
                assert_true(fabs(row[k] - given) <= fabs(given) * 0x1p-24 + 0x1p-150);
            }
        }
    }
    hwCloseResults(results);
    Scratch_Close(&scratch);
}

// What most columns of a flight are like: numbers that do not change, or are none.
static void QuietColumnsTakeHardlyAnyRoom(void** state) {
    (void)state;
    enum { COLUMNS = 500, ROWS = 1000 };
    Scratch scratch;
    Scratch_Open(&scratch);
    hwChannelInfo channels[COLUMNS];
    char names[COLUMNS][8];
    double row[COLUMNS];
    for (int i = 0; i < COLUMNS; ++i) {
        snprintf(names[i], sizeof(names[i]), "c%d", i);
        channels[i] = (hwChannelInfo){names[i], "m"};
        row[i] = i % 3 == 0 ? (double)NAN : sin(i);
    }
    hwRecorderDef def = MadeDef(Scratch_Path(&scratch, "a.h5"));
    def.channelCount = COLUMNS;
    def.channels = channels;
    def.compression = HW_COMPRESS_EXACT;
    def.chunkRows = 10;
    hwError error;
    hwRecorder* recorder = hwCreateRecorder(&def, &error);
    assert_non_null(recorder);
    for (int i = 0; i < ROWS; ++i) {
        row[0] = 0.1 * i;
        assert_int_equal(hwRecorder_Append(recorder, 1, row, &error), HW_OK);
    }
    assert_int_equal(hwRecorder_Finish(recorder, NULL, &error), HW_OK);
    hwDestroyRecorder(recorder);
    struct stat about;
    assert_int_equal(stat(def.path, &about), 0);
    // a tenth of the 4 MB: the first row of each chunk of ten takes what it takes
    assert_true(about.st_size < COLUMNS * ROWS * 8 / 10);
    hwResults* results = OpenGood(def.path);
    assert_int_equal(hwResults_ReadRows(results, ROWS - 1, 1, row, &error), HW_OK);
    assert_true(row[0] == 0.1 * (ROWS - 1) && row[1] == sin(1.0) && isnan(row[3]));
    hwCloseResults(results);
    Scratch_Close(&scratch);
}

static void EveryConversionKeepsEveryBit(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    static const char* const steps[] = {"a.h5", "b.csv", "c.vtp", "d.hdf5", "e.vtp", "f.csv", "g.h5"};
    WriteMade(Scratch_Path(&scratch, steps[0]), 777, false);
    hwError error;
    for (int i = 1; i < 7; ++i) {
        const char* to = Scratch_Path(&scratch, steps[i]);
        if (hwConvertResults(Scratch_Path(&scratch, steps[i - 1]), to, &error) != HW_OK)
            fail_msg("%s", error.message);
        hwResults* results = OpenGood(to);
        AssertMade(results, CHANNEL_COUNT, 777);
        AssertChannels(results);
        hwCloseResults(results);
    }
    Scratch_Close(&scratch);
}

static void AnimationListsAFileForEachMoment(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    WriteMade(Scratch_Path(&scratch, "a.h5"), 2500, false);
    hwError error;
    assert_int_equal(
        hwConvertResults(Scratch_Path(&scratch, "a.h5"), Scratch_Path(&scratch, "run.pvd"), &error), HW_OK);
    char text[200000];
    FILE* file = fopen(Scratch_Path(&scratch, "run.pvd"), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = 0;
    fclose(file);
    // 2500 rows: every third one, 834 frames; the last is row 2499.
    assert_non_null(strstr(text, "timestep=\"24.99\" part=\"0\" file=\"run/000833.vtp\""));
    assert_null(strstr(text, "run/000834.vtp"));
    file = fopen(Scratch_Path(&scratch, "run/000833.vtp"), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = 0;
    fclose(file);
    assert_non_null(strstr(text, "NumberOfPoints=\"3\" NumberOfVerts=\"1\" NumberOfLines=\"1\""));
    Scratch_Close(&scratch);
}

static void CsvHasNamesUnitsAndShortNumbers(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    const char* path = Scratch_Path(&scratch, "a.csv");
    hwRecorderDef def = MadeDef(path);
    def.channelCount = 3;
    hwError error;
    hwRecorder* recorder = hwCreateRecorder(&def, &error);
    assert_non_null(recorder);
    const double rows[] = {0, -1.5, 1e300, 0.1, 1.0 / 3, -0.0};
    assert_int_equal(hwRecorder_Append(recorder, 2, rows, &error), HW_OK);
    assert_int_equal(hwRecorder_Finish(recorder, NULL, &error), HW_OK);
    hwDestroyRecorder(recorder);
    char text[256];
    FILE* file = fopen(path, "r");
    text[fread(text, 1, sizeof(text) - 1, file)] = 0;
    fclose(file);
    assert_string_equal(text, "world.time,buoy.position.x,buoy.position.y\ns,m,m\n0,-1.5,1e+300\n"
                              "0.1,0.3333333333333333,-0\n");
    Scratch_Close(&scratch);
}

static void PutText(const char* path, const char* text) {
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void CsvOfOthersIsReadOrRefusedWithLineAndColumn(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    const char* path = Scratch_Path(&scratch, "a.csv");
    hwError error;
    double values[4];
    // No units, carriage returns, spaces, no line feed at the end.
    PutText(path, "time,\"x, y\"\r\n 1, 2e0\r\n+3 ,inf");
    hwResults* results = OpenGood(path);
    assert_int_equal(hwResults_GetRowCount(results), 2);
    assert_string_equal(hwResults_GetChannel(results, 1).name, "x, y");
    assert_int_equal(hwResults_ReadRows(results, 0, 2, values, &error), HW_OK);
    assert_true(values[0] == 1 && values[1] == 2 && values[2] == 3 && values[3] > 1e308);
    hwCloseResults(results);
    // A cut last line is not a row.
    PutText(path, "time,x\ns,m\n1,2\n3");
    results = OpenGood(path);
    assert_int_equal(hwResults_GetRowCount(results), 1);
    hwCloseResults(results);
    PutText(path, "time,x\ns,m\n1,2\n3,oops\n");
    results = OpenGood(path);
    assert_int_equal(hwResults_ReadRows(results, 0, 2, values, &error), HW_ERROR_FORMAT);
    assert_int_equal(error.line, 4);
    assert_int_equal(error.column, 3);
    AssertError(&error, "not a number");
    hwCloseResults(results);
    PutText(path, "time,x\ns,m\n1,2\n3\n4,5\n");
    results = OpenGood(path);
    assert_int_equal(hwResults_ReadRows(results, 0, 3, values, &error), HW_ERROR_FORMAT);
    assert_int_equal(error.line, 4);
    AssertError(&error, "1 columns instead of 2");
    hwCloseResults(results);
    PutText(path, "time,x\ns\n1,2\n");
    assert_null(hwOpenResults(path, &error));
    assert_int_equal(error.line, 2);
    PutText(path, "\n1,2\n");
    assert_null(hwOpenResults(path, &error));
    AssertError(&error, "names of the channels");
    // The first row counts as data by its first field, whatever the others hold.
    PutText(path, "time,x\n0,nan\n1,2\n");
    results = OpenGood(path);
    assert_int_equal(hwResults_GetRowCount(results), 2);
    assert_int_equal(hwResults_ReadRows(results, 0, 2, values, &error), HW_OK);
    assert_true(values[0] == 0 && isnan(values[1]) && values[2] == 1 && values[3] == 2);
    hwCloseResults(results);
    PutText(path, "time,x\n0,1e999\n1,2\n");
    results = OpenGood(path);
    assert_int_equal(hwResults_GetRowCount(results), 2);
    assert_int_equal(hwResults_ReadRows(results, 0, 2, values, &error), HW_ERROR_FORMAT);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 3);
    AssertError(&error, "beyond what a double holds");
    hwCloseResults(results);
    PutText(path, "time,x\ns,1\n1,2\n");
    results = OpenGood(path);
    assert_int_equal(hwResults_GetRowCount(results), 1);
    assert_string_equal(hwResults_GetChannel(results, 1).unit, "1");
    hwCloseResults(results);
    Scratch_Close(&scratch);
}

static void FilesThatAreNotResultsAreRefusedInOneSentence(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    hwError error;
    assert_null(hwOpenResults(Scratch_Path(&scratch, "none.h5"), &error));
    AssertError(&error, "no such file");
    assert_null(hwOpenResults(scratch.folder, &error));
    AssertError(&error, "results.h5: there is no such file");
    PutText(Scratch_Path(&scratch, "empty"), "");
    assert_null(hwOpenResults(Scratch_Path(&scratch, "empty"), &error));
    AssertError(&error, "is empty");
    PutText(Scratch_Path(&scratch, "cut.h5"), "\211HDF\r\n\032\nnothing more");
    assert_null(hwOpenResults(Scratch_Path(&scratch, "cut.h5"), &error));
    AssertError(&error, "damaged");
    PutText(Scratch_Path(&scratch, "other.h5"), "a,b\n1,2\n");
    assert_null(hwOpenResults(Scratch_Path(&scratch, "other.h5"), &error));
    AssertError(&error, "is no HDF5 file");
    PutText(Scratch_Path(&scratch, "foreign.vtp"), "<VTKFile type=\"PolyData\"></VTKFile>");
    assert_null(hwOpenResults(Scratch_Path(&scratch, "foreign.vtp"), &error));
    AssertError(&error, "not one with a table");
    assert_int_equal(hwConvertResults("x.h5", "y.xls", &error), HW_ERROR_ARGUMENT);
    AssertError(&error, "which kind");
    assert_non_null(strstr(error.hint, ".csv"));
    Scratch_Close(&scratch);
}

// Reads a file to its last row, as `report` does; what cannot be read is refused with a sentence.
static bool ReadWhole(const char* path) {
    hwError error = {0};
    hwResults* results = hwOpenResults(path, &error);
    if (!results) {
        assert_true(error.status < 0 && error.message[0] != 0);
        return false;
    }
    int channels = hwResults_GetChannelCount(results);
    int64_t rows = hwResults_GetRowCount(results);
    // 14 names of at least a byte in a file of less than a MiB: more columns or rows were not held against its size
    assert_in_range(channels, 1, 1 << 20);
    assert_in_range(rows, 0, 1 << 20);
    double* row = malloc((size_t)channels * sizeof(double));
    assert_non_null(row);
    bool good = true;
    for (int64_t i = 0; i < rows && good; ++i) good = hwResults_ReadRows(results, i, 1, row, &error) == HW_OK;
    free(row);
    hwCloseResults(results);
    return good;
}

static void PutBytes(const char* path, const unsigned char* bytes, size_t size) {
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

// Cut and altered HDF5 files are read or refused; libhdf5 1.10 crashes on some of these. All the metadata lies in the
// first 24 KiB: each of its bytes that is not zero is altered once, and 8-byte words among them become huge.
static void TruncatedAndDamagedHdf5DoesNotCrash(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    const char *whole = Scratch_Path(&scratch, "a.h5"), *part = Scratch_Path(&scratch, "b.h5");
    WriteMade(whole, 50, false);
    static unsigned char bytes[1 << 20];
    FILE* file = fopen(whole, "rb");
    size_t size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    assert_true(ReadWhole(whole));
    uint64_t random = 1;
    int refused = 0, tried = 0;
    for (size_t at = 0; at < size; ++at) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        bool number = at >= 24 << 10;                                  // the rows themselves
        if ((number || bytes[at] == 0) && random >> 57 != 0) continue; // one in 128 of them
        unsigned char before[8];
        size_t width = at + 8 <= size && random >> 61 == 0 ? 8 : 1;
        memcpy(before, bytes + at, width);
        for (size_t k = 0; k < width; ++k) bytes[at + k] = (unsigned char)(random >> (20 + k));
        PutBytes(part, bytes, size);
        memcpy(bytes + at, before, width);
        refused += !ReadWhole(part);
        ++tried;
    }
    for (size_t length = 1; length < size; length += 97) {
        PutBytes(part, bytes, length);
        refused += !ReadWhole(part);
    }
    assert_true(tried > 1000);
    assert_true(refused > 300); // every cut file that lost rows, at least
    Scratch_Close(&scratch);
}

// A header that claims more rows than the file has bytes is refused before memory is asked for.
static void Hdf5ThatClaimsTooManyRowsIsRefused(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    const char* path = Scratch_Path(&scratch, "a.h5");
    WriteMade(path, 50, false);
    static unsigned char bytes[1 << 20];
    FILE* file = fopen(path, "rb");
    size_t size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    // the table's shape: 50 rows, CHANNEL_COUNT columns
    uint64_t shape[2] = {50, CHANNEL_COUNT}, huge = (uint64_t)1 << 40;
    int found = 0;
    for (size_t at = 0; at + 16 <= size; ++at) {
        if (memcmp(bytes + at, shape, 16) != 0) continue;
        memcpy(bytes + at, &huge, 8);
        ++found;
    }
    assert_int_equal(found, 1);
    PutBytes(path, bytes, size);
    hwError error;
    assert_null(hwOpenResults(path, &error));
    AssertError(&error, "more rows than the file has room for");
    Scratch_Close(&scratch);
}

static void FailedCreationLeavesTheOldFileAndNothingElse(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    hwError error;
    hwRecorderDef def = MadeDef(scratch.folder);
    def.format = HW_RESULTS_CSV;
    assert_null(hwCreateRecorder(&def, &error));
    AssertError(&error, "it is a folder");
    def.path = Scratch_Path(&scratch, "none/a.h5");
    def.format = HW_RESULTS_AUTO;
    assert_null(hwCreateRecorder(&def, &error));
    AssertError(&error, "no such file or folder");
    def.path = "/dev/full";
    def.format = HW_RESULTS_HDF5;
    assert_null(hwCreateRecorder(&def, &error));
    AssertError(&error, "not an ordinary file");
    def.format = HW_RESULTS_CSV;
    assert_null(hwCreateRecorder(&def, &error));
    AssertError(&error, "the disk is full");
    assert_int_equal(Scratch_Count(&scratch), 0);

    // A finished conversion replaces the old file, an unfinished one does not.
    PutText(Scratch_Path(&scratch, "a.csv"), "old");
    def = MadeDef(Scratch_Path(&scratch, "a.csv"));
    def.live = false;
    hwRecorder* recorder = hwCreateRecorder(&def, &error);
    assert_non_null(recorder);
    AppendMade(recorder, CHANNEL_COUNT, 0, 10);
    hwDestroyRecorder(recorder);
    char text[8] = {0};
    FILE* file = fopen(def.path, "r");
    assert_int_equal(fread(text, 1, 7, file), 3);
    fclose(file);
    assert_string_equal(text, "old");
    assert_int_equal(Scratch_Count(&scratch), 1);

    // A live one that is dropped keeps its rows.
    def.path = Scratch_Path(&scratch, "b.h5");
    def.live = true;
    recorder = hwCreateRecorder(&def, &error);
    AppendMade(recorder, CHANNEL_COUNT, 0, 10);
    hwDestroyRecorder(recorder);
    hwResults* results = OpenGood(Scratch_Path(&scratch, "b.h5"));
    AssertMade(results, CHANNEL_COUNT, 10);
    assert_string_equal(hwResults_GetInfo(results)->status, "running");
    hwCloseResults(results);
    Scratch_Close(&scratch);
}

static void WrongDefsAreRefused(void** state) {
    (void)state;
    hwError error;
    hwRecorderDef def = MadeDef("x.h5");
    def.cookie = 0;
    assert_null(hwCreateRecorder(&def, &error));
    AssertError(&error, "hwDefaultRecorderDef");
    def = MadeDef("");
    assert_null(hwCreateRecorder(&def, &error));
    def = MadeDef("x.h5");
    def.channelCount = 0;
    assert_null(hwCreateRecorder(&def, &error));
    AssertError(&error, "channels");
    def = MadeDef("x.txt");
    assert_null(hwCreateRecorder(&def, &error));
    AssertError(&error, "which kind");
}

// Without permission, as someone who is not root.
static void NoPermissionIsSaid(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    PutText(Scratch_Path(&scratch, "a.csv"), "old");
    assert_int_equal(chmod(Scratch_Path(&scratch, "a.csv"), 0444), 0);
    assert_int_equal(chmod(scratch.folder, 0755), 0);
    pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 && setuid(65534) != 0) _exit(10);
        hwError error;
        hwRecorderDef def = MadeDef(Scratch_Path(&scratch, "a.csv"));
        if (hwCreateRecorder(&def, &error) || !strstr(error.message, "permission denied")) _exit(11);
        if (getuid() == 65534) {
            def.path = Scratch_Path(&scratch, "new.h5");
            if (hwCreateRecorder(&def, &error) || !strstr(error.message, "permission denied")) _exit(12);
        }
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    Scratch_Close(&scratch);
}

// The disk is full after a while: the file keeps the rows that had reached it, and later calls repeat the error.
static void FullDiskKeepsWholeRows(void** state) {
    (void)state;
    static const char* const names[] = {"a.h5", "a.csv"};
    Scratch scratch;
    Scratch_Open(&scratch);
    for (int i = 0; i < 2; ++i) {
        const char* path = Scratch_Path(&scratch, names[i]);
        pid_t child = fork();
        if (child == 0) {
            // A limit on file size stands for the full disk: writes fail in the middle.
            signal(SIGXFSZ, SIG_IGN);
            struct rlimit limit = {300000, 300000};
            if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(10);
            hwError error;
            hwRecorderDef def = MadeDef(path);
            hwRecorder* recorder = hwCreateRecorder(&def, &error);
            if (!recorder) _exit(11);
            hwStatus status = HW_OK;
            for (int row = 0; row < 100000 && status == HW_OK; ++row) {
                double values[CHANNEL_COUNT];
                for (int c = 0; c < CHANNEL_COUNT; ++c) values[c] = MakeValue(row, c);
                status = hwRecorder_Append(recorder, 1, values, &error);
                if (row % 100 == 0 && status == HW_OK) status = hwRecorder_Flush(recorder, &error);
            }
            if (status != HW_ERROR_FILE || !strstr(error.message, "larger than allowed")) _exit(12);
            error = (hwError){0};
            if (hwRecorder_Finish(recorder, NULL, &error) != HW_ERROR_FILE || !error.message[0]) _exit(13);
            hwDestroyRecorder(recorder);
            _exit(0);
        }
        int status = -1;
        waitpid(child, &status, 0);
        assert_int_equal(status, 0);
        hwResults* results = OpenGood(path);
        // 14 numbers of 8 bytes, or about 20 characters, in 300000 bytes, less what did not fill a chunk or a buffer.
        int64_t rows = hwResults_GetRowCount(results);
        assert_in_range(rows, 500, 2678);
        AssertMade(results, CHANNEL_COUNT, rows);
        hwCloseResults(results);
    }
    Scratch_Close(&scratch);
}

static void ManyChannelsAndNoRowsWork(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    enum { COUNT = 40000 };
    hwChannelInfo* channels = calloc(COUNT, sizeof(hwChannelInfo));
    char(*names)[32] = calloc(COUNT, 32);
    for (int i = 0; i < COUNT; ++i) {
        snprintf(names[i], 32, "wire.node[%d].tension", i);
        channels[i] = (hwChannelInfo){names[i], "N"};
    }
    hwRecorderDef def = MadeDef(Scratch_Path(&scratch, "a.h5"));
    def.channelCount = COUNT;
    def.channels = channels;
    hwError error;
    hwRecorder* recorder = hwCreateRecorder(&def, &error);
    assert_non_null(recorder);
    hwResults* results = OpenGood(def.path);
    assert_int_equal(hwResults_GetRowCount(results), 0);
    hwCloseResults(results);
    AppendMade(recorder, COUNT, 0, 7);
    assert_int_equal(hwRecorder_Finish(recorder, NULL, &error), HW_OK);
    hwDestroyRecorder(recorder);
    results = OpenGood(def.path);
    AssertMade(results, COUNT, 7);
    assert_int_equal(hwResults_FindChannel(results, "wire.node[31415].tension"), 31415);
    hwCloseResults(results);
    free(names);
    free(channels);
    Scratch_Close(&scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Hdf5KeepsEveryBitAndWhatIsKnownAboutTheRun),
        cmocka_unit_test(CompressedRowsKeepEveryBit),
        cmocka_unit_test(SinglePrecisionRoundsAllButTime),
        cmocka_unit_test(QuietColumnsTakeHardlyAnyRoom),
        cmocka_unit_test(EveryConversionKeepsEveryBit),
        cmocka_unit_test(AnimationListsAFileForEachMoment),
        cmocka_unit_test(CsvHasNamesUnitsAndShortNumbers),
        cmocka_unit_test(CsvOfOthersIsReadOrRefusedWithLineAndColumn),
        cmocka_unit_test(FilesThatAreNotResultsAreRefusedInOneSentence),
        cmocka_unit_test(TruncatedAndDamagedHdf5DoesNotCrash),
        cmocka_unit_test(Hdf5ThatClaimsTooManyRowsIsRefused),
        cmocka_unit_test(FailedCreationLeavesTheOldFileAndNothingElse),
        cmocka_unit_test(WrongDefsAreRefused),
        cmocka_unit_test(NoPermissionIsSaid),
        cmocka_unit_test(FullDiskKeepsWholeRows),
        cmocka_unit_test(ManyChannelsAndNoRowsWork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
