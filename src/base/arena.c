// The arena: everything the compiler allocates, released all at once or down to a mark.
//
// Memory comes from chunks that double in size; an allocation bumps a counter in the
// newest chunk.  Bytes of a chunk past `used` are always zero, so mem_alloc need not
// clear them: the system gives zeroed pages for free, and mem_release clears what it takes back.
//
// In a hostile build each allocation is its own malloc, so that the address sanitizer
// sees every overrun and every use of released memory.  A mark is then the newest block.
#include "base/base.h"

#include <limits.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#if defined(__SANITIZE_ADDRESS__) && !defined(RAIDO_HOSTILE)
#define RAIDO_HOSTILE 1
#endif
#if defined(__has_feature) && !defined(RAIDO_HOSTILE)
#if __has_feature(address_sanitizer)
#define RAIDO_HOSTILE 1
#endif
#endif

static NORETURN void out_of_memory(void)
{
	fputs("Out of memory.\n", stderr);
	exit(1);
}

#ifdef RAIDO_HOSTILE

typedef struct Block {
	struct Block *prev;
	size_t size;
} Block;

_Static_assert(sizeof(Block) % 16 == 0, "the bytes after a block's header are aligned");

static Block *newest;
static size_t total;

void *mem_alloc(size_t n)
{
	if (n > SIZE_MAX / 2)
		out_of_memory();
	Block *b = calloc(1, sizeof *b + n);
	if (!b)
		out_of_memory();
	b->prev = newest;
	b->size = n;
	newest = b;
	total += n;
	return b + 1;
}

void *mem_grow(void *p, size_t old, size_t new_)
{
	void *q = mem_alloc(new_);
	if (old)
		memcpy(q, p, old < new_ ? old : new_);
	return q;
}

MemMark mem_mark(void)
{
	return (MemMark){.chunk = newest, .total = total};
}

void mem_release(MemMark m)
{
	while (newest != m.chunk) {
		Block *b = newest;
		newest = b->prev;
		free(b);
	}
	total = m.total;
}

#else

typedef struct Chunk {
	struct Chunk *prev;
	size_t used, size;              // of the bytes after this header
	size_t mapped;                  // bytes in all if they come from mmap; 0: from calloc
} Chunk;

_Static_assert(sizeof(Chunk) % 16 == 0, "the bytes after a chunk's header are aligned");

// With their headers.
enum { HUGE_PAGE = 1 << 21, FIRST_CHUNK = HUGE_PAGE, LARGEST_CHUNK = 8 * HUGE_PAGE };

static Chunk *newest;
static size_t total;

static char *chunk_bytes(Chunk *c)
{
	return (char *)(c + 1);
}

// So many zeroed bytes, in huge pages if there are any: a third of the time of the compiler would
// be spent on faults of small ones.
static Chunk *chunk_new(size_t bytes)
{
#ifdef MADV_HUGEPAGE
	bytes = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	char *p = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	               -1, 0);
	if (p == MAP_FAILED)
		out_of_memory();
	size_t before = (HUGE_PAGE - (uintptr_t)p % HUGE_PAGE) % HUGE_PAGE;
	if (before)
		munmap(p, before);
	munmap(p + before + bytes, HUGE_PAGE - before);
	madvise(p + before, bytes, MADV_HUGEPAGE);
	Chunk *c = (Chunk *)(p + before);
	c->mapped = bytes;
#else
	Chunk *c = calloc(1, bytes);
	if (!c)
		out_of_memory();
#endif
	c->size = bytes - sizeof *c;
	return c;
}

static void chunk_free(Chunk *c)
{
#ifdef MADV_HUGEPAGE
	munmap(c, c->mapped);
#else
	free(c);
#endif
}

static void new_chunk(size_t n)
{
	size_t size = !newest ? FIRST_CHUNK : (newest->size + sizeof *newest) * 2;
	if (size > LARGEST_CHUNK)
		size = LARGEST_CHUNK;
	if (size < n + sizeof *newest)
		size = n + sizeof *newest;
	Chunk *c = chunk_new(size);
	c->prev = newest;
	newest = c;
}

void *mem_alloc(size_t n)
{
	if (n > SIZE_MAX / 2)
		out_of_memory();
	n = n ? (n + 15) & ~(size_t)15 : 16;
	if (!newest || newest->size - newest->used < n)
		new_chunk(n);
	void *p = chunk_bytes(newest) + newest->used;
	newest->used += n;
	total += n;
	return p;
}

