// The elements of an array that iterations would add to, computed one by one.  Part of the pass
// `gather_sums` (acc_near.c).
//
//     screma n (iota n) map=\j ->
//       a = if 1 <= j then {f(j - 1)} else {0}         a part for each place that rows add from
//       b = if j < n - 1 then {g(j)} else {0}
//       in a + b
//
// In all but the innermost dimension there are two versions, one for the middle, where all
// conditions hold.  Dimensions that the array does not have are summed around all parts.
#include "opt/acc_near.h"

// ---- Elements ----

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
	case ROTATED:
		cond = b_le(b, x.shift, j);
		row = b_sub(b, j, x.shift);
		b_open(b);
		Body no = b_close(b, subs_of(1, b_add(b, row, size)));
		Sub any = b_let(b, "row", type_scalar(PT_I64),
		                EXP(if_, cond, {.res = subs_of(1, row)}, no));
		return (Here){yes, any, cond, row};
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

// Rows of the dimensions, of those that are summed by level; what is added to.
typedef struct { Here *heres[MAX_RANK]; Sub summed[MAX_LEVELS], base; } At;

static Sub row_of_level(const Sums *s, const Part *p, const At *at, int level)
{
	for (int k = 0; k < s->rank; k++)
		if (s->level_of[k] == level)
			return at->heres[k][p->source[k]].row;
	return at->summed[level];
}

static Sub emit_row(Build *b, const Sums *s, const Part *p, const At *at)
{
	Lambda *f = part_of_row(s, p, NEW_ARRAY(bool, s->stms.len + 1));
	Map names = {0};
	Vars params = f->params;
	Subs rows_at = {NEW_ARRAY(Sub, s->n_levels), 0};
	for (int l = 0; l < s->n_levels; l++) {
		const Exp *rows = s->levels[l]->exp;
		Sub i = rows_at.at[rows_at.len++] = row_of_level(s, p, at, l);
		for (int n = 0; n < rows->screma.arrs.len; n++) {
			Sub arr = rows->screma.arrs.at[n];
			Var param = *params.at++;
			if (sub_type(arr).kind == T_ACC)
				continue;
			const Sub *row =
				arr.kind == S_VAR ? map_get(&names, var_key(arr.var)) : NULL;
			Sub x = is_counting(s->near, arr)
			              ? i
			              : b_index(b, row ? *row : arr, subs_of(1, i));
			map_put(&names, var_key(rows->screma.map->params.at[n]),
			        mem_dup(&x, sizeof x));
			b_name(b, param, x);
		}
	}
	for EACH(Kept, k, s->kept)
		b_name(b, *params.at++, b_index(b, k->array, subs_part(rows_at, 0, k->level)));
	b_emit_all(b, f->body.stms);
	Sub sum = f->body.res.at[0];
	for (int k = 1; k < f->body.res.len; k++)
		sum = b_add(b, sum, f->body.res.at[k]);
	return sum;
}

static Sub emit_part(Build *b, const Sums *s, const Part *p, At *at)
{
	Sub cond = sub_bool(true);
	for (int k = 0; k < s->rank; k++)
		cond = b_prim2(b, P_and, cond, at->heres[k][p->source[k]].cond);
	if (cond.kind == S_CONST && cond.val.u)
		return emit_row(b, s, p, at);
	Type t = sub_type(p->vals.at[0]);
	Sub zero = sub_const(scalar_int(t.elem, 0));
	if (cond.kind == S_CONST)
		return zero;
	b_open(b);
	Body yes = b_close(b, subs_of(1, emit_row(b, s, p, at)));
	return b_let(b, "sum", t, EXP(if_, cond, yes, {.res = subs_of(1, zero)}));
}

static Sub emit_parts(Build *b, const Sums *s, At *at)
{
	Sub sum = {0};
	bool first = true;
	for EACH(Part, p, s->parts) {
		Sub part = emit_part(b, s, p, at);
		if (part.kind == S_CONST) // at an end, which this is not
			continue;
		sum = first ? part : b_add(b, sum, part);
		first = false;
	}
	return first ? sub_const(scalar_int(sub_type(s->parts.at[0].vals.at[0]).elem, 0)) : sum;
}

// The sum over the dimensions from this level on that are summed.
static Sub emit_element(Build *b, const Sums *s, At *at, int level)
{
	while (level < s->n_levels && !is_summed(s, level))
		level++;
	if (level == s->n_levels)
		return emit_parts(b, s, at);
	Sub n = s->levels[level]->exp->screma.n, count = b_iota(b, n);
	Var i = var_i64("i");
	b_open(b);
	at->summed[level] = sub_var(i);
	Sub x = emit_element(b, s, at, level + 1);
	PrimType type = sub_type(x).elem;
	Lambda *f = b_lambda(b, vars_of(1, i), subs_of(1, x));
	Sub zero = sub_const(scalar_int(type, 0));
	Reductions reds = {NEW(Reduction, b_operator(b, P_add, type), subs_of(1, zero), true), 1};
	return b_let(b, "sum", type_scalar(type),
	             EXP(screma, .n = n, .arrs = subs_of(1, count), .map = f, .reds = reds));
}

