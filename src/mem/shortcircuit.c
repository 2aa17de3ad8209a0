// What is computed only to be written into another array is computed right there.
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
//   - from the first statement that mentions m up to u nothing accesses b, or what may be the
//     same block: the old contents of the destination are not needed, and nothing else is
//     written there;
//   - the destination's operands are known before that first statement, or can be computed
//     there: arithmetic and the `alloc` of b move up;
//   - each array in m has a place in the new block: it lies exactly where v lies, or v is it with
//     its dimensions rearranged, or both v and its destination are row-major.
// Of a branch these hold for the branch as a whole, and for each alternative with the end of its
// body as u; an alternative for which they do not hold copies.
//
// Bodies are done from the outside in, so that inner writes go to where outer ones have moved.
#include "mem/layout.h"
#include "mem/uses.h"
#include "opt/opt.h"

typedef struct { BlockAliases *aliases; Edits edits; } Short;

// Where a variable is bound: before statement at + 1, and by which statement (-1: by one that
// was added and cannot move).
typedef struct { int at, stm; } Def;

typedef struct {
	Body *body;
	Uses uses;
	Map classes;                            // class of blocks -> UseVec *
	Map defs;                               // variable of this body -> Def *
} Open;
typedef VEC(BlockUse *) UseVec;

static const void *class_key(uint32_t c)
{
	return (const void *)(uintptr_t)(c + 1);
}

// ---- An open body ----

static void find_uses(Short *c, Open *o)
{
	o->uses = uses_of_body(o->body);
	o->classes = (Map){0};
	for EACH(BlockUse *, u, o->uses.all) {
		const void *key = class_key(block_class(c->aliases, (*u)->block));
		UseVec *v = map_get(&o->classes, key);
		if (!v) {
			v = NEW(UseVec, NULL);
			map_put(&o->classes, key, v);
		}
		VEC_PUSH(v, *u);
	}
}

static Open open_body(Short *c, Body *b)
{
	Open o = {.body = b};
	find_uses(c, &o);
	for (int i = 0; i < b->stms.len; i++)
		for EACH(Var, v, b->stms.at[i].pat)
			map_put(&o.defs, var_key(*v), NEW(Def, i, i));
	return o;
}

// The statement that binds a variable of this body, or NULL.
static Stm *binding(const Open *o, Var v, int *at)
{
	const Def *d = map_get(&o->defs, var_key(v));
	if (!d || d->stm < 0)
		return NULL;
	*at = d->stm;
	return &o->body->stms.at[d->stm];
}

// Does a statement from `from` on and before `to` access what may be this block?
static bool touched(const Short *c, const Open *o, Var block, int from, int to)
{
	const UseVec *same = map_get(&o->classes, class_key(block_class(c->aliases, block)));
	for (int i = 0; same && i < same->len; i++)
		if (block_use(&o->uses, same->at[i]->block) == same->at[i] &&
		    blocks_may_alias(c->aliases, block, same->at[i]->block) &&
		    accessed_between(same->at[i], from - 1, to))
			return true;
	return false;
}

// ---- Operands that are needed early ----

typedef VEC(int) Indices;

static bool available(const Open *o, Sub s, int k, Indices *moved);

static bool operands_available(const Open *o, const Exp *e, int k, Indices *moved)
{
	switch (e->form) {
	case E_prim:
		for (int i = 0; i < prim_arity(e->prim.op); i++)
			if (!available(o, e->prim.x[i], k, moved))
				return false;
		return !prim_can_fail(e->prim.op, e->prim.at);
	case E_convert:
		return available(o, e->convert.x, k, moved);
	case E_alloc:
		return available(o, e->alloc.n, k, moved);
	default: // stays where it is
		return false;
	}
}

