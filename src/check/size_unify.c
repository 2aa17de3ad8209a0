// Size variables: making them and finding out what they are.
//
// A variable becomes a size by being linked to it.  Two operations agree when their operands
// do, so a size in a parameter's type is taken apart by the size of the argument:
//
//     [n₀ + m₁] against [a + b]           n₀ = a, m₁ = b
//     [n₀ + m₁] against [a + b + c]       n₀ = a + b, m₁ = c
//     [n₀ * m₁] against [a * (b * c)]     n₀ = a, m₁ = b * c
//     [n₀ * m₁] against [6]               do not match
//
// Sizes are taken as they are written.  Only where that leads nowhere are chains of + and - or of *
// compared operand by operand, in whatever way they are put together.
#include "check/size.h"

Size *new_meta(Sizer *z, Span span, const char *origin)
{
	Size *s = size_meta(z->level, span, origin);
	VEC_PUSH(&z->metas, s->meta);
	return s;
}

int meta_mark(void)
{
	return size_meta(0, NOWHERE, NULL)->meta->id;
}

Size *new_unknown(Sizer *z, Expr *at)
{
	Binding *b = binding_new(BIND_UNKNOWN, made_up_name("d", meta_mark()), at->span);
	b->level = z->fun_level;
	b->defined_by = at;
	Bindings unknowns = {at->unknowns.at, at->unknowns.len};
	bindings_push(&unknowns, b);
	at->unknowns.at = unknowns.at;
	at->unknowns.len = unknowns.len;
	return size_var(b);
}

// ---- Linking ----

typedef struct { SizeMeta *meta; Binding *outside; bool occurs; } Link;

// What a name stands for that cannot enter the variable itself.
static Size *expand_leaf(void *ctx, Size *leaf)
{
	Link *l = ctx;
	if (leaf->kind != SZ_VAR || level_of(leaf->var) <= l->meta->level || !leaf->var->as_size ||
	    l->meta->of_param)
		return leaf;
	return size_map(leaf->var->as_size, expand_leaf, l);
}

static bool check_leaf(void *ctx, Size *leaf)
{
	Link *l = ctx;
	if (leaf->kind == SZ_META)
		l->occurs = l->occurs || size_variable(leaf) == l->meta;
	else if (level_of(leaf->var) > l->meta->level && !l->outside)
		l->outside = leaf->var;
	return false;
}

// What becomes part of a variable may not know more than it.
static bool lower_leaf(void *ctx, Size *leaf)
{
	const SizeMeta *m = ctx;
	if (leaf->kind == SZ_META) {
		SizeMeta *part = size_variable(leaf);
		if (part->level > m->level)
			part->level = m->level;
		part->lifted = NULL;
	}
	return false;
}

static bool is_existential(const Binding *b)
{
	return b->kind == BIND_SIZE && b->level == LEVEL_BOUND;
}

// A function that takes arrays of any size may stand for one whose sizes depend on a parameter:
//
//     let f _ xs = i32.sum xs           f : [n] : i64 -> [n]i32 -> i32
//     in call f                         call : ((k: i64) -> [k]i32 -> i32) -> i32
//
// As long as the size is open, the argument that shows it is still to come.
static bool may_be_bound(const SizeMeta *m, const Binding *name)
{
	if (name->kind != BIND_LOCAL || name->level != LEVEL_BOUND || !m->size_param || m->shared)
		return false;
	Ty *t = ty_resolve(m->owner->scheme.type);
	for (; t->kind == TY_ARROW; t = ty_resolve(t->arrow.to))
		if (is_constructive(t->arrow.from, m->size_param))
			return true;
	return false;
}

static bool link_to(Sizer *z, Expr *at, Size *var, Size *s)
{
	SizeMeta *m = size_variable(var);
	Link l = {.meta = m};
	s = size_map(s, expand_leaf, &l);
	size_any(s, check_leaf, &l);
	if (l.occurs) {
		z->bad = (Mismatch){.kind = BAD_OCCURS, .a = var, .b = s};
		return false;
	}
	if (!l.outside || may_be_bound(m, l.outside)) {
		size_any(s, lower_leaf, m);
		m->link = s;
		return true;
	}
	z->bad = (Mismatch){.kind = BAD_SIZES};
	if (untie(z, at, m, s))
		return true;
	if (z->bad.kind == BAD_ESCAPE)
		return false;
	if (l.outside->level == LEVEL_BOUND && m->size_param)
		want_hiding(z, m);
	z->bad = (Mismatch){.kind = is_existential(l.outside) ? BAD_HIDDEN : BAD_SCOPE, .a = var,
	                    .b = s, .name = l.outside};
	return false;
}

// A variable of a lifted parameter, whose ties may be cut, goes to the other one.
static bool link_metas(Size *a, Size *b)
{
	SizeMeta *x = size_variable(a), *y = size_variable(b);
	bool keep_a = !x->lifted == !y->lifted ? x->level <= y->level : !x->lifted;
	Size *keep = keep_a ? a : b;
	if (x->level > y->level)
		x->level = y->level;
	y->level = x->level;
	x->shared = y->shared = true;
	x->written = y->written = x->written ? x->written : y->written;
	x->of_param = y->of_param = x->of_param || y->of_param;
	x->of_argument = y->of_argument = x->of_argument || y->of_argument;
	x->let_name = y->let_name = x->let_name ? x->let_name : y->let_name;
	(keep_a ? y : x)->link = keep;
	return true;
}

