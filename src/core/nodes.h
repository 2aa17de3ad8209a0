// Core: a typed, purely functional A-normal form over flat values.
//
// A program is a list of functions.  A Body is a sequence of statements and a list of
// results; a statement binds variables to one expression, whose operands are variables or
// constants.  Every variable is bound once in the whole program.  Nodes are never changed
// after they are built: a pass builds new ones.
//
// Values are scalars and regular arrays of scalars: records, tuples and sums are flat lists
// of values here, functions and modules are gone.  Array sizes are operands, so a size is an
// ordinary i64 variable or constant.  Where a size comes into being with a value (the
// result of a filter, a branch, a loop), it is an explicit i64 result BEFORE the arrays
// that have it, and their types mention it:
//
//   let (k: i64, ys: [k]f64) = call keep (n, xs)
//
// A list of variables whose types may mention earlier ones of the same list is called
// a telescope: patterns, parameters and function results are telescopes.
//
// Glossary: SOAC = second-order array combinator; ne = neutral element; LMAD = linear
// memory access descriptor.
#ifndef RAIDO_NODES_H
#define RAIDO_NODES_H
#include "base/base.h"

// ---- Operands and types ----

typedef struct { uint32_t id; } Var;            // index into the variable table
// As large as a scalar, and most of what a program is made of: `kind` lies on Scalar.zero.
typedef union {
	struct { PrimType unused_; enum { S_CONST, S_VAR } kind; Var var; uint32_t unused_too_; };
	Scalar val;
} Sub;
_Static_assert(S_CONST == 0 && offsetof(Sub, kind) == offsetof(Scalar, zero),
               "a scalar is an operand of kind S_CONST");
typedef SLICE(Var) Vars;
typedef SLICE(Sub) Subs;

// acc: the type of an accumulator over arrays of shape `space` with elements `elems`;
// `token` is the variable that withacc binds to tell accumulators apart.
typedef struct Type Type;
typedef SLICE(Type) Types;
typedef struct { Var token; Subs space; Types elems; } AccType;

// Where an array lives, in the MEM stage: element (i, j, ...) is at index
// offset + i * strides[0] + j * strides[1] + ... of the block, counted in elements.
// Without strides the array is row-major: they are the products of its inner sizes.
typedef struct { Var block; Sub offset; Subs strides; } MemLoc;

struct Type {
	// T_CERT: proof that an assertion held; T_MEM: a memory block, in the MEM stage only
	enum { T_DATA, T_CERT, T_ACC, T_MEM } kind;
	PrimType elem;                          // T_DATA; T_MEM: of the block's elements
	Subs dims;                              // T_DATA: empty for a scalar, else outermost first
	bool unique;                            // parameters: consumed; results: fresh
	AccType *acc;                           // T_ACC
	const MemLoc *mem;                      // arrays, in the MEM stage only; else NULL
};

// What is known of each variable.  The type is given once, when the variable is made;
// substitution may replace a dimension by an equal operand.
typedef struct { Name hint; Type type; } VarInfo;
extern VarInfo *vars;                           // indexed by Var.id; grows
extern uint32_t n_vars;

// ---- Statements, bodies, functions ----

typedef struct Exp Exp;
typedef struct Lambda Lambda;
typedef struct Fun Fun;

// Where a statement comes from: its place and the call sites it was inlined through.
// derived: of a derivative that was made from what is there.
typedef struct Where { Span span; const struct Where *up; bool derived; } Where;
Span users_place(const Where *);                // the innermost that is not in the prelude

// What is said of a statement or function: marks, which are the rows of marks.def, and texts with
// an argument, as written in #[...]: "stripmine(3)".
typedef enum {
	ATTR_NONE,
#define MARK(name, text, forms, stages) ATTR_##name,
#include "core/marks.def"
#undef MARK
	N_MARK
} Mark;
typedef struct { Name *at; int len; uint64_t marks; } Attributes;
_Static_assert(N_MARK <= 64, "a mark is a bit of Attributes.marks");

typedef struct {
	Vars pat;                               // a telescope
	Exp *exp;
	Vars certs;                             // assertions that must hold before
	Attributes attrs;
	const Where *where;                     // may be NULL
} Stm;
typedef SLICE(Stm) Stms;
typedef struct { Stms stms; Subs res; } Body;
// Lists of these while they grow.
typedef VEC(Var) VarVec;
typedef VEC(Sub) SubVec;
typedef VEC(Type) TypeVec;
typedef VEC(Stm) StmVec;

