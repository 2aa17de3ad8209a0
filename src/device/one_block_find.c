// Which statements one block of threads can do (one_block.c).
#include "device/one_block.h"

typedef enum {
	HOST,                                   // arithmetic
	VIEW, MEMORY,                           // of an array; new
	WORK,                                   // a kernel, or what is like one
	CHOICE,                                 // of the parts of a sum, or their sum
	END
} Kind;

// ---- What a block can do ----

// Of a thread: scalars, elements, and choices between these.
static bool is_simple_stm(const Stm *s)
{
	const Exp *e = s->exp;
	if (s->certs.len || (has_attrs(s->attrs) && !has_attr(s->attrs, ATTR_REDUCE)) ||
	    s->pat.len != 1)
		return false;
	bool scalar = type_is_scalar(vars[s->pat.at[0].id].type);
	switch (e->form) {
	case E_prim:
		return !prim_can_fail(e->prim.op, e->prim.at);
	case E_convert: case E_atom: case E_index:
		return scalar;
	case E_if_:
		return scalar && body_all(&e->if_.yes, is_simple_stm) &&
		       body_all(&e->if_.no, is_simple_stm);
	default: // arrays, loops, what may fail
		return false;
	}
}

static bool is_element_update(const Stm *s)
{
	return s->exp->form == E_update && is_element(s->exp->update.at) && !s->certs.len &&
	       !has_attrs(s->attrs);
}

static bool is_marked(const Stm *s, Mark only)
{
	return !s->attrs.len && s->attrs.marks == attr_of(only).marks;
}

static bool is_for(const Stm *s)
{
	return s->exp->form == E_loop && !s->exp->loop.is_while && !s->certs.len;
}

static bool is_thread_body(const Body *b, bool folds);

// An addition to an element, indivisible or not, or none.
static bool is_addition(const Stm *s)
{
	const Exp *e = s->exp;
	if (is_for(s) && is_marked(s, ATTR_ATOMIC))
		return is_thread_body(&e->loop.body, false);
	return e->form == E_if_ && !s->certs.len && !has_attrs(s->attrs) &&
	       is_thread_body(&e->if_.yes, false) && is_thread_body(&e->if_.no, false);
}

static bool is_thread_body(const Body *b, bool folds)
{
	for EACH(Stm, s, b->stms)
		if (!is_simple_stm(s) && !is_element_update(s) && !is_addition(s) &&
		    !(folds && s->exp->form == E_call && !s->certs.len && !has_attrs(s->attrs)))
			return false;
	return true;
}

static bool is_plain_kernel(const Stm *s)
{
	return is_for(s) && is_marked(s, ATTR_KERNEL) &&
	       is_thread_body(&s->exp->loop.body, false);
}

// One part of a sum, or one block that does a sum.
static bool is_sum(const Stm *s)
{
	if (!is_for(s) || !is_marked(s, ATTR_BLOCKS))
		return false;
	for EACH(Stm, t, s->exp->loop.body.stms) {
		bool threads = is_for(t) && is_marked(t, ATTR_THREADS) &&
		               is_thread_body(&t->exp->loop.body, true);
		if (!threads && !is_simple_stm(t) && !is_element_update(t))
			return false;
	}
	return true;
}

const Stm *run_stm(const Run *r, Sub x)
{
	return x.kind == S_VAR ? map_get(&r->at, var_key(x.var)) : NULL;
}

static bool of_parts(const Run *r, Sub x)
{
	return x.kind == S_VAR && map_has(&r->parts, var_key(x.var));
}

static bool is_column(Type t)
{
	return t.kind == T_DATA && t.dims.len == 1;
}

// ---- Which statements ----

// The number of elements of a sum, as the statement says that decides how many parts it has.
static bool sum_width(Run *r, const Exp *loop)
{
	bool any = false;
	if (!sub_eq(loop->loop.n, sub_i64(1)) && !of_parts(r, loop->loop.n))
		return false;
	for (int i = r->from; of_parts(r, loop->loop.n) && i < r->to; i++) {
		const Stm *s = &r->body->stms.at[i];
		if (has_attr(s->attrs, ATTR_GRID) && sub_eq(sub_var(s->pat.at[0]), loop->loop.n)) {
			VEC_PUSH(&r->widths, s->exp->opaque.xs.at[1]);
			return true;
		}
	}
	for EACH(Stm, t, loop->loop.body.stms)
		if (t->exp->form == E_loop) {
			Sub n = t->exp->loop.n;
			if (stm_index(&loop->loop.body, n) >= 0 || of_parts(r, n))
				return false;
			VEC_PUSH(&r->widths, n);
			any = true;
		}
	return any;
}

