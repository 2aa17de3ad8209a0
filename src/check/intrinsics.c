// The environment below the prelude: primitive types, operators, the module `intrinsics`.
//
// Scalar operations get their types from the columns of prims.def, array operations from the
// type texts of intrinsics.def.  A text is parsed and elaborated when the intrinsic is first
// used, like a val specification:
//
//     'a 'x [n] : (a -> x) -> [n]a -> *[n]x
#include "check/infer.h"

// ---- Scalar operations ----

// The names in the columns of prims.def.
enum { NUM = OV_NUM, INT = OV_INT, FLOAT = OV_FLOAT, BITS = OV_BITS, ALL = OV_ANY_PRIM,
       WORD = OV_INT };
typedef enum { SAME, BOOL, I32, BITS_OF, FLOAT_OF } Result;

typedef struct { const char *name; int arity, domain; Result result; } Row;

static const Row prim_rows[] = {
#define PRIM(name, arity, domain, result, ...) {#name, arity, domain, result},
#include "core/prims.def"
#undef PRIM
};

// Equality has no domain of primitive types: what supports it is for inference to check.
static const Row operators[] = {
	{"+", 2, OV_NUM, SAME}, {"-", 2, OV_NUM, SAME}, {"*", 2, OV_NUM, SAME},
	{"/", 2, OV_NUM, SAME}, {"%", 2, OV_NUM, SAME}, {"**", 2, OV_NUM, SAME},
	{"//", 2, OV_INT, SAME}, {"%%", 2, OV_INT, SAME},
	{"&", 2, OV_INT, SAME}, {"|", 2, OV_INT, SAME}, {"^", 2, OV_INT, SAME},
	{"<<", 2, OV_INT, SAME}, {">>", 2, OV_INT, SAME},
	{"==", 2, 0, BOOL}, {"!=", 2, 0, BOOL},
	{"<", 2, OV_ORD, BOOL}, {"<=", 2, OV_ORD, BOOL},
	{">", 2, OV_ORD, BOOL}, {">=", 2, OV_ORD, BOOL},
	{"!", 1, OV_BITS, SAME},        // before its operand; as a function: (!)
};

bool is_logic_operator(Name name)
{
	return strcmp(name, "&&") == 0 || strcmp(name, "||") == 0;
}

static Ty *new_param(Scheme *s, const char *name)
{
	TypeDef *def = typedef_new(TD_PARAM, name_of(name), NOWHERE);
	TypeDef **at = NEW_ARRAY(TypeDef *, s->types.len + 1);
	for (int i = 0; i < s->types.len; i++)
		at[i] = s->types.at[i];
	at[s->types.len] = def;
	s->types = (TypeDefs){at, s->types.len + 1};
	return ty_param(def);
}

static Scheme scheme_of_row(const Row *row)
{
	Scheme s = {0};
	Ty *t = new_param(&s, "t"), *result = t;
	switch (row->result) {
	case SAME:
		break;
	case BOOL:
		result = ty_prim(PT_BOOL);
		break;
	case I32:
		result = ty_prim(PT_I32);
		break;
	case BITS_OF: case FLOAT_OF: // which of the types it is: see settle_bits in infer.c
		result = new_param(&s, "u");
		break;
	}
	s.type = result;
	for (int i = row->arity - 1; i >= 0; i--) {
		bool exponent = i == 1 && strcmp(row->name, "ldexp") == 0;
		s.type = ty_arrow(NULL, exponent ? ty_prim(PT_I32) : t, (Bindings){0}, s.type);
	}
	return s;
}

static Binding *add(Env *env, const char *name)
{
	Binding *b = binding_new(BIND_INTRINSIC, name_of(name), NOWHERE);
	b->intrinsic = name;
	map_put(&env->values, b->name, b);
	return b;
}

static Binding *add_row(Env *env, const Row *row)
{
	Binding *b = add(env, row->name);
	b->scheme = scheme_of_row(row);
	b->overload = (Overload)row->domain;
	b->needs_equality = !row->domain;
	return b;
}

// to_i8 ... to_bool: any primitive type to this one.
static void add_conversion(Env *env, PrimType to)
{
	Binding *b = add(env, text("to_%s", primtype_name[to]));
	Ty *from = new_param(&b->scheme, "t");
	b->scheme.type = ty_arrow(NULL, from, (Bindings){0}, ty_prim(to));
	b->overload = OV_ANY_PRIM;
}

// ---- Array operations ----

