/* expect: unsafe; stubs: posix.c process.c text.c */

/* The child forgets the descriptor if its program is not found. */

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char name[16];
    int fd = open("a", O_RDONLY);
    if (fd < 0)
        return 1;
    if (snprintf(name, sizeof name, "%d", fd) < 16 && fork() == 0) {
        execlp(name, name, (char *)0);
        return 2;
    }
    close(fd);
    return 0;
}
