// What a scene file holds once read: plain structures, one for each section of the schema, everything in SI and radians.
// Each begins with its place in the file.
#ifndef HW_IO_SCENE_MODEL_H
#define HW_IO_SCENE_MODEL_H

#include "hawser/instrument.h"
#include "hawser/mechanism.h"
#include "hawser/scene.h"
#include "schema.h"

// Attitude as written and as a quaternion; `value` is set whenever the section was read.
typedef struct hwSceneAttitude {
    hwPlace place;
    hwVec3 rpy;
    hwNumbers quat;
    hwQuat value;
} hwSceneAttitude;

// Attitude, or the identity when none was given.
static inline hwQuat hwSceneAttitude_Get(const hwSceneAttitude* attitude) {
    return attitude->place.line > 0 ? attitude->value : hwQuat_identity;
}

// Signals ----------------------------------------------------------------------------------------------------------

typedef struct hwSceneSine {
    hwPlace place;
    hwVec3 amplitude, period, phase, offset;
} hwSceneSine;

typedef struct hwSceneRamp {
    hwPlace place;
    hwVec3 from, to;
    double start, end;
} hwSceneRamp;

enum { HW_SCENE_LINEAR, HW_SCENE_CUBIC };

typedef struct hwSceneTable {
    hwPlace place;
    hwNumbers time;
    hwVectors value;
    int interpolation;
} hwSceneTable;

typedef struct hwSceneSignal {
    hwPlace place;
    hwVec3 constant;
    hwSceneSine sine;
    hwSceneRamp ramp;
    hwSceneTable table;
    const char* csv;
    int columnCount;
    const char* columns[3];
    const char* timeColumn;
    int interpolation;
    hwSignal sum;
} hwSceneSignal;

// Environment ------------------------------------------------------------------------------------------------------

typedef struct hwSceneFluid {
    hwPlace place;
    double density, viscosity, surface;
} hwSceneFluid;

typedef struct hwSceneProfile {
    hwPlace place;
    hwNumbers levels;
    hwVectors velocity;
    hwNumbers times;
} hwSceneProfile;

typedef struct hwSceneLee {
    hwPlace place;
    hwRef behind;
    int model; // hwLeeKind
    double drag, length;
} hwSceneLee;

typedef struct hwSceneFlow {
    hwPlace place;
    hwSignal uniform;
    hwSceneProfile profile;
    const char* gridFile;
    hwFlowGridDef grid;
    hwItems lees; // hwSceneLee
    double gust;
    uint64_t seed;
} hwSceneFlow;

typedef struct hwSceneAiry {
    hwPlace place;
    hwAiryDef def;
} hwSceneAiry;

typedef struct hwSceneJonswap {
    hwPlace place;
    hwJonswapDef def;
} hwSceneJonswap;

// A sea by its spectrum, or by a record of its surface.
typedef struct hwSceneSea {
    hwPlace place;
    double hs, tp;                       // torsethaugen; hs also of a spectrum: 0: as it is
    hwNumbers heights, periods, lambdas; // ochi_hubble
    const char *file, *column, *time;    // spectrum, elevation
    int unit;                            // of a spectrum's frequencies: 0: Hz, 1: rad/s
    hwSeaDef def;
    int airyCount; // elevation
    const hwAiryDef* airy;
} hwSceneSea;

typedef struct hwSceneWaves {
    hwPlace place;
    hwItems airy; // hwSceneAiry
    hwSceneJonswap jonswap;
    hwSceneSea torsethaugen, ochiHubble, spectrum, elevation;
    double ramp;
    int surface;  // 0: moving, 1: flat
    int sampling; // 0: interpolated, 1: exact
} hwSceneWaves;

typedef struct hwSceneMesh {
    hwPlace place;
    const char* file;
    hwVectors vertices;
    int triangleCount;
    const int (*triangles)[3];
    hwMeshData data; // read from the file or the lists above
} hwSceneMesh;

typedef struct hwSceneSeabed {
    hwPlace place;
    double depth, stiffness, damping, friction;
    const char* heightfield;
    hwSceneMesh mesh;
    double spacing;
    hwVec3 origin;
    int columns, rows;
    const double* heights;
} hwSceneSeabed;

