/* SPDX-License-Identifier: MIT */
#include "process/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "process/descriptors.h"

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

/* ---- Shared memory ------------------------------------------------------------------------------------ */

int ag_shared_memory_create(void)
{
    const int descriptor = memfd_create("aerogpu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0)
        return -1;
    if (ftruncate(descriptor, AG_SHARED_BYTES) == 0 && fcntl(descriptor, F_ADD_SEALS, SEALS) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

uint8_t *ag_shared_memory_map(int descriptor)
{
    struct stat status;
    const int seals = fcntl(descriptor, F_GET_SEALS);
    if (seals < 0 || (seals & SEALS) != SEALS || fstat(descriptor, &status) != 0 ||
        (uint64_t)status.st_size != AG_SHARED_BYTES)
        return NULL;
    void *const memory = mmap(NULL, AG_SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

void ag_shared_memory_unmap(uint8_t *memory)
{
    if (memory != NULL)
        munmap(memory, AG_SHARED_BYTES);
}

/* ---- The channel -------------------------------------------------------------------------------------- */

void ag_channel_init(struct ag_channel *channel, int socket, uint8_t *shared, bool is_gpu_process)
{
    *channel = (struct ag_channel){
        .socket = socket,
        .is_gpu_process = is_gpu_process,
        .out = shared + (is_gpu_process ? AG_RING_BYTES : 0),
        .in = shared + (is_gpu_process ? 0 : AG_RING_BYTES),
    };
}

uint8_t *ag_channel_reserve(struct ag_channel *channel, struct ag_message *message, uint32_t size)
{
    uint64_t at = channel->written;
    if (channel->written == channel->released) /* the start of the ring, which is in the processor's caches */
        at = (at + AG_RING_BYTES - 1) / AG_RING_BYTES * AG_RING_BYTES;
    if (at % AG_RING_BYTES + size > AG_RING_BYTES)
        at += AG_RING_BYTES - at % AG_RING_BYTES;
    if (at + size - channel->released > AG_RING_BYTES && channel->written != channel->released)
        return NULL;
    message->size = size;
    message->position = at;
    return channel->out + at % AG_RING_BYTES;
}

static enum ag_channel_result result_of_error(void)
{
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ENOBUFS || errno == ENOMEM)
        return AG_CHANNEL_LATER;
    return AG_CHANNEL_CLOSED;
}

static enum ag_channel_result send_head(struct ag_channel *channel, struct ag_message *message,
                                        struct msghdr *head)
{
    const int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
    struct iovec part = {.iov_base = message, .iov_len = sizeof *message};
    message->acknowledged = channel->consumed;
    head->msg_iov = &part;
    head->msg_iovlen = 1;
    /* The GPU process may not call sendmsg() (sandbox.c). */
    const ssize_t sent = head->msg_controllen != 0 ? sendmsg(channel->socket, head, flags)
                                                   : send(channel->socket, message, sizeof *message, flags);
    if (sent < 0)
        return result_of_error();
    if ((size_t)sent != sizeof *message)
        return AG_CHANNEL_CLOSED;
    channel->acknowledged = message->acknowledged;
    if (message->size != 0)
        channel->written = message->position + message->size;
    return AG_CHANNEL_DONE;
}

enum ag_channel_result ag_channel_send(struct ag_channel *channel, struct ag_message *message)
{
    struct msghdr head = {0};
    return send_head(channel, message, &head);
}

/* Room for the control message with descriptors, aligned as such messages are. */
union descriptor_room {
    struct cmsghdr head;
    uint8_t bytes[CMSG_SPACE(AG_DESCRIPTORS * sizeof(int))];
};

enum ag_channel_result ag_channel_send_descriptors(struct ag_channel *channel, struct ag_message *message,
                                                   const int *descriptors, uint32_t count)
{
    union descriptor_room room = {0};
    struct msghdr head = {.msg_control = &room, .msg_controllen = CMSG_SPACE(count * sizeof(int))};
    struct cmsghdr *const control = CMSG_FIRSTHDR(&head);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(control), descriptors, count * sizeof(int));
    return send_head(channel, message, &head);
}

static enum ag_channel_result receive_head(int socket, struct ag_message *message, struct msghdr *head)
{
    struct iovec part = {.iov_base = message, .iov_len = sizeof *message};
    head->msg_iov = &part;
    head->msg_iovlen = 1;
    const ssize_t got = recvmsg(socket, head, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0)
        return result_of_error();
    if (got == 0)
        return AG_CHANNEL_CLOSED;
    return (size_t)got == sizeof *message && (head->msg_flags & MSG_TRUNC) == 0 ? AG_CHANNEL_DONE
                                                                                : AG_CHANNEL_BROKEN;
}

static bool takes_acknowledgement(struct ag_channel *channel, uint64_t acknowledged)
{
    if (acknowledged < channel->released || acknowledged > channel->written)
        return false;
    channel->released = acknowledged;
    return true;
}

enum ag_channel_result ag_channel_receive(struct ag_channel *channel, struct ag_message *message)
{
    struct msghdr head = {0}; /* without room for descriptors, which the kernel then drops */
    const enum ag_channel_result result = receive_head(channel->socket, message, &head);
    if (result != AG_CHANNEL_DONE)
        return result;
    if (!ag_message_is_valid(message, !channel->is_gpu_process) ||
        !ag_range_fits(message->position % AG_RING_BYTES, message->size, AG_RING_BYTES) ||
        !takes_acknowledgement(channel, message->acknowledged))
        return AG_CHANNEL_BROKEN;
    return AG_CHANNEL_DONE;
}

enum ag_channel_result ag_channel_receive_descriptors(int socket, struct ag_message *message,
                                                      int *descriptors, uint32_t *count)
{
    union descriptor_room room = {0};
    struct msghdr head = {.msg_control = &room, .msg_controllen = sizeof room};
    const uint32_t most = *count;
    *count = 0;
    const enum ag_channel_result result = receive_head(socket, message, &head);
    if (result == AG_CHANNEL_LATER || result == AG_CHANNEL_CLOSED)
        return result;
    struct cmsghdr *const control = CMSG_FIRSTHDR(&head);
    if (control != NULL && control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_RIGHTS &&
        control->cmsg_len >= CMSG_LEN(0)) {
        const size_t bytes = control->cmsg_len - CMSG_LEN(0);
        *count = bytes / sizeof(int) <= most ? (uint32_t)(bytes / sizeof(int)) : most;
        memcpy(descriptors, CMSG_DATA(control), *count * sizeof(int));
    }
    return result == AG_CHANNEL_DONE && ag_message_is_valid(message, false) ? AG_CHANNEL_DONE
                                                                            : AG_CHANNEL_BROKEN;
}

const uint8_t *ag_channel_bytes(const struct ag_channel *channel, const struct ag_message *message)
{
    return channel->in + message->position % AG_RING_BYTES;
}

void ag_channel_consume(struct ag_channel *channel, const struct ag_message *message)
{
    if (message->size != 0)
        channel->consumed = message->position + message->size;
}

bool ag_channel_owes_acknowledgement(const struct ag_channel *channel)
{
    return channel->consumed - channel->acknowledged >= AG_RING_BYTES / 4;
}

bool ag_channel_is_closed(const struct ag_channel *channel)
{
    struct pollfd ready = {.fd = channel->socket, .events = POLLRDHUP};
    return poll(&ready, 1, 0) > 0;
}

void ag_channel_wait_writable(const struct ag_channel *channel)
{
    struct pollfd ready = {.fd = channel->socket, .events = POLLOUT};
    poll(&ready, 1, -1);
}

bool ag_channel_wait(const struct ag_channel *channel, uint64_t most_ns)
{
    struct pollfd ready = {.fd = channel->socket, .events = POLLIN};
    const struct timespec most = {(time_t)(most_ns / UINT64_C(1000000000)),
                                  (long)(most_ns % UINT64_C(1000000000))};
    return ppoll(&ready, 1, most_ns != UINT64_MAX ? &most : NULL, NULL) > 0;
}
