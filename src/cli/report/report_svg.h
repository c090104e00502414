/* Figures as SVG text inside an HTML page: a few shapes, axes, and colours that stand in one style sheet. Coordinates
 * are pixels of a canvas 880 wide. */
#ifndef CUZK_CLI_REPORT_SVG_H
#define CUZK_CLI_REPORT_SVG_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

enum { SVG_WIDTH = 880 };

extern const char svg_style[]; /* for <style> */

/* `label` is what a screen reader says. */
void svg_begin(FILE *out, double height, const char *label);
void svg_end(FILE *out);

void svg_rect(FILE *out, double x, double y, double w, double h, const char *class);
void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *class);
void svg_dot(FILE *out, double x, double y, const char *class);
void svg_path_begin(FILE *out, const char *class);
void svg_path_point(FILE *out, double x, double y, bool first);
void svg_path_end(FILE *out);

/* `anchor` is "start", "middle" or "end". */
void svg_text(FILE *out, double x, double y, const char *anchor, const char *class, const char *format, ...)
    CUZK_PRINTF(6, 7);

/* Text of a page: <, > and & are written as entities. */
void html_text(FILE *out, const char *text);

/* From a value to a place, linear or logarithmic. */
struct axis {
    double low, high; /* values */
    double from, to;  /* places */
    bool log;
};

double axis_at(const struct axis *a, double value);

/* Grid lines and labels: decades on a logarithmic axis, three to six round values on a linear one. `along` is the
 * place where the other axis begins, `across` where it ends. */
void axis_draw_x(FILE *out, const struct axis *a, double along, double across, const char *unit);
void axis_draw_y(FILE *out, const struct axis *a, double along, double across, const char *unit);

/* "12.3 ms", "1.54 s", "850 µs" in memory of the caller. */
struct svg_label {
    char text[32];
};
struct svg_label svg_time(double seconds);
struct svg_label svg_bytes(double bytes);

#endif
