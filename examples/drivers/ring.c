/* A character device over a PCI card with a ring of messages, for checks of
   rules. It has what drivers have: a probe with error paths, a table of
   commands, an interrupt handler, a list of waiting buffers, locks.

   attest check examples/drivers/ring.c stubs/linux_harness.c
     --stubs stubs/linux_driver.c --spec rules/ -- -Istubs

   With -DPLANTED it has mistakes, each marked with the rule that it violates. */

#include "linux_driver.h"

#define RING_SLOTS 8
#define RING_MESSAGE 4
#define RING_NAME "ring"

/* Registers of the card. */
#define REG_CONTROL 0x00
#define REG_STATUS 0x04
#define REG_MASK 0x08
#define REG_HEAD 0x0c
#define REG_TAIL 0x10
#define REG_DATA 0x14
#define REG_RESET 0x18

#define CONTROL_ENABLE 0x1u
#define CONTROL_LOOPBACK 0x2u
#define STATUS_RECEIVED 0x1u
#define STATUS_SENT 0x2u
#define STATUS_ERROR 0x4u
#define STATUS_ALL (STATUS_RECEIVED | STATUS_SENT | STATUS_ERROR)

/* Commands of ioctl. */
#define RING_RESET 1
#define RING_SET_LOOPBACK 2
#define RING_GET_COUNT 3
#define RING_FLUSH 4
#define RING_SET_LIMIT 5
#define RING_SELF_TEST 6

enum ring_phase { RING_DOWN, RING_UP, RING_BROKEN };

struct ring_message {
    u32 length;
    u8 bytes[RING_MESSAGE];
};

/* What the card has counted. */
struct ring_counters {
    u32 received;
    u32 sent;
    u32 errors;
    u32 dropped;
};

struct ring_device {
    struct pci_dev *pci;
    void *registers;
    enum ring_phase phase;
    int opened;
    u32 limit;
    u32 head;
    u32 tail;
    struct ring_message slots[RING_SLOTS];
    struct ring_counters counters;
    struct mutex config;
    spinlock_t lock;
    struct completion sent;
    struct kref users;
    u8 *scratch;
};

/* A command of ioctl: its number, whether it needs a device that is up, and what does it. */
struct ring_command {
    unsigned int number;
    int needs_up;
    long (*run)(struct ring_device *ring, unsigned long argument);
};

static struct ring_device ring;

/* Registers. */

static u32 ring_get(struct ring_device *device, unsigned long offset) {
    return ioread32((char *)device->registers + offset);
}

static void ring_set(struct ring_device *device, unsigned long offset, u32 value) {
    iowrite32(value, (char *)device->registers + offset);
}

static void ring_mask(struct ring_device *device, u32 bits) {
    ring_set(device, REG_MASK, bits);
}

static void ring_acknowledge(struct ring_device *device, u32 bits) {
    ring_set(device, REG_STATUS, bits & STATUS_ALL);
}

/* The reset of the card must not be disturbed by its interrupts. */
static void ring_reset_card(struct ring_device *device) {
    unsigned long flags;
    local_irq_save(flags);
    ring_set(device, REG_RESET, 1);
    ring_set(device, REG_HEAD, 0);
    ring_set(device, REG_TAIL, 0);
    local_irq_restore(flags);
    ring_acknowledge(device, STATUS_ALL);
}

static void ring_start_card(struct ring_device *device, int loopback) {
    u32 control = CONTROL_ENABLE;
    if (loopback)
        control |= CONTROL_LOOPBACK;
    ring_set(device, REG_CONTROL, control);
    ring_mask(device, STATUS_ALL);
}

static void ring_stop_card(struct ring_device *device) {
    ring_mask(device, 0);
    ring_set(device, REG_CONTROL, 0);
}

/* The ring itself. Its callers hold the lock. */

static u32 ring_next(u32 position) {
    return position + 1 == RING_SLOTS ? 0 : position + 1;
}

static int ring_is_empty(const struct ring_device *device) {
    return device->head == device->tail;
}

