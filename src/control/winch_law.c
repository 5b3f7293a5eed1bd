#include "control/winch_law.h"

#include "hawser/elementary.h"
#include "hawser/math.h"

#include <math.h>

hwWinchPull hwWinchLine_PullOfLink(const hwWinchLine* line, double w) {
    double rest = line->rest0 + line->hd * w, inverse = 1.0 / line->length;
    double error = 1.0 - rest * inverse, errorRate = (rest * inverse * line->stretching - w) * inverse;
    double spring = line->kpLink + line->hd * line->kiLink;
    hwWinchPull pull;
    pull.tension = spring * error + line->kdLink * errorRate + line->kiLink * line->integral;
    pull.byRate =
        -(spring * line->hd + line->kdLink * hwFmax(1.0 - line->hd * line->stretching * inverse, 0.0)) *
        inverse;
    pull.change = line->kpLink * errorRate + line->kiLink * error;
    return pull;
}

hwWinchPull hwWinchLine_PullOfElement(const hwWinchLine* line, double w) {
    double rest = line->rest0 + line->hd * w;
    double strain = line->length / rest - 1.0;
    double share = strain < 0.0 ? line->compression : 1.0;
    double perRest = line->length / (rest * rest);
    double strainRate = line->stretching / rest - perRest * w;
    hwWinchPull pull;
    pull.tension = share * (line->EA * strain + line->damping * strainRate);
    pull.byRate = -share * (line->EA * line->hd + line->damping) * perRest;
    pull.change = share * line->EA * strainRate;
    return pull;
}

// The controller's rate for a tension, and its slope.
double hwWinchLine_ComputeCommand(const hwWinchLine* line, hwWinchPull pull, double w, double* slope) {
    double error = pull.tension - line->setpoint - line->spring * (line->out + line->hd * w);
    double integral = line->zIntegral + line->hd * error;
    double command = line->kp * error + line->ki * integral + line->kd * pull.change;
    *slope = line->kp + line->ki * line->hd;
    if (line->hd > 0.0 && line->lag > 0.0) {
        double share = line->hd / (line->hd + line->lag);
        command = line->rateBase + share * (command - line->rateBase);
        *slope *= share;
    }
    if (line->oneWay && command < 0.0) {
        *slope = 0.0;
        return 0.0;
    }
    return command;
}

// w - clamp(command(T(w))) is increasing: Newton's method kept inside a shrinking bracket.
double hwWinchLine_Solve(const hwWinchLine* line, double* softening) {
    double low = line->low, high = line->high, w = hwClamp(line->rateBase, low, high);
    // the element must not be hauled in altogether
    if (line->hd > 0.0) low = hwFmax(low, -0.9 * line->rest0 / line->hd);
    double slope = 0.0;
    hwWinchPull pull = {0};
    for (int i = 0; i < 100; ++i) {
        pull = line->pull(line, w);
        double command = hwWinchLine_ComputeCommand(line, pull, w, &slope);
        double target = hwClamp(command, line->low, line->high);
        if (target != command) slope = 0.0;
        double miss = w - target;
        *(miss > 0.0 ? &high : &low) = w;
        double step = miss / (1.0 + slope * (line->spring * line->hd - pull.byRate));
        double next = w - step;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - w) <= 1e-14 * (1.0 + fabs(w))) break;
        w = next;
    }
    double yielding = 1.0 + slope * line->spring * line->hd;
    *softening = yielding / (yielding - slope * pull.byRate);
    return w;
}
