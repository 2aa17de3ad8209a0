// The manifest of a library: its entry points and types and the names of their C functions, as
// JSON, for tools that generate bindings.
#include "gen/api.h"

static void put_json(Str *s, const char *body)
{
	str_putc(s, '"');
	for (const unsigned char *p = (const unsigned char *)body; *p; p++) {
		if (*p == '"' || *p == '\\')
			str_printf(s, "\\%c", *p);
		else if (*p == '\n')
			str_puts(s, "\\n");
		else if (*p < 32)
			str_printf(s, "\\u%04x", *p);
		else
			str_putc(s, (char)*p);
	}
	str_putc(s, '"');
}

// "key": "value", after a comma unless it is the first of its object.
static void member(Str *s, const char *key, const char *value)
{
	if (s->at[s->len - 1] != '{')
		str_puts(s, ", ");
	put_json(s, key);
	str_puts(s, ": ");
	put_json(s, value);
}

static void open_member(Str *s, const char *key, const char *bracket)
{
	if (s->at[s->len - 1] != '{')
		str_puts(s, ", ");
	put_json(s, key);
	str_printf(s, ": %s", bracket);
}

static void function(Str *s, const char *key, const char *what, const ApiType *t)
{
	member(s, key, text("futhark_%s_%s", what, t->cname));
}

// ---- Entry points ----

static const char *json_bool(bool b)
{
	return b ? "true" : "false";
}

// The sizes of flat values by name, as in the types of the program: [["n","m"]].
static void put_shapes(Str *s, const EntrySizes *sizes, Vars values, int first, int n)
{
	open_member(s, "shapes", "[");
	for (int i = 0; i < n; i++) {
		const Type *t = &vars[values.at[first + i].id].type;
		str_puts(s, i ? ", [" : "[");
		for (int k = 0; k < t->dims.len; k++) {
			int at = entry_size(sizes, t->dims.at[k]);
			str_puts(s, k ? ", " : "");
			if (at < 0)
				str_printf(s, "%lld", (long long)t->dims.at[k].val.i);
			else
				put_json(s, sizes->at[at].name);
		}
		str_putc(s, ']');
	}
	str_putc(s, ']');
}

static void put_entry(Str *s, const Api *api, const ApiEntry *e)
{
	EntrySizes sizes = api_sizes(e);
	Vars values = api_values(e), results = api_result_values(e);
	int at = 0;
	ParamNames tuning = tuning_params_of(api, e);
	const EntryInfo *info = e->fun->entry;
	put_json(s, e->name);
	str_puts(s, ": {");
	member(s, "cfun", e->cname);
	str_puts(s, ",\n      \"tuning_params\": [");
	for (int i = 0; i < tuning.len; i++) {
		str_puts(s, i ? ", " : "");
		put_json(s, tuning.at[i]);
	}
	str_puts(s, "],\n      \"attributes\": [");
	for (int i = 0; i < info->attrs.len; i++) {
		str_puts(s, i ? ", " : "");
		put_json(s, info->attrs.at[i]);
	}
	str_puts(s, "],\n      \"output\": {");
	member(s, "type", part_type_name(&e->output));
	str_printf(s, ", \"unique\": %s", json_bool(e->output_unique));
	put_shapes(s, &sizes, results, 0, results.len);
	str_puts(s, "},\n      \"inputs\": [");
	for (int i = 0; i < e->inputs.len; i++) {
		str_puts(s, i ? ",\n                 {" : "{");
		member(s, "name", e->inputs.at[i].name);
		member(s, "type", part_type_name(&e->inputs.at[i]));
		str_printf(s, ", \"unique\": %s", json_bool(info->params.at[i].type->unique));
		put_shapes(s, &sizes, values, at, info->params.at[i].type->n_values);
		at += info->params.at[i].type->n_values;
		str_putc(s, '}');
	}
	str_putc(s, ']');
	if (info->doc) {
		str_puts(s, ",\n      \"doc\": ");
		put_json(s, info->doc);
	}
	str_putc(s, '}');
}

// ---- Types ----

