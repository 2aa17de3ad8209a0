// Simplifies index and slice: they read from the operands that an array was made of.
//
//     let (b: [n]f64) = slice xs [s:n:t]
//     let (y: f64) = index b [i]           ->   index xs [s + i * t]
//     let (z: i64) = index (iota.i64 n a d) [i]     a + i * d
//     index (replicate [n] x) [i]               ->   x
//     index (rearrange (1, 0) xss) [i, j]       ->   index xss [j, i]
//     index (reshape [n * m] xss) [i * m + j]   ->   index xss [i, j]  where 0 <= j < m
//     index (concat n (as, bs)) [2]  with as: [5]   ->   index as [2]
//     index (update as [i] v) [i]               ->   v
//     index (copy as) [i]                       ->   index as [i]
//     index (screma n (xs) map=f) [i]           ->   f (index xs [i])
//     index (loop (p, q) for i < n do {.. update p [i] x in .., x}) [n - 1]   ->   the last q
//     slice (slice as [s:n:t]) [u:m:v]          ->   slice as [s + u * t:m:t * v]
//
// An array may be read instead of one derived from it only if it has not been consumed yet.  Views
// share memory with their source, so consumption does not matter for them.
//
// A map is evaluated where it is indexed if that repeats no work: the index is its only use and is
// executed once per execution of the map, or once per row; or all of its uses are indices and its
// function consists of a few scalar operations.
#include "opt/simplify.h"

enum {
	CHEAP_MAP = 3,          // scalar operations that may be repeated at each index
	MAX_FLAT = 4,           // dimensions of a flat one
};

// The access to an array that is being followed: as many indices as the array has dimensions,
// or a slice of it.
typedef struct { Sub arr; Slices at; } Access;

static Access access_of(const Exp *e)
{
	if (e->form == E_slice)
		return (Access){e->slice.arr, e->slice.at};
	return (Access){e->index.arr, slices_at(e->index.idx, (Subs){0})};
}

static Exp *exp_of(Access a)
{
	if (is_element(a.at))
		return EXP(index, a.arr, slice_starts(a.at));
	return EXP(slice, a.arr, a.at);
}

// ---- Through views ----

// start + i * step
static Sub element(Simp *s, Sub start, Sub i, Sub step)
{
	return s_prim(s, P_add, s_prim(s, P_mul, i, step), start);
}

// Whether an access only fixes indices or takes whole dimensions, so that composing it
// with a view emits little.
static bool through_slice(Simp *s, Access *a, const Exp *e)
{
	Slices outer = e->slice.at, inner = a->at;
	Slices at = {NEW_ARRAY(DimSlice, outer.len), outer.len};
	int j = 0;
	for (int i = 0; i < outer.len; i++) {
		DimSlice o = outer.at[i];
		if (o.fixed) {
			at.at[i] = o;
			continue;
		}
		DimSlice d = inner.at[j++];
		Sub start = element(s, o.start, d.start, o.step);
		at.at[i] = (DimSlice){.fixed = d.fixed, .start = start};
		if (!d.fixed) {
			at.at[i].len = d.len;
			at.at[i].step = s_prim(s, P_mul, d.step, o.step);
		}
	}
	*a = (Access){e->slice.arr, at};
	return true;
}

// Slices keep the order of dimensions, so a slice of a rearranged array that leaves more than
// one dimension is left alone.
static bool through_rearrange(Access *a, const Exp *e)
{
	if (!is_element(a->at))
		return false;
	Slices at = {NEW_ARRAY(DimSlice, a->at.len), a->at.len};
	for (int i = 0; i < at.len; i++)
		at.at[e->rearrange.perm.at[i]] = a->at.at[i];
	*a = (Access){e->rearrange.arr, at};
	return true;
}

static Subs emit_places(Simp *s, const Affine *places, int n)
{
	Build b = {0};
	Subs out = {NEW_ARRAY(Sub, n), n};
	b_open(&b);
	for (int i = 0; i < n; i++)
		out.at[i] = affine_emit(&b, &places[i]);
	return s_inline(s, b_close(&b, out), (Vars){0});
}

// One dimension of `to` that stands for several of `from`, after `same` equal ones.  What reads and
// adds by dimension is seen to be apart, or near, more often; in loops it makes no difference.
static bool unflatten(Simp *s, Access *a, const Exp *e, int same)
{
	Subs from = sub_type(e->reshape.arr).dims, flat = subs_part(from, same, from.len - same);
	Affine place[MAX_FLAT];
	if (s->in_loops || flat.len > MAX_FLAT || e->reshape.dims.len - same != 1 ||
	    !range_place(&s->range, a->at.at[same].start, flat, place))
		return false;
	Slices at = {NEW_ARRAY(DimSlice, from.len), from.len};
	for (int i = 0; i < same; i++)
		at.at[i] = a->at.at[i];
	Subs idx = emit_places(s, place, flat.len);
	for (int i = 0; i < flat.len; i++)
		at.at[same + i] = dim_at(idx.at[i]);
	*a = (Access){e->reshape.arr, at};
	return true;
}

