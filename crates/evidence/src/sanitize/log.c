/* The libraries of gcc are two, of which the second does not read where to write. */

void *dlopen(const char *, int);
void *dlsym(void *, const char *);
char *getenv(const char *);
__attribute__((constructor)) static void attest_log(void) {
  void *library = dlopen("libubsan.so.1", 1 | 4);
  void (*set)(const char *) = 0;
  if (library) set = (void (*)(const char *))dlsym(library, "__sanitizer_set_report_path");
  if (set && getenv("ATTEST_REPORT")) set(getenv("ATTEST_REPORT"));
}
