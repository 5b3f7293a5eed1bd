#include "bench/mujoco.h"

#ifdef HAS_MUJOCO
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// What MuJoCo warns of, such as that a step is too large, shows in the results; without this it would go into a log file.
static void Ignore(const char* text) {
    (void)text;
}

bool hwMujoco_Open(hwMujoco* m) {
    m->library = dlopen("libmujoco.so.2.2.2", RTLD_NOW | RTLD_LOCAL);
    if (m->library == NULL) return false;
    const struct {
        const char* symbol;
        void** target;
    } calls[] = {{"mj_loadXML", (void**)&m->load},
                 {"mj_makeData", (void**)&m->makeData},
                 {"mj_step1", (void**)&m->step1},
                 {"mj_step2", (void**)&m->step2},
                 {"mj_forward", (void**)&m->forward},
                 {"mj_deleteData", (void**)&m->deleteData},
                 {"mj_deleteModel", (void**)&m->deleteModel},
                 {"mj_defaultVFS", (void**)&m->defaultVfs},
                 {"mj_makeEmptyFileVFS", (void**)&m->makeFile},
                 {"mj_deleteVFS", (void**)&m->deleteVfs},
                 {"mj_name2id", (void**)&m->findName}};
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); ++i) {
        *calls[i].target = dlsym(m->library, calls[i].symbol);
        if (*calls[i].target == NULL) return false;
    }
    void (**warn)(const char*) = (void (**)(const char*))dlsym(m->library, "mju_user_warning");
    if (warn != NULL) *warn = Ignore;
    return true;
}

mjModel* hwMujoco_Load(const hwMujoco* m, const char* text, int size) {
    char message[256];
    mjVFS* files = malloc(sizeof(*files));
    if (files == NULL) return NULL;
    m->defaultVfs(files);
    m->makeFile(files, "model.xml", size);
    memcpy(files->filedata[0], text, (size_t)size);
    mjModel* model = m->load("model.xml", files, message, sizeof(message));
    m->deleteVfs(files);
    free(files);
    return model;
}
#endif
