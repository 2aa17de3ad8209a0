// Leaving scopes: what becomes of sizes whose names are not visible outside.
//
//     let m = n + 1 in iota m              [n + 1]i64: m is replaced by what it stands for
//     let (m, _) = p in iota m             [d₁]i64, d₁ unknown, comes into being with the let
//     \(m, _) -> iota m                    (i64, i64) -> ?[m].[m]i64
//
// An unknown size must be readable from the value: it must be the size of an array in it.  So
// sizes that a value has are settled first, the simplest before the others, which may then be
// written in terms of them: ([f x]t, [n - f x]t) becomes ([d₁]t, [n - d₁]t).  A size that occurs
// only in the result of a function becomes existential there; one that occurs only in a
// function's parameter cannot be known to any caller.
#include "check/size.h"

typedef struct { Size *was, *now; } Settled;
typedef struct {
	TyMap map;
	Sizer *z;
	Leave leave;
	VEC(Settled) memo;
	Bindings *exts;         // of the arrow in whose result we are, or NULL
	int lefts;              // parameters of functions we are in
	Ty *whole;
} Closing;

// ---- Names that go out of scope ----

static bool is_dead(const Closing *c, const Binding *b)
{
	for EACH(Settled, m, c->memo)
		if (m->now->kind == SZ_VAR && m->now->var == b)
			return false;
	for EACH(Binding *, d, c->leave.dead)
		if (*d == b)
			return true;
	int level = level_of(b);
	return level > c->leave.level && level != LEVEL_BOUND;
}

static Size *expand_leaf(void *ctx, Size *leaf)
{
	Closing *c = ctx;
	if (leaf->kind == SZ_META) {
		if (size_variable(leaf)->level > c->leave.level)
			size_variable(leaf)->level = c->leave.level;
		return leaf;
	}
	return leaf->var->as_size && is_dead(c, leaf->var)
	     ? size_map(leaf->var->as_size, expand_leaf, c) : leaf;
}

static Size *expand_size(TyMap *m, Size *s)
{
	return s->kind == SZ_CONST ? s : size_map(s, expand_leaf, m);
}

static bool leaf_is_dead(void *ctx, Size *leaf)
{
	return leaf->kind == SZ_VAR && is_dead(ctx, leaf->var);
}

static bool size_is_dead(Closing *c, Size *s)
{
	return size_any(s, leaf_is_dead, c);
}

static bool visit_dead(void *ctx, Size *s, bool under, bool left)
{
	(void)under;
	(void)left;
	return size_is_dead(ctx, s);
}

static Ty *expand_ty(Closing *c, Ty *t)
{
	c->map = (TyMap){.size = expand_size};
	return map_ty(&c->map, t);
}

// ---- Settling ----

// The size in terms of those already settled.
static Size *resettle(Closing *c, Size *s)
{
	s = size_resolve(s);
	for EACH(Settled, m, c->memo)
		if (size_equal(m->was, s))
			return m->now;
	if (s->kind != SZ_NODE)
		return s;
	Sizes kids = SLICE_DUP(Sizes, s->node.kids);
	for EACH(Size *, k, kids)
		*k = resettle(c, *k);
	return NEW(Size, .kind = SZ_NODE, .span = s->span, .node = {s->node.origin, kids});
}

typedef struct { Closing *c; Binding *found; } FindDead;

static bool find_dead(void *ctx, Size *leaf)
{
	FindDead *f = ctx;
	if (leaf_is_dead(f->c, leaf))
		f->found = leaf->var;
	return f->found;
}

static Size *new_ext(Closing *c, Size *s, Bindings *exts)
{
	FindDead f = {.c = c};
	size_any(s, find_dead, &f);
	Binding *b = binding_new(BIND_SIZE, f.found->name, s->span);
	b->level = LEVEL_BOUND;
	bindings_push(exts, b);
	return size_var(b);
}

// An unknown size that has just come into being at this place.
static bool is_own_unknown(const Closing *c, const Size *s)
{
	if (s->kind != SZ_VAR || s->var->kind != BIND_UNKNOWN || !c->leave.at)
		return false;
	for EACH(Binding *, d, c->leave.dead)
		if (*d == s->var)
			return true;
	return false;
}

static void settle(Closing *c, Size *s)
{
	Size *left = resettle(c, s);
	if (!size_is_dead(c, left))
		return;
	Size *now = c->leave.exts ? new_ext(c, left, c->leave.exts)
	          : is_own_unknown(c, left) ? left : new_unknown(c->z, c->leave.at);
	VEC_PUSH(&c->memo, (Settled){s, now});
}

