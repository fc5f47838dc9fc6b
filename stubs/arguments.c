/* Calls the main of a program with arguments from outside.

   attest itself gives main the name of the program and no arguments that could
   be read. With this file, and with the program compiled with
   -Dmain=program_main, main gets up to two more, each of up to seven
   characters: what is proved holds of these. */

#undef main

#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void);
extern int program_main(int count, char **arguments);

static char name[8] = "program", first[8], second[8];
static char *list[4];

static void say(char *to) {
    to[0] = __VERIFIER_nondet_char();
    to[1] = __VERIFIER_nondet_char();
    to[2] = __VERIFIER_nondet_char();
    to[3] = __VERIFIER_nondet_char();
    to[4] = __VERIFIER_nondet_char();
    to[5] = __VERIFIER_nondet_char();
    to[6] = __VERIFIER_nondet_char();
    to[7] = 0;
}

int main(void) {
    unsigned char more = __VERIFIER_nondet_uchar();
    list[0] = name;
    if (more > 0) {
        say(first);
        list[1] = first;
    }
    if (more > 1) {
        say(second);
        list[2] = second;
    }
    return program_main(more > 1 ? 3 : 1 + more, list);
}
