#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Whether an exploration takes `job`.
typedef bool (*MoyaTestingTake)(void *job);

/// Asks `take` about each job that Swift's runtime enqueues on its global executor from here on.
void moya_testing_install_hook(MoyaTestingTake take);

/// Makes the executor at `executor` take the jobs that this thread enqueues. `NULL` ends that.
void moya_testing_set_executor(void *executor);

/// The executor of this thread, or `NULL`.
void *moya_testing_executor(void);

/// Runs a job of the global executor on this thread.
void moya_testing_run_job(void *job);

/// The number of the task that `job` belongs to. No two tasks of a process have the same. 0 where the job is not a task, but
/// work of the runtime's own, such as the turn of an actor.
uint64_t moya_testing_task_number(void *job);
