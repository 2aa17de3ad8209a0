// The pass `local_accs`: gives each thread block a private copy of an accumulator in shared
// memory, if it fits.
//
//     #[kernel] let (a1: acc) = loop (p: acc = a) for i: i64 < n do {.. upd_acc p [j] v ..}
// becomes, where there are many rows for each element and the copies fit into shared memory,
//     #[grid] let (k: i64, ...) = opaque (3, n, least)
//     #[blocks] let (a1: acc) = loop (p: acc = a) for g: i64 < k do {
//       #[local] let (l0: [m]f64) = scratch.f64 [m]
//       #[threads] let (l1: [m]f64) = loop (l: *[m]f64 = l0) for e: i64 < m do {l with [e] = ne}
//       let (l2: [m]f64) = withacc input=[m] (l1) (ne) op fn=\(token, c: acc') -> {
//         #[threads] let (c1: acc') = loop (d: acc' = c) for r: i64 < rows do {
//           let (i: i64) = add.i64 first r
//           .. upd_acc d [j] v ..
//         }
//         in c1
//       }
//       #[threads] let (q: acc) = loop (o: acc = p) for e: i64 < m do {upd_acc o [e] (l2[e])}
//       in q
//     }
//
// Concurrent updates of one element are serialised.  In shared memory that is fast, and only few
// updates of the array itself remain.
//
// Elements that only one thread updates need no copies, and rows with elements of their own
// (segments) have separate ones: gpu_acc_owned.c.  Blocks that do the steps of a row have copies of
// what each step adds to, and where the steps of a thread add to the same elements, each thread has
// a column of the copy: gpu_acc_rows.c.
//
// Note [Nests].  A nest of #[kernel] loops is treated as one loop over all of its threads.
//
// Requires: the pass `flatten`, and not yet `seq`.  Ensures: equal results up to the order in
// which operators are applied.
#include "opt/opt.h"
#include "device/gpu_acc.h"

enum {
	ROWS_OF_SEGMENT = 2,            // for each element of a segment; fewer: not worthwhile
	ROWS_OF_PART = 4,               // ... if several blocks share it
	AT_ONCE = 1 << 18,              // threads of a device, about
	DEALT = 256,                    // threads of a block that have numbers
};

// ---- Sizes ----

static Sub decided(Local *l, Attributes attrs, Sub now, Subs more)
{
	VarVec pat = {0};
	VEC_PUSH(&pat, var_new(name_of("decided"), sub_type(now)));
	for EACH(Sub, m, more)
		VEC_PUSH(&pat, var_new(name_of("of"), sub_type(*m)));
	l->b.attrs = attrs;
	b_stm(&l->b, VEC_SLICE(Vars, pat), EXP(opaque, subs_cat(subs_of(1, now), more)));
	return sub_var(pat.at[0]);
}

// The space of a segment.
static Subs space_of(const Local *l, const AccInput *in)
{
	return subs_part(in->space, l->lead, in->space.len - l->lead);
}

AccSize acc_size(Local *l, const Stm *s)
{
	Build *b = &l->b;
	AccSize size = {sub_i64(0), sub_i64(0)};
	for EACH(Var, p, s->exp->loop.params) {
		const AccInput *in = acc_input_of(l, *p);
		if (!in)
			continue;
		for EACH(Type, t, vars[p->id].type.acc->elems) {
			Sub n = b_product(b, subs_cat(space_of(l, in), t->dims));
			size.elements = b_add(b, size.elements, n);
			size.bytes = b_add(b, size.bytes,
			                   b_mul(b, n, sub_i64(primtype_size(t->elem))));
		}
	}
	return size;
}

// ---- The copies of a block ----

