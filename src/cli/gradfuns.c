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
#include "cli/making.h"

// ---- The weighted sum ----

static Sub weight(Build *b, Sub i, int result)
{
	Sub x = b_mul(b, b_convert(b, PT_F64, i), sub_f64(1.7));
	return b_add(b, b_prim1(b, P_sin, b_add(b, x, sub_f64(0.3 + result))), sub_f64(1.5));
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
	Var i = var_i64("i");
	b_open(b);
	Sub y = b_mul(b, b_convert(b, PT_F64, sub_var(x)), weight(b, sub_var(i), result));
	Lambda *f = b_lambda(b, vars_of(2, x, i), subs_of(1, y));
	Sub ys = b_map(b, n, subs_of(2, arr, is), f).at[0];
	Lambda *add = b_operator(b, P_add, PT_F64);
	return b_reduce(b, n, subs_of(1, ys), add, subs_of(1, sub_f64(0))).at[0];
}

// Calls the entry point with what stands for its parameters, and sums.
static Sub objective(Making *m)
{
	Build *b = &m->b;
	Subs res = making_call(m);
	Sub sum = sub_f64(0);
	for (int i = 0; i < res.len; i++) {
		if (!is_float_data(m->f->res.at[i]))
			continue;
		Sub y = res.at[i];
		sum = b_add(b, sum, sub_type(y).dims.len ? sum_of(b, y, i) :
		            b_mul(b, b_convert(b, PT_F64, y), weight(b, sub_i64(0), i)));
	}
	return sum;
}

// ---- Functions ----

static Making begin(const Fun *f)
{
	Making m = making_begin(f);
	making_params(&m);
	return m;
}

static Name finish(Prog *prog, Making *m, Subs res, const char *what)
{
	return making_end(prog, m, res, what, NULL)->entry_name;
}

static Subs objective_here(Making *m, const void *unused)
{
	(void)unused;
	return subs_of(1, objective(m));
}

static Lambda *objective_lambda(Making *m, Vars active)
{
	return making_lambda(m, active, objective_here, NULL);
}

static Name make_reverse(Prog *prog, const Fun *f, Vars active)
{
	Making m = begin(f);
	Lambda *fn = objective_lambda(&m, active);
	Subs args = making_args(&m, active);
	Types ts = {NEW_ARRAY(Type, args.len + 1), args.len + 1};
	ts.at[0] = type_scalar(PT_F64);
	for (int i = 0; i < args.len; i++)
		ts.at[i + 1] = sub_type(args.at[i]);
	Subs got = b_lets(&m.b, "adj", ts, EXP(vjp, .fn = fn, .args = args,
	                                       .seeds = subs_of(1, sub_f64(1))));
	return finish(prog, &m, (Subs){got.at + 1, got.len - 1}, "reverse");
}

static Name make_forward(Prog *prog, const Fun *f, Vars active)
{
	Making m = begin(f);
	Subs given = {NEW_ARRAY(Sub, active.len + 1), active.len};
	for (int i = 0; i < active.len; i++) {
		Var seed = making_like(&m, active.at[i]);
		making_value(&m, "seed", seed);
		given.at[i] = sub_var(seed);
	}
	Lambda *fn = objective_lambda(&m, active);
	Types ts = {NEW_ARRAY(Type, 2), 2};
	ts.at[0] = ts.at[1] = type_scalar(PT_F64);
	Subs got = b_lets(&m.b, "tan", ts, EXP(jvp, .fn = fn, .args = making_args(&m, active),
	                                       .seeds = given));
	return finish(prog, &m, subs_of(1, got.at[1]), "forward");
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
	out->value = finish(prog, &m, subs_of(1, sum), "value");
	out->reverse = make_reverse(prog, f, active);
	out->forward = make_forward(prog, f, active);
	return true;
}
