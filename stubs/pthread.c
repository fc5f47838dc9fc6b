/* Models of POSIX threads in a program with one thread.

   A thread runs to its end when it is made, or when it is joined, or never; in
   between nobody takes turns. These are some of its schedules and not all of
   them: what is proved so holds for them only, and the verdict says that. No thread starts while its maker
   holds a mutex, for which it might have to wait. Locks do nothing else, and
   taking one always succeeds; rules keep the books. */

/* The program's own choice of headers is not for this file. */
#undef _XOPEN_SOURCE
#undef _POSIX_C_SOURCE
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int condition);
extern void __attest_assuming_threads_run_one_after_the_other(void);

/* The threads that were made; those from this number on start at once. */
enum { MOST = 8 };

struct thread {
    void *(*start)(void *); /* null once it has started */
    void *argument, *result;
};

static struct thread all[MOST];
static unsigned long threads;
static int held;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
    unsigned long number = threads;
    __attest_assuming_threads_run_one_after_the_other();
    if (__VERIFIER_nondet_bool())
        return 11;
    threads = number + 1;
    *thread = number;
    if (number >= MOST) {
        __VERIFIER_assume(held == 0);
        start(argument);
    } else if (held || __VERIFIER_nondet_bool()) {
        all[number].start = start;
        all[number].argument = argument;
    } else {
        all[number].result = start(argument);
    }
    return 0;
}

int pthread_join(pthread_t thread, void **result) {
    struct thread *joined = &all[thread];
    if (thread >= MOST) {
        if (result)
            *result = 0;
        return 0;
    }
    if (joined->start) {
        void *(*start)(void *) = joined->start;
        __VERIFIER_assume(held == 0);
        joined->start = 0;
        joined->result = start(joined->argument);
    }
    if (result)
        *result = joined->result;
    return 0;
}

int pthread_kill(pthread_t thread, int number) {
    return __VERIFIER_nondet_bool() ? 0 : 3;
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
    held = held + 1;
    return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    if (__VERIFIER_nondet_bool())
        return 16;
    held = held + 1;
    return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    held = held - 1;
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

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
    return 0;
}

int pthread_attr_init(pthread_attr_t *attributes) {
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes) {
    return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) {
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
