// Elimination against a dense solution of the same matrix: all kinds of ends, ports, lengths.
#include "cable/rig.h"
#include "cable/several.h"
#include "math/dense.h"

#define MAX_UNKNOWNS 120

typedef struct Case {
    bool wide, twist;
    hwCableEndKind kinds[2];
    bool unknown[2];
    int elements;
    int ports[4], portCount;
} Case;

static void Prepare(Rig* rig, const Case* c, uint64_t seed) {
    hwCableSection section = PlainSection(10.0, c->elements);
    section.compression = 0.2;
    section.axialDamping = 30.0;
    if (c->wide) {
        section.EI = 25.0;
        section.bendingDamping = 1.0;
    }
    if (c->twist) {
        section.GJ = 40.0;
        section.torsionDamping = 1.0;
    }
    hwCableSpec spec = {.name = "test", .sectionCount = 1, .sections = &section, .maxPorts = 4};
    Rig_Make(rig, &spec);
    Rig_Shake(rig, seed, 0.1, 0.3);
    for (int end = 0; end < 2; ++end) {
        if (c->kinds[end] == HW_CABLE_CLAMP)
            rig->input.ends[end] = TiltedClamp(seed + 10 + (uint64_t)end, false);
        rig->input.ends[end].kind = c->kinds[end];
        rig->input.ends[end].unknown = c->unknown[end];
    }
    rig->input.hd = 0.05;
    rig->input.matrix = true;
    hwCableWork_Evaluate(&rig->work, &rig->state, &rig->input);
}

// All unknowns of the cable in order: rotation a, nodes, rotation b. Kind of each: 0 known, 1 eliminated, 2
// separator.
typedef struct Dense {
    int nodes, rows; // rows: 3 (nodes + 2)
    double a[MAX_UNKNOWNS][MAX_UNKNOWNS];
} Dense;

static void FillDense(Dense* dense, const Rig* rig) {
    dense->nodes = Rig_Last(rig) + 1;
    dense->rows = 3 * (dense->nodes + 2);
    for (int column = 0; column < dense->rows; ++column) {
        hwVec3 in[64] = {{0}}, out[64], inRotation[2] = {{0}}, outRotation[2] = {{0}};
        int slot = column / 3 - 1;
        hwVec3* entry = slot < 0 ? &inRotation[0] : slot == dense->nodes ? &inRotation[1] : &in[slot];
        (&entry->x)[column % 3] = 1.0;
        hwCableWork_MulMatrix(&rig->work, in, inRotation, out, outRotation);
        for (int row = 0; row < dense->rows; ++row) {
            int s = row / 3 - 1;
            const hwVec3* value = s < 0 ? &outRotation[0] : s == dense->nodes ? &outRotation[1] : &out[s];
            dense->a[row][column] = (&value->x)[row % 3];
        }
    }
}

// Solves the system over the rows marked 1 in `take` for several right-hand sides by Cholesky.
static void SolveDense(const Dense* dense, const int* take, int kind, double* x) {
    static double a[MAX_UNKNOWNS * MAX_UNKNOWNS];
    double b[MAX_UNKNOWNS];
    int list[MAX_UNKNOWNS], n = 0;
    for (int i = 0; i < dense->rows; ++i) {
        if (take[i] == kind) list[n++] = i;
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) a[i * n + j] = dense->a[list[i]][list[j]];
        b[i] = x[list[i]];
    }
    assert_true(hwCholesky(n, a));
    hwCholeskySolve(n, a, b);
    for (int i = 0; i < dense->rows; ++i) x[i] = 0.0;
    for (int i = 0; i < n; ++i) x[list[i]] = b[i];
}

// Dense row of part `part` (0, 1) of separator k.
static int SeparatorRow(const Rig* rig, const Case* c, int k, int part) {
    const hwCableReduced* reduced = hwCableWork_GetReduced(&rig->work);
    int last = Rig_Last(rig);
    if (k == reduced->index[0]) return part == 0 ? 3 : 0;
    if (k == reduced->index[1]) return 3 * (last + 1 + part);
    return 3 * (c->ports[k - (reduced->index[0] >= 0 ? 1 : 0)] + 1 + part);
}

