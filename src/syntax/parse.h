// Shared by the parser's files: the token cursor, errors, and one function per topic.
#ifndef RAIDO_PARSE_H
#define RAIDO_PARSE_H
#include "syntax/ast.h"

// What a message says was expected: a token, or one of these kinds of phrase.
enum { WANT_EXP = N_TOKEN, WANT_TYPE, WANT_PAT, WANT_DEC, WANT_SPEC, WANT_MOD, WANT_SIG,
       WANT_OP, N_WANT };

enum {
	MAX_NESTING = 2000,                     // constructs inside each other
	MAX_SPINE   = 100000,                   // operators, indexings, ... in a row
	MAX_LETS    = 1000000,                  // `let`s in a row
	MAX_ERRORS  = 20,                       // syntax errors reported for one file
};

typedef struct {
	const Source *src;
	const Token *tok;                       // the current token
	const Token *first;
	uint64_t wanted[2];                     // what was looked for at the current token
	int depth;
	bool at_end;                            // the last error was the end of the file
	bool tolerant;                          // goes on after errors: see parse_recover.c
	const Token *last_error;                // where it last did, or NULL
	Decl *decl;                             // the declaration in progress
	VEC(void *) stack;                      // children collected for unfinished nodes
	VEC(char) items;                        // likewise, children that are structures
} Parser;

// ---- The cursor ----

// The hot part of the parser: whether the current token is of a kind.
static inline bool peek(Parser *p, int kind)
{
	p->wanted[kind >> 6] |= UINT64_C(1) << (kind & 63);
	return (int)p->tok->kind == kind;
}
static inline void want(Parser *p, int what)
{
	p->wanted[what >> 6] |= UINT64_C(1) << (what & 63);
}
static inline const Token *advance(Parser *p)
{
	p->wanted[0] = p->wanted[1] = 0;
	return p->tok++;
}
static inline bool accept(Parser *p, TokenKind kind)
{
	return peek(p, (int)kind) ? (advance(p), true) : false;
}
// An operator of one character, which has no token kind of its own.
static inline bool is_symbol(const Token *t, char c)
{
	return t->kind == TOK_SYM && t->name[0] == c && t->name[1] == 0;
}
static inline bool is_word(const Token *t, const char *word)
{
	return t->kind == TOK_ID && strcmp(t->name, word) == 0;
}
// Was this looked for at the current token?
static inline bool wanted(const Parser *p, int what)
{
	return p->wanted[what >> 6] >> (what & 63) & 1;
}
// The end of the last token read.
static inline Loc last_end(const Parser *p)
{
	return p->tok > p->first ? p->tok[-1].span.hi : p->tok->span.lo;
}
static inline Span span_since(const Parser *p, Loc lo)
{
	return (Span){lo, last_end(p)};
}

// ---- parse.c ----

void report_unexpected(Parser *);               // the current token
NORETURN void syntax_error(Parser *);           // the same, and unwinds
NORETURN void too_deep(Parser *, int limit);
const Token *expect(Parser *, TokenKind);
static inline void enter(Parser *p)
{
	if (++p->depth > MAX_NESTING)
		too_deep(p, MAX_NESTING);
}
static inline void leave(Parser *p)
{
	p->depth--;
}

// Children are pushed on p->stack while their parent is read; TAKE makes a slice of those
// pushed since the stack had `mark` elements.
void push_child(Parser *, void *child);
void *take_children(Parser *, int mark, int *len);
#define TAKE(slice, p, mark) ((slice)->at = take_children((p), (mark), &(slice)->len))
// The same for children that are structures: p->items holds their bytes.
void push_item(Parser *, const void *item, int size);
void *take_items(Parser *, int mark, int size, int *len);
#define PUSH_ITEM(p, item) push_item((p), &(item), (int)sizeof(item))
#define TAKE_ITEMS(slice, p, mark) \
	((slice)->at = take_items((p), (mark), (int)sizeof *(slice)->at, &(slice)->len))

QualName parse_qualname(Parser *);              // a.b.c
QualName qualname_of_symbol(const Token *);     // +  m.+
Attr *parse_attr(Parser *);                     // #[a]
TypeParams parse_type_params(Parser *);         // [n] 't '~t '^t
Name parse_fieldid(Parser *, Span *);           // x  0
const char *parse_doc(Parser *);                // documentation comments, or NULL
bool is_operator_name(const Token *);           // a symbol that can be defined
bool at_operator_name(const Parser *);          // "(" symbol ")"

bool at_line_start(const Parser *);
bool starts_decl(TokenKind);

// ---- parse_recover.c: going on after errors ----

// Reports the current token.  In a parser that is not tolerant these all unwind instead.
void soft_error(Parser *);
bool expect_later(Parser *, TokenKind);         // skips to it; false: it is not there
Expr *broken_expr(Parser *, Expr *part);        // stands for one; part may be NULL
TypeExpr *broken_type(Parser *);
void skip_declaration(Parser *, const Token *start); // to the next one; never stays in place
// A declaration with what comes before it.  NULL after an error that leaves nothing of it.
Decl *parse_tolerant_decl(Parser *, bool nested);

// ---- parse_hint.c ----

const char *syntax_hint(const Parser *);        // what to do about the current token, or NULL
const char *near_keyword(const Token *);        // the keyword that is misspelt, or NULL

// ---- parse_habit.c ----

const char *habit_hint(const Parser *);         // likewise, where another language is meant

// ---- parse_type.c ----

TypeExpr *parse_type(Parser *);
TypeExpr *parse_type_term(Parser *);            // a type that is not a bare arrow

// ---- parse_pat.c ----

Pat *parse_pat(Parser *);
Pat *parse_case_pat(Parser *);                  // p [: term] before an arrow
Pat *parse_atomic_pat(Parser *);
void push_params(Parser *);                     // atomic patterns, as children
bool starts_atomic_pat(const Token *);

// ---- parse_expr.c ----

Expr *parse_exp(Parser *);
Expr *parse_index_exp(Parser *);                // without a bare `:`
Expr *new_expr(ExprKind, Span);

// ---- parse_atom.c ----

Expr *parse_atom(Parser *);
bool at_atom(const Parser *);
Expr *parse_literal(Parser *);                  // number, character, true, false
Path parse_path(Parser *);                      // [i].f
bool is_index_bracket(const Source *, const Token *); // "[" directly after an atom

// ---- parse_bind.c: let, loop, match, lambda ----

Expr *parse_let(Parser *);
Expr *parse_loop(Parser *);
Expr *parse_match(Parser *);
Expr *parse_lambda(Parser *);

// The operator at the current token: its length in tokens (0: none) and its level.
int peek_operator(const Parser *, int *level);
QualName parse_operator(Parser *, bool *backtick);

// ---- parse_decl.c ----

Decl *parse_decl(Parser *);
Decls parse_decls(Parser *);                    // up to "}"

// ---- parse_mod.c ----

ModExpr *parse_modexp(Parser *);
ModExpr *parse_import(Parser *);
SigExpr *parse_sigexp(Parser *);
Lifting parse_lifting(Parser *);
ModParams parse_mod_params(Parser *);
#endif
