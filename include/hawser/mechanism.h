/// @file mechanism.h
/// Articulated mechanisms: cranes, arms, walkers. Links joined in trees, on the earth, on a body, or on a base that moves
/// by itself.
///
/// A link is a body with a joint. Each has a hwBodyId, so that everything in body.h (motion, forces, added mass) and
/// cables and contacts work on links; its name is "mechanism.link".
///
/// Joint displacements, rates and efforts: rad, rad/s, N m for revolute joints; m, m/s, N for prismatic ones. A ball
/// joint's attitude is a quaternion, its rate and effort are vectors in link axes.
#ifndef HAWSER_MECHANISM_H
#define HAWSER_MECHANISM_H

#include "hawser/base.h"
#include "hawser/body.h"
#include "hawser/math.h"
#include "hawser/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Handle of a mechanism. Zero is null.
typedef struct hwMechanismId {
    uint32_t index;      ///< One-based slot; 0 is null.
    uint32_t generation; ///< Tells a new object in a reused slot from the old one.
} hwMechanismId;

/// How a link moves against its parent.
typedef enum hwJointKind {
    HW_JOINT_REVOLUTE,  ///< turns about an axis
    HW_JOINT_PRISMATIC, ///< slides along an axis
    HW_JOINT_BALL,      ///< turns about a point
    HW_JOINT_FREE, ///< moves freely; its link's def gives position, attitude, velocity and rate at the start in the
    ///< joint's frame. It moves as a body of its own: its generalised velocities are those of its origin in
    ///< world axes and its rate in its own
    HW_JOINT_FIXED ///< not at all
} hwJointKind;

/// Where a joint is.
typedef enum hwJointFrameKind {
    HW_JOINT_FRAME_PLAIN, ///< by position, attitude and axis
    HW_JOINT_FRAME_DH,    ///< by a row of Denavit and Hartenberg's parameters as Paul (1981) has them
    HW_JOINT_FRAME_MDH ///< as Craig (1986) has them, with the branch screw of Khalil and Kleinfinger (1986)
} hwJointFrameKind;

/// Where a joint is in its parent, and which way it moves. Use hwMakeJointFrame, hwMakeDhFrame or hwMakeMdhFrame.
///
/// PLAIN: the joint's frame in the parent link's frame; the link's frame is the joint's, displaced.
///
/// DH: frames follow one another as A = Tz(d) Rz(theta) Tx(a) Rx(alpha). The link's own frame is its proximal joint
/// frame (the parent's distal one) displaced by the joint: its data, points and motion are in that frame, and the
/// parameters place its children's joints. q is theta (revolute) or d (prismatic) itself.
///
/// MDH: the link's frame in its parent's is Tz(branchD) Rz(branchTheta) Rx(alpha) Tx(a) Rz(theta) Tz(d). q is theta or
/// d itself. The branch screw is zero except for second and further children.
typedef struct hwJointFrame {
    hwJointFrameKind kind; ///< which of the fields below count
    hwVec3 position;       ///< m, PLAIN
    hwQuat attitude;       ///< joint to parent, PLAIN
    hwVec3 axis;           ///< unit, in joint axes; PLAIN, revolute and prismatic
    double alpha;          ///< rad; DH and MDH
    double a;              ///< m; DH and MDH
    double d;              ///< m; DH and MDH
    double theta;          ///< rad; DH and MDH
    double branchD;        ///< m; MDH
    double branchTheta;    ///< rad; MDH
} hwJointFrame;

/// A joint at `position`, its axes turned by `attitude`, moving about or along `axis`.
HW_API hwJointFrame hwMakeJointFrame(hwVec3 position, hwQuat attitude, hwVec3 axis);
/// A row of Paul's parameters.
HW_API hwJointFrame hwMakeDhFrame(double alpha, double a, double d, double theta);
/// A row of Craig's parameters; branchD and branchTheta are 0 in an unbranched chain.
HW_API hwJointFrame hwMakeMdhFrame(double alpha, double a, double d, double theta, double branchD,
                                   double branchTheta);

