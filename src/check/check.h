// The checker: names, types, sizes, uniqueness.
//
// A value declaration goes through four phases, each its own file family:
//   1. infer*.c    resolves names and infers types, blind to sizes (Hindley-Milner with
//                  overloading, records and sums solved together at the end of the declaration);
//   2. size*.c     walks the typed declaration in evaluation order and gives every type its
//                  sizes: unification of sizes, unknown and existential sizes, causality;
//                  generalises over sizes and fixes the declaration's final scheme;
//   3. match.c     exhaustiveness of match, irrefutability of other patterns;
//   4. consume*.c  uniqueness: aliases and consumption.
// Around them: scope.c, env.c (scopes), elab.c (type expressions to types), module.c, sig.c,
// functor.c, ascribe.c with fit.c and rename.c (modules), decl.c and lazy.c (declarations in
// order), entry.c, load.c (files, imports).
//
// In phases 1 and 2 an expression with an error gets type TY_ERROR (phase 2: any sizes), with
// which everything agrees silently, and checking goes on, so that all independent errors of a
// declaration are found; the phases after it are left out.  Other errors end the checking of their
// declaration (fail unwinds to a guard in decl.c).  What the declaration defines is then bound at
// type TY_ERROR.
#ifndef RAIDO_CHECK_H
#define RAIDO_CHECK_H
#include "syntax/ast.h"

typedef SLICE(Binding *) Bindings;
typedef SLICE(TypeDef *) TypeDefs;
typedef SLICE(Ty *) Tys;
typedef SLICE(Size *) Sizes;
typedef struct Env Env;
typedef struct FunctorInst FunctorInst;
typedef struct Scope Scope;

// ---- Sizes ----

typedef struct SizeMeta SizeMeta;
struct Size {
	enum {
		SZ_CONST,       // 3
		// a variable: size parameter, i64 variable, unknown size (also a variable of
		// another type inside p.0, length xs)
		SZ_VAR,
		// an operation: `origin` is a typed expression of the shape f a b, a + b, r.f,
		// a[i], -a whose operands are replaced by `kids` (origin's operands are its own
		// kids as written); no kids: a literal of another type than i64, a polymorphic
		// name; see size.c
		SZ_NODE,
		SZ_META,        // to be found by unification
		SZ_ANON,        // [] as written; phase 2 decides what it stands for
	} kind;
	Span span;
	union {
		struct { int64_t value; bool suffixed; } num;
		Binding *var;
		// kids: operands in source order (apply: arguments; before them a local function)
		struct { Expr *origin; Sizes kids; } node;
		SizeMeta *meta;
	};
};
struct SizeMeta {
	int id;
	Size *link;             // what it is, once known
	int level;              // scope depth it was made at: names bound deeper may not enter it
	Span span;              // where it was made
	// made for a lifted type parameter, in its instance: what can make it existential
	struct Lifted *lifted;
	// made for an occurrence of such a parameter: is what this one of the instance is
	SizeMeta *tied;
	const SizeMeta *written; // the [] of an annotation that it is; NULL otherwise
	bool shared;            // another variable was found to be the same
	bool of_param;          // of a parameter's type: no names of the body may enter it
	bool of_argument;       // of a hole given for an argument
	Name let_name;          // [n] of let [n] p = e stands for it; NULL otherwise
	const char *origin;     // "explicit type ascription", ...: for messages
	Name name;              // for messages: of what it stands for; NULL: d
	Name shown;             // as messages have called it
	Binding *owner;         // instance of one of its size or type parameters
	TypeDef *param;         // of this type parameter of owner
	Binding *size_param;    // of this size parameter of owner
	const Inst *use;        //   at this use of it
	Size *initial;          // of a loop parameter: in the initial value; NULL otherwise
};

// ---- Types ----

typedef struct { Name name; Ty *type; } TyField;
typedef struct { Name name; Tys args; } TyConstr;
// canonical order: numbers by value, then names alphabetically
typedef SLICE(TyField) TyFields;
typedef SLICE(TyConstr) TyConstrs;      // alphabetical
typedef struct Meta Meta;

