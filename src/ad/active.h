// The two analyses of active.c, and the sets that they fill.
#ifndef RAIDO_AD_ACTIVE_H
#define RAIDO_AD_ACTIVE_H
#include "ad/ad.h"

// One of the two sets: the variables with this mark.
typedef struct { uint8_t *marks, bit; } Set;

static inline bool has_var(const Set *m, Var v)
{
	return m->marks[v.id] & m->bit;
}

static inline bool has(const Set *m, Sub s)
{
	return s.kind == S_VAR && has_var(m, s.var);
}

static inline bool has_any(const Set *m, Vars vs)
{
	for EACH(Var, v, vs)
		if (has_var(m, *v))
			return true;
	return false;
}

// True if it is new.
static inline bool add(Set *m, Sub s)
{
	if (s.kind != S_VAR || m->marks[s.var.id] & (m->bit | ACTIVE_NEVER) ||
	    vars[s.var.id].type.kind == T_CERT)
		return false;
	m->marks[s.var.id] |= m->bit;
	return true;
}

static inline bool add_if(Set *m, Var v, bool cond)
{
	return cond && add(m, sub_var(v));
}

static inline bool any(const Set *m, Subs s)
{
	for EACH(Sub, x, s)
		if (has(m, *x))
			return true;
	return false;
}

static inline bool is_cut(PrimType from, PrimType to)
{
	return from == PT_BOOL || to == PT_BOOL;
}

// ---- active_varied.c ----

void vary_body(Set *, const Body *);
#endif
