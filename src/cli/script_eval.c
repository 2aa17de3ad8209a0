// Evaluating FutharkScript over the entry points of a program.
//
// Values are flat values with a description of their surface type (Datum).  An argument is
// converted to the parameter's type: numbers to the parameter's number type, tuples and
// records componentwise; everything else must have the same structure.
#include "cli/script.h"

#include <errno.h>
#include <stdlib.h>

typedef struct Local { Name name; Datum value; const struct Local *up; } Local;
typedef struct { Script *script; const char *why; jmp_buf escape; } Eval;

static NORETURN void script_error(Eval *e, const char *why)
{
	e->why = why;
	longjmp(e->escape, 1);
}

// ---- Types of values made here ----

static const EntryType *prim_type(PrimType t)
{
	return NEW(EntryType, .kind = ET_PRIM, .name = primtype_name[t], .prim = t, .n_values = 1);
}

static const EntryType *array_type(int rank, const EntryType *elem)
{
	if (rank == 0)
		return elem;
	bool nested = elem->kind == ET_ARRAY;
	Str name = {0};
	for (int i = 0; i < rank; i++)
		str_puts(&name, "[]");
	str_puts(&name, elem->name);
	return NEW(EntryType, .kind = ET_ARRAY, .name = str_text(&name),
	           .rank = rank + (nested ? elem->rank : 0),
	           .elem = nested ? elem->elem : (EntryType *)elem, .n_values = elem->n_values);
}

static int by_field(const EntryField *a, const EntryField *b)
{
	bool x = a->name[0] >= '0' && a->name[0] <= '9', y = b->name[0] >= '0' && b->name[0] <= '9';
	size_t n = strlen(a->name), m = strlen(b->name);
	if (x != y)
		return x ? -1 : 1;
	if (x && n != m)
		return n < m ? -1 : 1;
	return strcmp(a->name, b->name);
}

// A record or tuple of values; fields are put in the canonical order.
static Datum make_record(Name *names, Datum *parts, int n, bool is_tuple)
{
	EntryField *fields = NEW_ARRAY(EntryField, n);
	int *order = NEW_ARRAY(int, n), total = 0;
	for (int i = 0; i < n; i++) {
		EntryField f = {names[i], (EntryType *)parts[i].type};
		int j = i;
		for (; j > 0 && by_field(&fields[j - 1], &f) > 0; j--) {
			fields[j] = fields[j - 1];
			order[j] = order[j - 1];
		}
		fields[j] = f;
		order[j] = i;
		total += parts[i].type->n_values;
	}
	Value *flat = NEW_ARRAY(Value, total), *at = flat;
	Str name = {0};
	for (int i = 0; i < n; i++) {
		const Datum *part = &parts[order[i]];
		for (int k = 0; k < part->type->n_values; k++)
			*at++ = part->flat[k];
		str_printf(&name, "%s%s%s%s", i ? ", " : "", is_tuple ? "" : fields[i].name,
		           is_tuple ? "" : ": ", part->type->name);
	}
	const char *shown = text(is_tuple ? "(%s)" : "{%s}", str_text(&name));
	return (Datum){NEW(EntryType, .kind = ET_RECORD, .name = shown, .fields = {fields, n},
	                   .is_tuple = is_tuple, .n_values = total), flat};
}

static Datum make_tuple(Datum *parts, int n)
{
	Name *names = NEW_ARRAY(Name, n);
	for (int i = 0; i < n; i++)
		names[i] = name_of(text("%d", i));
	return make_record(names, parts, n, true);
}

static Datum datum_of_value(const Value *v)
{
	return (Datum){array_type(v->rank, prim_type(v->type)), mem_dup(v, sizeof *v)};
}

Datum datum_of_values(const Values *v)
{
	Datum *parts = NEW_ARRAY(Datum, v->len);
	for (int i = 0; i < v->len; i++)
		parts[i] = datum_of_value(&v->at[i]);
	return v->len == 1 ? parts[0] : make_tuple(parts, v->len);
}

