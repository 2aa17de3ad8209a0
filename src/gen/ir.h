// The imperative code between core at the MEM stage and text: expressions and statements of C.
//
//     core (src/mem/mem.h)  --c*.c, k*.c-->  trees of CExp and CStm  --ir_print.c-->  text
//
// The generator builds trees and asks questions about trees (what an expression mentions, whether
// two are the same); only ir_print.c knows how C is written: parentheses, indentation, semicolons.
// ir_check.c says what is wrong with a tree.
//
// Nodes are in the arena and are not changed once made, except that statements are appended to
// the blocks that are still open.
#ifndef RAIDO_GEN_IR_H
#define RAIDO_GEN_IR_H
#include "base/base.h"

// ---- ir.c: expressions ----

// There are millions of nodes in a large program: kinds take a byte.
#if defined __GNUC__
#define SMALL_ENUM __attribute__((packed))
#else
#define SMALL_ENUM
#endif

// How strongly an expression binds, the strongest first.
typedef enum SMALL_ENUM {
	PREC_ATOM, PREC_UNARY, PREC_MUL, PREC_ADD, PREC_COMPARE, PREC_AND, PREC_OR, PREC_SELECT,
} Prec;

typedef enum SMALL_ENUM {
	X_NAME,                         // of a variable
	X_INT,                          // an integer literal
	X_CONST,                        // another literal, or a macro
	X_UNARY,                        // text x[0]
	X_BINARY,                       // x[0] text x[1]
	X_SELECT,                       // x[0] ? x[1] : x[2]
	X_CAST,                         // (text)x[0]
	X_CALL,                         // text(x[0], ...)
	X_INDEX,                        // x[0][x[1]]
	X_FIELD,                        // x[0]->text
	X_MEMBER,                       // x[0].text
	X_PAREN,                        // (x[0])
	X_LIST,                         // {x[0], ...}
} XKind;

typedef struct CNode CNode;
typedef const CNode *CExp;
struct CNode {
	XKind kind;
	Prec prec;
	Prec left, right;               // operands that bind weaker than that get parentheses
	bool costs;                     // it reads an array or calls a function
	int size;                       // in characters, about; all names and elements count alike
	int n;
	const char *text;
	union {
		int64_t value;          // X_INT
		int64_t line_at;        // calls: a new line begins before this argument; 0: none
	};
	CExp x[];
};
typedef SLICE(CExp) CExps;

CExp x_name(const char *);
CExp x_int(int64_t);
CExp x_int_as(int64_t, const char *text);       // a literal written in its own way
CExp x_const(const char *);
CExp x_unary(const char *op, CExp, Prec most);
CExp x_not(CExp);                               // !x, or what x is the negation of
CExp x_address(CExp);
CExp x_nonzero(const char *name);               // name != 0
CExp x_binary(CExp, const char *op, CExp, Prec);
// The same with parentheses around operands that bind weaker than `most`.
CExp x_binary_most(CExp, const char *op, CExp, Prec, Prec most);
CExp x_bits(CExp, const char *op, CExp);        // & | ^ << >>, whose operands stand out
CExp x_less(CExp, CExp);
CExp x_plus(CExp, CExp);
CExp x_times(CExp, CExp);
CExp x_select(CExp, CExp, CExp);
CExp x_min(CExp, CExp);                         // x < y ? x : y
CExp x_cast(const char *type, CExp, Prec most);
CExp x_call_of(const char *fun, CExps args);
#define x_args(...) \
	((CExps){(CExp[]){__VA_ARGS__}, (int)(sizeof (CExp[]){__VA_ARGS__} / sizeof(CExp))})
#define x_call(fun, ...) x_call_of(fun, x_args(__VA_ARGS__))
CExp x_call_none(const char *fun);              // fun()
CExp x_call_lines(const char *fun, CExps args, int line_at);
CExp x_index(CExp array, CExp index);
CExp x_field(CExp pointer, const char *field);
CExp x_member(CExp structure, const char *field);
CExp x_paren(CExp);
CExp x_group(CExp);                             // parenthesised unless it is an atom
CExp x_list(CExps);
CExp x_cheap(CExp);                             // the same, not marked as costly
CExp x_with(CExp, const CExp *operands);        // the same operation of others

bool x_is_int(CExp, int64_t);
bool x_is_simple(CExp);                         // a variable or a literal: written again at will
bool x_same(CExp, CExp);
bool x_mentions(CExp, CExp what);               // is `what` a part of it?

// ---- ir.c: statements ----

typedef enum SMALL_ENUM {
	S_DECLARE,                      // type name = x;  or without the value
	S_ARRAY,                        // type name[to] = x;  likewise; to may be a list of sizes
	S_ASSIGN,                       // to = x;  or with the operator `name`: to += x;
	S_DO,                           // x;  or without x
	S_IF, S_SWITCH, S_CASE,         // cases have a literal x; NULL: all others
	S_FOR, S_WHILE, S_REPEAT,       // S_REPEAT: do .. while (x)
	S_SCOPE,
	S_RETURN, S_GOTO, S_LABEL, S_BREAK, S_CONTINUE,
	S_BARRIER,                      // of the threads of a block: name()
	S_IFDEF,                        // #name body #else other #endif, which are no blocks
	S_MACRO,                        // a line with a macro that is a statement
} SKind;

// What is known of a loop beyond what it does.
typedef enum {
	LOOP_INDEPENDENT = 1,           // iterations touch memory that no other stores to
	LOOP_UNROLL = 2,
	LOOP_UNROLL_SOME = 4,
	LOOP_NO_UNROLL = 8,
} LoopProps;
#define LOOP_PROP_NAMES {"RD_INDEPENDENT", "RD_UNROLL", "RD_UNROLL_SOME", "RD_NO_UNROLL"}

