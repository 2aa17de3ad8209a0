// Forward mode for many tangents at once: a map over the tangents, with the primal values computed
// outside of it.
//
//     jvp many=n (x) (seeds) \(a: f64) -> ...   ->   let (a: f64) = x
//                                                   let (b: f64) = sin.f64 a
//                                                   let (ds: [n]f64) = screma n (seeds)
//                                                     map=\(s: f64) : (f64) -> cos a * s
//
// The statements of the function itself are outside the map.  A loop, branch or combinator with
// tangents is repeated inside the map, since its inner values are gone when it ends.  If the
// function consumes an array, later statements overwrite what an earlier one would need again;
// then the whole function is repeated inside the map, on copies.
//
// To avoid recomputing loops or combinators for each tangent, a few tangents are computed together
// with the values (jvp_lanes.c).  If there are more tangents, or an unknown number, the map is
// over blocks of them, the last of which is padded.
#include "ad/jvp.h"
#include "opt/alias.h"

enum { LANES = 8 };                     // of a block

// Does a statement of the body consume anything from before it?
static bool consumes(const Body *b)
{
	for EACH(Stm, s, b->stms) {
		SubVec eaten = {0};
		stm_consumed(s, &eaten);
		Vars free = eaten.len ? free_in_stm(s) : (Vars){0};
		for EACH(Sub, x, eaten)
			for EACH(Var, f, free)
				if (x->kind == S_VAR && x->var.id == f->id)
					return true;
	}
	return false;
}

// The names that statements bind stay, those bound inside of them are new.
static void emit_values(Build *b, const Body *body)
{
	for EACH(Stm, s, body->stms)
		b_emit(b, form_has(s->exp->form, FORM_NEST) ? renamed_inside(s) : *s);
}

// The types of tangents, seen from outside.
static Lambda *tangent_lambda(Build *b, const VarVec *params, Subs tans, Types ret)
{
	Lambda *l = b_lambda(b, VEC_SLICE(Vars, *params), tans);
	l->ret = ret;
	return l;
}

static Subs apart(Build *b, const Lambda *l, Subs args, Subs seeds, Sub n)
{
	VarVec params = {0};
	Subs rows = seed_rows(seeds, &params);
	Jvp f = {.b = b, .active = active_in(l, active_seeds(l, rows)), .apart = true};
	bind_params(&f, l, args);
	emit_values(b, &l->body);
	b_open(b);
	for (int i = 0; i < l->params.len; i++)
		if (is_active(&f.active, sub_var(l->params.at[i])))
			set_tan(&f, l->params.at[i], rows.at[i]);
	jvp_stms(&f, &l->body);
	Lambda *map = tangent_lambda(b, &params, tans_or_zeros(&f, l->body.res), l->ret);
	return subs_cat(l->body.res, b_map(b, n, seeds, map));
}

// The map comes first: the values consume the arguments.
static Subs together(Build *b, const Lambda *l, Subs args, Subs seeds, Sub n)
{
	VarVec params = {0};
	Subs rows = seed_rows(seeds, &params);
	b_open(b);
	Subs both = jvp_apply(b, l, own_args(b, l, args), rows);
	Subs tans = {both.len ? both.at + both.len / 2 : NULL, both.len / 2};
	Lambda *map = tangent_lambda(b, &params, tans, l->ret);
	Subs many = b_map(b, n, seeds, map);
	return subs_cat(ad_apply(b, l, args), many);
}

// All of them beside the values, see jvp_lanes.c.
static Subs in_lanes(Jvp *f, const Lambda *l, Subs args, Subs seeds)
{
	Build *b = f->b;
	bind_params(f, l, args);
	for (int i = 0; i < l->params.len; i++)
		if (is_active(&f->active, sub_var(l->params.at[i])))
			set_tan(f, l->params.at[i], b_copy(b, b_first_last(b, seeds.at[i])));
	jvp_stms(f, &l->body);
	Subs tans = tans_or_zeros(f, l->body.res);
	for EACH(Sub, t, tans)
		*t = b_last_first(b, *t);
	return subs_cat(l->body.res, tans);
}

// Blocks of rows, [blocks][LANES]; what is left of the last one has the last row again.
static Subs blocks_of(Build *b, Subs seeds, Sub n, Sub blocks)
{
	Sub all = b_mul(b, blocks, sub_i64(LANES)), ts = b_iota(b, all),
	    last = b_sub(b, n, sub_i64(1));
	Subs out = {NEW_ARRAY(Sub, seeds.len + 1), seeds.len};
	for (int i = 0; i < seeds.len; i++) {
		Var t = var_i64("t");
		b_open(b);
		Sub at = b_prim2(b, P_min, sub_var(t), last);
		Sub row = b_index(b, seeds.at[i], subs_of(1, at));
		Sub rows =
			b_map(b, all, subs_of(1, ts), b_lambda(b, vars_of(1, t), subs_of(1, row)))
				.at[0];
		Subs dims = sub_type(rows).dims, rest = subs_part(dims, 1, dims.len - 1);
		out.at[i] = b_reshape(b, subs_cat(subs_of(2, blocks, sub_i64(LANES)), rest), rows);
	}
	return out;
}

// The first n of all rows in blocks.
static Sub rows_of_blocks(Build *b, Sub x, Sub n)
{
	Subs dims = sub_type(x).dims, rest = subs_part(dims, 2, dims.len - 2);
	Sub flat = b_reshape(b, subs_cat(subs_of(1, b_mul(b, dims.at[0], dims.at[1])), rest), x);
	return b_slice(b, flat, slices_at((Subs){0}, subs_cat(subs_of(1, n), rest)));
}

// The map comes first here, too.
static Subs in_blocks(Build *b, Jvp *f, const Lambda *l, Subs args, Subs seeds, Sub n)
{
	Sub more = b_add(b, n, sub_i64(LANES - 1)),
	    blocks = b_prim2(b, P_quot, more, sub_i64(LANES));
	Subs all = blocks_of(b, seeds, n, blocks);
	VarVec params = {0};
	Subs rows = seed_rows(all, &params);
	b_open(b);
	Subs both = in_lanes(f, l, own_args(b, l, args), rows);
	Subs tans = {both.len ? both.at + both.len / 2 : NULL, both.len / 2};
	Types ret = {NEW_ARRAY(Type, l->ret.len + 1), l->ret.len};
	for (int i = 0; i < ret.len; i++) {
		ret.at[i] = type_of_rows(sub_i64(LANES), l->ret.at[i]);
		ret.at[i].unique = false;
	}
	Subs many = b_map(b, blocks, all, tangent_lambda(b, &params, tans, ret));
	Subs out = {NEW_ARRAY(Sub, many.len + 1), many.len};
	for (int i = 0; i < many.len; i++)
		out.at[i] = rows_of_blocks(b, many.at[i], n);
	return subs_cat(ad_apply(b, l, args), out);
}

Subs jvp_apply_many(Build *b, const Lambda *fn, Subs args, Subs seeds, Sub n)
{
	const Lambda *l = lambda_rename(fn);
	Jvp f = {.b = b, .active = active_in(l, active_seeds(l, seeds))};
	f.lanes = lanes_of_many(&f, &l->body, n);
	if (f.lanes)
		return in_lanes(&f, l, args, seeds);
	f.lanes = n.kind != S_CONST || n.val.i > LANES ? lanes_of_many(&f, &l->body, sub_i64(LANES))
	                                               : NULL;
	if (f.lanes)
		return in_blocks(b, &f, l, args, seeds, n);
	return consumes(&l->body) ? together(b, l, args, seeds, n) : apart(b, l, args, seeds, n);
}
