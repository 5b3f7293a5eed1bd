// The tables of vehicle files.
#include "scene_read.h"
#include "schema_sections.h"
#include "vehicle_file.h"

// A thruster's own keys fall back to those of `propulsion`, which have defaults.
#define PLAIN(text) text
#define SHARED(text) "(as in propulsion)"

#define THRUSTER_KEYS(DEFAULT)                                                                               \
    {.name = "forward",                                                                                      \
     .type = HW_KEY_NUMBER,                                                                                  \
     .offset = offsetof(hwFileThruster, forward),                                                            \
     .unit = "N",                                                                                            \
     .range = HW_FROM(0),                                                                                    \
     .fallback = DEFAULT("0"),                                                                               \
     .example = "50",                                                                                        \
     .doc = "thrust at full command in still water"},                                                        \
        {.name = "reverse",                                                                                  \
         .type = HW_KEY_NUMBER,                                                                              \
         .offset = offsetof(hwFileThruster, reverse),                                                        \
         .unit = "N",                                                                                        \
         .range = HW_FROM(0),                                                                                \
         .fallback = DEFAULT("0"),                                                                           \
         .example = "40",                                                                                    \
         .doc = "the same backwards"},                                                                       \
        {.name = "dead_band",                                                                                \
         .type = HW_KEY_NUMBER,                                                                              \
         .offset = offsetof(hwFileThruster, deadBand),                                                       \
         .range = HW_RANGE(0, 0.9),                                                                          \
         .fallback = DEFAULT("0"),                                                                           \
         .example = "0.09",                                                                                  \
         .doc = "fraction of the command without thrust"},                                                   \
        {.name = "exponent",                                                                                 \
         .type = HW_KEY_NUMBER,                                                                              \
         .offset = offsetof(hwFileThruster, exponent),                                                       \
         .range = HW_RANGE(0.5, 3),                                                                          \
         .fallback = DEFAULT("1"),                                                                           \
         .example = "1.3",                                                                                   \
         .doc = "of thrust over the command beyond the dead band"},                                          \
        {.name = "time_constant",                                                                            \
         .type = HW_KEY_NUMBER,                                                                              \
         .offset = offsetof(hwFileThruster, timeConstant),                                                   \
         .unit = "s",                                                                                        \
         .range = HW_RANGE(0, 10),                                                                           \
         .fallback = DEFAULT("0"),                                                                           \
         .example = "0.1",                                                                                   \
         .doc = "of the propeller's speed"},                                                                 \
        {.name = "top_speed",                                                                                \
         .type = HW_KEY_NUMBER,                                                                              \
         .offset = offsetof(hwFileThruster, topSpeed),                                                       \
         .unit = "rad/s",                                                                                    \
         .range = HW_ABOVE(0),                                                                               \
         .fallback = DEFAULT("300"),                                                                         \
         .example = "360",                                                                                   \
         .doc = "of the propeller at full command"},                                                         \
        {.name = "advance",                                                                                  \
         .type = HW_KEY_NUMBER,                                                                              \
         .offset = offsetof(hwFileThruster, advance),                                                        \
         .unit = "m/s",                                                                                      \
         .range = HW_ABOVE_OR_INF(0),                                                                        \
         .fallback = DEFAULT(".inf"),                                                                        \
         .example = "12",                                                                                    \
         .doc = "axial speed through the water at which full command gives no thrust; `.inf`: no loss"},     \
        {.name = "torque",                                                                                   \
         .type = HW_KEY_NUMBER,                                                                              \
         .offset = offsetof(hwFileThruster, torque),                                                         \
         .unit = "m",                                                                                        \
         .range = HW_FROM(0),                                                                                \
         .fallback = DEFAULT("0"),                                                                           \
         .example = "0.02",                                                                                  \
         .doc = "reaction torque over thrust"},                                                              \
        {.name = "diameter",                                                                                 \
         .type = HW_KEY_NUMBER,                                                                              \
         .offset = offsetof(hwFileThruster, diameter),                                                       \
         .unit = "m",                                                                                        \
         .range = HW_ABOVE(0),                                                                               \
         .fallback = DEFAULT("0.1"),                                                                         \
         .example = "0.076",                                                                                 \
         .doc = "of the propeller"},                                                                         \
        {.name = "weight",                                                                                   \
         .type = HW_KEY_NUMBER,                                                                              \
         .offset = offsetof(hwFileThruster, weight),                                                         \
         .range = HW_ABOVE(0),                                                                               \
         .fallback = DEFAULT("1"),                                                                           \
         .example = "2",                                                                                     \
         .doc = "cost of its thrust squared in the allocation"},                                             \
    {                                                                                                        \
        .name = "blades", .type = HW_KEY_INTEGER, .offset = offsetof(hwFileThruster, blades),                \
        .range = HW_RANGE(1, 12), .fallback = DEFAULT("3"), .example = "3",                                  \
        .doc = "of the propeller, for pictures"                                                              \
    }

