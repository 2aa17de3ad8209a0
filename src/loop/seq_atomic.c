// Atomic updates of accumulators that the threads of a device share.
//
//     let (a1: acc) = upd_acc a [i] v
// becomes, where i is in range and the elements are scalars,
//     #[atomic] let (d1: [k]f64) = loop (p: *[k]f64 = d) for z: i64 < 1 do {
//       let (old: f64) = index p [i]
//       let (new: f64) = add.f64 old v
//       let (p1: [k]f64) = update p [i] new
//       in p1
//     }
//
// If the elements are arrays and the operator is a map of another operator, a loop updates their
// elements by the latter; small ones that were scalarised are updated element by element.  With
// any other operator the whole element is updated at once.  An operator on several values that
// does not combine different components is split into several operators.
#include "loop/seq.h"

typedef struct { Vars params, pat; Subs now; Var i; } Carrying;

static Carrying carry(Subs arrs, const char *counter)
{
	int n = arrs.len;
	Carrying c = {.params = {NEW_ARRAY(Var, n), n}, .pat = {NEW_ARRAY(Var, n), n},
	              .now = {NEW_ARRAY(Sub, n), n},
	              .i = var_new(name_of(counter), type_scalar(PT_I64))};
	for (int k = 0; k < n; k++) {
		Type t = type_plain(sub_type(arrs.at[k]));
		c.pat.at[k] = var_new(name_of("upd"), t);
		t.unique = true;
		c.params.at[k] = var_new(name_of("dest"), t);
		c.now.at[k] = sub_var(c.params.at[k]);
	}
	return c;
}

static Subs close_loop(Seq *q, const Carrying *c, Subs inits, Sub n, Subs res, bool atomic)
{
	Body body = b_close(&q->b, res);
	if (atomic)
		q->b.attrs = attr_of(ATTR_ATOMIC);
	b_stm(&q->b, c->pat, EXP(loop, .params = c->params, .inits = inits, .i = c->i, .n = n,
	                         .body = body));
	return subs_of_vars(c->pat);
}

// The operator on rows i, of which op is the map.
static Lambda *operator_on_rows(Seq *q, const Lambda *op, const Exp *map, Sub i)
{
	int n = op->params.len;
	Vars rows = {NEW_ARRAY(Var, n), n};
	for (int k = 0; k < n; k++)
		rows.at[k] = var_new(vars[op->params.at[k].id].hint,
		                     type_row(vars[op->params.at[k].id].type));
	const Lambda *f = map->screma.map;
	Build b = {.where = q->b.where};
	b_open(&b);
	for (int k = 0; k < f->params.len; k++) {
		int at = vars_find(op->params, map->screma.arrs.at[k]);
		Sub row = at >= 0 ? sub_var(rows.at[at])
		        : b_index(&b, map->screma.arrs.at[k], subs_of(1, i));
		bool own = vars[f->params.at[k].id].type.unique && sub_type(row).dims.len;
		vars[f->params.at[k].id].type.unique = false;
		b_stm(&b, vars_of(1, f->params.at[k]), own ? EXP(copy, row) : EXP(atom, row));
	}
	b_emit_all(&b, f->body.stms);
	return NEW(Lambda, .params = rows, .ret = f->ret, .body = b_close(&b, f->body.res));
}

static Subs each_row(Seq *q, Subs arrs, Subs idx, Subs vals, const Lambda *op, const Exp *map)
{
	Carrying c = carry(arrs, "i");
	Sub i = sub_var(c.i);
	b_open(&q->b);
	Subs rows = {NEW_ARRAY(Sub, vals.len), vals.len};
	for (int k = 0; k < vals.len; k++)
		rows.at[k] = b_index(&q->b, vals.at[k], subs_of(1, i));
	Subs res = seq_atomic(q, c.now, subs_cat(idx, subs_of(1, i)), rows,
	                      operator_on_rows(q, op, map, i));
	Sub n = seq_sub(q, map->screma.n);
	return close_loop(q, &c, arrs, n, res, false);
}

// ---- Parts of operators ----

// Does it test something that no value waits for, as checked runs do?  No part would have that.
static bool tests_as_a_whole(const Lambda *op)
{
	for EACH(Stm, s, op->body.stms)
		if (s->exp->form == E_assert_ && !n_uses_in(&op->body, s->pat.at[0]))
			return true;
	return false;
}

// The operator for value k alone, if that depends on no other operands.
static const Lambda *operator_of_value(const Lambda *op, int k)
{
	int n = op->body.res.len;
	Map used = {0};
	Subs res = subs_of(1, op->body.res.at[k]);
	Stms stms = body_part(&op->body, res, &used).stms;
	for (int i = 0; i < op->params.len; i++)
		if (i % n != k && map_has(&used, var_key(op->params.at[i])))
			return NULL;
	Lambda f = {.params = vars_of(2, op->params.at[k], op->params.at[n + k]),
	            .ret = {op->ret.at + k, 1}, .body = {stms, res}};
	return lambda_rename(&f);
}

