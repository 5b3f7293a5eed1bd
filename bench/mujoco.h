// MuJoCo (Todorov et al. 2012), opened at run time so that the program does not depend on it. HAS_MUJOCO is defined where its
// header was there when the program was built.
#ifndef HW_BENCH_MUJOCO_H
#define HW_BENCH_MUJOCO_H

#if defined(__has_include)
#if __has_include(<mujoco/mujoco.h>)
#define HAS_MUJOCO
#endif
#endif

#ifdef HAS_MUJOCO
#include <mujoco/mujoco.h>
#include <stdbool.h>

typedef struct hwMujoco {
    void* library;
    mjModel* (*load)(const char*, const mjVFS*, char*, int);
    mjData* (*makeData)(const mjModel*);
    void (*step1)(const mjModel*, mjData*);
    void (*step2)(const mjModel*, mjData*);
    void (*forward)(const mjModel*, mjData*);
    void (*deleteData)(mjData*);
    void (*deleteModel)(mjModel*);
    void (*defaultVfs)(mjVFS*);
    int (*makeFile)(mjVFS*, const char*, int);
    void (*deleteVfs)(mjVFS*);
    int (*findName)(const mjModel*, int, const char*);
} hwMujoco;

// False when it is not installed.
bool hwMujoco_Open(hwMujoco* m);

// A model from its description; null when MuJoCo refuses it.
mjModel* hwMujoco_Load(const hwMujoco* m, const char* text, int size);
#endif

#endif