typedef struct { Closing *c; VEC(Size *) sizes; } Witnesses;

static bool collect_witness(void *ctx, Size *s, bool under, bool left)
{
	(void)left;
	Witnesses *w = ctx;
	if (!under && size_is_dead(w->c, s))
		VEC_PUSH(&w->sizes, size_resolve(s));
	return false;
}

static void settle_witnesses(Closing *c, Ty *t)
{
	Witnesses w = {.c = c};
	visit_sizes(&(SizeVisit){collect_witness, &w}, t);
	// Insertion sort keeps the order of sizes of the same weight.
	for (int i = 1; i < w.sizes.len; i++) {
		Size *s = w.sizes.at[i];
		int j = i, weight = size_weight(s);
		for (; j && size_weight(w.sizes.at[j - 1]) > weight; j--)
			w.sizes.at[j] = w.sizes.at[j - 1];
		w.sizes.at[j] = s;
	}
	for EACH(Size *, s, w.sizes)
		settle(c, *s);
}

// ---- The type as seen from outside ----

static NORETURN void fail_left(const Closing *c)
{
	Span span = c->leave.at ? c->leave.at->span
	          : c->z->decl ? c->z->decl->name_span : NOWHERE;
	const char *of = c->leave.at || !c->z->decl ? ""
	               : text("Cannot generalise type of \"%s\".\n", c->z->decl->name);
	fail(span, "existential-param-ret",
	     "%sExistential size would appear in function parameter of return type:\n%s", of,
	     show_ty(c->whole));
}

static Size *close_size(TyMap *m, Size *s)
{
	Closing *c = (Closing *)m;
	if (!size_is_dead(c, s))
		return s;
	s = resettle(c, s);
	if (!size_is_dead(c, s))
		return s;
	if (c->lefts || !c->exts)
		fail_left(c);
	Size *now = new_ext(c, s, c->exts);
	VEC_PUSH(&c->memo, (Settled){s, now});
	return now;
}

static Ty *close_arrow(TyMap *m, Ty *t)
{
	Closing *c = (Closing *)m;
	c->lefts++;
	Ty *from = map_ty(m, t->arrow.from);
	c->lefts--;
	Bindings exts = SLICE_DUP(Bindings, t->arrow.exts), *outer = c->exts;
	int mark = c->memo.len;
	c->exts = &exts;
	Ty *to = map_ty(m, t->arrow.to);
	c->exts = outer;
	c->memo.len = mark;
	if (from == t->arrow.from && to == t->arrow.to)
		return t;
	return NEW(Ty, .kind = TY_ARROW, .unique = t->unique,
	           .arrow = {t->arrow.param, from, exts, to});
}

// Unknown sizes that no value shows have become existential: they do not come into being here.
static void drop_unwitnessed(Closing *c)
{
	Expr *at = c->leave.at;
	int kept = 0;
	for (int i = 0; at && i < at->unknowns.len; i++) {
		Binding *b = at->unknowns.at[i];
		if (is_own_unknown(c, &(Size){.kind = SZ_VAR, .var = b}) && is_dead(c, b))
			b->level = 0;
		else
			at->unknowns.at[kept++] = b;
	}
	if (at)
		at->unknowns.len = kept;
}

Ty *leave_scope(Sizer *z, Leave leave, Ty *t)
{
	Closing c = {.z = z, .leave = leave};
	t = c.whole = expand_ty(&c, t);
	if (visit_sizes(&(SizeVisit){visit_dead, &c}, t)) {
		settle_witnesses(&c, t);
		c.map = (TyMap){.size = close_size, .arrow = close_arrow};
		t = map_ty(&c.map, t);
	}
	if (leave.dead.len)
		drop_unwitnessed(&c);
	return t;
}

// ---- Branches ----

typedef struct {
	Closing c;
	Expr *at;
	int first_meta;
	int n;
	VEC(Size *) before;     // sizes of the branches that became unknown, n at a time,
	VEC(Size *) unknown;    //   and what they became
} Join;

// What the size of a parameter of a loop is, its body tells as a whole; [] in the annotation of a
// parameter is a size of its own.
static bool is_open(const Join *j, Size *s)
{
	const SizeMeta *m = s->kind == SZ_META ? size_variable(s) : NULL;
	return m && (m->id > j->first_meta || (!m->initial && !m->written));
}

static bool same_sizes(Size **a, Size **b, int n)
{
	for (int i = 0; i < n; i++)
		if (!size_equal(a[i], b[i]))
			return false;
	return true;
}

