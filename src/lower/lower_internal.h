// What the files of lowering share.
//
// Lowering evaluates a checked program as far as it can without its input.  What is left is
// core: the operations on data.  Static evaluation works on Vals: functions are
// closures over Frames and are applied by lowering their bodies where they are called (apply.c)
// or, where a body is large, shared or recursive, in a core function of its own (spec.c).
//
//   rep.c       representations: the flat layout of a type, without its sizes
//   type.c      LTypes: representations with sizes; surface types in a frame
//   value.c     Vals: making them, taking them apart, giving them a type
//   frame.c     frames, bindings, captured operands, instances of functors
//   size.c      sizes as operands; binding sizes from the shapes of values
//   tele.c      telescopes: lists of values preceded by the sizes that come with them
//   expr.c      expressions; array.c, index.c, loop.c, match.c: the larger ones
//   stop.c      breakpoints
//   apply.c     application; inline.c: where; spec.c: core functions and constants
//   intrinsic.c built-in functions; soac.c: those that take functions; flat.c: strided views
//   entry.c     entry points and whole programs; copies.c: copies that consumption needs
#ifndef RAIDO_LOWER_INTERNAL_H
#define RAIDO_LOWER_INTERNAL_H
#include "lower/lower.h"

// ---- rep.c ----

// How values of a type are made up of flat values, whatever their sizes.  Interned: equal
// representations are the same pointer.  Records in canonical order; a sum has a tag (i8, if
// it has several constructors) and payload slots.  Constructors share slots of the same scalar
// type; slots that are arrays are not shared, since their sizes need not agree.  An array whose
// elements have no flat values (units) is one array of bool, so that it has a shape.
typedef struct Rep Rep;
typedef SLICE(Rep *) Reps;
typedef SLICE(int) Ints;
typedef struct { PrimType elem; int rank; } Flat;
// slots: the index of each flat value of the arguments among those of the sum.
typedef struct { Name name; Reps args; Ints slots; } RepConstr;
struct Rep {
	enum { R_PRIM, R_ARRAY, R_RECORD, R_SUM, R_FUN, R_ACC } kind;
	int id;
	PrimType prim;
	Rep *elem;                      // R_ARRAY
	Names names;                    // R_RECORD: of fields
	Reps fields;
	SLICE(RepConstr) constrs;       // R_SUM, alphabetical
	bool has_fun;                   // contains functions: values are taken apart statically
	bool has_acc;                   // contains an accumulator
	SLICE(Flat) flat;
	Rep *array_of;                  // cache: the array of this
};
typedef struct { Map by_key; Rep *prims[N_PRIMTYPE]; Rep *fun, *acc; int n; } RepTable;
Rep *rep_prim(RepTable *, PrimType);
Rep *rep_array(RepTable *, Rep *elem);
Rep *rep_record(RepTable *, Names, Reps);
Rep *rep_sum(RepTable *, TyConstrs names, Reps *args); // args[i]: of constructor i
Rep *rep_fun(RepTable *);
Rep *rep_acc(RepTable *);
int  rep_field(const Rep *record, Name);        // its index
int  rep_offset(const Rep *record, int field);  // index of its first flat value
bool rep_has_tag(const Rep *sum);
bool *rep_tags(const Rep *);                    // which flat values are tags
int  rep_constr(const Rep *sum, Name);          // its index, which is its tag
EntryType *entry_of_rep(const Rep *);

// ---- Types with sizes ----

// A dimension that is not known (yet) is no operand: it stands for what `name` will be bound to,
// or for something without a name (NULL).
// `of`: where there are functions inside, the type it was read from, in `frame`.
typedef struct { Rep *rep; Types flat; Ty *of; struct Frame *frame; } LType;
Sub  dim_unknown(const Binding *name);
bool dim_is_known(Sub);
const Binding *dim_name(Sub);


// ---- Frames ----

typedef struct Val Val;
typedef SLICE(Val *) Vals;
typedef struct Fn Fn;

// The core function being built.  An operand of an enclosing one becomes a parameter when
// it is first used: it is captured.
// Constants of the program are computed once by each entry point, before anything else, and
// are parameters of the core functions that need them.
typedef struct { Sub outer; Var param; } Capture;
typedef struct { struct Shared *of; Val *val; Vars params; } Constant;
typedef struct Ctx {
	struct Ctx *up;
	int depth;
	Scope *top;                     // of an entry point: its outermost body
	VEC(Capture) captures;
	VEC(Constant) constants;
	VEC(Exp *) self_calls;          // calls of itself: captured arguments are added in the end
	bool inline_closures;           // no core functions over closures inside
} Ctx;

