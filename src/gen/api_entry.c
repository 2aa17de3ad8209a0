// Calling entry points from outside.
//
//   entry main [n] (xs: [n]i32) (k: i32) : (i32, [n]i32)
//
//   int futhark_entry_main(ctx, struct futhark_opaque_tup2_i32_arr1d_i32 **out,
//                          const struct futhark_i32_1d *in0, const int32_t in1)
//   {
//       take sizes from the shapes of arguments, and check all other shapes against the types
//       copy arguments that are consumed but have other references
//       err = rd_fun_main(ctx, &o0, &o1, n, in0->mem, in1);
//       create an object for the result
//   }
//
// An array in a value of sum type may be absent (rts/c/object.h); it is passed as an array of zeros
// of the right shape.
#include "gen/api_wrap.h"

#include <ctype.h>

const char *wrap_operand(const Wrap *w, Sub s)
{
	if (s.kind == S_CONST)
		return text("INT64_C(%lld)", (long long)s.val.i);
	return map_get(&w->exprs, var_key(s.var));
}

// ---- Arguments ----

static bool has_sum(const EntryType *t)
{
	switch (t->kind) {
	case ET_PRIM:
	case ET_ARRAY: // the arrays that make up an array of sums are there
	case ET_FUN:
		return false;
	case ET_RECORD:
		for EACH(EntryField, f, t->fields)
			if (has_sum(f->type))
				return true;
		return false;
	case ET_SUM:
		return true;
	}
	bug("not a kind of surface type");
}

// The parameters of the function that are flat values of arguments: the last ones.
Vars wrap_value_params(const Fun *f)
{
	VEC(Var) data = {0};
	for EACH(Var, v, f->params)
		if (vars[v->id].type.kind == T_DATA)
			VEC_PUSH(&data, *v);
	int n = 0;
	for EACH(EntryParam, p, f->entry->params)
		n += p->type->n_values;
	if (n > data.len)
		bug("entry point %s has too few parameters", f->entry_name);
	return (Vars){n ? data.at + (data.len - n) : NULL, n};
}

const char *wrap_scalar_value(Wrap *w, PrimType t, const char *exp)
{
	if (t != PT_F16)
		return exp;
	rts_use(w->rts, "rd_float_of_half");
	return text("rd_float_of_half(%s)", exp);
}

static Arg make_arg(Wrap *w, int input, int flat, Var param)
{
	const ApiPart *p = &w->e->inputs.at[input];
	Arg a = {.param = param, .type = &vars[param.id].type};
	if (!p->type) {
		a.value = wrap_scalar_value(w, p->prim, text("in%d", input));
		return a;
	}
	const char *member = p->type->is_opaque ? text("in%d->v%d", input, flat) : NULL;
	if (a.type->dims.len == 0) {
		a.value = wrap_scalar_value(w, a.type->elem, member);
		return a;
	}
	a.mem = member ? text("%s.mem", member) : text("in%d->mem", input);
	a.shape = member ? text("%s.shape", member) : text("in%d->shape", input);
	a.may_be_absent = member && has_sum(p->type->entry);
	return a;
}

static void make_args(Wrap *w)
{
	Vars params = wrap_value_params(w->e->fun);
	int at = 0;
	for (int i = 0; i < w->e->inputs.len; i++) {
		int n = w->e->fun->entry->params.at[i].type->n_values;
		if (n == 0)                     // ()
			str_printf(&w->before, "\t(void)in%d;\n", i);
		for (int k = 0; k < n; k++, at++) {
			Arg a = make_arg(w, i, k, params.at[at]);
			if (a.value && a.type->elem == PT_I64)
				map_put(&w->exprs, var_key(a.param), (void *)a.value);
			VEC_PUSH(&w->args, a);
		}
	}
}

// ---- Sizes ----

// The first array that has a size, of those that are always there if there is one.
static const Arg *size_source(const Wrap *w, Var size, int *dim)
{
	const Arg *found = NULL;
	for EACH(const Arg, a, w->args)
		for (int d = 0; d < a->type->dims.len; d++) {
			Sub s = a->type->dims.at[d];
			bool better = !found || (found->may_be_absent && !a->may_be_absent);
			if (s.kind == S_VAR && s.var.id == size.id && better) {
				found = a;
				*dim = d;
			}
		}
	return found;
}

