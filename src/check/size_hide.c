// Functional parameters of local functions whose results may have any size.
//
//     let at f = f 1 h w          at : [a][b] : (i64 -> i64 -> i64 -> [a][b]t) -> [a][b]t
//     in at grid                  grid : i64 -> (h: i64) -> (w: i64) -> [h][w]t
//
// By default, the result of an unannotated functional parameter has the same sizes at every call in
// the function, so that other sizes can be unified with them.  This is right for most arguments,
// but not for a function whose result has sizes that are bound inside its own type.  When such an
// argument is found, the whole declaration is checked a second time, with existential sizes in the
// type of the local function:
//
//     at : (i64 -> i64 -> i64 -> ?[a][b].[a][b]t) -> ?[d][e].[d][e]t
//
// The use that required it gets this type; all other uses keep the first one.  Both are sound,
// since the body has been checked against both.  The body keeps the sizes of the second check, in
// which every call of the parameter introduces sizes of its own.  If the second check fails, the
// errors of the first one are reported.
#include "check/size.h"

// ---- Which sizes can be hidden ----

typedef struct { const Binding *size; bool in_result, elsewhere; } Occurs;

static bool note_occurrence(void *ctx, Size *s, bool under, bool left)
{
	Occurs *o = ctx;
	s = size_resolve(s);
	if (!size_mentions(s, o->size))
		return false;
	bool result = under && !left && s->kind == SZ_VAR;
	o->in_result = o->in_result || result;
	o->elsewhere = o->elsewhere || !result;
	return false;
}

// Is it the size of nothing but results of functional parameters?
static bool can_be_hidden(const Binding *fn, const Binding *size)
{
	Occurs o = {.size = size};
	Ty *t = ty_resolve(fn->scheme.type);
	for (; t->kind == TY_ARROW; t = ty_resolve(t->arrow.to))
		visit_sizes(&(SizeVisit){note_occurrence, &o}, t->arrow.from);
	return size->inferred && o.in_result && !o.elsewhere;
}

// ---- Uses ----

void want_hiding(Sizer *z, const SizeMeta *m)
{
	Hidings *h = z->hidings;
	if (!h || !m->use || m->owner->kind != BIND_LOCAL ||
	    !can_be_hidden(m->owner, m->size_param))
		return;
	if (!is_hiding_use(z, m->use))
		VEC_PUSH(&h->uses, m->use);
	if (!is_hiding(z, m->owner))
		VEC_PUSH(&h->functions, m->owner);
}

bool is_hiding(const Sizer *z, const Binding *fn)
{
	for (int i = 0; z->hidings && i < z->hidings->functions.len; i++)
		if (z->hidings->functions.at[i] == fn)
			return true;
	return false;
}

bool is_hiding_use(const Sizer *z, const Inst *use)
{
	for (int i = 0; z->hidings && i < z->hidings->uses.len; i++)
		if (z->hidings->uses.at[i] == use)
			return true;
	return false;
}

// ---- The second look ----

static void forget_in_expr(Walk *w, Expr *e)
{
	e->unknowns.len = 0;
	if (e->kind == EX_LOOP)
		e->loop.variant_sizes.len = 0;
	walk_expr(w, e);
}

// Unknown sizes come into being anew.
void forget_unknowns(Pats pats, TypeExpr *ret, Expr *body)
{
	Walk w = {.expr = forget_in_expr, .pat = walk_pat, .type = walk_type};
	for EACH(Pat *, p, pats)
		walk_pat(&w, *p);
	if (ret)
		walk_type(&w, ret);
	forget_in_expr(&w, body);
}

Bindings hidden_sizes(const Binding *fn)
{
	Bindings hidden = {0};
	for EACH(Binding *, s, fn->scheme.sizes)
		if (can_be_hidden(fn, *s))
			bindings_push(&hidden, *s);
	return hidden;
}

// What the parameters are to be, as the parameters of a function type.
Ty *hiding_params(Pats pats, Bindings hidden)
{
	Ty *t = ty_error;
	for (int i = pats.len - 1; i >= 0; i--)
		t = ty_arrow(NULL, hide_in_results(pats.at[i]->type, hidden), (Bindings){0}, t);
	return t;
}