// [n][m]a as [n * m]a and back, with an index into all dimensions.
static bool through_reshape(Simp *s, Access *a, const Exp *e)
{
	Subs from = sub_type(e->reshape.arr).dims, to = e->reshape.dims;
	if (!is_element(a->at) || from.len < 1)
		return false;
	int same = 0; // leading dimensions that stay
	while (same < from.len && same < to.len && sub_eq(from.at[same], to.at[same]))
		same++;
	Subs idx = slice_starts(a->at);
	if (from.len == to.len && same >= from.len - 1) {
		*a = (Access){e->reshape.arr, a->at};
		return true;
	}
	if (from.len - same != 1)
		return unflatten(s, a, e, same);
	// The dimensions of `to` after the equal ones are one dimension of `from`.
	Sub flat = sub_i64(0);
	for (int i = same; i < to.len; i++)
		flat = s_prim(s, P_add, s_prim(s, P_mul, flat, to.at[i]), idx.at[i]);
	Slices at = {NEW_ARRAY(DimSlice, from.len), from.len};
	for (int i = 0; i < same; i++)
		at.at[i] = a->at.at[i];
	at.at[same] = dim_at(flat);
	*a = (Access){e->reshape.arr, at};
	return true;
}

// ---- Through arrays made of others ----

// The array of a concatenation that a constant index falls into; sizes before it are constants.
static bool through_concat(Simp *s, Access *a, const Exp *e)
{
	Sub i = a->at.at[0].start;
	if (!a->at.at[0].fixed || i.kind != S_CONST || i.val.i < 0)
		return false;
	int64_t rest = i.val.i;
	for EACH(Sub, part, e->concat.arrs) {
		Sub n = sub_type(*part).dims.at[0];
		if (n.kind != S_CONST)
			return false;
		if (rest >= n.val.i) {
			rest -= n.val.i;
			continue;
		}
		if (s_gone(s, *part))
			return false;
		a->arr = *part;
		a->at = SLICE_DUP(Slices, a->at);
		a->at.at[0].start = sub_i64(rest);
		return true;
	}
	return false;
}

static bool same_slices(Slices a, Slices b)
{
	if (a.len != b.len)
		return false;
	for (int i = 0; i < a.len; i++)
		if (a.at[i].fixed != b.at[i].fixed || !sub_eq(a.at[i].start, b.at[i].start) ||
		    (!a.at[i].fixed && (!sub_eq(a.at[i].len, b.at[i].len) ||
		                        !sub_eq(a.at[i].step, b.at[i].step))))
			return false;
	return true;
}

// ---- Elements that are known ----

// The rest of an access after its first n indices, which are fixed, of an operand.
static bool rest_of(Simp *s, Access *a, int n, Sub x, Sub *out)
{
	for (int i = 0; i < n; i++)
		if (!a->at.at[i].fixed)
			return false;
	if (n == a->at.len) {
		*out = x;
		return true;
	}
	if (s_gone(s, x))
		return false;
	*a = (Access){x, {a->at.at + n, a->at.len - n}};
	return true;
}

typedef enum { NOTHING, FOLLOWED, FOUND } Step;

static Step of_replicate(Simp *s, Access *a, const Exp *e, Sub *out)
{
	int n = e->replicate.dims.len;
	bool whole = a->at.len == n;
	if (!rest_of(s, a, n, e->replicate.x, out))
		return NOTHING;
	return whole ? FOUND : FOLLOWED;
}

static Step of_array(Simp *s, Access *a, const Exp *e, Sub *out)
{
	Sub i = a->at.at[0].start;
	if (!a->at.at[0].fixed || i.kind != S_CONST || i.val.i < 0 || i.val.i >= e->array.elems.len)
		return NOTHING;
	bool whole = a->at.len == 1;
	if (!rest_of(s, a, 1, e->array.elems.at[i.val.i], out))
		return NOTHING;
	return whole ? FOUND : FOLLOWED;
}

static Step of_update(Simp *s, Access *a, const Exp *e, Sub *out)
{
	if (!same_slices(a->at, e->update.at) || s_gone(s, e->update.val))
		return NOTHING;
	*out = e->update.val;
	return FOUND;
}

