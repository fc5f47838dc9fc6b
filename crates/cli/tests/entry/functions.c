/* call: unsafe
   call_safe: safe
   null: unsafe
   in_structure: unsafe
   nothing_fits: safe */
extern void reach_error(void);

static int up(int x) { return x + 4; }
static int down(int x) { return x - 1; }
static long other(long x) { return x; }

int (*const steps[])(int) = {up, down};
long (*const others[])(long) = {other};

void call(int (*f)(int)) {
  if (f && f(3) == 7) reach_error();
}

void call_safe(int (*f)(int)) {
  if (f && f(3) != 7 && f(3) != 2) reach_error();
}

void null(int (*f)(int)) {
  if (!f) reach_error();
}

struct handler { int (*f)(int); int at; };

void in_structure(struct handler *h) {
  if (h && h->f && h->f(h->at) == 40) reach_error();
}

void nothing_fits(int (*f)(char *, char *)) {
  if (f && f(0, 0)) reach_error();
}
