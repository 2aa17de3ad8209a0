// The interpreter's own header: compiled code, run-time values, derivatives.
//
// interp_compile.c turns a function into instructions over numbered slots, interp.c runs
// them, interp_array.c and interp_soac.c have the forms on arrays, interp_value.c their
// memory, interp_mem.c the MEM stage, interp_ad.c, interp_tape.c, interp_custom.c and the two
// interp_rules differentiate.
#ifndef RAIDO_INTERP_H
#define RAIDO_INTERP_H
#include "core/core.h"

// ---- Run-time values ----

// A derivative handle, carried beside every scalar.  0: the value depends on no input of
// a running jvp or vjp.  Each such operator has a level, the number of operators
// running around it plus one, and a value may be active at several levels; a handle
// tells about the highest and leads on to the lower ones.  Odd: level and node of a tape,
// nothing below.  Even: a Cell.
typedef uint64_t Der;

typedef struct Arr Arr;
typedef struct Acc Acc;
typedef union { int64_t i; uint64_t u; double f; Arr *arr; Acc *acc; } Raw;

// A scalar is kept as in Scalar; f16 and f32 as the double of equal value.
typedef struct { Raw raw; Der der; } Slot;

// What a value is at one level when there are lower ones, or when the level is of forward
// mode: `low` is the handle of the primal value, `tan` the tangent (itself active at most at
// lower levels), `node` the place on the tape of a reverse level.
typedef struct {
	uint32_t refs, level, node;
	Der low;
	Slot tan;
} Cell;

// Elements in memory.  `frozen` memory is still needed as it is by a custom derivative;
// who wants to write into it takes a copy.
typedef struct Buf {
	uint32_t refs;
	uint8_t type;                           // PrimType
	bool frozen;
	bool cells;                             // some handle may be a Cell
	int64_t n;
	size_t bytes;
	void *data;
	Der *der;                               // NULL: no element is active
	struct Buf *prev, *next;                // all that are alive
} Buf;

// A view of elements: dim holds the shape, then the strides in elements.
struct Arr {
	uint32_t refs;
	int rank;
	Buf *buf;
	int64_t off;
	int64_t dim[];
};
static inline int64_t *arr_strides(const Arr *a) { return (int64_t *)a->dim + a->rank; }

// ---- Code ----

// An operand: a slot of the frame, or ~index of a constant.
typedef int32_t Opnd;
typedef SLICE(Opnd) Opnds;
typedef enum { K_SCALAR, K_ARRAY, K_ACC, K_CERT } Kind;
// An operand (or slot that is bound) with what is known of it; dims only where asked for.
typedef struct { Opnd o; uint8_t kind, elem; Opnds dims; } Arg;
typedef SLICE(Arg) Args;
// In the MEM stage: where an array is to lie.  Its block is an array of one dimension.
// Without strides it is row-major.
typedef struct { Arg array; Opnd block, offset; Opnds strides; } IPlace;
typedef SLICE(IPlace) IPlaces;

typedef struct Ins Ins;
typedef struct Code Code;
// `drops` are arrays bound in this body that live until its results have been taken.
typedef struct { Ins *at; int len; Args res; Opnds drops; } IBody;
typedef struct { Args params; IBody body; } ILambda;

