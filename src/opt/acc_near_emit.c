// `gather_sums`, what it makes: a map over the elements, each the sum of what the rows near it add.
// Whether there is such a row is tested at the ends only.
#include "opt/acc_near.h"

// A row that adds to an element of one dimension, if there is one.  In the middle it is known
// whether there is, and which.
typedef struct { Sub cond, row, is_middle, middle_row; } Here;

static Sub emit_around(Build *b, Sub in, Sub row, Sub size)
{
	b_open(b);
	Body no = b_close(b, subs_of(1, b_prim2(b, P_mod, row, size)));
	return b_let(b, "row", type_scalar(PT_I64), EXP(if_, in, {.res = subs_of(1, row)}, no));
}

static Here here(Build *b, const Sums *s, int k, From x, Sub j)
{
	Sub size = s->sizes.at[k], yes = sub_bool(true), cond, row;
	switch (x.kind) {
	case NEXT: {
		Sub from = x.by > 0 ? b_le(b, sub_i64(x.by), j) : yes;
		Sub to = x.by < s->less[k] ? b_lt(b, j, b_sub(b, size, sub_i64(s->less[k] - x.by)))
		                           : yes;
		cond = b_prim2(b, P_and, from, to);
		row = b_sub(b, j, sub_i64(x.by));
		return (Here){cond, row, cond, row};
	}
	case AROUND:
		cond = x.by > 0 ? b_le(b, sub_i64(x.by), j)
		     : x.by     ? b_lt(b, j, b_sub(b, size, sub_i64(-x.by)))
		                : yes;
		row = b_sub(b, j, sub_i64(x.by));
		return (Here){yes, x.by ? emit_around(b, cond, row, size) : row, cond, row};
	case FIRST:
		row = sub_i64(x.by);
		cond = b_prim2(b, P_and, b_eq(b, j, sub_i64(0)),
		               b_lt(b, sub_i64(x.by + s->less[k]), size));
		return (Here){cond, row, b_prim1(b, P_not, cond), row};
	case LAST:
		row = b_sub(b, size, sub_i64(x.by));
		cond = b_prim2(b, P_and, b_eq(b, j, b_sub(b, size, sub_i64(1))),
		               b_le(b, sub_i64(x.by), size));
		return (Here){cond, row, b_prim1(b, P_not, cond), row};
	}
	bug("no such source: %d", (int)x.kind);
}

static Sub emit_row(Build *b, const Sums *s, const Part *p, Here *const *heres)
{
	Lambda *f = part_of_row(s, p, NEW_ARRAY(bool, s->stms.len + 1));
	Map names = {0};
	Vars params = f->params;
	for (int k = 0; k < s->rank; k++) {
		const Exp *rows = s->levels[k]->exp;
		Sub i = heres[k][p->source[k]].row;
		for (int n = 0; n < rows->screma.arrs.len; n++) {
			Sub arr = rows->screma.arrs.at[n];
			Var param = *params.at++;
			if (sub_type(arr).kind == T_ACC)
				continue;
			const Sub *row =
				arr.kind == S_VAR ? map_get(&names, var_key(arr.var)) : NULL;
			Sub x = is_near_count(s->near, arr)
			              ? i
			              : b_index(b, row ? *row : arr, subs_of(1, i));
			map_put(&names, var_key(rows->screma.map->params.at[n]),
			        mem_dup(&x, sizeof x));
			b_name(b, param, x);
		}
	}
	b_emit_all(b, f->body.stms);
	Sub sum = f->body.res.at[0];
	for (int k = 1; k < f->body.res.len; k++)
		sum = b_add(b, sum, f->body.res.at[k]);
	return sum;
}

static Sub emit_part(Build *b, const Sums *s, const Part *p, Here *const *heres)
{
	Sub cond = sub_bool(true);
	for (int k = 0; k < s->rank; k++)
		cond = b_prim2(b, P_and, cond, heres[k][p->source[k]].cond);
	if (cond.kind == S_CONST && cond.val.u)
		return emit_row(b, s, p, heres);
	Type t = sub_type(p->vals.at[0]);
	Sub zero = sub_const(scalar_int(t.elem, 0));
	if (cond.kind == S_CONST)
		return zero;
	b_open(b);
	Body yes = b_close(b, subs_of(1, emit_row(b, s, p, heres)));
	return b_let(b, "sum", t, EXP(if_, cond, yes, {.res = subs_of(1, zero)}));
}

static Sub emit_element(Build *b, const Sums *s, Here *const *heres)
{
	Sub sum = {0};
	bool first = true;
	for EACH(Part, p, s->parts) {
		Sub part = emit_part(b, s, p, heres);
		if (part.kind == S_CONST) // at an end, which this is not
			continue;
		sum = first ? part : b_add(b, sum, part);
		first = false;
	}
	return first ? sub_const(scalar_int(sub_type(s->parts.at[0].vals.at[0]).elem, 0)) : sum;
}

static Sub emit_dim(Build *b, const Sums *s, int k, Here **heres);

// The rest of the nest twice: for rows in the middle the conditions are decided.
static Sub emit_inner(Build *b, const Sums *s, int k, Here **heres)
{
	int n = s->sources[k].len;
	Sub middle = sub_bool(true);
	Here *decided = NEW_ARRAY(Here, n), *all = heres[k];
	for (int i = 0; i < n; i++) {
		decided[i] = (Here){.cond = sub_bool(s->sources[k].at[i].kind < FIRST),
		                    .row = all[i].middle_row};
		middle = b_prim2(b, P_and, middle, all[i].is_middle);
	}
	if (middle.kind == S_CONST)
		return emit_dim(b, s, k + 1, heres);
	b_open(b);
	heres[k] = decided;
	Body yes = b_close(b, subs_of(1, emit_dim(b, s, k + 1, heres)));
	b_open(b);
	heres[k] = all;
	Body no = b_close(b, subs_of(1, emit_dim(b, s, k + 1, heres)));
	Type t = type_plain(sub_type(yes.res.at[0]));
	return b_let(b, "row", t, EXP(if_, middle, yes, no));
}

static Sub emit_dim(Build *b, const Sums *s, int k, Here **heres)
{
	if (k == s->rank)
		return emit_element(b, s, heres);
	Sub n = s->sizes.at[k], count = b_iota(b, n);
	Var j = var_i64("j");
	b_open(b);
	heres[k] = NEW_ARRAY(Here, s->sources[k].len);
	for (int i = 0; i < s->sources[k].len; i++)
		heres[k][i] = here(b, s, k, s->sources[k].at[i], sub_var(j));
	Sub x = k + 1 < s->rank ? emit_inner(b, s, k, heres) : emit_dim(b, s, k + 1, heres);
	Lambda *f = b_lambda(b, vars_of(1, j), subs_of(1, x));
	b->certs = k ? (Vars){0} : s->certs;
	Sub rows = b_map(b, n, subs_of(1, count), f).at[0];
	b->certs = (Vars){0};
	return rows;
}

// The sums; then what else the withacc does, which may overwrite what they read.
void emit_near_sums(Build *b, const Sums *s, Stm *with, int input)
{
	Here *heres[MAX_RANK];
	int at = 0;
	for (int i = 0; i < input; i++)
		at += with->exp->withacc.inputs.at[i].arrs.len;
	b->where = s->levels[0]->where;
	Sub sums = emit_dim(b, s, 0, heres);
	b_name(b, with->pat.at[at], sums);
	*with = without_input(*with, input);
	s->near->changed = true;
}
