/* expect: unsafe; stubs: pthread.c */

/* The thread finds work only if it runs late. Its function has no result, as in many programs. */

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int work;

static void take(void *unused) {
    pthread_mutex_lock(&mutex);
    if (work)
        return;
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, 0, (void *(*)(void *))take, 0))
        return 1;
    pthread_mutex_lock(&mutex);
    work = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