/// End stops: beyond them a spring and a damper push back, -stiffness (q - limit) - damping q', and never pull.
typedef struct hwLimitDef {
    double low;  ///< rad or m; -inf: none
    double high; ///< rad or m; inf: none
    double swing
        [3]; ///< rad, ball joints: largest angle between each axis of the link and the joint's; inf: none
    double stiffness; ///< N m/rad or N/m
    double damping;   ///< N m s/rad or N s/m
} hwLimitDef;

/// What drives a joint.
typedef enum hwControlMode {
    HW_CONTROL_PASSIVE,  ///< nothing
    HW_CONTROL_POSITION, ///< kp (target - q) + ki integral(target - q) - kd q'
    HW_CONTROL_VELOCITY, ///< kp (target - q') + ki integral(target - q') - kd q''
    HW_CONTROL_EFFORT    ///< `effort`
} hwControlMode;

/// Controller of a joint. Targets of positions are held within the joint's limits.
typedef struct hwControlDef {
    hwControlMode mode; ///< at the start
    hwSignal target; ///< position or rate; of a ball joint roll pitch yaw, or the rate in link axes. Absent:
                     ///< where the joint starts, or 0
    hwSignal effort; ///< N m or N; with a motor V. Absent: 0
    double kp;       ///< proportional gain; with a motor it gives V
    double ki;       ///< integral gain, likewise
    double kd;       ///< derivative gain, likewise
    double power;    ///< W that it can give; braking is not bound; inf: no bound
    double limit;    ///< N m or N (with a motor V): the effort is held within this; inf: no bound
    bool compensate; ///< carries the weight, less buoyancy, of what hangs on the joint
} hwControlDef;

/// Friction of a joint.
typedef struct hwFrictionDef {
    double
        coulomb; ///< N m or N: holds still below it, resists with it beyond (a spring that slides at this force)
    double viscous; ///< N m s/rad or N s/m
    double stick;   ///< rad or m: how far the holding spring gives before it slides
} hwFrictionDef;

/// What makes the effort.
typedef enum hwActuatorKind {
    HW_ACTUATOR_IDEAL,    ///< what the controller asks for
    HW_ACTUATOR_MOTOR,    ///< direct-current motor; the controller gives its voltage
    HW_ACTUATOR_HYDRAULIC ///< follows the controller with a lag of first order
} hwActuatorKind;

/// Actuator of a joint, all quantities seen at the joint (behind the gear).
///
/// Motor: torqueConstant (U - backEmf q') / resistance, where U is the voltage V less what the brushes take,
/// brushDrop (1 - 2^(-|V| / halfDrop)) against its sign.
typedef struct hwActuatorDef {
    hwActuatorKind kind;   ///< ideal unless given
    double inertia;        ///< kg m2 or kg, of the rotor; any kind
    double torqueConstant; ///< N m/A or N/A
    double backEmf;        ///< V s/rad or V s/m
    double resistance;     ///< Ohm
    double brushDrop;      ///< V, largest voltage across the brushes
    double halfDrop;       ///< V, voltage at which half of it is lost
    double timeConstant;   ///< s, hydraulic
} hwActuatorDef;

/// Points of a link that touch the bottom: springs and dampers, with friction that sticks below and slides at its limit.
/// Negative numbers: from the seabed, its stiffness and damping times `area`.
typedef struct hwFootDef {
    int count;              ///< entries of `points`
    const hwVec3* points;   ///< m, link frame
    double area;            ///< m2, of one point
    double stiffness;       ///< N/m, across the bottom
    double damping;         ///< N s/m
    double planarStiffness; ///< N/m, along the bottom
    double planarDamping;   ///< N s/m
    double friction;        ///< coefficient while sticking
    double kineticFriction; ///< coefficient while sliding; not above `friction`
} hwFootDef;

/// Where a drive's law is evaluated.
typedef struct hwDriveInput {
    double time; ///< s
    double q;    ///< rad or m
    double qd;   ///< rad/s or m/s
} hwDriveInput;

/// What a drive's law gives; all zero when the law is called.
typedef struct hwDriveOutput {
    double effort;    ///< N m or N
    double damping;   ///< minus its derivative by qd
    double stiffness; ///< minus its derivative by q
} hwDriveOutput;

/// A drive of the caller's own. Must depend on its arguments only. The derivatives may be left zero or be approximate, see
/// hwForceFn.
typedef void hwDriveFn(const hwDriveInput* input, hwDriveOutput* output, void* context);

