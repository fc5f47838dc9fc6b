// expect: safe
// options: -- -DVALID
// expect: safe
//
// A list whose members are any that an invariant allows.
#include "../input.h"
#include <assert.h>
#include <stdlib.h>

struct list {
  unsigned long current_size, length, item_size;
  void *data;
};

static _Bool valid(const struct list *l) {
  unsigned long needed = 0;
  if (__builtin_mul_overflow(l->length, l->item_size, &needed)) return 0;
  return l->current_size >= needed && (l->current_size == 0) == (l->data == 0) && l->item_size;
}

int main(void) {
  struct list l;
  l.current_size = __VERIFIER_nondet_ulong();
  l.length = __VERIFIER_nondet_ulong();
  l.item_size = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(l.item_size <= 2 && l.length <= 1000);
#ifdef VALID
  __VERIFIER_assume(l.current_size < 100000);
#endif
  l.data = l.current_size ? malloc(l.current_size) : 0;
  __VERIFIER_assume(valid(&l));
  unsigned long old = l.length;
  if (l.length) {
    l.length--;
    assert(l.length == old - 1);
  }
  assert(valid(&l));
  return 0;
}
