/* expect: unsafe */

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void) {
    struct node *first = malloc(sizeof *first);
    struct node *second = malloc(sizeof *second);
    first->next = second;
    if (__VERIFIER_nondet_int() == 12) {
        free(first);
        return 2;
    }
    free(first->next);
    free(first);
    return 0;
}