static void CheckCase(const Case* c, uint64_t seed) {
    static Dense dense;
    Rig rig;
    Prepare(&rig, c, seed);
    FillDense(&dense, &rig);
    for (int i = 0; i < dense.rows; ++i) {
        for (int j = 0; j < i; ++j) assert_true(fabs(dense.a[i][j] - dense.a[j][i]) < 1e-9);
    }
    assert_int_equal(hwCableWork_Factor(&rig.work, c->ports, c->portCount), 0);
    const hwCableReduced* reduced = hwCableWork_GetReduced(&rig.work);

    int take[MAX_UNKNOWNS], nodes = dense.nodes;
    for (int i = 0; i < dense.rows; ++i) take[i] = 1;
    for (int i = 0; i < 3; ++i) {
        take[i] = take[3 * (nodes + 1) + i] = 0;
        if (c->kinds[0] != HW_CABLE_FREE) take[3 + i] = 0;
        if (c->kinds[1] != HW_CABLE_FREE) take[3 * nodes + i] = 0;
    }
    for (int k = 0; k < reduced->count; ++k) {
        for (int part = 0; part < reduced->size[k] / 3; ++part) {
            for (int i = 0; i < 3; ++i) take[SeparatorRow(&rig, c, k, part) + i] = 2;
        }
    }

    // Random right-hand side and known increments.
    hwRandom random = {seed + 99};
    double b[MAX_UNKNOWNS], known[2][6], full[MAX_UNKNOWNS], size = 0.0;
    for (int i = 0; i < dense.rows; ++i) b[i] = hwRandom_Range(&random, -1.0, 1.0);
    for (int k = 0; k < 12; ++k) known[k / 6][k % 6] = hwRandom_Range(&random, -1.0, 1.0);
    hwVec3 rhs[64], rotation[2] = {{b[0], b[1], b[2]}};
    for (int i = 0; i < nodes; ++i) rhs[i] = hwMakeVec3(b[3 * i + 3], b[3 * i + 4], b[3 * i + 5]);
    rotation[1] = hwMakeVec3(b[3 * nodes + 3], b[3 * nodes + 4], b[3 * nodes + 5]);
    double fixed[MAX_UNKNOWNS] = {0};
    for (int i = 0; i < 6; ++i) {
        int rowA = i < 3 ? 3 + i : i - 3, rowB = 3 * nodes + i;
        bool rotates = i >= 3;
        bool heldA = c->kinds[0] == (rotates ? HW_CABLE_CLAMP : c->kinds[0]) && c->kinds[0] != HW_CABLE_FREE;
        bool heldB = c->kinds[1] == (rotates ? HW_CABLE_CLAMP : c->kinds[1]) && c->kinds[1] != HW_CABLE_FREE;
        if (heldA && !c->unknown[0]) fixed[rowA] = known[0][i];
        if (heldB && !c->unknown[1]) fixed[rowB] = known[1][i];
    }
    for (int i = 0; i < dense.rows; ++i) {
        full[i] = b[i];
        for (int j = 0; j < dense.rows; ++j) full[i] -= dense.a[i][j] * fixed[j];
    }
    hwCableWork_Reduce(&rig.work, rhs, rotation, known);

    // Schur complement column by column: S e = A_ss e - A_se (A_ee^-1 A_es e).
    double schur[36][36], reducedRhs[36], increments[6][6] = {{0}};
    int rows[36], total = 0;
    for (int k = 0; k < reduced->count; ++k) {
        for (int r = 0; r < reduced->size[k]; ++r) rows[total++] = SeparatorRow(&rig, c, k, r / 3) + r % 3;
    }
    for (int j = 0; j <= total; ++j) {
        double x[MAX_UNKNOWNS];
        for (int i = 0; i < dense.rows; ++i) x[i] = j < total ? dense.a[i][rows[j]] : full[i];
        double kept[MAX_UNKNOWNS];
        memcpy(kept, x, sizeof(kept));
        SolveDense(&dense, take, 1, x);
        for (int i = 0; i < total; ++i) {
            double value = kept[rows[i]];
            for (int k = 0; k < dense.rows; ++k) value -= dense.a[rows[i]][k] * x[k];
            if (j < total) {
                schur[i][j] = value;
                size = fmax(size, fabs(value));
            } else {
                reducedRhs[i] = value;
            }
        }
    }
    int rowBase = 0;
    for (int k = 0; k < reduced->count; ++k) {
        for (int r = 0; r < reduced->size[k]; ++r) {
            for (int m = 0, column = 0; m < reduced->count; ++m) {
                for (int q = 0; q < reduced->size[m]; ++q, ++column) {
                    double got = k == m       ? reduced->matrix[k][r][q]
                                 : m == k + 1 ? reduced->next[k][r][q]
                                 : k == m + 1 ? reduced->next[m][q][r]
                                              : 0.0;
                    if (reduced->twistScale > 0.0)
                        got += reduced->twistScale * reduced->twist[k][r] * reduced->twist[m][q];
                    // Cholesky of a matrix with condition 1e4, relative to its largest entry.
                    if (fabs(got - schur[rowBase + r][column]) > 1e-12 * size) {
                        fail_msg("separators %d %d entry %d %d: %.17g, dense %.17g", k, m, r, q, got,
                                 schur[rowBase + r][column]);
                    }
                }
            }
            assert_true(fabs(reduced->rhs[k][r] - reducedRhs[rowBase + r]) < 1e-11);
        }
        rowBase += reduced->size[k];
    }

    // Increments of the rest, given arbitrary ones of the separators.
    double solution[MAX_UNKNOWNS];
    memcpy(solution, full, sizeof(solution));
    for (int i = 0; i < total; ++i) {
        int k = 0, r = i;
        while (r >= reduced->size[k]) r -= reduced->size[k++];
        increments[k][r] = hwRandom_Range(&random, -1.0, 1.0);
        for (int j = 0; j < dense.rows; ++j) solution[j] -= dense.a[j][rows[i]] * increments[k][r];
    }
    SolveDense(&dense, take, 1, solution);
    for (int i = 0; i < total; ++i) {
        int k = 0, r = i;
        while (r >= reduced->size[k]) r -= reduced->size[k++];
        solution[rows[i]] = increments[k][r];
    }
    hwVec3 got[64];
    hwCableWork_Solve(&rig.work, increments, got);
    double largest = 0.0;
    for (int i = 0; i < dense.rows; ++i) largest = fmax(largest, fabs(solution[i]));
    for (int i = 0; i < nodes; ++i) {
        hwVec3 want =
            hwMakeVec3(solution[3 * i + 3] + fixed[3 * i + 3], solution[3 * i + 4] + fixed[3 * i + 4],
                       solution[3 * i + 5] + fixed[3 * i + 5]);
        if (hwDistance(got[i], want) > 1e-11 * (1.0 + largest)) fail_msg("node %d of %d", i, nodes);
    }
    Rig_Free(&rig);
}

