// Folds: the threads of a block combine their values in shared memory.
//
//     sh[t] = x; barrier;
//     for (step = 1; step < m; step *= 2) {             a tree reduction that keeps the order
//         if (t % (2 * step) == 0 && t + step < m)
//             sh[t] = f(sh[t], sh[t + step]);
//         barrier;
//     }
//
// This is the version for devices of which nothing is known.  Where the 32 threads of a warp can
// exchange registers (RD_WARP), they reduce with shuffles, and only the results of the warps go
// through shared memory.  Every warp combines these redundantly.
//
// Operators are associative.  If they also commute (each value is combined by one commutative
// operation), the iterations of a loop are assigned to the threads cyclically, so that loads are
// coalesced.  Every thread starts with the neutral element.
//
// In a loop with a scan, all folds are done as scans (kscan.c).
#include "gen/kfold.h"

// ---- What a loop folds ----

static int find_param(const Exp *e, Sub result)
{
	for (int k = 0; k < e->loop.params.len; k++)
		if (sub_eq(e->loop.body.res.at[k], result))
			return k;
	return -1;
}

// The operation that gives result v from the v-th value of both sides, or N_PRIM.
static Prim simple_operation(const Fun *f, int v, int n)
{
	Sub r = f->body.res.at[v], x = sub_var(f->params.at[v]), y = sub_var(f->params.at[n + v]);
	for EACH(Stm, s, f->body.stms) {
		const Exp *e = s->exp;
		if (s->pat.len != 1 || !sub_eq(r, sub_var(s->pat.at[0])) || e->form != E_prim ||
		    prim_arity(e->prim.op) != 2)
			continue;
		bool same = sub_eq(e->prim.x[0], x) && sub_eq(e->prim.x[1], y);
		bool swapped = sub_eq(e->prim.x[0], y) && sub_eq(e->prim.x[1], x);
		return (same || swapped) && prim_commutes(e->prim.op) ? e->prim.op : N_PRIM;
	}
	return N_PRIM;
}

// Of 0 and -0 it takes the first or the second one.
static bool is_choice_of_floats(Prim op, Type t)
{
	return type_is_float(t) && (op == P_min || op == P_max);
}

static bool is_choice(const Exp *e, int64_t yes, int64_t no)
{
	return !e->if_.yes.stms.len && !e->if_.no.stms.len &&
	       is_int_const(e->if_.yes.res.at[0], yes) && is_int_const(e->if_.no.res.at[0], no);
}

// Is it 0 or 1, by what the loop says of it?
static bool is_flag(const Exp *loop, Sub x)
{
	for EACH(Stm, s, loop->loop.body.stms)
		if (s->pat.len == 1 && sub_eq(x, sub_var(s->pat.at[0])))
			return s->exp->form == E_if_
			             ? is_choice(s->exp, 1, 0) || is_choice(s->exp, 0, 1)
			             : s->exp->form == E_convert &&
			                       sub_type(s->exp->convert.x).elem == PT_BOOL;
	return false;
}

bool counts_flags(const Exp *loop, const Stm *call)
{
	Subs args = call->exp->call.args;
	int k = call->pat.len == 1 ? find_param(loop, sub_var(call->pat.at[0])) : -1;
	if (k < 0 || !is_int_const(loop->loop.inits.at[k], 0) || !is_flag(loop, args.at[1]))
		return false;
	return primtype_size(sub_type(args.at[1]).elem) >= 4 &&
	       simple_operation(call->exp->call.fn, 0, 1) == P_add;
}

static Fold *fold_of(Gen *g, const Exp *e, const Stm *s)
{
	if (s->exp->form != E_call || !has_attr(s->exp->call.fn->attrs, ATTR_OPERATOR))
		return NULL;
	const Fun *fn = s->exp->call.fn;
	Fold *f = NEW(Fold, .call = s, .fn = fn, .n = s->pat.len,
	              .param = NEW_ARRAY(int, s->pat.len), .is_scan = has_attr(s->attrs, ATTR_SCAN),
	              .commutes = true, .symmetric = true,
	              .acc = NEW_ARRAY(CExp, s->pat.len), .fails = map_has(&g->device->fails, fn));
	for (int v = 0; v < f->n; v++) {
		int k = find_param(e, sub_var(s->pat.at[v]));
		if (k < 0 || !sub_eq(s->exp->call.args.at[v], sub_var(e->loop.params.at[k])))
			return NULL;
		Prim op = simple_operation(fn, v, f->n);
		f->param[v] = k;
		f->commutes &= op != N_PRIM || has_attr(fn->attrs, ATTR_COMMUTATIVE);
		f->symmetric &= op != N_PRIM &&
		                !is_choice_of_floats(op, vars[s->pat.at[v].id].type);
	}
	f->counts = counts_flags(e, s);
	return f;
}

