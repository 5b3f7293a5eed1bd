// A run that dies at any moment leaves a readable HDF5 file with all rows that had been flushed.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "results_util.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

// Everything that was done to one file, in order, to be done again piece by piece.
typedef struct Change {
    off_t offset; // or the new size
    size_t size;
    unsigned char* data; // null: the size was set
    int64_t flushed;     // rows that a returned flush had promised before
} Change;

static struct {
    Change* items;
    int count, capacity;
    int64_t flushed;
    bool on;
} g_log;

static void LogChange(off_t offset, size_t size, const void* data) {
    if (!g_log.on) return;
    if (g_log.count == g_log.capacity) {
        g_log.capacity = 2 * g_log.capacity + 64;
        g_log.items = realloc(g_log.items, (size_t)g_log.capacity * sizeof(Change));
    }
    Change* change = &g_log.items[g_log.count++];
    *change = (Change){offset, size, NULL, g_log.flushed};
    if (data) {
        change->data = malloc(size);
        memcpy(change->data, data, size);
    }
}

// These stand before the C library's own.
ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
    LogChange(offset, size, data);
    return syscall(SYS_pwrite64, fd, data, size, offset);
}

int ftruncate(int fd, off_t size) {
    LogChange(size, 0, NULL);
    return (int)syscall(SYS_ftruncate, fd, size);
}

static const hwChannelInfo g_pair[] = {{"world.time", "s"}, {"a.position.x", "m"}};

static void AssertReadable(const char* path, int64_t atLeast, int64_t atMost) {
    hwError error;
    hwResults* results = hwOpenResults(path, &error);
    if (!results) fail_msg("%s", error.message);
    int64_t rows = hwResults_GetRowCount(results);
    if (rows < atLeast || rows > atMost) {
        fail_msg("%lld rows instead of %lld to %lld", (long long)rows, (long long)atLeast, (long long)atMost);
    }
    AssertMade(results, 2, rows);
    hwCloseResults(results);
}

// Repeats a recorded run up to every single change of the file, and in large writes also up to every page, since the
// kernel looks for a deadly signal after each page. 150 chunks make the chunk index grow by a level and split again.
static void CheckPrefixes(hwCompression compression, int chunkRows, int portions, int writes) {
    Scratch scratch;
    g_log.count = g_log.capacity = 0;
    g_log.items = NULL;
    g_log.flushed = 0;
    Scratch_Open(&scratch);
    hwRecorderDef def = MadeDef(Scratch_Path(&scratch, "a.h5"));
    def.channelCount = 2;
    def.channels = g_pair;
    def.compression = compression;
    def.chunkRows = chunkRows;
    hwError error;
    hwRecorder* recorder = hwCreateRecorder(&def, &error);
    assert_non_null(recorder);

    char command[400];
    const char *whole = Scratch_Path(&scratch, "a.h5"), *copy = Scratch_Path(&scratch, "b.h5");
    snprintf(command, sizeof(command), "cp %s %s", whole, copy);
    assert_int_equal(system(command), 0);
    g_log.on = true;
    int64_t rows = 0;
    for (int i = 0; i < portions; ++i) {
        int portion = i % 3 == 0 ? 200 : 824; // with borders of chunks and without
        AppendMade(recorder, 2, rows, portion);
        rows += portion;
        assert_int_equal(hwRecorder_Flush(recorder, &error), HW_OK);
        // rows of a compressed chunk that is not full are not promised
        g_log.flushed = compression == HW_COMPRESS_NONE ? rows : rows / chunkRows * chunkRows;
    }
    hwRunInfo info = hwDefaultRunInfo();
    assert_int_equal(hwRecorder_Finish(recorder, &info, &error), HW_OK);
    g_log.on = false;
    hwDestroyRecorder(recorder);
    assert_true(g_log.count > writes);

    int fd = open(copy, O_RDWR);
    assert_true(fd >= 0);
    for (int i = 0; i < g_log.count; ++i) {
        const Change* change = &g_log.items[i];
        if (!change->data) assert_int_equal(ftruncate(fd, change->offset), 0);
        for (size_t done = 0; done < change->size;) {
            size_t page = 4096 - (size_t)(change->offset + (off_t)done) % 4096;
            size_t part = page < change->size - done ? page : change->size - done;
            assert_int_equal(pwrite(fd, change->data + done, part, change->offset + (off_t)done), part);
            done += part;
            // Rows are checked in full; of the pages of new data, every 16th file.
            if (done == change->size || i % 16 == 0) AssertReadable(copy, change->flushed, rows);
        }
    }
    AssertReadable(copy, rows, rows);
    close(fd);
    for (int i = 0; i < g_log.count; ++i) free(g_log.items[i].data);
    free(g_log.items);
    Scratch_Close(&scratch);
}

