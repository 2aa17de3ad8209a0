// The derivative columns of prims.def as emitted code.
//
// A column such as neg(div(mul(g, r), y)) is first made into a tree, from which statements are
// emitted.  So the order of statements does not depend on the order in which the C compiler
// evaluates arguments, and the alternatives that by_kind does not choose are never emitted.
//
//     deriv_emit(b, P_mul, PT_F64, {x, y}, r, 0, g)      let (t: f64) = mul.f64 g y
#include "ad/ad.h"

#include <math.h>

// A node of a column.  D_ZERO: nothing flows; D_PASS: the operation itself, or its opposite.
typedef struct Node Node;
struct Node {
	enum { D_LEAF, D_OP, D_SEL, D_ZERO, D_PASS } kind;
	Sub leaf;
	Prim op;
	const Node *at[3];
};

static const Node *node_op(Prim op, const Node *const x[2])
{
	return NEW(Node, .kind = D_OP, .op = op, .at = {x[0], x[1]});
}

static const Node *node_sel(const Node *c, const Node *a, const Node *b)
{
	return NEW(Node, .kind = D_SEL, .at = {c, a, b});
}

static const Node *node_leaf(Sub s)
{
	return NEW(Node, .kind = D_LEAF, .leaf = s);
}

static Sub constant(PrimType t, double c)
{
	return sub_const(is_float(t) ? scalar_float(t, c) : scalar_int(t, (int64_t)c));
}

static const Node node_zero = {.kind = D_ZERO}, node_pass = {.kind = D_PASS};

#define RULE_OP(op, ...) node_op(P_##op, (const Node *const[2]){__VA_ARGS__})
#include "core/rule_ops.h"
#define lit(c) node_leaf(constant(t, c))
#define sel(c, a, b) node_sel(c, a, b)
#define by_kind(a, b) (is_int(t) ? (a) : (b))
#define ZERO (&node_zero)
#define NONE (&node_zero)
#define PASS (&node_pass)

static const Node *column(Prim op, PrimType t, const Node *const operand[3], const Node *r,
                          const Node *g, int i)
{
	const Node *x = operand[0], *y = operand[1], *z = operand[2];
	(void)y, (void)z, (void)r;
	switch (op) {
#define PRIM(name, arity, domain, result, traits, dx, dy, dz) \
	case P_##name: return i == 0 ? dx : i == 1 ? dy : dz;
#include "core/prims.def"
#undef PRIM
	case N_PRIM: break;
	}
	bug("scalar operation");
}

// A tree that is ZERO whatever its conditions say.
static bool is_nothing(const Node *n)
{
	return n->kind == D_ZERO ||
	       (n->kind == D_SEL && is_nothing(n->at[1]) && is_nothing(n->at[2]));
}

static Sub emit(Build *b, PrimType t, const Node *n)
{
	switch (n->kind) {
	case D_LEAF:
		return n->leaf;
	case D_OP: {
		Sub x = emit(b, t, n->at[0]);
		return n->at[1] ? b_prim2(b, n->op, x, emit(b, t, n->at[1])) : b_prim1(b, n->op, x);
	}
	case D_SEL: {
		Sub c = emit(b, t, n->at[0]), yes = emit(b, t, n->at[1]);
		return b_select(b, c, yes, emit(b, t, n->at[2]));
	}
	case D_ZERO:
		return constant(t, 0);
	case D_PASS:
		break;
	}
	bug("a change of type inside a derivative");
}

// A change of type passes tangents on by itself, adjoints by its opposite; the type of g
// tells which of the two g is.
static Sub emit_pass(Build *b, Prim op, PrimType at, Sub g)
{
	if (sub_type(g).elem == at)
		return b_prim1(b, op, g);
	return b_prim1(b, op == P_to_bits ? P_from_bits : P_to_bits, g);
}

static const Node *column_of(Prim op, PrimType at, const Sub *x, Sub r, Sub g, int i)
{
	const Node *operand[3] = {0};
	for (int k = 0; k < prim_arity(op); k++)
		operand[k] = node_leaf(x[k]);
	return column(op, at, operand, node_leaf(r), node_leaf(g), i);
}

