// expect: unsafe
//
// A program of the first hour with attest.
#include <assert.h>
#include <stdlib.h>
struct list { unsigned long a, b; void *p; }; void __VERIFIER_assume(int);
int main(void){ struct list l; __VERIFIER_assume(l.a > 5); l.p = malloc(l.a); assert(l.a > 5); return 0; } // violated