static void EliminationEqualsDense(void** unused) {
    (void)unused;
    const hwCableEndKind kinds[3] = {HW_CABLE_FREE, HW_CABLE_PIN, HW_CABLE_CLAMP};
    int cases = 0;
    for (int stiff = 0; stiff < 3; ++stiff) {
        for (int elements = 1; elements < 12; elements += elements < 5 ? 1 : 3) {
            for (int k = 0; k < 36; ++k) {
                Case c = {.wide = stiff > 0, .twist = stiff > 1, .elements = elements};
                c.kinds[0] = kinds[k % 3];
                c.kinds[1] = kinds[k / 3 % 3];
                c.unknown[0] = k / 9 % 2 == 1;
                c.unknown[1] = k / 18 == 1;
                if (elements == 1 && c.kinds[0] != HW_CABLE_FREE && !c.unknown[0] &&
                    c.kinds[1] != HW_CABLE_FREE && !c.unknown[1]) {
                    continue; // nothing to solve for
                }
                CheckCase(&c, 100 + (uint64_t)cases);
                cases += 1;
            }
        }
    }
    assert_true(cases > 500);
}

static void PortsEqualDense(void** unused) {
    (void)unused;
    for (int k = 0; k < 48; ++k) {
        Case c = {.wide = k % 3 > 0,
                  .twist = k % 3 > 1,
                  .elements = 20,
                  .ports = {3, 9, 14},
                  .portCount = 1 + k % 2 * 2};
        c.kinds[0] = k & 4 ? HW_CABLE_CLAMP : HW_CABLE_PIN;
        c.kinds[1] = k & 8 ? HW_CABLE_CLAMP : HW_CABLE_FREE;
        c.unknown[0] = k & 16;
        c.unknown[1] = k & 32;
        CheckCase(&c, 900 + (uint64_t)k);
    }
}

