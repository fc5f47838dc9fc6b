/* expect: safe */

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void) {
    struct node *first = malloc(sizeof *first);
    struct node *second;
    if (!first)
        return 1;
    second = malloc(sizeof *second);
    if (!second) {
        free(first);
        return 1;
    }
    first->next = second;
    if (__VERIFIER_nondet_int()) {
        free(second);
        free(first);
        return 2;
    }
    free(first->next);
    free(first);
    return 0;
}
