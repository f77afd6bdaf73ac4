/* SPDX-License-Identifier: MIT
 *
 * A cache in a folder: its bound, foreign files, folders that cannot be written to, several processes.
 */
#include "support/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache/cache.h"

static char folder[256];

static int make_folder(void **state)
{
    (void)state;
    const char *const parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/aerogpu-cache-XXXXXX", parent != NULL ? parent : P_tmpdir);
    return mkdtemp(folder) != NULL ? 0 : -1;
}

/* Calls `visit` for each file, and returns how many there are. */
static unsigned each_file(void (*visit)(const char *path))
{
    unsigned count = 0;
    DIR *const directory = opendir(folder);
    if (directory == NULL)
        return 0;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char path[1024];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (visit != NULL)
            visit(path);
        count++;
    }
    closedir(directory);
    return count;
}

static void remove_file(const char *path)
{
    remove(path);
}

static int remove_folder(void **state)
{
    (void)state;
    each_file(remove_file);
    rmdir(folder);
    return 0;
}

static struct agpu_cache *open_cache(uint64_t most_bytes)
{
    struct agpu_cache *cache;
    assert_int_equal(agpu_cache_create_folder(folder, most_bytes, NULL, &cache), AGPU_OK);
    return cache;
}

/* The value of a key: so many bytes that only this key has. */
static uint8_t value_byte(uint32_t key, size_t i)
{
    return (uint8_t)(key * 37 + i * 11);
}

static void put(struct agpu_cache *cache, uint32_t key, size_t size)
{
    uint8_t *const bytes = malloc(size);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = value_byte(key, i);
    ag_cache_store(cache, AG_CACHE_BLOBS, &key, sizeof key, bytes, size);
    free(bytes);
}

static bool has(struct agpu_cache *cache, uint32_t key, size_t size)
{
    struct ag_cache_value value;
    if (!ag_cache_load(cache, AG_CACHE_BLOBS, &key, sizeof key, &value))
        return false;
    bool is_good = value.size == size;
    for (size_t i = 0; is_good && i < size; i++)
        is_good = value.data[i] == value_byte(key, i);
    ag_cache_value_fini(&value);
    assert_true(is_good);
    return true;
}

static struct agpu_cache_folder_info inspect(void)
{
    struct agpu_cache_folder_info info = {.size = sizeof info};
    assert_int_equal(agpu_cache_folder_inspect(folder, NULL, &info), AGPU_OK);
    return info;
}

static void keeps_entries(void **state)
{
    (void)state;
    struct agpu_cache *cache = open_cache(0);
    put(cache, 1, 1000);
    put(cache, 2, 70000);
    agpu_cache_destroy(cache);
    cache = open_cache(0);
    assert_true(has(cache, 1, 1000));
    assert_true(has(cache, 2, 70000));
    assert_false(has(cache, 3, 1));
    put(cache, 1, 500);
    assert_true(has(cache, 1, 500));
    assert_int_equal(inspect().entries, 2);
    assert_true(inspect().bytes > 70500);
    agpu_cache_destroy(cache);
}

static void makes_folders(void **state)
{
    (void)state;
    char path[512], inner[1024];
    struct agpu_cache *cache;
    snprintf(path, sizeof path, "%s/a", folder);
    snprintf(inner, sizeof inner, "%s/b", path);
    assert_int_equal(agpu_cache_create_folder(inner, 0, NULL, &cache), AGPU_OK);
    put(cache, 1, 10);
    agpu_cache_destroy(cache);
    struct agpu_cache_folder_info info = {.size = sizeof info};
    assert_int_equal(agpu_cache_folder_clear(inner, NULL, &info), AGPU_OK);
    assert_int_equal(info.entries, 1);
    assert_int_equal(rmdir(inner), 0);
    assert_int_equal(agpu_cache_folder_inspect(inner, NULL, &info), AGPU_OK);
    assert_int_equal(info.entries, 0);
    assert_int_equal(rmdir(path), 0);
}

static enum agpu_diag_code reported;

