// Checks C trees (ir.h), each function once it is whole:
//
//   - a name is declared before it is used, in a block around and whatever macros are defined;
//     not twice in the same block
//   - types, as far as they are known: what is indexed is an array, by an integer; what is
//     followed is a pointer; remainders and bits are of integers, conditions are no vectors; a
//     pointer is set to a pointer, a vector to a vector, an integer to no float
//   - address spaces: a pointer to shared memory, to the device's or to the thread's own is set to
//     one of the same kind
//   - loops: the index that one declares is not assigned to in its body; one that a device is to
//     unroll has a length that is known; independent iterations store to places of their own
//   - what leaves a loop stands in one, and a label that is jumped to is there
//   - no barrier stands where only some threads of a block may come by: in a branch or loop whose
//     condition differs from thread to thread, nor after some may have left
//   - where there are barriers, no memory of the device that is stored to is `restrict`: what other
//     threads stored before a barrier is to be loaded after it
//
// What functions and macros give is not known; names of the run-time (rd_*, RD_*) are known
// everywhere.
#include "gen/ir.h"

typedef enum { OF_ANY, OF_INT, OF_FLOAT, OF_VECTOR, OF_POINTER } Kind;
typedef enum { IN_ANY, IN_THREAD, IN_SHARED, IN_DEVICE } Memory;
typedef struct { Kind kind, elem; Memory in; } CType;   // elem and in: of pointers

typedef struct {
	CType type;
	const CBlock *in;               // where it is declared
	int depth;                      // of that block
	bool is_index;                  // of a loop
	bool is_array;                  // of the thread's own
	bool varies;                    // from thread to thread
} Decl;
typedef struct { Name name; Decl *before; } Hidden;

typedef struct {
	Map decls;                      // names: Decl *, NULL if not in scope
	VEC(Hidden) hidden;             // by declarations of blocks around, oldest first
	const CBlock *block;
	int depth;
	int loops, cases;               // around
	int independent;                // the depth of the outermost such loop around; 0: none
	bool on_device;
	bool divergent;                 // only some threads may be here
	bool left;                      // some threads may have left the function,
	Map left_to;                    // or be on their way to these labels,
	bool left_loop, barrier_in_loop; // or have left the loop; and there is a barrier in it
	bool barriers;                  // there are some
	Map varying;                    // names whose values vary, by what was seen so far
	bool grown;                     // and those are more than before
	Map labels, jumps;
	const char *wrong;              // the first thing found
} Check;

static void wrong(Check *c, const char *what, const char *name)
{
	if (!c->wrong)
		c->wrong = name ? text("%s: %s", what, name) : what;
}

// Most names are interned, which saves to look for the interned one.
static Decl *decl_of(const Check *c, const char *name)
{
	const MapEntry *e = c->decls.len ? map_find(&c->decls, name) : NULL;
	return e ? e->val : map_get(&c->decls, name_of(name));
}

static void set_varying(Check *c, const char *name, Decl *d, bool varies)
{
	if (!varies || d->varies)
		return;
	d->varies = true;
	if (!map_has(&c->varying, name_of(name))) {
		map_put(&c->varying, name_of(name), c);
		c->grown = true;
	}
}

// ---- Types ----

static Kind kind_of_word(const char *s)
{
	if (str_starts(s, "rd_f") && (str_ends(s, "v") || str_ends(s, "m")))
		return OF_VECTOR;
	if (str_ends(s, "float") || str_ends(s, "double"))
		return OF_FLOAT;
	return str_ends(s, "_t") || str_ends(s, "int") || str_ends(s, "bool") ? OF_INT : OF_ANY;
}

// On the host there is one kind of memory.
static CType type_of_text(const Check *c, const char *s)
{
	const char *star = strchr(s, '*');
	if (!star)
		return (CType){.kind = kind_of_word(s)};
	const char *end = star;
	while (end > s && end[-1] == ' ')
		end--;
	Kind elem = strchr(star + 1, '*') ? OF_POINTER
	                                  : kind_of_word(text("%.*s", (int)(end - s), s));
	Memory in = strstr(s, "RD_LOCAL")  ? IN_SHARED
	          : strstr(s, "RD_GLOBAL") ? IN_DEVICE
	          : c->on_device && !strstr(s, "struct") ? IN_THREAD
	                                                 : IN_ANY;
	return (CType){OF_POINTER, elem, in};
}

static bool is_number(Kind k)
{
	return k == OF_INT || k == OF_FLOAT;
}

