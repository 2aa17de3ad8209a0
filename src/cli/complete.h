// Names that can be typed at a place: shared by the language server and the REPL.
#ifndef RAIDO_COMPLETE_H
#define RAIDO_COMPLETE_H
#include "cli/cli.h"

typedef enum {
	OFFER_VALUE, OFFER_FUNCTION, OFFER_LOCAL, OFFER_MODULE, OFFER_FUNCTOR, OFFER_TYPE,
	OFFER_SIG, OFFER_FIELD, OFFER_CONSTR, OFFER_KEYWORD, OFFER_FILE, OFFER_ATTR,
} OfferKind;
typedef struct {
	OfferKind kind;
	const char *name;                       // without qualifiers
	const Binding *binding;                 // values and modules
	const TypeDef *type;
	Ty *of_type;                            // fields, locals: NULL if not known
	const char *doc;
} Offer;
typedef VEC(Offer) Offers;

typedef enum { WANT_VALUES = 1, WANT_TYPES = 2, WANT_SIGS = 4 } OfferSpaces;
// The names of an environment that begin with `prefix`, and, if `up`, of those around it, of
// which hidden ones are left out.  Those defined at `before` or after it are not yet there; 0: all.
void offer_env(Offers *, const Env *, const char *prefix, int spaces, bool up, Loc before);
void offer_binding(Offers *, const Binding *, bool local);
void offer_fields(Offers *, Ty *, const char *prefix);
void offer_constrs(Offers *, Ty *, const char *prefix); // those in a type, at any depth
void offer_words(Offers *, OfferKind, const char *const *words, const char *prefix);
extern const char *const keyword_words[];       // ends with NULL
void offers_sort(Offers *);                     // by name, each once
const char *offer_detail(const Offer *);        // its type; NULL when it has none
const char *binding_doc(const Binding *);       // or NULL

// What can stand at the end of a line of the REPL, of which `line` is the part up to the cursor;
// *start gets where the last word begins, which the offers are to replace.
Offers offer_at_end(Program *, const char *line, size_t *start);
#endif
