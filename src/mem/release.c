// The pass `release`: frees a block after the last statement that needs it.
//
//     let (m: mem.f64) = alloc.f64 n
//     let (xs: [n]f64 @ m + 0) = iota.f64 n 0.0 1.0
//     let (s: f64) = loop ... index xs [i] ...
//     let () = release m
//     let (y: f64) = ...
//
// The body that binds a block releases it, unless it is one of the body's results.  A block is
// needed by every statement that mentions it or an array placed in it, at any depth.  Other names
// of the same block have their own reference (mem.h, Note [Block references]).
//
// Requires: the MEM stage without releases.  Stack blocks are not released.
#include "mem/pass.h"

#include <limits.h>

#include "opt/opt.h"

enum { IN_RESULTS = INT_MAX };

typedef struct {
	Map funs;                               // copies
	int *depth;                             // by block: of the body that binds it; 0: none does
	int *last;                              // by block: the last statement there to need it
	VEC(int) at;                            // the statement at hand, for each open body
} Release;

static void need(Release *r, Var m)
{
	int d = r->depth[m.id];
	if (d)
		r->last[m.id] = r->at.at[d];
}

static void need_operand(Visit *v, Sub *s)
{
	if (s->kind != S_VAR)
		return;
	const Type *t = &vars[s->var.id].type;
	if (t->kind == T_MEM)
		need(v->ctx, s->var);
	else if (t->mem)
		need(v->ctx, t->mem->block);
}

static bool binds_blocks(const Stm *s)
{
	return s->exp->form != E_alloc || !s->exp->alloc.stack;
}

// The body with releases after the statements given by `last`.
static Stms with_releases(const Release *r, Stms stms, Vars blocks)
{
	int *count = NEW_ARRAY(int, stms.len + 1);
	for EACH(Var, m, blocks)
		if (r->last[m->id] != IN_RESULTS)
			count[r->last[m->id] + 1]++;
	for (int i = 0; i < stms.len; i++)
		count[i + 1] += count[i];
	Var *order = NEW_ARRAY(Var, blocks.len);
	int *next = mem_dup(count, (size_t)(stms.len + 1) * sizeof *count);
	for EACH(Var, m2, blocks)
		if (r->last[m2->id] != IN_RESULTS)
			order[next[r->last[m2->id]]++] = *m2;
	VEC(Stm) out = {0};
	for (int i = 0; i < stms.len; i++) {
		VEC_PUSH(&out, stms.at[i]);
		for (int k = count[i]; k < count[i + 1]; k++)
			VEC_PUSH(&out, (Stm){.where = stms.at[i].where,
			                     .exp = EXP(release, sub_var(order[k]))});
	}
	return VEC_SLICE(Stms, out);
}

static void release_body(Visit *v, Body *b)
{
	Release *r = v->ctx;
	int depth = r->at.len;
	VEC(Var) blocks = {0};
	VEC_PUSH(&r->at, 0);
	b->stms = SLICE_DUP(Stms, b->stms);
	for (int i = 0; i < b->stms.len; i++) {
		Stm *s = &b->stms.at[i];
		if (s->exp->form == E_prim || s->exp->form == E_convert)
			continue;               // nothing about memory, as in most statements
		r->at.at[depth] = i;
		for EACH(Var, x, s->pat) {
			if (vars[x->id].type.kind != T_MEM || !binds_blocks(s) || !may_rewrite())
				continue;
			r->depth[x->id] = depth;
			r->last[x->id] = i;
			VEC_PUSH(&blocks, *x);
		}
		stm_visit(s, v);
	}
	r->at.at[depth] = IN_RESULTS;
	for EACH(Sub, res, b->res)
		need_operand(v, res);
	r->at.len--;
	b->stms = with_releases(r, b->stms, VEC_SLICE(Vars, blocks));
}

Prog *release(Prog *prog)
{
	Release r = {.depth = NEW_TABLE(int, n_vars), .last = NEW_TABLE(int, n_vars)};
	VEC_PUSH(&r.at, 0); // depth 0 means that no body binds a block
	Visit v = {.sub = need_operand, .body = release_body, .funs = &r.funs, .copy = true,
	           .share = true, .ctx = &r};
	Prog *out = prog_copy(prog, &r.funs);
	for EACH(Fun *, f, out->funs)
		release_body(&v, &(*f)->body);
	table_free(r.depth);
	table_free(r.last);
	return out;
}
