/* SPDX-License-Identifier: MIT
 *
 * Resources and fences that two processes have, each with a host of its own: this program starts itself
 * again for the other side of each test. The two take turns by bytes on pipes.
 */
#include "runtime.h"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guest/d3d11/link.h"

#define BLUE 0xFFFF0000u

static const FLOAT red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1}, blue[4] = {0, 0, 1, 1};

/* ---- Two processes ------------------------------------------------------------------------------------- */

static int said = -1, heard = -1; /* this side's ends */
static pid_t other;
static char *program, *driver;

static void say_bytes(const void *bytes, size_t size)
{
    assert_int_equal(write(said, bytes, size), size);
}

static void hear_bytes(void *bytes, size_t size)
{
    assert_int_equal(read(heard, bytes, size), size);
}

static void say(char word)
{
    say_bytes(&word, 1);
}

static void hear(char word)
{
    char got = 0;
    hear_bytes(&got, 1);
    assert_int_equal(got, word);
}

/* The other side finds its ends as descriptors 100 and 101. */
static void start(const char *side)
{
    char *const arguments[] = {program, driver, (char *)(uintptr_t)side, NULL};
    extern char **environ;
    posix_spawn_file_actions_t actions;
    int there[2], back[2];
    assert_int_equal(pipe(there), 0);
    assert_int_equal(pipe(back), 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, there[0], 100);
    posix_spawn_file_actions_adddup2(&actions, back[1], 101);
    posix_spawn_file_actions_addclose(&actions, there[0]);
    posix_spawn_file_actions_addclose(&actions, there[1]);
    posix_spawn_file_actions_addclose(&actions, back[0]);
    posix_spawn_file_actions_addclose(&actions, back[1]);
    assert_int_equal(posix_spawn(&other, "/proc/self/exe", &actions, NULL, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(there[0]);
    close(back[1]);
    said = there[1];
    heard = back[0];
}

static void finish(int status)
{
    int got;
    close(said);
    close(heard);
    assert_int_equal(waitpid(other, &got, 0), other);
    if (status == SIGKILL)
        assert_true(WIFSIGNALED(got) && WTERMSIG(got) == SIGKILL);
    else
        assert_true(WIFEXITED(got) && WEXITSTATUS(got) == status);
}

/* ---- Resources ----------------------------------------------------------------------------------------- */

static void say_number(void *object)
{
    const HANDLE handle = number_of(object);
    say_bytes(&handle, sizeof handle);
}

static HRESULT open_heard(REFIID iid, void **out)
{
    HANDLE handle;
    hear_bytes(&handle, sizeof handle);
    return ID3D11Device_OpenSharedResource(device, handle, iid, out);
}

static ID3D11Texture2D *opened_texture(void)
{
    ID3D11Texture2D *texture;
    assert_int_equal(open_heard(&IID_ID3D11Texture2D, (void **)&texture), S_OK);
    return texture;
}

static void clear(ID3D11Texture2D *texture, const FLOAT colour[4])
{
    ID3D11RenderTargetView *view;
    assert_int_equal(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)texture, NULL, &view),
                     S_OK);
    ID3D11DeviceContext_ClearRenderTargetView(context, view, colour);
    ID3D11RenderTargetView_Release(view);
}

static void clear_and_flush(ID3D11Texture2D *texture, const FLOAT colour[4])
{
    clear(texture, colour);
    ID3D11DeviceContext_Flush(context);
}

/* ---- Flush() gives, whatever comes next takes --------------------------------------------------------- */

static void flushes_are_seen(void **state)
{
    (void)state;
    ID3D11Texture2D *mine = runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED);
    start("flushes");
    clear_and_flush(mine, red);
    say_number(mine);
    hear('r');
    clear_and_flush(mine, green);
    say('g');
    hear('b');
    assert_int_equal(runtime_texel(context, mine, 3, 3), BLUE);
    /* Both write parts of it, and neither waits for the other. */
    static const UINT texels[2] = {0xFF010203, 0xFF040506};
    const D3D11_BOX box = {0, 0, 0, 2, 1, 1};
    ID3D11DeviceContext_UpdateSubresource(context, (ID3D11Resource *)mine, 0, &box, texels, 8, 0);
    say('p');
    hear('p');
    ID3D11DeviceContext_Flush(context);
    say('f');
    hear('f');
    assert_int_equal(runtime_texel(context, mine, 0, 0), texels[0]);
    assert_int_equal(runtime_texel(context, mine, 1, 0), texels[1]);
    assert_int_equal(runtime_texel(context, mine, 5, 5), RED);
    assert_int_equal(runtime_texel(context, mine, 6, 5), BLUE);
    say('e');
    finish(0);
    assert_int_equal(runtime_texel(context, mine, 5, 5), RED);
    clear_and_flush(mine, green);
    assert_int_equal(runtime_texel(context, mine, 5, 5), GREEN);
    ID3D11Texture2D_Release(mine);
}