void wrap_define_sizes(Wrap *w)
{
	const Fun *f = w->e->fun;
	int n = 0;
	for EACH(Var, v, f->params) {
		if (vars[v->id].type.kind != T_DATA || map_has(&w->exprs, var_key(*v)))
			continue;
		bool is_value = false;
		for EACH(Arg, a, w->args)
			is_value |= a->param.id == v->id;
		if (is_value)
			continue;
		int d = 0;
		const Arg *from = size_source(w, *v, &d);
		const char *name = text("n%d", n++);
		if (!from)
			str_printf(&w->decls, "\tconst int64_t %s = 0;\n", name);
		else if (from->may_be_absent)
			str_printf(&w->decls, "\tconst int64_t %s = %s[0] < 0 ? 0 : %s[%d];\n",
			           name, from->shape, from->shape, d);
		else
			str_printf(&w->decls, "\tconst int64_t %s = %s[%d];\n", name, from->shape,
			           d);
		map_put(&w->exprs, var_key(*v), (void *)name);
	}
}

// Is the size defined by this very dimension?
static bool defines(const Wrap *w, const Arg *a, int d)
{
	int at = -1;
	Sub dim = a->type->dims.at[d];
	if (dim.kind != S_VAR || a->may_be_absent || size_source(w, dim.var, &at) != a || at != d)
		return false;
	for EACH(const Arg, b, w->args)
		if (b->param.id == dim.var.id)
			return false;
	return true;
}

// What the program relies on (rd_is_given) need not hold for what another entry point gave.
void wrap_check_shape(Wrap *w, const Arg *a)
{
	Str s = {0};
	if (a->type->dims.len > 1) {
		rts_use(w->rts, "given");
		str_printf(&s, "rd_is_given(%s, %d)", a->shape, a->type->dims.len);
	}
	for (int d = 0; d < a->type->dims.len; d++) {
		Sub dim = a->type->dims.at[d];
		if (defines(w, a, d))
			continue;
		str_printf(&s, "%s%s[%d] == %s", s.len ? " && " : "", a->shape, d,
		           wrap_operand(w, dim));
	}
	if (!s.len)
		return;
	if (w->checks.len)
		str_puts(&w->checks, " &&\n\t      ");
	if (a->may_be_absent)
		str_printf(&w->checks, "(%s[0] < 0 || (%s))", a->shape, str_text(&s));
	else
		str_puts(&w->checks, str_text(&s));
}

// Arrays that may be absent are not spoken of.
const char *wrap_reject_sizes(const Wrap *w)
{
	Str want = {0}, have = {0}, args = {0};
	EntrySizes sizes = api_sizes(w->e);
	for (int i = 0; i < w->args.len; i++) {
		const Arg *a = &w->args.at[i];
		if (!a->mem || a->may_be_absent)
			continue;
		const char *name = text("%s%s: ", want.len ? ", " : "",
		                        entry_value_name(w->e->fun, i));
		str_puts(&want, name);
		str_puts(&have, name);
		str_puts(&want, entry_dims(&sizes, a->type));
		for (int d = 0; d < a->type->dims.len; d++) {
			str_puts(&have, "[%lld]");
			str_printf(&args, ",\n\t\t\t(long long)%s[%d]", a->shape, d);
		}
		str_puts(&want, primtype_name[a->type->elem]);
		str_puts(&have, primtype_name[a->type->elem]);
	}
	const char *said = text("Expected: %s\nGot:      %s\n", str_text(&want), str_text(&have));
	return text("rd_invalid_sizes(ctx, %s%s)", c_string(said), args.len ? str_text(&args) : "");
}

const char *wrap_count_text(const Wrap *w, const Type *t)
{
	Str s = {0};
	for (int d = 0; d < t->dims.len; d++)
		str_printf(&s, "%s%s", d ? " * " : "", wrap_operand(w, t->dims.at[d]));
	return str_text(&s);
}

