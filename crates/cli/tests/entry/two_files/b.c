#include "account.h"

struct account { int owner, balance; };

int balance(struct account *a) { return a->balance; }
/* Wraps around. */
void add(struct account *a, int amount) { a->balance = (int)((unsigned)a->balance + amount); }

static void clear(struct account *a) { a->balance = 0; }
static void keep(struct account *a) { (void)a; }
void (*const visitors[])(struct account *) = {keep, clear};
int main(void) { return 0; }
