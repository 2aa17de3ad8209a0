// The base layer: knows nothing of the language.
//
// One section per .c file.  Everything allocated here lives in one arena until
// the process ends or the caller releases a mark (REPL, fuzzer); nothing is freed
// one by one.
#ifndef RAIDO_BASE_H
#define RAIDO_BASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#define NORETURN __attribute__((noreturn))
#else
#define PRINTF_LIKE(f, a)
#define NORETURN
#endif

// A build that makes errors show: see arena.c.
#if defined(__SANITIZE_ADDRESS__) && !defined(RAIDO_HOSTILE)
#define RAIDO_HOSTILE 1
#endif
#if defined(__has_feature) && !defined(RAIDO_HOSTILE)
#if __has_feature(address_sanitizer)
#define RAIDO_HOSTILE 1
#endif
#endif

// ---- arena.c: memory ----

#ifdef RAIDO_HOSTILE
void *mem_alloc(size_t n);                      // zeroed, 16-byte aligned, never NULL
static inline void *mem_shrink(void *p, size_t n, size_t kept)
{
	return kept < n ? memcpy(mem_alloc(kept), p, kept) : p;
}
#else
typedef struct { char *at, *end; } MemRoom;     // zeroed bytes to allocate
extern MemRoom mem_room;
void *mem_alloc_more(size_t rounded);
static inline size_t mem_rounded(size_t n) { return n ? (n + 15) & ~(size_t)15 : 16; }
static inline void *mem_alloc(size_t n)
{
	if (n > SIZE_MAX / 2 || mem_rounded(n) > (size_t)(mem_room.end - mem_room.at))
		return mem_alloc_more(n > SIZE_MAX / 2 ? n : mem_rounded(n));
	char *p = mem_room.at;
	mem_room.at += mem_rounded(n);
	return p;
}
// Gives back the end of what was allocated last, which was not written to.
static inline void *mem_shrink(void *p, size_t n, size_t kept)
{
	mem_room.at -= mem_rounded(n) - mem_rounded(kept);
	return p;
}
#endif
static inline void *mem_dup(const void *p, size_t n) // NULL for n == 0
{
	return n ? memcpy(mem_alloc(n), p, n) : NULL;
}
void *mem_grow(void *p, size_t old, size_t new_); // a larger copy (extends in place when last)
size_t mem_used(void);
void *must(void *p);                            // what malloc gave; ends the process if it is NULL

// Everything allocated after a mark is released by mem_release.  Interned names
// are kept elsewhere and survive.
typedef struct { void *chunk; size_t used; size_t total; } MemMark;
MemMark mem_mark(void);
void mem_release(MemMark);
// To keep a part of what was allocated after a mark made by mem_fence: it is taken off, copied from
// as needed, and freed.
typedef struct { void *newest, *end; } MemSpace;
MemMark mem_fence(void);
MemSpace mem_detach(MemMark);
bool mem_is_in(MemSpace, const void *);         // hostile builds cannot tell: true if it may be
void mem_free(MemSpace);

// Large tables that end with what uses them, which frees them: zeroed, not part of the arena.
void *table_grow(void *, size_t old, size_t new_); // NULL and 0 at first
void table_free(void *);
#define NEW_TABLE(T, n) ((T *)table_grow(NULL, 0, (size_t)(n) * sizeof(T)))

#define NEW(T, ...) ((T *)mem_dup(&(T){__VA_ARGS__}, sizeof(T)))
#define NEW_ARRAY(T, n) ((T *)mem_alloc((size_t)(n) * sizeof(T)))

// ---- Slices and growing vectors, typed by macro ----

// A slice is a pointer and a length; its contents are in the arena.
#define SLICE(T) struct { T *at; int len; }

// for EACH(T, p, slice) { ... *p ... }   also right for an empty slice and for a pointer
// type T; the slice is an expression without side effects that does not change meanwhile.
#define EACH(T, p, s) (T *p = (s).at; p && p < (s).at + (s).len; p++)

// A vector is a slice with a capacity; VEC_PUSH appends.  A vector can be read
// like a slice; VEC_SLICE(S, v) makes a slice of type S of its contents.
#define VEC(T) struct { T *at; int len, cap; }
// The element is computed first: doing so may push to the same vector.
#define VEC_PUSH(v, ...) \
	do { \
		__typeof__(*(v)->at) vec_new_ = (__VA_ARGS__); \
		if ((v)->len == (v)->cap) \
			vec_grow((void **)&(v)->at, &(v)->cap, sizeof *(v)->at); \
		(v)->at[(v)->len++] = vec_new_; \
	} while (0)
// Appends the elements of a slice.
#define VEC_APPEND(v, ...) \
	do { \
		__typeof__(__VA_ARGS__) vec_all_ = (__VA_ARGS__); \
		for (int vec_i_ = 0; vec_i_ < vec_all_.len; vec_i_++) \
			VEC_PUSH(v, vec_all_.at[vec_i_]); \
	} while (0)
