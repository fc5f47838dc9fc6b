/* expect: safe; stubs: posix.c process.c text.c */

/* What is printed is a text that fits and ends, whatever it is; a process that becomes another
   program has no end of its own to close anything at. */

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char name[16];
    int fd = open("a", O_RDONLY);
    if (fd < 0)
        return 1;
    name[15] = 'x';
    if (snprintf(name, sizeof name, "%f", 1.5) > 15 && name[15] != 0)
        return 2;
    if (fork() == 0) {
        execlp(name, name, (char *)0);
        _exit(3);
    }
    close(fd);
    return 0;
}
