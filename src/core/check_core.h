// What the parts of the core checker share.
#ifndef RAIDO_CHECK_CORE_H
#define RAIDO_CHECK_CORE_H
#include "core/core.h"

typedef struct {
	const Prog *prog;
	Map funs;                               // those of the program
	const Fun *fun;                         // what is being checked
	const Stm *stm;                         // innermost; NULL outside of statements
	jmp_buf env;
	const char *message;
	void *roots;                            // of each variable, see check_use.c
	void *places;                           // see check_mem.c
} Check;

// A rule is broken: ends the check.
NORETURN void core_wrong(Check *, const char *fmt, ...) PRINTF_LIKE(2, 3);

void core_check_types(Check *, const Fun *);     // check_types.c
void core_check_use(Check *, const Fun *);       // check_use.c
void core_check_places(Check *, const Fun *);    // check_mem.c, for the MEM stage

// ---- check_types.c ----

// What is asked for, `what` it is of; else a rule is broken.
void want_type(Check *, Type got, Type want, const char *what);
void want_types(Check *, Types got, Types want, const char *what);
void want_scalar(Check *, Sub, PrimType, const char *what);
void want_i64s(Check *, Subs, const char *what);
int  want_array(Check *, Sub, int rank, const char *what);
Types types_part(Types, int from, int n);
void check_lambda(Check *, const Lambda *, Types params, const char *what);
void check_operator(Check *, const Lambda *, Subs ne, Types);
void check_mapped(Check *, Sub n, Subs arrs, const Lambda *);

// ---- check_soac.c: the types that each form gives are added ----

void check_screma(Check *, const Exp *, TypeVec *);
void check_hist(Check *, const Exp *, TypeVec *);
void check_scatter(Check *, const Exp *, TypeVec *);
void check_flatmap(Check *, const Exp *, TypeVec *);
void check_withacc(Check *, const Exp *, TypeVec *);
void check_upd_acc(Check *, const Exp *, TypeVec *);
void check_jvp(Check *, const Exp *, TypeVec *);
void check_vjp(Check *, const Exp *, TypeVec *);
void check_with_vjp(Check *, const Exp *, TypeVec *);
#endif