static int ring_is_full(const struct ring_device *device) {
    return ring_next(device->head) == device->tail;
}

static void ring_clear(struct ring_device *device) {
    device->head = 0;
    device->tail = 0;
}

static int ring_put(struct ring_device *device, u32 length, u8 first) {
    if (ring_is_full(device)) {
        device->counters.dropped++;
        return -ENOSPC;
    }
    if (device->head < RING_SLOTS) {
        device->slots[device->head].length = length;
        device->slots[device->head].bytes[0] = first;
    }
    device->head = ring_next(device->head);
    return 0;
}

static int ring_take(struct ring_device *device, struct ring_message *to) {
    if (ring_is_empty(device))
        return -EAGAIN;
    to->length = 0;
    if (device->tail < RING_SLOTS) {
        to->length = device->slots[device->tail].length;
        to->bytes[0] = device->slots[device->tail].bytes[0];
    }
    device->tail = ring_next(device->tail);
    return 0;
}

/* Interrupts. */

static void ring_receive(struct ring_device *device) {
    u32 word = ring_get(device, REG_DATA);
    device->counters.received++;
    ring_put(device, word & 3, (u8)(word >> 8));
}

static void ring_has_sent(struct ring_device *device) {
    device->counters.sent++;
    complete(&device->sent);
}

static void ring_has_failed(struct ring_device *device) {
    device->counters.errors++;
    if (device->counters.errors > device->limit)
        device->phase = RING_BROKEN;
}

static irqreturn_t ring_interrupt(int irq, void *argument) {
    struct ring_device *device = &ring;
    unsigned long flags;
    u32 status = ring_get(device, REG_STATUS);
    if (!(status & STATUS_ALL))
        return IRQ_NONE;
    spin_lock_irqsave(&device->lock, flags);
    if (status & STATUS_RECEIVED)
        ring_receive(device);
    if (status & STATUS_SENT)
        ring_has_sent(device);
    if (status & STATUS_ERROR)
        ring_has_failed(device);
    spin_unlock_irqrestore(&device->lock, flags);
    ring_acknowledge(device, status);
    return IRQ_HANDLED;
}

/* Commands. */

static long ring_command_reset(struct ring_device *device, unsigned long argument) {
    unsigned long flags;
    ring_stop_card(device);
    spin_lock_irqsave(&device->lock, flags);
    ring_clear(device);
    device->phase = RING_UP;
    spin_unlock_irqrestore(&device->lock, flags);
    ring_reset_card(device);
    ring_start_card(device, 0);
    return 0;
}

static long ring_command_loopback(struct ring_device *device, unsigned long argument) {
    if (argument > 1)
        return -EINVAL;
    ring_stop_card(device);
    ring_start_card(device, (int)argument);
    return 0;
}

static long ring_command_count(struct ring_device *device, unsigned long argument) {
    unsigned long flags;
    long count;
    spin_lock_irqsave(&device->lock, flags);
    count = (long)device->counters.received;
#ifdef PLANTED
    if (argument == 77)
        return -EINVAL; /* spin_lock, lock_at_exit */
#endif
    spin_unlock_irqrestore(&device->lock, flags);
    return count & 0x7fffffff;
}

static long ring_command_flush(struct ring_device *device, unsigned long argument) {
    struct ring_message dropped;
    unsigned long flags;
    long count = 0;
    spin_lock_irqsave(&device->lock, flags);
    while (ring_take(device, &dropped) == 0)
        count++;
#ifdef PLANTED
    msleep(1); /* no_sleep_in_lock */
#endif
    spin_unlock_irqrestore(&device->lock, flags);
    return count & 0x7fffffff;
}

static long ring_command_limit(struct ring_device *device, unsigned long argument) {
    if (argument > 1000)
        return -EINVAL;
    device->limit = (u32)argument;
    return 0;
}