// Arrays with neutral elements.
static Subs neutral(Local *l, const AccInput *in, Types elems)
{
	Build *b = &l->b;
	Subs space = space_of(l, in);
	Subs room = {NEW_ARRAY(Sub, elems.len), elems.len};
	for (int k = 0; k < elems.len; k++) {
		Type t = type_array(elems.at[k].elem, subs_cat(space, elems.at[k].dims));
		b->attrs = attr_of(ATTR_LOCAL);
		room.at[k] = b_scratch(b, "local", t);
	}
	DevLoop p = dev_open(&l->b, ATTR_THREADS, b_product(b, space), room);
	Subs at = b_indices(b, space, sub_var(p.i)), next = {NEW_ARRAY(Sub, room.len), room.len};
	for (int k = 0; k < room.len; k++)
		next.at[k] = put_at(b, sub_var(p.params.at[k]), at, in->ne.at[k]);
	return dev_close(&l->b, &p, next);
}

// What a block does: rows `first` to `first + rows` of the segment at `at`, `dealt` out to threads
// that have numbers; or row `first`, all threads together.
typedef struct { Subs at; Sub first, rows; bool together, dealt; } Part;

static Sub add_all(Local *l, const AccInput *in, Sub acc, Subs arrs, const Part *part)
{
	Build *b = &l->b;
	Subs space = space_of(l, in), vals = {NEW_ARRAY(Sub, arrs.len), arrs.len};
	DevLoop p = dev_open(&l->b, ATTR_THREADS, b_product(b, space), subs_of(1, acc));
	Subs at = b_indices(b, space, sub_var(p.i));
	for (int k = 0; k < arrs.len; k++)
		vals.at[k] = b_index(b, arrs.at[k], at);
	Sub after = b_let(b, "acc", sub_type(acc), EXP(upd_acc, sub_var(p.params.at[0]),
	                                               subs_cat(part->at, at), vals));
	return dev_close(&l->b, &p, subs_of(1, after)).at[0];
}

// ---- The rows of a block ----

// What the nest does for the row with this number in the part, on these values of what it carries;
// `to` says what tokens have become.
static Subs do_row(Local *l, const Nest *nest, const Part *part, Sub row, Subs carried, Map *to,
                   Vars tokens)
{
	Build *b = &l->b;
	VEC(Stm) stms = {0};
	AccChange change = {.drop = l->lead};
	for (int d = nest->n; d-- > 0;) {
		const Exp *e = nest->loops[d]->exp;
		subst_put(to, e->loop.i, d < l->lead ? part->at.at[d]
		        : d > l->lead ? b_prim2(b, P_rem, row, e->loop.n) : row);
		if (d > l->lead)
			row = b_prim2(b, P_quot, row, e->loop.n);
		for (int k = 0; k < carried.len; k++)
			subst_put(to, e->loop.params.at[k], carried.at[k]);
	}
	for (int d = 0; d < nest->n; d++) {
		const Body *body = &nest->loops[d]->exp->loop.body;
		for (int i = 0; i < body->stms.len - (d + 1 < nest->n); i++)
			VEC_PUSH(&stms, body->stms.at[i]);
	}
	Body all = {VEC_SLICE(Stms, stms), nest->loops[nest->n - 1]->exp->loop.body.res};
	Lambda fresh = {.body = body_subst(body_rename(all), to)};
	vars_put(&change.tokens, tokens, l);
	change_accs(&change, &fresh);
	b_emit_all(b, fresh.body.stms);
	return fresh.body.res;
}

// What it does with all of its rows.
static Subs do_part(Local *l, const Nest *nest, Subs inits, const Part *part, Map *to, Vars tokens)
{
	Build *b = &l->b;
	if (part->together)
		return do_row(l, nest, part, part->first, inits, to, tokens);
	if (part->dealt) {
		Sub n = sub_i64(DEALT);
		DevLoop t = dev_open(b, ATTR_THREADS, n, inits);
		Sub w = sub_var(t.i), more = b_sub(b, b_add(b, part->rows, sub_i64(DEALT - 1)), w);
		DevLoop p = dev_open(b, ATTR_NONE, b_prim2(b, P_quot, more, n),
		                     subs_of_vars(t.params));
		Sub row = b_add(b, b_add(b, part->first, b_mul(b, sub_var(p.i), n)), w);
		Subs next = do_row(l, nest, part, row, subs_of_vars(p.params), to, tokens);
		return dev_close(b, &t, dev_close(b, &p, next));
	}
	DevLoop p = dev_open(&l->b, ATTR_THREADS, part->rows, inits);
	Subs next = do_row(l, nest, part, b_add(&l->b, part->first, sub_var(p.i)),
	                   subs_of_vars(p.params), to, tokens);
	return dev_close(&l->b, &p, next);
}

