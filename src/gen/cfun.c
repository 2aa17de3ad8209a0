// Emits functions: their signatures, the two rounds over their bodies, and the cleanup code.
#include "core/key.h"
#include "gen/cgen.h"

#include <ctype.h>

const char *c_fun_name(const Fun *f)
{
	Str out = {0};
	str_puts(&out, "rd_fun_");
	for (const char *s = f->name; *s; s++)
		if (isalnum((unsigned char)*s) || *s == '_')
			str_putc(&out, *s);
		else
			str_printf(&out, "_%02x", (unsigned char)*s);
	return str_text(&out);
}

// ---- After the first round: what is needed ----

static bool *node(Gen *g, uint32_t n)
{
	return n <= n_vars ? &state_of(g, (Var){n - 1})->live
	                   : &state_of(g, (Var){n - 1 - n_vars})->pointer_live;
}

// What is read for the sake of something needed is needed; everything is that is read by what
// belongs to no scalar (node 0).
void find_live(Gen *g)
{
	int *first = g->first_use, *next = NEW_TABLE(int, g->uses.len + 1);
	for (int i = 0; i < g->uses.len; i++) {
		next[i + 1] = first[g->uses.at[i].by];
		first[g->uses.at[i].by] = i + 1;
	}
	VEC(uint32_t) todo = {0};
	VEC_PUSH(&todo, 0);
	while (todo.len > 0) {
		uint32_t by = todo.at[--todo.len];
		for (int i = first[by]; i; i = next[i]) {
			const Use *u = &g->uses.at[i - 1];
			bool *live = node(g, u->what);
			if (!*live)
				VEC_PUSH(&todo, u->what);
			*live = true;
			if (u->what <= n_vars) {
				VarState *st = state_of(g, (Var){u->what - 1});
				st->used_in = u->body;
				st->n_uses++;
			}
		}
	}
	for EACH(Use, u, g->uses)
		first[u->by] = 0;
	table_free(next);
}

// ---- Text ----

static const char *result_type(const Gen *g, const Fun *f)
{
	// What is in an entry point besides is only its interface: loops mixed with that were
	// slower by up to a quarter.
	bool apart = f->entry || has_attr(f->attrs, ATTR_APART) || is_piece(f);
	return g->target == ON_DEVICE ? "RD_DEVICE int"
	     : g->target == ON_HOST   ? "static RD_HOST int"
	     : apart                  ? "static RD_APART int"
	                              : "static int";
}

static CFun *head_of(Gen *g, const Fun *f)
{
	bool device = g->target == ON_DEVICE;
	CFun *out = NEW(CFun, .result = result_type(g, f), .name = c_fun_name(f));
	if (device)
		add_param(out, "RD_THREAD_PARAMS", NULL);
	else
		add_param(out, "struct futhark_context *", "ctx");
	for EACH(Var, v, f->res) {
		Type t = vars[v->id].type;
		const char *name = fresh_name(g, t.kind == T_MEM ? "out_mem" : "out");
		if (t.kind == T_MEM)
			add_param(out, text("%s*", block_type(g, *v)), name);
		else if (type_is_scalar(t))
			add_param(out, text("%s *", c_scalar_type(t.elem)), name);
		state_of(g, *v)->shown = x_name(name);
	}
	for EACH(Var, v, f->params) {
		Type t = vars[v->id].type;
		VarState *st = state_of(g, *v);
		st->is_param = true;
		if (t.kind == T_MEM) {
			const char *hint = st->hint ? st->hint : "block";
			const char *name = fresh_name(g, device ? hint : text("%s_mem", hint));
			st->shown = x_name(name);
			add_param(out, block_type(g, *v), name);
		} else if (type_is_scalar(t)) {
			add_param(out, device ? c_scalar_type(t.elem) : c_param_type(t.elem),
			          bind_name(g, *v));
		}
	}
	return out;
}

