// Kernels: assigns the arrays of a thread block to shared memory.
//
// Blocks marked #[local] of the same type and size that are never live at the same time share one
// buffer: the less shared memory a row needs, the more rows a multiprocessor can run at once.
//
// A block is live from the first to the last statement that mentions an array in it, in the
// innermost body that contains all such statements.  It is dead at the end of that body, since
// arrays are bound before they are read.
//
// A copy that is the last use of its source exchanges the two buffers instead:
//
//     #[threads] loop (o = xs) for i < n do {          RD_LOCAL float *held = xs;
//       let (v: f32) = index ys [i]              ->    xs = ys;
//       in update o [i] v                              ys = held;
//     }
//
// Loops whose iterations compute a new array from the previous one end with such a copy
// (flatten_local.c).  This is possible because the pointers to buffers are variables of the kernel,
// all threads execute such statements uniformly, and the buffers hold nothing but the two arrays.
#include "gen/kfold.h"

// ---- When blocks are in use ----

typedef struct { int from, to; const Exp *last; } Life;         // last: its last statement
typedef struct { Var block; int clock, n_inside; bool here; Life inside; } Look;

static bool is_in(Var v, Var block)
{
	const MemLoc *at = vars[v.id].type.mem;
	return v.id == block.id || (at && at->block.id == block.id);
}

static void look_at_sub(Visit *v, Sub *x)
{
	Look *l = v->ctx;
	l->here |= x->kind == S_VAR && is_in(x->var, l->block);
}

static void look_at_binder(Visit *v, Var *x)
{
	Look *l = v->ctx;
	l->here |= is_in(*x, l->block);
}

static bool look_at_body(Look *, const Body *, Life *out);

static void look_inside(Visit *v, Body *b)
{
	Look *l = v->ctx;
	Life inside;
	if (look_at_body(l, b, &inside)) {
		l->inside = inside;
		l->n_inside++;
	}
}

// False: nothing in the statement mentions the block.
static bool look_at_stm(Look *l, const Stm *s, Life *out)
{
	Visit v = {.sub = look_at_sub, .bind = look_at_binder, .body = look_inside, .ctx = l};
	Look before = *l;
	int from = l->clock++;
	if (s->exp->form == E_alloc || s->exp->form == E_release)
		return false;
	l->here = false;
	l->n_inside = 0;
	stm_visit((Stm *)s, &v); // a walk: writes nothing
	int to = l->clock++;
	bool whole = l->here || l->n_inside > 1, found = whole || l->n_inside;
	*out = whole ? (Life){from, to, s->exp} : l->inside;
	l->here = before.here;
	l->n_inside = before.n_inside;
	l->inside = before.inside;
	return found;
}

static bool look_at_body(Look *l, const Body *b, Life *out)
{
	int n = 0, first = 0;
	Life one;
	for EACH(Stm, s, b->stms) {
		int from = l->clock;
		if (!look_at_stm(l, s, &one))
			continue;
		first = n ? first : from;
		*out = n++ ? (Life){first, l->clock - 1, s->exp} : one;
	}
	for EACH(Sub, x, b->res)
		if (x->kind == S_VAR && is_in(x->var, l->block)) {
			*out = (Life){n ? first : l->clock, l->clock, NULL};
			n++;
		}
	l->clock++;
	return n;
}

static Life life_of(const Kernel *k, Var block)
{
	Look l = {.block = block};
	Life out = {0, -1, NULL};
	look_at_body(&l, &k->fun->body, &out);
	return out;
}

// ---- Rooms ----

static bool same_size(const KernelBlock *a, const KernelBlock *b)
{
	return a->alloc->alloc.type == b->alloc->alloc.type &&
	       sub_eq(a->alloc->alloc.n, b->alloc->alloc.n);
}

static bool has_place(const Kernel *k, int room, const Life *lives, int i)
{
	if (!same_size(&k->blocks.at[room], &k->blocks.at[i]))
		return false;
	for (int j = 0; j < i; j++)
		if (k->blocks.at[j].kind == IN_LOCAL && k->blocks.at[j].room == room &&
		    lives[j].from <= lives[i].to && lives[i].from <= lives[j].to)
			return false;
	return true;
}

void share_local_blocks(Kernel *k)
{
	Life *lives = NEW_ARRAY(Life, k->blocks.len);
	for (int i = 0; i < k->blocks.len; i++) {
		KernelBlock *kb = &k->blocks.at[i];
		kb->room = i;
		if (kb->kind != IN_LOCAL)
			continue;
		lives[i] = life_of(k, kb->block);
		kb->last = lives[i].last;
		for (int j = 0; j < i; j++)
			if (has_room(k, j) && has_place(k, j, lives, i)) {
				kb->room = j;
				break;
			}
	}
}

bool has_room(const Kernel *k, int block)
{
	const KernelBlock *kb = &k->blocks.at[block];
	return kb->kind == IN_LOCAL && kb->room == block;
}

CExp round_down16(CExp n)
{
	return x_quote("$1 & ~(int64_t)15", n);
}

CExp round_up16(CExp n)
{
	return round_down16(x_plus(n, x_int(15)));
}

// Where blocks begin: after the room for folds.
static void declare_first_room(Gen *g)
{
	CExp folds = x_quote("$1 * rd_local_size()", choice(g->kernel->fold_bytes));
	quote(g->c, "RD_LOCAL char *rd_local = rd_shared + 16 + $1;", round_up16(folds));
}

