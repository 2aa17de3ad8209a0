// What the files of the printer of textual core share.
#ifndef RAIDO_PRINT_CORE_H
#define RAIDO_PRINT_CORE_H
#include "core/core.h"

typedef struct { Str out; int indent; bool where; } Printer;
static inline void put(Printer *p, const char *s) { str_puts(&p->out, s); }

// ---- print_type.c ----

void put_var(Str *, Var);
void put_string(Printer *, const char *);       // in quotes
void put_name(Printer *, const char *);
const char *show_const(Scalar);
void put_sub(Printer *, Sub);
void put_subs(Printer *, const char *open, Subs, const char *close);
void put_dims(Printer *, Subs);
void put_type(Printer *, Type);
void put_types(Printer *, Types);
void put_binder(Printer *, Var);
void put_binders(Printer *, Vars);
void put_attributes(Printer *, Attributes);
void put_entry_type(Printer *, const EntryType *);
#endif
