// The pass `split_sweeps`: splits an entry point that computes results and adjoints into a forward
// and a backward one.
//
//     entry f #[split(1,1)] (x: [n]f64, ct: [n]f64) =          entry f_fwd (x) =
//       let (h: [n]f64) = screma n (x) ..                        let (h) = screma n (x) ..
//       let (y: [n]f64) = screma n (h) ..                ->      let (y) = screma n (h) ..
//       let (a: [n]f64) = screma n (h, ct) ..                    in y, h
//       let (b: [n]f64) = screma n (x, a) ..                   entry f_bwd (x, h, ct) =
//       in y, b                                                  let (a) = screma n (h, ct) ..
//                                                                let (b) = screma n (x, a) ..
//                                                                in b
//
// In split(ARGS,RESULTS), the first ARGS parameters are arguments and the others cotangents; the
// first RESULTS results are those of the function and the others adjoints.  A value that the
// backward sweep needs from the forward sweep is either a result of the function, which f_bwd then
// takes as a parameter; or a residual, an additional result of f_fwd; or it is recomputed.
// Recomputed are arithmetic on sizes, views, fills, and maps that f_fwd would not store otherwise
// because they are fused into their consumers: storing and loading an element takes longer than
// computing it.
//
// A map that depends on cotangents often starts by re-executing the forward computation of its
// rows.  That part is split off first, as a map of the forward sweep (sweeps_maps.c).
//
// f_bwd relies on the assertions of f_fwd: it is to be called with the same arguments.
//
// Requires: derivatives are expanded, and nothing is fused yet.  Ensures: no entry point is marked
// split; those made are marked residuals(N), the last N results are, and saved(FIRST,K,..): the
// parameters from FIRST on are results K, .. of f_fwd.
#include "ad/sweeps.h"

#include <stdlib.h>

typedef struct {
	const Fun *f;
	Sweeps a;                               // of its statements
	int n_sizes, n_args, n_results;
	bool boxed;                             // scalars are arrays of one, on devices
} Split;

// ---- What one sweep gives the other ----

// values: results of the function, then residuals; numbers: of these as results of f_fwd.
typedef struct { VarVec values; VEC(int) numbers; int n_results; VarVec sizes; } Kept;

static bool is_size_of(const VarVec *values, Var size)
{
	for EACH(Var, v, *values)
		if (subs_find(vars[v->id].type.dims, sub_var(size)) >= 0)
			return true;
	return false;
}

// Sizes come with the arrays that have them.
static Kept kept_values(Split *w)
{
	Kept k = {0};
	Subs results = subs_part(w->f->body.res, 0, w->n_results);
	for (int pass = 0; pass < 2; pass++)
		for (int i = w->a.residuals.len; i-- > 0;) {
			Var r = w->a.residuals.at[i];
			int at = subs_find(results, sub_var(r));
			if ((at < 0) != (pass == 1) || is_size_of(&w->a.residuals, r))
				continue;
			VEC_PUSH(&k.values, r);
			k.n_results += pass == 0;
			VEC_PUSH(&k.numbers, at >= 0 ? at : w->n_results + k.values.len - 1 -
			                                    k.n_results);
		}
	for EACH(Var, v, k.values)
		for EACH(Sub, d, vars[v->id].type.dims)
			if (d->kind == S_VAR && map_has(&w->a.defs, var_key(d->var)) &&
			    vars_find(VEC_SLICE(Vars, k.sizes), *d) < 0)
				VEC_PUSH(&k.sizes, d->var);
	return k;
}

static bool is_boxed(const Split *w, Var v)
{
	return w->boxed && !vars[v.id].type.dims.len;
}

static Type box_type(Type t)
{
	return type_of_rows(sub_i64(1), t);
}

// ---- Descriptions ----

static EntryType *result_entry(const Split *w, int i)
{
	EntryType *t = w->f->entry->result;
	return t->kind == ET_RECORD ? t->fields.at[i].type : t;
}

static EntryInfo *info_of(const Split *w, int n_params, EntryTypes results, const char *mark)
{
	return NEW(EntryInfo, .doc = w->f->entry->doc, .result = entry_tuple(results),
	           .attrs = with_attr_text((Attributes){0}, mark),
	           .params = {NEW_ARRAY(EntryParam, n_params + 1), 0});
}

static void add_params(EntryInfo *to, const Split *w, int from, int n)
{
	for (int i = 0; i < n; i++)
		to->params.at[to->params.len++] = w->f->entry->params.at[from + i];
}

// ---- The forward sweep ----