static Kind kind_of_update(Run *r, const Exp *e)
{
	int n = 0;
	for EACH(DimSlice, d, e->update.at)
		n += !d->fixed;
	if (n != 1 || !is_column(sub_type(e->update.val)))
		return END;
	VEC_PUSH(&r->widths, sub_type(e->update.val).dims.at[0]);
	const Stm *val = run_stm(r, e->update.val);
	r->n_work += !val || val->exp->form != E_replicate;
	return WORK;
}

static Kind kind_of_choice(Run *r, const Exp *e)
{
	if (!of_parts(r, e->if_.cond))
		return END;
	for EACH(Stm, s, e->if_.no.stms)
		if (s->exp->form != E_reshape || s->certs.len)
			return END;
	return CHOICE;
}

static Kind kind_of(Run *r, const Stm *s)
{
	const Exp *e = s->exp;
	if (s->certs.len)
		return END;
	switch (e->form) {
	case E_opaque:
		return is_marked(s, ATTR_GRID) ? HOST : END;
	case E_prim:
		return has_attrs(s->attrs) ? END : HOST; // fails before the run or not at all
	case E_slice: case E_reshape:
		return has_attrs(s->attrs) ? END : VIEW;
	case E_scratch:
		return has_attrs(s->attrs) ? END : MEMORY;
	case E_copy: case E_replicate:
		if (has_attrs(s->attrs) || !is_column(vars[s->pat.at[0].id].type) ||
		    (e->form == E_replicate && !type_is_scalar(sub_type(e->replicate.x))))
			return END;
		VEC_PUSH(&r->widths, vars[s->pat.at[0].id].type.dims.at[0]);
		r->n_work++;
		return WORK;
	case E_update:
		return has_attrs(s->attrs) ? END : kind_of_update(r, e);
	case E_loop:
		if (is_plain_kernel(s))
			VEC_PUSH(&r->widths, e->loop.n);
		else if (!is_sum(s) || !sum_width(r, e))
			return END;
		r->n_work++;
		r->n_kernels++;
		return WORK;
	case E_if_:
		return has_attrs(s->attrs) ? END : kind_of_choice(r, e);
	default: // not for a block
		return END;
	}
}

// ---- Arrays ----

static bool find_root(const Run *r, Sub x, Var *root);

static bool choice_root(const Run *r, const Exp *e, int k, Var *root)
{
	const Body *no = &e->if_.no;
	const Exp *def = def_in(no, no->res.at[k]);
	return find_root(r, def ? def->reshape.arr : no->res.at[k], root);
}

// The array that x is, as it is before it is written.
static bool find_root(const Run *r, Sub x, Var *root)
{
	const Stm *s = run_stm(r, x);
	if (x.kind != S_VAR)
		return false;
	*root = x.var;
	if (!s)
		return true;
	const Exp *e = s->exp;
	int k = 0;
	while (s->pat.at[k].id != x.var.id)
		k++;
	switch (e->form) {
	case E_update:
		return find_root(r, e->update.arr, root);
	case E_loop:
		return find_root(r, e->loop.inits.at[k], root);
	case E_if_:
		return choice_root(r, e, k, root);
	case E_slice:
		return find_root(r, e->slice.arr, root);
	case E_reshape:
		return find_root(r, e->reshape.arr, root);
	default: // new
		return true;
	}
}

static void note_write(Run *r, Sub init, Var now)
{
	Var root;
	if (!find_root(r, init, &root))
		bug("a kernel writes %s", show_sub(init));
	for (int i = 0; i < r->roots.len; i++)
		if (r->roots.at[i].id == root.id) {
			r->last.at[i] = now;
			return;
		}
	VEC_PUSH(&r->roots, root);
	VEC_PUSH(&r->last, now);
}

int run_root(const Run *r, Sub x)
{
	Var root;
	for (int i = 0; find_root(r, x, &root) && i < r->roots.len; i++)
		if (r->roots.at[i].id == root.id)
			return i;
	return -1;
}

static void note_writes(Run *r, const Stm *s)
{
	const Exp *e = s->exp;
	switch (e->form) {
	case E_scratch: case E_copy: case E_replicate:
		note_write(r, sub_var(s->pat.at[0]), s->pat.at[0]);
		break;
	case E_update:
		note_write(r, e->update.arr, s->pat.at[0]);
		break;
	case E_loop:
		for (int k = 0; k < s->pat.len; k++)
			note_write(r, e->loop.inits.at[k], s->pat.at[k]);
		break;
	default: // writes nothing
		break;
	}
}

