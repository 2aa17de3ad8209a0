// Shared by the files of phase 2: the sizing in progress, and what sizes and types go through.
//
// Levels.  Every name bound in the declaration has the depth of its scope as level; a name of a
// deeper level than the place that is left goes out of scope there.  A size variable has the
// level of the place it is made at: names of deeper levels may not enter it.  Unknown sizes
// have the level of the function (or loop body) they come into being in, so that inside of one
// function they may enter any variable; that they are not needed too early is for the check of
// causality to find.
#ifndef RAIDO_SIZE_H
#define RAIDO_SIZE_H
#include <limits.h>

#include "check/infer.h"

// The level of names bound inside of a type: parameters and existential sizes of arrows.
#define LEVEL_BOUND INT_MAX

// Why two types do not fit.
typedef struct {
	enum {
		BAD_SIZES,      // a and b differ
		BAD_SCOPE,      // a variable cannot become a, which mentions `name`
		BAD_HIDDEN,     // the same, where the name is an existential size
		BAD_ESCAPE,     // an existential size would have to be in a parameter of `to`
		BAD_OCCURS,     // a is a part of b
		BAD_CONSUME,    // the function types `from` and `to` differ in consumption
		BAD_SHAPE,      // the types differ apart from sizes
	} kind;
	Size *a, *b;
	Binding *name;
	Ty *from, *to;
} Mismatch;

// An application whose argument is being matched; see size_lifted.c.
typedef struct {
	Expr *at;
	int first_meta;         // variables of the function's instance are younger
	Ty *expected;           // of the argument
	Ty *rest;               // of the function applied to it
	Tys later;              // what is expected of arguments that are looked at later
	bool untied;            // sizes have become unknown
} Matching;

// Local functions that have been found to need two types, and the uses that need the second;
// see size_hide.c.
typedef struct { VEC(Binding *) functions; VEC(const Inst *) uses; } Hidings;

// The sizing of one declaration.
typedef struct Sizer {
	int level;                      // of the innermost scope
	int fun_level;                  // of unknown sizes made now
	VEC(SizeMeta *) metas;          // in the order they were made
	VEC(Ty *) type_metas;           // variables for types with functions
	const ValDecl *decl;            // NULL for a closed expression
	Binding *self;                  // the function being defined
	Ty *self_type;                  // see type_of_self
	VEC(Inst *) self_uses;
	VEC(int) loop_levels;           // of the scopes around the loops whose bodies we are in
	Matching *matching;             // NULL: none whose sizes may become unknown
	Bindings let_sizes;             // of let [n] p = e: found by matching the pattern
	Sizes let_metas;                //   with these in their place
	Hidings *hidings;               // NULL: not looked for
	bool saw_error;                 // a part of the declaration has type TY_ERROR
	Mismatch bad;                   // set when a match fails
} Sizer;

// What is being matched: the heading of the message, made only when it is needed.
typedef struct {
	enum {
		FOR_TEXT,       // `text`
		FOR_ARG,        // function `fn` applied to `arg`
		FOR_OPERAND,    // operator `text` applied to `arg`
		FOR_PAT,        // `pat` against a value
	} kind;
	Span span;
	Expr *at;                       // sizes that turn out unknown come into being here
	const char *text;
	const Expr *fn, *arg;
	const Pat *pat;
} Cause;

// ---- size.c: representation and equality ----

Size *size_operation(Span, char op, Size *a, Size *b); // a + b, a - b
// The size with each variable leaf (SZ_VAR or unlinked SZ_META) replaced by what `f` gives for it.
Size *size_map(Size *, Size *(*f)(void *, Size *leaf), void *ctx);
bool size_any(Size *, bool (*f)(void *, Size *leaf), void *ctx); // whether some leaf satisfies f
bool size_mentions(Size *, const Binding *);
int size_weight(Size *);                        // number of parts
int level_of(const Binding *);                  // 0: visible everywhere
bool expr_binds(const Expr *);                  // why size_of_expr is NULL: a binding construct

// The operands of a chain of + and -, or of *, in order.
typedef struct { Size *size; bool minus; } Term;
typedef VEC(Term) Terms;
char size_chain(Size *);                        // '+' or '*' for the head of a chain, else 0
bool size_terms(Size *, char chain, Terms *out);
// Both nodes have the same operation, and as many operands.
bool size_same_head(Size *, Size *);
Sizes size_operands(Size *);                    // of a node: the function of an application is none

// ---- size_unify.c: size variables ----

Size *new_meta(Sizer *, Span, const char *origin);
Size *new_unknown(Sizer *, Expr *at);
int meta_mark(void);                            // variables made from now on have a larger id
bool size_unify(Sizer *, Expr *at, Size *expected, Size *actual);

// ---- size_lifted.c: instances of lifted type parameters ----

