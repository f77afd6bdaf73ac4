/* SPDX-License-Identifier: MIT */
#include "program.h"

#include "../support/test.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/gpu.h"
#include "aerogpu/stream.h"
#include "aerogpu/stream_writer.h"
#include "aerogpu/text.h"

#define MOST_ARGUMENTS 24
#define SKIPPED 77
#define MEMORY_BYTES (UINT64_C(8) << 20)

int program_arguments(int argc, char **argv, const char **tool, const char **driver)
{
    enum agpu_driver known;
    char manifest[1024];
    if (argc < 3 || !agpu_driver_from_name(argv[2], &known))
        return 2;
    *tool = argv[1];
    *driver = argv[2];
    return agpu_driver_icd_path(known, manifest, sizeof manifest) ? 0 : SKIPPED;
}

/* ---- The server --------------------------------------------------------------------------------------- */

static bool wait_for_line(int from)
{
    char text[256];
    size_t length = 0;
    while (length < sizeof text - 1) {
        const ssize_t got = read(from, text + length, 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        if (text[length++] == '\n')
            break;
    }
    text[length] = '\0';
    return strncmp(text, "serving", 7) == 0;
}

void server_launch(struct server *server, const char *tool, const char *const *arguments)
{
    const char *all[MOST_ARGUMENTS] = {tool, "serve", "--socket", server->socket};
    uint32_t count = 4;
    int ends[2];
    for (; *arguments != NULL; arguments++)
        all[count++] = *arguments;
    if (server->output[0] != '\0') {
        all[count++] = "-o";
        all[count++] = server->output;
    }
    assert_true(count < MOST_ARGUMENTS);
    assert_int_equal(pipe(ends), 0);
    server->pid = fork();
    assert_true(server->pid >= 0);
    if (server->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves no server */
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(tool, (char *const *)(uintptr_t)all);
        _exit(127);
    }
    close(ends[1]);
    server->says = ends[0];
}

bool server_start_again(struct server *server, const char *tool, const char *const *arguments)
{
    server_launch(server, tool, arguments);
    return wait_for_line(server->says);
}

bool server_start(struct server *server, const char *tool, const char *const *arguments)
{
    const char *const temporary = getenv("TMPDIR");
    snprintf(server->folder, sizeof server->folder, "%.30s/aerogpu-serve-XXXXXX",
             temporary != NULL && strlen(temporary) <= 30 ? temporary : P_tmpdir);
    assert_non_null(mkdtemp(server->folder));
    snprintf(server->socket, sizeof server->socket, "%s/socket", server->folder);
    if (server->output[0] != '\0')
        snprintf(server->output, sizeof server->output, "%s/pictures", server->folder);
    return server_start_again(server, tool, arguments);
}

int server_wait(struct server *server)
{
    int status;
    while (waitpid(server->pid, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    close(server->says);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static void remove_files(const char *path)
{
    DIR *const folder = opendir(path);
    if (folder == NULL)
        return;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
    rmdir(path);
}

int server_end(struct server *server)
{
    kill(server->pid, SIGTERM);
    const int status = server_wait(server);
    assert_int_equal(access(server->socket, F_OK), -1);
    if (server->output[0] != '\0')
        remove_files(server->output);
    assert_int_equal(rmdir(server->folder), 0); /* nothing else is in it */
    return status;
}

uint32_t entries_of(const char *path)
{
    uint32_t count = 0;
    DIR *const folder = opendir(path);
    assert_non_null(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count - 2; /* "." and ".." are none */
}

uint32_t descriptors_of(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
    return entries_of(path);
}

/* ---- The client --------------------------------------------------------------------------------------- */

bool client_open(struct client *client, const char *path)
{
    *client = (struct client){.socket = guest_socket_open(path, MEMORY_BYTES, NULL)};
    if (client->socket == NULL)
        return false;
    if (guest_device_create(guest_socket_bus(client->socket), &client->device) != GUEST_OK) {
        client_close(client);
        return false;
    }
    guest_stream_init(&client->stream, client->device, guest_device_new_context(client->device), 0);
    if (guest_block_allocate(client->device, SIDE * SIDE * 4, &client->picture) == GUEST_OK)
        return true;
    client_close(client);
    return false;
}

void client_close(struct client *client)
{
    if (client->device != NULL) {
        guest_stream_fini(&client->stream);
        guest_block_free(client->device, &client->picture);
    }
    guest_device_destroy(client->device);
    guest_socket_close(client->socket);
    *client = (struct client){0};
}

void client_say(struct client *client, const char *text)
{
    uint8_t *stream;
    size_t size;
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    assert_int_equal(agpu_text_assemble(text, strlen(text), NULL, NULL, &stream, &size), AGPU_OK);
    assert_int_equal(agpu_stream_reader_init(&reader, stream, size, NULL), AGPU_OK);
    while (agpu_stream_next(&reader, &packet)) {
        uint8_t *const to = guest_stream_long_packet(&client->stream, packet.opcode, packet.size);
        assert_non_null(to);
        memcpy(to, packet.data, packet.size);
    }
    agpu_free(stream);
}

static void create_shader(struct client *client, uint32_t handle, uint32_t stage, const char *listing)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    assert_int_equal(agpu_assemble(listing, strlen(listing), NULL, &bytes, &size), AGPU_OK);
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_create_shader_dxbc(&writer, handle, (enum agpu_stream_stage)stage, bytes, (uint32_t)size);
    assert_int_equal(agpu_writer_finish(&writer), AGPU_OK);
    const size_t first = sizeof(struct aerogpu_cmd_stream_header);
    struct aerogpu_cmd_hdr header;
    memcpy(&header, writer.data + first, sizeof header);
    uint8_t *const to = guest_stream_long_packet(&client->stream, header.opcode, header.size_bytes);
    assert_non_null(to);
    memcpy(to, writer.data + first, header.size_bytes);
    agpu_writer_fini(&writer);
    agpu_free(bytes);
}

void client_prepare(struct client *client)
{
    /* A corner at every second vertex: (0,0), (64,0), (0,64) in pixels. */
    create_shader(client, 3, AGPU_STREAM_STAGE_VERTEX,
                  "vs_4_0\n.in SV_VertexID0 v0.x uint vertex_id\n.out SV_Position0 o0.xyzw float position\n"
                  "dcl_input_sgv v0.x, vertex_id\ndcl_output_siv o0.xyzw, position\ndcl_temps 1\n"
                  "ieq r0.xy, v0.xxxx, l(1, 2, 0, 0)\n"
                  "movc o0.x, r0.x, l(1.0), l(-1.0)\nmovc o0.y, r0.y, l(-1.0), l(1.0)\n"
                  "mov o0.zw, l(0.0, 0.0, 0.5, 1.0)\nret\n");
    create_shader(client, 4, AGPU_STREAM_STAGE_PIXEL,
                  "ps_4_0\n.in SV_Position0 v0.xyzw float position\n.out SV_Target0 o0.xyzw float\n"
                  "dcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 0.5, 0.25, 1.0)\nret\n");
    client_say(client, "CREATE_TEXTURE2D texture_handle=1 usage_flags=RENDER_TARGET format=B8G8R8A8_UNORM "
                       "width=64 height=64 mip_levels=1 array_layers=1\n"
                       "BIND_SHADERS vs=3 ps=4\n"
                       "SET_PRIMITIVE_TOPOLOGY topology=TRIANGLELIST\n"
                       "SET_RENDER_TARGETS color_count=1 colors=[1]\n"
                       "SET_VIEWPORT width_f32=64 height_f32=64 max_depth_f32=1\n");
}

enum guest_status client_draw(struct client *client, uint32_t sync_interval, uint64_t *fence)
{
    client_say(client, "CLEAR flags=COLOR color_rgba_f32=[0 0 1 1]\nDRAW vertex_count=3 instance_count=1\n");
    struct aerogpu_cmd_ext_present *const present =
        guest_stream_packet(&client->stream, AEROGPU_CMD_EXT_PRESENT, sizeof *present);
    const struct aerogpu_cmd_hdr header = present->hdr;
    *present = (struct aerogpu_cmd_ext_present){
        .hdr = header,
        .texture_handle = 1,
        .swap_chain = 1,
        .sync_interval = sync_interval,
        .target_alloc_id = GUEST_HEAP_ALLOC_ID,
        .target_offset_bytes = client->picture.offset,
    };
    return guest_stream_submit(&client->stream, AEROGPU_SUBMIT_FLAG_PRESENT, fence);
}

static bool is_pixel(const struct client *client, uint32_t x, uint32_t y, const uint8_t *rgba)
{
    const uint8_t *const pixel = client->picture.bytes + 4 * ((size_t)y * SIDE + x);
    for (int i = 0; i < 4; i++)
        if (abs(pixel[i] - rgba[i]) > 1)
            return false;
    return true;
}

bool client_sees_triangle(const struct client *client)
{
    static const uint8_t orange[] = {255, 128, 64, 255}, blue[] = {0, 0, 255, 255};
    return is_pixel(client, 0, 0, orange) && is_pixel(client, 30, 32, orange) &&
           is_pixel(client, 33, 32, blue) && is_pixel(client, 63, 63, blue);
}

void client_draw_one(struct client *client)
{
    uint64_t fence;
    memset(client->picture.bytes, 0, SIDE * SIDE * 4);
    assert_int_equal(client_draw(client, 0, &fence), GUEST_OK);
    assert_int_equal(guest_device_wait(client->device, fence, UINT64_MAX), GUEST_OK);
    assert_true(client_sees_triangle(client));
}
