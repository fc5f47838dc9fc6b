/* Models of processes, signals, terminals, time and text from outside, for checks of rules.

   A run is one process: after fork it is the parent or the child. A process
   that becomes another program ends. Handlers of signals are never called, so
   what is proved holds of runs without them.
   Otherwise each call may fail or succeed, and what comes from outside is
   arbitrary. */

/* The program's own choice of headers is not for this file. */
#undef _GNU_SOURCE
#undef _XOPEN_SOURCE
#undef _POSIX_C_SOURCE
#undef _LARGEFILE64_SOURCE
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#define _DEFAULT_SOURCE
#include <arpa/inet.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void __attest_assuming_no_handler_of_a_signal_runs(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void __attest_unsupported_scanf_conversion(void);

static int succeeds(void) {
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

static size_t at_most(size_t most) {
    size_t count = __VERIFIER_nondet_ulong();
    return count > most ? most : count;
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

/* A text of any characters and of any length up to `most`. */
static char *some_text(size_t most) {
    size_t length = at_most(most);
    char *text = malloc(length + 1);
    __VERIFIER_assume(text != NULL);
    text[length] = 0;
    return text;
}

/* Processes. */

pid_t fork(void) {
    int number = __VERIFIER_nondet_int();
    return number < 0 ? -1 : number;
}

pid_t vfork(void) {
    return fork();
}

pid_t getpid(void) {
    int number = __VERIFIER_nondet_int();
    return number < 1 ? 1 : number;
}

pid_t waitpid(pid_t process, int *status, int options) {
    int number = __VERIFIER_nondet_int();
    if (status)
        *status = __VERIFIER_nondet_int();
    return number < 0 ? -1 : number;
}

pid_t wait(int *status) {
    return waitpid(-1, status, 0);
}

/* The process becomes another program, or goes on because that failed. */
static int becomes_another(void) {
    if (__VERIFIER_nondet_bool())
        _exit(0);
    return -1;
}

int execl(const char *path, const char *argument, ...) {
    return becomes_another();
}

int execlp(const char *path, const char *argument, ...) {
    return becomes_another();
}

int execv(const char *path, char *const arguments[]) {
    return becomes_another();
}

int execvp(const char *path, char *const arguments[]) {
    return becomes_another();
}

int system(const char *command) {
    return __VERIFIER_nondet_int();
}

int prctl(int option, ...) {
    return succeeds();
}

/* The environment. */

char *getenv(const char *name) {
    return __VERIFIER_nondet_bool() ? some_text(4095) : NULL;
}

int putenv(char *assignment) {
    return succeeds();
}

int setenv(const char *name, const char *value, int overwrite) {
    return succeeds();
}

/* Signals. */

#undef signal
void (*signal(int number, void (*handler)(int)))(int) {
    __attest_assuming_no_handler_of_a_signal_runs();
    return __VERIFIER_nondet_bool() ? SIG_DFL : SIG_ERR;
}

void (*__sysv_signal(int number, void (*handler)(int)))(int) {
    __attest_assuming_no_handler_of_a_signal_runs();
    return __VERIFIER_nondet_bool() ? SIG_DFL : SIG_ERR;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    __attest_assuming_no_handler_of_a_signal_runs();
    if (old) {
        old->sa_handler = SIG_DFL;
        old->sa_flags = 0;
    }
    return succeeds();
}

int sigemptyset(sigset_t *set) {
    memset(set, 0, sizeof *set);
    return 0;
}

int sigaddset(sigset_t *set, int number) {
    return succeeds();
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    if (old)
        memset(old, 0, sizeof *old);
    return succeeds();
}

int kill(pid_t process, int number) {
    return succeeds();
}

unsigned int alarm(unsigned int seconds) {
    return (unsigned int)__VERIFIER_nondet_int();
}

/* Terminals. */

int isatty(int fd) {
    return __VERIFIER_nondet_bool();
}

int tcgetattr(int fd, struct termios *to) {
    if (__VERIFIER_nondet_bool())
        return -1;
    fill(to, sizeof *to);
    return 0;
}

int tcsetattr(int fd, int when, const struct termios *from) {
    return succeeds();
}

/* Only what fills in the size of a window is known. */
int ioctl(int fd, unsigned long request, ...) {
    if (__VERIFIER_nondet_bool())
        return -1;
    if (request == TIOCGWINSZ) {
        va_list arguments;
        va_start(arguments, request);
        fill(va_arg(arguments, struct winsize *), sizeof(struct winsize));
        va_end(arguments);
    }
    return 0;
}

/* Time. */

time_t time(time_t *now) {
    time_t answer = (time_t)(__VERIFIER_nondet_ulong() & 0x7fffffff);
    if (now)
        *now = answer;
    return answer;
}

double difftime(time_t later, time_t earlier) {
    return (double)(later - earlier);
}

unsigned int sleep(unsigned int seconds) {
    return (unsigned int)at_most(seconds);
}

int usleep(useconds_t microseconds) {
    return succeeds();
}

int nanosleep(const struct timespec *wanted, struct timespec *left) {
    if (left) {
        left->tv_sec = 0;
        left->tv_nsec = (long)at_most(999999999);
    }
    return succeeds();
}

struct tm *localtime(const time_t *when) {
    static struct tm answer;
    answer.tm_sec = (int)at_most(60);
    answer.tm_min = (int)at_most(59);
    answer.tm_hour = (int)at_most(23);
    answer.tm_mday = (int)at_most(30) + 1;
    answer.tm_mon = (int)at_most(11);
    answer.tm_year = (int)at_most(200);
    answer.tm_wday = (int)at_most(6);
    answer.tm_yday = (int)at_most(365);
    answer.tm_isdst = __VERIFIER_nondet_bool();
    return &answer;
}

struct tm *gmtime(const time_t *when) {
    return localtime(when);
}

size_t strftime(char *to, size_t room, const char *format, const struct tm *when) {
    size_t length;
    if (room == 0)
        return 0;
    length = at_most(room - 1);
    fill(to, length);
    to[length] = 0;
    return length;
}

/* Texts and numbers. */

char *strerror(int number) {
    return some_text(255);
}

char *inet_ntoa(struct in_addr address) {
    static char text[16];
    fill(text, 15);
    text[15] = 0;
    return text;
}

#undef htons
#undef ntohs
#undef htonl
#undef ntohl

uint16_t htons(uint16_t number) {
    return (uint16_t)(number << 8 | number >> 8);
}

uint16_t ntohs(uint16_t number) {
    return htons(number);
}

uint32_t htonl(uint32_t number) {
    return number << 24 | (number & 0xff00) << 8 | (number >> 8 & 0xff00) | number >> 24;
}

uint32_t ntohl(uint32_t number) {
    return htonl(number);
}

/* Any number, from any beginning of the text. */
double strtod(const char *text, char **end) {
    if (end)
        *end = (char *)text + at_most(strlen(text));
    return __VERIFIER_nondet_double();
}

/* Any numbers and characters for a list of conversions; texts need a width. */
static int scan(const char *format, va_list list) {
    int found = 0;
    va_list arguments;
    va_copy(arguments, list);
    while (*format) {
        int skipped = 0, size = 4;
        size_t width = 0;
        if (*format++ != '%')
            continue;
        if (*format == '%') {
            format++;
            continue;
        }
        if (__VERIFIER_nondet_bool())
            break;
        if (*format == '*') {
            skipped = 1;
            format++;
        }
        for (; *format >= '0' && *format <= '9'; format++)
            width = width * 10 + (size_t)(*format - '0');
        for (; *format == 'l' || *format == 'j' || *format == 'z' || *format == 't'; format++)
            size = 8;
        for (; *format == 'h'; format++)
            size /= 2;
        switch (*format++) {
        case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
            if (!skipped)
                fill(va_arg(arguments, void *), (size_t)size);
            break;
        case 'f': case 'e': case 'g': case 'a': case 'E': case 'G':
            if (!skipped && size == 8)
                *va_arg(arguments, double *) = __VERIFIER_nondet_double();
            else if (!skipped)
                *va_arg(arguments, float *) = __VERIFIER_nondet_float();
            break;
        case 'c':
            if (!skipped)
                fill(va_arg(arguments, void *), width ? width : 1);
            break;
        case 's':
            if (!skipped && width) {
                char *to = va_arg(arguments, char *);
                size_t length = at_most(width - 1) + 1;
                fill(to, length);
                to[length] = 0;
            } else if (!skipped) {
                __attest_unsupported_scanf_conversion();
            }
            break;
        default:
            __attest_unsupported_scanf_conversion();
        }
        if (!skipped)
            found++;
    }
    va_end(arguments);
    return found || __VERIFIER_nondet_bool() ? found : -1;
}

int sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    int found;
    va_start(arguments, format);
    found = scan(format, arguments);
    va_end(arguments);
    return found;
}

int __isoc99_sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    int found;
    va_start(arguments, format);
    found = scan(format, arguments);
    va_end(arguments);
    return found;
}

int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    int found;
    va_start(arguments, format);
    found = scan(format, arguments);
    va_end(arguments);
    return found;
}

int fscanf(void *stream, const char *format, ...) {
    va_list arguments;
    int found;
    va_start(arguments, format);
    found = scan(format, arguments);
    va_end(arguments);
    return found;
}

int __isoc99_fscanf(void *stream, const char *format, ...) {
    va_list arguments;
    int found;
    va_start(arguments, format);
    found = scan(format, arguments);
    va_end(arguments);
    return found;
}

int __isoc23_fscanf(void *stream, const char *format, ...) {
    va_list arguments;
    int found;
    va_start(arguments, format);
    found = scan(format, arguments);
    va_end(arguments);
    return found;
}
