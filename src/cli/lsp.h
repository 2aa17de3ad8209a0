// Shared by the files of the language server; lsp.c says how they play together.
#ifndef RAIDO_LSP_H
#define RAIDO_LSP_H
#include "cli/cli.h"

#include <sys/types.h>

typedef struct Worker { pid_t pid; int to, from; } Worker; // a process; pid 0: none

// All that outlives a message is allocated apart: the rest is released after each.
typedef struct {
	char *uri, *path, *body;
	int64_t version;
	size_t stays;                           // of the body: what the last change left as it was
	bool dirty;                             // its diagnostics are to be sent
	int took;                               // milliseconds, the last time
	bool stale;                             // the worker has not been told this version
	Worker worker;                          // has loaded it
} Document;
typedef struct { Document *at; int len; } Documents;

// Error codes of the protocol.
enum {
	LSP_PARSE_ERROR = -32700, LSP_INVALID_REQUEST = -32600, LSP_NO_METHOD = -32601,
	LSP_INVALID_PARAMS = -32602, LSP_INTERNAL_ERROR = -32603, LSP_NOT_INITIALIZED = -32002,
	LSP_FAILED = -32803, LSP_CANCELLED = -32800,
};

// ---- lsp_io.c: messages ----

// The next message; NULL at the end of input.  What is no JSON has *why set.
const char *receive_message(void);
bool input_is_idle(int ms);                     // nothing has arrived yet, nor does for that time
bool is_cancelled(const Json *id);              // by a message that has arrived
void send_answer(const Json *id, const char *result);
void send_refusal(const Json *id, int code, const char *why);
void send_notice(const char *method, const char *params);
// The member at a path such as "textDocument.uri"; NULL or 0 when it is not there.
const Json *member(const Json *, const char *path);
const char *member_text(const Json *, const char *path);
int member_int(const Json *, const char *path);
bool write_all(int fd, const void *, size_t);
bool read_all(int fd, void *, size_t);          // false at the end

// ---- lsp_text.c: documents and places in them ----

extern bool columns_are_bytes;                  // else units of UTF-16
// Places beyond the end of a line are its end.
size_t offset_of(const char *text, size_t len, int line, int character);
const char *apply_changes(const char *body, const Json *changes); // NULL when they are none
const char *path_of_uri(const char *uri);
Name real_path(const char *path);               // absolute, without links; also of no file
const char *uri_of_path(const char *path);
void put_range(Str *, Span);                    // {"start":...,"end":...}
const char *range_json(Span);
int units_of_byte(unsigned char);               // what it adds to a column
typedef struct { int line, character; } Place;  // from 0
Place place_of(Loc);
// Where a file can be opened: of the prelude a copy in the user's cache.  NULL: nowhere.
const char *uri_of_source(const Source *);
const char *prelude_cache(void);                // the folder of these copies, or NULL

// ---- lsp_worker.c: programs in processes of their own ----

// The question a worker answers.
typedef struct {
	const Documents *documents;
	const Document *document;
	Program *program;
	const Source *source;                   // of the document
	Loc checked;                            // up to here; 0: nothing yet
	Uses uses;                              // by place, each once
	Diags diags;                            // by place
	const Json *params;
	Loc at;                                 // params.position
	const char *refused;                    // set: why there is no answer
} Ask;
typedef const char *Answer(Ask *);
// Loads a text as the worker's own document is, with the open documents in place of their files.
Program *load_for_editor(const Documents *, const char *name, const char *body, size_t len);
Uses sorted_uses(const Program *);
typedef struct { const char *result, *refused; } Reply; // both NULL: the worker died
Reply ask_worker(const Documents *, Document *, const char *message);
void stop_worker(Document *);
extern int worker_deaths;                       // that nobody wanted, for tests
Answer *find_answer(const char *method);        // lsp.c
// What an answer depends on: of the declarations checked, those up to the place or the end of the
// range that it is about.
typedef enum { NEEDS_TEXT, NEEDS_TREE, NEEDS_PLACE, NEEDS_RANGE, NEEDS_ALL } Need;
Need need_of(Answer *);
const Use *use_at(const Ask *, Loc);            // the name there, or NULL
Span decl_at(const Ask *);                      // the declaration that the question is about

// ---- lsp_names.c: what names mean and where they are ----

Answer answer_hover, answer_definition, answer_type_definition, answer_references,
       answer_highlight;

// ---- lsp_rename.c ----

Answer answer_prepare_rename, answer_rename;

// ---- lsp_refs.c: all places of a name, also in other files of the workspace ----

typedef struct { const char *path; uint32_t lo, hi; Span span; bool defines; } Spot;
typedef VEC(Spot) Spots;
// Where the definition is, as a place in a file.
typedef struct { const char *path; uint32_t offset; } Target;
typedef VEC(Target) Targets;
typedef VEC(Program *) Programs;
// All places of the names in `class`, which is what must keep one name together.
Spots find_spots(const Ask *, const Use *, bool other_files, Programs *programs);
extern const char *workspace_root;               // or NULL
void list_files(TextVec *, const char *dir, int depth); // programs in a folder; depth 0
const char *source_path(const Source *);        // absolute, or "/prelude/..."

// ---- lsp_symbols.c ----

Answer answer_document_symbols, answer_folding, answer_workspace_symbols;

// ---- lsp_tokens.c ----

Answer answer_tokens, answer_tokens_range;
extern const char token_legend[];

// ---- lsp_complete.c ----

Answer answer_completion, answer_signature;

// ---- lsp_hints.c ----

Answer answer_inlay_hints;

// ---- lsp_actions.c ----

Answer answer_code_actions, answer_diagnostics, answer_derivative;

// ---- lsp_scope.c: the tree at a place ----

// Calls back on each node that holds the place, from outside in; for local names also when the
// place is in their scope.
typedef struct PlaceVisit PlaceVisit;
struct PlaceVisit {
	Loc at;
	void (*expr)(PlaceVisit *, Expr *);          // either may be NULL
	void (*name_in_scope)(PlaceVisit *, Name, Span, const Binding *);
	void (*type_in_scope)(PlaceVisit *, Name, Span, const TypeDef *);
	void (*env_in_scope)(PlaceVisit *, const Env *);
	const Ask *ask;
	void *ctx;
};
void visit_at(PlaceVisit *, Decls);
// The nodes of declarations, also inside of modules, in order.
typedef struct {
	void (*expr)(void *, Expr *);           // any may be NULL
	void (*pat)(void *, Pat *);
	void (*decl)(void *, Decl *);
	void *ctx;
} EachNode;
void each_node(const EachNode *, Decls);
#endif
