/* A block store behind a character device, for checks of rules. Sectors lie in
   the memory of the card; requests come from a pool, wait in a list and are
   finished by the interrupt handler. Every open file has a session of its own
   that is allocated, and the device counts its users.

   attest check examples/drivers/store.c stubs/linux_harness.c
     --stubs stubs/linux_driver.c --spec rules/ -- -Istubs

   With -DPLANTED it has mistakes, each marked with the rule that it violates. */

#include "linux_driver.h"

#define STORE_NAME "store"
#define STORE_IRQ 11
#define STORE_SECTORS 16
#define STORE_SECTOR 4
#define STORE_REQUESTS 4
#define STORE_RETRIES 3

/* Registers of the controller. */
#define REG_COMMAND 0x00
#define REG_SECTOR 0x04
#define REG_DATA 0x08
#define REG_STATUS 0x0c
#define REG_ENABLE 0x10

#define COMMAND_READ 1u
#define COMMAND_WRITE 2u
#define COMMAND_ERASE 3u
#define COMMAND_STOP 4u

#define STATUS_DONE 0x1u
#define STATUS_FAULT 0x2u
#define STATUS_EJECTED 0x4u
#define STATUS_ANY (STATUS_DONE | STATUS_FAULT | STATUS_EJECTED)

/* Commands of ioctl. */
#define STORE_ERASE 10
#define STORE_FLUSH 11
#define STORE_COUNT 12
#define STORE_PROTECT 13
#define STORE_CHECK 14

enum store_phase { STORE_OFF, STORE_READY, STORE_EJECTED };
enum request_kind { REQUEST_READ, REQUEST_WRITE, REQUEST_ERASE };

/* Something that the card is to do. Free ones and waiting ones are in a list each. */
struct store_request {
    struct list_head link;
    enum request_kind kind;
    u32 sector;
    u32 word;
    int result;
};

struct store_counters {
    u32 reads;
    u32 writes;
    u32 erased;
    u32 faults;
};

/* An open file. */
struct store_session {
    u32 flags;
    u32 next;
    u32 words;
};

struct store_device {
    enum store_phase phase;
    void *registers;
    int protect;
    int open;
    struct mutex big;
    struct mutex table;
    spinlock_t queue;
    struct completion finished;
    struct kref users;
    struct list_head waiting;
    struct list_head unused;
    struct store_counters counters;
    u32 last;
};

/* A command of ioctl: what it may need, and what does it. */
struct store_command {
    unsigned int number;
    int writes;
    long (*run)(struct store_device *device, unsigned long argument);
};

/* What is done when the card has finished a request of a kind. */
typedef void (*store_finish)(struct store_device *device, struct store_request *request);

static struct store_device store;
static struct store_request requests[STORE_REQUESTS];

/* Sectors that were written and not flushed. */
static u8 dirty[STORE_SECTORS];

/* Registers. */

static u32 store_get(struct store_device *device, unsigned long offset) {
    return ioread32((char *)device->registers + offset);
}

static void store_set(struct store_device *device, unsigned long offset, u32 value) {
    iowrite32(value, (char *)device->registers + offset);
}

static void store_enable(struct store_device *device) {
    store_set(device, REG_STATUS, STATUS_ANY);
    store_set(device, REG_ENABLE, STATUS_ANY);
}

static void store_disable(struct store_device *device) {
    store_set(device, REG_ENABLE, 0);
    store_set(device, REG_COMMAND, COMMAND_STOP);
}

/* Command and sector must not be torn apart by an interrupt of this processor. */
static void store_start(struct store_device *device, const struct store_request *request) {
    unsigned long flags;
    local_irq_save(flags);
    store_set(device, REG_SECTOR, request->sector);
    switch (request->kind) {
    case REQUEST_READ:
        store_set(device, REG_COMMAND, COMMAND_READ);
        break;
    case REQUEST_WRITE:
        store_set(device, REG_DATA, request->word);
        store_set(device, REG_COMMAND, COMMAND_WRITE);
        break;
    case REQUEST_ERASE:
        store_set(device, REG_COMMAND, COMMAND_ERASE);
        break;
    }
    local_irq_restore(flags);
}

