// The pass `split_functions`: outlines loops of large functions, to limit the time the C compiler
// takes: functions are smaller, those that only call others need little of its care, and those that
// are the same are one (gen/cmerge.c).
//
//     fun f (n: i64, ...) = {                    fun f (n: i64, ...) = {
//       ...                                        ...
//       let (y: f64) = loop (...) ..               let (y: f64) = call f.piece1 (n, ...)
//       let (zs: [n]f64 @ m + 0) = loop ..  ->     let (zs: [n]f64 @ m + 0) = call f.piece2 (m, ..)
//       ...                                        ...
//     }                                          }
//                                                fun f.piece1 #[piece] (n: i64, ..) : (r: f64) = ..
//
// The time of C compilers grows faster than linearly with the size of a function, and gradients
// are large: one of 1,700 statements took 21 s as one function and 11 s in pieces.  Large loops
// are themselves split first; nests that code generation handles as a unit, such as matrix
// products and vectorised iterations (gen/cfold.c), are not split.
//
// Loops that are there more than once, as in the function and its derivative, for one thread and
// for several, or in the stages of a method, become pieces even if they are small.
//
// As in regions (outline.c), arrays are passed with whatever layout they have.  A piece has one
// caller, which precedes it.  The sizes of blocks are passed too, since vector code needs them.
//
// Requires: the MEM stage, after all other passes.  Ensures: equal results.
#include "core/key.h"
#include "opt/opt.h"
#include "loop/loop.h"

typedef struct {
	Map funs;                       // Fun * -> Fun *
	Map shapes;                     // of loops, Exp *: how many have the same, int *
	const Fun *fun;                 // the one at hand
	Map sizes;                      // of blocks that it allocates: Sub *
	VEC(Fun *) made;
	int n_made;
} Split;

// ---- How large something is ----

// Others are nothing in C.
static bool is_code(const Stm *s)
{
	Form form = s->exp->form;
	return form != E_scratch && form != E_slice && form != E_reshape && form != E_rearrange &&
	       form != E_atom;
}

static void count_stms(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		*(int *)v->ctx += is_code(s);
		exp_visit(s->exp, v);
	}
}

static int size_of_body(const Body *b)
{
	int n = 0;
	Visit v = {.body = count_stms, .ctx = &n};
	count_stms(&v, (Body *)b);
	return n;
}

static int size_of(const Stm *s)
{
	Body around = {.stms = {(Stm *)s, 1}};
	return size_of_body(&around);
}

// ---- Which loops are there more than once ----

// The hash of a statement says what it does, not to which variables, nor at which indices: those of
// some rows are others than those of all.
typedef struct { uint64_t hash; Map counts; Map *shapes; } Shapes;

static void hash_operand(Visit *v, Sub *s)
{
	Shapes *x = v->ctx;
	if (s->kind == S_CONST && s->val.type != PT_I64)
		x->hash = hash_mix(x->hash, s->val.u);
}

static void hash_binder(Visit *v, Var *b)
{
	Shapes *x = v->ctx;
	Type t = vars[b->id].type;
	uint64_t kind = (uint64_t)t.kind << 16 | (uint64_t)t.elem << 8;
	x->hash = hash_mix(x->hash, kind | (uint64_t)t.dims.len);
}

static void note_loop(Shapes *x, const Exp *loop)
{
	const void *key = (const void *)(uintptr_t)(x->hash | 1);
	int *n = map_get(&x->counts, key);
	if (!n)
		map_put(&x->counts, key, n = NEW(int, 0));
	++*n;
	map_put(x->shapes, loop, n);
}

static bool is_index(const Stm *s)
{
	return s->exp->form == E_prim && vars[s->pat.at[0].id].type.elem == PT_I64;
}

static void hash_body(Visit *v, Body *b)
{
	enum { FEW = 32 };
	Shapes *x = v->ctx;
	for EACH(Stm, s, b->stms) {
		if (!is_code(s) || is_index(s))
			continue;
		uint64_t before = x->hash, words[FEW];
		Key head = {.words = words, .room = FEW};
		key_head(&head, s->exp);
		key_word(&head, s->attrs.marks);
		x->hash = hash_words(words, head.len < FEW ? head.len : FEW);
		stm_walk(s, v);
		if (s->exp->form == E_loop)
			note_loop(x, s->exp);
		x->hash = hash_mix(before, x->hash);
	}
}

static void note_shapes(Split *split, const Prog *prog)
{
	Shapes x = {.shapes = &split->shapes};
	Visit v = {.sub = hash_operand, .bind = hash_binder, .body = hash_body, .ctx = &x};
	for EACH(Fun *, f, prog->funs) {
		Fun *g = map_get(&split->funs, *f);
		hash_body(&v, &g->body);
	}
}

// ---- Which loops ----

// Calls are of functions that may call this one again; their room on the stack is watched there.
static bool calls_others(const Stm *s)
{
	return s->exp->form == E_call && !has_attr(s->exp->call.fn->attrs, ATTR_PIECE);
}

typedef struct { Vars free; bool found; } Released;

static void note_released(Visit *v, Body *b)
{
	Released *r = v->ctx;
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_release)
			r->found |= vars_find(r->free, s->exp->release.block) >= 0;
		exp_visit(s->exp, v);
	}
}

// Does it release a block from outside?  That is the caller's.
static bool releases_outer(const Body *b)
{
	Released r = {.free = free_in_body(b)};
	Visit v = {.body = note_released, .ctx = &r};
	note_released(&v, (Body *)b);
	return r.found;
}