static void other_flushes(void **state)
{
    (void)state;
    ID3D11Texture2D *theirs = opened_texture();
    D3D11_TEXTURE2D_DESC desc, wanted = texture_desc(D3D11_BIND_RENDER_TARGET);
    wanted.MiscFlags = D3D11_RESOURCE_MISC_SHARED;
    ID3D11Texture2D_GetDesc(theirs, &desc);
    assert_memory_equal(&desc, &wanted, sizeof desc);
    assert_int_equal(runtime_texel(context, theirs, 3, 3), RED);
    say('r');
    hear('g');
    assert_int_equal(runtime_texel(context, theirs, 3, 3), GREEN);
    clear_and_flush(theirs, blue);
    say('b');
    hear('p');
    static const UINT texel = RED;
    const D3D11_BOX box = {5, 5, 0, 6, 6, 1};
    ID3D11DeviceContext_UpdateSubresource(context, (ID3D11Resource *)theirs, 0, &box, &texel, 4, 0);
    say('p');
    hear('f');
    ID3D11DeviceContext_Flush(context);
    say('f');
    hear('e');
    assert_int_equal(runtime_texel(context, theirs, 0, 0), 0xFF010203);
    assert_int_equal(runtime_texel(context, theirs, 5, 5), RED);
    ID3D11Texture2D_Release(theirs);
}

/* ---- The keyed mutex gives and takes ------------------------------------------------------------------- */

static void mutexes_carry_contents(void **state)
{
    (void)state;
    ID3D11Texture2D *mine = runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX);
    IDXGIKeyedMutex *mutex = interface_of(mine, &IID_IDXGIKeyedMutex);
    start("mutexes");
    /* Before anybody has opened it. */
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(mutex, 0, 0), S_OK);
    clear(mine, red);
    say_number(mine);
    hear('t');
    assert_int_equal(IDXGIKeyedMutex_ReleaseSync(mutex, 7), S_OK);
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(mutex, 8, 60000), S_OK);
    assert_int_equal(runtime_texel(context, mine, 3, 3), GREEN);
    clear(mine, blue);
    assert_int_equal(IDXGIKeyedMutex_ReleaseSync(mutex, 9), S_OK);
    /* The other one has acquired it, and is killed. */
    hear('9');
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(mutex, 9, 20), WAIT_TIMEOUT);
    kill(other, SIGKILL);
    finish(SIGKILL);
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(mutex, 4, INFINITE), WAIT_ABANDONED);
    assert_int_equal(IDXGIKeyedMutex_ReleaseSync(mutex, 5), S_OK);
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(mutex, 5, 0), S_OK);
    assert_int_equal(runtime_texel(context, mine, 3, 3), BLUE);
    IDXGIKeyedMutex_ReleaseSync(mutex, 0);
    IDXGIKeyedMutex_Release(mutex);
    ID3D11Texture2D_Release(mine);
}

static void other_mutexes(void **state)
{
    (void)state;
    ID3D11Texture2D *theirs = opened_texture();
    IDXGIKeyedMutex *mutex = interface_of(theirs, &IID_IDXGIKeyedMutex);
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(mutex, 7, 20), WAIT_TIMEOUT);
    assert_int_equal(IDXGIKeyedMutex_ReleaseSync(mutex, 7), DXGI_ERROR_INVALID_CALL);
    say('t');
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(mutex, 7, 60000), S_OK);
    assert_int_equal(runtime_texel(context, theirs, 3, 3), RED);
    clear(theirs, green);
    assert_int_equal(IDXGIKeyedMutex_ReleaseSync(mutex, 8), S_OK);
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(mutex, 9, 60000), S_OK);
    assert_int_equal(runtime_texel(context, theirs, 3, 3), BLUE);
    say('9');
    for (;;)
        pause();
}

