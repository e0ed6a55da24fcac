// Offers jobs for Swift's global executor to an exploration.
//
// The runtime calls `swift_task_enqueueGlobal_hook` in place of its own enqueue function and passes
// that function as an argument. Jobs that no exploration takes go to a hook installed earlier, or
// else to the runtime's function.

#include "CMoyaTesting.h"

#include <stddef.h>

#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*Enqueue)(void *job);
typedef SWIFT_CALL void (*EnqueueHook)(void *job, Enqueue original);

extern EnqueueHook swift_task_enqueueGlobal_hook;

typedef struct {
    void *identity;
    uintptr_t implementation;
} ExecutorReference;

extern SWIFT_CALL void swift_job_run(void *job, ExecutorReference executor);
extern SWIFT_CALL uint64_t swift_task_getJobTaskId(void *job);
extern SWIFT_CALL size_t swift_task_getJobFlags(void *job);

static MoyaTestingTake take_job;
static EnqueueHook earlier_hook;

static SWIFT_CALL void enqueue(void *job, Enqueue original) {
    if (take_job(job)) return;
    if (earlier_hook) earlier_hook(job, original);
    else original(job);
}

void moya_testing_install_hook(MoyaTestingTake take) {
    take_job = take;
    earlier_hook = swift_task_enqueueGlobal_hook;
    swift_task_enqueueGlobal_hook = enqueue;
}

static _Thread_local void *current;

void moya_testing_set_executor(void *executor) { current = executor; }

void *moya_testing_executor(void) { return current; }

void moya_testing_run_job(void *job) { swift_job_run(job, (ExecutorReference){NULL, 0}); }

uint64_t moya_testing_task_number(void *job) {
    // The lowest byte of the flags is the job's kind. Kind 0 is a task.
    return (swift_task_getJobFlags(job) & 0xff) == 0 ? swift_task_getJobTaskId(job) : 0;
}