static void emit_copy(Build *b, Var to, Var from)
{
	b_stm(b, vars_of(1, to), EXP(copy, sub_var(from)));
}

static Var like(Var v)
{
	Type t = type_plain(vars[v.id].type);
	return var_new(vars[v.id].hint, t);
}

// The statements; what a later one consumes is copied first: `given` is what remains of values.
static void emit_forward(Split *w, Build *b, const VarVec *values, Subs given)
{
	for (int i = 0; i < values->len; i++)
		given.at[i] = sub_var(values->at[i]);
	for (int i = 0; i < w->a.stms.len; i++) {
		const Stm *s = &w->a.stms.at[i];
		if (w->a.sweep[i] == BACKWARD)
			continue;
		b_emit(b, *s);
		for (int k = 0; k < values->len; k++)
			if (vars_find(s->pat, sub_var(values->at[k])) >= 0 &&
			    is_consumed(&w->a, values->at[k], BACKWARD)) {
				Var copy = like(values->at[k]);
				emit_copy(b, copy, values->at[k]);
				given.at[k] = sub_var(copy);
			}
	}
}

// Names for results, after the sizes among them that no parameter has.
static Vars result_names(Vars sizes, Subs values)
{
	Map to = {0};
	VarVec out = {0};
	for EACH(Var, d, sizes) {
		VEC_PUSH(&out, like(*d));
		subst_put(&to, *d, sub_var(out.at[out.len - 1]));
	}
	for EACH(Sub, x, values) {
		Type t = type_plain(sub_type(*x));
		t.dims = SLICE_DUP(Subs, t.dims);
		for EACH(Sub, d, t.dims)
			*d = sub_subst(&to, *d);
		VEC_PUSH(&out, var_new(name_of("r"), t));
	}
	return VEC_SLICE(Vars, out);
}

static Fun *forward_sweep(Split *w, const Kept *k)
{
	const Fun *f = w->f;
	Build b = {.where = f->where};
	int n = k->values.len;
	Subs given = {NEW_ARRAY(Sub, n + 1), n}, values = {NEW_ARRAY(Sub, w->n_results + n + 1), 0};
	EntryTypes types = {NEW_ARRAY(EntryType *, w->n_results + n + 1), 0};
	b_open(&b);
	emit_forward(w, &b, &k->values, given);
	for (int i = 0; i < w->n_results; i++) {
		values.at[values.len++] = f->body.res.at[i];
		types.at[types.len++] = result_entry(w, i);
	}
	for (int i = k->n_results; i < n; i++) {
		Type t = sub_type(given.at[i]);
		types.at[types.len++] = entry_of_type(t);
		values.at[values.len++] = !is_boxed(w, k->values.at[i]) ? given.at[i] :
			b_let(&b, "box", box_type(t), EXP(array, subs_of(1, given.at[i]), t));
	}
	EntryInfo *info = info_of(w, w->n_args, types,
	                          text(ATTR_RESIDUALS "(%d)", n - k->n_results));
	add_params(info, w, 0, w->n_args);
	Vars sizes = VEC_SLICE(Vars, k->sizes);
	return NEW(Fun, .name = name_of(text("%s fwd", f->name)),
	           .params = {f->params.at, w->n_sizes + w->n_args},
	           .res = result_names(sizes, values),
	           .body = b_close(&b, subs_cat(subs_of_vars(sizes), values)), .entry = info,
	           .entry_name = name_of(text("%s_fwd", f->entry_name)), .attrs = f->attrs,
	           .where = f->where);
}

// ---- The backward sweep ----

static bool binds_size(const Kept *k, const Stm *s)
{
	return s->pat.len == 1 && vars_find(VEC_SLICE(Vars, k->sizes), sub_var(s->pat.at[0])) >= 0;
}

// What the parameters for kept values are called, and what they stand for.
static void add_kept(Split *w, Build *b, const Kept *k, VarVec *params, EntryInfo *info)
{
	for (int i = 0; i < k->values.len; i++) {
		Var v = k->values.at[i], p = v;
		if (is_boxed(w, v)) {
			p = var_new(vars[v.id].hint, box_type(vars[v.id].type));
			b_stm(b, vars_of(1, v), EXP(index, sub_var(p), subs_of(1, sub_i64(0))));
		} else if (is_consumed(&w->a, v, FORWARD)) {
			p = like(v);
			emit_copy(b, v, p);
		}
		VEC_PUSH(params, p);
		EntryParam *to = &info->params.at[info->params.len++];
		if (i < k->n_results)
			*to = (EntryParam){name_of(text("y%d", k->numbers.at[i])),
			                   result_entry(w, k->numbers.at[i])};
		else
			*to = (EntryParam){name_of(text("r%d", i - k->n_results)),
			                   entry_of_type(vars[v.id].type)};
	}
}

