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
#ifndef RAIDO_CORE_H
#define RAIDO_CORE_H
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

// ---- core.c: constructors and small questions ----

Var  var_new(Name hint, Type);
Var  var_i64(const char *hint);
Vars vars_new(const char *hint, Types);         // none of them unique
void vars_reserve(uint32_t n);                  // ids below n exist; new ones without hint (NULL)
void vars_reset(uint32_t n);                    // forgets ids from n on (REPL, fuzzer)
static inline Type type_scalar(PrimType t) { return (Type){.kind = T_DATA, .elem = t}; }
Type type_array(PrimType, Subs dims);
Type type_cert(void);
Type type_mem(PrimType elem);                   // a block of such elements
Type type_row(Type);                            // one dimension less; accumulators stay as they are
Type type_of_rows(Sub n, Type);                 // one dimension more; accumulators stay as they are
Type type_drop(Type, int n);
static inline Type type_plain(Type t)   { t.unique = false; return t; }
Types types_plain(Types);                       // new
static inline bool type_is_scalar(Type t) { return t.kind == T_DATA && t.dims.len == 0; }
static inline bool type_is_array(Type t)  { return t.kind == T_DATA && t.dims.len > 0; }
static inline bool type_is_float(Type t)  { return t.kind == T_DATA && is_float(t.elem); }
static inline Type sub_type(Sub s)
{
	return s.kind == S_CONST ? type_scalar(s.val.type) : vars[s.var.id].type;
}
static inline bool sub_eq(Sub a, Sub b)
{
	if (a.kind != b.kind)
		return false;
	return a.kind == S_VAR ? a.var.id == b.var.id : scalar_eq_bits(a.val, b.val);
}
bool is_int_const(Sub, int64_t);                 // of any integer type
bool mem_eq(const MemLoc *, const MemLoc *);    // written the same way
static inline Sub sub_var(Var v)        { return (Sub){.kind = S_VAR, .var = v}; }
static inline Sub sub_const(Scalar s)   { return (Sub){.val = s}; }
static inline Sub sub_i64(int64_t i)    { return (Sub){.val = {.type = PT_I64, .i = i}}; }
static inline Sub sub_bool(bool b)      { return (Sub){.val = {.type = PT_BOOL, .i = b}}; }
static inline Sub sub_zero(PrimType t)  { return sub_const(scalar_int(t, 0)); }
static inline bool sub_is_acc(Sub s)    { return sub_type(s).kind == T_ACC; }
static inline bool sub_is_scalar(Sub s) { return type_is_scalar(sub_type(s)); }
Subs subs_of(int n, ...);                       // subs_of(2, x, y)
Subs subs_cat(Subs, Subs);
Vars vars_of(int n, ...);
Vars vars_cat(Vars, Vars);                      // new
Subs subs_of_vars(Vars);
Subs subs_part(Subs, int from, int n);          // shares memory
Vars vars_part(Vars, int from, int n);          // likewise
Types types_of_vars(Vars);
Types types_of_subs(Subs);
int  subs_find(Subs, Sub);                      // its place, or -1
int  vars_find(Vars, Sub);                      // likewise
bool vars_any_in(Vars, const Map *set);         // keys: var_key
void vars_put(Map *to, Vars, const void *val);  // for each its var_key
bool vars_are_scalars(Vars);
bool vars_have_acc(Vars);                       // is one of them an accumulator?
bool vars_have_sizes(Vars);                     // is one of them a size of one of them?
Vars vars_like(Vars);                           // new ones with these names and types
Vars vars_united(Vars, Vars);                   // new
static inline const void *var_key(Var v) { return (const void *)(uintptr_t)(v.id + 1); } // in a Map
bool form_allowed(Form, Stage);
bool exp_has_effect(const Exp *);               // kept although unused: assert; trace, also nested
bool exp_has_checks(const Exp *);               // assertions in its bodies
bool body_has_checks(const Body *);
extern bool traces_made;                      // is any expression a trace?  Most programs have none
int  exp_n_results(const Exp *);                // how many variables its pattern has
int  n_reduced(Reductions);                     // how many values all of them give
int  n_folded(const Exp *screma);               // likewise its scans and reductions
int  n_acc_arrays(const Exp *withacc);
int  stm_index(const Body *, Sub);              // of the statement there that binds it, or -1
const Stm *stm_in(const Body *, Sub);           // that statement, or NULL
const Exp *def_in(const Body *, Sub);         // of a single variable, by a statement there; or NULL
static inline DimSlice dim_at(Sub i)    { return (DimSlice){.fixed = true, .start = i}; }
static inline DimSlice dim_whole(Sub n) { return (DimSlice){false, sub_i64(0), n, sub_i64(1)}; }
Slices slices_at(Subs idx, Subs rest);        // these indices, then the whole of further dimensions
Slices slices_rows(Type, Sub from, Sub n);      // n rows of an array
Slices slices_and(Slices, DimSlice last);       // one dimension more
bool is_element(Slices);                        // an index in each dimension
bool is_whole_slice(Slices, Subs dims);         // of an array with these sizes
Subs slice_starts(Slices);                       // of all dimensions
Subs slice_dims(Slices);                        // the dimensions that are left
bool is_whole_dim(DimSlice, Sub size);
static inline uint64_t hash_mix(uint64_t h, uint64_t word) // the hash of one word more
{
	h = (h ^ word) * 0xFF51AFD7ED558CCDu;
	return h ^ h >> 32;
}
uint64_t hash_words(const uint64_t *, int n);

