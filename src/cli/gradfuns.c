// Derivatives of entry points, as core functions.
//
//     entry f (xs: [n]f64) (k: i64) : ([n]f64, f64)
//
//     value   (xs, k)      = s                         s = sum of w_i y_i over all floats of f xs k
//     reverse (xs, k)      = vjp (\xs -> s) xs 1       by the float arguments
//     forward (xs, k, xs') = jvp (\xs -> s) xs xs'
//
// The weights are fixed, differ from each other and do not depend on sizes, so that results of
// unknown size will do and no component can hide another.
#include "cli/cli.h"

typedef struct { const Fun *fn; Map to; Build b; Vars params; } Making; // to: variable -> Sub *

// The type under the new names.
static Type type_here(const Making *m, Type t)
{
	t.dims = SLICE_DUP(Subs, t.dims);
	for EACH(Sub, d, t.dims)
		*d = sub_subst(&m->to, *d);
	t.unique = false;
	return t;
}

static Var param_like(Making *m, Var v)
{
	return var_new(vars[v.id].hint, type_here(m, vars[v.id].type));
}

static bool is_float_data(Var v)
{
	Type t = vars[v.id].type;
	return t.kind == T_DATA && is_float(t.elem);
}

// ---- The weighted sum ----

static Sub f64_const(double x)
{
	return sub_const(scalar_float(PT_F64, x));
}

static Sub weight(Build *b, Sub i, int result)
{
	Sub x = b_mul(b, b_convert(b, PT_F64, i), f64_const(1.7));
	return b_add(b, b_prim1(b, P_sin, b_add(b, x, f64_const(0.3 + result))), f64_const(1.5));
}

static Sub sum_of(Build *b, Sub arr, int result)
{
	Type t = sub_type(arr);
	Sub n = sub_i64(1), is;
	for EACH(Sub, d, t.dims)
		n = b_mul(b, n, *d);
	arr = b_reshape(b, subs_of(1, n), arr);
	is = b_iota(b, n);
	Var x = var_new(name_of("x"), type_scalar(t.elem));
	Var i = var_new(name_of("i"), type_scalar(PT_I64));
	b_open(b);
	Sub y = b_mul(b, b_convert(b, PT_F64, sub_var(x)), weight(b, sub_var(i), result));
	Lambda *f = b_lambda(b, vars_of(2, x, i), subs_of(1, y));
	Sub ys = b_map(b, n, subs_of(2, arr, is), f).at[0];
	Var p = var_new(name_of("a"), type_scalar(PT_F64));
	Var q = var_new(name_of("b"), type_scalar(PT_F64));
	b_open(b);
	Sub sum = b_add(b, sub_var(p), sub_var(q));
	Lambda *add = b_lambda(b, vars_of(2, p, q), subs_of(1, sum));
	return b_reduce(b, n, subs_of(1, ys), add, subs_of(1, f64_const(0)), true).at[0];
}

// Calls the entry point with what stands for its parameters, and sums.
static Sub objective(Making *m)
{
	Build *b = &m->b;
	const Fun *f = m->fn;
	Subs args = {NEW_ARRAY(Sub, f->params.len + 1), f->params.len};
	for (int i = 0; i < args.len; i++) {
		Type t = vars[f->params.at[i].id].type;
		args.at[i] = sub_subst(&m->to, sub_var(f->params.at[i]));
		if (t.unique && t.dims.len)
			args.at[i] = b_copy(b, args.at[i]);
	}
	Vars pat = {NEW_ARRAY(Var, f->res.len + 1), f->res.len};
	for (int i = 0; i < pat.len; i++) {
		pat.at[i] = param_like(m, f->res.at[i]);
		subst_put(&m->to, f->res.at[i], sub_var(pat.at[i]));
	}
	b_stm(b, pat, NEW(Exp, .form = E_call, .call = {(Fun *)f, args}));
	Sub sum = f64_const(0);
	for (int i = 0; i < pat.len; i++) {
		if (!is_float_data(pat.at[i]))
			continue;
		Sub y = sub_var(pat.at[i]);
		sum = b_add(b, sum, sub_type(y).dims.len ? sum_of(b, y, i) :
		            b_mul(b, b_convert(b, PT_F64, y), weight(b, sub_i64(0), i)));
	}
	return sum;
}

