// Checks whether a value matches its specification.
//
//     def id 'a (x: a) = x      fits      val id : i32 -> i32        with a = i32
//     (n: i64) -> [n]i64        fits      i64 -> ?[k].[k]i64         with k = n
//     t -> *u                   fits      *t -> u
//
// The type parameters and sizes of the implementation may be anything the specification asks
// for; existential sizes of the specification's results may be anything the implementation
// gives.  Everything else must be equal.  Parameters of functions are compared the other way
// round.  A size to be found lies at the depth of arrows it was introduced at, and may not be
// something that is bound deeper; one that becomes part of a size or type to be found further
// outside is itself found there:
//
//     t -> (u -> i32, [2]t)     fits      i32 -> ?[k].([k]i32 -> i32, [k]i32)
//                                                      with u = [k]i32, hence k = 2 for all i32
#include "check/modules.h"
#include "check/size.h"

// A size or type to be found, and rigid sizes: with the number of arrows around.
typedef struct {
	int depth;
	bool rigid;
	Size *size;             // found
	Ty *type;               // found
	TypeDef *def;           // of a type
} Unknown;

typedef struct {
	Map sizes;              // Binding * -> Unknown *
	Map types;              // TypeDef * -> Unknown *
	Map alpha;              // Binding * of an arrow's parameter -> Binding * of the other's
	int depth;
	Size *have, *want;      // sizes that do not match, if that is the reason
} Fit;

static bool fits(Fit *f, Ty *have, Ty *want, bool uniqueness);

static void add_size(Fit *f, Binding *b, bool rigid)
{
	map_put(&f->sizes, b, NEW(Unknown, .depth = f->depth, .rigid = rigid));
}

// ---- Sizes ----

static Size *known_size(Fit *f, Size *s)
{
	for (;;) {
		s = size_resolve(s);
		if (s->kind != SZ_VAR)
			return s;
		Binding *other = map_get(&f->alpha, s->var);
		if (other) {
			s = size_var(other);
			continue;
		}
		Unknown *u = map_get(&f->sizes, s->var);
		if (!u || !u->size)
			return s;
		s = u->size;
	}
}

static Unknown *open_size(Fit *f, Size *s)
{
	Unknown *u = s->kind == SZ_VAR ? map_get(&f->sizes, s->var) : NULL;
	return u && !u->rigid ? u : NULL;
}

// Whether a size means something outside of all but the outermost `depth` arrows.  Sizes to be
// found must do so from then on.
static bool size_in_scope(Fit *f, Size *s, int depth)
{
	s = known_size(f, s);
	if (s->kind == SZ_NODE)
		for EACH(Size *, k, s->node.kids)
			if (!size_in_scope(f, *k, depth))
				return false;
	Unknown *u = s->kind == SZ_VAR ? map_get(&f->sizes, s->var) : NULL;
	if (u && !u->rigid && u->depth > depth)
		u->depth = depth;
	return !u || u->depth <= depth;
}

static bool clash_sizes(Fit *f, Size *a, Size *b)
{
	f->have = a, f->want = b;
	return false;
}

static bool fit_size(Fit *f, Size *a, Size *b)
{
	a = known_size(f, a), b = known_size(f, b);
	if (a->kind == SZ_ANON || b->kind == SZ_ANON ||
	    (a->kind == SZ_VAR && b->kind == SZ_VAR && a->var == b->var))
		return true;
	Unknown *u = open_size(f, a);
	Size *to = b;
	if (!u) {
		u = open_size(f, b);
		to = a;
	}
	if (u) {
		if (!size_in_scope(f, to, u->depth))
			return clash_sizes(f, a, b);
		u->size = to;
		return true;
	}
	if (a->kind == SZ_NODE && b->kind == SZ_NODE && size_same_head(a, b)) {
		for (int i = 0; i < a->node.kids.len; i++)
			if (!fit_size(f, a->node.kids.at[i], b->node.kids.at[i]))
				return false;
		return true;
	}
	return size_equal(a, b) || clash_sizes(f, a, b);
}

// ---- Types ----

typedef struct { Fit *fit; int depth; } Reach;

static bool leaves_scope(Ty *type, void *ctx)
{
	const Reach *r = ctx;
	Ty *t = ty_resolve(type);
	if (t->kind == TY_ARRAY && !size_in_scope(r->fit, t->array.dim, r->depth))
		return true;
	if (t->kind == TY_ABS)
		for EACH(Size *, s, t->abs.sizes)
			if (!size_in_scope(r->fit, *s, r->depth))
				return true;
	return ty_any_part(t, leaves_scope, ctx);
}