// Is the operand known before statement k, once the statements `moved` have moved there?
static bool available(const Open *o, Sub s, int k, Indices *moved)
{
	const Def *d = s.kind == S_VAR ? map_get(&o->defs, var_key(s.var)) : NULL;
	if (!d || d->at < k)
		return true;
	if (d->stm < 0)
		return false;
	for EACH(int, m, *moved)
		if (*m == d->stm)
			return true;
	const Stm *t = &o->body->stms.at[d->stm];
	for EACH(Var, cert, t->certs)
		if (!available(o, sub_var(*cert), k, &(Indices){0}))
			return false;
	if (!operands_available(o, t->exp, k, moved))
		return false;
	VEC_PUSH(moved, d->stm);
	return true;
}

static bool all_available(const Open *o, Subs subs, int k, Indices *moved)
{
	for EACH(Sub, s, subs)
		if (!available(o, *s, k, moved))
			return false;
	return true;
}

// Everything that the place of a part of an array is computed from.
static bool place_available(const Open *o, Type t, Slices at, int k, Indices *moved)
{
	bool ok = available(o, sub_var(t.mem->block), k, moved) &&
	          available(o, t.mem->offset, k, moved) &&
	          all_available(o, t.mem->strides, k, moved) &&
	          all_available(o, t.dims, k, moved);
	for (int i = 0; ok && i < at.len; i++)
		ok = available(o, at.at[i].start, k, moved) &&
		     (at.at[i].fixed || available(o, at.at[i].step, k, moved));
	return ok;
}

// Statement i goes before statement k.
static void move_up(Short *c, Open *o, int i, int k)
{
	Stm s = o->body->stms.at[i];
	edit_drop(&c->edits, s.exp);
	s.exp = mem_dup(s.exp, sizeof *s.exp);
	edit_before(&c->edits, o->body->stms.at[k].exp, s);
	for EACH(Var, v, s.pat)
		map_put(&o->defs, var_key(*v), NEW(Def, k - 1, -1));
}

static void add_before(Short *c, Open *o, Stms new_, int k)
{
	for EACH(Stm, s, new_) {
		edit_before(&c->edits, o->body->stms.at[k].exp, *s);
		for EACH(Var, v, s->pat)
			map_put(&o->defs, var_key(*v), NEW(Def, k - 1, -1));
	}
}

// ---- From the old place to the new one ----

// Arrays at `from` go to `to`.  If `shift`, all others go from row-major memory that starts at 0 to
// row-major memory that starts at the new offset.
typedef struct { int n; MemLoc from[2], to[2]; bool shift; } Mapping;

static Mapping mapping_of(Build *b, const Open *o, Var v, MemLoc to)
{
	Type t = vars[v.id].type;
	Mapping m = {.n = 1, .from = {*t.mem}, .to = {to}};
	m.shift = !t.mem->strides.len && sub_eq(t.mem->offset, sub_i64(0)) && !to.strides.len;
	int at;
	const Stm *s = binding(o, v, &at);
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
	m.to[1] = (MemLoc){to.block, to.offset, back};
	m.n = 2;
	return m;
}

static bool binds(const Stm *s, Sub x)
{
	for EACH(Var, v, s->pat)
		if (sub_eq(sub_var(*v), x))
			return true;
	for (int i = 0; s->exp->form == E_loop && i < s->exp->loop.params.len; i++)
		if (sub_eq(sub_var(s->exp->loop.params.at[i]), x))
			return true;
	return false;
}

static bool can_map(const Mapping *m, const Binder *b)
{
	const MemLoc *at = vars[b->var.id].type.mem;
	for (int i = 0; i < m->n; i++)
		if (mem_eq(at, &m->from[i]))
			return true;
	return m->shift && !binds(b->by, at->offset);
}

static bool can_map_all(const Mapping *m, const BlockUse *u)
{
	for EACH(Binder, b, u->binders)
		if (!can_map(m, b))
			return false;
	return true;
}

