#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Returns whether an exploration takes `job`.
typedef bool (*MoyaTestingTake)(void *job);

/// Installs a hook, through which the Swift runtime offers each job for its global executor to
/// `take`. Call it once.
void moya_testing_install_hook(MoyaTestingTake take);

/// Sets the executor that takes the jobs this thread enqueues. `NULL` removes it.
void moya_testing_set_executor(void *executor);

/// Returns the executor of this thread, or `NULL`.
void *moya_testing_executor(void);

/// Runs a job of the global executor on this thread.
void moya_testing_run_job(void *job);

/// Returns the identifier of the task to which `job` belongs, unique in the process. 0 for a job
/// without a task, such as a job that drains an actor's queue.
uint64_t moya_testing_task_number(void *job);