typedef struct hwSceneGauge {
    hwPlace place;
    const char* name;
    hwNumbers at; // x, y
} hwSceneGauge;

typedef struct hwSceneEnvironment {
    hwPlace place;
    double gravity;
    hwSceneFluid water, air;
    hwSceneFlow current, wind;
    hwItems waves; // hwSceneWaves
    hwSceneSeabed seabed;
    hwItems gauges;       // hwSceneGauge
    hwEnvironmentDef def; // made from the above
} hwSceneEnvironment;

// Materials and contact --------------------------------------------------------------------------------------------

typedef struct hwSceneFriction {
    hwPlace place;
    double staticValue, kinetic;
    int model;
    double velocity, rolling, spinning, stribeck;
} hwSceneFriction;

typedef struct hwSceneMaterial {
    hwPlace place;
    const char* name;
    double young, damping, rateExponent, hardening;
    hwSceneFriction friction;
} hwSceneMaterial;

typedef struct hwScenePair {
    hwRef a, b;
} hwScenePair;

typedef struct hwScenePairs {
    int count;
    const hwScenePair* items;
} hwScenePairs;

typedef struct hwSceneContact {
    hwPlace place;
    hwScenePairs ignore, watch;
    bool off, pressureCentre, bedPerShape, cables;
    int reserve, overlaps;
} hwSceneContact;

// Bodies -----------------------------------------------------------------------------------------------------------

typedef struct hwSceneRound {
    hwPlace place;
    double radius, diameter, length;
} hwSceneRound;

typedef struct hwSceneHull {
    hwPlace place;
    const char* file;
    hwVectors points;
    hwMeshData data;
} hwSceneHull;

typedef struct hwSceneShape {
    hwPlace place;
    int parts;
    bool undivided; // `parts` was not given
    hwVec3 box;
    hwSceneRound sphere, cylinder, capsule;
    hwSceneMesh mesh;
    hwSceneHull hull;
    hwVec3 position;
    hwSceneAttitude attitude;
    hwNumbers scale;
    hwRef material;
    hwShapeDef def;
} hwSceneShape;

typedef struct hwSceneStrip {
    hwPlace place;
    hwVec3 from, to;
    double diameter, normal, tangential;
    int count, curve;
} hwSceneStrip;

typedef struct hwSceneLift {
    hwPlace place;
    hwVec3 at, normal, ahead;
    double area, slope, stall;
} hwSceneLift;

typedef struct hwSceneSkin {
    hwPlace place;
    double area, length;
} hwSceneSkin;

typedef struct hwSceneSphereDrag {
    hwPlace place;
    double diameter, factor;
} hwSceneSphereDrag;

typedef struct hwSceneDrag {
    hwPlace place;
    hwNumbers linear, quadratic;
    hwItems strips; // hwSceneStrip
    hwItems lift;   // hwSceneLift
    hwSceneSkin skin;
    hwSceneSphereDrag sphere;
} hwSceneDrag;

// Also the section `hydro` of a link; in bodies its keys stand among the body's own.
typedef struct hwSceneHydro {
    hwPlace place;
    double volume;
    hwVec3 buoyancyCenter;
    double addedMass[6][6];
    hwSceneDrag drag;
    bool fromShapes;
    bool hasDrag, hasAddedMass; // given: they stay
    hwHydroDef def;
} hwSceneHydro;

typedef struct hwSceneBox {
    hwPlace place;
    hwFloatingBoxDef def;
} hwSceneBox;

typedef struct hwScenePrescribed {
    hwPlace place;
    hwSignal position, attitude;
    const char* raoFile;
    double raoLength;
    const char *raoVessel, *raoDraught; // null: not given
    hwRaoDef rao;
    hwSceneBox box;
} hwScenePrescribed;

typedef struct hwSceneMotion {
    hwPlace place;
    int kind; // hwMotion
    hwScenePrescribed prescribed;
} hwSceneMotion;

// Files of hydrodynamic coefficients.
typedef struct hwScenePotential {
    hwPlace place;
    const char *radiation, *excitation, *hydrostatics; // .1, .3, .hst; null: not given
    double length, height;
} hwScenePotential;