void declare_local_blocks(Gen *g)
{
	Kernel *k = g->kernel;
	bool any = false;
	for (int i = 0; i < k->blocks.len; i++) {
		const KernelBlock *kb = &k->blocks.at[i];
		if (kb->kind != IN_LOCAL)
			continue;
		if (!any)
			declare_first_room(g);
		any = true;
		const char *type = elem_type(g, kb->alloc->alloc.type);
		state_of(g, kb->block)->space = SPACE_LOCAL;
		if (kb->room != i) {
			same_pointer(g, kb->block, k->blocks.at[kb->room].block);
			continue;
		}
		CExp n = operand(g, kb->alloc->alloc.n);
		quote(g->c, "RD_LOCAL $1 *$2 = (RD_LOCAL $1 *)rd_local; rd_local += $3;", type,
		      name_block(g, kb->block),
		      round_up16(x_quote("$1 * (int64_t)sizeof($2)", n, x_const(type))));
	}
}

// ---- Copies ----

// Are these the indices of element i of an array of such a shape, in row-major order?
static bool are_indices_of(const Body *b, Subs at, Subs dims, Sub i)
{
	for (int d = at.len; d-- > 1;) {
		const Exp *rem = def_in(b, at.at[d]), *quot = NULL;
		if (!rem || rem->form != E_prim || rem->prim.op != P_rem ||
		    !sub_eq(rem->prim.x[0], i) || !sub_eq(rem->prim.x[1], dims.at[d]))
			return false;
		for EACH(Stm, s, b->stms)
			if (s->exp->form == E_prim && s->exp->prim.op == P_quot &&
			    sub_eq(s->exp->prim.x[0], i) && sub_eq(s->exp->prim.x[1], dims.at[d])) {
				quot = s->exp;
				i = sub_var(s->pat.at[0]);
				break;
			}
		if (!quot)
			return false;
	}
	return sub_eq(at.at[0], i);
}

// The block in shared memory all of which the array is; NULL: it is something else.
static const KernelBlock *all_of_block(const Kernel *k, Sub arr, Sub n)
{
	const MemLoc *at = arr.kind == S_VAR ? vars[arr.var.id].type.mem : NULL;
	if (!at || at->strides.len || !is_int_const(at->offset, 0))
		return NULL;
	for EACH(const KernelBlock, kb, k->blocks)
		if (kb->block.id == at->block.id && kb->kind == IN_LOCAL &&
		    sub_eq(kb->alloc->alloc.n, n))
			return kb;
	return NULL;
}

bool fills_local_block(const Kernel *k, Sub arr, Sub n)
{
	return all_of_block(k, arr, n);
}

bool is_in_local_block(const Kernel *k, Sub arr)
{
	const MemLoc *at = arr.kind == S_VAR ? vars[arr.var.id].type.mem : NULL;
	for EACH(const KernelBlock, kb, k->blocks)
		if (at && kb->block.id == at->block.id && kb->kind == IN_LOCAL)
			return true;
	return false;
}

// What result r of the loop is a copy of; (Sub){0}: it is something else.
static Sub copied(const Exp *loop, int r)
{
	const Body *b = &loop->loop.body;
	const Exp *u = def_in(b, b->res.at[r]);
	Sub p = sub_var(loop->loop.params.at[r]), none = {0};
	if (!u || u->form != E_update || !sub_eq(u->update.arr, p))
		return none;
	const Exp *x = def_in(b, u->update.val);
	Subs dims = sub_type(p).dims;
	if (!x || x->form != E_index || x->index.idx.len != dims.len ||
	    u->update.at.len != dims.len)
		return none;
	for (int d = 0; d < dims.len; d++)
		if (!u->update.at.at[d].fixed ||
		    !sub_eq(u->update.at.at[d].start, x->index.idx.at[d]) ||
		    !sub_eq(dims.at[d], sub_type(x->index.arr).dims.at[d]))
			return none;
	return are_indices_of(b, x->index.idx, dims, sub_var(loop->loop.i)) ? x->index.arr : none;
}

typedef struct { const KernelBlock *to, *from; } Exchange;

static bool find_exchanges(const Kernel *k, const Exp *e, Exchange *out)
{
	int n = e->loop.params.len;
	if (e->loop.is_while || !n)
		return false;
	for EACH(Stm, s, e->loop.body.stms)
		if (s->certs.len || !(s->exp->form == E_prim || s->exp->form == E_index ||
		                      s->exp->form == E_update))
			return false;
	for (int r = 0; r < n; r++) {
		Sub from = copied(e, r);
		out[r].to = all_of_block(k, sub_var(e->loop.params.at[r]), e->loop.n);
		out[r].from = all_of_block(k, from, e->loop.n);
		if (!out[r].to || !out[r].from || out[r].from->last != e ||
		    !same_size(out[r].to, out[r].from))
			return false;
		for (int j = 0; j <= r; j++)
			if (out[r].to == out[j].from || out[j].to == out[r].from ||
			    (j < r && (out[r].to == out[j].to || out[r].from == out[j].from)))
				return false;
	}
	return true;
}

bool gen_exchange(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	Exchange *all = NEW_ARRAY(Exchange, e->loop.params.len + 1);
	if (!find_exchanges(g->kernel, e, all))
		return false;
	settle_all(g);
	for (int r = 0; r < e->loop.params.len; r++) {
		const char *type = elem_type(g, all[r].to->alloc->alloc.type),
			   *to = state_of(g, all[r].to->block)->pointer,
			   *from = state_of(g, all[r].from->block)->pointer,
			   *held = fresh_name(g, "held");
		quote(g->c, "RD_LOCAL $1 *$2 = $3; $3 = $4; $4 = $2;", type, held, to, from);
	}
	bind_results(g, s);
	return true;
}
