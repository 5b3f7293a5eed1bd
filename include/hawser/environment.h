/// @file environment.h
/// Gravity, water and air, current, waves, wind and seabed.
///
/// Everything adds up: below the moving surface the flow is uniform current + profile + grid + the user's function, weaker in
/// the lee of obstacles, + waves; above it uniform wind + profile, both times one plus the gust, + the user's function. Waves are linear
/// (Airy) and do not feel the current; their motion is stretched to the moving surface (Wheeler 1970) unless that is flat.
#ifndef HAWSER_ENVIRONMENT_H
#define HAWSER_ENVIRONMENT_H

#include "hawser/base.h"
#include "hawser/math.h"
#include "hawser/shape.h"
#include "hawser/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The fluid at one point and time, world axes.
typedef struct hwFluidSample {
    hwVec3 velocity;     ///< m/s
    hwVec3 acceleration; ///< m/s2, of the fluid particle; of waves, as linear theory has it, the local part
    double density;      ///< kg/m3: water up to the surface, air above
    double viscosity;    ///< m2/s, kinematic
    double surface; ///< m, height of the water surface above or below this point; -inf when there is no water
    double surfaceRate; ///< m/s, vertical speed of the surface there
    hwVec3 normal;      ///< unit normal of the water surface there, pointing up
} hwFluidSample;

/// Adds a user's own current or wind to `velocity` and `acceleration` (world axes) at `count` points. Must depend
/// on its arguments only, and be safe to call from several threads at once.
typedef void hwFlowFn(int count, const hwVec3* points, double time, hwVec3* velocity, hwVec3* acceleration,
                      void* context);

/// Flow over a grid in x, y, level and time, from another program or from measurements: four straight lines between
/// neighbours (quadrilinear), and beyond an axis the value at its end. An axis with one entry: the same all along it.
typedef struct hwFlowGridDef {
    int xCount;           ///< entries of `x`; 0: there is no grid
    int yCount;           ///< entries of `y`, at least 1
    int levelCount;       ///< entries of `levels`, at least 1
    int timeCount;        ///< entries of `times`, at least 1
    const double* x;      ///< m, world, increasing
    const double* y;      ///< m, world, increasing
    const double* levels; ///< m, increasing: depth below the mean surface (current) or height above it (wind)
    const double* times;  ///< s, increasing
    const hwVec3* velocities; ///< m/s at [time][level][y][x], x runs fastest
} hwFlowGridDef;

/// Steady or slowly varying flow: current (by depth) or wind (by height).
typedef struct hwFlowDef {
    hwSignal uniform;     ///< m/s, the same everywhere; absent: none
    int count;            ///< rows of the profile, 0: none
    const double* levels; ///< m, increasing: depth below the mean surface (current) or height above it (wind)
    const hwVec3* velocities; ///< m/s at the levels, straight lines between, constant outside
    int timeCount;            ///< 0: the profile is steady; else `velocities` has `count` rows for each time
    const double* times;      ///< s, increasing; straight lines between, constant before and after
    hwFlowGridDef grid;       ///< by place, level and time; adds to the others
    double gust;        ///< wind only, 0..1: standard deviation of the speed over its mean, 0: none. One
                        ///< random factor for all places, along the mean wind; spectrum of Davenport
                        ///< (1961) up to 1 Hz for the mean speed 10 m up during the first hour
    uint64_t gustSeed;  ///< seed of the gust's frequencies and phases
    hwFlowFn* function; ///< a user's own flow, or null
    void* context;      ///< given to `function`
} hwFlowDef;

/// One regular linear wave.
typedef struct hwAiryDef {
    double height;    ///< m, crest to trough
    double period;    ///< s
    double direction; ///< rad, counter-clockwise from +x, where the wave goes
    double phase;     ///< rad; a crest passes the origin at t = phase period / (2 pi)
} hwAiryDef;

/// A random sea (Hasselmann et al. 1973).
typedef struct hwJonswapDef {
    double hs;        ///< m, significant height, four standard deviations of the surface; 0: no waves
    double tp;        ///< s, peak period
    double gamma;     ///< peak enhancement, 1 is Pierson-Moskowitz
    double direction; ///< rad, mean direction the waves go
    double spreading; ///< s in cos^2s((theta - direction)/2); 0: long-crested
    uint64_t seed;    ///< of phases, frequencies and directions
    int components; ///< number of harmonics, from 0.5 to 4 peak frequencies; with the regular waves at most 2048
} hwJonswapDef;

/// A random sea with a spectrum of one's own: measured, or one of hawser/spectrum.h. Arrays are copied.
typedef struct hwSeaDef {
    int count;                 ///< rows of the spectrum, at least two
    const double* frequencies; ///< rad/s, positive, increasing
    const double* densities;   ///< m2 s, one-sided, not negative; straight lines between, nothing outside
    double direction;          ///< rad, mean direction the waves go
    double spreading;          ///< s in cos^2s((theta - direction)/2); 0: long-crested
    uint64_t seed;             ///< of phases, frequencies and directions
    int components; ///< number of harmonics, in bins of equal width over the rows; all waves together at most 2048
} hwSeaDef;

/// Forms of the bottom.
typedef enum hwSeabedKind {
    HW_SEABED_NONE,        ///< bottomless
    HW_SEABED_PLANE,       ///< flat, at `depth`
    HW_SEABED_HEIGHTFIELD, ///< heights over a grid
    HW_SEABED_MESH         ///< triangles
} hwSeabedKind;

