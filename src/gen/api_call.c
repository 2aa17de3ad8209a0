// The uniform interface of libraries (rts/c/call.h): for each entry point a function on flat
// values, and a table that says what they are.
//
//   int raido_call_f(struct futhark_context *ctx, const struct raido_in *in, struct raido_out *out)
//   {
//       take sizes from the shapes, and check all other shapes against the types
//       wrap the memory of inputs in blocks; copy inputs that are consumed
//       choose memory for the results
//       err = rd_fun_f(ctx, &o0, n, &blocks[0], ...);
//       return the results
//   }
//
// In the table and the manifest, sizes in types have names: n, m, k ..., or the name of the
// argument that is the size.
#include "gen/api_wrap.h"

#include <ctype.h>
#include <stdlib.h>

// ---- Sizes ----

Vars api_values(const ApiEntry *e)
{
	return wrap_value_params(e->fun);
}

Vars api_result_values(const ApiEntry *e)
{
	Wrap w = {.e = e};
	Results results = wrap_results(&w);
	Vars out = {NEW_ARRAY(Var, results.len + 1), results.len};
	for (int i = 0; i < results.len; i++)
		out.at[i] = e->fun->res.at[results.at[i].at];
	return out;
}

EntrySizes api_sizes(const ApiEntry *e)
{
	EntrySizes sizes = {0};
	Vars values = api_values(e), results = api_result_values(e);
	for EACH(Var, v, values)
		entry_add_sizes(&sizes, e->fun, values, &vars[v->id].type, true);
	for EACH(Var, v, results)
		entry_add_sizes(&sizes, e->fun, values, &vars[v->id].type, false);
	return sizes;
}

// ---- Boxes ----

static const EntryType *leaf_of(const EntryType *t, int *value)
{
	if (t->kind != ET_RECORD) {
		*value -= t->n_values;
		return *value < 0 ? t : NULL;
	}
	for EACH(EntryField, f, t->fields) {
		const EntryType *leaf = leaf_of(f->type, value);
		if (leaf)
			return leaf;
	}
	return NULL;
}

// Is this flat value a scalar that is in memory of the device (src/cli/boxes.c)?
static bool is_boxed(const ApiEntry *e, int value, bool input, const Type *t)
{
	const EntryType *leaf = NULL;
	if (!t->dims.len)
		return false;
	for EACH(EntryParam, p, e->fun->entry->params)
		if (input && !leaf)
			leaf = leaf_of(p->type, &value);
	if (!input)
		leaf = leaf_of(e->fun->entry->result, &value);
	return leaf && leaf->kind == ET_PRIM;
}

// ---- The call ----

static void make_args(Wrap *w)
{
	Vars params = wrap_value_params(w->e->fun);
	for (int i = 0; i < params.len; i++) {
		Arg a = {.param = params.at[i], .type = &vars[params.at[i].id].type};
		if (a.type->dims.len) {
			a.mem = text("&blocks[%d]", i);
			a.shape = is_boxed(w->e, i, true, a.type) ? "rd_box_shape"
			                                          : text("in[%d].shape", i);
		} else {
			a.value = wrap_scalar_value(
				w, a.type->elem,
				text("*(const %s *)in[%d].data", api_prim(a.type->elem), i));
			if (a.type->elem == PT_I64)
				map_put(&w->exprs, var_key(a.param), (void *)a.value);
		}
		VEC_PUSH(&w->args, a);
	}
}

static bool has_arrays(const Wrap *w)
{
	for EACH(const Arg, a, w->args)
		if (a->mem)
			return true;
	return false;
}

static void put_blocks(Wrap *w)
{
	for (int i = 0; i < w->args.len; i++) {
		Arg *a = &w->args.at[i];
		if (!a->mem)
			continue;
		if (is_boxed(w->e, i, true, a->type)) {
			str_printf(&w->decls, "\tstruct rd_block *own%d = NULL;\n", i);
			str_printf(&w->before, "\tif (!err)\n\t\terr = rd_boxed(ctx, &own%d, "
			           "&blocks[%d], &in[%d], %d);\n", i, i, i,
			           primtype_size(a->type->elem));
			str_printf(&w->after, "\trd_release(ctx, &own%d);\n", i);
			a->mem = text("own%d ? own%d : &blocks[%d]", i, i, i);
			continue;
		}
		if (!a->type->unique) {
			str_printf(&w->before, "\trd_borrowed(&blocks[%d], &in[%d]);\n", i, i);
			continue;
		}
		a->own = text("own%d", i);
		str_printf(&w->decls, "\tstruct rd_block *%s = NULL;\n", a->own);
		str_printf(&w->before, "\tif (!err)\n\t\terr = rd_consumed(ctx, &%s, &blocks[%d], "
		           "&in[%d], %s, %d);\n", a->own, i, i, wrap_count_text(w, a->type),
		           primtype_size(a->type->elem));
		str_printf(&w->after, "\trd_release(ctx, &%s);\n", a->own);
	}
}

