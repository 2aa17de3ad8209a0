// Shared by the formatter's files.
//
// The formatter never invents a token: it walks the tree to find out how far each line is
// indented and where long lines break, and writes the file's own tokens in order.
#ifndef RAIDO_FMT_H
#define RAIDO_FMT_H
#include "syntax/ast.h"

enum { FMT_INDENT = 2 };

typedef struct {
	const File *file;
	const Token *tok;                       // without documentation comments; ends with EOF
	int n_tok;                              // without EOF
	bool *gap;                              // white space before token i, when not broken
	bool *brk;                              // token i starts a line
	int *lines;                             // line breaks of the source before tokens 0..i-1
	int *notes;                             // comments before tokens 0..i-1
	bool *skip;                             // token i is left out
	bool *as_def;                           // token i, a `let`, is written `def`
	bool *free_space;                       // white space before the bracket i means nothing
	bool blanks;                            // empty lines of the source stay
	enum { BLANK_KEEP, BLANK_ONE, BLANK_NONE } next_blank; // before the next line
	Str out;
	int col;                                // columns written on the current line
	int next;                               // the next token
	int next_comment;
} Fmt;

// A bracketed list: elements one below the other with leading commas where it is broken.
typedef struct {
	Span span;
	int len;
	const void *of;                         // the node
	Span (*part)(const void *of, int i);
	void (*each)(Fmt *, const void *of, int i, int indent);
} FmtList;

// ---- fmt_space.c ----

// Fills in `gap`: which neighbours are written together.
void fmt_spaces(Fmt *);

// ---- fmt.c: writing tokens ----

int fmt_token_at(const Fmt *, Loc);             // the first token at or after a place
int fmt_start(const Fmt *, int indent);         // the column where the next token will go
void fmt_to(Fmt *, Loc, int indent);            // writes tokens that start before a place
void fmt_comments(Fmt *, Loc, int indent);      // writes comments before a place
bool fmt_one_line(const Fmt *, Span);           // the source has it on one line
bool fmt_blank_before(const Fmt *, Loc);        // an empty line of the source is before it
void fmt_break_at(Fmt *, Loc);                  // the token at a place starts a line

// ---- fmt_type.c ----

void fmt_type(Fmt *, const TypeExpr *, int indent);
void fmt_pat(Fmt *, const Pat *, int indent);
void fmt_pats(Fmt *, Pats, int indent);
void fmt_list(Fmt *, FmtList, int indent);
bool fmt_spans(const Fmt *, Loc lo, Loc hi);    // it is on several lines in the source
bool fmt_starts_line(const Fmt *, Loc);         // in the source, and not after a comment
void fmt_gap(Fmt *, Loc, bool);                 // white space before the token at a place
void fmt_colon(Fmt *, const TypeExpr *, bool);  // white space before the ":" of a type
void fmt_params(Fmt *, TypeParams, int indent);
// name [n] 't (x: t) : r, of a definition that starts in column `indent`
typedef struct { Span name; TypeParams params; Pats pats; TypeExpr *ret; } FmtHead;
void fmt_head(Fmt *, FmtHead, int indent);
// Goes on to a part of something that starts at `lo`: where the source has both on several
// lines the part starts a line, `indent` columns in.
void fmt_part(Fmt *, Loc lo, Span part, int indent);

// ---- fmt_expr.c ----

void fmt_expr(Fmt *, const Expr *, int indent);

// ---- fmt_decl.c ----

void fmt_decls(Fmt *, Decls);
#endif
