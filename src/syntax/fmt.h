// Shared by the formatter's files.
//
// The formatter never invents a token: it walks the tree to find out how far each line is
// indented and where long lines break, and writes the file's own tokens in order.
#ifndef RAIDO_FMT_H
#define RAIDO_FMT_H
#include "syntax/ast.h"

enum { FMT_WIDTH = 80, FMT_INDENT = 2 };

typedef struct {
	const File *file;
	const Token *tok;                       // without documentation comments; ends with EOF
	int n_tok;                              // without EOF
	bool *gap;                              // white space before token i, when not broken
	bool *brk;                              // token i starts a line
	int *width;                             // columns of tokens 0..i-1 on one line
	int *lines;                             // line breaks of the source before tokens 0..i-1
	int *notes;                             // comments before tokens 0..i-1
	Str out;
	int col;                                // columns written on the current line
	int next;                               // the next token
	int next_comment;
} Fmt;

// ---- fmt_space.c ----

// Fills in `gap`: which neighbours are written together.
void fmt_spaces(Fmt *);

// ---- fmt.c: writing tokens ----

int fmt_token_at(const Fmt *, Loc);             // the first token at or after a place
int fmt_start(const Fmt *, int indent);         // the column where the next token will go
void fmt_to(Fmt *, Loc, int indent);            // writes tokens that start before a place
void fmt_comments(Fmt *, Loc, int indent);      // writes comments before a place
bool fmt_one_line(const Fmt *, Span);           // the source has it on one line
bool fmt_too_long(const Fmt *, Span, int start); // it is on one line that does not fit
void fmt_break_at(Fmt *, Loc);                  // the token at a place starts a line

// ---- fmt_expr.c ----

void fmt_expr(Fmt *, const Expr *, int indent);
void fmt_value(Fmt *, const Expr *, int indent); // what follows "=" in a definition

// ---- fmt_type.c ----

void fmt_type(Fmt *, const TypeExpr *, int indent);
void fmt_pat(Fmt *, const Pat *, int indent);
void fmt_pats(Fmt *, Pats, int indent);
// A bracketed list: elements one below the other with leading commas where it is broken.
typedef struct {
	Span span;
	int len;
	const void *of;                         // the node
	Span (*part)(const void *of, int i);
	void (*each)(Fmt *, const void *of, int i, int indent);
	bool one_per_line;
} FmtList;
void fmt_list(Fmt *, FmtList, int indent);

// ---- fmt_decl.c ----

void fmt_decls(Fmt *, Decls, int indent);
#endif
