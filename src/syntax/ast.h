// Surface syntax: what the parser builds, the checker annotates and lowering reads.
//
// Every node has a Span.  Fields below a "-- checker" line are NULL or zero after
// parsing; the checker fills them in.  Nodes are otherwise never changed.
#ifndef RAIDO_AST_H
#define RAIDO_AST_H
#include "base/base.h"

// Annotations owned by the checker (check/check.h); opaque here.
typedef struct Ty Ty;
typedef struct Size Size;
typedef struct Binding Binding;
typedef struct TypeDef TypeDef;
typedef struct Mod Mod;
typedef struct Sig Sig;
typedef struct Inst Inst;

typedef struct Expr Expr;
typedef struct Pat Pat;
typedef struct TypeExpr TypeExpr;
typedef struct Decl Decl;
typedef struct ModExpr ModExpr;
typedef struct SigExpr SigExpr;
typedef struct Spec Spec;
typedef struct Attr Attr;
typedef SLICE(Expr *) Exprs;
typedef SLICE(Pat *) Pats;
typedef SLICE(TypeExpr *) TypeExprs;
typedef SLICE(Decl *) Decls;
typedef SLICE(Spec *) Specs;
typedef SLICE(Attr *) Attrs;
typedef SLICE(Name) Names;

// A possibly qualified name: a.b.c has quals {a, b} and name c.  For operators the
// name is the symbol; for `x` in backticks it is x.
typedef struct { Names quals; Name name; Span span; } QualName;

// #[name], #[3], #[name(args)]
struct Attr {
	Span span;
	Name name;                              // also the digits of a decimal
	bool is_int;
	Attrs args;
};
typedef SLICE(struct Attr *) AttrSlice;

// ---- Types ----

// [n] 't '~t '^t
typedef enum { TP_SIZE, TP_TYPE, TP_SIZE_LIFTED, TP_LIFTED } TypeParamKind;
typedef struct {
	Span span;
	TypeParamKind kind;
	Name name;
	// -- checker
	Binding *binding;                       // TP_SIZE: the i64 variable
	TypeDef *def;                           // otherwise: the rigid type
} TypeParam;
typedef SLICE(TypeParam) TypeParams;

typedef struct { Span span; Name name; TypeExpr *type; } FieldType;
typedef SLICE(FieldType) FieldTypes;
typedef struct { Span span; Name name; TypeExprs args; } ConstrType;
typedef SLICE(ConstrType) ConstrTypes;

typedef enum {
	TE_NAME,        // m.t
	TE_APPLY,       // t [n] a b    (fn is a TE_NAME; args are TE_SIZE or atomic types)
	TE_ARRAY,       // [e]t   []t
	TE_TUPLE,       // () (a, b)
	TE_RECORD,      // {x: a, 0: b}
	TE_SUM,         // #a t | #b
	TE_ARROW,       // t -> u    (x: t) -> u
	TE_UNIQUE,      // *t
	TE_EXISTS,      // ?[n][m].t
	TE_PAREN,       // (t), kept for the formatter
	TE_SIZE,        // [e] or [] as a type argument
} TypeExprKind;
struct TypeExpr {
	TypeExprKind kind;
	Span span;
	union {
		QualName name;                                          // TE_NAME
		struct { TypeExpr *fn; TypeExprs args; } apply;
		struct { Expr *size; TypeExpr *elem; } array;           // size NULL: []
		TypeExprs tuple;
		FieldTypes record;
		ConstrTypes sum;
		// param may be NULL
		struct { Name param; Span param_span; TypeExpr *from, *to; } arrow;
		TypeExpr *inner;                                        // TE_UNIQUE, TE_PAREN
		struct { TypeParams sizes; TypeExpr *type; } exists;
		Expr *size;                                             // TE_SIZE; NULL: []
	};
	// -- checker: what it means; anonymous sizes are SZ_ANON in it.  `exts`: the existential
	// sizes at its top, set together with `ty` for the type expressions given to elab_type.
	Ty *ty;
	SLICE(Binding *) exts;
	// TE_NAME of an abbreviation from the top of a file: what that was declared to be, or NULL
	const TypeExpr *means;
};

// ---- Patterns ----