static MemLoc mapped(Short *c, const Mapping *m, const Binder *b)
{
	const MemLoc *at = vars[b->var.id].type.mem;
	for (int i = 0; i < m->n; i++)
		if (mem_eq(at, &m->from[i]))
			return m->to[i];
	Build build = {0};
	b_open(&build);
	MemLoc out = {m->to[0].block, b_add(&build, m->to[0].offset, at->offset), at->strides};
	Body sum = b_close(&build, (Subs){0});
	for EACH(Stm, s, sum.stms)
		edit_before(&c->edits, b->by->exp, *s);
	return out;
}

// All arrays of a block go where the mapping says.  The mapping is by value: what it was made from is
// overwritten here.
static void map_all(Short *c, Mapping m, const BlockUse *u)
{
	MemLoc *to = NEW_ARRAY(MemLoc, u->binders.len);
	for (int i = 0; i < u->binders.len; i++)
		to[i] = mapped(c, &m, &u->binders.at[i]);
	for (int i = 0; i < u->binders.len; i++)
		vars[u->binders.at[i].var.id].type.mem = &to[i];
}

// ---- Values ----

// How a value can be moved: the statement that first needs the place.
typedef enum { STAYS, FROM_BLOCK, FROM_BRANCH } How;

// The value v, last needed by statement u (the results count as one more).  Its block may
// occur `n_operand` times outside of places.
static How how_to_move(const Open *o, Var v, int u, int n_operand, int *k)
{
	Var block = vars[v.id].type.mem->block;
	const BlockUse *use = block_use(&o->uses, block);
	int at_v = 0, at_block;
	const Stm *bound = binding(o, v, &at_v), *made = binding(o, block, &at_block);
	if (!bound || !made || !use || use->n_operand != n_operand || use->last > u)
		return STAYS;
	if (made->exp->form == E_alloc && !made->exp->alloc.stack) {
		*k = use->first;
		return FROM_BLOCK;
	}
	bool branch = made->exp->form == E_if_ || made->exp->form == E_match;
	if (made == bound && branch && sub_eq(vars[v.id].type.mem->offset, sub_i64(0))) {
		*k = at_v;
		return FROM_BRANCH;
	}
	return STAYS;
}

static void move_branch(Short *, Stm *, Var v, MemLoc to);

// Moves v, if nothing stands against it but how its block is used.
static bool move_to(Short *c, Open *o, Var v, MemLoc to, How how)
{
	Build b = {0};
	b_open(&b);
	Mapping m = mapping_of(&b, o, v, to);
	Body extra = b_close(&b, (Subs){0});
	Var block = vars[v.id].type.mem->block;
	BlockUse *use = block_use(&o->uses, block);
	if (!can_map_all(&m, use))
		return false;
	int at = 0;
	Stm *made = binding(o, block, &at);
	add_before(c, o, extra.stms, how == FROM_BLOCK ? use->first : at);
	map_all(c, m, use);
	if (how == FROM_BLOCK)
		edit_drop(&c->edits, made->exp);
	else
		move_branch(c, made, v, to);
	return true;
}

// ---- Branches ----

// The result number i of an alternative, at its new place: moved there, or copied.
static void move_result(Short *c, Body *b, int i, MemLoc to)
{
	edit_body(&c->edits, b);
	Open o = open_body(c, b);
	Var v = b->res.at[i].var, block = vars[v.id].type.mem->block;
	int k, n = b->stms.len, n_res = 0;
	for EACH(Sub, r, b->res)
		n_res += is_array(sub_type(*r)) && sub_type(*r).mem->block.id == block.id;
	How how = n_res == 1 ? how_to_move(&o, v, n, 1, &k) : STAYS;
	if (how != STAYS && !touched(c, &o, to.block, k, n) && move_to(c, &o, v, to, how))
		return;
	Type t = vars[v.id].type;
	t.mem = mem_dup(&to, sizeof to);
	t.unique = false;
	Var there = var_new(vars[v.id].hint, t);
	StmVec stms = {0};
	for EACH(Stm, s, b->stms)
		VEC_PUSH(&stms, *s);
	VEC_PUSH(&stms, (Stm){.pat = vars_of(1, there),
		.exp = NEW(Exp, .form = E_copy, .copy = {sub_var(v)})});
	b->stms = VEC_SLICE(Stms, stms);
	b->res = SLICE_DUP(Subs, b->res);
	b->res.at[i] = sub_var(there);
}

