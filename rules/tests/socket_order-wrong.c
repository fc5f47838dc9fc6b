/* expect: unsafe; stubs: posix.c */

#include <sys/socket.h>
#include <unistd.h>

static int serve(void) {
    struct sockaddr address = {0};
    int server = socket(AF_INET, SOCK_STREAM, 0);
    if (server < 0)
        return 1;
    bind(server, &address, sizeof address);
    if (listen(server, 4) == 0)
        accept(server, 0, 0);
    close(server);
    return 0;
}

int main(void) {
    return serve();
}
