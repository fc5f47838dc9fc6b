/* expect: safe; stubs: windows_driver.c */

#include "windows_driver.h"

extern int __VERIFIER_nondet_int(void);

static KSPIN_LOCK lock;
static KEVENT event;

int main(void) {
    KIRQL old, irql;
    KeWaitForSingleObject(&event, 0, 0, 0, 0);
    KeRaiseIrql(APC_LEVEL, &old);
    KeAcquireSpinLock(&lock, &irql);
    KeReleaseSpinLock(&lock, irql);
    KeLowerIrql(old);
    if (__VERIFIER_nondet_int())
        KeWaitForSingleObject(&event, 0, 0, 0, 0);
    return 0;
}
