// expect: unsafe
// natively: confirmed
//
// A constant that does not fit, always.

static int hours(int days) { return days * 24; }

int main(void) {
  int minutes = hours(100000) * 60;
  int seconds = minutes * 60; // violated: overflow/overflow
  return seconds == 3;
}
