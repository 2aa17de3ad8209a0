// Regions of arrays, and when they are disjoint: a region is an array and its extents in each
// dimension.
//
//     let (r: [m]f64 @ b + o {n}) = slice a [k:m:1, j]      r is  a [k..k+m, j]
//     index r [i]                                           is    a [k+i, j]
//     update a [l, 0:n:1] x                                 writes a [l, 0..n]
//
// Two regions of one array are disjoint if, in some dimension, one ends before the other begins.
// An array that lies inside another is traced back to that one, through the slices of the program
// and through earlier moves.
//
// A loop that computes rows may do so in the memory it reads, if each iteration reads only where
// its own row goes, before it writes the row:
//
//     loop (q = scratch) for i < n do               a [k+1+i, j] is read in iteration i only,
//       x = index a [k+1+i, j];  ...                where row i goes if q becomes a [k+1.., ..]
//       in update q [i] y
//
// Each iteration of a parallel region has several rows, distinct from those of all others.
#include "mem/region.h"

#include "mem/pass.h"

// ---- Regions ----

static Extent extent_of(Parts p, DimSlice d)
{
	Affine len = d.fixed ? affine_const(1) : affine_of(p.known.defs, d.len);
	return (Extent){{affine_of(p.known.defs, d.start), len}, d.fixed};
}

static bool has_steps(Slices at)
{
	for EACH(DimSlice, d, at)
		if (!d->fixed && !sub_eq(d->step, sub_i64(1)))
			return true;
	return false;
}

static Region whole(Parts p, Var arr)
{
	Type t = vars[arr.id].type;
	Region r = {.ok = t.mem && t.dims.len <= MOST_DIMS};
	if (!r.ok)
		return r;
	r.base = *t.mem;
	r.n = t.dims.len;
	for (int d = 0; d < r.n; d++)
		r.dim[d] = (Extent){{affine_const(0), affine_of(p.known.defs, t.dims.at[d])},
		                    false};
	return r;
}

// A region of an array that is itself this part of `parent`.
static Region inside(Parts p, Region r, Var parent, Slices at)
{
	Region out = whole(p, parent);
	int k = 0;
	out.ok &= r.ok && !has_steps(at) && out.n == at.len;
	for (int d = 0; out.ok && d < out.n; d++) {
		Extent e = extent_of(p, at.at[d]);
		if (!e.fixed) {
			if (k == r.n)
				return (Region){.ok = false};
			affine_add_to(&e.at.start, &r.dim[k].at.start, 1);
			e.at.len = r.dim[k].at.len;
			e.fixed = r.dim[k].fixed;
			k++;
		}
		out.dim[d] = e;
	}
	out.ok &= k == r.n;
	return out;
}

static bool same_shape(Parts p, const MemLoc *at, Subs a, Subs b)
{
	bool same = a.len == b.len;
	for (int d = 1; same && !at->strides.len && d < a.len; d++)
		same = affine_equal(p.known.defs, a.at[d], b.at[d]);
	return same;
}

// What the array is part of, if that is known.
static const Origin *origin_of(Parts p, Var arr, Origin *made)
{
	const Exp *view = map_get(p.views, var_key(arr));
	Type t = vars[arr.id].type;
	if (view && view->slice.arr.kind == S_VAR) {
		*made = (Origin){.parent = view->slice.arr.var, .at = view->slice.at};
		return made;
	}
	const Origin *o = t.mem ? map_get(p.origins, var_key(t.mem->block)) : NULL;
	while (o && !(mem_eq(t.mem, &o->child) && same_shape(p, t.mem, t.dims, o->dims)))
		o = o->next;
	return o;
}

Region region_of(Parts p, Var arr, Slices at)
{
	enum { MOST_STEPS = 16 };
	Region r = whole(p, arr);
	if (at.len) {
		r.ok &= !has_steps(at) && at.len == r.n;
		for (int d = 0; r.ok && d < r.n; d++)
			r.dim[d] = extent_of(p, at.at[d]);
	}
	// In terms of the outermost array; each step is one to an array bound earlier.
	for (int step = 0; r.ok && step < MOST_STEPS; step++) {
		Origin made;
		const Origin *o = origin_of(p, arr, &made);
		if (!o)
			return r;
		r = inside(p, r, o->parent, o->at);
		arr = o->parent;
	}
	return r;
}