static Unknown *open_type(Fit *f, Ty *t)
{
	return t->kind == TY_PARAM ? map_get(&f->types, t->param) : NULL;
}

static bool bind_type(Fit *f, Unknown *u, Ty *to)
{
	if (ty_lifting(to) > u->def->lifting || leaves_scope(to, &(Reach){f, u->depth}))
		return false;
	u->type = ty_nonunique(to);
	return true;
}

static bool fit_lists(Fit *f, Tys have, Tys want, bool uniqueness)
{
	if (have.len != want.len)
		return false;
	for (int i = 0; i < have.len; i++)
		if (!fits(f, have.at[i], want.at[i], uniqueness))
			return false;
	return true;
}

static bool fit_records(Fit *f, TyFields have, TyFields want, bool uniqueness)
{
	if (have.len != want.len)
		return false;
	for (int i = 0; i < have.len; i++)
		if (have.at[i].name != want.at[i].name ||
		    !fits(f, have.at[i].type, want.at[i].type, uniqueness))
			return false;
	return true;
}

static bool fit_sums(Fit *f, TyConstrs have, TyConstrs want)
{
	if (have.len != want.len)
		return false;
	for (int i = 0; i < have.len; i++)
		if (have.at[i].name != want.at[i].name ||
		    !fit_lists(f, have.at[i].args, want.at[i].args, false))
			return false;
	return true;
}

static bool fit_arrows(Fit *f, Ty *have, Ty *want)
{
	if (ty_consumes(have->arrow.from) && !ty_consumes(want->arrow.from))
		return false;
	if (!fits(f, want->arrow.from, have->arrow.from, false))
		return false;
	f->depth++;
	Binding *p = have->arrow.param, *q = want->arrow.param;
	if (q)
		add_size(f, q, true);
	if (p && q && p != q)
		map_put(&f->alpha, p, q);
	else if (p && p != q)
		add_size(f, p, true);
	for EACH(Binding *, b, have->arrow.exts)
		add_size(f, *b, true);
	for EACH(Binding *, b, want->arrow.exts)
		if (!map_has(&f->sizes, *b))    // a type compared with itself
			add_size(f, *b, false);
	bool ok = fits(f, have->arrow.to, want->arrow.to, true);
	f->depth--;
	return ok;
}

static bool fit_abstract(Fit *f, Ty *have, Ty *want)
{
	if (have->abs.def != want->abs.def || have->abs.sizes.len != want->abs.sizes.len)
		return false;
	for (int i = 0; i < have->abs.sizes.len; i++)
		if (!fit_size(f, have->abs.sizes.at[i], want->abs.sizes.at[i]))
			return false;
	return fit_lists(f, have->abs.types, want->abs.types, false);
}

static bool fits(Fit *f, Ty *have, Ty *want, bool uniqueness)
{
	have = ty_resolve(have), want = ty_resolve(want);
	if (have->kind == TY_ERROR || want->kind == TY_ERROR)
		return true;
	if (uniqueness && want->unique && !have->unique && want->kind != TY_RECORD &&
	    ty_has_array(want))
		return false;
	Unknown *u = open_type(f, have), *v = open_type(f, want);
	if (u)
		return u->type ? fits(f, u->type, want, false) : bind_type(f, u, want);
	if (v)
		return v->type ? fits(f, have, v->type, false) : bind_type(f, v, have);
	if (have->kind != want->kind)
		return false;
	switch (have->kind) {
	case TY_ERROR: return true;
	case TY_PRIM: return have->prim == want->prim;
	case TY_ARRAY:
		return fit_size(f, have->array.dim, want->array.dim) &&
		       fits(f, have->array.elem, want->array.elem, false);
	case TY_RECORD: return fit_records(f, have->record, want->record, uniqueness);
	case TY_SUM: return fit_sums(f, have->sum, want->sum);
	case TY_ARROW: return fit_arrows(f, have, want);
	case TY_META: return have->meta == want->meta;
	case TY_PARAM: return have->param == want->param;
	case TY_ABS: return fit_abstract(f, have, want);
	}
	bug("kind of type");
}

// ---- Schemes ----