bool datum_scalar(Datum d, Scalar *out)
{
	if (d.type->kind != ET_PRIM)
		return false;
	*out = value_get(&d.flat[0], 0);
	return true;
}

// ---- Conversion ----

bool is_same_type(const EntryType *a, const EntryType *b)
{
	if (a->kind != b->kind || a->n_values != b->n_values)
		return false;
	switch (a->kind) {
	case ET_PRIM:
		return a->prim == b->prim;
	case ET_ARRAY:
		return a->rank == b->rank && is_same_type(a->elem, b->elem);
	case ET_RECORD:
		for (int i = 0; i < a->fields.len && i < b->fields.len; i++)
			if (a->fields.at[i].name != b->fields.at[i].name ||
			    !is_same_type(a->fields.at[i].type, b->fields.at[i].type))
				return false;
		return a->fields.len == b->fields.len;
	case ET_SUM:
		for (int i = 0; i < a->constrs.len && i < b->constrs.len; i++) {
			const EntryConstr *x = &a->constrs.at[i], *y = &b->constrs.at[i];
			if (x->name != y->name || x->args.len != y->args.len)
				return false;
			for (int k = 0; k < x->args.len; k++)
				if (!is_same_type(x->args.at[k], y->args.at[k]))
					return false;
		}
		return a->constrs.len == b->constrs.len;
	case ET_FUN:
		return false;
	}
	bug("not a kind of surface type");
}

// May numbers of type `from` stand where `to` is wanted?
static bool convertible(PrimType from, PrimType to)
{
	return from == to || (is_num(from) && is_num(to) && (is_int(from) || is_float(to)));
}

static Value convert_value(const Value *v, PrimType to)
{
	if (v->type == to)
		return *v;
	Value out = value_new(to, v->rank, v->shape);
	int64_t n = value_count(v);
	for (int64_t i = 0; i < n; i++)
		value_set(&out, i, convert_eval(to, value_get(v, i)));
	return out;
}

bool datum_convert(const EntryType *want, Datum d, Values *out)
{
	const EntryType *have = d.type;
	bool prims = want->kind == ET_PRIM && have->kind == ET_PRIM;
	bool arrays = want->kind == ET_ARRAY && have->kind == ET_ARRAY &&
	              want->rank == have->rank && want->elem->kind == ET_PRIM &&
	              have->elem->kind == ET_PRIM;
	if (prims || arrays) {
		PrimType from = prims ? have->prim : have->elem->prim;
		PrimType to = prims ? want->prim : want->elem->prim;
		if (!convertible(from, to))
			return false;
		VEC_PUSH(out, convert_value(&d.flat[0], to));
		return true;
	}
	if (want->kind == ET_RECORD && have->kind == ET_RECORD) {
		if (want->fields.len != have->fields.len)
			return false;
		for (int i = 0; i < want->fields.len; i++) {
			const EntryType *t = have->fields.at[i].type;
			if (want->fields.at[i].name != have->fields.at[i].name ||
			    !datum_convert(want->fields.at[i].type, (Datum){t, d.flat}, out))
				return false;
			d.flat += t->n_values;
		}
		return true;
	}
	if (!is_same_type(want, have))
		return false;
	for (int i = 0; i < have->n_values; i++)
		VEC_PUSH(out, d.flat[i]);
	return true;
}

static const char *wrong_arguments(const Fun *f, const Datum *args, int n_args)
{
	Str want = {0}, have = {0};
	for (int i = 0; i < f->entry->params.len; i++)
		str_printf(&want, "%s%s", i ? " " : "", f->entry->params.at[i].type->name);
	for (int i = 0; i < n_args; i++)
		str_printf(&have, "%s%s", i ? " " : "", args[i].type->name);
	return text("Function %s expects arguments of types:\n  %s\n"
	            "But called with arguments of types:\n  %s",
	            f->entry_name, str_text(&want), str_text(&have));
}

