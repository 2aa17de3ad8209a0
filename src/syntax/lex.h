// Shared by the lexer's files: its state, and classes of characters.
#ifndef RAIDO_LEX_H
#define RAIDO_LEX_H
#include "syntax/ast.h"

enum { MAX_LEX_ERRORS = 20 };

typedef VEC(Token) TokenVec;
typedef VEC(Comment) CommentVec;

typedef struct {
	const Source *src;
	const char *at;                         // the next character
	const char *end;
	TokenVec tokens;
	CommentVec comments;
	Name keyword[N_TOKEN];                  // interned spellings of the reserved words
	uint8_t first_keyword['z' - 'a' + 1];   // one with this first letter, 0 for none
	uint8_t next_keyword[N_TOKEN];          // another one with the same first letter
	bool space, newline;                    // seen since the last token
	int errors;
} Lexer;

enum {
	C_SPACE = 1, C_LETTER = 2, C_DIGIT = 4, C_HEX = 8, C_SYMBOL = 16, C_NAME = 32,
};

extern const uint8_t char_class[256];           // lex.c

static inline bool is_class(char c, int class)
{
	return (char_class[(unsigned char)c] & class) != 0;
}

// ---- lex.c ----

Token *lex_push(Lexer *, TokenKind, const char *from); // the token from there to `at`
void lex_error(Lexer *, const char *from, const char *to, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
// Reads one UTF-8 character; -1 for malformed text, which then takes one byte.
int32_t lex_utf8(const char **at, const char *end);

// ---- lex_literal.c ----

void lex_number(Lexer *);
void lex_field_number(Lexer *);
bool lex_char(Lexer *);
void lex_string(Lexer *);
#endif