/* ---- Every kind of resource ---------------------------------------------------------------------------- */

#define LAYERS 2u
#define MIPS 3u
#define VOLUME_SIDE 4u

static UINT value_of(UINT subresource, UINT index)
{
    return subresource * 1000 + index + 1;
}

static void make_values(UINT *values, UINT subresource, UINT count)
{
    for (UINT i = 0; i < count; i++)
        values[i] = value_of(subresource, i);
}

static ID3D11Resource *made_array(void)
{
    static UINT values[LAYERS * MIPS][SIDE * SIDE];
    D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_SHADER_RESOURCE);
    D3D11_SUBRESOURCE_DATA data[LAYERS * MIPS];
    ID3D11Resource *made;
    desc.MiscFlags = D3D11_RESOURCE_MISC_SHARED;
    desc.MipLevels = MIPS;
    desc.ArraySize = LAYERS;
    desc.Format = DXGI_FORMAT_R32_UINT;
    for (UINT i = 0; i < LAYERS * MIPS; i++) {
        make_values(values[i], i, SIDE * SIDE);
        data[i] = (D3D11_SUBRESOURCE_DATA){values[i], (SIDE >> i % MIPS) * 4, 0};
    }
    assert_int_equal(ID3D11Device_CreateTexture2D(device, &desc, data, (ID3D11Texture2D **)&made), S_OK);
    return made;
}

static ID3D11Resource *made_volume(void)
{
    UINT values[VOLUME_SIDE * VOLUME_SIDE * VOLUME_SIDE];
    const D3D11_TEXTURE3D_DESC desc = {.Width = VOLUME_SIDE,
                                       .Height = VOLUME_SIDE,
                                       .Depth = VOLUME_SIDE,
                                       .MipLevels = 1,
                                       .Format = DXGI_FORMAT_R32_UINT,
                                       .BindFlags = D3D11_BIND_SHADER_RESOURCE,
                                       .MiscFlags = D3D11_RESOURCE_MISC_SHARED};
    const D3D11_SUBRESOURCE_DATA data = {values, VOLUME_SIDE * 4, VOLUME_SIDE * VOLUME_SIDE * 4};
    ID3D11Resource *made;
    make_values(values, 0, VOLUME_SIDE * VOLUME_SIDE * VOLUME_SIDE);
    assert_int_equal(ID3D11Device_CreateTexture3D(device, &desc, &data, (ID3D11Texture3D **)&made), S_OK);
    return made;
}

static ID3D11Resource *made_blocks(void)
{
    UINT values[SIDE / 4 * (SIDE / 4) * 2];
    D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_SHADER_RESOURCE);
    const D3D11_SUBRESOURCE_DATA data = {values, SIDE / 4 * 8, 0};
    ID3D11Resource *made;
    desc.MiscFlags = D3D11_RESOURCE_MISC_SHARED;
    desc.Format = DXGI_FORMAT_BC1_UNORM;
    make_values(values, 0, sizeof values / 4);
    assert_int_equal(ID3D11Device_CreateTexture2D(device, &desc, &data, (ID3D11Texture2D **)&made), S_OK);
    return made;
}

static ID3D11Resource *made_buffer(void)
{
    UINT values[25];
    const D3D11_BUFFER_DESC desc = {.ByteWidth = sizeof values,
                                    .BindFlags = D3D11_BIND_SHADER_RESOURCE,
                                    .MiscFlags =
                                        D3D11_RESOURCE_MISC_SHARED | D3D11_RESOURCE_MISC_BUFFER_STRUCTURED,
                                    .StructureByteStride = 20};
    const D3D11_SUBRESOURCE_DATA data = {.pSysMem = values};
    ID3D11Resource *made;
    make_values(values, 0, 25);
    assert_int_equal(ID3D11Device_CreateBuffer(device, &desc, &data, (ID3D11Buffer **)&made), S_OK);
    return made;
}

static void all_kinds_are_shared(void **state)
{
    (void)state;
    ID3D11Resource *made[] = {made_array(), made_volume(), made_blocks(), made_buffer()};
    start("kinds");
    for (unsigned i = 0; i < 4; i++)
        say_number(made[i]);
    hear('e');
    finish(0);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(ID3D11Resource_Release(made[i]), 0);
}