static const hwKey propulsionKeys[] = {
    THRUSTER_KEYS(PLAIN),
};

static const hwSection propulsion = {.title = "`propulsion`",
                                     .heading = "propulsion",
                                     .size = sizeof(hwFileThruster),
                                     HW_KEYS(propulsionKeys),
                                     .doc = "What the thrusters have in common."};

static const hwKey thrusterKeys[] = {
    {.name = "name",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwFileThruster, name),
     .fallback = "(its number)",
     .example = "front right",
     .doc = "for people"},
    {.name = "position",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwFileThruster, position),
     .unit = "m",
     .flags = HW_KEY_REQUIRED,
     .example = "[0.156, -0.111, 0.085]",
     .doc = "in the body frame"},
    {.name = "axis",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwFileThruster, axis),
     .flags = HW_KEY_REQUIRED,
     .example = "[1, 1, 0]",
     .bad = "[0, 0, 0]",
     .doc = "positive thrust pushes the vehicle this way; any length"},
    {.name = "hand",
     .type = HW_KEY_CHOICE,
     .offset = offsetof(hwFileThruster, hand),
     .choices = HW_CHOICES({"right", 1}, {"left", -1}),
     .fallback = "right",
     .example = "left",
     .doc = "how the propeller turns about `axis` when it pushes along it"},
    {.name = "servo",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(hwFileThruster, servo),
     .range = HW_RANGE(-32, 32),
     .fallback = "(its place in the list)",
     .example = "-5",
     .doc = "output of an external autopilot that drives it, from 1; negative: a longer pulse pushes against "
            "`axis`"},
    THRUSTER_KEYS(SHARED),
};

static const hwSection thruster = {.title = "a thruster",
                                   .heading = "thrusters",
                                   .size = sizeof(hwFileThruster),
                                   HW_KEYS(thrusterKeys),
                                   .check = hwCheckThruster};

static const hwKey holdKeys[] = {
    {.name = "kp",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileHold, def.kp),
     .unit = "N/m or N m/rad",
     .range = HW_FROM(0),
     .fallback = "0",
     .example = "80",
     .doc = "per unit of error"},
    {.name = "ki",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileHold, def.ki),
     .unit = "N/(m s) or N m/(rad s)",
     .range = HW_FROM(0),
     .fallback = "0",
     .example = "10",
     .doc = "per unit of its integral"},
    {.name = "kd",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileHold, def.kd),
     .unit = "N s/m or N m s/rad",
     .range = HW_FROM(0),
     .fallback = "0",
     .example = "60",
     .doc = "per unit of its rate"},
    {.name = "limit",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileHold, def.limit),
     .unit = "N or N m",
     .range = HW_FROM(0),
     .fallback = "0",
     .example = "30",
     .doc = "the integral's share at most"},
};

static const hwSection hold = {.title = "a controller",
                               .heading = "autopilot: depth, heading, level, position",
                               .size = sizeof(hwFileHold),
                               HW_KEYS(holdKeys),
                               .doc = "A PID controller: force or moment from the error."};

