// Shared by the files that deal with everything outside value declarations: scopes, renaming,
// matching of modules.
#ifndef RAIDO_MODULES_H
#define RAIDO_MODULES_H
#include "check/check.h"

// ---- scope.c, env.c ----

// What a local name is bound to at the moment, in either name space.  `*_order` says when it
// was bound, to tell whether a module opened locally hides it.
typedef struct {
	Name name;
	Binding *value;
	TypeDef *type;
	int value_order, type_order;
} Slot;

// One entry of the undo log.
typedef struct {
	Slot *slot, before;     // NULL: a module was opened
	Binding *bound;         // for the warning of unused names
} Undo;
typedef struct { Env *env; int order; } Opened;

typedef enum { NS_VALUE, NS_TYPE, NS_SIG, N_NAMESPACE } NameSpace;

// What declarations put into an Env, in order.
typedef struct { NameSpace space; Name name; void *what; Loc since; } Added;
typedef struct { VEC(Added) added; Loc now; /* the declaration being checked */ } History;

struct Scope {
	Env *env;               // module level: what is visible, on top of env->up
	Env *exports;           // module level: what others will see; NULL when that is `env`
	Map slots;              // local level: Name -> Slot *
	VEC(Undo) undo;
	VEC(Opened) opened;     // modules opened locally
	int order;              // counts local bindings and opens
	int depth;
	int newest;             // when not 0: module-level names with greater ids are not yet there
	Map defined[N_NAMESPACE]; // by declarations of this module: Name -> Span *
	Program *program;
	File *file;
	bool is_prelude;        // no warnings, and `intrinsics` may be used
	History *history;       // of `env`, for editors; or NULL
};
// A scope for a module inside the one of `outer`.
Scope *scope_inside(Scope *outer, Env *visible, Env *exports);
void scope_reset(Scope *, int mark, int depth); // as scope_leave, after an error: warns of nothing
// Module-level names; `exported` ones become visible to others as well.
void scope_add_value(Scope *, Binding *, bool exported);
void scope_add_type(Scope *, TypeDef *, bool exported);
void scope_add_sig(Scope *, Sig *, bool exported);
void scope_add_all(Scope *, const Env *, bool exported); // open
// Fails when this module already defines the name, else notes it down.
void scope_claim(Scope *, NameSpace, Name, Span);

// ---- uses.c: what names mean, for editors ----

// Component `i` of a name; the program's table gets it if it is wanted.
void note_use(const Scope *, QualName, int i, Use);
void note_defined(const Scope *, Name, Span, Use); // the name is somewhere in the span
void note_added(const Scope *, NameSpace, Name, void *); // at module level
void note_all_added(const Scope *, const Env *);

// Stand-ins for what could not be checked: everything agrees with them.
Binding *poison_value(Name, Span);
TypeDef *poison_type(Name, Span);
Mod *poison_mod(void);

// ---- hint_name.c ----

// What others call by this name; NULL when there is nothing to say.
const char *name_elsewhere(Name, NameSpace);
const char *hint_beside(Span name, bool in_modules);     // by what stands beside an unknown name
bool in_brackets(Span);                                  // of an index, xs[..]
#define NO_FORMAT "strings are not formatted; \"trace x\" prints x and returns it"

// ---- elab.c ----

// type name params = te, with all rules for abbreviations.
TypeDef *elab_typedef(Scope *, Name, Span name_span, Lifting, TypeParams, TypeExpr *te);
// of params = te in place of an abstract type, lifted as far as the definition is: whether a
// module fits is for matching to find out.
TypeDef *elab_refinement(Scope *, const TypeDef *of, TypeParams, TypeExpr *te);
// As elab_type, but nothing stays anonymous: sizes at the top and of abbreviations end up in
// *exts; *hidden_left tells whether some size left of an arrow has no name.
Ty *elab_closed(Scope *, TypeExpr *te, Bindings *exts, bool *hidden_left);

// ---- rename.c ----

