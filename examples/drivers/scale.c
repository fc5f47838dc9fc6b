/* A Windows driver for a scale on a serial bus, for checks of rules. One request
   for a weight can wait for the scale: it is kept with a cancel routine until a
   weight comes in, it is cancelled, or its file is cleaned up. Everything else
   is done at once or passed to the driver below. Weights are kept in a list of
   records from a table; requests are dispatched by a table of commands.

   attest check examples/drivers/scale.c stubs/windows_harness.c
     --stubs stubs/windows_driver.c --spec rules/ -- -Istubs

   With -DPLANTED it has mistakes, each marked with the rule that it violates. */

#include "windows_driver.h"

#define SCALE_RECORDS 4
#define SCALE_LARGEST 5000u
#define SCALE_LINE 16u

/* Commands of a device control request. */
#define SCALE_TARE 0x800u
#define SCALE_CALIBRATE 0x801u
#define SCALE_SET_UNIT 0x802u
#define SCALE_STATISTICS 0x803u
#define SCALE_SELF_TEST 0x804u
#define SCALE_SUM 0x805u

/* Minor functions of plug and play, and of power. */
#define PNP_START 0
#define PNP_QUERY_STOP 1
#define PNP_STOP 2
#define PNP_QUERY_REMOVE 3
#define PNP_REMOVE 4
#define POWER_QUERY 0
#define POWER_SET 1

typedef enum { ScaleStopped, ScaleRunning, ScaleAsleep, ScaleRemoved } SCALE_STATE;
typedef enum { UnitGrams, UnitOunces, UnitCount } SCALE_UNIT;

/* A weight that came in. */
typedef struct {
    LIST_ENTRY Link;
    ULONG Weight;
    ULONG Number;
    ULONG Tare;
    SCALE_UNIT Unit;
} SCALE_RECORD;

typedef struct {
    ULONG Reads;
    ULONG Weights;
    ULONG Cancelled;
    ULONG Refused;
} SCALE_COUNTERS;

/* The device extension. */
typedef struct {
    DEVICE_OBJECT *Self;
    DEVICE_OBJECT *Below;
    SCALE_STATE State;
    SCALE_UNIT Unit;
    ULONG Tare;
    ULONG Opened;
    KSPIN_LOCK Lock;
    KEVENT Idle;
    IRP *Waiting;
    LIST_ENTRY Records;
    ULONG NextRecord;
    SCALE_COUNTERS Counters;
} SCALE_EXTENSION;

/* A command of a device control request: the input that it needs, and what does it. */
typedef struct {
    ULONG Code;
    ULONG InputLength;
    NTSTATUS (*Run)(SCALE_EXTENSION *extension, ULONG argument);
} SCALE_COMMAND;

static SCALE_RECORD Records[SCALE_RECORDS];

/* Requests. */

