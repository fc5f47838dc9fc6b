/* expect: unsafe; stubs: windows_driver.c */

#include "windows_driver.h"

extern int __VERIFIER_nondet_int(void);

static DEVICE_OBJECT below;

void attest_request(IRP *irp) {}

static void check(IRP *irp) {
    if (irp->Stack.InputLength > 8) {
        irp->IoStatus.Status = STATUS_INVALID_PARAMETER;
        IoCompleteRequest(irp, IO_NO_INCREMENT);
    }
}

static NTSTATUS dispatch(IRP *irp) {
    check(irp);
    return IoCallDriver(&below, irp);
}

int main(void) {
    IRP irp = {0};
    irp.Stack.InputLength = __VERIFIER_nondet_int();
    attest_request(&irp);
    dispatch(&irp);
    return 0;
}
