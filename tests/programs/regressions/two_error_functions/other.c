static void reach_error(void) {}

void g(int x) {
  if (x == 123456) reach_error();
}
