/* Which processor features the arithmetic may use: chosen once per process, from what the processor has and from
 * the environment variable CUZK_CPU (portable, adx or ifma), which lowers the choice and never raises it. An
 * unknown value of the variable is ignored. Thread-safe.
 */
#ifndef CUZK_MATH_CPU_H
#define CUZK_MATH_CPU_H

enum cpu_level {
    CPU_PORTABLE, /* plain C */
    CPU_ADX,      /* x86-64 with BMI2 and ADX: MULX, ADCX, ADOX */
    CPU_IFMA      /* that and AVX-512 F, DQ, VL, IFMA */
};

enum cpu_level cpu_level(void);

/* "portable", "adx", "ifma" */
const char *cpu_level_name(enum cpu_level level);

#endif