static void put_results(Wrap *w, Str *s)
{
	Results results = wrap_results(w);
	for (int i = 0; i < results.len; i++) {
		const Result *r = &results.at[i];
		if (r->type->dims.len == 0) {
			str_printf(s, "\tif (!err)\n\t\t*(%s *)out[%d].data = %s;\n",
			           api_prim(r->type->elem), i, wrap_scalar_result(w, r));
			continue;
		}
		str_puts(s, "\tif (!err) {\n");
		bool boxed = is_boxed(w->e, i, false, r->type);
		for (int d = 0; d < r->type->dims.len && !boxed; d++)
			str_printf(s, "\t\tout[%d].shape[%d] = %s;\n", i, d,
			           wrap_operand(w, r->type->dims.at[d]));
		str_printf(
			s,
			"\t\terr = rd_hand_out(ctx, &out[%d], &o%d, &given[%d], (%s) * %d, %s);\n"
			"\t\tif (err)\n\t\t\trd_take_back(ctx, out, %d);\n\t}\n",
			i, r->mem, i, wrap_count_text(w, r->type), primtype_size(r->type->elem),
			has_arrays(w) ? text("blocks, in, %d", w->args.len) : "NULL, NULL, 0", i);
	}
	str_puts(s, "\tif (err) {\n");
	for (int i = 0; i < results.len; i++)
		if (results.at[i].type->dims.len)
			str_printf(s, "\t\trd_release(ctx, &o%d);\n", results.at[i].mem);
	str_puts(s, "\t\t(void)out;\n\t}\n");
}

// Results that are arrays may be where the caller wants them.
static bool put_places(Wrap *w)
{
	Results results = wrap_results(w);
	bool any = false;
	for (int i = 0; i < results.len; i++)
		if (results.at[i].type->dims.len) {
			str_printf(&w->before, "\to%d = rd_place_given(&given[%d], &out[%d]);\n",
			           results.at[i].mem, i, i);
			any = true;
		} else {
			str_printf(&w->before, "\tout[%d].block = NULL;\n\tout[%d].alias = 0;\n", i,
			           i);
		}
	return any;
}

ApiFunction api_call_function(const ApiEntry *e, Rts *rts)
{
	Wrap w = {.e = e, .rts = rts};
	Str body = {0}, results = {0};
	rts_use(rts, "call");
	wrap_constants(&w);
	make_args(&w);
	wrap_define_sizes(&w);
	for (int i = 0; i < w.args.len; i++)
		if (w.args.at[i].mem && !is_boxed(e, i, true, w.args.at[i].type))
			wrap_check_shape(&w, &w.args.at[i]);
	put_blocks(&w);
	const char *call = wrap_call_text(&w);
	if (has_arrays(&w))
		str_printf(&body, "\tstruct rd_block blocks[%d];\n", w.args.len);
	if (put_places(&w))
		str_printf(&body, "\tstruct rd_block given[%d];\n",
		           e->fun->entry->result->n_values);
	put_results(&w, &results);
	str_printf(&body, "%s\tint64_t start = rd_enter(ctx);\n\tint err = rd_begin_call(ctx);\n",
	           str_text(&w.decls));
	if (!w.args.len)
		str_puts(&body, "\t(void)in;\n");
	if (w.checks.len) {
		rts_use(rts, "invalid_sizes");
		str_printf(&body, "\tif (!err && !(%s))\n\t\terr = %s;\n",
		           str_text(&w.checks), wrap_reject_sizes(&w));
	}
	str_printf(&body, "%s\tif (!err)\n\t\terr = %s;\n%s%s", str_text(&w.before), call,
	           str_text(&w.after), str_text(&results));
	str_printf(&body, "\treturn rd_leave(ctx, %s, start, err);\n", c_string(e->name));
	return (ApiFunction){
		text("int raido_call_%s(struct futhark_context *ctx, const struct raido_in "
	             "*in,\n\tstruct raido_out *out)",
	             c_identifier(e->name)),
		str_text(&body)};
}

