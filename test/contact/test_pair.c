// Contact of two bodies put together from plain numbers: action and reaction, matrices as slopes of the load, couplings that a
// common rigid motion does not feel, the balance of powers.
#include "contact/pair.h"
#include "support.h"

#define STEP 0.003 // s, implicit

typedef struct Rig {
    hwWide places[2];
    hwWideSpatial motions[2];
    hwContactPair pair;
    hwContactResult result;
    hwPatch patches[2];
    double base[HW_RUB_SIZE];
    bool frictionless, sliding;
    hwRubOutput springs;
} Rig;

static hwWideSpatial RandomMotion(uint64_t* seed, double size) {
    hwSpatial s = {hwScale(size, TestRandomVec3(seed)), hwScale(size, TestRandomVec3(seed))};
    return hwWideSpatial_From(s);
}

// A square area at a point, pressed in by `depth`.
static hwPatch MakeSquare(hwVec3 point, hwVec3 normal, double edge, double depth) {
    double area = edge * edge, spread = area * area / 12.0;
    hwVec3 n = normal;
    return (hwPatch){.volume = area * depth,
                     .point = point,
                     .normal = normal,
                     .area = area,
                     .second = {spread * (1.0 - n.x * n.x), spread * (1.0 - n.y * n.y),
                                spread * (1.0 - n.z * n.z), -spread * n.x * n.y, -spread * n.x * n.z,
                                -spread * n.y * n.z},
                     .depth = depth,
                     .height = 0.5 * depth};
}

// Two bodies anywhere, which move slowly against each other and touch in two places, pressed in by 2 mm and by `depth`.
static void Make(Rig* rig, uint64_t* seed, double depth) {
    memset(rig, 0, sizeof(*rig));
    hwMaterialDef material = hwDefaultMaterialDef();
    material.name = "m";
    material.young = 1e7;
    material.damping = 1e4;
    material.staticFriction = material.kineticFriction = 0.4;
    hwVec3 normal = hwNormalize(TestRandomVec3(seed)), at = TestRandomVec3(seed);
    rig->pair.law = hwContactLaw_Make(&material, 0.5, &material, 0.5);
    rig->pair.hd = STEP;
    for (int i = 0; i < 2; ++i) {
        rig->places[i] = hwWide_FromVec3(TestRandomVec3(seed));
        rig->motions[i] = RandomMotion(seed, 1e-4);
    }
    rig->pair.a = (hwPairFrame){&rig->places[0], &rig->motions[0]};
    rig->pair.b = (hwPairFrame){&rig->places[1], &rig->motions[1]};
    rig->patches[0] = MakeSquare(at, normal, 0.3, 0.002);
    rig->patches[1] = MakeSquare(hwAdd(at, hwScale(0.2, TestRandomVec3(seed))), normal, 0.2, depth);
}

static void Evaluate(Rig* rig) {
    hwContactPair* pair = &rig->pair;
    memset(&rig->result, 0, sizeof(rig->result));
    pair->result = &rig->result;
    hwContactPair_Begin(pair);
    for (int i = 0; i < 2; ++i) {
        rig->result.volume += rig->patches[i].volume;
        hwContactPair_AddPatch(pair, &rig->patches[i], rig->patches[i].volume, false);
    }
    if (!rig->frictionless) hwContactPair_AddFriction(pair, rig->base, rig->sliding, &rig->springs);
}

static hwWideSpatial Subtract(hwWideSpatial x, hwWideSpatial y) {
    return (hwWideSpatial){x.l - y.l, x.a - y.a};
}

static double GetSize(hwWideSpatial x) {
    return sqrt(hwWideSpatial_Dot(x, x));
}

static hwWideSpatial MakeUnit(int k) {
    hwWideSpatial e = hwWideSpatial_Zero();
    if (k < 3) {
        e.l[k] = 1.0;
    } else {
        e.a[k - 3] = 1.0;
    }
    return e;
}

static hwWideSpatial MulBlock(const hwWideBlock* m, hwWideSpatial v) {
    return (hwWideSpatial){hwWideMat_Mul(&m->ll, v.l) + hwWideMat_Mul(&m->la, v.a),
                           hwWideMat_Mul(&m->al, v.l) + hwWideMat_Mul(&m->aa, v.a)};
}

static hwWideSpatial MulBlockT(const hwWideBlock* m, hwWideSpatial v) {
    return (hwWideSpatial){hwWideMat_MulT(&m->ll, v.l) + hwWideMat_MulT(&m->al, v.a),
                           hwWideMat_MulT(&m->la, v.l) + hwWideMat_MulT(&m->aa, v.a)};
}