// Replaces what a module type or the body of a functor is about by something else.
typedef struct Renaming Renaming;
// Makes the binding that a component becomes; its scheme or module is then filled in
// unless *complete is set.
typedef Binding *Remake(Renaming *, Binding *, bool *complete);
struct Renaming {
	Map types;              // TypeDef * -> TypeDef *
	Map values;             // Binding * -> Binding *; filled by rename_mod as well
	Map sizes;              // Binding * -> Size *
	Map fresh;              // inside rename_mod: Binding * made -> Binding * it was made for
	Span span;              // for messages
	Remake *remake;
	const Mod *functor;     // when given: other values made inside it become new ones as well
	VEC(Mod *) functors;    // made by rename_mod
	bool unrelated;         // an instance of a module type: has nothing to do with other ones
	void *ctx;
};
Map map_copy(const Map *);
// Hidden sizes of types put in go to *exts at the top and *lefts left of arrows.
Ty *rename_ty(Renaming *, Ty *, Bindings *exts, Bindings *lefts);
Scheme rename_scheme(Renaming *, Name, const Scheme *);
Mod *rename_mod(Renaming *, Mod *);
void rename_end(Renaming *);                    // nothing more is renamed, after rename_mod
Remake remake_spec;                             // BIND_SPECs, for a module type
// A definition applied to its own parameters.
Ty *typedef_applied(TypeDef *, TypeParams as, Bindings *exts);

// ---- fit.c ----

// Whether a value of type `have` may stand where a `want` is specified, which may be less
// polymorphic.  *inst gets the instance of have's lists; NULL when these are empty.
// Sizes in `open` may be anything: they get fixed in *sizes (Binding * -> Size *).
// NULL if so, else why not: a text that is empty when the types say it.
const char *fits_scheme(const Scheme *have, const Scheme *want, Bindings open, Inst **inst,
                        Map *sizes);
// The same for definitions with hidden sizes, which may only be equal.
bool same_type(Ty *a, Bindings a_exts, Ty *b, Bindings b_exts);

// ---- ascribe.c ----

// The components of a module against those of a module type.
typedef struct {
	Span span;
	Renaming as;            // what the module type's own names are in the module
	Map insts;              // Binding * -> Inst *: for polymorphic implementations
	Map functors;           // Binding * -> Mod *: the implementing functor as specified
	const char *path;       // for messages: the submodule being looked at, or NULL
} Match;
const char *show_type_params(TypeParams);       // " [n] 'a"
void match_mod(Match *, Mod *have, Mod *want, TypeDefs abstract);
Mod *fit_functor(Match *, Mod *have, Mod *want);

// ---- sig.c ----

// A copy with abstract types and values of its own: one use of a module type.
Sig *sig_instance(const Sig *, Span);

// ---- functor.c ----

Mod *check_functor(Scope *, ModParam *params, int n, SigExpr *result, ModExpr *body);
Mod *functor_type(Scope *, SigExpr *arrow);
Mod *apply_functor(Span, Mod *functor, Mod *arg, FunctorInst **inst);
// Abstract types with ids greater than `after` that occur in a module and are not bound in it.
TypeDefs abstract_types_in(const Mod *, int after);
int newest_id(Span);                            // of all bindings and types made so far
bool is_inside(const Mod *functor, const Binding *);    // whether each application makes it anew

// ---- decl.c, lazy.c ----

void check_val_phases(Scope *, ValDecl *);
// Gives the binding of a declaration of the prelude its scheme from the annotations and leaves
// the rest for later; false when these do not say everything.
bool declare_lazily(Scope *, Decl *);

// ---- load.c ----

void program_pending(Program *, Binding *);     // notes what is left for later
// A name that is not there: what the declarations after it say about that is said at the end, so
// that checking a declaration depends on nothing after it (edit.c relies on that).
typedef struct { Diag *diag; Name name; NameSpace space; const File *file; } UnknownName;
void program_unknown(Program *, UnknownName);
void explain_unknown(const UnknownName *);          // env.c
#endif
