// Property-based tests: entry points of type t -> bool marked #[prop], called with random
// arguments; a counterexample is made smaller before it is reported.
//
//   #[prop]                                   arguments made here, componentwise
//   #[prop(gen(f), shrink(g), size(20))]      f: (size: i64) -> (seed: u64) -> t
//                                             g: t -> u64 -> t
//
// Arrays whose types share a size get equal lengths.  Without a shrinker, a counterexample is
// looked for among the candidates of the same seed and smaller sizes.
#include "cli/cli.h"

#include <ctype.h>
#include <stdlib.h>

enum { MOST_SHRINKS = 10000 };          // a shrinker that goes in circles ends here

typedef struct {
	Script *script;
	const Fun *fun, *gen, *shrink;
	int64_t size;
	const PropertyOptions *options;
	const char *problem;            // something that ends the test
} Property;

// sizes: Var id + 1 -> int64_t *; tame: arrays are not empty, integers could be their indices.
typedef struct { Rng rng; int64_t size; Map sizes; bool tame; } Making;

// ---- Attributes ----

// The text of argument `name` of #[prop(...)], or NULL.
static const char *argument(const char *attr, const char *name)
{
	size_t n = strlen(name);
	for (const char *p = attr; (p = strstr(p, name)) != NULL; p += n) {
		const char *q = p + n + strspn(p + n, " \t\n");
		if (*q != '(' || (p > attr && (isalnum((unsigned char)p[-1]) || p[-1] == '_')))
			continue;
		q += 1 + strspn(q + 1, " \t\n");
		return text("%.*s", (int)strcspn(q, " \t\n)"), q);
	}
	return NULL;
}

static const char *prop_attribute(const Fun *f)
{
	const Attributes lists[] = {f->entry->attrs, f->attrs};
	for (int i = 0; i < 2; i++)
		for EACH(Name, a, lists[i])
			if (strcmp(*a, "prop") == 0 || str_starts(*a, "prop("))
				return *a;
	return NULL;
}

// ---- Making candidates ----

static int64_t random_length(Making *m)
{
	uint64_t bits = rng_next(&m->rng), size = (uint64_t)m->size;
	return (int64_t)(m->tame ? 1 + bits % size : bits % (size + 1));
}

// The length for a dimension: that of its variable, which is chosen on first sight.
static int64_t length_of(Making *m, Sub dim)
{
	if (dim.kind == S_CONST)
		return dim.val.i;
	const void *key = (const void *)((uintptr_t)dim.var.id + 1);
	int64_t *known = map_get(&m->sizes, key);
	if (!known) {
		known = NEW_ARRAY(int64_t, 1);
		*known = random_length(m);
		map_put(&m->sizes, key, known);
	}
	return *known;
}

static Scalar random_scalar(Making *m, PrimType t)
{
	uint64_t bits = rng_next(&m->rng);
	if (is_float(t))
		return scalar_float(t, (double)(bits >> 40) / (1 << 23) - 1);
	if (m->tame)
		bits %= (uint64_t)m->size;
	return scalar_int(t, (int64_t)(t == PT_BOOL ? bits & 1 : bits));
}

// A flat value for a parameter (whose type says the sizes), random or all zero.
static Value make_flat(Making *m, Var param, bool zero)
{
	const Type *t = &vars[param.id].type;
	int64_t *shape = NEW_ARRAY(int64_t, t->dims.len);
	for (int i = 0; i < t->dims.len; i++)
		shape[i] = length_of(m, t->dims.at[i]);
	Value v = value_new(t->elem, t->dims.len, shape);
	const int64_t *as_size = map_get(&m->sizes, (const void *)((uintptr_t)param.id + 1));
	if (t->dims.len == 0 && as_size) {
		value_set(&v, 0, scalar_int(t->elem, *as_size));
		return v;
	}
	int64_t n = zero ? 0 : value_count(&v);
	for (int64_t i = 0; i < n; i++)
		value_set(&v, i, random_scalar(m, t->elem));
	return v;
}

// ---- Types of what the user gives ----

static const char *type_of(const Fun *f)
{
	Str s = {0};
	for EACH(EntryParam, e, f->entry->params)
		str_printf(&s, "%s -> ", e->type->name);
	str_puts(&s, f->entry->result->name);
	return str_text(&s);
}