// As operands of indices integers have no derivative, as elements of an iota neither; as
// values they do.
static Step of_iota(Simp *s, Access *a, const Exp *e, Sub *out)
{
	if (!a->at.at[0].fixed || !is_int(e->iota.type) || s->in_ad)
		return NOTHING;
	Sub i = s_convert(s, e->iota.type, a->at.at[0].start);
	*out = element(s, e->iota.start, i, e->iota.step);
	return FOUND;
}

// ---- Maps ----

static int cost_of(const Lambda *l)
{
	for EACH(Stm, st, l->body.stms)
		if (!exp_is_cheap_scalar(st->exp))
			return INT32_MAX;
	return l->body.stms.len;
}

// Scalar statements without much cost or memory.
static bool is_light(const Lambda *l)
{
	for EACH(Stm, st, l->body.stms)
		if (form_has(st->exp->form, FORM_NEST) || form_has(st->exp->form, FORM_FRESH) ||
		    form_has(st->exp->form, FORM_EFFECT) || st->exp->form == E_call)
			return false;
	return true;
}

// Does the index run once for each run of the map, or for each of its rows?
static bool runs_once(Simp *s, Sub arr, Sub i, const Lambda *f)
{
	int depth = s_info(s, arr.var)->depth;
	if (depth == s->depth)
		return s_has_uses(s, arr, 1);
	if (i.kind != S_VAR || depth + 1 != s->depth)
		return false;
	const Info *c = s_info(s, i.var);
	return c->is_counter && c->depth == s->depth && s_has_uses(s, arr, 1) && is_light(f);
}

static bool is_cheap_map(Counts *c, Var arr, int arg)
{
	(void)arg;
	const Count *x = &c->of[arr.id];
	return x->uses == x->index_uses && x->nest && x->nest->form == E_screma &&
	       cost_of(x->nest->screma.map) <= CHEAP_MAP;
}

static bool may_compute_here(Simp *s, Access *a, const Lambda *f)
{
	Sub i = a->at.at[0].start;
	if (runs_once(s, a->arr, i, f))
		return true;
	const Count *x = a->arr.var.id < s->counts.len ? &s->counts.of[a->arr.var.id] : NULL;
	if (x && x->uses == x->index_uses && cost_of(f) <= CHEAP_MAP)
		return true;
	s_watch(s, a->arr.var, is_cheap_map, 0);
	return false;
}

static bool has_effects(const Lambda *l)
{
	for EACH(Stm, st, l->body.stms)
		if (exp_has_effect(st->exp))
			return true;
	return false;
}

// The map's function on the rows that the first index takes.  Accumulators and consumed
// parameters make it more than a function of these.
static Step of_map(Simp *s, Access *a, const Exp *e, int result, Vars certs, Sub *out)
{
	const Lambda *f = e->screma.map;
	DimSlice first = a->at.at[0];
	if (!first.fixed || e->screma.scans.len || e->screma.reds.len || has_effects(f) ||
	    !may_compute_here(s, a, f))
		return NOTHING;
	for EACH(Var, p, f->params)
		if (vars[p->id].type.unique || vars[p->id].type.kind != T_DATA)
			return NOTHING;
	if (!type_is_scalar(f->ret.at[result]) && s_ever(s, a->arr.var))
		return NOTHING;
	if (exp_any(e, s_gone, s))
		return NOTHING;
	Lambda *copy = lambda_rename(f);
	for (int i = 0; i < copy->params.len; i++) {
		Var p = copy->params.at[i];
		Sub arr = e->screma.arrs.at[i];
		Type t = sub_type(arr);
		Access row = {arr, slices_at(subs_of(1, first.start), type_row(t).dims)};
		s->b.certs = certs;
		s_replace(s, p, s_let(s, vars[p.id].hint, vars[p.id].type, exp_of(row)), (Vars){0});
		s->b.certs = (Vars){0};
	}
	Sub y = s_inline(s, copy->body, (Vars){0}).at[result];
	if (a->at.len == 1) {
		*out = y;
		return FOUND;
	}
	*a = (Access){y, {a->at.at + 1, a->at.len - 1}};
	if (!is_whole_slice(a->at, sub_type(y).dims))
		return FOLLOWED;
	*out = y;
	return FOUND;
}

// ---- Loops ----

static bool is_last(Simp *s, Sub i, Sub n)
{
	const Exp *e = s_def_as(s, i, E_prim);
	if (n.kind == S_CONST)
		return is_int_const(i, n.val.i - 1);
	return e && sub_eq(e->prim.x[0], n) && is_int(e->prim.at) &&
	       ((e->prim.op == P_sub && is_int_const(e->prim.x[1], 1)) ||
	        (e->prim.op == P_add && is_int_const(e->prim.x[1], -1)));
}

