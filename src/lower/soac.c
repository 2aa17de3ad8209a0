// Second-order array combinators and derivatives.
//
// The function becomes a core lambda: its parameters are rows of the inputs, its body is the
// application.  The types of its results are those the checker found for the call, read
// outside of the lambda, since sizes may not come from inside.
#include "lower/lower_internal.h"

// A core lambda under construction.
typedef struct { Vars params; uint32_t mark; } Open;

// Adds parameters for a value of a type; of an element of an array if `as_elem`.
static Val *open_param(Lower *L, Open *o, LType *t, bool as_elem, const char *hint)
{
	Vars ps = vars_new(hint, (as_elem ? lt_elem(L, t) : t)->flat);
	o->params = vars_cat(o->params, ps);
	return elem_val(t, subs_of_vars(ps));
}

// The lambda's result types are fixed by `ret`, as far as that is known outside.
static Lambda *close_lambda(Lower *L, Open *o, Val *v, LType **ret, bool as_elem, Span span)
{
	*ret = lt_settle(*ret, v, o->mark, span);
	v = val_as(L, v, *ret);
	Lambda *l = b_lambda(&L->b, o->params, as_elem ? elem_subs(v) : v->flat);
	l->ret = types_plain((as_elem ? lt_elem(L, *ret) : *ret)->flat);
	return l;
}

// State that does not go into lambdas.
typedef struct { Attributes attrs; const Where *where; Vars certs; } Outside;

static Outside outside(Lower *L)
{
	return (Outside){take_attrs(L), L->b.where, L->b.certs};
}

static Subs emit(Lower *L, const Outside *o, const char *hint, Types ts, Exp *e)
{
	L->b.where = o->where;
	L->b.attrs = o->attrs;
	return b_lets(&L->b, hint, types_plain(ts), e);
}

static Types rows_of(Sub n, Types ts)
{
	Types out = {NEW_ARRAY(Type, ts.len), ts.len};
	for (int i = 0; i < ts.len; i++)
		out.at[i] = type_of_rows(n, ts.at[i]);
	return out;
}

// ---- map, reduce, scan ----

Val *soac_map(Lower *L, Frame *f, const Fn *fn, Vals args, Span span)
{
	Outside out = outside(L);
	Val *xs = args.at[1];
	Sub n = val_dim(xs, 0);
	LType *ret = type_args(L, fn, false)[1];
	Open o = {.mark = n_vars};
	Val *x = open_param(L, &o, lt_row(lt_of_val(xs)), true, "x");
	b_open(&L->b);
	Val *y = apply1(L, f, args.at[0], x, span);
	Lambda *map = close_lambda(L, &o, y, &ret, true, span);
	Exp *e = EXP(screma, .n = n, .arrs = xs->flat, .map = map);
	L->b.where = out.where;
	Vars saved = check_rows(L, map->ret);
	Subs ys = emit(L, &out, "ys", rows_of(n, map->ret), e);
	check_end(L, saved);
	return val_data(rep_array(&L->reps, ret->rep), ys);
}

static Lambda *operator(Lower *L, Frame *f, Val *op, LType **elem, Span span)
{
	Open o = {.mark = n_vars};
	Val *a = open_param(L, &o, *elem, false, "a"), *b = open_param(L, &o, *elem, false, "b");
	b_open(&L->b);
	return close_lambda(L, &o, apply2(L, f, op, a, b, span), elem, false, span);
}

// The type of the elements, with the sizes of the inputs where the call does not tell.
static LType *elem_type(Lower *L, const Fn *fn, Val *ne, Span span)
{
	return lt_settle(type_args(L, fn, false)[0], ne, UINT32_MAX, span);
}

Val *soac_reduce(Lower *L, Frame *f, const Fn *fn, Vals args, Span span, bool comm)
{
	Outside out = outside(L);
	Val *xs = args.at[2];
	LType *elem = elem_type(L, fn, args.at[1], span);
	if (!elem->flat.len)
		return args.at[1];
	Val *ne = val_as(L, args.at[1], elem);
	Lambda *op = operator(L, f, args.at[0], &elem, span);
	Exp *e = EXP(screma, .n = val_dim(xs, 0), .arrs = xs->flat,
	             .map = lambda_identity(elem->flat),
	             .reds = {NEW(Reduction, op, ne->flat, comm), 1});
	return val_data(elem->rep, emit(L, &out, "red", elem->flat, e));
}

