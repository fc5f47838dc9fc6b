/* Models of POSIX threads in a program with one thread.

   A thread runs to its end when it is made, which is one of its schedules and
   not all of them: what is proved so holds for that schedule only. Locks do
   nothing, and taking one always succeeds; rules keep the books. */

#include <pthread.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

static unsigned long threads;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
    if (__VERIFIER_nondet_bool())
        return 11;
    threads = threads + 1;
    *thread = threads;
    start(argument);
    return 0;
}

int pthread_join(pthread_t thread, void **result) {
    if (result)
        *result = 0;
    return 0;
}

int pthread_detach(pthread_t thread) {
    return 0;
}

pthread_t pthread_self(void) {
    return 0;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    return __VERIFIER_nondet_bool() ? 0 : 16;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    return 0;
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition) {
    return 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    return 0;
}

int pthread_cond_signal(pthread_cond_t *condition) {
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    return 0;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    return 0;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    return 0;
}
