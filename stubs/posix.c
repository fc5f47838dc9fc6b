/* Models of files, descriptors, sockets and directories, for checks of rules.

   Each call may fail or succeed as the manual allows. Contents are arbitrary:
   what is read is any bytes, and what is written is gone. Streams and
   directories are objects of their own, so that a rule can tell them apart;
   descriptors are numbers that are not handed out twice. */

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

/* A number of at most `most`. */
static size_t at_most(size_t most) {
    size_t count = __VERIFIER_nondet_ulong();
    return count > most ? most : count;
}

/* -1 or a number of at most `most`. */
static ssize_t transferred(size_t most) {
    if (__VERIFIER_nondet_bool())
        return -1;
    return (ssize_t)at_most(most);
}

static int succeeds(void) {
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

/* Streams. */

struct stream {
    int is_open;
};

FILE *fopen(const char *path, const char *mode) {
    struct stream *stream;
    if (__VERIFIER_nondet_bool())
        return NULL;
    stream = malloc(sizeof *stream);
    if (stream)
        stream->is_open = 1;
    return (FILE *)stream;
}

int fclose(FILE *stream) {
    ((struct stream *)stream)->is_open = 0;
    return __VERIFIER_nondet_bool() ? 0 : EOF;
}

size_t fread(void *to, size_t size, size_t count, FILE *stream) {
    if (size && count)
        *(unsigned char *)to = __VERIFIER_nondet_uchar();
    return at_most(count);
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *stream) {
    return at_most(count);
}

char *fgets(char *to, int size, FILE *stream) {
    if (size < 2 || __VERIFIER_nondet_bool())
        return NULL;
    to[0] = (char)__VERIFIER_nondet_uchar();
    to[1] = 0;
    return to;
}

int fgetc(FILE *stream) {
    return __VERIFIER_nondet_bool() ? EOF : __VERIFIER_nondet_uchar();
}

int feof(FILE *stream) {
    return __VERIFIER_nondet_bool();
}

int ferror(FILE *stream) {
    return __VERIFIER_nondet_bool();
}

int fseek(FILE *stream, long offset, int whence) {
    return succeeds();
}

long ftell(FILE *stream) {
    return (long)transferred(1 << 30);
}

/* Descriptors. */

static int last_descriptor = 2;

static int descriptor(void) {
    if (__VERIFIER_nondet_bool())
        return -1;
    last_descriptor = last_descriptor + 1;
    return last_descriptor;
}

int open(const char *path, int flags, ...) {
    return descriptor();
}

int creat(const char *path, mode_t mode) {
    return descriptor();
}

int close(int fd) {
    return succeeds();
}

ssize_t read(int fd, void *to, size_t count) {
    if (count)
        *(unsigned char *)to = __VERIFIER_nondet_uchar();
    return transferred(count);
}

ssize_t write(int fd, const void *from, size_t count) {
    return transferred(count);
}

off_t lseek(int fd, off_t offset, int whence) {
    return (off_t)transferred(1 << 30);
}

int unlink(const char *path) {
    return succeeds();
}

/* Sockets. */

int socket(int domain, int type, int protocol) {
    return descriptor();
}

int bind(int fd, const struct sockaddr *address, socklen_t length) {
    return succeeds();
}

int listen(int fd, int backlog) {
    return succeeds();
}

int accept(int fd, struct sockaddr *address, socklen_t *length) {
    return descriptor();
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t length) {
    return succeeds();
}

/* Any of the descriptors may be ready. */
int select(int count, fd_set *readable, fd_set *writable, fd_set *broken,
           struct timeval *timeout) {
    return (int)transferred(count > 0 ? (size_t)count : 0);
}

int connect(int fd, const struct sockaddr *address, socklen_t length) {
    return succeeds();
}

ssize_t send(int fd, const void *from, size_t count, int flags) {
    return transferred(count);
}

ssize_t recv(int fd, void *to, size_t count, int flags) {
    if (count)
        *(unsigned char *)to = __VERIFIER_nondet_uchar();
    return transferred(count);
}

/* Time. */

time_t time(time_t *now) {
    time_t answer = (time_t)(__VERIFIER_nondet_ulong() & 0x7fffffff);
    if (now)
        *now = answer;
    return answer;
}

/* Directories. */

struct directory {
    struct dirent entry;
};

DIR *opendir(const char *path) {
    if (__VERIFIER_nondet_bool())
        return NULL;
    return (DIR *)malloc(sizeof(struct directory));
}

struct dirent *readdir(DIR *directory) {
    struct dirent *entry = &((struct directory *)directory)->entry;
    if (__VERIFIER_nondet_bool())
        return NULL;
    entry->d_name[0] = (char)__VERIFIER_nondet_uchar();
    entry->d_name[1] = 0;
    return entry;
}

int closedir(DIR *directory) {
    return succeeds();
}