static Sub emit_dim(Build *b, const Sums *s, int k, At *at);

// The rest of the nest twice: for rows in the middle the conditions are decided.
static Sub emit_inner(Build *b, const Sums *s, int k, At *at)
{
	int n = s->sources[k].len;
	Sub middle = sub_bool(true);
	Here *decided = NEW_ARRAY(Here, n), *all = at->heres[k];
	Sub base = at->base;
	for (int i = 0; i < n; i++) {
		decided[i] = (Here){.cond = sub_bool(s->sources[k].at[i].kind < FIRST),
		                    .row = all[i].middle_row};
		middle = b_prim2(b, P_and, middle, all[i].is_middle);
	}
	if (middle.kind == S_CONST)
		return emit_dim(b, s, k + 1, at);
	b_open(b);
	at->heres[k] = decided;
	Body yes = b_close(b, subs_of(1, emit_dim(b, s, k + 1, at)));
	b_open(b);
	at->heres[k] = all;
	at->base = base;
	Body no = b_close(b, subs_of(1, emit_dim(b, s, k + 1, at)));
	Type t = type_plain(sub_type(yes.res.at[0]));
	return b_let(b, "row", t, EXP(if_, middle, yes, no));
}

static Sub emit_dim(Build *b, const Sums *s, int k, At *at)
{
	bool has_base = s->base.kind == S_VAR;
	if (k == s->rank) {
		Sub sum = emit_element(b, s, at, 0);
		return has_base ? b_add(b, at->base, sum) : sum;
	}
	Sub n = s->sizes.at[k], count = b_iota(b, n);
	Var j = var_i64("j");
	Subs arrs = has_base ? subs_of(2, count, at->base) : subs_of(1, count);
	Vars params = vars_of(1, j);
	if (has_base)
		params = vars_of(2, j, var_new(name_of("to"), type_row(sub_type(at->base))));
	b_open(b);
	if (has_base)
		at->base = sub_var(params.at[1]);
	at->heres[k] = NEW_ARRAY(Here, s->sources[k].len);
	for (int i = 0; i < s->sources[k].len; i++)
		at->heres[k][i] = here(b, s, k, s->sources[k].at[i], sub_var(j));
	bool versions = k + 1 < s->rank && !s->near->kernels;
	Sub x = versions ? emit_inner(b, s, k, at) : emit_dim(b, s, k + 1, at);
	Lambda *f = b_lambda(b, params, subs_of(1, x));
	b->certs = k ? (Vars){0} : s->certs;
	Sub rows = b_map(b, n, arrs, f).at[0];
	b->certs = (Vars){0};
	return rows;
}

// The scremas of the nest, as they are now.
static Site nest_of(const Sums *s, const Stm *with)
{
	Site site = {.with = with};
	const Body *b = &with->exp->withacc.fn->body;
	for (int l = 0; l < s->n_levels; l++)
		for EACH(Stm, st, b->stms)
			if (st->exp->form == E_screma && vars_find_acc(st->pat, s->token) >= 0) {
				VEC_PUSH(&site.path, st);
				b = &st->exp->screma.map->body;
				break;
			}
	return site;
}

static void give_kept(Sums *s, Stm *with)
{
	for EACH(Kept, k, s->kept) {
		Site site = nest_of(s, with);
		Sub x = sub_var(k->var);
		k->array = given_rows(&site, k->level, x);
		if (k->array.kind == S_VAR)
			continue;
		*with = carry_out(&site, (Carry){.stop = k->level, .give = true, .out = x});
		k->array = sub_var(with->pat.at[with->pat.len - 1]);
	}
}

// The sums; then what else the withacc does, which may overwrite what they read.  Where they need
// what it keeps, they come after it.
void emit_sums(Build *before, Build *after, Sums *s, Stm *with, int input)
{
	Build *b = s->kept.len ? after : before;
	At here = {.base = s->base};
	int at = 0;
	for (int i = 0; i < input; i++)
		at += with->exp->withacc.inputs.at[i].arrs.len;
	give_kept(s, with);
	b->where = s->levels[0]->where;
	Sub sums = emit_dim(b, s, 0, &here);
	b_name(b, with->pat.at[at], sums);
	*with = without_input(*with, input);
	s->near->changed = true;
}
