// Scalars of entry points in the memory of the device: `--device-scalars`.
//
//     entry f (s: f32) (k: i64) (xs: [n]f32) : (f32, [n]f32)
// becomes
//     entry f (s: [1]f32) (k: i64) (xs: [n]f32) : ([1]f32, [n]f32)
//
// so that a caller whose scalars are there already, and stay there, never waits for the device.
// Floats that are arguments and all scalars that are results go into boxes.  Integers and booleans
// that are arguments do not: the host needs them, as sizes and to decide what to do.
//
// The description of the entry point stays as it was.  A value that it calls a scalar and that is
// an array is in a box (api_call.c).
#include "cli/making.h"

// Which of the flat values are scalars, as the type describes them?
static void find_scalars(const EntryType *t, bool *scalar, int *at)
{
	if (t->kind == ET_RECORD) {
		for EACH(EntryField, f, t->fields)
			find_scalars(f->type, scalar, at);
		return;
	}
	if (t->kind == ET_PRIM)
		scalar[*at] = true;
	*at += t->n_values;
}

static bool *boxed_params(const Fun *f, bool *any)
{
	bool *boxed = NEW_ARRAY(bool, f->params.len + 1);
	int n = f->params.len, at;
	for EACH(EntryParam, p, f->entry->params)
		n -= p->type->n_values;
	at = n;
	for EACH(EntryParam, p, f->entry->params)
		find_scalars(p->type, boxed, &at);
	for (int i = 0; i < f->params.len; i++) {
		boxed[i] &= is_float_data(f->params.at[i]);
		*any |= boxed[i];
	}
	return boxed;
}

static bool *boxed_results(const Fun *f, bool *any)
{
	bool *boxed = NEW_ARRAY(bool, f->res.len + 1);
	int at = f->res.len - f->entry->result->n_values;
	find_scalars(f->entry->result, boxed, &at);
	for (int i = 0; i < f->res.len; i++)
		*any |= boxed[i];
	return boxed;
}

static Type box_of(Type t)
{
	return type_of_rows(sub_i64(1), t);
}

static void add_params(Making *m, const bool *boxed)
{
	TextVec names = making_value_names(m->f);
	for (int i = 0; i < m->f->params.len; i++) {
		Var old = m->f->params.at[i], v = making_like(m, old);
		if (i < m->first) {
			making_size(m, v);
		} else if (boxed[i]) {
			v = var_new(vars[old.id].hint, box_of(vars[v.id].type));
			making_value(m, names.at[i - m->first], v);
			subst_put(&m->to, old, b_index(&m->b, sub_var(v), subs_of(1, sub_i64(0))));
			continue;
		} else {
			making_value(m, names.at[i - m->first], v);
		}
		subst_put(&m->to, old, sub_var(v));
	}
}

static void box_entry(Prog *prog, Fun *f)
{
	bool any = false;
	const bool *params = boxed_params(f, &any), *results = boxed_results(f, &any);
	if (attr_argument(f->entry->attrs, ATTR_SPLIT)) // residuals that come later likewise
		f->entry->attrs = with_attr_text(f->entry->attrs, ATTR_BOXED);
	if (!any)
		return;
	Making m = making_begin(f);
	m.consumes = true;
	add_params(&m, params);
	Subs got = making_call(&m), res = {NEW_ARRAY(Sub, got.len + 1), got.len - m.first_res};
	for (int i = 0; i < res.len; i++) {
		Sub r = got.at[m.first_res + i];
		res.at[i] = !results[m.first_res + i] ? r : b_let(&m.b, "box", box_of(sub_type(r)),
			EXP(array, subs_of(1, r), sub_type(r)));
	}
	Fun *made = making_end(prog, &m, res, "boxed", f->entry);
	made->entry_name = f->entry_name;
	f->entry = NULL;
}

void box_scalars(Prog *prog)
{
	Funs funs = prog->funs;
	for EACH(Fun *, f, funs)
		if ((*f)->entry)
			box_entry(prog, *f);
}
