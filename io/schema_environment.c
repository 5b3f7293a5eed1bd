// The tables of everything around the objects.
#include "hawser/hawser.h"
#include "scene_read.h"
#include "schema_sections.h"

static const hwKey waterKeys[] = {
    {.name = "density",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneFluid, density),
     .unit = "kg/m³",
     .range = HW_ABOVE(0),
     .fallback = "1025",
     .example = "1000",
     .doc = "of the water"},
    {.name = "viscosity",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneFluid, viscosity),
     .unit = "m²/s",
     .range = HW_ABOVE(0),
     .fallback = "1.787e-6",
     .example = "1e-6",
     .doc = "kinematic"},
    {.name = "surface",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneFluid, surface),
     .unit = "m",
     .fallback = "0",
     .example = "1",
     .doc = "height of the mean surface"},
};

static const hwSection water = {
    .title = "`water`", .heading = "environment.water", .size = sizeof(hwSceneFluid), HW_KEYS(waterKeys)};

static const hwKey airKeys[] = {
    {.name = "density",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneFluid, density),
     .unit = "kg/m³",
     .range = HW_FROM(0),
     .fallback = "1.2",
     .example = "1.3",
     .doc = "of the air"},
    {.name = "viscosity",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneFluid, viscosity),
     .unit = "m²/s",
     .range = HW_ABOVE(0),
     .fallback = "1.5e-5",
     .example = "1.4e-5",
     .doc = "kinematic"},
};

static const hwSection air = {
    .title = "`air`", .heading = "environment.air", .size = sizeof(hwSceneFluid), HW_KEYS(airKeys)};

// Current and wind -------------------------------------------------------------------------------------------------

static const hwKey depthProfileKeys[] = {
    {.name = "depth",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwSceneProfile, levels),
     .flags = HW_KEY_REQUIRED,
     .unit = "m",
     .example = "[0, 50]",
     .doc = "increasing depths below the mean surface"},
    {.name = "velocity",
     .type = HW_KEY_VECTORS,
     .offset = offsetof(hwSceneProfile, velocity),
     .flags = HW_KEY_REQUIRED,
     .unit = "m/s",
     .example = "[[1, 0, 0], [0.2, 0, 0]]",
     .doc = "velocity at each depth; straight lines between, constant beyond; with `time`, at each depth for "
            "the "
            "first time, then for the second, and so on"},
    {.name = "time",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwSceneProfile, times),
     .unit = "s",
     .example = "[0]",
     .doc = "increasing times, where the profile changes with them; straight lines between, constant beyond"},
};

static const hwSection depthProfile = {.title = "a profile",
                                       .heading = "environment.current.profile",
                                       .size = sizeof(hwSceneProfile),
                                       HW_KEYS(depthProfileKeys),
                                       .check = hwCheckProfile};

static const hwKey heightProfileKeys[] = {
    {.name = "height",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwSceneProfile, levels),
     .flags = HW_KEY_REQUIRED,
     .unit = "m",
     .example = "[0, 10]",
     .doc = "increasing heights above the mean surface"},
    {.name = "velocity",
     .type = HW_KEY_VECTORS,
     .offset = offsetof(hwSceneProfile, velocity),
     .flags = HW_KEY_REQUIRED,
     .unit = "m/s",
     .example = "[[0, 0, 0], [8, 0, 0]]",
     .doc = "velocity at each height; straight lines between, constant beyond; with `time`, at each height "
            "for the "
            "first time, then for the second, and so on"},
    {.name = "time",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwSceneProfile, times),
     .unit = "s",
     .example = "[0]",
     .doc = "increasing times, where the profile changes with them; straight lines between, constant beyond"},
};

static const hwSection heightProfile = {.title = "a profile",
                                        .heading = "environment.wind.profile",
                                        .size = sizeof(hwSceneProfile),
                                        HW_KEYS(heightProfileKeys),
                                        .check = hwCheckProfile};

// A list is a constant velocity, a mapping with a signal's key is a signal.
static bool IsFlowShorthand(const hwYaml* node) {
    static const char* const words[] = {"constant", "sine", "ramp", "table", "csv", "sum"};
    if (node->kind != HW_YAML_MAP) return true;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (hwYaml_Find(node, words[i]) != NULL) return true;
    }
    return false;
}