/* Rows of words that count up. */
static void check_values(ID3D11Resource *staging, UINT subresource, UINT words, UINT rows, UINT slices)
{
    D3D11_MAPPED_SUBRESOURCE mapped;
    UINT index = 0;
    assert_int_equal(ID3D11DeviceContext_Map(context, staging, subresource, D3D11_MAP_READ, 0, &mapped),
                     S_OK);
    for (UINT slice = 0; slice < slices; slice++)
        for (UINT row = 0; row < rows; row++)
            for (UINT word = 0; word < words; word++) {
                UINT got;
                memcpy(&got,
                       (const uint8_t *)mapped.pData + (size_t)slice * mapped.DepthPitch +
                           (size_t)row * mapped.RowPitch + (size_t)word * 4,
                       4);
                assert_int_equal(got, value_of(subresource, index++));
            }
    ID3D11DeviceContext_Unmap(context, staging, subresource);
}

static ID3D11Resource *staging_texture(ID3D11Texture2D *of)
{
    D3D11_TEXTURE2D_DESC desc;
    ID3D11Texture2D_GetDesc(of, &desc);
    desc.Usage = D3D11_USAGE_STAGING;
    desc.BindFlags = desc.MiscFlags = 0;
    desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
    return (ID3D11Resource *)runtime_texture(&desc);
}

static void other_kinds(void **state)
{
    (void)state;
    const D3D11_TEXTURE3D_DESC volume = {.Width = VOLUME_SIDE,
                                         .Height = VOLUME_SIDE,
                                         .Depth = VOLUME_SIDE,
                                         .MipLevels = 1,
                                         .Format = DXGI_FORMAT_R32_UINT,
                                         .Usage = D3D11_USAGE_STAGING,
                                         .CPUAccessFlags = D3D11_CPU_ACCESS_READ};
    ID3D11Resource *theirs[4], *staging[4];
    D3D11_BUFFER_DESC desc;
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(open_heard(&IID_ID3D11Resource, (void **)&theirs[i]), S_OK);
    staging[0] = staging_texture((ID3D11Texture2D *)theirs[0]);
    assert_int_equal(ID3D11Device_CreateTexture3D(device, &volume, NULL, (ID3D11Texture3D **)&staging[1]),
                     S_OK);
    staging[2] = staging_texture((ID3D11Texture2D *)theirs[2]);
    staging[3] = (ID3D11Resource *)runtime_buffer(100, D3D11_USAGE_STAGING, 0, NULL);
    for (unsigned i = 0; i < 4; i++)
        ID3D11DeviceContext_CopyResource(context, staging[i], theirs[i]);
    for (UINT i = 0; i < LAYERS * MIPS; i++)
        check_values(staging[0], i, SIDE >> i % MIPS, SIDE >> i % MIPS, 1);
    check_values(staging[1], 0, VOLUME_SIDE, VOLUME_SIDE, VOLUME_SIDE);
    check_values(staging[2], 0, SIDE / 4 * 2, SIDE / 4, 1);
    check_values(staging[3], 0, 25, 1, 1);
    ID3D11Buffer_GetDesc((ID3D11Buffer *)theirs[3], &desc);
    assert_int_equal(desc.StructureByteStride, 20);
    for (unsigned i = 0; i < 4; i++) {
        ID3D11Resource_Release(staging[i]);
        ID3D11Resource_Release(theirs[i]);
    }
    say('e');
}

/* ---- Fences -------------------------------------------------------------------------------------------- */

/* A handle is of one process on POSIX: what it names crosses the pipe. */
static void say_fence(ID3D11Fence *fence)
{
    struct rt_token token;
    HANDLE handle;
    assert_int_equal(ID3D11Fence_CreateSharedHandle(fence, NULL, GENERIC_ALL, NULL, &handle), S_OK);
    assert_int_equal(rt_token_handle_read(handle, &token), S_OK);
    rt_token_handle_close(handle);
    say_bytes(&token, sizeof token);
}

static ID3D11Fence *opened_fence(ID3D11Device5 *by)
{
    struct rt_token token;
    ID3D11Fence *fence;
    HANDLE handle;
    hear_bytes(&token, sizeof token);
    assert_int_equal(rt_token_handle_create(NULL, NULL, &token, &handle), S_OK);
    assert_int_equal(ID3D11Device5_OpenSharedFence(by, handle, &IID_ID3D11Fence, (void **)&fence), S_OK);
    rt_token_handle_close(handle);
    return fence;
}