Val *soac_scan(Lower *L, Frame *f, const Fn *fn, Vals args, Span span)
{
	Outside out = outside(L);
	Val *xs = args.at[2];
	LType *elem = elem_type(L, fn, args.at[1], span);
	if (!elem->flat.len)
		return xs;
	Val *ne = val_as(L, args.at[1], elem);
	Lambda *op = operator(L, f, args.at[0], &elem, span);
	Sub n = val_dim(xs, 0);
	Exp *e = EXP(screma, .n = n, .arrs = xs->flat, .map = lambda_identity(elem->flat),
	             .scans = {NEW(Reduction, op, ne->flat, false), 1});
	return val_data(xs->rep, emit(L, &out, "scan", rows_of(n, elem->flat), e));
}

// ---- hist, scatter ----

static Subs space_of(Val *dest, int rank)
{
	Subs all = sub_type(dest->flat.at[0]).dims;
	return (Subs){all.at, rank};
}

// Histograms of elements without values leave the destination as it is.
Val *soac_hist(Lower *L, Frame *f, const Fn *fn, Vals args, Span span, int rank)
{
	Outside out = outside(L);
	Val *dest = args.at[0], *is = args.at[3], *vs = args.at[4];
	LType *elem = elem_type(L, fn, args.at[2], span);
	if (!elem->flat.len)
		return dest;
	Val *ne = val_as(L, args.at[2], elem);
	Lambda *op = operator(L, f, args.at[1], &elem, span);
	Subs arrs = subs_cat(is->flat, vs->flat);
	Types ts = {NEW_ARRAY(Type, arrs.len), arrs.len};
	for (int i = 0; i < arrs.len; i++)
		ts.at[i] = type_row(sub_type(arrs.at[i]));
	Exp *e = EXP(hist, .n = val_dim(is, 0), .arrs = arrs,
	             .ops = {NEW(HistOp, op, ne->flat, dest->flat, space_of(dest, rank)), 1},
	             .map = lambda_identity(ts));
	return val_data(dest->rep, emit(L, &out, "hist", lt_of_val(dest)->flat, e));
}

// Each destination has its own copy of the indices.
Val *soac_scatter(Lower *L, Vals args, int rank)
{
	Outside out = outside(L);
	Val *dest = args.at[0], *is = args.at[1], *vs = args.at[2];
	int k = dest->flat.len;
	Subs arrs = subs_cat(is->flat, vs->flat);
	Types ts = {NEW_ARRAY(Type, arrs.len), arrs.len};
	for (int i = 0; i < arrs.len; i++)
		ts.at[i] = type_row(sub_type(arrs.at[i]));
	Lambda *map = lambda_identity(ts);
	Subs params = map->body.res, res = {0};
	for (int i = 0; i < k; i++)
		res = subs_cat(res, (Subs){params.at, rank});
	map->body.res = subs_cat(res, (Subs){params.at + rank, k});
	map->ret = (Types){NEW_ARRAY(Type, k * rank + k), k * rank + k};
	for (int i = 0; i < map->ret.len; i++)
		map->ret.at[i] = sub_type(map->body.res.at[i]);
	ScatterDests dests = {NEW_ARRAY(ScatterDest, k), k};
	for (int i = 0; i < k; i++)
		dests.at[i] = (ScatterDest){dest->flat.at[i], space_of(dest, rank), 1};
	Exp *e = EXP(scatter, .n = val_dim(is, 0), .arrs = arrs, .dests = dests, .map = map);
	return val_data(dest->rep, emit(L, &out, "scat", lt_of_val(dest)->flat, e));
}

// ---- Accumulators ----