// Is it of type A -> B -> C?  Otherwise says so; `what`: a generator, a shrinker.
static bool has_type(Property *p, const char *what, const Fun *f, const EntryType *a,
                     const EntryType *b, const EntryType *c)
{
	const EntryInfo *e = f->entry;
	if (e->params.len == 2 && is_same_type(e->params.at[0].type, a) &&
	    is_same_type(e->params.at[1].type, b) && is_same_type(e->result, c))
		return true;
	p->problem = text("%s %s has the wrong type.\nExpected: %s -> %s -> %s\nActual:   %s", what,
	                  f->entry_name, a->name, b->name, c->name, type_of(f));
	return false;
}

static const EntryType i64_type = {.kind = ET_PRIM, .name = "i64", .prim = PT_I64, .n_values = 1};
static const EntryType u64_type = {.kind = ET_PRIM, .name = "u64", .prim = PT_U64, .n_values = 1};

static bool is_generator(Property *p, const Fun *gen, const EntryType *t)
{
	return has_type(p, "generator", gen, &i64_type, &u64_type, t);
}

static bool call_generator(Property *p, const Fun *gen, int64_t size, uint64_t seed,
                           const EntryType *want, Values *out)
{
	Values numbers = {0};
	Datum args[2], made;
	VEC_PUSH(&numbers, value_scalar(scalar_int(PT_I64, size)));
	VEC_PUSH(&numbers, value_scalar(scalar_int(PT_U64, (int64_t)seed)));
	for (int i = 0; i < 2; i++) {
		Values one = {&numbers.at[i], 1, 1};
		args[i] = datum_of_values(&one);
	}
	const char *why;
	if (!script_call(p->script, gen, args, 2, &made, &why))
		p->problem = text("generator %s failed (size=%lld, seed=%llu):\n%s",
		                  gen->entry_name, (long long)size, (unsigned long long)seed,
		                  why);
	else if (!datum_convert(want, made, out))
		p->problem = text("generator %s gives %s, not %s.", gen->entry_name,
		                  made.type->name, want->name);
	return !p->problem;
}

// The entry point gen_TYPE, for types that have a name.
static const Fun *generator_for(Property *p, const EntryType *t)
{
	if (!t->opaque_name)
		return NULL;
	return find_entry(p->script->loaded->prog, text("gen_%s", t->name));
}

static bool make(Property *p, Making *m, const EntryType *t, const Var *params, Values *out);

static bool make_sum(Property *p, Making *m, const EntryType *t, const Var *params, Values *out)
{
	int tagged = t->constrs.len > 1, chosen = 0;
	if (tagged)
		chosen = (int)(rng_next(&m->rng) % (uint64_t)t->constrs.len);
	const EntryConstr *c = &t->constrs.at[chosen];
	// The payload is made as if its slots were parameters of its own, then put in place.
	Var *slots = NEW_ARRAY(Var, c->slots.len);
	for (int i = 0; i < c->slots.len; i++)
		slots[i] = params[tagged + c->slots.at[i]];
	Values payload = {0};
	int done = 0;
	for EACH(EntryType *, a, c->args) {
		if (!make(p, m, *a, slots + done, &payload))
			return false;
		done += (*a)->n_values;
	}
	int first = out->len;
	if (tagged)
		VEC_PUSH(out, value_scalar(scalar_int(vars[params[0].id].type.elem, chosen)));
	for (int i = tagged; i < t->n_values; i++) {
		Value blank = make_flat(m, params[i], true);
		VEC_PUSH(out, blank);
	}
	for (int i = 0; i < c->slots.len; i++)
		out->at[first + tagged + c->slots.at[i]] = payload.at[i];
	return true;
}

// Arrays of sums have a tag per element, all of which must name a constructor.
static void clamp_tags(const EntryType *t, Value *flat)
{
	switch (t->kind) {
	case ET_PRIM:
	case ET_FUN:
		return;
	case ET_ARRAY:
		clamp_tags(t->elem, flat);
		return;
	case ET_RECORD:
		for EACH(EntryField, f, t->fields) {
			clamp_tags(f->type, flat);
			flat += f->type->n_values;
		}
		return;
	case ET_SUM:
		for (int64_t i = 0, n = t->constrs.len > 1 ? value_count(flat) : 0; i < n; i++) {
			uint64_t tag = value_get(flat, i).u % (uint64_t)t->constrs.len;
			value_set(flat, i, scalar_int(flat->type, (int64_t)tag));
		}
		return;
	}
	bug("not a kind of surface type");
}

