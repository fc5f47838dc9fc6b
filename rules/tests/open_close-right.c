/* expect: safe; stubs: posix.c */

#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char byte;
    int out, in = open("in", O_RDONLY);
    if (in < 0)
        return 1;
    out = open("out", O_WRONLY | O_CREAT, 0600);
    if (out < 0) {
        close(in);
        return 1;
    }
    while (read(in, &byte, 1) == 1)
        if (write(out, &byte, 1) != 1)
            break;
    close(out);
    close(in);
    return 0;
}
