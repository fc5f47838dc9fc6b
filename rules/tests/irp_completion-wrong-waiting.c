/* expect: unsafe; stubs: windows_driver.c */
/* A request that waits is completed and waits on: the answer to another completes it
   again. */

#include "windows_driver.h"

extern _Bool __VERIFIER_nondet_bool(void);

void attest_request(IRP *irp) {}

static IRP first, second;
static IRP *waiting;

static BOOLEAN wait(IRP *irp) {
    if (waiting)
        return FALSE;
    waiting = irp;
    return TRUE;
}

static void read(IRP *irp) {
    if (!wait(irp))
        IoCompleteRequest(irp, IO_NO_INCREMENT);
}

static void answer(void) {
    IRP *irp = waiting;
    if (irp)
        IoCompleteRequest(irp, IO_NO_INCREMENT);
}

int main(void) {
    while (__VERIFIER_nondet_bool()) {
        IRP *irp = __VERIFIER_nondet_bool() ? &first : &second;
        if (irp->InUse)
            continue;
        attest_request(irp);
        irp->InUse = TRUE;
        read(irp);
        if (__VERIFIER_nondet_bool())
            answer();
    }
    return 0;
}