bool regions_disjoint(Parts p, const Region *a, const Region *b)
{
	if (!a->ok || !b->ok || a->n != b->n || !mem_eq(&a->base, &b->base))
		return false;
	for (int d = 0; d < a->n; d++)
		if (spans_apart(&p.known, &a->dim[d].at, &b->dim[d].at))
			return true;
	return false;
}

// ---- Loops ----

typedef struct {
	Parts p;
	const Region *to;
	Var block, value;                       // of the region; of v
	int row;                                // the dimension of the region that is that of rows
	Affine at_row;                          // where row i is, in that dimension
	bool many;                              // an iteration has `n_rows` of them
	Affine n_rows;
	bool written;                           // row i was written
	bool ok;
} Check;

static bool in_block(Sub s, Var block)
{
	const MemLoc *at = s.kind == S_VAR ? vars[s.var.id].type.mem : NULL;
	return at && at->block.id == block.id;
}

static bool is_row(const Check *c, const Region *r)
{
	if (!r->ok || r->n != c->to->n || !mem_eq(&r->base, &c->to->base))
		return false;
	const IndexSpan *rows = &r->dim[c->row].at;
	Affine d = affine_add(&rows->start, &c->at_row, -1);
	if (!c->many)
		return r->dim[c->row].fixed && affine_is(&d, 0);
	Affine left = affine_add(&c->n_rows, &d, -1);
	affine_add_to(&left, &rows->len, -1);
	return affine_natural(&c->p.known, &d) && affine_natural(&c->p.known, &left);
}

static void check_read(Check *c, Sub arr, Slices at)
{
	if (!in_block(arr, c->block))
		return;
	Region r = region_of(c->p, arr.var, at);
	c->ok &= regions_disjoint(c->p, &r, c->to) || (!c->written && is_row(c, &r));
}

static void check_write(Check *c, Var arr, Slices at)
{
	if (!in_block(sub_var(arr), c->block))
		return;
	Region r = region_of(c->p, arr, at);
	c->ok &= regions_disjoint(c->p, &r, c->to);
}

static void check_passed(Check *c, Subs subs)
{
	for EACH(Sub, s, subs)
		c->ok &= s->kind != S_VAR || (s->var.id != c->block.id && s->var.id != c->value.id);
}

static void check_reads(Check *c, Subs arrs)
{
	for EACH(Sub, a, arrs)
		check_read(c, *a, (Slices){0});
}

static void check_stm(Check *c, const Stm *s)
{
	const Exp *e = s->exp;
	Var to = s->pat.len ? s->pat.at[0] : (Var){0};
	switch (e->form) {
	case E_index:
		check_read(c, e->index.arr, slices_at(e->index.idx, (Subs){0}));
		return;
	case E_update:
		if (stm_is_in_place(s))
			return;
		check_read(c, e->update.val, (Slices){0});
		check_write(c, to, e->update.at);
		return;
	case E_copy:
		check_read(c, e->copy.arr, (Slices){0});
		check_write(c, to, (Slices){0});
		return;
	case E_replicate:
		check_read(c, e->replicate.x, (Slices){0});
		check_write(c, to, (Slices){0});
		return;
	case E_iota: case E_array:
		check_write(c, to, (Slices){0});
		return;
	case E_trace:
		check_reads(c, e->trace.xs);
		return;
	case E_assert_:
		for EACH(MsgPart, m, e->assert_.msg)
			if (m->is_val)
				check_read(c, m->val, (Slices){0});
		return;
	case E_call:
		check_passed(c, e->call.args);
		return;
	case E_loop:
		check_passed(c, e->loop.inits);
		return;
	default: // touches no memory
		return;
	}
}