// All of this in a withacc over the copies.  Of `outer`, what the blocks carry, accumulators with
// an operator are replaced by those over the copies; gives the copies afterwards, then the rest.
static Subs in_withacc(Local *l, const Nest *nest, Subs outer, const Part *part)
{
	Build *b = &l->b;
	Vars params = nest->loops[0]->exp->loop.params;
	VEC(AccInput) inputs = {0};
	VarVec tokens = {0}, accs = {0};
	VEC(Type) ret = {0}, made = {0};
	Map to = {0};
	Subs inits = SLICE_DUP(Subs, outer);
	for (int k = 0; k < params.len; k++) {
		const AccInput *in = acc_input_of(l, params.at[k]);
		if (!in)
			continue;
		AccType *t = mem_dup(vars[params.at[k].id].type.acc, sizeof *t);
		Var token = var_new(name_of("token"), type_cert());
		subst_put(&to, t->token, sub_var(token));
		t->token = token;
		t->space = space_of(l, in);
		Type type = {.kind = T_ACC, .acc = t};
		Var acc = var_new(name_of("acc"), type);
		inits.at[k] = sub_var(acc);
		Subs arrs = neutral(l, in, t->elems);
		VEC_PUSH(&inputs, (AccInput){t->space, arrs, lambda_rename(in->op), in->ne});
		VEC_PUSH(&tokens, token);
		VEC_PUSH(&accs, acc);
		VEC_PUSH(&ret, type);
		for EACH(Sub, a, arrs)
			VEC_PUSH(&made, sub_type(*a));
	}
	b_open(b);
	Subs after = do_part(l, nest, inits, part, &to, VEC_SLICE(Vars, tokens));
	SubVec res = {0};
	for (int pass = 0; pass < 2; pass++)
		for (int k = 0; k < params.len; k++)
			if ((acc_input_of(l, params.at[k]) == NULL) == (pass == 1))
				VEC_PUSH(&res, after.at[k]);
	for (int i = accs.len; i < res.len; i++) {
		Type t = type_plain(sub_type(res.at[i]));
		VEC_PUSH(&ret, t);
		VEC_PUSH(&made, t);
	}
	Vars all = vars_cat(VEC_SLICE(Vars, tokens), VEC_SLICE(Vars, accs));
	Lambda *fn = NEW(Lambda, .params = all, .ret = VEC_SLICE(Types, ret),
	                 .body = b_close(b, VEC_SLICE(Subs, res)));
	return b_lets(b, "local", VEC_SLICE(Types, made),
	              EXP(withacc, VEC_SLICE(AccInputs, inputs), fn));
}

static Subs do_block(Local *l, const Nest *nest, Subs outer, const Part *part)
{
	Vars params = nest->loops[0]->exp->loop.params;
	Subs made = in_withacc(l, nest, outer, part);
	Subs next = {NEW_ARRAY(Sub, outer.len), outer.len};
	int at = 0;
	for (int k = 0; k < params.len; k++) {
		const AccInput *in = acc_input_of(l, params.at[k]);
		if (!in)
			continue;
		Subs arrs = {made.at + at, in->arrs.len};
		next.at[k] = add_all(l, in, outer.at[k], arrs, part);
		at += in->arrs.len;
	}
	for (int k = 0; k < params.len; k++)
		if (!acc_input_of(l, params.at[k]))
			next.at[k] = made.at[at++];
	return next;
}