/// A link and its joint. Start from hwDefaultLinkDef().
typedef struct hwLinkDef {
    hwBodyDef
        body; ///< name (without the mechanism's), mass, com, inertia, hydro, shapes; the inertia of a link may
              ///< be zero about axes about which nothing turns it alone
    int parent;             ///< index of the parent link; -1: the base
    hwJointKind joint;      ///< revolute unless given
    hwJointFrame frame;     ///< where the joint is on the parent
    bool hasQ;              ///< `q` is given; else it starts at 0, or at the row's theta or d
    double q;               ///< rad or m, displacement at the start, revolute and prismatic
    double qd;              ///< rad/s or m/s, its rate
    hwQuat turn;            ///< attitude in the joint's frame at the start, ball
    hwVec3 turnRate;        ///< rad/s, link axes, ball
    hwLimitDef limits;      ///< none unless given
    hwControlDef control;   ///< passive unless given
    hwFrictionDef friction; ///< none unless given
    hwActuatorDef actuator; ///< ideal unless given
    hwFootDef feet;         ///< none unless given
    hwDriveFn* drive;   ///< revolute and prismatic: an effort of the caller's own beside the others, or null
    void* driveContext; ///< given to `drive`; branches give the same
    int cookie;         ///< set by hwDefaultLinkDef
} hwLinkDef;

#define HW_MAX_AXES 3 ///< Axes of one joint made of several.

/// Joints of several axes, one after the other, in the axes of the joint's frame; the second and third move with those before them.
typedef enum hwAxesKind {
    HW_AXES_UNIVERSAL,   ///< turns about x, then about y: a Cardan joint
    HW_AXES_CYLINDRICAL, ///< slides along z, then turns about it
    HW_AXES_PLANAR,      ///< slides along x, then along y, then turns about z
    HW_AXES_GIMBAL,      ///< turns about z, then y, then x: yaw, pitch and roll
    HW_AXES_COUNT        ///< how many kinds there are
} hwAxesKind;

/// Names of the links that hwMakeAxes adds; they must live until the mechanism is added.
typedef struct hwAxesNames {
    char text[HW_MAX_AXES - 1][64]; ///< `<link>-1`, `<link>-2`
} hwAxesNames;

/// How many axes a joint of this kind has.
HW_API int hwAxes_Count(hwAxesKind kind);

/// Gives links[link] a joint of several axes. All but the last become links of their own without mass, links[next] and those
/// after it, each with the friction of links[link]; `q` and `qd` (null: 0) are displacement and rate at the start, one for
/// each axis. The frame of links[link] must be plain; its `axis` is not read. Returns how many links were added.
HW_API int hwMakeAxes(hwLinkDef* links, int link, int next, hwAxesKind kind, const double* q,
                      const double* qd, hwAxesNames* names);

/// What a mechanism stands on.
typedef enum hwBaseKind {
    HW_BASE_EARTH, ///< the earth
    HW_BASE_BODY,  ///< a body, free, fixed or prescribed
    HW_BASE_FREE   ///< a body of its own, "mechanism.base"
} hwBaseKind;

#define HW_MAX_JAWS 4 ///< Fingers of one tool.

/// The tool at the end of an arm: inputs `<mechanism>.tool.x|y|z` (-1..1) move its tip along the axes of what the arm stands on,
/// `.tool.roll|pitch|yaw` turn it about them, by moving the targets of the joints between it and the base within their stops and
/// rates; `.tool.jaw` (0 closed, 1 open) moves its fingers between their stops.
typedef struct hwToolDef {
    bool present;          ///< false: there is none
    int link;              ///< index of the link that carries it
    hwVec3 position;       ///< m, of its tip in that link's frame
    double speed;          ///< m/s at full command
    double turnRate;       ///< rad/s at full command
    int jawCount;          ///< entries of `jaws`
    int jaws[HW_MAX_JAWS]; ///< indices of links with revolute or prismatic joints and stops: its fingers
} hwToolDef;

#define HW_CAPACITY_ROWS 32 ///< Most rows of a load chart.

