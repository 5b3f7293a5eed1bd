// Reads results from HDF5 without libhdf5, which crashes on damaged files (seen with one flipped byte). The writer uses
// a small part of the format: superblock 0, groups of symbol tables, version 1 object headers, fixed types, contiguous or
// chunked data, chunks plain or shuffled and deflated (HDF5 File Format Specification 3.0). Nothing else is accepted. Every address and length is
// held against the size of the file before it is used, memory never exceeds a small multiple of that size, and each
// loop over linked blocks is bounded, so that no file can crash, hang or swell the program.
#define _POSIX_C_SOURCE 200809L
#include "hdf5_layout.h"
#include "inflate.h"
#include "results_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_FIELD(name, member)                                                                             \
    { name, HW_RUN_FIELD_TEXT, offsetof(hwRunInfo, member), sizeof(((hwRunInfo*)0)->member) }
#define DOUBLE_FIELD(name, member)                                                                           \
    { name, HW_RUN_FIELD_DOUBLE, offsetof(hwRunInfo, member), sizeof(double) }
#define COUNT_FIELD(name, member)                                                                            \
    { name, HW_RUN_FIELD_COUNT, offsetof(hwRunInfo, counters.member), sizeof(uint64_t) }

const hwRunField hwRunFields[HW_RUN_FIELD_TOTAL] = {TEXT_FIELD("title", title),
                                                    TEXT_FIELD("solver", solver),
                                                    TEXT_FIELD("status", status),
                                                    TEXT_FIELD("started", started),
                                                    TEXT_FIELD("version", version),
                                                    TEXT_FIELD("incidents", incidents),
                                                    TEXT_FIELD("limits", limits),
                                                    DOUBLE_FIELD("interval", interval),
                                                    DOUBLE_FIELD("start", start),
                                                    DOUBLE_FIELD("duration", duration),
                                                    DOUBLE_FIELD("wall_time", wallTime),
                                                    DOUBLE_FIELD("energy_error", energyError),
                                                    DOUBLE_FIELD("energy_method", energyMethod),
                                                    DOUBLE_FIELD("last_step", counters.lastStep),
                                                    COUNT_FIELD("steps", steps),
                                                    COUNT_FIELD("rejected", rejected),
                                                    COUNT_FIELD("evaluations", evaluations),
                                                    COUNT_FIELD("iterations", iterations),
                                                    COUNT_FIELD("factorizations", factorizations),
                                                    COUNT_FIELD("unconverged", unconverged)};

#define MAX_BLOCKS 64         // continuation blocks of one object header
#define MAX_BLOCK (1u << 20)  // bytes of one block of metadata
#define MAX_DEPTH 16          // levels of a B-tree
#define MAX_OBJECTS 1024      // of the root group
#define MAX_CHUNK (1u << 26)  // bytes of a compressed chunk, unpacked
#define MAX_TEXT (1u << 28)   // bytes of names, units or the scene
#define BLOCK_HEADER_SIZE 24u // of a B-tree node

typedef struct Reader {
    int fd;
    uint64_t size;    // bytes in the file when it was opened
    char trouble[80]; // what is damaged, for the message
    // the table
    uint64_t chunkRows, chunkBytes, chunkCount;
    uint64_t* chunks; // addresses
    // when it is compressed
    bool packed;
    uint32_t (*sizes)[2];           // of each chunk: bytes in the file, mask of filters that were left out
    unsigned char *stored, *planes; // one chunk on its way: as in the file, and shuffled
    double* unpacked;               // the chunk of the rows read last
    uint64_t unpackedChunk, storedRoom;
} Reader;

// Notes the first thing found wrong.
static bool Damaged(Reader* reader, const char* what) {
    if (!reader->trouble[0]) hwResults_CopyText(reader->trouble, sizeof(reader->trouble), what);
    return false;
}

