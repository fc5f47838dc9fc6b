/* expect: unsafe */

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *text = malloc(8);
    char *copy = malloc(8);
    if (!text || !copy)
        return 1;
    memset(text, 0, 8);
    if (__VERIFIER_nondet_int() == 7)
        free(text);
    memcpy(copy, text, 8);
    free(copy);
    return 0;
}