// Types are immutable, except that metas get linked.  [n][m]t is two nested TY_ARRAYs.
struct Ty {
	enum {
		TY_ERROR,       // something already reported: agrees with everything
		TY_PRIM, TY_ARRAY, TY_RECORD, TY_SUM, TY_ARROW,
		TY_META,        // to be found by unification
		TY_PARAM,       // a rigid type parameter 'a ('~a, '^a by def->lifting)
		TY_ABS,         // an abstract type, applied to `args`
	} kind;
	bool unique;            // *t
	union {
		PrimType prim;
		struct { Size *dim; Ty *elem; } array;
		TyFields record;
		TyConstrs sum;
		// (param: from) -> ?[exts].to       param NULL when unnamed; from->unique: consumes
		struct { Binding *param; Ty *from; Bindings exts; Ty *to; } arrow;
		Meta *meta;
		TypeDef *param;
		struct { TypeDef *def; Tys types; Sizes sizes; } abs;
	};
};

// A type variable of inference, with what is known of what it may become.
typedef enum {                  // which primitive types an overloaded type may be
	OV_NUM = 1, OV_INT, OV_FLOAT, OV_SIGNED,
	OV_BITS,                // integers, bool
	OV_ORD,                 // numeric, bool
	OV_ANY_PRIM,
} Overload;
struct Meta {
	int id;
	Ty *link;
	Span span;
	Overload overload;      // 0: none
	bool needs_equality;    // operand of == or !=
	// result of if/match, loop parameter, array element, non-lifted instance
	bool no_function;
	// array element, or instance of a non-lifted parameter: neither function nor hidden sizes
	bool is_element;
	TyFields fields;        // fields it must have (projection, update)
	TyConstrs constrs;      // constructors it must have
	const char *why;        // for messages: where the constraint came from; see unify.c
	const char *hint;       // the letter of its name, "t", "arg", "res"
	Name shown;             // as messages have called it
	int level;              // how many local functions with type parameters it is inside of
	// phase 2, instance of a lifted parameter by a type with functions: its type up to sizes;
	// level is then a scope depth
	Ty *shape;
};

// What a type name stands for.
struct TypeDef {
	enum { TD_PARAM, TD_ABBREV, TD_ABSTRACT, TD_PRIM } kind;
	Name name;
	const char *full_name;  // qualified, for messages: "max_i32.t"
	Span span;
	int id;
	Lifting lifting;
	TypeParams params;      // TD_ABBREV, TD_ABSTRACT
	Bindings exts;          // existential sizes of body or repr
	Ty *body;               // TD_ABBREV, TD_PRIM
	Ty *repr;               // TD_ABSTRACT made by an ascription: what it hides (over params);
	                        // NULL for a type of a functor's parameter: see FunctorInst.types;
	                        // and for one of the result of such a functor
	// TD_ABSTRACT made by the application `made_by` of a functor: the type of its result
	TypeDef *made_from;
	FunctorInst *made_by;
	const char *doc;
	const TypeExpr *written; // TD_ABBREV declared at the top of a file: as what, or NULL
	// TD_PARAM: of a local function, how deep; metas of a lesser level cannot be it
	int level;
};

// A type scheme: 'types and [sizes] may be instantiated.
typedef struct { TypeDefs types; Bindings sizes; Ty *type; } Scheme;
// The instantiation at one use, parallel to the scheme's lists.
struct Inst { Tys types; Sizes sizes; };

// ---- What a name of the term name space is bound to ----