// Contact blocks added by the caller are part of the matrix.
static void AddedBlocksEnterTheMatrix(void** unused) {
    (void)unused;
    Case c = {.wide = true, .elements = 6};
    Rig rig;
    Prepare(&rig, &c, 5);
    static Dense before, after;
    FillDense(&before, &rig);
    hwCableBlock block = {4.0, 1.0, 0.5, 3.0, 0.2, 2.0};
    double full[3][3] = {{4.0, 1.0, 0.5}, {1.0, 3.0, 0.2}, {0.5, 0.2, 2.0}};
    hwCableWork_AddBlock(&rig.work, 4, block);
    hwCableWork_AddElementBlock(&rig.work, 1, 0.3, block);
    FillDense(&after, &rig);
    double weights[7] = {0.0, 0.7, 0.3, 0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < after.rows; ++i) {
        for (int j = 0; j < after.rows; ++j) {
            int a = i / 3 - 1, b = j / 3 - 1;
            double want = before.a[i][j];
            if (a >= 0 && a < 7 && b >= 0 && b < 7) want += weights[a] * weights[b] * full[i % 3][j % 3];
            if (a == 4 && b == 4) want += full[i % 3][j % 3];
            assert_true(fabs(after.a[i][j] - want) < 1e-12 * (1.0 + fabs(want)));
        }
    }
    Rig_Free(&rig);
}

// With hd = 0 the solution is the explicit one: M a = f.
static void ZeroStepGivesForwardDynamics(void** unused) {
    (void)unused;
    Case c = {.wide = true, .elements = 9};
    Rig rig;
    Prepare(&rig, &c, 8);
    rig.input.hd = 0.0;
    hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
    assert_int_equal(hwCableWork_Factor(&rig.work, NULL, 0), 0);
    hwCableWork_Reduce(&rig.work, rig.work.force, NULL, NULL);
    hwVec3 acceleration[16], back[16];
    hwCableWork_Solve(&rig.work, NULL, acceleration);
    hwCableWork_MulMass(&rig.work, acceleration, back);
    double size = 0.0;
    for (int i = 0; i < 10; ++i) size = fmax(size, hwLength(rig.work.force[i]));
    for (int i = 0; i < 10; ++i) assert_true(hwDistance(back[i], rig.work.force[i]) < 1e-14 * size);
    Rig_Free(&rig);
}

#define STRING 40

