// Bend stiffeners: a cone round a cable as short sections.
#include "base/error.h"
#include "hawser/cable.h"

#include <math.h>

hwStatus hwMakeStiffener(const hwStiffenerDef* def, const hwCableSectionDef* line, bool atEndA,
                         hwCableSectionDef* pieces, hwError* error) {
    if (def == NULL || line == NULL)
        return hwFail(error, HW_ERROR_ARGUMENT, "stiffener",
                      "a bend stiffener needs its def and the section of its cable");
    const struct {
        const char *field, *name;
        double value, least;
    } fields[] = {{"length", "length, m,", def->length, 0.0},
                  {"young", "Young's modulus, Pa,", def->young, 0.0},
                  {"density", "density, kg/m3,", def->density, 0.0},
                  {"root", "diameter at its root, m,", def->root, line->diameter},
                  {"tip", "diameter at its tip, m,", def->tip, line->diameter}};
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); ++i) {
        bool good = isfinite(fields[i].value) &&
                    (fields[i].value > fields[i].least || (i > 2 && fields[i].value == fields[i].least));
        if (good) continue;
        return hwFailField(error, HW_ERROR_ARGUMENT, "stiffener", fields[i].field,
                           "the %s of a bend stiffener must be %s %g, it is %g", fields[i].name,
                           i > 2 ? "at least that of the cable," : "above", fields[i].least, fields[i].value);
    }
    if (def->pieces < 1)
        return hwFailField(error, HW_ERROR_ARGUMENT, "stiffener", "pieces",
                           "a bend stiffener needs at least one piece, not %d", def->pieces);
    // Gauss's rule with three points: exact for mass and volume, 1e-6 for the flexibility of a tenth of a slender cone
    static const double places[3] = {-0.77459666924148337704, 0.0, 0.77459666924148337704};
    static const double weights[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    double bore = line->diameter, step = 1.0 / def->pieces;
    for (int i = 0; i < def->pieces; ++i) {
        hwCableSectionDef* piece = &pieces[i];
        double flexibility = 0.0, area = 0.0;
        for (int k = 0; k < 3; ++k) {
            double at = (i + 0.5 + 0.5 * places[k]) * step, share = atEndA ? at : 1.0 - at;
            double D = def->root + share * (def->tip - def->root), D2 = D * D;
            flexibility +=
                weights[k] / (line->EI + def->young * HW_PI / 64.0 * (D2 * D2 - bore * bore * bore * bore));
            area += weights[k] * 0.25 * HW_PI * D2;
        }
        *piece = *line;
        piece->length = def->length * step;
        piece->elements = 1;
        piece->grading = 1.0;
        piece->minElement = piece->maxElement = 0.0;
        piece->EI = 1.0 / flexibility;
        // damping that scales with the stiffness keeps its time constant
        if (line->EI > 0.0) piece->bendingDamping = line->bendingDamping * piece->EI / line->EI;
        piece->diameter = 2.0 * sqrt(area / HW_PI);
        piece->massPerLength = line->massPerLength + def->density * (area - 0.25 * HW_PI * bore * bore);
    }
    return HW_OK;
}