struct Binding {
	enum {
		BIND_GLOBAL,    // def, entry: `decl`
		// let, lambda or function parameter, loop, match: monomorphic unless let-fun
		BIND_LOCAL,
		BIND_SIZE,      // size parameter [n], explicit or invented; also ?[n] inside a type
		// an unknown size: comes into being at an expression (Expr.unknowns)
		BIND_UNKNOWN,
		// a val of a module type: stands for a functor parameter's component
		BIND_SPEC,
		// a component seen through an ascription or functor application: `of`
		BIND_COPY,
		BIND_INTRINSIC, // `intrinsic`: row of intrinsics.def, or scalar operation
		BIND_MODULE,    // `mod`
	} kind;
	Name name;
	Span span;
	int id;                 // unique
	int level;              // scope depth (locals, sizes)
	Loc until;              // locals: where their scope ends
	Scheme scheme;
	// functions: another type for some uses, whose functional parameters may give results of
	// any sizes; see size_hide.c
	Ty *hiding;
	Decl *decl;             // BIND_GLOBAL: a DEC_VAL
	// BIND_COPY; BIND_SPEC remade by renaming: the specification it was made from
	Binding *of;
	Binding *made_for;      // made by renaming: what it takes the place of
	// BIND_COPY: `of`'s scheme instantiated, over the types and sizes of this scheme; NULL when
	// the schemes' lists are the same
	Inst *of_inst;
	FunctorInst *inst;      // BIND_COPY by functor application: `of` is inside that functor
	// BIND_SPEC: BIND_UNKNOWN sizes of a non-function which the implementation fixes
	Bindings open_sizes;
	Mod *mod;               // BIND_MODULE
	const char *intrinsic;  // BIND_INTRINSIC: its name
	Overload overload;      // BIND_INTRINSIC: scheme.types[0] is overloaded over these (0: no)
	bool needs_equality;    // == and !=
	// Locals bound by let x = e, e usable as a size expression: sizes mentioning x become e
	// where x goes out of scope.
	Size *as_size;
	int as_weight;          // number of parts of as_size, with such names in it replaced
	Expr *defined_by;       // BIND_UNKNOWN: the expression it comes from
	bool known;             // BIND_UNKNOWN: has come into being, while phase 2 checks causality
	struct Alias *aliases;  // phase 4: what it may share memory with
	bool used;
	bool is_param;          // of a function
	bool inferred;          // BIND_SIZE: a size parameter that is not written
	bool poisoned;          // its declaration failed
	// BIND_GLOBAL of the prelude: its body is not checked yet; force_binding does
	Scope *pending;
	const char *doc;
};

// ---- Modules ----

// A set of names: the contents of a module, a file, the top level.
struct Env {
	Map values;             // Name -> Binding * (modules too)
	Map types;              // Name -> TypeDef *
	Map sigs;               // Name -> Sig *
	Env *up;                // where else to look: the enclosing module, the file, the prelude
	Name name;              // for messages, or NULL
	bool poisoned;          // what failed left names out: those not found here are no error
};

struct Mod {
	enum { MOD_ENV, MOD_FUNCTOR } kind;
	Env *env;               // MOD_ENV: exported names only
	// MOD_FUNCTOR: (param : sig) -> result.  `param` has the abstract types and BIND_SPECs of
	// the parameter; `result` is over them; body NULL for a functor that is itself a parameter.
	Name param_name;
	Mod *param;
	TypeDefs abstract;      // abstract types of the parameter
	Mod *result;
	TypeDefs generative;    // abstract types of the result, made anew by each application
	ModExpr *body;
	int first_id, last_id;  // bindings and types with other ids come from outside the functor
	Mod *renamed_from;      // by the application of a functor around it, or an ascription
	// MOD_FUNCTOR that is a functor's parameter (or in one): its binding
	Binding *spec;
};

// A module type: components over its own abstract types, which each use makes anew.
struct Sig {
	Name name;
	Span span;
	Mod *mod;
	TypeDefs abstract;
};

// One application of a functor.
//
// Reading a BIND_COPY with `inst` I in an environment E (a stack of instances, each with the
// environment its argument is read in): push I with argument environment E, then read `of`.
// A BIND_SPEC s is looked up in the innermost instance whose `values` has s (or s->of, and so
// on); what it finds is read in that instance's argument environment.  Where `of` itself is a
// BIND_SPEC, namely of the result of a functor that is a parameter, it is looked up first and I
// is pushed on the environment of what was found, still with argument environment E.
struct FunctorInst {
	Mod *functor, *arg;
	// Binding * of functor->param -> Binding * of arg (values and modules); also Binding * of
	// the results of functors in the parameter
	Map values;
	Map sizes;              // Binding * of Binding.open_sizes -> Size *
	// TypeDef * of functor->abstract -> TypeDef * of the same arity (abbreviation or abstract);
	// also abstract types of the results of functors in the parameter
	Map types;
	Span span;
};

