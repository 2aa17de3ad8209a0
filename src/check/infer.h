// Shared by the files of phase 1: the inference in progress, and reasons for unification.
#ifndef RAIDO_INFER_H
#define RAIDO_INFER_H
#include "check/check.h"

// ---- The inference in progress ----

// A use of the function being defined in its own body.
typedef struct { Expr *var; Exprs args; } SelfUse;

// A use of to_bits or from_bits: one of the types determines the other.
typedef struct { Span span; Ty *real, *bits; } BitsUse;

// What belongs to the declaration (or size, or closed expression) being inferred.
typedef struct Infer {
	VEC(Meta *) metas;              // in the order they were made
	int level;                      // local functions with type parameters around
	ValDecl *decl;                  // NULL for a size or closed expression on its own
	Binding *self;                  // the recursive function, or NULL
	int errors;                     // before it
	VEC(SelfUse) self_uses;
	VEC(BitsUse) bits_uses;
	VEC(Binding *) pat_names;       // bound by the patterns in progress
	Map *pat_seen;                  // Name -> Binding *, of the innermost list of patterns
} Infer;

// Set by infer.c for the time of one inference: the interface of unify.c, which others use
// as well, has no room for it.
extern Infer *infer;

Ty *meta_new(Span, const char *hint);

// ---- Reasons ----

// Why two types must agree, kept as nodes: the text is only made for an error.
typedef struct {
	enum {
		WHY_TEXT,       // `text`, of `arg` if that is not NULL
		WHY_ARG,        // `expr` applied to `arg`, as a part of `call`
		WHY_OPERAND,    // operator `text` applied to `arg`, in `call` if that is not NULL
		WHY_PAT,        // `pat` against a value
	} kind;
	Span span;
	const char *text;
	const Expr *expr, *arg, *call;
	const Pat *pat;
} Why;
// These report what does not fit, and give false then.
bool unify_why(const Why *, Ty *expected, Ty *actual);
bool need_overload_why(const Why *, Ty *, Overload);
bool need_constr_why(const Why *, Ty *, Name, Tys args);

// Restrictions on types that inference finds out later: `why` is a template, in which @ is
// replaced by the type.
extern const char why_if[], why_match[], why_loop[], why_element[], why_instance[];
bool overload_allows(Overload, PrimType);

// ---- clash.c: messages ----

// What unification found wrong.
typedef struct {
	Span span;                      // what is being checked
	const char *message;            // replaces the description of the mismatch
	const char *anchor;
	const char *note;
	Ty *a, *b;                      // the parts that do not match
	const char *field;              // the field of both that they are in, or NULL
	Overload wanted;                // what an overloaded type may be
	bool sum;                       // where a sum type stands
	bool functional;                // a function stands where none may
} Clash;
bool u_types(Clash *, Ty *, Ty *, bool flipped); // unify.c; false: they clash
const char *note_record_for_number(Overload, const char *fields);
// unify_fields.c
Ty  *find_field(TyFields, Name);
TyConstr *find_constr(TyConstrs, Name);
bool u_field(Clash *, Ty *, Name, Ty *);
bool u_constr(Clash *, Ty *, Name, Tys args);
bool clash_arity(Clash *, Name, int, int);
int  count_params(Ty *);                         // clash.c: of a function
void report_clash(const Why *, const Clash *, Ty *expected, Ty *actual);
void report_demand(const Why *, const Clash *, Ty *);
void fail_ambiguous(Meta *);
const char *show_overload(Overload);
// by what is demanded of it, if nothing else is known
const char *show_partial(Ty *);
const char *show_function(const Expr *);        // "name", or just: function

// ---- hint.c: notes on what was meant, added to errors ----

// `expected` and `actual` clash in their parts `a` and `b`, which may be NULL
void hint_clash(Diag *, const Why *, Ty *expected, Ty *actual, const Ty *a, const Ty *b);
// an argument takes more arguments than the function gives it
void hint_arity(Diag *, const Why *, int given, int taken);
// the type is none of those an operator is for
void hint_operand(Diag *, const Why *, Ty *);
void hint_number(Diag *, const Ty *);
// the application of what is left after `n_given` arguments, which is no function; true if an
// argument is a word that stands for an operator
bool hint_no_function(Diag *, const Expr *call, Ty *, int n_given);