// Lambdas of SOACs and derivatives.  Result types mention no variable bound inside,
// except for flatmap's lambda, whose results are a telescope (see there).
struct Lambda { Vars params; Types ret; Body body; };

// ---- Scalar operations ----

// ORDER PRIM: rows of prims.def.  `add`, `eq`, ... at one primitive type each.
typedef enum {
#define PRIM(name, ...) P_##name,
#include "core/prims.def"
#undef PRIM
	N_PRIM
} Prim;
extern const char *const prim_name[N_PRIM];
extern const int8_t prim_arities[N_PRIM];
static inline int prim_arity(Prim op) { return prim_arities[op]; }
bool     prim_allowed(Prim, PrimType);          // is op at this operand type an operation?
PrimType prim_result(Prim, PrimType);           // e.g. eq at f64 gives bool
PrimType prim_operand(Prim, PrimType, int i);   // ldexp's second operand is i32
bool     prim_can_fail(Prim, PrimType);         // integer division, pow
static inline bool prim_divides(Prim op)
{
	return op == P_div || op == P_mod || op == P_quot || op == P_rem;
}
bool     prim_is_function(Prim);                // exp and the like: takes long
bool     prim_spreads(Prim);                    // what is not finite stays so
bool     prim_in_vectors(Prim);                 // of f32 and f64: rts/c/vector.h has it
bool     prim_gives_plus(Prim);                 // never -0
// Evaluates; returns false and sets *why for division by zero and negative exponents.
bool     prim_eval(Prim, PrimType, const Scalar *args, Scalar *out, const char **why);
Scalar   convert_eval(PrimType to, Scalar);     // language reference 14.4

// ---- Expressions ----

typedef enum {
#define FORM(name, stages, flags, parts) E_##name,
#include "core/forms.def"
#undef FORM
	N_FORM
} Form;
extern const char *const form_name[N_FORM];
typedef enum {                                  // ORDER: the words of forms.def
	FORM_PURE = 1, FORM_ALIAS = 2, FORM_FRESH = 4, FORM_NEST = 8, FORM_SOAC = 16,
	FORM_EFFECT = 32,
} FormFlag;
extern const uint8_t form_flags[N_FORM];
static inline bool form_has(Form f, FormFlag flag) { return (form_flags[f] & flag) != 0; }

// One dimension of a slice: a single index (removes the dimension) or
// start, start+step, ... of `len` elements.
typedef struct { bool fixed; Sub start, len, step; } DimSlice;
typedef SLICE(DimSlice) Slices;

typedef struct { Scalar value; Body body; } CoreCase;
typedef SLICE(CoreCase) CoreCases;

// An operator with its neutral element: params are 2k values (left operands, then right).
typedef struct { Lambda *op; Subs ne; bool comm; } Reduction;
typedef SLICE(Reduction) Reductions;

// reduce_by_index into k arrays `dests` that share their outer shape `space`;
// out-of-range indices are ignored.
typedef struct { Lambda *op; Subs ne, dests; Subs space; } HistOp;
typedef SLICE(HistOp) HistOps;

// Writes into `dest` (consumed), whose outer dimensions `space` are indexed.
typedef struct { Sub dest; Subs space; int n_writes; } ScatterDest;
typedef SLICE(ScatterDest) ScatterDests;

// An accumulator made by withacc from `arrs`; without an operator it is a scatter
// (later writes win).
typedef struct { Subs space, arrs; Lambda *op; Subs ne; } AccInput;
typedef SLICE(AccInput) AccInputs;

// A run-time message: literal text and operands shown in between.
typedef struct { const char *text; Sub val; bool is_val; } MsgPart;
typedef SLICE(MsgPart) Msg;
typedef VEC(MsgPart) MsgVec;

