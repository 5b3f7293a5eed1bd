#include "geom/round_cut.h"

#include "geom/box.h"

// Parts of the unit disc. The chord at x = t = -cos(psi) leaves the segment x < t. Half the chord is q = sin(psi), so
// with dt = sin(psi) dpsi the integrals over the segment are
//   area          2 int sin^2       = psi - sin(psi) cos(psi)
//   of x          -2/3 sin^3(psi)
//   of x^2        2 int sin^2 cos^2 = area - 3/2 dome
//   of y^2        2/3 int sin^4     = dome / 2
//   of 1 - rho^2  4/3 int sin^4     = area / 2 - sin^3(psi) cos(psi) / 3, the dome
typedef struct Segment {
    double area;
    double first;
    double second;
    double dome;
} Segment;

// psi from 1 + t, which keeps its digits where the segment is small. Clamped to the disc.
static double GetChordAngle(double onePlusT) {
    if (onePlusT <= 0.0) return 0.0;
    if (onePlusT >= 2.0) return HW_PI;
    return 2.0 * hwAtan2(sqrt(onePlusT), sqrt(2.0 - onePlusT));
}

// psi - sin cos = (x - sin x)/2 with x = 2 psi, by its series where the difference loses digits.
static double GetSegmentArea(double psi, double sine, double cosine) {
    if (psi > 0.3) return psi - sine * cosine;
    double x2 = 4.0 * psi * psi;
    double series =
        1.0 -
        x2 / 20.0 *
            (1.0 -
             x2 / 42.0 * (1.0 - x2 / 72.0 * (1.0 - x2 / 110.0 * (1.0 - x2 / 156.0 * (1.0 - x2 / 210.0)))));
    return psi * x2 / 6.0 * series;
}

static Segment GetSegment(double psi) {
    double sine = psi < HW_PI ? hwSin(psi) : 0.0, cosine = hwCos(psi);
    double q3 = sine * sine * sine, p = psi * psi;
    Segment segment = {.area = GetSegmentArea(psi, sine, cosine), .first = -2.0 / 3.0 * q3};
    segment.dome = 0.5 * segment.area - q3 * cosine / 3.0;
    if (psi < 0.15) { // series of sin^4, integrated
        double series =
            1.0 / 5.0 + p * (-2.0 / 21.0 + p * (1.0 / 45.0 + p * (-34.0 / 10395.0 + p * 62.0 / 184275.0)));
        segment.dome = 4.0 / 3.0 * p * p * psi * series;
    }
    segment.second = segment.area - 1.5 * segment.dome;
    return segment;
}

// Parallel axes, written so that nothing cancels.
static void AddPiece(hwCutPiece* sum, hwCutPiece part) {
    if (!(part.area > 0.0)) return;
    double area = sum->area + part.area, share = part.area / area, apart = part.center - sum->center;
    sum->slopeMoment += part.slopeMoment + sum->area * share * apart * apart;
    sum->levelMoment += part.levelMoment;
    sum->center += share * apart;
    sum->area = area;
}

// Gauss-Legendre nodes and weights on [-1, 1], positive half.
static const double gauss6[3][2] = {{0.93246951420315202781, 0.17132449237917034504},
                                    {0.66120938646626451366, 0.36076157304813860757},
                                    {0.23861918608319690863, 0.46791393457269104739}};
static const double gauss10[5][2] = {{0.97390652851717172008, 0.066671344308688137594},
                                     {0.86506336668898451073, 0.14945134915058059315},
                                     {0.67940956829902440623, 0.219086362515982044},
                                     {0.4333953941292471908, 0.26926671930999635509},
                                     {0.14887433898163121088, 0.29552422471475287017}};
static const double gauss16[8][2] = {
    {0.9894009349916499326, 0.027152459411754094852}, {0.94457502307323257608, 0.062253523938647892863},
    {0.86563120238783174388, 0.09515851168249278481}, {0.7554044083550030339, 0.12462897125553387205},
    {0.6178762444026437484, 0.14959598881657673208},  {0.45801677765722738634, 0.16915651939500253819},
    {0.28160355077925891323, 0.18260341504492358887}, {0.095012509837637440185, 0.18945061045506849629}};

// The stretch of a tube where sections across the axis are cut: t runs from the top, less wet end to the bottom.
typedef struct Stretch {
    double top, bottom;               // z of the ends
    double length;                    // dz = top - bottom
    double range;                     // change of t over the stretch
    double width;                     // dw, of the cut along its slope
    double topPlusOne, bottomPlusOne; // 1 + t at the ends
} Stretch;

