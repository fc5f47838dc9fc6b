// expect: unsafe
//
// A program of the first hour with attest.
#include <assert.h>
struct list { unsigned long a, b; }; void __VERIFIER_assume(int);
int main(void){ struct list l; __VERIFIER_assume(l.a > 5 && l.b > l.a && l.b < 100); assert(l.b > 5); return 0; } // violated