typedef struct hwSceneBody {
    hwPlace place;
    const char* name;
    double mass;
    hwNumbers inertia;
    hwVec3 com;
    hwSceneAttitude comAttitude;
    hwVec3 position;
    hwSceneAttitude attitude;
    hwVec3 velocity, rate;
    hwSceneHydro hydro;
    hwItems shapes; // hwSceneShape
    hwSceneMotion motion;
    hwScenePotential potential;
    hwBodyDef def;
} hwSceneBody;

// Mechanisms -------------------------------------------------------------------------------------------------------

// A base that moves by itself: a body without a name.
typedef struct hwSceneFreeBase {
    hwPlace place;
    double mass;
    hwNumbers inertia;
    hwVec3 com;
    hwSceneAttitude comAttitude;
    hwVec3 position;
    hwSceneAttitude attitude;
    hwVec3 velocity, rate;
    hwSceneHydro hydro;
    hwItems shapes;
} hwSceneFreeBase;

typedef struct hwSceneBase {
    hwPlace place;
    hwRef on;
    hwSceneFreeBase free;
    hwVec3 position;
    hwSceneAttitude attitude;
} hwSceneBase;

typedef struct hwSceneDh {
    hwPlace place;
    double alpha, a, d, theta;
    double branchD, branchTheta; // mdh
} hwSceneDh;

typedef struct hwSceneFrame {
    hwPlace place;
    hwVec3 position, axis;
    hwSceneAttitude attitude;
} hwSceneFrame;

typedef struct hwSceneLimits {
    hwPlace place;
    hwNumbers range, swing;
    double stiffness, damping;
} hwSceneLimits;

typedef struct hwSceneControl {
    hwPlace place;
    int mode; // position, velocity, passive, effort
    hwSignal target, effort;
    hwSignal targets, efforts; // ball joints
    double kp, ki, kd, power, limit;
    bool compensate;
} hwSceneControl;

typedef struct hwSceneJointFriction {
    hwPlace place;
    double viscous, coulomb, stick;
} hwSceneJointFriction;

typedef struct hwSceneActuator {
    hwPlace place;
    int kind; // ideal, motor, hydraulic
    double inertia, torqueConstant, backEmf, resistance, brushDrop, halfDrop, timeConstant;
} hwSceneActuator;

typedef struct hwSceneFeet {
    hwPlace place;
    hwVectors points;
    double area, stiffness, damping, planarStiffness, planarDamping, friction, kineticFriction;
} hwSceneFeet;

enum { HW_SCENE_AXES = 16 };

typedef struct hwSceneLink {
    hwPlace place;
    const char* name;
    hwRef parent;
    int parentIndex; // -1: the base
    int joint;       // hwJointKind, or HW_SCENE_AXES + hwAxesKind
    hwSceneDh dh, mdh;
    hwSceneFrame frame;
    double mass;
    hwVec3 com;
    hwSceneAttitude comAttitude;
    hwNumbers inertia, q, qd;
    hwSceneLimits limits;
    hwSceneControl control;
    hwSceneJointFriction friction;
    hwSceneActuator actuator;
    hwSceneFeet feet;
    hwSceneHydro hydro;
    hwItems shapes;
} hwSceneLink;

typedef struct hwSceneJaw {
    hwPlace place;
    hwRef link;
} hwSceneJaw;

typedef struct hwSceneTool {
    hwPlace place;
    hwRef link;
    hwVec3 position;
    double speed, turnRate;
    hwItems jaws;  // hwSceneJaw
    hwToolDef def; // filled by its mechanism's check
} hwSceneTool;

typedef struct hwSceneCapacity {
    hwPlace place;
    hwNumbers radius, load;
    hwRef cable;
    int end;
} hwSceneCapacity;

typedef struct hwSceneMechanism {
    hwPlace place;
    const char* name;
    hwSceneBase base;
    hwItems links; // hwSceneLink
    hwSceneTool tool;
    hwSceneCapacity capacity;
} hwSceneMechanism;

// Cables, winches, vehicles ----------------------------------------------------------------------------------------

typedef struct hwSceneCableDamping {
    hwPlace place;
    double axial, bending, torsion;
} hwSceneCableDamping;

typedef struct hwSceneCablePair {
    hwPlace place;
    double normal, tangential;
} hwSceneCablePair;

typedef struct hwSceneFatigue {
    hwPlace place;
    double slope, logA, kneeLife, kneeSlope, tension, bending;
} hwSceneFatigue;