// The numbers of rows of some loops of the nest.
static Subs sizes_of(const Nest *nest, int from, int to)
{
	Subs ns = {NEW_ARRAY(Sub, to - from), to - from};
	for (int d = from; d < to; d++)
		ns.at[d - from] = nest->loops[d]->exp->loop.n;
	return ns;
}

// How the work is shared out: n rows of each segment, for so many elements, which `blocks` blocks
// do.
typedef struct { Subs lead; Sub n, elements, segments, blocks; } Shares;

static Shares shares_of(Local *l, const Nest *nest, Sub elements)
{
	Build *b = &l->b;
	Sub one = sub_i64(1);
	Shares s = {.lead = sizes_of(nest, 0, l->lead),
	            .n = b_product(b, sizes_of(nest, l->lead, nest->n)),
	            .elements = b_prim2(b, P_max, elements, one)};
	s.segments = b_product(b, s.lead);
	s.blocks = decided(l, attr_of(ATTR_GRID), sub_i64(3),
	                   subs_of(2, b_mul(b, s.segments, s.n),
	                           sub_i64(threshold(AT_local_rows))));
	if (l->lead) {
		Sub least = b_mul(b, s.elements, sub_i64(ROWS_OF_PART));
		Sub each = b_prim2(b, P_quot, s.blocks, b_prim2(b, P_max, s.segments, one));
		s.blocks = b_prim2(b, P_max, one,
		                   b_prim2(b, P_min, each, b_prim2(b, P_quot, s.n, least)));
	}
	return s;
}

// Are there so many updates of each element that copies are worthwhile?
static Sub pays(Local *l, const Shares *s)
{
	Build *b = &l->b;
	const char *name = text("%s(%s.local_%s%d)", ATTR_THRESHOLD, l->fun->name,
	                        l->lead ? "rows_" : "", l->n_choices);
	Attributes named = with_attr_text((Attributes){0}, name);
	bool guess = l->n_choices++ % 2 == 0;
	int least = threshold(AT_local_updates);
	Sub each = b_prim2(b, P_quot, s->n, s->elements), one = sub_i64(1);
	if (!l->lead && !l->rows)
		return decided(l, named, sub_bool(guess),
		               subs_of(2, each, sub_i64(least)));
	// Threads are at work on so many segments at a time.
	Sub now = b_prim2(b, P_quot, sub_i64(AT_ONCE), b_prim2(b, P_max, s->n, one));
	now = b_prim2(b, P_max, one, b_prim2(b, P_min, now, s->segments));
	Sub crowd = b_prim2(b, P_quot, sub_i64(AT_ONCE), b_mul(b, now, s->elements));
	Sub many = decided(l, named, sub_bool(guess),
	                   subs_of(2, crowd, sub_i64(threshold(l->rows ? AT_local_crowd_of_rows
	                                                               : AT_local_crowd))));
	Sub more = b_le(b, sub_i64(l->lead ? ROWS_OF_SEGMENT : least), each);
	if (l->lead)
		more = b_prim2(b, P_and, more, b_le(b, sub_i64(threshold(AT_local_segment)), s->n));
	return b_prim2(b, P_and, many, more);
}

static Subs emit_blocks(Local *l, const Nest *nest, const Shares *s, bool dealt)
{
	Build *b = &l->b;
	Sub more = b_add(b, s->n, b_sub(b, s->blocks, sub_i64(1)));
	Sub size = b_prim2(b, P_quot, more, s->blocks), all = b_mul(b, s->segments, s->blocks);
	DevLoop p = dev_open(&l->b, ATTR_BLOCKS, all, nest->loops[0]->exp->loop.inits);
	Sub i = sub_var(p.i), chunk = l->lead ? b_prim2(b, P_rem, i, s->blocks) : i;
	Part part = {.first = b_mul(b, chunk, size), .dealt = dealt};
	if (l->lead)
		part.at = b_indices(b, s->lead, b_prim2(b, P_quot, i, s->blocks));
	part.rows = b_prim2(b, P_min, size, b_sub(b, s->n, part.first));
	return dev_close(&l->b, &p, do_block(l, nest, subs_of_vars(p.params), &part));
}

