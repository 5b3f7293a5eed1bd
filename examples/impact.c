// A ball of 10 kg meets a plane at ten speeds: how stiff the contact is and how much of the speed comes back, beside the laws
// of Hertz (1882), Hunt & Crossley (1975) and Gonthier et al. (2004). With the name of a file: draws both there, as SVG.
#include "hawser/hawser.h"
#include "hawser/reference.h"

#include <math.h>
#include <stdio.h>

#define SPEEDS 10
#define MASS 10.0   // kg
#define RADIUS 0.1  // m
#define YOUNG 1e9   // Pa, of ball and plane
#define DAMPING 2e5 // Pa s
#define ALPHA 0.05  // s/m, of Hunt & Crossley and of Gonthier

typedef struct Impact {
    double stiffness;   // N/m: largest force over largest depth
    double restitution; // speed after over speed before
} Impact;

// Hawser --------------------------------------------------------------------------------------------------------------------

static hwBodyId AddBody(hwWorld* world, const char* name, hwShapeDef shape, double height, double speed) {
    shape.material = "stuff";
    hwBodyDef body = hwDefaultBodyDef();
    body.name = name;
    body.mass = MASS;
    body.motion = speed > 0.0 ? HW_MOTION_FREE : HW_MOTION_FIXED;
    body.position = hwMakeVec3(0.0, 0.0, height);
    body.velocity = hwMakeVec3(0.0, 0.0, -speed);
    body.shapeCount = 1;
    body.shapes = &shape;
    return hwWorld_AddBody(world, &body, NULL);
}

static bool Simulate(double speed, Impact* out, hwError* error) {
    hwWorldDef worldDef = hwDefaultWorldDef();
    worldDef.solver.tolerance = 1e-10;
    hwWorld* world = hwCreateWorld(&worldDef, error);
    hwEnvironmentDef space = hwDefaultEnvironmentDef();
    space.gravity = space.airDensity = 0.0;
    hwWorld_SetEnvironment(world, &space, error);
    hwMaterialDef material = hwDefaultMaterialDef();
    material.name = "stuff";
    material.young = YOUNG;
    material.damping = DAMPING;
    hwWorld_AddMaterial(world, &material, error);
    hwShapeDef sphere = hwDefaultShapeDef(), box = hwDefaultShapeDef();
    sphere.kind = HW_SHAPE_SPHERE;
    sphere.radius = RADIUS;
    box.kind = HW_SHAPE_BOX;
    box.size = hwMakeVec3(10.0, 10.0, 10.0);
    hwBodyId ball = AddBody(world, "ball", sphere, RADIUS + 1e-3 * speed, speed);
    AddBody(world, "plane", box, -5.0, 0.0);
    bool good = hwWorld_UseReference(world, HW_REFERENCE_AUTO, error) == HW_OK &&
                hwWorld_Prepare(world, error) == HW_OK;
    double force = 0.0, depth = 0.0;
    hwBodyState state = {0};
    for (int i = 0, touched = 0; good; ++i) {
        good = i < 20000 && hwWorld_Step(world, 2e-5, error) >= HW_OK;
        const hwContactView* contact;
        int count = hwWorld_GetContacts(world, &contact);
        hwBody_GetState(world, ball, &state, error);
        if (count > 0) force = fmax(force, hwLength(contact->force)), depth = fmax(depth, contact->depth);
        if (touched && count == 0) break;
        touched = touched || count > 0;
    }
    *out = (Impact){force / depth, state.velocity.z / speed};
    hwDestroyWorld(world);
    return good;
}

// Laws: force by depth and its rate -------------------------------------------------------------------------------------------

typedef double Law(double x, double v);

// Modulus of both beds in series: as deep as the ball's radius, and as a ball of the plane's volume.
static double GetModulus(double value) {
    return value / (RADIUS + cbrt(3.0 * 1000.0 / (4.0 * HW_PI)));
}

static double GetCap(double x) {
    return HW_PI * x * x * (RADIUS - x / 3.0);
}

static double VolumeLaw(double x, double v) {
    return GetModulus(YOUNG) * GetCap(x) + GetModulus(DAMPING) * HW_PI * x * (2.0 * RADIUS - x) * v;
}

static double Gonthier(double x, double v) {
    return GetModulus(YOUNG) * GetCap(x) * (1.0 + ALPHA * v);
}

static double Hertz(double x, double v) {
    (void)v;
    return 4.0 / 3.0 * YOUNG / (2.0 * (1.0 - 0.09)) * sqrt(RADIUS) * pow(x, 1.5); // Poisson's ratio 0.3
}

static double HuntCrossley(double x, double v) {
    return Hertz(x, v) * (1.0 + 1.5 * ALPHA * v);
}

// m x'' = -f, the force never pulling, by the midpoint rule.
static Impact Solve(double speed, Law* law) {
    double x = 0.0, v = speed, dt = 2e-7, depth = 0.0, force = 0.0;
    do {
        double f = fmax(law(fmax(x, 0.0), v), 0.0), half = v - 0.5 * dt * f / MASS;
        double g = fmax(law(fmax(x + 0.5 * dt * v, 0.0), half), 0.0);
        x += dt * half;
        v -= dt * g / MASS;
        depth = fmax(depth, x);
        force = fmax(force, g);
    } while (x > 0.0 && (v > 0.0 || law(x, v) > 0.0));
    return (Impact){force / depth, -v / speed};
}

