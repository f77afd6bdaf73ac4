/* SPDX-License-Identifier: MIT
 *
 * The filter of system calls. docs/gpu-process.md says what needs each of them.
 */
#include "process/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/bytes.h"
#include "process/descriptors.h"

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#else
#define MACHINE 0
#endif

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

/* ---- The rules ---------------------------------------------------------------------------------------- */

enum condition {
    ALWAYS,
    EQUALS,   /* an argument of 32 bits is `value` */
    HAS_BITS, /* an argument has all bits of `value` */
    OWN,      /* an argument is the id of this process */
    IS_NULL,  /* an argument of 64 bits is 0 */
};

struct rule {
    int number;
    enum condition condition;
    uint8_t argument;
    uint32_t value;
};

#define ALLOW(name)                                                                                          \
    {                                                                                                        \
        .number = SYS_##name                                                                                 \
    }
#define ALLOW_IF(name, index, what)                                                                          \
    {                                                                                                        \
        .number = SYS_##name, .condition = EQUALS, .argument = (index), .value = (what)                      \
    }

static const struct rule allowed[] = {
  /* Memory; drivers that compile shaders make some of it executable. */
    ALLOW(mmap),
    ALLOW(munmap),
    ALLOW(mprotect),
    ALLOW(mremap),
    ALLOW(madvise),
    ALLOW(brk),
    ALLOW(mincore),
    ALLOW(membarrier),
    ALLOW(memfd_create),
    ALLOW(ftruncate),
    ALLOW(fallocate),
 /* Threads of this process, and waiting. */
    {.number = SYS_clone,  .condition = HAS_BITS, .value = CLONE_VM | CLONE_THREAD | CLONE_SIGHAND},
    ALLOW(set_robust_list),
    ALLOW(set_tid_address),
#ifdef SYS_rseq
    ALLOW(rseq),
#endif
    ALLOW(futex),
    ALLOW(exit),
    ALLOW(exit_group),
    ALLOW(sched_yield),
    ALLOW(sched_getaffinity),
    ALLOW(sched_getparam),
    ALLOW(sched_getscheduler),
    ALLOW(sched_get_priority_max),
    ALLOW(sched_get_priority_min),
    ALLOW(getcpu),
    ALLOW(gettid),
    ALLOW(getpid),
    ALLOW(rt_sigaction),
    ALLOW(rt_sigprocmask),
    ALLOW(rt_sigreturn),
    ALLOW(sigaltstack),
    ALLOW(restart_syscall),
    {.number = SYS_tgkill, .condition = OWN     },
    {.number = SYS_kill,    .condition = OWN                     },
    ALLOW_IF(prctl, 0, PR_SET_NAME),
    ALLOW_IF(prctl, 0, PR_GET_NAME),
    ALLOW_IF(prctl, 0, PR_SET_VMA),
 /* Time. */
    ALLOW(clock_gettime),
    ALLOW(clock_getres),
    ALLOW(clock_nanosleep),
    ALLOW(nanosleep),
    ALLOW(gettimeofday),
 /* Descriptors that are open. */
    ALLOW(read),
    ALLOW(write),
    ALLOW(writev),
    ALLOW(close),
    ALLOW(lseek),
    ALLOW(fstat),
    ALLOW(dup),
    ALLOW_IF(fcntl, 1, F_GETFD),
    ALLOW_IF(fcntl, 1, F_SETFD),
    ALLOW_IF(fcntl, 1, F_GETFL),
    ALLOW_IF(fcntl, 1, F_SETFL),
    ALLOW_IF(fcntl, 1, F_DUPFD_CLOEXEC),
    ALLOW_IF(fcntl, 1, F_ADD_SEALS),
    ALLOW_IF(fcntl, 1, F_GET_SEALS),
 /* Not sendmsg(), which sends descriptors: a user may have only so many on their way, and a process
  * could leave the user's other processes none. */
    {.number = SYS_sendto,       .condition = IS_NULL,                            .argument = 4                                                },
    ALLOW(recvmsg),
    ALLOW(ppoll),
    ALLOW(eventfd2),
 /* What the machine is. */
    ALLOW(getrandom),
    ALLOW(uname),
    ALLOW(sysinfo),
    ALLOW(getrusage),
    ALLOW(getuid),
    ALLOW(geteuid),
    ALLOW(getgid),
    ALLOW(getegid),
    {.number = SYS_prlimit64,       .condition = IS_NULL,                            .argument = 2                             },
#ifdef __x86_64__
    ALLOW(poll),
    ALLOW(arch_prctl),
    ALLOW(time),
#endif
};