// Newton's method without a line search for one implicit Euler stage of a straight string, slack by a millionth, whose last
// node is thrown away from it. Returns the number of corrections, at most 100.
static int DrawTaut(int elements, bool foresee, hwVec3* velocity) {
    hwCableSection section = PlainSection(elements, elements);
    section.EA = 1e8;
    section.compression = 0.0;
    Rig rig;
    Rig_MakePlain(&rig, section);
    hwVec3 start[STRING + 1], base[STRING + 1], rhs[STRING + 1], increment[STRING + 1];
    for (int i = 0; i <= elements; ++i) {
        base[i] = hwMakeVec3(i * (1.0 - 1e-6), 0, 0);
        start[i] = velocity[i] = hwMakeVec3(i == elements ? 5.0 : 0.0, 0, 0);
    }
    const double hd = 0.01;
    rig.input.hd = hd;
    rig.input.matrix = true;
    int corrections = 0;
    bool done = false;
    while (!done && corrections < 100) {
        for (int i = 0; i <= elements; ++i) {
            rig.state.velocity[i] = velocity[i];
            rig.state.position[i] = hwMulAdd(base[i], hd, velocity[i]);
        }
        rig.input.foreseen = foresee && corrections > 0;
        hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
        hwCableWork_FillResidual(&rig.work, hd, velocity, start, rhs);
        assert_int_equal(hwCableWork_Factor(&rig.work, NULL, 0), 0);
        hwCableWork_Reduce(&rig.work, rhs, NULL, NULL);
        hwCableWork_Solve(&rig.work, NULL, increment);
        bool draws = false, settled = !foresee || hwCableWork_Foresee(&rig.work, increment, &draws);
        assert_true(draws == (foresee && corrections == 0)); // all at once by the first one, none later
        double most = 0.0;
        for (int i = 0; i <= elements; ++i) {
            most = fmax(most, hwLength(increment[i]));
            velocity[i] = hwAdd(velocity[i], increment[i]);
        }
        corrections += 1;
        done = settled && most < 1e-10;
    }
    for (int e = 0; e < elements; ++e) assert_true(rig.work.tension[e] >= 0.0);
    Rig_Free(&rig);
    return corrections;
}

// One by one, elements of a slack string go taut in as many corrections as there are elements; foreseen, all at once.
static void ASlackStringIsDrawnTautAtOnce(void** unused) {
    (void)unused;
    for (int elements = 10; elements <= STRING; elements *= 2) {
        hwVec3 plain[STRING + 1], foreseen[STRING + 1];
        int one = DrawTaut(elements, false, plain), all = DrawTaut(elements, true, foreseen);
        assert_true(one >= elements);
        assert_true(all <= 4); // one draws taut, one solves, one finds nothing left
        // both solve the same equations, to what is left below 1e-10 m/s
        for (int i = 0; i <= elements; ++i) assert_true(hwDistance(plain[i], foreseen[i]) < 1e-9);
    }
}

