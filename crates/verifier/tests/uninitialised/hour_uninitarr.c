// expect: unsafe
//
// A program of the first hour with attest.
int main(void){int y[4]; int i; return y[i];} // violated
