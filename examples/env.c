/* expected: safe with --stubs examples/env_stubs.c
 *
 * A program that asks a sensor which is not part of it. Without stubs attest
 * names the missing function; env_stubs.c says what it may answer.
 */
#include <assert.h>

int read_sensor(int channel);

int main(void) {
  int celsius = read_sensor(0);
  assert(celsius > -274);
  return 0;
}
