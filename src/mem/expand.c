// The pass `expand`: memory of the threads and thread blocks of kernels.
//
//     #[kernel] loop ... for i: i64 < n do {            let (k1: i64) = mul.i64 p q
//       let (k: i64) = mul.i64 p q                      #[kernel] loop ... for i: i64 < n do {
//       let (m: mem.f64) = alloc.f64 k            ->      let (m: mem.f64) = alloc.f64 k1
//       let (a: mem.i32) = alloc.i32 8                    let (a: mem.i32) = alloc.i32 8 stack
//       ...                                               ...
//     }                                                 }
//
// The allocations stay in the kernel, which records whether they belong to threads or thread
// blocks; the code generator allocates one block for all of them before the kernel starts, and has
// to know its size there.  The size is an upper bound (bounds.c).  Sizes of which there is none
// before the kernel are left in place; such blocks come from a heap on the device.
//
// Small blocks of constant size that belong to one thread go on its stack.  In the body of a
// #[blocks] loop, outside #[threads] loops, a block belongs to all threads of the thread block and
// does not go on the stack.  Functions called by kernels run in a single thread.
//
// Requires: the MEM stage without releases.  Replaces stack_alloc: host code never has blocks on
// its stack, since its arrays are in device memory.
#include "mem/bounds.h"
#include "mem/uses.h"
#include "opt/opt.h"

typedef enum { ON_HOST, OF_THREAD, OF_BLOCK } Owner;

typedef struct {
	Map funs;                               // copies
	Map called;                             // by kernels, directly or not
	Owner owner;
	KernelBounds *bounds;                   // of the kernel at hand
	Build *before;                          // the statements before the kernel
	int64_t left;                           // bytes of the stack
} Expand;

// ---- Blocks ----

static bool fits_stack(Expand *x, const Exp *e, const BlockUse *u)
{
	if (x->owner != OF_THREAD || (u && u->n_operand) || e->alloc.n.kind != S_CONST ||
	    e->alloc.n.val.i < 0 || e->alloc.n.val.i > threshold(AT_stack_block))
		return false;
	int64_t bytes = e->alloc.n.val.i * primtype_size(e->alloc.type);
	if (bytes > threshold(AT_stack_block) || bytes > x->left)
		return false;
	x->left -= bytes;
	return true;
}

static void do_alloc(Expand *x, Stm *s, const BlockUse *u)
{
	Sub n;
	s->exp = exp_dup(s->exp);
	if (fits_stack(x, s->exp, u))
		s->exp->alloc.stack = true;
	else if (x->before && bound_before(x->bounds, x->before, s->exp->alloc.n, &n)) {
		s->exp->alloc.n = n;
		s->certs = (Vars){0};
	}
}

static void do_loop(Visit *v, Stm *s)
{
	Expand *x = v->ctx;
	Owner before = x->owner;
	bool outermost = before == ON_HOST && is_kernel(s);
	if (has_attr(s->attrs, ATTR_KERNEL) ||
	    (before == OF_BLOCK && has_attr(s->attrs, ATTR_THREADS)))
		x->owner = OF_THREAD;
	else if (has_attr(s->attrs, ATTR_BLOCKS))
		x->owner = OF_BLOCK;
	if (outermost) {
		x->bounds = kernel_bounds(s->exp);
		x->left = threshold(AT_stack_thread);
	}
	s->exp = exp_visit(s->exp, v);
	x->owner = before;
}

static void do_stm(Visit *v, Stm *s, const Uses *uses)
{
	Expand *x = v->ctx;
	if (s->exp->form == E_alloc && x->owner != ON_HOST)
		do_alloc(x, s, block_use(uses, s->pat.at[0]));
	else if (s->exp->form == E_loop)
		do_loop(v, s);
	else
		s->exp = exp_visit(s->exp, v);
}

// Statements come before kernels alone.
static void do_host_body(Visit *v, Body *b)
{
	Expand *x = v->ctx;
	Build out = {0};
	b_open(&out);
	for EACH(Stm, at, b->stms) {
		Stm s = *at;
		x->before = &out;
		do_stm(v, &s, NULL);
		b_emit(&out, s);
	}
	*b = b_close(&out, b->res);
}

// How blocks are used is asked of those that the body allocates: most bodies have none.
static void do_body(Visit *v, Body *b)
{
	Expand *x = v->ctx;
	if (x->owner == ON_HOST) {
		do_host_body(v, b);
		return;
	}
	bool allocates = false;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms)
		allocates |= s->exp->form == E_alloc;
	Uses uses = allocates ? uses_of_body(b) : (Uses){0};
	for EACH(Stm, s, b->stms)
		do_stm(v, s, &uses);
}

// ---- Functions that kernels call ----

Prog *expand(Prog *prog)
{
	Expand x = {.called = called_by_kernels(prog)};
	Visit v = {.body = do_body, .funs = &x.funs, .copy = true, .ctx = &x};
	Prog *out = prog_copy(prog, &x.funs);
	for (int i = 0; i < out->funs.len; i++) {
		x.owner = map_has(&x.called, prog->funs.at[i]) ? OF_THREAD : ON_HOST;
		x.before = NULL;
		x.left = threshold(AT_stack_thread) / 4;
		do_body(&v, &out->funs.at[i]->body);
	}
	return out;
}
