// The pass `shortcircuit`: an array that is computed only to be written into another is computed
// directly in its destination.
//
//     let (m: mem.f64) = alloc.f64 k
//     let (y0: [k]f64 @ m + 0) = scratch.f64 [k]
//     let (y: [k]f64 @ m + 0) = loop (q: *[k]f64 @ m + 0 = y0) for j: i64 < k do {...}
//     let (o1: [n][k]f64 @ b + 0) = update o [i, 0:k:1] y
// becomes
//     let (off: i64) = mul.i64 i k
//     let (y0: [k]f64 @ b + off) = scratch.f64 [k]
//     let (y: [k]f64 @ b + off) = loop (q: *[k]f64 @ b + off = y0) for j: i64 < k do {...}
//     #[in_place] let (o1: [n][k]f64 @ b + 0) = update o [i, 0:k:1] y
//
// The same goes for `copy`, which then has both arrays in one place, and for arrays that come
// out of a branch: the alternatives are computed in the destination, or copied there at their
// end.
//
// Obligations.  Let the value v lie in the block m, its destination in b, and the write be
// statement u.  v may be moved if
//   - m is made by the same body and occurs in places only, and u is the last statement that
//     mentions it: nothing else sees it;
//   - v is all of m: what else lies there finds room in the destination;
//   - from the first statement that mentions m up to u nothing accesses b, or what may be the
//     same block, except for parts of the same array that are known to be others, and for the
//     very rows that a loop overwrites next (region.c): the old contents of the destination are
//     not needed, and nothing else is written there;
//   - the destination's operands are known before that first statement, or can be computed
//     there: arithmetic and the `alloc` of b move up;
//   - the assertions that u names hold before that first statement: there is no such place before
//     they do.  An assertion moves up if nothing it passes can end the program or be seen;
//   - each array in m has a place in the new block: it lies exactly where v lies, or v is it with
//     its dimensions rearranged, or both v and its destination are row-major.
// Of a branch these hold for the branch as a whole, and for each alternative with the end of its
// body as u; an alternative for which they do not hold copies.
//
// Bodies are done from the outside in, so that inner writes go to where outer ones have moved.
#include "mem/shortcircuit.h"
#include "opt/opt.h"

// ---- From the old place to the new one ----

// Arrays at `from` of these sizes go to `to`.  If `shift`, all others go from row-major memory that
// starts at 0 to row-major memory that starts at the new offset.
typedef struct { int n; MemLoc from[2], to[2]; Subs dims[2]; bool shift; } Mapping;

static Mapping mapping_of(Build *b, const Open *o, Var v, MemLoc to)
{
	Type t = vars[v.id].type;
	Mapping m = {.n = 1, .from = {*t.mem}, .to = {to}, .dims = {t.dims}};
	m.shift = !t.mem->strides.len && sub_eq(t.mem->offset, sub_i64(0)) && !to.strides.len;
	const Def *def = open_def(o, v);
	const Stm *s = def ? def->stm : NULL;
	if (!s || s->exp->form != E_rearrange || m.shift)
		return m;
	Type source = sub_type(s->exp->rearrange.arr);
	if (source.mem->block.id != t.mem->block.id)
		return m;
	t.mem = &to;
	Subs strides = strides_of(b, t), back = {NEW_ARRAY(Sub, strides.len), strides.len};
	for (int d = 0; d < strides.len; d++)
		back.at[s->exp->rearrange.perm.at[d]] = strides.at[d];
	m.from[1] = *source.mem;
	m.dims[1] = source.dims;
	m.to[1] = (MemLoc){to.block, to.offset, back};
	m.n = 2;
	return m;
}

// ---- Offsets in shifted memory ----

typedef struct { Sub what; bool found; } Search;

static void look_at_binder(Visit *v, Var *x)
{
	Search *s = v->ctx;
	s->found |= sub_eq(sub_var(*x), s->what);
}

