/* Functions that run before and after main, in two files, by priority and by order. */
#include <stdio.h>
#include <stdlib.h>

extern int steps;
void step(const char *what);

__attribute__((constructor)) static void second(void) { step("main.c: constructor"); }
__attribute__((constructor(150))) static void first(void) { step("main.c: constructor 150"); }
__attribute__((constructor)) static void third(void) { step("main.c: another constructor"); }
__attribute__((destructor)) static void last(void) { step("main.c: destructor"); }
__attribute__((destructor(150))) static void very_last(void) { step("main.c: destructor 150"); }
__attribute__((destructor)) static void before_last(void) { step("main.c: another destructor"); }

static void leaving(void) { step("main.c: at exit"); }

int main(void) {
  step("main");
  atexit(leaving);
  return steps;
}
