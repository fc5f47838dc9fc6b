// expect: unknown(missing: read_sensor)
// expect: unknown(missing: read_sensor)
// options: --property unreach-call
//
// All that can be checked comes after a function without a body.
int read_sensor(void);
void reach_error(void);

int main(void) {
  int value = read_sensor();
  if (value > 100)
    reach_error();
  return 10 / value;
}
