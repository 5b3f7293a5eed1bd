#define _POSIX_C_SOURCE 200809L
#include "hdf5_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

// One piece of metadata on its way to the disk.
typedef struct Pending {
    haddr_t address;
    size_t size;
    unsigned char* data;
    int phase; // of the commit
    int level; // of a chunk index node, 0: leaf
    int order; // of arrival
} Pending;

struct hwOrderedFile {
    int fd;
    haddr_t end;       // behind the last byte ever written, on disk or pending
    haddr_t allocated; // HDF5's end of allocation
    haddr_t committed; // size of the file at the last commit
    Pending* pending;
    int count, capacity;
    bool abandoned;
    int error;
    hid_t driver;
};

// What HDF5 calls the file: its own struct first.
typedef struct Handle {
    H5FD_t base;
    hwOrderedFile* file;
} Handle;

enum { PHASE_NEW, PHASE_SUPERBLOCK, PHASE_INDEX, PHASE_HEADER };

static bool WriteAt(hwOrderedFile* file, haddr_t address, const void* data, size_t size) {
    const char* bytes = data;
    while (size > 0) {
        ssize_t written = pwrite(file->fd, bytes, size, (off_t)address);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            file->error = written < 0 ? errno : ENOSPC;
            return false;
        }
        bytes += written;
        address += (haddr_t)written;
        size -= (size_t)written;
    }
    return true;
}

static H5FD_t* Open(const char* name, unsigned flags, hid_t access, haddr_t limit) {
    (void)name;
    (void)flags;
    (void)limit;
    hwOrderedFile* const* info = H5Pget_driver_info(access);
    Handle* handle = info ? calloc(1, sizeof(Handle)) : NULL;
    if (handle) handle->file = *info;
    return (H5FD_t*)handle;
}

static herr_t Close(H5FD_t* base) {
    free(base);
    return 0;
}

static int Compare(const H5FD_t* first, const H5FD_t* second) {
    const hwOrderedFile *a = ((const Handle*)first)->file, *b = ((const Handle*)second)->file;
    return a < b ? -1 : a > b;
}

