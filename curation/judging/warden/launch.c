/* Makes a list of calls in a child of vfork, the last of which starts a program. See launch.py, whose structures these
   are. The child borrows the memory of its parent, which waits until the program has started or the child has ended. */

#include <errno.h>
#include <unistd.h>

struct call {
    long (*function)(long, long, long, long, long, long);
    long arguments[6];
    long may_fail;
};

struct report {
    int failed;
    int call;
    int error;
};

int launch(const struct call *calls, long count, struct report *report)
{
    pid_t child = vfork();
    if (child != 0)
        return child;
    for (long at = 0; at < count; at++) {
        const long *given = calls[at].arguments;
        /* Most of these functions return an int, which leaves the upper half of a long undefined. */
        if ((int)calls[at].function(given[0], given[1], given[2], given[3], given[4], given[5]) >= 0)
            continue;
        report->call = at;
        report->error = errno;
        if (!calls[at].may_fail)
            break;
    }
    report->failed = 1;
    _exit(127);
}