Sub deriv_emit(Build *b, Prim op, PrimType at, const Sub *x, Sub r, int i, Sub g)
{
	const Node *n = column_of(op, at, x, r, g, i);
	if (n->kind == D_PASS)
		return emit_pass(b, op, at, g);
	if (is_nothing(n))
		return constant(prim_operand(op, at, i), 0);
	return emit(b, at, n);
}

// ---- Sums of contributions ----

static bool same_tree(const Node *a, const Node *b)
{
	if (a->kind != b->kind || a->op != b->op)
		return false;
	if (a->kind == D_LEAF)
		return sub_eq(a->leaf, b->leaf);
	for (int i = 0; i < 3; i++)
		if (a->at[i] != b->at[i] &&
		    (!a->at[i] || !b->at[i] || !same_tree(a->at[i], b->at[i])))
			return false;
	return true;
}

// What two operands contribute; they share a condition as in min, where one of them gets all.
static const Node *sum(const Node *a, const Node *b)
{
	if (is_nothing(a) || is_nothing(b))
		return is_nothing(a) ? b : a;
	if (a->kind == D_SEL && b->kind == D_SEL && same_tree(a->at[0], b->at[0]))
		return node_sel(a->at[0], sum(a->at[1], b->at[1]), sum(a->at[2], b->at[2]));
	return add(a, b);
}

bool is_square(const Exp *e)
{
	return e->form == E_prim && e->prim.op == P_mul && sub_eq(e->prim.x[0], e->prim.x[1]);
}

Sub deriv_of_square(Build *b, Sub x, Sub g)
{
	return b_prim2(b, P_mul, g, b_prim2(b, P_add, x, x));
}

bool deriv_tangent(Build *b, Prim op, PrimType at, const Sub *x, Sub r, const Sub *const *tans,
                   Sub *out)
{
	const Node *all = &node_zero;
	for (int i = 0; i < prim_arity(op); i++) {
		if (!tans[i])
			continue;
		const Node *n = column_of(op, at, x, r, *tans[i], i);
		if (n->kind == D_PASS) {
			*out = emit_pass(b, op, at, *tans[i]);
			return true;
		}
		all = sum(all, n);
	}
	if (is_nothing(all))
		return false;
	*out = emit(b, at, all);
	return true;
}

// ---- What is asked of columns ----

static unsigned mentions(Prim op, PrimType at, int i)
{
	Build b = {0};
	Var ph[5];
	for (int k = 0; k < 3; k++)
		ph[k] = var_new(NULL,
		                type_scalar(k < prim_arity(op) ? prim_operand(op, at, k) : at));
	PrimType rt = prim_result(op, at);
	ph[3] = var_new(NULL, type_scalar(rt));
	ph[4] = var_new(NULL, type_scalar(rt));
	Sub x[3] = {sub_var(ph[0]), sub_var(ph[1]), sub_var(ph[2])};
	b_open(&b);
	Sub c = deriv_emit(&b, op, at, x, sub_var(ph[3]), i, sub_var(ph[4]));
	Body made = b_close(&b, subs_of(1, c));
	unsigned mask = 0;
	Vars free = free_in_body(&made);
	for EACH(Var, f, free)
		for (unsigned k = 0; k < 4; k++)
			if (ph[k].id == f->id)
				mask |= 1u << k;
	return mask;
}

// The answers never change, and are found once: the table's rows say so by these bits.
enum { ZERO_KNOWN = 16, IS_ZERO = 32, MENTIONS_KNOWN = 64, MENTIONS = 15 };
static uint8_t answers[N_PRIM][N_PRIMTYPE][3];

bool deriv_is_zero(Prim op, PrimType at, int i)
{
	uint8_t *a = &answers[op][at][i];
	const Sub none[3] = {0};
	if (!(*a & ZERO_KNOWN))
		*a |= ZERO_KNOWN |
		      (is_nothing(column_of(op, at, none, none[0], none[0], i)) ? IS_ZERO : 0);
	return *a & IS_ZERO;
}

unsigned deriv_mentions(Prim op, PrimType at, int i)
{
	uint8_t *a = &answers[op][at][i];
	if (!(*a & MENTIONS_KNOWN))
		*a |= (uint8_t)(MENTIONS_KNOWN | mentions(op, at, i));
	return *a & MENTIONS;
}