// The function in a map over the elements and the accumulator, which goes through it whole.
static Subs stream_map(Lower *L, Frame *f, Val *fn, Val *xs, Sub acc, Span span)
{
	Open o = {.mark = n_vars};
	Val *x = open_param(L, &o, lt_row(lt_of_val(xs)), true, "x");
	Var mine = var_new(name_of("acc"), L->acc.type);
	o.params = vars_cat(o.params, vars_of(1, mine));
	b_open(&L->b);
	Val *a = val_data(rep_acc(&L->reps), subs_of(1, sub_var(mine)));
	Val *r = apply2(L, f, fn, a, x, span);
	Type t = sub_type(r->flat.at[0]);
	if (t.kind != T_ACC || t.acc->token.id != L->acc.type.acc->token.id)
		fail(span, NULL, "The function must return the accumulator that it is given.");
	Lambda *map = b_lambda(&L->b, o.params, r->flat);
	return b_lets(&L->b, "acc", (Types){&L->acc.type, 1},
	              EXP(screma, .n = val_dim(xs, 0), .arrs = subs_cat(xs->flat, subs_of(1, acc)),
	                  .map = map));
}

static Val *stream_linear(Lower *L, Frame *f, Val *fn, Val *dest, Val *xs, AccInput in, Span span)
{
	Outside out = outside(L);
	Acc outer = L->acc;
	LType *type = lt_of_val(dest);
	Types elems = {NEW_ARRAY(Type, type->flat.len), type->flat.len};
	for (int i = 0; i < elems.len; i++)
		elems.at[i] = type_row(type->flat.at[i]);
	Var token = var_new(name_of("t"), (Type){.kind = T_CERT});
	L->acc = (Acc){.kind = ACC_LINEAR,
		.type = {.kind = T_ACC, .acc = NEW(AccType, token, in.space, elems)}};
	Var acc = var_new(name_of("acc"), L->acc.type);
	b_open(&L->b);
	Subs res = stream_map(L, f, fn, xs, sub_var(acc), span);
	Lambda *l = b_lambda(&L->b, vars_of(2, token, acc), res);
	L->acc = outer;
	L->made_linear |= !in.op || !lambda_adds(in.op);
	Exp *e = EXP(withacc, {mem_dup(&in, sizeof in), 1}, l);
	return val_data(dest->rep, emit(L, &out, "with", type->flat, e));
}

// The same as a loop over the elements, which carries the array.
static Val *stream_loop(Lower *L, Frame *f, Val *fn, Val *dest, Val *xs, Val *op, Span span)
{
	Outside out = outside(L);
	Acc outer = L->acc;
	LType *type = lt_of_val(dest);
	L->acc = (Acc){.kind = ACC_ARRAY, .op = op, .ctx = L->ctx};
	Vars params = vars_new("acc", type->flat);
	Var i = var_i64("i");
	b_open(&L->b);
	Val *a = val_data(dest->rep, subs_of_vars(params));
	Val *r = apply2(L, f, fn, a, array_row(L, xs, sub_var(i)), span);
	Body body = b_close(&L->b, val_as(L, r, type)->flat);
	L->acc = outer;
	L->made_loops = true;
	Exp *e = EXP(loop, .i = i, .n = val_dim(xs, 0), .params = params, .inits = dest->flat,
	             .body = body);
	return val_data(dest->rep, emit(L, &out, "with", type->flat, e));
}

// scatter_stream dest f xs, hist_stream dest op ne f xs
Val *stream(Lower *L, Frame *f, const Fn *fn, Vals args, Span span, bool hist)
{
	Val *dest = args.at[0], *function = args.at[hist ? 3 : 1], *xs = args.at[hist ? 4 : 2];
	LType *elem = hist ? elem_type(L, fn, args.at[2], span) : NULL;
	hist &= elem && elem->flat.len;
	AccInput in = {.space = space_of(dest, 1), .arrs = dest->flat};
	if (hist) {
		in.ne = val_as(L, args.at[2], elem)->flat;
		in.op = operator(L, f, args.at[1], &elem, span);
	}
	if (L->reverse && !(in.op && lambda_adds(in.op)))
		return stream_loop(L, f, function, dest, xs, hist ? args.at[1] : NULL, span);
	return stream_linear(L, f, function, dest, xs, in, span);
}

