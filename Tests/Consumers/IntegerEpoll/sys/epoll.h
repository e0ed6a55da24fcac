// <sys/epoll.h> in the style of musl and Bionic: the constants are integer macros. In glibc they are
// an enumeration.
#ifndef MOYA_INTEGER_EPOLL_H
#define MOYA_INTEGER_EPOLL_H

#include <fcntl.h>
#include <stdint.h>

#define EPOLL_CLOEXEC O_CLOEXEC

#define EPOLLIN 0x001
#define EPOLLOUT 0x004
#define EPOLLERR 0x008
#define EPOLLHUP 0x010
#define EPOLLET (1U << 31)

#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3

typedef union epoll_data {
    void *ptr;
    int fd;
    uint32_t u32;
    uint64_t u64;
} epoll_data_t;

struct epoll_event {
    uint32_t events;
    epoll_data_t data;
}
#ifdef __x86_64__
__attribute__((__packed__))
#endif
;

int epoll_create1(int);
int epoll_ctl(int, int, int, struct epoll_event *);
int epoll_wait(int, struct epoll_event *, int, int);

#endif