// ---- intrinsics.c: the module `intrinsics` and the built-in operators ----

// Every scalar operation of prims.def is an intrinsic of its name, overloaded over its domain;
// to_i8 ... to_f64, to_bool convert from any primitive type; array operations are listed in
// intrinsics.def with their types.  The operators + - * / % ** // %% & | ^ << >> == != < <= > >=
// at top level are overloaded intrinsics named by their symbol; && || ! and - (prefix) are syntax.
// The environment below the prelude: the module `intrinsics`, the operators and the primitive
// types.
Env *intrinsics_env(void);
// gives a BIND_INTRINSIC its scheme, which is made at first use
void intrinsic_force(Binding *);
void intrinsics_force(void);                    // all of them
bool is_logic_operator(Name);                   // && ||
bool is_acc_type(const TypeDef *);              // intrinsics.acc

// ---- type.c: making, printing and substituting types ----

extern Ty *const ty_error;
Ty *ty_prim(PrimType);
Ty *ty_array(Size *, Ty *elem);
Ty *ty_record(TyFields);                        // sorts
const TyField *ty_field(const Ty *record, Name); // NULL: it has none, or is no record
Ty *ty_tuple(Tys);
Ty *ty_sum(TyConstrs);                          // sorts
Ty *ty_arrow(Binding *param, Ty *from, Bindings exts, Ty *to);
Ty *ty_param(TypeDef *);
Ty *ty_abs(TypeDef *, Tys, Sizes);
Ty *ty_unique(Ty *);                            // *t: also inside records
Ty *ty_nonunique(Ty *);
Ty *ty_meta(Span);
Ty *ty_resolve(Ty *);                           // follows links of the head
// Does it hold for the elements, a field, an argument of a constructor or type, a side of an arrow?
bool ty_any_part(const Ty *, bool (*holds)(Ty *, void *ctx), void *ctx);
Ty *ty_zonk(Ty *);                              // follows links everywhere
bool ty_is_tuple(const Ty *);                   // fields 0, 1, ..., n-1, n != 1
// contains an arrow, or a fully lifted parameter or abstract type
bool ty_has_function(Ty *);
// of a parameter's type: *t, or a record with such a field
bool ty_consumes(Ty *);
// something that can alias: arrays, type parameters, abstract types, functions
bool ty_has_array(Ty *);
// the least lifting a type parameter needs to be instantiated with it
Lifting ty_lifting(Ty *);
bool ty_has_lifted_array(Ty *);                 // of elements that no array may have
Size *size_const(int64_t);
Size *size_var(Binding *);
Size *size_anon(Span);
Size *size_meta(int level, Span, const char *origin);
Size *size_resolve(Size *);
SizeMeta *size_variable(const Size *);          // of a resolved SZ_META: the one that gets linked
// typed i64 expression as a size; NULL if it cannot be one (binds or consumes)
Size *size_of_expr(Expr *);
bool  size_equal(Size *, Size *);               // see size.c
// Substitution of rigid things: TypeDef * -> Ty * and Binding * -> Size *.
typedef struct { Map types, sizes; } Subst;
Ty   *ty_subst(const Subst *, Ty *);
Size *size_subst(const Subst *, Size *);
// body of an abbreviation applied to arguments; fresh exts
Ty *ty_expand(TypeDef *abbrev, Tys types, Sizes sizes, Bindings *exts);
// Futhark syntax with sizes: "[n]i32 -> ?[k].[k]i32"
extern const char *const attribute_words[];     // those that mean something (attr.c), then NULL
const char *show_ty(Ty *);
const char *show_size(Size *);
const char *show_scheme(const Scheme *);
Name made_up_name(const char *base, int id);
Name show_name(Binding *);                      // readable, also of what the checker has made up
Name name_of_param(TypeDef *);                  // likewise, of a type parameter
// Messages that follow are about this declaration: what has no name is not called like anything
// in it.
void show_names_for(Span decl);
// Names given in between are for that time only: what is shown again later may get another.
void show_names_begin(void);
void show_names_end(void);
Binding *binding_new(int kind, Name, Span);
TypeDef *typedef_new(int kind, Name, Span);
void bindings_push(Bindings *, Binding *);      // appends to a slice
Inst    *inst_of(const Scheme *);               // an Inst with lists of the right length, NULLs