static void gen_results(Gen *g, const Fun *f)
{
	settle_loads(g);
	for (int k = 0; k < f->res.len; k++) {
		Type t = vars[f->res.at[k].id].type;
		const char *out = state_of(g, f->res.at[k])->shown->text;
		if (t.kind == T_MEM)
			give_block(g, out, true, f->body.res, k);
		else if (type_is_scalar(t))
			s_assign(g->c, x_unary("*", x_name(out), PREC_ATOM),
			         operand(g, f->body.res.at[k]));
	}
}

// ---- Where results are to be ----

// The bodies around a statement, innermost first.
typedef struct Around { const Body *body; const struct Around *up; } Around;

static void note_place(Gen *g, const Around *in, Sub block, const char *out);

// The number of elements of a block that a body itself allocates, or NULL.
static const Sub *allocated(const Body *body, Sub block)
{
	for EACH(const Stm, s, body->stms)
		if (s->exp->form == E_alloc && !s->exp->alloc.stack && block.kind == S_VAR &&
		    s->pat.at[0].id == block.var.id)
			return &s->exp->alloc.n;
	return NULL;
}

static void place(Gen *g, Var block, const char *out)
{
	if (!map_has(&g->fun.place_of, var_key(block)))
		map_put(&g->fun.place_of, var_key(block), (void *)out);
}

// Results of branches.  One that was made before them is placed if the other branch makes one of
// another size, as the last round of a sum does, whose partial results are the result if there is
// only one: else that might have to be copied.
static void note_branches(Gen *g, const Around *in, const Exp *e, int k, const char *out)
{
	const Body *arms[] = {&e->if_.yes, &e->if_.no};
	for (int i = 0; i < 2; i++) {
		Sub block = arms[i]->res.at[k];
		const Sub *other = allocated(arms[1 - i], arms[1 - i]->res.at[k]), *before = NULL;
		for (const Around *a = in; a && !before; a = a->up)
			before = allocated(a->body, block);
		if (!before)
			note_place(g, &(Around){arms[i], in}, block, out);
		else if (other && !sub_eq(*before, *other))
			place(g, block.var, out);
	}
}

static void note_place(Gen *g, const Around *in, Sub block, const char *out)
{
	for EACH(const Stm, s, in->body->stms)
		for (int k = 0; k < s->pat.len && block.kind == S_VAR; k++) {
			const Exp *e = s->exp;
			if (s->pat.at[k].id != block.var.id)
				continue;
			if (e->form == E_if_)
				note_branches(g, in, e, k, out);
			else if (e->form == E_call || (e->form == E_alloc && !e->alloc.stack))
				place(g, block.var, out);
		}
}

// The blocks that an entry point, or its version without threads, makes for its results.
static void note_places(Gen *g, const Fun *f)
{
	g->fun.place_of = (Map){0};
	if (!g->placing || g->target == ON_DEVICE || !(f->entry || has_attr(f->attrs, ATTR_APART)))
		return;
	for (int k = 0; k < f->res.len; k++)
		if (vars[f->res.at[k].id].type.kind == T_MEM)
			note_place(g, &(Around){&f->body, NULL}, f->body.res.at[k],
			           state_of(g, f->res.at[k])->shown->text);
}

// The statements of the body.
static CBlock *gen_function_body(Gen *g, const Fun *f)
{
	g->body = &f->body;
	note_places(g, f);
	g->profile.in_chunk = has_attr(f->attrs, ATTR_REGION);
	g->profile.n_loops = g->profile.n_parallel = 0;
	g->profile.timed = NULL;
	enter_piece(g, f);
	CBlock *body = code_begin(g->c);
	g->fun.blocks.len = g->fun.pending.len = g->fun.lane_blocks.len = 0;
	g->c->off = g->counting;
	while (g->fun.sizes.len)
		state_of(g, g->fun.sizes.at[--g->fun.sizes.len])->is_size = false;
	for EACH(Var, v, f->params)
		note_sizes(g, vars[v->id].type);
	for EACH(Var, p, f->params)
		if (vars[p->id].type.kind == T_MEM)
			point_to(g, *p);
		else if (vars[p->id].type.mem)
			place_hint(g, *p);
	enter_recursion(g, f);
	gen_stms(g, &f->body);
	gen_results(g, f);
	return body;
}