typedef struct { Span span; Name name; Pat *pat; bool punned; } FieldPat; // {x}, {x: t}: punned
typedef SLICE(FieldPat) FieldPats;
typedef enum {
	PAT_NAME,       // x   (+)
	PAT_WILD,       // _
	PAT_LIT,        // 3  -3  'a'  true  1.5f32
	PAT_TUPLE,      // () (a, b)
	PAT_RECORD,     // {x = p, y}
	PAT_CONSTR,     // #c p q
	PAT_ASCRIBE,    // p : t
	PAT_ATTR,       // #[a] p
	PAT_PAREN,      // (p)
} PatKind;
struct Pat {
	PatKind kind;
	Span span;
	union {
		struct { Name name; Binding *binding; /* -- checker */ } var;
		// EX_INT, EX_FLOAT, EX_CHAR, EX_BOOL; negated ones are EX_NEG of it
		Expr *lit;
		Pats tuple;
		FieldPats record;
		struct { Name name; Span name_span; Pats args; } constr;
		struct { Pat *pat; TypeExpr *type; } ascribe;
		struct { Pat *pat; Attr *attr; } attr;
		Pat *inner;             // PAT_PAREN, and `pat` of PAT_ASCRIBE and PAT_ATTR
	};
	// -- checker
	Ty *type;
};

// ---- Expressions ----

// One index of a slice: e, or from:to:step with parts possibly NULL.
typedef struct { Span span; bool is_slice; Expr *index; Expr *from, *to, *step; bool has_step_colon;
                } Index;
typedef SLICE(Index) Indices;

// A step of an update or projection path: [i, j:k] or .field
typedef struct { Span span; bool is_field; Name field; Indices idx; } PathStep;
typedef SLICE(PathStep) Path;

// {x}: value is EX_VAR x
typedef struct { Span span; Name name; Expr *value; bool punned; } FieldExpr;
typedef SLICE(FieldExpr) FieldExprs;
typedef struct { Span span; Pat *pat; Expr *body; } Case;
typedef SLICE(Case) Cases;

typedef enum { RANGE_INCL /* ... */, RANGE_UP /* ..< */, RANGE_DOWN /* ..> */ } RangeKind;
typedef enum { LOOP_FOR /* i < n */, LOOP_IN /* p in xs */, LOOP_WHILE } LoopKind;

typedef enum {
	EX_INT,         // 3  0x1f  3i32  0rXIV
	EX_FLOAT,       // 1.5  3f32  0x1.8p3
	EX_CHAR,        // 'c'
	EX_BOOL,
	EX_STRING,      // "abc"
	EX_VAR,         // x  m.x  (+)  m.(+): also an operator in parentheses (is_op)
	EX_HOLE,        // ???
	EX_PAREN,       // (e), kept for the formatter
	EX_TUPLE,       // () (a, b)
	EX_RECORD,      // {x = e, y}
	EX_ARRAY,       // [a, b]
	EX_PROJECT,     // e.f
	EX_INDEX,       // e[i, j:k]
	EX_OPEN,        // m.(e)
	EX_APPLY,       // f x y     (all arguments of one juxtaposition)
	EX_BINOP,       // a + b, also && and ||
	EX_NEG,         // -e
	EX_NOT,         // !e
	EX_CONSTR,      // #c a b
	EX_ASCRIBE,     // e : t
	EX_COERCE,      // e :> t
	EX_RANGE,       // a..b...c
	EX_IF,
	EX_LET,         // let [n] p = e in b
	EX_LET_FUN,     // let f 't x y : t = e in b
	EX_LET_UPDATE,  // let x[i].f = e in b
	EX_LAMBDA,      // \x y : t -> e
	EX_LOOP,
	EX_MATCH,
	EX_ASSERT,      // assert c e
	EX_UPDATE,      // e with [i].f = v
	EX_ATTR,        // #[a] e
	EX_SECTION_L,   // (e +)
	EX_SECTION_R,   // (+ e)
	EX_SECTION_PATH,// (.a.b[1])
} ExprKind;