static bool bound_inside(const Open *o, Sub s)
{
	Search f = {.what = s};
	Visit v = {.bind = look_at_binder, .ctx = &f};
	body_walk(o->body, &v);
	return f.found;
}

// Edits are carried out when all bodies are done: a body does not show the offsets that were added
// to it while one around it was open, but the offset that these were computed from.
static Sub written(const Short *c, Sub offset)
{
	for (const Var *x; (x = map_get(&c->inner, var_key(offset.var)));)
		offset = sub_var(*x);
	return offset;
}

// Where the new offset is computed from the old one: right after the old one, or before
// statement k where that is later.
typedef enum { NO_PLACE, AT_START, AFTER_DEF, AFTER_INNER } SumPlace;

static SumPlace sum_place(const Short *c, const Open *o, Sub offset, int k)
{
	if (offset.kind == S_CONST)
		return AT_START;
	Sub known = written(c, offset);
	const Def *d = open_def(o, known.var);
	if (d)
		return d->at < k ? AT_START : d->stm->exp->form == E_prim ? AFTER_DEF : NO_PLACE;
	if (!bound_inside(o, known))
		return AT_START;
	return map_get(&c->scalars, var_key(offset.var)) ? AFTER_INNER : NO_PLACE;
}

static Sub shifted(Short *c, Open *o, Sub offset, Sub by, int k)
{
	Build b = {0};
	b_open(&b);
	Sub sum = b_add(&b, by, offset);
	Body body = b_close(&b, (Subs){0});
	for EACH(Stm, s, body.stms) {
		switch (sum_place(c, o, offset, k)) {
		case NO_PLACE:
			bug("no place for the offset %s", show_sub(offset));
		case AT_START:
			add_before(c, o, *s, k);
			break;
		case AFTER_DEF:
			edit_after(&c->edits, map_get(&c->scalars, var_key(offset.var)), *s);
			open_note(c, o, *s, open_def(o, written(c, offset).var)->at);
			break;
		case AFTER_INNER:
			edit_after(&c->edits, map_get(&c->scalars, var_key(offset.var)), *s);
			map_put(&c->scalars, var_key(s->pat.at[0]), s->exp);
			map_put(&c->inner, var_key(s->pat.at[0]),
			        mem_dup(&offset.var, sizeof offset.var));
			break;
		}
	}
	return sum;
}

// ---- Mapping ----

static bool same_sizes(const Map *scalars, Subs a, Subs b)
{
	bool same = a.len == b.len;
	for (int i = 0; same && i < a.len; i++)
		same = affine_equal(defs_in_map(scalars), a.at[i], b.at[i]);
	return same;
}

// Of a place without strides these are implied by the sizes of the array: those count where one of
// the places has strides and the other has none.
static const MemLoc *listed(const Short *c, const Mapping *m, Type t)
{
	for (int i = 0; i < m->n; i++)
		if (mem_eq(t.mem, &m->from[i]) &&
		    (!m->from[i].strides.len == !m->to[i].strides.len ||
		     same_sizes(&c->scalars, t.dims, m->dims[i])))
			return &m->to[i];
	return NULL;
}

static bool can_map_all(const Short *c, const Open *o, const Mapping *m, const BlockUse *u, int k)
{
	for EACH(Binder, b, u->binders) {
		Type t = vars[b->var.id].type;
		if (!listed(c, m, t) &&
		    (!m->shift || sum_place(c, o, t.mem->offset, k) == NO_PLACE))
			return false;
	}
	return true;
}

typedef struct { Sub from, to; } Shift;

