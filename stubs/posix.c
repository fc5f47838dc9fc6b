/* Models of files, descriptors, sockets and directories, for checks of rules.

   Each call may fail or succeed as the manual allows, whatever the calls before
   it did. Contents are arbitrary: what is read is any bytes, and what is written
   is gone. Streams and directories are objects of their own, so that a rule can
   tell them apart; descriptors are numbers that are not handed out twice. errno
   stays as it is. */

/* The program's own choice of headers is not for this file. */
#undef _GNU_SOURCE
#undef _XOPEN_SOURCE
#undef _POSIX_C_SOURCE
#undef _LARGEFILE64_SOURCE
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
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

/* Makes bytes arbitrary: those of fresh memory are. */
static void fill(void *to, size_t count) {
    if (count) {
        void *any = malloc(count);
        if (any)
            memcpy(to, any, count);
        free(any);
    }
}

/* A text of any characters and of any length up to that of a long line. */
static char *some_text(size_t *length) {
    char *text;
    *length = at_most(4095);
    text = malloc(*length + 1);
    __VERIFIER_assume(text != NULL);
    text[*length] = 0;
    return text;
}

/* Streams. */

struct stream {
    int number;
};

static FILE *some_stream(void) {
    if (__VERIFIER_nondet_bool())
        return NULL;
    return (FILE *)malloc(sizeof(struct stream));
}

FILE *fopen(const char *path, const char *mode) {
    return some_stream();
}

FILE *fdopen(int fd, const char *mode) {
    return some_stream();
}

FILE *freopen(const char *path, const char *mode, FILE *stream) {
    return __VERIFIER_nondet_bool() ? stream : NULL;
}

FILE *tmpfile(void) {
    return some_stream();
}

FILE *popen(const char *command, const char *mode) {
    return some_stream();
}

/* A stream is memory of its own until it is closed. */
static void close_stream(FILE *stream) {
    if (stream != stdin && stream != stdout && stream != stderr)
        free(stream);
}

int pclose(FILE *stream) {
    close_stream(stream);
    return __VERIFIER_nondet_int();
}

int fclose(FILE *stream) {
    close_stream(stream);
    return __VERIFIER_nondet_bool() ? 0 : EOF;
}

size_t fread(void *to, size_t size, size_t count, FILE *stream) {
    size_t got = size ? at_most(count) : 0;
    fill(to, got * size);
    return got;
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *stream) {
    return at_most(count);
}

char *fgets(char *to, int size, FILE *stream) {
    size_t got;
    if (size < 2 || __VERIFIER_nondet_bool())
        return NULL;
    got = at_most((size_t)size - 1);
    if (got == 0)
        got = 1;
    fill(to, got);
    to[got] = 0;
    return to;
}

int fgetc(FILE *stream) {
    return __VERIFIER_nondet_bool() ? EOF : __VERIFIER_nondet_uchar();
}

#undef getc
int getc(FILE *stream) {
    return fgetc(stream);
}

#undef getchar
int getchar(void) {
    return __VERIFIER_nondet_bool() ? EOF : __VERIFIER_nondet_uchar();
}

int ungetc(int c, FILE *stream) {
    return __VERIFIER_nondet_bool() ? c : EOF;
}

/* A line of any characters, in the caller's buffer if it has room. */
ssize_t getline(char **line, size_t *room, FILE *stream) {
    size_t length;
    char *text;
    if (__VERIFIER_nondet_bool())
        return -1;
    text = some_text(&length);
    if (length == 0)
        return -1;
    if (*line && *room > length) {
        memcpy(*line, text, length + 1);
        free(text);
    } else {
        free(*line);
        *line = text;
        *room = length + 1;
    }
    return (ssize_t)length;
}

/* What is printed to a stream is gone. */
int fprintf(FILE *stream, const char *format, ...) {
    return __VERIFIER_nondet_int();
}

int vfprintf(FILE *stream, const char *format, va_list arguments) {
    return __VERIFIER_nondet_int();
}

int fputs(const char *text, FILE *stream) {
    return __VERIFIER_nondet_bool() ? 1 : EOF;
}

