/* expect: unsafe; stubs: posix.c */

/* With large offsets the headers call fopen64, which is fopen to a rule. */

#define _FILE_OFFSET_BITS 64
#include <stdio.h>

int main(void) {
    FILE *file = fopen("a", "r");
    if (!file)
        return 1;
    if (fgetc(file) == 'x')
        return 2;
    fclose(file);
    return 0;
}