typedef struct hwSceneElementLength {
    hwPlace place;
    double min, max;
} hwSceneElementLength;

// What grows on a cable in the sea.
typedef struct hwSceneGrowth {
    hwPlace place;
    double thickness, density; // m, kg/m3
} hwSceneGrowth;

typedef struct hwSceneStretch {
    hwPlace place;
    hwNumbers strain, tension;
} hwSceneStretch;

typedef struct hwSceneRestrictor {
    hwPlace place;
    double radius, stiffness;
} hwSceneRestrictor;

typedef struct hwSceneStiffener {
    hwPlace place;
    double length, root, tip, young, density;
    int elements;
} hwSceneStiffener;

typedef struct hwSceneCableSection {
    hwPlace place;
    hwSceneStretch stretch;
    hwSceneRestrictor restrictor;
    hwSceneGrowth growth;
    double length;
    int elements;
    double grading;
    double diameter, density, massPerLength, EA, EI, GJ;
    hwSceneCableDamping damping;
    hwSceneCablePair drag, addedMass;
    double compression, breakLoad, bendRadius;
    hwSceneFatigue fatigue;
    hwRef material;
    hwSceneElementLength elementLength;
    const char* type;
} hwSceneCableSection;

// Where a cable end or a force acts: a point, a driven point, an arc length, or a named point of a vehicle.
typedef struct hwSceneSpot {
    int line, column;
    hwSignal point;
    double arc;       // m; NaN: not given
    const char* name; // null: not given
} hwSceneSpot;

typedef struct hwSceneEnd {
    hwPlace place;
    hwRef on;
    hwSceneSpot at;
    int joint;
    hwVec3 p1, p2;
    hwSceneStiffener stiffener;
} hwSceneEnd;

typedef struct hwSceneEnds {
    hwPlace place;
    hwSceneEnd a, b;
} hwSceneEnds;

typedef struct hwSceneCableMass {
    hwPlace place;
    double at, mass, diameter;
} hwSceneCableMass;

typedef struct hwScenePid {
    hwPlace place;
    double kp, ki, kd, friction;
} hwScenePid;

typedef struct hwSceneSeedRules {
    hwPlace place;
    double buoyancy, greatestCurrent, stuckAngle;
    int depth, stuckCount;
} hwSceneSeedRules;

typedef struct hwSceneCableShape {
    hwPlace place;
    int kind; // straight, catenary
    hwVectors points, nodes, velocities;
} hwSceneCableShape;

// A sheave or ring that a cable runs over.
typedef struct hwSceneVia {
    hwPlace place;
    const char* name; // null: made from the cable's
    hwRef on;
    hwSceneSpot at;
    double length; // m, unstretched, from the point before
    double inertia, radius, friction, bearing;
} hwSceneVia;

typedef struct hwSceneCable {
    hwPlace place;
    const char* name;
    int model;        // dynamic, line, vee, catenary, pid
    hwItems sections; // hwSceneCableSection
    hwSceneEnds ends;
    hwSceneCableShape shape;
    hwItems masses; // hwSceneCableMass
    hwScenePid pid;
    hwItems via; // hwSceneVia
    int cuts;    // how often it may part
    double refine;
    int contactNodes;
    int bend, rules;
    hwSceneSeedRules seedRules;
} hwSceneCable;

typedef struct hwSceneDrum {
    hwPlace place;
    double inertia, radius, brake;
} hwSceneDrum;

// A point whose heave a winch takes out.
typedef struct hwSceneCompensation {
    hwPlace place;
    hwRef on;
    hwVec3 at;
    double gain;
} hwSceneCompensation;

typedef struct hwSceneWinch {
    hwPlace place;
    const char* name;
    hwRef cable;
    int end;  // a, b
    int mode; // velocity, tension
    hwSignal setpoint;
    double kp, ki, kd, acceleration, deceleration, longest, spring;
    hwSceneDrum drum;
    hwSceneCompensation compensation;
} hwSceneWinch;

typedef struct hwSceneVehicle {
    hwPlace place;
    const char* name;
    const char* model;
    hwVec3 position;
    hwSceneAttitude attitude;
    hwVec3 velocity, rate;
    bool armed;
    int mode; // hwVehicleMode
    hwVectors route;
} hwSceneVehicle;

