/* expect: safe */

/* What realloc moves is freed by it, and its result is new. */

#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = malloc(4), *copy = strdup("abc");
    text = realloc(text, 100);
    free(text);
    free(copy);
    return 0;
}