static void ignore(Code *c, const char *name)
{
	s_do(c, x_cast("void", x_name(name), PREC_ATOM));
}

static void ignore_unused(Gen *g, const Fun *f)
{
	if (!g->fun.uses_ctx && g->target != ON_DEVICE)
		ignore(g->c, "ctx");
	for EACH(Var, v, f->params) {
		Type t = vars[v->id].type;
		const VarState *st = state_of(g, *v);
		if ((t.kind == T_MEM || type_is_scalar(t)) && !st->live && !st->pointer_live)
			ignore(g->c, st->shown->text);
	}
}

typedef SLICE(const char *) Names;

// Blocks that are released in the end.
static Names block_names(Gen *g)
{
	Names out = {NEW_ARRAY(const char *, g->fun.blocks.len + g->fun.lane_blocks.len), 0};
	for EACH(Var, b, g->fun.blocks)
		out.at[out.len++] = state_of(g, *b)->shown->text;
	for EACH(const char *, name, g->fun.lane_blocks)
		out.at[out.len++] = *name;
	return out;
}

// Many are released by a loop over their addresses: at each jump to the end compilers know which
// ones are NULL, and would make code of its own for it.
static void release_all(Gen *g, Names blocks)
{
	CExps at = {NEW_ARRAY(CExp, blocks.len), blocks.len};
	for (int i = 0; i < blocks.len; i++)
		at.at[i] = x_address(x_name(blocks.at[i]));
	if (blocks.len <= threshold(AT_released_blocks)) {
		for EACH(CExp, b, at)
			s_do(g->c, x_call("rd_release", x_name("ctx"), *b));
		return;
	}
	const char *all = fresh_name(g, "blocks");
	rts_use(g->rts, "rd_release_all");
	s_scope(g->c);
	s_array(g->c, "struct rd_block **const", all, NULL, x_list(at));
	s_do(g->c, x_call("rd_release_all", x_name("ctx"), x_name(all), x_int(blocks.len)));
	s_close(g->c);
}

// What stands before and after the statements of the body.
static CBlock *whole_body(Gen *g, const Fun *f, const CBlock *body)
{
	CBlock *whole = code_begin(g->c);
	ignore_unused(g, f);
	if (!g->fun.cleans) {
		s_splice(g->c, body);
		s_return(g->c, x_int(0));
		return whole;
	}
	Names blocks = block_names(g);
	for EACH(const char *, b, blocks)
		s_declare(g->c, "struct rd_block *", *b, x_const("NULL"));
	// Jumps to the label must not pass declarations: C++ forbids it.
	s_declare(g->c, "int", "err", x_int(0));
	s_scope(g->c);
	s_splice(g->c, body);
	s_close(g->c);
	if (g->fun.can_fail)
		s_label(g->c, "cleanup");
	release_all(g, blocks);
	s_return(g->c, x_name("err"));
	return whole;
}

void reset_names(Gen *g)
{
	g->fun.names = (Map){0};
	for (const char *const *s = (const char *const[]){"ctx", "err", "cleanup", NULL}; *s; s++)
		map_put(&g->fun.names, name_of(*s), NULL);
}

// A function that has been counted.
static CFun *gen_counted(Gen *g, const Fun *f)
{
	g->fun.helpers = (Str){0};
	g->fun.uses_ctx = false;        // what was counted may be written without
	reset_names(g);
	CFun *out = head_of(g, f);
	out->body = gen_function_body(g, f);
	return out;
}

void check_code(const CFun *f)
{
	const char *wrong = ir_check(f);
	if (wrong)
		bug("the code of %s: %s", f->name, wrong);
}

// ---- Functions that are control alone ----

