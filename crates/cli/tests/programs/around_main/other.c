#include <stdio.h>
#include <stdlib.h>

int steps = 30;
void step(const char *what) { printf("%d %s\n", steps++, what); }

static void from_constructor(void) { step("other.c: at exit, from a constructor"); }

__attribute__((constructor(120))) static void earliest(void) {
  step("other.c: constructor 120");
  atexit(from_constructor);
}
__attribute__((constructor)) static void plain(void) { step("other.c: constructor"); }
__attribute__((destructor)) static void plain_end(void) { step("other.c: destructor"); }
__attribute__((destructor(200))) static void end(void) { step("other.c: destructor 200"); }
