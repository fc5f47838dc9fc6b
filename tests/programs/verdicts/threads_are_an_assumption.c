// expect: unknown(missing: pthread_create)
// expect: safe(assuming threads run one after the other)
// options: --stubs ../../../stubs/pthread.c
//
// A race that no schedule of the stub has.
#include <assert.h>
#include <pthread.h>

static int counter;

static void *count(void *argument) {
  counter++;
  return argument;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, count, 0))
    return 1;
  int before = counter;
  counter = before + 1;
  pthread_join(thread, 0);
  assert(counter >= 1);
  return 0;
}
