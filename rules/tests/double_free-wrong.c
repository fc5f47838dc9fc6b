/* expect: unsafe */

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct pair {
    char *first, *second;
};

static void drop(struct pair *pair) {
    free(pair->first);
    pair->first = 0;
    free(pair->second);
}

int main(void) {
    struct pair pair = {0, 0};
    pair.first = malloc(4);
    if (__VERIFIER_nondet_int())
        pair.second = malloc(8);
    drop(&pair);
    drop(&pair);
    return 0;
}