// The names in scope.  A frame is made for each evaluation of a function body, for each
// instance of a functor, and where a body is evaluated for different values of its names.
typedef struct Frame Frame;
struct Frame {
	Frame *up;
	Ctx *ctx;                       // whose operands its values are
	FunctorInst *inst;              // an instance of a functor
	Frame *arg;                     // of an instance: where the functor's argument is read
	bool is_module;                 // the top level, or an instance
	Map vals;                       // Binding * -> Val *
	Map types;                      // TypeDef * -> LType *
};

// ---- Values ----

struct Val {
	enum {
		V_DATA,         // `flat`: no functions inside
		V_RECORD,       // `parts`: contains functions
		V_CONSTR,       // a sum that contains functions: the constructor is known
		V_FUN,
	} kind;
	Rep *rep;               // not for V_FUN
	Subs flat;
	Vals parts;
	Name constr;
	Fn *fn;
};

// A step from a component to what implements it, which may be more polymorphic: `inst`
// instantiates the implementation over the parameters of `scheme`, and is read in `frame`.
typedef struct Hop { const struct Hop *next; const Scheme *scheme; Inst *inst; Frame *frame; } Hop;

struct Fn {
	enum {
		F_DECL,         // a def with parameters
		F_LET,          // let f x = ...
		F_LAMBDA,
		F_INTRINSIC,
		F_FLIP,         // (op y): \x -> op x y
		F_PATH,         // (.a[i])
		F_LOGIC,        // (&&) (||)
	} kind;
	Frame *frame;           // what its body sees; F_INTRINSIC: unused
	Ctx *ctx;               // whose operands `args` are
	Vals args;              // given so far
	const Decl *decl;       // F_DECL
	Expr *expr;             // F_LET, F_LAMBDA, F_PATH
	Val *op;                // F_FLIP
	Name symbol;            // F_LOGIC
	// How it was mentioned: the polymorphism of the name used is instantiated by `inst` in the
	// frame `mention`; `hops` lead from there to `binding`.
	Binding *binding;       // F_DECL, F_LET, F_INTRINSIC
	Inst *inst;             // may be NULL
	Frame *mention;
	const Hop *hops;
	int arity;
};

// ---- The state of lowering ----

// Bodies being evaluated in place, innermost first: how much each has made so far.
// `caller`: of a function that was declared, where it is called from.
typedef struct Level {
	struct Level *up;
	Frame *frame;
	uint32_t start, foreign;
	Frame *caller;
	Span call;
} Level;

// The accumulator of the function being given one: its body can mention no other.  Reverse mode
// does not go through accumulators that do anything but add: they are arrays then, carried by a
// loop.
typedef struct {
	enum { ACC_NONE, ACC_LINEAR, ACC_ARRAY } kind;
	Type type;              // ACC_LINEAR: of the accumulator
	Val *op;                // ACC_ARRAY: combines what is there and what is written; or NULL
	Ctx *ctx;               // of `op`
} Acc;

typedef struct Lower {
	Build b;
	Ctx *ctx;
	Frame *root;
	RepTable reps;
	const LowerOptions *options;
	const DeclOptions *decl;        // NULL: of a whole program
	bool unsafe;                    // inside #[unsafe]
	bool warn_checks;               // inside #[warn(safety_checks)]
	Attributes attrs;               // of the expression being evaluated, for its main statement
	const Where *up;                // call sites of the code being evaluated in place
	Level *level;
	Acc acc;
	bool reverse;                   // inside a function that vjp is of
	bool made_linear, made_loops;   // what became of accumulators in this core function
	int depth;                      // of evaluation in place
	VEC(Fun *) funs;
	Map fun_names;                  // Name -> taken
	Map specs;                      // key -> what spec.c knows of a core function
	Map costs;                      // Decl * or Expr * -> what evaluating it in place made
	Map instances;                  // key -> Frame *: functor instances
	Map intrinsics;                 // Name -> Builtin *
	Map unknowns;                   // Binding * -> Binding *: unknown size of a constant
	Map busy;                       // Binding * of a constant being evaluated -> not NULL
	VarVec known_params;            // for constants that are known
} Lower;
static inline Sub both(Lower *L, Sub a, Sub b)   { return b_prim2(&L->b, P_and, a, b); }
static inline Sub either(Lower *L, Sub a, Sub b) { return b_prim2(&L->b, P_or, a, b); }

// ---- type.c ----