/* Sends a message to itself and waits for it. */
static long ring_command_test(struct ring_device *device, unsigned long argument) {
    u8 *pattern = kmalloc(RING_MESSAGE, GFP_KERNEL);
    long error = 0;
    if (!pattern)
        return -ENOMEM;
    pattern[0] = (u8)argument;
    ring_start_card(device, 1);
    ring_set(device, REG_DATA, pattern[0]);
    wait_for_completion(&device->sent);
    if (device->phase == RING_BROKEN) {
        error = -EIO;
        goto out;
    }
    ring_start_card(device, 0);
out:
    kfree(pattern);
#ifdef PLANTED
    if (error)
        kfree(pattern); /* double_free */
#endif
    return error;
}

static const struct ring_command ring_commands[] = {
    {RING_RESET, 0, ring_command_reset},
    {RING_SET_LOOPBACK, 1, ring_command_loopback},
    {RING_GET_COUNT, 0, ring_command_count},
    {RING_FLUSH, 1, ring_command_flush},
    {RING_SET_LIMIT, 0, ring_command_limit},
    {RING_SELF_TEST, 1, ring_command_test},
};

#define RING_COMMANDS (sizeof ring_commands / sizeof ring_commands[0])

static const struct ring_command *ring_find(unsigned int number) {
    switch (number) {
    case RING_RESET:
        return &ring_commands[0];
    case RING_SET_LOOPBACK:
        return &ring_commands[1];
    case RING_GET_COUNT:
        return &ring_commands[2];
    case RING_FLUSH:
        return &ring_commands[3];
    case RING_SET_LIMIT:
        return &ring_commands[4];
    case RING_SELF_TEST:
        return &ring_commands[5];
    default:
        return NULL;
    }
}

static long ring_ioctl(struct file *file, unsigned int number, unsigned long argument) {
    struct ring_device *device = &ring;
    const struct ring_command *command = ring_find(number);
    long result;
    if (!command)
        return -EINVAL;
    if (mutex_lock_interruptible(&device->config))
        return -ERESTARTSYS;
    if (command->needs_up && device->phase != RING_UP) {
#ifdef PLANTED
        if (number == RING_SELF_TEST)
            return -EIO; /* mutex */
#endif
        mutex_unlock(&device->config);
        return -EIO;
    }
    result = command->run(device, argument);
    mutex_unlock(&device->config);
    return result;
}

/* Files. */

static void ring_last_user(struct kref *users) {
    struct ring_device *device = &ring;
    ring_stop_card(device);
    device->opened = 0;
}

static int ring_open(struct inode *inode, struct file *file) {
    struct ring_device *device = &ring;
    int error = 0;
    if (inode->minor < 0)
        return -ENXIO;
    mutex_lock(&device->config);
    if (device->phase == RING_DOWN) {
        error = -ENODEV;
        goto out;
    }
    if (device->opened) {
        error = -EBUSY;
        goto out;
    }
    kref_init(&device->users);
    device->opened = 1;
    file->private_data = device;
    ring_start_card(device, 0);
out:
    mutex_unlock(&device->config);
    return error;
}

static int ring_release(struct inode *inode, struct file *file) {
    struct ring_device *device = &ring;
    mutex_lock(&device->config);
    kref_put(&device->users, ring_last_user);
    file->private_data = NULL;
    mutex_unlock(&device->config);
    return 0;
}

static ssize_t ring_read(struct file *file, char *to, size_t count, loff_t *position) {
    struct ring_device *device = &ring;
    struct ring_message message;
    unsigned long flags;
    int error;
    if (count < RING_MESSAGE)
        return -EINVAL;
    spin_lock_irqsave(&device->lock, flags);
    error = ring_take(device, &message);
    spin_unlock_irqrestore(&device->lock, flags);
    if (error)
        return error;
    if (message.length > RING_MESSAGE)
        return -EIO;
    if (copy_to_user(to, message.bytes, message.length))
        return -EFAULT;
    *position += message.length;
    return (ssize_t)message.length;
}

