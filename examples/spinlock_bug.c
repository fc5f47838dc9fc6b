/* expected: unsafe
 *
 * The driver of spinlock.c with a way out for a device that is gone. That
 * path forgets to give the lock back, so the next user finds it taken.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum lock_state { FREE, TAKEN };

struct device {
  enum lock_state lock;
  unsigned pending;
};

static void spin_lock(struct device *d) {
  if (d->lock == TAKEN)
    reach_error();
  d->lock = TAKEN;
}

static void spin_unlock(struct device *d) {
  if (d->lock == FREE)
    reach_error();
  d->lock = FREE;
}

static int serve(struct device *d) {
  unsigned before;
  do {
    spin_lock(d);
    before = d->pending;
    int request = __VERIFIER_nondet_int();
    if (request < 0)
      return -1; /* The release is forgotten here. */
    if (request > 0) {
      spin_unlock(d);
      d->pending++;
    }
  } while (before != d->pending);
  spin_unlock(d);
  return 0;
}

int main(void) {
  struct device d = {FREE, 0};
  if (serve(&d) < 0)
    serve(&d);
  return 0;
}