// With `plain`, sizes that are not constants or names are left unknown and no code is made.
LType *ltype(Lower *, Frame *, Ty *, bool plain);
LType *lt_array(Lower *, Sub dim, LType *elem);
LType *lt_row(LType *array);
LType *lt_of_val(Val *);
LType *lt_elem(Lower *, LType *);               // as stored in an array: units as bool
void mark_unique(Lower *, Frame *, Ty *, Types flat); // sets `unique` of what *t says

// ---- value.c ----

Val *val_data(Rep *, Subs flat);
Val *val_scalar(Lower *, Sub);
Val *val_record(Lower *, Names, Vals parts);    // canonical order
Val *val_pair(Lower *, Val *, Val *);
Val *val_fun(Fn *);
Val *val_field(Val *, Name);
Val *val_part(Val *, int field);
Val *val_payload(Val *sum, int constr, int arg);
Subs val_flat(const Val *);                     // all data inside, as the representation counts it
Val *val_with_flat(const Val *like, Subs *rest); // the same with other data; takes it from *rest
Sub  val_sub(const Val *);                      // of a scalar
Sub  val_dim(const Val *array, int i);
Sub  as_type(Lower *, Sub, Type);               // the operand with these sizes
Val *val_as(Lower *, Val *, LType *);           // likewise; unknown sizes stay
Val *val_blank(Lower *, LType *);               // zeros
Subs elem_subs(Val *);                          // as stored in an array
Val *elem_val(LType *elem, Subs);               // the opposite
// Unknown sizes from a value, provided they are older than `mark`.
LType *lt_settle(LType *, Val *, uint32_t mark, Span);
Val *val_equal(Lower *, Val *, Val *);

// ---- frame.c ----

Frame *frame_new(Lower *, Frame *up);
void frame_bind(Frame *, const Binding *, Val *);
Val *frame_find(Lower *, Frame *, const Binding *); // in the current Ctx; NULL when not bound
LType *frame_type(Lower *, Frame *, const TypeDef *);
Frame *frame_module(Frame *);                   // the innermost top level or instance
// An application of a functor, whose body is read under `up` and its argument under `arg`.
Frame *frame_instance(Lower *, FunctorInst *, Frame *up, Frame *arg);
bool frame_within(const Frame *, const Frame *outer);
// What a component is: a GLOBAL or INTRINSIC binding (or a local one), its frame, and the hops.
Binding *resolve(Lower *, Frame **, Binding *, const Hop **hops);
Val *val_here(Lower *, Val *, Ctx *from);       // its operands in the current Ctx
Sub  sub_here(Lower *, Sub, Ctx *from);

// ---- size.c ----

Sub  lower_size(Lower *, Frame *, Size *, bool plain); // may be unknown
void bind_sizes(Lower *, Frame *, Ty *, Val *); // unbound names of sizes, from the value
void bind_unknowns(Lower *, Frame *, Expr *, Val *); // sizes that come into being with it

// ---- tele.c ----

typedef struct { int flat, dim; } Place;
// unknown sizes of `type` are numbered; `names`: what they are called in the program, or NULL
typedef struct { LType *type; SLICE(Place) sizes; const Binding **names; } Tele;
Tele *tele_of(LType *);
Subs tele_subs(Lower *, const Tele *, Val *);   // sizes, then the value, typed accordingly
Vars tele_vars(const Tele *, Name hint);
Val *tele_val(const Tele *, const Val *like, Subs); // like NULL: data


// ---- expr.c ----

Val *lower_expr(Lower *, Frame *, Expr *);
Sub  lower_scalar(Lower *, Frame *, Expr *);
Val *lower_var(Lower *, Frame *, Binding *, Inst *, Span);
Val *lower_operator(Lower *, Frame *, Binding *, Name, Inst *, Span);
Val *lower_literal(Lower *, Frame *, const Expr *, Ty *);
Val *closure(Lower *, Frame *, Expr *, int kind, int arity); // of a lambda or the like
void set_where(Lower *, Span);
Attributes take_attrs(Lower *);
void emit_main(Lower *, Attributes, Vars pat, Exp *); // a statement with attributes
Attributes attribute_texts(AttrSlice);          // all of them, as written
Attributes attributes_of(AttrSlice);            // those that passes know

// Messages of run-time errors.
void msg_text(MsgVec *, const char *);
void msg_val(MsgVec *, Sub);
// Makes a statement that fails with the message unless cond holds; what is emitted until
// check_done depends on it.  Nothing inside of #[unsafe].
Vars check_begin(Lower *, Sub cond, MsgVec);
// The next assertion stays even if nothing but the sizes of what depends on it is needed: the type
// tells them.
void mark_kept(Lower *);
void check_end(Lower *, Vars saved);
Sub  is_size(Build *, Sub n, int least);        // at least so much, and not too large
Vars check_rows(Lower *, Types);                // likewise, all of rows that there may be none of

