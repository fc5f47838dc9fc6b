/* expect: safe; stubs: windows_driver.c */

#include "windows_driver.h"

extern int __VERIFIER_nondet_int(void);

void attest_dispatched(IRP *irp, NTSTATUS status) {}

static NTSTATUS dispatch(IRP *irp) {
    if (irp->Cancel)
        return STATUS_CANCELLED;
    IoMarkIrpPending(irp);
    return STATUS_PENDING;
}

int main(void) {
    IRP irp = {0};
    irp.Cancel = __VERIFIER_nondet_int() != 0;
    attest_dispatched(&irp, dispatch(&irp));
    return 0;
}
