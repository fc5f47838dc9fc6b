// expect: unsafe
// natively: confirmed
//
// A function returns the address of its local.

int *f(void) {
  int x = 3;
  int *p = &x;
  return p;
}

int main(void) {
  return *f(); // violated: memory/use-after-free
}