static const hwKey leeKeys[] = {
    {.name = "behind",
     .type = HW_KEY_REFERENCE,
     .offset = offsetof(hwSceneLee, behind),
     .flags = HW_KEY_REQUIRED,
     .example = "pile",
     .doc = "a body that does not move (`motion: fixed`); each of its shapes is an obstacle"},
    {.name = "model",
     .type = HW_KEY_CHOICE,
     .offset = offsetof(hwSceneLee, model),
     .choices = HW_CHOICES({"wake", HW_LEE_WAKE}, {"shadow", HW_LEE_SHADOW}),
     .fallback = "wake",
     .example = "shadow",
     .doc = "`wake`: turbulent, wider and weaker downstream; `shadow`: still water"},
    {.name = "drag",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneLee, drag),
     .range = HW_ABOVE_TO(0, 2),
     .fallback = "1",
     .example = "0.8",
     .doc = "drag coefficient of the obstacle, which makes the wake"},
    {.name = "length",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneLee, length),
     .unit = "m",
     .range = HW_ABOVE(0),
     .needs = "model: shadow",
     .fallback = "(eight times its width)",
     .example = "20",
     .doc = "from the obstacle's axis to the end of the shadow"},
};

static const hwSection lee = {
    .title = "a lee",
    .heading = "environment.current.lee",
    .size = sizeof(hwSceneLee),
    HW_KEYS(leeKeys),
    .doc = "The current U is U (1 - d) behind an obstacle of width D across it, at x downstream of its axis "
           "and y across. "
           "`wake` (Huse 1993, OTC 7237): d = sqrt(C D / s) exp(-0.693 (y / b)²), b = 0.25 sqrt(C D s), s = "
           "x + 4 D / C, "
           "with the drag coefficient C; it grows to that over D / 2 behind the axis. `shadow` (the obstacle "
           "shields the "
           "tether from the current, turbulence left out): d = 1 where y < D / 2 up to `length`, with smooth "
           "rims of D / 10. "
           "Cylinders and capsules are rods; boxes are rods along their longest edge, as wide as the current "
           "sees them; "
           "meshes and hulls are their bounding boxes. Waves are left alone, lees that overlap multiply, and "
           "a lee turns with "
           "the current at once. A particle's own acceleration within the wake is left out."};

static const hwKey currentKeys[] = {
    {.name = "uniform",
     .type = HW_KEY_VECTOR_SIGNAL,
     .offset = offsetof(hwSceneFlow, uniform),
     .unit = "m/s",
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED | HW_KEY_TOGETHER,
     .example = "[0.5, 0, 0]",
     .doc = "the same everywhere"},
    {.name = "profile",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneFlow, profile),
     .section = &depthProfile,
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED | HW_KEY_TOGETHER,
     .example = "{depth: [0, 50], velocity: [[1, 0, 0], [0, 0, 0]]}",
     .doc = "by depth; adds to `uniform`"},
    {.name = "grid",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwSceneFlow, gridFile),
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED | HW_KEY_TOGETHER,
     .example = "current.csv",
     .doc = "a CSV file with the columns `x`, `y`, `depth`, `time`, `u`, `v`, `w`: a velocity at every point "
            "of a grid; "
            "adds to the others"},
    {.name = "lee",
     .type = HW_KEY_ONE_OR_LIST,
     .offset = offsetof(hwSceneFlow, lees),
     .section = &lee,
     .example = "{behind: pile}",
     .doc = "obstacles behind which the current is weaker"},
};

static const hwSection current = {.title = "`current`",
                                  .heading = "environment.current",
                                  .size = sizeof(hwSceneFlow),
                                  HW_KEYS(currentKeys),
                                  .shorthand = "uniform",
                                  .isShorthand = IsFlowShorthand,
                                  .doc = "The velocity the water goes with, where it goes to. A signal may "
                                         "stand here by itself. A `grid` gives u, v, w (m/s, "
                                         "world axes) at x, y (m), depth (m below the mean surface) and time "
                                         "(s); rows in any order, every combination of "
                                         "the values that occur once. `x`, `y`, `depth`, `time` may be left "
                                         "out, then it does not change with that; `w` "
                                         "left out is 0. Straight lines between neighbours along each axis; "
                                         "outside the grid it is as at its edge, "
                                         "and `hawser check` says what the grid covers."};