bool script_run(Script *s, const Fun *f, const Values *args, Values *results, const char **why)
{
	if (s->server)
		return server_call(s->server, f->entry_name, args, results, why);
	RunError e = interp_call(s->loaded->interp, f, args, results, s->traces);
	if (e.message)
		*why = show_run_error(&e);
	return !e.message;
}

bool script_call(Script *s, const Fun *f, const Datum *args, int n_args, Datum *out,
                 const char **why)
{
	Values in = {0}, results = {0};
	bool ok = n_args == f->entry->params.len;
	for (int i = 0; ok && i < n_args; i++)
		ok = datum_convert(f->entry->params.at[i].type, args[i], &in);
	if (!ok) {
		*why = wrong_arguments(f, args, n_args);
		return false;
	}
	if (!script_run(s, f, &in, &results, why))
		return false;
	*out = (Datum){f->entry->result, results.at};
	return true;
}

// ---- Builtins ----

// Is the file, or the directory that it is to be written to, below the script's own?  Links count
// as what they stand for; what is not there fails in its own way.
static bool is_inside(const Script *s, const char *path, bool written)
{
	const char *of = written ? dir_of(path) : path;
	char *root = realpath(s->dir, NULL), *real = realpath(of, NULL);
	size_t n = root ? strlen(root) : 0;
	bool inside = !real || (root && strncmp(real, root, n) == 0 &&
	                        (n == 1 || real[n] == '/' || !real[n]));
	free(root);
	free(real);
	return inside;
}

bool script_may_use(const Script *s, const char *path, bool written, const char **why)
{
	if (!s->confined || is_inside(s, path, written))
		return true;
	*why = text("%s is not in the folder of the document (see --unsafe).", path);
	return false;
}

static const char *file_argument(Eval *e, const ScriptExp *x, const Datum *args)
{
	bool is_text = x->parts.len == 1 && args[0].type->kind == ET_ARRAY &&
	               args[0].type->rank == 1 && args[0].flat[0].type == PT_U8;
	if (!is_text)
		script_error(e, text("$%s takes a file name.", x->name));
	const Value *v = &args[0].flat[0];
	const char *name = text("%.*s", (int)v->shape[0], (const char *)v->data);
	const char *path = name[0] == '/' ? name : text("%s/%s", e->script->dir, name), *why;
	if (!script_may_use(e->script, path, false, &why))
		script_error(e, why);
	return path;
}

static Datum load_bytes(Eval *e, const char *path)
{
	size_t len;
	const char *bytes = read_file(path, &len);
	if (!bytes)
		script_error(e, text("Failed to open %s: %s", path, strerror(errno)));
	int64_t shape = (int64_t)len;
	Value v = value_new(PT_U8, 1, &shape);
	if (len)
		memcpy(v.data, bytes, len);
	return datum_of_value(&v);
}

static Datum call_builtin(Eval *e, const ScriptExp *x, const Datum *args)
{
	if (strcmp(x->name, "loadbytes") == 0)
		return load_bytes(e, file_argument(e, x, args));
	if (strcmp(x->name, "loaddata") == 0) {
		Values values = {0};
		const char *why;
		if (!values_read_file(file_argument(e, x, args), &values, &why))
			script_error(e, why);
		return datum_of_values(&values);
	}
	Datum out;
	bool known = false;
	const char *why = NULL;
	if (e->script->builtin &&
	    e->script->builtin(e->script, x->name, args, x->parts.len, &out, &known, &why))
		return out;
	script_error(e, known ? why : text("Unknown builtin: $%s", x->name));
}

// ---- Expressions ----

static Datum eval(Eval *e, const ScriptExp *x, const Local *env);

static Datum *eval_parts(Eval *e, ScriptExps parts, const Local *env)
{
	Datum *out = NEW_ARRAY(Datum, parts.len);
	for (int i = 0; i < parts.len; i++)
		out[i] = eval(e, parts.at[i], env);
	return out;
}

