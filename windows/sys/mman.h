// Files as memory, to read only.
#ifndef HW_WINDOWS_MMAN_H
#define HW_WINDOWS_MMAN_H

#include <stddef.h>

#define PROT_READ 1
#define MAP_PRIVATE 2
#define MAP_FAILED ((void*)-1)

void* hwPosix_Map(size_t size, int fd);
int hwPosix_Unmap(void* data);
#define mmap(address, size, protection, flags, fd, offset) hwPosix_Map((size), (fd))
#define munmap(data, size) hwPosix_Unmap(data)

#endif
