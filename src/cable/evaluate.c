// Forces on the nodes and the matrix A = M - hd df/dv - hd^2 df/dx, four elements or nodes at a time.
//
// All internal forces act through the chords d_e = x_(e+1) - x_e. An energy of the chords with Hessian blocks
// K_e (chord e with itself) and C_i (chord i-1 with chord i) gives the node blocks
//   A(i, i)   = K_(i-1) + K_i - C_i - C_i^T,   A(i, i+1) = C_i + C_(i+1) - K_i,   A(i, i+2) = -C_(i+1).
//
// Stretch. T = phi(EA e + c de/dt), e = l/l0 - 1, phi(u) = u for u > 0 and (compression) u below: a spring
// and dashpot side by side that do not push. T is continuous in e and de/dt, the matrix never negative, and
// since phi is monotone the part of T beyond the spring's never does work on the cable.
//
// Bending. Turning angle p between neighbouring chords, energy B 2 tan^2(p/2) = 2 B (1 - c)/(1 + c), c = cos
// p, with B = EI/l over half an element on each side (work.c). No trigonometry, infinite at a fold. This is
// half the squared length of the curvature binormal of Bergou et al. (2008). The matrix takes the gradient
// products and, of the second derivatives, B g |dt1 - dt0|^2 with g = -dE/dc / B: never negative; what is
// left out is of the order of p.
#include "cable/arrays.h"
#include "cable/pieces.h"

// Fluid samples and node states from arrays of structures into arrays by component.
static void GatherNodes(hwCableWork* work, const hwCableState* state, int from, int to) {
    hwCableArrays* s = work->arrays;
    int nodes = work->nodes;
    const hwVec3* x = state->position;
    const hwVec3* v = state->velocity;
    int i = from;
    for (; i + HW_LANES <= to; i += HW_LANES) {
        hwV4x3 place = LoadVectors(&x[i].x), velocity = LoadVectors(&v[i].x);
        Store4(s->px + i, place.x);
        Store4(s->py + i, place.y);
        Store4(s->pz + i, place.z);
        Store4(s->vx + i, velocity.x);
        Store4(s->vy + i, velocity.y);
        Store4(s->vz + i, velocity.z);
    }
    for (; i < to; ++i) {
        s->px[i] = x[i].x;
        s->py[i] = x[i].y;
        s->pz[i] = x[i].z;
        s->vx[i] = v[i].x;
        s->vy[i] = v[i].y;
        s->vz[i] = v[i].z;
    }
    // Chords past the end need some direction.
    for (int k = 0; k < 5 && to == nodes; ++k) {
        s->px[nodes + k] = x[nodes - 1].x + (k + 1);
        s->py[nodes + k] = x[nodes - 1].y;
        s->pz[nodes + k] = x[nodes - 1].z;
    }
}

static void GatherFluid(hwCableWork* work, const hwFluidSample* fluid, int from, int to) {
    hwCableArrays* s = work->arrays;
    int i = from;
    for (; i + HW_LANES <= to; i += HW_LANES) {
        const hwFluidSample *a = fluid + i, *b = a + 1, *c = a + 2, *d = a + 3;
        hwV4 xy = LoadHalves(&a->velocity.x, &c->velocity.x),
             xyOdd = LoadHalves(&b->velocity.x, &d->velocity.x);
        hwV4 zx = LoadHalves(&a->velocity.z, &c->velocity.z),
             zxOdd = LoadHalves(&b->velocity.z, &d->velocity.z);
        hwV4 yz = LoadHalves(&a->acceleration.y, &c->acceleration.y),
             yzOdd = LoadHalves(&b->acceleration.y, &d->acceleration.y);
        hwV4 surface = {a->surface, b->surface, c->surface, d->surface};
        Store4(s->ux + i, __builtin_shufflevector(xy, xyOdd, 0, 4, 2, 6));
        Store4(s->uy + i, __builtin_shufflevector(xy, xyOdd, 1, 5, 3, 7));
        Store4(s->uz + i, __builtin_shufflevector(zx, zxOdd, 0, 4, 2, 6));
        Store4(s->ax + i, __builtin_shufflevector(zx, zxOdd, 1, 5, 3, 7));
        Store4(s->ay + i, __builtin_shufflevector(yz, yzOdd, 0, 4, 2, 6));
        Store4(s->az + i, __builtin_shufflevector(yz, yzOdd, 1, 5, 3, 7));
        Store4(s->depth + i, surface - Load4(s->pz + i));
    }
    for (; i < to; ++i) {
        s->ux[i] = fluid[i].velocity.x;
        s->uy[i] = fluid[i].velocity.y;
        s->uz[i] = fluid[i].velocity.z;
        s->ax[i] = fluid[i].acceleration.x;
        s->ay[i] = fluid[i].acceleration.y;
        s->az[i] = fluid[i].acceleration.z;
        s->depth[i] = fluid[i].surface - s->pz[i];
    }
}

hwWetElement hwWetElement_Make(double h0, double h1, double radius) {
    // W = wet fraction, its first and second integral with depth I and J, all piecewise polynomials.
    double h[2] = {h0, h1}, w[2], i[2], j[2];
    for (int k = 0; k < 2; ++k) {
        double up = h[k] + radius;
        w[k] = hwWetFraction(h[k], radius);
        i[k] = h[k] <= -radius ? 0.0 : h[k] >= radius ? h[k] : up * up / (4.0 * radius);
        j[k] = h[k] <= -radius  ? 0.0
               : h[k] >= radius ? 0.5 * h[k] * h[k] + radius * radius / 6.0
                                : up * up * up / (12.0 * radius);
    }
    hwWetElement wet;
    double span = h1 - h0;
    if (fabs(span) > 1e-4 * radius) {
        double inverse = 1.0 / span;
        double total = (i[1] - i[0]) * inverse;
        wet.integral = (j[1] - j[0]) * inverse;
        wet.b = (i[1] - wet.integral) * inverse;
        wet.a = total - wet.b;
        wet.riseB = (w[1] - total) * inverse;
        wet.riseA = (w[1] - w[0]) * inverse - wet.riseB;
    } else {
        double slope = fabs(h0 + h1) < 2.0 * radius ? 0.5 / radius : 0.0;
        wet.integral = 0.5 * (i[0] + i[1]);
        wet.a = (2.0 * w[0] + w[1]) / 6.0;
        wet.b = (w[0] + 2.0 * w[1]) / 6.0;
        wet.riseA = wet.riseB = 0.5 * slope;
    }
    return wet;
}

