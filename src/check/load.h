// Shared by load.c and edit.c: a program while it is being loaded.
#ifndef RAIDO_LOAD_H
#define RAIDO_LOAD_H
#include "check/modules.h"

typedef struct {
	Program program;                // first: a Program * is one of these
	Map by_path;                    // canonical path (Name) -> File *
	Map states;                     // File * -> FileState *
	VEC(File *) order;              // imports before importers
	VEC(Binding *) pending;         // of the prelude, to be checked when needed
	VEC(UnknownName) unknowns;          // names that were not there
	int explained;                  // of the unknowns
	const char *root_dir;           // of imports that begin with a slash
	bool missing;                   // some file could not be read, or imports itself
	int checked;                    // declarations of a root that is edited
} Loader;

static inline Loader *loader_of(Program *p)
{
	return (Loader *)p;
}

typedef VEC(const ModExpr *) ImportVec;
void imports_in(ImportVec *, Decls);            // `import` with a path, in order
Loader *loader_new(LoadOptions, const char *root_dir);
// With room for that many bytes; NULL when the program gets too large.
File *add_file(Loader *, const char *path, const char *content, size_t len, size_t room, Span);
void read_imports(Loader *, File *);
Scope *begin_file(Loader *, File *);            // the scope its declarations are checked in
void check_top_level(Scope *, Decl *);
void explain_unknowns(Loader *);                // those of files whose declarations are all read
Scope *check_new_files(Loader *);               // the scope of the last one
#endif
