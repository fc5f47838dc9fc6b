/* Calls the entry points of a Windows driver in any legal order: DriverEntry,
   AddDevice for one device, requests of any kind one after the other, cancelled
   at any time while the driver keeps them, cleanup, unload. There are two
   requests, each used again when it is done. Check it together with the driver: attest check driver.c
   stubs/windows_harness.c --stubs stubs/windows_driver.c --spec rules/ -- -Istubs */

#include "windows_driver.h"

extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

static DRIVER_OBJECT driver;
static DEVICE_OBJECT below;
static IRP first, second;
static unsigned int buffer[16];

void attest_request(IRP *irp) {}

void attest_dispatched(IRP *irp, NTSTATUS status) {}

/* A length that fits the buffer. */
static ULONG some_length(void) {
    ULONG length = __VERIFIER_nondet_uint();
    return length > sizeof buffer ? sizeof buffer : length;
}

/* A fresh request of this kind goes to the driver. */
static void dispatch(DEVICE_OBJECT *device, UCHAR major, DRIVER_DISPATCH *routine) {
    IRP *irp = __VERIFIER_nondet_bool() ? &first : &second;
    NTSTATUS status;
    if (!routine || irp->InUse)
        return;
    attest_request(irp);
    irp->InUse = TRUE;
    irp->SystemBuffer = buffer;
    irp->PendingReturned = FALSE;
    irp->CancelRoutine = NULL;
    buffer[0] = __VERIFIER_nondet_uint();
    irp->Cancel = __VERIFIER_nondet_bool();
    irp->Stack.MajorFunction = major;
    irp->Stack.MinorFunction = __VERIFIER_nondet_uchar();
    irp->Stack.IoControlCode = __VERIFIER_nondet_uint();
    irp->Stack.InputLength = some_length();
    irp->Stack.OutputLength = some_length();
    status = routine(device, irp);
    attest_dispatched(irp, status);
}

/* The system cancels a request that the driver keeps. */
static void cancel(DEVICE_OBJECT *device, IRP *irp) {
    DRIVER_CANCEL *routine = irp->CancelRoutine;
    if (!irp->InUse || !routine)
        return;
    irp->CancelRoutine = NULL;
    irp->Cancel = TRUE;
    routine(device, irp);
}

/* One request of an open file. */
static void use(DEVICE_OBJECT *device) {
    switch (__VERIFIER_nondet_uint() % 5) {
    case 0:
        dispatch(device, IRP_MJ_READ, driver.MajorFunction[IRP_MJ_READ]);
        break;
    case 1:
        dispatch(device, IRP_MJ_WRITE, driver.MajorFunction[IRP_MJ_WRITE]);
        break;
    case 2:
        dispatch(device, IRP_MJ_DEVICE_CONTROL, driver.MajorFunction[IRP_MJ_DEVICE_CONTROL]);
        break;
    case 3:
        dispatch(device, IRP_MJ_PNP, driver.MajorFunction[IRP_MJ_PNP]);
        break;
    default:
        dispatch(device, IRP_MJ_POWER, driver.MajorFunction[IRP_MJ_POWER]);
        break;
    }
}

int main(void) {
    if (!NT_SUCCESS(DriverEntry(&driver, NULL)))
        return 0;
    if (!NT_SUCCESS(driver.AddDevice(&driver, &below)))
        return 0;
    if (!attest_device)
        return 0;
    dispatch(attest_device, IRP_MJ_CREATE, driver.MajorFunction[IRP_MJ_CREATE]);
    while (__VERIFIER_nondet_bool()) {
        use(attest_device);
        if (__VERIFIER_nondet_bool())
            cancel(attest_device, __VERIFIER_nondet_bool() ? &first : &second);
    }
    dispatch(attest_device, IRP_MJ_CLEANUP, driver.MajorFunction[IRP_MJ_CLEANUP]);
    dispatch(attest_device, IRP_MJ_CLOSE, driver.MajorFunction[IRP_MJ_CLOSE]);
    if (driver.DriverUnload)
        driver.DriverUnload(&driver);
    return 0;
}
