// Filters (stream compaction): the elements that are kept are first gathered in shared memory, and
// then stored to the array contiguously.
//
//     loop (k = 0, out) for i < n do {             the threads of a block put those of a tile that
//       .. x .. c ..                               stay one after the other,
//       f = if c then 1 else 0                ->       if (c[u]) room[rank] = x[u];
//       #[scan] r = call (+) (k, f)                then, when it is known how many came before,
//       j = if c then r - 1 else -1                store them all at once:
//       if 0 <= j < n then out with [j] = x          for (k ..; k < all; ..) out[at + k] = room[k];
//     }
//
// While a block waits for its predecessors, its elements occupy no registers, and the stores of the
// threads are coalesced.  Only on CUDA, where counts use warp votes (kscan.c).
#include "gen/kfold.h"

static bool is_prim(const Stm *s, Prim op)
{
	return s && s->exp->form == E_prim && s->exp->prim.op == op;
}

typedef struct { const Exp *loop; Sub result, flag; } Pattern;

// r - 1
static bool is_last_place(const Pattern *p, Sub x)
{
	const Stm *s = stm_in(&p->loop->loop.body, x);
	return is_prim(s, P_sub) && sub_eq(s->exp->prim.x[0], p->result) &&
	       is_int_const(s->exp->prim.x[1], 1);
}

// if c then r - 1 else -1
static bool is_place(const Pattern *p, Sub x)
{
	const Stm *s = stm_in(&p->loop->loop.body, x);
	if (!s || s->exp->form != E_if_ || !sub_eq(s->exp->if_.cond, p->flag))
		return false;
	const Body *yes = &s->exp->if_.yes, *no = &s->exp->if_.no;
	return !yes->stms.len && !no->stms.len && s->pat.len == 1 &&
	       is_last_place(p, yes->res.at[0]) && is_int_const(no->res.at[0], -1);
}

// 0 <= j && j < n, n the number of iterations: it holds for all that stay.
static bool is_inside(const Pattern *p, Sub x)
{
	const Stm *s = stm_in(&p->loop->loop.body, x);
	if (!is_prim(s, P_and))
		return false;
	const Stm *le = stm_in(&p->loop->loop.body, s->exp->prim.x[0]),
		  *lt = stm_in(&p->loop->loop.body, s->exp->prim.x[1]);
	return is_prim(le, P_le) && is_int_const(le->exp->prim.x[0], 0) &&
	       is_place(p, le->exp->prim.x[1]) && is_prim(lt, P_lt) &&
	       is_place(p, lt->exp->prim.x[0]) && sub_eq(lt->exp->prim.x[1], p->loop->loop.n);
}

// if 0 <= j < n then out with [j] = x else out
static const Exp *store_of(const Pattern *p, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_if_ || s->pat.len != 1 || !is_inside(p, e->if_.cond) ||
	    e->if_.yes.stms.len != 1 || e->if_.no.stms.len)
		return NULL;
	const Exp *store = e->if_.yes.stms.at[0].exp;
	return store->form == E_update && type_is_scalar(sub_type(store->update.val)) &&
	                       store->update.at.len == 1 &&
	                       is_place(p, store->update.at.at[0].start)
	             ? store
	             : NULL;
}

// Is what is stored known before the scan?
static bool is_known(const Pattern *p, const Stm *call, Sub x)
{
	const Stm *s = stm_in(&p->loop->loop.body, x);
	return !s || s < call;
}

static Sub flag_of(const Exp *loop, const Stm *call)
{
	const Stm *s = stm_in(&loop->loop.body, call->exp->call.args.at[1]);
	if (s && s->exp->form == E_if_ && is_int_const(s->exp->if_.yes.res.at[0], 1))
		return s->exp->if_.cond;
	return s && s->exp->form == E_convert ? s->exp->convert.x : sub_i64(0);
}

Stores compacted(const Exp *loop)
{
	const Body *b = &loop->loop.body;
	const Stm *call = NULL;
	Stores out = {0}, none = {0};
	for EACH(Stm, s, b->stms)
		if (is_operator_call(s)) {
			if (call)
				return none;
			call = s;
		}
	if (!call || !has_attr(call->attrs, ATTR_SCAN) || !counts_flags(loop, call))
		return none;
	Pattern p = {loop, sub_var(call->pat.at[0]), flag_of(loop, call)};
	if (p.flag.kind != S_VAR)
		return none;
	for (const Stm *s = call + 1; s < b->stms.at + b->stms.len; s++) {
		const Exp *store = store_of(&p, s);
		Sub x = s->pat.len == 1 ? sub_var(s->pat.at[0]) : sub_i64(0);
		if (store && is_known(&p, call, store->update.val))
			VEC_PUSH(&out, store);
		else if (!is_prim(s, P_le) && !is_prim(s, P_lt) && !is_inside(&p, x) &&
		         !is_place(&p, x) && !is_last_place(&p, x))
			return none;
	}
	return out;
}

static int bytes_of(const Exp *store, int items)
{
	return (items * room_size(sub_type(store->update.val).elem) + 7) & ~7;
}

int compact_bytes(const Stores *stores, int items)
{
	int bytes = 0;
	for EACH(const Exp *, s, *stores)
		bytes += bytes_of(*s, items);
	return bytes;
}

// first: where those of the thread's warp begin in the tile.  Gives the rooms.
CExp *compact(Gen *g, const Threads *t, const char *first)
{
	CExp *rooms = NEW_ARRAY(CExp, t->stores.len);
	const char *votes = fresh_name(g, "votes");
	int at = 8;                     // after a count for each thread
	for (int k = 0; k < t->stores.len; k++) {
		PrimType p = sub_type(t->stores.at[k]->update.val).elem;
		rooms[k] = declare_room(g, p, "room", x_int(at));
		at += bytes_of(t->stores.at[k], t->each.cuda);
	}
	open_elements(g, t);
	bind_element(g, t, (int)(t->folds.at[0]->call - t->e->loop.body.stms.at));
	quote(g->c, "uint32_t $1 = __ballot_sync(0xffffffffu, $2 >> $3 & 1);", votes, t->flags,
	      t->u);
	quote(g->c, "if ($1 >> $2 & 1)", t->flags, t->u);
	for (int k = 0; k < t->stores.len; k++)
		quote(g->c, "$1[$2 + __popc($3 & ((1u << rd_lane()) - 1))] = $4;", rooms[k], first,
		      votes, operand(g, t->stores.at[k]->update.val));
	s_close(g->c);
	quote(g->c, "$1 += __popc($2);", first, votes);
	s_close(g->c);
	return rooms;
}

// To the arrays, from `before` on.
void store_compacted(Gen *g, const Threads *t, const CExp *rooms, CExp before, CExp all)
{
	const char *k = fresh_name(g, "k");
	for (int i = 0; i < t->stores.len; i++) {
		Type to = sub_type(t->stores.at[i]->update.arr);
		CExp place = x_paren(x_plus(before, x_name(k)));
		quote(g->c, "for (int32_t $1 = rd_local_id(); $1 < $2; $1 += rd_local_size())", k,
		      all);
		CExp x = x_index(rooms[i], x_name(k));
		if (to.elem == PT_F16) {
			rts_use(g->rts, "rd_half_of_float");
			x = x_call("rd_half_of_float", x);
		}
		s_assign(g->c, element(g, to, &place), x);
		s_close(g->c);
	}
}
