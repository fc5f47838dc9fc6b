// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
//
// The owner of a list node by container_of; the wrong version frees the node.
#include "../input.h"
#include <stddef.h>
#include <stdlib.h>

struct node {
  struct node *next;
};
struct job {
  int id;
  struct node link;
};
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

int main(void) {
  struct job *job = malloc(sizeof *job);
  if (!job) return 1;
  job->id = __VERIFIER_nondet_int();
  job->link.next = 0;
  struct node *n = &job->link;
  int id = container_of(n, struct job, link)->id;
#ifdef WRONG
  free(n); // violated(WRONG): memory/bad-free
#else
  free(container_of(n, struct job, link));
#endif
  return id == 3;
}
