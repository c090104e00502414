#include "math/cpu.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

static enum cpu_level detect(void)
{
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return CPU_PORTABLE;
    if (!(ebx & 1u << 8) || !(ebx & 1u << 19)) return CPU_PORTABLE; /* BMI2, ADX */
    /* The builtin also asks whether the operating system saves the registers. */
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512ifma")) {
        return CPU_ADX;
    }
    return CPU_IFMA;
}
#elif defined(__aarch64__)
static enum cpu_level detect(void) { return CPU_AARCH64; }
#else
static enum cpu_level detect(void) { return CPU_PORTABLE; }
#endif

static enum cpu_level level;

static void choose(void)
{
    const char *wanted = getenv("CUZK_CPU");
    level = detect();
    for (int i = CPU_PORTABLE; wanted && i < (int)level; i++) {
        if (i == CPU_AARCH64) continue; /* on such a machine there is nothing above it */
        if (strcmp(wanted, cpu_level_name((enum cpu_level)i)) == 0) level = (enum cpu_level)i;
    }
}

enum cpu_level cpu_level(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, choose);
    return level;
}

const char *cpu_level_name(enum cpu_level l)
{
    switch (l) {
    case CPU_PORTABLE: return "portable";
    case CPU_AARCH64: return "aarch64";
    case CPU_ADX: return "adx";
    case CPU_IFMA: return "ifma";
    }
    return "unknown";
}