int fputc(int c, FILE *stream) {
    return __VERIFIER_nondet_bool() ? (unsigned char)c : EOF;
}

#undef putc
int putc(int c, FILE *stream) {
    return fputc(c, stream);
}

int fflush(FILE *stream) {
    return __VERIFIER_nondet_bool() ? 0 : EOF;
}

int fileno(FILE *stream) {
    int fd = __VERIFIER_nondet_int();
    return fd < 0 ? -1 : fd;
}

void clearerr(FILE *stream) {
}

void rewind(FILE *stream) {
}

int setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
    return __VERIFIER_nondet_int();
}

void setbuf(FILE *stream, char *buffer) {
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

/* Bytes that come from outside. */
static ssize_t received(void *to, size_t count) {
    ssize_t got = transferred(count);
    if (got > 0)
        fill(to, (size_t)got);
    return got;
}

ssize_t read(int fd, void *to, size_t count) {
    return received(to, count);
}

ssize_t pread(int fd, void *to, size_t count, off_t offset) {
    return received(to, count);
}

ssize_t pwrite(int fd, const void *from, size_t count, off_t offset) {
    return transferred(count);
}

ssize_t write(int fd, const void *from, size_t count) {
    return transferred(count);
}

off_t lseek(int fd, off_t offset, int whence) {
    return (off_t)transferred(1 << 30);
}

int openat(int folder, const char *path, int flags, ...) {
    return descriptor();
}

int dup(int fd) {
    return descriptor();
}

int dup2(int fd, int wanted) {
    return __VERIFIER_nondet_bool() ? wanted : -1;
}

int mkstemp(char *template) {
    size_t length = strlen(template);
    if (length >= 6)
        fill(template + length - 6, 6);
    return descriptor();
}

int pipe(int ends[2]) {
    int from = descriptor(), to = descriptor();
    if (from < 0 || to < 0)
        return -1;
    ends[0] = from;
    ends[1] = to;
    return 0;
}

/* Duplicates a descriptor, or says something about it. */
int fcntl(int fd, int command, ...) {
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        return descriptor();
    return __VERIFIER_nondet_int();
}

int flock(int fd, int operation) {
    return succeeds();
}

int fsync(int fd) {
    return succeeds();
}

int ftruncate(int fd, off_t length) {
    return succeeds();
}

int fchmod(int fd, mode_t mode) {
    return succeeds();
}

/* Names and what they lead to. */

static int about(struct stat *to) {
    if (__VERIFIER_nondet_bool())
        return -1;
    fill(to, sizeof *to);
    return 0;
}

int stat(const char *path, struct stat *to) {
    return about(to);
}

int lstat(const char *path, struct stat *to) {
    return about(to);
}

int fstat(int fd, struct stat *to) {
    return about(to);
}

int fstatat(int folder, const char *path, struct stat *to, int flags) {
    return about(to);
}

int unlink(const char *path) {
    return succeeds();
}

int remove(const char *path) {
    return succeeds();
}

int rename(const char *from, const char *to) {
    return succeeds();
}

int access(const char *path, int mode) {
    return succeeds();
}

int chmod(const char *path, mode_t mode) {
    return succeeds();
}

int chown(const char *path, uid_t user, gid_t group) {
    return succeeds();
}

int mkdir(const char *path, mode_t mode) {
    return succeeds();
}

int rmdir(const char *path) {
    return succeeds();
}

int chdir(const char *path) {
    return succeeds();
}

char *getcwd(char *to, size_t room) {
    size_t length;
    char *text;
    if (__VERIFIER_nondet_bool())
        return NULL;
    text = some_text(&length);
    if (!to)
        return text;
    if (length >= room)
        return NULL;
    memcpy(to, text, length + 1);
    return to;
}

mode_t umask(mode_t mask) {
    return (mode_t)__VERIFIER_nondet_int() & 0777;
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

/* Fills in an address, as much of it as there is room for. */
static int some_address(struct sockaddr *address, socklen_t *length) {
    if (__VERIFIER_nondet_bool())
        return -1;
    if (address && length) {
        if (*length > sizeof(struct sockaddr))
            *length = sizeof(struct sockaddr);
        fill(address, *length);
    }
    return 0;
}

int accept(int fd, struct sockaddr *address, socklen_t *length) {
    return some_address(address, length) ? -1 : descriptor();
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t length) {
    return succeeds();
}

/* Leaves any of the descriptors in a set. */
static void some_of(fd_set *set) {
    unsigned long *words = (unsigned long *)set;
    size_t i;
    for (i = 0; i < sizeof *set / sizeof *words; i++)
        words[i] &= __VERIFIER_nondet_ulong();
}

/* Any of the descriptors may be ready. */
int select(int count, fd_set *readable, fd_set *writable, fd_set *broken,
           struct timeval *timeout) {
    int ready = (int)transferred(count > 0 ? (size_t)count : 0);
    if (ready < 0)
        return -1;
    if (readable)
        some_of(readable);
    if (writable)
        some_of(writable);
    if (broken)
        some_of(broken);
    return ready;
}

int connect(int fd, const struct sockaddr *address, socklen_t length) {
    return succeeds();
}

ssize_t send(int fd, const void *from, size_t count, int flags) {
    return transferred(count);
}

ssize_t recv(int fd, void *to, size_t count, int flags) {
    return received(to, count);
}

ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
    ssize_t sent = transferred(count);
    if (offset && sent > 0)
        *offset += sent;
    return sent;
}

int shutdown(int fd, int how) {
    return succeeds();
}

int getsockname(int fd, struct sockaddr *address, socklen_t *length) {
    return some_address(address, length);
}

int getpeername(int fd, struct sockaddr *address, socklen_t *length) {
    return some_address(address, length);
}

/* One address, of a socket of IP version 4. */
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **result) {
    struct addrinfo *found;
    if (__VERIFIER_nondet_bool())
        return EAI_NONAME;
    found = malloc(sizeof *found);
    if (!found)
        return EAI_MEMORY;
    found->ai_flags = 0;
    found->ai_family = AF_INET;
    found->ai_socktype = SOCK_STREAM;
    found->ai_protocol = 0;
    found->ai_addrlen = sizeof(struct sockaddr);
    found->ai_addr = malloc(sizeof(struct sockaddr));
    if (!found->ai_addr) {
        free(found);
        return EAI_MEMORY;
    }
    found->ai_canonname = NULL;
    found->ai_next = NULL;
    *result = found;
    return 0;
}

