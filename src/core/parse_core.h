// What the files of the parser of textual core share.
#ifndef RAIDO_PARSE_CORE_H
#define RAIDO_PARSE_CORE_H
#include "core/core.h"

typedef enum { K_END, K_NAME, K_NUMBER, K_STRING, K_ATTR, K_SYMBOL } TokenKind;
typedef struct {
	TokenKind kind;
	Span span;
	const char *text;                       // name, contents of a string or attribute, symbol
	Scalar val;                             // K_NUMBER
} Token;

// What a name means from here on; `up` is what it meant before.
typedef struct Binding { Var var; int serial; struct Binding *up; } Binding;

// A location whose file is made up once all its positions are known.
typedef struct { Where *where; Name file; int line, col, end_line, end_col; } Place;
typedef struct { Fun *fn; Span span; } CallSite;

typedef struct {
	Source *src;
	const char *at, *end;                   // what is not lexed yet
	Token tok;                              // the next token
	int depth;                              // of nesting
	Map names;                              // Name -> Binding *
	VEC(Name) bound;                        // names bound in the open scopes, oldest first
	int visible;                            // bindings with a serial from here on are hidden
	uint32_t base, max_id;                  // x_7 becomes variable base + 7
	Map funs, defined;                      // Name -> Fun *
	VEC(CallSite) calls;
	VEC(Place) places;
} Parser;

// parse_lex.c
void core_next_token(Parser *);
bool core_at_symbol(const Parser *, const char *);
bool core_at_word(const Parser *, const char *);
bool core_take_symbol(Parser *, const char *);
bool core_take_word(Parser *, const char *);
void core_want_symbol(Parser *, const char *);
void core_want_word(Parser *, const char *);
const char *core_want_string(Parser *);
int  core_want_int(Parser *);                        // a plain non-negative number
Name core_want_fun_name(Parser *);
PrimType core_want_primtype(Parser *);
NORETURN void core_fail_expected(Parser *, const char *what);
const Where *core_parse_where(Parser *);             // `@...`; NULL when there is none
void core_resolve_places(Parser *);
void core_enter(Parser *);                           // guards against nesting that is too deep
void core_leave(Parser *);

// parse_type.c
void  core_close_scope(Parser *, int mark);          // mark: p->bound.len when it was opened
void  core_bind_var(Parser *, Name, Var);
bool  core_at_operand(const Parser *);
Sub   core_parse_sub(Parser *);
Var   core_parse_var(Parser *, const char *what);
Subs  core_parse_subs(Parser *, const char *end);
Subs  core_parse_tuple(Parser *);
Subs  core_parse_bracketed(Parser *);
Subs  core_parse_dims(Parser *);
PrimType core_parse_suffix(Parser *);                // .f64
Var   core_parse_binder(Parser *);
Vars  core_parse_binders(Parser *);
Type  core_parse_type(Parser *);
Types core_parse_types(Parser *);

// parse_exp.c
Body  core_parse_body(Parser *);
Attributes core_parse_attributes(Parser *);     // as texts

// parse.c
EntryType *core_parse_entry_type(Parser *);
Fun *core_fun_named(Parser *, Name);
#endif
