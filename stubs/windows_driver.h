/* The part of the Windows driver interface that stubs/windows_driver.c models. */

#ifndef ATTEST_WINDOWS_DRIVER_H
#define ATTEST_WINDOWS_DRIVER_H

typedef int NTSTATUS;
typedef unsigned char KIRQL, UCHAR, BOOLEAN;
typedef unsigned int ULONG;
typedef unsigned long ULONG_PTR, SIZE_T;
typedef char CCHAR;
typedef void *PVOID, *HANDLE;

#define NULL ((void *)0)
#define TRUE 1
#define FALSE 0
#define STATUS_SUCCESS 0
#define STATUS_PENDING 0x103
#define STATUS_UNSUCCESSFUL ((NTSTATUS)0xC0000001)
#define STATUS_INVALID_PARAMETER ((NTSTATUS)0xC000000D)
#define STATUS_INVALID_DEVICE_REQUEST ((NTSTATUS)0xC0000010)
#define STATUS_CANCELLED ((NTSTATUS)0xC0000120)
#define STATUS_INSUFFICIENT_RESOURCES ((NTSTATUS)0xC000009A)
#define STATUS_DELETE_PENDING ((NTSTATUS)0xC0000056)
#define NT_SUCCESS(status) ((NTSTATUS)(status) >= 0)
#define IO_NO_INCREMENT 0
#define PASSIVE_LEVEL 0
#define APC_LEVEL 1
#define DISPATCH_LEVEL 2
#define NonPagedPool 0
#define PagedPool 1

#define IRP_MJ_CREATE 0
#define IRP_MJ_CLOSE 1
#define IRP_MJ_READ 2
#define IRP_MJ_WRITE 3
#define IRP_MJ_DEVICE_CONTROL 4
#define IRP_MJ_CLEANUP 5
#define IRP_MJ_PNP 6
#define IRP_MJ_POWER 7
#define IRP_MJ_COUNT 8

typedef struct { ULONG_PTR value; } KSPIN_LOCK;
typedef struct { int signalled; } KEVENT;

typedef struct _LIST_ENTRY {
    struct _LIST_ENTRY *Flink, *Blink;
} LIST_ENTRY;

struct _DEVICE_OBJECT;
struct _IRP;
typedef void DRIVER_CANCEL(struct _DEVICE_OBJECT *device, struct _IRP *irp);

typedef struct {
    UCHAR MajorFunction;
    UCHAR MinorFunction;
    ULONG IoControlCode;
    ULONG InputLength;
    ULONG OutputLength;
} IO_STACK_LOCATION;

typedef struct _IRP {
    struct { NTSTATUS Status; ULONG_PTR Information; } IoStatus;
    PVOID SystemBuffer;
    BOOLEAN InUse;
    BOOLEAN Cancel;
    BOOLEAN PendingReturned;
    DRIVER_CANCEL *CancelRoutine;
    LIST_ENTRY ListEntry;
    IO_STACK_LOCATION Stack;
} IRP;

struct _DRIVER_OBJECT;
typedef struct _DEVICE_OBJECT {
    struct _DRIVER_OBJECT *DriverObject;
    PVOID DeviceExtension;
} DEVICE_OBJECT;

typedef NTSTATUS DRIVER_DISPATCH(DEVICE_OBJECT *device, IRP *irp);
typedef struct _DRIVER_OBJECT {
    DRIVER_DISPATCH *MajorFunction[IRP_MJ_COUNT];
    NTSTATUS (*AddDevice)(struct _DRIVER_OBJECT *driver, DEVICE_OBJECT *below);
    void (*DriverUnload)(struct _DRIVER_OBJECT *driver);
} DRIVER_OBJECT;

void KeInitializeSpinLock(KSPIN_LOCK *lock);
void KeAcquireSpinLock(KSPIN_LOCK *lock, KIRQL *old);
void KeReleaseSpinLock(KSPIN_LOCK *lock, KIRQL old);
void KeRaiseIrql(KIRQL level, KIRQL *old);
void KeLowerIrql(KIRQL level);
void IoAcquireCancelSpinLock(KIRQL *irql);
void IoReleaseCancelSpinLock(KIRQL irql);
void KeInitializeEvent(KEVENT *event, int type, BOOLEAN state);
int KeSetEvent(KEVENT *event, int increment, BOOLEAN wait);
NTSTATUS KeWaitForSingleObject(PVOID object, int reason, int mode, BOOLEAN alertable, PVOID timeout);
NTSTATUS ZwCreateFile(HANDLE *handle, ULONG access, PVOID attributes);

PVOID ExAllocatePool(int type, SIZE_T size);
void ExFreePool(PVOID memory);

NTSTATUS IoCreateDevice(DRIVER_OBJECT *driver, ULONG size, DEVICE_OBJECT **device);
void IoDeleteDevice(DEVICE_OBJECT *device);
void IoCompleteRequest(IRP *irp, CCHAR boost);
void IoMarkIrpPending(IRP *irp);
NTSTATUS IoCallDriver(DEVICE_OBJECT *device, IRP *irp);
DRIVER_CANCEL *IoSetCancelRoutine(IRP *irp, DRIVER_CANCEL *routine);

static inline IO_STACK_LOCATION *IoGetCurrentIrpStackLocation(IRP *irp) {
    return &irp->Stack;
}
static inline void InitializeListHead(LIST_ENTRY *head) {
    head->Flink = head;
    head->Blink = head;
}
static inline BOOLEAN IsListEmpty(const LIST_ENTRY *head) {
    return head->Flink == head;
}
static inline void InsertTailList(LIST_ENTRY *head, LIST_ENTRY *entry) {
    entry->Flink = head;
    entry->Blink = head->Blink;
    head->Blink->Flink = entry;
    head->Blink = entry;
}
static inline void RemoveEntryList(LIST_ENTRY *entry) {
    entry->Blink->Flink = entry->Flink;
    entry->Flink->Blink = entry->Blink;
}
#define CONTAINING_RECORD(pointer, type, member) \
    ((type *)((char *)(pointer) - __builtin_offsetof(type, member)))

NTSTATUS DriverEntry(DRIVER_OBJECT *driver, PVOID path);

/* The largest device extension. */
#define ATTEST_EXTENSION 256

/* The device that IoCreateDevice made last, for the harness. */
extern DEVICE_OBJECT *attest_device;

/* The harness calls it when a request begins, for rules to watch. */
void attest_request(IRP *irp);

/* The harness calls it when a dispatch routine has returned, for rules to watch. */
void attest_dispatched(IRP *irp, NTSTATUS status);

#endif
