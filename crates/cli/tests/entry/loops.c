/* fill: safe
   find: unsafe
   swap: safe
   push: safe
   copy: safe
   maximum: safe
   locked: safe
   count: safe */
extern void reach_error(void);
struct node { int v; struct node *next; };

void fill(struct node *l) {
  struct node *h = l; int n = 0;
  while (l && n < 2) { l->v = 1; l = l->next; n++; }
  if (h && h->v != 1) reach_error();
}
void find(struct node *l) {
  for (int i = 0; i < 3; i++) { if (!l) return; if (l->v == 42) reach_error(); l = l->next; }
}
void swap(int *a, int *b) {
  if (!a || !b) return;
  int x = *a, y = *b;
  int t = *a; *a = *b; *b = t;
  if (*a != y || *b != x) reach_error();
}
void push(struct node *n, struct node *l) {
  if (!n || n == l) return;
  n->next = l; n->v = 3;
  if (n->next != l) reach_error();
}
void copy(const char *s, char *d) {
  if (!s || !d || s == d) return;
  *d = *s;
  if (*d != *s) reach_error();
}
int maximum(int *a, int *b, int *c) {
  if (!a || !b || !c) return 0;
  int m = *a; if (*b > m) m = *b; if (*c > m) m = *c;
  if (m < *a || m < *b || m < *c) reach_error();
  return m;
}
struct lock { int held; };
void locked(struct lock *l, int n) {
  if (!l) return;
  l->held = 0;
  for (int i = 0; i < n; i++) { if (l->held) reach_error(); l->held = 1; l->held = 0; }
}
void count(int n, int *out) {
  if (!out) return;
  *out = 0;
  for (int i = 0; i < 5; i++) if (*out < 5) (*out)++;
  if (*out > 5) reach_error();
}
