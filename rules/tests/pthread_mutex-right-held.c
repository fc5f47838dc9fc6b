/* expect: safe; stubs: pthread.c */

/* A thread that is made while a mutex is held waits for it, and does not lock it twice. */

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *take(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    int failed;
    pthread_mutex_lock(&mutex);
    failed = pthread_create(&thread, 0, take, 0);
    pthread_mutex_unlock(&mutex);
    if (!failed)
        pthread_join(thread, 0);
    return 0;
}