// The picture ----------------------------------------------------------------------------------------------------------------

#define WIDTH 300.0
#define HEIGHT 220.0

typedef struct Curve {
    const char *name, *color;
    Law* law; // null: Hawser's own, as dots
    Impact points[SPEEDS];
} Curve;

static double GetX(double left, double speed) {
    return left + WIDTH * (log10(speed) + 2.0) / 3.0;
}

// Either quantity: stiffness by the power of ten from 1e4 to 1e8, restitution from 0.6 to 1.
static double GetY(const Impact* impact, int panel) {
    double part = panel == 0 ? (log10(impact->stiffness) - 4.0) / 4.0 : (impact->restitution - 0.6) / 0.4;
    return 40.0 + HEIGHT * (1.0 - part);
}

static void DrawAxes(FILE* file, int panel) {
    double left = panel == 0 ? 60.0 : 460.0;
    fprintf(file, "<text x=\"%.0f\" y=\"24\">%s</text>\n", left,
            panel == 0 ? "largest force over largest depth, N/m" : "speed after over speed before");
    for (int i = 0; i < 5; ++i) {
        double y = 40.0 + HEIGHT * (1.0 - 0.25 * i), value = panel == 0 ? pow(10.0, 4 + i) : 0.6 + 0.1 * i;
        fprintf(file, "<path d=\"M%.0f %.1fh%.0f\" stroke=\"#ddd8c8\"/>\n", left, y, WIDTH);
        fprintf(file, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", left - 6.0, y + 4.0,
                value);
    }
    for (int i = 0; i < 4; ++i) {
        double speed = pow(10.0, i - 2);
        fprintf(file, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">%g</text>\n", GetX(left, speed),
                58.0 + HEIGHT, speed);
    }
    fprintf(file, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">speed of impact, m/s</text>\n",
            left + 0.5 * WIDTH, 78.0 + HEIGHT);
}

static void DrawCurve(FILE* file, const Curve* curve, const double* speeds, int panel) {
    double left = panel == 0 ? 60.0 : 460.0;
    if (curve->law != NULL)
        fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", curve->color);
    for (int i = 0; i < SPEEDS; ++i) {
        double x = GetX(left, speeds[i]), y = GetY(&curve->points[i], panel);
        if (curve->law != NULL) {
            fprintf(file, "%.1f,%.1f ", x, y);
        } else {
            fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", x, y, curve->color);
        }
    }
    if (curve->law != NULL) fprintf(file, "\"/>\n");
}

static bool Draw(const char* path, const Curve* curves, int count, const double* speeds) {
    FILE* file = fopen(path, "w");
    if (file == NULL) return false;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 340\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n<rect width=\"800\" height=\"340\" fill=\"#fbfaf5\"/>\n");
    for (int panel = 0; panel < 2; ++panel) {
        DrawAxes(file, panel);
        for (int i = 0; i < count; ++i) DrawCurve(file, &curves[i], speeds, panel);
    }
    for (int i = 0; i < count; ++i) {
        fprintf(file, "<text x=\"%d\" y=\"328\" fill=\"%s\">%s%s</text>\n", 60 + 145 * i, curves[i].color,
                curves[i].law == NULL ? "&#9679; " : "&#8212; ", curves[i].name);
    }
    fprintf(file, "</svg>\n");
    return fclose(file) == 0;
}

int main(int argumentCount, char** arguments) {
    Curve curves[] = {{.name = "closed form", .color = "#1d6fa5", .law = VolumeLaw},
                      {.name = "Hertz", .color = "#b98500", .law = Hertz},
                      {.name = "Hunt-Crossley", .color = "#c4512d", .law = HuntCrossley},
                      {.name = "Gonthier", .color = "#2e8b67", .law = Gonthier},
                      {.name = "Hawser", .color = "#102a43"}};
    enum { COUNT = sizeof(curves) / sizeof(curves[0]) };
    double speeds[SPEEDS], worst = 0.0;
    printf("  m/s   N/m and restitution: volume law, Hertz, Hunt-Crossley, Gonthier, Hawser\n");
    for (int i = 0; i < SPEEDS; ++i) {
        speeds[i] = pow(10.0, -1.5 + 2.5 * i / (SPEEDS - 1));
        printf("%5.2f", speeds[i]);
        for (int k = 0; k < COUNT; ++k) {
            hwError error;
            Impact* point = &curves[k].points[i];
            if (curves[k].law != NULL) {
                *point = Solve(speeds[i], curves[k].law);
            } else if (!Simulate(speeds[i], point, &error)) {
                printf("\n%s\n", error.message);
                return 1;
            }
            printf("   %.2e %.4f", point->stiffness, point->restitution);
        }
        printf("\n");
        const Impact *own = &curves[COUNT - 1].points[i], *exact = &curves[0].points[i];
        // depth and force are read every 20 us, restitution after the last of them
        worst = fmax(worst, fmax(fabs(own->stiffness / exact->stiffness - 1.0),
                                 fabs(own->restitution - exact->restitution)));
    }
    if (argumentCount > 1 && !Draw(arguments[1], curves, COUNT, speeds)) {
        printf("%s cannot be written\n", arguments[1]);
        return 1;
    }
    return worst < 2e-2 ? 0 : 1;
}