// Sizes that nothing has fixed become what the other branches say, if that is in scope there.
static Size *join_sizes(Join *j, Size **sizes)
{
	Size *known = size_resolve(sizes[0]);
	for (int i = 0; i < j->n && is_open(j, known); i++)
		known = size_resolve(sizes[i]);
	bool same = !size_is_dead(&j->c, known);
	for (int i = 0; i < j->n; i++) {
		Size *s = size_resolve(sizes[i]);
		if (is_open(j, s) && !size_is_dead(&j->c, known))
			size_unify(j->c.z, NULL, s, known);
		same = same && size_equal(s, known);
	}
	if (same)
		return known;
	for (int i = 0; i < j->unknown.len; i++)
		if (same_sizes(j->before.at + i * j->n, sizes, j->n))
			return j->unknown.at[i];
	for (int i = 0; i < j->n; i++)
		VEC_PUSH(&j->before, sizes[i]);
	VEC_PUSH(&j->unknown, new_unknown(j->c.z, j->at));
	return j->unknown.at[j->unknown.len - 1];
}

static Ty *join(Join *j, Ty **types);

static Ty *join_records(Join *j, Ty **types)
{
	TyFields fields = SLICE_DUP(TyFields, types[0]->record);
	Ty **parts = NEW_ARRAY(Ty *, j->n);
	for (int f = 0; f < fields.len; f++) {
		for (int i = 0; i < j->n; i++)
			parts[i] = types[i]->record.at[f].type;
		fields.at[f].type = join(j, parts);
	}
	return NEW(Ty, .kind = TY_RECORD, .record = fields);
}

static Ty *join_sums(Join *j, Ty **types)
{
	TyConstrs constrs = SLICE_DUP(TyConstrs, types[0]->sum);
	Ty **parts = NEW_ARRAY(Ty *, j->n);
	for EACH(TyConstr, c, constrs) {
		c->args = SLICE_DUP(Tys, c->args);
		for (int a = 0; a < c->args.len; a++) {
			for (int i = 0; i < j->n; i++)
				parts[i] = types[i]->sum.at[c - constrs.at].args.at[a];
			c->args.at[a] = join(j, parts);
		}
	}
	return NEW(Ty, .kind = TY_SUM, .sum = constrs);
}

static Ty *join_abs(Join *j, Ty **types)
{
	Sizes sizes = SLICE_DUP(Sizes, types[0]->abs.sizes);
	Tys args = SLICE_DUP(Tys, types[0]->abs.types);
	Size **dims = NEW_ARRAY(Size *, j->n);
	Ty **parts = NEW_ARRAY(Ty *, j->n);
	for (int s = 0; s < sizes.len; s++) {
		for (int i = 0; i < j->n; i++)
			dims[i] = types[i]->abs.sizes.at[s];
		sizes.at[s] = join_sizes(j, dims);
	}
	for (int a = 0; a < args.len; a++) {
		for (int i = 0; i < j->n; i++)
			parts[i] = types[i]->abs.types.at[a];
		args.at[a] = join(j, parts);
	}
	return ty_abs(types[0]->abs.def, args, sizes);
}

static Ty *join_arrays(Join *j, Ty **types)
{
	Size **dims = NEW_ARRAY(Size *, j->n);
	Ty **elems = NEW_ARRAY(Ty *, j->n);
	for (int i = 0; i < j->n; i++) {
		dims[i] = types[i]->array.dim;
		elems[i] = types[i]->array.elem;
	}
	Size *dim = join_sizes(j, dims);
	return ty_array(dim, join(j, elems));
}

static Ty *join(Join *j, Ty **types)
{
	for (int i = 0; i < j->n; i++) {
		types[i] = ty_resolve(types[i]);
		if (types[i]->kind == TY_ERROR)
			return types[i];
	}
	switch (types[0]->kind) {
	case TY_ERROR: case TY_PRIM: case TY_META: case TY_PARAM: case TY_ARROW:
		return ty_nonunique(types[0]);
	case TY_ARRAY:
		return join_arrays(j, types);
	case TY_RECORD:
		return types[0]->record.len ? join_records(j, types) : types[0];
	case TY_SUM:
		return join_sums(j, types);
	case TY_ABS:
		return types[0]->abs.sizes.len + types[0]->abs.types.len ? join_abs(j, types)
		                                                         : ty_nonunique(types[0]);
	}
	bug("kind of type");
}

Ty *join_types(Sizer *z, Expr *at, Tys branches, int first_meta)
{
	Join j = {.c = {.z = z, .leave = {.level = z->level, .at = at}}, .at = at,
	          .first_meta = first_meta, .n = branches.len};
	for EACH(Ty *, t, branches)
		*t = expand_ty(&j.c, *t);
	return join(&j, branches.at);
}