static bool make(Property *p, Making *m, const EntryType *t, const Var *params, Values *out)
{
	const Fun *gen = generator_for(p, t);
	if (gen && !is_generator(p, gen, t))
		return false;
	if (gen)
		return call_generator(p, gen, m->size, rng_next(&m->rng), t, out);
	switch (t->kind) {
	case ET_PRIM:
	case ET_ARRAY: {
		int first = out->len;
		for (int i = 0; i < t->n_values; i++) {
			Value v = make_flat(m, params[i], false);
			VEC_PUSH(out, v);
		}
		if (t->n_values)
			clamp_tags(t, out->at + first);
		return true;
	}
	case ET_RECORD:
		for EACH(EntryField, f, t->fields) {
			if (!make(p, m, f->type, params, out))
				return false;
			params += f->type->n_values;
		}
		return true;
	case ET_SUM:
		return make_sum(p, m, t, params, out);
	case ET_FUN:
		p->problem = "A function cannot be generated.";
		return false;
	}
	bug("not a kind of surface type");
}

static bool make_candidate(Property *p, int64_t size, uint64_t seed, Values *out)
{
	const EntryType *t = p->fun->entry->params.at[0].type;
	if (p->gen)
		return call_generator(p, p->gen, size, seed, t, out);
	Making m = {.rng = {.state = seed}, .size = size};
	const Var *params = p->fun->params.at + (p->fun->params.len - t->n_values);
	// A parameter that is the size of another must be known as one before it is made.
	for (int i = 0; i < t->n_values; i++)
		for EACH(Sub, d, vars[params[i].id].type.dims)
			length_of(&m, *d);
	return make(p, &m, t, params, out);
}

bool make_arguments(Script *s, const Fun *f, int64_t size, uint64_t seed, Values *out,
                    const char **why)
{
	Property p = {.script = s, .fun = f};
	Making m = {.rng = {.state = seed}, .size = size, .tame = true};
	int n = 0;
	for EACH(EntryParam, e, f->entry->params)
		n += e->type->n_values;
	const Var *params = f->params.at + (f->params.len - n);
	for (int i = 0; i < n; i++)
		for EACH(Sub, d, vars[params[i].id].type.dims)
			length_of(&m, *d);
	for EACH(EntryParam, e, f->entry->params) {
		if (!make(&p, &m, e->type, params, out)) {
			*why = p.problem;
			return false;
		}
		params += e->type->n_values;
	}
	return true;
}

// ---- Trying them ----

static Datum candidate_datum(const Property *p, const Values *v)
{
	return (Datum){p->fun->entry->params.at[0].type, v->at};
}

static const char *show_candidate(const Property *p, const Values *v)
{
	const EntryType *t = p->fun->entry->params.at[0].type;
	bool record = t->kind == ET_RECORD && !t->is_tuple;
	return record ? show_on_line(t, v->at) : script_show(candidate_datum(p, v));
}

typedef enum { HOLDS, FAILS, CRASHES } Verdict;

static Verdict try_candidate(Property *p, const Values *candidate, const char **why)
{
	Datum d = candidate_datum(p, candidate), out;
	Scalar s;
	if (!script_call(p->script, p->fun, &d, 1, &out, why))
		return CRASHES;
	if (!datum_scalar(out, &s) || s.type != PT_BOOL) {
		*why = text("it gives %s, not bool", out.type->name);
		return CRASHES;
	}
	return s.u ? HOLDS : FAILS;
}

