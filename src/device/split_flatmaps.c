// The pass `split_flatmaps`: irregular maps on devices, in three steps: compute the lengths, scan
// them, write the segments.
//
//     flatmap n (xs) data=1 map=f      lens, us = screma n (xs) map=\x -> {(k, _, u) = f x in k, u}
//                                      ends = scan (+) 0 lens;  m = reduce (+) 0 lens
//                                 ->   data = withacc input=[m] scratch fn=\t a ->
//                                        screma n (xs, ends, a) map=\x end b -> {
//                                          (k, seg, u) = f x
//                                          in screma k (seg, iota k, b) map=\v j c ->
//                                               upd_acc c [end - k + j] v
//                                        }
//
// Each row is computed twice.  The first time, code that only its elements need is dead; the
// second time, each element is written directly to its final position if the row is a map
// (`fuse`).  Rows are processed by one thread each.  If there are few rows, the flatmap remains a
// host loop with the parallelism inside its rows.  The choice is made at run time.
//
// Requires: no jvp or vjp.  Ensures nothing that other passes rely on.
#include "opt/opt.h"
#include "loop/loop.h"

typedef struct { const Map *funs; Map kept; const Fun *fun; int n; } Split;

// ---- Which ones ----

// What a function does is not known here.
static bool may_have_effect(const Stm *s)
{
	return s->exp->form == E_trace || s->exp->form == E_call;
}

static bool may_split(const Split *p, const Stm *s)
{
	if (s->exp->form != E_flatmap || map_has(&p->kept, s->exp) ||
	    has_attr(s->attrs, ATTR_SEQUENTIAL))
		return false;
	return !exp_find(s->exp, may_have_effect);
}

// ---- The parts ----

static Lambda *plus(Build *b)
{
	Type i64 = type_scalar(PT_I64);
	Vars params = vars_of(2, var_new(name_of("x"), i64), var_new(name_of("y"), i64));
	b_open(b);
	return b_lambda(b, params,
	                subs_of(1, b_add(b, sub_var(params.at[0]), sub_var(params.at[1]))));
}

// The lengths, and what each row gives besides elements.
static Subs count_rows(Build *b, const Exp *e)
{
	return b_map(b, e->flatmap.n, e->flatmap.arrs,
	             without_segments(e->flatmap.map, e->flatmap.n_data));
}

// upd_acc for each element of a segment, from `start` on; the accumulators.
static Subs write_segment(Build *b, Sub k, Subs data, Sub start, Subs accs)
{
	int n = data.len;
	Vars params = {NEW_ARRAY(Var, 2 * n + 1), 2 * n + 1};
	Types types = {NEW_ARRAY(Type, n), n};
	Subs after = {NEW_ARRAY(Sub, n), n};
	Sub numbers = b_iota(b, k);
	for (int d = 0; d < n; d++) {
		Type row = type_plain(type_row(sub_type(data.at[d])));
		params.at[d] = var_new(name_of("x"), row);
		types.at[d] = sub_type(accs.at[d]);
		params.at[n + 1 + d] = var_new(name_of("acc"), types.at[d]);
	}
	params.at[n] = var_i64("j");
	b_open(b);
	Sub at = b_add(b, start, sub_var(params.at[n]));
	Attributes before = b->attrs;
	b->attrs = attr_of(ATTR_SHARED);
	for (int d = 0; d < n; d++)
		after.at[d] = b_let(b, "acc", types.at[d],
		                    EXP(upd_acc, sub_var(params.at[n + 1 + d]), subs_of(1, at),
		                        subs_of(1, sub_var(params.at[d]))));
	b->attrs = before;
	Lambda *f = NEW(Lambda, .params = params, .ret = types, .body = b_close(b, after));
	Subs arrs = subs_cat(subs_cat(data, subs_of(1, numbers)), accs);
	return b_lets(b, "acc", types, EXP(screma, .n = k, .arrs = arrs, .map = f));
}