/* The pool of requests. Its callers hold the lock of the queue. */

static void pool_fill(struct store_device *device) {
    int i;
    INIT_LIST_HEAD(&device->waiting);
    INIT_LIST_HEAD(&device->unused);
    for (i = 0; i < STORE_REQUESTS; i++)
        list_add(&requests[i].link, &device->unused);
}

static struct store_request *pool_take(struct store_device *device) {
    struct list_head *first;
    if (list_empty(&device->unused))
        return NULL;
    first = device->unused.next;
    list_del(first);
    return container_of(first, struct store_request, link);
}

static void pool_give(struct store_device *device, struct store_request *request) {
    list_add(&request->link, &device->unused);
}

static struct store_request *queue_first(struct store_device *device) {
    if (list_empty(&device->waiting))
        return NULL;
    return container_of(device->waiting.next, struct store_request, link);
}

/* What happens at the end of a request. */

static void finish_read(struct store_device *device, struct store_request *request) {
    request->word = store_get(device, REG_DATA);
    device->last = request->word;
    device->counters.reads++;
}

static void finish_write(struct store_device *device, struct store_request *request) {
    device->counters.writes++;
    if (request->sector < STORE_SECTORS)
        dirty[request->sector] = 1;
}

static void finish_erase(struct store_device *device, struct store_request *request) {
    device->counters.erased++;
    if (request->sector < STORE_SECTORS)
        dirty[request->sector] = 0;
}

static const store_finish finishers[] = {finish_read, finish_write, finish_erase};

static store_finish finisher(enum request_kind kind) {
    switch (kind) {
    case REQUEST_READ:
        return finishers[0];
    case REQUEST_WRITE:
        return finishers[1];
    case REQUEST_ERASE:
        return finishers[2];
    }
    return NULL;
}

/* The card is done with the first request. */
static void store_done(struct store_device *device, int result) {
    struct store_request *request = queue_first(device);
    store_finish finish;
    if (!request)
        return;
    list_del(&request->link);
    request->result = result;
    finish = finisher(request->kind);
    if (!result && finish)
        finish(device, request);
    pool_give(device, request);
    complete(&device->finished);
}

static irqreturn_t store_interrupt(int irq, void *argument) {
    struct store_device *device = &store;
    u32 status = store_get(device, REG_STATUS);
    if (!(status & STATUS_ANY))
        return IRQ_NONE;
    spin_lock(&device->queue);
    if (status & STATUS_EJECTED)
        device->phase = STORE_EJECTED;
    if (status & STATUS_FAULT) {
        device->counters.faults++;
        store_done(device, -EIO);
    } else if (status & STATUS_DONE) {
        store_done(device, 0);
    }
#ifdef PLANTED
    if (status == STATUS_EJECTED)
        spin_lock(&device->queue); /* spin_lock, lock_at_exit */
#endif
    spin_unlock(&device->queue);
    store_set(device, REG_STATUS, status);
    return IRQ_HANDLED;
}

/* Gives a request to the card. */
static int store_submit(struct store_device *device, enum request_kind kind, u32 sector, u32 word) {
    struct store_request *request;
    unsigned long flags;
    if (sector >= STORE_SECTORS)
        return -EINVAL;
    spin_lock_irqsave(&device->queue, flags);
    if (device->phase != STORE_READY) {
        spin_unlock_irqrestore(&device->queue, flags);
        return -ENODEV;
    }
    request = pool_take(device);
    if (!request) {
        spin_unlock_irqrestore(&device->queue, flags);
        return -EBUSY;
    }
    request->kind = kind;
    request->sector = sector;
    request->word = word;
    request->result = 0;
    list_add(&request->link, &device->waiting);
    store_start(device, request);
#ifdef PLANTED
    if (kind == REQUEST_ERASE)
        msleep(2); /* no_sleep_in_lock */
#endif
    spin_unlock_irqrestore(&device->queue, flags);
    return 0;
}

