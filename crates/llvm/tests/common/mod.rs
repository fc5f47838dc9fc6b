//! C programs that make clang write much of what LLVM IR has.

/// Names and texts.
pub const PROGRAMS: &[(&str, &str)] = &[
    (
        "scalars",
        r#"
        _Bool b; char c; unsigned short s; int i; long l; long long ll; float f; double d;
        long double ld = 1.25L; __int128 wide = ((__int128)-5 << 70) + 3;
        int convert(double x, unsigned u) {
            ld = x; f = (float)x; d = -x; i = (int)x; u += (unsigned)f; b = u;
            l = i; c = (char)l; s = c; ll = (long long)u << 33; d = u; wide = wide * i;
            return x < d || x != f ? i % 7 : (int)(u / 3u) >> 2;
        }"#,
    ),
    (
        "memory",
        r#"
        struct p { char tag; struct p *next; union { int n; double d; } u; unsigned a : 3, b : 7; };
        struct __attribute__((packed)) q { char c; long l; };
        static struct p nodes[3] = { { 'a', &nodes[1], { 7 }, 1, 2 }, { 'b', &nodes[2] } };
        struct q packed = { 1, -2 };
        const char *text = "a\"b\\c\n\x80";
        extern int outside[]; int *into = &outside[5];
        int (*table[2])(int, ...);
        struct p by_value(struct p x, struct q y) { x.a = y.l; x.u.n++; return x; }
        int vla(int n) { int a[n][3]; a[n - 1][2] = n; return a[n - 1][2] + (int)sizeof a; }
        int call(void) { return table[1](3, 4.0, nodes[0]); }"#,
    ),
    (
        "control",
        r#"
        void abort(void); int nondet();
        int loop(int n) {
            int sum = 0;
            for (int i = 0; i < n; i++) {
                switch (i % 5) { case 0: continue; case 1: sum += i; break; case -7: goto out; default: sum--; }
                do sum ^= i; while (nondet(i) && sum);
            }
        out:
            if (!sum) abort();
            return sum ? n : -n;
        }
        int computed(int i) {
            static void *const targets[] = { &&a, &&b };
            goto *targets[i & 1];
            a: return 1;
            b: return 2;
        }"#,
    ),
    (
        "atomics",
        r#"
        _Atomic int counter; volatile int flag; int plain;
        int atomics(int *p) {
            int expected = 3;
            counter++; __atomic_fetch_nand(p, 5, __ATOMIC_ACQUIRE);
            __atomic_thread_fence(__ATOMIC_SEQ_CST);
            flag = __atomic_load_n(p, __ATOMIC_RELAXED);
            __atomic_store_n(p, 9, __ATOMIC_RELEASE);
            __atomic_compare_exchange_n(p, &expected, 4, 1, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
            return __sync_val_compare_and_swap(p, 1, 2) + __atomic_exchange_n(&plain, 1, __ATOMIC_SEQ_CST);
        }"#,
    ),
    (
        "linkage",
        r#"
        __thread int per_thread = 4; static __thread char local_thread;
        __attribute__((weak)) int weak_value = 1; extern __attribute__((weak)) int weak_extern;
        __attribute__((section("here"), aligned(64), used)) static int placed;
        int target(void) { local_thread++; return per_thread + weak_value + !&weak_extern; }
        int other(void) __attribute__((alias("target")));
        __attribute__((visibility("hidden"))) int hidden(void) { return 0; }
        static int (*resolve(void))(void) { return target; }
        int chosen(void) __attribute__((ifunc("resolve")));
        int renamed(void) __asm__("odd name"); int use(void) { return renamed() + chosen(); }
        __attribute__((constructor)) static void start(void) { placed = 1; }
        __asm__(".globl something\nsomething:");
        static inline int folded(int x) { return x + 1; } int fold(void) { return folded(2); }"#,
    ),
    (
        "assembly",
        r#"
        int add(int a, int b) {
            __asm__ volatile("addl %1, %0" : "+r"(a) : "r"(b) : "cc", "memory");
            __asm__("" : "=r"(b) : "0"(a));
            return b;
        }
        int jump(int x) { __asm__ goto("" : : "r"(x) : : there); return 0; there: return 1; }"#,
    ),
    (
        "vectors",
        r#"
        typedef int v4 __attribute__((vector_size(16))); typedef float f8 __attribute__((vector_size(32)));
        v4 lanes(v4 a, v4 b, int i) {
            v4 c = a * b + (v4){ 1, 2, 3, 4 }; c[i] = a[0]; c = a < b;
            return __builtin_shufflevector(c, b, 0, 5, 2, 7) >> 3;
        }
        f8 floats(f8 x) { return x * 2.0f - (f8){ 0.1f }; }"#,
    ),
    (
        "floats",
        r#"
        _Float16 h = 1.5f16; float tiny = 1e-45f, third = 1.0f / 3; double huge = 1e300, inf = __builtin_inf();
        float not_a = __builtin_nanf("1"); long double x = 0.1L;
        _Complex double z(_Complex double a, _Complex double b) { return a * b + h; }
        int compare(double a, double b) { return __builtin_isunordered(a, b) + (a >= b) + (a == b); }"#,
    ),
    (
        "variadic",
        r#"
        #include <stdarg.h>
        int sum(int n, ...) {
            va_list list, copy; va_start(list, n); va_copy(copy, list);
            int s = 0; double d = 0;
            while (n--) { s += va_arg(list, int); d += va_arg(copy, double); }
            va_end(list); va_end(copy);
            return s + (int)d;
        }
        int use(void) { return sum(2, 1, 2.5, "x"); }"#,
    ),
    (
        "overflow",
        r#"
        int checked(int a, int b, int *r) {
            __builtin_assume(a > 0);
            if (__builtin_expect(__builtin_add_overflow(a, b, r), 0)) __builtin_trap();
            return __builtin_clz(a) + __builtin_bswap32(b) + (int)__builtin_object_size(r, 0);
        }
        typedef _BitInt(77) wide; wide twice(wide x) { return x * 2 + 123456789012345678901wb; }"#,
    ),
];