// Whether the surface cuts an element; then its shares and what it loses with height.
static bool IsCut(const hwCableArrays* s, int e, hwWetElement* wet) {
    double h0 = s->depth[e], h1 = s->depth[e + 1], radius = s->radius[e];
    if (hwMin(h0, h1) >= radius || !(hwMax(h0, h1) > -radius)) return false;
    *wet = hwWetElement_Make(h0, h1, radius);
    return true;
}

// Wet shares of the elements of nodes, and the loss of buoyancy with height where the surface cuts them; whether it does.
static bool WetElements(hwCableWork* work, const hwCableInput* input, int from, int to) {
    hwCableArrays* s = work->arrays;
    int elements = to < work->nodes ? to : to - 1;
    double weight = input->gravity * input->waterDensity;
    bool splash = false;
    hwWetElement wet;
    if (s->splash) memset(s->heave + from, 0, (size_t)(to - from) * sizeof(double));
    if (from > 0 && IsCut(s, from - 1, &wet)) {
        s->heave[from] += weight * s->volume[from - 1] * wet.riseB;
        splash = true;
    }
    for (int e = from; e < elements; ++e) {
        if (e + HW_LANES <= elements) { // mostly all are under water
            hwV4 radii = Load4(s->radius + e);
            hwM4 under = (Load4(s->depth + e) >= radii) & (Load4(s->depth + e + 1) >= radii);
            if ((under[0] & under[1] & under[2] & under[3]) != 0) {
                Store4(s->wetA + e, Set4(0.5));
                Store4(s->wetB + e, Set4(0.5));
                e += HW_LANES - 1;
                continue;
            }
        }
        s->wetA[e] = s->wetB[e] = hwMin(s->depth[e], s->depth[e + 1]) >= s->radius[e] ? 0.5 : 0.0;
        if (!IsCut(s, e, &wet)) continue;
        s->wetA[e] = wet.a;
        s->wetB[e] = wet.b;
        s->heave[e] += weight * s->volume[e] * wet.riseA;
        if (e + 1 < to) s->heave[e + 1] += weight * s->volume[e] * wet.riseB;
        splash = true;
    }
    return splash;
}

HW_INLINE hwV4x3 LoadTangents(const hwCableArrays* s, int e) {
    hwV4x3 t = {Load4(s->tx + e), Load4(s->ty + e), Load4(s->tz + e)};
    return t;
}

// What elements that are folded up add to their tension and to their part of the matrix.
static void Fold(hwV4 stretch, hwV4 rate, hwV4 stiffness, double hd, hwV4* tension, hwV4* folding) {
    for (int k = 0; k < HW_LANES; ++k) {
        hwFold fold = hwFold_Make(stretch[k]);
        double share = 1.0 - HW_HEAP_TIME * rate[k], time = share < HW_HEAP_MOST ? HW_HEAP_TIME : 0.0;
        if (!(share > 0.0)) continue;
        share = hwMin(share, HW_HEAP_MOST);
        (*tension)[k] -= stiffness[k] * fold.push * share;
        (*folding)[k] = stiffness[k] * hd * (hd * fold.slope * share + time * fold.push);
    }
}

// Tangents, lengths, tensions, mass and axial stiffness of the elements of nodes.
HW_INLINE void Elements(hwCableWork* work, const hwCableInput* input, bool fluid, bool matrix, int from,
                        int to) {
    hwCableArrays* s = work->arrays;
    int nodes = work->nodes;
    double hd = input->hd, hd2 = input->hd * input->hd, density = input->waterDensity;
    for (int e = from; e < to; e += HW_LANES) {
        hwV4x3 d = {Load4(s->px + e + 1) - Load4(s->px + e), Load4(s->py + e + 1) - Load4(s->py + e),
                    Load4(s->pz + e + 1) - Load4(s->pz + e)};
        hwV4x3 dv = {Load4(s->vx + e + 1) - Load4(s->vx + e), Load4(s->vy + e + 1) - Load4(s->vy + e),
                     Load4(s->vz + e + 1) - Load4(s->vz + e)};
        hwV4 length = Sqrt4(Dot4(d, d) + 1e-30); // nodes may meet for an instant in a slack heap
        hwV4 inverse = 1.0 / length;
        hwV4x3 t = Scale4(inverse, d);
        hwV4 restInverse = Load4(s->restInverse + e);
        hwV4 stretch = (length - Load4(s->relief + e)) * restInverse;
        hwV4 strain = stretch - 1.0;
        hwV4 rate = (Dot4(t, dv) - stretch * Load4(s->growth + e)) * restInverse;
        hwV4 stiffness = Load4(s->stiffness + e), damping = Load4(s->damping + e);
        hwV4 u = stiffness * strain + damping * rate;
        hwV4 part = Select4(u > -Load4(s->drawn + e), Set4(1.0), Load4(s->compression + e));
        hwV4 tension = part * u, folding = Set4(0.0);
        hwM4 folded = (stretch < HW_SHORTEST) & (stiffness > 0.0);
        if ((folded[0] | folded[1] | folded[2] | folded[3]) != 0)
            Fold(stretch, rate, stiffness, hd, &tension, &folding);
        Store4(s->tx + e, t.x);
        Store4(s->ty + e, t.y);
        Store4(s->tz + e, t.z);
        Store4(s->lengthInverse + e, inverse);
        Store4(work->length + e, length);
        Store4(work->tension + e, tension);
        Store4(s->pull + e, u);

        hwV4 inertia = Load4(s->mass + e), inertiaAlong = Set4(0.0);
        if (fluid) {
            hwV4 wet = density * (Load4(s->wetA + e) + Load4(s->wetB + e));
            hwV4 across = wet * Load4(s->addedNormal + e);
            inertia += across;
            inertiaAlong = wet * Load4(s->addedTangential + e) - across;
        }
        Store4(s->inertia + e, inertia);
        Store4(s->inertiaAlong + e, inertiaAlong);
        if (matrix) {
            hwV4 geometric = hd2 * Positive4(tension) * inverse;
            // The second part: what the winch's rate adds to the strain rate grows with the length.
            hwV4 spring = Positive4(stiffness - damping * Load4(s->growth + e) * restInverse);
            hwV4 axial = (part * (hd2 * spring + hd * damping) + folding) * restInverse;
            Store4(s->iso + e, geometric);
            Store4(s->along + e, axial - geometric);
        }
    }
    // So that the mean of neighbours is right at the ends.
    if (from == 0) {
        s->tx[-1] = s->tx[0];
        s->ty[-1] = s->ty[0];
        s->tz[-1] = s->tz[0];
    }
    if (to < nodes) return;
    s->tx[nodes - 1] = s->tx[nodes - 2];
    s->ty[nodes - 1] = s->ty[nodes - 2];
    s->tz[nodes - 1] = s->tz[nodes - 2];
}