static const char *saved_text(const Split *w, const Kept *k)
{
	Str s = {0};
	str_printf(&s, ATTR_SAVED "(%d", w->n_args);
	for EACH(int, n, k->numbers)
		str_printf(&s, ",%d", *n);
	str_puts(&s, ")");
	return str_text(&s);
}

static Fun *backward_sweep(Split *w, const Kept *k)
{
	const Fun *f = w->f;
	Build b = {.where = f->where};
	VarVec params = {0};
	int n_values = f->params.len - w->n_sizes, n_adj = f->body.res.len - w->n_results;
	EntryTypes types = {NEW_ARRAY(EntryType *, n_adj + 1), 0};
	for (int i = 0; i < n_adj; i++)
		types.at[types.len++] = result_entry(w, w->n_results + i);
	EntryInfo *info = info_of(w, n_values + k->values.len, types, saved_text(w, k));
	b_open(&b);
	for (int i = 0; i < w->n_sizes; i++)
		VEC_PUSH(&params, f->params.at[i]);
	VEC_APPEND(&params, k->sizes);
	for (int i = 0; i < w->n_args; i++)
		VEC_PUSH(&params, f->params.at[w->n_sizes + i]);
	add_params(info, w, 0, w->n_args);
	add_kept(w, &b, k, &params, info);
	for (int i = w->n_args; i < n_values; i++)
		VEC_PUSH(&params, f->params.at[w->n_sizes + i]);
	add_params(info, w, w->n_args, n_values - w->n_args);
	for (int i = 0; i < w->a.stms.len; i++)
		if (w->a.sweep[i] != FORWARD && !binds_size(k, &w->a.stms.at[i]))
			b_emit(&b, w->a.stms.at[i]);
	Fun made = {.name = name_of(text("%s bwd", f->name)), .params = VEC_SLICE(Vars, params),
	            .res = {f->res.at + w->n_results, n_adj},
	            .body = b_close(&b, subs_part(f->body.res, w->n_results, n_adj)), .entry = info,
	            .entry_name = name_of(text("%s_bwd", f->entry_name)), .attrs = f->attrs,
	            .where = f->where};
	made.body = drop_certs(&w->a, made.body);
	return fun_rename(&made, NULL); // a variable is bound once in a program
}

// ---- The pass ----

static void split(const Fun *f, const char *numbers, Alias *alias, Funs *to)
{
	char *rest;
	Map late = {0};
	Split w = {.f = f, .n_sizes = f->params.len - f->entry->params.len,
	           .n_args = (int)strtol(numbers, &rest, 10),
	           .boxed = has_attr_text(f->entry->attrs, ATTR_BOXED)};
	w.n_results = atoi(rest + 1);
	if (f->body.res.len != f->entry->result->n_values)
		bug("%s: sizes of adjoints that no argument has", f->name);
	int first = w.n_sizes + w.n_args;
	vars_put(&late, (Vars){f->params.at + first, f->params.len - first}, &late);
	w.a = (Sweeps){.stms = split_maps(f->body.stms, &late, alias), .late = &late,
	               .alias = alias};
	find_sweeps(&w.a, subs_part(f->body.res, 0, w.n_results),
	            subs_part(f->body.res, w.n_results, f->body.res.len - w.n_results));
	Kept k = kept_values(&w);
	to->at[to->len++] = forward_sweep(&w, &k);
	to->at[to->len++] = backward_sweep(&w, &k);
}

static const char *to_be_split(const Fun *f)
{
	return f->entry ? attr_argument(f->entry->attrs, ATTR_SPLIT) : NULL;
}

Prog *split_sweeps(Prog *prog)
{
	Funs funs = {NEW_ARRAY(Fun *, 2 * prog->funs.len + 1), 0};
	bool any = false;
	for EACH(Fun *, f, prog->funs)
		any |= to_be_split(*f) != NULL;
	if (!any)
		return prog;
	Alias alias = alias_of(prog);
	for EACH(Fun *, f, prog->funs) {
		const char *numbers = to_be_split(*f);
		if (numbers)
			split(*f, numbers, &alias, &funs);
		else
			funs.at[funs.len++] = *f;
	}
	return NEW(Prog, .funs = funs, .stage = prog->stage);
}