struct Expr {
	ExprKind kind;
	Span span;
	// -- checker: the type of the whole expression, with resolved sizes, and the sizes that
	// come into being when it is evaluated (existential results of an application, branches or
	// loops whose sizes vary, ranges, slices, coercions to []).  Lowering binds each of
	// `unknowns` from the shape of the value.
	Ty *type;
	SLICE(Binding *) unknowns;
	union {
		// Literals: `text` is the digits as written without suffix.
		struct { PrimType type; bool suffixed; uint64_t value; bool too_big;
		        const char *text; } int_lit;
		struct { PrimType type; bool suffixed; double value; const char *text; } float_lit;
		uint32_t char_lit;
		bool bool_lit;
		struct { const char *bytes; int len; } string;
		struct { QualName name; bool is_op;
		         /* -- checker */ Binding *binding; Inst *inst;
		         // Where qualifiers turn out to be a value: r.x.y is the projection of the
		         // fields `fields` from `binding`.
		         Names fields; } var;
		// broken: stands for what the parser could not read, `parts` is what it had read of
		// it; a program with such a hole is never lowered
		struct { bool broken; Exprs parts;
		         // -- lowering: for messages, the type of all of it
		         Ty *part_of; } hole;
		Expr *inner;                                     // EX_PAREN, EX_NEG, EX_NOT
		Exprs tuple;
		FieldExprs record;
		Exprs array;
		struct { Expr *of; Name field; Span field_span; } project;
		struct { Expr *of; Indices idx; } index;
		// mod: all components are in quals + name
		struct { QualName mod; Expr *body; } open;
		struct { Expr *fn; Exprs args; } apply;
		struct { QualName op; bool backtick; Expr *a, *b;
		         /* -- checker */ Binding *binding; Inst *inst; Ty *op_type; } binop;
		struct { Name name; Span name_span; Exprs args; } constr;
		struct { Expr *of; TypeExpr *type; } ascribe;    // EX_ASCRIBE, EX_COERCE
		struct { Expr *from, *second, *to; RangeKind kind; } range; // second may be NULL
		struct { Expr *cond, *yes, *no; } if_;
		struct { TypeParams sizes; Pat *pat; Expr *value, *body; bool has_in; } let;
		struct { Name name; Span name_span; TypeParams params; Pats pats; TypeExpr *ret;
		        Expr *value, *body; bool has_in;
		         /* -- checker */ Binding *binding; Ty *ret_type; } let_fun;
		struct { Name name; Span name_span; Path path; Expr *value, *body; bool has_in;
		         /* -- checker */ Binding *src, *dst; Inst *inst; } let_update;
		struct { Pats pats; TypeExpr *ret; Expr *body; /* -- checker */ Ty *ret_type;
		        } lambda;
		struct { Pat *pat; Expr *init; /* NULL: omitted */ LoopKind kind;
		         Name index; Span index_span; Pat *elem;
		         Expr *bound; /* n, xs or the condition */ Expr *body;
		         /* -- checker */ Binding *index_binding;
		         Expr *init_implied; /* the pattern as an expression */
		         // Sizes of the loop parameters that vary from iteration to iteration: the
		         // parameters' types in the pattern mention these.
		         SLICE(Binding *) variant_sizes; } loop;
		struct { Expr *of; Cases cases; } match;
		struct { Expr *cond, *body; } assert_;
		struct { Expr *of; Path path; Expr *value; } update;
		struct { Attr *attr; Expr *body; } attr;
		struct { QualName op; bool backtick; Expr *arg;
		         // EX_SECTION_L, EX_SECTION_R
		         /* -- checker */ Binding *binding; Inst *inst; Ty *op_type; } section;
		Path path;                                       // EX_SECTION_PATH
	};
};

// ---- Declarations ----

typedef enum { DEC_VAL, DEC_TYPE, DEC_MODULE, DEC_MODULE_TYPE, DEC_OPEN, DEC_IMPORT } DeclKind;
typedef enum { LIFT_NONE, LIFT_SIZE /* type~ */, LIFT_FULL /* type^ */ } Lifting;

typedef struct { Span span; Name name; SigExpr *sig; /* -- checker */ Mod *mod; } ModParam;
typedef SLICE(ModParam) ModParams;

typedef struct {
	enum { VAL_DEF, VAL_LET, VAL_ENTRY } keyword;
	Name name;
	Span name_span;
	bool is_op;                             // symbol name
	bool infix;                             // def x + y = ..., def x `f` y = ...
	TypeParams params;
	Pats pats;
	TypeExpr *ret;                          // may be NULL
	Expr *body;
	// -- checker
	Binding *binding;
	Ty *ret_type;                           // type of the body, sizes resolved
	bool is_recursive;
} ValDecl;

struct Decl {
	DeclKind kind;
	Span span;
	AttrSlice attrs;
	bool local;
	bool broken;                            // has syntax errors, and holes there
	const char *doc;                        // documentation comment without the dashes, or NULL
	union {
		ValDecl val;
		struct { Name name; Span name_span; Lifting lifting; TypeParams params;
		        TypeExpr *type;
		         /* -- checker */ TypeDef *def; } type;
		// Parameters and ascription are kept as written; see 5.5 for what they mean.
		struct { Name name; Span name_span; ModParams params; SigExpr *sig; ModExpr *body;
		         /* -- checker */ Binding *binding; } module;
		struct { Name name; Span name_span; SigExpr *sig; } module_type;
		ModExpr *open;
		// import "f" as a declaration: open of an ME_IMPORT, local
		ModExpr *import;
	};
};

// ---- Modules ----

typedef enum { ME_NAME, ME_PAREN, ME_BODY, ME_IMPORT, ME_ASCRIBE, ME_APPLY, ME_LAMBDA } ModExprKind;
struct ModExpr {
	ModExprKind kind;
	Span span;
	union {
		struct { QualName name; /* -- checker */ Mod *found; } name;
		ModExpr *inner;                                  // ME_PAREN
		Decls body;
		struct { const char *path; Span path_span; /* -- checker */ struct File *file;
		        } import;
		struct { ModExpr *of; SigExpr *sig; } ascribe;
		struct { ModExpr *fn, *arg;
		         /* -- checker */ struct FunctorInst *inst; } apply;
		struct { ModParam param; SigExpr *sig; ModExpr *body; } lambda;
	};
	// -- checker
	Mod *mod;
};

