/* SPDX-License-Identifier: MIT
 *
 * A fuzz target without a fuzzer: runs it on the files of folders in the order of their names, and on changed
 * copies of them. The changes come from a fixed sequence, so a failure comes back.
 *
 *     replay_TARGET ROUNDS FOLDER...
 *
 * REPLAY_SEQUENCE=N in the environment takes another sequence. An input that aborts the program is left in
 * the file that REPLAY_INPUT names.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "random.h"

#define LARGEST_SEED 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seed {
    uint8_t *data;
    size_t size;
};
typedef AG_VEC(struct seed) seeds;

static bool read_seed(const char *path, seeds *all)
{
    FILE *file = fopen(path, "rb");
    struct seed seed = {malloc(LARGEST_SEED), 0};
    if (file != NULL && seed.data != NULL)
        seed.size = fread(seed.data, 1, LARGEST_SEED, file);
    if (file != NULL)
        fclose(file);
    if (seed.size != 0 && ag_vec_push(all, seed))
        return true;
    free(seed.data);
    return false;
}

static bool read_folder(const char *folder, seeds *all)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, NULL, alphasort);
    bool good = count >= 0;
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        good = good && (entries[i]->d_name[0] == '.' || read_seed(path, all));
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return good;
}

/* What a failure leaves behind. */
static struct {
    const uint8_t *data;
    size_t size;
    const char *path;
} current;

static void on_abort(int signal_number)
{
    (void)signal_number;
    const int file = current.path ? open(current.path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;
    if (file < 0)
        return;
    if (write(file, current.data, current.size) == (ssize_t)current.size)
        close(file);
}

/* An allocation of exactly the size, so that a sanitizer sees what is read behind it. */
static bool run(const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size);
    if (exact == NULL)
        return false;
    memcpy(exact, data, size);
    current.data = exact;
    current.size = size;
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return true;
}

/* Changes one place; returns the new size. */
static size_t change(uint8_t *data, size_t size, uint64_t *state)
{
    const size_t at = next_random(state) % size;
    switch (next_random(state) % 6) {
    case 0:
        data[at] = (uint8_t)next_random(state);
        return size;
    case 1:
        data[at] ^= (uint8_t)(1u << next_random(state) % 8);
        return size;
    case 2:
        data[at & ~(size_t)3] = (uint8_t)(next_random(state) % 64);
        return size;
    case 3: {
        const size_t from = next_random(state) % size;
        size_t length = next_random(state) % 32;
        if (length > size - at)
            length = size - at;
        if (length > size - from)
            length = size - from;
        memmove(data + at, data + from, length);
        return size;
    }
    case 4:
        memset(data + at, 0xff, size - at < 4 ? size - at : 4);
        return size;
    default:
        return next_random(state) % 8 == 0 ? at + 1 : size;
    }
}

/* What a target's own mutator falls back to. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    static uint64_t state = 1;
    (void)max_size;
    return change(data, size, &state);
}

#ifdef HAS_MUTATOR
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
#else
static size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint64_t state = seed;
    for (uint32_t changes = 1 + next_random(&state) % 6; changes > 0; changes--)
        size = change(data, size, &state);
    (void)max_size;
    return size;
}
#endif

/* Whether the seeds that have run reach what they are for, with a message when they do not. */
#ifdef HAS_WHOLE_SEEDS
bool fuzz_seeds_are_whole(void);
#else
static bool fuzz_seeds_are_whole(void)
{
    return true;
}
#endif

static bool run_changed(const seeds *all, uint32_t rounds)
{
    static uint8_t copy[LARGEST_SEED];
    const char *const sequence = getenv("REPLAY_SEQUENCE");
    uint64_t state = sequence ? strtoull(sequence, NULL, 10) : 1;
    for (uint32_t i = 0; i < rounds; i++) {
        const struct seed *seed = &all->data[next_random(&state) % all->count];
        size_t size = seed->size;
        memcpy(copy, seed->data, size);
        size = LLVMFuzzerCustomMutator(copy, size, sizeof copy, next_random(&state));
        if (!run(copy, size))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    seeds all = {0};
    current.path = getenv("REPLAY_INPUT");
    signal(SIGABRT, on_abort);
    bool good = argc > 2;
    for (int i = 2; good && i < argc; i++)
        good = read_folder(argv[i], &all);
    good = good && all.count != 0;
    for (size_t i = 0; good && i < all.count; i++)
        good = run(all.data[i].data, all.data[i].size);
    good = good && fuzz_seeds_are_whole();
    good = good && run_changed(&all, (uint32_t)strtoul(argv[1], NULL, 10));
    for (size_t i = 0; i < all.count; i++)
        free(all.data[i].data);
    printf("%zu seeds\n", all.count);
    ag_vec_fini(&all);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