struct Exp {
	Form form;
	union {
		// x : t                     a name for an operand
		struct { Sub x; } atom;
		// add.f64 x y               at operand type `at`
		struct { Prim op; PrimType at; Sub x[3]; } prim;
		// convert.f32 x             to type `to`
		struct { PrimType to; Sub x; } convert;
		// if c then body else body  both give the pattern's telescope
		struct { Sub cond; Body yes, no; } if_;
		// match x { 0 -> body; _ -> body }     x an integer
		struct { Sub x; CoreCases cases; Body other; } match;
		// loop (ps = inits) for i < n do body   i has the type of n; n <= 0: no iteration
		// loop (ps = inits) while p do body     p is one of ps, a bool: runs while it holds
		// params are a telescope; the pattern's types follow the params' types.
		struct { Vars params; Subs inits; bool is_while; Var i; Sub n; Var while_cond;
		        Body body; } loop;
		// call f (args)
		struct { Fun *fn; Subs args; } call;
		// a[i, j]                   all dimensions indexed: a scalar
		struct { Sub arr; Subs idx; } index;
		// a[i, s:len:step]          bounds are checked by assertions before
		struct { Sub arr; Slices at; } slice;
		// a with [slices] = v       consumes a
		struct { Sub arr; Slices at; Sub val; } update;
		// concat a b ...            along dimension 0; `size` is the result's
		struct { Sub size; Subs arrs; } concat;
		// iota.t n start step
		struct { PrimType type; Sub n, start, step; } iota;
		// replicate [n][m] x        new outer dimensions
		struct { Subs dims; Sub x; } replicate;
		// scratch.t [n][m]          contents unspecified
		struct { PrimType type; Subs dims; } scratch;
		// reshape [n][m] a          row-major order kept
		struct { Subs dims; Sub arr; } reshape;
		// rearrange (1,0) a         result dimension i is a's dimension perm[i]
		struct { SLICE(int) perm; Sub arr; } rearrange;
		// copy a                    fresh, row-major
		struct { Sub arr; } copy;
		// [x, y, z] : [3]t          elements are scalars or arrays of one type
		struct { Subs elems; Type elem_type; } array;
		// how all SOACs begin: the next four
		struct { Sub n; Subs arrs; } soac;
		// screma n (arrs) map=\.. scan=.. reduce=..
		// The map lambda's results are, in order: inputs of the scans, inputs of the
		// reductions, mapped results.  So are the expression's results (scans and maps as
		// arrays of n, reductions as single values).
		struct { Sub n; Subs arrs; Lambda *map; Reductions scans, reds; } screma;
		// hist n (arrs) \.. ops lambda results: all indices of each op (i64), then all
		// values
		struct { Sub n; Subs arrs; HistOps ops; Lambda *map; } hist;
		// scatter n (arrs) \.. dests lambda results: all indices, then all values;
		// out-of-range
		// writes are ignored; dests consumed
		struct { Sub n; Subs arrs; ScatterDests dests; Lambda *map; } scatter;
		// flatmap n (arrs) \.. -> (k, data: [k]t ..., uniform ...)
		// the lambda's first result is the segment's length k, then n_data arrays with
		// outer
		// size k, then uniform results. Gives: m (total length), lengths: [n]i64, data:
		// [m]t ...,
		// uniform: [n]u ...
		struct { Sub n; Subs arrs; int n_data; Lambda *map; } flatmap;
		// withacc (inputs) \(tokens, accs) -> ... the lambda returns the accumulators
		// first, then other
		// values; gives the updated arrays, then the other values
		struct { AccInputs inputs; Lambda *fn; } withacc;
		// upd_acc acc [i, j] vals   gives the accumulator
		struct { Sub acc; Subs idx, vals; } upd_acc;
		// jvp fn (args) (tangents) gives results, then their tangents. With `many`, the
		// seeds
		// (tangents) and resulting tangents have an extra outer dimension of size n.
		struct { Lambda *fn; Subs args, seeds; bool many; Sub n; } jvp;
		// vjp fn (args) (cotangents of results)  gives results, then adjoints of the args
		struct { Lambda *fn; Subs args, seeds; bool many; Sub n; } vjp;
		// with_vjp fn bwd (args) fn gives n_tape values, then the results; this gives the
		// results; in reverse mode bwd (tape, cotangents) gives the adjoints of args.
		struct { Lambda *fn, *bwd; int n_tape; Subs args; } with_vjp;
		// assert c "message"        gives a certificate
		struct { Sub cond; Msg msg; } assert_;
		// trace "tag" (xs)          prints, gives xs
		// shape: EntryType *, how to print, or NULL; stop: a breakpoint, which prints
		// nothing
		struct { const char *tag; Subs xs; void *shape; const struct Stop *stop; } trace;
		// opaque (xs)               gives xs; no optimisation sees through it
		struct { Subs xs; } opaque;
		// alloc.t n a block of n elements, contents unspecified; `stack`: n is a small
		// constant, and the block does not outlive its body
		struct { PrimType type; Sub n; bool stack; } alloc;
		// release m                 the last use of block m was before
		struct { Sub block; } release;
	};
};
// No dimension of an array is larger: what makes one checks it, and passes rely on it, see Note
// [Sizes] of opt/range.c.  Of arrays that are given to entry points no product of dimensions is
// larger than LARGEST_GIVEN, but for those that are 0.
#define LARGEST_SIZE (INT64_C(1) << 60)
#define LARGEST_GIVEN (INT64_C(1) << 57)