typedef struct hwSceneNoise {
    hwPlace place;
    hwNoiseDef def;
} hwSceneNoise;

typedef struct hwSceneInstrument {
    hwPlace place;
    const char* name;
    int kind;
    hwRef on, transceiver;
    hwSceneAttitude attitude;
    hwSceneNoise noise, second;
    hwInstrumentDef def;
} hwSceneInstrument;

// Forces and events ------------------------------------------------------------------------------------------------

typedef struct hwSceneForce {
    hwPlace place;
    hwRef on;
    hwSceneSpot at;
    hwSignal force, torque;
    int frame; // world, body
    int body;  // index of the body it is on, -1: on something else
} hwSceneForce;

// One assignment of an event.
typedef struct hwSceneSet {
    int line, column;
    const char* input;
    double value;     // NaN when it is a word
    const char* word; // null when it is a number or switch
} hwSceneSet;

typedef struct hwSceneAttach {
    hwPlace place;
    hwRef end, on;
    hwSceneSpot at;
    int joint;
    hwVec3 p1, p2;
    double within; // m
} hwSceneAttach;

typedef struct hwSceneCut {
    hwPlace place;
    hwRef cable;
    double at;
} hwSceneCut;

typedef struct hwSceneEvent {
    hwPlace place;
    double at;
    int setCount;
    const hwSceneSet* sets;
    hwRef detach, fail;
    double below; // N
    hwSceneAttach attach;
    hwSceneCut cut;
} hwSceneEvent;

// The scene --------------------------------------------------------------------------------------------------------

// Watches of cables.
typedef struct hwSceneWatchAxis {
    hwPlace place;
    const char* name;
    hwRef on;
    hwVec3 from, to;
    bool ends;
} hwSceneWatchAxis;

typedef struct hwSceneWatchLoop {
    hwPlace place;
    const char* name;
    hwRef on;
    hwVectors points;
} hwSceneWatchLoop;

typedef struct hwSceneRecord {
    int count;
    const hwRef* entries;
} hwSceneRecord;

typedef struct hwSceneWatch {
    hwPlace place;
    hwRef cable;
    int reference; // surface, straight, path
    hwVectors path;
    hwSceneRecord bodies;
    bool find;
    hwItems axes;  // hwSceneWatchAxis
    hwItems loops; // hwSceneWatchLoop
    double bendRadius;
} hwSceneWatch;

typedef struct hwSceneOutput {
    hwPlace place;
    double interval;
    int compress; // hwCompression
} hwSceneOutput;

typedef struct hwSceneSolver {
    hwPlace place;
    int mode, method;
    double tolerance, initial, min, max;
    int threads, crawl;
    bool sleep;
    double restSpeed, restTime;
} hwSceneSolver;

typedef struct hwSceneStart {
    hwPlace place;
    bool statics;
    double time, buildUp;
    const char* state; // path, or null
    double stateTime;  // s, at which a run begins from it
    const void* block; // its state, for hwWorld_AdoptState
    size_t blockSize;
} hwSceneStart;

typedef struct hwSceneTrainer {
    hwPlace place;
    const char *title, *summary;
    hwVec3 spawn;
    double heading;
    const char* launchOn;
    hwVec3 launchAt;
    bool waves;
    double visibility;
    hwVec3 camera, target;
} hwSceneTrainer;

// Lessons ----------------------------------------------------------------------------------------------------------

typedef struct hwSceneZone {
    hwPlace place;
    hwVec3 position;
    double radius;
} hwSceneZone;

typedef struct hwSceneGate {
    hwPlace place;
    hwVec3 position, direction;
    double radius;
} hwSceneGate;

typedef struct hwSceneLook {
    hwPlace place;
    hwVec3 at;
    double nearest, farthest, within;
} hwSceneLook;

typedef struct hwSceneCondition {
    hwPlace place;
    const char* channel;
    double above, below;
} hwSceneCondition;

// A control of the pilot that an objective needs.
typedef struct hwSceneLessonControl {
    hwPlace place;
    int word; // index into hwLessonControlChoices
} hwSceneLessonControl;

typedef struct hwSceneObjective {
    hwPlace place;
    const char *name, *text;
    hwSceneZone zone;
    hwSceneGate gate;
    hwSceneLook look;
    double heading, within;
    hwItems conditions; // hwSceneCondition
    double hold;
    bool step, turn;
    hwItems controls; // hwSceneLessonControl
} hwSceneObjective;

