/* expect: unsafe; stubs: posix.c process.c */

/* A line has any number in it, and the child forgets the descriptor if its program is not found. */

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char line[16];
    int fd = open("a", O_RDONLY), wanted = 0;
    if (fd < 0)
        return 1;
    if (fgets(line, sizeof line, stdin) && sscanf(line, "%d", &wanted) == 1 && wanted == 3125)
        if (fork() == 0) {
            execlp("a", "a", (char *)0);
            return 2;
        }
    close(fd);
    return 0;
}