// ---- Chains ----

static Size *chain_of(const Term *terms, int n, char chain, Size *like)
{
	Size *s = terms[0].size;
	for (int i = 1; i < n; i++)
		s = size_operation(like->span, chain == '*' ? '*' : terms[i].minus ? '-' : '+', s,
		                   terms[i].size);
	return s;
}

static bool is_meta(Size *s)
{
	return size_resolve(s)->kind == SZ_META;
}

// Fewer operands against more: equal ones at both ends fall away; then the first operand left,
// which must be a variable, takes what is too much.
static bool unify_uneven(Sizer *z, Expr *at, Terms few, Terms many, char chain, Size *like)
{
	Term *f = few.at, *m = many.at;
	int nf = few.len, nm = many.len;
	for (; nf > 1 && f->minus == m->minus && size_equal(f->size, m->size); nf--, nm--)
		f++, m++;
	for (; nf > 1 && f[nf - 1].minus == m[nm - 1].minus &&
	       size_equal(f[nf - 1].size, m[nm - 1].size); nf--)
		nm--;
	int excess = nm - nf + 1;
	if (!is_meta(f->size) || f->minus || m->minus)
		return false;
	if (!size_unify(z, at, f->size, chain_of(m, excess, chain, like)))
		return false;
	for (int i = 1; i < nf; i++)
		if (f[i].minus != m[excess - 1 + i].minus ||
		    !size_unify(z, at, f[i].size, m[excess - 1 + i].size))
			return false;
	return true;
}

static bool unify_chains(Sizer *z, Expr *at, Size *a, Size *b, char chain)
{
	Terms x = {0}, y = {0};
	if (!size_terms(a, chain, &x) || !size_terms(b, chain, &y))
		return false;
	if (x.len < y.len)
		return unify_uneven(z, at, x, y, chain, b);
	if (y.len < x.len)
		return unify_uneven(z, at, y, x, chain, a);
	for (int i = 0; i < x.len; i++)
		if (x.at[i].minus != y.at[i].minus ||
		    !size_unify(z, at, x.at[i].size, y.at[i].size))
			return false;
	return true;
}

// ---- Unification ----

static Size *behind_synonym(Size *s)
{
	while (s->kind == SZ_VAR && s->var->as_size)
		s = size_resolve(s->var->as_size);
	return s;
}

// Whether the sizes have the same structure as written, with variables for any size.  Synonyms
// can stand for exponentially large sizes: no more than `budget` parts are looked at.
static bool fit_as_written(Size *a, Size *b, int *budget)
{
	a = size_resolve(a);
	b = size_resolve(b);
	if (a->kind == SZ_META || b->kind == SZ_META || size_equal(a, b))
		return true;
	if ((*budget)-- <= 0)
		return false;
	a = behind_synonym(a);
	b = behind_synonym(b);
	if (a->kind != SZ_NODE || b->kind != SZ_NODE || !size_same_head(a, b))
		return false;
	Sizes x = size_operands(a), y = size_operands(b);
	for (int i = 0; i < x.len; i++)
		if (!fit_as_written(x.at[i], y.at[i], budget))
			return false;
	return true;
}

static bool unify_nodes(Sizer *z, Expr *at, Size *a, Size *b)
{
	char chain = size_chain(a);
	int budget = 100;
	if (chain && chain == size_chain(b) && !fit_as_written(a, b, &budget))
		return unify_chains(z, at, a, b, chain);
	if (!size_same_head(a, b))
		return false;
	Sizes x = size_operands(a), y = size_operands(b);
	for (int i = 0; i < x.len; i++)
		if (!size_unify(z, at, x.at[i], y.at[i]))
			return false;
	return true;
}

static bool unify_resolved(Sizer *z, Expr *at, Size *a, Size *b)
{
	if (size_equal(a, b))
		return true;
	if (a->kind == SZ_META && b->kind == SZ_META)
		return link_metas(a, b);
	if (a->kind == SZ_META)
		return link_to(z, at, a, b);
	if (b->kind == SZ_META)
		return link_to(z, at, b, a);
	Size *x = behind_synonym(a), *y = behind_synonym(b);
	z->bad.kind = BAD_SIZES;
	if (x != a || y != b ? size_unify(z, at, x, y)
	    : x->kind == SZ_NODE && y->kind == SZ_NODE && unify_nodes(z, at, x, y))
		return true;
	if (z->bad.kind == BAD_SIZES)
		z->bad = (Mismatch){.kind = BAD_SIZES, .a = a, .b = b};
	return false;
}

bool size_unify(Sizer *z, Expr *at, Size *expected, Size *actual)
{
	Size *a = size_resolve(expected), *b = size_resolve(actual);
	return unify_resolved(z, at, a, b) || untie_again(z, at, expected, b) ||
	       untie_again(z, at, actual, a);
}
