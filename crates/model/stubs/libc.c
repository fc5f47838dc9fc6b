/* Models of library functions, in C. */
int abs(int n) {
  return n < 0 ? -n : n;
}