// The block is a result no more.
static void move_in(Short *c, Body *b, int v, MemLoc to)
{
	move_result(c, b, v, to);
	Subs res = {NEW_ARRAY(Sub, b->res.len), 0};
	for (int i = 0; i < b->res.len; i++)
		if (i != v - 1)
			res.at[res.len++] = b->res.at[i];
	b->res = res;
	edit_body(&c->edits, b);
}

static void move_branch(Short *c, Stm *s, Var v, MemLoc to)
{
	int at = 0;
	while (s->pat.at[at].id != v.id)
		at++;
	if (!at || !is_block(s->pat.at[at - 1]))
		bug("the block of %s is not before it", show_sub(sub_var(v)));
	Exp *e = s->exp;
	if (e->form == E_if_) {
		move_in(c, &e->if_.yes, at, to);
		move_in(c, &e->if_.no, at, to);
	} else {
		for EACH(CoreCase, k, e->match.cases)
			move_in(c, &k->body, at, to);
		move_in(c, &e->match.other, at, to);
	}
	Vars pat = {NEW_ARRAY(Var, s->pat.len), 0};
	for (int i = 0; i < s->pat.len; i++)
		if (i != at - 1)
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
	if (!is_array(sub_type(x)))
		return false;
	*value = x.var;
	*array = vars[s->pat.at[0].id].type;
	*at = e->form == E_copy ? (Slices){0} : e->update.at;
	return true;
}

static bool can_move(Short *c, const Open *o, Var v, MemLoc to)
{
	Build b = {0};
	b_open(&b);
	Mapping m = mapping_of(&b, o, v, to);
	b_close(&b, (Subs){0});
	return !blocks_may_alias(c->aliases, m.from[0].block, to.block) &&
	       can_map_all(&m, block_use(&o->uses, m.from[0].block));
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
	How how = how_to_move(o, v, u, 0, &k);
	Indices moved = {0};
	if (how == STAYS || touched(c, o, array.mem->block, k, u) ||
	    !place_available(o, array, at, k, &moved))
		return;
	Build b = {0};
	b_open(&b);
	MemLoc to = at.len ? loc_slice(&b, array, at) : *array.mem;
	Body address = b_close(&b, (Subs){0});
	if (!can_move(c, o, v, to))
		return;
	for EACH(int, i, moved)
		move_up(c, o, *i, k);
	add_before(c, o, address.stms, k);
	BlockUse *from = block_use(&o->uses, vars[v.id].type.mem->block);
	if (!move_to(c, o, v, to, how))
		bug("%s cannot be moved", show_sub(sub_var(v)));
	if (s->exp->form == E_update)
		s->attrs = with_attr(s->attrs, ATTR_IN_PLACE);
	if (how == FROM_BRANCH) {
		find_uses(c, o);
		return;
	}
	BlockUse *into = block_use(&o->uses, to.block);
	drop_access(into, u);
	drop_access(from, u);
	merge_use(&o->uses, into, from);
}

static void do_body(Visit *v, Body *b)
{
	Short *c = v->ctx;
	edit_body(&c->edits, b);
	Open o = open_body(c, b);
	for (int u = 0; u < b->stms.len; u++)
		try_write(c, &o, u);
	edit_body(&c->edits, b);
	for EACH(Stm, s, b->stms)
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
}

Prog *shortcircuit(Prog *prog)
{
	Prog *out = copy_arrays(prog);
	Short c = {.aliases = block_aliases(out)};
	Visit v = {.body = do_body, .ctx = &c};
	for EACH(Fun *, f, out->funs)
		do_body(&v, &(*f)->body);
	return out;
}
