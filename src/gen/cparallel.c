// Parallel regions: loops whose body is a call that the pass `outline` made.
//
//     #[region] let (ys: ..) = loop (o: .. = out) for c: i64 < k do {
//       let (r: ..) = call main.region1 (c, n, m, xs)  in r
//     }
//  ->
//     int status;
//     if (k == 1) {
//         status = rd_fun_main_region1(ctx, 0, n, m);
//     } else {
//         struct rd_fun_main_region1_args args = {n, m};
//         status = rd_parallel(ctx, k, rd_fun_main_region1_chunk, &args);
//     }
//
// where main_region1_chunk, emitted before the function, unpacks the arguments, with a shadow of
// each block.  The statement marked #[chunks], which determines the number of chunks, becomes a
// call of rd_chunks.
#include "gen/cgen.h"

bool is_parallel_region(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_loop && !e->loop.is_while && has_attr(s->attrs, ATTR_REGION) &&
	       e->loop.body.stms.len == 1 && e->loop.body.stms.at[0].exp->form == E_call;
}

void gen_chunks(Gen *g, const Stm *s)
{
	Subs xs = s->exp->opaque.xs;
	CExp n = operand(g, xs.at[1]), work = operand(g, xs.at[2]);
	CExp extra = xs.len > 3 ? operand(g, xs.at[3]) : NULL;
	CExp how = has_attr(s->attrs, ATTR_NARROW) ? x_call("rd_is_narrow", ctx(g), n, work)
	         : xs.len > 4 ? x_call("rd_sum_chunks", ctx(g), n, work, extra,
	                               operand(g, xs.at[4]))
	         : x_call("rd_chunks", ctx(g), n, work, extra);
	rts_use(g->rts, "parallel");
	declare(g, s->pat.at[0], how);
	for (int i = 1; i < s->pat.len; i++)
		if (is_needed(g, s->pat.at[i]))
			declare(g, s->pat.at[i], result_of(g, s->pat.at[i], xs.at[i]));
}

bool is_shared_store(const Stm *s)
{
	const Body *yes = &s->exp->if_.yes, *no = &s->exp->if_.no;
	if (s->pat.len != 1 || yes->stms.len != 1 || no->stms.len)
		return false;
	const Stm *u = &yes->stms.at[0];
	return u->exp->form == E_update && has_attr(u->attrs, ATTR_SHARED) &&
	       type_is_scalar(sub_type(u->exp->update.val));
}

static bool is_shared(const Stm *s)
{
	return has_attr(s->attrs, ATTR_SHARED);
}

// Also in pieces, which are functions of their own.
static bool adds_to_shared(const Stm *s)
{
	return has_attr(s->attrs, ATTR_ATOMIC) ||
	       (s->exp->form == E_call && is_piece(s->exp->call.fn) &&
	        body_find(&s->exp->call.fn->body, adds_to_shared));
}

bool has_shared_stores(const Body *b)
{
	return body_find(b, is_shared);
}

// ---- Sums of several threads ----

static bool is_element_read(const Body *b, Sub x)
{
	const Exp *e = def_in(b, x);
	return e && e->form == E_index;
}

// #[atomic] loop (p = a) for z < 1 do {x = index p [i];  y = add x v;  p with [i] = y}
void gen_atomic_sum(Gen *g, const Stm *s)
{
	static const char *const names[N_PRIMTYPE] = {[PT_F64] = "f64", [PT_F32] = "f32",
		[PT_I64] = "i64", [PT_I32] = "i32"};
	const Body *b = &s->exp->loop.body;
	const Exp *update = def_in(b, b->res.at[0]);
	const Exp *sum = update && update->form == E_update ? def_in(b, update->update.val) : NULL;
	if (!sum || sum->form != E_prim || (sum->prim.op != P_add && sum->prim.op != P_sub))
		bug("an atomic update is no sum");
	bool left = is_element_read(b, sum->prim.x[0]);
	if ((!left && sum->prim.op == P_sub) || !names[sum->prim.at])
		bug("an atomic update is no sum");
	for EACH(Stm, t, b->stms) // what is added may be computed here
		if (t->exp->form != E_update && t->exp->form != E_index && t->exp != sum)
			gen_stm(g, t);
	Type arr = sub_type(update->update.arr);
	CExp *index = NEW_ARRAY(CExp, update->update.at.len + 1);
	for (int i = 0; i < update->update.at.len; i++)
		index[i] = operand(g, update->update.at.at[i].start);
	CExp x = operand(g, sum->prim.x[left]);
	CExp place = element(g, arr, index);
	rts_use(g->rts, "rd_atomic_sums");
	settle_loads(g);
	s_do(g->c, x_call(text("rd_add_to_%s", names[sum->prim.at]), ctx(g), x_address(place),
	                  sum->prim.op == P_sub ? x_unary("-", x, PREC_ATOM)
	                                        : x_group(x)));
}

// Where elements go depends on data that no processor foresees: sorting, filtering.
CExp blend(Gen *g, const CExp *x)
{
	rts_use(g->rts, "rd_blend");
	return x_call("rd_blend", x[0], x[1], x[2]);
}