static void BothGetTheOppositeAboutOnePoint(void** state) {
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < 50; ++k) {
        Rig rig;
        Make(&rig, &seed, 0.001);
        Evaluate(&rig);
        hwWideSpatial load = rig.result.wrench, onB = hwContactPair_GetLoadOnB(&rig.pair, load);
        hwWide a = load.a + hwWide_Cross(rig.places[0], load.l),
               b = onB.a + hwWide_Cross(rig.places[1], onB.l);
        double tiny = 1e-13 * GetSize(load); // rounding
        assert_true(GetSize(load) > 1.0);
        assert_close_vec3(hwWide_ToVec3(onB.l), hwWide_ToVec3(load.l), tiny);
        assert_close_vec3(hwWide_ToVec3(b), hwWide_ToVec3(a), tiny);
        hwContactPair_NoteLoad(&rig.pair, load);
        assert_close_vec3(rig.result.load.a, hwWide_ToVec3(a), tiny);
        assert_close_vec3(rig.result.force, hwWide_ToVec3(load.l), tiny);
    }
}

// Beds of linear springs and dashpots: differences of the load are exact but for rounding, here 1e-9 of it.
static void DampingIsTheSlopeOfTheLoadByBothMotions(void** state) {
    (void)state;
    uint64_t seed = 2;
    for (int k = 0; k < 20; ++k) {
        Rig rig;
        Make(&rig, &seed, 0.001);
        rig.frictionless = true;
        rig.pair.hd = 0.0; // damping by itself
        Evaluate(&rig);
        hwContactResult before = rig.result;
        hwWideBlock toB =
            hwContactPair_Couple(&before.dampingMatrix, hwWide_ToVec3(hwContactPair_GetArm(&rig.pair)));
        double way = 1e-6, tolerance = 1e-9 * GetSize(before.wrench) / way;
        for (int j = 0; j < 6; ++j) {
            hwWideSpatial e = MakeUnit(j),
                          expected[2] = {hwWideSym_Mul(&before.dampingMatrix, e), MulBlock(&toB, e)};
            for (int body = 0; body < 2; ++body) {
                hwWideSpatial kept = rig.motions[body];
                rig.motions[body].l += way * e.l, rig.motions[body].a += way * e.a;
                Evaluate(&rig);
                rig.motions[body] = kept;
                hwWideSpatial change = Subtract(before.wrench, rig.result.wrench);
                change.l /= way, change.a /= way;
                assert_true(GetSize(Subtract(change, expected[body])) <= tolerance);
            }
        }
    }
}

// M on a, -M X between them and X^T M X on b: what moves both as one body has no force.
static void ACommonMotionHasNoForce(void** state) {
    (void)state;
    uint64_t seed = 3;
    for (int k = 0; k < 50; ++k) {
        Rig rig;
        Make(&rig, &seed, 0.001);
        Evaluate(&rig);
        hwWide arm = hwContactPair_GetArm(&rig.pair);
        hwWideSym aa, bb = {0};
        hwContactPair_GetMatrix(&rig.result, STEP, &aa);
        hwWideSym_AddFrom(&bb, &aa, arm);
        hwWideBlock ab = hwContactPair_Couple(&aa, hwWide_ToVec3(arm));
        hwWideSpatial w = RandomMotion(&seed, 1.0), wa = hwWideSpatial_MotionAt(w, rig.places[0]),
                      wb = hwWideSpatial_MotionAt(w, rig.places[1]);
        hwWideSpatial own = hwWideSym_Mul(&aa, wa), other = MulBlock(&ab, wb);
        hwWideSpatial sum = {own.l + other.l, own.a + other.a};
        double tiny = 1e-12 * GetSize(own); // rounding
        assert_true(GetSize(own) > 0.0 && GetSize(sum) <= tiny);
        own = hwWideSym_Mul(&bb, wb), other = MulBlockT(&ab, wa);
        sum = (hwWideSpatial){own.l + other.l, own.a + other.a};
        assert_true(GetSize(sum) <= 10.0 * tiny);
        // one that moves against the other is resisted
        assert_true(hwWideSpatial_Dot(wa, hwWideSym_Mul(&aa, wa)) > 0.0);
    }
}

