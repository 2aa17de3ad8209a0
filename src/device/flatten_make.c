// Arrays that each row of a nest creates as a whole: one thread per element.
//
//     map (\row -> [0] ++ row ++ [0]) xs
// becomes a kernel of n x (m + 2) threads, each of which determines the part that its element
// belongs to.  With one thread per row, the writes would not coalesce.  The same is done for arrays
// of arrays, arrays selected by a branch, replicated values, and copies.
#include "device/flatten.h"

// More than what a thread would rather keep to itself.
static bool has_many_elements(Type t)
{
	int64_t n = 1, many = threshold(AT_made_elements);
	for EACH(Sub, d, t.dims) {
		if (d->kind == S_VAR || n > many)
			return true;
		n *= d->val.i;
	}
	return n > many;
}

// Are arrays chosen by a condition that differs from row to row, without work but for reading them?
static bool chooses_array(const Flatten *f, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_if_ || !in_nest(f, e->if_.cond) || s->pat.len != 1 ||
	    vars[s->pat.at[0].id].type.kind != T_DATA)
		return false;
	for (int k = 0; k < 2; k++) {
		const Body *b = k ? &e->if_.no : &e->if_.yes;
		for EACH(Stm, t, b->stms)
			if (!is_again_form(t->exp) && t->exp->form != E_replicate)
				return false;
	}
	return true;
}

// Is it made of arrays, and of many elements?
bool joins_arrays(const Flatten *f, const Stm *s)
{
	const Exp *e = s->exp;
	if (chooses_array(f, s)) {
		Type made = vars[s->pat.at[0].id].type;
		return is_regular(f, made) && has_many_elements(made);
	}
	if (e->form == E_array ? !e->array.elem_type.dims.len : e->form != E_concat)
		return false;
	Subs parts = e->form == E_array ? e->array.elems : e->concat.arrs;
	Type t = vars[s->pat.at[0].id].type;
	bool regular = is_regular(f, t) && has_many_elements(t);
	for EACH(Sub, p, parts)
		regular &= is_regular(f, sub_type(*p));
	return regular;
}

// Worth it if the rest of the nest is taken apart anyway.
bool makes_array(const Flatten *f, const Stm *s)
{
	Form form = s->exp->form;
	return joins_arrays(f, s) ||
	       ((form == E_replicate || form == E_copy || form == E_scratch) &&
	        is_regular(f, vars[s->pat.at[0].id].type));
}

Sub spread_replicate(Flatten *f, const Level *nest, const Exp *e)
{
	Type t = type_array(sub_type(e->replicate.x).elem, e->replicate.dims);
	if (!in_nest(f, e->replicate.x) && !sub_type(e->replicate.x).dims.len)
		return b_let(&f->b, "repl", nest_type(nest, t),
		             EXP(replicate, nest_type(nest, t).dims, e->replicate.x));
	const Level *l = nest;
	for EACH(Sub, n, e->replicate.dims)
		l = level_new(f, l, *n, (Vars){0}, (Subs){0}, (Vars){0});
	return emit_kernel(f, l, (Body){.res = subs_of(1, e->replicate.x)}).at[0];
}

// What has another shape is copied in its own: then no index needs a division.
Sub spread_copy(Flatten *f, const Level *nest, Sub arr)
{
	const Known *k = known_of(f, arr);
	if (k && k->kind == K_AGAIN && k->stm->exp->form == E_reshape &&
	    is_regular(f, sub_type(k->stm->exp->reshape.arr))) {
		Sub own = spread_copy(f, nest, k->stm->exp->reshape.arr);
		return b_reshape(&f->b, nest_type(nest, sub_type(arr)).dims, own);
	}
	const Level *l = nest;
	while (sub_type(arr).dims.len) {
		Type t = sub_type(arr), row = type_row(t);
		row.unique = false;
		Var v = var_new(name_of("row"), row);
		map_put(&f->inside, var_key(v), f);
		l = level_new(f, l, t.dims.at[0], vars_of(1, v), subs_of(1, arr), (Vars){0});
		arr = sub_var(v);
	}
	return emit_kernel(f, l, (Body){.res = subs_of(1, arr)}).at[0];
}

// The element at these indices of arrays one after the other, from number k on, or of an array of
// them; only what there is is read.
static Sub joined_element(Build *b, const Exp *e, int k, Subs at)
{
	bool rows = e->form == E_array;
	Subs arrs = rows ? e->array.elems : e->concat.arrs;
	Sub n = rows ? sub_i64(1) : sub_type(arrs.at[k]).dims.at[0];
	Subs own = rows ? subs_part(at, 1, at.len - 1) : at;
	if (k == arrs.len - 1)
		return b_index(b, arrs.at[k], own);
	Sub first = b_lt(b, at.at[0], n);
	b_open(b);
	Body yes = b_close(b, subs_of(1, b_index(b, arrs.at[k], own)));
	b_open(b);
	at = SLICE_DUP(Subs, at);
	at.at[0] = b_sub(b, at.at[0], n);
	Body no = b_close(b, subs_of(1, joined_element(b, e, k + 1, at)));
	return b_let(b, "part", type_scalar(sub_type(arrs.at[k]).elem), EXP(if_, first, yes, no));
}

// The element at these indices of the array that a branch gives.
static Body branch_element(Build *b, const Body *branch, Subs at)
{
	b_open(b);
	b_emit_all(b, branch->stms);
	return b_close(b, subs_of(1, b_index(b, branch->res.at[0], at)));
}

static Sub chosen_element(Build *b, const Stm *s, Subs at)
{
	const Exp *e = s->exp;
	Body yes = branch_element(b, &e->if_.yes, at), no = branch_element(b, &e->if_.no, at);
	return b_let(b, "part", type_scalar(vars[s->pat.at[0].id].type.elem),
	             EXP(if_, e->if_.cond, yes, no));
}

// Arrays that are put together: a thread for each element.
Sub spread_joined(Flatten *f, const Level *nest, const Stm *s)
{
	Build own = {.where = f->b.where};
	SubVec at = {0};
	const Level *l = nest;
	for EACH(Sub, n, vars[s->pat.at[0].id].type.dims) {
		l = level_new(f, l, *n, (Vars){0}, (Subs){0}, s->certs);
		VEC_PUSH(&at, sub_var(l->i));
	}
	b_open(&own);
	Subs idx = VEC_SLICE(Subs, at);
	Body b = b_close(&own, subs_of(1, s->exp->form == E_if_ ? chosen_element(&own, s, idx)
	                                  : joined_element(&own, s->exp, 0, idx)));
	Lambda all = {.body = b};
	note_inside(f, &all);
	return emit_kernel(f, l, b).at[0];
}