// ---- hint_habit.c: likewise, where another language is meant; false: no hint ----

bool hint_chained(Diag *, const Why *);
bool hint_pipe(Diag *, const Why *);
bool hint_unpacked(Diag *, const Why *);
bool hint_mask(Diag *, const Why *);
bool hint_string_operand(Diag *, const Why *, const char *op);
bool hint_odd_argument(Diag *, const Why *, const Ty *want, const Ty *have);
bool hint_array_operand(Diag *, const Why *, const Ty *want, const Ty *have);
bool hint_each(Diag *, const Why *, const Ty *want, const Ty *have);
bool hint_foreign_operator(Diag *, const Expr *binop);
bool hint_applied_number(Diag *, const Expr *call);
bool is_function_like(const Expr *);    // a function, as far as it can be seen or is known
bool hint_join(Diag *, const Why *, const Ty *want, const Ty *have);
bool hint_exchanged(Diag *, const Why *, const Ty *want, const Ty *have);
bool hint_tuple_parameter(Diag *, const Why *, Ty *want);
void hint_missing_argument(Diag *, const Expr *call); // call may be NULL
bool hint_quotient(Diag *, const Why *, const Ty *to, const Ty *from);
void hint_break(const Expr *yes, const Expr *no); // to the last error, which is of these branches
const char *hint_method(const Ty *, Name field); // or NULL
const char *hint_field(TyFields, Name wanted);   // or NULL
const char *hint_constr(TyConstrs, Name wanted); // these two: a further line, or ""
const char *hint_unshared(TyFields want, TyFields have);

// ---- infer_expr.c: literals, data, projection, indexing ----

Ty *infer_exp(Scope *, Expr *);                 // sets and gives e->type
// The type is known: `what` for messages.  False after an error.
bool check_exp(Scope *, Expr *, Ty *, const char *what);
bool check_operand(Scope *, const Why *, Expr *, Ty *);
Ty *infer_path(Scope *, Ty *of, Path, const Expr *whole);
const char *update_heading(Path);               // for messages: what is replaced
Ty *field_of(Span, Ty *record, Name field);
Expr *strip_parens(Expr *);
void warn_attribute(const Attr *);      // one that is nearly a known one (attr.c)

// ---- infer_apply.c: names, application, operators ----

Ty *instantiate(Binding *, Span, Inst **);
Ty *infer_var(Scope *, Expr *);
Ty *infer_apply(Scope *, Expr *);
Ty *infer_binop(Scope *, Expr *);
Ty *infer_section(Scope *, Expr *);

// ---- infer_bind.c: the forms that bind names, and branches ----

// Parameters, return type and body of a function; gives its type.  `self` gets the type
// while the body is inferred, for recursion.
Ty *infer_function(Scope *, TypeParams, Pats, TypeExpr *ret, Expr *body, Binding *self,
                   Ty **ret_type);
Ty *infer_lambda(Scope *, Expr *);
Ty *infer_lets(Scope *, Expr *);                // a chain of let expressions
Ty *infer_if(Scope *, Expr *);
Ty *infer_match(Scope *, Expr *);
Ty *infer_loop(Scope *, Expr *);
Scheme scheme_of_params(TypeParams, Ty *);

// ---- infer_pat.c ----

// Infers patterns and brings their names into scope, those of one pattern after all of it.
// Without `expected` each pattern may match anything.  No name of `also` may be bound again.
void infer_pats(Scope *, Pats, Ty *expected, TypeParams also, bool are_params);
Expr *expr_of_pat(const Pat *);                 // the pattern read as an expression
Binding *name_of_pat(const Pat *);              // of a pattern that is just a name, else NULL

// ---- infer.c ----

// elab_type; after an error, which is reported, TY_ERROR.
Ty *infer_type(Scope *, TypeExpr *, Bindings *exts);

// ---- endless.c ----

void warn_if_endless(const ValDecl *);

// ---- infer_done.c ----

// At the end of an inference all types are known: puts them into the tree, checks the ranges
// of literals and gives the warnings that depend on types.
void finish_expr(Expr *);
void finish_pat(Pat *);
void finish_type_expr(TypeExpr *);
#endif
