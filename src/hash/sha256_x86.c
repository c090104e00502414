/* SHA-256 with the SHA extensions (Intel, "Intel SHA Extensions", 2013). The rounds instruction
 * works on the state as two vectors that hold, highest lane first, (A B E F) and (C D G H), and
 * does two rounds on the two lowest words of its third operand; four message words are kept per
 * vector, lowest index in the lowest lane. */
#include "hash/sha256_blocks.h"

#include "hash/sha256.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

bool sha256_extensions(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1)) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 29) != 0;
}

#define WITH_SHA __attribute__((target("sha,sse4.1,ssse3")))

/* w[i] … w[i+3] from the sixteen words in front of them, four vectors, oldest first. */
WITH_SHA static inline __m128i schedule(__m128i w0, __m128i w1, __m128i w2, __m128i w3)
{
    __m128i seventh = _mm_alignr_epi8(w3, w2, 4); /* w[i−7] … w[i−4] */
    __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), seventh);
    return _mm_sha256msg2_epu32(sum, w3);
}

WITH_SHA static inline void four_rounds(__m128i *abef, __m128i *cdgh, __m128i w, const uint32_t *k)
{
    __m128i wk = _mm_add_epi32(w, _mm_loadu_si128((const __m128i *)k));
    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, wk);
    *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32(wk, 0x0e));
}

WITH_SHA static inline __m128i load_words(const uint8_t *p)
{
    const __m128i swap = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)p), swap);
}

WITH_SHA void sha256_blocks_x86(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    __m128i dcba = _mm_loadu_si128((const __m128i *)state);
    __m128i hgfe = _mm_loadu_si128((const __m128i *)(state + 4));
    /* names list the lanes highest first: dcba holds a in its lowest lane */
    __m128i cdab = _mm_shuffle_epi32(dcba, _MM_SHUFFLE(2, 3, 0, 1));
    __m128i efgh = _mm_shuffle_epi32(hgfe, _MM_SHUFFLE(0, 1, 2, 3));
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
    __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);

    for (; count > 0; count--, blocks += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w0 = load_words(blocks), w1 = load_words(blocks + 16);
        __m128i w2 = load_words(blocks + 32), w3 = load_words(blocks + 48);
        for (int i = 0; i < 64; i += 16) {
            four_rounds(&abef, &cdgh, w0, SHA256_K + i);
            four_rounds(&abef, &cdgh, w1, SHA256_K + i + 4);
            four_rounds(&abef, &cdgh, w2, SHA256_K + i + 8);
            four_rounds(&abef, &cdgh, w3, SHA256_K + i + 12);
            if (i == 48) break;
            w0 = schedule(w0, w1, w2, w3);
            w1 = schedule(w1, w2, w3, w0);
            w2 = schedule(w2, w3, w0, w1);
            w3 = schedule(w3, w0, w1, w2);
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }

    __m128i feba = _mm_shuffle_epi32(abef, _MM_SHUFFLE(0, 1, 2, 3));
    __m128i dchg = _mm_shuffle_epi32(cdgh, _MM_SHUFFLE(2, 3, 0, 1));
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#else

bool sha256_extensions(void) { return false; }

void sha256_blocks_x86(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    sha256_blocks_portable(state, blocks, count);
}

#endif