// ---- type_map.c: transformations of types ----

typedef struct TyMap TyMap;
struct TyMap {
	Size *(*size)(TyMap *, Size *);         // on each size, resolved; NULL: they stay
	Ty *(*named)(TyMap *, Ty *);            // on TY_PARAM and unlinked TY_META; may be NULL
	Ty *(*arrow)(TyMap *, Ty *);            // in place of the usual treatment; may be NULL
	Ty *(*abs)(TyMap *, Ty *);              // likewise, of TY_ABS
	bool unmarked;                          // names that arrows bind are not noted as such
};
Ty   *map_ty(TyMap *, Ty *);
Ty   *map_arrow(TyMap *, Ty *);                 // the usual treatment: the parts of it
Ty   *map_abs(TyMap *, Ty *);
Tys   map_tys(TyMap *, Tys);
Sizes map_sizes(TyMap *, Sizes);

// ---- unify.c: phase 1 unification, blind to sizes ----

// What is being matched, for messages: "Expected"/"Actual" and where each came from.
typedef struct { Span span; const char *what; } Reason;
// Makes two types equal or reports `Cannot unify` ... under the heading `what`, and gives false;
// outside of an inference it fails then.
bool unify(Reason, Ty *expected, Ty *actual);
bool need_overload(Span, Ty *, Overload, const char *why);
bool need_equality(Span, Ty *);
bool need_field(Span, Ty *record, Name field, Ty *type);
bool need_constr(Span, Ty *sum, Name constr, Tys args);
bool need_no_function(Span, Ty *, const char *why);
bool need_element(Span, Ty *, const char *why);

// ---- scope.c, env.c: scopes ----

// The scope during the checking of one module level: the module environment being built, and
// the local names of the declaration in progress on top (with an undo log).
Scope *scope_new(Env *);
Env   *scope_env(Scope *);
// What the declarations that begin up to there put into it; all of it in programs not edited.
Env   *scope_env_at(const Scope *, Loc);
// enter: names bound after are dropped by scope_leave
int    scope_mark(Scope *);
void   scope_leave(Scope *, int mark, Loc end); // the scope ends there; warns of unused local names
void   scope_bind(Scope *, Binding *);          // a local name
void   scope_bind_type(Scope *, TypeDef *);     // a type parameter
int    scope_depth(Scope *);                    // level of names bound now
void   scope_deeper(Scope *);                   // a lambda, function or loop body begins: level + 1
void   scope_shallower(Scope *);
Binding *scope_value(Scope *, Name);            // NULL when unknown
void need_size_name(Scope *, QualName);         // fails unless it is in scope
// Resolve qualified names or fail with `Unknown name "x"` and the nearest name as a hint.
// find_value: *rest gets the trailing components that are record fields (r.x.y with r a value).
Binding *find_value(Scope *, QualName, Names *rest);
TypeDef *find_type(Scope *, QualName);
Sig     *find_sig(Scope *, QualName);
Mod     *find_module(Scope *, QualName);        // MOD_ENV or MOD_FUNCTOR
Mod     *find_module_to_name(Scope *, QualName); // in a module expression: not `intrinsics`
void     scope_open(Scope *, Mod *);            // local open: m.(e)
Binding *env_value(const Env *, Name);          // through `up`

// ---- elab.c: type expressions to types ----

// Resolves names and abbreviations.  Sizes are inferred as i64 expressions through infer_size.
// Anonymous sizes become SZ_ANON; sizes of ?[n]. and of abbreviations with hidden sizes become
// BIND_SIZE bindings collected in the enclosing arrow's exts, or in *exts at the top.
Ty *elab_type(Scope *, TypeExpr *, Bindings *exts); // also stored in TypeExpr.ty
void elab_type_params(Scope *, TypeParams);     // binds them in the scope; duplicates are errors