// ---- stop.c ----

void lower_stop(Lower *, Frame *, Span);        // a breakpoint

// ---- hole.c ----

Val *lower_hole(Lower *, Frame *, Expr *);

// ---- match.c ----

void bind_pat(Lower *, Frame *, Pat *, Val *);
Name pat_hint(const Pat *);
Val *lower_match(Lower *, Frame *, Expr *);
Val *lower_if(Lower *, Frame *, Expr *);
Sub  lower_logic(Lower *, Name symbol, Sub a, Frame *, Expr *b);

// ---- loop.c ----

Val *lower_loop(Lower *, Frame *, Expr *);

// ---- array.c ----

Val *lower_array(Lower *, Frame *, Expr *);
Val *lower_string(Lower *, Expr *);
Val *lower_range(Lower *, Frame *, Expr *);
Val *lower_coerce(Lower *, Frame *, Expr *);

// ---- index.c ----

Val *lower_index(Lower *, Frame *, Expr *);
Val *index_with(Lower *, Val *array, Vals idx, Span); // checked, for sizes
Val *lower_path(Lower *, Frame *, Path, Val *);
Val *lower_update(Lower *, Frame *, Expr *);
Val *lower_update_of(Lower *, Frame *, Path, Val *, Expr *value); // of what is known already
Val *array_row(Lower *, Val *array, Sub i);     // not checked

// ---- apply.c ----

Val *apply(Lower *, Frame *, Val *fn, Vals args, Span);
Val *apply1(Lower *, Frame *, Val *fn, Val *arg, Span);
Val *apply2(Lower *, Frame *, Val *fn, Val *, Val *, Span);
LType **type_args(Lower *, const Fn *, bool plain); // of fn->binding->scheme.types
Sub size_arg(Lower *, const Fn *, int i);       // of fn->binding->scheme.sizes; may be unknown
Pats fn_pats(const Fn *);
Expr *fn_body(const Fn *);
Ty *fn_ret(const Fn *);
// The frame of a call in place: types, parameters and sizes bound.
Val *call_inline(Lower *, Frame *caller, const Fn *, Vals args, Span);

// ---- inline.c ----

bool should_share(Lower *, const Fn *, Vals args); // as a core function rather than in place?
void note_cost(Lower *, const Fn *, uint32_t cost);

// ---- spec.c ----

Val *call_shared(Lower *, const Fn *, Vals args, Span);
Val *constant_value(Lower *, const Fn *, Span); // of a def without parameters
Sub  param_setting(Lower *, const char *name, Span); // of a tuning parameter, or -1
// The same for all calls of one core function.
Name spec_key(const Fn *, Vals args, LType **types);

// ---- intrinsic.c ----

typedef struct Builtin Builtin;
const Builtin *builtin_find(Lower *, const char *name);
int builtin_arity(const Builtin *);
Val *builtin_call(Lower *, Frame *, const Fn *, Vals args, Span);
Val *array_flatten(Lower *, Val *);

// ---- flat.c ----

Val *flat_index(Lower *, Vals, int n_dims);
Val *flat_update(Lower *, Vals, int n_dims);

// ---- soac.c ----

Val *soac_map(Lower *, Frame *, const Fn *, Vals, Span);
Val *soac_reduce(Lower *, Frame *, const Fn *, Vals, Span, bool comm);
Val *soac_scan(Lower *, Frame *, const Fn *, Vals, Span);
Val *soac_hist(Lower *, Frame *, const Fn *, Vals, Span, int rank);
Val *soac_scatter(Lower *, Vals, int rank);
Val *soac_flatmap(Lower *, Frame *, const Fn *, Vals, Span);
Val *soac_zip(Lower *, Vals);
Val *soac_unzip(Lower *, Val *);
Val *stream(Lower *, Frame *, const Fn *, Vals, Span, bool hist);
Val *acc_write(Lower *, Frame *, Vals, Span);
Val *ad_derivative(Lower *, Frame *, const Fn *, Vals, Span, bool reverse, bool many);
Val *ad_with_vjp(Lower *, Frame *, const Fn *, Vals, Span, bool tape);

// ---- copies.c ----

// Inserts copies where an array is consumed that is used or owned elsewhere, and marks the
// loop parameters that are consumed.
void insert_copies(Prog *);
#endif
