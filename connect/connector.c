#include "connect/connector.h"

#include <stdio.h>

int hwConnector_FindInput(const hwWorld* world, const char* object, const char* name) {
    char text[160];
    snprintf(text, sizeof(text), "%s.%s", object, name);
    return hwWorld_FindInput(world, text);
}

int hwConnector_FindChannel(const hwWorld* world, const char* object, const char* name) {
    char text[160];
    snprintf(text, sizeof(text), "%s.%s", object, name);
    return hwWorld_FindChannel(world, text);
}
