// expect: unsafe
//
// A program of the first hour with attest.
#include <assert.h>
#include <stdlib.h>
struct list { unsigned long a, b; }; void __VERIFIER_assume(int);
int main(void){ struct list l; __VERIFIER_assume(l.a > 5 && l.a < 100); char *p = malloc(l.a); if (!p) return 0; p[5] = 1; assert(p[5] == 1); return 0; } // violated