// Can a variable of the type be set to a value of the other?
static void check_stored(Check *c, const char *name, CType to, CType from)
{
	if (to.kind == OF_ANY || from.kind == OF_ANY)
		return;
	if (to.kind != from.kind && !(is_number(to.kind) && is_number(from.kind)))
		wrong(c, "a value of another kind is stored", name);
	else if (to.kind == OF_INT && from.kind == OF_FLOAT)
		wrong(c, "a float is stored as an integer", name);
	else if (to.kind == OF_POINTER && to.in && from.in && to.in != from.in)
		wrong(c, "a pointer to memory of another kind is stored", name);
}

static CType type_of_unary(Check *c, const char *op, CType t)
{
	switch (*op) {
	case '&': return (CType){OF_POINTER, t.kind, t.in};
	case '*':
		if (t.kind != OF_ANY && t.kind != OF_POINTER)
			wrong(c, "what is followed is no pointer", NULL);
		return (CType){.kind = t.elem, .in = t.in};
	case '!':
		if (t.kind == OF_VECTOR)
			wrong(c, "a condition is a vector", NULL);
		return (CType){.kind = OF_INT};
	case '~':
		if (t.kind == OF_FLOAT || t.kind == OF_POINTER)
			wrong(c, "an operation on integers has another operand", op);
		return t;
	default: return t;
	}
}

static CType type_of_binary(Check *c, const char *op, CType x, CType y)
{
	bool pointer = x.kind == OF_POINTER || y.kind == OF_POINTER;
	bool is_float = x.kind == OF_FLOAT || y.kind == OF_FLOAT;
	bool shifts = op[1] == *op && strchr("<>", *op);
	if (strcmp(op, "=") == 0)
		return x;
	if (strchr("<>=!", *op) && !shifts)
		return (CType){.kind = OF_INT};
	if (strcmp(op, "&&") == 0 || strcmp(op, "||") == 0) {
		if (x.kind == OF_VECTOR || y.kind == OF_VECTOR)
			wrong(c, "a condition is a vector", NULL);
		return (CType){.kind = OF_INT};
	}
	if (strchr("%&|^<>", *op) && (pointer || is_float))
		wrong(c, "an operation on integers has another operand", op);
	if (pointer && (strchr("*/", *op) || is_float))
		wrong(c, "a pointer is calculated with", op);
	if (pointer)
		return x.kind != y.kind ? (x.kind == OF_POINTER ? x : y) : (CType){.kind = OF_INT};
	if (x.kind == OF_ANY || y.kind == OF_ANY)
		return (CType){0};
	return x.kind == OF_VECTOR || y.kind == OF_INT ? x : y;
}

static CType type_of_index(Check *c, CType array, CType index)
{
	if (is_number(array.kind))
		wrong(c, "what is indexed is no array", NULL);
	if (index.kind != OF_ANY && index.kind != OF_INT)
		wrong(c, "an index is no integer", NULL);
	return (CType){.kind = array.elem, .in = array.in};
}

// ---- Expressions ----

typedef struct { CType type; bool varies; } Value;

static bool is_of_runtime(const char *name)
{
	return str_starts(name, "rd_") || str_starts(name, "RD_");
}

static bool is_thread_number(const char *fun)
{
	static const char *const names[] = {"rd_local_id", "rd_global_id", "rd_lane", "rd_warp"};
	for (int i = 0; i < 4; i++)
		if (strcmp(fun, names[i]) == 0)
			return true;
	return false;
}

// rd_shuffle_T(x, lane, ..): the value that one lane has.  All warps have combined the same ones
// where it is the same lane for all.  rd_all_have(x): each lane has come to the same value.
static bool is_of_one_lane(CExp x)
{
	if (strcmp(x->text, "rd_all_have") == 0)
		return true;
	return str_starts(x->text, "rd_shuffle_") && !str_starts(x->text, "rd_shuffle_up") &&
	       !str_starts(x->text, "rd_shuffle_down") && !str_starts(x->text, "rd_shuffle_xor");
}

static Value value_of_name(Check *c, const char *name)
{
	const Decl *d = decl_of(c, name);
	if (!d && !is_of_runtime(name))
		wrong(c, "a name is used that is not declared here", name);
	if (!d && strcmp(name, "rd_shared") == 0)
		return (Value){{OF_POINTER, OF_ANY, IN_SHARED}, false};
	return d ? (Value){d->type, d->varies} : (Value){0};
}