// Arrays that need a block of their own: what is consumed, what is absent.
static void own_blocks(Wrap *w)
{
	int n = 0;
	for EACH(Arg, a, w->args) {
		if (!a->mem || !(a->type->unique || a->may_be_absent))
			continue;
		a->own = text("own%d", n++);
		str_printf(&w->decls, "\tstruct rd_block *%s = NULL;\n", a->own);
		str_printf(&w->after, "\trd_release(ctx, &%s);\n", a->own);
		const char *count = wrap_count_text(w, a->type);
		int size = primtype_size(a->type->elem);
		str_puts(&w->before, "\tif (!err)\n\t\terr = ");
		if (a->may_be_absent) {
			rts_use(w->rts, "absent");
			str_printf(&w->before,
			           "%s[0] < 0 ? rd_fill_absent(ctx, &%s, %s, %d)\n\t\t    : ",
			           a->shape, a->own, count, size);
		}
		rts_use(w->rts, "unshared");
		Str same = {0};
		for EACH(Arg, b, w->args)
			if (b != a && b->mem && a->type->unique && b->type->elem == a->type->elem)
				str_printf(&same, "%s%s == %s", same.len ? " || " : "", b->mem,
				           a->mem);
		str_printf(&w->before, "%s(ctx, &%s, %s, %s, %d%s%s);\n",
		           a->type->unique ? "rd_unshare" : "rd_borrow", a->own, a->mem, count,
		           size, a->type->unique ? ", " : "",
		           a->type->unique ? same.len ? str_text(&same) : "0" : "");
	}
}

// ---- Call ----

static const char *out_params(const ApiPart *p)
{
	return p->type ? text("%s **out", api_struct(p->type)) : text("%s *out", api_prim(p->prim));
}

static const char *prototype(const ApiEntry *e)
{
	Str s = {0};
	str_printf(&s, "int %s(struct futhark_context *ctx, %s", e->cname, out_params(&e->output));
	for (int i = 0; i < e->inputs.len; i++) {
		const ApiPart *p = &e->inputs.at[i];
		str_printf(&s, ", const %s%sin%d", part_ctype(p), p->type ? "" : " ", i);
	}
	str_putc(&s, ')');
	return str_text(&s);
}

static void declare_results(Wrap *w, Str *args)
{
	const Vars res = w->e->fun->res;
	for (int i = 0; i < res.len; i++) {
		const Type *t = &vars[res.at[i].id].type;
		if (t->kind == T_MEM)
			str_printf(&w->decls, "\tstruct rd_block *o%d = NULL;\n", i);
		else if (t->kind == T_DATA && t->dims.len == 0)
			str_printf(&w->decls, "\t%s o%d = 0;\n", c_scalar_type(t->elem), i);
		else
			continue;
		str_printf(args, ", &o%d", i);
		if (t->kind == T_DATA && t->elem == PT_I64)
			map_put(&w->exprs, var_key(res.at[i]), (void *)text("o%d", i));
	}
}

// An array's block stands directly before it.
static const char *block_arg(const Wrap *w, int i)
{
	const Vars params = w->e->fun->params;
	for EACH(Arg, a, w->args)
		if (i + 1 < params.len && a->param.id == params.at[i + 1].id)
			return a->own ? a->own : a->mem;
	return NULL;
}

void wrap_call_args(Wrap *w, Str *s)
{
	const Fun *f = w->e->fun;
	for (int i = 0; i < f->params.len; i++) {
		const Var v = f->params.at[i];
		const Type *t = &vars[v.id].type;
		if (t->kind != T_MEM && (t->kind != T_DATA || t->dims.len))
			continue;
		const char *exp = map_get(&w->exprs, var_key(v));
		if (t->kind == T_MEM && !exp)
			exp = block_arg(w, i);
		for EACH(Arg, a, w->args)
			if (a->param.id == v.id)
				exp = a->value;
		str_printf(s, ", %s", exp);
	}
}

const char *wrap_call_text(Wrap *w)
{
	Str s = {0};
	str_printf(&s, "%s(ctx", c_fun_name(w->e->fun));
	declare_results(w, &s);
	wrap_call_args(w, &s);
	str_putc(&s, ')');
	return str_text(&s);
}

