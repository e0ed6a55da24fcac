// A QEMU plugin that counts executed instructions and system calls, and writes "instructions calls"
// to the file in $INSTRUCTIONS. QEMU's packages do not contain the header with these declarations
// (include/qemu/qemu-plugin.h).
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int flags, void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
void qemu_plugin_register_vcpu_syscall_cb(plugin_id, void (*)(plugin_id, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));
void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);

int qemu_plugin_version = 1;

static uint64_t instructions, calls;

static void execute(unsigned cpu, void *count) {
    __atomic_fetch_add(&instructions, (uintptr_t)count, __ATOMIC_RELAXED);
}

static void translate(plugin_id id, struct qemu_plugin_tb *block) {
    uintptr_t count = qemu_plugin_tb_n_insns(block);
    qemu_plugin_register_vcpu_tb_exec_cb(block, execute, 0, (void *)count);
}

static void call(plugin_id id, unsigned cpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h) {
    // Without QEMU, reading the clock is not a system call.
    if (number != SYS_clock_gettime) __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
}

static void finish(plugin_id id, void *data) {
    const char *path = getenv("INSTRUCTIONS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%llu %llu\n", (unsigned long long)instructions, (unsigned long long)calls);
    fclose(file);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_vcpu_syscall_cb(id, call);
    qemu_plugin_register_atexit_cb(id, finish, NULL);
    return 0;
}
