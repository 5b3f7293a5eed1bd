// Words with a meaning that more than one place of a scene uses.
#include "hawser/hawser.h"
#include "schema.h"

#include <string.h>

const hwChoice hwControlModeChoices[] = {{"position", HW_CONTROL_POSITION},
                                         {"velocity", HW_CONTROL_VELOCITY},
                                         {"passive", HW_CONTROL_PASSIVE},
                                         {"effort", HW_CONTROL_EFFORT},
                                         {NULL, 0}};

const hwChoice hwVehicleModeChoices[] = {{"manual", HW_MODE_MANUAL},
                                         {"stabilize", HW_MODE_STABILIZE},
                                         {"depth_hold", HW_MODE_DEPTH_HOLD},
                                         {"heading_hold", HW_MODE_HEADING_HOLD},
                                         {"hold", HW_MODE_HOLD},
                                         {"altitude_hold", HW_MODE_ALTITUDE},
                                         {"station", HW_MODE_STATION},
                                         {"route", HW_MODE_ROUTE},
                                         {"home", HW_MODE_HOME},
                                         {"unwind", HW_MODE_UNWIND},
                                         {NULL, 0}};

const hwChoice* hwChoice_Find(const hwChoice* choices, const char* word) {
    for (; choices->word != NULL; choices++) {
        if (strcmp(choices->word, word) == 0) return choices;
    }
    return NULL;
}
