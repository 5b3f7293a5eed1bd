// Conservative advancement (Mirtich 1996): a gap g along the direction n of nearest approach cannot close before
// t + g / c, where c is the fastest approach along n, because the plane across n keeps the two apart until then. With c
// taken along n, not as a speed, the steps shrink quadratically on flat parts and never pass the touch.
#include "geom/sweep.h"

#include "geom/triangle.h"

#define MAX_STEPS 100

// What is left of a gap when it counts as closed, of the sizes concerned.
#define CLOSED 1e-10

typedef struct Approach {
    double gap;    // between the surfaces
    hwVec3 normal; // unit, from the obstacle to the mover
    hwVec3 point;  // on the obstacle
    double s;
} Approach;

typedef Approach ApproachFn(void* context, double t);
typedef double ClosingFn(void* context, hwVec3 normal); // of the mover along -normal, per unit of t

static bool AdvanceSweep(ApproachFn* approach, ClosingFn* closing, void* context, double size,
                         hwCastHit* hit) {
    double t = 0.0;
    for (int step = 0;; ++step) {
        Approach now = approach(context, t);
        double speed = closing(context, now.normal);
        if (now.gap <= CLOSED * size || step == MAX_STEPS) {
            // Grazing motion may stop short of contact: what does not come closer is no hit, unless it overlaps
            // already.
            if (step == 0 ? now.gap > 0.0 && speed <= 0.0 : speed <= 0.0) return false;
            hit->t = t;
            hit->normal = now.normal;
            hit->point = now.point;
            hit->s = now.s;
            return true;
        }
        if (!(speed > 0.0)) return false;
        t += now.gap / speed;
        if (!(t <= hit->t)) return false;
    }
}

typedef struct TriangleMeeting {
    const hwMovingCapsule* capsule;
    const hwVec3* corner;
} TriangleMeeting;

static double GetCapsuleClosing(const hwMovingCapsule* capsule, hwVec3 normal) {
    return hwMax(-hwDot(capsule->vp, normal), -hwDot(capsule->vq, normal));
}

static double CloseOnTriangle(void* context, hwVec3 normal) {
    return GetCapsuleClosing(((TriangleMeeting*)context)->capsule, normal);
}

static Approach ApproachTriangle(void* context, double t) {
    const TriangleMeeting* meeting = context;
    const hwMovingCapsule* capsule = meeting->capsule;
    const hwVec3* c = meeting->corner;
    hwSegmentTriangle near = hwSegmentTriangle_GetNearest(
        hwMulAdd(capsule->p, t, capsule->vp), hwMulAdd(capsule->q, t, capsule->vq), c[0], c[1], c[2]);
    double distance = sqrt(near.distance2);
    Approach out = {.gap = distance - capsule->radius, .point = near.onTriangle, .s = near.s};
    if (distance > 0.0) {
        out.normal = hwScale(1.0 / distance, hwSub(near.onSegment, near.onTriangle));
    } else { // through it: back where it comes from
        out.normal = hwNormalize(hwCross(hwSub(c[1], c[0]), hwSub(c[2], c[0])));
        hwVec3 v = hwMulAdd(capsule->vp, near.s, hwSub(capsule->vq, capsule->vp));
        if (hwDot(out.normal, v) > 0.0) out.normal = hwNeg(out.normal);
    }
    return out;
}

static double GetCapsuleSize(const hwMovingCapsule* capsule) {
    return capsule->radius + hwLength(capsule->vp) + hwLength(capsule->vq) +
           hwDistance(capsule->p, capsule->q);
}

bool hwMovingCapsule_MeetTriangle(const hwMovingCapsule* capsule, const hwVec3 corner[3], hwCastHit* hit) {
    TriangleMeeting meeting = {capsule, corner};
    return AdvanceSweep(ApproachTriangle, CloseOnTriangle, &meeting, GetCapsuleSize(capsule), hit);
}

typedef struct ConvexMeeting {
    const hwMovingCapsule* capsule; // or
    const hwConvex* mover;          // moving by `travel` from `start`
    hwPose start;
    hwVec3 travel;
    const hwConvex* obstacle;
    hwPose pose;
    hwPairCache cache;
} ConvexMeeting;

static double CloseOnConvex(void* context, hwVec3 normal) {
    const ConvexMeeting* meeting = context;
    return meeting->capsule != NULL ? GetCapsuleClosing(meeting->capsule, normal)
                                    : -hwDot(meeting->travel, normal);
}

