// Sizes of branches and loops.
//
// If the sizes of two branches differ, the result has an unknown size.  The parameters of a loop
// start with the sizes of the initial value.  The body is checked with size variables in their
// place, and the sizes that it returns determine what the variables are:
//
//     loop xs = iota n for i < 3 do map f xs           invariant: xs has size n
//     loop xs = iota n for i < 3 do xs ++ [i]          variant: a size of the loop, unknown after
//     loop xs = iota n for i < 3 do map2 f xs ys       fixed by the body: the size of ys
#include "check/size.h"

Ty *size_if(Sizer *z, Expr *e)
{
	size_exp(z, e->if_.cond);
	int mark = meta_mark();
	Ty *yes = size_exp(z, e->if_.yes), *no = size_exp(z, e->if_.no);
	if (ty_resolve(yes)->kind == TY_PRIM)
		return ty_resolve(yes);
	Ty *types[] = {yes, no};
	return join_types(z, e, (Tys){types, 2}, mark);
}

Ty *size_match(Sizer *z, Expr *e)
{
	Ty *of = ty_nonunique(size_exp(z, e->match.of));
	int mark = meta_mark(), level = z->level;
	Tys types = {NEW_ARRAY(Ty *, e->match.cases.len), 0};
	for EACH(Case, c, e->match.cases) {
		z->level = level + 1;
		Cause why = {.kind = FOR_PAT, .span = c->pat->span, .at = e, .pat = c->pat};
		size_pat(z, c->pat, of, &why);
		types.at[types.len++] = size_exp(z, c->body);
	}
	z->level = level;
	return join_types(z, e, types, mark);
}

// ---- Loops ----

// One size of the loop parameters: the variable that stands for it, its initial size, and
// the one that the body returns.
typedef struct { Size *param, *init, *body; bool said; /* by an ascription */ } LoopSize;

// Sizes that the body has made equal are one.
typedef struct { Size *var; Size *init; Binding *variant; } LoopClass;

typedef struct {
	Sizer *z;
	Expr *e;
	int level;              // outside of the loop
	int first_meta;
	Ty *init_type, *param_type, *body_type;
	VEC(LoopSize) sizes;
	VEC(LoopClass) classes;
	int at;
} Loop;

static bool note_init(void *ctx, Size *s, bool under, bool left)
{
	(void)under;
	(void)left;
	Loop *l = ctx;
	VEC_PUSH(&l->sizes, (LoopSize){.init = s});
	return false;
}

static bool note_param(void *ctx, Size *s, bool under, bool left)
{
	(void)under;
	(void)left;
	Loop *l = ctx;
	LoopSize *size = &l->sizes.at[l->at++];
	size->param = s;
	if (s->kind == SZ_META)
		s->meta->initial = size->init;
	return false;
}

static bool note_body(void *ctx, Size *s, bool under, bool left)
{
	(void)under;
	(void)left;
	Loop *l = ctx;
	if (l->at < l->sizes.len)
		l->sizes.at[l->at++].body = s;
	return false;
}

static const char init_heading[] = "Initial loop values do not have expected type.";
static const char body_heading[] = "Loop body does not have expected type.";

static NORETURN void fail_loop(Loop *l, bool body)
{
	Expr *init = l->e->loop.init ? l->e->loop.init : l->e->loop.init_implied;
	Cause why = {.kind = FOR_TEXT, .span = body ? l->e->loop.body->span : init->span,
	             .at = l->e, .text = body ? body_heading : init_heading};
	fail_match(l->z, &why, l->param_type, body ? l->body_type : l->init_type);
}

static NORETURN void fail_escape(Loop *l, const LoopSize *s)
{
	Diag *d = diag_error(l->e->span, "loop-variant-escape",
	                     "Loop-variant size has escaped into type that occurs outside "
	                     "of loop.");
	if (s)
		diag_note(d, "The body needs the loop parameter to have size \"%s\", "
		          "but returns size \"%s\" for it.", show_size(s->param),
		          show_size(s->body));
	fail_diag(d);
}

static bool is_own_variable(const Loop *l, const Size *s)
{
	return s->kind == SZ_META && size_variable(s)->id > l->first_meta;
}

static bool is_variable(const Size *s, const Size *var)
{
	return s == var || (s->kind == SZ_META && var->kind == SZ_META &&
	                    size_variable(s) == size_variable(var));
}

static LoopClass *class_of(Loop *l, const Size *var)
{
	for EACH(LoopClass, c, l->classes)
		if (is_variable(size_resolve(c->var), var))
			return c;
	return NULL;
}

// Sizes that an ascription or the body have fixed must be the initial ones as well.
static void check_fixed(Loop *l)
{
	for EACH(LoopSize, s, l->sizes)
		if (!is_own_variable(l, size_resolve(s->param)) &&
		    !size_unify(l->z, l->e, s->param, s->init))
			fail_loop(l, false);
	for EACH(LoopSize, s, l->sizes)
		if (!is_own_variable(l, size_resolve(s->param)) &&
		    !size_unify(l->z, l->e, s->param, s->body)) {
			if (!s->said)
				fail_escape(l, s);
			fail_loop(l, true);
		}
}

static void collect_classes(Loop *l)
{
	for EACH(LoopSize, s, l->sizes) {
		Size *var = size_resolve(s->param);
		if (!is_own_variable(l, var))
			continue;
		LoopClass *c = class_of(l, var);
		if (!c)
			VEC_PUSH(&l->classes, (LoopClass){.var = var, .init = s->init});
		else if (!size_unify(l->z, l->e, c->init, s->init))
			fail_loop(l, false);
	}
}