// Turning angles at the interior nodes.
HW_INLINE void Joints(hwCableWork* work, const hwCableInput* input, bool matrix) {
    hwCableArrays* s = work->arrays;
    double hd = input->hd, hd2 = input->hd * input->hd;
    for (int i = 0; i < work->nodes; i += HW_LANES) {
        hwV4x3 t0 = LoadTangents(s, i - 1), t1 = LoadTangents(s, i);
        hwV4 s0 = Load4(s->lengthInverse + i - 1), s1 = Load4(s->lengthInverse + i);
        hwV4 c = Dot4(t0, t1);
        hwV4 open = 1.0 + c;
        hwV4 inverse = 1.0 / Select4(open > HW_FOLD, open, Set4(HW_FOLD));
        hwV4 slope = 4.0 * inverse * inverse; // -d/dc of 2 (1 - c)/(1 + c)
        hwV4x3 a = Scale4(s0, MulAdd4(t1, -c, t0)), b = Scale4(s1, MulAdd4(t0, -c, t1));
        hwV4 bend = Load4(s->bend + i);
        Store4(s->before[0] + i, a.x);
        Store4(s->before[1] + i, a.y);
        Store4(s->before[2] + i, a.z);
        Store4(s->after[0] + i, b.x);
        Store4(s->after[1] + i, b.y);
        Store4(s->after[2] + i, b.z);
        Store4(s->bendForce + i, bend * slope);
        if (!matrix) continue;
        hwV4 iso = slope * (hd2 * bend + hd * Load4(s->bendDamping + i));
        hwV4 rank = (2.0 * hd2) * bend * slope * inverse;
        Store4(s->bendIso + i, iso);
        Store4(s->bendRank + i, rank);
        // C_i = rank a b^T - iso s0 s1 P0 P1,  P0 P1 = 1 - t0 t0^T - t1 t1^T + c t0 t1^T
        hwV4 k = iso * s0 * s1;
        hwV4x3 ra = Scale4(rank, a);
        hwV4x3 kt0 = Scale4(k, t0);
        hwV4x3 w = Scale4(k, MulAdd4(t1, -c, t0)); // k (t1 - c t0)
        // entry (m, n): ra_m b_n + kt0_m t0_n + w_m t1_n - k delta_mn
        Store4(s->couple[0] + i, ra.x * b.x + kt0.x * t0.x + w.x * t1.x - k);
        Store4(s->couple[1] + i, ra.x * b.y + kt0.x * t0.y + w.x * t1.y);
        Store4(s->couple[2] + i, ra.x * b.z + kt0.x * t0.z + w.x * t1.z);
        Store4(s->couple[3] + i, ra.y * b.x + kt0.y * t0.x + w.y * t1.x);
        Store4(s->couple[4] + i, ra.y * b.y + kt0.y * t0.y + w.y * t1.y - k);
        Store4(s->couple[5] + i, ra.y * b.z + kt0.y * t0.z + w.y * t1.z);
        Store4(s->couple[6] + i, ra.z * b.x + kt0.z * t0.x + w.z * t1.x);
        Store4(s->couple[7] + i, ra.z * b.y + kt0.z * t0.y + w.z * t1.y);
        Store4(s->couple[8] + i, ra.z * b.z + kt0.z * t0.z + w.z * t1.z - k);
    }
}

// Bending force and full stiffness of each chord, from the joints at its two nodes.
HW_INLINE void Chords(hwCableWork* work, bool matrix) {
    hwCableArrays* s = work->arrays;
    for (int e = 0; e < work->nodes; e += HW_LANES) {
        hwV4x3 b = {Load4(s->after[0] + e), Load4(s->after[1] + e), Load4(s->after[2] + e)};
        hwV4x3 a = {Load4(s->before[0] + e + 1), Load4(s->before[1] + e + 1), Load4(s->before[2] + e + 1)};
        hwV4 fb = Load4(s->bendForce + e), fa = Load4(s->bendForce + e + 1);
        Store4(s->shear[0] + e, fb * b.x + fa * a.x);
        Store4(s->shear[1] + e, fb * b.y + fa * a.y);
        Store4(s->shear[2] + e, fb * b.z + fa * a.z);
        if (!matrix) continue;
        hwV4x3 t = LoadTangents(s, e);
        hwV4 inverse = Load4(s->lengthInverse + e);
        hwV4 bend = (Load4(s->bendIso + e) + Load4(s->bendIso + e + 1)) * inverse * inverse;
        hwV4 iso = Load4(s->iso + e) + bend + HW_MASS_SHARE * Load4(s->inertia + e);
        hwV4 along = Load4(s->along + e) - bend + HW_MASS_SHARE * Load4(s->inertiaAlong + e);
        hwV4x3 rb = Scale4(Load4(s->bendRank + e), b), ra = Scale4(Load4(s->bendRank + e + 1), a);
        hwV4x3 at = Scale4(along, t);
        Store4(s->stiff[0] + e, iso + at.x * t.x + ra.x * a.x + rb.x * b.x);
        Store4(s->stiff[1] + e, at.x * t.y + ra.x * a.y + rb.x * b.y);
        Store4(s->stiff[2] + e, at.x * t.z + ra.x * a.z + rb.x * b.z);
        Store4(s->stiff[3] + e, iso + at.y * t.y + ra.y * a.y + rb.y * b.y);
        Store4(s->stiff[4] + e, at.y * t.z + ra.y * a.z + rb.y * b.z);
        Store4(s->stiff[5] + e, iso + at.z * t.z + ra.z * a.z + rb.z * b.z);
    }
}

