/* A tokeniser, a recursive descent parser and an evaluator, with errors by return value. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum op { NUMBER, NAME, ADD, SUB, MUL, DIV, MOD, NEG, LESS, ASK, SET };
typedef struct expr expr;
struct expr { enum op op; union { long number; char name; expr *kid[3]; } u; };
struct parser { const char *at; int errors; };
static int live;

static expr *make(enum op op, expr *a, expr *b, expr *c) {
  expr *e = malloc(sizeof *e);
  live++;
  e->op = op;
  e->u.kid[0] = a;
  e->u.kid[1] = b;
  e->u.kid[2] = c;
  return e;
}
static void drop(expr *e) {
  if (!e)
    return;
  if (e->op != NUMBER && e->op != NAME)
    for (int i = 0; i < 3; i++)
      drop(e->u.kid[i]);
  free(e);
  live--;
}
static char peek(struct parser *p) { while (isspace((unsigned char)*p->at)) p->at++; return *p->at; }
static int accept(struct parser *p, char c) { return peek(p) == c ? p->at++, 1 : 0; }
static expr *choice(struct parser *);
static expr *primary(struct parser *p) {
  char c = peek(p);
  if (isdigit((unsigned char)c)) {
    char *end;
    expr *e = make(NUMBER, NULL, NULL, NULL);
    e->u.number = strtol(p->at, &end, 0);
    p->at = end;
    return e;
  }
  if (islower((unsigned char)c)) {
    expr *e = make(NAME, NULL, NULL, NULL);
    e->u.name = *p->at++;
    return e;
  }
  if (accept(p, '-'))
    return make(NEG, primary(p), NULL, NULL);
  if (accept(p, '(')) {
    expr *e = choice(p);
    if (!accept(p, ')'))
      p->errors++;
    return e;
  }
  p->errors++;
  expr *none = make(NUMBER, NULL, NULL, NULL);
  none->u.number = 0;
  return none;
}
static expr *binary(struct parser *p, int level) {
  static const char *const signs[] = {"<", "+-", "*/%"};
  static const enum op ops[][3] = {{LESS}, {ADD, SUB}, {MUL, DIV, MOD}};
  if (level == 3)
    return primary(p);
  expr *e = binary(p, level + 1);
  for (const char *s; peek(p) && (s = strchr(signs[level], *p->at));) {
    p->at++;
    e = make(ops[level][s - signs[level]], e, binary(p, level + 1), NULL);
  }
  return e;
}
static expr *choice(struct parser *p) {
  expr *e = binary(p, 0);
  if (e->op == NAME && accept(p, '='))
    return make(SET, e, choice(p), NULL);
  if (!accept(p, '?'))
    return e;
  expr *yes = choice(p);
  if (!accept(p, ':'))
    p->errors++;
  return make(ASK, e, yes, choice(p));
}
static int evaluate(const expr *e, long *vars, long *out) {
  long a, b;
  switch (e->op) {
  case NUMBER: *out = e->u.number; return 1;
  case NAME: *out = vars[e->u.name - 'a']; return 1;
  case SET: return evaluate(e->u.kid[1], vars, out) && (vars[e->u.kid[0]->u.name - 'a'] = *out, 1);
  case NEG: return evaluate(e->u.kid[0], vars, &a) && (*out = -a, 1);
  case ASK: return evaluate(e->u.kid[0], vars, &a) && evaluate(e->u.kid[a ? 1 : 2], vars, out);
  default: break;
  }
  if (!evaluate(e->u.kid[0], vars, &a) || !evaluate(e->u.kid[1], vars, &b))
    return 0;
  switch (e->op) {
  case ADD: *out = a + b; break;
  case SUB: *out = a - b; break;
  case MUL: *out = a * b; break;
  case DIV: if (!b) return 0; *out = a / b; break;
  case MOD: if (!b) return 0; *out = a % b; break;
  case LESS: *out = a < b; break;
  default: return 0;
  }
  return 1;
}

int main(void) {
  static const char *const lines[] = {"1 + 2 * 3", "(1 + 2) * -3", "x = 0x10 + 010", "y = x % 7 * (x - 3)", "x < y ? x : y",
                                      "z = x = 5", "z / (x - 5)", "1 + ", "(2 * (3", "y - x - 1 - z", "a ? 1 : b ? 2 : 3"};
  long vars[26] = {0};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    struct parser p = {lines[i], 0};
    expr *e = choice(&p);
    long value = 0;
    if (p.errors || peek(&p))
      printf("%s: %d errors\n", lines[i], p.errors);
    else if (evaluate(e, vars, &value))
      printf("%s: %ld (%d nodes)\n", lines[i], value, live);
    else
      printf("%s: undefined\n", lines[i]);
    drop(e);
  }
  return live;
}