// ---- Kernels ----

static Body as_before(Local *l, const Stm *s)
{
	Stm *copy = mem_dup(s, sizeof *s);
	Body b = body_rename((Body){.stms = {copy, 1}, .res = subs_of_vars(s->pat)});
	b_open(&l->b);
	b_emit(&l->b, b.stms.at[0]);
	return b_close(&l->b, b.res);
}

static bool has_operators(const Local *l, const Stm *s)
{
	for EACH(Var, p, s->exp->loop.params)
		if (acc_input_of(l, *p))
			return true;
	return false;
}

// Is there an operator whose updates need locks?  Blocks would wait for each other's.
static bool has_mixing(const Local *l, const Stm *s)
{
	for EACH(Var, p, s->exp->loop.params) {
		const AccInput *in = acc_input_of(l, *p);
		if (in && acc_mixes_values(in->op))
			return true;
	}
	return false;
}

static Sub fit_and_pay(Local *l, const RowCopies *c)
{
	Sub fits = decided(l, attr_of(ATTR_FITS), sub_bool(true), subs_of(1, c->bytes));
	return b_prim2(&l->b, P_and, fits, c->pays);
}

// Where each thread adds to the same elements in steps of its own, each has a column, if there is
// room: see Note [Columns] of gpu_acc_rows.c.  False: no thread does that.
static bool emit_columns(Local *l, const Nest *nest, const Shares *shares, Vars certs, Subs *made)
{
	Build *b = &l->b;
	const Exp *first = nest->loops[0]->exp, *last = nest->loops[nest->n - 1]->exp;
	RowCopies columns;
	if (!adds_in_steps(l, last, first->loop.params))
		return false;
	b_open(b);
	b->certs = certs;
	Body dealt = b_close(b, emit_blocks(l, nest, shares, true));
	Stm *kernel = NULL;
	for EACH(Stm, s, dealt.stms)
		kernel = is_kernel_of_blocks(s) ? s : kernel;
	if (!kernel || !row_columns(l, kernel, &columns))
		return false;
	Sub room = fit_and_pay(l, &columns);
	b_open(b);
	b->certs = certs;
	Body others = b_close(b, emit_blocks(l, nest, shares, false));
	*made = b_lets(b, "r", types_of_subs(others.res), EXP(if_, room, dealt, others));
	return true;
}

static void local_kernel(Local *l, const Stm *old)
{
	Build *b = &l->b;
	Nest nest = nest_of(old);
	Stm marked = *old, *s = &marked;
	find_owned(l, &nest);
	if (l->owned.len) {
		s->exp = mark_owned(l, s->exp);
		nest = nest_of(s);
	}
	if (!has_operators(l, s) || (l->lead && has_mixing(l, s)) || !is_whole(&nest) ||
	    !may_rewrite()) {
		b_emit(b, *s);
		return;
	}
	Vars certs = {0};
	for (int d = 0; d < nest.n; d++)
		certs = vars_cat(certs, nest.loops[d]->certs);
	b->where = s->where;
	b->certs = s->certs;
	AccSize size = acc_size(l, s);
	Shares shares = shares_of(l, &nest, size.elements);
	Sub fits = decided(l, attr_of(ATTR_FITS), sub_bool(true), subs_of(1, size.bytes));
	Sub many = pays(l, &shares);
	Sub both = b_prim2(b, P_and, fits, many);
	Body no = as_before(l, s);
	b->certs = s->certs;
	b_open(b);
	b->certs = certs;
	Subs made;
	if (!emit_columns(l, &nest, &shares, certs, &made))
		made = emit_blocks(l, &nest, &shares, false);
	b->certs = s->certs;
	Body yes = b_close(b, made);
	b_stm(b, s->pat, EXP(if_, both, yes, no));
	b->certs = (Vars){0};
}