// ---- The table ----

// What two types have in common whose flat values mean the same.
static void put_structure(Str *s, const EntryType *t)
{
	switch (t->kind) {
	case ET_PRIM:
	case ET_FUN:
		str_puts(s, t->name);
		break;
	case ET_ARRAY:
		for (int i = 0; i < t->rank; i++)
			str_puts(s, "[]");
		put_structure(s, t->elem);
		break;
	case ET_RECORD:
		str_putc(s, '{');
		for EACH(EntryField, f, t->fields) {
			str_printf(s, "%s%s: ", f == t->fields.at ? "" : ", ", f->name);
			put_structure(s, f->type);
		}
		str_putc(s, '}');
		break;
	case ET_SUM:
		for EACH(EntryConstr, c, t->constrs) {
			str_printf(s, "%s#%s", c == t->constrs.at ? "(" : " | ", c->name);
			for (int i = 0; i < c->args.len; i++) {
				str_putc(s, ' ');
				put_structure(s, c->args.at[i]);
			}
		}
		str_putc(s, ')');
		break;
	}
}

// Of [rank]t.  An array of records is a record of arrays.
static void put_form(Str *s, const EntryType *t, int rank)
{
	if (t->kind == ET_PRIM) {
		str_putc(s, '*');
	} else if (t->kind == ET_ARRAY) {
		put_form(s, t->elem, rank + t->rank);
	} else if (t->kind == ET_RECORD) {
		str_putc(s, t->is_tuple ? '(' : '{');
		for EACH(EntryField, f, t->fields) {
			if (!t->is_tuple)
				str_printf(s, "%s:", f->name);
			put_form(s, f->type, rank);
		}
		str_putc(s, t->is_tuple ? ')' : '}');
	} else {
		str_printf(s, "<%d ", t->n_values);
		for (int i = 0; i < rank; i++)
			str_puts(s, "[]");
		put_structure(s, t);
		str_putc(s, '>');
	}
}

static const char *in_form(const ApiEntry *e)
{
	Str s = {0};
	for EACH(EntryParam, p, e->fun->entry->params) {
		str_printf(&s, "%s:", p->name);
		put_form(&s, p->type, 0);
	}
	return str_text(&s);
}

static const char *out_form(const ApiEntry *e)
{
	Str s = {0};
	put_form(&s, e->fun->entry->result, 0);
	return str_text(&s);
}

static void put_dims(Str *s, const EntrySizes *sizes, const Type *t)
{
	if (!t->dims.len) {
		str_puts(s, "NULL");
		return;
	}
	for (int i = 0; i < t->dims.len; i++) {
		Sub d = t->dims.at[i];
		str_printf(s, "%s%lld", i ? ", " : "",
		           d.kind == S_CONST ? (long long)d.val.i : -1LL - entry_size(sizes, d));
	}
}

// Which result of the forward sweep an input of the backward one is to be, from 1, or 0
// (src/ad/sweeps.c).
static int saved_number(const ApiEntry *e, int input)
{
	const char *at = attr_argument(e->fun->entry->attrs, ATTR_SAVED);
	if (!at)
		return 0;
	char *rest;
	for (long i = strtol(at, &rest, 10); *rest == ','; i++) {
		long number = strtol(rest + 1, &rest, 10);
		if (i == input)
			return (int)number + 1;
	}
	return 0;
}

static int n_residuals(const ApiEntry *e)
{
	const char *n = attr_argument(e->fun->entry->attrs, ATTR_RESIDUALS);
	return n ? atoi(n) : 0;
}

static void put_values(Str *s, const ApiEntry *e, int id, const char *what, Vars values,
                       bool inputs)
{
	EntrySizes sizes = api_sizes(e);
	for (int i = 0; i < values.len; i++) {
		const Type *t = &vars[values.at[i].id].type;
		if (!t->dims.len)
			continue;
		str_printf(s, "static const int64_t rd_%s_dims_%d_%d[] = {", what, id, i);
		put_dims(s, &sizes, t);
		str_puts(s, "};\n");
	}
	if (!values.len)
		return;
	str_printf(s, "static const struct raido_value rd_%s_values_%d[] = {\n", what, id);
	for (int i = 0; i < values.len; i++) {
		const Type *t = &vars[values.at[i].id].type;
		bool boxed = is_boxed(e, i, inputs, t);
		str_printf(s, "\t{%s, %d, %d, %d, %s, %d, %d},\n",
		           inputs ? c_string(entry_value_name(e->fun, i)) : "\"\"", (int)t->elem,
		           boxed ? 0 : t->dims.len, inputs && t->unique,
		           t->dims.len ? text("rd_%s_dims_%d_%d", what, id, i) : "NULL", boxed,
		           inputs ? saved_number(e, i) : 0);
	}
	str_puts(s, "};\n");
}

