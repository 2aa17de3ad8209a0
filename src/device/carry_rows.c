// The pass `carry_rows`: a loop that writes what it carries down in each iteration carries it in
// what it writes.
//
//     let (log: [n][k]f64) = scratch.f64 [n][k]
//     let (r, all) = loop (x: [k]f64 = x0, l: *[n][k]f64 = log) for i: i64 < n do {
//       let (l1: [n][k]f64) = update l [i, 0:k:1] x
//       ..kernels that make y of x..
//       in y, l1
//     }
// becomes
//     let (m: i64) = add.i64 n 1
//     let (log: [m][k]f64) = scratch.f64 [m][k]
//     let (l0: [m][k]f64) = update log [0, 0:k:1] x0
//     let (rows) = loop (l: *[m][k]f64 = l0) for i: i64 < n do {
//       let (x: [k]f64) = slice l [i, 0:k:1]
//       ..kernels that make y of x..
//       let (next: i64) = add.i64 i 1
//       let (l1: [m][k]f64) = update l [next, 0:k:1] y
//       in l1
//     }
//     let (all: [n][k]f64) = slice rows [0:n:1, 0:k:1]
//     let (r: [k]f64) = slice rows [n, 0:k:1]
//
// `shortcircuit` then lets the kernels make y in its row: the copy of each iteration is gone.  The
// forward sweeps of loops are like that, where nothing else reads the value element by element (or
// `fuse_kernels` has let that write it down already).
//
// The value before may be carried as well, and the one before that: loop (o = o0, x = x0, l) ..
// in x, y, l1 has two rows before the first.
//
// Requires: the form that `seq` ensures.  Ensures: equal results; a result of the loop that is
// consumed or returned is a copy of its row, so that it keeps no more alive.
#include "opt/alias.h"
#include "opt/opt.h"

enum { MOST = 4 };                      // values in a chain

typedef struct { Alias alias; } Carry;

// A loop's log and what it logs: parameter chain[0], which becomes chain[1] in the next iteration,
// and so on.
typedef struct { int log, put, len, chain[MOST]; } Chain;

// ---- Which loops ----

static bool is_row(const Exp *loop, Slices at, Subs dims)
{
	for (int d = 1; d < at.len; d++)
		if (at.at[d].fixed || !is_whole_dim(at.at[d], dims.at[d]))
			return false;
	return at.len > 1 && at.at[0].fixed && sub_eq(at.at[0].start, sub_var(loop->loop.i));
}

static int param_of(const Exp *loop, Sub x)
{
	for (int k = 0; k < loop->loop.params.len; k++)
		if (sub_eq(x, sub_var(loop->loop.params.at[k])))
			return k;
	return -1;
}

// The statement that writes parameter x of the loop into row i of parameter l, which is all that
// is done with l; -1: there is none.
static int put_of(const Exp *loop, int l, int *x)
{
	const Body *b = &loop->loop.body;
	Var log = loop->loop.params.at[l];
	Type t = vars[log.id].type;
	for (int i = 0; i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		if (s->exp->form != E_update || !sub_eq(s->exp->update.arr, sub_var(log)))
			continue;
		*x = param_of(loop, s->exp->update.val);
		return *x >= 0 && !s->certs.len && is_row(loop, s->exp->update.at, t.dims) &&
		       n_uses_in(b, log) == 1 && n_uses_in(b, s->pat.at[0]) == 1 &&
		       sub_eq(b->res.at[l], sub_var(s->pat.at[0])) ? i : -1;
	}
	return -1;
}

static bool are_alike(Type a, Type b)
{
	return a.kind == b.kind && a.elem == b.elem && subs_eq(a.dims, b.dims);
}

static bool shares(Carry *c, Sub x, Var with)
{
	return x.kind == S_VAR && type_is_array(sub_type(x)) &&
	       alias_class(&c->alias, x.var) == alias_class(&c->alias, with);
}

// Is it made in this body or those around it, up to the loop's, sharing memory with nothing else?
static bool is_new(const BodyPath *p, Sub x)
{
	int i = -1;
	while (p && (i = stm_index(p->body, x)) < 0)
		p = p->up;
	if (!p)
		return false;
	const Stm *s = &p->body->stms.at[i];
	const Exp *e = s->exp;
	int k = 0;
	while (!sub_eq(sub_var(s->pat.at[k]), x))
		k++;
	if (e->form == E_if_)
		return is_new(&(BodyPath){&e->if_.yes, p}, e->if_.yes.res.at[k]) &&
		       is_new(&(BodyPath){&e->if_.no, p}, e->if_.no.res.at[k]);
	return (e->form == E_loop && vars[e->loop.params.at[k].id].type.unique) ||
	       e->form == E_update;
}