// ---- Which loops ----

// Memory whose size is the same for all iterations.
static bool is_fixed_alloc(const Exp *e, const Stm *s)
{
	if (s->exp->form != E_alloc)
		return false;
	for EACH(Stm, other, e->loop.body.stms)
		for EACH(Var, v, other->pat)
			if (sub_eq(s->exp->alloc.n, sub_var(*v)))
				return false;
	return true;
}

// Blocks that a segment binds cannot be known to the next one.
static bool keeps_blocks(const Threads *t)
{
	for (int i = 0; t->n_scans && i < t->e->loop.body.stms.len; i++)
		for EACH(Var, v, t->e->loop.body.stms.at[i].pat)
			if (vars[v->id].type.kind == T_MEM && !t->is_alloc[i])
				return true;
	return false;
}

bool threads_of(Gen *g, const Stm *s, Threads *out)
{
	const Exp *e = s->exp;
	int n = e->loop.body.stms.len, carried = 0;
	Threads t = {.e = e,
	             .fold_at = NEW_ARRAY(Fold *, n + 1),
	             .is_alloc = NEW_ARRAY(bool, n + 1),
	             .failed = NEW_ARRAY(bool, n + 1)};
	for (int i = 0; i < n; i++) {
		const Stm *stm = &e->loop.body.stms.at[i];
		Fold *f = t.fold_at[i] = fold_of(g, e, stm);
		t.is_alloc[i] = is_fixed_alloc(e, stm);
		if (!f)
			continue;
		VEC_PUSH(&t.folds, f);
		carried += f->n;
		t.n_scans += f->is_scan;
	}
	for EACH(Fold *, f, t.folds)
		t.in_order |= !(*f)->commutes;
	for EACH(Var, p, e->loop.params)
		carried -= vars[p->id].type.mem ? 0 : 1;
	*out = t;
	return carried == 0 && !e->loop.is_while && !keeps_blocks(&t);
}

// ---- Values ----

PrimType value_type(const Threads *t, const Fold *f, int v)
{
	return vars[t->e->loop.params.at[f->param[v]].id].type.elem;
}

// f(&to.., left.., right.., free..)
static CExp combine(Gen *g, const Fold *f, const CExp *to, const CExp *left, const CExp *right)
{
	Subs args = f->call->exp->call.args;
	VEC(CExp) xs = {0};
	g->thread.calls = true;
	VEC_PUSH(&xs, x_const("RD_THREAD"));
	for (int v = 0; v < f->n; v++)
		VEC_PUSH(&xs, x_address(to[v]));
	for (int v = 0; v < f->n; v++)
		VEC_PUSH(&xs, left[v]);
	for (int v = 0; v < f->n; v++)
		VEC_PUSH(&xs, right[v]);
	for (int i = 2 * f->n; i < args.len; i++)
		VEC_PUSH(&xs, operand(g, args.at[i]));
	return x_call_of(c_fun_name(f->fn), (CExps){xs.at, xs.len});
}

// Where a failing thread has to go on.
void combine_marked(Gen *g, const Fold *f, const CExp *to, const CExp *left, const CExp *right)
{
	CExp call = combine(g, f, to, left, right);
	if (!f->fails) {
		s_do(g->c, call);
		return;
	}
	quote(g->c, "if ($1) *rd_mark = 1;", call);
	g->fun.can_fail = g->kernel->can_fail = g->kernel->marks_failures = true;
}

CExp *param_values(Gen *g, const Threads *t, const Fold *f)
{
	CExp *out = NEW_ARRAY(CExp, f->n);
	for (int v = 0; v < f->n; v++)
		out[v] = shown(g, t->e->loop.params.at[f->param[v]]);
	return out;
}