// Which of several stores at one place is the last does not matter, but they must not mix.
void shared_store(Gen *g, CExp place, CExp value)
{
	rts_use(g->rts, "shared_store");
	if (is_silent(g)) // then the place is no element
		return;
	if (g->store.only_if)
		s_do(g->c, x_call("RD_SHARED_STORE_IF", g->store.only_if, place->x[0], place->x[1],
		                  value));
	else
		s_do(g->c, x_call("RD_SHARED_STORE", place, value));
}

// ---- Arguments ----

typedef struct { const char *field, *type; CExp value; bool block; } Argument;
typedef VEC(Argument) Arguments;

// What is passed for a block; those on the stack become one first.
CExp block_argument(Gen *g, Var v)
{
	if (state_of(g, v)->shown)
		return x_name(block_name(g, v));
	rts_use(g->rts, "rd_stack_block");
	const char *name = fresh_name(g, "on_stack");
	s_declare(g->c, "struct rd_block", name,
	          x_call("rd_stack_block", x_name(block_pointer(g, v))));
	return x_address(x_name(name));
}

static Arguments arguments_of(Gen *g, const Exp *call)
{
	Arguments out = {0};
	for (int i = 1; i < call->call.args.len; i++) { // the first is the number of the chunk
		Sub a = call->call.args.at[i];
		Type t = sub_type(a);
		if (t.kind == T_MEM)
			VEC_PUSH(&out, (Argument){text("a%d", i), "struct rd_block *",
				block_argument(g, a.var), true});
		else if (type_is_scalar(t))
			VEC_PUSH(&out, (Argument){text("a%d", i),
				text("%s ", c_param_type(t.elem)), operand(g, a), false});
	}
	return out;
}

// ---- What threads call ----

// For threads: rd_fun_NAME_chunk, which unpacks the arguments.
static const char *chunk_function(const char *name, const char *fun, const Arguments *args)
{
	Str out = {0};
	Code c = {0};
	CFun f = {.result = "static int", .name = text("%s_chunk", name), .body = code_begin(&c)};
	add_param(&f, "struct futhark_context *", "ctx");
	add_param(&f, "const void *", "args");
	add_param(&f, "int64_t", "c");
	if (args->len) {
		str_printf(&out, "struct %s_args {\n", name);
		for EACH(Argument, a, *args)
			str_printf(&out, "\t%s%s;\n", a->type, a->field);
		str_puts(&out, "};\n\n");
		const char *type = text("const struct %s_args *", name);
		s_declare(&c, type, "a", x_cast(type, x_name("args"), PREC_ATOM));
	} else {
		s_do(&c, x_cast("void", x_name("args"), PREC_ATOM));
	}
	VEC(CExp) given = {0};
	VEC_PUSH(&given, x_name("ctx"));
	VEC_PUSH(&given, x_name("c"));
	for EACH(Argument, a, *args) {
		CExp field = x_field(x_name("a"), a->field);
		if (a->block)
			s_declare(&c, "struct rd_block", a->field, x_call("rd_shadow", field));
		VEC_PUSH(&given, a->block ? x_address(x_name(a->field)) : field);
	}
	s_return(&c, x_call_of(fun, VEC_SLICE(CExps, given)));
	check_code(&f);
	fun_print(&out, &f, f.name);
	return str_text(&out);
}

void gen_parallel_region(Gen *g, const Stm *s)
{
	const Exp *e = s->exp, *call = e->loop.body.stms.at[0].exp;
	CExp n = loop_bound(g, e->loop.n);
	const char *name = c_fun_name(call->call.fn), *fun = called_name(g, call->call.fn);
	const char *status = fresh_name(g, "status");
	rts_use(g->rts, "parallel");
	Arguments args = arguments_of(g, call);
	Vars params = call->call.fn->params;
	for (int i = 0; i < params.len; i++)
		state_of(g, params.at[i])->small = smallness(g, call->call.args.at[i]);
	settle_loads(g);
	bool sums = body_find(&call->call.fn->body, adds_to_shared);
	if (!g->counting)
		str_puts(&g->fun.helpers, chunk_function(name, fun, &args));
	VEC(CExp) values = {0}, direct = {0};
	for EACH(Argument, a, args)
		VEC_PUSH(&values, a->value);
	VEC_PUSH(&direct, ctx(g));
	VEC_PUSH(&direct, x_int(0));
	VEC_APPEND(&direct, values);
	s_declare(g->c, "int", status, x_int(0));
	if (!sums) {
		s_if(g->c, x_quote("$1 == 1", n));
		s_assign(g->c, x_name(status), x_call_of(fun, VEC_SLICE(CExps, direct)));
		s_else_if(g->c, x_quote("$1 > 1", n));
	} else {
		s_if(g->c, x_quote("$1 > 0", n));
	}
	const char *packed = fresh_name(g, "args");
	if (args.len)
		s_declare(g->c, text("struct %s_args", name), packed,
		          x_list(VEC_SLICE(CExps, values)));
	quote(g->c, args.len ? "$1 = $2($3, $4, $5, &$6);" : "$1 = $2($3, $4, $5, NULL);", status,
	      sums ? "rd_parallel_sums" : "rd_parallel", ctx(g), n,
	      x_const(text("%s_chunk", name)), packed);
	s_close(g->c);
	leave_if(g, status);
}
