/* Models of library functions that read what comes from outside, in C.
 *
 * What comes is anything: characters, the end or a failure of a stream, random
 * numbers, the time. What C promises of it holds: a stream that is at its end
 * stays there until clearerr, and what a conversion of scanf leaves is what
 * comes next. Files are anything each time they are read, since others may
 * have written them.
 *
 * What the library itself chooses is here too: C leaves open which elements
 * qsort and bsearch compare, and where equal elements go.
 *
 * The same text is part of every native test of a program that calls one of
 * the functions, so both take the same inputs in the same order. There a stream
 * other than the standard ones is memory of these functions too.
 */

typedef __SIZE_TYPE__ size_t;
typedef __builtin_va_list va_list;

int __attest_any_character(void);
int __attest_any_beginning(void);
int __attest_any_int(void);
long long __attest_any_longlong(void);
float __attest_any_float(void);
double __attest_any_double(void);
long long __attest_any_count(void);
int __attest_any_success(void);
int __attest_any_random(void);
long long __attest_any_time(void);
_Bool __attest_any_choice(void);
unsigned long long __attest_any_element(void);
void __attest_unsupported_scanf_conversion(void);
void __attest_unsupported_two_characters_pushed_back(void);
void *malloc(size_t);
void *realloc(void *, size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
int *__errno_location(void);
void __VERIFIER_assume(int);

/* ---- stdio.h: streams ---- */

struct standard_stream;
extern struct standard_stream *stdin;

struct stream {
  int pushed; /* the character that comes next and 1, or 0 */
  int ended, failed;
  int looked; /* something was seen to come next that is no digit to this base, or 0 */
  int written; /* it may be written, which may fail */
};

static struct stream input_stream;

static struct stream *stream_of(void *file) {
  return file == (void *)stdin ? &input_stream : file;
}

static int is_space(int c) {
  return c == ' ' || ('\t' <= c && c <= '\r');
}

/* Base 1 has no digits: nothing is known of what comes. */
static int is_digit(int c, int base) {
  if (base == 1)
    return 0;
  if (base == 16 && (('a' <= c && c <= 'f') || ('A' <= c && c <= 'F')))
    return 1;
  return '0' <= c && c <= (base == 8 ? '7' : '9');
}

/* The first read of a stream asks whether it is a terminal, and errno says if not. */
static void is_no_terminal(void) {
  *__errno_location() = 25;
}

/* 0, or -1 and a reason. */
static int succeeds(void) {
  int why = __attest_any_success();
  if (why <= 0)
    return 0;
  *__errno_location() = why;
  return -1;
}

static void fail(struct stream *from) {
  int why = __attest_any_success();
  *__errno_location() = why > 0 ? why : 5;
  from->failed = 1;
}

static int take(struct stream *from) {
  int c, base = from->looked;
  if (from->pushed) {
    c = from->pushed - 1;
    from->pushed = 0;
    return c;
  }
  if (from->ended)
    return -1;
  c = __attest_any_character();
  from->looked = 0;
  if (c >= 512) {
    is_no_terminal();
    c -= 512;
  }
  if (0 <= c && c <= 255)
    return base && is_digit(c, base) ? '\n' : c;
  if (c == -2)
    fail(from);
  else
    from->ended = 1;
  return -1;
}

/* Whatever was seen to come next is known from now on. */
static struct stream *settled(void *file) {
  struct stream *of = stream_of(file);
  if (of->looked) {
    int c = take(of);
    of->pushed = c + 1;
  }
  return of;
}

int fgetc(void *file) {
  return take(stream_of(file));
}

int getc(void *file) {
  return take(stream_of(file));
}

int _IO_getc(void *file) {
  return take(stream_of(file));
}

int getchar(void) {
  return take(&input_stream);
}

int ungetc(int c, void *file) {
  struct stream *to = settled(file);
  if (c == -1)
    return -1;
  if (to->pushed)
    __attest_unsupported_two_characters_pushed_back();
  to->pushed = (c & 255) + 1;
  to->ended = 0;
  return c & 255;
}

char *fgets(char *to, int size, void *file) {
  struct stream *from = stream_of(file);
  int i = 0, c = 0;
  if (size <= 0)
    return (void *)0;
  while (i < size - 1 && c != '\n') {
    c = take(from);
    if (c < 0)
      break;
    to[i++] = (char)c;
  }
  if (c < 0 && (i == 0 || !from->ended))
    return (void *)0;
  to[i] = 0;
  return to;
}

long getline(char **line, size_t *room, void *file) {
  struct stream *from = stream_of(file);
  size_t length = 0;
  int c = 0;
  if (!*line || *room == 0) {
    char *made = realloc(*line, 120);
    if (!made)
      return -1;
    *room = 120;
    *line = made;
  }
  while (c != '\n' && (c = take(from)) >= 0) {
    if (length + 2 > *room) {
      char *made = realloc(*line, *room * 2);
      if (!made)
        return -1;
      *room *= 2;
      *line = made;
    }
    (*line)[length++] = (char)c;
  }
  if (length == 0)
    return -1;
  (*line)[length] = 0;
  return (long)length;
}

size_t fread(void *to, size_t size, size_t count, void *file) {
  struct stream *from = settled(file);
  size_t all = size * count, got = 0, more;
  long long comes;
  if (all == 0)
    return 0;
  if (from->pushed) {
    *(char *)to = (char)(from->pushed - 1);
    from->pushed = 0;
    got = 1;
  }
  if (from->ended || got == all)
    return got / size;
  comes = __attest_any_count();
  if (comes < 0) {
    is_no_terminal();
    comes = -1 - comes;
  }
  more = all - got;
  if (comes < (long long)more) {
    more = (size_t)comes;
    if (__attest_any_success() <= 0)
      from->ended = 1;
    else
      fail(from);
  }
  /* Bytes of fresh memory are anything. */
  if (more) {
    void *any = malloc(more);
    if (any)
      memcpy((char *)to + got, any, more);
    free(any);
  }
  return (got + more) / size;
}

size_t fwrite(const void *from, size_t size, size_t count, void *file) {
  size_t written = (size_t)__attest_any_count();
  (void)*(volatile int *)file;
  succeeds();
  return written < count && size ? written : size ? count : 0;
}

int feof(void *file) {
  return settled(file)->ended;
}

int ferror(void *file) {
  struct stream *of = settled(file);
  if (of->written && __attest_any_success() > 0)
    of->failed = 1;
  return of->failed;
}

void clearerr(void *file) {
  struct stream *of = settled(file);
  of->ended = of->failed = 0;
}

static struct stream *open_stream(const char *mode) {
  int only_read = mode[0] == 'r' && mode[1] != '+' && (!mode[1] || mode[2] != '+');
  struct stream *opened;
  if (succeeds() < 0)
    return (void *)0;
  opened = malloc(sizeof *opened);
  if (opened) {
    opened->pushed = opened->ended = opened->failed = opened->looked = 0;
    opened->written = !only_read;
  }
  return opened;
}

void *fopen(const char *path, const char *mode) {
  return open_stream(mode);
}

void *fopen64(const char *path, const char *mode) {
  return open_stream(mode);
}

void *fdopen(int descriptor, const char *mode) {
  return open_stream(mode);
}

void *tmpfile(void) {
  return open_stream("w+");
}

int fclose(void *file) {
  struct stream *closed = stream_of(file);
  closed->pushed = closed->looked = 0;
  closed->ended = 1;
  if (closed != &input_stream)
    free(closed);
  return succeeds();
}

int fseek(void *file, long offset, int from) {
  struct stream *moved = stream_of(file);
  if (succeeds() < 0)
    return -1;
  moved->pushed = moved->ended = moved->looked = 0;
  return 0;
}

void rewind(void *file) {
  struct stream *moved = stream_of(file);
  if (succeeds() == 0)
    moved->pushed = moved->ended = moved->looked = 0;
  moved->failed = 0;
}

long ftell(void *file) {
  long at = (long)__attest_any_count();
  return at >= 0 ? at : succeeds() < 0 ? -1 : 0;
}

int setvbuf(void *file, char *buffer, int mode, size_t size) {
  return succeeds();
}

void setbuf(void *file, char *buffer) {
}

/* ---- stdio.h: conversions ---- */

/* What a conversion finds. */
enum found { MISMATCH, MATCH, NOTHING };

/* The first character that is no space: how many spaces there are makes no difference. */
static int take_behind_spaces(struct stream *from) {
  int c = take(from);
  if (is_space(c))
    c = take(from);
  return is_space(c) ? '0' : c;
}

/* Whether a number comes next. It is any number then, and what follows it is no digit. */
static enum found take_number(struct stream *from, int base) {
  int c = from->pushed - 1, kind;
  if (is_digit(c, 16) || c == '+' || c == '-' || c == '.' || (c | 32) == 'i' || (c | 32) == 'n')
    __attest_unsupported_scanf_conversion();
  if (c >= 0 && !is_space(c))
    return MISMATCH;
  from->pushed = 0;
  if (from->ended)
    return NOTHING;
  kind = __attest_any_beginning();
  from->looked = 0;
  if (kind == -1) {
    from->ended = 1;
    return NOTHING;
  }
  if (kind == -2) {
    fail(from);
    return NOTHING;
  }
  if (kind >= 512)
    is_no_terminal();
  /* A number that is too large. */
  if (kind >= 1024)
    *__errno_location() = 34;
  if (kind >= 0 || kind == -3)
    from->looked = base;
  if (kind >= 0)
    return MATCH;
  /* Something else, or a sign without a number; of a fraction any beginning. */
  c = kind & 255;
  if (base == 1)
    from->looked = base;
  else if (kind != -3)
    from->pushed = (is_digit(c, base) || is_space(c) || c == '+' || c == '-' ? 'x' : c) + 1;
  return MISMATCH;
}

static enum found text_comes(struct stream *from, char *to, int width) {
  int c = take_behind_spaces(from);
  if (c < 0)
    return NOTHING;
  do {
    if (to)
      *to++ = (char)c;
    if (--width == 0) {
      c = -1;
      break;
    }
    c = take(from);
  } while (c >= 0 && !is_space(c));
  if (c >= 0)
    from->pushed = c + 1;
  if (to)
    *to = 0;
  return MATCH;
}

static enum found characters_come(struct stream *from, char *to, int width) {
  do {
    int c = take(from);
    if (c < 0)
      return NOTHING;
    if (to)
      *to++ = (char)c;
  } while (--width > 0);
  return MATCH;
}

/* A format that is known is a sequence of these calls in the model, one for each of its parts,
 * and others are read by scan below. They hand on twice the number of values that were
 * stored, and 1 if something was converted; or once nothing more is read, -2 less the result. */

static int stopped(int state, enum found found) {
  return found == NOTHING && !(state & 1) ? -1 : -2 - (state >> 1);
}

static int converted(int state, enum found found, void *to) {
  return found == MATCH ? (state | 1) + (to ? 2 : 0) : stopped(state, found);
}

void *__attest_scan_from(void *file) {
  return stream_of(file);
}

void *__attest_scan_from_input(void) {
  return &input_stream;
}

int __attest_scan_space(int state, void *from) {
  int c;
  if (state < 0)
    return state;
  c = take_behind_spaces(from);
  if (c >= 0)
    ((struct stream *)from)->pushed = c + 1;
  return state;
}

int __attest_scan_same(int state, void *from, int wanted) {
  int c;
  if (state < 0)
    return state;
  c = take(from);
  if (c == wanted)
    return state;
  if (c >= 0)
    ((struct stream *)from)->pushed = c + 1;
  return stopped(state, c < 0 ? NOTHING : MISMATCH);
}

int __attest_scan_integer(int state, void *from, void *to, int bytes, int base) {
  enum found found;
  if (state < 0)
    return state;
  found = take_number(from, base);
  if (found == MATCH && to) {
    if (bytes == 1)
      *(signed char *)to = (signed char)__attest_any_int();
    else if (bytes == 2)
      *(short *)to = (short)__attest_any_int();
    else if (bytes == 4)
      *(int *)to = __attest_any_int();
    else
      *(long long *)to = __attest_any_longlong();
  }
  return converted(state, found, to);
}

int __attest_scan_float(int state, void *from, void *to, int bytes) {
  enum found found;
  if (state < 0)
    return state;
  found = take_number(from, 1);
  if (found == MATCH && to) {
    if (bytes == 8)
      *(double *)to = __attest_any_double();
    else
      *(float *)to = __attest_any_float();
  }
  return converted(state, found, to);
}

int __attest_scan_text(int state, void *from, void *to, int width) {
  return state < 0 ? state : converted(state, text_comes(from, to, width), to);
}

int __attest_scan_characters(int state, void *from, void *to, int width) {
  return state < 0 ? state : converted(state, characters_come(from, to, width), to);
}

int __attest_scan_end(int state) {
  return state < 0 ? -2 - state : state >> 1;
}

static int scan(struct stream *from, const char *format, va_list list) {
  int state = 0;
  va_list arguments;
  __builtin_va_copy(arguments, list);
  while (state >= 0 && *format) {
    int bytes = 4, wide = 0, width = 0, skipped = 0;
    void *to = (void *)0;
    char what = *format++;
    if (what != '%') {
      if (is_space(what))
        state = __attest_scan_space(state, from);
      else
        state = __attest_scan_same(state, from, (unsigned char)what);
      continue;
    }
    what = *format++;
    if (what == '*') {
      skipped = 1;
      what = *format++;
    }
    for (; is_digit(what, 10); what = *format++)
      width = width * 10 + (what - '0');
    for (; what == 'h'; what = *format++)
      bytes /= 2;
    for (; what == 'l'; what = *format++)
      bytes = wide++ ? 8 : sizeof(long);
    if (what == 'j' || what == 'z' || what == 't') {
      bytes = what == 'j' ? 8 : sizeof(void *);
      what = *format++;
    }
    if (what == '%') {
      state = __attest_scan_space(state, from);
      state = __attest_scan_same(state, from, '%');
      continue;
    }
    if (!skipped)
      to = __builtin_va_arg(arguments, void *);
    if (width && what != 's' && what != 'c')
      __attest_unsupported_scanf_conversion();
    /* What %i reads may be octal. */
    if (what == 'd' || what == 'u')
      state = __attest_scan_integer(state, from, to, bytes, 10);
    else if (what == 'x' || what == 'X')
      state = __attest_scan_integer(state, from, to, bytes, 16);
    else if (what == 'o' || what == 'i')
      state = __attest_scan_integer(state, from, to, bytes, 8);
    else if ((what == 'f' || what == 'e' || what == 'g' || what == 'E' || what == 'G') && wide < 2)
      state = __attest_scan_float(state, from, to, wide ? 8 : 4);
    else if (what == 's' && !wide)
      state = __attest_scan_text(state, from, to, width);
    else if (what == 'c' && !wide)
      state = __attest_scan_characters(state, from, to, width);
    else
      __attest_unsupported_scanf_conversion();
  }
  __builtin_va_end(arguments);
  return __attest_scan_end(state);
}

int scanf(const char *format, ...) {
  va_list arguments;
  int stored;
  __builtin_va_start(arguments, format);
  stored = scan(__attest_scan_from_input(), format, arguments);
  __builtin_va_end(arguments);
  return stored;
}

int __isoc99_scanf(const char *format, ...) {
  va_list arguments;
  int stored;
  __builtin_va_start(arguments, format);
  stored = scan(__attest_scan_from_input(), format, arguments);
  __builtin_va_end(arguments);
  return stored;
}

int __isoc23_scanf(const char *format, ...) {
  va_list arguments;
  int stored;
  __builtin_va_start(arguments, format);
  stored = scan(__attest_scan_from_input(), format, arguments);
  __builtin_va_end(arguments);
  return stored;
}

int fscanf(void *file, const char *format, ...) {
  va_list arguments;
  int stored;
  __builtin_va_start(arguments, format);
  stored = scan(__attest_scan_from(file), format, arguments);
  __builtin_va_end(arguments);
  return stored;
}

int __isoc99_fscanf(void *file, const char *format, ...) {
  va_list arguments;
  int stored;
  __builtin_va_start(arguments, format);
  stored = scan(__attest_scan_from(file), format, arguments);
  __builtin_va_end(arguments);
  return stored;
}

int __isoc23_fscanf(void *file, const char *format, ...) {
  va_list arguments;
  int stored;
  __builtin_va_start(arguments, format);
  stored = scan(__attest_scan_from(file), format, arguments);
  __builtin_va_end(arguments);
  return stored;
}

/* ---- string.h: messages, of which the longest that glibc has is shorter ---- */

char *strerror(int number) {
  static char text[64];
  int length = 0;
  while (length < 63) {
    int c = __attest_any_character();
    if (c <= 0 || c > 255)
      break;
    text[length++] = (char)c;
  }
  text[length] = 0;
  return text;
}

/* ---- stdlib.h: random numbers ---- */

int rand(void) {
  return __attest_any_random() & 0x7fffffff;
}

long random(void) {
  return __attest_any_random() & 0x7fffffff;
}

int rand_r(unsigned *seed) {
  *seed = (unsigned)__attest_any_random();
  return __attest_any_random() & 0x7fffffff;
}

void srand(unsigned seed) {
}

void srandom(unsigned seed) {
}

/* ---- time.h: the time, which may be set, and the processor's, which runs on ---- */

long time(long *now) {
  long seconds = (long)__attest_any_time();
  if (seconds < 0)
    seconds = -1;
  if (now)
    *now = seconds;
  return seconds;
}

long clock(void) {
  static long last;
  long ticks = (long)__attest_any_time();
  /* In 32 bits it comes round. */
  if (sizeof ticks < 8)
    return ticks;
  if (ticks < 0)
    return -1;
  if (ticks > last)
    last = ticks;
  return last;
}

unsigned sleep(unsigned seconds) {
  unsigned left = (unsigned)__attest_any_time();
  return left <= seconds ? left : 0;
}

int usleep(unsigned microseconds) {
  return succeeds();
}

/* ---- stdlib.h: sorting and searching ---- */

/* A comparison that changes nothing can only fail, or say which elements are equal. So all that an
 * implementation may compare beside these is compared first: of few elements each with each, as an
 * implementation may do, and of many any two in a run that is over then. The lowering refuses
 * comparison functions that have effects. */
typedef int (*order)(const void *, const void *);

enum { FEW = 16 };

/* Insertion sort, which puts equal elements anywhere among each other. Whole elements are moved,
 * so pointers in them stay. */
void qsort(void *array, size_t count, size_t size, order compare) {
  char *base = array;
  if (count < 2 || size == 0)
    return;
  if (count <= FEW) {
    for (size_t i = 0; i < count; i++)
      for (size_t j = 0; j < count; j++)
        compare(base + i * size, base + j * size);
  } else {
    unsigned long long left = __attest_any_element() - 1;
    if (left < count) {
      unsigned long long right = __attest_any_element();
      if (right < count)
        compare(base + (size_t)left * size, base + (size_t)right * size);
      __VERIFIER_assume(0);
    }
  }
  char spare[size];
  for (size_t i = 1; i < count; i++) {
    size_t to = i;
    while (to > 0) {
      int sign = compare(base + (to - 1) * size, base + i * size);
      if (sign < 0 || (sign == 0 && !__attest_any_choice()))
        break;
      to--;
    }
    if (to == i)
      continue;
    memcpy(spare, base + i * size, size);
    memmove(base + (to + 1) * size, base + to * size, (i - to) * size);
    memcpy(base + to * size, spare, size);
  }
}

/* Any element that is equal may be the result. */
void *bsearch(const void *key, const void *array, size_t count, size_t size, order compare) {
  const char *base = array;
  size_t low = 0, high = count, equal = 2;
  if (count <= FEW) {
    equal = 0;
    for (size_t i = 0; i < count; i++)
      if (compare(key, base + i * size) == 0)
        equal++;
  }
  if (equal > 1) {
    unsigned long long any = __attest_any_element() - 1;
    if (any < count) {
      const char *at = base + (size_t)any * size;
      if (compare(key, at) == 0)
        return (void *)at;
      __VERIFIER_assume(0);
    }
  }
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *at = base + middle * size;
    int sign = compare(key, at);
    if (sign == 0)
      return (void *)at;
    if (sign < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}