// What a parameter stands for in an instance: sizes are variables, functions variables for types.
Ty *lifted_instance(Sizer *, Ty *shape, TypeDef *param, Binding *owner, Span);
// Where an occurrence of a parameter stands in the type of the function.
typedef struct {
	bool in_param;          // of the function
	bool negative;          // a value that the argument is given, not one that it gives
	bool in_function;       // part of a parameter's type of a function's
	bool in_result;         //   and, innermost, of its result
} Place;
Ty *lifted_occurrence(Sizer *, Ty *instance, Place);
// The variable turns out to be existential: that of each occurrence has a size of its own.
bool untie(Sizer *, Expr *at, SizeMeta *, Size *hidden);
bool untie_again(Sizer *, Expr *at, Size *occurrence, Size *hidden); // was taken for another size
// Unknown sizes in results of functions become existential there.
Ty *hide_in_results(Ty *, Bindings unknowns);

// ---- size_hide.c: functional parameters whose results may have any sizes ----

// The size of a result of a functional parameter cannot be what is needed at a use.
void want_hiding(Sizer *, const SizeMeta *);
bool is_hiding(const Sizer *, const Binding *fn);
bool is_hiding_use(const Sizer *, const Inst *);
Bindings hidden_sizes(const Binding *fn);       // of its size parameters
Ty *hiding_params(Pats, Bindings hidden);
void forget_unknowns(Pats, TypeExpr *ret, Expr *body);

// ---- size_type.c: traversing types ----

// Calls back on each size; `left`: in a parameter of some arrow.  Until one gives true.
typedef struct { bool (*size)(void *, Size *, bool under_arrow, bool left); void *ctx; } SizeVisit;
bool visit_sizes(const SizeVisit *, Ty *);
bool sizes_mention(Ty *, const Binding *);
bool any_size_leaf(Ty *, bool (*f)(void *, Size *leaf), void *ctx); // as size_any, of all sizes
bool values_have_size(Ty *, const Binding *);    // is it a size outside of functions?
// Is it, by itself, the size of an array in values of the type?
bool is_constructive(Ty *, const Binding *);
Ty *replace_sizes(Ty *, Bindings, Sizes);       // these variables by those sizes
Ty *replace_size(Ty *, Binding *, Size *);
Ty *fresh_sizes(Sizer *, Ty *shape, Span, const char *origin); // variables for all sizes
Ty *open_sizes(Sizer *, Ty *shape, Span, const char *origin); // the same; functions are variables
Ty *map_shape(TyMap *, Ty *);                   // TyMap.named: the shape of a variable
Ty *force_ty(Ty *, Sizer *, Span);              // ty_resolve; a variable becomes its shape
// The type of a use of a name; *inst gets the instance.
Ty *instantiate_sized(Sizer *, Binding *, Span, Inst **inst);
// The type an annotation stands for, with variables for the sizes it leaves open.
Ty *annotated(Sizer *, TypeExpr *, const char *origin);

// ---- size_close.c: leaving scopes ----

// Sizes that mention names of a deeper level than `level`, or the names `dead`, are replaced:
// by what let-bound names stand for, else by unknown sizes at `at`, or existential ones
// added to *exts.
typedef struct { int level; Bindings dead; Expr *at; Bindings *exts; } Leave;
Ty *leave_scope(Sizer *, Leave, Ty *);
// The common type of branches: sizes in which they differ are unknown.
Ty *join_types(Sizer *, Expr *at, Tys branches, int first_meta);

// ---- size_match.c: whether a type may stand for another ----

bool match_types(Sizer *, Expr *at, Ty *expected, Ty *actual);
bool require_match(Sizer *, const Cause *, Ty *expected, Ty *actual); // or reports an error
void report_match(Sizer *, const Cause *, Ty *expected, Ty *actual);
NORETURN void fail_match(Sizer *, const Cause *, Ty *expected, Ty *actual);

// ---- size_note.c: where sizes come from, for messages ----

const Expr *behind_parens(const Expr *);        // and attributes
void note_origin(Diag *, Binding *unknown);
void note_mismatch(Sizer *, Diag *, const Cause *, const Mismatch *, Ty *expected);

// ---- size_expr.c, size_pat.c, size_apply.c, size_loop.c, size_decl.c ----

Ty *size_exp(Sizer *, Expr *);                  // sets and gives e->type
Ty *size_pat(Sizer *, Pat *, Ty *, const Cause *); // Ty NULL: nothing is known yet; binds names
Ty *size_apply(Sizer *, Expr *);
Ty *size_binop(Sizer *, Expr *);
Ty *size_section(Sizer *, Expr *);
Ty *size_if(Sizer *, Expr *);
Ty *size_match(Sizer *, Expr *);
Ty *size_loop(Sizer *, Expr *);
Ty *size_lambda(Sizer *, Expr *, Ty *expected); // NULL: nothing is expected
Ty *type_of_self(Sizer *);                      // of the function being defined, in its own body
Bindings unknowns_since(const Expr *, int made); // unknown sizes after the first `made`
void size_let_fun(Sizer *, Expr *);             // binds the function
NORETURN void fail_causality(Binding *unknown, Span, const char *what, Ty *);

// ---- size_seal.c ----

// Resolves the types of all parts of an expression and checks that no unknown size is needed
// before it comes into being.
void seal_exp(Expr *);
void seal_pat(Pat *);
void seal_type_expr(TypeExpr *);
Ty *seal_ty(Ty *);
#endif