static Subs written(Lower *L, Frame *f, Val *array, Sub i, Val *x, Span span)
{
	if (L->acc.op) {
		Val *op = val_here(L, L->acc.op, L->acc.ctx);
		x = apply2(L, f, op, array_row(L, array, i), x, span);
	}
	Subs vals = elem_subs(x), out = SLICE_DUP(Subs, array->flat);
	for (int k = 0; k < out.len; k++) {
		Type t = sub_type(out.at[k]);
		VEC(DimSlice) at = {0};
		VEC_PUSH(&at, dim_at(i));
		for (int d = 1; d < t.dims.len; d++)
			VEC_PUSH(&at, dim_whole(t.dims.at[d]));
		Sub v = as_type(L, vals.at[k], type_row(t));
		out.at[k] = b_update(&L->b, out.at[k], VEC_SLICE(Slices, at), v);
	}
	return out;
}

Val *acc_write(Lower *L, Frame *f, Vals args, Span span)
{
	Val *acc = args.at[0];
	Build *b = &L->b;
	Sub i = val_sub(args.at[1]);
	if (L->acc.kind == ACC_NONE)
		fail(span, NULL, "It is not known here which accumulator is written to.");
	if (L->acc.kind == ACC_LINEAR) {
		Types elems = sub_type(acc->flat.at[0]).acc->elems;
		Subs vals = SLICE_DUP(Subs, elem_subs(args.at[2]));
		for (int k = 0; k < vals.len; k++)
			vals.at[k] = as_type(L, vals.at[k], elems.at[k]);
		Exp *e = EXP(upd_acc, acc->flat.at[0], subs_of(1, i), vals);
		return val_data(acc->rep, b_lets(b, "acc", (Types){&L->acc.type, 1}, e));
	}
	Sub inside = b_prim2(b, P_and, b_le(b, sub_i64(0), i), b_lt(b, i, val_dim(acc, 0)));
	b_open(b);
	Body yes = b_close(b, written(L, f, acc, i, args.at[2], span));
	Body no = {.res = acc->flat};
	return val_data(acc->rep, b_lets(b, "acc", types_plain(lt_of_val(acc)->flat),
	                                 EXP(if_, inside, yes, no)));
}

// ---- flatmap ----

// f gives (segment, other); the core lambda gives the length, the segment, the other.
Val *soac_flatmap(Lower *L, Frame *f, const Fn *fn, Vals args, Span span)
{
	Build *b = &L->b;
	Outside out = outside(L);
	Val *xs = args.at[1];
	Sub n = val_dim(xs, 0);
	LType **types = type_args(L, fn, false), *elem = types[1], *other = types[2];
	Open o = {.mark = n_vars};
	Val *x = open_param(L, &o, lt_row(lt_of_val(xs)), true, "x");
	b_open(b);
	Val *r = apply1(L, f, args.at[0], x, span);
	Val *segment = val_part(r, 0), *rest = val_part(r, 1);
	Sub k = val_dim(segment, 0);
	LType *seg_type = lt_settle(lt_array(L, k, elem), segment, o.mark, span);
	other = lt_settle(other, rest, o.mark, span);
	segment = val_as(L, segment, seg_type);
	rest = val_as(L, rest, other);
	Subs res = subs_cat(subs_cat(subs_of(1, k), segment->flat), elem_subs(rest));
	Lambda *map = b_lambda(b, o.params, res);
	Var m = var_i64("m");
	Var lengths = var_new(name_of("lens"), type_array(PT_I64, subs_of(1, n)));
	Vars data = {NEW_ARRAY(Var, segment->flat.len), segment->flat.len};
	for (int i = 0; i < data.len; i++)
		data.at[i] = var_new(name_of("data"),
		                     type_of_rows(sub_var(m), type_row(seg_type->flat.at[i])));
	Vars uniform = vars_new("other", rows_of(n, lt_elem(L, other)->flat));
	b->where = out.where;
	Vars saved = check_rows(L, other->flat);
	for EACH(Type, t, seg_type->flat)
		check_rows(L, (Types){(Type[]){type_row(*t)}, 1});
	emit_main(L, out.attrs, vars_cat(vars_of(2, m, lengths), vars_cat(data, uniform)),
	          EXP(flatmap, n, xs->flat, data.len, map));
	check_end(L, saved);
	Rep *i64s = rep_array(&L->reps, rep_prim(&L->reps, PT_I64));
	Val *parts[] = {
		val_data(i64s, subs_of(1, sub_var(lengths))),
		val_data(rep_array(&L->reps, elem->rep), subs_of_vars(data)),
		val_data(rep_array(&L->reps, other->rep), subs_of_vars(uniform)),
	};
	Name names[] = {name_of("0"), name_of("1"), name_of("2")};
	return val_record(L, SLICE_DUP(Names, ((Names){names, 3})),
	                  SLICE_DUP(Vals, ((Vals){parts, 3})));
}