static void note(void *user, const struct agpu_diag *diag)
{
    (void)user;
    reported = diag->code;
}

static void refuses_what_is_no_folder(void **state)
{
    (void)state;
    const struct agpu_diag_sink sink = {note, NULL};
    struct agpu_cache *cache;
    char path[512];
    assert_int_equal(agpu_cache_create_folder("", 0, &sink, &cache), AGPU_REFUSED);
    assert_int_equal(reported, AGPU_DIAG_CACHE_FOLDER);
    assert_null(cache);
    reported = AGPU_DIAG_NONE;
    snprintf(path, sizeof path, "%s/file", folder);
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(agpu_cache_create_folder(path, 0, &sink, &cache), AGPU_REFUSED);
    assert_int_equal(reported, AGPU_DIAG_CACHE_FOLDER);
    assert_null(cache);
}

/* Entries that were used long ago go first. */
static void age(const char *path)
{
    const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    utimensat(AT_FDCWD, path, times, 0);
}

static void keeps_its_bound(void **state)
{
    (void)state;
    enum { BOUND = 1 << 20, SIZE = 10000 };
    struct agpu_cache *cache = open_cache(BOUND);
    for (uint32_t key = 0; key < 50; key++)
        put(cache, key, SIZE);
    each_file(age);
    assert_true(has(cache, 0, SIZE)); /* used again */
    for (uint32_t key = 50; key < 300; key++) {
        put(cache, key, SIZE);
        assert_true(inspect().bytes <= BOUND + BOUND / 16 + SIZE + 100);
        if (key == 112) { /* some were removed, those that were not used for long */
            uint32_t old = 0;
            for (uint32_t other = 1; other < 50; other++)
                old += has(cache, other, SIZE);
            assert_true(old < 49);
            assert_true(has(cache, 0, SIZE));
            for (uint32_t other = 50; other <= key; other++)
                assert_true(has(cache, other, SIZE));
        }
    }
    assert_true(inspect().bytes > BOUND / 2);
    assert_true(has(cache, 299, SIZE));
    put(cache, 1000, BOUND / 8); /* larger than an entry of so small a cache may be */
    assert_false(has(cache, 1000, BOUND / 8));
    agpu_cache_destroy(cache);
}

/* An entry counts for the block that it takes, however small it is. */
static void bounds_small_entries(void **state)
{
    (void)state;
    enum { BOUND = 1 << 18, SIZE = 10 };
    struct agpu_cache *cache = open_cache(BOUND);
    put(cache, 0, SIZE);
    assert_int_equal(inspect().bytes, 4096);
    for (uint32_t key = 1; key < 200; key++)
        put(cache, key, SIZE);
    assert_true(inspect().entries <= (BOUND + BOUND / 16) / 4096 + 1);
    assert_true(inspect().bytes > BOUND / 2);
    agpu_cache_destroy(cache);
}

static void leaves_other_files(void **state)
{
    (void)state;
    static const char *const names[] = {"notes.txt", "0123.entry", "0123456789abcdef0123456789abcdef"};
    struct agpu_cache *cache = open_cache(0);
    char path[512];
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        FILE *const file = fopen(path, "w");
        assert_non_null(file);
        fclose(file);
    }
    snprintf(path, sizeof path, "%s/writing-1-2-3", folder); /* of a process that ended long ago */
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    age(path);
    put(cache, 1, 10);
    struct agpu_cache_folder_info info = {.size = sizeof info};
    assert_int_equal(agpu_cache_folder_clear(folder, NULL, &info), AGPU_OK);
    assert_int_equal(info.entries, 1);
    assert_int_equal(each_file(NULL), 3);
    assert_false(has(cache, 1, 10));
    put(cache, 1, 10);
    assert_true(has(cache, 1, 10));
    agpu_cache_destroy(cache);
}

static void damage(const char *path)
{
    FILE *const file = fopen(path, "r+");
    assert_non_null(file);
    fputs("damage", file);
    fclose(file);
}

static void cut(const char *path)
{
    assert_int_equal(truncate(path, 5), 0);
}