// ---- ask.c: questions about expressions ----

const Exp *lambda_prim(const Lambda *);         // \x y -> x op y or y op x: the operation; or NULL
Lambda *lambda_identity(Types);                 // \xs -> xs
bool lambda_is_identity(const Lambda *);
bool lambda_adds(const Lambda *);               // is that an addition?
bool is_count(const Exp *);                     // 0, 1, 2, .. as i64; false of NULL
bool is_map(const Exp *);                       // a screma without scans and reductions
bool may_reach(Sub n, Threshold);                 // at least so many, as far as is known
bool is_select(const Exp *);                    // an if whose branches compute nothing
bool stm_is_call(const Stm *);                  // these are tests for body_find
bool stm_is_index(const Stm *);
bool stm_is_loop(const Stm *);
bool stm_is_for(const Stm *);                   // a loop that counts
bool stm_is_assert(const Stm *);
bool stm_is_soac(const Stm *);
Lambda **soac_fn(const Exp *);                  // the function of its rows
// if and match choose among branches, of which the one for all other values is the last.
int   n_branches(const Exp *);                  // 0 for all other forms
Body *branch_at(const Exp *, int i);
Exp  *choice_copy(const Exp *);                 // branches of the copy may be changed
bool loop_binds(const Exp *loop, Sub);          // its counter, a parameter, or in its body
int  body_size(const Body *);                   // statements, nested ones included
bool body_all(const Body *, bool (*)(const Stm *)); // does it hold of all its own statements?
bool has_nested(const Body *);                  // bodies or calls, in its statements
bool is_row_at(Slices, Sub i);                  // is the first index i?
bool stores_at(const Exp *, Sub arr, Sub i);    // arr[i] = x, of one dimension; false of NULL
typedef VEC(const Sub *) Slots;
// Adds the operands that it consumes: what it writes to, and arguments for unique parameters.
void exp_consumes(const Exp *, Slots *);

// ---- marks.c: attributes ----