static NTSTATUS ScaleComplete(IRP *irp, NTSTATUS status, ULONG_PTR information) {
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

/* The driver below does it; nothing is left to do here. */
static NTSTATUS ScalePassOn(SCALE_EXTENSION *extension, IRP *irp) {
    return IoCallDriver(extension->Below, irp);
}

/* Records. Callers hold the lock. */

static void ScaleClearRecords(SCALE_EXTENSION *extension) {
    InitializeListHead(&extension->Records);
    extension->NextRecord = 0;
}

/* The oldest record makes room if all are in use. */
static void ScaleKeepRecord(SCALE_EXTENSION *extension, ULONG weight) {
    SCALE_RECORD *record;
    ULONG slot = extension->NextRecord;
    if (slot >= SCALE_RECORDS) {
        ScaleClearRecords(extension);
        slot = 0;
    }
    record = &Records[slot];
    record->Weight = weight;
    record->Number = extension->Counters.Weights;
    record->Tare = extension->Tare;
    record->Unit = extension->Unit;
    InsertTailList(&extension->Records, &record->Link);
    extension->NextRecord = slot + 1;
}

static BOOLEAN ScaleHasRecord(SCALE_EXTENSION *extension) {
    return !IsListEmpty(&extension->Records);
}

static ULONG ScaleNewestRecord(SCALE_EXTENSION *extension) {
    SCALE_RECORD *record = CONTAINING_RECORD(extension->Records.Blink, SCALE_RECORD, Link);
    return record->Weight;
}

static ULONG ScaleConvert(const SCALE_EXTENSION *extension, ULONG grams) {
    ULONG net = grams > extension->Tare ? grams - extension->Tare : 0;
    switch (extension->Unit) {
    case UnitOunces:
        return net * 10 / 283;
    default:
        return net;
    }
}

/* A request that waits for a weight. */

static void ScaleCancel(DEVICE_OBJECT *device, IRP *irp) {
    SCALE_EXTENSION *extension = device->DeviceExtension;
    KIRQL irql;
    KIRQL old;
    BOOLEAN ours = FALSE;
    IoAcquireCancelSpinLock(&irql);
    KeAcquireSpinLock(&extension->Lock, &old);
    if (extension->Waiting == irp) {
        extension->Waiting = NULL;
        extension->Counters.Cancelled++;
        ours = TRUE;
    }
    KeReleaseSpinLock(&extension->Lock, old);
    IoReleaseCancelSpinLock(irql);
    if (ours)
        ScaleComplete(irp, STATUS_CANCELLED, 0);
}

/* Keeps a request until there is a weight; whether there was room for it. */
static BOOLEAN ScaleWait(SCALE_EXTENSION *extension, IRP *irp) {
    KIRQL old;
    KeAcquireSpinLock(&extension->Lock, &old);
    if (extension->Waiting) {
        KeReleaseSpinLock(&extension->Lock, old);
        return FALSE;
    }
#ifndef PLANTED
    IoMarkIrpPending(irp); /* irp_pending if it is left out */
#endif
    IoSetCancelRoutine(irp, ScaleCancel);
    extension->Waiting = irp;
    KeReleaseSpinLock(&extension->Lock, old);
    return TRUE;
}

/* The request that waits, which does so no more. */
static IRP *ScaleTakeWaiting(SCALE_EXTENSION *extension) {
    IRP *irp;
    KIRQL old;
    KeAcquireSpinLock(&extension->Lock, &old);
    irp = extension->Waiting;
    extension->Waiting = NULL;
    KeReleaseSpinLock(&extension->Lock, old);
    if (irp)
        IoSetCancelRoutine(irp, NULL);
    return irp;
}

static void ScaleAnswerWaiting(SCALE_EXTENSION *extension, NTSTATUS status, ULONG weight) {
    IRP *irp = ScaleTakeWaiting(extension);
    if (!irp)
        return;
    if (NT_SUCCESS(status))
        *(ULONG *)irp->SystemBuffer = ScaleConvert(extension, weight);
    ScaleComplete(irp, status, sizeof(ULONG));
}

/* Commands. */

static NTSTATUS ScaleTareCommand(SCALE_EXTENSION *extension, ULONG argument) {
    KIRQL old;
    NTSTATUS status = STATUS_UNSUCCESSFUL;
    KeAcquireSpinLock(&extension->Lock, &old);
    if (ScaleHasRecord(extension)) {
        extension->Tare = ScaleNewestRecord(extension);
        status = STATUS_SUCCESS;
    }
    KeReleaseSpinLock(&extension->Lock, old);
    return status;
}

/* Opens the file with the calibration, which may take its time. */
static NTSTATUS ScaleCalibrateCommand(SCALE_EXTENSION *extension, ULONG argument) {
    HANDLE handle = NULL;
    NTSTATUS status;
#ifdef PLANTED
    KIRQL old;
    KeAcquireSpinLock(&extension->Lock, &old);
    status = ZwCreateFile(&handle, argument, NULL); /* irql_order */
    KeReleaseSpinLock(&extension->Lock, old);
#else
    status = ZwCreateFile(&handle, argument, NULL);
#endif
    if (!NT_SUCCESS(status))
        return status;
    extension->Tare = 0;
    return STATUS_SUCCESS;
}

static NTSTATUS ScaleUnitCommand(SCALE_EXTENSION *extension, ULONG argument) {
    if (argument >= UnitCount)
        return STATUS_INVALID_PARAMETER;
    extension->Unit = (SCALE_UNIT)argument;
    return STATUS_SUCCESS;
}

static NTSTATUS ScaleStatisticsCommand(SCALE_EXTENSION *extension, ULONG argument) {
    SCALE_COUNTERS counters;
    KIRQL old;
    KeAcquireSpinLock(&extension->Lock, &old);
    counters = extension->Counters;
    if (argument) {
        extension->Counters.Reads = 0;
        extension->Counters.Weights = 0;
        extension->Counters.Cancelled = 0;
        extension->Counters.Refused = 0;
    }
    KeReleaseSpinLock(&extension->Lock, old);
    return counters.Refused > counters.Reads ? STATUS_UNSUCCESSFUL : STATUS_SUCCESS;
}

/* Writes a pattern to memory of its own and reads it back. */
static NTSTATUS ScaleTestCommand(SCALE_EXTENSION *extension, ULONG argument) {
    UCHAR *line = ExAllocatePool(NonPagedPool, SCALE_LINE);
    NTSTATUS status = STATUS_SUCCESS;
    if (!line)
        return STATUS_INSUFFICIENT_RESOURCES;
    line[0] = (UCHAR)argument;
    if (extension->State != ScaleRunning) {
        status = STATUS_UNSUCCESSFUL;
#ifdef PLANTED
        return status; /* malloc_free */
#endif
    } else if (line[0] != (UCHAR)argument) {
        status = STATUS_UNSUCCESSFUL;
    }
    ExFreePool(line);
#ifdef PLANTED
    if (argument == 7)
        ExFreePool(line); /* double_free */
#endif
    return status;
}

/* Whether the weights of the list, oldest first, are not more than so much together. */
static NTSTATUS ScaleSumCommand(SCALE_EXTENSION *extension, ULONG argument) {
    LIST_ENTRY *entry;
    ULONG sum = 0;
    ULONG count = 0;
    KIRQL old;
    KeAcquireSpinLock(&extension->Lock, &old);
    entry = extension->Records.Flink;
    while (entry != &extension->Records && count < SCALE_RECORDS) {
        SCALE_RECORD *record = CONTAINING_RECORD(entry, SCALE_RECORD, Link);
        sum += record->Weight;
        count++;
        entry = entry->Flink;
    }
    KeReleaseSpinLock(&extension->Lock, old);
    return sum > argument ? STATUS_UNSUCCESSFUL : STATUS_SUCCESS;
}

static const SCALE_COMMAND Commands[] = {
    {SCALE_TARE, 0, ScaleTareCommand},
    {SCALE_CALIBRATE, sizeof(ULONG), ScaleCalibrateCommand},
    {SCALE_SET_UNIT, sizeof(ULONG), ScaleUnitCommand},
    {SCALE_STATISTICS, 0, ScaleStatisticsCommand},
    {SCALE_SELF_TEST, 0, ScaleTestCommand},
    {SCALE_SUM, sizeof(ULONG), ScaleSumCommand},
};

static const SCALE_COMMAND *ScaleFindCommand(ULONG code) {
    switch (code) {
    case SCALE_TARE:
        return &Commands[0];
    case SCALE_CALIBRATE:
        return &Commands[1];
    case SCALE_SET_UNIT:
        return &Commands[2];
    case SCALE_STATISTICS:
        return &Commands[3];
    case SCALE_SELF_TEST:
        return &Commands[4];
    case SCALE_SUM:
        return &Commands[5];
    default:
        return NULL;
    }
}

/* Dispatch routines. */

static NTSTATUS ScaleCreate(DEVICE_OBJECT *device, IRP *irp) {
    SCALE_EXTENSION *extension = device->DeviceExtension;
    if (extension->State == ScaleRemoved)
        return ScaleComplete(irp, STATUS_DELETE_PENDING, 0);
    extension->Opened++;
    return ScaleComplete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS ScaleClose(DEVICE_OBJECT *device, IRP *irp) {
    SCALE_EXTENSION *extension = device->DeviceExtension;
    if (extension->Opened > 0)
        extension->Opened--;
    if (extension->Opened == 0)
        KeSetEvent(&extension->Idle, IO_NO_INCREMENT, FALSE);
    return ScaleComplete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS ScaleRead(DEVICE_OBJECT *device, IRP *irp) {
    SCALE_EXTENSION *extension = device->DeviceExtension;
    IO_STACK_LOCATION *stack = IoGetCurrentIrpStackLocation(irp);
    if (stack->OutputLength < sizeof(ULONG))
        return ScaleComplete(irp, STATUS_INVALID_PARAMETER, 0);
    if (extension->State != ScaleRunning)
        return ScaleComplete(irp, STATUS_DELETE_PENDING, 0);
    extension->Counters.Reads++;
    if (!ScaleWait(extension, irp)) {
        extension->Counters.Refused++;
        return ScaleComplete(irp, STATUS_UNSUCCESSFUL, 0);
    }
    return STATUS_PENDING;
}

/* The bus below hands in a weight by a write request. */
static NTSTATUS ScaleWrite(DEVICE_OBJECT *device, IRP *irp) {
    SCALE_EXTENSION *extension = device->DeviceExtension;
    IO_STACK_LOCATION *stack = IoGetCurrentIrpStackLocation(irp);
    ULONG weight;
    KIRQL old;
    if (stack->InputLength < sizeof weight)
        return ScaleComplete(irp, STATUS_INVALID_PARAMETER, 0);
    weight = *(ULONG *)irp->SystemBuffer;
    if (weight > SCALE_LARGEST) {
        ScaleComplete(irp, STATUS_INVALID_PARAMETER, 0);
#ifdef PLANTED
        irp->IoStatus.Information = weight;
        IoCompleteRequest(irp, IO_NO_INCREMENT); /* irp_completion */
#endif
        return STATUS_INVALID_PARAMETER;
    }
    KeAcquireSpinLock(&extension->Lock, &old);
    extension->Counters.Weights++;
    ScaleKeepRecord(extension, weight);
    KeReleaseSpinLock(&extension->Lock, old);
    ScaleAnswerWaiting(extension, STATUS_SUCCESS, weight);
    return ScaleComplete(irp, STATUS_SUCCESS, sizeof weight);
}

static NTSTATUS ScaleControl(DEVICE_OBJECT *device, IRP *irp) {
    SCALE_EXTENSION *extension = device->DeviceExtension;
    IO_STACK_LOCATION *stack = IoGetCurrentIrpStackLocation(irp);
    const SCALE_COMMAND *command = ScaleFindCommand(stack->IoControlCode);
    ULONG argument = 0;
    NTSTATUS status;
    if (!command)
        return ScalePassOn(extension, irp);
    if (stack->InputLength < command->InputLength)
        return ScaleComplete(irp, STATUS_INVALID_PARAMETER, 0);
    if (stack->InputLength >= sizeof argument)
        argument = *(ULONG *)irp->SystemBuffer;
    status = command->Run(extension, argument);
    return ScaleComplete(irp, status, 0);
}

/* The file is going: nothing of it may wait any longer. */
static NTSTATUS ScaleCleanup(DEVICE_OBJECT *device, IRP *irp) {
    SCALE_EXTENSION *extension = device->DeviceExtension;
    KIRQL irql;
    ULONG waits;
    IoAcquireCancelSpinLock(&irql);
    waits = extension->Waiting != NULL;
#ifdef PLANTED
    if (!waits)
        return ScaleComplete(irp, STATUS_SUCCESS, 0); /* cancel_spin_lock */
#endif
    IoReleaseCancelSpinLock(irql);
    if (waits)
        ScaleAnswerWaiting(extension, STATUS_CANCELLED, 0);
    return ScaleComplete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS ScaleStart(SCALE_EXTENSION *extension) {
    KIRQL old;
    KeAcquireSpinLock(&extension->Lock, &old);
    ScaleClearRecords(extension);
    extension->State = ScaleRunning;
    KeReleaseSpinLock(&extension->Lock, old);
    return STATUS_SUCCESS;
}

static void ScaleStop(SCALE_EXTENSION *extension, SCALE_STATE state) {
    KIRQL old;
    KeAcquireSpinLock(&extension->Lock, &old);
    extension->State = state;
    KeReleaseSpinLock(&extension->Lock, old);
    ScaleAnswerWaiting(extension, STATUS_DELETE_PENDING, 0);
}

static NTSTATUS ScalePnp(DEVICE_OBJECT *device, IRP *irp) {
    SCALE_EXTENSION *extension = device->DeviceExtension;
    IO_STACK_LOCATION *stack = IoGetCurrentIrpStackLocation(irp);
    switch (stack->MinorFunction) {
    case PNP_START:
        return ScaleComplete(irp, ScaleStart(extension), 0);
    case PNP_QUERY_STOP:
    case PNP_QUERY_REMOVE:
        if (extension->Waiting)
            return ScaleComplete(irp, STATUS_UNSUCCESSFUL, 0);
        return ScalePassOn(extension, irp);
    case PNP_STOP:
        ScaleStop(extension, ScaleStopped);
        return ScalePassOn(extension, irp);
    case PNP_REMOVE:
        ScaleStop(extension, ScaleRemoved);
        KeWaitForSingleObject(&extension->Idle, 0, 0, FALSE, NULL);
        return ScalePassOn(extension, irp);
    default:
        return ScalePassOn(extension, irp);
    }
}

static NTSTATUS ScalePower(DEVICE_OBJECT *device, IRP *irp) {
    SCALE_EXTENSION *extension = device->DeviceExtension;
    IO_STACK_LOCATION *stack = IoGetCurrentIrpStackLocation(irp);
    KIRQL old;
    if (stack->MinorFunction == POWER_SET) {
        KeAcquireSpinLock(&extension->Lock, &old);
        if (extension->State == ScaleRunning)
            extension->State = ScaleAsleep;
        else if (extension->State == ScaleAsleep)
            extension->State = ScaleRunning;
        KeReleaseSpinLock(&extension->Lock, old);
    }
    return ScalePassOn(extension, irp);
}

/* The device comes, and the driver goes. */

static NTSTATUS ScaleAddDevice(DRIVER_OBJECT *driver, DEVICE_OBJECT *below) {
    DEVICE_OBJECT *device = NULL;
    SCALE_EXTENSION *extension;
    NTSTATUS status = IoCreateDevice(driver, sizeof *extension, &device);
    if (!NT_SUCCESS(status))
        return status;
    extension = device->DeviceExtension;
    extension->Self = device;
    extension->Below = below;
    extension->State = ScaleStopped;
    extension->Unit = UnitGrams;
    KeInitializeSpinLock(&extension->Lock);
    KeInitializeEvent(&extension->Idle, 0, FALSE);
    ScaleClearRecords(extension);
    return STATUS_SUCCESS;
}

static void ScaleUnload(DRIVER_OBJECT *driver) {
    KIRQL old;
    KeRaiseIrql(DISPATCH_LEVEL, &old);
    driver->AddDevice = NULL;
    KeLowerIrql(old);
}

NTSTATUS DriverEntry(DRIVER_OBJECT *driver, PVOID path) {
    driver->MajorFunction[IRP_MJ_CREATE] = ScaleCreate;
    driver->MajorFunction[IRP_MJ_CLOSE] = ScaleClose;
    driver->MajorFunction[IRP_MJ_READ] = ScaleRead;
    driver->MajorFunction[IRP_MJ_WRITE] = ScaleWrite;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = ScaleControl;
    driver->MajorFunction[IRP_MJ_CLEANUP] = ScaleCleanup;
    driver->MajorFunction[IRP_MJ_PNP] = ScalePnp;
    driver->MajorFunction[IRP_MJ_POWER] = ScalePower;
    driver->AddDevice = ScaleAddDevice;
    driver->DriverUnload = ScaleUnload;
    return STATUS_SUCCESS;
}