typedef struct hwSceneCrossTrack {
    hwPlace place;
    hwVectors path;
    double scale;
} hwSceneCrossTrack;

typedef struct hwSceneInView {
    hwPlace place;
    double range, field;
} hwSceneInView;

typedef struct hwSceneLessonError {
    hwPlace place;
    hwSceneCrossTrack crossTrack;
    hwSceneZone station;
    hwSceneInView inView;
    bool steps;
} hwSceneLessonError;

typedef struct hwSceneWeights {
    hwPlace place;
    double values[HW_TERM_COUNT];
} hwSceneWeights;

typedef struct hwScenePass {
    hwPlace place;
    double score, task;
} hwScenePass;

typedef struct hwSceneFault {
    hwPlace place;
    double time, value;
    const char *input, *text;
} hwSceneFault;

typedef struct hwSceneObstacle {
    hwPlace place;
    const char* name;
    hwVec3 position;
} hwSceneObstacle;

typedef struct hwSceneProbes {
    hwPlace place;
    int count, questions;
    double first, spacing, spread;
    uint64_t seed;
    hwItems obstacles; // hwSceneObstacle
} hwSceneProbes;

typedef struct hwSceneLesson {
    hwPlace place;
    const char *title, *why, *briefing;
    hwRef vehicle, cable;
    double par, limit;
    int order, aids, handler, view;
    bool hints, sonar, sensors;
    hwItems objectives; // hwSceneObjective
    hwSceneLessonError error;
    hwSceneZone recover;
    double leastBend;
    hwSceneWeights weights;
    hwScenePass pass;
    hwItems faults; // hwSceneFault
    hwSceneProbes probes;
    hwItems pilot; // hwFileAction
} hwSceneLesson;

typedef struct hwSceneModel {
    hwPlace place;
    int version;
    const char* name;
    const char* include; // null: the tree has lost it by then, see scene_include.h
    double duration;
    hwSceneOutput output;
    hwSceneSolver solver;
    hwSceneStart start;
    hwSceneEnvironment environment;
    hwItems materials; // hwSceneMaterial
    hwSceneContact contact;
    hwItems bodies;      // hwSceneBody
    hwItems mechanisms;  // hwSceneMechanism
    hwItems cables;      // hwSceneCable
    hwItems winches;     // hwSceneWinch
    hwItems vehicles;    // hwSceneVehicle
    hwItems instruments; // hwSceneInstrument
    hwItems forces;      // hwSceneForce
    hwItems events;      // hwSceneEvent
    hwItems watches;     // hwSceneWatch
    hwSceneRecord record;
    hwItems limits; // hwLimitKeys
    hwSceneTrainer trainer;
    hwSceneLesson lesson;
    double refinement; // of cables, see hwScene_Refine; 0: none
} hwSceneModel;

#define HW_ITEM(list, type, index) (&((type*)(list).items)[index])

typedef struct hwSceneWarnings {
    int count, capacity;
    const char** texts;
} hwSceneWarnings;

// A file that the scene names.
typedef struct hwSceneFile {
    const hwYaml* node; // where
    const char* path;   // with the scene's folder
    bool isMesh;
    hwMeshData mesh; // as read, of meshes
} hwSceneFile;

typedef struct hwSceneFiles {
    int count, capacity;
    hwSceneFile* items;
} hwSceneFiles;

struct hwScene {
    hwStore store;
    const char* folder; // where files are sought, or null
    const hwYaml* root; // with what was included and set
    hwSceneModel model;
    hwSceneInfo info;
    hwLessonInfo lesson;
    hwSceneWarnings warnings, estimates;
    hwSceneFiles files;
};

// hwParseScene with memory of one's own; `chunk` is that of hwStore.
hwScene* hwParseScene_With(const hwAllocator* allocator, size_t chunk, const char* text, size_t size,
                           const char* name, const char* folder, hwError* error);

// Puts a prepared world into the state that the scene starts from, if it names one, and settles it where that is asked for; the error
// has its place (scene_state.c).
hwStatus hwScene_StartFromState(const hwScene* scene, hwWorld* world, hwError* error);

#endif
