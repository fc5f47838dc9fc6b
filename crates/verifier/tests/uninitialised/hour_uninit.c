// expect: unsafe
//
// A program of the first hour with attest.
int __VERIFIER_nondet_int(void);
int main(void){int y; if (__VERIFIER_nondet_int() == 123456789) y=1; return y+1;} // violated
