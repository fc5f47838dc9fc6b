/* Models of printing into memory that forget what is printed, for checks of rules.

   The text is any text of any length up to that of a long line, where attest's
   own models print what the format says, which is rarely what a rule depends
   on and takes long to reason about. sprintf does not know how much room there
   is: what is proved holds of runs in which the text fits. */

#undef _GNU_SOURCE
#undef _FORTIFY_SOURCE
#define _DEFAULT_SOURCE
#include <stdarg.h>
#include <stddef.h>

extern unsigned long __VERIFIER_nondet_ulong(void);
extern void *malloc(size_t size);
extern void free(void *memory);
extern void *memcpy(void *to, const void *from, size_t count);

static int some_text(char *to, size_t room) {
    size_t length = __VERIFIER_nondet_ulong(), kept;
    if (length > 4095)
        length = 4095;
    if (room == 0)
        return (int)length;
    kept = length < room ? length : room - 1;
    if (kept) {
        void *any = malloc(kept);
        if (any)
            memcpy(to, any, kept);
        free(any);
    }
    to[kept] = 0;
    return (int)length;
}

int vsnprintf(char *to, size_t room, const char *format, va_list arguments) {
    return some_text(to, room);
}

int snprintf(char *to, size_t room, const char *format, ...) {
    return some_text(to, room);
}

int vsprintf(char *to, const char *format, va_list arguments) {
    return some_text(to, 4096);
}

int sprintf(char *to, const char *format, ...) {
    return some_text(to, 4096);
}