// The elements of all segments; m of them.
static Subs write_rows(Build *b, const Exp *e, Sub m, Sub ends)
{
	int n = e->flatmap.n_data;
	AccInputs inputs = {NEW_ARRAY(AccInput, n), n};
	Vars outer = {NEW_ARRAY(Var, 2 * n), 2 * n}, own = {NEW_ARRAY(Var, n + 1), n + 1};
	Types accs = {NEW_ARRAY(Type, n), n}, arrays = {NEW_ARRAY(Type, n), n};
	Subs given = {NEW_ARRAY(Sub, n), n}, held = {NEW_ARRAY(Sub, n), n};
	Lambda *f = lambda_rename(e->flatmap.map);
	own.at[0] = var_i64("end");
	for (int d = 0; d < n; d++) {
		Type row = type_plain(type_row(e->flatmap.map->ret.at[1 + d]));
		arrays.at[d] = type_of_rows(m, row);
		Sub dest = b_let(b, "data", arrays.at[d],
		                 EXP(scratch, row.elem, arrays.at[d].dims));
		inputs.at[d] = (AccInput){subs_of(1, m), subs_of(1, dest), NULL, {0}};
		outer.at[d] = var_new(name_of("token"), type_cert());
		accs.at[d] = (Type){.kind = T_ACC, .acc = NEW(AccType, outer.at[d], subs_of(1, m),
			{mem_dup(&row, sizeof row), 1})};
		outer.at[n + d] = var_new(name_of("acc"), accs.at[d]);
		given.at[d] = sub_var(outer.at[n + d]);
		own.at[d + 1] = var_new(name_of("acc"), accs.at[d]);
		held.at[d] = sub_var(own.at[d + 1]);
	}
	b_open(b); // of the lambda of withacc
	b_open(b); // of the rows
	b_emit_all(b, f->body.stms);
	Sub k = f->body.res.at[0];
	Subs after = write_segment(b, k, (Subs){f->body.res.at + 1, n},
	                           b_sub(b, sub_var(own.at[0]), k), held);
	Vars params = vars_cat(f->params, own);
	Lambda *row = NEW(Lambda, .params = params, .ret = accs, .body = b_close(b, after));
	Subs arrs = subs_cat(subs_cat(e->flatmap.arrs, subs_of(1, ends)), given);
	Subs all = b_lets(b, "acc", accs, EXP(screma, .n = e->flatmap.n, .arrs = arrs, .map = row));
	Lambda *fn = NEW(Lambda, .params = outer, .ret = accs, .body = b_close(b, all));
	return b_lets(b, "data", arrays, EXP(withacc, .inputs = inputs, .fn = fn));
}

static Body in_parts(Build *b, const Exp *e)
{
	b_open(b);
	Subs rows = count_rows(b, e), lens = subs_of(1, rows.at[0]), none = subs_of(1, sub_i64(0));
	Sub ends = b_scan(b, e->flatmap.n, lens, plus(b), none).at[0];
	Sub m = b_reduce(b, e->flatmap.n, lens, plus(b), none).at[0];
	Subs data = e->flatmap.n_data ? write_rows(b, e, m, ends) : (Subs){0};
	Subs res = subs_cat(subs_of(2, m, rows.at[0]), data);
	return b_close(b, subs_cat(res, (Subs){rows.at + 1, rows.len - 1}));
}

// ---- Where ----

static Body as_it_is(Split *p, Build *b, const Stm *s)
{
	Stm t = *s;
	Subs res = {NEW_ARRAY(Sub, s->pat.len), s->pat.len};
	t.pat = other_names(s);
	for (int i = 0; i < t.pat.len; i++)
		res.at[i] = sub_var(t.pat.at[i]);
	map_put(&p->kept, t.exp, p);
	b_open(b);
	b_emit(b, t);
	return b_close(b, res);
}

static void split(Split *p, const Stm *s, StmVec *out)
{
	Build b = {.where = s->where, .certs = s->certs};
	const char *attr = text("%s(%s.flatmap_%d)", ATTR_THRESHOLD, p->fun->name, p->n);
	Vars choice = vars_of(3, var_new(name_of("enough"), type_scalar(PT_BOOL)), var_i64("par"),
	                      var_i64("least"));
	b_open(&b);
	b.attrs = with_attr_text((Attributes){0}, attr);
	b_stm(&b, choice, EXP(opaque, subs_of(3, sub_bool(p->n++ % 2 == 0), s->exp->flatmap.n,
	                                      sub_i64(threshold(AT_flatmap_rows)))));
	b.attrs = (Attributes){0};
	Body yes = in_parts(&b, s->exp), no = as_it_is(p, &b, s);
	b_stm(&b, s->pat, EXP(if_, sub_var(choice.at[0]), yes, no));
	Body all = b_close(&b, (Subs){0});
	VEC_APPEND(out, all.stms);
}

static void leave_lambda(Visit *v, Lambda **f)
{
	const Split *p = v->ctx;
	Visit inside = {.funs = p->funs, .copy = true};
	lambda_visit(f, &inside);
}

static void split_body(Visit *v, Body *b)
{
	StmVec out = {0};
	for EACH(Stm, s, b->stms)
		if (may_split(v->ctx, s))
			split(v->ctx, s, &out);
		else
			VEC_PUSH(&out, *s);
	b->stms = VEC_SLICE(Stms, out);
	body_visit(b, v);
}

Prog *split_flatmaps(Prog *prog)
{
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	Split p = {.funs = &funs};
	Visit v = {
		.body = split_body, .lambda = leave_lambda, .funs = &funs, .copy = true, .ctx = &p};
	int any = 0;
	for EACH(Fun *, f, out->funs) {
		p.fun = *f;
		p.n = 0;
		split_body(&v, &(*f)->body);
		any += p.n;
	}
	return any ? out : prog;
}
