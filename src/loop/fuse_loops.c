// The pass `fuse_loops`: loop fusion beyond what is expressible by combinators.
//
//     let (es: [n]i64, e: i64) = loop (p: *[n]i64 = out, a: i64 = 0) for i: i64 < n do {
//       .. let (b: i64) = add.i64 a x
//       let (q: [n]i64) = update p [i] b
//       in q, b
//     }
//     let (ys: [n]f64) = loop (y: *[n]f64 = dest) for j: i64 < n do {
//       let (k: i64) = index es [j]
//       .. update y [k] z
//     }
//   ->
//     let (es: [n]i64, e: i64, ys: [n]f64) =
//         loop (p: *[n]i64 = out, a: i64 = 0, y: *[n]f64 = dest) for i: i64 < n do {
//       .. let (b: i64) = add.i64 a x
//       let (q: [n]i64) = update p [i] b
//       .. update y [b] z
//       in q, b, ..
//     }
//
// An element of a scan is known in the iteration that computes it, so a consumer that reads the
// scan row by row can be fused with it; likewise a histogram or a scatter whose inputs have other
// consumers.  An array that is read nowhere else becomes dead.
//
// If the last element of a scan is needed before its rows, the scan is computed twice rather than
// stored, provided that it is cheap.
//
// Two loops are fused if they have the same number of iterations and the second reads, of the
// results of the first, only the row of its own iteration (Note [Rows]).  Histograms and scatters
// that read the same rows are fused too.
//
// A loop that profits from vectorisation (independent iterations that call functions such as exp)
// is not fused with one that has a loop-carried dependence.
//
// Requires: the pass `seq`.  Ensures nothing that other passes rely on.
#include "opt/opt.h"
#include "opt/order.h"

enum { WINDOW = 500 };          // statements in between that are looked at

// Note [Rows].  A parameter of the first loop is made row by row if its only use is to be updated
// at the counter with a row that becomes part of the next value: then that row is what the array
// has at the counter once the loop is done.
typedef struct {
	const Exp *loop;                // that was looked at last
	int rows, all;                  // its reads of rows at the counter, and all of its uses
} Reads;

typedef struct {
	Order o;
	Node **def;                     // by variable: the loop of the open body that gives it
	Node **reader;                  // by variable: the last loop that reads rows of it
	Reads *reads;                   // by variable, of `counted`
	const Exp *counted;
	uint32_t attempt;
	bool joined;                    // any loops
} FuseLoops;

static bool is_for(const Exp *e)
{
	return e->form == E_loop && !e->loop.is_while;
}

static bool is_var(Sub s, Var v)
{
	return s.kind == S_VAR && s.var.id == v.id;
}

// ---- Rows that are made ----

static bool takes_row(Slices at, Subs dims, Var i)
{
	if (!at.at[0].fixed || !is_var(at.at[0].start, i))
		return false;
	for (int k = 1; k < at.len; k++)
		if (at.at[k].fixed || !sub_eq(at.at[k].start, sub_i64(0)) ||
		    !sub_eq(at.at[k].step, sub_i64(1)) || !sub_eq(at.at[k].len, dims.at[k]))
			return false;
	return true;
}

// Is the array consumed by a statement of the body from `from` on?
static bool is_consumed_from(FuseLoops *f, const Body *b, int from, Sub x)
{
	if (x.kind != S_VAR || type_is_scalar(sub_type(x)))
		return false;
	for (int k = from; k < b->stms.len; k++) {
		SubVec out = {0};
		stm_consumed(&b->stms.at[k], &out);
		for EACH(Sub, y, out)
			if (y->kind == S_VAR && alias_class(&f->o.alias, y->var) ==
			                        alias_class(&f->o.alias, x.var))
				return true;
	}
	return false;
}

// The row that iteration i puts into result k of a loop.
static bool row_made(FuseLoops *f, const Exp *e, int k, Sub *row)
{
	const Body *b = &e->loop.body;
	Var p = e->loop.params.at[k];
	Sub res = b->res.at[k];
	if (res.kind != S_VAR || f->o.count[p.id] != 1 || f->o.count[res.var.id] != 1)
		return false;
	for (int i = b->stms.len; i-- > 0;) {
		const Stm *s = &b->stms.at[i];
		if (s->pat.len != 1 || s->pat.at[0].id != res.var.id)
			continue;
		const Exp *u = s->exp;
		if (u->form != E_update || !is_var(u->update.arr, p) ||
		    !takes_row(u->update.at, vars[p.id].type.dims, e->loop.i) ||
		    is_consumed_from(f, b, i + 1, u->update.val))
			return false;
		*row = u->update.val;
		return true;
	}
	return false;
}

