// The width of the console.
#ifndef HW_WINDOWS_IOCTL_H
#define HW_WINDOWS_IOCTL_H

struct winsize {
    int ws_col;
};
#define TIOCGWINSZ 0

int hwPosix_GetColumns(void);
#define ioctl(fd, request, size) ((size)->ws_col = hwPosix_GetColumns(), 0)

#endif