// All arrays of a block go where the mapping says; equal offsets stay equal.
static void map_all(Short *c, Open *o, Mapping m, const BlockUse *u, int k)
{
	MemLoc *to = NEW_ARRAY(MemLoc, u->binders.len);
	VEC(Shift) shifts = {0};
	for (int i = 0; i < u->binders.len; i++) {
		Type t = vars[u->binders.at[i].var.id].type;
		const MemLoc *at = t.mem, *known = listed(c, &m, t);
		if (known) {
			to[i] = *known;
			continue;
		}
		int j = 0;
		while (j < shifts.len && !sub_eq(shifts.at[j].from, at->offset))
			j++;
		if (j == shifts.len)
			VEC_PUSH(&shifts, (Shift){at->offset, shifted(c, o, at->offset,
				m.to[0].offset, k)});
		to[i] = (MemLoc){m.to[0].block, shifts.at[j].to, at->strides};
	}
	for (int i = 0; i < u->binders.len; i++)
		vars[u->binders.at[i].var.id].type.mem = &to[i];
}

// ---- Values ----

// How a value can be moved: the statement that first needs the place.
typedef enum { UNMOVED, FROM_BLOCK, FROM_BRANCH } How;

static bool is_product(const Short *c, Sub n, Subs factors)
{
	AffineDefs defs = defs_in_map(&c->scalars);
	Affine p = affine_product(defs, factors), q = affine_of(defs, n);
	return affine_same(&p, &q);
}

// The value v, last needed by statement u (the results count as one more).  Its block may
// occur `n_operand` times outside of places.
static How how_to_move(const Short *c, const Open *o, Var v, int u, int n_operand, int *k)
{
	Var block = vars[v.id].type.mem->block;
	const BlockUse *use = block_use(&o->uses, block);
	const Def *bound = open_def(o, v), *def = open_def(o, block);
	if (!bound || !def || !use || use->n_operand != n_operand || use->last > u)
		return UNMOVED;
	const Stm *made = def->stm;
	if (made->exp->form == E_alloc && has_attr(made->attrs, ATTR_LOCAL))
		return UNMOVED;
	if (made->exp->form == E_alloc && !made->exp->alloc.stack) {
		*k = use->first;
		return is_product(c, made->exp->alloc.n, vars[v.id].type.dims)
		       ? FROM_BLOCK : UNMOVED;
	}
	bool branch = made->exp->form == E_if_ || made->exp->form == E_match;
	if (made == bound->stm && branch) {
		*k = bound->at;
		return FROM_BRANCH;
	}
	return UNMOVED;
}

static void move_branch(Short *, Stm *, Var v, Var block, MemLoc to, const Region *part);

// Moves v to a part of an array, if nothing stands against it but how its block is used.
static bool move_to(Short *c, Open *o, Var v, MemLoc to, const Region *part, How how)
{
	Build b = {0};
	b_open(&b);
	Mapping m = mapping_of(&b, o, v, to);
	Body extra = b_close(&b, (Subs){0});
	Var block = vars[v.id].type.mem->block;
	BlockUse *use = block_use(&o->uses, block);
	const Def *def = open_def(o, block);
	Stm *made = def->stm;
	int k = how == FROM_BLOCK ? use->first : def->at;
	if (!can_map_all(c, o, &m, use, k))
		return false;
	add_all_before(c, o, extra.stms, k);
	map_all(c, o, m, use, k);
	if (how == FROM_BLOCK)
		edit_drop(&c->edits, made->exp);
	else
		move_branch(c, made, v, block, to, part);
	return true;
}

// ---- Branches ----

// The result number i of an alternative, at its new place: moved there, or copied.
static void move_result(Short *c, Body *b, int i, MemLoc to, const Region *part)
{
	edit_body(&c->edits, b);
	Open o = open_body(c, b);
	Var v = b->res.at[i].var, block = vars[v.id].type.mem->block;
	int k, n = b->stms.len, n_res = 0;
	for EACH(Sub, r, b->res)
		n_res += type_is_array(sub_type(*r)) && sub_type(*r).mem->block.id == block.id;
	How how = n_res == 1 ? how_to_move(c, &o, v, n, 1, &k) : UNMOVED;
	if (how != UNMOVED && !touched(c, &o, part, v, k, n) &&
	    move_to(c, &o, v, to, part, how))
		return;
	Type t = vars[v.id].type;
	t.mem = mem_dup(&to, sizeof to);
	t.unique = false;
	Var there = var_new(vars[v.id].hint, t);
	StmVec stms = {0};
	VEC_APPEND(&stms, b->stms);
	VEC_PUSH(&stms, (Stm){.pat = vars_of(1, there), .exp = EXP(copy, sub_var(v))});
	b->stms = VEC_SLICE(Stms, stms);
	b->res = SLICE_DUP(Subs, b->res);
	b->res.at[i] = sub_var(there);
}

