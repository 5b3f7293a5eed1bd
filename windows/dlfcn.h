// Libraries that are loaded when they are there: on Windows none of those is.
#ifndef HW_WINDOWS_DLFCN_H
#define HW_WINDOWS_DLFCN_H

#define RTLD_NOW 0
#define RTLD_LOCAL 0
#define RTLD_GLOBAL 0
#define RTLD_LAZY 0
#define dlopen(path, flags) ((void)(path), (void*)NULL)
#define dlsym(library, name) ((void)(library), (void*)NULL)
#define dlclose(library) ((void)(library), 0)
#define dlerror() "libraries are not loaded on Windows"

#endif