void *mem_grow(void *p, size_t old, size_t new_)
{
	size_t rounded = old ? (old + 15) & ~(size_t)15 : 16;
	if (p && new_ > old && newest && newest->used >= rounded &&
	    (char *)p == chunk_bytes(newest) + newest->used - rounded) {
		size_t more = new_ <= rounded ? 0 : (new_ - rounded + 15) & ~(size_t)15;
		if (new_ <= SIZE_MAX / 2 && newest->size - newest->used >= more) {
			newest->used += more;
			total += more;
			return p;
		}
	}
	void *q = mem_alloc(new_);
	if (old)
		memcpy(q, p, old < new_ ? old : new_);
	return q;
}

MemMark mem_mark(void)
{
	return (MemMark){newest, newest ? newest->used : 0, total};
}

void mem_release(MemMark m)
{
	while (newest != m.chunk) {
		Chunk *c = newest;
		newest = c->prev;
		chunk_free(c);
	}
	if (newest) {
		memset(chunk_bytes(newest) + m.used, 0, newest->used - m.used);
		newest->used = m.used;
	}
	total = m.total;
}

#endif

void *mem_dup(const void *p, size_t n)
{
	return n ? memcpy(mem_alloc(n), p, n) : NULL;
}

// ---- Tables ----
//
// They are as large as there are variables, and each pass has some: what was freed is given to the
// next, as fresh pages cost more than clearing.

#ifdef RAIDO_HOSTILE

void *table_grow(void *p, size_t old, size_t new_)
{
	char *q = new_ > SIZE_MAX / 2 ? NULL : !p ? calloc(1, new_ ? new_ : 1) : realloc(p, new_);
	if (!q)
		out_of_memory();
	if (p && new_ > old)
		memset(q + old, 0, new_ - old);
	return q;
}

void table_free(void *p)
{
	free(p);
}

#else

typedef struct Table { struct Table *next; size_t size_log2; } Table; // before its bytes

_Static_assert(sizeof(Table) % 16 == 0, "the bytes after a table's header are aligned");

enum { SMALLEST_TABLE = 8, N_TABLE_SIZES = 48 };
static Table *freed[N_TABLE_SIZES];             // by the logarithm of their sizes
static struct { char *at; size_t size; } unused; // zeroed

static Table *table_new(size_t bytes)
{
	size_t log2 = SMALLEST_TABLE;
	while (((size_t)1 << log2) - sizeof(Table) < bytes)
		log2++;
	if (log2 >= N_TABLE_SIZES)
		out_of_memory();
	Table *t = freed[log2];
	if (t) {
		freed[log2] = t->next;
		memset(t + 1, 0, bytes);
		return t;
	}
	if (unused.size >> log2 == 0) {
		size_t least = ((size_t)1 << log2) + sizeof(Chunk);
		Chunk *c = chunk_new(least < LARGEST_CHUNK / 2 ? LARGEST_CHUNK / 2 : least);
		unused.at = chunk_bytes(c);
		unused.size = c->size;
	}
	t = (Table *)unused.at;
	unused.at += (size_t)1 << log2;
	unused.size -= (size_t)1 << log2;
	t->size_log2 = log2;
	return t;
}

void *table_grow(void *p, size_t old, size_t new_)
{
	if (new_ > SIZE_MAX / 2)
		out_of_memory();
	Table *t = p ? (Table *)p - 1 : NULL;
	if (t && new_ <= ((size_t)1 << t->size_log2) - sizeof *t) {
		if (new_ > old)
			memset((char *)p + old, 0, new_ - old);
		return p;
	}
	Table *larger = table_new(new_);
	if (old)
		memcpy(larger + 1, p, old);
	table_free(p);
	return larger + 1;
}

void table_free(void *p)
{
	if (!p)
		return;
	Table *t = (Table *)p - 1;
	t->next = freed[t->size_log2];
	freed[t->size_log2] = t;
}

#endif

size_t mem_used(void)
{
	return total;
}

// `at` points to a pointer of some other object type, hence memcpy for its access.
void vec_grow(void **at, int *cap, size_t elem_size)
{
#ifdef RAIDO_HOSTILE
	int first = 1;
#else
	int first = 8;
#endif
	if (*cap > INT_MAX / 2)
		out_of_memory();
	int wider = *cap ? *cap * 2 : first;
	void *p;
	memcpy(&p, (void *)at, sizeof p);
	p = mem_grow(p, (size_t)*cap * elem_size, (size_t)wider * elem_size);
	memcpy((void *)at, &p, sizeof p);
	*cap = wider;
}
