// For the pass `coalesce`: layouts of arrays in shared memory.
//
//     #[local] let (sums: [n][m]f32) = scratch.f32 [n][m]
//     #[threads] loop .. for r: i64 < k do {
//       .. i = r + first % n .. loops over j: add to sums[i, j] ..
//     }
// becomes
//     #[local] let (t: [m][n]f32) = scratch.f32 [m][n]
//     let (sums: [n][m]f32) = rearrange (1, 0) t
//     ..
//
// Shared memory has 32 banks, of which each serves one thread at a time.  Neighbouring threads that
// access neighbouring rows at the same column would meet in one of them if m is a multiple of 32,
// and wait for each other.  With the dimension that tells them apart last, they have a bank each.
// What counts are accesses in loops of the threads; others are few beside them.
//
// Requires and ensures: see coalesce.c.
#include "device/coalesce.h"
#include "loop/loop.h"

// How threads access an array by any of its names.
typedef struct {
	const Thread *thread;
	const Map *names;
	int depth;                              // of loops in the thread
	int inner;                           // the dimension that tells neighbours apart; -1: none
	bool mixed;                             // not in all accesses
} Accesses;

static void note_access(Accesses *a, const Sub *at, int n)
{
	int found = -1;
	for (int d = 0; d < n; d++) {
		if (counts(a->thread, at[d]) && found < 0)
			found = d;
		else if (differs(a->thread, at[d]))
			a->mixed = true;
	}
	a->mixed |= found < 0 || (a->inner >= 0 && a->inner != found);
	a->inner = found;
}

static void note_update(Accesses *a, Slices at)
{
	Sub *idx = NEW_ARRAY(Sub, at.len);
	for (int d = 0; d < at.len; d++) {
		idx[d] = at.at[d].start;
		a->mixed |= !at.at[d].fixed;
	}
	note_access(a, idx, at.len);
}

static bool is_named(const Accesses *a, Sub x)
{
	return x.kind == S_VAR && map_has(a->names, var_key(x.var));
}

static void look_at_accesses(Visit *v, Body *b)
{
	Accesses *a = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form == E_index && a->depth && is_named(a, e->index.arr))
			note_access(a, e->index.idx.at, e->index.idx.len);
		else if (e->form == E_update && a->depth && is_named(a, e->update.arr))
			note_update(a, e->update.at);
		else if (e->form == E_slice || e->form == E_copy)
			a->mixed |= stm_mentions(s, a->names);
		bool loop = e->form == E_loop && !has_attr(s->attrs, ATTR_ATOMIC);
		a->depth += loop;
		if (form_has(e->form, FORM_NEST))
			exp_visit(s->exp, v);
		a->depth -= loop;
	}
}

// The dimension that is to be last in memory, or -1.
static int dim_of_threads(const Stm *kernel, const Stm *scratch)
{
	int rank = scratch->exp->scratch.dims.len;
	Map names = {0};
	follow_updates((Body *)&kernel->exp->loop.body, scratch->pat.at[0], &names);
	Innermost in = innermost_of(kernel);
	int inner = -1;
	for EACH(const Stm *, loop, in.loops) {
		Thread t = thread_of(kernel, &in, *loop);
		Accesses a = {.thread = &t, .names = &names, .inner = inner};
		Visit v = {.body = look_at_accesses, .ctx = &a};
		look_at_accesses(&v, (Body *)&(*loop)->exp->loop.body);
		if (a.mixed)
			return -1;
		inner = a.inner;
	}
	return inner == rank - 1 ? -1 : inner;
}

typedef struct { const Stm *kernel; StmVec out; } Turn;

static void turn_scratch(Turn *turn, const Stm *s, int d)
{
	int n = s->exp->scratch.dims.len, *back = NEW_ARRAY(int, n);
	Type t = type_plain(vars[s->pat.at[0].id].type);
	Subs dims = t.dims;
	t.dims = SLICE_DUP(Subs, dims);
	for (int k = 0; k < n; k++) {
		back[k] = k < d ? k : k == d ? n - 1 : k - 1;
		t.dims.at[back[k]] = dims.at[k];
	}
	Sub turned = emit_stm(&turn->out, "local", t, EXP(scratch, t.elem, t.dims), s->where);
	turn->out.at[turn->out.len - 1].attrs = s->attrs;
	turn->out.at[turn->out.len - 1].certs = s->certs;
	emit_rearrange(&turn->out, turned, back, s->where);
	turn->out.at[turn->out.len - 1].pat = s->pat;
	turn->out.at[turn->out.len - 1].certs = s->certs;
}

// What all threads of a block go through.
static void turn_body(Visit *v, Body *b)
{
	Turn *turn = v->ctx;
	StmVec before = turn->out;
	turn->out = (StmVec){0};
	for EACH(const Stm, old, b->stms) {
		Stm s = *old;
		bool local = has_attr(s.attrs, ATTR_LOCAL) && s.exp->form == E_scratch;
		int d = local ? dim_of_threads(turn->kernel, &s) : -1;
		if (form_has(s.exp->form, FORM_NEST) && !is_device_loop(s.attrs))
			s.exp = exp_visit(s.exp, v);
		if (d >= 0 && may_rewrite())
			turn_scratch(turn, &s, d);
		else
			VEC_PUSH(&turn->out, s);
	}
	b->stms = VEC_SLICE(Stms, turn->out);
	turn->out = before;
}

// A kernel of blocks.
void turn_local(Stm *kernel)
{
	Turn turn = {.kernel = kernel};
	Visit v = {.body = turn_body, .copy = true, .ctx = &turn};
	kernel->exp = exp_visit(kernel->exp, &v);
}