/// The bottom. Contact stiffness and damping are per unit area of contact.
typedef struct hwSeabedDef {
    hwSeabedKind kind; ///< which of the fields below count
    double depth;      ///< m, of a plane below the mean water surface (`surface`); for waves also the water
                       ///< depth over the other kinds, where 0 means their mean. No seabed: deep water
    int columns;       ///< heightfield: samples along x
    int rows;          ///< heightfield: samples along y
    double spacing;    ///< heightfield: m between samples
    hwVec3 origin;     ///< heightfield: position of the first sample; z is added to all heights
    const double* heights; ///< heightfield: rows x columns, row by row, m above `origin.z`
    hwMeshData mesh;       ///< mesh
    double stiffness;      ///< Pa/m
    double damping;        ///< Pa s/m
    double friction;       ///< Coulomb coefficient
} hwSeabedDef;

/// A wave gauge: the channel `name.elevation` is the height of the surface above its mean level there.
typedef struct hwWaveGaugeDef {
    const char* name; ///< letters, digits, _ and -
    double x;         ///< m, world
    double y;         ///< m, world
} hwWaveGaugeDef;

/// How the water goes on behind an obstacle.
typedef enum hwLeeKind {
    HW_LEE_WAKE,  ///< turbulent wake, widening and recovering downstream (Huse 1993, after Schlichting)
    HW_LEE_SHADOW ///< still water in the obstacle's shadow up to `length` behind it
} hwLeeKind;

/// The lee of an obstacle that does not move: a rod from `from` to `to`, a ball where they are the same. The current U
/// becomes U (1 - d), with d by the place relative to the rod as the current there sees it: x downstream, y across. Waves are
/// left alone. Where lees overlap each acts on what the others leave. It turns with the current at once.
/// Wake: d = min(1, k2 sqrt(C D / s) exp(-0.693 (y / b)^2)), b = k1 sqrt(C D s), s = x + 4 D / C, k1 = 0.25, k2 = 1;
/// D is the rod's width across the current and C its drag coefficient. It rises from 0 at x = 0 to that at x = D / 2.
/// Shadow: d = 1 where y < D / 2 and D / 2 < x < length, with rims of a tenth of D that are smooth.
typedef struct hwLeeDef {
    hwLeeKind kind;  ///< which of the two
    hwVec3 from;     ///< m, world: one end of the rod's axis
    hwVec3 to;       ///< m, world: the other
    double diameter; ///< m, of a round rod or ball; 0 beside `edges`
    hwVec3 edges[2]; ///< m, of a box: its two edges across the axis; zero: round
    double drag;     ///< drag coefficient of the obstacle, above 0 to 2; wake
    double length;   ///< m from the axis to the end of the shadow; shadow
} hwLeeDef;

/// Everything around the objects. Start from hwDefaultEnvironmentDef(): gravity 9.81, dry, still.
typedef struct hwEnvironmentDef {
    double gravity;        ///< m/s2, downwards
    bool water;            ///< false: everything is in air
    double waterDensity;   ///< kg/m3
    double waterViscosity; ///< m2/s, kinematic
    double surface;        ///< m, mean level of the water surface
    double airDensity;     ///< kg/m3; 0: none, nothing in the air is slowed down. With wind, 0 counts as 1.2
    double airViscosity;   ///< m2/s, kinematic
    hwFlowDef current;     ///< of the water, by depth
    int leeCount;          ///< entries of `lees`
    const hwLeeDef* lees;  ///< obstacles behind which the current is weaker
    hwFlowDef wind;        ///< of the air, by height
    int airyCount;         ///< entries of `airy`
    const hwAiryDef* airy; ///< regular waves, added
    hwJonswapDef jonswap;  ///< a random sea, added
    int seaCount;          ///< entries of `seas`
    const hwSeaDef* seas;  ///< more random seas, added: swell beside a wind sea, measured spectra
    double waveRamp;       ///< s over which the waves grow from calm water; 0: they are there at once
    double waveStart;      ///< s, world time at which they begin to grow
    bool
        flatSurface; ///< first-order theory: the surface stays level, the waves' motion is not stretched to it
    bool exactWaves; ///< cables' nodes too sum all harmonics of a random sea at each evaluation, instead of
                     ///< interpolating between sums: slower, within 1e-3 of the sea's orbital speed the same
    hwSeabedDef seabed;           ///< the bottom
    int gaugeCount;               ///< entries of `gauges`
    const hwWaveGaugeDef* gauges; ///< places where the height of the surface is recorded
    int cookie;                   ///< set by hwDefaultEnvironmentDef
} hwEnvironmentDef;

/// One harmonic of the sea: the surface is raised by amplitude cos(k (x cos(direction) + y sin(direction)) - omega t +
/// phase).
typedef struct hwWaveComponent {
    double amplitude; ///< m
    double omega;     ///< rad/s
    double k;         ///< rad/m
    double direction; ///< rad, counter-clockwise from +x, where it goes
    double phase;     ///< rad
} hwWaveComponent;

/// Gravity 9.81 m/s2, no water, still air.
HW_API hwEnvironmentDef hwDefaultEnvironmentDef(void);

#ifdef __cplusplus
}
#endif
#endif
