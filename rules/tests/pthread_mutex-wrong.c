/* expect: unsafe; stubs: pthread.c */

#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static int withdraw(int amount) {
    pthread_mutex_lock(&mutex);
    if (balance < amount)
        return -1;
    balance -= amount;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    withdraw(__VERIFIER_nondet_int());
    withdraw(1);
    return 0;
}
