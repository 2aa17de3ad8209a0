// What the files that make pages of documentation share.
#ifndef RAIDO_DOC_H
#define RAIDO_DOC_H
#include "cli/cli.h"

extern const char doc_style[], doc_search[];    // doc_look.c: style.css, search.js
void html_of_program(Str *, const char *, size_t n); // in colour
#endif
