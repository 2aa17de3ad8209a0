// Trails: undo records of an array whose number is not known in advance, as in while loops, loops
// with varying bounds, and branches that contain such loops.
//
//     ys = loop (p = xs) while ..        (ys, cap, idx, val, end) =
//       q = update p [i] v                 loop (p = xs, cap = 16, idx = .., val = .., end = 0)
//                                            grows to 2 * cap if it is full
//                                            idx[end] = i; val[end] = p[i]
//                                            q = update p [i] v; end + 1
//
// A trail is carried through all bodies of the statement together with the array.  Undoing it
// restores the recorded cells, last entry first, whatever the bodies did.  Cells of
// multidimensional arrays are identified by their linear index.
//
// A trail is a stack with two columns.  vjp_save.c uses stacks with other columns.
#include "ad/vjp_loop.h"
#include "opt/simplify.h"

Trail trail_new(Build *b, PrimType elem)
{
	Sub cap = sub_i64(threshold(AT_log_length));
	return (Trail){cap, scratch_of(b, type_array(PT_I64, subs_of(1, cap))),
	               scratch_of(b, type_array(elem, subs_of(1, cap))), sub_i64(0)};
}

Subs trail_subs(const Trail *t)
{
	return subs_of(TRAIL_PARTS, t->cap, t->idx, t->val, t->end);
}

// Variables for a trail like this one, and the trail that they make.
Vars trail_vars(const Trail *like, bool unique, Trail *out)
{
	Var cap = var_i64("cap");
	Type idx = type_array(PT_I64, subs_of(1, sub_var(cap)));
	Type val = type_array(sub_type(like->val).elem, subs_of(1, sub_var(cap)));
	idx.unique = val.unique = unique;
	Vars vs = vars_of(TRAIL_PARTS, cap, var_new(name_of("places"), idx),
	                  var_new(name_of("olds"), val), var_i64("end"));
	*out = (Trail){sub_var(vs.at[0]), sub_var(vs.at[1]), sub_var(vs.at[2]), sub_var(vs.at[3])};
	return vs;
}

// ---- Stacks ----

static Stack stack_new(Build *b, Types cols, Sub cap)
{
	Stack out = {.cap = cap, .end = sub_i64(0),
	             .cols = {NEW_ARRAY(Sub, cols.len + 1), cols.len}};
	for (int i = 0; i < cols.len; i++)
		out.cols.at[i] = scratch_of(b, type_array(cols.at[i].elem, subs_of(1, out.cap)));
	return out;
}

Subs stack_subs(const Stack *s)
{
	return subs_cat(subs_of(1, s->cap), subs_cat(s->cols, subs_of(1, s->end)));
}

static Stack stack_of_vars(Vars vs)
{
	Subs all = subs_of_vars(vs);
	return (Stack){.cap = all.at[0], .end = all.at[all.len - 1],
	               .cols = {all.at + 1, all.len - 2}};
}

// Variables for a stack like this one, and the stack that they make.
Vars stack_vars(const Stack *like, bool unique, Stack *out)
{
	Vars vs = vars_of(1, var_i64("cap"));
	for EACH(Sub, c, like->cols) {
		Type t = type_array(sub_type(*c).elem, subs_of(1, sub_var(vs.at[0])));
		t.unique = unique;
		vs = vars_cat(vs, vars_of(1, var_new(name_of("log"), t)));
	}
	vs = vars_cat(vs, vars_of(1, var_i64("end")));
	Stack now = stack_of_vars(vs);
	now.growth = like->growth;
	*out = now;
	return vs;
}

static Sub longer(Build *b, Sub log, Sub cap)
{
	Type t = type_array(sub_type(log).elem, subs_of(1, cap));
	return b_update(b, scratch_of(b, t), slices_at((Subs){0}, sub_type(log).dims), log);
}