// ---- Result ----

const char *wrap_scalar_result(Wrap *w, const Result *r)
{
	if (r->type->elem != PT_F16)
		return text("o%d", r->at);
	rts_use(w->rts, "rd_half_of_float");
	return text("rd_half_of_float(o%d)", r->at);
}

static void fill_result(Wrap *w, Str *s, const ApiType *t, const Result *results)
{
	for (int i = 0; i < t->flats.len; i++) {
		const Result *r = &results[i];
		const char *member = t->is_opaque ? text("obj->v%d", i) : "obj";
		if (r->type->dims.len == 0) {
			str_printf(s, "\t\t%s = %s;\n", member, wrap_scalar_result(w, r));
			continue;
		}
		const char *dot = t->is_opaque ? "." : "->";
		str_printf(s, "\t\t%s%smem = o%d;\n", member, dot, r->mem);
		for (int d = 0; d < r->type->dims.len; d++)
			str_printf(s, "\t\t%s%sshape[%d] = %s;\n", member, dot, d,
			           wrap_operand(w, r->type->dims.at[d]));
	}
}

static void put_object(Wrap *w, Str *s, const Result *results, int n)
{
	const ApiType *t = w->e->output.type;
	if (t->flats.len != n)
		bug("entry point %s gives %d values, not %d", w->e->name, n, t->flats.len);
	str_printf(s, "\t%s *obj = err ? NULL : (%s *)rd_object_new(ctx, &rd_type_%d);\n",
	           api_struct(t), api_struct(t), t->id);
	str_puts(s, "\tif (obj) {\n");
	fill_result(w, s, t, results);
	str_puts(s, "\t} else if (!err) {\n");
	for (int i = 0; i < n; i++)
		if (results[i].type->dims.len)
			str_printf(s, "\t\trd_release(ctx, &o%d);\n", results[i].mem);
	str_puts(s, "\t\terr = FUTHARK_OUT_OF_MEMORY;\n\t}\n\t*out = obj;\n");
}

Results wrap_results(const Wrap *w)
{
	const Vars res = w->e->fun->res;
	VEC(Result) results = {0};
	int mem = -1;
	for (int i = 0; i < res.len; i++) {
		const Type *t = &vars[res.at[i].id].type;
		if (t->kind == T_MEM)
			mem = i;
		else if (t->kind == T_DATA)
			VEC_PUSH(&results, (Result){i, mem, t});
	}
	int n = w->e->fun->entry->result->n_values;
	if (n > results.len)
		bug("entry point %s has too few results", w->e->name);
	return (Results){results.at + (results.len - n), n};
}

static void put_result(Wrap *w, Str *s)
{
	Results values = wrap_results(w);
	if (!w->e->output.type)
		str_printf(s, "\tif (!err)\n\t\t*out = %s;\n", wrap_scalar_result(w, values.at));
	else
		put_object(w, s, values.at, values.len);
}

ApiFunction api_entry_function(const ApiEntry *e, Rts *rts)
{
	Wrap w = {.e = e, .rts = rts};
	Str call = {0}, body = {0};
	rts_use(rts, "entry");
	wrap_constants(&w);
	make_args(&w);
	wrap_define_sizes(&w);
	for EACH(const Arg, a, w.args)
		if (a->mem)
			wrap_check_shape(&w, a);
	own_blocks(&w);
	str_printf(&call, "\tif (!err)\n\t\terr = %s;\n", wrap_call_text(&w));
	str_printf(&body, "%s\tint64_t start = rd_enter(ctx);\n\tint err = FUTHARK_SUCCESS;\n",
	           str_text(&w.decls));
	if (w.checks.len) {
		rts_use(rts, "invalid_sizes");
		str_printf(&body, "\tif (!(%s))\n\t\terr = %s;\n",
		           str_text(&w.checks), wrap_reject_sizes(&w));
	}
	str_printf(&body, "%s%s%s", str_text(&w.before), str_text(&call), str_text(&w.after));
	put_result(&w, &body);
	str_printf(&body, "\treturn rd_leave(ctx, %s, start, err);\n", c_string(e->name));
	return (ApiFunction){prototype(e), str_text(&body)};
}