// A variable is set, if it is one.
static void set_name(Check *c, CExp x, bool varies)
{
	Decl *d = x->kind == X_NAME ? decl_of(c, x->text) : NULL;
	if (d)
		set_varying(c, x->text, d, varies);
}

static Value check_exp(Check *c, CExp x);

// What calls store through pointers varies if one of the operands does.
static Value check_call(Check *c, CExp x)
{
	bool varies = is_thread_number(x->text);
	for (int i = 0; i < x->n; i++) {
		Value v = check_exp(c, x->x[i]);
		varies |= v.varies && !(i == 0 && is_of_one_lane(x));
	}
	for (int i = 0; i < x->n; i++)
		if (x->x[i]->kind == X_UNARY && *x->x[i]->text == '&')
			set_name(c, x->x[i]->x[0], varies || c->divergent);
	return (Value){.varies = varies};
}

static void check_condition(Check *c, CType t)
{
	if (t.kind == OF_VECTOR)
		wrong(c, "a condition is a vector", NULL);
}

static Value check_exp(Check *c, CExp x)
{
	Value v[3] = {0};
	bool varies = false;
	if (x->kind == X_CALL)
		return check_call(c, x);
	for (int i = 0; i < x->n; i++) {
		Value one = check_exp(c, x->x[i]);
		varies |= one.varies;
		if (i < 3)
			v[i] = one;
	}
	CType t = {0};
	switch (x->kind) {
	case X_NAME: return value_of_name(c, x->text);
	case X_INT: t.kind = x->value ? OF_INT : OF_ANY; break; // 0 is also a pointer
	case X_CONST: t.kind = strchr("0123456789", *x->text) ? OF_FLOAT : OF_ANY; break;
	case X_UNARY: t = type_of_unary(c, x->text, v[0].type); break;
	case X_BINARY:
		t = type_of_binary(c, x->text, v[0].type, v[1].type);
		if (strcmp(x->text, "=") == 0)
			set_name(c, x->x[0], v[1].varies || c->divergent);
		break;
	case X_SELECT:
		check_condition(c, v[0].type);
		if (v[1].type.kind == OF_POINTER && v[2].type.kind == OF_POINTER)
			check_stored(c, "a choice", v[1].type, v[2].type);
		t = v[1].type.kind == OF_ANY ? v[2].type : v[1].type;
		break;
	case X_CAST: {
		CType to = type_of_text(c, x->text);
		if (to.kind == OF_POINTER && v[0].type.kind == OF_POINTER)
			check_stored(c, x->text, to, v[0].type);
		t = to;
		break;
	}
	case X_INDEX: t = type_of_index(c, v[0].type, v[1].type); break;
	case X_PAREN: t = v[0].type; break;
	case X_CALL: case X_FIELD: case X_MEMBER: case X_LIST: break;
	}
	return (Value){t, varies};
}

// ---- Names ----

static Decl *declare(Check *c, const char *text, CType type)
{
	Name name = name_of(text);
	Decl *before = map_get(&c->decls, name);
	if (before && before->in == c->block)
		wrong(c, "a name is declared twice", text);
	Decl *d = NEW(Decl, .type = type, .in = c->block, .depth = c->depth,
	              .varies = map_has(&c->varying, name));
	VEC_PUSH(&c->hidden, (Hidden){name, before});
	map_put(&c->decls, name, d);
	return d;
}

// Declarations since there were n of them are no more.
static void forget(Check *c, int n)
{
	for (; c->hidden.len > n; c->hidden.len--)
		map_put(&c->decls, c->hidden.at[c->hidden.len - 1].name,
		        c->hidden.at[c->hidden.len - 1].before);
}

static void check_stms(Check *c, const CBlock *b);

static void check_block(Check *c, const CBlock *b)
{
	const CBlock *outside = c->block;
	int n = c->hidden.len;
	c->block = b;
	c->depth++;
	check_stms(c, b);
	c->depth--;
	c->block = outside;
	forget(c, n);
}

// What both ways declare is declared after it; what one alone does is not.
static void check_ifdef(Check *c, const CStm *s)
{
	Map first = {0};
	int n = c->hidden.len;
	check_stms(c, &s->body);
	for (int i = n; i < c->hidden.len; i++)
		map_put(&first, c->hidden.at[i].name, map_get(&c->decls, c->hidden.at[i].name));
	forget(c, n);
	check_stms(c, &s->other);
	VEC(Hidden) both = {0};
	for (int i = n; i < c->hidden.len; i++) {
		Decl *d = map_get(&first, c->hidden.at[i].name);
		if (d)
			VEC_PUSH(&both, (Hidden){c->hidden.at[i].name, d});
	}
	forget(c, n);
	for EACH(const Hidden, b, both)
		set_varying(c, b->name, declare(c, b->name, b->before->type), b->before->varies);
}

