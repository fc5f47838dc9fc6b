// expect: unsafe
//
// The library's functions call each other, and not what the program calls by their names.
#include "../attest.h"

long strtol(const char *, char **, int);

int isdigit(int c) { return 0; }
int isspace(int c) { return 1; }

int main(void) {
  if (strtol("12", 0, 10) == 12 && !isdigit('1')) reach_error();
  return 0;
}