#define VEC_SLICE(S, v) ((S){(v).at, (v).len})
#define SLICE_DUP(S, s) ((S){mem_dup((s).at, (size_t)(s).len * sizeof *(s).at), (s).len})
void vec_grow(void **at, int *cap, size_t elem_size);

// ---- name.c: interned strings ----

typedef const char *Name;                       // equal strings have equal pointers
Name name_of(const char *s);
Name name_of_n(const char *s, size_t n);
size_t edit_distance(const char *a, const char *b, size_t limit); // limit + 1 when larger

// ---- map.c: hash map from pointers (or interned names) to pointers ----

typedef struct { const void *key; void *val; } MapEntry;
typedef struct {
	MapEntry *entries;                      // in insertion order; deletion is not supported
	int len, cap;
	// open addressing over entries; built past 8 entries
	uint32_t *index;
	uint32_t mask;
} Map;
MapEntry *map_find(const Map *, const void *key);
static inline void *map_get(const Map *m, const void *key) // NULL when absent
{
	MapEntry *e = m->len ? map_find(m, key) : NULL;
	return e ? e->val : NULL;
}
static inline bool map_has(const Map *m, const void *key) { return m->len && map_find(m, key); }
void  map_put(Map *, const void *key, void *val); // replaces
#define MAP_EACH(e, m) (MapEntry *e = (m).entries, *e##_end = e ? e + (m).len : e; e < e##_end; e++)

// ---- md5.c ----

const char *md5_hex(const char *, size_t len);  // 32 digits

// ---- str.c: strings ----

typedef struct { char *at; size_t len, cap; } Str; // always zero-terminated once written
void  str_putc(Str *, char);
void  str_puts(Str *, const char *);
void  str_putn(Str *, const char *, size_t n);
void  str_printf(Str *, const char *fmt, ...) PRINTF_LIKE(2, 3);
void  str_vprintf(Str *, const char *fmt, va_list);
const char *str_text(Str *);                    // "" when nothing was written
const char *text(const char *fmt, ...) PRINTF_LIKE(1, 2); // printf into the arena
const char *vtext(const char *fmt, va_list);
bool  str_starts(const char *s, const char *prefix);
bool  str_ends(const char *s, const char *suffix);
bool  is_name_char(char);                       // may be in a name, though not begin it
const char *read_file(const char *path, size_t *len); // arena copy, zero-terminated; NULL + errno
const char *read_stream(FILE *, size_t *len);

// ---- source.c: files and positions ----

// A Loc is an offset in the concatenation of all files read; 0 is nowhere.
typedef uint32_t Loc;
typedef struct { Loc lo, hi; } Span;            // hi is exclusive
#define NOWHERE ((Span){0, 0})