// Copies of most forms take less than an Exp: expressions are not to be assigned as a whole.
enum { SMALL_EXP = offsetof(Exp, prim) + sizeof ((Exp *)NULL)->prim };
extern const bool exp_is_small[N_FORM];
// A new expression: EXP(if_, cond, yes, no), EXP(loop, .params = ps, .inits = xs, ..)
#define EXP(name, ...) NEW(Exp, .form = E_##name, .name = {__VA_ARGS__})
static inline Exp *exp_dup(const Exp *e)
{
	return exp_is_small[e->form] ? mem_dup(e, SMALL_EXP) : mem_dup(e, sizeof *e);
}

// What is in scope at a breakpoint and at the calls that led to it, innermost first: `first` is
// the index of a name's flat values among the operands of the trace; `binding` is a Binding *.
typedef struct { const void *binding; Name name; struct EntryType *type; int first; } StopVar;
typedef struct { Span span; SLICE(StopVar) vars; } StopFrame;
typedef struct Stop { SLICE(StopFrame) frames; } Stop;

// ---- Programs ----

// How flat values make up a value of the surface language: what entry points take and
// give, and how tools print it.
typedef struct EntryType EntryType;
typedef struct { Name name; EntryType *type; } EntryField;
typedef SLICE(EntryField) EntryFields;
typedef struct {
	Name name;
	SLICE(EntryType *) args;
	// for each flat value of the args: its slot after the tag
	SLICE(int) slots;
} EntryConstr;
struct EntryType {
	// ET_FUN: no values, prints #<fun>
	enum { ET_PRIM, ET_ARRAY, ET_RECORD, ET_SUM, ET_FUN } kind;
	// Futhark syntax without sizes, e.g. "[](i32, bool)"; opaque name if given
	const char *name;
	bool opaque_name;                       // name is a user's type name
	PrimType prim;
	int rank;                               // ET_ARRAY: number of dimensions over elem
	EntryType *elem;                        // ET_ARRAY
	// ET_RECORD, canonical order; tuples have fields 0, 1, ...
	EntryFields fields;
	bool is_tuple;
	SLICE(EntryConstr) constrs;             // ET_SUM, alphabetical
	Types slots;                            // ET_SUM: types of the payload slots (dims unset)
	bool unique;
	int n_values;                           // how many flat values
};
typedef struct { Name name; EntryType *type; } EntryParam;
typedef struct {
	SLICE(EntryParam) params;
	EntryType *result;
	Attributes attrs;
	const char *doc;
} EntryInfo;

// The parameters of an entry function are the flat values of its arguments preceded by
// the sizes their types mention; `n_sizes` of them, in the telescope before the rest.
// The callers of an entry point (tools, API) fill sizes in from the shapes.
struct Fun {
	Name name;                              // unique in the program
	Vars params;                            // a telescope
	// names for the results, a telescope over params and itself
	Vars res;
	Body body;
	EntryInfo *entry;                       // NULL for ordinary functions; else never called
	Name entry_name;                        // the user's name of an entry point
	Attributes attrs;
	const Where *where;
	// the statements of the body, if the simplifier has nothing to do on them; else others
	const Stm *simple;
	const Stm *lean;                        // likewise for dead code elimination
	const Stm *distinct;                    // likewise for common subexpressions
	const Stm *reduced;                     // likewise for accumulators that become reductions
	const Stm *callless;                    // likewise if it is known that they call nothing
};
typedef SLICE(Fun *) Funs;
// What a program may contain (forms.def): SOACs; then SOACs inside of kernels and around them; then
// loops in their place; then loops, and every array has a place in memory.
typedef enum { STAGE_SOAC = 1, STAGE_DEVICE = 2, STAGE_LOOP = 4, STAGE_MEM = 8 } Stage;
enum { ANY_STAGE = STAGE_SOAC | STAGE_DEVICE | STAGE_LOOP | STAGE_MEM };
const char *stage_name(Stage);
typedef struct { Funs funs; Stage stage; } Prog;
#endif
