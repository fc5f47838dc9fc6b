/* expect: unsafe; stubs: posix.c */

#include <stdio.h>

static int copy(const char *from, const char *to) {
    char line[4];
    FILE *in, *out;
    in = fopen(from, "r");
    if (!in)
        return 1;
    out = fopen(to, "w");
    if (!out)
        return 1;
    if (fread(line, 1, sizeof line, in) == sizeof line)
        fwrite(line, 1, sizeof line, out);
    fclose(out);
    fclose(in);
    return 0;
}

int main(void) {
    return copy("a", "b");
}