// Splits a tuple or record into its components.
static Datum *components(Datum d)
{
	Datum *out = NEW_ARRAY(Datum, d.type->fields.len);
	const Value *flat = d.flat;
	for (int i = 0; i < d.type->fields.len; i++) {
		const EntryType *t = d.type->fields.at[i].type;
		out[i] = (Datum){t, flat};
		flat += t->n_values;
	}
	return out;
}

static Datum eval_call(Eval *e, const ScriptExp *x, const Local *env)
{
	int n = x->parts.len;
	for (const Local *l = env; l && !x->builtin; l = l->up)
		if (l->name == x->name) {
			if (n)
				script_error(e, text("%s is not a function.", x->name));
			return l->value;
		}
	Datum *args = eval_parts(e, x->parts, env), out;
	if (x->builtin)
		return call_builtin(e, x, args);
	const Fun *f = find_entry(e->script->loaded->prog, x->name);
	if (!f)
		script_error(e, text("Unknown entry point: %s", x->name));
	int want = f->entry->params.len;
	bool one_tuple = n == 1 && args[0].type->kind == ET_RECORD && args[0].type->is_tuple;
	if (one_tuple && want != 1 && args[0].type->fields.len == want) {
		n = want;
		args = components(args[0]);
	}
	if (n < want)
		script_error(e, text("Function %s not fully applied.", x->name));
	if (n > want)
		script_error(e, text("Function %s applied to too many arguments.", x->name));
	const char *why;
	if (!script_call(e->script, f, args, n, &out, &why))
		script_error(e, why);
	return out;
}

// Unsuffixed elements take the type of a suffixed one.
static void unify_elements(const ScriptExp *x, Datum *parts)
{
	const EntryType *t = NULL;
	for (int i = 0; i < x->parts.len && !t; i++)
		if (!x->parts.at[i]->unsuffixed)
			t = parts[i].type;
	for (int i = 0; i < x->parts.len && !t; i++)
		if (is_float(parts[i].type->prim))
			t = parts[i].type;
	for (int i = 0; t && t->kind == ET_PRIM && i < x->parts.len; i++)
		if (x->parts.at[i]->unsuffixed && convertible(parts[i].type->prim, t->prim)) {
			Value v = convert_value(&parts[i].flat[0], t->prim);
			parts[i] = (Datum){t, mem_dup(&v, sizeof v)};
		}
}

// [a, b]: every flat value of the elements becomes an array with one more dimension.
static Datum eval_array(Eval *e, const ScriptExp *x, const Local *env)
{
	int64_t n = x->parts.len;
	if (n == 0)
		script_error(e, "An empty array is written empty([0]TYPE).");
	Datum *parts = eval_parts(e, x->parts, env);
	unify_elements(x, parts);
	const EntryType *t = parts[0].type;
	Value *flat = NEW_ARRAY(Value, t->n_values);
	for (int k = 0; k < t->n_values; k++) {
		const Value *first = &parts[0].flat[k];
		int64_t shape[256] = {n};
		if (first->rank >= 255)
			script_error(e, "Array with too many dimensions.");
		for (int d = 0; d < first->rank; d++)
			shape[d + 1] = first->shape[d];
		flat[k] = value_new(first->type, first->rank + 1, shape);
		size_t size = (size_t)value_count(first) * (size_t)primtype_size(first->type);
		for (int64_t i = 0; i < n; i++) {
			const Value *v = &parts[i].flat[k];
			bool fits = is_same_type(parts[i].type, t) && v->rank == first->rank;
			for (int d = 0; fits && d < v->rank; d++)
				fits = v->shape[d] == first->shape[d];
			if (!fits)
				script_error(e, "Array elements differ in type or shape.");
			if (size)
				memcpy((char *)flat[k].data + (size_t)i * size, v->data, size);
		}
	}
	return (Datum){array_type(1, t), flat};
}

static Datum eval_field(Eval *e, const ScriptExp *x, const Local *env)
{
	Datum d = eval(e, x->of, env);
	if (d.type->kind == ET_RECORD) {
		Datum *parts = components(d);
		for (int i = 0; i < d.type->fields.len; i++)
			if (d.type->fields.at[i].name == x->name)
				return parts[i];
	}
	script_error(e, text("Type %s does not have a field %s.", d.type->name, x->name));
}