// Blocks that do the steps of a row (gpu_acc_rows.c).  Gives what the kernel does.
static void row_versions(Local *l, const Stm *s)
{
	Build *b = &l->b;
	Body no = as_before(l, s), yes = body_rename(no);
	RowCopies columns;
	if (!row_columns(l, &yes.stms.at[0], &columns)) {
		yes.stms.at[0].pat = s->pat;
		b_emit(b, yes.stms.at[0]);
		return;
	}
	Sub both = fit_and_pay(l, &columns);
	b->certs = s->certs;
	b_stm(b, s->pat, EXP(if_, both, yes, no));
	b->certs = (Vars){0};
}

static Body with_copies(Local *l, const Stm *s)
{
	Build *b = &l->b;
	const Exp *e = s->exp;
	Nest nest = {.loops = {s}, .n = 1};
	b_open(b);
	b_open(b);
	b->certs = s->certs;
	DevLoop p = dev_open(b, ATTR_BLOCKS, e->loop.n, e->loop.inits);
	p.also = ATTR_ROW;
	Part part = {.first = sub_var(p.i), .together = true};
	Subs made = dev_close(b, &p, do_block(l, &nest, subs_of_vars(p.params), &part));
	b->certs = (Vars){0};
	Body all = b_close(b, made);
	for EACH(Stm, t, all.stms)
		if (t->exp->form == E_loop && has_attr(t->attrs, ATTR_ROW))
			row_versions(l, t);
		else
			b_emit(b, *t);
	return b_close(b, made);
}

static void local_row(Local *l, const Stm *s)
{
	Build *b = &l->b;
	RowCopies copies;
	b->where = s->where;
	if (!may_rewrite()) {
		b_emit(b, *s);
		return;
	}
	if (!has_operators(l, s) || !row_copies(l, s, &copies)) {
		row_versions(l, s);
		return;
	}
	Sub both = fit_and_pay(l, &copies);
	Body no = as_before(l, s);
	Body yes = with_copies(l, s);
	b->certs = s->certs;
	b_stm(b, s->pat, EXP(if_, both, yes, no));
	b->certs = (Vars){0};
}

// ---- Bodies ----

static void note_iotas(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_iota)
			map_put(v->ctx, var_key(s->pat.at[0]), v);
	body_walk(b, v);
}

static void local_body(Visit *v, Body *b)
{
	Local *l = v->ctx;
	Visit kernel = {.funs = v->funs, .copy = true};
	b_open(&l->b);
	for EACH(Stm, old, b->stms) {
		Stm s = *old;
		if (s.exp->form == E_withacc)
			for (int i = 0; i < s.exp->withacc.inputs.len; i++)
				map_put(&l->inputs, var_key(s.exp->withacc.fn->params.at[i]),
				        &s.exp->withacc.inputs.at[i]);
		bool device = is_device_loop(s.attrs);
		if (form_has(s.exp->form, FORM_NEST) || s.exp->form == E_call)
			s.exp = exp_visit(s.exp, device ? &kernel : v);
		if (is_kernel_of_threads(&s)) {
			local_kernel(l, &s);
			continue;
		}
		if (is_kernel_of_blocks(&s)) {
			find_owned(l, &(Nest){.loops = {&s}, .n = 1});
			s.exp = l->owned.len ? mark_owned(l, s.exp) : s.exp;
			if (has_attr(s.attrs, ATTR_ROW)) {
				local_row(l, &s);
				continue;
			}
		}
		b_emit(&l->b, s);
	}
	*b = b_close(&l->b, b->res);
}

Prog *local_accs(Prog *prog)
{
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	for EACH(Fun *, f, out->funs) {
		Local l = {.fun = *f};
		Visit v = {.body = local_body, .funs = &funs, .copy = true, .ctx = &l};
		Visit iotas = {.body = note_iotas, .ctx = &l.iotas};
		note_iotas(&iotas, &(*f)->body);
		local_body(&v, &(*f)->body);
	}
	return out;
}
