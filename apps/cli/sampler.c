#define _GNU_SOURCE
#include "apps/cli/sampler.h"

#include <stdio.h>

#if defined(__linux__) && defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__))

#include "apps/cli/cli.h"

#include <elf.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#define PERIOD 1000    // us of CPU between two samples; the kernel may take longer ones
#define ROOM (1 << 20) // samples: 17 minutes of CPU
#define LONGEST 64     // characters of a name

static uintptr_t* g_places; // [ROOM] of the program counter
static atomic_int g_count;
static clock_t g_since; // CPU at the last Clear

static uintptr_t GetPlace(const ucontext_t* context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
    return (uintptr_t)context->uc_mcontext.pc;
#endif
}

static void Sample(int number, siginfo_t* info, void* context) {
    (void)number;
    (void)info;
    int index = atomic_fetch_add(&g_count, 1);
    if (index < ROOM) g_places[index] = GetPlace(context);
}

bool hwSampler_Start(void) {
    if (g_places == NULL) g_places = hwCli_Allocate(NULL, ROOM * sizeof(g_places[0]));
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_sigaction = Sample;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    struct itimerval timer = {{0, PERIOD}, {0, PERIOD}};
    return sigaction(SIGPROF, &action, NULL) == 0 && setitimer(ITIMER_PROF, &timer, NULL) == 0;
}

void hwSampler_Stop(void) {
    struct itimerval none = {{0, 0}, {0, 0}};
    setitimer(ITIMER_PROF, &none, NULL);
    signal(SIGPROF, SIG_IGN);
    free(g_places);
    g_places = NULL;
}

void hwSampler_Clear(void) {
    atomic_store(&g_count, 0);
    g_since = clock();
}

// Symbols --------------------------------------------------------------------------------------------------------------------

typedef struct Symbol {
    uintptr_t first, last; // addresses in memory
    char name[LONGEST];
    int samples;
} Symbol;

typedef struct Symbols {
    Symbol* items;
    int count, capacity;
} Symbols;

static void AddSymbol(Symbols* symbols, uintptr_t first, uintptr_t size, const char* name) {
    if (symbols->count == symbols->capacity) {
        symbols->capacity = symbols->capacity > 0 ? 2 * symbols->capacity : 4096;
        symbols->items = hwCli_Allocate(symbols->items, (size_t)symbols->capacity * sizeof(Symbol));
    }
    Symbol* symbol = &symbols->items[symbols->count++];
    *symbol = (Symbol){first, first + size, {0}, 0};
    snprintf(symbol->name, sizeof(symbol->name), "%s", name);
    char* clone = strchr(symbol->name, '.'); // of a function that the compiler has specialised
    if (clone != NULL && clone != symbol->name) *clone = 0;
}

static void* ReadPart(FILE* file, uint64_t at, uint64_t size) {
    if (size == 0 || size > (uint64_t)1 << 30) return NULL;
    char* part = malloc(size + 1);
    if (part == NULL || fseek(file, (long)at, SEEK_SET) != 0 || fread(part, 1, size, file) != size) {
        free(part);
        return NULL;
    }
    part[size] = 0;
    return part;
}

// Functions of a table of symbols and its strings.
static void AddTable(Symbols* symbols, FILE* file, const Elf64_Shdr* table, const Elf64_Shdr* strings,
                     uintptr_t base) {
    Elf64_Sym* items = ReadPart(file, table->sh_offset, table->sh_size);
    char* names = ReadPart(file, strings->sh_offset, strings->sh_size);
    size_t count = items != NULL && names != NULL ? table->sh_size / sizeof(Elf64_Sym) : 0;
    for (size_t i = 0; i < count; ++i) {
        if (ELF64_ST_TYPE(items[i].st_info) != STT_FUNC || items[i].st_shndx == SHN_UNDEF) continue;
        if (items[i].st_size == 0 || items[i].st_name >= strings->sh_size) continue;
        AddSymbol(symbols, base + items[i].st_value, items[i].st_size, names + items[i].st_name);
    }
    free(items);
    free(names);
}