static const struct { const char *name, *type; } typed_rows[] = {
#define INTRINSIC(name, type) {#name, type},
#include "check/intrinsics.def"
#undef INTRINSIC
};
enum { N_TYPED = sizeof typed_rows / sizeof *typed_rows };

// acc 'a: an accumulator of an array of type a.  What it is made of is for lowering to say.
static TypeDef *acc_type;

bool is_acc_type(const TypeDef *d)
{
	return d == acc_type;
}

static void add_acc_type(Env *env)
{
	TypeParam p = {.kind = TP_TYPE, .name = name_of("a"),
	               .def = typedef_new(TD_PARAM, name_of("a"), NOWHERE)};
	acc_type = typedef_new(TD_ABSTRACT, name_of("acc"), NOWHERE);
	acc_type->full_name = "intrinsics.acc";
	acc_type->lifting = LIFT_SIZE;
	acc_type->params = (TypeParams){mem_dup(&p, sizeof p), 1};
	map_put(&env->types, acc_type->name, acc_type);
}

// Reads the parameters 'a '~b [n] and the colon after them; gives the rest.
static const char *read_params(const char *at, TypeParams *params)
{
	VEC(TypeParam) out = {0};
	if (*at != '\'' && *at != '[')
		return at;
	while (*at != ':') {
		TypeParam p = {.kind = *at == '[' ? TP_SIZE : at[1] == '~' ? TP_SIZE_LIFTED
		                     : at[1] == '^' ? TP_LIFTED : TP_TYPE};
		at += p.kind == TP_SIZE_LIFTED || p.kind == TP_LIFTED ? 2 : 1;
		size_t n = strcspn(at, " ]:");
		p.name = name_of_n(at, n);
		VEC_PUSH(&out, p);
		at += n;
		at += strspn(at, " ]");
	}
	*params = VEC_SLICE(TypeParams, out);
	return at + 1;
}

void intrinsic_force(Binding *b)
{
	if (b->scheme.type)
		return;
	const char *type = NULL;
	for (int i = 0; i < N_TYPED && !type; i++)
		if (strcmp(typed_rows[i].name, b->intrinsic) == 0)
			type = typed_rows[i].type;
	if (!type)
		bug("type of intrinsic %s", b->intrinsic);
	// The inference that needs the type has nothing to do with the sizes in it.
	Infer *outer = infer;
	infer = NULL;
	TypeParams params = {0};
	type = read_params(type, &params);
	Source *src = source_add("intrinsics", type, strlen(type));
	TypeExpr *te = src ? parse_type_only(src) : NULL;
	if (!te)
		bug("type of intrinsic %s", b->intrinsic);
	Env *env = NEW(Env, .up = intrinsics_env());
	map_put(&env->types, acc_type->name, acc_type);
	Scope *s = scope_new(env);
	elab_type_params(s, params);
	Bindings exts = {0};
	b->scheme = scheme_of_params(params, elab_type(s, te, &exts));
	infer = outer;
}

// ---- The environment ----

static Env *known;              // a cache: made once, by the first who asks

static void add_prim_types(Env *env)
{
	for (int t = 0; t < N_PRIMTYPE; t++) {
		TypeDef *def = typedef_new(TD_PRIM, name_of(primtype_name[t]), NOWHERE);
		def->body = ty_prim((PrimType)t);
		map_put(&env->types, def->name, def);
	}
}

Env *intrinsics_env(void)
{
	if (known)
		return known;
	Env *env = known = NEW(Env, .name = NULL);
	Env *inside = NEW(Env, .name = name_of("intrinsics"));
	add_prim_types(env);
	add_acc_type(inside);
	for (size_t i = 0; i < sizeof prim_rows / sizeof *prim_rows; i++)
		add_row(inside, &prim_rows[i]);
	for (int t = 0; t < N_PRIMTYPE; t++)
		add_conversion(inside, (PrimType)t);
	for (int i = 0; i < N_TYPED; i++)
		add(inside, typed_rows[i].name);
	// What the program redefines is still intrinsics.+
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
		map_put(&inside->values, name_of(operators[i].name), add_row(env, &operators[i]));
	Binding *module = binding_new(BIND_MODULE, inside->name, NOWHERE);
	module->mod = NEW(Mod, .kind = MOD_ENV, .env = inside);
	map_put(&env->values, module->name, module);
	return env;
}

void intrinsics_force(void)
{
	const Binding *module = map_get(&intrinsics_env()->values, name_of("intrinsics"));
	for MAP_EACH(e, module->mod->env->values)
		intrinsic_force(e->val);
}