static bool calls(const CBlock *b, const char *prefix)
{
	for (const CStm *s = b->first; s; s = s->next)
		if ((s->x && s->x->kind == X_CALL && str_starts(s->x->text, prefix)) ||
		    calls(&s->body, prefix) || calls(&s->other, prefix))
			return true;
	return false;
}

static bool calls_functions(const CBlock *b)
{
	return calls(b, "rd_fun_") || calls(b, "rd_parallel");
}

// A few iterations without loops in them: nothing beside threads that start.
static bool is_short(const CStm *s)
{
	enum { FEW = 16 };
	if (s->kind != S_FOR || !s->loop->cond || s->loop->cond->kind != X_BINARY)
		return false;
	CExp most = s->loop->cond->x[1];
	if (most->kind != X_INT || most->value > FEW || !x_is_int(s->loop->from, 0))
		return false;
	for (const CStm *t = s->body.first; t; t = t->next)
		if (t->body.first)
			return false;
	return true;
}

// Do all loops call functions in turn, but for short ones where threads are started?  Counts
// statements.
static bool is_control(const CBlock *b, bool threads, int *n)
{
	bool ok = true;
	for (const CStm *s = b->first; s && ok; s = s->next) {
		++*n;
		bool loops = s->kind == S_FOR || s->kind == S_WHILE || s->kind == S_REPEAT;
		ok = (!loops || calls_functions(&s->body) || (threads && is_short(s))) &&
		     is_control(&s->body, threads, n) && is_control(&s->other, threads, n);
	}
	return ok;
}

// Large ones take C compilers long, for nothing: what takes time then is in what they call.
static bool is_large_control(const CFun *f)
{
	enum { LARGE = 100 };
	int n = 0;
	return is_control(f->body, calls(f->body, "rd_parallel"), &n) && n >= LARGE;
}

CFun *gen_function(Gen *g, const Fun *f)
{
	g->counting = true;
	g->store.blends = has_shared_stores(&f->body);
	g->uses.len = 0;
	g->fun.cleans = true;
	g->fun.can_fail = g->fun.uses_ctx = false;
	g->user = 0;
	g->where = f->where;
	gen_counted(g, f);
	find_live(g);

	g->counting = false;
	g->fun.cleans = g->fun.blocks.len > 0;
	CFun *out = gen_counted(g, f);
	if (!g->fun.cleans && g->fun.lane_blocks.len) { // which counting does not see
		g->fun.cleans = true;
		out = gen_counted(g, f);
	}
	out->body = whole_body(g, f, out->body);
	out->helpers = str_text(&g->fun.helpers);
	if (g->target == ON_CPU && is_large_control(out))
		out->result = "static RD_CONTROL int";
	check_code(out);
	return out;
}

// The first of those that do the same.  Pieces are compared once they are written: cmerge.c.
static const Fun *first_alike(const Gen *g, const Fun *f)
{
	const Fun *first = map_get(&g->alike, f);
	return first && !is_piece(first) ? first : f;
}

const char *called_name(const Gen *g, const Fun *f)
{
	return c_fun_name(first_alike(g, f));
}

void gen_functions(Str *out, const Prog *prog, Rts *rts, bool places)
{
	Gen g = {.rts = rts,
	         .c = &(Code){0},
	         .placing = places,
	         .alike = funs_alike(prog),
	         .params = own_params(prog),
	         .state = NEW_TABLE(VarState *, n_vars),
	         .first_use = NEW_TABLE(int, 2 * n_vars + 1)};
	VEC(const CFun *) funs = {0};
	VEC(bool) fixed = {0};
	rts_use(rts, "context");
	for EACH(Fun *, at, prog->funs) {
		if (first_alike(&g, *at) != *at)
			continue;
		VEC_PUSH(&funs, gen_function(&g, *at));
		VEC_PUSH(&fixed, (*at)->entry != NULL);
	}
	put_functions(out, funs.at, fixed.at, funs.len);
	table_free(g.state);
	table_free(g.first_use);
}