typedef struct { IBody yes, no; } IIf;
typedef struct { int n; Raw *values; IBody *bodies; IBody other; } IMatch;
typedef struct {
	Args params, inits;
	IPlaces places;                         // of the parameters
	bool is_while, is_unsigned;
	Opnd i, n, cond;
	IBody body;
} ILoop;
typedef struct { const Fun *fn; Code *code; Args args; } ICall;
typedef struct { bool fixed; Opnd start, len, step; } IDim;
typedef struct { Arg val; int n; IDim *dims; bool all_fixed; } ISlice;
typedef struct { Args elems; Opnds dims; } IArray;
typedef struct { ILambda op; Args ne; bool selects; } IRed; // selects: by min or max, of rows too
typedef struct {
	Opnd n;
	Args arrs;
	ILambda map;
	int n_scans, n_reds;
	IRed *scans, *reds;
	int *acc_of;                            // which input an accumulator among the results was
	bool alike;                             // rows_fail_alike
} IScrema;
typedef struct { ILambda op; Args dests; Opnds space; } IHistOp;
typedef struct { Opnd n; Args arrs; ILambda map; int n_ops; IHistOp *ops; } IHist;
typedef struct { Arg dest; Opnds space; int n_writes; } IScatterDest;
typedef struct { Opnd n; Args arrs; ILambda map; int n_dests; IScatterDest *dests; } IScatter;
typedef struct { Opnd n; Args arrs; ILambda map; int n_data; } IFlatmap;
typedef struct { Opnds space; Args arrs; bool has_op; ILambda op; } IAccInput;
typedef struct { int n_inputs; IAccInput *inputs; ILambda fn; } IWithAcc;
typedef struct { Opnds idx; Args vals; } IUpdAcc;
// none: which seeds are known to be zero, written so in the program
typedef struct { ILambda fn; Args args, seeds; const bool *none; bool many; Opnd n; } IDiff;
// The custom derivative is code of its own, run when the frame around it may be gone:
// it starts with copies of the variables it captures.
typedef struct { Arg outer; Opnd inner; } Capture;
typedef struct {
	ILambda fn;
	int n_tape;
	Args args;
	Code *bwd;
	Args bwd_params, bwd_res;
	SLICE(Capture) captures;
} IWithVjp;
typedef struct { const Msg *msg; Args vals; } IAssert;
typedef struct { const char *tag; const EntryType *shape; Args xs; const Stop *stop; } ITrace;

// ORDER QUICK: operations worth an instruction of their own.
#define QUICK_OPS(Q) \
	Q(add_i64) Q(sub_i64) Q(mul_i64) Q(add_i32) Q(sub_i32) Q(mul_i32) \
	Q(add_f64) Q(sub_f64) Q(mul_f64) Q(div_f64) Q(add_f32) Q(sub_f32) Q(mul_f32) Q(div_f32)
#define QUICK_TESTS(Q) \
	Q(eq_i64) Q(lt_i64) Q(le_i64) Q(eq_f64) Q(lt_f64) Q(le_f64) Q(and_bool) Q(or_bool)

typedef enum {
	I_SLOW_PRIM = N_FORM,                   // below: the forms
	I_INDEX1,                               // a[i]
#define Q(name) I_##name,
	QUICK_OPS(Q) QUICK_TESTS(Q)
#undef Q
} Opcode;

struct Ins {
	uint8_t op;                             // Form or Opcode
	uint8_t prim, type, arity;              // scalar operations; type also: of iota, conversion
	Opnd to;                                // the first slot bound
	Opnd x[3];
	Args dst;                               // the slots bound
	const void *ext;                        // what the form needs besides
	IPlaces places;                         // of the arrays bound
	Opnds drops;                            // arrays not used after this
	const Stm *stm;
};

struct Code {
	const char *name;
	Args params;
	IPlaces places;                         // of the parameters
	int n_slots;
	Slot *consts;
	IBody body;
};

// ---- The machine ----

typedef struct { Slot *at; const Slot *consts; } Frame;
static inline const Slot *slot_of(const Frame *f, Opnd o)
{
	return o >= 0 ? &f->at[o] : &f->consts[~o];
}

typedef struct Tape Tape;
typedef struct { Tape *tape; } Level;           // tape == NULL: forward mode
typedef struct CallSite { const Stm *stm; struct CallSite *up; } CallSite;
// Frames lie in chunks, one after the other: calls return in the order opposite to that in which
// they began.
typedef struct SlotChunk SlotChunk;
struct SlotChunk { SlotChunk *prev; int used, cap; Slot at[]; };
typedef struct PoolChunk PoolChunk;
enum { SMALL_RANK = 8 };

struct Interp {
	const Prog *prog;
	struct VarSlot *var_slots;              // interp_compile.c
	uint32_t n_var_slots;
	Map codes;                              // of Fun *
	Map constants;                          // Values * of Fun *: their results, once evaluated
	StopFn *on_stop;                        // NULL: breakpoints are passed over
	void *stop_ctx;
	bool stop_at_nan;
	bool (*goes_on)(void *ctx);             // when interrupted; NULL: the call fails
	void *goes_on_ctx;

