/* expected: safe
 *
 * A driver that serves a queue of requests under a spin lock. It drops the
 * lock only to complete a request. `pending` counts what the device reported
 * while the lock was not held: the loop ends with the lock held exactly when
 * nothing was reported in between. Whoever takes a lock that is taken, or
 * gives one back that is free, has made a mistake.
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

static void serve(struct device *d) {
  unsigned before;
  do {
    spin_lock(d);
    before = d->pending;
    if (__VERIFIER_nondet_int()) {
      /* A request is waiting: complete it without the lock. */
      spin_unlock(d);
      d->pending++;
    }
  } while (before != d->pending);
  spin_unlock(d);
}

int main(void) {
  struct device d = {FREE, 0};
  serve(&d);
  return 0;
}
