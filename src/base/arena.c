// The arena: all memory of the compiler, released as a whole or down to a mark.
//
// Memory comes in chunks.  An allocation takes the next bytes of the newest chunk (`mem_room`, see
// base.h); they are zero.  Fresh pages from the system are zero already; memory that is reused is
// cleared in small steps just before it is handed out, so that it is in the cache by then.
//
// mem_detach cuts off everything allocated since a mark, so that the live part of it can be copied
// to new memory before the rest is freed.  The chunks are kept for reuse: clearing them is cheaper
// than faulting in fresh pages.
//
// In a hostile build every allocation is a malloc of its own, so that the address sanitizer detects
// overruns and uses of released memory.  A mark is then the newest block.
#include "base/base.h"

#include <limits.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

static NORETURN void out_of_memory(void)
{
	fputs("Out of memory.\n", stderr);
	exit(1);
}

void *must(void *p)
{
	if (!p)
		out_of_memory();
	return p;
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

size_t mem_used(void)
{
	return total;
}

MemMark mem_mark(void)
{
	return (MemMark){.chunk = newest, .total = total};
}

void mem_release(MemMark m)
{
	mem_free(mem_detach(m));
}

MemMark mem_fence(void)
{
	return mem_mark();
}

MemSpace mem_detach(MemMark m)
{
	MemSpace s = {newest, m.chunk};
	newest = m.chunk;
	total = m.total;
	return s;
}

bool mem_is_in(MemSpace s, const void *p)
{
	return s.newest != s.end && p;          // it may be
}

void mem_free(MemSpace s)
{
	while (s.newest != s.end) {
		Block *b = s.newest;
		s.newest = b->prev;
		free(b);
	}
}

#else

typedef struct Chunk {
	struct Chunk *prev;
	size_t size;                    // of the bytes after this header
	size_t used;                    // of these, if others are allocated from now
	size_t before;                  // used in the chunks before this one
	size_t mapped;                  // bytes in all if they come from mmap; 0: from calloc
	size_t dirty;                   // bytes from here on were never in use, and are zero
} Chunk;

_Static_assert(sizeof(Chunk) % 16 == 0, "the bytes after a chunk's header are aligned");

// With their headers.  A chunk is a part of what is in use, so that there are few of them, and
// little memory that the system gives in vain.
enum { HUGE_PAGE = 1 << 21, FIRST_CHUNK = HUGE_PAGE, TABLE_CHUNK = 4 * HUGE_PAGE, PART = 4 };
enum { CLEARED = 1 << 14 };                     // bytes at a time
enum { KEPT = 32 * HUGE_PAGE };                 // released, but not given back

MemRoom mem_room;                               // of the newest chunk, unless that is closed
static Chunk *newest;
static Chunk *spare;                            // to be used again
static size_t spare_bytes;

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

static size_t used_of_newest(void)
{
	return mem_room.at ? (size_t)(mem_room.at - chunk_bytes(newest)) : newest->used;
}

static void forget(Chunk *c, size_t from)
{
	if (c->dirty < c->used)
		c->dirty = c->used;
	c->used = from;
}

static void close_newest(void)
{
	if (newest)
		newest->used = used_of_newest();
	mem_room = (MemRoom){0};
}

// Allocates from `used` bytes of a chunk on.
static void open_newest(void)
{
	mem_room.at = chunk_bytes(newest) + newest->used;
	mem_room.end = newest->used < newest->dirty ? mem_room.at
	                                            : chunk_bytes(newest) + newest->size;
}

// Clears more of the newest chunk, for so many bytes to be there; false: they are not.
static bool extend_room(size_t n)
{
	size_t left = mem_room.at ? (size_t)(chunk_bytes(newest) + newest->size - mem_room.at) : 0;
	if (!mem_room.at || n > left)
		return false;
	char *end = mem_room.at + (n + CLEARED < left ? n + CLEARED : left);
	char *dirty = chunk_bytes(newest) + newest->dirty;
	char *to = end < dirty ? end : dirty;
	if (to > mem_room.end)
		memset(mem_room.end, 0, (size_t)(to - mem_room.end));
	mem_room.end = end < dirty ? end : mem_room.at + left;
	return true;
}

static Chunk *spare_chunk(size_t bytes)
{
	for (Chunk **c = &spare; *c; c = &(*c)->prev)
		if ((*c)->size + sizeof **c >= bytes) {
			Chunk *found = *c;
			*c = found->prev;
			spare_bytes -= found->size;
			forget(found, 0);
			return found;
		}
	return NULL;
}

static void keep_spare(Chunk *c)
{
	c->prev = spare;
	spare = c;
	spare_bytes += c->size;
}

static void next_chunk(size_t n)
{
	size_t size = mem_used() / PART, least = newest ? 2 * FIRST_CHUNK : FIRST_CHUNK;
	if (size < least)
		size = least;
	if (size < n + sizeof *newest)
		size = n + sizeof *newest;
	close_newest();
	Chunk *c = spare_chunk(n + sizeof *c);
	if (!c)
		c = chunk_new(size);
	c->prev = newest;
	c->before = newest ? newest->before + newest->used : 0;
	newest = c;
	open_newest();
}

void *mem_alloc_more(size_t n)
{
	if (n > SIZE_MAX / 2)
		out_of_memory();
	if (!extend_room(n)) {
		next_chunk(n);
		extend_room(n);
	}
	char *p = mem_room.at;
	mem_room.at += n;
	return p;
}

void *mem_grow(void *p, size_t old, size_t new_)
{
	size_t rounded = mem_rounded(old);
	if (p && new_ > old && (char *)p + rounded == mem_room.at) {
		size_t more = new_ <= rounded ? 0 : mem_rounded(new_ - rounded);
		if (new_ <= SIZE_MAX / 2 &&
		    ((size_t)(mem_room.end - mem_room.at) >= more || extend_room(more))) {
			mem_room.at += more;
			return p;
		}
	}
	void *q = mem_alloc(new_);
	if (old)
		memcpy(q, p, old < new_ ? old : new_);
	return q;
}

size_t mem_used(void)
{
	return newest ? newest->before + used_of_newest() : 0;
}

MemMark mem_mark(void)
{
	return (MemMark){newest, newest ? used_of_newest() : 0, mem_used()};
}

// Some of it is kept: what checks a program after each pass releases as much each time, and fresh
// pages cost more than clearing.
void mem_release(MemMark m)
{
	close_newest();
	while (newest != m.chunk) {
		Chunk *c = newest;
		newest = c->prev;
		if (spare_bytes + c->size <= KEPT)
			keep_spare(c);
		else
			chunk_free(c);
	}
	if (newest) {
		forget(newest, m.used);
		open_newest();
	}
}

MemMark mem_fence(void)
{
	close_newest();
	return mem_mark();
}

MemSpace mem_detach(MemMark m)
{
	close_newest();
	MemSpace s = {newest, m.chunk};
	newest = m.chunk;
	return s;
}

bool mem_is_in(MemSpace s, const void *p)
{
	for (Chunk *c = s.newest; c != s.end; c = c->prev)
		if ((uintptr_t)p - (uintptr_t)chunk_bytes(c) < c->used)
			return true;
	return false;
}

void mem_free(MemSpace s)
{
	while (s.newest != s.end) {
		Chunk *c = s.newest;
		s.newest = c->prev;
		keep_spare(c);
	}
}

#endif

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
		Chunk *c = chunk_new(least < TABLE_CHUNK ? TABLE_CHUNK : least);
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
