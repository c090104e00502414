/* Which processor features the arithmetic may use: chosen once per process, from what the processor has and from
 * the environment variable CUZK_CPU (portable, aarch64, adx or ifma), which lowers the choice and never raises it. An
 * unknown value of the variable, or one of another architecture, is ignored. Thread-safe.
 */
#ifndef CUZK_MATH_CPU_H
#define CUZK_MATH_CPU_H

enum cpu_level {
    CPU_PORTABLE, /* plain C */
    CPU_AARCH64,  /* aarch64: MUL and UMULH, which every such processor has */
    CPU_ADX,      /* x86-64 with BMI2 and ADX: MULX, ADCX, ADOX */
    CPU_IFMA      /* that and AVX-512 F, DQ, VL, IFMA */
};

enum cpu_level cpu_level(void);

/* "portable", "aarch64", "adx", "ifma" */
const char *cpu_level_name(enum cpu_level level);

#endif
