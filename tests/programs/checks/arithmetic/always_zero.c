// expect: unsafe
// natively: confirmed
//
// A macro that expands to zero divides, always.

#define TICKS_PER_SECOND 1000
#define DIVIDER (TICKS_PER_SECOND / 2000)

static int divider(void) { return DIVIDER; }

int main(void) {
  return TICKS_PER_SECOND / divider(); // violated: arithmetic/division
}
