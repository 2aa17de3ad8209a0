// Programs whose text is changed, for editors: what was checked before the change stays.
//
//     def a = ...        checked in the first version of the text, and kept
//     def b = ...
//     def c| = ...       changed: checked anew, with all that follows
//     def d = ...
//
// Declarations are checked in order, and what checking one does depends on the text up to its end
// alone.  (Two things could break that: names that syntax errors lost are missing only from there
// on, File.lost, and that a name is defined later is said at the end, program_explain.)  So after a
// change the declarations before it are what they were, if the new text is parsed to the same ones:
//
//   - the text is the same up to the end of the last declaration that is kept;
//   - each of them begins and ends where it did, and neither has syntax errors, so that no recovery
//     has looked ahead;
//   - the file imports the same files, and these have not changed.
//
// Otherwise the caller opens a new program.  The language server keeps such a program, checked up
// to where the user types, in a process that waits, and forks one for each version (lsp_worker.c).
#include "check/load.h"

// Space for what is typed, in the numbering of places.
static size_t room_for(size_t len)
{
	return 2 * len + (1 << 20);
}

// Syntax errors are kept apart: those of the new text take their place.
static Diags take_diags(Diags others)
{
	Diags taken = diags;
	diags = others;
	return taken;
}

Program *program_open(const char *name, const char *content, size_t len, LoadOptions options)
{
	current_pass = "loading";
	Loader *l = loader_new(options, "");
	Program *p = &l->program;
	Diags before = take_diags((Diags){0});
	p->root = add_file(l, name, content, len, room_for(len), NOWHERE);
	p->syntax = take_diags(before);
	if (!p->root)
		return p;
	read_imports(l, p->root);
	check_new_files(l);
	VEC_PUSH(&l->order, p->root);
	p->files = VEC_SLICE(Files, l->order);
	p->scope = begin_file(l, p->root);
	p->scope->history = NEW(History, .now = 0);
	return p;
}

static bool same_files(Loader *l)
{
	for EACH(File *, f, l->order) {
		size_t len;
		if (*f == l->program.root || str_starts((*f)->path, "/prelude/"))
			continue;
		const LoadOptions *o = &l->program.options;
		const char *path = (*f)->path;
		const char *now = o->read ? o->read(path, &len) : read_file(path, &len);
		const Source *s = (*f)->source;
		if (!now || len != s->len || memcmp(now, s->text, len) != 0)
			return false;
	}
	return true;
}

static bool same_imports(Decls a, Decls b)
{
	ImportVec x = {0}, y = {0};
	imports_in(&x, a);
	imports_in(&y, b);
	bool same = x.len == y.len;
	for (int i = 0; same && i < x.len; i++)
		same = strcmp(x.at[i]->import.path, y.at[i]->import.path) == 0;
	return same;
}

static bool is_whole(const File *f, const Decl *d)
{
	return !d->broken && !(f->lost && f->lost <= d->span.hi);
}

static bool same_checked(const Loader *l, const File *new)
{
	const File *old = l->program.root;
	if (new->decls.len < l->checked)
		return false;
	for (int i = 0; i < l->checked; i++) {
		const Decl *a = old->decls.at[i], *b = new->decls.at[i];
		if (a->span.lo != b->span.lo || a->span.hi != b->span.hi || !is_whole(old, a) ||
		    !is_whole(new, b))
			return false;
	}
	return true;
}

bool program_edit(Program *p, const char *content, size_t len)
{
	Loader *l = loader_of(p);
	File *root = p->root;
	Source *s = root ? root->source : NULL;
	size_t stays = l->checked ? program_checked(p) - s->start : 0;
	if (!root || l->missing || len > s->room || stays > len ||
	    memcmp(s->text, content, stays) != 0 || !same_files(l))
		return false;
	source_change(s, content, len);
	Diags others = take_diags((Diags){0});
	File *new = parse_file(s);
	p->syntax = take_diags(others);
	if (!same_checked(l, new) || !same_imports(root->decls, new->decls))
		return false;
	for (int i = 0; i < l->checked; i++)
		new->decls.at[i] = root->decls.at[i];
	root->doc = new->doc;
	root->decls = new->decls;
	root->comments = new->comments;
	root->failed = new->failed;
	root->lost = new->lost;
	return true;
}

void program_check(Program *p, Loc until)
{
	Loader *l = loader_of(p);
	Decls decls = p->root->decls;
	for (; l->checked < decls.len && decls.at[l->checked]->span.lo <= until; l->checked++)
		check_top_level(p->scope, decls.at[l->checked]);
}

Loc program_checked(const Program *p)
{
	const Loader *l = (const Loader *)p;
	return l->checked ? p->root->decls.at[l->checked - 1]->span.hi : 0;
}

void program_explain(Program *p)
{
	explain_unknowns(loader_of(p));
}