// ---- Rows that are read ----

static bool reads_row(const Exp *e, Var arr, Var i)
{
	if (e->form == E_index)
		return is_var(e->index.arr, arr) && is_var(e->index.idx.at[0], i);
	return e->form == E_slice && is_var(e->slice.arr, arr) && e->slice.at.at[0].fixed &&
	       is_var(e->slice.at.at[0].start, i);
}

// The array whose row at the counter a statement reads.
static bool row_read(const Exp *loop, const Exp *e, Var *arr)
{
	Sub x = e->form == E_index ? e->index.arr
	      : e->form == E_slice ? e->slice.arr : sub_bool(false);
	if (x.kind != S_VAR || !reads_row(e, x.var, loop->loop.i))
		return false;
	*arr = x.var;
	return true;
}

static Reads *reads_of(FuseLoops *f, Var arr)
{
	Reads *r = &f->reads[arr.id];
	if (r->loop != f->counted)
		*r = (Reads){.loop = f->counted};
	return r;
}

static void count_read(Visit *v, Sub *s)
{
	if (s->kind == S_VAR)
		reads_of(v->ctx, s->var)->all++;
}

static void count_row_reads(Visit *v, Body *b)
{
	FuseLoops *f = v->ctx;
	Var arr;
	for EACH(Stm, s, b->stms)
		if (row_read(f->counted, s->exp, &arr))
			reads_of(f, arr)->rows++;
	body_visit(b, v);
}

// How a loop reads an array.  It is gone through once, for all arrays that are asked for.
static Reads reads_in(FuseLoops *f, const Exp *loop, Var arr)
{
	if (f->counted != loop) {
		f->counted = loop;
		Visit v = {.sub = count_read, .body = count_row_reads, .ctx = f};
		exp_walk(loop, &v);
	}
	return *reads_of(f, arr);
}

// Does a loop use an array only by its rows at the counter?
static bool reads_only_rows(FuseLoops *f, const Exp *e, Var arr)
{
	Reads r = reads_in(f, e, arr);
	return r.rows == r.all;
}

// Does a loop hand a part of the array on?  A row that is still being made may be consumed by then.
static bool hands_on(FuseLoops *f, const Exp *e, Var arr)
{
	for EACH(Sub, r, e->loop.body.res)
		if (r->kind == S_VAR && !type_is_scalar(sub_type(*r)) &&
		    alias_class(&f->o.alias, r->var) == alias_class(&f->o.alias, arr))
			return true;
	return false;
}

// ---- May two loops be fused? ----

// Worth vectors: functions that take long, among the statements of the body itself.
static bool calls_functions(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (stm_is_function(s))
			return true;
	return false;
}

static bool is_worthwhile(const Node *p, const Node *c)
{
	bool a = has_attr(p->stm.attrs, ATTR_PARALLEL), b = has_attr(c->stm.attrs, ATTR_PARALLEL);
	if (a == b)
		return true;
	return !calls_functions(&(a ? p : c)->stm.exp->loop.body);
}

static int result_index(const Node *p, Var v)
{
	for (int k = 0; k < p->stm.pat.len; k++)
		if (p->stm.pat.at[k].id == v.id)
			return k;
	return -1;
}

// What the second loop needs of the first, or of what comes after it, is only rows that the
// first makes.
static bool needs_only_rows(FuseLoops *f, Node *p, Node *c)
{
	for EACH(Var, x, c->uses) {
		if (!order_is_tainted(&f->o, *x))
			continue;
		Sub row;
		int k = result_index(p, *x);
		if (k < 0 || !row_made(f, p->stm.exp, k, &row) ||
		    !reads_only_rows(f, c->stm.exp, *x) || hands_on(f, c->stm.exp, *x))
			return false;
	}
	return !order_consumes_read(&f->o, c);
}