static Stretch FindStretch(double radius, double half, double c, double s, double d) {
    Stretch e = {.top = half, .bottom = -half};
    double rs = radius * s;
    if (c >= s) {
        double a = (d - c * half + rs) / rs, b = (d + c * half + rs) / rs;
        e.topPlusOne = hwMax(0.0, a);
        e.bottomPlusOne = hwMin(2.0, b);
        if (a < 0.0) e.top = (d + rs) / c;
        if (b > 2.0) e.bottom = (d - rs) / c;
        e.range = a >= 0.0 && b <= 2.0 ? 2.0 * c * half / rs : e.bottomPlusOne - e.topPlusOne;
        e.length = rs / c * e.range;
        e.width = radius / c * e.range;
    } else {
        e.top = hwMin(half, (d + rs) / c);
        e.bottom = hwMax(-half, (d - rs) / c);
        e.topPlusOne = hwClamp((d + rs - c * e.top) / rs, 0.0, 2.0);
        e.bottomPlusOne = hwClamp((d + rs - c * e.bottom) / rs, 0.0, 2.0);
        e.length = e.top - e.bottom;
        e.range = c * e.length / rs;
        e.width = e.length / s;
    }
    return e;
}

// Integrates the circular segments over psi, where they are smooth up to the ends. For a trigonometric polynomial of
// degree 4 over a range 2h, n nodes leave about (2h)^(2n) / (2n)!, below rounding for the limits used here.
// The nodes are psi = m + h xi; every difference of nearby cosines is written as a product, so that tubes that lie
// almost level (h -> 0) keep all digits.
static void AddStretch(hwRoundCut* cut, double radius, double c, double s, const Stretch* e) {
    double qTop = sqrt(e->topPlusOne * (2.0 - e->topPlusOne));
    double qBottom = sqrt(e->bottomPlusOne * (2.0 - e->bottomPlusOne));
    double m = 0.5 * (GetChordAngle(e->topPlusOne) + GetChordAngle(e->bottomPlusOne));
    // tan(h) = (sin - sin) / (cos + cos) of the ends; where the plane just grazes the tube, rounding may not agree with
    // m.
    double h = hwMin(hwAtan2(e->range, qTop + qBottom), hwMin(m, HW_PI - m));
    double sinM = hwSin(m), cosM = hwCos(m), sinH = hwSin(h);
    if (!(e->length > 0.0) || !(sinM > 0.0)) return;
    double dip = sinH * sinH / (1.0 + hwCos(h)); // 1 - cos(h)
    bool level = h < 1e-100;
    const double(*gauss)[2] = h < 0.12 ? gauss6 : h < 0.65 ? gauss10 : gauss16;
    int pairs = h < 0.12 ? 3 : h < 0.65 ? 5 : 8;
    double scale = level ? 0.5 / sinM : 0.5 * h / (sinH * sinM);
    double middle = 0.5 * (e->top + e->bottom);
    double w[16], area[16], areaSum = 0.0, center = 0.0, cubes = 0.0, sinX = 0.0, cosX = 1.0, rise = 0.0;
    for (int k = 0; k < 2 * pairs; ++k) {
        double xi = gauss[k / 2][0];
        if (k % 2 == 0) {
            hwSinAndCos(h * xi, &sinX, &cosX);
            rise = sinX * sinX / (1.0 + cosX);
        } else {
            xi = -xi;
            sinX = -sinX;
        }
        double psi = hwMax(0.0, m + h * xi);
        double q = hwMax(0.0, sinM * cosX + cosM * sinX), t = sinM * sinX - cosM * cosX;
        double run =
            level ? 0.5 * xi : (sinX + cosM / sinM * (rise - dip)) * (0.5 / sinH); // (t - mean)/range
        double z = middle - e->length * run;
        double weight = gauss[k / 2][1] * scale * q;
        double volume = weight * e->length * radius * radius * GetSegmentArea(psi, q, -t);
        cut->volume += volume;
        cut->along += volume * z;
        cut->across -= weight * e->length * (2.0 / 3.0) * radius * radius * radius * q * q * q;
        area[k] = weight * e->width * 2.0 * radius * q;
        w[k] = c * radius * t - s * z;
        areaSum += area[k];
        center += area[k] * w[k];
        cubes += area[k] * radius * radius * q * q / 3.0;
    }
    if (!(areaSum > 0.0)) return;
    hwCutPiece piece = {areaSum, center / areaSum, 0.0, cubes};
    for (int k = 0; k < 2 * pairs; ++k)
        piece.slopeMoment += area[k] * (w[k] - piece.center) * (w[k] - piece.center);
    AddPiece(&cut->piece, piece);
}