bool acc_mixes_values(const Lambda *op)
{
	int n = op->body.res.len;
	bool array = !type_is_scalar(op->ret.at[0]);
	if (n > 1 && tests_as_a_whole(op))
		return true;
	for (int k = 0; n > 1 && k < n; k++)
		if (!operator_of_value(op, k))
			return true;
	return array && n == 1 && !map_of_operator(op);
}

static bool each_value(Seq *q, Subs arrs, Subs idx, Subs vals, const Lambda *op, Subs *out)
{
	int n = arrs.len;
	const Lambda **ops = NEW_ARRAY(const Lambda *, n);
	for (int k = 0; k < n; k++)
		if (!(ops[k] = operator_of_value(op, k)))
			return false;
	*out = (Subs){NEW_ARRAY(Sub, n), n};
	for (int k = 0; k < n; k++)
		out->at[k] = seq_atomic(q, subs_of(1, arrs.at[k]), idx, subs_of(1, vals.at[k]),
		                        ops[k]).at[0];
	return true;
}

static const Stm *statement_of(const Body *b, Sub x)
{
	for EACH(Stm, s, b->stms)
		if (s->pat.len == 1 && sub_eq(x, sub_var(s->pat.at[0])))
			return s;
	return NULL;
}

// The operator for element i of a value, if that depends on elements i of its operands only and is
// a scalar.
static const Lambda *operator_of_element(const Lambda *op, Sub elem, int64_t i)
{
	Map used = {0};
	Subs res = subs_of(1, elem);
	Stms stms = body_part(&op->body, res, &used).stms;
	Type t = sub_type(elem);
	Vars params = vars_of(2, var_new(name_of("a"), t), var_new(name_of("b"), t));
	stms = SLICE_DUP(Stms, stms);
	Map other = {0};
	Visit v = {.sub = note_operand, .ctx = &other};
	for EACH(Stm, s, stms) {
		const Exp *e = s->exp;
		int at = e->form == E_index ? vars_find(op->params, e->index.arr) : -1;
		if (at < 0 || !sub_eq(e->index.idx.at[0], sub_i64(i))) {
			stm_walk(s, &v);
			continue;
		}
		s->exp = EXP(atom, sub_var(params.at[at]));
	}
	if (map_has(&other, var_key(op->params.at[0])) ||
	    map_has(&other, var_key(op->params.at[1])))
		return NULL;
	Lambda f = {.params = params, .ret = {mem_dup(&t, sizeof t), 1}, .body = {stms, res}};
	return lambda_rename(&f);
}

// A value that was taken apart: `array` of what is computed of elements.
static bool each_element(Seq *q, Subs arrs, Subs idx, Subs vals, const Lambda *op, Subs *out)
{
	if (op->body.res.len != 1 || sub_type(op->body.res.at[0]).dims.len != 1)
		return false;
	const Stm *s = statement_of(&op->body, op->body.res.at[0]);
	if (!s || s->exp->form != E_array)
		return false;
	Subs elems = s->exp->array.elems;
	const Lambda **ops = NEW_ARRAY(const Lambda *, elems.len);
	for (int i = 0; i < elems.len; i++)
		if (!(ops[i] = operator_of_element(op, elems.at[i], i)))
			return false;
	for (int i = 0; i < elems.len; i++) {
		Subs at = subs_of(1, sub_i64(i));
		arrs = seq_atomic(q, arrs, subs_cat(idx, at),
		                  subs_of(1, b_index(&q->b, vals.at[0], at)), ops[i]);
	}
	*out = arrs;
	return true;
}

Subs seq_atomic(Seq *q, Subs arrs, Subs idx, Subs vals, const Lambda *op)
{
	const Exp *map = map_of_operator(op);
	if (map)
		return each_row(q, arrs, idx, vals, op, map);
	Subs out;
	bool whole = tests_as_a_whole(op);
	if (!whole && ((arrs.len > 1 && each_value(q, arrs, idx, vals, op, &out)) ||
	               each_element(q, arrs, idx, vals, op, &out)))
		return out;
	Carrying c = carry(arrs, "once");
	b_open(&q->b);
	q->atomic = false;      // what the operator does for itself is nobody else's
	Subs new_ = seq_combined(q, op, c.now, idx, vals), res = {NEW_ARRAY(Sub, arrs.len), 0};
	for (int i = 0; i < arrs.len; i++)
		res.at[res.len++] = b_update(&q->b, c.now.at[i],
			slices_at(idx, type_drop(sub_type(arrs.at[i]), idx.len).dims), new_.at[i]);
	q->atomic = true;
	return close_loop(q, &c, arrs, sub_i64(1), res, true);
}