	// Of one call of an entry point:
	jmp_buf escape;
	RunError error;
	const Ins *at;                          // the instruction running, if it may fail
	CallSite *calls;
	char *stack_base;
	size_t stack_room;
	FILE *traces;
	SlotChunk *frames;
	Buf *bufs;
	size_t bytes, max_bytes;
	PoolChunk *pool;
	char *pool_at, *pool_end;
	void *free_arrs[SMALL_RANK + 1];
	void *free_cells;
	size_t n_cells;                         // in use
	Level *levels;                          // levels[1 .. depth]
	uint32_t depth, max_depth;
	Der *temps;                             // handles to release soon
	int n_temps, max_temps;
};

// ---- interp_compile.c ----

Code *code_of_fun(Interp *, const Fun *);

// ---- interp.c, interp_entry.c ----

void exec(Interp *, Frame *, const IBody *);
NORETURN void run_fail(Interp *, const char *fmt, ...) PRINTF_LIKE(2, 3);
NORETURN void out_of_memory(Interp *, size_t bytes);
Frame frame_push(Interp *, const Code *);
void  frame_pop(Interp *, const Frame *, const Code *);
void  body_end(Interp *, Frame *, const IBody *); // after taking the results
// Takes the results into `out` (retained) and ends the body.
void  body_results(Interp *, Frame *, const IBody *, Slot *out);

// ---- interp_value.c ----

static inline bool der_is_cell(Der d) { return d && !(d & 1); }
static inline Cell *der_cell(Der d) { return (Cell *)(uintptr_t)d; }
static inline uint32_t der_level(Der d)
{
	return !d ? 0 : d & 1 ? (uint32_t)d >> 1 : der_cell(d)->level;
}
static inline Der der_retain(Der d)
{
	if (der_is_cell(d))
		der_cell(d)->refs++;
	return d;
}
void cell_release(Interp *, Cell *);
static inline void der_release(Interp *in, Der d)
{
	if (der_is_cell(d))
		cell_release(in, der_cell(d));
}
Cell *cell_new(Interp *);                       // refs 1, the rest zero

Arr *arr_alloc(Interp *, int rank);             // a view without memory
Arr *arr_new(Interp *, PrimType, int rank, const int64_t *shape, bool zeroed);
Arr *arr_view(Interp *, const Arr *of, int rank); // shares memory and offset; dims unset
void arr_free(Interp *, Arr *);
static inline Arr *arr_retain(Arr *a) { a->refs++; return a; }
static inline void arr_release(Interp *in, Arr *a)
{
	if (a && --a->refs == 0)
		arr_free(in, a);
}
void    arr_set_dense(Arr *);                   // row-major strides for the shape
int64_t arr_count(const Arr *);
bool    same_shape(const Arr *, const Arr *);
Arr    *arr_row(Interp *, const Arr *, int64_t i); // view; rank at least 2
Arr    *arr_dense(Interp *, Arr *);             // row-major: itself (retained) or a copy
Arr    *arr_copy(Interp *, const Arr *);        // fresh
Arr    *arr_writable(Interp *, Arr *);          // itself (retained) or, when frozen, a copy
void    arr_copy_to(Interp *, const Arr *to, const Arr *from); // of one shape
void    elem_put_handle(Interp *, Buf *, int64_t at, Der);
Arr    *arr_of_value(Interp *, const Value *);
Value   value_of_slot(const Arg *, Slot);
void    heap_release(Interp *);                 // everything a call allocated