static bool are_similar(const Stm *s, const Stm *t)
{
	const Exp *a = s->exp, *b = t->exp;
	if (!is_for(a) || !is_for(b) || !sub_eq(a->loop.n, b->loop.n) ||
	    vars[a->loop.i.id].type.elem != vars[b->loop.i.id].type.elem)
		return false;
	if (has_attr(s->attrs, ATTR_REGION) || has_attr(t->attrs, ATTR_REGION))
		return false;   // what comes out of a region is there when all of it is done
	return !is_device_loop(s->attrs) && !is_device_loop(t->attrs);
}

static bool are_alike(const Node *p, const Node *c)
{
	return !p->dead && !p->has_trace && !c->has_trace && p->pos < c->pos &&
	       c->pos - p->pos <= WINDOW && are_similar(&p->stm, &c->stm);
}

// ---- Fusing two loops ----

typedef struct { FuseLoops *f; Node *p; Node *c; } Joining;

// A read of a row becomes a name for the row, or a read of it.
static void use_row(Joining *j, Stm *s)
{
	Sub arr = s->exp->form == E_index ? s->exp->index.arr
	        : s->exp->form == E_slice ? s->exp->slice.arr : sub_bool(false);
	int k = arr.kind == S_VAR ? result_index(j->p, arr.var) : -1;
	Sub row;
	if (k < 0 || !reads_row(s->exp, arr.var, j->c->stm.exp->loop.i))
		return;
	if (!row_made(j->f, j->p->stm.exp, k, &row))
		bug("a row that was found before is gone");
	const Exp *e = s->exp;
	if (e->form == E_index && e->index.idx.len > 1) {
		Subs idx = {e->index.idx.at + 1, e->index.idx.len - 1};
		s->exp = EXP(index, row, idx);
	} else if (e->form == E_slice) {
		Slices at = {e->slice.at.at + 1, e->slice.at.len - 1};
		s->exp = EXP(slice, row, at);
	} else {
		s->exp = EXP(atom, row);
	}
	if (row.kind == S_VAR)
		j->f->o.count[row.var.id]++;
	j->f->o.count[arr.var.id]--;
}

static void use_rows(Visit *v, Body *b)
{
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		use_row(v->ctx, s);
		if (form_has(s->exp->form, FORM_NEST))
			s->exp = exp_visit(s->exp, v);
	}
}

// The statements of the first loop, then those of the second.  In a chain of loops the first one's
// list is the longer one: it grows, and none of it is copied again.
static StmVec joined_stms(const Node *p, Stms second)
{
	Stms first = p->stm.exp->loop.body.stms;
	StmVec out = p->body;
	if (out.at != first.at || out.len != first.len) {
		out = (StmVec){0};
		VEC_APPEND(&out, first);
	}
	VEC_APPEND(&out, second);
	return out;
}

// What is true of both.
static Attributes common_attributes(Attributes a, Attributes b)
{
	Attributes out = {.marks = a.marks & b.marks};
	for EACH(Name, x, a)
		out = has_attr_text(b, *x) ? with_attr_text(out, *x) : out;
	return out;
}

// The second loop takes the first one in.
static void join(FuseLoops *f, Node *p, Node *c)
{
	f->joined = true;
	const Exp *first = p->stm.exp;
	Joining j = {f, p, c};
	Visit v = {.body = use_rows, .copy = true, .ctx = &j};
	Body second = c->stm.exp->loop.body;
	use_rows(&v, &second);
	Exp *e = exp_dup(c->stm.exp);
	Map renamed = {0};
	Sub counter = sub_var(first->loop.i);
	map_put(&renamed, var_key(e->loop.i), &counter);
	second = body_subst(second, &renamed);
	e->loop.i = first->loop.i;
	e->loop.params = vars_cat(first->loop.params, e->loop.params);
	e->loop.inits = subs_cat(first->loop.inits, e->loop.inits);
	c->body = joined_stms(p, second.stms);
	e->loop.body.stms = VEC_SLICE(Stms, c->body);
	e->loop.body.res = subs_cat(first->loop.body.res, second.res);
	c->stm.exp = e;
	c->stm.pat = vars_cat(p->stm.pat, c->stm.pat);
	c->stm.certs = vars_cat(p->stm.certs, c->stm.certs);
	c->stm.attrs = common_attributes(p->stm.attrs, c->stm.attrs);
	order_take_in(c, p);
	for EACH(Var, y, c->stm.pat)
		f->def[y->id] = c;
}