// ---- Loops, branches ----

// A block that not all threads come by if its condition varies.
static void check_inner(Check *c, const CBlock *b, bool varies)
{
	bool divergent = c->divergent;
	c->divergent |= varies;
	check_block(c, b);
	c->divergent = divergent;
}

static void check_branches(Check *c, const CStm *s)
{
	Value v = check_exp(c, s->x);
	check_condition(c, v.type);
	check_inner(c, &s->body, v.varies);
	check_inner(c, &s->other, v.varies);
}

static void check_iterations(Check *c, const CBlock *b, bool varies)
{
	bool left = c->left_loop, barrier = c->barrier_in_loop;
	c->left_loop = c->barrier_in_loop = false;
	c->loops++;
	check_inner(c, b, varies);
	c->loops--;
	if (c->left_loop && c->barrier_in_loop)
		wrong(c, "a barrier in a loop that some threads leave before others", NULL);
	c->left_loop = left;
	c->barrier_in_loop |= barrier;
}

static bool is_known_length(CExp cond)
{
	CExp n = cond && cond->kind == X_BINARY && *cond->text == '<' ? cond->x[1] : NULL;
	return n && (n->kind == X_INT || n->kind == X_CONST ||
	             (n->kind == X_CALL && strcmp(n->text, "RD_CHOOSE") == 0));
}

static void check_props(Check *c, const CFor *f)
{
	if (f->props & LOOP_UNROLL && f->props & LOOP_NO_UNROLL)
		wrong(c, "a loop is to be unrolled and not to be", f->i);
	// compilers for processors unroll by a few iterations
	if (c->on_device && f->props & LOOP_UNROLL && !is_known_length(f->cond))
		wrong(c, "a loop is to be unrolled whose length is not known", f->i);
}

static void check_for(Check *c, const CStm *s)
{
	const CFor *f = s->loop;
	const CBlock *outside = c->block;
	int n = c->hidden.len, independent = c->independent;
	Value from = f->from ? check_exp(c, f->from) : (Value){0};
	c->block = &s->body;
	c->depth++;
	check_props(c, f);
	if (f->props & LOOP_INDEPENDENT && !c->independent)
		c->independent = c->depth;
	if (f->type) {
		Decl *d = declare(c, f->i, type_of_text(c, f->type));
		d->is_index = true;
		check_stored(c, f->i, d->type, from.type);
		set_varying(c, f->i, d, from.varies);
	} else if (f->i) {
		value_of_name(c, f->i);
		set_name(c, x_name(f->i), from.varies || c->divergent);
	}
	Value cond = f->cond ? check_exp(c, f->cond) : (Value){0};
	bool varies = cond.varies | (f->by && check_exp(c, f->by).varies);
	check_condition(c, cond.type);
	c->block = outside;
	check_iterations(c, &s->body, varies);
	c->depth--;
	c->independent = independent;
	forget(c, n);
}

// ---- Threads that leave ----

static void check_exit(Check *c, const CStm *s)
{
	if (s->kind == S_GOTO) {
		map_put(&c->jumps, name_of(s->name), c);
		if (c->divergent)
			map_put(&c->left_to, name_of(s->name), c);
		return;
	}
	if (s->kind == S_RETURN) {
		c->left |= c->divergent;
		return;
	}
	if (!c->loops && (s->kind == S_CONTINUE || !c->cases))
		wrong(c, "nothing around to leave", NULL);
	c->left_loop |= c->divergent;
}

static void check_barrier(Check *c)
{
	bool on_their_way = false;
	for MAP_EACH(label, c->left_to)
		on_their_way |= !map_has(&c->labels, label->key);
	if (c->divergent || c->left || on_their_way)
		wrong(c, "a barrier that not all threads come by", NULL);
	c->barriers = c->barrier_in_loop = true;
}

// ---- Statements ----

// Has it a part that is declared in the loop whose iterations are independent?
static bool is_of_iteration(const Check *c, CExp x)
{
	const Decl *d = x->kind == X_NAME ? decl_of(c, x->text) : NULL;
	if (x->kind == X_NAME ? d && d->depth >= c->independent : x->kind == X_CALL)
		return true;
	for (int i = 0; i < x->n; i++)
		if (is_of_iteration(c, x->x[i]))
			return true;
	return false;
}