static inline bool has_attr(Attributes a, Mark m)   { return a.marks >> m & 1; }
static inline bool has_attrs(Attributes a)          { return a.len || a.marks; }
static inline Attributes with_attr(Attributes a, Mark m)
{
	a.marks |= m ? UINT64_C(1) << m : 0;
	return a;
}
static inline Attributes without_attr(Attributes a, Mark m)
{
	a.marks &= ~(UINT64_C(1) << m);
	return a;
}
static inline Attributes attr_of(Mark m)            { return with_attr((Attributes){0}, m); }
Attributes attrs_join(Attributes, Attributes);
Attributes attrs_of_texts(Attributes);          // marks for those that are the text of one
bool is_users_attr(const char *text);           // no mark or text of the compiler's alone
const char *mark_text(Mark);
bool mark_allowed(Mark, Form, Stage);
bool mark_allowed_on_fun(Mark, Stage);
// Texts: threshold(NAME) on `let (b, ...) = opaque (false, par, default)`: is par at least the
// tuning parameter NAME?  param(NAME) on `opaque (-1)`: the setting of one.  given(NAME) on a
// function: its first parameters are the results of that function, a constant.
#define ATTR_THRESHOLD "threshold"
#define ATTR_PARAM "param"
#define ATTR_GIVEN "given"
bool has_attr_text(Attributes, const char *);
const char *attr_argument(Attributes, const char *name); // what is in parentheses after it, or NULL
Attributes with_attr_text(Attributes, const char *); // new
Fun *fun_named(const Prog *, const char *name); // it must be there
// The functions that the first parameters of one are the results of, in order.
Funs given_to(const Prog *, const Fun *);

// ---- loops.c: questions about loops and their marks ----

// What values depend on, as bits (at most 63) by variable: the levels of a nest, say.
uint64_t levels_of(const Map *, Sub);           // 0: nothing, or not noted
void     set_levels(Map *, Var, uint64_t);
uint64_t levels_of_exp(const Map *, const Exp *); // of all that it mentions
bool is_kernel(const Stm *);                    // a loop with #[kernel] or #[blocks]
Map  called_by_kernels(const Prog *);           // functions, directly or not
// Is it a loop that a device does in its own way: #[kernel], #[blocks], #[threads], #[atomic]?
// Such loops are not unrolled, fused or peeled, and what they carry stays an array.
bool is_device_loop(Attributes);
bool stm_is_device_loop(const Stm *);           // for body_find
// Are the iterations done at the same time, so that they can share no temporary memory: #[region],
// #[kernel], #[blocks], #[threads]?
bool runs_at_once(Attributes);
Attributes one_at_a_time(Attributes);           // without those
// Is parameter k of a loop a scalar reduction whose order is free?  Then the body's result for it
// is bound by op.type of the parameter and something else, and it is used nowhere else.
bool loop_reduction(const Exp *loop, int k, Prim *op, PrimType *type);

// ---- entry.c: descriptions of flat values ----

EntryType *entry_of_type(Type);
typedef SLICE(EntryType *) EntryTypes;
EntryType *entry_tuple(EntryTypes);             // or the only one
// Texts among the attributes of an entry point.  split(ARGS,RESULTS), boxed: to be split into two
// sweeps (src/ad/sweeps.c), which has come to be residuals(N) and saved(FIRST,NUMBER,...).
#define ATTR_SPLIT "split"
#define ATTR_BOXED "boxed"
#define ATTR_RESIDUALS "residuals"
#define ATTR_SAVED "saved"

// ---- visit.c: the one traversal ----

// Visits every operand and binder of an expression, in order; sizes in the types of
// binders are operands too.  With `copy` set, nodes and slices are copied first and the
// copy is visited, so overwriting slots through the callbacks is a map; otherwise it is
// a walk.  Sizes in the type of a binder are visited before the binder; with `copy` set
// they are then given to the variable that `bind` left there.  What is a variable by nature (a
// certificate, an accumulator's token) is visited as an operand too.
typedef struct Visit Visit;
struct Visit {
	void (*sub)(Visit *, Sub *);            // each operand
	void (*bind)(Visit *, Var *);           // each binder, before what it scopes over
	void (*body)(Visit *, Body *);          // each nested body; NULL = recurse
	void (*lambda)(Visit *, Lambda **);     // each lambda; NULL = params, body, types
	void (*fun)(Visit *, Fun **);           // callee
	const Map *funs;                        // callees that are in it become those they lead to
	bool flat;                              // nested bodies and lambdas are left alone
	bool untyped;                           // the types of binders are left alone
	bool stop;                              // set by a callback of a walk: enough is known
	bool copy;
	// With copy: operations on scalars in which no operand changed are not copied.  Not for
	// what stays beside what is visited: each statement has an expression of its own.
	bool share;
	void *ctx;
};
Exp *exp_visit(Exp *, Visit *);
void body_visit(Body *, Visit *);
void stm_visit(Stm *, Visit *);                 // certificates, expression, then the pattern
void lambda_visit(Lambda **, Visit *);
void fun_visit(Fun **, Visit *);                // parameters, body, then the names of the results
void type_visit(Type *, Visit *);
// Visits that are walks: nothing is written.
static inline void exp_walk(const Exp *e, Visit *v)     { exp_visit((Exp *)e, v); }
static inline void body_walk(const Body *b, Visit *v)   { body_visit((Body *)b, v); }
static inline void stm_walk(const Stm *s, Visit *v)     { Stm t = *s; stm_visit(&t, v); }
void reach_fun(Visit *, Fun **);        // Visit.fun: adds all functions called there to the set ctx
// The first statement of which that holds, also in nested bodies; NULL: there is none.
typedef bool StmTest(const Stm *);
const Stm *body_find(const Body *, StmTest *);
const Stm *exp_find(const Exp *, StmTest *);    // in the bodies of the expression
const Stm *prog_find(const Prog *, StmTest *);
// A program of copies of the functions, whose bodies are the old ones; funs: old -> copy.
Prog *prog_copy(const Prog *, Map *funs);