static void rest(long milliseconds)
{
    const struct timespec time = {0, milliseconds * 1000000};
    nanosleep(&time, NULL);
}

static void wait_for_event(const _Atomic int *event)
{
    for (int i = 0; i < 5000 && !*event; i++)
        rest(1);
    assert_int_equal(*event, 1);
}

static void fences_count_for_others(void **state)
{
    (void)state;
    ID3D11Device5 *mine = interface_of(device, &IID_ID3D11Device5);
    ID3D11DeviceContext4 *immediate = interface_of(context, &IID_ID3D11DeviceContext4);
    ID3D11Texture2D *texture = runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED);
    _Atomic int event = 0;
    ID3D11Fence *fence;
    start("fences");
    assert_int_equal(
        ID3D11Device5_CreateFence(mine, 2, D3D11_FENCE_FLAG_SHARED, &IID_ID3D11Fence, (void **)&fence), S_OK);
    assert_int_equal(ID3D11DeviceContext4_Signal(immediate, fence, 3), S_OK);
    say_fence(fence);
    say_number(texture);
    hear('3');
    assert_int_equal(ID3D11Fence_SetEventOnCompletion(fence, 6, (HANDLE)&event), S_OK);
    clear(texture, red);
    assert_int_equal(ID3D11DeviceContext4_Signal(immediate, fence, 5), S_OK);
    /* No call of this process has a part in it. */
    wait_for_event(&event);
    assert_int_equal(ID3D11Fence_GetCompletedValue(fence), 6);
    assert_int_equal(ID3D11DeviceContext4_Wait(immediate, fence, 6), S_OK);
    assert_int_equal(runtime_texel(context, texture, 3, 3), GREEN);
    /* A value that comes after the call, while the submission waits for it. */
    assert_int_equal(ID3D11DeviceContext4_Wait(immediate, fence, 7), S_OK);
    say('7');
    assert_int_equal(runtime_texel(context, texture, 3, 3), BLUE);
    finish(0);
    /* Nobody is left who could signal it. */
    assert_int_equal(ID3D11DeviceContext4_Wait(immediate, fence, 8), DXGI_ERROR_INVALID_CALL);
    ID3D11Fence_Release(fence);
    ID3D11Texture2D_Release(texture);
    ID3D11DeviceContext4_Release(immediate);
    ID3D11Device5_Release(mine);
}

static void other_fences(void **state)
{
    (void)state;
    ID3D11Device5 *mine = interface_of(device, &IID_ID3D11Device5);
    ID3D11DeviceContext4 *immediate = interface_of(context, &IID_ID3D11DeviceContext4);
    ID3D11Fence *fence = opened_fence(mine);
    ID3D11Texture2D *theirs = opened_texture();
    assert_int_equal(ID3D11Fence_GetCompletedValue(fence), 3);
    assert_int_equal(ID3D11DeviceContext4_Wait(immediate, fence, 5), S_OK);
    say('3');
    assert_int_equal(runtime_texel(context, theirs, 3, 3), RED);
    clear(theirs, green);
    assert_int_equal(ID3D11DeviceContext4_Signal(immediate, fence, 6), S_OK);
    hear('7');
    rest(50);
    clear(theirs, blue);
    assert_int_equal(ID3D11DeviceContext4_Signal(immediate, fence, 7), S_OK);
    ID3D11Fence_Release(fence);
    ID3D11Texture2D_Release(theirs);
    ID3D11DeviceContext4_Release(immediate);
    ID3D11Device5_Release(mine);
}

/* A fence that another process has promised, and the other process is killed: the device hangs. */
static void promises_of_the_dead_remove_devices(void **state)
{
    (void)state;
    ID3D11Device5 *mine = interface_of(device, &IID_ID3D11Device5);
    ID3D11DeviceContext4 *immediate = interface_of(context, &IID_ID3D11DeviceContext4);
    ID3D11Fence *fence;
    start("promise");
    assert_int_equal(
        ID3D11Device5_CreateFence(mine, 0, D3D11_FENCE_FLAG_SHARED, &IID_ID3D11Fence, (void **)&fence), S_OK);
    say_fence(fence);
    hear('o');
    assert_int_equal(ID3D11DeviceContext4_Wait(immediate, fence, 1), S_OK);
    kill(other, SIGKILL);
    finish(SIGKILL);
    ID3D11DeviceContext_Flush(context);
    assert_int_equal(ID3D11Device_GetDeviceRemovedReason(device), DXGI_ERROR_DEVICE_HUNG);
    ID3D11Fence_Release(fence);
    ID3D11DeviceContext4_Release(immediate);
    ID3D11Device5_Release(mine);
}