static void check_body(Visit *v, Body *b)
{
	Check *c = v->ctx;
	for EACH(Stm, s, b->stms) {
		check_stm(c, s);
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
	check_passed(c, b->res);
}

// Is row i of the value written here, all of it?  Or the rows of a chunk.
static bool writes_row(const Stm *s, Var i, const MemLoc *value, bool chunk)
{
	const Exp *e = s->exp;
	if (e->form != E_update || !mem_eq(vars[s->pat.at[0].id].type.mem, value))
		return false;
	const DimSlice *rows = &e->update.at.at[0];
	if (chunk)
		return !rows->fixed && sub_eq(rows->step, sub_i64(1));
	return rows->fixed && sub_eq(rows->start, sub_var(i));
}

// Where iteration i of the loop writes.
static bool find_rows(Check *c, const Exp *loop, const MemLoc *value, bool chunk)
{
	AffineDefs defs = c->p.known.defs;
	c->at_row = c->to->dim[c->row].at.start;
	c->many = chunk;
	for EACH(Stm, s, loop->loop.body.stms)
		if (writes_row(s, loop->loop.i, value, chunk)) {
			const DimSlice *rows = &s->exp->update.at.at[0];
			Affine start = affine_of(defs, rows->start);
			affine_add_to(&c->at_row, &start, 1);
			if (chunk)
				c->n_rows = affine_of(defs, rows->len);
			return true;
		}
	return false;
}

static bool accesses(const Stm *s, Var block)
{
	Check c = {.ok = true, .block = block, .value = block};
	Region none = {0};
	c.to = &none;
	Map empty = {0};
	c.p = (Parts){{defs_in_map(&empty), &empty, &empty}, &empty, &empty};
	Visit v = {.body = check_body, .ctx = &c};
	check_stm(&c, s);
	if (form_has(s->exp->form, FORM_NEST))
		exp_visit(s->exp, &v);
	return !c.ok;
}

bool loop_may_write(Parts p, const Stm *stm, Var value, const Region *to)
{
	const Exp *loop = stm->exp;
	bool chunk = has_attr(stm->attrs, ATTR_REGION);
	const MemLoc *from = vars[value.id].type.mem;
	if (loop->form != E_loop || loop->loop.is_while || !to->ok)
		return false;
	Check c = {.p = p, .to = to, .block = to->base.block, .value = from->block, .ok = true};
	while (c.row < to->n && to->dim[c.row].fixed)
		c.row++;
	if (c.row == to->n)
		return false;
	if (!find_rows(&c, loop, from, chunk))
		return false;
	check_passed(&c, loop->loop.inits);
	Visit v = {.body = check_body, .ctx = &c};
	for EACH(Stm, s, loop->loop.body.stms) {
		bool row = writes_row(s, loop->loop.i, from, chunk);
		if (accesses(s, from->block) && (!row || c.written))
			return false;
		check_stm(&c, s);
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, &v);
		c.written |= row;
	}
	check_passed(&c, loop->loop.body.res);
	return c.ok && c.written;
}

bool stm_is_elsewhere(Parts p, const Stm *s, Var value, const Region *to)
{
	Check c = {.p = p, .to = to, .block = to->base.block, .ok = true, .written = true,
	           .value = vars[value.id].type.mem->block};
	Visit v = {.body = check_body, .ctx = &c};
	check_stm(&c, s);
	if (form_has(s->exp->form, FORM_NEST))
		exp_visit(s->exp, &v); // a walk
	return c.ok;
}

// Likewise all but one loop, or branch, which computes the result where it may.
static bool alternative_may_write(Parts p, const Body *b, Var value, Sub res, const Region *to)
{
	int there = 0;
	if (res.kind != S_VAR || in_block(res, to->base.block))
		return false;
	for EACH(Stm, s, b->stms)
		if (!stm_is_elsewhere(p, s, value, to)) {
			if (there++ || (!loop_may_write(p, s, res.var, to) &&
			                !branch_may_write(p, s, res.var, to)))
				return false;
		}
	return true;
}

bool branch_may_write(Parts p, const Stm *s, Var value, const Region *to)
{
	const Exp *e = s->exp;
	if (e->form != E_if_ || !to->ok)
		return false;
	const Body *yes = &e->if_.yes, *no = &e->if_.no;
	for (int i = 0; i < s->pat.len; i++)
		if (s->pat.at[i].id == value.id)
			return alternative_may_write(p, yes, value, yes->res.at[i], to) &&
			       alternative_may_write(p, no, value, no->res.at[i], to);
	return false;
}