// Results are scalars, and arrays in blocks from outside at places that are known there.
static bool may_be_piece(const Stm *s)
{
	if (s->exp->form != E_loop || runs_at_once(s->attrs) || has_attr(s->attrs, ATTR_ATOMIC))
		return false;
	for EACH(Var, x, s->pat)
		if (vars[x->id].type.kind == T_MEM)
			return false;
	for EACH(Var, p, s->exp->loop.params)
		if (vars[p->id].type.kind == T_MEM)
			return false;
	const Body *b = &s->exp->loop.body;
	Map own = {0};
	vars_put(&own, s->pat, &own);
	return !types_any(s->pat, is_one_of, &own) && !body_find(b, calls_others) &&
	       !releases_outer(b);
}

// ---- Splitting ----

// Does it do less than it would be passed?  In deep nests each piece would be passed what all those
// inside of it are, too: it stays in the loop around it, which may do enough to be one.
static bool is_passed_more(const Stm *s)
{
	Body around = {.stms = {(Stm *)s, 1}};
	int passed = free_in_body(&around).len;
	return passed > threshold(AT_split_passed) && passed > 2 * size_of(s);
}

static void make_piece(Split *x, Stm *s)
{
	VEC(Var) sizes = {0};
	Body around = {.stms = {s, 1}};
	Vars free = free_in_body(&around);
	for EACH(Var, b, free) {
		const Sub *n = map_get(&x->sizes, var_key(*b));
		if (n && n->kind == S_VAR)
			VEC_PUSH(&sizes, n->var);
	}
	Name name = name_of(text("%s.piece%d", x->fun->name, ++x->n_made));
	Attributes attrs = with_attr((Attributes){0}, ATTR_PIECE);
	VEC_PUSH(&x->made, outline_loop(s, name, attrs, VEC_SLICE(Vars, sizes)));
}

// How bodies are split: if they have more than `most` statements, loops with at least `least`.
typedef struct { Split *x; int most, least; } How;

static void split_body(Visit *v, Body *b);

static void split_inside(Stm *s, How how)
{
	Visit v = {.body = split_body, .copy = true, .ctx = &how};
	s->exp = exp_visit(s->exp, &v);
}

// Do blocks change hands from one iteration to the next?  Then it does one thing after the other,
// and iterations are no lanes of vectors.
static bool takes_steps(const Stm *s)
{
	if (s->exp->form == E_loop)
		for EACH(const Var, p, s->exp->loop.params)
			if (vars[p->id].type.kind == T_MEM)
				return true;
	return false;
}

// Loops that are there more than once become one function (gen/cmerge.c): in large bodies
// small ones too, if there is a loop in them, as calls take time.
static bool is_worth(How how, const Stm *s, bool large)
{
	int n = size_of(s);
	if (large && n >= how.least)
		return true;
	const int *twins = map_get(&how.x->shapes, s->exp);
	return twins && *twins > 1 &&
	       (n >= threshold(AT_split_piece) ||
	        (large && n >= threshold(AT_split_twin) &&
	         body_find(&s->exp->loop.body, stm_is_loop)));
}

static void split_body(Visit *v, Body *b)
{
	How how = *(How *)v->ctx;
	bool large = size_of_body(b) > how.most;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_alloc)
			map_put(&how.x->sizes, var_key(s->pat.at[0]), &s->exp->alloc.n);
		if (!large || runs_at_once(s->attrs))
			continue;
		if (s->exp->form == E_if_)
			split_inside(s, (How){how.x, 0, how.least});
		else if (s->exp->form == E_loop && body_find(&s->exp->loop.body, calls_others))
			split_inside(s, (How){how.x, 0, 1}); // calls are the least there
		else if (takes_steps(s))
			split_inside(s, (How){how.x, threshold(AT_split_steps),
			                      threshold(AT_split_piece)});
		else if (size_of(s) > threshold(AT_split_loop))
			split_inside(s, (How){how.x, threshold(AT_split_function),
			                      threshold(AT_split_piece)});
	}
	for EACH(Stm, s, b->stms)
		if (may_be_piece(s) && is_worth(how, s, large) && !is_passed_more(s) &&
		    may_rewrite())
			make_piece(how.x, s);
}

static bool is_large(const Fun *f)
{
	return size_of_body(&f->body) > threshold(AT_split_function);
}

Prog *split_functions(Prog *prog)
{
	bool any = false;
	for EACH(Fun *, f, prog->funs)
		any |= is_large(*f);
	if (!any)
		return prog;
	Split x = {0};
	VEC(Fun *) funs = {0};
	for EACH(Fun *, f, prog->funs)
		map_put(&x.funs, *f, mem_dup(*f, sizeof **f));
	for EACH(Fun *, f, prog->funs)
		fun_new_callees(map_get(&x.funs, *f), &x.funs);
	note_shapes(&x, prog);
	for EACH(Fun *, f, prog->funs) {
		Fun *g = map_get(&x.funs, *f);
		VEC_PUSH(&funs, g);
		x.fun = g;
		x.sizes = (Map){0};
		x.made.len = x.n_made = 0;
		How how = {&x, threshold(AT_split_function), 1};
		split_body(&(Visit){.ctx = &how}, &g->body);
		while (x.made.len) // a caller before those that it calls
			VEC_PUSH(&funs, x.made.at[--x.made.len]);
	}
	return NEW(Prog, .funs = VEC_SLICE(Funs, funs), .stage = prog->stage);
}
