/* What the programs here may call. */
typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern double __VERIFIER_nondet_double(void);
extern void *__VERIFIER_nondet_pointer(void);
extern void __VERIFIER_assume(int);
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void *memcpy(void *, const void *, size_t);
int printf(const char *, ...);
int snprintf(char *, size_t, const char *, ...);
#define assert(condition) if (!(condition)) reach_error()