/* The same, and waits until the card is done. */
static int store_submit_and_wait(struct store_device *device, enum request_kind kind, u32 sector,
                                 u32 word) {
    int error = store_submit(device, kind, sector, word);
    if (error)
        return error;
    wait_for_completion(&device->finished);
    if (device->phase == STORE_EJECTED)
        return -ENXIO;
    return 0;
}

/* Commands. */

static long command_erase(struct store_device *device, unsigned long argument) {
    int error;
    if (argument >= STORE_SECTORS)
        return -EINVAL;
    mutex_lock(&device->table);
    error = store_submit_and_wait(device, REQUEST_ERASE, (u32)argument, 0);
#ifdef PLANTED
    if (error == -ENODEV)
        return error; /* mutex */
#endif
    mutex_unlock(&device->table);
    return error;
}

static long command_flush(struct store_device *device, unsigned long argument) {
    u32 sector;
    long written = 0;
    mutex_lock(&device->table);
    for (sector = 0; sector < STORE_SECTORS; sector++) {
        if (!dirty[sector])
            continue;
        dirty[sector] = 0;
        written++;
    }
    mutex_unlock(&device->table);
    return written;
}

static long command_count(struct store_device *device, unsigned long argument) {
    unsigned long flags;
    u32 count;
    spin_lock_irqsave(&device->queue, flags);
    count = device->counters.reads + device->counters.writes;
    spin_unlock_irqrestore(&device->queue, flags);
    return (long)(count & 0x7fffffff);
}

static long command_protect(struct store_device *device, unsigned long argument) {
    if (argument > 1)
        return -EINVAL;
    device->protect = (int)argument;
    return 0;
}

/* Reads a sector into memory of its own and compares it with what is expected. */
static long command_check(struct store_device *device, unsigned long argument) {
    u8 *expected = kmalloc(STORE_SECTOR, GFP_KERNEL);
    long error;
    if (!expected)
        return -ENOMEM;
    expected[0] = (u8)argument;
    error = store_submit_and_wait(device, REQUEST_READ, 0, 0);
    if (error)
        goto out;
    if ((u8)device->last != expected[0])
        error = -EIO;
out:
    kfree(expected);
#ifdef PLANTED
    if (error == -EIO)
        kfree(expected); /* double_free */
#endif
    return error;
}

static const struct store_command commands[] = {
    {STORE_ERASE, 1, command_erase},
    {STORE_FLUSH, 1, command_flush},
    {STORE_COUNT, 0, command_count},
    {STORE_PROTECT, 0, command_protect},
    {STORE_CHECK, 0, command_check},
};

static const struct store_command *command_of(unsigned int number) {
    switch (number) {
    case STORE_ERASE:
        return &commands[0];
    case STORE_FLUSH:
        return &commands[1];
    case STORE_COUNT:
        return &commands[2];
    case STORE_PROTECT:
        return &commands[3];
    case STORE_CHECK:
        return &commands[4];
    default:
        return NULL;
    }
}

static long store_ioctl(struct file *file, unsigned int number, unsigned long argument) {
    struct store_device *device = &store;
    const struct store_command *command = command_of(number);
    long result;
    if (!command)
        return -EINVAL;
    mutex_lock(&device->big);
    if (command->writes && device->protect) {
        result = -EBUSY;
        goto out;
    }
    result = command->run(device, argument);
out:
    mutex_unlock(&device->big);
    return result;
}

/* Files. */

static void store_last_user(struct kref *users) {
    struct store_device *device = &store;
    store_disable(device);
    device->open = 0;
}

static int store_open(struct inode *inode, struct file *file) {
    struct store_device *device = &store;
    struct store_session *session;
    if (mutex_lock_interruptible(&device->big))
        return -ERESTARTSYS;
    if (device->phase != STORE_READY || device->open) {
        mutex_unlock(&device->big);
        return -EBUSY;
    }
    session = kzalloc(sizeof *session, GFP_KERNEL);
    if (!session) {
        mutex_unlock(&device->big);
        return -ENOMEM;
    }
    session->flags = file->f_flags;
    kref_init(&device->users);
    device->open = 1;
    file->private_data = session;
    store_enable(device);
    mutex_unlock(&device->big);
    return 0;
}

