/* chain: unsafe
   tree: unsafe
   tree_apart: safe */
extern void reach_error(void);

struct d { int x; };
struct c { struct d *d; };
struct b { struct c *c; };
struct a { struct b *b; };

void chain(struct a *a) {
  if (a && a->b && a->b->c && a->b->c->d && a->b->c->d->x == 8) reach_error();
}

struct tree { struct tree *left, *right, *up; char *key; void *value; int height; };

void tree(struct tree *t) {
  if (t && t->left && t->left->up == t && t->left->height == 5) reach_error();
}

void tree_apart(struct tree *t) {
  if (!t || !t->left || t->left == t) return;
  t->left->height = 5;
  t->height = 6;
  if (t->left->height != 5) reach_error();
}
