/* Calls through pointers, for a sanitizer. FOUND is the status of a run with a finding. */

int open(const char *, int, ...);
int dprintf(int, const char *, ...);
char *getenv(const char *);
void _Exit(int) __attribute__((noreturn));
void __sanitizer_symbolize_pc(void *, const char *, char *, unsigned long);
void __asan_set_error_report_callback(void (*)(const char *));
static void *attest_last_call;
static int attest_report(void) {
  char name[4096], *base = getenv("ATTEST_REPORT");
  unsigned long i = 0, k = 0;
  while (base && base[i] && i < 4000) name[i] = base[i], i++;
  while (k < 5) name[i++] = ".own"[k++];
  return open(name, 01 | 0100 | 02000, 0600);
}
void __sanitizer_cov_trace_pc(void) {}
void __sanitizer_cov_trace_pc_indir(unsigned long callee) {
  attest_last_call = __builtin_return_address(0);
}
__attribute__((no_sanitize("address"))) static void attest_told(const char *report) {
  char text[4096];
  if (!attest_last_call) return;
  __sanitizer_symbolize_pc((char *)attest_last_call - 1, "#0 %p in %f %S", text, sizeof text);
  dprintf(attest_report(), "The last call through a pointer:\n    %s\n", text);
}
__attribute__((constructor)) static void attest_watch(void) {
  __asan_set_error_report_callback(attest_told);
}
__attribute__((weak, noreturn, no_sanitize("address"))) void
__ubsan_handle_function_type_mismatch_abort(void *data, unsigned long function) {
  struct { const char *file; unsigned line, column; } *at = data;
  dprintf(attest_report(),
          "%s:%u:%u: runtime error: call to function through pointer to incorrect function type\n",
          at->file, at->line, at->column);
  _Exit(FOUND);
}
