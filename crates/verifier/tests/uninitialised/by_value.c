// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// A structure with an unset field is passed and returned by value.
int __VERIFIER_nondet_int(void);
struct point { int x, y; };
struct big { long n[6]; };
static struct point flip(struct point p) { struct point q = { p.y, p.x }; return q; }
static struct big put(struct big b, int i, long v) { b.n[i] = v; return b; }
int main(void) {
  struct point p;
  struct big b;
  p.x = __VERIFIER_nondet_int();
  p = flip(p);
  b = put(b, 2, p.y);
#ifdef WRONG
  if (p.x == 3) return 1; // violated
#else
  if (p.y == 3 || b.n[2] == 4) return 1;
#endif
  return 0;
}