// Numbers of the host, and views of arrays that the run leaves alone, stay outside.
bool stays_outside(const Run *r, const Stm *s)
{
	Form f = s->exp->form;
	if (f == E_slice || f == E_reshape)
		return run_root(r, f == E_slice ? s->exp->slice.arr : s->exp->reshape.arr) < 0;
	return f == E_prim || f == E_opaque;
}

// ---- What is used afterwards ----

typedef struct { Map used; int at; } Uses;

static void note_use(Visit *v, Sub *x)
{
	Uses *u = v->ctx;
	if (x->kind == S_VAR)
		map_put(&u->used, var_key(x->var), mem_dup(&u->at, sizeof u->at));
}

static void note_size(Visit *v, Var *x)
{
	Type t = vars[x->id].type;
	Visit sizes = {.sub = note_use, .ctx = v->ctx};
	type_visit(&t, &sizes);
}

Map last_uses(const Body *b)
{
	Uses u = {0};
	Visit v = {.sub = note_use, .bind = note_size, .ctx = &u};
	for (; u.at < b->stms.len; u.at++)
		stm_walk(&b->stms.at[u.at], &v);
	for EACH(Sub, x, b->res)
		note_use(&v, x);
	return u.used;
}

bool is_used_after(const Run *r, Var x)
{
	const int *at = map_get(r->used, var_key(x));
	return at && *at >= r->to;
}

static bool size_of_parts(const Run *r, Type t)
{
	for EACH(Sub, d, t.dims)
		if (of_parts(r, *d))
			return true;
	return false;
}

// Is it an array as it is in the end, by any name?
static bool is_final(const Run *r, const Stm *s, int k)
{
	Sub x = sub_var(s->pat.at[k]);
	int root = run_root(r, x);
	if (root < 0 || size_of_parts(r, vars[s->pat.at[k].id].type))
		return false;
	if (s->exp->form != E_if_)
		return r->last.at[root].id == x.var.id;
	const Body *no = &s->exp->if_.no;
	const Exp *def = def_in(no, no->res.at[k]);
	return sub_eq(def ? def->reshape.arr : no->res.at[k], sub_var(r->last.at[root]));
}

// Statements of which something else is used after the run end it.
static int first_misfit(const Run *r)
{
	for (int i = r->from; i < r->to; i++) {
		const Stm *s = &r->body->stms.at[i];
		for (int k = 0; k < s->pat.len && !stays_outside(r, s); k++)
			if (is_used_after(r, s->pat.at[k]) && !is_final(r, s, k))
				return i;
	}
	return -1;
}

// Does the run read, by another name, an array from outside that it writes?
static bool reads_written(const Run *r)
{
	Body run = {.stms = {r->body->stms.at + r->from, r->to - r->from}};
	Vars free = free_in_body(&run);
	for EACH(Var, root, r->roots) {
		if (run_stm(r, sub_var(*root)))
			continue;
		for EACH(Var, x, free)
			if (x->id != root->id && vars[x->id].type.kind == T_DATA &&
			    vars[x->id].type.dims.len &&
			    alias_class(&r->c->alias, *x) == alias_class(&r->c->alias, *root))
				return true;
	}
	return false;
}

// ---- Finding runs ----

void take_run(Run *r, int to)
{
	r->at = r->parts = (Map){0};
	r->roots.len = r->last.len = r->widths.len = r->n_work = r->n_kernels = 0;
	r->to = r->from;
	while (r->to < to) {
		const Stm *s = &r->body->stms.at[r->to];
		Kind kind = kind_of(r, s);
		if (kind == END)
			break;
		r->to++;
		vars_put(&r->at, s->pat, s);
		if (has_attr(s->attrs, ATTR_GRID))
			map_put(&r->parts, var_key(s->pat.at[0]), r);
		else if (kind == HOST && stm_mentions(s, &r->parts))
			vars_put(&r->parts, s->pat, r);
		note_writes(r, s);
	}
}

bool find_run(Run *r, int from)
{
	r->from = from;
	take_run(r, r->body->stms.len);
	for (int i; r->n_work > 1 && (i = first_misfit(r)) >= 0;)
		take_run(r, i);
	return r->n_work > 1 && !reads_written(r);
}
