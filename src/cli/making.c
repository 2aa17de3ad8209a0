// Helpers for deriving entry points from others as core functions: fresh parameters, the call of
// the original, and the description of the new function's arguments and results.
#include "cli/making.h"

#include "core/entry.h"

// ---- The values of an entry point ----

TextVec making_value_names(const Fun *f)
{
	TextVec names = {0};
	int n = 0;
	for EACH(EntryParam, p, f->entry->params)
		n += p->type->n_values;
	for (int i = 0; i < n; i++)
		VEC_PUSH(&names, entry_value_name(f, i));
	return names;
}

bool is_float_data(Var v)
{
	Type t = vars[v.id].type;
	return t.kind == T_DATA && is_float(t.elem);
}

// ---- Parameters ----

Type making_type(const Making *m, Type t)
{
	t.dims = SLICE_DUP(Subs, t.dims);
	for EACH(Sub, d, t.dims)
		*d = sub_subst(&m->to, *d);
	t.unique = false;
	return t;
}

Var making_like(const Making *m, Var v)
{
	Type t = making_type(m, vars[v.id].type);
	t.unique = m->consumes && vars[v.id].type.unique;
	return var_new(vars[v.id].hint, t);
}

// A name that no value has yet.
static Name fresh_name(const Making *m, const char *name)
{
	for EACH(Name, n, m->names)
		if (strcmp(*n, name) == 0)
			return fresh_name(m, text("%s_", name));
	return name_of(name);
}

void making_size(Making *m, Var v)
{
	VEC_PUSH(&m->params, v);
}

void making_value(Making *m, const char *name, Var v)
{
	VEC_PUSH(&m->names, fresh_name(m, name));
	VEC_PUSH(&m->values, v);
}

Making making_begin(const Fun *f)
{
	Making m = {.f = f, .first = f->params.len, .first_res = f->res.len};
	for EACH(EntryParam, p, f->entry->params)
		m.first -= p->type->n_values;
	m.first_res -= f->entry->result->n_values;
	b_open(&m.b);
	m.b.where = f->where;
	return m;
}

void making_params(Making *m)
{
	TextVec names = making_value_names(m->f);
	for (int i = 0; i < m->f->params.len; i++) {
		Var old = m->f->params.at[i], v = making_like(m, old);
		subst_put(&m->to, old, sub_var(v));
		if (i < m->first)
			making_size(m, v);
		else
			making_value(m, names.at[i - m->first], v);
	}
}

// ---- Calls ----

Subs making_call(Making *m)
{
	const Fun *f = m->f;
	Subs args = {NEW_ARRAY(Sub, f->params.len + 1), f->params.len};
	for (int i = 0; i < args.len; i++) {
		Type t = vars[f->params.at[i].id].type;
		args.at[i] = sub_subst(&m->to, sub_var(f->params.at[i]));
		if (t.unique && t.dims.len && !m->consumes)
			args.at[i] = b_copy(&m->b, args.at[i]);
	}
	Vars pat = {NEW_ARRAY(Var, f->res.len + 1), f->res.len};
	for (int i = 0; i < pat.len; i++) {
		pat.at[i] = making_like(m, f->res.at[i]);
		subst_put(&m->to, f->res.at[i], sub_var(pat.at[i]));
	}
	b_stm(&m->b, pat, EXP(call, (Fun *)f, args));
	return subs_of_vars(pat);
}

Subs making_args(const Making *m, Vars active)
{
	Subs out = {NEW_ARRAY(Sub, active.len + 1), active.len};
	for (int i = 0; i < active.len; i++)
		out.at[i] = sub_subst(&m->to, sub_var(active.at[i]));
	return out;
}

Lambda *making_lambda(Making *m, Vars active, Subs (*results)(Making *, const void *),
                      const void *with)
{
	Vars params = {NEW_ARRAY(Var, active.len + 1), active.len};
	Subs outer = making_args(m, active);
	for (int i = 0; i < active.len; i++)
		params.at[i] = making_like(m, active.at[i]);
	for (int i = 0; i < active.len; i++)
		subst_put(&m->to, active.at[i], sub_var(params.at[i]));
	b_open(&m->b);
	Subs values = results(m, with);
	for (int i = 0; i < active.len; i++)
		subst_put(&m->to, active.at[i], outer.at[i]);
	return b_lambda(&m->b, params, values);
}

// ---- Finished functions ----

static EntryInfo *flat_info(const Making *m, Vars results)
{
	EntryTypes types = {NEW_ARRAY(EntryType *, results.len + 1), results.len};
	for (int i = 0; i < results.len; i++)
		types.at[i] = entry_of_type(vars[results.at[i].id].type);
	EntryInfo *info = NEW(EntryInfo, .result = entry_tuple(types));
	info->params.at = NEW_ARRAY(EntryParam, m->values.len + 1);
	info->params.len = m->values.len;
	for (int i = 0; i < m->values.len; i++)
		info->params.at[i] = (EntryParam){
			m->names.at[i], entry_of_type(vars[m->values.at[i].id].type)};
	return info;
}

static bool is_param(const Making *m, Var v)
{
	for EACH(Var, p, m->params)
		if (p->id == v.id)
			return true;
	return false;
}

// Sizes of results that no parameter has are results themselves, before the others.
static Subs with_sizes(const Making *m, Subs res, Vars *out)
{
	Map to = {0};
	VEC(Var) pat = {0};
	VEC(Sub) subs = {0};
	for EACH(Sub, r, res)
		for EACH(Sub, d, sub_type(*r).dims) {
			bool known = d->kind != S_VAR || is_param(m, d->var);
			if (known || map_has(&to, var_key(d->var)))
				continue;
			Var v = var_i64("n");
			subst_put(&to, d->var, sub_var(v));
			VEC_PUSH(&pat, v);
			VEC_PUSH(&subs, *d);
		}
	for EACH(Sub, r, res) {
		Making names = {.to = to};
		VEC_PUSH(&pat, var_new(name_of("r"), making_type(&names, sub_type(*r))));
		VEC_PUSH(&subs, *r);
	}
	*out = VEC_SLICE(Vars, pat);
	return VEC_SLICE(Subs, subs);
}

Fun *making_end(Prog *prog, Making *m, Subs res, const char *what, EntryInfo *info)
{
	static int number; // no program has such names
	Vars out;
	VEC_APPEND(&m->params, m->values);
	Subs all = with_sizes(m, res, &out);
	Vars values = {out.at + (out.len - res.len), res.len};
	Name name = name_of(text("%s %s %d", m->f->entry_name, what, number++));
	Fun *fun = NEW(Fun, .name = name, .params = VEC_SLICE(Vars, m->params), .res = out,
	               .body = b_close(&m->b, all), .entry = info ? info : flat_info(m, values),
	               .entry_name = name, .where = m->f->where);
	Funs funs = {NEW_ARRAY(Fun *, prog->funs.len + 1), 0};
	for EACH(Fun *, g, prog->funs)
		funs.at[funs.len++] = *g;
	funs.at[funs.len++] = fun;
	prog->funs = funs;
	return fun;
}