static const hwKey windKeys[] = {
    {.name = "uniform",
     .type = HW_KEY_VECTOR_SIGNAL,
     .offset = offsetof(hwSceneFlow, uniform),
     .unit = "m/s",
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED | HW_KEY_TOGETHER,
     .example = "[8, 0, 0]",
     .doc = "the same everywhere"},
    {.name = "profile",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneFlow, profile),
     .section = &heightProfile,
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED | HW_KEY_TOGETHER,
     .example = "{height: [0, 10], velocity: [[0, 0, 0], [8, 0, 0]]}",
     .doc = "by height; adds to `uniform`"},
    {.name = "gust",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneFlow, gust),
     .range = HW_RANGE(0, 1),
     .fallback = "0",
     .example = "0.15",
     .doc = "standard deviation of the gusts over the mean speed"},
    {.name = "seed",
     .type = HW_KEY_SEED,
     .offset = offsetof(hwSceneFlow, seed),
     .fallback = "1",
     .example = "7",
     .doc = "of the gusts; another seed, another hour of the same weather"},
};

static const hwSection wind = {.title = "`wind`",
                               .heading = "environment.wind",
                               .size = sizeof(hwSceneFlow),
                               HW_KEYS(windKeys),
                               .shorthand = "uniform",
                               .isShorthand = IsFlowShorthand,
                               .doc = "The velocity the air goes with, where it goes to; it acts on what is "
                                      "above the water. A signal may stand "
                                      "here by itself."};

// Waves ------------------------------------------------------------------------------------------------------------

static const hwKey airyKeys[] = {
    {.name = "height",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneAiry, def.height),
     .flags = HW_KEY_REQUIRED,
     .unit = "m",
     .range = HW_FROM(0),
     .example = "2",
     .doc = "crest to trough"},
    {.name = "period",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneAiry, def.period),
     .flags = HW_KEY_REQUIRED,
     .unit = "s",
     .range = HW_ABOVE(0),
     .example = "8",
     .doc = "crest to crest"},
    {.name = "direction",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneAiry, def.direction),
     .flags = HW_KEY_ANGLE,
     .unit = "rad",
     .fallback = "0",
     .example = "1",
     .doc = "where it goes, counter-clockwise from +x"},
    {.name = "phase",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneAiry, def.phase),
     .flags = HW_KEY_ANGLE,
     .unit = "rad",
     .fallback = "0",
     .example = "1",
     .doc = "at 0 a crest passes the origin at time 0"},
};

static const hwSection airy = {.title = "a regular wave",
                               .heading = "environment.waves.airy",
                               .size = sizeof(hwSceneAiry),
                               HW_KEYS(airyKeys),
                               .doc = "A regular wave of small steepness; a list of them adds up."};

// Keys that all random seas have, after their own; `count`: how many waves by default, as text.
#define RANDOM_SEA_KEYS(Sea, count)                                                                          \
    {.name = "direction",                                                                                    \
     .type = HW_KEY_NUMBER,                                                                                  \
     .offset = offsetof(Sea, def.direction),                                                                 \
     .flags = HW_KEY_ANGLE,                                                                                  \
     .unit = "rad",                                                                                          \
     .fallback = "0",                                                                                        \
     .example = "1",                                                                                         \
     .doc = "where the waves go on average, counter-clockwise from +x"},                                     \
        {.name = "spreading",                                                                                \
         .type = HW_KEY_NUMBER,                                                                              \
         .offset = offsetof(Sea, def.spreading),                                                             \
         .range = HW_RANGE(0, 1000),                                                                         \
         .fallback = "0",                                                                                    \
         .example = "10",                                                                                    \
         .doc = "s of the spread cos²ˢ(θ/2) of directions about the mean; 0: all waves go one way"},         \
        {.name = "seed",                                                                                     \
         .type = HW_KEY_SEED,                                                                                \
         .offset = offsetof(Sea, def.seed),                                                                  \
         .fallback = "1",                                                                                    \
         .example = "42",                                                                                    \
         .doc = "another seed, another hour of the same sea"},                                               \
    {                                                                                                        \
        .name = "components", .type = HW_KEY_INTEGER, .offset = offsetof(Sea, def.components),               \
        .range = HW_RANGE(1, 2048), .fallback = count, .example = "100",                                     \
        .doc = "how many waves make up the sea"                                                              \
    }

