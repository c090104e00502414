#include "gadget/insert.h"

static void insert_2(struct recorder *r, struct num *out, struct num a, const struct word *b0, const struct num *s)
{
    out[0] = num_pick(r, b0, s[0], a);
    out[1] = num_pick(r, b0, a, s[0]);
}

static void insert_4(struct recorder *r, struct num *out, struct num a, const struct word *b0,
                     const struct word *b1, const struct num *s)
{
    struct num b = s[0], c = s[1], d = s[2], x;
    x = num_pick(r, b0, b, a);
    out[0] = num_pick(r, b1, b, x);
    x = num_pick(r, b0, a, b);
    out[1] = num_pick(r, b1, c, x);
    x = num_pick(r, b0, d, a);
    out[2] = num_pick(r, b1, x, c);
    x = num_pick(r, b0, a, d);
    out[3] = num_pick(r, b1, x, d);
}

static void insert_8(struct recorder *r, struct num *out, struct num a, const struct word *b0,
                     const struct word *b1, const struct word *b2, const struct num *s)
{
    struct num b = s[0], c = s[1], d = s[2], e = s[3], f = s[4], g = s[5], h = s[6], x, y;
    struct word nor = word_nor_variables(r, b0, b1);
    struct word and = word_and_variables(r, b0, b1);
    x = num_pick(r, &nor, a, b);
    out[0] = num_pick(r, b2, b, x);
    x = num_pick(r, b0, a, b);
    y = num_pick(r, b1, c, x);
    out[1] = num_pick(r, b2, c, y);
    x = num_pick(r, b0, d, a);
    y = num_pick(r, b1, x, c);
    out[2] = num_pick(r, b2, d, y);
    x = num_pick(r, &and, a, d);
    out[3] = num_pick(r, b2, e, x);
    x = num_pick(r, &nor, a, f);
    out[4] = num_pick(r, b2, x, e);
    x = num_pick(r, b0, a, f);
    y = num_pick(r, b1, g, x);
    out[5] = num_pick(r, b2, y, f);
    x = num_pick(r, b0, h, a);
    y = num_pick(r, b1, x, g);
    out[6] = num_pick(r, b2, y, g);
    x = num_pick(r, &and, a, h);
    out[7] = num_pick(r, b2, x, h);
}

void insert(struct recorder *r, struct num *out, struct num element, const struct word *index,
            const struct num *siblings, unsigned arity)
{
    struct word bit[3];
    for (unsigned j = 0; j < index->width && j < 3; j++) bit[j] = word_slice(r, index, j, 1);
    switch (arity) {
    case 2: insert_2(r, out, element, &bit[0], siblings); break;
    case 4: insert_4(r, out, element, &bit[0], &bit[1], siblings); break;
    case 8: insert_8(r, out, element, &bit[0], &bit[1], &bit[2], siblings); break;
    default: recorder_fail(r, "insertion into an arity other than 2, 4 or 8");
    }
}
