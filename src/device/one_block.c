// The pass `one_block`: short kernels that follow each other in a loop of the host become one
// kernel, of a single block of threads.
//
//     loop (a: *[n][n]f64 = a0) for j: i64 < n do {
//       let (c: [n]f64) = copy (slice a [0:n:1, j])
//       #[kernel] let (d: [n]f64) = loop (o: *[n]f64 = out) for i: i64 < n do {.. index c [i] ..}
//       #[blocks] let (s: [k]f64) = loop (p: *[k]f64 = parts) for b: i64 < k do {.. a sum of d ..}
//       #[kernel] let (a1: [n][n]f64) = loop (q = a) for t: i64 < 1 do {.. update q [j, j] ..}
//       ..
// becomes
//       #[threshold] let (many: bool, ..) = opaque (.., n, ..)
//       let (a1: [n][n]f64, ..) = if many then {as before} else {
//         #[blocks] loop (q = a, o = out, p = parts, ..) for once < 1 do {
//           #[threads] loop .. for i: i64 < n do {..}        the copy
//           #[threads] loop .. for i: i64 < n do {..}
//           #[threads] let (s: f64) = loop .. the sum
//           #[threads] loop .. for t: i64 < 1 do {..}
//
// The steps of factorisations and of their derivatives are like that: between work on a whole
// matrix there is work on a column, a sum, an element.  To start a kernel takes longer than a
// block needs for a few hundred elements.
//
// A run consists of
//     arithmetic of the host                       which stays before it
//     kernels of one dimension without loops       loops of the threads
//     sums, in one part                            likewise; with one block there is one part
//     copies, fills and updates of columns, rows   likewise
//     slices of what the run writes, new memory
// and has two of these kernels at least.  Statements in between that need nothing of it are done
// before it.  Nothing after it uses anything of it but arrays as they
// are in the end.
//
// Requires: no SOACs at host level; scalars of the device are in arrays (`defer`).  Ensures: equal
// results; leaves names to simplify.
#include "device/one_block.h"

enum {
	MOST_MOVED = 32,                // statements in between
};

// ---- Longer runs ----

static bool is_array_of(OneBlock *c, Var x, uint32_t class)
{
	return vars[x.id].type.kind == T_DATA && vars[x.id].type.dims.len &&
	       alias_class(&c->alias, x) == class;
}

// Can the statement after the run be done before it?  It needs nothing that the run makes, and
// neither changes what the other one reads.
static bool goes_before(const Run *r, const Stm *s)
{
	OneBlock *c = r->c;
	Vars free = free_in_stm(s);
	if (exp_has_effect(s->exp) || s->exp->form == E_assert_)
		return false;
	for EACH(Var, x, free) {
		const Stm *made = run_stm(r, sub_var(*x));
		if (made && !stays_outside(r, made))
			return false;
		for EACH(Var, root, r->roots)
			if (is_array_of(c, *x, alias_class(&c->alias, *root)))
				return false;
	}
	SubVec eaten = {0};
	stm_consumed(s, &eaten);
	Body run = {.stms = {r->body->stms.at + r->from, r->to - r->from}};
	Vars read = free_in_body(&run);
	for EACH(Sub, x, eaten)
		for EACH(Var, y, read)
			if (x->kind == S_VAR &&
			    is_array_of(c, *y, alias_class(&c->alias, x->var)))
				return false;
	return true;
}

// The statement after the run, and those numbers of the host that it needs, before the run; false:
// it needs how many parts a sum has.
static bool move_before(Run *r, Stms *out)
{
	Stms old = r->body->stms;
	bool *first = NEW_ARRAY(bool, r->to + 1);
	Map wanted = {0};
	for (int i = r->to; i >= r->from; i--) {
		const Stm *s = &old.at[i];
		first[i] = i == r->to || vars_any_in(s->pat, &wanted);
		if (first[i] && i < r->to && vars_any_in(s->pat, &r->parts))
			return false;
		Vars free = free_in_stm(s);
		if (first[i])
			vars_put(&wanted, free, r);
	}
	*out = SLICE_DUP(Stms, old);
	int n = r->from;
	for (int i = r->from; i <= r->to; i++)
		if (first[i])
			out->at[n++] = old.at[i];
	int from = n;
	for (int i = r->from; i <= r->to; i++)
		if (!first[i])
			out->at[n++] = old.at[i];
	r->from = from;
	return true;
}