static Approach ApproachConvex(void* context, double t) {
    ConvexMeeting* meeting = context;
    const hwMovingCapsule* capsule = meeting->capsule;
    hwClosest near;
    Approach out = {0};
    if (capsule != NULL) {
        hwVec3 p = hwMulAdd(capsule->p, t, capsule->vp), q = hwMulAdd(capsule->q, t, capsule->vq);
        hwConvex axis = hwMakeTriangle(p, q, q, capsule->radius);
        near =
            hwConvex_FindClosest(meeting->obstacle, meeting->pose, &axis, hwPose_identity, &meeting->cache);
        out.s = hwSegment_GetNearest(p, q, near.pointB);
    } else {
        hwPose pose = {hwMulAdd(meeting->start.p, t, meeting->travel), meeting->start.q};
        near = hwConvex_FindClosest(meeting->obstacle, meeting->pose, meeting->mover, pose, &meeting->cache);
    }
    out.gap = near.distance;
    out.normal = near.normal;
    out.point = near.pointA;
    return out;
}

bool hwMovingCapsule_MeetConvex(const hwMovingCapsule* capsule, const hwConvex* convex, hwPose pose,
                                hwCastHit* hit) {
    ConvexMeeting meeting = {.capsule = capsule, .obstacle = convex, .pose = pose};
    hit->triangle = -1;
    return AdvanceSweep(ApproachConvex, CloseOnConvex, &meeting, GetCapsuleSize(capsule), hit);
}

bool hwConvex_Sweep(const hwConvex* a, hwPose poseA, hwVec3 travel, const hwConvex* b, hwPose poseB,
                    hwCastHit* hit) {
    ConvexMeeting meeting = {.mover = a, .start = poseA, .travel = travel, .obstacle = b, .pose = poseB};
    *hit = (hwCastHit){.triangle = -1, .t = 1.0};
    hwBox bounds = hwConvex_GetBounds(a, poseA);
    return AdvanceSweep(ApproachConvex, CloseOnConvex, &meeting,
                        hwLength(travel) + hwDistance(bounds.low, bounds.high), hit);
}

// Where a ray enters the half-spaces of a polyhedron and where it first leaves one (Cyrus & Beck 1978).
static bool CastAtPlanes(const hwPlane* planes, int count, hwVec3 origin, hwVec3 direction, double tMax,
                         hwCastHit* hit) {
    double enter = 0.0, leave = tMax;
    int face = -1;
    for (int i = 0; i < count; ++i) {
        double height = hwDot(planes[i].normal, origin) - planes[i].offset,
               rate = hwDot(planes[i].normal, direction);
        if (rate < 0.0) {
            double t = -height / rate;
            if (t > enter) {
                enter = t;
                face = i;
            }
        } else if (rate > 0.0) {
            leave = hwMin(leave, -height / rate);
        } else if (height > 0.0) {
            return false;
        }
    }
    if (enter > leave) return false;
    hit->t = enter;
    hit->normal = face >= 0 ? planes[face].normal : hwNeg(hwNormalize(direction));
    return true;
}

static bool CastAtBall(hwVec3 center, double radius, hwVec3 origin, hwVec3 direction, double tMax,
                       hwCastHit* hit) {
    hwVec3 from = hwSub(origin, center);
    double a = hwLengthSquared(direction), b = hwDot(from, direction),
           c = hwLengthSquared(from) - radius * radius;
    if (c <= 0.0) {
        hit->t = 0.0;
        hit->normal = hwLengthSquared(from) > 0.0 ? hwNormalize(from) : hwNeg(hwNormalize(direction));
        return true;
    }
    double discriminant = b * b - a * c;
    if (b >= 0.0 || discriminant < 0.0) return false;
    double t = c / (-b + sqrt(discriminant));
    if (t > tMax) return false;
    hit->t = t;
    hit->normal = hwNormalize(hwMulAdd(from, t, direction));
    return true;
}

bool hwConvex_SweepBall(const hwConvex* convex, hwPose pose, hwVec3 origin, hwVec3 direction, double radius,
                        double tMax, hwCastHit* hit) {
    *hit = (hwCastHit){.triangle = -1, .t = tMax};
    if (convex->kind == HW_CONVEX_POINT) {
        if (!CastAtBall(pose.p, convex->radius + radius, origin, direction, tMax, hit)) return false;
        hit->point = hwMulAdd(pose.p, convex->radius, hit->normal);
        return true;
    }
    hwVec3 travel = hwScale(tMax, direction);
    hwMovingCapsule ball = {origin, origin, travel, travel, radius};
    hit->t = 1.0;
    bool found = hwMovingCapsule_MeetConvex(&ball, convex, pose, hit);
    hit->t *= tMax;
    return found;
}

