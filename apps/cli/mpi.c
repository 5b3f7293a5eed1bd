#define _GNU_SOURCE
#include "apps/cli/mpi.h"

#include "apps/cli/cli.h"

#include <stdlib.h>
#include <string.h>

bool hwMpi_IsJob(int* rank, int* size) {
    // Open MPI; PMIx is what SLURM's srun sets for it.
    const char *r = getenv("OMPI_COMM_WORLD_RANK"), *s = getenv("OMPI_COMM_WORLD_SIZE");
    if (!r || !s) {
        r = getenv("PMIX_RANK");
        s = getenv("SLURM_NTASKS");
    }
    *rank = r ? atoi(r) : 0;
    *size = s ? atoi(s) : 1;
    return r && s && *size > 1;
}

#ifdef HAWSER_MPI
#include <dlfcn.h>
#include <mpi.h>

// What is used of the library, by the types of its header.
static struct {
    __typeof__(&MPI_Init) init;
    __typeof__(&MPI_Finalize) finalize;
    __typeof__(&MPI_Abort) abort;
    __typeof__(&MPI_Send) send;
    __typeof__(&MPI_Recv) receive;
    __typeof__(&MPI_Iprobe) probe;
    __typeof__(&MPI_Get_count) count;
    MPI_Comm world;
    MPI_Datatype byte;
} g_mpi;

enum { TAG = 1 };

bool hwMpi_Begin(void) {
    // Its own parts look for its symbols among all.
    void* library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        hwCli_Complain("Install libopenmpi3, or start without mpirun.", "Cannot load MPI: %s.", dlerror());
        return false;
    }
    const struct {
        const char* name;
        void* place;
    } symbols[] = {{"MPI_Init", &g_mpi.init},       {"MPI_Finalize", &g_mpi.finalize},
                   {"MPI_Abort", &g_mpi.abort},     {"MPI_Send", &g_mpi.send},
                   {"MPI_Recv", &g_mpi.receive},    {"MPI_Iprobe", &g_mpi.probe},
                   {"MPI_Get_count", &g_mpi.count}, {"ompi_mpi_comm_world", &g_mpi.world},
                   {"ompi_mpi_byte", &g_mpi.byte}};
    for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); ++i) {
        void* symbol = dlsym(library, symbols[i].name);
        if (!symbol) {
            hwCli_Complain("Hawser needs Open MPI 4.", "The MPI library has no %s.", symbols[i].name);
            return false;
        }
        memcpy(symbols[i].place, &symbol, sizeof(symbol));
    }
    return g_mpi.init(NULL, NULL) == MPI_SUCCESS;
}

void hwMpi_End(void) {
    g_mpi.finalize();
}

void hwMpi_Abort(int status) {
    g_mpi.abort(g_mpi.world, status);
}

void hwMpi_Send(int rank, const void* data, size_t size) {
    g_mpi.send(data, (int)size, g_mpi.byte, rank, TAG, g_mpi.world);
}

bool hwMpi_Look(int* rank, size_t* size) {
    MPI_Status status;
    int found = 0, count = 0;
    g_mpi.probe(MPI_ANY_SOURCE, TAG, g_mpi.world, &found, &status);
    if (!found) return false;
    g_mpi.count(&status, g_mpi.byte, &count);
    *rank = status.MPI_SOURCE;
    *size = (size_t)count;
    return true;
}

void hwMpi_Receive(int rank, void* data, size_t size) {
    g_mpi.receive(data, (int)size, g_mpi.byte, rank, TAG, g_mpi.world, MPI_STATUS_IGNORE);
}

#else

bool hwMpi_Begin(void) {
    hwCli_Complain("Install libopenmpi-dev and build again, or start without mpirun.",
                   "This program was built without MPI.");
    return false;
}

void hwMpi_End(void) {}

void hwMpi_Abort(int status) {
    (void)status;
}

void hwMpi_Send(int rank, const void* data, size_t size) {
    (void)rank;
    (void)data;
    (void)size;
}

bool hwMpi_Look(int* rank, size_t* size) {
    (void)rank;
    (void)size;
    return false;
}

void hwMpi_Receive(int rank, void* data, size_t size) {
    (void)rank;
    (void)data;
    (void)size;
}

#endif