void freeaddrinfo(struct addrinfo *found) {
    free(found->ai_addr);
    free(found);
}

/* Directories. */

struct directory {
    struct dirent entry;
};

static DIR *some_directory(void) {
    if (__VERIFIER_nondet_bool())
        return NULL;
    return (DIR *)malloc(sizeof(struct directory));
}

DIR *opendir(const char *path) {
    return some_directory();
}

DIR *fdopendir(int fd) {
    return some_directory();
}

struct dirent *readdir(DIR *directory) {
    struct dirent *entry = &((struct directory *)directory)->entry;
    if (__VERIFIER_nondet_bool())
        return NULL;
    fill(entry->d_name, sizeof entry->d_name - 1);
    entry->d_name[sizeof entry->d_name - 1] = 0;
    return entry;
}

int closedir(DIR *directory) {
    free(directory);
    return succeeds();
}

/* The same under the names that a program with large offsets calls. */

FILE *fopen64(const char *path, const char *mode) {
    return fopen(path, mode);
}

FILE *tmpfile64(void) {
    return some_stream();
}

int open64(const char *path, int flags, ...) {
    return descriptor();
}

int openat64(int folder, const char *path, int flags, ...) {
    return descriptor();
}

int creat64(const char *path, mode_t mode) {
    return descriptor();
}

int mkstemp64(char *template) {
    return mkstemp(template);
}

long lseek64(int fd, long offset, int whence) {
    return (long)transferred(1 << 30);
}

int ftruncate64(int fd, long length) {
    return succeeds();
}

int stat64(const char *path, struct stat *to) {
    return about(to);
}

int lstat64(const char *path, struct stat *to) {
    return about(to);
}

int fstat64(int fd, struct stat *to) {
    return about(to);
}

int fstatat64(int folder, const char *path, struct stat *to, int flags) {
    return about(to);
}