// Lets the run that begins there go on with what follows statements which can be done before it;
// false: it would have no more kernels than so many.
static bool gather(OneBlock *c, Body *b, int from, int least)
{
	Body now = *b;
	Run r = {.c = c, .body = &now, .from = from};
	for (int n = 0; n < MOST_MOVED; n++) {
		take_run(&r, now.stms.len);
		if (!r.n_kernels || r.to == now.stms.len ||
		    !goes_before(&r, &now.stms.at[r.to]) || !move_before(&r, &now.stms))
			break;
	}
	Map used = last_uses(&now);
	Run end = {.c = c, .body = &now, .used = &used};
	if (r.from == from || !find_run(&end, r.from) || end.n_kernels <= least || !may_rewrite())
		return false;
	*b = now;
	return true;
}

// ---- Both ----

static Body as_before(const Run *r, Vars outs)
{
	VEC(Stm) stms = {0};
	for (int i = r->from; i < r->to; i++)
		if (!stays_outside(r, &r->body->stms.at[i]))
			VEC_PUSH(&stms, r->body->stms.at[i]);
	return body_rename((Body){VEC_SLICE(Stms, stms), subs_of_vars(outs)});
}

static Sub emit_many(Run *r)
{
	OneBlock *c = r->c;
	Sub most = sub_i64(0);
	for EACH(Sub, n, r->widths)
		most = b_prim2(&c->b, P_max, most, *n);
	if (most.kind == S_CONST)
		return sub_bool(most.val.i >= threshold(AT_one_block_elements));
	bool guess = c->n_thresholds % 2;
	const char *attr = text("%s(%s.block_%d)", ATTR_THRESHOLD, c->fun->name, c->n_thresholds++);
	Vars pat = vars_of(3, var_new(name_of("many"), type_scalar(PT_BOOL)), var_i64("par"),
	                   var_i64("least"));
	c->b.attrs = with_attr_text((Attributes){0}, attr);
	b_stm(&c->b, pat, EXP(opaque, subs_of(3, sub_bool(guess), most,
	                                      sub_i64(threshold(AT_one_block_elements)))));
	return sub_var(pat.at[0]);
}

static void emit_run(Run *r)
{
	Build *b = &r->c->b;
	VarVec used = {0};
	for (int i = r->from; i < r->to; i++) {
		const Stm *s = &r->body->stms.at[i];
		if (stays_outside(r, s)) {
			b_emit(b, *s);
			continue;
		}
		for EACH(Var, x, s->pat)
			if (is_used_after(r, *x))
				VEC_PUSH(&used, *x);
	}
	Vars outs = VEC_SLICE(Vars, used);
	b->where = r->body->stms.at[r->from].where;
	Sub many = emit_many(r);
	Body yes = as_before(r, outs);
	b_open(b);
	Body no = b_close(b, emit_block(r, outs));
	Types ts = types_of_vars(outs);
	for EACH(Type, t, ts)
		*t = type_plain(*t);
	b_names(b, outs, b_lets(b, "r", ts, EXP(if_, many, yes, no)));
	b->where = NULL;
}

// ---- Bodies ----

static Stm inside(Visit *v, const Stm *s)
{
	OneBlock *c = v->ctx;
	Stm t = *s;
	bool around = c->in_loop;
	if (!form_has(s->exp->form, FORM_NEST) || is_device_loop(s->attrs))
		return t;
	c->in_loop = around || s->exp->form == E_loop;
	t.exp = exp_visit(s->exp, v);
	c->in_loop = around;
	return t;
}

static void block_body(Visit *v, Body *b)
{
	OneBlock *c = v->ctx;
	Map used = c->in_loop ? last_uses(b) : (Map){0};
	b_open(&c->b);
	for (int i = 0; i < b->stms.len;) {
		Run r = {.c = c, .body = b, .used = &used, .to = i};
		bool found = c->in_loop && find_run(&r, i);
		if (c->in_loop && r.n_kernels && gather(c, b, i, r.n_kernels)) {
			used = last_uses(b);
			continue;
		}
		if (found && may_rewrite()) {
			emit_run(&r);
			i = r.to;
			continue;
		}
		do
			b_emit(&c->b, inside(v, &b->stms.at[i++]));
		while (i < r.to);
	}
	*b = b_close(&c->b, b->res);
}

Prog *one_block(Prog *prog)
{
	Map kernels = called_by_kernels(prog), funs = {0};
	Prog *out = prog_copy(prog, &funs);
	OneBlock c = {.alias = alias_of(prog)};
	Visit v = {.body = block_body, .copy = true, .ctx = &c};
	for (int i = 0; i < out->funs.len; i++) {
		Fun *f = out->funs.at[i];
		fun_new_callees(f, &funs);
		c.fun = f;
		c.n_thresholds = 0;
		if (!map_has(&kernels, prog->funs.at[i]) && !has_attr(f->attrs, ATTR_OPERATOR))
			fun_rewrite(f, &v);
	}
	return out;
}