// ---- move.c: the part of memory that a program needs ----

// Copies all that the program needs of what was allocated since a fence, and frees the rest;
// first_new: the number of variables at the fence, and the first that the program has from now on.
Prog *prog_move(const Prog *, MemMark fence, uint32_t first_new);

// ---- names.c: free variables, substitution, renaming ----

// Is there an operand of which that holds?  In nested bodies, too.
typedef bool SubTest(void *ctx, Sub);
bool    exp_any(const Exp *, SubTest *, void *ctx);
bool    stm_any(const Stm *, SubTest *, void *ctx);
bool    types_any(Vars, SubTest *, void *ctx);  // in their types
bool    is_one_of(void *set, Sub);              // a SubTest: a variable among these (var_key)?
static inline bool exp_mentions(const Exp *e, const Map *of)
{
	return exp_any(e, is_one_of, (void *)of);
}
static inline bool stm_mentions(const Stm *s, const Map *of)
{
	return stm_any(s, is_one_of, (void *)of);
}
Vars    free_in_body(const Body *);             // in order of first occurrence
Vars    free_in_lambda(const Lambda *);
Vars    free_in_stm(const Stm *);
int     n_uses_in(const Body *, Var);            // also in nested bodies
void    note_operand(Visit *, Sub *);           // Visit.sub: adds variables to the set ctx
void    note_binder(Visit *, Var *);            // Visit.bind: likewise
// The statements that these results need, with what they mention added to `needed`.
Body    body_part(const Body *, Subs res, Map *needed);
// Substitutions are maps; keys: var_key; values: Sub *
void    subst_put(Map *to, Var, Sub);
Sub     sub_subst(const Map *to, Sub);
// Nested bodies are left alone.  An operation on scalars of which nothing changes is not copied.
void    subst_operand(Visit *, Sub *);          // Visit.sub: by the substitution ctx
Exp    *exp_subst(Exp *, Map *to);
// Also in the types of the variables that it binds: where the body is used elsewhere too, this is
// done to a copy, body_subst(body_rename(b), to).
Body    body_subst(Body, Map *to);
Var     var_rename(Map *to, Var);         // a new variable like it, which it stands for from now on
Lambda *lambda_rename(const Lambda *);          // fresh binders throughout
Reductions reductions_rename(Reductions);       // of their operators
Body    body_rename(Body);
Fun    *fun_rename(const Fun *, const Map *funs); // funs: as Visit.funs

// ---- fold.c: rules that hold for all values, used by the builder and the simplifier ----

bool fold_prim(Prim, PrimType, const Sub x[3], Sub *out); // an operand equal to the operation?
bool prim_commutes(Prim);                       // exactly, for all operands

// ---- build.c, build_array.c: the builder ----
//
// Passes and lowering emit statements into the open body.  Emitting folds: an operation
// on constants, and the identities that hold for all values (x + 0 on integers, x * 1),
// yield an operand and add no statement; an equal pure statement of an open body is reused.