/// A crane's load chart: what may hang from it by radius, the horizontal distance from the base's origin to the end of a cable.
/// Straight lines between rows, the first row's load within it, nothing beyond the last. For channels alone: `NAME.capacity.radius`
/// (m), `.load` (N, the force of that end), `.allowed` (N), `.use` (load over allowed; 1000 where nothing is allowed), `.off_lead` and
/// `.side_lead` (rad, the wire's angles from the vertical away from the base and to the left of that). NaN without such a cable.
typedef struct hwCapacityDef {
    int count;                      ///< rows; 0: none
    double radii[HW_CAPACITY_ROWS]; ///< m, increasing
    double loads[HW_CAPACITY_ROWS]; ///< N, at each radius
    char cable[64];                 ///< name of the cable, which may be added later
    int end;                        ///< of it at the crane, 0: a, 1: b
} hwCapacityDef;

/// Description of a mechanism. Start from hwDefaultMechanismDef(); pointers are borrowed until Add returns.
typedef struct hwMechanismDef {
    const char*
        name; ///< unique in the world; letters, digits, _ and -; on a body its name and a dot may be before it
    hwBaseKind base;        ///< the earth unless given
    hwBodyId body;          ///< HW_BASE_BODY
    hwBodyDef free;         ///< HW_BASE_FREE: everything but the name
    hwVec3 position;        ///< m, of the base frame in what it stands on
    hwQuat attitude;        ///< base frame to what it stands on
    int linkCount;          ///< entries of `links`
    const hwLinkDef* links; ///< in any order; the tree may branch
    hwToolDef tool;         ///< none unless given
    hwCapacityDef capacity; ///< what it may carry by radius; none unless given
    void* userData;         ///< the caller's own; never read by the library. Links have that of their bodies
    int cookie;             ///< set by hwDefaultMechanismDef
} hwMechanismDef;

/// A passive revolute joint about z at the parent's origin, without mass.
HW_API hwLinkDef hwDefaultLinkDef(void);
/// On the earth, at the origin.
HW_API hwMechanismDef hwDefaultMechanismDef(void);

/// Adds a mechanism. On failure returns a null id and leaves the world as it was; `error->index` is the link's.
HW_API hwMechanismId hwWorld_AddMechanism(hwWorld* world, const hwMechanismDef* def, hwError* error);
/// Removes a mechanism with its links; refused where hwWorld_RemoveBody refuses one of them. The world must be prepared again before the next step.
HW_API hwStatus hwWorld_RemoveMechanism(hwWorld* world, hwMechanismId mechanism, hwError* error);
/// Finds a mechanism; null id when there is none.
HW_API hwMechanismId hwWorld_FindMechanism(const hwWorld* world, const char* name);
/// Mechanisms in the order of their slots: fills up to `capacity` and returns how many there are.
HW_API int hwWorld_GetMechanisms(const hwWorld* world, int capacity, hwMechanismId* mechanisms);
/// The mechanism as it was described, with up to `capacity` of its links written to `links`, to which `def->links` then
/// points; names and arrays belong to the world. `q` of a link is where it starts. False for an invalid handle.
HW_API bool hwMechanism_GetDef(const hwWorld* world, hwMechanismId mechanism, hwMechanismDef* def,
                               int capacity, hwLinkDef* links);
/// Name, or "" for an invalid handle.
HW_API const char* hwMechanism_GetName(const hwWorld* world, hwMechanismId mechanism);
/// The caller's own pointer; null for an invalid handle.
HW_API void* hwMechanism_GetUserData(const hwWorld* world, hwMechanismId mechanism);
/// Replaces it. False for an invalid handle.
HW_API bool hwMechanism_SetUserData(hwWorld* world, hwMechanismId mechanism, void* userData);
/// The mechanism that a link or free base belongs to, or a null id.
HW_API hwMechanismId hwBody_GetMechanism(const hwWorld* world, hwBodyId body);
/// True while the handle refers to a mechanism of this world.
HW_API bool hwMechanism_IsValid(const hwWorld* world, hwMechanismId mechanism);
/// Number of links, the free base not counted; 0 for an invalid handle.
HW_API int hwMechanism_GetLinkCount(const hwWorld* world, hwMechanismId mechanism);
/// The body of a link, in the order of the def; -1 is the base's body. Null when there is none.
HW_API hwBodyId hwMechanism_GetLink(const hwWorld* world, hwMechanismId mechanism, int link);

