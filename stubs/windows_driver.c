/* A model of the system around a Windows driver. Locks do nothing, since
   rules keep the books; what can fail may fail. */

#include "windows_driver.h"

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void *malloc(unsigned long);
extern void *memset(void *, int, unsigned long);
extern void free(void *);

DEVICE_OBJECT *attest_device;

/* There is one device at a time. */
static DEVICE_OBJECT device_object;
static unsigned long device_extension[ATTEST_EXTENSION / sizeof(unsigned long)];

static KIRQL level;

void KeInitializeSpinLock(KSPIN_LOCK *lock) {
    lock->value = 0;
}

void KeAcquireSpinLock(KSPIN_LOCK *lock, KIRQL *old) {
    *old = level;
    level = DISPATCH_LEVEL;
}

void KeReleaseSpinLock(KSPIN_LOCK *lock, KIRQL old) {
    level = old;
}

void KeRaiseIrql(KIRQL to, KIRQL *old) {
    *old = level;
    level = to;
}

void KeLowerIrql(KIRQL to) {
    level = to;
}

void IoAcquireCancelSpinLock(KIRQL *irql) {
    *irql = level;
    level = DISPATCH_LEVEL;
}

void IoReleaseCancelSpinLock(KIRQL irql) {
    level = irql;
}

void KeInitializeEvent(KEVENT *event, int type, BOOLEAN state) {
    event->signalled = state;
}

int KeSetEvent(KEVENT *event, int increment, BOOLEAN wait) {
    int before = event->signalled;
    event->signalled = 1;
    return before;
}

NTSTATUS KeWaitForSingleObject(PVOID object, int reason, int mode, BOOLEAN alertable,
                               PVOID timeout) {
    return STATUS_SUCCESS;
}

NTSTATUS ZwCreateFile(HANDLE *handle, ULONG access, PVOID attributes) {
    *handle = NULL;
    return __VERIFIER_nondet_bool() ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}

PVOID ExAllocatePool(int type, SIZE_T size) {
    return __VERIFIER_nondet_bool() ? malloc(size) : NULL;
}

void ExFreePool(PVOID memory) {
    free(memory);
}

NTSTATUS IoCreateDevice(DRIVER_OBJECT *driver, ULONG size, DEVICE_OBJECT **device) {
    if (attest_device || size > sizeof device_extension || __VERIFIER_nondet_bool())
        return STATUS_INSUFFICIENT_RESOURCES;
    memset(device_extension, 0, sizeof device_extension);
    device_object.DriverObject = driver;
    device_object.DeviceExtension = device_extension;
    *device = &device_object;
    attest_device = &device_object;
    return STATUS_SUCCESS;
}

void IoDeleteDevice(DEVICE_OBJECT *device) {
    attest_device = NULL;
}

/* The request may be used for another now. */
void IoCompleteRequest(IRP *irp, CCHAR boost) {
    irp->InUse = FALSE;
}

void IoMarkIrpPending(IRP *irp) {
    irp->PendingReturned = TRUE;
}

/* The driver below takes the request: it may be done at once or later. */
NTSTATUS IoCallDriver(DEVICE_OBJECT *device, IRP *irp) {
    irp->InUse = FALSE;
    if (__VERIFIER_nondet_bool())
        return STATUS_UNSUCCESSFUL;
    return STATUS_SUCCESS;
}

DRIVER_CANCEL *IoSetCancelRoutine(IRP *irp, DRIVER_CANCEL *routine) {
    DRIVER_CANCEL *before = irp->CancelRoutine;
    irp->CancelRoutine = routine;
    return before;
}
