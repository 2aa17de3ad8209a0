// What the command literate and the directives that make files share.
#ifndef RAIDO_LITERATE_H
#define RAIDO_LITERATE_H
#include "cli/script.h"

typedef struct {
	Script script;
	const char *path;               // of the program
	const char *dir;                // of the files made, as this process names it
	const char *shown;              // the output's name without .md: links begin with it
	int n_files;
	bool verbose, stop_on_error, failed;
} Literate;
typedef struct {
	const char *kind;               // ":img" ..., "" for a plain expression
	bool brief, covert;
	const ScriptExp *exp;
	const char *brief_text;         // without the parameters
	TextVec names, values;          // the parameters
	const char *script;             // of :gnuplot, or NULL
} Directive;
const char *directive_param(const Directive *, const char *name, const char *otherwise);

// ---- literate_show.c: directives that make files; false with *why set ----

bool show_image(Literate *, const Directive *, Str *md, const char **why);
bool show_audio(Literate *, const Directive *, Str *md, const char **why);
bool show_video(Literate *, const Directive *, Str *md, const char **why);
bool show_plot(Literate *, const Directive *, Str *md, const char **why);
void remove_images(Literate *); // what an earlier run left
#endif