/// The feet of a link; null when it has none. Valid while the mechanism is.
HW_API const hwFootDef* hwMechanism_GetFeet(const hwWorld* world, hwBodyId link);

// Joints. `link` is the link behind the joint.

/// State of a revolute or prismatic joint.
typedef struct hwJointState {
    double q;      ///< displacement
    double qd;     ///< rate
    double qdd;    ///< acceleration
    double effort; ///< generalised force: actuator, limits and friction together
} hwJointState;

/// State of a ball joint; vectors in link axes.
typedef struct hwBallState {
    hwQuat turn;             ///< link to joint frame
    hwVec3 rate;             ///< rad/s
    hwVec3 rateAcceleration; ///< rad/s2
    hwVec3 effort;           ///< N m
} hwBallState;

/// Reads a revolute or prismatic joint. The world must be prepared.
HW_API hwStatus hwJoint_GetState(const hwWorld* world, hwBodyId link, hwJointState* out, hwError* error);
/// Sets displacement and rate (allowed before and after Prepare); the rest of `state` is not used.
HW_API hwStatus hwJoint_SetState(hwWorld* world, hwBodyId link, const hwJointState* state, hwError* error);
/// Reads a ball joint. The world must be prepared.
HW_API hwStatus hwJoint_GetBallState(const hwWorld* world, hwBodyId link, hwBallState* out, hwError* error);
/// Sets a ball joint's attitude and rate.
HW_API hwStatus hwJoint_SetBallState(hwWorld* world, hwBodyId link, const hwBallState* state, hwError* error);

/// Changes what drives a joint from now on; the controller's integral starts at zero. The same as the input
/// `<mechanism>.<link>.mode`. The world must be prepared.
HW_API hwStatus hwJoint_SetMode(hwWorld* world, hwBodyId link, hwControlMode mode, hwError* error);
/// Replaces the target (position, rate or effort, by the mode) and with it the signal; ball joints use all three
/// components. The same as the input `<mechanism>.<link>.target`. The world must be prepared.
HW_API hwStatus hwJoint_SetTarget(hwWorld* world, hwBodyId link, hwVec3 target, hwError* error);
/// Replaces the controller's gains and power. The world must be prepared.
HW_API hwStatus hwJoint_SetGains(hwWorld* world, hwBodyId link, double kp, double ki, double kd, double power,
                                 hwError* error);

// Services to controllers. Generalised velocities: those of the free base (velocity, rate) if there is one, then the
// links' in the order of the def: 1 for revolute and prismatic, 3 for ball, 6 for free joints.

/// Number of generalised velocities; 0 before Prepare.
HW_API int hwMechanism_GetFreedomCount(const hwWorld* world, hwMechanismId mechanism);

/// The efforts that would accelerate the mechanism as given, at the world's present state and with the forces of weight,
/// water, bottom and user on it (inverse dynamics). What the joints themselves do (control, limits, friction) is not
/// counted among the forces; cables are not. Its base moves as it does now, unless it is its own.
HW_API hwStatus hwMechanism_ComputeInverseDynamics(const hwWorld* world, hwMechanismId mechanism,
                                                   const double* accelerations, double* efforts,
                                                   hwError* error);

/// The joint-space inertia matrix, added mass and rotors included: freedoms x freedoms, row by row.
HW_API hwStatus hwMechanism_ComputeMatrix(const hwWorld* world, hwMechanismId mechanism, double* matrix,
                                          hwError* error);

/// Displacements of the joints that bring the tip of the mechanism's tool to `position`, and the tool to `attitude` unless that
/// is null, both in the frame of what the mechanism stands on: inverse kinematics by damped least squares within the stops,
/// from the present targets on. `q` gets up to `capacity` numbers in the order of the links; those of joints that do not move
/// the tool are as they are. `distance`, unless null, is how far off the best pose found is, m, a radian counting as 0.3 m.
HW_API hwStatus hwMechanism_SolveTool(const hwWorld* world, hwMechanismId mechanism, hwVec3 position,
                                      const hwQuat* attitude, int capacity, double* q, double* distance,
                                      hwError* error);

#ifdef __cplusplus
}
#endif
#endif