static bool ReadBytes(Reader* reader, uint64_t at, void* to, uint64_t size) {
    if (at > reader->size || size > reader->size - at) return Damaged(reader, "an address beyond its end");
    char* bytes = to;
    while (size > 0) {
        ssize_t got = pread(reader->fd, bytes, (size_t)size, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return Damaged(reader, got < 0 ? "a place that cannot be read" : "it became shorter");
        bytes += got;
        at += (uint64_t)got;
        size -= (uint64_t)got;
    }
    return true;
}

static uint64_t GetNumber(const unsigned char* bytes, int count) {
    uint64_t value = 0;
    for (int i = count - 1; i >= 0; --i) value = value << 8 | bytes[i];
    return value;
}

// Object headers

typedef enum MessageKind {
    MESSAGE_SPACE = 0x01,
    MESSAGE_TYPE = 0x03,
    MESSAGE_LAYOUT = 0x08,
    MESSAGE_FILTERS = 0x0b,
    MESSAGE_ATTRIBUTE = 0x0c,
    MESSAGE_CONTINUATION = 0x10,
    MESSAGE_SYMBOLS = 0x11,
} MessageKind;

typedef struct Message {
    unsigned kind;
    const unsigned char* data; // valid during the visit
    unsigned size;
} Message;

// False stops and is handed on.
typedef bool MessageVisitor(Reader* reader, const Message* message, void* context);

static bool VisitBlock(Reader* reader, const unsigned char* block, uint64_t size, int* left,
                       uint64_t (*ranges)[2], int* rangeCount, MessageVisitor* visit, void* context) {
    uint64_t at = 0;
    while (*left > 0 && at + 8 <= size) {
        Message message = {(unsigned)GetNumber(block + at, 2), block + at + 8,
                           (unsigned)GetNumber(block + at + 2, 2)};
        if (message.size > size - at - 8) return Damaged(reader, "a message longer than its object header");
        if (message.kind == MESSAGE_CONTINUATION) {
            if (message.size < 16 || *rangeCount == MAX_BLOCKS)
                return Damaged(reader, "an object header without an end");
            ranges[*rangeCount][0] = GetNumber(message.data, 8);
            ranges[*rangeCount][1] = GetNumber(message.data + 8, 8);
            ++*rangeCount;
        } else if (!visit(reader, &message, context)) {
            return false;
        }
        at += 8 + message.size;
        --*left;
    }
    return true;
}

static bool VisitObject(Reader* reader, uint64_t address, MessageVisitor* visit, void* context) {
    unsigned char head[16];
    if (!ReadBytes(reader, address, head, sizeof(head))) return false;
    if (head[0] != 1) return Damaged(reader, "an object header of a kind that Hawser does not write");
    int left = (int)GetNumber(head + 2, 2);
    uint64_t ranges[MAX_BLOCKS][2] = {{address + 16, GetNumber(head + 8, 4)}};
    int rangeCount = 1;
    for (int i = 0; i < rangeCount && left > 0; ++i) {
        uint64_t size = ranges[i][1];
        if (size > MAX_BLOCK || size > reader->size) return Damaged(reader, "an object header too long");
        unsigned char* block = malloc(size > 0 ? (size_t)size : 1);
        bool good = block ? ReadBytes(reader, ranges[i][0], block, size) &&
                                VisitBlock(reader, block, size, &left, ranges, &rangeCount, visit, context)
                          : Damaged(reader, "more metadata than there is memory");
        free(block);
        if (!good) return false;
    }
    return left == 0 || Damaged(reader, "an object header that ends too early");
}

// Types and shapes

typedef enum TypeClass { TYPE_FIXED = 0, TYPE_FLOAT = 1, TYPE_STRING = 3, TYPE_OTHER = 255 } TypeClass;

typedef struct Type {
    TypeClass kind;
    uint64_t size;
} Type;

// Only what the writer stores: doubles and unsigned 64-bit integers, little endian, and strings of fixed size.
static Type ParseType(const unsigned char* data, uint64_t size) {
    static const unsigned char ieee[12] = {0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0};
    static const unsigned char whole[4] = {0, 0, 64, 0};
    if (size < 8) return (Type){TYPE_OTHER, 0};
    Type type = {(TypeClass)(data[0] & 15), GetNumber(data + 4, 4)};
    bool known = false;
    if (type.kind == TYPE_FLOAT) {
        known = size >= 20 && type.size == 8 && (data[1] & 0x41) == 0 && data[2] == 63 &&
                memcmp(data + 8, ieee, 12) == 0;
    } else if (type.kind == TYPE_FIXED) {
        known = size >= 12 && type.size == 8 && (data[1] & 9) == 0 && memcmp(data + 8, whole, 4) == 0;
    } else if (type.kind == TYPE_STRING) {
        known = type.size > 0;
    }
    return known ? type : (Type){TYPE_OTHER, 0};
}

typedef struct Shape {
    int rank; // -1: none known
    uint64_t extent[2];
} Shape;

static Shape ParseShape(const unsigned char* data, uint64_t size) {
    Shape none = {.rank = -1}, shape = {.extent = {1, 1}};
    if (size < 4 || data[1] > 2 || (data[0] != 1 && data[0] != 2)) return none;
    uint64_t head = data[0] == 1 ? 8 : 4;
    shape.rank = data[1];
    if (size < head + 8 * (uint64_t)shape.rank) return none;
    for (int i = 0; i < shape.rank; ++i) shape.extent[i] = GetNumber(data + head + 8 * i, 8);
    return shape;
}

// Datasets

typedef enum LayoutKind { LAYOUT_COMPACT = 0, LAYOUT_CONTIGUOUS = 1, LAYOUT_CHUNKED = 2 } LayoutKind;

typedef struct Dataset {
    Type type;
    Shape shape;
    bool hasLayout;
    LayoutKind layout;
    uint64_t address, bytes; // chunked: of the index, and of a chunk
    uint64_t chunk[2];
    bool packed;
} Dataset;

static bool ParseLayout(Reader* reader, const Message* message, Dataset* set) {
    const unsigned char* data = message->data;
    if (message->size < 2 || data[0] != 3) return Damaged(reader, "a data layout that Hawser does not write");
    set->layout = (LayoutKind)data[1];
    set->hasLayout = true;
    if (set->layout == LAYOUT_CONTIGUOUS && message->size >= 18) {
        set->address = GetNumber(data + 2, 8);
        set->bytes = GetNumber(data + 10, 8);
        return true;
    }
    // two dimensions and the size of an element
    if (set->layout == LAYOUT_CHUNKED && message->size >= 23 && data[2] == 3) {
        set->address = GetNumber(data + 3, 8);
        set->chunk[0] = GetNumber(data + 11, 4);
        set->chunk[1] = GetNumber(data + 15, 4);
        set->bytes = set->chunk[0] * set->chunk[1] * 8;
        if (GetNumber(data + 19, 4) == 8) return true;
    }
    return Damaged(reader, "a data layout that Hawser does not write");
}

// The writer's filters: bytes of doubles shuffled, then deflated.
static bool ParseFilters(Reader* reader, const Message* message, Dataset* set) {
    static const unsigned kinds[2] = {2, 1};
    const unsigned char* data = message->data;
    unsigned at = 8;
    bool good = message->size >= at && data[0] == 1 && data[1] == 2;
    for (int i = 0; i < 2 && good; ++i) {
        good = message->size - at >= 8 && GetNumber(data + at, 2) == kinds[i];
        if (!good) break;
        unsigned name = (unsigned)GetNumber(data + at + 2, 2), values = (unsigned)GetNumber(data + at + 6, 2);
        unsigned next = 8 + (name + 7) / 8 * 8 + (values + values % 2) * 4;
        good = next <= message->size - at && values == 1;
        if (good && i == 0) good = GetNumber(data + at + next - 8, 4) == sizeof(double);
        at += next;
    }
    set->packed = good;
    return good || Damaged(reader, "compressed data of a kind that Hawser does not write");
}

static bool VisitDataset(Reader* reader, const Message* message, void* context) {
    Dataset* set = context;
    switch (message->kind) {
    case MESSAGE_SPACE:
        set->shape = ParseShape(message->data, message->size);
        return true;
    case MESSAGE_TYPE:
        set->type = ParseType(message->data, message->size);
        return true;
    case MESSAGE_LAYOUT:
        return ParseLayout(reader, message, set);
    case MESSAGE_FILTERS:
        return ParseFilters(reader, message, set);
    default:
        return true;
    }
}

static bool LoadDataset(Reader* reader, uint64_t address, Dataset* set) {
    *set = (Dataset){.type = {TYPE_OTHER, 0}, .shape = {.rank = -1}};
    return VisitObject(reader, address, VisitDataset, set);
}

// Strings of a dataset as one block, `*size` bytes each; null when it holds no strings of fixed size.
static char* LoadTexts(Reader* reader, uint64_t address, uint64_t* count, uint64_t* size) {
    Dataset set;
    if (address == 0 || !LoadDataset(reader, address, &set)) return NULL;
    bool usable = set.type.kind == TYPE_STRING && set.shape.rank >= 0 && set.shape.rank <= 1 &&
                  set.hasLayout && set.layout == LAYOUT_CONTIGUOUS;
    *count = set.shape.extent[0];
    *size = set.type.size;
    if (!usable || *count == 0 || *count > MAX_TEXT / *size || set.bytes != *count * *size ||
        set.bytes > reader->size) {
        Damaged(reader, "a list of texts");
        return NULL;
    }
    char* texts = malloc((size_t)set.bytes + 1);
    if (!texts || !ReadBytes(reader, set.address, texts, set.bytes)) {
        free(texts);
        return NULL;
    }
    texts[set.bytes] = 0;
    return texts;
}

// The index of chunks: a B-tree of version 1

typedef struct Index {
    const Dataset* set;
    uint64_t rows;
    uint64_t nodesLeft; // how many nodes the file has room for
} Index;

// Reads a node of `type` with keys of `keySize` bytes; the caller frees it. Null: damaged.
static unsigned char* LoadNode(Reader* reader, uint64_t address, unsigned type, unsigned keySize, int* level,
                               unsigned* used) {
    unsigned char head[BLOCK_HEADER_SIZE];
    if (!ReadBytes(reader, address, head, sizeof(head))) return NULL;
    *level = head[5];
    *used = (unsigned)GetNumber(head + 6, 2);
    if (memcmp(head, "TREE", 4) != 0 || head[4] != type || *level >= MAX_DEPTH) {
        Damaged(reader, "an index");
        return NULL;
    }
    uint64_t size = (uint64_t)*used * (keySize + 8) + keySize;
    if (size > reader->size) {
        Damaged(reader, "an index");
        return NULL;
    }
    unsigned char* entries = malloc((size_t)size);
    if (entries && ReadBytes(reader, address + sizeof(head), entries, size)) return entries;
    free(entries);
    return NULL;
}

// Notes the chunks whose first row is in [low, high). While a file grows, a node may still hold entries that its
// parent has already given to a sibling: the parent's keys say which count.
static bool LoadChunks(Reader* reader, Index* index, uint64_t address, int expected, uint64_t low,
                       uint64_t high) {
    enum { KEY = 8 + 3 * 8 };
    int level = 0;
    unsigned used = 0;
    if (index->nodesLeft-- == 0) return Damaged(reader, "an index that leads back to itself");
    unsigned char* entries = LoadNode(reader, address, 1, KEY, &level, &used);
    if (!entries) return false;
    bool good = expected < 0 || level == expected || Damaged(reader, "an index");
    for (unsigned i = 0; i < used && good; ++i) {
        const unsigned char* key = entries + (size_t)i * (KEY + 8);
        uint64_t first = GetNumber(key + 8, 8), next = GetNumber(key + KEY + 8 + 8, 8);
        uint64_t child = GetNumber(key + KEY, 8);
        if (level > 0) {
            uint64_t from = first > low ? first : low, to = next < high && i + 1 < used ? next : high;
            if (from < to) good = LoadChunks(reader, index, child, level - 1, from, to);
            continue;
        }
        if (first < low || first >= high || first >= index->rows) continue;
        uint64_t bytes = index->set->bytes, place = first / reader->chunkRows;
        uint64_t stored = GetNumber(key, 4), mask = GetNumber(key + 4, 4);
        // packed data is never much larger than what it holds, nor smaller than deflate can make it
        bool fits = reader->packed ? mask < 4 && stored <= bytes + bytes / 8 + 64 &&
                                         stored >= bytes / HW_INFLATE_MOST_RATIO
                                   : mask == 0 && stored == bytes;
        good = (fits && first % reader->chunkRows == 0 && GetNumber(key + 16, 8) == 0 &&
                child <= reader->size && stored <= reader->size - child) ||
               Damaged(reader, "an index");
        if (!good) break;
        reader->chunks[place] = child;
        if (!reader->packed) continue;
        reader->sizes[place][0] = (uint32_t)stored;
        reader->sizes[place][1] = (uint32_t)mask;
        if (stored > reader->storedRoom) reader->storedRoom = stored;
    }
    free(entries);
    return good;
}

static bool LoadTable(Reader* reader, const Dataset* set) {
    uint64_t rows = set->shape.extent[0], columns = set->shape.extent[1];
    if (set->chunk[1] != columns || set->chunk[0] == 0) return Damaged(reader, "the table's chunks");
    reader->chunkRows = set->chunk[0];
    reader->chunkBytes = set->bytes;
    reader->chunkCount = rows / reader->chunkRows + (rows % reader->chunkRows != 0);
    reader->packed = set->packed;
    if (set->packed && set->bytes > MAX_CHUNK) return Damaged(reader, "the table's chunks");
    uint64_t least = set->packed ? reader->chunkBytes / HW_INFLATE_MOST_RATIO : reader->chunkBytes;
    // an entry of the index takes room too
    if (least < 40) least = 40;
    if (reader->chunkCount > reader->size / least)
        return Damaged(reader, "more rows than the file has room for");
    if (reader->chunkCount == 0) return true;
    reader->chunks = calloc((size_t)reader->chunkCount, sizeof(uint64_t));
    if (set->packed) reader->sizes = calloc((size_t)reader->chunkCount, sizeof(*reader->sizes));
    if (!reader->chunks || (set->packed && !reader->sizes))
        return Damaged(reader, "more rows than there is memory");
    Index index = {set, rows, reader->size / BLOCK_HEADER_SIZE + 1};
    if (!LoadChunks(reader, &index, set->address, -1, 0, UINT64_MAX)) return false;
    for (uint64_t i = 0; i < reader->chunkCount; ++i) {
        if (reader->chunks[i] == 0) return Damaged(reader, "rows that its index does not hold");
    }
    return true;
}

// The root group

typedef enum RootObject {
    ROOT_TABLE,
    ROOT_CHANNELS,
    ROOT_UNITS,
    ROOT_SCENE,
    ROOT_RANGES,
    ROOT_RANGE_CABLES,
    ROOT_EXTREMES,
    ROOT_TOTAL
} RootObject;

typedef struct Root {
    hwRunInfo* info;
    uint64_t tree, heap; // of its symbol table
    char* names;         // the heap's texts
    uint64_t namesSize;
    uint64_t objects[ROOT_TOTAL]; // addresses; 0: none
    int left;                     // objects still to be looked at
} Root;

static uint64_t RoundUp(uint64_t size) {
    return (size + 7) / 8 * 8;
}

// A field of hwRunInfo from an attribute. What is not of the expected form is left at its default.
static void TakeAttribute(const Message* message, hwRunInfo* info) {
    const unsigned char* data = message->data;
    if (message->size < 8 || data[0] != 1) return;
    uint64_t nameSize = GetNumber(data + 2, 2), typeSize = GetNumber(data + 4, 2);
    uint64_t shapeSize = GetNumber(data + 6, 2);
    uint64_t typeAt = 8 + RoundUp(nameSize), shapeAt = typeAt + RoundUp(typeSize);
    uint64_t valueAt = shapeAt + RoundUp(shapeSize);
    if (nameSize == 0 || valueAt > message->size || data[8 + nameSize - 1] != 0) return;
    Type type = ParseType(data + typeAt, typeSize);
    Shape shape = ParseShape(data + shapeAt, shapeSize);
    if (shape.rank < 0 || shape.rank > 1 || shape.extent[0] != 1 || type.size > message->size - valueAt)
        return;
    static const TypeClass kinds[] = {[HW_RUN_FIELD_TEXT] = TYPE_STRING,
                                      [HW_RUN_FIELD_DOUBLE] = TYPE_FLOAT,
                                      [HW_RUN_FIELD_COUNT] = TYPE_FIXED};
    for (int i = 0; i < HW_RUN_FIELD_TOTAL; ++i) {
        const hwRunField* field = &hwRunFields[i];
        if (strcmp(field->name, (const char*)data + 8) != 0 || type.kind != kinds[field->kind]) continue;
        char* to = (char*)info + field->offset;
        uint64_t value = field->kind == HW_RUN_FIELD_TEXT ? 0 : GetNumber(data + valueAt, 8);
        if (field->kind == HW_RUN_FIELD_TEXT) {
            size_t length = type.size < field->size ? (size_t)type.size : field->size;
            memset(to, 0, field->size);
            memcpy(to, data + valueAt, length);
            to[field->size - 1] = 0;
        } else {
            memcpy(to, &value, sizeof(value)); // a double's bits, or the count itself
        }
    }
}

static bool VisitRoot(Reader* reader, const Message* message, void* context) {
    Root* root = context;
    (void)reader;
    if (message->kind == MESSAGE_ATTRIBUTE) TakeAttribute(message, root->info);
    if (message->kind == MESSAGE_SYMBOLS && message->size >= 16) {
        root->tree = GetNumber(message->data, 8);
        root->heap = GetNumber(message->data + 8, 8);
    }
    return true;
}

static bool LoadNames(Reader* reader, Root* root) {
    unsigned char head[32];
    if (!ReadBytes(reader, root->heap, head, sizeof(head))) return false;
    root->namesSize = GetNumber(head + 8, 8);
    if (memcmp(head, "HEAP", 4) != 0 || root->namesSize == 0 || root->namesSize > MAX_BLOCK)
        return Damaged(reader, "its list of names");
    root->names = malloc((size_t)root->namesSize);
    if (!root->names || !ReadBytes(reader, GetNumber(head + 24, 8), root->names, root->namesSize))
        return Damaged(reader, "its list of names");
    root->names[root->namesSize - 1] = 0;
    return true;
}

// A leaf of the group's tree.
static bool LoadSymbols(Reader* reader, Root* root, uint64_t address) {
    static const char* const names[ROOT_TOTAL] = {
        [ROOT_TABLE] = "table",      [ROOT_CHANNELS] = "channels", [ROOT_UNITS] = "units",
        [ROOT_SCENE] = "scene",      [ROOT_RANGES] = "ranges",     [ROOT_RANGE_CABLES] = "range_cables",
        [ROOT_EXTREMES] = "extremes"};
    unsigned char head[8], entry[40];
    if (!ReadBytes(reader, address, head, sizeof(head))) return false;
    if (memcmp(head, "SNOD", 4) != 0) return Damaged(reader, "its list of objects");
    unsigned count = (unsigned)GetNumber(head + 6, 2);
    for (unsigned i = 0; i < count; ++i) {
        if (root->left-- == 0) return Damaged(reader, "too many objects");
        if (!ReadBytes(reader, address + 8 + 40 * (uint64_t)i, entry, sizeof(entry))) return false;
        uint64_t name = GetNumber(entry, 8);
        if (name >= root->namesSize) return Damaged(reader, "its list of objects");
        for (int k = 0; k < ROOT_TOTAL; ++k) {
            if (strcmp(root->names + name, names[k]) == 0) root->objects[k] = GetNumber(entry + 8, 8);
        }
    }
    return true;
}

static bool LoadGroup(Reader* reader, Root* root, uint64_t address, int expected) {
    int level = 0;
    unsigned used = 0;
    if (root->left-- == 0) return Damaged(reader, "too many objects");
    unsigned char* entries = LoadNode(reader, address, 0, 8, &level, &used);
    if (!entries) return false;
    bool good = expected < 0 || level == expected || Damaged(reader, "its list of objects");
    for (unsigned i = 0; i < used && good; ++i) {
        uint64_t child = GetNumber(entries + (size_t)i * 16 + 8, 8);
        good = level > 0 ? LoadGroup(reader, root, child, level - 1) : LoadSymbols(reader, root, child);
    }
    free(entries);
    return good;
}

static bool LoadRoot(Reader* reader, Root* root) {
    unsigned char head[96];
    if (!ReadBytes(reader, 0, head, sizeof(head))) return false;
    if (memcmp(head, "\211HDF\r\n\032\n", 8) != 0 || head[8] != 0 || head[13] != 8 || head[14] != 8 ||
        GetNumber(head + 24, 8) != 0)
        return Damaged(reader, "a version of the format that Hawser does not write");
    root->left = MAX_OBJECTS;
    return VisitObject(reader, GetNumber(head + 64, 8), VisitRoot, root) && LoadNames(reader, root) &&
           LoadGroup(reader, root, root->tree, -1);
}

// Results

static hwStatus FailDamaged(const Reader* reader, const char* path, hwError* error) {
    hwResultsFail(error, HW_ERROR_FORMAT, "%s is damaged, or not written by Hawser: %s.", path,
                  reader->trouble[0] ? reader->trouble : "it cannot be read");
    hwResultsFail_Hint(error, "Run the scene again; files of other programs can be given as CSV.");
    return HW_ERROR_FORMAT;
}

static size_t BoundedLength(const char* text, uint64_t size) {
    const char* zero = memchr(text, 0, (size_t)size);
    return zero ? (size_t)(zero - text) : (size_t)size;
}

static hwStatus LoadChannels(hwResults* results, Reader* reader, const Root* root, uint64_t width,
                             hwError* error) {
    uint64_t nameCount = 0, unitCount = 0, nameSize = 0, unitSize = 0;
    char* names = LoadTexts(reader, root->objects[ROOT_CHANNELS], &nameCount, &nameSize);
    char* units = LoadTexts(reader, root->objects[ROOT_UNITS], &unitCount, &unitSize);
    bool named = names && nameCount == width && width >= 1 && width <= HW_RESULTS_MAX_CHANNELS;
    bool hasUnits = units && unitCount == width;
    hwStatus status = HW_OK;
    if (!named || (root->objects[ROOT_UNITS] != 0 && !hasUnits)) {
        status =
            hwResultsFail(error, HW_ERROR_FORMAT, "The table and the list of channels do not fit together.");
    } else {
        status = hwResults_Reserve(results, (int)width,
                                   (size_t)(width * (nameSize + (hasUnits ? unitSize : 0) + 2)), error);
    }
    char* at = results->texts;
    for (uint64_t i = 0; i < width && status == HW_OK; ++i) {
        size_t length = BoundedLength(names + i * nameSize, nameSize);
        memcpy(at, names + i * nameSize, length);
        results->channels[i].name = at;
        at += length + 1;
        length = 0;
        if (hasUnits) {
            length = BoundedLength(units + i * unitSize, unitSize);
            memcpy(at, units + i * unitSize, length);
        }
        results->channels[i].unit = at;
        at += length + 1;
    }
    free(names);
    free(units);
    return status;
}

// Byte k of value i stands at k * count + i.
static void Unshuffle(const unsigned char* planes, uint64_t count, double* values) {
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t bits = 0;
        for (int k = 0; k < 8; ++k) bits |= (uint64_t)planes[(uint64_t)k * count + i] << (8 * k);
        memcpy(&values[i], &bits, sizeof(bits));
    }
}