static int store_release(struct inode *inode, struct file *file) {
    struct store_device *device = &store;
    mutex_lock(&device->big);
    kref_put(&device->users, store_last_user);
#ifdef PLANTED
    if (device->phase != STORE_EJECTED) /* malloc_free */
#endif
        kfree(file->private_data);
    file->private_data = NULL;
    mutex_unlock(&device->big);
    return 0;
}

static ssize_t store_read(struct file *file, char *to, size_t count, loff_t *position) {
    struct store_device *device = &store;
    struct store_session *session = file->private_data;
    u32 word;
    int error;
    int tries;
    if (count < STORE_SECTOR)
        return -EINVAL;
    for (tries = 0; tries < STORE_RETRIES; tries++) {
        error = store_submit_and_wait(device, REQUEST_READ, session->next, 0);
        if (error != -EBUSY)
            break;
        msleep(1);
    }
    if (error)
        return error;
    word = device->last;
    if (copy_to_user(to, &word, sizeof word))
        return -EFAULT;
    session->next = session->next + 1 == STORE_SECTORS ? 0 : session->next + 1;
    session->words++;
    *position += (loff_t)sizeof word;
    return (ssize_t)sizeof word;
}

static ssize_t store_write(struct file *file, const char *from, size_t count, loff_t *position) {
    struct store_device *device = &store;
    struct store_session *session = file->private_data;
    u32 word = 0;
    int error;
    if (count < sizeof word)
        return -EINVAL;
    if (copy_from_user(&word, from, sizeof word))
        return -EFAULT;
    mutex_lock(&device->table);
    if (device->protect) {
        mutex_unlock(&device->table);
        return -EBUSY;
    }
    kref_get(&device->users);
    error = store_submit(device, REQUEST_WRITE, session->next, word);
    kref_put(&device->users, store_last_user);
#ifdef PLANTED
    if (error == -ENODEV)
        kref_put(&device->users, store_last_user); /* refcount */
#endif
    mutex_unlock(&device->table);
    if (error)
        return error;
    session->words++;
    *position += (loff_t)sizeof word;
    return (ssize_t)sizeof word;
}

static const struct file_operations store_operations = {
    .open = store_open,
    .release = store_release,
    .read = store_read,
    .write = store_write,
    .unlocked_ioctl = store_ioctl,
};

static struct miscdevice store_misc = {
    .minor = 9,
    .name = STORE_NAME,
    .fops = &store_operations,
};

/* The module comes and goes. */

static void store_setup(struct store_device *device) {
    device->phase = STORE_OFF;
    device->protect = 0;
    device->open = 0;
    mutex_init(&device->big);
    mutex_init(&device->table);
    spin_lock_init(&device->queue);
#ifndef PLANTED
    init_completion(&device->finished); /* init_before_use if it is left out */
#endif
    pool_fill(device);
}

static int store_init(void) {
    struct store_device *device = &store;
    int error;
    store_setup(device);
    store_disable(device);
    error = request_irq(STORE_IRQ, store_interrupt, 0, STORE_NAME, device);
    if (error)
        return error;
    device->phase = STORE_READY;
    error = misc_register(&store_misc);
    if (error) {
        device->phase = STORE_OFF;
#ifndef PLANTED
        free_irq(STORE_IRQ, device); /* irq_request if it is left out */
#endif
        return error;
    }
    return 0;
}

static void store_exit(void) {
    struct store_device *device = &store;
    misc_deregister(&store_misc);
    local_irq_disable();
    device->phase = STORE_OFF;
    store_disable(device);
#ifdef PLANTED
    if (device->counters.faults > 0)
        return; /* irq_disable */
#endif
    local_irq_enable();
    free_irq(STORE_IRQ, device);
}

module_init(store_init)
module_exit(store_exit)