static void EveryPrefixOfTheWritesIsAReadableFile(void** state) {
    (void)state;
    CheckPrefixes(HW_COMPRESS_NONE, 0, 230, 600);
}

static void SoIsEveryPrefixOfACompressedFile(void** state) {
    (void)state;
    CheckPrefixes(HW_COMPRESS_EXACT, 256, 60, 120);
}

// The child appends without end and tells through a pipe what it has flushed.
static void AppendForever(const char* path, int pipe) {
    hwRecorderDef def = MadeDef(path);
    def.channelCount = 2;
    def.channels = g_pair;
    hwError error;
    hwRecorder* recorder = hwCreateRecorder(&def, &error);
    if (!recorder) _exit(1);
    for (int64_t row = 0;; ++row) {
        double values[2] = {MakeValue(row, 0), MakeValue(row, 1)};
        if (hwRecorder_Append(recorder, 1, values, &error) != HW_OK) _exit(2);
        if (row % 5000 != 4999) continue;
        int64_t flushed = row + 1;
        if (hwRecorder_Flush(recorder, &error) != HW_OK) _exit(3);
        if (write(pipe, &flushed, sizeof(flushed)) != sizeof(flushed)) _exit(4);
    }
}

static void KilledAtRandomMomentsLeavesWhatWasFlushed(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    const char* path = Scratch_Path(&scratch, "a.h5");
    uint64_t random = 12345;
    for (int kill_ = 0; kill_ < 25; ++kill_) {
        int ends[2];
        assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
        pid_t child = fork();
        if (child == 0) AppendForever(path, ends[1]);
        close(ends[1]);
        int64_t flushed = 0, got;
        assert_int_equal(read(ends[0], &flushed, sizeof(flushed)), sizeof(flushed)); // it has begun
        random = random * 6364136223846793005u + 1442695040888963407u;
        struct timespec wait = {0, (long)(random >> 33) % 20000000};
        nanosleep(&wait, NULL);
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status));
        while (read(ends[0], &got, sizeof(got)) == sizeof(got)) flushed = got;
        close(ends[0]);
        AssertReadable(path, flushed, INT64_MAX);
    }
    Scratch_Close(&scratch);
}

// Rows reach the file without a further call, as during a long step: the test waits for them and would hang otherwise.
static void RowsReachTheFileByThemselves(void** state) {
    (void)state;
    static const char* const names[] = {"a.h5", "a.csv"};
    Scratch scratch;
    Scratch_Open(&scratch);
    for (int i = 0; i < 2; ++i) {
        hwRecorderDef def = MadeDef(Scratch_Path(&scratch, names[i]));
        def.channelCount = 2;
        def.channels = g_pair;
        hwError error;
        hwRecorder* recorder = hwCreateRecorder(&def, &error);
        assert_non_null(recorder);
        AppendMade(recorder, 2, 0, 100);
        int64_t rows = 0;
        while (rows < 100) {
            struct timespec pause = {0, 20000000};
            nanosleep(&pause, NULL);
            hwResults* results = hwOpenResults(def.path, &error);
            rows = results ? hwResults_GetRowCount(results) : 0;
            hwCloseResults(results);
        }
        assert_int_equal(rows, 100);
        hwDestroyRecorder(recorder);
    }
    Scratch_Close(&scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EveryPrefixOfTheWritesIsAReadableFile),
        cmocka_unit_test(SoIsEveryPrefixOfACompressedFile),
        cmocka_unit_test(KilledAtRandomMomentsLeavesWhatWasFlushed),
        cmocka_unit_test(RowsReachTheFileByThemselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