static const hwKey autopilotKeys[] = {
    {.name = "depth",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwFileAutopilot, depth),
     .section = &hold,
     .flags = HW_KEY_ALWAYS,
     .example = "{kp: 80, kd: 60}",
     .doc = "keeps the depth"},
    {.name = "heading",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwFileAutopilot, heading),
     .section = &hold,
     .flags = HW_KEY_ALWAYS,
     .example = "{kp: 6, kd: 4}",
     .doc = "keeps the heading"},
    {.name = "level",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwFileAutopilot, level),
     .section = &hold,
     .flags = HW_KEY_ALWAYS,
     .example = "{kp: 8, kd: 3}",
     .doc = "keeps roll and pitch at zero"},
    {.name = "position",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwFileAutopilot, position),
     .section = &hold,
     .flags = HW_KEY_ALWAYS,
     .example = "{kp: 150, kd: 90}",
     .doc = "keeps the place, along both horizontal axes"},
    {.name = "climb_rate",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileAutopilot, climbRate),
     .unit = "m/s",
     .range = HW_ABOVE(0),
     .fallback = "0.3",
     .example = "0.4",
     .doc = "full heave moves the depth set point this fast"},
    {.name = "turn_rate",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileAutopilot, turnRate),
     .unit = "rad/s",
     .flags = HW_KEY_ANGLE,
     .range = HW_ABOVE(0),
     .fallback = "0.7",
     .example = "0.8",
     .doc = "full yaw moves the heading set point this fast"},
    {.name = "depth_lead",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileAutopilot, depthLead),
     .unit = "m",
     .range = HW_ABOVE(0),
     .fallback = "0.5",
     .example = "0.5",
     .doc = "the set point runs ahead of the vehicle by no more"},
    {.name = "heading_lead",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileAutopilot, headingLead),
     .unit = "rad",
     .flags = HW_KEY_ANGLE,
     .range = HW_ABOVE_TO(0, 3),
     .fallback = "0.6",
     .example = "0.5",
     .doc = "likewise"},
    {.name = "cruise_rate",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileAutopilot, cruiseRate),
     .unit = "m/s",
     .range = HW_ABOVE(0),
     .fallback = "0.3",
     .example = "0.4",
     .doc = "full surge or sway moves the place that is held this fast; speed along a route"},
    {.name = "position_lead",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileAutopilot, positionLead),
     .unit = "m",
     .range = HW_ABOVE(0),
     .fallback = "1",
     .example = "0.8",
     .doc = "that place runs ahead of the vehicle by no more"},
    {.name = "tether_forward",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileAutopilot, tetherForward),
     .range = HW_RANGE(0, 1),
     .fallback = "0",
     .example = "1",
     .doc = "share of the tether's pull, by a load cell at the vehicle, that is countered at once in what is "
            "held"},
};

static const hwSection autopilot = {
    .title = "`autopilot`", .heading = "autopilot", .size = sizeof(hwFileAutopilot), HW_KEYS(autopilotKeys)};

static const hwKey axisKeys[] = {
    {.name = "dead_zone",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileAxis, deadZone),
     .range = HW_RANGE(0, 0.9),
     .fallback = "0",
     .example = "0.05",
     .doc = "stick travel without effect"},
    {.name = "sensitivity",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileAxis, sensitivity),
     .range = HW_RANGE(0, 2),
     .fallback = "1",
     .example = "0.8",
     .doc = "factor"},
    {.name = "expo",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileAxis, expo),
     .range = HW_RANGE(0, 1),
     .fallback = "0",
     .example = "0.3",
     .doc = "0 linear, 1 cubic"},
    {.name = "invert",
     .type = HW_KEY_SWITCH,
     .offset = offsetof(hwFileAxis, invert),
     .fallback = "false",
     .example = "true",
     .doc = "turned round"},
};

static const hwSection axis = {.title = "a pilot axis",
                               .heading = "pilot: surge, sway, heave, yaw",
                               .size = sizeof(hwFileAxis),
                               HW_KEYS(axisKeys)};