static bool try_fuse(FuseLoops *f, Node **order, Node *p, Node *c)
{
	if (p == c || !are_alike(p, c) || !is_worthwhile(p, c))
		return false;
	bool *after = order_between(&f->o, order, p, c);
	if (!after || !needs_only_rows(f, p, c) || !may_rewrite())
		return false;
	int from = p->pos, to = c->pos;
	join(f, p, c);
	order_merge(order, from, to, after);
	return true;
}

// ---- Computing again ----

// Rows that cost less to compute than to store: scalars of a few operations.  A chain of floats is
// not cheap: each iteration waits for the one before, and the loop that follows loses its vectors.
static bool is_cheap(const Exp *loop)
{
	enum { MOST = 16 };
	const Body *b = &loop->loop.body;
	if (b->stms.len > MOST || calls_functions(b))
		return false;
	for EACH(Var, p, loop->loop.params)
		if (type_is_scalar(vars[p->id].type) && is_float(vars[p->id].type.elem))
			return false;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		bool choice = is_select(e);
		bool scalar = e->form == E_prim || e->form == E_convert || e->form == E_index ||
		              choice;
		if (!scalar && e->form != E_update)
			return false;
	}
	return true;
}

// The results of p that c needs row by row and nobody else needs at all; false if there is none,
// or c needs anything else of an array.
static bool find_rows(FuseLoops *f, Node *p, Node *c, bool *rows)
{
	bool any = false;
	for EACH(Var, x, c->uses) {
		int k = result_index(p, *x);
		Sub row;
		if (k < 0 || type_is_scalar(vars[x->id].type))
			continue;
		Reads r = reads_in(f, c->stm.exp, *x);
		if (!r.all)             // it made them itself before
			continue;
		if (r.rows != r.all || f->o.count[x->id] != r.all ||
		    !row_made(f, p->stm.exp, k, &row) || !type_is_scalar(sub_type(row)))
			return false;
		rows[k] = any = true;
	}
	return any;
}

// Is all that p reads still there at c?
static bool reads_stay(FuseLoops *f, Node **order, Node *p, Node *c)
{
	if (!order_between(&f->o, order, p, c) || order_consumes_read(&f->o, c))
		return false;
	for (int k = p->pos + 1; k < c->pos; k++)
		if (!order[k]->dead && order_consumes_read(&f->o, order[k]))
			return false;
	return true;
}

static void grow(FuseLoops *f, uint32_t from)
{
	f->def = table_grow(f->def, from * sizeof *f->def, n_vars * sizeof *f->def);
	f->reader = table_grow(f->reader, from * sizeof *f->reader, n_vars * sizeof *f->reader);
	f->reads = table_grow(f->reads, from * sizeof *f->reads, n_vars * sizeof *f->reads);
}

// A loop that needs the end of a scan before it uses its rows cannot be fused with it.  It makes
// the rows itself then, if they are cheap, and the scan need not store them:
//
//     let (es, e) = loop (p = out, a = 0) for i < n do {..}       let (e) = loop (a = 0) ..
//     let (ys) = loop (y = dest) for j < n do {               ->  let (ys) = loop (a = 0, y = dest)
//       .. index es [j] .. e .. }
static bool compute_again(FuseLoops *f, Node **order, Node *p, Node *c)
{
	if (p == c || !are_alike(p, c) || !is_cheap(p->stm.exp) ||
	    has_attr(p->stm.attrs, ATTR_PARALLEL))
		return false;
	bool *rows = NEW_ARRAY(bool, p->stm.pat.len);
	if (!find_rows(f, p, c, rows) || !reads_stay(f, order, p, c) || !may_rewrite())
		return false;
	uint32_t before = n_vars;
	Subs pat = {NEW_ARRAY(Sub, p->stm.pat.len), p->stm.pat.len};
	for (int k = 0; k < pat.len; k++)
		pat.at[k] = sub_var(p->stm.pat.at[k]);
	Body copy = body_rename((Body){.stms = {mem_dup(&p->stm, sizeof p->stm), 1}, .res = pat});
	Node *again = order_new_node(&f->o, &copy.stms.at[0]);
	grow(f, before);
	Map renamed = {0};
	for (int k = 0; k < pat.len; k++) {
		if (!rows[k])
			continue;
		map_put(&renamed, var_key(pat.at[k].var), &copy.res.at[k]);
		f->o.count[copy.res.at[k].var.id] = f->o.count[pat.at[k].var.id];
		f->o.count[pat.at[k].var.id] = 0;
	}
	Exp *e = exp_dup(c->stm.exp);
	e->loop.body = body_subst(e->loop.body, &renamed);
	c->stm.exp = e;
	join(f, again, c);
	return true;
}