// Pushed along the normal by `push` and along the surface by `slip`, m/s, for a step: the patches sink in, friction's springs stretch.
// Linear laws: equal but for the rounding of differences of loads a million times as large.
static void CheckFollowing(Rig* rig, double push, hwVec3 slip) {
    Evaluate(rig);
    hwContactResult before = rig->result;
    hwVec3 n = rig->patches[0].normal;
    hwWideSpatial change = hwWideSpatial_Zero();
    change.l = hwWide_FromVec3(hwMulAdd(slip, push, n));
    hwWideSpatial expected = hwContactPair_Follow(&before, change);
    rig->motions[0].l += change.l;
    for (int i = 0; i < 2; ++i) rig->patches[i].volume += STEP * push * rig->patches[i].area;
    Evaluate(rig);
    hwWideSpatial moved = Subtract(rig->result.wrench, before.wrench);
    assert_true(GetSize(moved) > 0.0);
    double off = GetSize(Subtract(rig->result.wrench, expected));
    if (!(off <= 1e-6 * GetSize(moved))) fail_msg("off by %g of the change", off / GetSize(moved));
}

static void ALoadThatFollowsIsTheOneEvaluated(void** state) {
    (void)state;
    uint64_t seed = 4;
    for (int k = 0; k < 50; ++k) {
        Rig rig;
        // as deep in both places: what sinks in shifts the centre on which friction acts by nothing, of which no matrix knows
        Make(&rig, &seed, 0.002);
        hwVec3 across = hwNormalize(hwCross(rig.patches[0].normal, TestRandomVec3(&seed)));
        rig.motions[0] = rig.motions[1] = hwWideSpatial_Zero();
        CheckFollowing(&rig, 1e-5, hwScale(1e-6, across));
        assert_false(rig.result.limited);
        // it slides at the limit, which follows the normal force
        rig.sliding = true;
        rig.motions[0].l = hwWide_FromVec3(hwScale(3.0, across));
        CheckFollowing(&rig, 1e-5, hwVec3_zero);
        assert_true(rig.result.limited && rig.result.slides);
    }
}

static void SlidingIsResistedByCoulombsLaw(void** state) {
    (void)state;
    uint64_t seed = 5;
    for (int k = 0; k < 50; ++k) {
        Rig rig;
        Make(&rig, &seed, 0.001);
        hwVec3 n = rig.patches[0].normal, across = hwNormalize(hwCross(n, TestRandomVec3(&seed)));
        rig.sliding = true;
        rig.motions[0] = rig.motions[1] = hwWideSpatial_Zero();
        rig.motions[0].l = hwWide_FromVec3(hwScale(3.0, across));
        Evaluate(&rig);
        hwVec3 force = hwWide_ToVec3(rig.result.wrench.l);
        double normal = -hwDot(force, n);
        assert_close(normal, rig.result.elastic + rig.result.damping, 1e-12 * normal); // rounding
        assert_close_vec3(hwMulAdd(force, normal, n), hwScale(-0.4 * normal, across), 1e-9 * normal);
    }
}

// What the load takes from the motion is stored by the beds or dissipated.
static void PowersBalance(void** state) {
    (void)state;
    uint64_t seed = 6;
    for (int k = 0; k < 50; ++k) {
        Rig rig;
        Make(&rig, &seed, 0.001);
        rig.frictionless = k % 2 == 0;
        rig.motions[0] = RandomMotion(&seed, 1e-2);
        Evaluate(&rig);
        hwWideSpatial motion = hwContactPair_GetMotion(&rig.pair);
        double storing = 0.0;
        for (int i = 0; i < 2; ++i) {
            hwWide at = hwWide_FromVec3(rig.patches[i].point) - rig.places[0];
            hwVec3 v = hwWide_ToVec3(hwWideSpatial_MotionAt(motion, at).l);
            double rate = hwDot(rig.patches[i].normal, v);
            // springs push with stiffness times volume, and no more than they release
            storing += rig.pair.law.stiffness * rig.patches[i].volume * rate;
        }
        double taken = -hwWideSpatial_Dot(rig.result.wrench, motion);
        double scale = GetSize(rig.result.wrench) * GetSize(motion);
        assert_close(taken, storing + rig.result.power, 1e-12 * scale); // rounding
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BothGetTheOppositeAboutOnePoint),
        cmocka_unit_test(DampingIsTheSlopeOfTheLoadByBothMotions),
        cmocka_unit_test(ACommonMotionHasNoForce),
        cmocka_unit_test(ALoadThatFollowsIsTheOneEvaluated),
        cmocka_unit_test(SlidingIsResistedByCoulombsLaw),
        cmocka_unit_test(PowersBalance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
