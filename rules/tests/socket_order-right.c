/* expect: safe; stubs: posix.c */

#include <sys/socket.h>
#include <unistd.h>

static int serve(void) {
    struct sockaddr address = {0};
    int client, server = socket(AF_INET, SOCK_STREAM, 0);
    if (server < 0)
        return 1;
    if (bind(server, &address, sizeof address) == 0 && listen(server, 4) == 0) {
        while ((client = accept(server, 0, 0)) >= 0)
            close(client);
    }
    close(server);
    return 0;
}

int main(void) {
    return serve();
}