// Follows the value through further parameters.  Nothing else may share memory with them when the
// next row is written.
static bool find_chain(Carry *c, const Exp *loop, Chain *f)
{
	Subs res = loop->loop.body.res;
	Vars params = loop->loop.params;
	bool *in = NEW_ARRAY(bool, params.len);
	in[f->chain[0]] = in[f->log] = true;
	for (f->len = 1; f->len < MOST; f->len++) {
		int k = 0;
		while (k < params.len &&
		       (in[k] || !sub_eq(res.at[k], sub_var(params.at[f->chain[f->len - 1]]))))
			k++;
		if (k == params.len)
			break;
		in[f->chain[f->len] = k] = true;
	}
	Var x = params.at[f->chain[0]];
	for (int j = 0; j < f->len; j++) {
		Type t = vars[params.at[f->chain[j]].id].type;
		if (t.unique || !are_alike(t, vars[x.id].type))
			return false;
	}
	for (int k = 0; k < params.len; k++)
		if (!in[k] && (shares(c, res.at[k], x) || shares(c, sub_var(params.at[k]), x)))
			return false;
	return is_new(&(BodyPath){&loop->loop.body, NULL}, res.at[f->chain[0]]);
}

static bool copies(const Stm *s, Var v)
{
	const Exp *e = s->exp;
	return (e->form == E_update && sub_eq(e->update.val, sub_var(v))) ||
	       (e->form == E_copy && sub_eq(e->copy.arr, sub_var(v)));
}

// Is it only read after statement i, neither as a whole nor as something that goes on?
static bool only_read(Carry *c, const Body *b, int i, Var v)
{
	for (int k = i + 1; k < b->stms.len; k++) {
		SubVec eaten = {0};
		stm_consumed(&b->stms.at[k], &eaten);
		for EACH(Sub, x, eaten)
			if (shares(c, *x, v))
				return false;
		if (copies(&b->stms.at[k], v))
			return false;
	}
	for EACH(Sub, r, b->res)
		if (shares(c, *r, v))
			return false;
	return true;
}

static bool find(Carry *c, const Body *b, int i, Chain *f)
{
	const Stm *s = &b->stms.at[i];
	const Exp *e = s->exp;
	if (e->form != E_loop || e->loop.is_while || is_device_loop(s->attrs) || s->certs.len ||
	    sub_type(e->loop.n).elem != PT_I64)
		return false;
	for (f->log = 0; f->log < e->loop.params.len; f->log++) {
		Sub init = e->loop.inits.at[f->log];
		const Exp *made = def_in(b, init);
		if (!made || made->form != E_scratch || n_uses_in(b, init.var) != 1)
			continue;
		f->put = put_of(e, f->log, &f->chain[0]);
		if (f->put >= 0 && sub_eq(sub_type(init).dims.at[0], e->loop.n) &&
		    find_chain(c, e, f) && only_read(c, b, i, s->pat.at[f->log]))
			return true;
	}
	return false;
}

// ---- The new loop ----

static Slices row_of(Sub i, Type log)
{
	Subs dims = log.dims;
	return slices_at(subs_of(1, i), (Subs){dims.at + 1, dims.len - 1});
}

static Stm name_slice(Var v, Sub arr, Slices at, const Stm *like)
{
	return (Stm){.pat = vars_of(1, v), .exp = EXP(slice, .arr = arr, .at = at),
	             .where = like->where};
}

static Body new_body(const Exp *loop, const Chain *f, Var log, const Stm *like)
{
	const Body *old = &loop->loop.body;
	Type t = vars[log.id].type;
	Sub i = sub_var(loop->loop.i);
	Build b = {.where = like->where};
	b_open(&b);
	for (int j = 0; j < f->len; j++)
		b_emit(&b, name_slice(loop->loop.params.at[f->chain[j]], sub_var(log),
		                      row_of(b_add(&b, i, sub_i64(f->len - 1 - j)), t), like));
	for (int k = 0; k < old->stms.len; k++)
		if (k != f->put)
			b_emit(&b, old->stms.at[k]);
	Sub next = b_add(&b, i, sub_i64(f->len));
	Sub end = b_update(&b, sub_var(log), row_of(next, t), old->res.at[f->chain[0]]);
	SubVec res = {0};
	for (int k = 0; k < old->res.len; k++) {
		bool in = false;
		for (int j = 0; j < f->len; j++)
			in |= f->chain[j] == k;
		if (!in)
			VEC_PUSH(&res, k == f->log ? end : old->res.at[k]);
	}
	return b_close(&b, VEC_SLICE(Subs, res));
}

