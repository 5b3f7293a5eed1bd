// Everything that can be wrong with an environment's def, each in one sentence.
#ifndef HW_ENV_CHECK_H
#define HW_ENV_CHECK_H

#include "hawser/environment.h"

#define HW_ENVIRONMENT_COOKIE 0x656e7664

// The terrain's own rules and the depth under waves are checked where they are made, in hwCreateEnvironment.
hwStatus hwCheckEnvironmentDef(const hwEnvironmentDef* def, hwError* error);

#endif