// ---- The table of entry points ----

static void put_call(Str *s, const ApiEntry *e, int id)
{
	const char *out = part_ctype(&e->output);
	str_printf(s, "\nstatic int rd_call_%d(struct futhark_context *ctx, void *out, "
	           "const void *const *in)\n{\n", id);
	if (e->inputs.len == 0)
		str_puts(s, "\t(void)in;\n");
	str_printf(s, "\t%s%sresult = 0;\n\tint err = %s(ctx, &result", out,
	           e->output.type ? "" : " ", e->cname);
	for (int i = 0; i < e->inputs.len; i++) {
		const ApiPart *p = &e->inputs.at[i];
		if (p->type)
			str_printf(s, ", (const %s *)in[%d]", api_struct(p->type), i);
		else
			str_printf(s, ", *(const %s *)in[%d]", api_prim(p->prim), i);
	}
	str_puts(s, ");\n\tmemcpy(out, &result, sizeof result);\n\treturn err;\n}\n");
}

static void put_inputs(Str *s, const ApiEntry *e, int id, Rts *rts)
{
	str_printf(s, "static const struct rd_input rd_inputs_%d[] = {\n", id);
	for (int i = 0; i < e->inputs.len; i++)
		str_printf(s, "\t{%s, %s, %d},\n", c_string(e->inputs.at[i].name),
		           part_descriptor(&e->inputs.at[i], rts),
		           e->fun->entry->params.at[i].type->unique);
	str_puts(s, "};\n");
}

static void put_attributes(Str *s, const ApiEntry *e, int id)
{
	str_printf(s, "static const char *const rd_attributes_%d[] = {", id);
	for EACH(Name, a, e->fun->entry->attrs)
		str_printf(s, "%s, ", c_string(*a));
	str_puts(s, "NULL};\n");
}

ParamNames tuning_params_of(const Api *api, const ApiEntry *e)
{
	const ParamNames *names = map_get(&api->tuning, e->fun);
	return names ? *names : (ParamNames){0};
}

static void put_tuning_params(Str *s, const Api *api, const ApiEntry *e, int id)
{
	ParamNames names = tuning_params_of(api, e);
	str_printf(s, "static const char *const rd_tuning_params_%d[] = {", id);
	for EACH(const char *const, p, names)
		str_printf(s, "%s, ", c_string(*p));
	str_puts(s, "NULL};\n");
}

static void put_row(Str *s, const ApiEntry *e, int id, Rts *rts)
{
	str_printf(
		s, "\t{%s, %d, %s, %s, %d, rd_tuning_params_%d, rd_attributes_%d, rd_call_%d},\n",
		c_string(e->name), e->inputs.len, e->inputs.len ? text("rd_inputs_%d", id) : "NULL",
		part_descriptor(&e->output, rts), e->output_unique, id, id, id);
}

void api_put_calls(Str *s, const Api *api, Rts *rts)
{
	rts_use(rts, "program");
	for (int i = 0; i < api->entries.len; i++) {
		const ApiEntry *e = &api->entries.at[i];
		put_call(s, e, i);
		if (e->inputs.len)
			put_inputs(s, e, i, rts);
		put_attributes(s, e, i);
		put_tuning_params(s, api, e, i);
	}
	if (api->entries.len) {
		str_puts(s, "\nstatic const struct rd_entry rd_entries[] = {\n");
		for (int i = 0; i < api->entries.len; i++)
			put_row(s, &api->entries.at[i], i, rts);
		str_puts(s, "};\n");
	}
	if (api->types.len) {
		str_puts(s, "static const struct rd_type *const rd_types[] = {");
		for (int i = 0; i < api->types.len; i++)
			str_printf(s, "%s&rd_type_%d", i ? ", " : "", i);
		str_puts(s, "};\n");
	}
	str_printf(s, "static const struct rd_program rd_the_program = {%d, %s, %d, %s};\n",
	           api->types.len, api->types.len ? "rd_types" : "NULL", api->entries.len,
	           api->entries.len ? "rd_entries" : "NULL");
}