// ---- Functions ----

static EntryType *prim_entry(PrimType t)
{
	return NEW(EntryType, .kind = ET_PRIM, .name = primtype_name[t], .prim = t, .n_values = 1);
}

static EntryType *flat_entry(Var v)
{
	Type t = vars[v.id].type;
	EntryType *elem = prim_entry(t.elem);
	if (!t.dims.len)
		return elem;
	Str name = {0};
	for (int i = 0; i < t.dims.len; i++)
		str_puts(&name, "[]");
	str_puts(&name, primtype_name[t.elem]);
	return NEW(EntryType, .kind = ET_ARRAY, .name = str_text(&name), .rank = t.dims.len,
	           .elem = elem, .n_values = 1);
}

// A tuple of flat values, or the only one.
static EntryType *tuple_entry(Vars vs)
{
	if (vs.len == 1)
		return flat_entry(vs.at[0]);
	EntryFields fields = {NEW_ARRAY(EntryField, vs.len + 1), vs.len};
	Str name = {0};
	for (int i = 0; i < vs.len; i++) {
		fields.at[i] = (EntryField){name_of(text("%d", i)), flat_entry(vs.at[i])};
		str_printf(&name, "%s%s", i ? ", " : "(", fields.at[i].type->name);
	}
	str_putc(&name, ')');
	return NEW(EntryType, .kind = ET_RECORD, .name = str_text(&name), .fields = fields,
	           .is_tuple = true, .n_values = vs.len);
}

// The parameters of the entry point again, under new names.
static Making begin(const Fun *f)
{
	Making m = {.fn = f, .params = {NEW_ARRAY(Var, f->params.len + 1), f->params.len}};
	for (int i = 0; i < f->params.len; i++) {
		m.params.at[i] = param_like(&m, f->params.at[i]);
		subst_put(&m.to, f->params.at[i], sub_var(m.params.at[i]));
	}
	b_open(&m.b);
	return m;
}

static Name finish(Prog *prog, Making *m, Vars seeds, Subs res, const char *what)
{
	const Fun *f = m->fn;
	Name name = name_of(text("%s %s", f->entry_name, what)); // no program has such a name
	Vars all = {NEW_ARRAY(Var, m->params.len + seeds.len + 1), 0};
	for EACH(Var, p, m->params)
		all.at[all.len++] = *p;
	for EACH(Var, p, seeds)
		all.at[all.len++] = *p;
	Vars out = {NEW_ARRAY(Var, res.len + 1), res.len};
	for (int i = 0; i < res.len; i++) {
		Type t = sub_type(res.at[i]);
		t.unique = false;
		out.at[i] = var_new(name_of("r"), t);
	}
	EntryInfo *info = NEW(EntryInfo, .result = tuple_entry(out));
	info->params.at = NEW_ARRAY(EntryParam, f->entry->params.len + seeds.len + 1);
	for EACH(EntryParam, p, f->entry->params)
		info->params.at[info->params.len++] = *p;
	for EACH(Var, s, seeds)
		info->params.at[info->params.len++] = (EntryParam){name_of("seed"), flat_entry(*s)};
	Fun *fun = NEW(Fun, .name = name, .params = all, .res = out, .body = b_close(&m->b, res),
	               .entry = info, .entry_name = name, .where = f->where);
	Funs funs = {NEW_ARRAY(Fun *, prog->funs.len + 1), 0};
	for EACH(Fun *, g, prog->funs)
		funs.at[funs.len++] = *g;
	funs.at[funs.len++] = fun;
	prog->funs = funs;
	return name;
}