// Three cables solved together have the bits of each by itself: of different lengths, down to one element, with and without
// bending, with all kinds of ends; two as well.
static void SeveralHaveTheBitsOfEach(void** unused) {
    (void)unused;
    const hwCableEndKind kinds[3] = {HW_CABLE_FREE, HW_CABLE_PIN, HW_CABLE_CLAMP};
    const int lengths[6] = {1, 2, 3, 7, 20, 41};
    for (int k = 0; k < 72; ++k) {
        Rig rigs[2][HW_SEVERAL];
        hwCableWork* works[HW_SEVERAL];
        hwVec3 rhs[HW_SEVERAL][64], one[64], together[HW_SEVERAL][64];
        const hwVec3* sides[HW_SEVERAL];
        hwVec3* increments[HW_SEVERAL];
        double separators[HW_SEVERAL][2][6];
        int count = k < 60 ? HW_SEVERAL : 2;
        hwRandom random = {(uint64_t)(500 + k)};
        for (int i = 0; i < count; ++i) {
            Case c = {.wide = k % 9 == 8 && i == 1, .elements = lengths[(k + 2 * i + k / 6) % 6]};
            c.kinds[0] = c.elements == 1 ? HW_CABLE_FREE : kinds[(k / 2) % 2 + (k % 5 == 4)];
            c.kinds[1] = kinds[1];
            c.unknown[0] = k % 7 == 6;
            c.unknown[1] = k % 3 != 2;
            for (int n = 0; n < 2; ++n) Prepare(&rigs[n][i], &c, (uint64_t)(1000 + 10 * k + i));
            for (int n = 0; n <= c.elements; ++n)
                rhs[i][n] = hwMakeVec3(hwRandom_Range(&random, -1.0, 1.0), hwRandom_Range(&random, -1.0, 1.0),
                                       hwRandom_Range(&random, -1.0, 1.0));
            for (int n = 0; n < 12; ++n) separators[i][n / 6][n % 6] = hwRandom_Range(&random, -1.0, 1.0);
            works[i] = &rigs[1][i].work;
            sides[i] = rhs[i];
            increments[i] = together[i];
        }
        hwCableWorks_Factor(count, works, k % 2 == 0 ? sides : NULL);
        hwCableWorks_Reduce(count, works, sides);
        hwCableWorks_Solve(count, works, separators, increments);
        for (int i = 0; i < count; ++i) {
            hwCableWork* work = &rigs[0][i].work;
            hwCableWork_Factor(work, NULL, 0);
            hwCableWork_Reduce(work, rhs[i], NULL, NULL);
            hwCableWork_Solve(work, separators[i], one);
            const hwCableReduced *a = hwCableWork_GetReduced(work), *b = hwCableWork_GetReduced(works[i]);
            assert_int_equal(a->count, b->count);
            for (int n = 0; n < a->count; ++n) {
                assert_memory_equal(a->matrix[n], b->matrix[n], sizeof(double[6][6]));
                assert_memory_equal(a->rhs[n], b->rhs[n], (size_t)a->size[n] * sizeof(double));
            }
            assert_memory_equal(one, together[i], (size_t)work->nodes * sizeof(hwVec3));
        }
        for (int i = 0; i < 2 * count; ++i) Rig_Free(&rigs[i % 2][i / 2]);
    }
}

// Columns that are zero but at some nodes, with and without bending, in both directions, with held and unknown ends: each as one
// right-hand side with the ends held.
static void ColumnsAreSolvedAsOneByOne(void** unused) {
    (void)unused;
    const hwCableEndKind kinds[3] = {HW_CABLE_FREE, HW_CABLE_PIN, HW_CABLE_CLAMP};
    static double x[64 * 3 * HW_COLUMNS];
    for (int k = 0; k < 54; ++k) {
        Case c = {.wide = k % 2 == 0, .elements = 3 + k % 17};
        for (int e = 0; e < 2; ++e) {
            c.kinds[e] = kinds[(e == 0 ? k / 2 : k / 6) % 3];
            c.unknown[e] = c.kinds[e] != HW_CABLE_FREE && (k / (e == 0 ? 3 : 5)) % 2 == 0;
        }
        Rig rig;
        Prepare(&rig, &c, (uint64_t)(900 + k));
        hwCableWork* work = &rig.work;
        hwCableWork_Factor(work, NULL, 0);
        assert_true(hwCableWork_HasColumns(work));
        hwRandom random = {(uint64_t)(70 + k)};
        int first = k % 3, last = c.elements - k % 2, count = 1 + k % HW_COLUMNS;
        memset(x, 0, sizeof(x));
        for (int n = first; n <= last; ++n) {
            for (int i = 0; i < 3 * HW_COLUMNS; ++i)
                x[3 * HW_COLUMNS * n + i] = i % HW_COLUMNS < count ? hwRandom_Range(&random, -1.0, 1.0) : 0.0;
        }
        double none[2][6] = {{0.0}};
        hwVec3 rhs[HW_COLUMNS][64], one[64];
        for (int i = 0; i < count; ++i) {
            for (int n = 0; n <= c.elements; ++n) {
                const double* row = x + 3 * HW_COLUMNS * n + i;
                rhs[i][n] = hwMakeVec3(row[0], row[HW_COLUMNS], row[2 * HW_COLUMNS]);
            }
        }
        hwCableWork_SolveColumns(work, count, first, last, x);
        for (int i = 0; i < count; ++i) {
            hwCableWork_Reduce(work, rhs[i], NULL, NULL);
            hwCableWork_Solve(work, none, one);
            for (int e = 0; e < 2; ++e) {
                if (c.kinds[e] != HW_CABLE_FREE) one[e == 0 ? 0 : c.elements] = hwVec3_zero;
            }
            for (int n = 0; n <= c.elements; ++n) {
                const double* row = x + 3 * HW_COLUMNS * n + i;
                hwVec3 got = hwMakeVec3(row[0], row[HW_COLUMNS], row[2 * HW_COLUMNS]);
                assert_true(hwDistance(got, one[n]) <= 1e-12 * (1.0 + hwLength(one[n]))); // rounding
            }
        }
        Rig_Free(&rig);
    }
}

