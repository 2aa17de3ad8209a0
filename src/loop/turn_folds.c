// The pass `turn_folds`: interchanges a reduction of matrices with the maps that create them,
// which gives maps of scalar reductions.
//
//     let (r: [h][w]f32) = screma n (xs)
//       map=\(x) -> {c = ..;  ys = screma h (as) map=\(a) -> {zs = screma w .. in zs}  in ys}
//       reduce=(ne) (map2 (map2 (+)))
// becomes
//     let (r: [h][w]f32) = screma h (iota h) map=\(i) -> screma w (iota w) map=\(j) ->
//       screma n (xs) map=\(x) -> {c = ..;  a = as[i];  .. element j of zs}  reduce=(ne[i, j]) (+)
//
// Each element has its own sum, so none of the n matrices is stored and read back, and the
// derivative of each element is that of a sum of scalars.  Other values that a matrix depends on
// (c) are recomputed for each element, so they must be cheap.
//
// Applied if the operands have two or more dimensions, and thus usually many elements.  Sums of
// rows are left alone: their threads would read columns.
//
// Requires nothing; fuses programs that contain such reductions.  Ensures: equal results, with the
// same order of additions.
#include "loop/loop.h"
#include "opt/opt.h"

// ---- Which ones ----

static bool is_folded_map(const Exp *e)
{
	return e->form == E_screma && !e->screma.scans.len && e->screma.reds.len == 1 &&
	       e->screma.map->ret.len == e->screma.reds.at[0].ne.len &&
	       map_of_operator(e->screma.reds.at[0].op);
}

static bool is_fold_of_matrices(const Stm *s)
{
	return is_folded_map(s->exp) && s->exp->screma.map->ret.at[0].dims.len > 1 && !s->certs.len;
}

// May it be done for each element of a row instead of once?
static bool is_cheap(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form == E_if_)
		return !e->if_.yes.stms.len && !e->if_.no.stms.len;
	return (e->form == E_prim && !prim_is_function(e->prim.op)) || e->form == E_atom ||
	       e->form == E_convert || e->form == E_index || e->form == E_slice ||
	       e->form == E_rearrange || e->form == E_iota || e->form == E_replicate;
}

// The map over m rows that gives all results of the body, if the rest of it is cheap.
static const Stm *map_of_results(const Body *b, Sub m)
{
	const Stm *map = NULL;
	for EACH(const Stm, s, b->stms) {
		if (!map && is_plain_map(s->exp) && !s->certs.len && sub_eq(s->exp->screma.n, m))
			map = s;
		else if (!is_cheap(s))
			return NULL;
	}
	for EACH(Sub, r, b->res)
		if (!map || vars_find(map->pat, *r) < 0)
			return NULL;
	Map made = {0};
	for (int i = 0; map && i < map->pat.len; i++)
		map_put(&made, var_key(map->pat.at[i]), &made);
	for EACH(const Stm, s, b->stms)
		if (s != map && stm_mentions(s, &made))
			return NULL;
	return map;
}

// ---- Interchange ----

// What makes row j of the results, instead of all rows: the body without its map.
static Body body_of_row(Build *b, const Body *body, const Stm *map, Sub j)
{
	const Lambda *g = map->exp->screma.map;
	b_open(b);
	for EACH(const Stm, s, body->stms)
		if (s != map)
			b_emit(b, *s);
	for (int i = 0; i < g->params.len; i++) {
		Sub row = b_index(b, map->exp->screma.arrs.at[i], subs_of(1, j));
		b_name(b, g->params.at[i], row);
	}
	b_emit_all(b, g->body.stms);
	Subs res = SLICE_DUP(Subs, body->res);
	for EACH(Sub, r, res)
		*r = g->body.res.at[vars_find(map->pat, *r)];
	return b_close(b, res);
}

// Such as the taps of a stencil: without a loop, all that differs from one to the next is constant.
static bool is_few(Sub n)
{
	return n.kind == S_CONST && n.val.i <= threshold(AT_turn_folds_rows);
}

// The map of reductions that the reduction is; NULL: it has to stay.
static Exp *turned(Build *b, const Exp *e)
{
	const Lambda *f = e->screma.map;
	const Reduction *r = &e->screma.reds.at[0];
	const Exp *op = map_of_operator(r->op);
	const Stm *map = takes_data(e->screma.map) ? map_of_results(&f->body, op->screma.n) : NULL;
	if (!map || !may_rewrite())
		return NULL;
	Var j = var_i64("j");
	Sub n = map->exp->screma.n, is = b_iota(b, n);
	Subs es = SLICE_DUP(Subs, r->ne);
	b_open(b);
	for EACH(Sub, x, es)
		*x = b_index(b, *x, subs_of(1, sub_var(j)));
	Lambda *each = NEW(Lambda, .params = f->params, .ret = SLICE_DUP(Types, f->ret),
	                   .body = body_of_row(b, &f->body, map, sub_var(j)));
	for EACH(Type, t, each->ret)
		*t = type_row(*t);
	Reduction inner = {element_operator(r->op, op), es, r->comm};
	Exp *fold = EXP(screma, .n = e->screma.n, .arrs = e->screma.arrs, .map = each,
	                .reds = {mem_dup(&inner, sizeof inner), 1});
	Exp *further = is_folded_map(fold) ? turned(b, fold) : NULL;
	if (!further && is_few(e->screma.n))
		b->attrs = attr_of(ATTR_UNROLL);
	Subs res = b_lets(b, "red", each->ret, further ? further : fold);
	Lambda *all = b_lambda(b, vars_of(1, j), res);
	return EXP(screma, .n = n, .arrs = subs_of(1, is), .map = all);
}

static bool turn(void *ctx, const Stm *s)
{
	Build *b = ctx;
	Exp *e = turned(b, s->exp);
	if (e)
		b_stm(b, s->pat, e);
	return e != NULL;
}

Prog *turn_folds(Prog *prog)
{
	const Stm *found = prog_find(prog, is_fold_of_matrices);
	if (!found)
		return prog;
	Build b = {0};
	// Each round joins maps that the one before has put into one.
	for (int d = found->exp->screma.map->ret.at[0].dims.len; d > 0; d--)
		prog = pass_within(PASS_simplify, pass_within(PASS_fuse, prog));
	prog = prog_rewrite_stms(prog, is_fold_of_matrices, &b, turn, &b);
	return pass_within(PASS_simplify, prog);
}