void declare_fold_results(Gen *g, Threads *t)
{
	for EACH(Fold *, f, t->folds)
		for (int v = 0; v < (*f)->n; v++) {
			int k = (*f)->param[v];
			Var p = t->e->loop.params.at[k];
			declare(g, p, operand(g, t->e->loop.inits.at[k]));
		}
}

void begin_folds(Gen *g, Threads *t)
{
	for EACH(Fold *, at, t->folds) {
		Fold *f = *at;
		CExp *inits = NEW_ARRAY(CExp, f->n);
		for (int v = 0; v < f->n; v++)
			inits[v] = operand(g, t->e->loop.inits.at[f->param[v]]);
		f->acc = declare_values(g, t, f, "acc", inits);
	}
}

void fold_step(Gen *g, Fold *f)
{
	Subs args = f->call->exp->call.args;
	CExp *x = NEW_ARRAY(CExp, f->n);
	for (int v = 0; v < f->n; v++)
		x[v] = operand(g, args.at[f->n + v]);
	settle_loads(g);
	CExp call = combine(g, f, f->acc, f->acc, x);
	if (f->fails) {
		s_if(g->c, call);
		leave_function(g, NULL);
		s_close(g->c);
	} else {
		s_do(g->c, call);
	}
}

// In memory between threads, f16 is what it is in registers.
const char *room_type(Gen *g, PrimType t)
{
	return t == PT_F16 ? "float" : elem_type(g, t);
}

int room_size(PrimType t)
{
	return t == PT_F16 ? 4 : primtype_size(t);
}

CExp declare_room(Gen *g, PrimType p, const char *hint, CExp before)
{
	const char *name = fresh_name(g, hint);
	quote(g->c, "RD_LOCAL $1 *$2 = (RD_LOCAL $1 *)(rd_shared + 16 + $3 * rd_local_size());",
	      room_type(g, p), name, before);
	return x_name(name);
}

void need_fold_bytes(Gen *g, int on_cuda, int elsewhere)
{
	Choice *bytes = &g->kernel->fold_bytes;
	bytes->cuda = bytes->cuda > on_cuda ? bytes->cuda : on_cuda;
	bytes->other = bytes->other > elsewhere ? bytes->other : elsewhere;
}

CExp *elements_at(const CExp *rooms, int n, CExp i)
{
	CExp *out = NEW_ARRAY(CExp, n);
	for (int v = 0; v < n; v++)
		out[v] = x_index(rooms[v], i);
	return out;
}

CExp *declare_values(Gen *g, const Threads *t, const Fold *f, const char *hint, const CExp *init)
{
	CExp *out = NEW_ARRAY(CExp, f->n);
	for (int v = 0; v < f->n; v++) {
		const char *name = fresh_name(g, hint);
		s_declare(g->c, c_scalar_type(value_type(t, f, v)), name,
		          init ? init[v] : x_int(0));
		out[v] = x_name(name);
	}
	return out;
}

void assign(Gen *g, const Fold *f, const CExp *to, const CExp *from)
{
	for (int v = 0; v < f->n; v++)
		s_assign(g->c, to[v], from[v]);
}

// So many threads have something.
static CExp declare_count(Gen *g, const Threads *t)
{
	const char *m = fresh_name(g, "m");
	if (!t->in_order) {
		quote(g->c, "int32_t $1 = $2 < rd_local_size() ? (int32_t)$2 : rd_local_size();", m,
		      t->n);
	} else {
		const char *each = fresh_name(g, "each");
		quote(g->c, "int64_t $1 = ($2 + rd_local_size() - 1) / rd_local_size();", each,
		      t->n);
		quote(g->c, "int32_t $1 = $2 > 0 ? (int32_t)(($2 + $3 - 1) / $3) : 0;", m, t->n,
		      each);
	}
	return x_name(m);
}

// ---- Warps ----

CExp *shuffled(Gen *g, const Threads *t, const Fold *f, const char *how, const CExp *x, CExp by)
{
	CExp *in = NEW_ARRAY(CExp, f->n);
	for (int v = 0; v < f->n; v++) {
		PrimType p = value_type(t, f, v);
		in[v] = x_quote("$1_$2($3, $4, RD_LANES($5))", how,
		                p == PT_F16 ? "f32" : primtype_name[p], x[v], by, f->room);
	}
	rts_use(g->rts, "kernel_shuffle");
	return declare_values(g, t, f, "y", in);
}