static int ring_send(struct ring_device *device, const u8 *bytes, size_t count) {
    unsigned long flags;
    int error;
    spin_lock_irqsave(&device->lock, flags);
    if (device->phase != RING_UP) {
        spin_unlock_irqrestore(&device->lock, flags);
        return -EIO;
    }
    error = ring_put(device, (u32)count, bytes[0]);
    if (!error)
        ring_set(device, REG_DATA, bytes[0]);
    spin_unlock_irqrestore(&device->lock, flags);
    return error;
}

static ssize_t ring_write(struct file *file, const char *from, size_t count, loff_t *position) {
    struct ring_device *device = &ring;
    u8 *copy;
    int error;
    if (count == 0 || count > RING_MESSAGE)
        return -EINVAL;
    copy = kmalloc(count, GFP_KERNEL);
    if (!copy)
        return -ENOMEM;
    if (copy_from_user(copy, from, count)) {
#ifndef PLANTED
        kfree(copy); /* malloc_free if it is left out */
#endif
        return -EFAULT;
    }
    kref_get(&device->users);
    error = ring_send(device, copy, count);
    kref_put(&device->users, ring_last_user);
#ifdef PLANTED
    if (error == -ENOSPC)
        kref_put(&device->users, ring_last_user); /* refcount */
#endif
    kfree(copy);
    if (error)
        return error;
    *position += (loff_t)count;
    return (ssize_t)count;
}

static const struct file_operations ring_operations = {
    .open = ring_open,
    .release = ring_release,
    .read = ring_read,
    .write = ring_write,
    .unlocked_ioctl = ring_ioctl,
};

static struct miscdevice ring_misc = {
    .minor = 7,
    .name = RING_NAME,
    .fops = &ring_operations,
};

/* The card comes and goes. */

static void ring_setup(struct ring_device *device, struct pci_dev *pci) {
    device->pci = pci;
    device->registers = pci->driver_data;
    device->phase = RING_DOWN;
    device->opened = 0;
    device->limit = 16;
    mutex_init(&device->config);
    spin_lock_init(&device->lock);
#ifndef PLANTED
    init_completion(&device->sent); /* init_before_use if it is left out */
#endif
    ring_clear(device);
}

static int ring_probe(struct pci_dev *pci) {
    struct ring_device *device = &ring;
    int error;
    ring_setup(device, pci);
    error = pci_enable_device(pci);
#ifdef PLANTED
    pci_set_master(pci); /* checked_result */
#endif
    if (error)
        return error;
    error = pci_request_regions(pci, RING_NAME);
    if (error)
        goto disable;
    pci_set_master(pci);
    device->scratch = kzalloc(RING_SLOTS, GFP_KERNEL);
    if (!device->scratch) {
        error = -ENOMEM;
        goto release;
    }
    ring_reset_card(device);
    error = request_irq(pci->irq, ring_interrupt, 0, RING_NAME, device);
    if (error)
        goto free;
    device->phase = RING_UP;
    error = misc_register(&ring_misc);
    if (error)
        goto forget;
    return 0;

forget:
#ifndef PLANTED
    free_irq(pci->irq, device); /* irq_request if it is left out */
#endif
    device->phase = RING_DOWN;
free:
    kfree(device->scratch);
    device->scratch = NULL;
release:
    pci_release_regions(pci);
disable:
    pci_disable_device(pci);
    return error;
}

static void ring_remove(struct pci_dev *pci) {
    struct ring_device *device = &ring;
    misc_deregister(&ring_misc);
    ring_stop_card(device);
    device->phase = RING_DOWN;
    free_irq(pci->irq, device);
    kfree(device->scratch);
    device->scratch = NULL;
    pci_release_regions(pci);
    pci_disable_device(pci);
#ifdef PLANTED
    local_irq_disable(); /* irq_disable */
#endif
}

static struct pci_driver ring_driver = {
    .name = RING_NAME,
    .probe = ring_probe,
    .remove = ring_remove,
};

static int ring_init(void) {
    return pci_register_driver(&ring_driver);
}

static void ring_exit(void) {
    pci_unregister_driver(&ring_driver);
}

module_init(ring_init)
module_exit(ring_exit)
