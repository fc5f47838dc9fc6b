/* expect: unsafe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

struct job {
    struct completion done;
    int result;
};

int main(void) {
    struct job job;
    if (__VERIFIER_nondet_int() > 0)
        init_completion(&job.done);
    complete(&job.done);
    return 0;
}