// Makes the chunk the unpacked one. One chunk is kept: rows are mostly read one after another.
static bool Unpack(Reader* reader, uint64_t chunk) {
    if (!reader->unpacked) {
        reader->stored = malloc((size_t)reader->storedRoom + 1);
        reader->planes = malloc((size_t)reader->chunkBytes + 1);
        reader->unpacked = malloc((size_t)reader->chunkBytes + 1);
        reader->unpackedChunk = UINT64_MAX;
        if (!reader->stored || !reader->planes || !reader->unpacked) {
            free(reader->unpacked);
            reader->unpacked = NULL;
            return Damaged(reader, "a chunk larger than there is memory");
        }
    }
    if (reader->unpackedChunk == chunk) return true;
    uint64_t bytes = reader->chunkBytes, stored = reader->sizes[chunk][0];
    bool deflated = (reader->sizes[chunk][1] & 2) == 0, shuffled = (reader->sizes[chunk][1] & 1) == 0;
    unsigned char* plain = shuffled ? reader->planes : (unsigned char*)reader->unpacked;
    reader->unpackedChunk = UINT64_MAX;
    if (!ReadBytes(reader, reader->chunks[chunk], reader->stored, stored)) return false;
    if (deflated ? !hwInflate(reader->stored, (size_t)stored, plain, (size_t)bytes) : stored != bytes)
        return Damaged(reader, "compressed rows");
    if (!deflated) memcpy(plain, reader->stored, (size_t)bytes);
    if (shuffled) Unshuffle(plain, bytes / sizeof(double), reader->unpacked);
    reader->unpackedChunk = chunk;
    return true;
}