typedef struct Source {
	const char *name;                       // as shown to users, e.g. "dir/a.fut"
	const char *text;                       // zero-terminated
	uint32_t    len;
	uint32_t    room;                       // the most it may grow to by source_change
	Loc         start;                      // Loc of text[0]
	uint32_t   *lines;                      // offset of each line's first byte
	int         n_lines;
	uint32_t   *chars;                      // characters before each multiple of 1024 bytes
} Source;
Source *source_add(const char *name, const char *text, size_t len); // NULL when the space is full
// One whose text will be changed; `room` is the longest that it may get.
Source *source_add_growing(const char *name, const char *text, size_t len, size_t room);
void    source_change(Source *, const char *text, size_t len);
Source *source_of(Loc);                         // NULL for 0
typedef struct { const char *file; int line, col; } Pos; // 1-based; col counts characters
Pos     loc_pos(Loc);
const char *span_text(Span);                    // the source text itself
const char *show_span(Span);                    // "a.fut:3:5-9" or "a.fut:3:5-4:2"
const char *show_span_short(Span);              // without the file: "3:5-9"
static inline Span span_join(Span a, Span b) {
	return !a.lo ? b : !b.lo ? a : (Span){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}
void sources_reset(void);                       // forget all files (fuzzer)
int  sources_mark(void);
void sources_release(int mark);                 // forget those added since

// ---- diag.c: errors, warnings, and our own bugs ----
//
// Diagnostics are collected; the driver prints them.  `fail` reports an error and
// unwinds to the innermost guard, so code after it may assume success; a checker
// guards each declaration and so reports several independent errors in one run.

typedef enum { D_ERROR, D_WARNING } DiagKind;
typedef struct Diag {
	DiagKind kind;
	Span span;
	const char *anchor;                     // entry in docs/errors.md, or NULL
	const char *message;                    // may hold several lines
	const char *notes;                      // "Note: ...", "Hint: ..." lines, or NULL
} Diag;
typedef VEC(Diag *) Diags;
extern Diags diags;

Diag *diag_error(Span, const char *anchor, const char *fmt, ...) PRINTF_LIKE(3, 4);
Diag *diag_warn(Span, const char *anchor, const char *fmt, ...) PRINTF_LIKE(3, 4);
void  diag_note(Diag *, const char *fmt, ...) PRINTF_LIKE(2, 3); // adds a line to notes
NORETURN void fail(Span, const char *anchor, const char *fmt, ...) PRINTF_LIKE(3, 4);
NORETURN void fail_diag(Diag *);                // unwind after diag_error + diag_note

typedef struct Guard { jmp_buf env; struct Guard *up; } Guard;
void guard_push(Guard *);
void guard_pop(Guard *);
// if (GUARDED(g)) { ...; guard_pop(&g); } else { /* fail was called; g is already popped */ }
#define GUARDED(g) (guard_push(&(g)), setjmp((g).env) == 0)

int  diag_count(DiagKind);
int  diag_errors_made(void);                    // ever, to see at once whether there are new ones
void diag_reset(void);
void diag_move(void);                           // to memory that is allocated from now on
void diag_forget(int n);                        // all but the first n
void diag_forget_unnamed(void);                 // all but errors, and warnings with an anchor
// Prints what was collected, in source order, without repeats.  Shape:
//   Error at a.fut:3:5-9:
//   MESSAGE
//      3 | source line
//        |     ^^^^
//   NOTES
//
//   For more information, run: raido explain ANCHOR
void diag_print(FILE *, bool colour);
bool stream_is_terminal(FILE *);

extern const char *current_pass;                // named in internal errors
NORETURN void bug_at(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);
#define bug(...) bug_at(__FILE__, __LINE__, __VA_ARGS__) // our fault: says so, exits with 1

// ---- prim.c: the scalar types and their values ----

typedef enum {
	PT_I8, PT_I16, PT_I32, PT_I64, PT_U8, PT_U16, PT_U32, PT_U64,
	PT_F16, PT_F32, PT_F64, PT_BOOL,        // ORDER PRIMTYPE
	N_PRIMTYPE
} PrimType;
extern const char *const primtype_name[N_PRIMTYPE]; // "i8" ...
bool primtype_of_name(const char *, PrimType *);
static inline bool is_signed(PrimType t)   { return t <= PT_I64; }
static inline bool is_unsigned(PrimType t) { return t >= PT_U8 && t <= PT_U64; }
static inline bool is_int(PrimType t)      { return t <= PT_U64; }
static inline bool is_float(PrimType t)    { return t >= PT_F16 && t <= PT_F64; }
static inline bool is_num(PrimType t)      { return t <= PT_F64; }
int primtype_size(PrimType);                    // bytes: f16 2, bool 1

// A scalar value.  Integers are kept sign- or zero-extended to 64 bits according to
// their type, f16 and f32 are kept as the exactly representable double, bool is 0 or 1.
// `zero` is 0: where a scalar or a name may be, this tells that it is a scalar.
typedef struct {
	PrimType type;
	uint32_t zero;
	union { int64_t i; uint64_t u; double f; };
} Scalar;
Scalar scalar_int(PrimType, int64_t);           // wraps to the type; also float and bool types
Scalar scalar_float(PrimType, double);          // rounds to the type
bool   scalar_eq_bits(Scalar, Scalar);          // same type and bits (NaN equals itself)
void   scalar_store(PrimType, void *at, Scalar);
Scalar scalar_load(PrimType, const void *at);
// Text with suffix ("3i32", "1.5f32", "f64.nan", "true"), floats shortest round trip
// with Futhark's layout (1.0, 1.0e-2, 1.0e20), or without suffix.
const char *scalar_show(Scalar, bool suffix);
void   scalar_put(Str *, Scalar, bool suffix);  // appends the same
uint16_t half_of_double(double);
double   double_of_half(uint16_t);
// The value of a floating-point type nearest to a number in decimal or hexadecimal digits,
// without suffix; rounded once.
double   float_of_text(PrimType, const char *digits);

// ---- threshold.c: sizes from which rules pay ----

typedef enum {
#define THRESHOLD(name, usual, eager, what) AT_##name,
#include "base/thresholds.def"
#undef THRESHOLD
} Threshold;
int threshold(Threshold);

// ---- bigstack.c ----

// Runs f(arg) on a stack of `bytes` (lazily committed) and returns its result: deep
// recursion on deeply nested programs then fits.
int with_big_stack(size_t bytes, int (*f)(void *), void *arg);
// To be called before a longjmp that leaves all frames below `to`, the address of a variable
// of the function that gets control: the address sanitizer forgets about small stacks only.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STACK_IS_WATCHED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(STACK_IS_WATCHED)
void __asan_unpoison_memory_region(void const volatile *, size_t);
static inline void leave_frames(const void *to)
{
	char here = 0;
	if (&here < (const char *)to)
		__asan_unpoison_memory_region(&here, (size_t)((const char *)to - &here));
}
#else
static inline void leave_frames(const void *to) { (void)to; }
#endif
#endif
