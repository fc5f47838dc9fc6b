/* member: unsafe
   other_member: safe
   contents: unsafe
   nested: unsafe
   flags: safe
   list: unsafe
   sum: unsafe
   by_value: unsafe
   large: unsafe
   large_alone: safe
   pieces: unsafe
   returned: unsafe
   either: unsafe
   either_data: unsafe
   buffer: unsafe
   opaque: unsafe
   strings: unsafe */
extern void reach_error(void);

struct point { int x, y; };
struct shape { struct point at; int corners[3]; struct shape *next; };

void member(struct shape *s, int *p) {
  if (!s || !p) return;
  s->corners[1] = 5;
  *p = 6;
  if (s->corners[1] == 6) reach_error();
}

void other_member(struct shape *s, int *p) {
  if (!s || p != &s->at.x) return;
  s->at.y = 1;
  *p = 2;
  if (s->at.y != 1) reach_error();
}

void contents(struct shape *s) {
  if (s && s->at.x == 1234 && s->next && s->next->at.y == 99 && s->next->next == s) reach_error();
}

void nested(struct shape *s, struct point *p) {
  if (!s || !p) return;
  s->at.y = 1;
  p->y = 2;
  if (s->at.y == 2) reach_error();
}

struct flags { _Bool on; unsigned mode : 2; };

void flags(struct flags *f) {
  if (f && (f->on > 1 || f->mode > 3)) reach_error();
}

/* Three nodes in a row. */
void list(struct shape *s) {
  if (s && s->next && s->next->next && s->next != s && s->next->next != s
      && s->next->next != s->next && !s->next->next->next)
    reach_error();
}

void sum(struct shape *s) {
  int n = 0;
  for (int i = 0; i < 3 && s; i++) {
    n += s->at.x;
    s = s->next;
  }
  if (n == 41) reach_error();
}

int by_value(struct point p) {
  if (p.x == 3 && p.y == -4) reach_error();
  return 0;
}

struct large { long a[5]; int *q; };

void large(struct large b, int *p) {
  if (b.a[3] == 8 && b.q && b.q == p) reach_error();
}

/* A copy is nobody else's. */
void large_alone(struct large b, long *p) {
  if (!p) return;
  b.a[0] = 1;
  *p = 2;
  if (b.a[0] != 1) reach_error();
}

struct pair { int *p; int n; };

void pieces(struct pair a) {
  if (a.p && a.n == 7 && *a.p == 8) reach_error();
}

struct large returned(int x) {
  struct large b = {{x}, 0};
  if (x == 17) reach_error();
  return b;
}

union either { int *p; long n; };

void either(union either *e, int *p) {
  if (e && p && e->p == p) reach_error();
}

void either_data(union either *e) {
  if (e && e->n == 55) reach_error();
}

struct buffer { int size; char data[]; };

void buffer(struct buffer *b) {
  if (b && b->size == 2 && b->data[1] == 'x') reach_error();
}

struct opaque;

void opaque(struct opaque *a, struct opaque *b) {
  if (a && a != b) reach_error();
}

void strings(char **names) {
  if (names && *names && **names == 'q') reach_error();
}