static void make_link(const char *path)
{
    remove(path);
    assert_int_equal(symlink("/dev/zero", path), 0);
}

static void rewrites_damaged_files(void **state)
{
    (void)state;
    static void (*const harms[])(const char *path) = {damage, cut, make_link};
    struct agpu_cache *cache = open_cache(0);
    for (size_t i = 0; i < 3; i++) {
        put(cache, 1, 3000);
        assert_true(has(cache, 1, 3000));
        each_file(harms[i]);
        assert_false(has(cache, 1, 3000));
    }
    put(cache, 1, 3000);
    assert_true(has(cache, 1, 3000));
    assert_int_equal(each_file(NULL), 1);
    agpu_cache_destroy(cache);
}

/* Nothing can be made in a folder that was removed, whoever one is; nor in one that one may not write to. */
static void lives_with_what_cannot_be_written(void **state)
{
    (void)state;
    struct agpu_cache *cache = open_cache(0);
    put(cache, 1, 10);
    chmod(folder, 0500);
    put(cache, 2, 10);
    assert_true(has(cache, 1, 10));
    assert_int_equal(has(cache, 2, 10), geteuid() == 0);
    chmod(folder, 0700);
    each_file(remove_file);
    assert_int_equal(rmdir(folder), 0);
    put(cache, 3, 10);
    assert_false(has(cache, 3, 10));
    agpu_cache_destroy(cache);
}

/* A write that ends early, as on a full disk, leaves nothing behind, and what was there stays. */
static void lives_with_a_full_disk(void **state)
{
    (void)state;
    struct rlimit before;
    struct agpu_cache *cache = open_cache(0);
    put(cache, 1, 1000);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit small = {.rlim_cur = 2000, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    put(cache, 2, 5000);
    put(cache, 1, 5000);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(has(cache, 1, 1000));
    assert_false(has(cache, 2, 5000));
    assert_int_equal(each_file(NULL), 1);
    put(cache, 2, 5000);
    assert_true(has(cache, 2, 5000));
    agpu_cache_destroy(cache);
}

#define PROCESSES 4
#define ROUNDS 200
#define KEYS 16

/* Writes and reads entries that others write and read, of varied sizes, in a cache that is too small for all.
 * Entries are whole or not there. */
static int work(uint32_t number)
{
    struct agpu_cache *cache;
    if (agpu_cache_create_folder(folder, 64 * 4096, NULL, &cache) != AGPU_OK)
        return 1;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint32_t key = (round * 7 + number * 3) % KEYS;
        struct ag_cache_value value;
        uint8_t bytes[8192];
        const size_t size = 1000 + (round * 31 + number * 17) % 7000;
        for (size_t i = 0; i < size; i++)
            bytes[i] = value_byte(key, i);
        ag_cache_store(cache, AG_CACHE_BLOBS, &key, sizeof key, bytes, size);
        if (!ag_cache_load(cache, AG_CACHE_BLOBS, &key, sizeof key, &value))
            continue;
        for (size_t i = 0; i < value.size; i++)
            if (value.data[i] != value_byte(key, i))
                return 2;
        ag_cache_value_fini(&value);
    }
    struct agpu_cache_statistics statistics = {.size = sizeof statistics};
    agpu_cache_statistics(cache, &statistics);
    agpu_cache_destroy(cache);
    return statistics.refused != 0 ? 3 : statistics.blobs.hits == 0 ? 4 : 0;
}

static void serves_several_processes(void **state)
{
    (void)state;
    pid_t children[PROCESSES];
    for (uint32_t i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0)
            _exit(work(i));
    }
    for (uint32_t i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    assert_int_equal(each_file(NULL), inspect().entries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keeps_entries, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(makes_folders, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(refuses_what_is_no_folder, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(keeps_its_bound, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(bounds_small_entries, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(leaves_other_files, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(rewrites_damaged_files, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(lives_with_what_cannot_be_written, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(lives_with_a_full_disk, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(serves_several_processes, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