// The block is a result no more; its offset stays one, if it was, and means nothing.
static void move_in(Short *c, Body *b, int v, int block, MemLoc to, const Region *part)
{
	move_result(c, b, v, to, part);
	Subs res = {NEW_ARRAY(Sub, b->res.len), 0};
	for (int i = 0; i < b->res.len; i++)
		if (i != block)
			res.at[res.len++] = b->res.at[i];
	b->res = res;
	edit_body(&c->edits, b);
}

static int index_of(Vars vs, Var v)
{
	for (int i = 0; i < vs.len; i++)
		if (vs.at[i].id == v.id)
			return i;
	bug("%s is not among the results", show_sub(sub_var(v)));
}

static void move_branch(Short *c, Stm *s, Var v, Var block, MemLoc to, const Region *part)
{
	int at = index_of(s->pat, v), at_block = index_of(s->pat, block);
	Exp *e = s->exp;
	for (int i = 0; i < n_branches(e); i++)
		move_in(c, branch_at(e, i), at, at_block, to, part);
	Vars pat = {NEW_ARRAY(Var, s->pat.len), 0};
	for (int i = 0; i < s->pat.len; i++)
		if (i != at_block)
			pat.at[pat.len++] = s->pat.at[i];
	s->pat = pat;
}

// ---- Candidates ----

// What a statement writes, and to which part of which array; false: it writes no array, or into
// a part that is not known by its slices.
static bool write_of(const Stm *s, Var *value, Type *array, Slices *at)
{
	const Exp *e = s->exp;
	if (e->form != E_copy && (e->form != E_update || stm_is_in_place(s)))
		return false;
	Sub x = e->form == E_copy ? e->copy.arr : e->update.val;
	if (!type_is_array(sub_type(x)))
		return false;
	*value = x.var;
	*array = vars[s->pat.at[0].id].type;
	*at = e->form == E_copy ? (Slices){0} : e->update.at;
	return true;
}

static bool can_move(Short *c, const Open *o, Var v, MemLoc to, int k)
{
	Build b = {0};
	b_open(&b);
	Mapping m = mapping_of(&b, o, v, to);
	b_close(&b, (Subs){0});
	return !blocks_may_alias(c->aliases, m.from[0].block, to.block) &&
	       can_map_all(c, o, &m, block_use(&o->uses, m.from[0].block), k);
}

// What was moved into a block that has moved itself counts as part of that.
static void merge_moved(Open *o, BlockUse *block)
{
	int n = 0;
	for EACH(Moved, m, o->moved) {
		if (m->part.base.block.id == block->block.id)
			merge_access(block, m->use);
		else
			o->moved.at[n++] = *m;
	}
	o->moved.len = n;
}