// ---- zip, unzip ----

// Arrays of units are stored as bool beside nothing else.
Val *soac_zip(Lower *L, Vals args)
{
	int n = args.len;
	Names names = {NEW_ARRAY(Name, n), n};
	Reps reps = {NEW_ARRAY(Rep *, n), n};
	Sub size = val_dim(args.at[0], 0);
	Subs flat = {0};
	for (int i = 0; i < n; i++) {
		Val *a = args.at[i];
		names.at[i] = name_of(text("%d", i));
		reps.at[i] = a->rep->elem;
		LType *t = lt_of_val(a);
		for EACH(Type, at, t->flat) {
			at->dims = SLICE_DUP(Subs, at->dims);
			at->dims.at[0] = size;
		}
		if (a->rep->elem->flat.len)
			flat = subs_cat(flat, val_as(L, a, t)->flat);
	}
	Rep *r = rep_array(&L->reps, rep_record(&L->reps, names, reps));
	return val_data(r, flat.len ? flat : args.at[0]->flat);
}

Val *soac_unzip(Lower *L, Val *xs)
{
	Rep *of = xs->rep->elem;
	Vals parts = {NEW_ARRAY(Val *, of->fields.len), of->fields.len};
	for (int i = 0; i < parts.len; i++) {
		Rep *field = of->fields.at[i];
		Subs flat = {xs->flat.at + rep_offset(of, i), field->flat.len};
		if (!field->flat.len)
			flat = subs_of(1, b_replicate(&L->b, val_dim(xs, 0), sub_bool(false)));
		parts.at[i] = val_data(rep_array(&L->reps, field), flat);
	}
	return val_record(L, of->names, parts);
}

// ---- Derivatives ----

static Lambda *function(Lower *L, Frame *f, Val *fn, LType *from, LType **to, Span span)
{
	Open o = {.mark = n_vars};
	Val *x = open_param(L, &o, from, false, "x");
	b_open(&L->b);
	return close_lambda(L, &o, apply1(L, f, fn, x, span), to, false, span);
}

// An array of n seeds, or of results for them, flat as an array of the type is.
static Subs many_flat(LType *t, Val *v)
{
	return t->flat.len ? v->flat : (Subs){0};
}

static Val *many_val(Lower *L, Sub n, LType *t, Subs flat)
{
	if (!t->flat.len)
		flat = subs_of(1, b_replicate(&L->b, n, sub_bool(false)));
	return val_data(rep_array(&L->reps, t->rep), flat);
}

static Types types_cat(Types a, Types b)
{
	Types out = {NEW_ARRAY(Type, a.len + b.len), a.len + b.len};
	if (a.len)
		memcpy(out.at, a.at, (size_t)a.len * sizeof(Type));
	if (b.len)
		memcpy(out.at + a.len, b.at, (size_t)b.len * sizeof(Type));
	return out;
}