// Drag, fluid acceleration and buoyancy at four nodes; adds to the force and to the block.
HW_INLINE void AddFluid(const hwCableWork* work, const hwCableInput* input, int i, hwV4x3* force,
                        hwV4 block[6], bool matrix) {
    const hwCableArrays* s = work->arrays;
    double water = input->waterDensity, air = input->airDensity, hd = input->hd;
    hwV4x3 t0 = LoadTangents(s, i - 1), t1 = LoadTangents(s, i);
    hwV4 wet0 = Load4(s->wetB + i - 1), wet1 = Load4(s->wetA + i);
    hwV4 volume = Load4(s->volume + i - 1) * wet0 + Load4(s->volume + i) * wet1;

    // Drag with the mean tangent, on the stretched length.
    hwV4 l0 = Load4(work->length + i - 1) * (air * 0.5 + (water - air) * wet0);
    hwV4 l1 = Load4(work->length + i) * (air * 0.5 + (water - air) * wet1);
    hwV4 normal = l0 * Load4(s->dragNormal + i - 1) + l1 * Load4(s->dragNormal + i);
    hwV4 tangential = l0 * Load4(s->dragTangential + i - 1) + l1 * Load4(s->dragTangential + i);
    hwV4x3 t = Add4(t0, t1);
    t = Scale4(1.0 / Sqrt4(Dot4(t, t) + 1e-30), t);
    hwV4x3 u = {Load4(s->ux + i) - Load4(s->vx + i), Load4(s->uy + i) - Load4(s->vy + i),
                Load4(s->uz + i) - Load4(s->vz + i)};
    hwV4 along = Dot4(u, t);
    hwV4x3 across = MulAdd4(u, -along, t);
    hwV4 speed = Sqrt4(Dot4(across, across) + 1e-30);
    hwV4 kn = normal * speed, kt = tangential * Abs4(along);
    hwV4 ktAlong = kt * along;

    // Froude-Krylov and added mass: (rho V + M_added) a.
    hwV4x3 a = {Load4(s->ax + i), Load4(s->ay + i), Load4(s->az + i)};
    hwV4 across0 = 0.5 * (Load4(s->inertia + i - 1) - Load4(s->mass + i - 1));
    hwV4 across1 = 0.5 * (Load4(s->inertia + i) - Load4(s->mass + i));
    hwV4 along0 = 0.5 * Load4(s->inertiaAlong + i - 1) * Dot4(t0, a);
    hwV4 along1 = 0.5 * Load4(s->inertiaAlong + i) * Dot4(t1, a);
    hwV4 whole = water * volume + across0 + across1;
    force->x += kn * across.x + ktAlong * t.x + whole * a.x + along0 * t0.x + along1 * t1.x;
    force->y += kn * across.y + ktAlong * t.y + whole * a.y + along0 * t0.y + along1 * t1.y;
    force->z += kn * across.z + ktAlong * t.z + whole * a.z + along0 * t0.z + along1 * t1.z +
                (input->gravity * water) * volume;
    if (!matrix) return;

    // -dF/dv with the tangent held: kn (1 - t t^T) + (normal / speed) across across^T + 2 kt t t^T.
    hwV4 iso = hd * kn, tt = hd * (2.0 * kt - kn), rank = hd * normal / speed;
    hwV4x3 st = Scale4(tt, t), sa = Scale4(rank, across);
    block[0] += iso + st.x * t.x + sa.x * across.x;
    block[1] += st.x * t.y + sa.x * across.y;
    block[2] += st.x * t.z + sa.x * across.z;
    block[3] += iso + st.y * t.y + sa.y * across.y;
    block[4] += st.y * t.z + sa.y * across.z;
    block[5] += iso + st.z * t.z + sa.z * across.z;
}

HW_INLINE void StoreForces(hwVec3* force, hwV4x3 f) {
    StoreVectors(&force->x, f);
}

// Net force on each chord's nodes: f_i = n_i - n_(i-1), n = T t - shear.
HW_INLINE hwV4x3 LoadInternal(const hwCableWork* work, int e, bool wide) {
    const hwCableArrays* s = work->arrays;
    hwV4x3 n = Scale4(Load4(work->tension + e), LoadTangents(s, e));
    if (wide) {
        n.x -= Load4(s->shear[0] + e);
        n.y -= Load4(s->shear[1] + e);
        n.z -= Load4(s->shear[2] + e);
    }
    return n;
}

// D += p 1 + q t t^T
HW_INLINE void AddElementBlock(hwV4 block[6], hwV4 p, hwV4 q, hwV4x3 t) {
    hwV4x3 qt = Scale4(q, t);
    block[0] += p + qt.x * t.x;
    block[1] += qt.x * t.y;
    block[2] += qt.x * t.z;
    block[3] += p + qt.y * t.y;
    block[4] += qt.y * t.z;
    block[5] += p + qt.z * t.z;
}

