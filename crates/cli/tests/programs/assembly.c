/* Inline assembly as drivers for x86 have it: counters and bits that are changed in one go,
   exchanges, fences. Other machines leave it out. */
#include <stdio.h>

#if defined(__x86_64__)
#define LOCK ".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; "

static int test_and_set_bit(int nr, volatile unsigned long *words) {
    int old;
    __asm__ volatile(LOCK "bts %2,%1\n\tsbb %0,%0"
                     : "=r"(old), "+m"(*(volatile long *)words)
                     : "Ir"(nr)
                     : "memory");
    return old;
}

static unsigned char test_and_clear_bit(long nr, volatile unsigned long *words) {
    unsigned char old;
    __asm__ volatile("lock; btr %2, %0; setc %1"
                     : "+m"(*(volatile long *)words), "=qm"(old)
                     : "r"(nr)
                     : "memory");
    return old;
}

static int bit(int nr, volatile unsigned long *words) {
    int old;
    __asm__ volatile("bt %2,%1\n\tsbb %0,%0" : "=r"(old) : "m"(*words), "Ir"(nr));
    return old;
}

static void flip_bit(int nr, volatile unsigned long *words) {
    __asm__ volatile("lock; btc %1,%0" : "+m"(*(volatile long *)words) : "Ir"(nr));
}

static void increment(int *count) {
    __asm__ volatile("lock; incl %0" : "+m"(*count));
}

static int decrement_and_test(int *count) {
    unsigned char zero;
    __asm__ volatile("lock; decl %0; sete %1" : "+m"(*count), "=qm"(zero) : : "memory");
    return zero;
}

static int add_negative(int n, int *count) {
    unsigned char negative;
    __asm__ volatile("lock; addl %2,%0; sets %1" : "+m"(*count), "=qm"(negative) : "ir"(n));
    return negative;
}

static int subtract_and_test(int n, int *count) {
    unsigned char zero, less;
    __asm__ volatile("lock; subl %2,%0; setz %1" : "+m"(*count), "=qm"(zero) : "ir"(n));
    __asm__ volatile("subl %2,%0; setc %1" : "+m"(*count), "=qm"(less) : "i"(0));
    return zero + 2 * less;
}

static long fetch_and_add(long n, long *count) {
    __asm__ volatile("lock; xaddq %0, %1" : "+r"(n), "+m"(*count) : : "memory", "cc");
    return n;
}

static short exchange(short n, short *place) {
    __asm__ volatile("xchgw %w0, %1" : "+r"(n), "+m"(*place) : : "memory");
    return n;
}

static int compare_exchange(int *place, int expected, int new) {
    int before;
    __asm__ volatile("lock; cmpxchgl %2,%1"
                     : "=a"(before), "+m"(*place)
                     : "r"(new), "0"(expected)
                     : "memory");
    return before;
}

static unsigned char masks(unsigned char *byte) {
    __asm__ volatile("lock; andb %1,%0" : "+m"(*byte) : "iq"((unsigned char)0xf0));
    __asm__ volatile("lock; orb %1,%0" : "+m"(*byte) : "iq"((unsigned char)0x05));
    __asm__ volatile("xorb $3,%0" : "+m"(*byte));
    return *byte;
}

static int hidden(int n) {
    __asm__("" : "+r"(n));
    return n;
}

int main(void) {
    unsigned long words[3] = {0};
    int count = 1, i;
    long large = 1L << 40;
    short small = -7;
    unsigned char byte = 0xab;
    for (i = 0; i < 170; i += 13)
        printf("%d", test_and_set_bit(i, words));
    for (i = 169; i >= 0; i -= 26)
        printf("%d", test_and_clear_bit(i, words));
    flip_bit(64, words);
    printf(" %d%d %lx %lx %lx\n", bit(64, words), bit(65, words), words[0], words[1], words[2]);
    __asm__ volatile("mfence" ::: "memory");
    increment(&count);
    printf("%d ", decrement_and_test(&count));
    printf("%d ", decrement_and_test(&count));
    printf("%d ", add_negative(-5, &count));
    printf("%d ", add_negative(9, &count));
    printf("%d ", subtract_and_test(4, &count));
    printf("%d ", subtract_and_test(1, &count));
    printf("%d\n", count);
    printf("%ld ", fetch_and_add(-3, &large));
    printf("%ld\n", large);
    printf("%d ", exchange(300, &small));
    printf("%d\n", small);
    printf("%d ", compare_exchange(&count, -1, 8));
    printf("%d ", compare_exchange(&count, 9, 10));
    printf("%d\n", count);
    __asm__ volatile("rep; nop" ::: "memory");
    printf("%x %d\n", masks(&byte), hidden(42));
    return 0;
}
#else
int main(void) {
    return 0;
}
#endif
