/* Atomic operations in one thread. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static _Atomic int counter = 5;
static atomic_uint bits = 0xf0;
static atomic_bool flag;
static _Atomic(int *) where;
static int plain = 10, cells[4];
static _Atomic unsigned char small = 250;
static _Atomic long long wide = 1LL << 40;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Atomic struct pair { int a, b; } both;

int main(void) {
  printf("%d %d %d\n", counter++, ++counter, counter -= 3);
  printf("%d %d\n", atomic_fetch_add(&counter, 10), atomic_load(&counter));
  printf("%x %x %x %x\n", atomic_fetch_or(&bits, 0x0f), atomic_fetch_and(&bits, 0x3c), atomic_fetch_xor(&bits, 0xff), bits);
  int expected = 14;
  printf("%d ", atomic_compare_exchange_strong(&counter, &expected, 100));
  printf("%d %d ", expected, counter);
  expected = 14;
  printf("%d ", atomic_compare_exchange_strong(&counter, &expected, 200));
  printf("%d %d\n", expected, counter);
  printf("%d %d\n", atomic_exchange(&flag, 1), flag);
  atomic_store_explicit(&where, cells + 1, memory_order_release);
  *atomic_load_explicit(&where, memory_order_acquire) = 9;
  int *old = atomic_exchange(&where, cells + 3);
  printf("%d %d\n", *old, (int)(where - old));
  printf("%d %d %d\n", atomic_fetch_add(&small, 10), small, (int)(small *= 3));
  printf("%lld %lld\n", (long long)atomic_fetch_sub(&wide, 7), (long long)wide);
  printf("%d %d\n", atomic_flag_test_and_set(&lock), atomic_flag_test_and_set(&lock));
  atomic_flag_clear(&lock);
  struct pair p = {1, 2}, q;
  atomic_store(&both, p);
  q = atomic_load(&both);
  printf("%d %d\n", q.a, q.b);
  atomic_thread_fence(memory_order_seq_cst);

  printf("%d %d\n", __sync_fetch_and_add(&plain, 5), __sync_add_and_fetch(&plain, 5));
  printf("%d %d\n", __sync_bool_compare_and_swap(&plain, 20, 30), __sync_val_compare_and_swap(&plain, 31, 40));
  printf("%d %d\n", __sync_lock_test_and_set(&plain, 3), plain);
  __sync_lock_release(&plain);
  __sync_synchronize();
  printf("%d %d\n", __sync_fetch_and_or(&plain, 6), __sync_and_and_fetch(&plain, 5));
  printf("%d %d\n", __sync_nand_and_fetch(&plain, 4), __sync_xor_and_fetch(&plain, 1));
  printf("%d %d\n", __atomic_fetch_max(&plain, 7, __ATOMIC_SEQ_CST), __atomic_fetch_min(&plain, -9, __ATOMIC_RELAXED));
  printf("%d %d\n", __atomic_load_n(&plain, __ATOMIC_SEQ_CST), __atomic_exchange_n(&plain, 1, __ATOMIC_ACQ_REL));
  int weak = 1;
  while (!__atomic_compare_exchange_n(&plain, &weak, 2, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    ;
  printf("%d\n", plain);
  return 0;
}
