/* expect: safe; stubs: pthread.c */

#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *worker(void *amount) {
    pthread_mutex_lock(&mutex);
    balance += *(int *)amount;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    int amount = __VERIFIER_nondet_int();
    if (pthread_create(&thread, 0, worker, &amount) == 0)
        pthread_join(thread, 0);
    if (pthread_mutex_trylock(&mutex) == 0) {
        balance = 0;
        pthread_mutex_unlock(&mutex);
    }
    pthread_mutex_destroy(&mutex);
    return 0;
}
