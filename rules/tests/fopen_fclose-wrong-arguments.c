/* expect: unsafe; stubs: posix.c; with: arguments.c */

/* Which way is taken depends on the arguments of the program. */

#ifndef main
#define main program_main
#endif
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    FILE *file;
    if (argc != 3 || strcmp(argv[1], "-k") != 0)
        return 1;
    file = fopen(argv[2], "r");
    return file ? 0 : 1;
}