typedef struct Scope Scope;
typedef struct Build {
	Scope *top;                             // innermost open body
	struct Numbers *numbers;                // what open bodies share; see build.c
	const Where *where;                     // given to the statements emitted
	Vars certs;                             // likewise
	Attributes attrs;                       // given to the next statement only, then cleared
} Build;

void b_open(Build *);
int  b_len(const Build *);                      // statements of the open body so far
void b_add_certs(Build *, int from, Vars);      // to those from this one on
void b_add_attr(Build *, int from, Mark); // likewise
Body b_close(Build *, Subs res);
Lambda *b_lambda(Build *, Vars params, Subs res); // closes the body opened after making params
void b_stm(Build *, Vars pat, Exp *);           // with the builder's where, certs and attrs
void b_emit(Build *, Stm);                      // as it is
void b_emit_all(Build *, Stms);                 // likewise
void b_name(Build *, Var, Sub);                 // let (v) = x
void b_names(Build *, Vars, Subs);              // each its own
bool b_find(Build *, const Exp *, Type, Sub *out); // an equal pure statement of an open body?
Sub  b_let(Build *, const char *hint, Type, Exp *); // one result
Subs b_lets(Build *, const char *hint, Types, Exp *); // several, without dependent sizes

Sub b_prim(Build *, Prim, PrimType, Sub x, Sub y, Sub z); // unused operands: (Sub){0}
Sub b_prim1(Build *, Prim, Sub x);              // at x's type
Sub b_prim2(Build *, Prim, Sub x, Sub y);
Sub b_convert(Build *, PrimType to, Sub x);
Sub b_select(Build *, Sub cond, Sub yes, Sub no); // if on scalars
Sub b_index(Build *, Sub arr, Subs idx);        // scalar or (fewer indices) subarray
Sub b_slice(Build *, Sub arr, Slices);
Sub b_update(Build *, Sub arr, Slices, Sub val);
Sub b_iota(Build *, Sub n);
Sub b_scratch(Build *, const char *hint, Type); // new memory
Sub b_replicate(Build *, Sub n, Sub x);
Sub b_reshape(Build *, Subs dims, Sub arr);
Sub b_rearrange(Build *, const int *perm, Sub arr);
Sub b_last_first(Build *, Sub arr);             // its innermost dimension outermost
Sub b_first_last(Build *, Sub arr);             // and back
Sub b_copy(Build *, Sub arr);
Sub b_concat(Build *, Sub a, Sub b);
Lambda *identity_on(Subs arrs);                 // \xs -> xs of their rows
Subs b_map(Build *, Sub n, Subs arrs, Lambda *);
Subs b_reduce(Build *, Sub n, Subs arrs, Lambda *op, Subs ne);  // a commutative operator
Subs b_scan(Build *, Sub n, Subs arrs, Lambda *op, Subs ne);
// folds a true condition away: id 0 is "no certificate"
Var  b_assert(Build *, Sub cond, Msg);
static inline Sub b_add(Build *b, Sub x, Sub y) { return b_prim2(b, P_add, x, y); }
static inline Sub b_sub(Build *b, Sub x, Sub y) { return b_prim2(b, P_sub, x, y); }
static inline Sub b_mul(Build *b, Sub x, Sub y) { return b_prim2(b, P_mul, x, y); }
static inline Sub b_eq(Build *b, Sub x, Sub y)  { return b_prim2(b, P_eq, x, y); }
static inline Sub b_lt(Build *b, Sub x, Sub y)  { return b_prim2(b, P_lt, x, y); }
static inline Sub b_le(Build *b, Sub x, Sub y)  { return b_prim2(b, P_le, x, y); }
Sub  b_product(Build *, Subs);                  // of i64
Sub  b_in_range(Build *, Subs idx, Subs space); // is 0 <= idx < space in each dimension?

// ---- print.c, parse.c: textual core; printing then parsing is the identity ----

const char *show_sub(Sub);
const char *show_core_type(Type);
const char *show_prog(const Prog *);
const char *show_prog_bare(const Prog *);       // without source locations
const char *show_stm(const Stm *);
Prog *core_parse(Source *);                     // NULL after reporting errors

