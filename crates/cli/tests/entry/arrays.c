/* first: unsafe
   before: unsafe
   rows: unsafe
   text: unsafe
   terminated: safe
   index: safe */
extern void reach_error(void);

/* p[1] is outside if p is at the end; the program says when it is not. */
void first(int *p, int n) {
  if (!p || n != 1) return;
  int *end = p + n;
  if (p[0] == 5 && end != p && *p + 1 == 6) reach_error();
}

void before(int *p, int *q) {
  if (!p || !q || q != p + 2) return;
  p[1] = 9;
  if (q[-1] == 9) reach_error();
}

void rows(int m[][3]) {
  if (m && m[0][2] == 11 && m[0][0] == 12) reach_error();
}

void text(const char *s) {
  if (s && s[0] == 'h') reach_error();
}

void terminated(char *s) {
  if (!s) return;
  *s = 0;
  int n = 0;
  while (n < 3 && s[n]) n++;
  if (n != 0) reach_error();
}

void index(int *p) {
  if (!p) return;
  *p = 1;
  if (*p != 1) reach_error();
}
