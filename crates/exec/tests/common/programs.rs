//! Small C programs full of calls, each with the inputs to run it on.

/// A C program and lists of inputs.
pub struct Case {
    pub source: &'static str,
    pub inputs: &'static [&'static str],
}

const fn case(source: &'static str, inputs: &'static [&'static str]) -> Case {
    Case { source, inputs }
}

/// The programs. None calls a function more than six deep on these inputs.
pub const PROGRAMS: &[Case] = &[
    // Nested calls, and results used as arguments.
    case(
        "int __VERIFIER_nondet_int(void);
         int twice(int x) { return 2 * x; } int add(int a, int b) { return twice(a) + b; }
         int swap(int a, int b) { return add(b, add(a, twice(b))); }
         int main(void) { int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(); return swap(n, m) - swap(m, n); }",
        &["", "3,4", "-7,100"],
    ),
    // Calls in loops, loops in callees.
    case(
        "int __VERIFIER_nondet_int(void); int printf(const char *, ...);
         int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
         int main(void) { int s = 0; for (int i = 0; i < 6; i++) { int g = gcd(__VERIFIER_nondet_int(), i * 12); printf(\"%d \", g); s += g; } return s; }",
        &["", "8,9,10,11,12,13", "100,36,0,81,-5,4"],
    ),
    // Recursion within the bound, also mutual and double.
    case(
        "int __VERIFIER_nondet_int(void); int odd(int n);
         int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); }
         int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
         int fact(int n) { int a[2] = { n, 1 }; if (n > 1) a[1] = fact(n - 1); return a[0] * a[1]; }
         int main(void) { int n = __VERIFIER_nondet_int(); return even(n) + 10 * fib(n) + 100 * fact(n); }",
        &["0", "1", "4", "5"],
    ),
    // Function pointers, tables of them, and one that is null.
    case(
        "int __VERIFIER_nondet_int(void); int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; }
         typedef int op(int, int); op *ops[] = { add, sub, 0 };
         int apply(op *f, int a, int b) { return f(a, b); } op *choose(int i) { return ops[i % 3]; }
         int main(void) { int s = 1; for (int i = 0; i < 3; i++) s = apply(choose(__VERIFIER_nondet_int()), s, i + 5); return s; }",
        &["", "1,0,1", "0,1,2"],
    ),
    // Structures as arguments and results, small and big.
    case(
        "int __VERIFIER_nondet_int(void); struct small { int a, b; }; struct big { int n[10]; struct small s; };
         struct small flip(struct small s) { struct small t = { s.b, s.a }; return t; }
         struct big fill(struct big b, int n) { for (int i = 0; i < 10; i++) b.n[i] += n * i; b.s = flip(b.s); return b; }
         int total(struct big b) { int s = 0; for (int i = 0; i < 10; i++) s += b.n[i]; b.n[0] = 77; return s + b.s.a * 1000; }
         int main(void) { struct big b = { { 1, 2, 3 }, { 4, 5 } }; int s = 0;
           for (int i = 0; i < 3; i++) { b = fill(b, __VERIFIER_nondet_int()); s ^= total(b); } return s + b.n[0]; }",
        &["", "1,2,3", "-1,50,7"],
    ),
    // Variable arguments, handed on, and the same function called with different ones.
    case(
        "int __VERIFIER_nondet_int(void); int printf(const char *, ...);
         int vsum(int n, __builtin_va_list ap) { int s = 0; while (n--) s = s * 3 + __builtin_va_arg(ap, int); return s; }
         int sum(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); int s = vsum(n, ap); __builtin_va_end(ap); return s; }
         double mean(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); double s = 0; for (int i = 0; i < n; i++) s += __builtin_va_arg(ap, double); __builtin_va_end(ap); return s / n; }
         int main(void) { int t = 0; for (int i = 0; i < 3; i++) { int k = __VERIFIER_nondet_int(); t += sum(3, i, k, t) + sum(1, k) + sum(0); }
           printf(\"%d %f\\n\", t, mean(2, 1.5, t * 1.0)); return t; }",
        &["", "1,2,3", "9,-9,1000"],
    ),
    // Locals in memory: pointers to them go down, and new ones each time round.
    case(
        "int __VERIFIER_nondet_int(void);
         void set(int *p, int v) { int local = v; int *q = &local; *p += *q; }
         int work(int n) { int a[4] = { 0 }; for (int i = 0; i < 4; i++) { int x = i; set(&x, n); set(&a[i], x); } int s = 0; for (int i = 0; i < 4; i++) s = s * 7 + a[i]; return s; }
         int main(void) { int s = 0; for (int i = 0; i < 5; i++) s ^= work(__VERIFIER_nondet_int()); return s; }",
        &["", "1,2,3,4,5"],
    ),
    // Variables that begin only on some ways, in a callee that runs many times.
    case(
        "int __VERIFIER_nondet_int(void); void touch(int *p) { *p += 1; }
         int maybe(int c) { if (c > 2) { int x = c; touch(&x); if (x == 5) return x; { int y = x; touch(&y); c = y; } } else if (c < 0) return -1; return c; }
         int main(void) { int s = 0; for (int i = 0; i < 6; i++) s = s * 5 + maybe(__VERIFIER_nondet_int()); return s; }",
        &["", "1,3,4,-1,9,0", "4,4,-3,2,3,3"],
    ),
    // Dangling pointers to locals of an activation that is over.
    case(
        "int __VERIFIER_nondet_int(void); int *g; int keep(int v) { int x = v; g = &x; return *g; } int use(void) { return *g; }
         int main(void) { int a = keep(3); if (__VERIFIER_nondet_int()) return use(); return a; }",
        &["0", "1"],
    ),
    // A pointer that held a variable of the callee and then something else.
    case(
        "int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void *alloca(unsigned long);
         int *get(int c) { int *p = alloca(8); *p = c; int v = *p; if (c > 1) p = malloc(8); *p = v + 1; return p; }
         int main(void) { int *p = get(__VERIFIER_nondet_int()); return *p; }",
        &["0", "5"],
    ),
    // The program ends inside a callee.
    case(
        "int __VERIFIER_nondet_int(void); void exit(int); void abort(void); void reach_error(void) {} int printf(const char *, ...);
         void check(int c) { if (!c) { printf(\"bad\\n\"); reach_error(); } } void stop(int n) { int x = n; int *p = &x; if (*p == 3) exit(n + 4); if (n == 4) abort(); }
         int main(void) { int n = __VERIFIER_nondet_int(); printf(\"start %d\\n\", n); stop(n); check(n != 5); printf(\"end\\n\"); return n; }",
        &["0", "3", "4", "5"],
    ),
    // It leaves the model inside a callee.
    case(
        "int __VERIFIER_nondet_int(void); int missing(int); void __VERIFIER_assume(int);
         int divide(int a, int b) { __VERIFIER_assume(b < 100); return a / b; } int get(int *p, int i) { return i == 7 ? missing(i) : p[i]; }
         int main(void) { int a[3] = { 4, 5, 6 }; int n = __VERIFIER_nondet_int(); return divide(12, n) + get(a, n - 1); }",
        &["0", "1", "3", "4", "8", "200"],
    ),
    // Static locals, promoted globals, globals in memory.
    case(
        "int __VERIFIER_nondet_int(void); int count; int table[4]; int *where = &table[1];
         int next(void) { static int state = 5; state = state * 3 + 1; count++; return state; }
         void put(int i) { static char seen[4]; if (seen[i & 3]++) *where += 100; table[i & 3] = next(); }
         int main(void) { for (int i = 0; i < 6; i++) put(__VERIFIER_nondet_int()); return table[0] + table[1] * 3 + table[2] * 5 + table[3] * 7 + count; }",
        &["", "0,1,2,3,1,1"],
    ),
    // Switches, gotos, and a loop with two ways in.
    case(
        "int __VERIFIER_nondet_int(void);
         int turn(int n, int m) { int s = 0; if (n > 3) goto inside; while (s < 40) { s += n; if (s > 30) break; inside: s += m; switch (s % 5) { case 0: s++; case 1: s += 2; break; case 3: goto out; default: s += 1; } } out: return s; }
         int main(void) { int s = 0; for (int i = 0; i < 4; i++) s = s * 2 + turn(__VERIFIER_nondet_int() & 7, i + 1); return s; }",
        &["1,2,3,4", "7,6,5,4", "5,1,5,2"],
    ),
    // Lists on the heap.
    case(
        "int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void free(void *); struct n { int v; struct n *next; };
         struct n *push(struct n *l, int v) { struct n *m = malloc(sizeof *m); m->v = v; m->next = l; return m; }
         struct n *reverse(struct n *l) { struct n *r = 0; while (l) { struct n *t = l->next; l->next = r; r = l; l = t; } return r; }
         int drop(struct n **l) { struct n *h = *l; int v = h->v; *l = h->next; free(h); return v; }
         int main(void) { struct n *l = 0; int k = __VERIFIER_nondet_int(); for (int i = 0; i < 4; i++) l = push(l, i + k); l = reverse(l); int s = 0; while (l) s = s * 10 + drop(&l); if (k == 9) drop(&l); return s; }",
        &["0", "3", "9"],
    ),
    // main called again, and calls that nobody needs the result of.
    case(
        "int __VERIFIER_nondet_int(void); int depth; int note(int n) { return depth += n; }
         int main(void) { int n = __VERIFIER_nondet_int(); note(n); if (depth < 10 && n > 0) { int inner = main(); return inner * 2 + n; } return depth; }",
        &["0", "4,5,6,7", "1,2,0"],
    ),
    // Many scalars of all sorts across calls.
    case(
        "int __VERIFIER_nondet_int(void);
         double mix(float f, long l, unsigned char c, double d) { return f * l - c / 3.0 + d; }
         _Bool both(_Bool a, _Bool b) { return a && b; } short clip(long v) { return v > 1000 ? 1000 : v < -1000 ? -1000 : (short)v; }
         int main(void) { int n = __VERIFIER_nondet_int(); double d = mix(n, n + 1, (unsigned char)n, 0.5); return clip((long)d) + both(n > 2, n < 9) * 5000; }",
        &["0", "3", "-40", "70000"],
    ),
];