static const hwKey pilotKeys[] = {
    {.name = "gain",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFilePilot, gain),
     .range = HW_RANGE(0, 1),
     .fallback = "0.5",
     .example = "0.5",
     .doc = "of all axes at the start"},
    {.name = "gains",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwFilePilot, gains),
     .range = HW_RANGE(0, 1),
     .fallback = "[0.25, 0.5, 0.75, 1]",
     .example = "[0.25, 0.5, 0.75, 1]",
     .doc = "its steps"},
    {.name = "surge",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwFilePilot, axes[HW_AXIS_SURGE]),
     .section = &axis,
     .flags = HW_KEY_ALWAYS,
     .example = "{expo: 0.3}",
     .doc = "conditioning of surge"},
    {.name = "sway",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwFilePilot, axes[HW_AXIS_SWAY]),
     .section = &axis,
     .flags = HW_KEY_ALWAYS,
     .example = "{expo: 0.3}",
     .doc = "conditioning of sway"},
    {.name = "heave",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwFilePilot, axes[HW_AXIS_HEAVE]),
     .section = &axis,
     .flags = HW_KEY_ALWAYS,
     .example = "{expo: 0.3}",
     .doc = "conditioning of heave"},
    {.name = "yaw",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwFilePilot, axes[HW_AXIS_YAW]),
     .section = &axis,
     .flags = HW_KEY_ALWAYS,
     .example = "{expo: 0.3}",
     .doc = "conditioning of yaw"},
};

static const hwSection pilot = {
    .title = "`pilot`", .heading = "pilot", .size = sizeof(hwFilePilot), HW_KEYS(pilotKeys)};

static const hwKey cameraKeys[] = {
    {.name = "position",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwFileCamera, position),
     .unit = "m",
     .fallback = "[0, 0, 0]",
     .example = "[0.2, 0, 0]",
     .doc = "in the body frame"},
    {.name = "tilt",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwFileCamera, tilt),
     .unit = "rad",
     .flags = HW_KEY_ANGLE,
     .range = HW_RANGE(-0.5 * HW_PI, 0.5 * HW_PI),
     .sizes = {2},
     .fallback = "[0, 0]",
     .example = "[-0.78, 0.78]",
     .doc = "lowest and highest, up positive"},
    {.name = "tilt_rate",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileCamera, tiltRate),
     .unit = "rad/s",
     .flags = HW_KEY_ANGLE,
     .range = HW_ABOVE(0),
     .fallback = "0.8",
     .example = "0.8",
     .doc = "how fast it tilts"},
    {.name = "zoom",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileCamera, zoom),
     .range = HW_RANGE(1, 100),
     .fallback = "1",
     .example = "4",
     .doc = "largest"},
    {.name = "zoom_rate",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileCamera, zoomRate),
     .unit = "1/s",
     .range = HW_ABOVE(0),
     .fallback = "1",
     .example = "1",
     .doc = "how fast it zooms"},
    {.name = "field",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileCamera, field),
     .unit = "rad",
     .flags = HW_KEY_ANGLE,
     .range = HW_RANGE(0.1, 3),
     .fallback = "1.4",
     .example = "1.4",
     .doc = "horizontal field of view at zoom 1"},
    {.name = "servo",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(hwFileCamera, servo),
     .range = HW_RANGE(0, 32),
     .fallback = "0",
     .example = "10",
     .doc =
         "output of an external autopilot that tilts it (1100 us lowest, 1900 us highest), from 1; 0: none"},
};

static const hwSection camera = {.title = "`camera`",
                                 .heading = "camera",
                                 .size = sizeof(hwFileCamera),
                                 HW_KEYS(cameraKeys),
                                 .check = hwCheckCamera};

