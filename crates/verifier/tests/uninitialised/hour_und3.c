// expect: safe
//
// A program of the first hour with attest.
#include <assert.h>
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
struct list { unsigned long a, b; void *p; }; void __VERIFIER_assume(int);
int main(void){ struct list l; l.a = __VERIFIER_nondet_ulong();  l.b = __VERIFIER_nondet_ulong(); __VERIFIER_assume(l.a > 5); l.p = malloc(l.a); assert(l.a > 5); return 0; }