// ---- infer*.c: phase 1 ----

// annotates pats and body; generalises types into binding->scheme.types
void infer_val(Scope *, ValDecl *);
Size *infer_size(Scope *, Expr *);              // an i64 size expression inside a type
// for the REPL: a closed expression, solved and defaulted
Ty  *infer_expr(Scope *, Expr *);

// ---- size*.c: phase 2 ----

// Gives all types of the declaration their sizes, creates unknown sizes, checks causality,
// generalises over sizes: afterwards binding->scheme is final.
void size_val(ValDecl *);
void size_closed_expr(Expr *);                  // REPL

// ---- match.c: phase 3; consume*.c: phase 4 ----

void match_val(const ValDecl *);
void match_expr(const Expr *);
void consume_val(ValDecl *);                    // also infers uniqueness of the result
void consume_closed_expr(Expr *);

// ---- module.c ----

Sig *check_sig(Scope *, SigExpr *);
Mod *check_mod(Scope *, ModExpr *);             // annotates ModExpr.mod
// M : S.  Gives the module seen through the signature.
Mod *ascribe(Span, Mod *, Sig *);

// ---- decl.c ----

void check_decls(Scope *, Decls);
void check_decl(Scope *, Decl *, bool top_level);
// Declarations of the prelude are checked at first need: to be called before the annotations of
// b->decl are read.  Does nothing for others.
void force_binding(Binding *);

// ---- entry.c ----

void check_entry(const Decl *);                 // the rules of entry points; fails

// ---- load.c: programs ----

typedef struct {
	bool no_warnings;
	bool syntax_only;
	bool files_only;        // with all imports, but nothing is checked
	bool tolerant;          // checks also what has syntax errors, or imports that are missing
	bool names;             // fills Program.uses
	Names extra_entries;                    // --entry-point
	// Reads a file; NULL: from the disk
	const char *(*read)(const char *path, size_t *len);
} LoadOptions;
// What a name in the text of a program means.  Exactly one of the three is set.
typedef struct {
	Span span;              // of this name alone: m and x of m.x are two
	Binding *value;         // modules too
	TypeDef *type;
	Sig *sig;
	bool defines;
	Span definition;        // where it is defined; NOWHERE: built in
} Use;
typedef VEC(Use) Uses;
typedef SLICE(File *) Files;
typedef struct Program {
	File *root;                             // NULL for the empty program of the REPL
	Files files;                            // all, imports before importers
	Scope *scope;                           // the root's top level, after all its declarations
	Env *prelude;
	bool failed;                            // errors are in diags
	LoadOptions options;
	Uses uses;                              // of its files, in the order they were checked
	Diags syntax;                           // in the root of a program that is edited
} Program;
Program *load_program(const char *path, LoadOptions);
// Imports are relative to ".".
Program *load_text(const char *name, const char *text, size_t len, LoadOptions);
Program *load_empty(LoadOptions);               // prelude only (REPL, eval)
// Loads and checks all of the prelude; programs loaded from then on share it, so that memory
// allocated after may be released between them (fuzzer).
void prelude_keep(void);
// Checks a declaration or an expression in the scope of a program, for the REPL and eval.
bool program_add_decl(Program *, Decl *);       // false after an error
bool program_type_expr(Program *, Expr *);      // annotates; false after an error
// parsed and checked once
File *find_import(Program *, const char *importer, const char *path, Span);
// Makes a closed, checked expression callable: a synthetic entry point named `name`.
Decl *entry_of_expr(Expr *, Name name);
void program_force(Program *);                  // checks all of the prelude, for tests

// ---- edit.c: programs whose text is changed ----

// The first version: all imports are checked, of the root nothing.
Program *program_open(const char *name, const char *text, size_t len, LoadOptions);
// The text of the root becomes another one; what is checked of it stays so.  False where a new
// program has to be opened instead.
bool program_edit(Program *, const char *text, size_t len);
void program_check(Program *, Loc until);       // the declarations that begin up to there
Loc program_checked(const Program *);           // where the last of them ends, 0: there is none
void program_explain(Program *);                // completes messages; the text is changed no more
#endif