// Twice as much.  Where it is known how many rounds there are, the first 16th of them tells how
// many rows there will be: an eighth more, lest they be copied again.
Sub room_grown(Build *b, Sub cap, Sub need, const Rounds *g)
{
	enum { PART = 16, MORE = 4 };
	Sub next = b_mul(b, cap, sub_i64(2));
	if (g->counted) {
		Sub least = b_add(b, cap, b_prim2(b, P_quot, cap, sub_i64(MORE)));
		Sub done = b_add(b, g->round, sub_i64(1)); // this one, which may be nearly over
		Sub share = b_prim2(b, P_div, b_convert(b, PT_F64, g->rounds),
		                    b_convert(b, PT_F64, done));
		Sub all = b_mul(b, b_convert(b, PT_F64, need), b_mul(b, share, sub_f64(1.125)));
		Sub known = b_prim2(b, P_and, b_le(b, sub_i64(1), g->round),
		                    b_le(b, g->rounds, b_mul(b, g->round, sub_i64(PART))));
		Sub told = b_prim2(b, P_max, b_convert(b, PT_I64, all), least);
		next = b_select(b, known, told, next);
	}
	if (g->limited)
		next = b_prim2(b, P_min, next, g->most);
	return b_prim2(b, P_max, need, next);
}

void room_on_stack(Build *b, Stack *s, Sub need)
{
	Sub enough = b_le(b, need, s->cap);
	Body yes = {.res = subs_cat(subs_of(1, s->cap), s->cols)};
	b_open(b);
	Sub cap = room_grown(b, s->cap, need, &s->growth);
	Subs more = SLICE_DUP(Subs, s->cols);
	for EACH(Sub, c, more)
		*c = longer(b, *c, cap);
	Body no = b_close(b, subs_cat(subs_of(1, cap), more));
	Stack now;
	Vars pat = stack_vars(s, false, &now);
	pat.len--;
	b_stm(b, pat, EXP(if_, enough, yes, no));
	now.end = s->end;
	*s = now;
}

// ---- Rows that can be counted ----

// Note [Counted rows].  Where bounds of loops depend on nothing but the indices of loops around,
// the rows of a stack are counted before, so that it need not grow:
//
//     loop .. for p < k do                      rows = loop n = 0 for p < k do
//       loop .. for q < k - p do      ->                 loop n for q < k - p do n + q
//         loop .. for i < q do .. keeps a row     stack with room for so many rows
//
// If branches decide whether there are any, that is how far it grows at most.

// The bodies from that of the outermost loop to that of the rows, and what the bounds of loops are
// computed with; a branch has no loop.
typedef struct { const Exp *loop; const Body *body; } Enclosing;
typedef struct { VEC(Enclosing) path; Map needed; } Counted;

static void need_sub(Visit *vis, Sub *s)
{
	Counted *c = vis->ctx;
	if (s->kind == S_VAR)
		map_put(&c->needed, var_key(s->var), c);
}

static bool is_needed(const Counted *c, Vars pat)
{
	return vars_any_in(pat, &c->needed);
}

static bool is_i64(Sub s)
{
	Type t = sub_type(s);
	return type_is_scalar(t) && t.elem == PT_I64;
}

static bool need_body(Counted *c, const Enclosing *a)
{
	Visit vis = {.sub = need_sub, .ctx = c};
	for (int i = a->body->stms.len; i-- > 0;) {
		Stm s = a->body->stms.at[i];
		if (!is_needed(c, s.pat))
			continue;
		if (s.exp->form != E_atom && !exp_is_cheap_scalar(s.exp))
			return false;
		s.certs = (Vars){0};
		stm_visit(&s, &vis);            // a walk: writes nothing
	}
	return !a->loop || !is_needed(c, a->loop->loop.params);
}

static bool is_counted(Counted *c)
{
	for (int j = c->path.len; j-- > 0;) {
		const Exp *e = c->path.at[j].loop;
		if (e && (e->loop.is_while || !is_i64(e->loop.n) || !is_i64(sub_var(e->loop.i))))
			return false;
		if (j + 1 < c->path.len && !need_body(c, &c->path.at[j]))
			return false;
		if (e)
			need_sub(&(Visit){.ctx = c}, (Sub *)&e->loop.n);
	}
	return true;
}

