/* backend/cuda/runs.cuh on the host, with numbers instead of points: each round's list, then the reduction, against
 * plain sums. cmocka is C, so this is a program of its own: it says what differs and ends with status 1. */
#include "backend/cuda/runs.cuh"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <random>
#include <vector>

namespace {

struct failure {};

void require(bool holds, const char *what, uint64_t number)
{
    if (holds) return;
    printf("%s: %" PRIu64 "\n", what, number);
    throw failure();
}

enum pattern { SPREAD, ALL_EQUAL, THREE_BUCKETS, HALF_MISSING, PATTERNS };

/* Sorted entries of `windows` windows of 2^log buckets, each with `n` of them. */
struct entries {
    unsigned log, windows;
    size_t n;
    std::vector<uint64_t> points;
    std::vector<uint32_t> keys, values;
    uint32_t valid;

    entries(std::mt19937 &random, unsigned log, unsigned windows, size_t n, int p) : log(log), windows(windows), n(n)
    {
        std::vector<std::pair<uint32_t, uint32_t>> list;
        for (size_t i = 0; i < n; i++) points.push_back((uint64_t)random() << 32 | random());
        for (unsigned w = 0; w < windows; w++) {
            for (uint32_t i = 0; i < n; i++) {
                uint32_t bucket = p == ALL_EQUAL ? 3 : random() % (p == THREE_BUCKETS ? 3 : 1u << log);
                bool missing = p == HALF_MISSING && random() % 2;
                list.push_back({ missing ? windows << log : (w << log) + bucket, i | (random() & 1) << 31 });
            }
        }
        std::stable_sort(list.begin(), list.end(), [](auto &a, auto &b) { return a.first < b.first; });
        for (auto &e : list) {
            keys.push_back(e.first);
            values.push_back(e.second);
        }
        valid = (uint32_t)(std::lower_bound(keys.begin(), keys.end(), windows << log) - keys.begin());
    }

    uint64_t value(uint32_t number) const
    {
        uint64_t p = points[number & 0x7fffffff];
        return number >> 31 ? 0 - p : p;
    }
};

/* What runs.cu has in device memory. */
struct workspace {
    uint32_t buckets;
    std::vector<uint32_t> begin, end, before, owner, targets;
    std::vector<index_pair> list[2];
    std::vector<uint64_t> places;
    runs r;

    workspace(const entries &e) : buckets(e.windows << e.log)
    {
        size_t count = e.keys.size();
        begin.resize(buckets);
        end.resize(buckets);
        before.resize(buckets + 1);
        owner.resize(count / 2 + 1);
        targets.resize(count / 2 + 1);
        list[0].resize(run_most_pairs(count, buckets));
        list[1].resize(run_most_later(count, buckets));
        places.resize(run_places(count, buckets), 0x5a5a);
        r = runs{ begin.data(), end.data(), before.data(), buckets };
    }
};

void find_runs(workspace &s, const entries &e)
{
    for (uint32_t i = 0; i < e.valid; i++) run_mark(s.begin.data(), s.end.data(), e.keys.data(), i, e.valid);
    for (uint32_t b = 0; b < s.buckets; b++) s.before[b + 1] = s.before[b] + (s.end[b] - s.begin[b]) / 2;
    for (uint32_t b = 0; b < s.buckets; b++) {
        uint32_t place, entry;
        if (run_single(&place, &entry, s.r, b)) {
            s.places.at(place) = s.begin[b] == s.end[b] ? 0 : e.value(e.values[entry]);
        }
    }
}

/* Makes the list of a round and answers how many pairs it has. */
size_t make_list(workspace &s, const entries &e, unsigned round, size_t before)
{
    std::vector<index_pair> &out = s.list[round & 1], &last = s.list[(round - 1) & 1];
    size_t count = 0;
    if (round == 0) {
        for (uint32_t i = 0; i < e.valid; i++) {
            run_list_first(out.data(), s.targets.data(), s.owner.data(), s.r, e.keys.data(), e.values.data(), i);
        }
        return s.before[s.buckets];
    }
    for (size_t p = 0; p < before; p++) {
        index_pair pair;
        if (run_continues(pair, s.r, s.owner.data(), round == 1 ? s.targets[p] : last[p].a, round)) {
            out.at(count++) = pair;
        }
    }
    return count;
}

/* Adds a list's pairs; no place may be in two of them. */
void add_pairs(workspace &s, const entries *from, const std::vector<index_pair> &list, size_t count)
{
    std::vector<bool> taken(s.places.size());
    for (size_t p = 0; p < count; p++) {
        uint32_t a = list.at(p).a, b = list[p].b, to = from ? s.targets.at(p) : a;
        require(!taken.at(to) && (from || !taken.at(b)), "a place in two pairs", p);
        taken[to] = true;
        if (!from) taken[b] = true;
        s.places[to] = from ? from->value(a) + from->value(b) : s.places[a] + s.places[b];
    }
}

void compare(std::mt19937 &random, unsigned log, unsigned windows, size_t n, int p)
{
    entries e(random, log, windows, n, p);
    workspace s(e);
    std::vector<uint64_t> expected(s.buckets);
    size_t additions = 0, full = 0, count = 0;
    for (uint32_t i = 0; i < e.valid; i++) expected[e.keys[i]] += e.value(e.values[i]);
    find_runs(s, e);
    for (unsigned round = 0; round < run_rounds(n); round++) {
        size_t most = run_most(e.keys.size(), s.buckets, round);
        count = make_list(s, e, round, count);
        require(count <= most && most != 0 && most <= s.list[round & 1].size(), "pairs of a round", count);
        add_pairs(s, round == 0 ? &e : NULL, s.list[round & 1], count);
        additions += count;
    }
    for (uint32_t b = 0; b < s.buckets; b++) {
        require(s.places[b] == expected[b], "bucket", b);
        full += s.begin[b] != s.end[b];
    }
    require(additions == e.valid - full, "additions", additions);
    for (unsigned t = 0; t < log; t++) {
        size_t pairs = run_reduction_pairs(s.buckets, t);
        require(pairs <= s.list[1].size(), "pairs of the reduction", pairs);
        for (uint32_t i = 0; i < pairs; i++) s.list[1][i] = run_reduction_pair(i, t);
        add_pairs(s, NULL, s.list[1], pairs);
    }
    for (unsigned w = 0; w < windows; w++) {
        const uint64_t *terms = &s.places[w << log], *buckets = &expected[w << log];
        uint64_t sum = terms[0], weighted = 0;
        for (unsigned bit = 0; bit < log; bit++) sum += terms[1u << bit] << bit;
        for (uint32_t j = 0; j < 1u << log; j++) weighted += (j + 1) * buckets[j];
        require(sum == weighted, "window", w);
    }
}

} /* namespace */

int main()
{
    std::mt19937 random(1);
    try {
        for (size_t n = 1; n <= 70; n++) {
            for (int p = 0; p < PATTERNS; p++) compare(random, 2 + n % 4, 1 + n % 3, n, p);
        }
        for (int i = 0; i < 300; i++) {
            compare(random, 2 + random() % 7, 1 + random() % 4, 1 + random() % 3000, i % PATTERNS);
        }
    } catch (const failure &) {
        return 1;
    }
    return 0;
}