// \floats -> objective; afterwards the parameters stand for the arguments again.
static Lambda *objective_lambda(Making *m, Vars active)
{
	Vars params = {NEW_ARRAY(Var, active.len + 1), active.len};
	Sub *outer = NEW_ARRAY(Sub, active.len + 1);
	for (int i = 0; i < active.len; i++) {
		outer[i] = sub_subst(&m->to, sub_var(active.at[i]));
		params.at[i] = param_like(m, active.at[i]);
	}
	for (int i = 0; i < active.len; i++)
		subst_put(&m->to, active.at[i], sub_var(params.at[i]));
	b_open(&m->b);
	Sub sum = objective(m);
	for (int i = 0; i < active.len; i++)
		subst_put(&m->to, active.at[i], outer[i]);
	return b_lambda(&m->b, params, subs_of(1, sum));
}

static Subs args_of(const Making *m, Vars active)
{
	Subs out = {NEW_ARRAY(Sub, active.len + 1), active.len};
	for (int i = 0; i < active.len; i++)
		out.at[i] = sub_subst(&m->to, sub_var(active.at[i]));
	return out;
}

static Name make_reverse(Prog *prog, const Fun *f, Vars active)
{
	Making m = begin(f);
	Lambda *fn = objective_lambda(&m, active);
	Subs args = args_of(&m, active);
	Types ts = {NEW_ARRAY(Type, args.len + 1), args.len + 1};
	ts.at[0] = type_scalar(PT_F64);
	for (int i = 0; i < args.len; i++)
		ts.at[i + 1] = sub_type(args.at[i]);
	Subs got = b_lets(&m.b, "adj", ts, NEW(Exp, .form = E_vjp,
	                  .vjp = {.fn = fn, .args = args, .seeds = subs_of(1, f64_const(1))}));
	return finish(prog, &m, (Vars){0}, (Subs){got.at + 1, got.len - 1}, "reverse");
}

static Name make_forward(Prog *prog, const Fun *f, Vars active)
{
	Making m = begin(f);
	Vars seeds = {NEW_ARRAY(Var, active.len + 1), active.len};
	Subs given = {NEW_ARRAY(Sub, active.len + 1), active.len};
	for (int i = 0; i < active.len; i++) {
		seeds.at[i] = param_like(&m, active.at[i]);
		given.at[i] = sub_var(seeds.at[i]);
	}
	Lambda *fn = objective_lambda(&m, active);
	Types ts = {NEW_ARRAY(Type, 2), 2};
	ts.at[0] = ts.at[1] = type_scalar(PT_F64);
	Subs got = b_lets(&m.b, "tan", ts, NEW(Exp, .form = E_jvp,
	                  .jvp = {.fn = fn, .args = args_of(&m, active), .seeds = given}));
	return finish(prog, &m, seeds, subs_of(1, got.at[1]), "forward");
}

bool grad_functions(Prog *prog, const Fun *f, GradFuns *out)
{
	int n_values = 0, first;
	bool any = false;
	for EACH(EntryParam, p, f->entry->params)
		n_values += p->type->n_values;
	for EACH(Var, r, f->res)
		any |= is_float_data(*r);
	first = f->params.len - n_values;
	Vars active = {NEW_ARRAY(Var, n_values + 1), 0};
	out->active.at = NEW_ARRAY(int, n_values + 1);
	out->active.len = 0;
	for (int i = 0; i < n_values; i++)
		if (is_float_data(f->params.at[first + i])) {
			active.at[active.len++] = f->params.at[first + i];
			out->active.at[out->active.len++] = i;
		}
	if (!any || !active.len)
		return false;
	Making m = begin(f);
	Sub sum = objective(&m);
	out->value = finish(prog, &m, (Vars){0}, subs_of(1, sum), "value");
	out->reverse = make_reverse(prog, f, active);
	out->forward = make_forward(prog, f, active);
	return true;
}