static inline Raw buf_load(const Buf *b, int64_t i)
{
	const void *d = b->data;
	switch ((PrimType)b->type) {
	case PT_I8:  return (Raw){.i = ((const int8_t *)d)[i]};
	case PT_I16: return (Raw){.i = ((const int16_t *)d)[i]};
	case PT_I32: return (Raw){.i = ((const int32_t *)d)[i]};
	case PT_I64: return (Raw){.i = ((const int64_t *)d)[i]};
	case PT_U8:  return (Raw){.u = ((const uint8_t *)d)[i]};
	case PT_U16: return (Raw){.u = ((const uint16_t *)d)[i]};
	case PT_U32: return (Raw){.u = ((const uint32_t *)d)[i]};
	case PT_U64: return (Raw){.u = ((const uint64_t *)d)[i]};
	case PT_F16: return (Raw){.f = double_of_half(((const uint16_t *)d)[i])};
	case PT_F32: return (Raw){.f = (double)((const float *)d)[i]};
	case PT_F64: return (Raw){.f = ((const double *)d)[i]};
	case PT_BOOL: return (Raw){.u = ((const uint8_t *)d)[i] != 0};
	case N_PRIMTYPE: break;
	}
	bug("element type");
}

static inline void buf_store(Buf *b, int64_t i, Raw r)
{
	void *d = b->data;
	switch ((PrimType)b->type) {
	case PT_I8: case PT_U8: case PT_BOOL: ((uint8_t *)d)[i] = (uint8_t)r.u; return;
	case PT_I16: case PT_U16: ((uint16_t *)d)[i] = (uint16_t)r.u; return;
	case PT_I32: case PT_U32: ((uint32_t *)d)[i] = (uint32_t)r.u; return;
	case PT_I64: case PT_U64: ((uint64_t *)d)[i] = r.u; return;
	case PT_F16: ((uint16_t *)d)[i] = half_of_double(r.f); return;
	case PT_F32: ((float *)d)[i] = (float)r.f; return;
	case PT_F64: ((double *)d)[i] = r.f; return;
	case N_PRIMTYPE: break;
	}
	bug("element type");
}

static inline Slot elem_get(const Arr *a, int64_t at) // at: place in memory; the handle is retained
{
	const Buf *b = a->buf;
	return (Slot){buf_load(b, at), b->der ? der_retain(b->der[at]) : 0};
}
static inline void elem_put(Interp *in, const Arr *a, int64_t at, Slot v) // takes over the handle
{
	buf_store(a->buf, at, v.raw);
	if (v.der || a->buf->der)
		elem_put_handle(in, a->buf, at, v.der);
}

static inline void slot_release(Interp *in, Kind k, Slot s)
{
	if (k == K_ARRAY)
		arr_release(in, s.raw.arr);
	else if (k == K_SCALAR)
		der_release(in, s.der);
}

static inline Slot slot_retain(Kind k, Slot s)
{
	if (k == K_ARRAY)
		arr_retain(s.raw.arr);
	else if (k == K_SCALAR)
		der_retain(s.der);
	return s;
}

// Gives a bound slot what `v` owns, releasing the old contents.
static inline void slot_move(Interp *in, const Arg *to, Frame *f, Slot v)
{
	Slot *s = &f->at[to->o], old = *s;
	*s = v;
	slot_release(in, (Kind)to->kind, old);
}

// Visits the places in memory of all elements, in row-major order:
//   for (PLACES(p, arr)) ... p.at ...
typedef struct {
	const Arr *arr;
	bool dense;
	int64_t done, left, at, idx[SMALL_RANK];
} Places;
Places places_of(const Arr *);
void places_step(Places *);
static inline void places_next(Places *p)
{
	p->left--;
	if (p->dense)
		p->at++;
	else
		places_step(p);
}
#define PLACES(p, a) Places p = places_of(a); p.left > 0; places_next(&p)

static inline Scalar raw_scalar(PrimType t, Raw r) { return (Scalar){.type = t, .u = r.u}; }
static inline Raw scalar_raw(Scalar s) { return (Raw){.u = s.u}; }

// ---- interp_array.c ----

