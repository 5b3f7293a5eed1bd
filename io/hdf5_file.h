// A file driver for HDF5 that changes the file on disk only in orders that keep it readable.
//
// HDF5 writes its metadata in order of address, so a process killed in the middle of a flush may leave a table that
// refers to chunks the index does not know, or an index that lies behind the recorded end of the file. Its own remedy
// (SWMR) leaves a mark in the file that ordinary readers refuse. This driver holds metadata back in memory until
// hwOrderedFile_Commit, which writes
//   1. whatever lies behind the old end of the file, which nothing on disk refers to yet,
//   2. the superblock, whose end of file may be ahead of its use,
//   3. the nodes of the chunk index, parents first: a parent divides the range of keys, so entries that a child has
//      already given away to its new sibling are not looked at,
//   4. object headers with the number of rows, last: it makes the new rows visible.
// Raw data goes straight to disk: new chunks are behind the end of the file, and a chunk that is filled further
// changes only in rows that the header does not count yet; a compressed chunk is written once, when it is full or the
// last. Every prefix of this sequence is a valid file, given that
// one page is written whole; chunk index nodes are aligned so that each lies in one page. All this concerns the death
// of the process; after a power failure the order is the file system's.
#ifndef HW_IO_HDF5_FILE_H
#define HW_IO_HDF5_FILE_H

#include <hdf5.h>
#include <stdbool.h>

typedef struct hwOrderedFile hwOrderedFile;

#define HW_ORDERED_ALIGNMENT 4096

// `fd` stays the caller's. Null: out of memory.
hwOrderedFile* hwCreateOrderedFile(int fd);
// After H5Fclose.
void hwDestroyOrderedFile(hwOrderedFile* file);

// Makes the file access property list use this driver on this file.
bool hwOrderedFile_SetAccess(hwOrderedFile* file, hid_t access);

// Brings the metadata to disk; call after H5Fflush. False with errno set when the disk refuses; the file on disk is
// then as committed before, and further writes are dropped.
bool hwOrderedFile_Commit(hwOrderedFile* file);

// Drops what is pending and all further writes, so that H5Fclose cannot touch the file any more, and cuts off what
// was written behind the committed end.
void hwOrderedFile_Abandon(hwOrderedFile* file);

// errno of the first failed write, or 0.
int hwOrderedFile_GetError(const hwOrderedFile* file);

#endif
