/* expect: safe; stubs: windows_driver.c */

#include "windows_driver.h"

extern int __VERIFIER_nondet_int(void);

static IRP request;

static void cancel(IRP *irp) {
    KIRQL irql;
    IoAcquireCancelSpinLock(&irql);
    if (irp->Cancel) {
        IoReleaseCancelSpinLock(irql);
        return;
    }
    irp->CancelRoutine = 0;
    IoReleaseCancelSpinLock(irql);
}

int main(void) {
    request.Cancel = __VERIFIER_nondet_int() != 0;
    cancel(&request);
    cancel(&request);
    return 0;
}