// Lane l takes in what follows on it, up to `most` lanes in all, if that, the number of a thread
// ($1: of so many lanes further on), is less than m.
static void fold_lanes(Gen *g, const Threads *t, const Fold *f, const CExp *x, CExp most,
                       const char *thread, CExp m)
{
	const char *step = fresh_name(g, "step");
	quote(g->c, "for (int32_t $1 = 1; $1 < $2; $1 *= 2)", step, most);
	CExp *y = shuffled(g, t, f, "rd_shuffle_down", x, x_name(step));
	s_if(g->c, x_quote(text("rd_lane() + $1 < $2 && %s < $3", thread), step, most, m));
	combine_marked(g, f, x, x, y);
	s_close(g->c);
	s_close(g->c);
}

void scan_lanes(Gen *g, const Threads *t, const Fold *f, const CExp *x, CExp most, CExp condition)
{
	const char *step = fresh_name(g, "step");
	quote(g->c, "for (int32_t $1 = 1; $1 < $2; $1 *= 2)", step, most);
	CExp *y = shuffled(g, t, f, "rd_shuffle_up", x, x_name(step));
	quote(g->c, "if (rd_lane() >= $1 && $2)", step, condition);
	combine_marked(g, f, x, y, x);
	s_close(g->c);
	s_close(g->c);
}

// Folds that are done together, and their rooms.
typedef struct { Fold **at; int n; CExp **sh; } Together;

// What all lanes have already.
static CExp *all_have(const Fold *f, const CExp *x)
{
	CExp *out = NEW_ARRAY(CExp, f->n);
	for (int v = 0; v < f->n; v++)
		out[v] = x_call("rd_all_have", x[v]);
	return out;
}

// All threads have what one of them has.  After an exchange they do, bit for bit, if the operator
// does not tell left from right; any other result could send lanes different ways.
static void fold_results(Gen *g, const Threads *t, const Together *all, CExp **x, bool exchanged)
{
	for (int i = 0; i < all->n; i++) {
		const Fold *f = all->at[i];
		assign(g, f, param_values(g, t, f),
		       exchanged && f->symmetric
		               ? all_have(f, x[i])
		               : shuffled(g, t, f, "rd_shuffle", x[i], x_int(0)));
	}
}

// Blocks of one warp: lanes exchange what they have with those further and further away, all folds
// at a time.
static void fold_one_warp(Gen *g, const Threads *t, const Together *all)
{
	CExp **x = NEW_ARRAY(CExp *, all->n), **y = NEW_ARRAY(CExp *, all->n), m = NULL;
	bool apart = t->in_order;
	for (int i = 0; i < all->n; i++) {
		x[i] = declare_values(g, t, all->at[i], "x", all->at[i]->acc);
		apart |= all->at[i]->fails;
	}
	if (apart)
		m = declare_count(g, t);
	for (int i = 0; i < all->n && apart; i++)
		fold_lanes(g, t, all->at[i], x[i], x_int(32), "rd_local_id() + $1", m);
	if (!apart) {
		const char *step = fresh_name(g, "step");
		quote(g->c, "for (int32_t $1 = 1; $1 < 32; $1 *= 2)", step);
		for (int i = 0; i < all->n; i++)
			y[i] = shuffled(g, t, all->at[i], "rd_shuffle_xor", x[i], x_name(step));
		for (int i = 0; i < all->n; i++)
			combine_marked(g, all->at[i], x[i], x[i], y[i]);
		s_close(g->c);
	}
	fold_results(g, t, all, x, !apart);
}