static CExp array_of(CExp x)
{
	while (x->kind == X_INDEX || x->kind == X_PAREN || x->kind == X_MEMBER)
		x = x->x[0];
	return x;
}

static void check_assign(Check *c, const CStm *s)
{
	CExp to = s->to, array = array_of(to);
	Value from = check_exp(c, s->x), place = check_exp(c, to);
	if (!s->name)
		check_stored(c, x_text(to), place.type, from.type);
	if (to->kind == X_INDEX && c->independent && !is_of_iteration(c, to))
		wrong(c, "independent iterations store to one place", x_text(to));
	Decl *d = array->kind == X_NAME ? decl_of(c, array->text) : NULL;
	if (!d)
		return;
	if (d->is_index && to == array)
		wrong(c, "the index of a loop is assigned to in its body", to->text);
	if (to == array || d->is_array)
		set_varying(c, array->text, d, from.varies || place.varies || c->divergent);
}

static void check_declared(Check *c, const CStm *s)
{
	Value from = s->x ? check_exp(c, s->x) : (Value){0};
	CType type = type_of_text(c, s->type);
	bool is_array = s->kind == S_ARRAY;
	if (s->to)
		check_exp(c, s->to);
	if (is_array) {
		bool rows = s->to && s->to->kind == X_LIST;
		type = (CType){OF_POINTER, rows ? OF_ANY : type.kind,
		               c->on_device ? IN_THREAD : IN_ANY};
	} else {
		check_stored(c, s->name, type, from.type);
	}
	Decl *d = declare(c, s->name, type);
	d->is_array = is_array;
	set_varying(c, s->name, d, from.varies || (s->x && c->divergent));
}

static void check_stm(Check *c, const CStm *s)
{
	switch (s->kind) {
	case S_DECLARE: case S_ARRAY: check_declared(c, s); break;
	case S_ASSIGN: check_assign(c, s); break;
	case S_DO:
		if (s->x)
			check_exp(c, s->x);
		break;
	case S_IF: check_branches(c, s); break;
	case S_SWITCH:
		c->cases++;
		check_inner(c, &s->body, check_exp(c, s->x).varies);
		c->cases--;
		break;
	case S_FOR: check_for(c, s); break;
	case S_WHILE: case S_REPEAT: {
		Value v = check_exp(c, s->x);
		check_condition(c, v.type);
		check_iterations(c, &s->body, v.varies);
		break;
	}
	case S_CASE: case S_SCOPE: check_block(c, &s->body); break;
	case S_IFDEF: check_ifdef(c, s); break;
	case S_RETURN:
		if (s->x)
			check_exp(c, s->x);
		check_exit(c, s);
		break;
	case S_GOTO: case S_BREAK: case S_CONTINUE: check_exit(c, s); break;
	case S_LABEL: map_put(&c->labels, name_of(s->name), c); break;
	case S_BARRIER: check_barrier(c); break;
	case S_MACRO: break;
	}
}

static void check_stms(Check *c, const CBlock *b)
{
	for (const CStm *s = b->first; s && !c->wrong; s = s->next)
		check_stm(c, s);
}

// ---- Functions ----

static void check_fun(Check *c, const CFun *f)
{
	for EACH(const CParam, p, f->params)
		if (p->name)
			declare(c, p->name, type_of_text(c, p->type));
	check_block(c, f->body);
	for EACH(const CParam, p, f->params)
		if (c->barriers && strstr(p->type, "RD_RESTRICT") && !strstr(p->type, "const "))
			wrong(c, "restrict, though threads of a block share it", p->name);
	for MAP_EACH(jump, c->jumps)
		if (!map_has(&c->labels, jump->key))
			wrong(c, "there is no such label", jump->key);
}

// Again, as long as loops are found to change what varies in them.
const char *ir_check(const CFun *f)
{
	Map varying = {0};
	for (;;) {
		Check c = {.varying = varying};
		for EACH(const CParam, p, f->params)
			c.on_device |= strcmp(p->type, "RD_THREAD_PARAMS") == 0 ||
			               strcmp(p->type, "RD_KERNEL_PARAMS") == 0;
		check_fun(&c, f);
		if (c.wrong || !c.grown || !c.barriers)
			return c.wrong;
		varying = c.varying;
	}
}