typedef struct CStm CStm;
typedef struct CBlock {
	CStm *first, *last;
	CStm *of;                       // the statement whose block it is
	struct CBlock *up;              // the block with that statement, while it is open
} CBlock;

// for (type i = from; cond; i op by).  No type: i is declared; no `from`: it is set; no op: ++.
typedef struct {
	const char *type, *i;
	CExp from, cond;
	const char *op;
	CExp by;
	int props;                      // LoopProps
} CFor;

struct CStm {
	SKind kind;
	bool bare;                      // its block is one statement, written without braces
	bool chained;                   // S_IF: an else if
	const char *type, *name;
	CExp to, x;
	const CFor *loop;               // never NULL: what is not S_FOR has an empty one
	CBlock body, other;             // other: of S_IF and S_IFDEF, if that is not empty
	CStm *next;
};

// What is being written.  `off`: nothing is, since only what is used counts.  `barrier`: what
// rd_barrier is there, or NULL.
typedef struct { CBlock *at; int depth; bool off; const char *barrier; } Code;

CBlock *code_begin(Code *);                     // a new block, for what follows
void s_declare(Code *, const char *type, const char *name, CExp init); // init may be NULL
void s_array(Code *, const char *type, const char *name, CExp n, CExp init); // n too: []
void s_assign(Code *, CExp to, CExp value);
void s_assign_by(Code *, CExp to, const char *op, CExp); // to op value
void s_do(Code *, CExp);
void s_if(Code *, CExp cond);                   // opens a block, as do the next ones
void s_else(Code *);                            // closes it and opens another one
void s_else_if(Code *, CExp cond);              // likewise: both are closed by one s_close
void s_switch(Code *, CExp);
void s_case(Code *, CExp);
void s_for(Code *, CFor);
void s_while(Code *, CExp cond);
void s_repeat(Code *);
void s_until_not(Code *, CExp cond);            // closes it: do .. while (cond)
void s_scope(Code *);
void s_close(Code *);
void s_close_bare(Code *);                      // the block is one statement
void s_return(Code *, CExp);
void s_goto(Code *, const char *label);
void s_label(Code *, const char *label);
void s_break(Code *);
void s_continue(Code *);
void s_barrier(Code *);
void s_barrier_of(Code *, const char *fun);
void s_ifdef(Code *, const char *condition);     // opens: "ifdef NAME", "ifndef NAME"
void s_macro(Code *, const char *);
void s_splice(Code *, const CBlock *);          // its statements
bool s_has(const CBlock *, SKind);              // is there one of this kind in it?

// ---- ir_quote.c: the same, written as C ----

typedef struct { const char *text; CExp x; } Hole;
Hole hole_text(const char *);
Hole hole_int(int);
Hole hole_exp(CExp);
void quote_of(Code *, const char *text, const Hole *, int n);
CExp x_quote_of(const char *text, const Hole *, int n);

// The text, then what its holes $1 to $9 stand for.
#define quote(c, ...) quote_of(c, QUOTATION(__VA_ARGS__))       // statements
#define x_quote(...) x_quote_of(QUOTATION(__VA_ARGS__))         // an expression
#define HOLE(x) _Generic((x), \
	int: hole_int, char *: hole_text, const char *: hole_text, CExp: hole_exp)(x)
#define HOLES_0(s) s, NULL, 0
#define HOLES_1(s, a) s, (Hole[]){HOLE(a)}, 1
#define HOLES_2(s, a, b) s, (Hole[]){HOLE(a), HOLE(b)}, 2
#define HOLES_3(s, a, b, c) s, (Hole[]){HOLE(a), HOLE(b), HOLE(c)}, 3
#define HOLES_4(s, a, b, c, d) s, (Hole[]){HOLE(a), HOLE(b), HOLE(c), HOLE(d)}, 4
#define HOLES_5(s, a, b, c, d, e) \
	s, (Hole[]){HOLE(a), HOLE(b), HOLE(c), HOLE(d), HOLE(e)}, 5
#define HOLES_6(s, a, b, c, d, e, f) \
	s, (Hole[]){HOLE(a), HOLE(b), HOLE(c), HOLE(d), HOLE(e), HOLE(f)}, 6
#define HOLES_7(s, a, b, c, d, e, f, g) \
	s, (Hole[]){HOLE(a), HOLE(b), HOLE(c), HOLE(d), HOLE(e), HOLE(f), HOLE(g)}, 7
#define HOLES_OF(s, a, b, c, d, e, f, g, holes, ...) holes
#define QUOTATION(...) \
	HOLES_OF(__VA_ARGS__, HOLES_7, HOLES_6, HOLES_5, HOLES_4, HOLES_3, HOLES_2, HOLES_1, \
	         HOLES_0, )(__VA_ARGS__)

// ---- Functions ----

typedef struct { const char *type, *name; } CParam; // no name: a macro for parameters
typedef struct {
	const char *helpers;            // text that stands before it
	const char *result, *name;      // result: with what else is said of the function
	VEC(CParam) params;
	CBlock *body;
} CFun;
void add_param(CFun *, const char *type, const char *name);

// ---- ir_print.c: text ----

const char *x_text(CExp);
void s_print(Str *, const CBlock *, int indent);
const char *fun_head(const CFun *, const char *name); // by that name
void fun_print(Str *, const CFun *, const char *name);
const char *fun_text(const CFun *, const char *name);

// ---- ir_check.c ----

const char *ir_check(const CFun *);             // what is wrong with it, or NULL
#endif