static const hwKey lampKeys[] = {
    {.name = "position",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwFileLamp, position),
     .unit = "m",
     .flags = HW_KEY_REQUIRED,
     .example = "[0.2, 0.1, 0]",
     .doc = "in the body frame"},
    {.name = "axis",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwFileLamp, axis),
     .fallback = "[1, 0, 0]",
     .example = "[1, 0, 0]",
     .bad = "[0, 0, 0]",
     .doc = "where it shines; any length"},
    {.name = "beam",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileLamp, beam),
     .unit = "rad",
     .flags = HW_KEY_ANGLE,
     .range = HW_RANGE(0.01, HW_PI),
     .fallback = "2",
     .example = "2.3",
     .doc = "full angle"},
    {.name = "lumens",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileLamp, lumens),
     .range = HW_FROM(0),
     .fallback = "1000",
     .example = "1500",
     .doc = "at full intensity"},
    {.name = "tilts",
     .type = HW_KEY_SWITCH,
     .offset = offsetof(hwFileLamp, tilts),
     .fallback = "false",
     .example = "true",
     .doc = "it moves with the camera"},
};

static const hwSection lamp = {.title = "a light",
                               .heading = "lights",
                               .size = sizeof(hwFileLamp),
                               HW_KEYS(lampKeys),
                               .check = hwCheckLamp};

static const hwKey gripperKeys[] = {
    {.name = "position",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwFileGripper, position),
     .unit = "m",
     .flags = HW_KEY_REQUIRED,
     .example = "[0.3, 0, -0.1]",
     .doc = "between the jaws' tips, in the body frame"},
    {.name = "axis",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwFileGripper, axis),
     .fallback = "[1, 0, 0]",
     .example = "[1, 0, 0]",
     .bad = "[0, 0, 0]",
     .doc = "along the jaws; any length"},
    {.name = "opening",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileGripper, opening),
     .unit = "m",
     .flags = HW_KEY_REQUIRED,
     .range = HW_ABOVE(0),
     .example = "0.06",
     .doc = "between the jaws when open"},
    {.name = "length",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileGripper, length),
     .unit = "m",
     .range = HW_ABOVE(0),
     .fallback = "0.1",
     .example = "0.1",
     .doc = "of the jaws"},
    {.name = "speed",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileGripper, speed),
     .unit = "1/s",
     .range = HW_ABOVE(0),
     .fallback = "0.5",
     .example = "0.5",
     .doc = "share of the opening it moves per second"},
    {.name = "force",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileGripper, force),
     .unit = "N",
     .range = HW_ABOVE(0),
     .fallback = "100",
     .example = "100",
     .doc = "a held body slips out beyond it"},
    {.name = "stiffness",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileGripper, stiffness),
     .unit = "N/m",
     .range = HW_ABOVE(0),
     .fallback = "5000",
     .example = "5000",
     .doc = "of the grip"},
    {.name = "servo",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(hwFileGripper, servo),
     .range = HW_RANGE(0, 32),
     .fallback = "0",
     .example = "10",
     .doc = "output of an external autopilot that opens it (1100 us closed, 1900 us open), from 1; 0: none"},
};

static const hwSection gripper = {.title = "`gripper`",
                                  .heading = "gripper",
                                  .size = sizeof(hwFileGripper),
                                  HW_KEYS(gripperKeys),
                                  .check = hwCheckGripper};

static const hwKey armKeys[] = {
    {.name = "name",
     .type = HW_KEY_NAME,
     .offset = offsetof(hwSceneMechanism, name),
     .flags = HW_KEY_REQUIRED,
     .example = "arm",
     .doc = "unique on the vehicle; its links are `vehicle.arm.link`"},
    {.name = "position",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwSceneMechanism, base.position),
     .unit = "m",
     .fallback = "[0, 0, 0]",
     .example = "[1.2, -0.5, -0.6]",
     .doc = "where it is mounted, in the body frame"},
    {.name = "attitude",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneMechanism, base.attitude),
     .section = &hwSection_attitude,
     .fallback = "(not turned)",
     .example = "{rpy_deg: [0, 0, 20]}",
     .doc = "how it is mounted"},
    {.name = "links",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwSceneMechanism, links),
     .section = &hwSection_link,
     .flags = HW_KEY_REQUIRED,
     .example = "[{name: slew, parent: base, joint: revolute, mass: 1, inertia: [1, 1, 1]}]",
     .doc = "as of a scene's mechanisms; the first stand on the `base`, which is the vehicle"},
    {.name = "tool",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneMechanism, tool),
     .section = &hwSection_tool,
     .fallback = "(none)",
     .example = "{link: slew}",
     .doc = "its tip and jaw, moved by commands"},
};