static Datum index_once(Eval *e, Datum d, Scalar i)
{
	if (d.type->kind != ET_ARRAY || d.type->rank == 0)
		script_error(e, text("Cannot index a value of type %s.", d.type->name));
	Value *flat = NEW_ARRAY(Value, d.type->n_values);
	for (int k = 0; k < d.type->n_values; k++) {
		const Value *v = &d.flat[k];
		if (!is_int(i.type) || i.i < 0 || i.i >= v->shape[0])
			script_error(e, text("Index [%s] out of bounds for array of shape [%lld].",
			                     scalar_show(i, false), (long long)v->shape[0]));
		Value r = {.type = v->type, .rank = v->rank - 1, .shape = v->shape + 1};
		r.data = (char *)v->data + i.i * value_count(&r) * primtype_size(v->type);
		flat[k] = r;
	}
	return (Datum){array_type(d.type->rank - 1, d.type->elem), flat};
}

static Datum eval_let(Eval *e, const ScriptExp *x, const Local *env)
{
	Datum d = eval(e, x->of, env);
	bool fits = !x->tuple_pattern || (d.type->kind == ET_RECORD && d.type->is_tuple &&
	                                  d.type->fields.len == x->names.len);
	if (!fits)
		script_error(e, text("Pattern does not match value of type %s.", d.type->name));
	Datum *parts = x->tuple_pattern ? components(d) : &d;
	for (int i = 0; i < x->names.len; i++)
		env = NEW(Local, x->names.at[i], parts[i], env);
	return eval(e, x->body, env);
}

static Datum eval(Eval *e, const ScriptExp *x, const Local *env)
{
	Datum d;
	Scalar s;
	switch (x->kind) {
	case SX_VALUE:
		return datum_of_value(&x->value);
	case SX_TUPLE:
		return make_tuple(eval_parts(e, x->parts, env), x->parts.len);
	case SX_ARRAY:
		return eval_array(e, x, env);
	case SX_RECORD:
		return make_record(x->names.at, eval_parts(e, x->parts, env), x->parts.len, false);
	case SX_CALL:
		return eval_call(e, x, env);
	case SX_FIELD:
		return eval_field(e, x, env);
	case SX_INDEX:
		d = eval(e, x->of, env);
		for EACH(const ScriptExp *, i, x->parts) {
			if (!datum_scalar(eval(e, *i, env), &s))
				script_error(e, "An index must be an integer.");
			d = index_once(e, d, s);
		}
		return d;
	case SX_LET:
		return eval_let(e, x, env);
	}
	bug("not a kind of script expression");
}

bool script_eval(Script *s, const ScriptExp *x, Datum *out, const char **why)
{
	Eval *e = NEW(Eval, .script = s);
	if (setjmp(e->escape) == 0) {
		*out = eval(e, x, NULL);
		return true;
	}
	*why = e->why;
	return false;
}

// ---- Printing ----

static void put_datum(Str *s, const EntryType *t, const Value *flat)
{
	if (t->kind == ET_RECORD) {
		str_putc(s, t->is_tuple ? '(' : '{');
		for (int i = 0; i < t->fields.len; i++) {
			const EntryField *f = &t->fields.at[i];
			str_puts(s, i ? ", " : "");
			if (!t->is_tuple)
				str_printf(s, "%s=", f->name);
			put_datum(s, f->type, flat);
			flat += f->type->n_values;
		}
		str_putc(s, t->is_tuple ? ')' : '}');
	} else if (t->kind == ET_PRIM || (t->kind == ET_ARRAY && t->elem->kind == ET_PRIM)) {
		value_write_text(s, &flat[0], TEXT_SHORTEST);
	} else {
		str_puts(s, show_on_line(t, flat));
	}
}

const char *script_show(Datum d)
{
	Str s = {0};
	put_datum(&s, d.type, d.flat);
	return str_text(&s);
}
