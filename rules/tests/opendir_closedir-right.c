/* expect: safe; stubs: posix.c */

#include <dirent.h>

extern int __VERIFIER_nondet_int(void);

static int count(const char *path) {
    int n = 0;
    DIR *directory = opendir(path);
    if (!directory)
        return -1;
    while (readdir(directory)) {
        n++;
        if (n == 100)
            break;
    }
    closedir(directory);
    return n;
}

int main(void) {
    return count("a") == count("b");
}
