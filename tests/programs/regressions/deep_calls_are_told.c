// expect: unsafe
// check: overflow
// violated: overflow/overflow at 8
//
// The run is told with its calls indented, up to a depth.
#include "../attest.h"

static int count(int n) { return n <= 0 ? 2147483647 : 1 + count(n - 1); }

int main(void) { return count(33000) == 3; }