static void put_array_ops(Str *s, const ApiType *t)
{
	static const char *const ops[] = {
		"free", "shape", "values", "new", "new_raw", "values_raw", "index",
	};
	str_printf(s, ", \"rank\": %d", t->rank);
	member(s, "elemtype", primtype_name[t->elem.prim]);
	open_member(s, "ops", "{");
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		function(s, ops[i], ops[i], t);
	str_putc(s, '}');
}

static void put_field_list(Str *s, const ApiType *t)
{
	open_member(s, "fields", "[");
	for (int i = 0; i < t->fields.len; i++) {
		const ApiPart *f = &t->fields.at[i];
		str_puts(s, i ? ", {" : "{");
		member(s, "name", f->name);
		member(s, "type", part_type_name(f));
		member(s, "project",
		       text("futhark_project_%s_%s", t->cname, c_identifier(f->name)));
		str_putc(s, '}');
	}
	str_putc(s, ']');
}

static void put_sum(Str *s, const ApiType *t)
{
	open_member(s, "sum", "{");
	function(s, "variant", "variant", t);
	open_member(s, "variants", "[");
	for (int i = 0; i < t->variants.len; i++) {
		const ApiVariant *v = &t->variants.at[i];
		const char *con = c_identifier(v->name);
		str_puts(s, i ? ", {" : "{");
		member(s, "name", v->name);
		member(s, "construct", text("futhark_new_%s_%s", t->cname, con));
		member(s, "destruct", text("futhark_destruct_%s_%s", t->cname, con));
		open_member(s, "payload", "[");
		for (int k = 0; k < v->args.len; k++) {
			str_puts(s, k ? ", " : "");
			put_json(s, part_type_name(&v->args.at[k]));
		}
		str_puts(s, "]}");
	}
	str_puts(s, "]}");
}

static void put_opaque_array(Str *s, const ApiType *t)
{
	bool of_records = t->elem.type->entry->kind == ET_RECORD && t->fields.len;
	open_member(s, of_records ? "record_array" : "opaque_array", "{");
	str_printf(s, "\"rank\": %d", t->rank);
	member(s, "elemtype", t->elem.type->name);
	if (of_records) {
		put_field_list(s, t);
		function(s, "zip", "zip", t);
	}
	function(s, "index", "index", t);
	function(s, "shape", "shape", t);
	function(s, "set", "set", t);
	function(s, "new", "new", t);
	str_putc(s, '}');
}

static void put_opaque(Str *s, const ApiType *t)
{
	static const char *const ops[] = {"free", "store", "restore"};
	open_member(s, "ops", "{");
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		function(s, ops[i], ops[i], t);
	str_putc(s, '}');
	if (t->rank) {
		if (t->elem.type)
			put_opaque_array(s, t);
	} else if (t->variants.len) {
		put_sum(s, t);
	} else {
		open_member(s, "record", "{");
		put_field_list(s, t);
		function(s, "new", "new", t);
		str_putc(s, '}');
	}
}

static void put_type(Str *s, const ApiType *t)
{
	put_json(s, t->name);
	str_puts(s, ": {");
	member(s, "kind", t->is_opaque ? "opaque" : "array");
	member(s, "ctype", text("%s *", api_struct(t)));
	if (t->is_opaque)
		put_opaque(s, t);
	else
		put_array_ops(s, t);
	str_putc(s, '}');
}

const char *api_manifest(const Api *api, const GenOptions *o)
{
	Str s = {0};
	str_puts(&s, "{");
	member(&s, "backend", o->backend);
	member(&s, "version", o->version);
	str_puts(&s, ",\n  \"entry_points\": {");
	for (int i = 0; i < api->entries.len; i++) {
		str_puts(&s, i ? ",\n    " : "\n    ");
		put_entry(&s, api, &api->entries.at[i]);
	}
	str_puts(&s, "\n  },\n  \"types\": {");
	for (int i = 0; i < api->types.len; i++) {
		str_puts(&s, i ? ",\n    " : "\n    ");
		put_type(&s, api->types.at[i]);
	}
	str_puts(&s, "\n  }\n}\n");
	return str_text(&s);
}
