// Emits lines, C names, operands and array elements as C expressions.
#include "gen/cgen.h"

#include <ctype.h>

// ---- Names ----

// Words of C, C++ and OpenCL C, macros of system headers, and what generated functions use
// themselves.
static bool is_reserved(const char *s)
{
	static const char *const words[] = {
		"alignas", "alignof", "and", "asm", "assert", "auto", "barrier", "bitand",
		"bitor", "bool", "break", "case", "catch", "char", "class", "cleanup", "compl",
		"complex", "concept", "const", "constant", "constexpr", "continue", "ctx",
		"decltype", "default", "delete", "do", "double", "else", "enum", "environ", "err",
		"errno", "explicit", "export", "extern", "false", "float", "for", "friend",
		"generic", "global", "goto", "half", "if", "imaginary", "inline", "int", "kernel",
		"l", "linux", "local", "long", "memcpy", "memset", "mutable", "namespace", "new",
		"noexcept", "not", "nullptr", "operator", "or", "pipe", "private", "protected",
		"public", "read_only", "read_write", "register", "requires", "restrict", "return",
		"short", "signed", "sizeof", "static", "stderr", "stdin", "stdout", "struct",
		"switch", "template", "this", "throw", "true", "try", "typedef", "typeid",
		"typename", "typeof", "union", "unix", "unsigned", "using", "virtual", "void",
		"volatile", "while", "write_only", "xor",
	};
	int lo = 0, hi = sizeof words / sizeof *words;
	while (lo < hi) {
		int mid = (lo + hi) / 2, order = strcmp(s, words[mid]);
		if (order == 0)
			return true;
		if (order < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return str_starts(s, "rd_") || str_starts(s, "futhark_") || str_ends(s, "_t");
}

static Name clean(const char *hint)
{
	Str out = {0};
	hint = hint ? hint + strspn(hint, "_") : "";
	if (!isalpha((unsigned char)*hint))
		str_putc(&out, 'v');
	for (const char *s = hint; *s; s++)
		if (isalnum((unsigned char)*s) || (*s == '_' && s[1] && s[1] != '_'))
			str_putc(&out, *s);
		else if (*s == '\'')
			str_puts(&out, "_p");
	// Names in capitals may be macros.
	const char *s = str_text(&out);
	bool lower = false;
	for (const char *p = s; *p; p++)
		lower |= islower((unsigned char)*p) != 0;
	return name_of(lower && !is_reserved(s) ? s : text("%s_v", s));
}

// The hint itself when it is free, else with a number.
const char *fresh_name(Gen *g, const char *hint)
{
	if (is_silent(g))
		return "counted";
	Name base = map_get(&g->bases, hint), name;
	if (!base) {
		base = clean(hint);
		map_put(&g->bases, hint, (void *)base);
	}
	name = base;
	uintptr_t n = (uintptr_t)map_get(&g->fun.names, base);
	while (map_has(&g->fun.names, name))
		name = name_of(text("%s_%d", base, (int)++n));
	map_put(&g->fun.names, name, (void *)(uintptr_t)0);
	map_put(&g->fun.names, base, (void *)n);
	return name;
}

VarState *state_of(Gen *g, Var v)
{
	VarState **st = &g->state[v.id];
	if (!*st)
		*st = NEW_ARRAY(VarState, 1);
	return *st;
}

CExp shown(Gen *g, Var v)
{
	const VarState *st = state_of(g, v);
	return g->rows.in_rows && st->rows ? st->rows[g->rows.row] : st->shown;
}

void show_as(Gen *g, Var v, CExp x)
{
	VarState *st = state_of(g, v);
	st->shown = x;
	if (!g->rows.in_rows) {
		st->rows = NULL; // of a loop that was written before this one
		return;
	}
	if (!st->rows)
		st->rows = NEW_ARRAY(CExp, MAX_ROWS);
	st->rows[g->rows.row] = x;
}

const char *bind_name(Gen *g, Var v)
{
	const char *name = fresh_name(g, vars[v.id].hint);
	show_as(g, v, x_name(name));
	return name;
}

// ---- Operands ----

static void note_use(Gen *g, uint32_t what)
{
	if (g->counting)
		VEC_PUSH(&g->uses, (Use){g->user, what, g->body});
}

static void forget_pending(Gen *g, Var v)
{
	int i = g->fun.pending.len;
	while (i > 0 && g->fun.pending.at[i - 1].id != v.id)
		i--;
	for (; i < g->fun.pending.len; i++)
		g->fun.pending.at[i - 1] = g->fun.pending.at[i];
	g->fun.pending.len--;
}

CExp operand(Gen *g, Sub s)
{
	if (s.kind == S_CONST)
		return c_scalar(s.val);
	VarState *st = state_of(g, s.var);
	note_use(g, (st->rep ? st->rep : s.var.id + 1));
	CExp x = shown(g, s.var);
	if (!x)
		bug("%s is used before it is bound", show_sub(s));
	if (st->pending) {
		st->pending = false;
		forget_pending(g, s.var);
		g->reads |= st->is_load;
	}
	return x;
}

const char *block_name(Gen *g, Var v)
{
	note_use(g, v.id + 1);
	CExp name = state_of(g, v)->shown;
	if (!name)
		bug("block %s is used before it is bound", show_sub(sub_var(v)));
	return name->text;
}

const char *block_pointer(Gen *g, Var block)
{
	note_use(g, n_vars + block.id + 1);
	const char *pointer = state_of(g, block)->pointer;
	if (!pointer)
		bug("no pointer to block %s", show_sub(sub_var(block)));
	return pointer;
}

CExp ctx(Gen *g)
{
	g->fun.uses_ctx = true;
	return x_name("ctx");
}

// What is pending from around stays so, to be declared there: loads were settled before.
Outer enter_body(Gen *g, const Body *b)
{
	Outer outer = {g->body, g->fun.n_outer, g->fun.sizes.len};
	const Body *was = g->rows.lane_arrays ? map_get(&g->rows.lane_arrays->bodies, b) : NULL;
	g->body = was ? was : b;
	g->fun.n_outer = g->fun.pending.len;
	return outer;
}

void leave_body(Gen *g, Outer outer)
{
	g->body = outer.body;
	g->fun.n_outer = outer.n_outer;
	while (g->fun.sizes.len > outer.n_sizes)
		state_of(g, g->fun.sizes.at[--g->fun.sizes.len])->is_size = false;
}

static void check_rank(Gen *g, Type t)
{
	if (t.dims.len > MAX_RANK)
		fail(users_place(g->where), NULL,
		     "An array here has %d dimensions; in compiled programs they have at most %d.\n"
		     "\"raido run\" interprets such programs.",
		     t.dims.len, MAX_RANK);
}

void note_sizes(Gen *g, Type t)
{
	check_rank(g, t);
	for EACH(Sub, n, t.dims)
		if (n->kind == S_VAR && !state_of(g, n->var)->is_size) {
			state_of(g, n->var)->is_size = true;
			VEC_PUSH(&g->fun.sizes, n->var);
		}
}

static void settle(Gen *g, bool all)
{
	int kept = g->fun.n_outer;
	for (int i = kept; i < g->fun.pending.len; i++) {
		Var v = g->fun.pending.at[i];
		VarState *st = state_of(g, v);
		if (!all && !st->is_load) {
			g->fun.pending.at[kept++] = v;
			continue;
		}
		st->pending = false;
		declare_once(g, v, shown(g, v));
	}
	g->fun.pending.len = kept;
}

void settle_loads(Gen *g)
{
	settle(g, false);
}

void settle_all(Gen *g)
{
	settle(g, true);
}

// ---- Elements of arrays ----

CExp index_sum(CExp x, CExp y)
{
	if (x_is_int(x, 0) || x_is_int(y, 0))
		return x_is_int(x, 0) ? y : x;
	return x_binary_most(x, "+", y, PREC_ADD, PREC_ADD);
}

CExp index_product(CExp x, CExp y)
{
	if (x_is_int(x, 0) || x_is_int(y, 0))
		return x_int(0);
	return x_is_int(x, 1) ? y : x_is_int(y, 1) ? x : x_times(x, y);
}

// Nothing but the uses of it, in the same order.
static CExp count_element(Gen *g, Type t)
{
	operand(g, t.mem->offset);
	for (int i = 0; i < t.dims.len; i++)
		if (t.mem->strides.len)
			operand(g, t.mem->strides.at[i]);
		else if (i)
			operand(g, t.dims.at[i]);
	return x_name(block_pointer(g, t.mem->block));
}

// The index in the block, in elements: offset + i * stride + ..., or offset + (i * n + j) * m + k
// when the array is row-major.
CExp index_in_block(Gen *g, Type t, const CExp *index)
{
	CExp sum = x_int(0), offset = operand(g, t.mem->offset);
	for (int i = 0; i < t.dims.len; i++)
		if (t.mem->strides.len)
			sum = index_sum(sum,
			                index_product(index[i], operand(g, t.mem->strides.at[i])));
		else
			sum = index_sum(i ? index_product(sum, operand(g, t.dims.at[i])) : sum,
			                index[i]);
	return index_sum(offset, sum);
}

CExp element(Gen *g, Type t, const CExp *index)
{
	if (is_silent(g))
		return count_element(g, t);
	CExp at = index_in_block(g, t, index);
	const char *lanes = own_in_lanes(g, t.mem->block);
	if (lanes) {
		int v = g->rows.row % g->rows.n_vectors;
		at = index_product(at, lanes_of_vectors(g, g->rows.n_vectors));
		return x_index(x_name(lanes), v ? index_sum(at, lanes_of_vectors(g, v)) : at);
	}
	const char *pointer = block_pointer(g, t.mem->block);
	if (g->target == ON_DEVICE && is_interleaved(g, t.mem->block))
		at = index_product(at, x_name("rd_slots"));
	return x_index(x_name(pointer), at);
}

// Kernels cannot have pointers to bool.
const char *elem_type(const Gen *g, PrimType t)
{
	return g->target == ON_DEVICE && t == PT_BOOL ? "uint8_t" : c_elem_type(t);
}

void place_hint(Gen *g, Var array)
{
	const VarInfo *info = &vars[array.id];
	VarState *block = state_of(g, info->type.mem->block);
	if (g->counting && !block->hint)
		block->hint = info->hint;
}

void note_arrays(Gen *g, Vars vs)
{
	for EACH(Var, v, vs)
		if (vars[v->id].type.mem) {
			place_hint(g, *v);
			note_sizes(g, vars[v->id].type);
		}
}