void run_index(Interp *, Frame *, const Ins *);
void run_slice(Interp *, Frame *, const Ins *);
void run_update(Interp *, Frame *, const Ins *);
void run_concat(Interp *, Frame *, const Ins *);
void run_iota(Interp *, Frame *, const Ins *);
void run_replicate(Interp *, Frame *, const Ins *);
void run_scratch(Interp *, Frame *, const Ins *);
void run_reshape(Interp *, Frame *, const Ins *);
void run_rearrange(Interp *, Frame *, const Ins *);
void run_array(Interp *, Frame *, const Ins *);
// Element or row i of an array, as a lambda's parameter wants it; retained.
static inline Slot row_get(Interp *in, const Arr *a, int64_t i)
{
	if (a->rank == 1)
		return elem_get(a, a->off + i * a->dim[1]);
	return (Slot){{.arr = arr_row(in, a, i)}, 0};
}
void row_copy(Interp *, const Arr *, int64_t i, const Arr *from);
static inline void row_put(Interp *in, const Arr *a, int64_t i, const Slot *v) // copies into place
{
	if (a->rank == 1)
		elem_put(in, a, a->off + i * a->dim[1], slot_retain(K_SCALAR, *v));
	else
		row_copy(in, a, i, v->raw.arr);
}
NORETURN void fail_index(Interp *, const Arr *, const int64_t *idx, int n);

// ---- interp_mem.c: programs of the MEM stage ----

void run_alloc(Interp *, Frame *, const Ins *);
void run_release(Interp *, Frame *, const Ins *);
Arr *block_of(Interp *, const Arr *);           // the whole block of an array
// Makes arrays just bound the parts of their blocks that the program says they are: with `write`
// what was computed is stored there, else it is there already.
void take_places(Interp *, Frame *, IPlaces, bool write);

// ---- interp_soac.c ----

void run_screma(Interp *, Frame *, const Ins *);
void run_hist(Interp *, Frame *, const Ins *);
void run_scatter(Interp *, Frame *, const Ins *);
void run_flatmap(Interp *, Frame *, const Ins *);
void run_withacc(Interp *, Frame *, const Ins *);
void run_upd_acc(Interp *, Frame *, const Ins *);
// A new array for n rows of what `dst` binds, whose inner sizes are known from its type.
Arr *rows_new(Interp *, const Frame *, const Arg *dst, int64_t n);

// ---- interp_empty.c: rows without elements ----

bool rows_fail_alike(const Exp *screma);        // if the first does
bool gives_nothing(const Frame *, const IScrema *, const Args *dst, Arr *const *out);

// ---- interp_ad.c: levels, scalar operations on active values, forward mode ----

// The handle of the result `r` of an operation on operands of which one is active.
Der  ad_prim(Interp *, Prim, PrimType, int n, const Slot *x, Raw r);
Der  ad_convert(Interp *, PrimType from, PrimType to, Slot x);
// An operation on two values active at lower levels; the handle is the caller's.
Slot ad_arith(Interp *, Prim, PrimType, Slot x, Slot y);
Slot ad_converted(Interp *, PrimType from, PrimType to, Slot x, bool bits);
uint32_t level_push(Interp *, Tape *);
void level_pop(Interp *);
Der  der_low(Der);                              // borrowed
Der  der_below(Der, uint32_t level);            // borrowed: what is left under a level
Der  der_of_node(Interp *, uint32_t level, uint32_t node, Der low); // takes over low
static inline uint32_t der_node(Der d) { return d & 1 ? (uint32_t)(d >> 32) : der_cell(d)->node; }
Slot primal_at(Interp *, Kind, Slot, uint32_t level); // without this and higher levels; retained
void run_jvp(Interp *, Frame *, const Ins *);

// ---- interp_rules.c and interp_rules_f64.c: prims.def, twice ----

enum { COLUMN_ZERO = 'Z', COLUMN_NONE = 'N', COLUMN_PASS = 'P' };
char ad_column(Prim, int operand);              // the first letter of a derivative
// The partial derivatives by operands x, with result r; returns the set of operands that
// have one.  The first is for floats that are not active, the second for all; its handles are
// the caller's.
int  ad_rules_f64(Prim, const double x[3], double r, double partial[3]);
int  ad_rules(Interp *, Prim, PrimType, const Slot x[3], Slot r, int wanted, Slot partial[3]);

// ---- interp_tape.c: reverse mode ----

uint32_t tape_push(Interp *, Tape *, PrimType, bool bits, int n, const Slot *partial,
                   const uint32_t *parent);
void tape_free(Interp *, Tape *);
void run_vjp(Interp *, Frame *, const Ins *);
void run_with_vjp(Interp *, Frame *, const Ins *); // interp_custom.c
#endif