// ---- check.c: the core checker ----

// Types, scope, single binding, consumption (a consumed variable and its aliases are
// not used afterwards), linear accumulators, stage.  NULL when the program is well-formed,
// else what is wrong and in which statement.
const char *core_check(const Prog *);

// ---- value.c: values outside of programs; data.c: their text and binary formats ----

typedef struct { PrimType type; int rank; int64_t *shape; void *data; } Value; // dense, row-major
typedef VEC(Value) Values;
int64_t value_count(const Value *);             // number of elements
Value   value_new(PrimType, int rank, const int64_t *shape); // zeroed
Value   value_scalar(Scalar);
Scalar  value_get(const Value *, int64_t flat_index);
void    value_set(Value *, int64_t flat_index, Scalar);
const char *value_type_text(const Value *);     // "[][]i32" -> with sizes: "[2][3]i32"

// Reads all values of a buffer of text and binary values mixed (testing.md 6, 7).  On
// malformed input returns false with *why set (position and what was expected).
bool values_read(const char *bytes, size_t len, Values *out, const char **why);
// Reads one value of text or binary form at *at, advancing it.  *at == end: false, *why NULL.
bool value_read(const char **at, const char *end, Value *out, const char **why);
bool values_read_file(const char *path, Values *out, const char **why); // gunzips *.gz
// Reads values of these types and nothing else (dims: how many): numbers without a suffix take the
// type, as in executables.  On failure *at is the number of the value, *why what is wrong, where.
bool values_read_as(const char *bytes, size_t len, Types, Values *out, int *at, const char **why);
typedef enum { TEXT_SHORTEST /* 0.1f32 */, TEXT_BARE /* no suffix */ } TextStyle;
void value_write_text(Str *, const Value *, TextStyle); // one line, "empty([0]i32)"
void value_write_rows(Str *, const Value *); // rank >= 2: a row per line (dataset)
void value_write_binary(Str *, const Value *);
// Compares as `test` and `datacmp` do; appends every difference (or only the first of each value).
bool values_compare(const Values *got, const Values *expected, bool only_first, Str *differences);
// Random data for a type such as "[10][3]f32" or a literal value; ranges per type.
typedef struct { bool set; Scalar lo, hi; } Bounds;
typedef struct { uint64_t state; Bounds bounds[N_PRIMTYPE]; } Rng;
uint64_t rng_next(Rng *);
bool value_generate(Rng *, const char *type_or_literal, Value *out, const char **why);

// ---- interp.c and its companions: the core interpreter ----

typedef struct Interp Interp;
typedef struct {
	const char *message;                    // NULL: success
	SLICE(Span) backtrace;                  // innermost first
} RunError;
Interp *interp_new(const Prog *);
// Calls an entry function with the flat values of its arguments (without sizes, which are
// taken from the shapes and checked).  Results are the flat values without sizes.
// Trace output goes to `traces` (stdout for `run`).
RunError interp_call(Interp *, const Fun *, const Values *args, Values *results, FILE *traces);
void interp_free(Interp *);
// What happens at a breakpoint: false ends the run with an error.  `where` has the place and,
// where an operation on numbers made a NaN from others (`stop` is then NULL), a message.
typedef bool StopFn(void *ctx, const Stop *, const Value *flat, const RunError *where);
void interp_on_stop(Interp *, StopFn *, void *ctx, bool at_nan); // before the first call
// The call that runs fails after the current iteration, unless what is asked before says that it
// goes on (true); may be called by signal handlers.
void interp_interrupt(void);
void interp_on_interrupt(Interp *, bool (*goes_on)(void *ctx), void *ctx);

// ---- show.c: printing values of surface types ----

// style TEXT_SHORTEST: as `run` prints (suffixes); TEXT_BARE: as `repl` and `eval` print.
const char *show_surface(const EntryType *, const Value *flat, TextStyle);
const char *show_on_line(const EntryType *, const Value *flat);
// Arrays longer than `most` without their middle; 0: whole.
const char *show_short(const EntryType *, const Value *flat, int64_t most);
#endif
