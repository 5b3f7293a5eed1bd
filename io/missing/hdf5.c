// In place of hdf5.c in a program that was built without the HDF5 library. Reading needs none: hdf5_read.c is our own.
#include "../results_internal.h"

bool hwCanWriteHdf5(void) {
    return false;
}

hwStatus hwCreateHdf5Writer(const hwRecorderDef* def, hwWriter* writer, hwError* error) {
    (void)writer;
    hwResultsFail(error, HW_ERROR_FILE, "cannot write %s: this program was built without HDF5", def->path);
    hwResultsFail_Hint(error,
                       "write CSV or MCAP instead (--csv FILE), or install libhdf5-dev and build it again");
    return HW_ERROR_FILE;
}