// The loop's parameters become what all threads have together.
static void fold_by_warps(Gen *g, const Threads *t, const Together *all, CExp m)
{
	CExp warps = x_call_none("rd_n_warps"), **x = NEW_ARRAY(CExp *, all->n);
	for (int i = 0; i < all->n; i++) {
		x[i] = declare_values(g, t, all->at[i], "x", all->at[i]->acc);
		fold_lanes(g, t, all->at[i], x[i], x_int(32), "rd_local_id() + $1", m);
	}
	quote(g->c, "if (rd_n_warps() > 1)");
	quote(g->c, "if (rd_lane() == 0)");
	for (int i = 0; i < all->n; i++)
		assign(g, all->at[i],
		       elements_at(all->sh[i], all->at[i]->n, x_call_none("rd_warp")), x[i]);
	s_close(g->c);
	s_barrier(g->c);
	for (int i = 0; i < all->n; i++) {
		const Fold *f = all->at[i];
		CExp own = x_quote("rd_lane() < rd_n_warps() ? rd_lane() : 0");
		assign(g, f, x[i], elements_at(all->sh[i], f->n, own));
		fold_lanes(g, t, f, x[i], warps, "32 * (rd_lane() + $1)", m);
	}
	s_barrier(g->c);
	s_close(g->c);
	fold_results(g, t, all, x, false);
}

static void fold_by_halves(Gen *g, const Threads *t, const Together *all, CExp m)
{
	const char *step = fresh_name(g, "step");
	CExp own = x_call_none("rd_local_id"), next = x_plus(own, x_name(step));
	for (int i = 0; i < all->n; i++)
		assign(g, all->at[i], elements_at(all->sh[i], all->at[i]->n, own), all->at[i]->acc);
	s_barrier(g->c);
	quote(g->c, "for (int32_t $1 = 1; $1 < $2; $1 *= 2)", step, m);
	quote(g->c, "if (rd_local_id() % (2 * $1) == 0 && $2 < $3)", step, next, m);
	for (int i = 0; i < all->n; i++) {
		const Fold *f = all->at[i];
		CExp *y = declare_values(g, t, f, "y", NULL);
		CExp *mine = elements_at(all->sh[i], f->n, own);
		combine_marked(g, f, y, mine, elements_at(all->sh[i], f->n, next));
		assign(g, f, mine, y);
	}
	s_close(g->c);
	s_barrier(g->c);
	s_close(g->c);
	for (int i = 0; i < all->n; i++)
		assign(g, all->at[i], param_values(g, t, all->at[i]),
		       elements_at(all->sh[i], all->at[i]->n, x_int(0)));
	s_barrier(g->c);
}

static void end_together(Gen *g, const Threads *t, Together *all, int values)
{
	s_scope(g->c);
	if (is_narrow_kernel(g->kernel)) {
		fold_one_warp(g, t, all);
		s_close(g->c);
		return;
	}
	bool warp = is_warp(g->kernel);
	all->sh = NEW_ARRAY(CExp *, all->n);
	for (int i = 0, before = 0; i < all->n; i++) {
		const Fold *f = all->at[i];
		all->sh[i] = NEW_ARRAY(CExp, f->n);
		for (int v = 0; v < f->n; v++)
			all->sh[i][v] =
				declare_room(g, value_type(t, f, v), "sh", x_int(8 * before++));
		all->at[i]->room = 8 * values;
	}
	need_fold_bytes(g, warp ? 0 : 8 * values, 8 * (values + 1)); // the last one for rd_shuffle
	CExp m = declare_count(g, t);
	s_ifdef(g->c, "ifdef RD_WARP");
	if (warp)
		fold_one_warp(g, t, all);
	else
		fold_by_warps(g, t, all, m);
	s_else(g->c);
	fold_by_halves(g, t, all, m);
	s_close(g->c);
	s_close(g->c);
}

// Together they need more of the shared memory, which blocks marked #[local] may be meant to fill.
static bool has_local_blocks(const Kernel *k)
{
	for EACH(const KernelBlock, kb, k->blocks)
		if (kb->kind == IN_LOCAL)
			return true;
	return false;
}

void end_folds(Gen *g, Threads *t)
{
	int most = has_local_blocks(g->kernel) && !g->kernel->one_warp ? 1 : 8;
	for (int first = 0, n, values; first < t->folds.len; first += n) {
		values = t->folds.at[first]->n;
		for (n = 1; first + n < t->folds.len && values + t->folds.at[first + n]->n <= most;
		     n++)
			values += t->folds.at[first + n]->n;
		Together all = {t->folds.at + first, n, NULL};
		end_together(g, t, &all, values);
	}
}