/* GPUs are driven by ioctl on their device files. */
static const struct rule allowed_devices[] = {
    ALLOW(ioctl),
    ALLOW(epoll_create1),
    ALLOW(epoll_ctl),
    ALLOW(epoll_pwait),
#ifdef __x86_64__
    ALLOW(epoll_wait),
#endif
    ALLOW(sched_setscheduler),
    ALLOW(sched_setaffinity),
};

/* Of devices' drivers, calls that the broker of device files answers (process/device_files.h). */
static const int handed_over[] = {
    SYS_openat,
    SYS_newfstatat,
#ifdef __x86_64__
    SYS_open,
    SYS_stat,
#endif
};

/* What drivers try and do without when it fails: these fail as for a file that must not be opened. */
static const int refused[] = {
    SYS_openat,     SYS_openat2,  SYS_newfstatat, SYS_statx,         SYS_faccessat,
    SYS_readlinkat, SYS_unlinkat, SYS_mkdirat,    SYS_renameat2,     SYS_fchmodat,
    SYS_fchownat,   SYS_linkat,   SYS_symlinkat,  SYS_utimensat,     SYS_truncate,
    SYS_chdir,      SYS_statfs,   SYS_socket,     SYS_socketpair,    SYS_connect,
    SYS_bind,       SYS_listen,   SYS_accept4,    SYS_inotify_init1, SYS_flock,
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef __x86_64__
    SYS_open,       SYS_creat,    SYS_stat,       SYS_lstat,         SYS_access,
    SYS_readlink,   SYS_unlink,   SYS_mkdir,      SYS_rmdir,         SYS_rename,
    SYS_chmod,      SYS_chown,    SYS_link,       SYS_symlink,
#endif
};

/* What nothing but an attack calls. */
static const int fatal[] = {
    SYS_execve,  SYS_execveat, SYS_ptrace,          SYS_process_vm_readv, SYS_process_vm_writev,
    SYS_bpf,     SYS_mount,    SYS_umount2,         SYS_pivot_root,       SYS_chroot,
    SYS_setns,   SYS_unshare,  SYS_init_module,     SYS_finit_module,     SYS_kexec_load,
    SYS_add_key, SYS_keyctl,   SYS_perf_event_open, SYS_userfaultfd,      SYS_reboot,
};

/* ---- The filter --------------------------------------------------------------------------------------- */

#define MOST_INSTRUCTIONS 1024

struct program {
    struct sock_filter code[MOST_INSTRUCTIONS];
    uint16_t count;
};

#define DATA(member) ((uint32_t)offsetof(struct seccomp_data, member))
#define ARGUMENT_LOW(index) (DATA(args) + 8u * (uint32_t)(index))