static const hwKey jonswapKeys[] = {
    {.name = "hs",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneJonswap, def.hs),
     .flags = HW_KEY_REQUIRED,
     .unit = "m",
     .range = HW_FROM(0),
     .example = "2",
     .doc = "significant height"},
    {.name = "tp",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneJonswap, def.tp),
     .flags = HW_KEY_REQUIRED,
     .unit = "s",
     .range = HW_ABOVE(0),
     .example = "8",
     .doc = "peak period"},
    {.name = "gamma",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneJonswap, def.gamma),
     .range = HW_RANGE(1, 20),
     .fallback = "3.3",
     .example = "2",
     .doc = "height of the peak; 1 is a Pierson-Moskowitz sea"},
    RANDOM_SEA_KEYS(hwSceneJonswap, "200"),
};

static const hwSection jonswap = {.title = "`jonswap`",
                                  .heading = "environment.waves.jonswap",
                                  .size = sizeof(hwSceneJonswap),
                                  HW_KEYS(jonswapKeys),
                                  .doc = "A random sea (Hasselmann et al. 1973)."};

static const hwKey torsethaugenKeys[] = {
    {.name = "hs",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneSea, hs),
     .flags = HW_KEY_REQUIRED,
     .unit = "m",
     .range = HW_ABOVE(0),
     .example = "2",
     .doc = "significant height of the whole sea"},
    {.name = "tp",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneSea, tp),
     .flags = HW_KEY_REQUIRED,
     .unit = "s",
     .range = HW_ABOVE(0),
     .example = "8",
     .doc = "period of its higher peak"},
    RANDOM_SEA_KEYS(hwSceneSea, "300"),
};
static const hwSection torsethaugen = {.title = "`torsethaugen`",
                                       .heading = "environment.waves.torsethaugen",
                                       .size = sizeof(hwSceneSea),
                                       HW_KEYS(torsethaugenKeys),
                                       .check = hwCheckTorsethaugen,
                                       .doc = "A random sea of wind waves and swell in the North Sea "
                                              "(Torsethaugen & Haver 2004, DNV-RP-C205): hs and tp "
                                              "decide how it is shared."};

static const hwKey ochiHubbleKeys[] = {
    {.name = "hs",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwSceneSea, heights),
     .flags = HW_KEY_REQUIRED,
     .unit = "m",
     .range = HW_FROM(0),
     .sizes = {2},
     .example = "[1.5, 2]",
     .doc = "significant heights of swell and wind sea"},
    {.name = "tp",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwSceneSea, periods),
     .flags = HW_KEY_REQUIRED,
     .unit = "s",
     .range = HW_ABOVE(0),
     .sizes = {2},
     .example = "[13, 7]",
     .doc = "their peak periods"},
    {.name = "lambda",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwSceneSea, lambdas),
     .flags = HW_KEY_REQUIRED,
     .range = HW_ABOVE(0),
     .sizes = {2},
     .example = "[3, 1]",
     .doc = "how sharp the peaks are; 1 is a Pierson-Moskowitz sea"},
    RANDOM_SEA_KEYS(hwSceneSea, "300"),
};
static const hwSection ochiHubble = {.title = "`ochi_hubble`",
                                     .heading = "environment.waves.ochi_hubble",
                                     .size = sizeof(hwSceneSea),
                                     HW_KEYS(ochiHubbleKeys),
                                     .check = hwCheckOchiHubble,
                                     .doc = "A random sea with two peaks (Ochi & Hubble 1976)."};

