// Which arrays may share memory, and which are consumed; for passes that merge or move arrays.
#ifndef RAIDO_ALIAS_H
#define RAIDO_ALIAS_H
#include "core/core.h"

typedef struct { uint32_t up; bool gone, ever; } AliasCell;
// Cells by variable, ALIAS_PAGE of them together; pages are made where something is known.
enum { ALIAS_PAGE = 64 };
// consumed: by the statement at hand.
typedef struct { AliasCell **pages; uint32_t n_pages; SubVec consumed; } Alias;

// All classes of a program, and which of them are consumed anywhere.
Alias alias_of(const Prog *);
void alias_fun(Alias *, const Fun *);           // ... of a function more
uint32_t alias_class(Alias *, Var);
void alias_unite(Alias *, Var, Sub);             // they share memory from now on
bool alias_ever(Alias *, Var);                  // is it consumed anywhere?
// For a pass that goes through a program in order: a statement is noted when it is emitted, what
// it consumes before its nested bodies are entered.
void alias_stm(Alias *, const Stm *);
void alias_consume(Alias *, const Exp *);
bool alias_gone(Alias *, Sub);                  // was it consumed already?
void exp_consumed(const Exp *, SubVec *out);    // operands that the expression itself consumes
bool stm_consumes_data(const Stm *);            // is one of those no accumulator?  For body_find
// branches included; loops and lambdas consume their own
void stm_consumed(const Stm *, SubVec *out);
bool stm_consumes(const Stm *);                 // anything of that?
#endif
