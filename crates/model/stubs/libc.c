/* Models of library functions, in C.
 *
 * Each is linked only where a program calls the function and has no body for
 * it, and is then lowered and checked like the program's own code. What C
 * leaves open (the value beyond the sign of a comparison, the order of equal
 * elements) is fixed here as glibc does it. What C cannot express is a
 * primitive of the lowering: allocation, memcpy, memmove, memset, exit,
 * abort, printf. A definition starts at the margin, on one line.
 */

typedef __SIZE_TYPE__ size_t;
typedef __builtin_va_list va_list;

void *malloc(size_t);
void *realloc(void *, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
void reach_error(void);
void __attest_unsupported_printf_float(void);
void __attest_unsupported_printf_conversion(void);
void __attest_unsupported_number_too_large_for_an_integer(void);
void __attest_unsupported_sign_of_a_NaN(void);
void __attest_unsupported_rounding_other_than_to_the_nearest(void);
void __attest_unsupported_minimum_of_zeros_of_different_signs(void);
void __attest_unsupported_more_than_32_functions_at_exit(void);
void __attest_unsupported_exit_while_the_program_ends(void);
void __attest_destructors(void);

#define NULL ((void *)0)
#define ENOMEM 12
#define EINVAL 22
#define EDOM 33
#define ERANGE 34

/* ---- verifier ---- */

void __VERIFIER_assert(int condition) {
  if (!condition)
    reach_error();
}

/* ---- errno.h ---- */

int *__errno_location(void) {
  static int number;
  return &number;
}

/* ---- stdio.h: the standard streams, which are none of the others ---- */

struct standard_stream {
  int number;
};

static struct standard_stream standard_input, standard_output, standard_error;

struct standard_stream *stdin = &standard_input, *stdout = &standard_output, *stderr = &standard_error;

/* ---- string.h: lengths ---- */

size_t strlen(const char *text) {
  size_t n = 0;
  while (text[n])
    n++;
  return n;
}

size_t strnlen(const char *text, size_t most) {
  size_t n = 0;
  while (n < most && text[n])
    n++;
  return n;
}

/* ---- string.h: comparison, of unsigned characters ---- */

int memcmp(const void *left, const void *right, size_t count) {
  const unsigned char *a = left, *b = right;
  for (size_t i = 0; i < count; i++)
    if (a[i] != b[i])
      return a[i] - b[i];
  return 0;
}

int bcmp(const void *left, const void *right, size_t count) {
  return memcmp(left, right, count);
}

int strcmp(const char *left, const char *right) {
  const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
  while (*a && *a == *b)
    a++, b++;
  return *a - *b;
}

int strcoll(const char *left, const char *right) {
  return strcmp(left, right);
}

int strncmp(const char *left, const char *right, size_t most) {
  const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
  for (; most > 0; a++, b++, most--)
    if (*a != *b || !*a)
      return *a - *b;
  return 0;
}

static int lower(int c) {
  return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

int strcasecmp(const char *left, const char *right) {
  const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
  while (*a && lower(*a) == lower(*b))
    a++, b++;
  return lower(*a) - lower(*b);
}

int strncasecmp(const char *left, const char *right, size_t most) {
  const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
  for (; most > 0; a++, b++, most--)
    if (lower(*a) != lower(*b) || !*a)
      return lower(*a) - lower(*b);
  return 0;
}

/* ---- string.h: copying ---- */

char *stpcpy(char *to, const char *from) {
  while ((*to = *from))
    to++, from++;
  return to;
}

char *strcpy(char *to, const char *from) {
  stpcpy(to, from);
  return to;
}

char *stpncpy(char *to, const char *from, size_t count) {
  size_t n = 0;
  for (; n < count && from[n]; n++)
    to[n] = from[n];
  for (size_t i = n; i < count; i++)
    to[i] = 0;
  return to + n;
}

char *strncpy(char *to, const char *from, size_t count) {
  stpncpy(to, from, count);
  return to;
}

char *strcat(char *to, const char *from) {
  stpcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t most) {
  char *end = to + strlen(to);
  while (most-- > 0 && *from)
    *end++ = *from++;
  *end = 0;
  return to;
}

size_t strlcpy(char *to, const char *from, size_t room) {
  size_t n = 0;
  for (; n + 1 < room && from[n]; n++)
    to[n] = from[n];
  if (room > 0)
    to[n] = 0;
  return strlen(from);
}

size_t strlcat(char *to, const char *from, size_t room) {
  size_t n = strnlen(to, room);
  if (n == room)
    return room + strlen(from);
  return n + strlcpy(to + n, from, room - n);
}

char *strndup(const char *text, size_t most) {
  size_t n = strnlen(text, most);
  char *copy = malloc(n + 1);
  if (!copy)
    return NULL;
  memcpy(copy, text, n);
  copy[n] = 0;
  return copy;
}

char *strdup(const char *text) {
  return strndup(text, strlen(text));
}

char *__strdup(const char *text) {
  return strdup(text);
}

void *mempcpy(void *to, const void *from, size_t count) {
  memcpy(to, from, count);
  return (char *)to + count;
}

void bcopy(const void *from, void *to, size_t count) {
  memmove(to, from, count);
}

void bzero(void *to, size_t count) {
  memset(to, 0, count);
}

void explicit_bzero(void *to, size_t count) {
  memset(to, 0, count);
}

/* ---- string.h: searching ---- */

void *memchr(const void *memory, int wanted, size_t count) {
  const unsigned char *at = memory;
  for (; count > 0; at++, count--)
    if (*at == (unsigned char)wanted)
      return (void *)at;
  return NULL;
}

void *memrchr(const void *memory, int wanted, size_t count) {
  const unsigned char *at = memory;
  while (count-- > 0)
    if (at[count] == (unsigned char)wanted)
      return (void *)(at + count);
  return NULL;
}

void *rawmemchr(const void *memory, int wanted) {
  const unsigned char *at = memory;
  while (*at != (unsigned char)wanted)
    at++;
  return (void *)at;
}

void *memmem(const void *memory, size_t count, const void *wanted, size_t length) {
  const char *at = memory;
  for (; count >= length; at++, count--)
    if (memcmp(at, wanted, length) == 0)
      return (void *)at;
  return NULL;
}

char *strchrnul(const char *text, int wanted) {
  while (*text && *text != (char)wanted)
    text++;
  return (char *)text;
}

char *strchr(const char *text, int wanted) {
  char *at = strchrnul(text, wanted);
  return *at == (char)wanted ? at : NULL;
}

char *index(const char *text, int wanted) {
  return strchr(text, wanted);
}

char *strrchr(const char *text, int wanted) {
  return memrchr(text, wanted, strlen(text) + 1);
}

char *rindex(const char *text, int wanted) {
  return strrchr(text, wanted);
}

char *strstr(const char *text, const char *wanted) {
  return memmem(text, strlen(text), wanted, strlen(wanted));
}

size_t strspn(const char *text, const char *accepted) {
  size_t n = 0;
  while (text[n] && strchr(accepted, text[n]))
    n++;
  return n;
}

size_t strcspn(const char *text, const char *rejected) {
  size_t n = 0;
  while (text[n] && !strchr(rejected, text[n]))
    n++;
  return n;
}

char *strpbrk(const char *text, const char *wanted) {
  text += strcspn(text, wanted);
  return *text ? (char *)text : NULL;
}

char *strsep(char **rest, const char *separators) {
  char *token = *rest;
  if (!token)
    return NULL;
  char *end = token + strcspn(token, separators);
  *rest = *end ? end + 1 : NULL;
  if (*end)
    *end = 0;
  return token;
}

char *strtok_r(char *text, const char *separators, char **rest) {
  if (!text)
    text = *rest;
  text += strspn(text, separators);
  char *end = text + strcspn(text, separators);
  if (end == text) {
    *rest = text;
    return NULL;
  }
  *rest = *end ? end + 1 : end;
  if (*end)
    *end = 0;
  return text;
}

char *__strtok_r(char *text, const char *separators, char **rest) {
  return strtok_r(text, separators, rest);
}

char *strtok(char *text, const char *separators) {
  static char *rest;
  return strtok_r(text, separators, &rest);
}

/* ---- string.h as fortified headers call it: a write that is too large leaves its object ---- */

char *__strcpy_chk(char *to, const char *from, size_t room) {
  return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t room) {
  return stpcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t count, size_t room) {
  return strncpy(to, from, count);
}

char *__stpncpy_chk(char *to, const char *from, size_t count, size_t room) {
  return stpncpy(to, from, count);
}

char *__strcat_chk(char *to, const char *from, size_t room) {
  return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t most, size_t room) {
  return strncat(to, from, most);
}

size_t __strlcpy_chk(char *to, const char *from, size_t count, size_t room) {
  return strlcpy(to, from, count);
}

size_t __strlcat_chk(char *to, const char *from, size_t count, size_t room) {
  return strlcat(to, from, count);
}

void *__mempcpy_chk(void *to, const void *from, size_t count, size_t room) {
  return mempcpy(to, from, count);
}

/* ---- ctype.h, in the C locale; what is not 0 is the bit of the class, as in glibc ---- */

enum {
  UPPER = 0x100, LOWER = 0x200, ALPHA = 0x400, DIGIT = 0x800, XDIGIT = 0x1000, SPACE = 0x2000,
  PRINT = 0x4000, GRAPH = 0x8000, BLANK = 1, CNTRL = 2, PUNCT = 4, ALNUM = 8,
  BIG_LETTER = UPPER | ALPHA | PRINT | GRAPH | ALNUM,
  SMALL_LETTER = LOWER | ALPHA | PRINT | GRAPH | ALNUM
};

int isupper(int c) {
  return (c >= 'A' && c <= 'Z') ? UPPER : 0;
}

int islower(int c) {
  return (c >= 'a' && c <= 'z') ? LOWER : 0;
}

int isalpha(int c) {
  return (isupper(c) || islower(c)) ? ALPHA : 0;
}

int isdigit(int c) {
  return (c >= '0' && c <= '9') ? DIGIT : 0;
}

int isalnum(int c) {
  return (isalpha(c) || isdigit(c)) ? ALNUM : 0;
}

int isxdigit(int c) {
  return (isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) ? XDIGIT : 0;
}

int isblank(int c) {
  return (c == ' ' || c == '\t') ? BLANK : 0;
}

int isspace(int c) {
  return (c == ' ' || (c >= '\t' && c <= '\r')) ? SPACE : 0;
}

int isprint(int c) {
  return (c >= ' ' && c <= '~') ? PRINT : 0;
}

int isgraph(int c) {
  return (c > ' ' && c <= '~') ? GRAPH : 0;
}

int ispunct(int c) {
  return (isgraph(c) && !isalnum(c)) ? PUNCT : 0;
}

int iscntrl(int c) {
  return ((c >= 0 && c < ' ') || c == 127) ? CNTRL : 0;
}

int isascii(int c) {
  return c >= 0 && c < 128;
}

int toascii(int c) {
  return c & 127;
}

/* What a plain char below zero stands for, as in glibc's tables. */
static int unsigned_char(int c) {
  return c >= -128 && c < -1 ? c + 256 : c;
}

int tolower(int c) {
  return lower(unsigned_char(c));
}

int toupper(int c) {
  return islower(c) ? c - ('a' - 'A') : unsigned_char(c);
}

/* The tables behind the macros of glibc's header, for -128 to 255. */

static const unsigned short ctype_classes[384] = {
  [128 + 0 ... 128 + 8] = CNTRL,
  [128 + '\t'] = CNTRL | SPACE | BLANK,
  [128 + '\n' ... 128 + '\r'] = CNTRL | SPACE,
  [128 + 14 ... 128 + 31] = CNTRL,
  [128 + ' '] = SPACE | BLANK | PRINT,
  [128 + '!' ... 128 + '/'] = PUNCT | PRINT | GRAPH,
  [128 + '0' ... 128 + '9'] = DIGIT | XDIGIT | PRINT | GRAPH | ALNUM,
  [128 + ':' ... 128 + '@'] = PUNCT | PRINT | GRAPH,
  [128 + 'A' ... 128 + 'F'] = BIG_LETTER | XDIGIT,
  [128 + 'G' ... 128 + 'Z'] = BIG_LETTER,
  [128 + '[' ... 128 + '`'] = PUNCT | PRINT | GRAPH,
  [128 + 'a' ... 128 + 'f'] = SMALL_LETTER | XDIGIT,
  [128 + 'g' ... 128 + 'z'] = SMALL_LETTER,
  [128 + '{' ... 128 + '~'] = PUNCT | PRINT | GRAPH,
  [128 + 127] = CNTRL
};

const unsigned short **__ctype_b_loc(void) {
  static const unsigned short *table = ctype_classes + 128;
  return &table;
}

/* Characters 8 at a time, mapped by MAP. */
#define EIGHT(MAP, c) MAP(c), MAP(c + 1), MAP(c + 2), MAP(c + 3), MAP(c + 4), MAP(c + 5), MAP(c + 6), MAP(c + 7)
#define SIXTY_FOUR(MAP, c) EIGHT(MAP, c), EIGHT(MAP, c + 8), EIGHT(MAP, c + 16), EIGHT(MAP, c + 24), \
  EIGHT(MAP, c + 32), EIGHT(MAP, c + 40), EIGHT(MAP, c + 48), EIGHT(MAP, c + 56)
#define ALL(MAP) SIXTY_FOUR(MAP, 128), SIXTY_FOUR(MAP, 192), SIXTY_FOUR(MAP, 0), SIXTY_FOUR(MAP, 64), \
  SIXTY_FOUR(MAP, 128), SIXTY_FOUR(MAP, 192)
#define TO_LOWER(c) ((c) >= 'A' && (c) <= 'Z' ? (c) + 32 : (c))
#define TO_UPPER(c) ((c) >= 'a' && (c) <= 'z' ? (c) - 32 : (c))

static int ctype_lower[384] = {ALL(TO_LOWER)};
static int ctype_upper[384] = {ALL(TO_UPPER)};

const int **__ctype_tolower_loc(void) {
  static const int *table = ctype_lower + 128;
  ctype_lower[127] = -1;
  return &table;
}

const int **__ctype_toupper_loc(void) {
  static const int *table = ctype_upper + 128;
  ctype_upper[127] = -1;
  return &table;
}

/* ---- stdlib.h: arithmetic ---- */

int abs(int n) {
  return n < 0 ? -n : n;
}

long labs(long n) {
  return n < 0 ? -n : n;
}

long long llabs(long long n) {
  return n < 0 ? -n : n;
}

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;

div_t div(int a, int b) {
  return (div_t){a / b, a % b};
}

ldiv_t ldiv(long a, long b) {
  return (ldiv_t){a / b, a % b};
}

lldiv_t lldiv(long long a, long long b) {
  return (lldiv_t){a / b, a % b};
}

/* ---- stdlib.h: numbers from text ---- */

struct number {
  unsigned long long magnitude;
  int negative, overflow;
};

static int digit_value(char c) {
  if (isdigit(c))
    return c - '0';
  return isalpha(c) ? lower(c) - 'a' + 10 : 99;
}

/* Whether a text goes on with this letter after a zero, and then a digit of the base. */
static int has_prefix(const char *text, char letter, int base) {
  return text[0] == '0' && lower(text[1]) == letter && digit_value(text[2]) < base;
}

/* The number that a text begins with. C23 also knows a prefix for base 2. */
static struct number parse_number(const char *text, char **end, int base, int c23) {
  struct number n = {0, 0, 0};
  const char *at = text;
  if (base < 0 || base == 1 || base > 36) {
    *__errno_location() = EINVAL;
    return n;
  }
  while (isspace(*at))
    at++;
  if (*at == '+' || *at == '-')
    n.negative = *at++ == '-';
  if ((base == 0 || base == 16) && has_prefix(at, 'x', 16)) {
    base = 16;
    at += 2;
  } else if (c23 && (base == 0 || base == 2) && has_prefix(at, 'b', 2)) {
    base = 2;
    at += 2;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  if (digit_value(*at) < base)
    text = at;
  else
    at = text;
  for (; digit_value(*at) < base; at++) {
    n.overflow |= __builtin_mul_overflow(n.magnitude, (unsigned)base, &n.magnitude);
    n.overflow |= __builtin_add_overflow(n.magnitude, (unsigned)digit_value(*at), &n.magnitude);
  }
  if (end)
    *end = (char *)at;
  return n;
}

static long long clamp_signed(struct number n, long long lowest, long long highest) {
  if (n.overflow || n.magnitude > (unsigned long long)highest + n.negative) {
    *__errno_location() = ERANGE;
    return n.negative ? lowest : highest;
  }
  return (long long)(n.negative ? 0 - n.magnitude : n.magnitude);
}

static unsigned long long clamp_unsigned(struct number n, unsigned long long highest) {
  if (n.overflow || n.magnitude > highest) {
    *__errno_location() = ERANGE;
    return highest;
  }
  return n.negative ? 0 - n.magnitude : n.magnitude;
}

#define LONG_LOWEST (-__LONG_MAX__ - 1)
#define LONG_LONG_LOWEST (-__LONG_LONG_MAX__ - 1)

long strtol(const char *text, char **end, int base) {
  return clamp_signed(parse_number(text, end, base, 0), LONG_LOWEST, __LONG_MAX__);
}

long long strtoll(const char *text, char **end, int base) {
  return clamp_signed(parse_number(text, end, base, 0), LONG_LONG_LOWEST, __LONG_LONG_MAX__);
}

unsigned long strtoul(const char *text, char **end, int base) {
  return clamp_unsigned(parse_number(text, end, base, 0), -1ul);
}

unsigned long long strtoull(const char *text, char **end, int base) {
  return clamp_unsigned(parse_number(text, end, base, 0), -1ull);
}

long __isoc23_strtol(const char *text, char **end, int base) {
  return clamp_signed(parse_number(text, end, base, 1), LONG_LOWEST, __LONG_MAX__);
}

long long __isoc23_strtoll(const char *text, char **end, int base) {
  return clamp_signed(parse_number(text, end, base, 1), LONG_LONG_LOWEST, __LONG_LONG_MAX__);
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base) {
  return clamp_unsigned(parse_number(text, end, base, 1), -1ul);
}

unsigned long long __isoc23_strtoull(const char *text, char **end, int base) {
  return clamp_unsigned(parse_number(text, end, base, 1), -1ull);
}

int atoi(const char *text) {
  return (int)strtol(text, NULL, 10);
}

long atol(const char *text) {
  return strtol(text, NULL, 10);
}

long long atoll(const char *text) {
  return strtoll(text, NULL, 10);
}

/* ---- stdlib.h: the end of the program ---- */

static struct {
  int count, is_ending;
  void (*functions[32])(void);
} at_exit;

int atexit(void (*function)(void)) {
  if (at_exit.count == 32)
    __attest_unsupported_more_than_32_functions_at_exit();
  at_exit.functions[at_exit.count++] = function;
  return 0;
}

/* Called by the lowering where the program calls exit, and where main returns. */
void __attest_at_exit(void) {
  if (at_exit.is_ending)
    __attest_unsupported_exit_while_the_program_ends();
  at_exit.is_ending = 1;
  while (at_exit.count > 0)
    at_exit.functions[--at_exit.count]();
  __attest_destructors();
}

/* ---- stdlib.h: allocation beyond the primitives ---- */

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
    return EINVAL;
  void *memory = malloc(size);
  if (!memory)
    return ENOMEM;
  *result = memory;
  return 0;
}

void *reallocarray(void *memory, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    *__errno_location() = ENOMEM;
    return NULL;
  }
  return realloc(memory, bytes);
}

/* ---- math.h: what IEEE 754 defines exactly ---- */

/* Compiled with -fno-math-errno: else these builtins would call the functions themselves. */

double sqrt(double x) {
  if (x < 0)
    *__errno_location() = EDOM;
  return __builtin_sqrt(x);
}

float sqrtf(float x) {
  if (x < 0)
    *__errno_location() = EDOM;
  return __builtin_sqrtf(x);
}

double fabs(double x) {
  return __builtin_fabs(x);
}

float fabsf(float x) {
  return __builtin_fabsf(x);
}

double floor(double x) {
  return __builtin_floor(x);
}

float floorf(float x) {
  return __builtin_floorf(x);
}

double ceil(double x) {
  return __builtin_ceil(x);
}

float ceilf(float x) {
  return __builtin_ceilf(x);
}

double trunc(double x) {
  return __builtin_trunc(x);
}

float truncf(float x) {
  return __builtin_truncf(x);
}

double round(double x) {
  return __builtin_round(x);
}

float roundf(float x) {
  return __builtin_roundf(x);
}

double rint(double x) {
  return __builtin_rint(x);
}

float rintf(float x) {
  return __builtin_rintf(x);
}

double nearbyint(double x) {
  return __builtin_nearbyint(x);
}

float nearbyintf(float x) {
  return __builtin_nearbyintf(x);
}

/* Whether a whole number is one of a signed type of this size. */
static int fits_in(double whole, int size) {
  double limit = size == 8 ? 0x1p63 : 0x1p31;
  return whole >= -limit && whole < limit;
}

long lround(double x) {
  double whole = __builtin_round(x);
  if (!fits_in(whole, sizeof(long)))
    __attest_unsupported_number_too_large_for_an_integer();
  return (long)whole;
}

long lrint(double x) {
  double whole = __builtin_rint(x);
  if (!fits_in(whole, sizeof(long)))
    __attest_unsupported_number_too_large_for_an_integer();
  return (long)whole;
}

long long llround(double x) {
  double whole = __builtin_round(x);
  if (!fits_in(whole, sizeof(long long)))
    __attest_unsupported_number_too_large_for_an_integer();
  return (long long)whole;
}

long long llrint(double x) {
  double whole = __builtin_rint(x);
  if (!fits_in(whole, sizeof(long long)))
    __attest_unsupported_number_too_large_for_an_integer();
  return (long long)whole;
}

long lroundf(float x) {
  return lround(x);
}

long lrintf(float x) {
  return lrint(x);
}

long long llroundf(float x) {
  return llround(x);
}

long long llrintf(float x) {
  return llrint(x);
}

/* ---- fenv.h: the nearest number, and no other way to round ---- */

int fegetround(void) {
  return 0;
}

int fesetround(int mode) {
  if (mode != 0)
    __attest_unsupported_rounding_other_than_to_the_nearest();
  return 0;
}

double copysign(double x, double sign) {
  return __builtin_copysign(x, sign);
}

float copysignf(float x, float sign) {
  return __builtin_copysignf(x, sign);
}

static int negative(double x) {
  if (x != x)
    __attest_unsupported_sign_of_a_NaN();
  unsigned long long bits;
  memcpy(&bits, &x, sizeof bits);
  return bits >> 63 != 0;
}

/* Zeros of different signs are equal, and either is the least and the greatest. */
static void not_two_zeros(double x, double y) {
  if (x == 0 && y == 0 && negative(x) != negative(y))
    __attest_unsupported_minimum_of_zeros_of_different_signs();
}

double fmin(double x, double y) {
  not_two_zeros(x, y);
  return x != x || y < x ? y : x;
}

float fminf(float x, float y) {
  not_two_zeros(x, y);
  return x != x || y < x ? y : x;
}

double fmax(double x, double y) {
  not_two_zeros(x, y);
  return x != x || y > x ? y : x;
}

float fmaxf(float x, float y) {
  not_two_zeros(x, y);
  return x != x || y > x ? y : x;
}

double fdim(double x, double y) {
  return x <= y ? 0.0 : x - y;
}

float fdimf(float x, float y) {
  return x <= y ? 0.0f : x - y;
}

double fmod(double x, double y) {
  if ((y == 0 && x == x) || (__builtin_isinf(x) && y == y))
    *__errno_location() = EDOM;
  return __builtin_fmod(x, y);
}

float fmodf(float x, float y) {
  if ((y == 0 && x == x) || (__builtin_isinf(x) && y == y))
    *__errno_location() = EDOM;
  return __builtin_fmodf(x, y);
}

double modf(double x, double *whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(__builtin_isinf(x) ? 0.0 : x - *whole, x);
}

float modff(float x, float *whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(__builtin_isinf(x) ? 0.0f : x - *whole, x);
}

/* What is left of x after the whole multiple of y that is nearest, an even one of two. */
double remainder(double x, double y) {
  if (x != x || y != y || y == 0 || __builtin_isinf(x))
    return fmod(x, y);
  double left = __builtin_fabs(x), by = __builtin_fabs(y);
  if (by <= __DBL_MAX__ / 2)
    left = __builtin_fmod(left, by + by);
  /* Less than twice y is left. A half of the smallest numbers is not exact, nor is twice the largest. */
  int small = by < 2 * __DBL_MIN__;
  if (small ? left + left > by : left > by / 2) {
    left -= by;
    if (small ? left + left >= by : left >= by / 2)
      left -= by;
  }
  return negative(x) ? -left : left;
}

float remainderf(float x, float y) {
  return (float)remainder(x, y);
}

/* ---- math.h: exponents ---- */

union double_bits {
  double value;
  unsigned long long bits;
};

static double power_of_two(int exponent) {
  union double_bits power = {.bits = (unsigned long long)(exponent + 1023) << 52};
  return power.value;
}

double frexp(double x, int *exponent) {
  *exponent = 0;
  if (x != x || x == 0 || __builtin_isinf(x))
    return x;
  int small = __builtin_fabs(x) < __DBL_MIN__;
  union double_bits part = {.value = small ? x * 0x1p54 : x};
  *exponent = (int)(part.bits >> 52 & 0x7ff) - 1022 - (small ? 54 : 0);
  part.bits = (part.bits & 0x800fffffffffffff) | 1022ULL << 52;
  return part.value;
}

float frexpf(float x, int *exponent) {
  return (float)frexp(x, exponent);
}

/* Steps that are exact, and one that rounds: the others keep all digits above the smallest. */
static double scaled(double x, int exponent) {
  for (int i = 0; i < 2 && exponent > 1023; i++) {
    x *= 0x1p1023;
    exponent -= 1023;
  }
  for (int i = 0; i < 2 && exponent < -1022; i++) {
    x *= 0x1p-969;
    exponent += 969;
  }
  if (exponent > 1023)
    exponent = 1023;
  if (exponent < -1022)
    exponent = -1022;
  return x * power_of_two(exponent);
}

double ldexp(double x, int exponent) {
  if (x != x || x == 0 || __builtin_isinf(x))
    return x;
  x = scaled(x, exponent);
  if (x == 0 || __builtin_isinf(x))
    *__errno_location() = ERANGE;
  return x;
}

float ldexpf(float x, int exponent) {
  if (x != x || x == 0 || __builtin_isinf(x))
    return x;
  x = (float)scaled(x, exponent);
  if (x == 0 || __builtin_isinf(x))
    *__errno_location() = ERANGE;
  return x;
}

double scalbn(double x, int exponent) {
  return ldexp(x, exponent);
}

float scalbnf(float x, int exponent) {
  return ldexpf(x, exponent);
}

static int small_exponent(long exponent) {
  return exponent > 10000 ? 10000 : exponent < -10000 ? -10000 : (int)exponent;
}

double scalbln(double x, long exponent) {
  return ldexp(x, small_exponent(exponent));
}

float scalblnf(float x, long exponent) {
  return ldexpf(x, small_exponent(exponent));
}

int __isnan(double x) {
  return x != x;
}

int __isnanf(float x) {
  return x != x;
}

int isnan(double x) {
  return x != x;
}

int isnanf(float x) {
  return x != x;
}

int __isinf(double x) {
  return x == __builtin_inf() ? 1 : x == -__builtin_inf() ? -1 : 0;
}

int __isinff(float x) {
  return __isinf(x);
}

int isinf(double x) {
  return __isinf(x);
}

int isinff(float x) {
  return __isinf(x);
}

int __finite(double x) {
  return x == x && !__isinf(x);
}

int __finitef(float x) {
  return __finite(x);
}

int finite(double x) {
  return __finite(x);
}

int finitef(float x) {
  return __finite(x);
}

/* A bit of a register, as in glibc. */

int __signbit(double x) {
  return negative(x) ? 128 : 0;
}

int __signbitf(float x) {
  return negative(x) ? 8 : 0;
}

enum { FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL };

int __fpclassify(double x) {
  if (x != x)
    return FP_NAN;
  if (__isinf(x))
    return FP_INFINITE;
  if (x == 0)
    return FP_ZERO;
  return __builtin_fabs(x) < __DBL_MIN__ ? FP_SUBNORMAL : FP_NORMAL;
}

int __fpclassifyf(float x) {
  int of_double = __fpclassify(x);
  return of_double == FP_NORMAL && __builtin_fabsf(x) < __FLT_MIN__ ? FP_SUBNORMAL : of_double;
}

/* ---- stdio.h: printing into memory ---- */

/* A buffer of bounded room. The length counts what did not fit, too. */
struct text {
  char *start;
  size_t room, length;
};

/* A conversion such as %-08.3lld. */
struct conversion {
  int left, plus, space, alternate, zero;
  int width, precision; /* a negative precision is none */
  int size;             /* bytes of an integer argument */
  char letter;
};

static void put(struct text *out, char c) {
  if (out->length + 1 < out->room)
    out->start[out->length] = c;
  out->length++;
}

static void fill(struct text *out, char c, int count) {
  while (count-- > 0)
    put(out, c);
}

/* A prefix, zeros and characters, padded to the width. */
static void put_padded(struct text *out, const struct conversion *c, const char *prefix, int zeros,
                       const char *body, int length) {
  int head = (int)strlen(prefix);
  if (zeros < 0)
    zeros = 0;
  int blanks = c->width - head - zeros - length;
  if (!c->left)
    fill(out, ' ', blanks);
  while (*prefix)
    put(out, *prefix++);
  fill(out, '0', zeros);
  for (int i = 0; i < length; i++)
    put(out, body[i]);
  if (c->left)
    fill(out, ' ', blanks);
}

static void put_integer(struct text *out, const struct conversion *c, const char *prefix,
                        unsigned long long value) {
  const char *digits = c->letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  unsigned base = c->letter == 'o' ? 8 : c->letter == 'd' || c->letter == 'u' ? 10 : 16;
  char body[24];
  int at = sizeof body;
  for (; value != 0; value /= base)
    body[--at] = digits[value % base];
  int length = (int)sizeof body - at;
  int least = c->precision < 0 ? 1 : c->precision;
  if (c->alternate && base == 8 && least <= length)
    least = length + 1;
  if (c->zero && !c->left && c->precision < 0 && least < c->width - (int)strlen(prefix))
    least = c->width - (int)strlen(prefix);
  put_padded(out, c, prefix, least - length, body + at, length);
}

static void put_signed(struct text *out, const struct conversion *c, long long value) {
  const char *sign = value < 0 ? "-" : c->plus ? "+" : c->space ? " " : "";
  put_integer(out, c, sign, value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value);
}

static void put_unsigned(struct text *out, const struct conversion *c, unsigned long long value) {
  int prefixed = c->alternate && value != 0;
  put_integer(out, c, !prefixed ? "" : c->letter == 'x' ? "0x" : c->letter == 'X' ? "0X" : "", value);
}

static void put_string(struct text *out, const struct conversion *c, const char *text) {
  if (!text)
    text = c->precision < 0 || c->precision >= 6 ? "(null)" : "";
  size_t length = c->precision < 0 ? strlen(text) : strnlen(text, c->precision);
  put_padded(out, c, "", 0, text, (int)length);
}

static void put_pointer(struct text *out, struct conversion *c, const void *pointer) {
  c->letter = 'x';
  if (pointer)
    put_integer(out, c, "0x", (__UINTPTR_TYPE__)pointer);
  else
    put_padded(out, c, "", 0, "(nil)", 5);
}

/* Bytes of an integer with the length modifier at `*at`, which is skipped. */
static int modifier(const char **at) {
  char first = *(*at)++;
  switch (first) {
  case 'h':
    if (**at != 'h')
      return sizeof(short);
    ++*at;
    return sizeof(char);
  case 'l':
    if (**at != 'l')
      return sizeof(long);
    ++*at;
    return sizeof(long long);
  case 'q': case 'j':
    return sizeof(long long);
  case 'z': case 't':
    return sizeof(size_t);
  default:
    --*at;
    return sizeof(int);
  }
}

static int decimal(const char **at) {
  int n = 0;
  while (isdigit(**at))
    n = n * 10 + (*(*at)++ - '0');
  return n;
}

static void flags(struct conversion *c, const char **at) {
  for (;; ++*at)
    switch (**at) {
    case '-': c->left = 1; break;
    case '+': c->plus = 1; break;
    case ' ': c->space = 1; break;
    case '#': c->alternate = 1; break;
    case '0': c->zero = 1; break;
    default: return;
    }
}

static long long cut_signed(long long value, int size) {
  return size == 1 ? (signed char)value : size == 2 ? (short)value : size == 4 ? (int)value : value;
}

static unsigned long long cut_unsigned(unsigned long long value, int size) {
  return size == 1 ? (unsigned char)value : size == 2 ? (unsigned short)value
       : size == 4 ? (unsigned)value : value;
}

/* The bounded text of a format; what `vsnprintf` returns. */
static int print(struct text *out, const char *format, va_list list) {
  va_list args;
  __builtin_va_copy(args, list);
  while (*format) {
    if (*format != '%') {
      put(out, *format++);
      continue;
    }
    format++;
    struct conversion c = {0};
    c.precision = -1;
    flags(&c, &format);
    if (*format == '*') {
      format++;
      c.width = __builtin_va_arg(args, int);
      if (c.width < 0) {
        c.left = 1;
        c.width = -c.width;
      }
    } else {
      c.width = decimal(&format);
    }
    if (*format == '.') {
      format++;
      if (*format == '*') {
        format++;
        c.precision = __builtin_va_arg(args, int);
      } else {
        c.precision = decimal(&format);
      }
    }
    c.size = modifier(&format);
    c.letter = *format++;
    switch (c.letter) {
    case 'd': case 'i': {
      long long value = c.size == 8 ? __builtin_va_arg(args, long long) : __builtin_va_arg(args, int);
      c.letter = 'd';
      put_signed(out, &c, cut_signed(value, c.size));
      break;
    }
    case 'u': case 'x': case 'X': case 'o': {
      unsigned long long value =
        c.size == 8 ? __builtin_va_arg(args, unsigned long long) : __builtin_va_arg(args, unsigned);
      put_unsigned(out, &c, cut_unsigned(value, c.size));
      break;
    }
    case 'c': {
      if (format[-2] == 'l') {
        __attest_unsupported_printf_conversion();
        break;
      }
      char byte = (char)__builtin_va_arg(args, int);
      put_padded(out, &c, "", 0, &byte, 1);
      break;
    }
    case 's':
      if (format[-2] == 'l') {
        __attest_unsupported_printf_conversion();
        break;
      }
      put_string(out, &c, __builtin_va_arg(args, const char *));
      break;
    case 'p':
      put_pointer(out, &c, __builtin_va_arg(args, void *));
      break;
    case '%':
      put(out, '%');
      break;
    case 'n':
      switch (c.size) {
      case 1: *__builtin_va_arg(args, signed char *) = (signed char)out->length; break;
      case 2: *__builtin_va_arg(args, short *) = (short)out->length; break;
      case 4: *__builtin_va_arg(args, int *) = (int)out->length; break;
      default: *__builtin_va_arg(args, long long *) = (long long)out->length;
      }
      break;
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
      __attest_unsupported_printf_float();
      break;
    default:
      __attest_unsupported_printf_conversion();
    }
  }
  __builtin_va_end(args);
  if (out->room > 0)
    out->start[out->length < out->room ? out->length : out->room - 1] = 0;
  return (int)out->length;
}

int vsnprintf(char *to, size_t room, const char *format, va_list args) {
  struct text out = {to, room, 0};
  return print(&out, format, args);
}

int vsprintf(char *to, const char *format, va_list args) {
  return vsnprintf(to, -1, format, args);
}

int snprintf(char *to, size_t room, const char *format, ...) {
  va_list args;
  __builtin_va_start(args, format);
  int length = vsnprintf(to, room, format, args);
  __builtin_va_end(args);
  return length;
}

int sprintf(char *to, const char *format, ...) {
  va_list args;
  __builtin_va_start(args, format);
  int length = vsnprintf(to, -1, format, args);
  __builtin_va_end(args);
  return length;
}

int __vsnprintf_chk(char *to, size_t count, int flag, size_t room, const char *format, va_list args) {
  return vsnprintf(to, count, format, args);
}

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args) {
  return vsnprintf(to, -1, format, args);
}

int __snprintf_chk(char *to, size_t count, int flag, size_t room, const char *format, ...) {
  va_list args;
  __builtin_va_start(args, format);
  int length = vsnprintf(to, count, format, args);
  __builtin_va_end(args);
  return length;
}

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...) {
  va_list args;
  __builtin_va_start(args, format);
  int length = vsnprintf(to, -1, format, args);
  __builtin_va_end(args);
  return length;
}