// A straight cable condensed to one clamp, slowly: the stiffness matrix of a beam and shaft, EA/L, 12 EI/L^3,
// 6 EI/L^2, 4 EI/L, GJ/L. From either end.
static void CondensedClampIsABeam(void** unused) {
    (void)unused;
    double L = 2.0, EA = 1e4, EI = 30.0, GJ = 20.0, hd = 1e3;
    for (int end = 0; end < 2; ++end) {
        hwCableSection section = PlainSection(L, 200);
        section.EA = EA;
        section.EI = EI;
        section.GJ = GJ;
        Rig rig;
        Rig_MakePlain(&rig, section);
        for (int k = 0; k < 2; ++k) {
            rig.input.ends[k] = (hwCableEnd){
                .kind = HW_CABLE_CLAMP, .unknown = k == end, .tangent = {1, 0, 0}, .normal = {0, 1, 0}};
        }
        rig.input.hd = hd;
        rig.input.matrix = true;
        hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
        assert_int_equal(hwCableWork_Factor(&rig.work, NULL, 0), 0);
        const hwCableReduced* reduced = hwCableWork_GetReduced(&rig.work);
        assert_int_equal(reduced->count, 1);
        assert_int_equal(reduced->size[0], 6);
        // Moving end b up (z) at a fixed attitude takes a moment about y: +6 EI/L^2 at b, -6 EI/L^2 at a.
        double side = end == 1 ? 1.0 : -1.0;
        double want[6][6] = {{0}};
        want[0][0] = EA / L;
        want[1][1] = want[2][2] = 12.0 * EI / (L * L * L);
        want[3][3] = GJ / L;
        want[4][4] = want[5][5] = 4.0 * EI / L;
        want[2][4] = want[4][2] = side * 6.0 * EI / (L * L);
        want[1][5] = want[5][1] = -side * 6.0 * EI / (L * L);
        for (int r = 0; r < 6; ++r) {
            for (int c = 0; c < 6; ++c) {
                double got = reduced->matrix[0][r][c] / (hd * hd);
                // 200 elements: 1/(2 N^2) = 1.25e-5 of the bending terms; the inertia left over is 1e-6.
                if (fabs(got - want[r][c]) > 1e-4 * sqrt(fabs(want[r][r] * want[c][c])))
                    fail_msg("%d %d: %g, %g", r, c, got, want[r][c]);
            }
        }
        Rig_Free(&rig);
    }
}

// A state that is not finite is reported, not returned as a solution.
static void BadPivotsAreCounted(void** unused) {
    (void)unused;
    Case c = {.wide = true, .elements = 6};
    Rig rig;
    Prepare(&rig, &c, 8);
    rig.state.position[3].y = (double)NAN;
    hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
    assert_true(hwCableWork_Factor(&rig.work, NULL, 0) > 0);
    Rig_Free(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EliminationEqualsDense),        cmocka_unit_test(PortsEqualDense),
        cmocka_unit_test(AddedBlocksEnterTheMatrix),     cmocka_unit_test(ZeroStepGivesForwardDynamics),
        cmocka_unit_test(ASlackStringIsDrawnTautAtOnce), cmocka_unit_test(SeveralHaveTheBitsOfEach),
        cmocka_unit_test(ColumnsAreSolvedAsOneByOne),    cmocka_unit_test(BadPivotsAreCounted),
        cmocka_unit_test(CondensedClampIsABeam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
