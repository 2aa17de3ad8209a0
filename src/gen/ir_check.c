// Checks C trees (ir.h), each function once it is whole:
//
//   - a name is declared before it is used, in a block around; not twice in the same one
//   - the index that a loop declares is not assigned to in its body
//   - a pointer is set to a pointer, a vector to a vector, as far as types are known
//   - what leaves a loop stands in one, and a label that is jumped to is there
//   - no barrier stands where only some threads of a block may come by: in a branch or loop whose
//     condition depends on the number of the thread
//
// Names of the run-time (rd_*, RD_*) are known everywhere.  Raw text of kernels may declare any
// name, so those of functions that contain some are not looked for.
#include "gen/ir.h"

typedef enum { OF_ANY, OF_NUMBER, OF_VECTOR, OF_POINTER } Kind;
typedef struct {
	Kind kind;
	const CBlock *in;               // where it is declared
	bool is_index;                  // of a loop
	bool varies;                    // from thread to thread
} Decl;
typedef struct { Name name; Decl *before; } Hidden;

typedef struct {
	Map decls;                      // names: Decl *, NULL if not in scope
	VEC(Hidden) hidden;             // by declarations of blocks around, oldest first
	const CBlock *block;
	int loops, cases;               // around
	bool divergent;                 // only some threads may be here
	bool raw;                       // there is raw text
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

// ---- Types ----

static Kind kind_of_type(const char *type)
{
	if (str_ends(type, "*"))
		return OF_POINTER;
	if (str_starts(type, "rd_f") && (str_ends(type, "v") || str_ends(type, "m")))
		return OF_VECTOR;
	bool number = str_ends(type, "_t") || strcmp(type, "int") == 0 ||
	              strcmp(type, "bool") == 0 || strcmp(type, "float") == 0 ||
	              strcmp(type, "double") == 0;
	return number ? OF_NUMBER : OF_ANY;
}

static Kind kind_of(const Check *c, CExp x)
{
	switch (x->kind) {
	case X_NAME: {
		const Decl *d = decl_of(c, x->text);
		return d ? d->kind : OF_ANY;
	}
	case X_INT:
		return x->value ? OF_NUMBER : OF_ANY; // 0 is also a pointer
	case X_CAST:
		return kind_of_type(x->text);
	case X_PAREN:
		return kind_of(c, x->x[0]);
	default: // functions and macros may give anything
		return OF_ANY;
	}
}

static void check_kinds(Check *c, const char *name, Kind to, CExp x)
{
	Kind from = x ? kind_of(c, x) : OF_ANY;
	if (to != OF_ANY && from != OF_ANY && to != from)
		wrong(c, "a value of another kind is stored", name);
}

// ---- Names ----

static bool is_of_runtime(const char *name)
{
	return str_starts(name, "rd_") || str_starts(name, "RD_");
}

static bool is_thread_number(CExp x)
{
	return x->kind == X_CALL && (strcmp(x->text, "rd_local_id") == 0 ||
	                             strcmp(x->text, "rd_global_id") == 0 ||
	                             strcmp(x->text, "rd_lane") == 0);
}

// Looks up its names; does it differ from thread to thread?
static bool check_exp(Check *c, CExp x)
{
	bool varies = is_thread_number(x);
	if (x->kind == X_NAME) {
		const Decl *d = decl_of(c, x->text);
		if (!d && !c->raw && !is_of_runtime(x->text))
			wrong(c, "a name is used that is not declared here", x->text);
		varies |= d && d->varies;
	}
	for (int i = 0; i < x->n; i++)
		varies |= check_exp(c, x->x[i]);
	return varies;
}

static Decl *declare(Check *c, const char *text, Kind kind)
{
	Name name = name_of(text);
	Decl *before = map_get(&c->decls, name);
	if (before && before->in == c->block)
		wrong(c, "a name is declared twice", text);
	Decl *d = NEW(Decl, .kind = kind, .in = c->block);
	VEC_PUSH(&c->hidden, (Hidden){name, before});
	map_put(&c->decls, name, d);
	return d;
}

static void check_block(Check *c, const CBlock *b);

// A block that not all threads come by if its condition varies.
static void check_inner(Check *c, const CBlock *b, bool varies)
{
	bool divergent = c->divergent;
	c->divergent |= varies;
	check_block(c, b);
	c->divergent = divergent;
}

// ---- Statements ----

static void check_assign(Check *c, const CStm *s)
{
	CExp to = s->to;
	bool varies = check_exp(c, s->x);
	check_exp(c, to);
	Decl *d = to->kind == X_NAME ? decl_of(c, to->text) : NULL;
	if (!d)
		return;
	if (d->is_index)
		wrong(c, "the index of a loop is assigned to in its body", to->text);
	d->varies |= varies || c->divergent;
	if (!s->name)
		check_kinds(c, to->text, d->kind, s->x);
}

static void check_for(Check *c, const CStm *s)
{
	const CFor *f = &s->loop;
	const CBlock *outside = c->block;
	int n = c->hidden.len;
	bool varies = f->from && check_exp(c, f->from);
	c->block = &s->body;
	if (f->type) {
		Decl *d = declare(c, f->i, kind_of_type(f->type));
		d->is_index = true;
		d->varies = varies;
	} else if (f->i) {
		check_exp(c, x_name(f->i));
	}
	varies = f->cond && check_exp(c, f->cond);
	varies |= f->by && check_exp(c, f->by);
	c->block = outside;
	c->loops++;
	check_inner(c, &s->body, varies);
	c->loops--;
	for (; c->hidden.len > n; c->hidden.len--)
		map_put(&c->decls, c->hidden.at[c->hidden.len - 1].name,
		        c->hidden.at[c->hidden.len - 1].before);
}

static void check_declared(Check *c, const CStm *s)
{
	bool varies = s->x && check_exp(c, s->x);
	if (s->to)
		check_exp(c, s->to);
	Kind kind = s->kind == S_ARRAY ? OF_POINTER : kind_of_type(s->type);
	if (s->kind == S_DECLARE)
		check_kinds(c, s->name, kind, s->x);
	declare(c, s->name, kind)->varies = varies || c->divergent;
}

static void check_stm(Check *c, const CStm *s)
{
	switch (s->kind) {
	case S_DECLARE: case S_ARRAY: check_declared(c, s); break;
	case S_ASSIGN: check_assign(c, s); break;
	case S_DO: case S_RETURN:
		if (s->x)
			check_exp(c, s->x);
		break;
	case S_IF: {
		bool varies = check_exp(c, s->x);
		check_inner(c, &s->body, varies);
		check_inner(c, &s->other, varies);
		break;
	}
	case S_SWITCH:
		c->cases++;
		check_inner(c, &s->body, check_exp(c, s->x));
		c->cases--;
		break;
	case S_FOR: check_for(c, s); break;
	case S_WHILE: case S_REPEAT:
		c->loops++;
		check_inner(c, &s->body, check_exp(c, s->x));
		c->loops--;
		break;
	case S_CASE: case S_SCOPE: check_block(c, &s->body); break;
	case S_RAW_BLOCK:
		c->loops++; // it may be one
		check_block(c, &s->body);
		check_block(c, &s->other);
		c->loops--;
		break;
	case S_GOTO: map_put(&c->jumps, name_of(s->name), c); break;
	case S_LABEL: map_put(&c->labels, name_of(s->name), c); break;
	case S_BREAK: case S_CONTINUE:
		if (!c->loops && (s->kind == S_CONTINUE || !c->cases))
			wrong(c, "nothing around to leave", NULL);
		break;
	case S_BARRIER:
		if (c->divergent)
			wrong(c, "a barrier that not all threads come by", NULL);
		break;
	case S_DIRECTIVE: case S_RAW: break;
	}
}

static void check_block(Check *c, const CBlock *b)
{
	const CBlock *outside = c->block;
	int n = c->hidden.len;
	c->block = b;
	for (const CStm *s = b->first; s && !c->wrong; s = s->next)
		check_stm(c, s);
	c->block = outside;
	for (; c->hidden.len > n; c->hidden.len--)
		map_put(&c->decls, c->hidden.at[c->hidden.len - 1].name,
		        c->hidden.at[c->hidden.len - 1].before);
}

// ---- Functions ----

static bool has_raw(const CBlock *b)
{
	for (const CStm *s = b->first; s; s = s->next)
		if (s->kind == S_RAW || s->kind == S_RAW_BLOCK || has_raw(&s->body) ||
		    has_raw(&s->other))
			return true;
	return false;
}

const char *ir_check(const CFun *f)
{
	Check c = {.raw = has_raw(f->body)};
	for EACH(const CParam, p, f->params)
		if (p->name)
			declare(&c, p->name, kind_of_type(p->type));
	check_block(&c, f->body);
	for MAP_EACH(jump, c.jumps)
		if (!c.raw && !map_has(&c.labels, jump->key))
			wrong(&c, "there is no such label", jump->key);
	return c.wrong;
}