static const hwKey spectrumKeys[] = {
    {.name = "file",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwSceneSea, file),
     .flags = HW_KEY_REQUIRED,
     .example = "spectrum.csv",
     .doc = "CSV with a row of names; a second row of units is skipped"},
    {.name = "density",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwSceneSea, column),
     .flags = HW_KEY_REQUIRED,
     .example = "S",
     .doc = "the column of densities, one-sided: m²/Hz, or m² s where `unit` is `rad`"},
    {.name = "frequency",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwSceneSea, time),
     .fallback = "(the first column)",
     .example = "f",
     .doc = "the column of frequencies, rising"},
    {.name = "unit",
     .type = HW_KEY_CHOICE,
     .offset = offsetof(hwSceneSea, unit),
     .choices = HW_CHOICES({"hz", 0}, {"rad", 1}),
     .fallback = "hz",
     .example = "rad",
     .doc = "frequencies in Hz or in rad/s"},
    {.name = "hs",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneSea, hs),
     .unit = "m",
     .range = HW_FROM(0),
     .fallback = "0",
     .example = "2",
     .doc = "the spectrum is scaled to this significant height; 0: as it is"},
    RANDOM_SEA_KEYS(hwSceneSea, "300"),
};
static const hwSection spectrum = {
    .title = "`spectrum`",
    .heading = "environment.waves.spectrum",
    .size = sizeof(hwSceneSea),
    HW_KEYS(spectrumKeys),
    .check = hwCheckSpectrum,
    .doc = "A random sea with a measured spectrum. Waves of 0.1 to 1000 s count."};

static const hwKey elevationKeys[] = {
    {.name = "file",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwSceneSea, file),
     .flags = HW_KEY_REQUIRED,
     .example = "elevation.csv",
     .doc = "CSV with a row of names; a second row of units is skipped"},
    {.name = "column",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwSceneSea, column),
     .flags = HW_KEY_REQUIRED,
     .example = "eta",
     .doc = "the column of heights, m; their mean is left out"},
    {.name = "time",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwSceneSea, time),
     .fallback = "(the first column)",
     .example = "t",
     .doc = "the column of times, s, at equal distances"},
    {.name = "direction",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneSea, def.direction),
     .flags = HW_KEY_ANGLE,
     .unit = "rad",
     .fallback = "0",
     .example = "1",
     .doc = "where the waves go, counter-clockwise from +x"},
    {.name = "components",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(hwSceneSea, def.components),
     .range = HW_RANGE(1, 2048),
     .fallback = "1000",
     .example = "500",
     .doc = "at most so many waves, the highest ones"},
};
static const hwSection elevation = {.title = "`elevation`",
                                    .heading = "environment.waves.elevation",
                                    .size = sizeof(hwSceneSea),
                                    HW_KEYS(elevationKeys),
                                    .check = hwCheckElevation,
                                    .doc = "The recorded surface at the world's origin, of up to 8192 rows: "
                                           "its harmonics, all going one way. After its "
                                           "last row it begins again."};