static hwStatus ReadRows(void* context, const hwResults* results, int64_t first, int64_t count,
                         double* values, hwError* error) {
    Reader* reader = context;
    uint64_t width = (uint64_t)results->channelCount * sizeof(double);
    uint64_t row = (uint64_t)first, end = (uint64_t)(first + count);
    while (row < end) {
        uint64_t inside = row % reader->chunkRows, taken = reader->chunkRows - inside;
        if (taken > end - row) taken = end - row;
        uint64_t chunk = row / reader->chunkRows;
        bool good = reader->packed
                        ? Unpack(reader, chunk)
                        : ReadBytes(reader, reader->chunks[chunk] + inside * width, values, taken * width);
        if (good && reader->packed)
            memcpy(values, (const char*)reader->unpacked + inside * width, (size_t)(taken * width));
        if (!good) {
            return hwResultsFail(error, HW_ERROR_FORMAT,
                                 "Rows %lld to %lld of %s cannot be read: the file is damaged.",
                                 (long long)first, (long long)(first + count - 1), results->path);
        }
        values += taken * (uint64_t)results->channelCount;
        row += taken;
    }
    return HW_OK;
}

static void CloseReader(void* context) {
    Reader* reader = context;
    if (reader->fd >= 0) close(reader->fd);
    free(reader->chunks);
    free(reader->sizes);
    free(reader->stored);
    free(reader->planes);
    free(reader->unpacked);
    free(reader);
}

