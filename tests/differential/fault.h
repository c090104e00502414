/* Puts a device out of order, as a fault of the hardware would: a kernel that traps. Every later call on the device in
 * this process fails until its context is destroyed. */
#ifndef CUZK_TESTS_DIFFERENTIAL_FAULT_H
#define CUZK_TESTS_DIFFERENTIAL_FAULT_H

#ifdef __cplusplus
extern "C" {
#endif

void device_trap(int ordinal);

#ifdef __cplusplus
}
#endif
#endif