static const hwKey wavesKeys[] = {
    {.name = "airy",
     .type = HW_KEY_ONE_OR_LIST,
     .offset = offsetof(hwSceneWaves, airy),
     .section = &airy,
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED | HW_KEY_TOGETHER,
     .example = "{height: 2, period: 8}",
     .doc = "regular waves"},
    {.name = "jonswap",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneWaves, jonswap),
     .section = &jonswap,
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED | HW_KEY_TOGETHER,
     .example = "{hs: 2, tp: 8}",
     .doc = "a random sea"},
    {.name = "torsethaugen",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneWaves, torsethaugen),
     .section = &torsethaugen,
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED | HW_KEY_TOGETHER,
     .example = "{hs: 3, tp: 10}",
     .doc = "a random sea of wind waves and swell"},
    {.name = "ochi_hubble",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneWaves, ochiHubble),
     .section = &ochiHubble,
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED | HW_KEY_TOGETHER,
     .example = "{hs: [1.5, 2], tp: [13, 7], lambda: [3, 1]}",
     .doc = "a random sea with two peaks"},
    {.name = "spectrum",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneWaves, spectrum),
     .section = &spectrum,
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED | HW_KEY_TOGETHER,
     .example = "{file: spectrum.csv, density: S}",
     .doc = "a random sea with a measured spectrum"},
    {.name = "elevation",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneWaves, elevation),
     .section = &elevation,
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED | HW_KEY_TOGETHER,
     .example = "{file: elevation.csv, column: eta}",
     .doc = "a recorded surface"},
    {.name = "ramp",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneWaves, ramp),
     .unit = "s",
     .range = HW_FROM(0),
     .fallback = "0",
     .example = "20",
     .doc = "the waves grow from calm water over this time, from the start on; 0: they are there at once"},
    {.name = "surface",
     .type = HW_KEY_CHOICE,
     .offset = offsetof(hwSceneWaves, surface),
     .choices = HW_CHOICES({"moving", 0}, {"flat", 1}),
     .fallback = "moving",
     .example = "flat",
     .doc = "`moving`: the waves' motion is stretched to the surface that they raise (Wheeler 1970); `flat`: "
            "first-order theory, the surface stays level and nothing is stretched, also of the other waves"},
    {.name = "sampling",
     .type = HW_KEY_CHOICE,
     .offset = offsetof(hwSceneWaves, sampling),
     .choices = HW_CHOICES({"interpolated", 0}, {"exact", 1}),
     .fallback = "interpolated",
     .example = "exact",
     .doc = "`interpolated`: at the nodes of cables the motion of a sea of 32 waves or more is interpolated "
            "between its sums, within 1e-3 of its orbital speed at the surface; `exact`: it is summed up at "
            "each "
            "evaluation"},
};

static const hwSection waves = {
    .title = "`waves`", .heading = "environment.waves", .size = sizeof(hwSceneWaves), HW_KEYS(wavesKeys)};

// Seabed -----------------------------------------------------------------------------------------------------------

static const hwKey seabedMeshKeys[] = {
    {.name = "file",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwSceneMesh, file),
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED,
     .example = "bottom.obj",
     .doc = "a file of triangles: .obj, .stl, .ply, .wrl, .gltf and others; coordinates in m, z up"},
    {.name = "vertices",
     .type = HW_KEY_VECTORS,
     .offset = offsetof(hwSceneMesh, vertices),
     .group = 1,
     .unit = "m",
     .flags = HW_KEY_ONE_NEEDED,
     .example = "[[0, 0, 0], [1, 0, 0], [0, 1, 0]]",
     .doc = "corners, with `triangles`"},
    {.name = "triangles",
     .type = HW_KEY_SPECIAL,
     .read = hwReadTriangles,
     .form = "list of [i, j, k]",
     .offset = offsetof(hwSceneMesh, triangleCount),
     .needs = "vertices",
     .example = "[[0, 1, 2]]",
     .bad = "[[0, 1]]",
     .doc = "three corners each, counted from 0"},
};

static const hwSection seabedMesh = {.title = "a mesh",
                                     .heading = "environment.seabed.mesh",
                                     .size = sizeof(hwSceneMesh),
                                     HW_KEYS(seabedMeshKeys),
                                     .shorthand = "file",
                                     .check = hwCheckMesh};

static const hwKey seabedKeys[] = {
    {.name = "depth",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneSeabed, depth),
     .unit = "m",
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED | HW_KEY_TOGETHER,
     .example = "200",
     .doc = "a plane this far below the mean surface (below z = 0 when dry); beside a mesh or heightfield, "
            "the water depth the waves feel"},
    {.name = "heightfield",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwSceneSeabed, heightfield),
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED | HW_KEY_TOGETHER,
     .example = "bottom.txt",
     .doc = "a file with a grid of heights"},
    {.name = "mesh",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneSeabed, mesh),
     .section = &seabedMesh,
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED | HW_KEY_TOGETHER,
     .example = "{vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]]}",
     .doc = "triangles"},
    {.name = "spacing",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneSeabed, spacing),
     .unit = "m",
     .range = HW_ABOVE(0),
     .needs = "heightfield",
     .fallback = "(that of the file)",
     .example = "2",
     .doc = "between the heights of a grid"},
    {.name = "origin",
     .type = HW_KEY_VECTOR,
     .offset = offsetof(hwSceneSeabed, origin),
     .unit = "m",
     .needs = "heightfield",
     .fallback = "[0, 0, 0]",
     .example = "[-10, -10, -20]",
     .doc = "where the first height stands; z is added to all heights"},
    {.name = "stiffness",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneSeabed, stiffness),
     .unit = "Pa/m",
     .range = HW_FROM(0),
     .fallback = "1e5",
     .example = "2e5",
     .doc = "of the ground, per area of contact"},
    {.name = "damping",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneSeabed, damping),
     .unit = "Pa s/m",
     .range = HW_FROM(0),
     .fallback = "1e4",
     .example = "2e4",
     .doc = "of the ground, per area of contact"},
    {.name = "friction",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneSeabed, friction),
     .range = HW_FROM(0),
     .fallback = "0.5",
     .example = "0.3",
     .doc = "Coulomb's coefficient of everything that lies on it; those of materials do not count there"},
};