// Range graphs: stations x columns in one piece, and as many names.
static bool LoadRanges(hwResults* results, Reader* reader, const Root* root) {
    Dataset set;
    if (!LoadDataset(reader, root->objects[ROOT_RANGES], &set)) return false;
    uint64_t row = sizeof(hwRangeStation), count = 0, size = 0;
    if (set.type.kind != TYPE_FLOAT || set.shape.rank != 2 || !set.hasLayout ||
        set.layout != LAYOUT_CONTIGUOUS || set.shape.extent[1] != (uint64_t)HW_RANGE_COLUMNS ||
        set.shape.extent[0] == 0 || set.shape.extent[0] > MAX_TEXT / row ||
        set.bytes != set.shape.extent[0] * row)
        return Damaged(reader, "its range graphs");
    char* names = LoadTexts(reader, root->objects[ROOT_RANGE_CABLES], &count, &size);
    results->stations = names ? malloc((size_t)set.bytes) : NULL;
    results->stationCables = names ? calloc((size_t)count, (size_t)size + 1) : NULL;
    bool good = results->stations && results->stationCables && count == set.shape.extent[0] &&
                ReadBytes(reader, set.address, results->stations, set.bytes);
    for (uint64_t i = 0; i < count && good; ++i)
        memcpy(results->stationCables + (size_t)(i * (size + 1)), names + i * size, (size_t)size);
    free(names);
    if (!good) return Damaged(reader, "its range graphs");
    results->stationSize = (size_t)size + 1;
    results->stationCount = (int)count;
    return true;
}

