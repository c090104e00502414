#include "cli/report/report_svg.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

const char svg_style[] =
    "svg{width:100%;max-width:880px;height:auto;display:block;font:13px system-ui,sans-serif}\n"
    "svg text{fill:#1b1f24}svg .note{fill:#57606a;font-size:12px}svg .on{fill:#fff}\n"
    "svg .grid{stroke:#d8dee4;stroke-width:1}svg .frame{stroke:#57606a;stroke-width:1}\n"
    "svg .a{fill:#0a58ca}svg .b{fill:#c8342b}svg .c{fill:#8c959f}svg .d{fill:#1a7f37}svg .e{fill:#8250df}\n"
    "svg .f{fill:#bf5700}svg .area{fill:#0a58ca;fill-opacity:.15;stroke:none}\n"
    "svg path{fill:none;stroke-width:2}svg .la{stroke:#0a58ca;stroke-width:3}svg .lb{stroke:#c8342b}\n"
    "svg .lc{stroke:#8c959f}svg .ld{stroke:#1a7f37}svg .le{stroke:#8250df}svg .lf{stroke:#bf5700}\n"
    "svg .peer{stroke-dasharray:5 4}svg .ta{fill:#0a58ca;font-weight:600}svg .tb{fill:#c8342b}\n"
    "svg .tc{fill:#57606a}svg .td{fill:#1a7f37}svg .te{fill:#8250df}svg .tf{fill:#a04900}\n";

void svg_begin(FILE *out, double height, const char *label)
{
    fprintf(out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"", SVG_WIDTH, height);
    html_text(out, label);
    fputs("\">\n", out);
}

void svg_end(FILE *out) { fputs("</svg>\n", out); }

void svg_rect(FILE *out, double x, double y, double w, double h, const char *class)
{
    fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>\n", x, y, w < 0 ? 0 : w, h,
            class);
}

void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *class)
{
    fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1, x2, y2, class);
}

void svg_dot(FILE *out, double x, double y, const char *class)
{
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" class=\"%s\"/>\n", x, y, class);
}

void svg_path_begin(FILE *out, const char *class) { fprintf(out, "<path class=\"%s\" d=\"", class); }

void svg_path_point(FILE *out, double x, double y, bool first)
{
    fprintf(out, "%c%.1f %.1f", first ? 'M' : 'L', x, y);
}

void svg_path_end(FILE *out) { fputs("\"/>\n", out); }

void html_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<') fputs("&lt;", out);
        else if (*text == '>') fputs("&gt;", out);
        else if (*text == '&') fputs("&amp;", out);
        else if (*text == '"') fputs("&quot;", out);
        else fputc(*text, out);
    }
}

void svg_text(FILE *out, double x, double y, const char *anchor, const char *class, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">", x, y, anchor, class);
    html_text(out, text);
    fputs("</text>\n", out);
}

/* ---- axes ---- */

double axis_at(const struct axis *a, double value)
{
    double part = a->log ? (log(value) - log(a->low)) / (log(a->high) - log(a->low))
                         : (value - a->low) / (a->high - a->low);
    return a->from + part * (a->to - a->from);
}

/* 1, 2 or 5 times a power of ten, so that three to six of them fill the axis. */
static double round_step(double range)
{
    double step = pow(10, floor(log10(range / 4)));
    if (range / step > 30) return 10 * step;
    if (range / step > 12) return 5 * step;
    return range / step > 6 ? 2 * step : step;
}

static double next_tick(const struct axis *a, double tick)
{
    return a->log ? tick * 10 : tick + round_step(a->high - a->low);
}

static double first_tick(const struct axis *a)
{
    if (a->log) return pow(10, ceil(log10(a->low) - 1e-9));
    double step = round_step(a->high - a->low);
    return ceil(a->low / step - 1e-9) * step + 0.0; /* never −0 */
}

static struct svg_label tick_label(double tick, const char *unit)
{
    struct svg_label out;
    if (strcmp(unit, "s") == 0) return svg_time(tick);
    if (strcmp(unit, "B") == 0) return svg_bytes(tick);
    snprintf(out.text, sizeof out.text, "%g%s", tick, unit);
    return out;
}

void axis_draw_x(FILE *out, const struct axis *a, double along, double across, const char *unit)
{
    for (double tick = first_tick(a); tick <= a->high * (1 + 1e-9); tick = next_tick(a, tick)) {
        double x = axis_at(a, tick);
        svg_line(out, x, along, x, across, "grid");
        svg_text(out, x, along + 17, "middle", "note", "%s", tick_label(tick, unit).text);
    }
    svg_line(out, a->from, along, a->to, along, "frame");
}

void axis_draw_y(FILE *out, const struct axis *a, double along, double across, const char *unit)
{
    for (double tick = first_tick(a); tick <= a->high * (1 + 1e-9); tick = next_tick(a, tick)) {
        double y = axis_at(a, tick);
        svg_line(out, along, y, across, y, "grid");
        svg_text(out, along - 6, y + 4, "end", "note", "%s", tick_label(tick, unit).text);
    }
    svg_line(out, along, a->from, along, a->to, "frame");
}

/* Three figures. */
static struct svg_label figures(double value, const char *unit)
{
    struct svg_label out;
    int digits = value >= 99.95 || value == 0 ? 0 : value >= 9.995 ? 1 : 2;
    snprintf(out.text, sizeof out.text, "%.*f", digits, value);
    if (strchr(out.text, '.')) { /* 1.00 is 1 */
        char *end = out.text + strlen(out.text);
        while (end[-1] == '0') *--end = '\0';
        if (end[-1] == '.') *--end = '\0';
    }
    size_t size = strlen(out.text);
    snprintf(out.text + size, sizeof out.text - size, " %s", unit);
    return out;
}

struct svg_label svg_time(double s)
{
    if (s >= 1 || s == 0) return figures(s, "s");
    if (s >= 1e-3) return figures(1e3 * s, "ms");
    return s >= 1e-6 ? figures(1e6 * s, "\302\265s") : figures(1e9 * s, "ns");
}

struct svg_label svg_bytes(double b)
{
    if (b >= 1e9) return figures(1e-9 * b, "GB");
    return b >= 1e6 || b == 0 ? figures(1e-6 * b, "MB") : figures(1e-3 * b, "kB");
}