static herr_t Query(const H5FD_t* base, unsigned long* flags) {
    (void)base;
    // No accumulation or aggregation: each piece of metadata arrives by itself, with its type.
    *flags = H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t GetAllocated(const H5FD_t* base, H5FD_mem_t type) {
    (void)type;
    return ((const Handle*)base)->file->allocated;
}

static herr_t SetAllocated(H5FD_t* base, H5FD_mem_t type, haddr_t address) {
    (void)type;
    ((Handle*)base)->file->allocated = address;
    return 0;
}

// Metadata of a node's size begins at a page's beginning, so that it lies in one page. Raw data has no need of that, and
// compressed chunks would take up half a page more each.
static haddr_t Allocate(H5FD_t* base, H5FD_mem_t type, hid_t transfer, hsize_t size) {
    (void)transfer;
    hwOrderedFile* file = ((Handle*)base)->file;
    haddr_t at = file->allocated;
    if (type != H5FD_MEM_DRAW && size >= HW_ORDERED_ALIGNMENT / 2)
        at = (at + HW_ORDERED_ALIGNMENT - 1) / HW_ORDERED_ALIGNMENT * HW_ORDERED_ALIGNMENT;
    file->allocated = at + size;
    return at;
}

static haddr_t GetEnd(const H5FD_t* base, H5FD_mem_t type) {
    (void)type;
    return ((const Handle*)base)->file->end;
}

static herr_t Read(H5FD_t* base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                   void* buffer) {
    (void)type;
    (void)transfer;
    hwOrderedFile* file = ((Handle*)base)->file;
    size_t done = 0;
    while (done < size) {
        ssize_t got = pread(file->fd, (char*)buffer + done, size - done, (off_t)(address + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        done += (size_t)got;
    }
    memset((char*)buffer + done, 0, size - done);
    for (int i = 0; i < file->count; ++i) {
        const Pending* piece = &file->pending[i];
        haddr_t from = piece->address > address ? piece->address : address;
        haddr_t pieceEnd = piece->address + piece->size, readEnd = address + size;
        haddr_t to = pieceEnd < readEnd ? pieceEnd : readEnd;
        if (from < to) {
            memcpy((char*)buffer + (from - address), piece->data + (from - piece->address),
                   (size_t)(to - from));
        }
    }
    return 0;
}

// Keeps a copy of the metadata; a piece written again replaces its older version.
static bool Hold(hwOrderedFile* file, H5FD_mem_t type, haddr_t address, size_t size,
                 const unsigned char* data) {
    Pending* piece = NULL;
    for (int i = 0; i < file->count && !piece; ++i) {
        if (file->pending[i].address == address && file->pending[i].size == size) piece = &file->pending[i];
    }
    if (!piece) {
        if (file->count == file->capacity) {
            int capacity = file->capacity ? 2 * file->capacity : 16;
            Pending* grown = realloc(file->pending, (size_t)capacity * sizeof(Pending));
            if (!grown) return false;
            file->pending = grown;
            file->capacity = capacity;
        }
        piece = &file->pending[file->count];
        *piece = (Pending){.address = address, .size = size, .data = malloc(size), .order = file->count};
        if (!piece->data) return false;
        ++file->count;
    }
    memcpy(piece->data, data, size);
    bool node = type == H5FD_MEM_BTREE && size > 6 && memcmp(data, "TREE", 4) == 0;
    piece->phase = type == H5FD_MEM_SUPER ? PHASE_SUPERBLOCK : node ? PHASE_INDEX : PHASE_HEADER;
    piece->level = node ? data[5] : 0;
    return true;
}

static herr_t Write(H5FD_t* base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                    const void* buffer) {
    (void)transfer;
    hwOrderedFile* file = ((Handle*)base)->file;
    if (file->abandoned) return 0;
    if (address + size > file->end) file->end = address + size;
    if (type == H5FD_MEM_DRAW) return WriteAt(file, address, buffer, size) ? 0 : -1;
    if (Hold(file, type, address, size, buffer)) return 0;
    file->error = ENOMEM;
    return -1;
}

static const H5FD_class_t g_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = 600, // the range of values for drivers of no one's registry starts at 512
#endif
    .name = "hawser-ordered",
    .maxaddr = (haddr_t)1 << 62,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(hwOrderedFile*),
    .open = Open,
    .close = Close,
    .cmp = Compare,
    .query = Query,
    .alloc = Allocate,
    .get_eoa = GetAllocated,
    .set_eoa = SetAllocated,
    .get_eof = GetEnd,
    .read = Read,
    .write = Write,
    .fl_map = H5FD_FLMAP_SINGLE,
};

hwOrderedFile* hwCreateOrderedFile(int fd) {
    hwOrderedFile* file = calloc(1, sizeof(hwOrderedFile));
    if (!file) return NULL;
    file->fd = fd;
    file->driver = H5FDregister(&g_class);
    if (file->driver >= 0) return file;
    free(file);
    return NULL;
}

static void DropPending(hwOrderedFile* file) {
    for (int i = 0; i < file->count; ++i) free(file->pending[i].data);
    file->count = 0;
}

void hwDestroyOrderedFile(hwOrderedFile* file) {
    if (!file) return;
    DropPending(file);
    free(file->pending);
    H5Idec_ref(file->driver);
    free(file);
}

bool hwOrderedFile_SetAccess(hwOrderedFile* file, hid_t access) {
    return H5Pset_driver(access, file->driver, &file) >= 0;
}

static int ComparePending(const void* first, const void* second) {
    const Pending *a = first, *b = second;
    if (a->phase != b->phase) return a->phase - b->phase;
    if (a->level != b->level) return b->level - a->level;
    return a->order - b->order;
}

bool hwOrderedFile_Commit(hwOrderedFile* file) {
    if (file->abandoned) {
        errno = file->error ? file->error : EIO;
        return false;
    }
    for (int i = 0; i < file->count; ++i) {
        if (file->pending[i].address >= file->committed) file->pending[i].phase = PHASE_NEW;
    }
    qsort(file->pending, (size_t)file->count, sizeof(Pending), ComparePending);
    int written = 0;
    bool good = true;
    while (good && written < file->count && file->pending[written].phase == PHASE_NEW) {
        const Pending* piece = &file->pending[written++];
        good = WriteAt(file, piece->address, piece->data, piece->size);
    }
    // Space that is allocated but not yet written must exist before the superblock counts it.
    haddr_t size = file->allocated > file->end ? file->allocated : file->end;
    if (good && size > file->committed && ftruncate(file->fd, (off_t)size) != 0) {
        file->error = errno;
        good = false;
    }
    if (good) file->committed = file->end = size; // from here on the file may not become shorter
    while (good && written < file->count) {
        const Pending* piece = &file->pending[written++];
        good = WriteAt(file, piece->address, piece->data, piece->size);
    }
    if (!good) {
        hwOrderedFile_Abandon(file);
        errno = file->error;
        return false;
    }
    DropPending(file);
    return true;
}

void hwOrderedFile_Abandon(hwOrderedFile* file) {
    if (file->abandoned) return;
    DropPending(file);
    file->abandoned = true;
    // Best effort: bytes behind the committed end harm no reader.
    if (file->committed > 0 && ftruncate(file->fd, (off_t)file->committed) != 0 && !file->error)
        file->error = errno;
}

int hwOrderedFile_GetError(const hwOrderedFile* file) {
    return file->error;
}
