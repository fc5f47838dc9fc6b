/* expect: safe; stubs: windows_driver.c */

#include "windows_driver.h"

extern int __VERIFIER_nondet_int(void);

static DEVICE_OBJECT below;

void attest_request(IRP *irp) {}

static NTSTATUS finish(IRP *irp, NTSTATUS status) {
    irp->IoStatus.Status = status;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS dispatch(IRP *irp) {
    if (irp->Stack.InputLength > 8)
        return finish(irp, STATUS_INVALID_PARAMETER);
    if (irp->Stack.IoControlCode == 1)
        return IoCallDriver(&below, irp);
    return finish(irp, STATUS_SUCCESS);
}

int main(void) {
    IRP first = {0}, second = {0};
    first.Stack.InputLength = __VERIFIER_nondet_int();
    second.Stack.IoControlCode = __VERIFIER_nondet_int();
    attest_request(&first);
    dispatch(&first);
    attest_request(&second);
    dispatch(&second);
    return 0;
}