static const hwSection seabed = {.title = "`seabed`",
                                 .heading = "environment.seabed",
                                 .size = sizeof(hwSceneSeabed),
                                 HW_KEYS(seabedKeys),
                                 .check = hwCheckSeabed};

static const hwKey gaugeKeys[] = {
    {.name = "name",
     .type = HW_KEY_NAME,
     .offset = offsetof(hwSceneGauge, name),
     .flags = HW_KEY_REQUIRED,
     .example = "bow",
     .doc = "the channel is `name.elevation`"},
    {.name = "at",
     .type = HW_KEY_NUMBERS,
     .offset = offsetof(hwSceneGauge, at),
     .unit = "m",
     .sizes = {2},
     .flags = HW_KEY_REQUIRED,
     .example = "[50, 0]",
     .doc = "x and y in the world"},
};

static const hwSection gauge = {
    .title = "a wave gauge",
    .heading = "environment.gauges",
    .doc = "The height of the surface above its mean level at a fixed place, as a channel.",
    .size = sizeof(hwSceneGauge),
    HW_KEYS(gaugeKeys)};

static const hwKey environmentKeys[] = {
    {.name = "gravity",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwSceneEnvironment, gravity),
     .unit = "m/s²",
     .range = HW_RANGE(0, 1000),
     .fallback = "9.81",
     .example = "9.8",
     .doc = "downwards"},
    {.name = "water",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneEnvironment, water),
     .section = &water,
     .fallback = "(dry: everything is in air)",
     .example = "{density: 1025}",
     .doc = "the sea; `{}` takes the defaults"},
    {.name = "air",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneEnvironment, air),
     .section = &air,
     .flags = HW_KEY_ALWAYS,
     .example = "{density: 1.2}",
     .doc = "the air above it; left out, it slows nothing down unless there is wind"},
    {.name = "current",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneEnvironment, current),
     .section = &current,
     .needs = "water",
     .example = "{uniform: [0.5, 0, 0]}",
     .doc = "motion of the water"},
    {.name = "wind",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneEnvironment, wind),
     .section = &wind,
     .example = "{uniform: [8, 0, 0]}",
     .doc = "motion of the air"},
    {.name = "waves",
     .type = HW_KEY_ONE_OR_LIST,
     .offset = offsetof(hwSceneEnvironment, waves),
     .section = &waves,
     .needs = "water",
     .example = "{airy: {height: 2, period: 8}}",
     .doc = "motion of the surface and the water below"},
    {.name = "seabed",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwSceneEnvironment, seabed),
     .section = &seabed,
     .fallback = "(none: deep water)",
     .example = "{depth: 200}",
     .doc = "the bottom"},
    {.name = "gauges",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwSceneEnvironment, gauges),
     .section = &gauge,
     .needs = "water",
     .example = "[{name: bow, at: [50, 0]}]",
     .doc = "places where the height of the surface is recorded"},
};

const hwSection hwSection_environment = {.title = "`environment`",
                                         .heading = "environment",
                                         .size = sizeof(hwSceneEnvironment),
                                         HW_KEYS(environmentKeys),
                                         .check = hwCheckEnvironment};
