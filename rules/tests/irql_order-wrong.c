/* expect: unsafe; stubs: windows_driver.c */

#include "windows_driver.h"

extern int __VERIFIER_nondet_int(void);

static KSPIN_LOCK lock;
static KEVENT event;

int main(void) {
    KIRQL irql;
    KeAcquireSpinLock(&lock, &irql);
    if (__VERIFIER_nondet_int())
        KeWaitForSingleObject(&event, 0, 0, 0, 0);
    KeReleaseSpinLock(&lock, irql);
    return 0;
}