// ---- Bodies ----

// A loop that gives many things that c uses is asked once.
static bool is_to_try(FuseLoops *f, Node *p)
{
	if (!p || p->tried == f->attempt)
		return false;
	p->tried = f->attempt;
	return true;
}

static bool fuse_vertically(FuseLoops *f, Node **order, Node *c)
{
	f->attempt++;
	for EACH(Var, x, c->uses)
		if (is_to_try(f, f->def[x->id]) && try_fuse(f, order, f->def[x->id], c))
			return true;
	f->attempt++;
	for EACH(Var, x, c->uses)
		if (is_to_try(f, f->def[x->id]) && compute_again(f, order, f->def[x->id], c))
			return true;
	return false;
}

// Loops with independent iterations over the same rows are fused as combinators.
static bool fuse_horizontally(FuseLoops *f, Node **order, Node *c)
{
	if (!is_for(c->stm.exp) || has_attr(c->stm.attrs, ATTR_PARALLEL))
		return false;
	f->attempt++;
	for EACH(Stm, s, c->stm.exp->loop.body.stms) {
		Var arr;
		if (!row_read(c->stm.exp, s->exp, &arr))
			continue;
		Node *p = f->reader[arr.id];
		if (is_to_try(f, p) && !has_attr(p->stm.attrs, ATTR_PARALLEL) &&
		    try_fuse(f, order, p, c))
			return true;
	}
	return false;
}

static void set_reader(FuseLoops *f, const Exp *e, Node *n)
{
	for EACH(Stm, s, e->loop.body.stms) {
		Var arr;
		if (row_read(e, s->exp, &arr))
			f->reader[arr.id] = n;
	}
}

static void fuse_stms(FuseLoops *f, Body *b)
{
	int n = b->stms.len;
	Node **all = order_nodes(&f->o, b->stms), **order = mem_dup(all, (size_t)n * sizeof *all);
	for (int i = 0; i < n; i++) {
		Node *c = all[i];
		if (!is_for(c->stm.exp))
			continue;
		while (fuse_vertically(f, order, c) || fuse_horizontally(f, order, c))
			continue;
		for EACH(Var, y, c->stm.pat)
			f->def[y->id] = c;
		set_reader(f, c->stm.exp, c);
	}
	for (int i = 0; i < n; i++)
		if (!all[i]->dead && is_for(all[i]->stm.exp)) { // which has all of those that are
			for EACH(Var, y, all[i]->stm.pat)
				f->def[y->id] = NULL;
			set_reader(f, all[i]->stm.exp, NULL);
		}
	b->stms = order_stms(order, n);
}

static bool has_pair(const Body *b, void *ctx)
{
	(void)ctx;
	VEC(const Stm *) loops = {0};
	for EACH(Stm, s, b->stms) {
		if (!is_for(s->exp))
			continue;
		for (int k = loops.len; k-- > 0 && s - loops.at[k] <= WINDOW;)
			if (are_similar(loops.at[k], s))
				return true;
		VEC_PUSH(&loops, s);
	}
	return false;
}

static void fuse_body(Visit *v, Body *b)
{
	if (has_pair(b, NULL))
		fuse_stms(v->ctx, b);
	nested_visit(b, v);
}

Prog *fuse_loops(Prog *prog)
{
	FuseLoops f = {.o = order_new(prog)};
	f.def = NEW_TABLE(Node *, n_vars);
	f.reader = NEW_TABLE(Node *, n_vars);
	f.reads = NEW_TABLE(Reads, n_vars);
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	Visit v = {.body = fuse_body, .funs = &funs, .copy = true, .ctx = &f};
	for EACH(Fun *, g, out->funs) {
		if (!fun_to_rewrite(*g, &funs, has_pair, NULL))
			continue;
		order_fun(&f.o, *g);
		fun_rewrite(*g, &v);
	}
	order_free(&f.o);
	table_free(f.def);
	table_free(f.reader);
	table_free(f.reads);
	return f.joined ? out : prog;
}