static const hwSection arm = {
    .title = "an arm",
    .heading = "arms",
    .size = sizeof(hwSceneMechanism),
    HW_KEYS(armKeys),
    .check = hwCheckMechanism,
    .doc = "A mechanism on the vehicle: arm and hull move each other. Joints are driven by the inputs "
           "`vehicle.arm.link.target`."};

static const hwKey pointKeys[] = {
    {.name = "name",
     .type = HW_KEY_NAME,
     .offset = offsetof(hwFilePoint, name),
     .flags = HW_KEY_REQUIRED,
     .example = "tether",
     .doc = "what scenes call it"},
    {.name = "position",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwFilePoint, position),
     .unit = "m",
     .flags = HW_KEY_REQUIRED,
     .example = "[-0.2, 0, 0.05]",
     .doc = "in the body frame"},
};

static const hwSection point = {
    .title = "a point", .heading = "points", .size = sizeof(hwFilePoint), HW_KEYS(pointKeys)};

static const hwKey partKeys[] = {
    {.name = "name",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwFilePart, name),
     .fallback = "(none)",
     .example = "frame",
     .doc = "for people"},
    {.name = "shape",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwFilePart, shape),
     .section = &hwSection_shape,
     .flags = HW_KEY_REQUIRED,
     .example = "{box: [0.4, 0.3, 0.1]}",
     .doc = "its form and place"},
    {.name = "color",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwFilePart, color),
     .fallback = "'#808080'",
     .example = "'#1f6fb5'",
     .bad = "blue",
     .doc = "#rrggbb"},
};

static const hwSection part = {.title = "a part",
                               .heading = "parts",
                               .size = sizeof(hwFilePart),
                               HW_KEYS(partKeys),
                               .check = hwCheckPart,
                               .doc = "A piece of the picture; physics does not see it."};