// The loop's result that is in this row afterwards.
static void emit_result(Carry *c, Build *b, const Body *around, int i, Var v, Sub rows, Sub at)
{
	const Stm *like = &around->stms.at[i];
	Slices row = row_of(at, sub_type(rows));
	if (only_read(c, around, i, v)) {
		b_emit(b, name_slice(v, rows, row, like));
		return;
	}
	Sub part = b_slice(b, rows, row);
	b_emit(b, (Stm){.pat = vars_of(1, v), .exp = EXP(copy, part), .where = like->where});
}

static void emit_loop(Carry *c, Build *b, const Body *around, int i, const Chain *f, Sub log)
{
	const Stm *s = &around->stms.at[i];
	const Exp *e = s->exp;
	Type t = sub_type(log);
	VEC(Var) params = {0};
	VEC(Var) pat = {0};
	SubVec inits = {0};
	for (int j = f->len; j-- > 0; )
		log = b_update(b, log, row_of(sub_i64(f->len - 1 - j), t),
		               e->loop.inits.at[f->chain[j]]);
	Var rows = var_new(name_of("rows"), t);
	t.unique = true;
	Var param = var_new(vars[e->loop.params.at[f->log].id].hint, t);
	for (int k = 0; k < e->loop.params.len; k++) {
		bool in = false;
		for (int j = 0; j < f->len; j++)
			in |= f->chain[j] == k;
		if (in)
			continue;
		VEC_PUSH(&params, k == f->log ? param : e->loop.params.at[k]);
		VEC_PUSH(&inits, k == f->log ? log : e->loop.inits.at[k]);
		VEC_PUSH(&pat, k == f->log ? rows : s->pat.at[k]);
	}
	Stm loop = *s;
	loop.pat = VEC_SLICE(Vars, pat);
	loop.exp = EXP(loop, .params = VEC_SLICE(Vars, params), .inits = VEC_SLICE(Subs, inits),
	               .i = e->loop.i, .n = e->loop.n, .body = new_body(e, f, param, s));
	b_emit(b, loop);
	b_emit(b, name_slice(s->pat.at[f->log], sub_var(rows),
	                     slices_rows(t, sub_i64(f->len - 1), e->loop.n), s));
	for (int j = 0; j < f->len; j++)
		emit_result(c, b, around, i, s->pat.at[f->chain[j]], sub_var(rows),
		            b_add(b, e->loop.n, sub_i64(f->len - 1 - j)));
}

static void rewrite(Carry *c, Body *body, int i, const Chain *f)
{
	const Exp *e = body->stms.at[i].exp;
	Sub init = e->loop.inits.at[f->log], log = {0};
	Build b = {0};
	b_open(&b);
	for (int k = 0; k < body->stms.len; k++) {
		const Stm *s = &body->stms.at[k];
		if (k == i) {
			emit_loop(c, &b, body, i, f, log);
		} else if (s->pat.len == 1 && sub_eq(sub_var(s->pat.at[0]), init)) {
			Type t = sub_type(init);
			t.dims = SLICE_DUP(Subs, t.dims);
			t.dims.at[0] = b_add(&b, e->loop.n, sub_i64(f->len));
			log = sub_var(var_new(name_of("log"), t));
			b_emit(&b, (Stm){.pat = vars_of(1, log.var), .where = s->where,
			                 .attrs = s->attrs, .certs = s->certs,
			                 .exp = EXP(scratch, t.elem, t.dims)});
		} else {
			b_emit(&b, *s);
		}
	}
	*body = b_close(&b, body->res);
}

static void carry_body(Visit *v, Body *b)
{
	Carry *c = v->ctx;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms)
		if (form_has(s->exp->form, FORM_NEST) && !is_kernel(s))
			s->exp = exp_visit(s->exp, v);
	Chain f;
	for (int i = 0; i < b->stms.len; i++)
		while (find(c, b, i, &f) && may_rewrite()) {
			rewrite(c, b, i, &f);
			i = 0;
		}
}

Prog *carry_rows(Prog *prog)
{
	Carry c = {alias_of(prog)};
	Visit v = {.body = carry_body, .copy = true, .ctx = &c};
	for EACH(Fun *, g, prog->funs)
		fun_rewrite(*g, &v);
	return prog;
}
