// In place of the server in a program that was built without libwebsockets.
#include "apps/server/server.h"

#include <stdio.h>
#include <string.h>

hwStatus hwWebServer_Run(const hwWebServerDef* def, hwError* error) {
    (void)def;
    memset(error, 0, sizeof(*error));
    error->status = HW_ERROR_ARGUMENT;
    snprintf(error->message, sizeof(error->message),
             "there is no trainer: this program was built without libwebsockets");
    snprintf(error->hint, sizeof(error->hint), "install libwebsockets-dev and build it again");
    return error->status;
}