// Assembles the rows of four nodes, internal forces without bending.
HW_INLINE void AssembleNarrow(hwCableArrays* s, int i, hwV4 block[6]) {
    for (int side = 1; side >= 0; --side) {
        int e = i - side;
        AddElementBlock(block, Load4(s->iso + e) + HW_MASS_SHARE * Load4(s->inertia + e),
                        Load4(s->along + e) + HW_MASS_SHARE * Load4(s->inertiaAlong + e), LoadTangents(s, e));
    }
    hwV4 next[6] = {{0}};
    AddElementBlock(next, HW_MASS_COUPLING * Load4(s->inertia + i) - Load4(s->iso + i),
                    HW_MASS_COUPLING * Load4(s->inertiaAlong + i) - Load4(s->along + i), LoadTangents(s, i));
    static const int full[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    int slot = HW_SLOT(i);
    for (int k = 0; k < 9; ++k) Store4(s->first + HW_AT(9, slot, k), next[full[k]]);
}

// The same with bending.
HW_INLINE void AssembleWide(hwCableArrays* s, int i, hwV4 block[6]) {
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    static const int full[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    for (int k = 0; k < 6; ++k) {
        block[k] += Load4(s->stiff[k] + i - 1) + Load4(s->stiff[k] + i) -
                    Load4(s->couple[3 * row[k] + column[k]] + i) -
                    Load4(s->couple[3 * column[k] + row[k]] + i);
    }
    hwV4 mass[6] = {{0}};
    AddElementBlock(mass, 0.5 * Load4(s->inertia + i), 0.5 * Load4(s->inertiaAlong + i), LoadTangents(s, i));
    int slot = HW_SLOT(i);
    for (int k = 0; k < 9; ++k) {
        hwV4 ahead = Load4(s->couple[k] + i + 1);
        Store4(s->first + HW_AT(9, slot, k),
               mass[full[k]] - Load4(s->stiff[full[k]] + i) + Load4(s->couple[k] + i) + ahead);
        Store4(s->second + HW_AT(9, slot, k), -ahead);
    }
}

HW_INLINE void Nodes(hwCableWork* work, const hwCableInput* input, bool fluid, bool wide, bool matrix,
                     int from, int to) {
    hwCableArrays* s = work->arrays;
    for (int i = from; i < to; i += HW_LANES) {
        hwV4 block[6] = {{0}};
        hwV4 lump = Load4(s->lumpInertia + i);
        hwV4x3 force = Sub4(LoadInternal(work, i, wide), LoadInternal(work, i - 1, wide));
        force.z -=
            input->gravity * (0.5 * (Load4(s->mass + i - 1) + Load4(s->mass + i)) + Load4(s->lumpMass + i));
        if (fluid) AddFluid(work, input, i, &force, block, matrix);
        StoreForces(work->force + i, force);
        if (!matrix) continue;
        block[0] += lump;
        block[3] += lump;
        block[5] += lump;
        if (wide) {
            AssembleWide(s, i, block);
        } else {
            AssembleNarrow(s, i, block);
        }
        int slot = HW_SLOT(i);
        for (int k = 0; k < 6; ++k) Store4(s->diagonal + HW_AT(6, slot, k), block[k]);
    }
}

static void ElementsFluidMatrix(hwCableWork* work, const hwCableInput* input, int from, int to) {
    Elements(work, input, true, true, from, to);
}
static void ElementsFluid(hwCableWork* work, const hwCableInput* input, int from, int to) {
    Elements(work, input, true, false, from, to);
}
static void ElementsDryMatrix(hwCableWork* work, const hwCableInput* input, int from, int to) {
    Elements(work, input, false, true, from, to);
}
static void ElementsDry(hwCableWork* work, const hwCableInput* input, int from, int to) {
    Elements(work, input, false, false, from, to);
}
static void JointsMatrix(hwCableWork* work, const hwCableInput* input) {
    Joints(work, input, true);
    if (work->model->locks) hwCableLock_AddRank(work);
    Chords(work, true);
}
static void JointsForce(hwCableWork* work, const hwCableInput* input) {
    Joints(work, input, false);
    Chords(work, false);
}
static void NodesFluidWideMatrix(hwCableWork* work, const hwCableInput* input, int from, int to) {
    Nodes(work, input, true, true, true, from, to);
}
static void NodesFluidWide(hwCableWork* work, const hwCableInput* input, int from, int to) {
    Nodes(work, input, true, true, false, from, to);
}
static void NodesFluidMatrix(hwCableWork* work, const hwCableInput* input, int from, int to) {
    Nodes(work, input, true, false, true, from, to);
}
static void NodesFluid(hwCableWork* work, const hwCableInput* input, int from, int to) {
    Nodes(work, input, true, false, false, from, to);
}
static void NodesDryWideMatrix(hwCableWork* work, const hwCableInput* input, int from, int to) {
    Nodes(work, input, false, true, true, from, to);
}
static void NodesDryWide(hwCableWork* work, const hwCableInput* input, int from, int to) {
    Nodes(work, input, false, true, false, from, to);
}
static void NodesDryMatrix(hwCableWork* work, const hwCableInput* input, int from, int to) {
    Nodes(work, input, false, false, true, from, to);
}
static void NodesDry(hwCableWork* work, const hwCableInput* input, int from, int to) {
    Nodes(work, input, false, false, false, from, to);
}

typedef void PassFn(hwCableWork* work, const hwCableInput* input, int from, int to);

// By fluid and matrix; by fluid, bending and matrix.
static PassFn* const elementPass[2][2] = {{ElementsDry, ElementsDryMatrix},
                                          {ElementsFluid, ElementsFluidMatrix}};
static PassFn* const nodePass[2][2][2] = {
    {{NodesDry, NodesDryMatrix}, {NodesDryWide, NodesDryWideMatrix}},
    {{NodesFluid, NodesFluidMatrix}, {NodesFluidWide, NodesFluidWideMatrix}}};

// Lumps: mass and added mass before the nodes' pass, forces after it.
static void LumpInertia(hwCableWork* work, const hwCableInput* input, bool fluid) {
    hwCableArrays* s = work->arrays;
    if (work->model->lumpCount == 0 && input->inertia == NULL && !s->laden) return;
    s->laden = input->inertia != NULL;
    memcpy(s->lumpInertia, s->lumpMass, (size_t)work->nodes * sizeof(double));
    for (int i = 0; s->laden && i < work->nodes; ++i) s->lumpInertia[i] += input->inertia[i];
    if (!fluid) return;
    for (int k = 0; k < s->lumpCount; ++k) {
        const hwCableLump* lump = &work->model->lumps[s->lump[k]];
        int e = s->lumpElement[k];
        double share[2] = {1.0 - s->lumpFraction[k], s->lumpFraction[k]};
        for (int side = 0; side < 2; ++side) {
            double wet = hwWetFraction(s->depth[e + side], hwMax(lump->radius, 1e-6));
            s->lumpInertia[e + side] += share[side] * wet * input->waterDensity * lump->addedVolume;
        }
    }
}

static void AddLumpForces(hwCableWork* work, const hwCableInput* input) {
    hwCableArrays* s = work->arrays;
    for (int k = 0; k < s->lumpCount; ++k) {
        const hwCableLump* lump = &work->model->lumps[s->lump[k]];
        double radius = hwMax(lump->radius, 1e-6);
        double share[2] = {1.0 - s->lumpFraction[k], s->lumpFraction[k]};
        for (int side = 0; side < 2; ++side) {
            int i = s->lumpElement[k] + side;
            double wet = hwWetFraction(s->depth[i], radius);
            double water = share[side] * wet * input->waterDensity;
            double drag = 0.5 * lump->dragArea * (water + share[side] * (1.0 - wet) * input->airDensity);
            hwVec3 u = hwMakeVec3(s->ux[i] - s->vx[i], s->uy[i] - s->vy[i], s->uz[i] - s->vz[i]);
            hwVec3 a = hwMakeVec3(s->ax[i], s->ay[i], s->az[i]);
            double speed = hwLength(u);
            hwVec3 f =
                hwAdd(hwScale(drag * speed, u), hwScale(water * (lump->volume + lump->addedVolume), a));
            f.z += water * lump->volume * input->gravity;
            work->force[i] = hwAdd(work->force[i], f);
            if (!input->matrix) continue;
            double iso = input->hd * drag * speed, rank = speed > 0.0 ? input->hd * drag / speed : 0.0;
            double rise = fabs(s->depth[i]) < radius ? 0.5 / radius : 0.0;
            double heave = input->hd * input->hd * share[side] * input->waterDensity * input->gravity *
                           lump->volume * rise;
            hwCableBlock block = {iso + rank * u.x * u.x, rank * u.x * u.y, rank * u.x * u.z,
                                  iso + rank * u.y * u.y, rank * u.y * u.z, iso + rank * u.z * u.z + heave};
            hwCableWork_AddBlock(work, i, block);
        }
    }
}

static void AddHeave(hwCableWork* work, double hd, int from, int to) {
    hwCableArrays* s = work->arrays;
    for (int i = from; i < to; ++i) s->diagonal[HW_AT(6, HW_SLOT(i), 5)] += hd * hd * s->heave[i];
}

// Material that leaves the drum enters the first interior node's share of mass with the velocity it has at
// the end: u0 = v0 + (rate) d / rest. The Lagrangian of a boundary element whose rest length changes gives
// rate mu (1/2 - HW_MASS_COUPLING) (u0 - v1) on both of its nodes, and on the end node also the inertia of
// the winch's own acceleration; total momentum then grows by exactly rate mu u0.
static void AddPayout(hwCableWork* work, const hwCableInput* input) {
    hwCableArrays* s = work->arrays;
    for (int end = 0; end < 2; ++end) {
        double rate = input->ends[end].payout, acceleration = input->ends[end].acceleration;
        if (rate == 0.0 && acceleration == 0.0) continue;
        int e = end == 0 ? 0 : work->nodes - 2;
        int outer = end == 0 ? 0 : work->nodes - 1, inner = end == 0 ? 1 : work->nodes - 2;
        double perLength = s->mass[e] * s->restInverse[e];
        hwVec3 into = hwScale((end == 0 ? 1.0 : -1.0) * work->length[e] * s->restInverse[e], hwTangent(s, e));
        hwVec3 u0 = hwMakeVec3(s->vx[outer] + rate * into.x, s->vy[outer] + rate * into.y,
                               s->vz[outer] + rate * into.z);
        hwVec3 v1 = hwMakeVec3(s->vx[inner], s->vy[inner], s->vz[inner]);
        if (work->nodes == 2) v1 = hwMulAdd(v1, -input->ends[1 - end].payout, into); // it may slide there too
        hwVec3 flux = hwScale(HW_MASS_SHARE * perLength * rate, hwSub(u0, v1));
        hwVec3 kick = hwScale(-s->mass[e] * acceleration, into);
        work->force[outer] = hwAdd(work->force[outer], hwMulAdd(flux, HW_MASS_SHARE, kick));
        work->force[inner] = hwAdd(work->force[inner], hwMulAdd(flux, HW_MASS_COUPLING, kick));
        // hauling in takes from the diagonal, but never more than the mass that is there
        double d = input->hd * HW_MASS_SHARE * perLength * rate;
        if (!input->matrix || d < -0.9 * HW_MASS_SHARE * s->mass[e]) continue;
        hwCableBlock block = {d, 0.0, 0.0, d, 0.0, d};
        hwCableWork_AddBlock(work, inner, block);
    }
}

// The boundary element of a winch that gives way is softer than its material.
static void Soften(hwCableWork* work, const hwCableInput* input) {
    hwCableArrays* s = work->arrays;
    for (int end = 0; end < 2; ++end) {
        double factor = input->ends[end].softening;
        if (!(factor > 0.0 && factor < 1.0)) continue;
        int e = end == 0 ? 0 : work->nodes - 2;
        s->along[e] = factor * (s->along[e] + s->iso[e]) - s->iso[e];
    }
}

static void BeginEvaluation(hwCableWork* work, const hwCableState* state, const hwCableInput* input) {
    work->input = *input;
    work->input.fluid = NULL;
    work->input.inertia = NULL;
    work->twist = work->torque = 0.0;
    work->moment[0] = work->moment[1] = hwVec3_zero;
    work->arrays->fluid = input->fluid != NULL;
    work->arrays->slackKnown = false;
    if (!input->foreseen) hwCableArrays_ForgetDrawn(work->arrays);
    hwCableWork_RefreshEnds(work, state);
}

void hwCableWork_Evaluate(hwCableWork* work, const hwCableState* state, const hwCableInput* input) {
    hwCableArrays* s = work->arrays;
    bool fluid = input->fluid != NULL;
    BeginEvaluation(work, state, input);
    GatherNodes(work, state, 0, work->nodes);
    if (fluid) {
        GatherFluid(work, input->fluid, 0, work->nodes);
        s->splash = WetElements(work, input, 0, work->nodes);
    }
    LumpInertia(work, input, fluid);
    if (work->model->pid.on) {
        hwCablePid_Elements(work, input);
    } else {
        elementPass[fluid][input->matrix](work, input, 0, work->nodes);
    }
    if (work->model->curved) hwCableCurve_Apply(work, input);
    if (work->model->law.function != NULL) hwCableLaw_Apply(work, input);
    if (input->matrix) Soften(work, input);
    if (s->wide) {
        if (work->model->locks) hwCableLock_Apply(work, input);
        (input->matrix ? JointsMatrix : JointsForce)(work, input);
        hwCableTwist_Add(work, state);
        hwCableBend_AddDamping(work);
    }
    nodePass[fluid][s->wide][input->matrix](work, input, 0, work->nodes);
    if (s->wide) {
        hwCableBend_AddClamp(work, 0);
        hwCableBend_AddClamp(work, 1);
    }
    if (fluid && work->model->pid.on) hwCablePid_AddFriction(work);
    if (fluid && s->lumpCount > 0) AddLumpForces(work, input);
    if (fluid && s->splash && input->matrix) AddHeave(work, input->hd, 0, work->nodes);
    AddPayout(work, input);
}

int hwCable_CountPieces(int nodes) {
    return nodes < 2 * HW_PIECE ? 1 : nodes / HW_PIECE;
}

hwCablePiece hwCable_CutPiece(int nodes, int count, int k) {
    int64_t groups = (nodes + HW_LANES - 1) / HW_LANES;
    hwCablePiece piece = {.from = (int)(k * groups / count * HW_LANES), .to = nodes};
    if (k + 1 < count) piece.to = (int)((k + 1) * groups / count * HW_LANES);
    return piece;
}

bool hwCableWork_GoesInPieces(const hwCableWork* work, const hwCableInput* input) {
    const hwCableModel* model = work->model;
    const hwCableArrays* s = work->arrays;
    if (s->wide || s->laden || input->inertia != NULL || model->lumpCount > 0 || model->pid.on ||
        model->curved || model->law.function != NULL)
        return false;
    for (int end = 0; end < 2; ++end) {
        const hwCableEnd* e = &input->ends[end];
        if (e->fed || e->payout != 0.0 || e->acceleration != 0.0 ||
            (e->softening > 0.0 && e->softening < 1.0))
            return false;
    }
    return true;
}

void hwCableWork_BeginPieces(hwCableWork* work, const hwCableState* state, const hwCableInput* input) {
    BeginEvaluation(work, state, input);
}

void hwCableWork_GatherPiece(hwCableWork* work, const hwCableState* state, const hwCableInput* input,
                             int from, int to) {
    GatherNodes(work, state, from, to);
    if (input->fluid != NULL) GatherFluid(work, input->fluid, from, to);
}

void hwCableWork_EvaluateElements(hwCableWork* work, const hwCableInput* input, hwCablePiece* piece) {
    bool fluid = input->fluid != NULL;
    int from = piece->from, to = piece->to, end = to < work->nodes ? to : to - 1;
    piece->splash = fluid && WetElements(work, input, from, to);
    elementPass[fluid][input->matrix](work, input, from, to);
    piece->slack = hwCableArrays_IsAnySlack(work->arrays, from, end);
}

void hwCableWork_EvaluateNodes(hwCableWork* work, const hwCableState* state, const hwCableInput* input,
                               const hwCableSeabed* seabed, hwCablePiece* piece) {
    bool fluid = input->fluid != NULL;
    nodePass[fluid][0][input->matrix](work, input, piece->from, piece->to);
    if (piece->splash && input->matrix) AddHeave(work, input->hd, piece->from, piece->to);
    if (seabed != NULL) piece->contact = hwCableWork_AddLevel(work, state, seabed, piece->from, piece->to);
}

hwCableContact hwCableWork_FinishPieces(hwCableWork* work, int count, const hwCablePiece* pieces) {
    hwCableArrays* s = work->arrays;
    hwCableContact contact = {0};
    if (s->fluid) s->splash = false;
    s->slack = false;
    for (int k = 0; k < count; ++k) {
        if (s->fluid) s->splash = s->splash || pieces[k].splash;
        s->slack = s->slack || pieces[k].slack;
        hwCableContact_Add(&contact, &pieces[k].contact);
    }
    s->slackKnown = true;
    return contact;
}

void hwCableWork_AddBlock(hwCableWork* work, int node, const hwCableBlock block) {
    double* diagonal = work->arrays->diagonal;
    int slot = HW_SLOT(node);
    for (int k = 0; k < 6; ++k) diagonal[HW_AT(6, slot, k)] += block[k];
}

void hwCableWork_AddElementBlocks(hwCableWork* work, int element, const hwElementBlocks* sum) {
    static const int full[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    int slot = HW_SLOT(element);
    hwCableArrays* s = work->arrays;
    for (int k = 0; k < 6; ++k) {
        s->diagonal[HW_AT(6, slot, k)] += sum->first[k];
        s->diagonal[HW_AT(6, slot + 1, k)] += sum->last[k];
    }
    for (int k = 0; k < 9; ++k) s->first[HW_AT(9, slot, k)] += sum->cross[full[k]];
}

void hwCableWork_AddElementBlock(hwCableWork* work, int element, double w, const hwCableBlock block) {
    hwElementBlocks sum = {{0.0}, {0.0}, {0.0}};
    hwElementBlocks_Add(&sum, w, block);
    hwCableWork_AddElementBlocks(work, element, &sum);
}

// M_e times (a, b): what the first and the second node of element e get.
HW_INLINE void MulElementMass(const hwCableArrays* s, int e, hwVec3 a, hwVec3 b, hwVec3* forA, hwVec3* forB) {
    hwVec3 t = hwTangent(s, e);
    hwVec3 sum = hwAdd(a, b);
    double m = s->inertia[e], along = s->inertiaAlong[e];
    // share a + coupling b = (share - coupling) a + coupling (a + b)
    hwVec3 u = hwMulAdd(hwScale(HW_MASS_COUPLING, sum), HW_MASS_SHARE - HW_MASS_COUPLING, a);
    hwVec3 w = hwMulAdd(hwScale(HW_MASS_COUPLING, sum), HW_MASS_SHARE - HW_MASS_COUPLING, b);
    *forA = hwMulAdd(hwScale(m, u), along * hwDot(t, u), t);
    *forB = hwMulAdd(hwScale(m, w), along * hwDot(t, w), t);
}

// Of four elements.
HW_INLINE void MulMasses(const hwCableArrays* s, int e, hwV4x3 a, hwV4x3 b, hwV4x3* forA, hwV4x3* forB) {
    hwV4x3 t = LoadTangents(s, e), sum = Scale4(Set4(HW_MASS_COUPLING), Add4(a, b));
    hwV4 m = Load4(s->inertia + e), along = Load4(s->inertiaAlong + e),
         rest = Set4(HW_MASS_SHARE - HW_MASS_COUPLING);
    hwV4x3 u = MulAdd4(sum, rest, a), w = MulAdd4(sum, rest, b);
    *forA = MulAdd4(Scale4(m, u), along * Dot4(t, u), t);
    *forB = MulAdd4(Scale4(m, w), along * Dot4(t, w), t);
}

void hwCableWork_MulMassOf(const hwCableWork* work, const hwVec3* all, const hwVec3* own, int from, int to,
                           hwVec3* out) {
    const hwCableArrays* s = work->arrays;
    int last = work->nodes - 1, e = from;
    bool ends = to == work->nodes;
    hwV4x3 behind = {{0}, {0}, {0}};
    if (from > 0) {
        hwV4x3 forA;
        MulMasses(s, from - HW_LANES, LoadVectors(&all[from - HW_LANES].x),
                  LoadVectors(&all[from - HW_LANES + 1].x), &forA, &behind);
    }
    for (; e + HW_LANES <= (ends ? last : to); e += HW_LANES) {
        const hwVec3* in = ends || e == 0 ? own : all;
        hwV4x3 forA, forB, a = LoadVectors(&in[e].x), b = LoadVectors(&in[e + 1].x);
        MulMasses(s, e, a, b, &forA, &forB);
        forA = MulAdd4(forA, Load4(s->lumpInertia + e), a);
        StoreVectors(&out[e].x, Add4(ShiftVectors(behind, forB), forA));
        behind = forB;
    }
    if (!ends) return;
    hwVec3 carried = hwMakeVec3(behind.x[3], behind.y[3], behind.z[3]);
    for (; e < last; ++e) {
        hwVec3 forA, forB;
        MulElementMass(s, e, own[e], own[e + 1], &forA, &forB);
        hwVec3 value = hwAdd(carried, hwMulAdd(forA, s->lumpInertia[e], own[e]));
        carried = forB;
        out[e] = value;
    }
    out[last] = hwMulAdd(carried, s->lumpInertia[last], own[last]);
}

void hwCableWork_MulMass(const hwCableWork* work, const hwVec3* in, hwVec3* out) {
    hwCableWork_MulMassOf(work, in, in, 0, work->nodes, out);
}

// Of an element with the accelerations a, b and the velocities u, w of its nodes, t being its direction:
// m (share (a.u + b.w) + coupling (a.w + b.u)), and the same of the components along t with what it has more along.
double hwCableWork_GetInertialPower(const hwCableWork* work, const hwVec3* v, const hwVec3* a) {
    const hwCableArrays* s = work->arrays;
    int last = work->nodes - 1, e = 0;
    hwV4 power = {0}, share = Set4(HW_MASS_SHARE - HW_MASS_COUPLING), coupling = Set4(HW_MASS_COUPLING);
    for (; e + HW_LANES <= last; e += HW_LANES) {
        hwV4x3 t = LoadTangents(s, e), a0 = LoadVectors(&a[e].x), v0 = LoadVectors(&v[e].x);
        hwV4x3 a1 = LoadVectors(&a[e + 1].x), v1 = LoadVectors(&v[e + 1].x);
        hwV4 own = Dot4(a0, v0), ta0 = Dot4(t, a0), ta1 = Dot4(t, a1), tv0 = Dot4(t, v0), tv1 = Dot4(t, v1);
        hwV4 all = Dot4(Add4(a0, a1), Add4(v0, v1)), along = (ta0 + ta1) * (tv0 + tv1);
        power += Load4(s->inertia + e) * (share * (own + Dot4(a1, v1)) + coupling * all) +
                 Load4(s->inertiaAlong + e) * (share * (ta0 * tv0 + ta1 * tv1) + coupling * along) +
                 Load4(s->lumpInertia + e) * own;
    }
    double sum =
        (power[0] + power[1]) + (power[2] + power[3]) + s->lumpInertia[last] * hwDot(a[last], v[last]);
    for (; e < last; ++e) {
        hwVec3 forA, forB;
        MulElementMass(s, e, a[e], a[e + 1], &forA, &forB);
        sum += hwDot(hwMulAdd(forA, s->lumpInertia[e], a[e]), v[e]) + hwDot(forB, v[e + 1]);
    }
    return sum;
}

void hwCableWork_FillResidual(const hwCableWork* work, double hd, const hwVec3* velocity,
                              const hwVec3* target, hwVec3* out) {
    const hwCableArrays* s = work->arrays;
    int last = work->nodes - 1;
    hwVec3 carried = hwVec3_zero, a = hwSub(velocity[0], target[0]);
    for (int e = 0; e < last; ++e) {
        hwVec3 forA, forB, b = hwSub(velocity[e + 1], target[e + 1]);
        MulElementMass(s, e, a, b, &forA, &forB);
        hwVec3 mass = hwAdd(carried, hwMulAdd(forA, s->lumpInertia[e], a));
        out[e] = hwSub(hwScale(hd, work->force[e]), mass);
        carried = forB;
        a = b;
    }
    out[last] = hwSub(hwScale(hd, work->force[last]), hwMulAdd(carried, s->lumpInertia[last], a));
}

hwVec3 hwCableWork_GetEndForce(const hwCableWork* work, int end, const hwVec3* acceleration) {
    const hwCableArrays* s = work->arrays;
    int e = end == 0 ? 0 : work->nodes - 2;
    int outer = end == 0 ? 0 : work->nodes - 1, inner = end == 0 ? 1 : work->nodes - 2;
    hwVec3 t = hwTangent(s, e);
    hwVec3 mean =
        hwAdd(hwScale(HW_MASS_SHARE, acceleration[outer]), hwScale(HW_MASS_COUPLING, acceleration[inner]));
    hwVec3 inertia = hwMulAdd(hwScale(s->inertia[e], mean), s->inertiaAlong[e] * hwDot(t, mean), t);
    inertia = hwMulAdd(inertia, s->lumpInertia[outer], acceleration[outer]);
    return hwSub(work->force[outer], inertia);
}