// The element that the last iteration writes, if it is also the last value of a scalar:
//     loop (p = a, q = b) for i < n do {.. let (r) = update p [i] x in r, x}   at n - 1 is q
static Step of_loop(Simp *s, Access *a, const Exp *e, Sub *out)
{
	const Info *arr = s_info(s, a->arr.var);
	const Body *b = &e->loop.body;
	Sub res = b->res.at[arr->index], n = e->loop.n;
	if (e->loop.is_while || a->at.len != 1 || !a->at.at[0].fixed || res.kind != S_VAR ||
	    !is_last(s, a->at.at[0].start, n) || !sub_eq(sub_type(a->arr).dims.at[0], n))
		return NOTHING;
	for EACH(Stm, st, b->stms) {
		const Exp *u = st->exp;
		if (st->pat.len != 1 || st->pat.at[0].id != res.var.id || u->form != E_update ||
		    !is_row_at(u->update.at, sub_var(e->loop.i)))
			continue;
		for (int k = 0; k < b->res.len; k++)
			if (sub_eq(b->res.at[k], u->update.val)) {
				*out = sub_var(arr->pat[k]);
				return FOUND;
			}
	}
	return NOTHING;
}

// ---- Following ----

static Step follow(Simp *s, Access *a, Vars certs, Sub *out)
{
	const Exp *e = s_def(s, a->arr);
	if (!e)
		return NOTHING;
	bool done;
	switch (e->form) {
	case E_slice:     done = through_slice(s, a, e); break;
	case E_rearrange: done = through_rearrange(a, e); break;
	case E_reshape:   done = through_reshape(s, a, e); break;
	case E_concat:    done = through_concat(s, a, e); break;
	case E_copy:
		done = !s_gone(s, e->copy.arr);
		if (done)
			a->arr = e->copy.arr;
		break;
	case E_replicate: return of_replicate(s, a, e, out);
	case E_array:     return of_array(s, a, e, out);
	case E_update:    return of_update(s, a, e, out);
	case E_iota:      return of_iota(s, a, e, out);
	case E_loop:      return of_loop(s, a, e, out);
	case E_screma:    return of_map(s, a, e, s_info(s, a->arr.var)->index, certs, out);
	default: // nothing is known of the elements
		return NOTHING;
	}
	return done ? FOLLOWED : NOTHING;
}

// Forms that are followed.
bool simp_index_applies(Simp *s, const Exp *e)
{
	if (e->form != E_index && e->form != E_slice)
		return false;
	const Exp *def = s_def(s, e->form == E_index ? e->index.arr : e->slice.arr);
	if (!def)
		return false;
	switch (def->form) {
	case E_slice: case E_rearrange: case E_reshape: case E_concat: case E_copy:
	case E_replicate: case E_array: case E_update: case E_iota: case E_loop: case E_screma:
		return true;
	default: // nothing is known of the elements
		return false;
	}
}

static bool is_view(const Exp *def)
{
	return def->form == E_slice || def->form == E_rearrange || def->form == E_reshape;
}

// A slice of something fresh may be consumed; then it may not become one of something else.
static bool may_follow(Simp *s, const Exp *def, Var pat)
{
	return def && (is_view(def) || type_is_scalar(vars[pat.id].type) || !s_ever(s, pat));
}

// Nor may it become one of something that is consumed, perhaps while the slice is still in use.
static bool may_share(Simp *s, const Exp *def, Var pat, Sub with)
{
	return is_view(def) || type_is_scalar(vars[pat.id].type) || with.kind != S_VAR ||
	       !s_ever(s, with.var);
}

bool simp_index(Simp *s, Stm *st)
{
	Access a = access_of(st->exp);
	Var y = st->pat.at[0];
	Sub out;
	const Exp *def;
	while (may_follow(s, def = s_def(s, a.arr), y)) {
		Stm with = *st;
		s_take_certs(s, &with, a.arr);
		Step step = follow(s, &a, with.certs, &out);
		if (step == NOTHING || !may_share(s, def, y, step == FOUND ? out : a.arr) ||
		    !s_rewrite(s))
			break;
		st->certs = with.certs;
		if (step == FOUND)
			return s_becomes(s, st, out);
		st->exp = exp_of(a);
	}
	if (st->exp->form == E_slice && is_whole_slice(st->exp->slice.at,
	    sub_type(st->exp->slice.arr).dims) && s_rewrite(s))
		return s_becomes(s, st, st->exp->slice.arr);
	if (s_find(s, st, &out) && s_rewrite(s)) {
		s_is_equal(s, st, out);
		return true;
	}
	return false;
}