static void other_promise(void **state)
{
    (void)state;
    ID3D11Device5 *mine = interface_of(device, &IID_ID3D11Device5);
    opened_fence(mine);
    say('o');
    for (;;)
        pause();
}

/* ---- Several threads, signals, letters ----------------------------------------------------------------- */

struct opening {
    pthread_t thread;
    HANDLE texture;
    struct rt_token fence;
    ID3D11Texture2D *opened_texture;
    ID3D11Fence *opened_fence;
};

static pthread_barrier_t both;

static void *open_at_once(void *user)
{
    struct opening *const opening = user;
    ID3D11Device5 *mine = interface_of(device, &IID_ID3D11Device5);
    HANDLE handle;
    rt_token_handle_create(NULL, NULL, &opening->fence, &handle);
    pthread_barrier_wait(&both);
    ID3D11Device5_OpenSharedResource(mine, opening->texture, &IID_ID3D11Texture2D,
                                     (void **)&opening->opened_texture);
    pthread_barrier_wait(&both);
    ID3D11Device5_OpenSharedFence(mine, handle, &IID_ID3D11Fence, (void **)&opening->opened_fence);
    rt_token_handle_close(handle);
    ID3D11Device5_Release(mine);
    return NULL;
}

/* What they have is one resource and one fence, also when nobody is left to carry anything between two. */
static void threads_open_one_copy(void **state)
{
    (void)state;
    ID3D11DeviceContext4 *immediate = interface_of(context, &IID_ID3D11DeviceContext4);
    struct opening first = {0}, second;
    start("threads");
    hear_bytes(&first.texture, sizeof first.texture);
    hear_bytes(&first.fence, sizeof first.fence);
    second = first;
    pthread_barrier_init(&both, NULL, 2);
    assert_int_equal(pthread_create(&first.thread, NULL, open_at_once, &first), 0);
    assert_int_equal(pthread_create(&second.thread, NULL, open_at_once, &second), 0);
    pthread_join(first.thread, NULL);
    pthread_join(second.thread, NULL);
    pthread_barrier_destroy(&both);
    kill(other, SIGKILL);
    finish(SIGKILL);
    assert_non_null(first.opened_texture);
    assert_non_null(second.opened_texture);
    assert_non_null(first.opened_fence);
    assert_non_null(second.opened_fence);
    clear_and_flush(first.opened_texture, red);
    assert_int_equal(runtime_texel(context, second.opened_texture, 3, 3), RED);
    assert_int_equal(ID3D11DeviceContext4_Signal(immediate, first.opened_fence, 9), S_OK);
    assert_int_equal(runtime_texel(context, first.opened_texture, 3, 3), RED);
    assert_int_equal(ID3D11Fence_GetCompletedValue(second.opened_fence), 9);
    ID3D11Texture2D_Release(first.opened_texture);
    ID3D11Texture2D_Release(second.opened_texture);
    ID3D11Fence_Release(first.opened_fence);
    ID3D11Fence_Release(second.opened_fence);
    ID3D11DeviceContext4_Release(immediate);
}

static void other_threads(void **state)
{
    (void)state;
    ID3D11Device5 *mine = interface_of(device, &IID_ID3D11Device5);
    ID3D11Fence *fence;
    say_number(runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED));
    assert_int_equal(
        ID3D11Device5_CreateFence(mine, 0, D3D11_FENCE_FLAG_SHARED, &IID_ID3D11Fence, (void **)&fence), S_OK);
    say_fence(fence);
    for (;;)
        pause();
}

static void ignore(int number)
{
    (void)number;
}

static void *interrupt_opening(void *user)
{
    rest(50);
    pthread_kill(*(const pthread_t *)user, SIGUSR1);
    rest(5);
    kill(other, SIGCONT);
    return NULL;
}