// All functions of a program or library, or those that it exports where it was stripped.
static void AddFile(Symbols* symbols, const char* path, uintptr_t base) {
    FILE* file = fopen(path, "rb");
    if (file == NULL) return;
    Elf64_Ehdr head;
    Elf64_Shdr* sections = NULL;
    if (fread(&head, sizeof(head), 1, file) == 1 && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
        head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_shentsize == sizeof(Elf64_Shdr))
        sections = ReadPart(file, head.e_shoff, (uint64_t)head.e_shnum * sizeof(Elf64_Shdr));
    const Elf64_Shdr* chosen = NULL;
    for (int i = 0; i < head.e_shnum && sections != NULL; ++i) {
        if (sections[i].sh_link >= head.e_shnum) continue;
        if (sections[i].sh_type == SHT_SYMTAB) chosen = &sections[i];
        if (sections[i].sh_type == SHT_DYNSYM && chosen == NULL) chosen = &sections[i];
    }
    if (chosen != NULL) AddTable(symbols, file, chosen, &sections[chosen->sh_link], base);
    free(sections);
    fclose(file);
}

static int AddObject(struct dl_phdr_info* info, size_t size, void* context) {
    (void)size;
    Symbols* symbols = context;
    bool program = info->dlpi_name == NULL || info->dlpi_name[0] == 0;
    AddFile(symbols, program ? "/proc/self/exe" : info->dlpi_name, info->dlpi_addr);
    return 0;
}

static int CompareSymbols(const void* a, const void* b) {
    const Symbol *x = a, *y = b;
    return x->first != y->first ? (x->first < y->first ? -1 : 1)
                                : (x->last < y->last ? -1 : x->last > y->last);
}

static int CompareNames(const void* a, const void* b) {
    return strcmp(((const Symbol*)a)->name, ((const Symbol*)b)->name);
}

static int CompareSamples(const void* a, const void* b) {
    const Symbol *x = a, *y = b;
    return x->samples != y->samples ? (x->samples > y->samples ? -1 : 1) : strcmp(x->name, y->name);
}

// The last symbol that begins at or before the place, if it reaches so far.
static Symbol* FindSymbol(const Symbols* symbols, uintptr_t place) {
    int low = 0, high = symbols->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (symbols->items[middle].first <= place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && place < symbols->items[low - 1].last ? &symbols->items[low - 1] : NULL;
}

// Clones and functions of one name count together.
static int JoinNames(Symbols* symbols) {
    int used = 0;
    for (int i = 0; i < symbols->count; ++i)
        if (symbols->items[i].samples > 0) symbols->items[used++] = symbols->items[i];
    qsort(symbols->items, (size_t)used, sizeof(Symbol), CompareNames);
    int joined = 0;
    for (int i = 0; i < used; ++i) {
        if (joined > 0 && strcmp(symbols->items[joined - 1].name, symbols->items[i].name) == 0) {
            symbols->items[joined - 1].samples += symbols->items[i].samples;
        } else {
            symbols->items[joined++] = symbols->items[i];
        }
    }
    qsort(symbols->items, (size_t)joined, sizeof(Symbol), CompareSamples);
    return joined;
}

void hwSampler_Describe(int most, char* text, size_t size) {
    int count = atomic_load(&g_count);
    if (count > ROOM) count = ROOM;
    Symbols symbols = {NULL, 0, 0};
    dl_iterate_phdr(AddObject, &symbols);
    if (symbols.count > 0) qsort(symbols.items, (size_t)symbols.count, sizeof(Symbol), CompareSymbols);
    for (int i = 0; i < count; ++i) {
        Symbol* symbol = FindSymbol(&symbols, g_places[i]);
        if (symbol != NULL) symbol->samples += 1;
    }
    int named = JoinNames(&symbols);
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < most && i < named && used < size; ++i) {
        int added = snprintf(text + used, size - used, "%s%s %.0f %%", i > 0 ? ", " : "",
                             symbols.items[i].name, 100.0 * symbols.items[i].samples / count);
        used += added > 0 ? (size_t)added : 0;
    }
    if (used < size) {
        if (named == 0) {
            snprintf(text, size,
                     count > 0 ? "no function has a name: the program was stripped" : "too short to tell");
        } else {
            snprintf(text + used, size - used, " of %.3g s",
                     (double)(clock() - g_since) / (double)CLOCKS_PER_SEC);
        }
    }
    free(symbols.items);
}

#else

bool hwSampler_Start(void) {
    return false;
}

void hwSampler_Stop(void) {}

void hwSampler_Clear(void) {}

void hwSampler_Describe(int most, char* text, size_t size) {
    (void)most;
    snprintf(text, size, "not known on this system");
}

#endif