static void AddTube(hwRoundCut* cut, double radius, double half, double c, double s, double d) {
    double disc = HW_PI * radius * radius, rs = radius * s, reach = rs + c * half;
    if (d <= -reach) return;
    if (d >= reach) {
        cut->volume += disc * 2.0 * half;
        return;
    }
    if (d - rs >= -c * half && d + rs <= c * half) { // the cut is a whole ellipse
        double z = d / c, slope = s / c, quarter = 0.25 * disc * radius * radius;
        cut->volume += disc * (z + half);
        cut->across -= slope * quarter;
        cut->along += 0.5 * disc * (z - half) * (z + half) + 0.5 * slope * slope * quarter;
        AddPiece(&cut->piece, (hwCutPiece){disc / c, -s * z, quarter / (c * c * c), quarter / c});
        return;
    }
    Stretch stretch = FindStretch(radius, half, c, s, d);
    AddStretch(cut, radius, c, s, &stretch);
    double full = hwMax(0.0, stretch.bottom + half);
    cut->volume += disc * full;
    cut->along += 0.5 * disc * full * (stretch.bottom - half);
}

hwRoundCut hwCutCylinder(double radius, double length, double cosine, double sine, double offset) {
    hwRoundCut cut = {0};
    AddTube(&cut, radius, 0.5 * length, cosine, sine, offset);
    return cut;
}

// Area of the part of the unit sphere that is in the cap n . x < d and in the half e . x > 0, where the cap's rim meets
// the half's. The cap has angular radius alpha about -n, cos(alpha) = -d, and its pole is at the angle beta from the
// great circle, sin(beta) = -e . n. The great circle cuts off the sector of half angle phi less two right triangles of
// excess E, tan(E/2) = tan(beta/2) tan(b/2), with b the leg along the great circle (spherical trigonometry).
static double GetCapHalfArea(double d, double cosBeta, double sinBeta) {
    double sinB = fabs(sinBeta);
    double k = sqrt(hwMax(0.0, (cosBeta - d) * (cosBeta + d))); // sin^2(alpha) - sin^2(beta)
    double phi = hwAtan2(k, -d * sinB);
    double excess = 2.0 * hwAtan2(sinB * k, (1.0 + cosBeta) * (cosBeta - d));
    double height = 1.0 + d; // 1 - cos(alpha)
    return sinBeta > 0.0 ? 2.0 * ((HW_PI - phi) * height + excess) : 2.0 * (phi * height - excess);
}

// The half ball beyond z = side * half, centred on the axis there. With |x|^2/2 as potential in the divergence theorem,
// the sphere's share of the first moment turns into the flat faces': moment = -1/2 sum n_i integral of (R^2 - |x|^2).
// The volume is a third of the integral of x . n over the surface: R times the spherical area, d times the cut.
static void AddHalfBall(hwRoundCut* cut, double radius, double half, double side, double c, double s,
                        double d) {
    double z = side * half, ce = side * c;
    d -= c * z; // from the centre of the ball
    double height = radius + d, r3 = radius * radius * radius;
    if (height <= 0.0) return;
    double rs = radius * s;
    if (d >= radius || (d >= rs && ce <= 0.0)) { // all wet
        double volume = 2.0 / 3.0 * HW_PI * r3;
        cut->volume += volume;
        cut->along += volume * z + side * 0.25 * HW_PI * r3 * radius;
        return;
    }
    if (d <= -rs && ce >= 0.0) return;
    double r2 = height * (radius - d), r = sqrt(r2); // of the cut's circle
    double volume;
    Segment base = {0}, lid = GetSegment(HW_PI);
    if (d <= -rs) { // the wet cap does not reach the base
        volume = HW_PI / 3.0 * height * height * (3.0 * radius - height);
    } else if (d >= rs) { // the dry cap does not
        double dry = radius - d;
        volume = 2.0 / 3.0 * HW_PI * r3 - HW_PI / 3.0 * dry * dry * (3.0 * radius - dry);
        base = lid;
    } else {
        base = GetSegment(GetChordAngle((rs + d) / rs));
        lid = GetSegment(GetChordAngle((s * r + ce * d) / (s * r)));
        volume = (r3 * GetCapHalfArea(d / radius, s, -ce) + d * r2 * lid.area) / 3.0;
        volume = hwMax(0.0, volume);
    }
    double baseMoment = 0.5 * r3 * radius * base.dome, lidMoment = 0.5 * r2 * r2 * lid.dome;
    cut->volume += volume;
    cut->along += volume * z + side * (baseMoment - ce * lidMoment);
    cut->across -= s * lidMoment;
    if (!(lid.area > 0.0)) return;
    // The lid's segment lies towards e, which is -side along w.
    double mean = lid.first / lid.area;
    hwCutPiece piece = {r2 * lid.area, -s * z + side * r * mean,
                        r2 * r2 * hwMax(0.0, lid.second - lid.area * mean * mean), r2 * r2 * 0.5 * lid.dome};
    AddPiece(&cut->piece, piece);
}

hwRoundCut hwCutCapsule(double radius, double length, double cosine, double sine, double offset) {
    hwRoundCut cut = {0};
    double half = 0.5 * length;
    AddHalfBall(&cut, radius, half, -1.0, cosine, sine, offset);
    AddTube(&cut, radius, half, cosine, sine, offset);
    AddHalfBall(&cut, radius, half, 1.0, cosine, sine, offset);
    return cut;
}