/* A program's own signals are no reason to refuse what it opens. */
static void signals_end_no_opening(void **state)
{
    (void)state;
    const struct sigaction action = {.sa_handler = ignore};
    const pthread_t self = pthread_self();
    struct sigaction before;
    pthread_t thread;
    HANDLE handle;
    ID3D11Texture2D *opened;
    start("two");
    ID3D11Texture2D *first = opened_texture();
    hear_bytes(&handle, sizeof handle);
    sigaction(SIGUSR1, &action, &before);
    kill(other, SIGSTOP);
    assert_int_equal(pthread_create(&thread, NULL, interrupt_opening, (void *)(uintptr_t)&self), 0);
    assert_int_equal(ID3D11Device_OpenSharedResource(device, handle, &IID_ID3D11Texture2D, (void **)&opened),
                     S_OK);
    pthread_join(thread, NULL);
    sigaction(SIGUSR1, &before, NULL);
    ID3D11Texture2D_Release(opened);
    ID3D11Texture2D_Release(first);
    kill(other, SIGKILL);
    finish(SIGKILL);
}

static void other_two(void **state)
{
    (void)state;
    say_number(runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED));
    say_number(runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED));
    for (;;)
        pause();
}

/* Whoever may write to this process's socket leaves no open files in it. */
static void descriptors_of_letters_are_closed(void **state)
{
    (void)state;
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    char byte = 0;
    struct iovec part = {&byte, 1};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control = {0};
    struct msghdr letter = {.msg_name = &name,
                            .msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = &control,
                            .msg_controllen = sizeof control.bytes};
    ID3D11Texture2D *mine = runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED);
    int ends[2], from = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    uint32_t number;
    number_of(mine); /* begins to listen */
    rt_process_lock();
    assert_true(rt_process_number(1u << RT_PROCESS_BITS, &number));
    rt_process_unlock();
    letter.msg_namelen = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
                                     (size_t)snprintf(name.sun_path + 1, sizeof name.sun_path - 1,
                                                      "aerogpu-process-%x", number));
    assert_int_equal(pipe(ends), 0);
    control.header = (struct cmsghdr){CMSG_LEN(2 * sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), (const int[]){ends[1], ends[1]}, 2 * sizeof(int));
    assert_int_equal(sendmsg(from, &letter, 0), 1);
    close(ends[1]);
    /* The end of the pipe: nobody has its other side any more. */
    struct pollfd end = {.fd = ends[0]};
    assert_int_equal(poll(&end, 1, 60000), 1);
    assert_int_equal(end.revents, POLLHUP);
    close(ends[0]);
    close(from);
    ID3D11Texture2D_Release(mine);
}

/* ---- Who ends, who lies -------------------------------------------------------------------------------- */

/* Whatever names it: an adapter has it. */
static void check_adapter_of(HANDLE handle, HRESULT wanted)
{
    IDXGIFactory2 *factory;
    LUID luid;
    assert_int_equal(CreateDXGIFactory1(&IID_IDXGIFactory2, (void **)&factory), S_OK);
    assert_int_equal(IDXGIFactory2_GetSharedResourceAdapterLuid(factory, handle, &luid), wanted);
    IDXGIFactory2_Release(factory);
}

static void what_has_ended_is_refused(void **state)
{
    (void)state;
    HANDLE handle;
    ID3D11Texture2D *theirs;
    start("end");
    hear_bytes(&handle, sizeof handle);
    check_adapter_of(handle, S_OK);
    assert_int_equal(ID3D11Device_OpenSharedResource(device, handle, &IID_ID3D11Texture2D, (void **)&theirs),
                     S_OK);
    assert_int_equal(runtime_texel(context, theirs, 3, 3), GREEN);
    kill(other, SIGKILL);
    finish(SIGKILL);
    /* What was taken stays, also for another of the process's objects. */
    assert_int_equal(runtime_texel(context, theirs, 3, 3), GREEN);
    clear_and_flush(theirs, red);
    assert_int_equal(runtime_texel(context, theirs, 3, 3), RED);
    assert_int_equal(ID3D11Texture2D_Release(theirs), 0);
    assert_int_equal(ID3D11Device_OpenSharedResource(device, handle, &IID_ID3D11Texture2D, (void **)&theirs),
                     E_INVALIDARG);
    assert_null(theirs);
    check_adapter_of(handle, E_INVALIDARG);
}