static void add(struct program *program, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false)
{
    if (program->count < MOST_INSTRUCTIONS)
        program->code[program->count++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(struct program *program, uint32_t offset)
{
    add(program, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0);
}

static void answer(struct program *program, uint32_t what)
{
    add(program, BPF_RET | BPF_K, what, 0, 0);
}

static void add_number(struct program *program, int number, uint32_t what)
{
    add(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1);
    answer(program, what);
}

/* Allows the call when its argument is as the rule says, else goes on with the next rule, which finds the
 * number loaded. */
static void add_conditional(struct program *program, const struct rule *rule)
{
    const uint32_t value = rule->condition == OWN ? (uint32_t)getpid() : rule->value;
    const uint8_t more = rule->condition == HAS_BITS ? 1 : rule->condition == IS_NULL ? 2 : 0;
    add(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)rule->number, 0, (uint8_t)(4 + more));
    load(program, ARGUMENT_LOW(rule->argument));
    if (rule->condition == HAS_BITS)
        add(program, BPF_ALU | BPF_AND | BPF_K, value, 0, 0);
    if (rule->condition == IS_NULL) {
        add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
        load(program, ARGUMENT_LOW(rule->argument) + 4);
    }
    add(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    answer(program, SECCOMP_RET_ALLOW);
    load(program, DATA(nr));
}

static void add_rules(struct program *program, const struct rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rules[i].condition == ALWAYS)
            add_number(program, rules[i].number, SECCOMP_RET_ALLOW);
        else
            add_conditional(program, &rules[i]);
    }
}

static void build(struct program *program, enum agpu_sandbox sandbox)
{
    load(program, DATA(arch));
    add(program, BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0);
    answer(program, SECCOMP_RET_KILL_PROCESS);
    load(program, DATA(nr));
#ifdef __x86_64__
    add(program, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); /* the x32 calls, which have other numbers */
    answer(program, SECCOMP_RET_KILL_PROCESS);
#endif
    add_rules(program, allowed, AG_COUNT_OF(allowed));
    if (sandbox == AGPU_SANDBOX_DEVICES) {
        add_rules(program, allowed_devices, AG_COUNT_OF(allowed_devices));
        for (size_t i = 0; i < AG_COUNT_OF(handed_over); i++)
            add_number(program, handed_over[i], SECCOMP_RET_TRAP);
    }
    for (size_t i = 0; i < AG_COUNT_OF(refused); i++)
        add_number(program, refused[i], SECCOMP_RET_ERRNO | EACCES);
    for (size_t i = 0; i < AG_COUNT_OF(fatal); i++)
        add_number(program, fatal[i], SECCOMP_RET_KILL_PROCESS);
    /* As on a kernel that lacks the call: libraries then do with an older one. clone3, whose flags a filter
     * cannot see, becomes clone so. */
    answer(program, SECCOMP_RET_ERRNO | ENOSYS);
}

bool ag_sandbox_enter(enum agpu_sandbox sandbox)
{
    if (sandbox == AGPU_SANDBOX_NONE)
        return true;
    if (MACHINE == 0)
        return false;
    struct program program = {.count = 0};
    build(&program, sandbox);
    const struct sock_fprog filter = {program.count, program.code};
    return program.count < MOST_INSTRUCTIONS && prctl(PR_SET_DUMPABLE, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0;
}

/* ---- Before the driver is opened ---------------------------------------------------------------------- */

static bool drop_capabilities(void)
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
    memset(none, 0, sizeof none);
    return syscall(SYS_capset, &head, none) == 0;
}

static void close_others(void)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, AG_SOCKET_DESCRIPTOR + 1, UINT32_MAX, 0) == 0)
        return;
#endif
    const long most = sysconf(_SC_OPEN_MAX);
    for (int i = AG_SOCKET_DESCRIPTOR + 1; i < (most > 0 && most < 65536 ? most : 65536); i++)
        close(i);
}

bool ag_sandbox_prepare(void)
{
    const struct rlimit no_core = {0, 0};
    close_others();
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           setrlimit(RLIMIT_CORE, &no_core) == 0 && drop_capabilities();
}

bool ag_sandbox_limit(uint64_t address_space_bytes, uint32_t processor_seconds)
{
    const struct rlimit addresses = {address_space_bytes, address_space_bytes};
    const struct rlimit time = {processor_seconds, processor_seconds};
    return (address_space_bytes == 0 || setrlimit(RLIMIT_AS, &addresses) == 0) &&
           (processor_seconds == 0 || setrlimit(RLIMIT_CPU, &time) == 0);
}