static void try_write(Short *c, Open *o, int u)
{
	Stm *s = &o->body->stms.at[u];
	Var v;
	Type array;
	Slices at;
	int k;
	if (!write_of(s, &v, &array, &at))
		return;
	How how = how_to_move(c, o, v, u, 0, &k);
	StmRefs moved = {0};
	Region part = region_of(parts_of(c), s->pat.at[0], at);
	part.base.block = array.mem->block; // also where no more is known
	if (how == UNMOVED || !certs_available(o, s->certs, k, &moved) ||
	    !place_available(o, array, at, k, &moved))
		return;
	Build b = {0};
	b_open(&b);
	MemLoc to = at.len ? loc_slice(&b, array, at) : *array.mem;
	Body address = b_close(&b, (Subs){0});
	for EACH(Stm, a, address.stms)
		map_put(&c->scalars, var_key(a->pat.at[0]), a->exp);
	if (touched(c, o, &part, v, k, u) || !can_move(c, o, v, to, k) || !may_rewrite())
		return;
	for EACH(Stm *, m, moved)
		move_before(c, o, *m, k);
	add_all_before(c, o, address.stms, k);
	BlockUse *from = block_use(&o->uses, vars[v.id].type.mem->block);
	if (at.len)
		map_put(&c->origins, var_key(to.block),
		        NEW(Origin, to, vars[v.id].type.dims, s->pat.at[0], at,
		            map_get(&c->origins, var_key(to.block))));
	if (!move_to(c, o, v, to, &part, how))
		bug("%s cannot be moved", show_sub(sub_var(v)));
	if (s->exp->form == E_update)
		s->attrs = with_attr(s->attrs, ATTR_IN_PLACE);
	if (how == FROM_BRANCH) {
		open_uses(c, o);
		o->moved.len = 0;
		return;
	}
	drop_access(from, u);
	BlockUse *into = block_use(&o->uses, to.block);
	drop_access(into, u);
	merge_use(&o->uses, into, from);
	merge_moved(o, from);
	VEC_PUSH(&o->moved, (Moved){.part = part, .use = from});
}

// The sizes of arrays are not negative, as long as these are in scope.
static void set_sizes(Short *c, Vars arrays, bool known)
{
	for EACH(Var, v, arrays)
		for EACH(Sub, d, vars[v->id].type.dims)
			if (d->kind == S_VAR)
				map_put(&c->sizes, var_key(d->var), known ? c : NULL);
}

// Slices, and counters with what they are below.
static void note_parts(Visit *v, Body *b)
{
	Short *c = v->ctx;
	for EACH(Stm, s, b->stms) {
		Exp *e = s->exp;
		if (e->form == E_slice)
			map_put(&c->views, var_key(s->pat.at[0]), e);
		if (e->form == E_loop && !e->loop.is_while && sub_type(e->loop.n).elem == PT_I64)
			map_put(&c->counters, var_key(e->loop.i), &e->loop.n);
		if (form_has(e->form, FORM_NEST))
			exp_visit(e, v);
	}
}

static bool writes_array(const Stm *s)
{
	Var v;
	Type array;
	Slices at;
	return write_of(s, &v, &array, &at);
}

static void try_writes(Short *c, Body *b)
{
	int first = 0;
	while (first < b->stms.len && !writes_array(&b->stms.at[first]))
		first++;
	if (first == b->stms.len)
		return;
	Open o = open_body(c, b);
	for (int u = first; u < b->stms.len; u++)
		try_write(c, &o, u);
	edit_body(&c->edits, b);
}

static void do_body(Visit *v, Body *b)
{
	Short *c = v->ctx;
	edit_body(&c->edits, b);
	for EACH(Stm, s, b->stms)
		set_sizes(c, s->pat, true);
	try_writes(c, b);
	for EACH(Stm, s2, b->stms)
		if (form_has(s2->exp->form, FORM_NEST))
			exp_visit(s2->exp, v);
	for EACH(Stm, s3, b->stms)
		set_sizes(c, s3->pat, false);
}

static bool has_writes(const Fun *f)
{
	return body_find(&f->body, writes_array);
}

Prog *shortcircuit(Prog *prog)
{
	Prog *out = copy_arrays(prog, has_writes);
	Short c = {.aliases = block_aliases(out), .scalars = scalars_of(out)};
	Visit v = {.body = do_body, .ctx = &c}, notes = {.body = note_parts, .ctx = &c};
	for EACH(Fun *, f, out->funs) {
		if (!has_writes(*f))
			continue;
		note_parts(&notes, &(*f)->body);
		set_sizes(&c, (*f)->params, true);
		do_body(&v, &(*f)->body);
	}
	return out;
}