static void other_end(void **state)
{
    (void)state;
    ID3D11Texture2D *mine = runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED);
    clear_and_flush(mine, green);
    say_number(mine);
    for (;;)
        pause();
}

/* Writes whatever it likes into what two processes have in common. */
static void liars_are_refused(void **state)
{
    (void)state;
    ID3D11Texture2D *mine = runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED), *theirs;
    D3D11_TEXTURE2D_DESC desc;
    HANDLE handle;
    start("lie");
    for (unsigned i = 0; i < 4; i++) {
        hear_bytes(&handle, sizeof handle);
        assert_int_equal(
            ID3D11Device_OpenSharedResource(device, handle, &IID_ID3D11Texture2D, (void **)&theirs),
            E_INVALIDARG);
        say('n');
    }
    /* The lock is kept: whoever waits for it goes on without the other. */
    say_number(mine);
    hear('l');
    clear_and_flush(mine, red);
    assert_int_equal(runtime_texel(context, mine, 3, 3), RED);
    ID3D11Texture2D_GetDesc(mine, &desc);
    say('e');
    finish(0);
    ID3D11Texture2D_Release(mine);
}

/* Behind the header of the link. */
static uint32_t *description_of(struct rt_link *link)
{
    return (uint32_t *)(void *)(link->section.bytes + sizeof(struct rt_link_header));
}

static void lie(unsigned word, uint32_t value, uint32_t depth)
{
    ID3D11Texture2D *mine = runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED);
    const HANDLE handle = number_of(mine);
    struct rt_link link;
    assert_true(rt_link_open(&link, RT_LINK_RESOURCE, rt_link_name((uintptr_t)handle >> 2), 0, 4096));
    description_of(&link)[word] = value;
    description_of(&link)[4] = depth;
    rt_link_close(&link);
    say_bytes(&handle, sizeof handle);
    hear('n');
    ID3D11Texture2D_Release(mine);
}

static void other_lie(void **state)
{
    (void)state;
    ID3D11Texture2D *theirs;
    HANDLE handle;
    struct rt_link link;
    lie(2, 4 * SIDE, 1);   /* larger than its texels */
    lie(0, 77, 1);         /* no dimension */
    lie(5, 0xFFFFFFFF, 1); /* mips */
    lie(2, SIDE / 2, 2);   /* as many texels, in slices that the texture does not have */
    hear_bytes(&handle, sizeof handle);
    assert_int_equal(ID3D11Device_OpenSharedResource(device, handle, &IID_ID3D11Texture2D, (void **)&theirs),
                     S_OK);
    assert_true(rt_link_open(&link, RT_LINK_RESOURCE, rt_link_name((uintptr_t)handle >> 2), 0, 4096));
    assert_true(rt_link_lock(&link));
    say('l');
    hear('e');
    rt_link_unlock(&link);
    rt_link_close(&link);
    ID3D11Texture2D_Release(theirs);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(flushes_are_seen),
        RUNTIME_TEST(mutexes_carry_contents),
        RUNTIME_TEST(all_kinds_are_shared),
        RUNTIME_TEST(fences_count_for_others),
        RUNTIME_TEST(promises_of_the_dead_remove_devices),
        RUNTIME_TEST(threads_open_one_copy),
        RUNTIME_TEST(signals_end_no_opening),
        RUNTIME_TEST(descriptors_of_letters_are_closed),
        RUNTIME_TEST(what_has_ended_is_refused),
        RUNTIME_TEST(liars_are_refused),
    };
    static const struct {
        const char *name;
        void (*run)(void **state);
    } sides[] = {
        {"flushes", other_flushes},
        {"mutexes", other_mutexes},
        {"kinds",   other_kinds  },
        {"fences",  other_fences },
        {"promise", other_promise},
        {"threads", other_threads},
        {"two",     other_two    },
        {"end",     other_end    },
        {"lie",     other_lie    },
    };
    program = argv[0];
    driver = argv[1];
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; argc == 3 && i < sizeof sides / sizeof sides[0]; i++) {
        if (strcmp(argv[2], sides[i].name) != 0)
            continue;
        const struct CMUnitTest side[] = {RUNTIME_TEST(sides[i].run)};
        heard = 100;
        said = 101;
        return runtime_main(argc, argv, sides[i].name, side, 1);
    }
    return runtime_main(argc, argv, "guest/d3d11/neighbours", tests, sizeof tests / sizeof tests[0]);
}
