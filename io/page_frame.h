// What pages of studies and fits share: their head, and frames with axes for drawings (SVG).
#ifndef HW_IO_PAGE_FRAME_H
#define HW_IO_PAGE_FRAME_H

#include <stdio.h>

extern const char hwPage_head[];           // up to the title
extern const char* const hwPage_colors[8]; // of lines
extern const char* const hwPage_dashes[4]; // likewise, SVG: line n has color n % 8 and dashes n / 8 % 4

// A frame with axes from 0 or `low` to `high`, in steps of 1, 2 or 5 times a power of ten.
typedef struct hwPlotFrame {
    FILE* stream;
    double x0, x1, y0, y1;
    int below; // room below the axes, for what the lines are
} hwPlotFrame;

enum {
    HW_PLOT_WIDTH = 860,
    HW_PLOT_HEIGHT = 380,
    HW_PLOT_LEFT = 64,
    HW_PLOT_RIGHT = 24,
    HW_PLOT_TOP = 18,
    HW_PLOT_BOTTOM = 46
};

double hwPlotFrame_MapX(const hwPlotFrame* f, double x);
double hwPlotFrame_MapY(const hwPlotFrame* f, double y);
// A distance of ticks that suits a span.
double hwPlotFrame_FindTick(double span);
// Begins the drawing: ticks and names of the axes.
void hwPlotFrame_Begin(const hwPlotFrame* f, const char* xName, const char* yName);

#endif
