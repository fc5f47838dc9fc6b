/* expect: unsafe */

/* realloc frees what it gets. */

#include <stdlib.h>

int main(void) {
    char *text = malloc(4), *more = realloc(text, 100);
    if (more)
        free(more);
    free(text);
    return 0;
}
