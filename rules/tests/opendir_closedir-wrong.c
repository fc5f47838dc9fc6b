/* expect: unsafe; stubs: posix.c */

#include <dirent.h>

extern int __VERIFIER_nondet_int(void);

static int is_empty(const char *path) {
    DIR *directory = opendir(path);
    if (!directory)
        return -1;
    if (readdir(directory))
        return 0;
    closedir(directory);
    return 1;
}

int main(void) {
    return is_empty("a");
}