// Extremes: channels x numbers in one piece.
static bool LoadExtremes(hwResults* results, Reader* reader, const Root* root) {
    Dataset set;
    if (!LoadDataset(reader, root->objects[ROOT_EXTREMES], &set)) return false;
    uint64_t row = sizeof(hwExtreme);
    if (set.type.kind != TYPE_FLOAT || set.shape.rank != 2 || !set.hasLayout ||
        set.layout != LAYOUT_CONTIGUOUS || set.shape.extent[1] != (uint64_t)HW_EXTREME_COLUMNS ||
        set.shape.extent[0] != (uint64_t)results->channelCount || set.bytes != set.shape.extent[0] * row)
        return Damaged(reader, "its extremes");
    results->extremes = malloc((size_t)set.bytes);
    if (!results->extremes || !ReadBytes(reader, set.address, results->extremes, set.bytes))
        return Damaged(reader, "its extremes");
    return true;
}

static hwStatus LoadContents(hwResults* results, Reader* reader, const Root* root, const char* path,
                             hwError* error) {
    Dataset table;
    if (root->objects[ROOT_TABLE] == 0) {
        return hwResultsFail(error, HW_ERROR_FORMAT,
                             "%s is an HDF5 file, but not one with results of Hawser.", path);
    }
    if (!LoadDataset(reader, root->objects[ROOT_TABLE], &table)) return FailDamaged(reader, path, error);
    if (table.type.kind != TYPE_FLOAT || table.shape.rank != 2 || !table.hasLayout ||
        table.layout != LAYOUT_CHUNKED) {
        return hwResultsFail(error, HW_ERROR_FORMAT,
                             "%s is an HDF5 file, but not one with results of Hawser.", path);
    }
    hwStatus status = LoadChannels(results, reader, root, table.shape.extent[1], error);
    if (status != HW_OK) return status;
    if (!LoadTable(reader, &table)) return FailDamaged(reader, path, error);
    results->rowCount = (int64_t)table.shape.extent[0];
    if (root->objects[ROOT_RANGES] != 0 && !LoadRanges(results, reader, root))
        return FailDamaged(reader, path, error);
    if (root->objects[ROOT_EXTREMES] != 0 && !LoadExtremes(results, reader, root))
        return FailDamaged(reader, path, error);
    uint64_t count = 0, size = 0;
    if (root->objects[ROOT_SCENE] == 0) return HW_OK;
    results->scene = LoadTexts(reader, root->objects[ROOT_SCENE], &count, &size);
    return results->scene ? HW_OK : FailDamaged(reader, path, error);
}

hwStatus hwOpenHdf5(hwResults* results, const char* path, hwError* error) {
    Reader* reader = calloc(1, sizeof(Reader));
    if (!reader) return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory to read %s.", path);
    results->context = reader;
    results->read = ReadRows;
    results->close = CloseReader;
    reader->fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (reader->fd < 0 || fstat(reader->fd, &about) != 0)
        return hwResultsFail_System(error, errno, "read", path);
    reader->size = (uint64_t)about.st_size;
    Root root = {.info = &results->info};
    hwStatus status = LoadRoot(reader, &root) ? LoadContents(results, reader, &root, path, error)
                                              : FailDamaged(reader, path, error);
    free(root.names);
    return status;
}