// A derivative of a sum has the constructor of the value it is at: tags are those of `at`.
static Subs with_tags(Lower *L, LType *t, Subs flat, Subs at, bool many, Sub n)
{
	bool *is_tag = rep_tags(t->rep);
	Subs out = {NEW_ARRAY(Sub, flat.len + 1), flat.len};
	for (int i = 0; i < flat.len; i++)
		out.at[i] = !is_tag[i] ? flat.at[i] : many ? b_replicate(&L->b, n, at.at[i])
			: t->flat.at[i].dims.len ? b_copy(&L->b, at.at[i]) : at.at[i];
	return out;
}

// The results, and what comes with them: tangents of the results or adjoints of the arguments
// `at` (NULL: of the results).
static Val *derivative(Lower *L, const Outside *o, Exp *e, LType *ret, LType *with,
                       const Subs *at, bool many, Sub n)
{
	Types second = many ? rows_of(n, with->flat) : with->flat;
	Subs all = emit(L, o, "d", types_cat(ret->flat, second), e);
	int k = ret->flat.len;
	Subs primal = {k ? all.at : NULL, k}, rest = {all.len > k ? all.at + k : NULL, all.len - k};
	rest = with_tags(L, with, rest, at ? *at : primal, many, n);
	Val *tangent = many ? many_val(L, n, with, rest) : val_data(with->rep, rest);
	return val_pair(L, val_data(ret->rep, primal), tangent);
}

Val *ad_derivative(Lower *L, Frame *f, const Fn *fn, Vals args, Span span, bool reverse,
                   bool many)
{
	Outside o = outside(L);
	LType **types = type_args(L, fn, false), *to = types[1];
	LType *from = lt_of_val(args.at[1]);
	Sub n = many ? val_dim(args.at[2], 0) : sub_i64(0);
	bool outer = L->reverse;
	L->reverse |= reverse;
	Lambda *l = function(L, f, args.at[0], from, &to, span);
	L->reverse = outer;
	Subs at = args.at[1]->flat;
	Subs seeds = many ? many_flat(reverse ? to : from, args.at[2]) : args.at[2]->flat;
	Exp *e = reverse ? EXP(vjp, .fn = l, .args = at, .seeds = seeds, .many = many, .n = n)
	                 : EXP(jvp, .fn = l, .args = at, .seeds = seeds, .many = many, .n = n);
	return reverse ? derivative(L, &o, e, to, from, &at, many, n)
	               : derivative(L, &o, e, to, to, NULL, many, n);
}

// Without a tape of its own, the result is what the backward function is given.
Val *ad_with_vjp(Lower *L, Frame *f, const Fn *fn, Vals args, Span span, bool tape)
{
	Outside out = outside(L);
	LType **types = type_args(L, fn, false), *to = types[1], *kept;
	LType *from = lt_of_val(args.at[2]);
	Open o = {.mark = n_vars};
	Val *x = open_param(L, &o, from, false, "x");
	b_open(&L->b);
	Val *r = apply1(L, f, args.at[0], x, span);
	Val *tape_val = tape ? val_part(r, 0) : r, *result = tape ? val_part(r, 1) : r;
	to = lt_settle(to, result, o.mark, span);
	kept = tape ? lt_settle(types[2], tape_val, o.mark, span) : to;
	tape_val = val_as(L, tape_val, kept);
	result = val_as(L, result, to);
	Lambda *l = b_lambda(&L->b, o.params, subs_cat(tape_val->flat, result->flat));
	Open back = {.mark = n_vars};
	Val *t = open_param(L, &back, kept, false, "tape");
	Val *ct = open_param(L, &back, to, false, "ct");
	b_open(&L->b);
	Val *adj = tape ? apply1(L, f, args.at[1], val_pair(L, t, ct), span)
	                : apply2(L, f, args.at[1], t, ct, span);
	LType *adj_type = from;
	Lambda *bwd = close_lambda(L, &back, adj, &adj_type, false, span);
	Exp *e = EXP(with_vjp, .fn = l, .bwd = bwd, .n_tape = kept->flat.len,
	             .args = args.at[2]->flat);
	return val_data(to->rep, emit(L, &out, "y", to->flat, e));
}