static void put_entry(Str *s, const ApiEntry *e, int id)
{
	EntrySizes sizes = api_sizes(e);
	put_values(s, e, id, "in", api_values(e), true);
	put_values(s, e, id, "out", api_result_values(e), false);
	if (sizes.len) {
		str_printf(s, "static const struct raido_size rd_sizes_%d[] = {\n", id);
		for EACH(const EntrySize, z, sizes)
			str_printf(s, "\t{%s, %d, %d},\n", c_string(z->name), z->value, z->known);
		str_puts(s, "};\n");
	}
	str_printf(
		s,
		"static int rd_any_call_%d(void *ctx, const struct raido_in *in, struct raido_out "
		"*out)\n{\n\treturn raido_call_%s((struct futhark_context *)ctx, in, out);\n}\n",
		id, c_identifier(e->name));
}

static void put_row(Str *s, const ApiEntry *e, int id)
{
	int n_in = api_values(e).len, n_out = api_result_values(e).len, n_sizes = api_sizes(e).len;
	const char *doc = e->fun->entry->doc;
	str_printf(s, "\t{%s, %s,\n\t %s, %s, %d, %d, %d, %d,\n\t %s, %s, %s, rd_any_call_%d},\n",
	           c_string(e->name), doc ? c_string(doc) : "NULL", c_string(in_form(e)),
	           c_string(out_form(e)), n_in, n_out, n_sizes, n_residuals(e),
	           n_in ? text("rd_in_values_%d", id) : "NULL",
	           n_out ? text("rd_out_values_%d", id) : "NULL",
	           n_sizes ? text("rd_sizes_%d", id) : "NULL", id);
}

const char api_library_prototype[] = "const struct raido_library *raido_program(void)";

void api_put_library(Str *s, const Api *api, const GenOptions *o)
{
	for (int i = 0; i < api->entries.len; i++)
		put_entry(s, &api->entries.at[i], i);
	if (api->entries.len) {
		str_puts(s, "\nstatic const struct raido_entry rd_table[] = {\n");
		for (int i = 0; i < api->entries.len; i++)
			put_row(s, &api->entries.at[i], i);
		str_puts(s, "};\n");
	}
	str_printf(s,
	           "\n%s\n{\n\tstatic const struct raido_library library = {\n"
	           "\t\tRAIDO_CALL, %s, %d, %s,\n"
	           "\t\trd_library_context, rd_library_context_free, rd_library_sync, "
	           "rd_library_error,\n"
	           "\t\trd_library_release, rd_library_memory, rd_library_clear, "
	           "rd_library_cancel,\n"
	           "\t\t%s,\n"
	           "\t};\n\treturn &library;\n}\n",
	           api_library_prototype, c_string(o->backend), api->entries.len,
	           api->entries.len ? "rd_table" : "NULL",
	           is_gpu(o->backend) ? "rd_library_use_stream, rd_library_read" : "NULL, NULL");
}

// ---- Prefixes ----

// The text with other names for what a library shows: futhark_..., raido_call_..., raido_program.
// Literals stay as they are.
const char *api_renamed(const char *body, const char *prefix)
{
	static const char *const shown[] = {"futhark_", "raido_call_", "raido_program"};
	Str s = {0};
	bool inside = false;                    // of a name, where none begins
	char quote = 0;
	for (const char *p = body; *p; p++) {
		if (quote) {
			str_putc(&s, *p);
			if (*p == '\\' && p[1])
				str_putc(&s, *++p);
			else if (*p == quote || *p == '\n')
				quote = 0;
			continue;
		}
		for (int i = 0; i < 3 && !inside; i++)
			if (str_starts(p, shown[i])) {
				str_printf(&s, "%s_", prefix);
				p += i == 0 ? strlen(shown[i]) : strlen("raido_");
				break;
			}
		quote = *p == '"' ? '"' : 0;
		inside = isalnum((unsigned char)*p) || *p == '_';
		str_putc(&s, *p);
	}
	return str_text(&s);
}