// What was found may mention other things found.
static Inst *found_inst(Fit *f, const Scheme *s)
{
	Inst *inst = inst_of(s);
	Subst all = {0};
	for MAP_EACH(e, f->types)
		if (((Unknown *)e->val)->type)
			map_put(&all.types, e->key, ((Unknown *)e->val)->type);
	for MAP_EACH(e, f->sizes)
		if (((Unknown *)e->val)->size)
			map_put(&all.sizes, e->key, ((Unknown *)e->val)->size);
	// A parameter that the type does not mention may be anything.
	for (int i = 0; i < s->types.len; i++) {
		Ty *t = map_get(&all.types, s->types.at[i]);
		inst->types.at[i] = t ? ty_subst(&all, t) : ty_tuple((Tys){0});
	}
	for (int i = 0; i < s->sizes.len; i++) {
		Size *z = map_get(&all.sizes, s->sizes.at[i]);
		inst->sizes.at[i] = z ? size_subst(&all, z) : size_const(0);
	}
	return inst;
}

// When an implementation is compared with its own scheme the parameters play both roles:
// those to be found are then copies.
static Scheme with_own_parameters(const Scheme *s)
{
	Subst to = {0};
	Scheme out = {{NEW_ARRAY(TypeDef *, s->types.len), s->types.len},
	              {NEW_ARRAY(Binding *, s->sizes.len), s->sizes.len}, NULL};
	for (int i = 0; i < s->types.len; i++) {
		out.types.at[i] = mem_dup(s->types.at[i], sizeof(TypeDef));
		map_put(&to.types, s->types.at[i], ty_param(out.types.at[i]));
	}
	for (int i = 0; i < s->sizes.len; i++) {
		out.sizes.at[i] = mem_dup(s->sizes.at[i], sizeof(Binding));
		map_put(&to.sizes, s->sizes.at[i], size_var(out.sizes.at[i]));
	}
	out.type = ty_subst(&to, s->type);
	return out;
}

static bool shares_parameters(const Scheme *a, const Scheme *b)
{
	return (a->types.len && b->types.len && a->types.at[0] == b->types.at[0]) ||
	       (a->sizes.len && b->sizes.len && a->sizes.at[0] == b->sizes.at[0]);
}

// How many parts of a result may share memory with something.
static int count_shared(Ty *t)
{
	t = ty_resolve(t);
	if (t->kind != TY_RECORD || t->unique)
		return !t->unique && ty_has_array(t);
	int n = 0;
	for EACH(TyField, f, t->record)
		n += count_shared(f->type);
	return n;
}

static Ty *with_result(Ty *t, Ty *result)
{
	t = ty_resolve(t);
	if (t->kind != TY_ARROW)
		return result;
	Ty *r = mem_dup(t, sizeof *t);
	r->arrow.to = with_result(t->arrow.to, result);
	return r;
}

// A single part of a result that is not declared unique is so all the same if nothing is left that
// it could share memory with: all arguments are consumed.
//
//     *[n]i32 -> (*[n]i32, [n]i32)     is as good as      *[n]i32 -> *([n]i32, [n]i32)
static Ty *unique_after_all(Ty *type)
{
	Ty *t = ty_resolve(type);
	for (; t->kind == TY_ARROW; t = ty_resolve(t->arrow.to))
		if (ty_has_array(t->arrow.from) && !ty_consumes(t->arrow.from))
			return type;
	bool alone = t != ty_resolve(type) && count_shared(t) == 1;
	return alone ? with_result(type, ty_unique(t)) : type;
}

const char *fits_scheme(const Scheme *have, const Scheme *want, Bindings open, Inst **inst,
                        Map *sizes)
{
	Fit f = {0};
	Scheme own = shares_parameters(have, want) ? with_own_parameters(have) : *have;
	*inst = NULL;
	for EACH(TypeDef *, d, own.types)
		map_put(&f.types, *d, NEW(Unknown, .def = *d));
	for EACH(Binding *, b, own.sizes)
		add_size(&f, *b, false);
	for EACH(Binding *, b, open)
		add_size(&f, *b, false);
	if (!fits(&f, unique_after_all(own.type), want->type, true))
		return !f.have ? "" : text("Sizes \"%s\" and \"%s\" do not match.",
		                           show_size(f.want), show_size(f.have));
	if (own.types.len || own.sizes.len)
		*inst = found_inst(&f, &own);
	for EACH(Binding *, b, open) {
		Unknown *u = map_get(&f.sizes, *b);
		map_put(sizes, *b, u->size ? known_size(&f, u->size) : size_const(0));
	}
	return NULL;
}

bool same_type(Ty *a, Bindings a_exts, Ty *b, Bindings b_exts)
{
	Fit f = {0};
	for EACH(Binding *, e, a_exts)
		add_size(&f, *e, true);
	for EACH(Binding *, e, b_exts)
		add_size(&f, *e, false);
	return fits(&f, a, b, false);
}
