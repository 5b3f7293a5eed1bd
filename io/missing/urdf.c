// In place of urdf.c in a program that was built without expat.
#include "../results_internal.h"
#include "hawser/convert.h"

hwStatus hwConvertUrdf(const char* input, const char* outputScene, hwLogFn* log, void* logContext,
                       hwError* error) {
    (void)outputScene;
    (void)log;
    (void)logContext;
    hwResultsFail(error, HW_ERROR_FORMAT,
                  "cannot read %s: this program was built without expat, which URDF needs", input);
    hwResultsFail_Hint(error, "install libexpat1-dev and build it again");
    return HW_ERROR_FORMAT;
}