typedef enum { SE_NAME, SE_SPECS, SE_PAREN, SE_WITH, SE_ARROW } SigExprKind;
struct SigExpr {
	SigExprKind kind;
	Span span;
	union {
		QualName name;
		Specs specs;
		SigExpr *inner;                                  // SE_PAREN
		struct { SigExpr *of; QualName type; TypeParams params; TypeExpr *def; } with;
		// param may be NULL
		struct { Name param; Span param_span; SigExpr *from, *to; } arrow;
	};
};

typedef enum { SPEC_VAL, SPEC_TYPE, SPEC_MODULE, SPEC_INCLUDE } SpecKind;
struct Spec {
	SpecKind kind;
	Span span;
	AttrSlice attrs;
	const char *doc;
	union {
		struct { Name name; Span name_span; bool is_op; TypeParams params; TypeExpr *type;
		        } val;
		// def may be NULL
		struct { Name name; Span name_span; Lifting lifting; TypeParams params;
		        TypeExpr *def; } type;
		struct { Name name; Span name_span; SigExpr *sig; } module;
		SigExpr *include;
	};
};

// A parsed file.
typedef struct { Span span; const char *text; bool own_line; } Comment; // text includes the dashes
typedef SLICE(Comment) Comments;
typedef struct File {
	Source *source;
	const char *path;                       // "dir/a.fut" as read, or "/prelude/math"
	const char *doc;                        // the file's own documentation comment, or NULL
	Decls decls;
	Comments comments;
	// -- checker
	Mod *mod;                               // what the file exports
	bool failed;                            // had syntax errors
	Loc lost;                               // ... so that names may be missing from here on
} File;

// ---- lex.c ----

typedef enum {
#define TOKEN(kind, spelling) TOK_##kind,
#include "syntax/tokens.def"
#undef TOKEN
	N_TOKEN
} TokenKind;
extern const char *const token_spelling[N_TOKEN];
typedef struct {
	TokenKind kind;
	Span span;
	bool space_before;                      // white space or a comment precedes
	bool newline_before;
	union {
		Name name;                      // identifiers, operators, constructors (without #)
		struct { uint64_t value; bool too_big, suffixed; PrimType type; } integer;
		struct { double value; bool suffixed; PrimType type; } real;
		uint32_t ch;
		struct { const char *bytes; int len; } string;
	};
} Token;
typedef SLICE(Token) Tokens;
// The tokens of a file, ended by TOK_EOF; reports lexical errors as diagnostics and
// skips the offending text.  They are many, and of no use once they are parsed: free them.
Tokens lex(const Source *, Comments *comments);
void tokens_free(Tokens);

// ---- parse.c ----

File *parse_file(Source *);                     // reports errors; failed is then set
// A line of the REPL or of `eval`: a declaration if it can be one, else an expression.
typedef struct { Decls decls; Expr *expr; bool incomplete; /* ended too early */ } Line;
Line  parse_line(Source *);
Expr *parse_expr_only(Source *);                // NULL after an error
TypeExpr *parse_type_only(Source *);
ModExpr *parse_modexpr_only(Source *);

// ---- ast_print.c: source text of a node on one line, as messages quote it ----

const char *show_expr(const Expr *);
const char *show_pat(const Pat *);
const char *show_type_expr(const TypeExpr *);
const char *show_qualname(QualName);
void ast_put_literal(Str *, const Expr *);      // ast_literal.c

// ---- ast_walk.c: the one surface traversal ----

Pat *pat_plain(const Pat *);                    // without parentheses, ascriptions and attributes
FieldPats pat_fields(const Pat *);              // of PAT_TUPLE, named 0, 1, .., or PAT_RECORD

// Calls back on every direct child.  What there is no callback for is skipped, but modules and
// declarations, which are walked through; types and module types that are declared are not part of
// the walk.
typedef struct Walk Walk;
struct Walk {
	void (*expr)(Walk *, Expr *);
	void (*pat)(Walk *, Pat *);
	void (*type)(Walk *, TypeExpr *);
	void (*decl)(Walk *, Decl *);
	void (*mod)(Walk *, ModExpr *);
	void *ctx;
};
void walk_expr(Walk *, Expr *);                 // the children of the node
void walk_pat(Walk *, Pat *);
void walk_path(Walk *, Path);
void walk_type(Walk *, TypeExpr *);
void walk_decl(Walk *, Decl *);
void walk_mod(Walk *, ModExpr *);
void walk_decls(Walk *, Decls);                 // each of these
Decls mod_body(const ModExpr *);                // the declarations between its braces, or none

// ---- fmt.c ----

const char *format_file(const File *);          // the whole file, laid out anew; comments kept
#endif