static const hwKey vehicleKeys[] = {
    {.name = "hawser_vehicle",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(hwFileVehicle, version),
     .flags = HW_KEY_REQUIRED,
     .range = HW_RANGE(1, 1),
     .example = "1",
     .doc = "version of this format"},
    {.name = "title",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwFileVehicle, title),
     .fallback = "(the file's name)",
     .example = "BlueROV2 Heavy",
     .doc = "for people"},
    {.name = "summary",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwFileVehicle, summary),
     .fallback = "(none)",
     .example = "eight thrusters",
     .doc = "a few words"},
    {.name = "mass",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileVehicle, mass),
     .unit = "kg",
     .flags = HW_KEY_REQUIRED,
     .range = HW_ABOVE(0),
     .example = "13.5",
     .doc = "in air"},
    {.name = "inertia",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwFileVehicle, inertia),
     .unit = "kg m²",
     .flags = HW_KEY_REQUIRED,
     .sizes = {3, 6},
     .example = "[0.26, 0.23, 0.37]",
     .doc = "about the centre of mass: xx, yy, zz, and then xy, xz, yz"},
    {.name = "com",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwFileVehicle, com),
     .unit = "m",
     .fallback = "[0, 0, 0]",
     .example = "[0, 0, 0]",
     .doc = "centre of mass, in the body frame"},
    {.name = "hydro",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwFileVehicle, hydro),
     .section = &hwSection_hydro,
     .flags = HW_KEY_REQUIRED,
     .example = "{volume: 0.0134}",
     .doc = "what the water does to it"},
    {.name = "shapes",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwFileVehicle, shapes),
     .section = &hwSection_shape,
     .fallback = "[]",
     .example = "[{box: [0.4, 0.5, 0.3]}]",
     .doc = "what collides"},
    {.name = "rated_depth",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileVehicle, ratedDepth),
     .unit = "m",
     .range = HW_ABOVE_OR_INF(0),
     .fallback = ".inf",
     .example = "100",
     .doc = "deeper than this an alarm sounds"},
    {.name = "top_speed",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFileVehicle, topSpeed),
     .unit = "m/s",
     .range = HW_FROM(0),
     .fallback = "0",
     .example = "1",
     .doc = "forward, as published; for people"},
    {.name = "propulsion",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwFileVehicle, propulsion),
     .section = &propulsion,
     .flags = HW_KEY_ALWAYS,
     .example = "{forward: 50, reverse: 40}",
     .doc = "what the thrusters have in common"},
    {.name = "thrusters",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwFileVehicle, thrusters),
     .section = &thruster,
     .fallback = "[]",
     .example = "[{position: [0, 0, 0], axis: [1, 0, 0]}]",
     .doc = "up to 16"},
    {.name = "linearize",
     .type = HW_KEY_SWITCH,
     .offset = offsetof(hwFileVehicle, linearize),
     .fallback = "true",
     .example = "false",
     .doc = "the controller undoes the thrusters' curve: thrust is what was asked for"},
    {.name = "axis_weights",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwFileVehicle, axisWeights),
     .range = HW_FROM(0),
     .sizes = {6},
     .fallback = "[1, 1, 1, 1, 1, 1]",
     .example = "[1, 0, 1, 0, 0, 1]",
     .doc = "importance of x, y, z, roll, pitch, yaw when not all can be had; 0: not controlled"},
    {.name = "pilot",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwFileVehicle, pilot),
     .section = &pilot,
     .flags = HW_KEY_ALWAYS,
     .example = "{gain: 0.5}",
     .doc = "gain and conditioning of the sticks"},
    {.name = "autopilot",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwFileVehicle, autopilot),
     .section = &autopilot,
     .flags = HW_KEY_ALWAYS,
     .example = "{climb_rate: 0.4}",
     .doc = "the hold modes"},
    {.name = "camera",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwFileVehicle, camera),
     .section = &camera,
     .flags = HW_KEY_ALWAYS,
     .example = "{position: [0.2, 0, 0]}",
     .doc = "the pilot's camera"},
    {.name = "lights",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwFileVehicle, lights),
     .section = &lamp,
     .fallback = "[]",
     .example = "[{position: [0.2, 0, 0]}]",
     .doc = "lamps"},
    {.name = "lights_servo",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(hwFileVehicle, lightsServo),
     .range = HW_RANGE(0, 32),
     .fallback = "0",
     .example = "10",
     .doc = "output of an external autopilot that dims the lights (1100 us dark, 1900 us full), from 1; 0: "
            "none"},
    {.name = "gripper",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwFileVehicle, gripper),
     .section = &gripper,
     .fallback = "(none)",
     .example = "{position: [0.3, 0, 0], opening: 0.06}",
     .doc = "jaws that hold a small body"},
    {.name = "arms",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwFileVehicle, arms),
     .section = &arm,
     .fallback = "[]",
     .example =
         "[{name: arm, links: [{name: slew, parent: base, joint: revolute, mass: 1, inertia: [1, 1, 1]}]}]",
     .doc = "manipulators"},
    {.name = "points",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwFileVehicle, points),
     .section = &point,
     .fallback = "[]",
     .example = "[{name: tether, position: [-0.2, 0, 0]}]",
     .doc = "where cables attach; the tether goes to the one called `tether`"},
    {.name = "parts",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwFileVehicle, parts),
     .section = &part,
     .fallback = "[]",
     .example = "[{shape: {box: [1, 1, 1]}}]",
     .doc = "the picture; without any the shapes are shown"},
    {.name = "instruments",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwFileVehicle, instruments),
     .section = &hwSection_vehicleInstrument,
     .fallback = "[]",
     .example = "[{name: imu, kind: imu}]",
     .doc = "sensors with noise, drift, rate and delay"},
};

const hwSection hwSection_vehicleFile = {
    .title = "a vehicle file",
    .heading = "The vehicle",
    .size = sizeof(hwFileVehicle),
    HW_KEYS(vehicleKeys),
    .check = hwCheckVehicleFile,
    .doc = "The body frame: x forward, y to port, z up. Its origin is where positions are measured from."};
