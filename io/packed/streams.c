// Debian's static qhull is made for programs: it refers to the standard streams in a way that a shared library cannot. It never uses
// them here, because it is given a stream of its own, so they are empty names of this library.
extern void *stdin, *stdout, *stderr;
__attribute__((visibility("hidden"))) void* stdin;
__attribute__((visibility("hidden"))) void* stdout;
__attribute__((visibility("hidden"))) void* stderr;
