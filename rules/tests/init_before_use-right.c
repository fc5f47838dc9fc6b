/* expect: safe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

struct job {
    struct completion done;
    int result;
};

int main(void) {
    struct job job;
    init_completion(&job.done);
    if (__VERIFIER_nondet_int()) {
        job.result = 1;
        complete(&job.done);
    }
    wait_for_completion(&job.done);
    return 0;
}