static Sub emit_count(Copier *k, const Counted *c, int j, Sub so_far);

static Sub emit_count_inside(Copier *k, const Counted *c, int j, Sub so_far)
{
	for EACH(Stm, s, c->path.at[j].body->stms) {
		Stm plain = *s;
		plain.certs = (Vars){0};
		if (is_needed(c, s->pat))
			b_emit(k->v->b, copy_stm(k, &plain));
	}
	return emit_count(k, c, j + 1, so_far);
}

static Sub emit_count(Copier *k, const Counted *c, int j, Sub so_far)
{
	Build *b = k->v->b;
	const Exp *e = c->path.at[j].loop;
	if (!e)
		return emit_count_inside(k, c, j, so_far);
	Sub n = b_prim2(b, P_max, copied(k, e->loop.n), sub_i64(0));
	if (j + 1 == c->path.len)
		return b_add(b, so_far, n);
	Var i = var_new(name_of("i"), type_scalar(PT_I64));
	Var rows = var_new(name_of("rows"), type_scalar(PT_I64));
	Var out = var_new(name_of("rows"), type_scalar(PT_I64));
	copy_name(k, e->loop.i, sub_var(i));
	b_open(b);
	Sub next = emit_count_inside(k, c, j, sub_var(rows));
	Body body = b_close(b, subs_of(1, next));
	b_stm(b, vars_of(1, out), NEW(Exp, .form = E_loop, .loop = {.params = vars_of(1, rows),
	      .inits = subs_of(1, so_far), .i = i, .n = n, .body = body}));
	return sub_var(out);
}

static Enclosing enclosing(const Exp *loop)
{
	return (Enclosing){loop, &loop->loop.body};
}

Stack stack_for(const Copier *from, const Saved *s, Types cols)
{
	Build *b = from->v->b;
	Counted c = {0}, turned = {0};
	Sub first = sub_i64(threshold(AT_log_length));
	bool known = true, branches = false;
	VEC_PUSH(&turned.path, enclosing(s->s->exp));
	for (const Level *l = s->level; l != from->here && known;) {
		known = l->branch || l->loop;
		branches |= l->branch;
		if (known)
			VEC_PUSH(&turned.path, l->branch ? (Enclosing){NULL, l->body}
			                                 : enclosing(l->loop->s->exp));
		l = l->branch || !known ? l->up : l->loop->level;
	}
	for (int j = turned.path.len; j-- > 0;)
		VEC_PUSH(&c.path, turned.path.at[j]);
	Copier k = {.v = from->v, .here = from->here, .quiet = true};
	if (!known || !is_counted(&c))
		return stack_new(b, cols, first);
	Sub most = emit_count(&k, &c, 0, sub_i64(0));
	if (!branches)
		return stack_new(b, cols, most);
	Stack out = stack_new(b, cols, b_prim2(b, P_min, first, most));
	out.growth.limited = true;
	out.growth.most = most;
	return out;
}

// ---- Cells ----

static void make_room(Build *b, Trail *t, Sub need)
{
	Stack s = {.cap = t->cap, .end = t->end, .cols = subs_of(2, t->idx, t->val)};
	room_on_stack(b, &s, need);
	*t = (Trail){s.cap, s.cols.at[0], s.cols.at[1], s.end};
}

// The number of a cell.
static Sub number_of(Build *b, Subs dims, Subs at)
{
	Sub n = at.at[0];
	for (int d = 1; d < at.len; d++)
		n = b_add(b, b_mul(b, n, dims.at[d]), at.at[d]);
	return n;
}

static Slices room_for(Sub from, Sub n)
{
	return (Slices){NEW(DimSlice, false, from, n, sub_i64(1)), 1};
}

// n numbers and what the array has there.
static void push_all(Build *b, Trail *t, Sub n, Sub numbers, Sub olds)
{
	Sub next = b_add(b, t->end, n);
	make_room(b, t, next);
	t->idx = b_update(b, t->idx, room_for(t->end, n), numbers);
	t->val = b_update(b, t->val, room_for(t->end, n), olds);
	t->end = next;
}