// What a variable of the loop is under the present assumption.
static Size *assumed_leaf(void *ctx, Size *leaf)
{
	Loop *l = ctx;
	LoopClass *c = leaf->kind == SZ_META ? class_of(l, leaf) : NULL;
	return !c ? leaf : c->variant ? size_var(c->variant) : size_resolve(c->init);
}

// The size that parameters of loops around have initially, where the size is theirs.
static Size *outermost_init(Size *s)
{
	s = size_resolve(s);
	while (s->kind == SZ_META && s->meta->initial)
		s = size_resolve(s->meta->initial);
	return s;
}

// The initial size of a loop in a loop may be a variable of that one, yet to be decided:
//
//     loop xs = [1, 2] for i < n do loop ys = xs for j < n do [ys[0], j]
static bool is_kept(Loop *l, const LoopClass *c, Size *body)
{
	Size *s = size_map(body, assumed_leaf, l), *init = size_resolve(c->init);
	if (s != init && init->kind == SZ_META && size_equal(s, outermost_init(init)))
		return size_unify(l->z, NULL, init, s);
	// A size inside of the body that nothing has fixed may well be the one needed.
	if (s->kind == SZ_META && size_variable(s)->level > l->level)
		return size_unify(l->z, NULL, s, c->init);
	return size_equal(s, c->init);
}

static Binding *new_variant(Loop *l, const LoopClass *c)
{
	Binding *b = binding_new(BIND_SIZE, name_of(show_size(c->var)), l->e->loop.pat->span);
	b->level = l->level + 1;
	Bindings variants = {l->e->loop.variant_sizes.at, l->e->loop.variant_sizes.len};
	bindings_push(&variants, b);
	l->e->loop.variant_sizes.at = variants.at;
	l->e->loop.variant_sizes.len = variants.len;
	return b;
}

// Assumes all sizes to stay what they are initially, and gives up the assumption for those that
// the body changes, until nothing more follows from that.
static void find_variant(Loop *l)
{
	for (bool changed = true; changed;) {
		changed = false;
		for EACH(LoopSize, s, l->sizes) {
			Size *var = size_resolve(s->param);
			LoopClass *c = class_of(l, var);
			if (!c || c->variant || is_kept(l, c, s->body))
				continue;
			if (size_variable(var)->level <= l->level)
				fail_escape(l, NULL);
			c->variant = new_variant(l, c);
			changed = true;
		}
	}
}

// Variant sizes that the body needs to be equal must be so after each iteration.
static void check_variant(Loop *l)
{
	for EACH(LoopClass, c, l->classes) {
		Size *first = NULL;
		for EACH(LoopSize, s, l->sizes) {
			if (!c->variant || !is_variable(size_resolve(s->param), c->var))
				continue;
			if (first && !size_unify(l->z, l->e, first, s->body))
				fail_loop(l, true);
			first = first ? first : s->body;
		}
	}
	for EACH(LoopClass, c, l->classes)
		size_variable(c->var)->link = c->variant ? size_var(c->variant) : c->init;
}

// ---- The parts of a loop ----

static void size_loop_form(Sizer *z, Expr *e, Ty *bound)
{
	Ty *elem = bound && bound->kind == TY_ARRAY ? bound->array.elem : ty_error;
	switch (e->loop.kind) {
	case LOOP_FOR:
		e->loop.index_binding->scheme.type = bound;
		e->loop.index_binding->level = z->level;
		return;
	case LOOP_IN:
		size_pat(z, e->loop.elem, elem, NULL);
		return;
	case LOOP_WHILE:
		size_exp(z, e->loop.bound);
		return;
	}
}

static void size_loop_body(Loop *l, Ty *bound)
{
	Sizer *z = l->z;
	int fun_level = z->fun_level;
	z->level += 2;          // the parameters' sizes, then the names of the pattern
	z->fun_level = z->level;
	Cause why = {.kind = FOR_PAT, .span = l->e->loop.pat->span, .at = l->e,
	             .pat = l->e->loop.pat};
	size_pat(z, l->e->loop.pat, l->param_type, &why);
	for EACH(LoopSize, s, l->sizes)
		s->said = !is_own_variable(l, size_resolve(s->param));
	z->level++;
	size_loop_form(z, l->e, bound);
	VEC_PUSH(&z->loop_levels, l->level);
	l->body_type = size_exp(z, l->e->loop.body);
	z->loop_levels.len--;
	z->fun_level = fun_level;
	z->level = l->level;
}

Ty *size_loop(Sizer *z, Expr *e)
{
	Loop l = {.z = z, .e = e, .level = z->level};
	l.init_type = ty_nonunique(size_exp(z, e->loop.init ? e->loop.init : e->loop.init_implied));
	Ty *bound = e->loop.kind == LOOP_WHILE ? NULL : ty_nonunique(size_exp(z, e->loop.bound));
	if (ty_resolve(l.init_type)->kind == TY_PRIM) {
		l.param_type = l.init_type;
		size_loop_body(&l, bound);
		return l.init_type;
	}
	l.first_meta = meta_mark();
	z->level++;
	l.param_type = fresh_sizes(z, l.init_type, e->loop.pat->span, "loop parameter");
	z->level--;
	visit_sizes(&(SizeVisit){note_init, &l}, l.init_type);
	visit_sizes(&(SizeVisit){note_param, &l}, l.param_type);
	size_loop_body(&l, bound);
	l.at = 0;
	visit_sizes(&(SizeVisit){note_body, &l}, l.body_type);
	if (l.at == l.sizes.len) {
		check_fixed(&l);
		collect_classes(&l);
		find_variant(&l);
		check_variant(&l);
	}
	return leave_scope(z, (Leave){.level = z->level, .at = e}, l.param_type);
}