// Applies the user's shrinker; a candidate for which the property still fails is taken, also one
// that is equal to the last, since shrinkers may leave it to their random number what to do.  Ends
// when the property holds for so many in a row.  Gives what is to be said; *broken: the shrinker
// failed.
static const char *shrink_with(Property *p, uint64_t seed, Values *counterexample, bool *broken)
{
	Rng rng = {.state = seed};
	const EntryType *t = p->fun->entry->params.at[0].type;
	int steps = 0;
	for (int64_t held = 0; held < p->options->num_tries; held++) {
		if (++steps > MOST_SHRINKS)
			return text("Shrinking note: gave up after %d steps.\n", MOST_SHRINKS);
		Value number = value_scalar(scalar_int(PT_U64, (int64_t)rng_next(&rng)));
		Values one = {&number, 1, 1}, smaller = {0};
		Datum args[2] = {candidate_datum(p, counterexample), datum_of_values(&one)}, out;
		const char *why;
		*broken = true;
		if (!script_call(p->script, p->shrink, args, 2, &out, &why))
			return text("Shrinking failed: shrinker %s, given %s and %llu, "
			            "failed:\n%s\n",
			            p->shrink->entry_name, show_candidate(p, counterexample),
			            (unsigned long long)value_get(&number, 0).u, why);
		if (!datum_convert(t, out, &smaller))
			return text("Shrinking failed: shrinker %s gives %s, not %s\n",
			            p->shrink->entry_name, out.type->name, t->name);
		*broken = false;
		if (try_candidate(p, &smaller, &why) != FAILS)
			continue;
		*counterexample = smaller;
		held = -1;
	}
	return "";
}

static void shrink_by_size(Property *p, uint64_t seed, Values *counterexample)
{
	for (int64_t size = 0; size < p->size; size++) {
		Values smaller = {0};
		const char *why;
		if (!make_candidate(p, size, seed, &smaller)) {
			p->problem = NULL;
			continue;
		}
		if (try_candidate(p, &smaller, &why) == FAILS) {
			*counterexample = smaller;
			return;
		}
	}
}

static const char *run(Property *p)
{
	uint64_t seed = p->options->seed;
	Rng seeds = {.state = seed};
	for (int64_t i = 0; i < p->options->num_tests; i++, seed = rng_next(&seeds)) {
		Values candidate = {0};
		const char *why, *note = "";
		if (!make_candidate(p, p->size, seed, &candidate))
			return text("Property %s: %s", p->fun->entry_name, p->problem);
		Verdict v = try_candidate(p, &candidate, &why);
		if (v == HOLDS)
			continue;
		if (v == CRASHES)
			return text("Property %s failed with candidate=%s with error: %s",
			            p->fun->entry_name, show_candidate(p, &candidate),
			            why);
		bool broken = !p->shrink;
		if (p->shrink)
			note = shrink_with(p, seed, &candidate, &broken);
		if (broken)
			shrink_by_size(p, seed, &candidate);
		if (broken && p->shrink)
			note = text("%sShrinking note: fell back to smaller sizes.\n", note);
		return text("%sProperty %s (size=%lld, seed=%llu) failed after %lld tests:\n"
		            "Counterexample: %s", note, p->fun->entry_name, (long long)p->size,
		            (unsigned long long)seed, (long long)i + 1,
		            show_candidate(p, &candidate));
	}
	return NULL;
}

// An entry point named by an attribute; *why is set when there is no such.
static const Fun *named(const Property *p, const char *attr, const char *arg, const char **why)
{
	const char *name = argument(attr, arg);
	const Fun *f = name ? find_entry(p->script->loaded->prog, name) : NULL;
	if (name && !f)
		*why = text("Property %s: %s(%s): %s is not an entry point.",
		            p->fun->entry_name, arg, name, name);
	return f;
}

const char *check_property(Script *s, Name name, const PropertyOptions *options)
{
	Property p = {.script = s, .options = options, .size = options->max_size};
	const char *why = NULL;
	p.fun = find_entry(s->loaded->prog, name);
	if (!p.fun)
		return text("Property %s is not an entry point.", name);
	const char *attr = prop_attribute(p.fun);
	if (!attr)
		return text("Entry point %s is not marked #[prop].", name);
	if (p.fun->entry->params.len != 1 || p.fun->entry->result->kind != ET_PRIM ||
	    p.fun->entry->result->prim != PT_BOOL)
		return text("Property %s has the wrong type.\n"
		            "Expected: one parameter, and bool as the result\nActual:   %s", name,
		            type_of(p.fun));
	const EntryType *t = p.fun->entry->params.at[0].type;
	p.gen = named(&p, attr, "gen", &why);
	p.shrink = named(&p, attr, "shrink", &why);
	const char *size = argument(attr, "size");
	if (size)
		p.size = strtoll(size, NULL, 10);
	if (why)
		return why;
	if ((p.gen && !is_generator(&p, p.gen, t)) ||
	    (p.shrink && !has_type(&p, "shrinker", p.shrink, t, &u64_type, t)))
		return text("Property %s: %s", name, p.problem);
	return run(&p);
}
