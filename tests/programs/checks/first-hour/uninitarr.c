// expect: unsafe
// check: uninitialised
// natively: confirmed
//
// An index that was never set.

int main(void) {
  int y[4] = {0};
  int i;
  return y[i & 3]; // violated: uninitialised/never-set
}
