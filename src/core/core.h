// What is done with core, whose nodes are in nodes.h: a section for each file of this folder.
#ifndef RAIDO_CORE_H
#define RAIDO_CORE_H
#include "core/nodes.h"

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
static inline Sub sub_f64(double x)     { return sub_const(scalar_float(PT_F64, x)); }
static inline Sub sub_bool(bool b)      { return (Sub){.val = {.type = PT_BOOL, .i = b}}; }
static inline Sub sub_zero(PrimType t)  { return sub_const(scalar_int(t, 0)); }
static inline bool sub_is_acc(Sub s)    { return sub_type(s).kind == T_ACC; }
static inline bool sub_is_scalar(Sub s) { return type_is_scalar(sub_type(s)); }
static inline bool var_is_scalar(Var v) { return type_is_scalar(vars[v.id].type); }
static inline bool var_is_acc(Var v)    { return vars[v.id].type.kind == T_ACC; }
static inline bool sub_is_data(Sub s)   // a variable that is a scalar or an array
{
	return s.kind == S_VAR && sub_type(s).kind == T_DATA;
}
Subs subs_of(int n, ...);                       // subs_of(2, x, y)
Subs subs_cat(Subs, Subs);
Vars vars_of(int n, ...);
Vars vars_cat(Vars, Vars);                      // new
Subs subs_of_vars(Vars);
Subs subs_where(Subs, const bool *);            // those for which it holds, by place
Vars vars_where(Vars, const bool *);
Subs subs_part(Subs, int from, int n);          // shares memory
Vars vars_part(Vars, int from, int n);          // likewise
Types types_of_vars(Vars);
Types types_of_subs(Subs);
bool subs_eq(Subs, Subs);                       // the same ones in the same order
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
bool type_is_acc_of(Type, Var token);
int  subs_find_acc(Subs, Var token);             // the accumulator with this token, or -1
int  vars_find_acc(Vars, Var token);             // likewise
bool is_select(const Exp *);                    // an if whose branches compute nothing
bool stm_is_call(const Stm *);                  // these are tests for body_find
bool stm_is_index(const Stm *);
bool stm_is_update(const Stm *);
bool stm_is_loop(const Stm *);
bool stm_is_for(const Stm *);                   // a loop that counts
bool stm_is_assert(const Stm *);
bool stm_is_soac(const Stm *);
bool stm_is_function(const Stm *);               // of mathematics, such as a logarithm
bool lambda_consumes(const Lambda *);           // does it consume one of its arguments?
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
	bool anew;                              // with copy: types are copied in any case
	void *ctx;
};
Exp *exp_visit(Exp *, Visit *);
void body_visit(Body *, Visit *);
void stm_visit(Stm *, Visit *);                 // certificates, expression, then the pattern
void nested_visit(Body *, Visit *);             // statements with bodies, and calls; with `copy`
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
void    count_operand(Visit *, Sub *);          // Visit.sub: counts variables in the map ctx
int     n_counted(const Map *, Var);            // how often it was
void    map_defs(Visit *, Body *);             // Visit.body: adds each variable, of a statement of
                                                // one, with its Exp * to the map ctx
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
static inline Sub b_row(Build *b, Sub arr, Sub i) { return b_index(b, arr, subs_of(1, i)); }
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
Lambda *b_operator(Build *, Prim, PrimType);    // \x y -> x op y
Sub b_add_arrays(Build *, Sub x, Sub y);        // element by element; or numbers
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
Subs b_indices(Build *, Subs space, Sub number); // of an element of this space
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