// A ray from outside at a cylinder in its own frame: where it is between both ends and within the round at once.
static bool CastAtCylinder(double radius, double half, hwVec3 p, hwVec3 d, double tMax, hwCastHit* hit) {
    double in = -(double)INFINITY, out = (double)INFINITY, a = d.x * d.x + d.y * d.y;
    double b = p.x * d.x + p.y * d.y, c = p.x * p.x + p.y * p.y - radius * radius;
    bool end = false;
    if (a > 0.0) {
        double discriminant = b * b - a * c;
        if (discriminant < 0.0) return false;
        // the sum without cancellation, and the other root by their product
        double sum = -b - copysign(sqrt(discriminant), b);
        in = b > 0.0 ? sum / a : (sum != 0.0 ? c / sum : 0.0);
        out = b > 0.0 ? (sum != 0.0 ? c / sum : 0.0) : sum / a;
    } else if (c > 0.0) {
        return false;
    }
    if (d.z != 0.0) {
        double near = (copysign(half, -d.z) - p.z) / d.z, far = (copysign(half, d.z) - p.z) / d.z;
        end = near > in;
        in = hwFmax(in, near);
        out = hwFmin(out, far);
    } else if (fabs(p.z) > half) {
        return false;
    }
    if (in > out || in < 0.0 || in > tMax) return false;
    hit->t = in;
    hwVec3 at = hwMulAdd(p, in, d);
    hit->normal = end ? hwMakeVec3(0.0, 0.0, copysign(1.0, -d.z)) : hwNormalize(hwMakeVec3(at.x, at.y, 0.0));
    return true;
}

// A ray at a capsule in its own frame: its round between both ends, else the ball at the end that the ray comes past.
static bool CastAtCapsule(double radius, double half, hwVec3 p, hwVec3 d, double tMax, hwCastHit* hit) {
    double nearest = hwClamp(p.z, -half, half);
    bool inside = hwLengthSquared(hwMakeVec3(p.x, p.y, p.z - nearest)) <= radius * radius;
    double a = d.x * d.x + d.y * d.y, b = p.x * d.x + p.y * d.y;
    double c = p.x * p.x + p.y * p.y - radius * radius, discriminant = b * b - a * c;
    if (discriminant < 0.0) return false;
    if (!inside && c > 0.0) {
        // outside of the endless round: in through its surface or not at all
        if (b >= 0.0) return false;
        double t = c / (-b + sqrt(discriminant));
        hwVec3 at = hwMulAdd(p, t, d);
        nearest = hwClamp(at.z, -half, half);
        if (nearest == at.z) {
            if (t > tMax) return false;
            hit->t = t;
            hit->normal = hwNormalize(hwMakeVec3(at.x, at.y, 0.0));
            return true;
        }
    }
    return CastAtBall(hwMakeVec3(0.0, 0.0, nearest), radius, p, d, tMax, hit);
}

bool hwConvex_CastRay(const hwConvex* convex, hwPose pose, hwVec3 origin, hwVec3 direction, double tMax,
                      hwCastHit* hit) {
    if (convex->kind == HW_CONVEX_CYLINDER && convex->radius == 0.0) {
        hwVec3 p = hwInvTransformPoint(pose, origin), d = hwInvRotate(pose.q, direction);
        bool inside = hwHypot(p.x, p.y) <= convex->half.x && fabs(p.z) <= convex->half.z;
        if (!inside) {
            *hit = (hwCastHit){.triangle = -1, .t = tMax};
            if (!CastAtCylinder(convex->half.x, convex->half.z, p, d, tMax, hit)) return false;
            hit->normal = hwRotate(pose.q, hit->normal);
            hit->point = hwMulAdd(origin, hit->t, direction);
            return true;
        }
    }
    if (convex->kind == HW_CONVEX_SEGMENT && convex->radius > 0.0) {
        hwVec3 p = hwInvTransformPoint(pose, origin), d = hwInvRotate(pose.q, direction);
        *hit = (hwCastHit){.triangle = -1, .t = tMax};
        if (!CastAtCapsule(convex->radius, convex->half.z, p, d, tMax, hit)) return false;
        hit->normal = hwRotate(pose.q, hit->normal);
        hit->point = hwMulAdd(origin, hit->t, direction);
        return true;
    }
    bool flat = convex->radius == 0.0 && (convex->kind == HW_CONVEX_BOX || convex->kind == HW_CONVEX_HULL);
    if (!flat) return hwConvex_SweepBall(convex, pose, origin, direction, 0.0, tMax, hit);
    hwBoxHull box;
    const hwHull* hull = convex->hull;
    if (convex->kind == HW_CONVEX_BOX) {
        hwBoxHull_Init(&box, convex->half);
        hull = &box.hull;
    }
    *hit = (hwCastHit){.triangle = -1, .t = tMax};
    hwVec3 p = hwInvTransformPoint(pose, origin), d = hwInvRotate(pose.q, direction);
    if (!CastAtPlanes(hull->planes, hull->faceCount, p, d, tMax, hit)) return false;
    if (hit->t > 0.0)
        hit->normal = hwRotate(pose.q, hit->normal);
    else
        hit->normal = hwNeg(hwNormalize(direction));
    hit->point = hwMulAdd(origin, hit->t, direction);
    return true;
}
