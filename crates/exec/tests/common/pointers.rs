//! Small C programs full of pointers, by what they are about.

/// Names and programs. They take inputs, and some runs leave the model.
pub const POINTERS: &[(&str, &str)] = &[
    (
        "lists on the heap",
        "void *malloc(unsigned long); void free(void *); int __VERIFIER_nondet_int(void);
         struct node { int v; struct node *next; }; struct node *head;
         void push(int v) { struct node *n = malloc(sizeof *n); n->v = v; n->next = head; head = n; }
         int pop(void) { struct node *n = head; int v = n->v; head = n->next; free(n); return v; }
         int main(void) { int s = 0; for (int i = 0; i < 8; i++) push(__VERIFIER_nondet_int());
           while (head) s += pop(); return s & 63; }",
    ),
    (
        "a doubly linked list with its head inside, and container_of",
        "void *calloc(unsigned long, unsigned long);
         struct list { struct list *next, *prev; }; struct item { int n; struct list at; void *data; };
         struct device { int id; struct list items; int count; } dev;
         void add(struct list *l, struct list *to) { l->next = to->next; l->prev = to; to->next->prev = l; to->next = l; }
         void del(struct list *l) { l->prev->next = l->next; l->next->prev = l->prev; l->next = l->prev = 0; }
         int main(void) { dev.items.next = dev.items.prev = &dev.items;
           for (int i = 0; i < 5; i++) { struct item *p = calloc(1, sizeof *p); p->n = i; p->data = &dev.count; add(&p->at, &dev.items); dev.count++; }
           int s = 0; for (struct list *l = dev.items.next; l != &dev.items; l = l->next) {
             struct item *p = (struct item *)((char *)l - __builtin_offsetof(struct item, at)); s += p->n + *(int *)p->data; }
           del(dev.items.next); return s + dev.count; }",
    ),
    (
        "tables of functions in structures",
        "int __VERIFIER_nondet_int(void);
         struct dev; struct ops { int (*open)(struct dev *); int (*close)(struct dev *); int (*other)(int); };
         struct dev { int state; const struct ops *ops; int *log; };
         int log_a, log_b; int a_open(struct dev *d) { d->state = 1; *d->log += 1; return 0; } int a_close(struct dev *d) { d->state = 0; return 1; }
         int b_open(struct dev *d) { d->state = 2; *d->log += 2; return 3; } int b_close(struct dev *d) { d->state = 4; return 5; }
         int twice(int x) { return 2 * x; }
         const struct ops a_ops = { a_open, a_close, twice }, b_ops = { b_open, b_close, 0 };
         int use(struct dev *d) { int r = d->ops->open(d); if (d->ops->other) r += d->ops->other(r + 4); return r + d->ops->close(d); }
         int main(void) { struct dev x = { 0, &a_ops, &log_a }, y = { 0, &b_ops, &log_b };
           int r = use(&x); for (int i = 0; i < 3; i++) r += use(__VERIFIER_nondet_int() & 1 ? &x : &y); return (r + log_a + 10 * log_b) & 127; }",
    ),
    (
        "functions that come as arguments and are kept",
        "typedef int fn(int); fn *kept[4]; int used;
         int inc(int x) { return x + 1; } int dec(int x) { return x - 1; } int neg(int x) { return -x; } int lonely(int x) { return 7; }
         void keep(fn *f) { kept[used++ & 3] = f; } int run(int x) { for (int i = 0; i < 3; i++) x = kept[i](x); return x; }
         int main(void) { keep(inc); keep(dec); keep(neg); fn *l = lonely; return run(5) + l(2); }",
    ),
    (
        "structures copied whole, in arrays, by value",
        "void *memcpy(void *, const void *, unsigned long); int __VERIFIER_nondet_int(void);
         struct s { int a; char *p; int b; int *q; }; struct s arr[6]; char text[10]; int nums[4]; struct s glob = { 1, text + 2, 3, &nums[1] };
         struct s make(int i) { struct s x = { i, text + i, -i, &nums[i & 3] }; return x; }
         int sum(struct s x) { *x.p = 1; *x.q += x.a; return x.a + x.b + *x.q; }
         int main(void) { int r = 0; for (int i = 0; i < 6; i++) arr[i] = make(i);
           struct s t; memcpy(&t, &arr[__VERIFIER_nondet_int() & 3], sizeof t); r += sum(t); arr[5] = glob; arr[0] = arr[5]; r += sum(arr[0]);
           for (struct s *p = arr; p < arr + 6; p++) r += sum(*p); return r & 127; }",
    ),
    (
        "copies of a length that is not known, and byte by byte",
        "void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long); int __VERIFIER_nondet_int(void);
         struct s { int *p; int *q; long n; }; int x, y;
         void copy(char *d, const char *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i]; }
         int main(void) { struct s a = { &x, &y, 3 }, b, c; memset(&b, 0, sizeof b); memset(&c, 0, sizeof c);
           int n = (__VERIFIER_nondet_int() & 1) ? sizeof a : sizeof(int *); memcpy(&b, &a, n); copy((char *)&c, (char *)&a, sizeof a);
           *b.p = 1; *c.q = 2; *c.p += 1; return x * 10 + y + (b.q == 0); }",
    ),
    (
        "pointers as numbers",
        "typedef unsigned long word; int a[4], b[4]; word hidden; struct s { word w; int *p; } s;
         int main(void) { hidden = (word)&a[1]; int *p = (int *)(hidden + 4); *p = 5; s.w = (word)&b[0] | 1; s.p = (int *)(s.w & ~1ul); s.p[2] = 7;
           word *place = (word *)&s.p; *place += 4; *s.p = 9; return a[2] + b[2] + b[1]; }",
    ),
    (
        "a union and half of a pointer",
        "union u { int *p; unsigned long n; int half[2]; unsigned char b[8]; }; int x, y; struct t { int a; int *p; } t;
         int main(void) { union u u; u.p = &x; union u v; v.n = u.n; *v.p = 3; for (int i = 0; i < sizeof(int *); i++) v.b[i] = u.b[i]; *v.p += 1;
           u.p = &y; v.half[0] = u.half[0]; v.half[1] = u.half[1]; *v.p = 4; t.p = &x; *(int *)&t.p = ((int *)&t.p)[0]; *t.p += 10; return x * 10 + y; }",
    ),
    (
        "addresses in pieces, beside data that is none",
        "void *memcpy(void *, const void *, unsigned long); int __VERIFIER_nondet_int(void); typedef unsigned long word;
         int x, y, z; struct d { char name[12]; int *p; word w; int n; } d; unsigned part[4]; struct d all[3];
         int *joined(unsigned low, unsigned high) { return (int *)((word)high << 16 << 16 | low); }
         int main(void) { int *p = &x; part[1] = (word)p; part[2] = (word)p >> 16 >> 16; *joined(part[1], part[2]) += 1;
           double f; memcpy(&f, &p, sizeof p); int *q; memcpy(&q, &f, sizeof q); *q += 2;
           unsigned n = __VERIFIER_nondet_int() & 3; p = &y; memcpy(&q, &p, n); memcpy((char *)&q + n, (char *)&p + n, sizeof p - n); *q += 4;
           d.p = &z; d.w = (word)&x; d.n = (int)(word)&y; d.name[n * 3] = 7; memcpy(&all[n % 3], &d, sizeof d); struct d *e = &all[n % 3];
           *e->p += 8; *(int *)e->w += 16; word sum = e->w + 4 * n; *(int *)(sum - 4 * n) += 32; e->name[n] = 1; e->n += n; *e->p += e->n != 0;
           return (x + y + z) & 127; }",
    ),
    (
        "variable arguments that are pointers",
        "int sum(int n, ...) { __builtin_va_list ap, aq; __builtin_va_start(ap, n); __builtin_va_copy(aq, ap); int s = 0;
           for (int i = 0; i < n; i++) { int *p = __builtin_va_arg(ap, int *); s += *p; *p = i; s += __builtin_va_arg(ap, int); }
           double d = 0; for (int i = 0; i < n; i++) { int *p = __builtin_va_arg(aq, int *); s += *p; d += __builtin_va_arg(aq, int); }
           __builtin_va_end(ap); __builtin_va_end(aq); return s + (int)d; }
         int main(void) { int a = 1, b = 2, c[3] = { 3, 4, 5 }; int r = sum(2, &a, 10, &c[1], 20); r += sum(3, &b, 1, &c[2], 2, c, 3); return r + a + b + c[1]; }",
    ),
    (
        "memory that grows",
        "void *realloc(void *, unsigned long); void *malloc(unsigned long); void free(void *);
         int **v; int n, cap; void add(int *p) { if (n == cap) { cap = cap ? 2 * cap : 2; v = realloc(v, cap * sizeof *v); } v[n++] = p; }
         int main(void) { int x[5] = { 1, 2, 3, 4, 5 }; for (int i = 0; i < 5; i++) add(&x[i]); int s = 0; for (int i = 0; i < n; i++) { s += *v[i]; *v[i] = 0; } free(v); return s + x[3]; }",
    ),
    (
        "the arguments of main",
        "int count(char **v) { int n = 0; while (v[n]) n++; return n; }
         int main(int argc, char **argv) { char *name = argv[0]; name[0] = 'x'; argv[0] = name + 1; return count(argv) + argv[0][0] + argc; }",
    ),
    (
        "locals of several activations",
        "int depth(int n, int *up) { int mine = n; int *p = &mine; if (n > 0) depth(n - 1, p); *up += mine; return mine; }
         struct frame { struct frame *below; int v; }; int walk(struct frame *f) { int s = 0; for (; f; f = f->below) s += f->v; return s; }
         int go(int n, struct frame *below) { struct frame f = { below, n }; return n ? go(n - 1, &f) : walk(&f); }
         int main(void) { int x = 0; depth(5, &x); return x + go(4, 0); }",
    ),
    (
        "steps through arrays, backwards and by hand",
        "int __VERIFIER_nondet_int(void); struct e { int k; char *s; short t[3]; }; struct e tab[7]; char buf[64]; char *cur = buf;
         int main(void) { struct e *p = tab + 7; while (p > tab) { --p; p->s = cur; cur += 3; p->t[1] = 2; p->k = p - tab; }
           char **q = &tab[1].s; q = (char **)((char *)q + sizeof(struct e)); **q = 9; int i = __VERIFIER_nondet_int() & 7; if (i < 7) { struct e *r = &tab[i]; r->t[2] = *r->s; return r->k + r->t[2]; }
           return buf[3 * 4]; }",
    ),
    (
        "objects that are filled late, in part, or after they were seen",
        "void *malloc(unsigned long); int __VERIFIER_nondet_int(void); struct s { int a; int *p; struct s *q; }; int x, y; struct s *seen;
         int peek(struct s *s) { return s->q != 0; } void note(struct s *s) { seen = s; }
         struct s *full(int *p) { struct s *s = malloc(sizeof *s); s->a = 1; s->p = p; s->q = s; return s; }
         struct s *half(int *p) { struct s *s = malloc(sizeof *s); s->p = p; if (peek(s)) x++; s->q = 0; return s; }
         struct s *late(int *p) { struct s *s = malloc(sizeof *s); note(s); s->p = p; seen->q = s; s->a = seen->q->p == p; return s; }
         int main(void) { int r = 0; for (int i = 0; i < 4; i++) { struct s *a = full(&x), *b = half(&y), *c = late(i & 1 ? &x : &y);
           *a->q->p += i; *b->p += 2; *c->q->p += 3; struct s l; l.p = a->p; struct s m = l; *m.p += 1; r += b->q == 0; } return (x + y + r) & 127; }",
    ),
    (
        "pointers to pointers and out parameters",
        "int __VERIFIER_nondet_int(void); int a, b, c; int *pa = &a, *pb = &b; int **which; int ***deep = &which;
         void set(int **out, int *v) { *out = v; } int get(int ***d, int **o) { *o = **d; return **o; }
         int main(void) { int *o; which = __VERIFIER_nondet_int() ? &pa : &pb; **which = 5; set(*deep, &c); int r = get(deep, &o); *o = 6; return a + 2 * b + 4 * c + r; }",
    ),
];
