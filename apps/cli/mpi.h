// Messages between the processes of an MPI job. The library is loaded only in programs that mpirun started: nobody else needs it.
#ifndef HW_CLI_MPI_H
#define HW_CLI_MPI_H

#include <stdbool.h>
#include <stddef.h>

// Whether this process was started by mpirun, and which one of how many it is, from the environment.
bool hwMpi_IsJob(int* rank, int* size);
// Joins the job. False with a complaint when the library cannot be loaded.
bool hwMpi_Begin(void);
// Leaves it; all processes must.
void hwMpi_End(void);
// Ends the whole job at once.
void hwMpi_Abort(int status);

void hwMpi_Send(int rank, const void* data, size_t size);
// Looks for a message without waiting: its sender and size, or false. hwMpi_Receive then takes it.
bool hwMpi_Look(int* rank, size_t* size);
void hwMpi_Receive(int rank, void* data, size_t size);

#endif
