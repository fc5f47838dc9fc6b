/* two: unsafe
   two_apart: safe
   neighbours: unsafe
   three: unsafe
   signs: unsafe
   not_related: safe
   nobody_else: safe
   through_void: unsafe
   through_pointer: unsafe
   itself: unsafe */
extern void reach_error(void);

void two(int *p, int *q) {
  if (!p || !q) return;
  *q = 0;
  *p = 1;
  if (*q == 1) reach_error();
}

void two_apart(int *p, int *q) {
  if (!p || !q || p == q) return;
  *q = 0;
  *p = 1;
  if (*q == 1) reach_error();
}

/* Different elements of one array. */
void neighbours(int *p, int *q) {
  if (p && q && p != q && q == p + 1) reach_error();
}

void three(short *p, short *q, short *r) {
  if (!p || !q || !r || p == q) return;
  *p = 1;
  *q = 2;
  *r = 3;
  if (*p == 1 && *q == 3) reach_error();
}

/* Signedness keeps nothing apart. */
void signs(int *p, unsigned *q) {
  if (!p || !q) return;
  *p = 1;
  *q = 2;
  if (*p == 2) reach_error();
}

void not_related(int *p, double *d) {
  if (!p || !d) return;
  *p = 1;
  *d = 2;
  if (*p != 1) reach_error();
}

void nobody_else(int *restrict p, int *restrict q) {
  if (!p || !q) return;
  *p = 1;
  *q = 2;
  if (*p != 1) reach_error();
}

void through_void(void *v, long *p) {
  if (!p || v != p) return;
  *p = 7;
  if (*(long *)v == 7) reach_error();
}

void through_pointer(int **pp, int *p) {
  if (!pp || !*pp || !p) return;
  *p = 3;
  **pp = 4;
  if (*p == 4) reach_error();
}

struct ring { struct ring *next; };

void itself(struct ring *r) {
  if (r && r->next == r) reach_error();
}
