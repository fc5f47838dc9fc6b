/* expect: safe; stubs: posix.c */

/* The standard streams are none that fopen returns, and are there. */

#include <stdio.h>

int main(void) {
    FILE *file = fopen("a", "r");
    char line[16];
    if (!file)
        file = stdin;
    if (fgets(line, sizeof line, file))
        fputs(line, stdout);
    if (file != stdin || !stdin || stdin == stdout)
        fclose(file);
    return 0;
}
