/* expect: unsafe */

/* What strdup returns is to be freed, too. */

#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = malloc(4), *copy = strdup("abc");
    text = realloc(text, copy[0]);
    free(text);
    return 0;
}