void trail_cells(Build *b, Trail *t, Sub arr, Slices at)
{
	Subs dims = sub_type(arr).dims, lens = slice_dims(at);
	Subs place = {NEW_ARRAY(Sub, dims.len), dims.len};
	if (!lens.len) {
		for (int d = 0; d < at.len; d++)
			place.at[d] = at.at[d].start;
		Sub next = b_add(b, t->end, sub_i64(1)), old = b_slice(b, arr, at);
		make_room(b, t, next);
		t->idx = put_row(b, t->idx, t->end, number_of(b, dims, place));
		t->val = put_row(b, t->val, t->end, old);
		t->end = next;
		return;
	}
	Sub n = b_product(b, lens), js = b_iota(b, n);
	Var j = param_of_row(js, "j");
	b_open(b);
	Subs in = b_indices(b, lens, sub_var(j));
	for (int d = 0, open = 0; d < at.len; d++)
		place.at[d] = at.at[d].fixed ? at.at[d].start
		            : b_add(b, at.at[d].start, b_mul(b, in.at[open++], at.at[d].step));
	Lambda *f = b_lambda(b, vars_of(1, j), subs_of(1, number_of(b, dims, place)));
	Sub numbers = b_map(b, n, subs_of(1, js), f).at[0];
	push_all(b, t, n, numbers, b_reshape(b, subs_of(1, n), b_slice(b, arr, at)));
}

void trail_whole(Build *b, Trail *t, Sub arr)
{
	Sub n = b_product(b, sub_type(arr).dims);
	push_all(b, t, n, b_iota(b, n), b_reshape(b, subs_of(1, n), arr));
}

// The cells that a scatter or histogram writes.  In the place of those out of range, cell 0 is put
// back: an array without cells has none to put back.
void trail_writes(Build *b, Trail *t, Sub arr, const Writes *ws)
{
	Subs dims = sub_type(arr).dims;
	Sub none = b_eq(b, b_product(b, dims), sub_i64(0));
	Sub n = b_select(b, none, sub_i64(0), ws->n), js = b_iota(b, n);
	Var j = param_of_row(js, "j");
	b_open(b);
	Subs at = {NEW_ARRAY(Sub, dims.len), dims.len};
	for (int d = 0; d < dims.len; d++)
		at.at[d] = b_index(b, ws->idx.at[d], subs_of(1, sub_var(j)));
	Sub ok = b_in_range(b, at, dims);
	for (int d = 0; d < dims.len; d++)
		at.at[d] = b_select(b, ok, at.at[d], sub_i64(0));
	Subs both = subs_of(2, number_of(b, dims, at), b_index(b, arr, at));
	Subs made = b_map(b, n, subs_of(1, js), b_lambda(b, vars_of(1, j), both));
	push_all(b, t, n, made.at[0], made.at[1]);
}

// As records: as many numbers and values as there are.
void trail_records(Build *b, const Trail *t, SubVec *recs)
{
	VEC_PUSH(recs, b_slice(b, t->idx, room_for(sub_i64(0), t->end)));
	VEC_PUSH(recs, b_slice(b, t->val, room_for(sub_i64(0), t->end)));
}

Sub undo_trail(Build *b, Sub state, Subs recs)
{
	Type t = sub_type(state);
	t.unique = true;
	Var p = var_new(name_of("undone"), t), j = var_i64("j");
	Sub n = sub_type(recs.at[0]).dims.at[0], last = b_sub(b, n, sub_i64(1));
	b_open(b);
	Subs i = subs_of(1, b_sub(b, last, sub_var(j)));
	Subs place = b_indices(b, t.dims, b_index(b, recs.at[0], i));
	Sub old = b_index(b, recs.at[1], i);
	Sub put = b_update(b, sub_var(p), slices_at(place, (Subs){0}), old);
	Body body = b_close(b, subs_of(1, put));
	return b_let(b, "undone", sub_type(state), EXP(loop, .params = vars_of(1, p),
	                                               .inits = subs_of(1, state), .i = j, .n = n,
	                                               .body = body));
}
