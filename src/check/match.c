// Phase 3: match expressions must be exhaustive, other patterns irrefutable.
//
// A match is a matrix of patterns, one row per case.  `missing` computes rows of patterns
// that no case covers, by the usual recursion on the first column (Maranget, "Warnings for
// pattern matching"): for each constructor of the column's type, the rows that can match it
// are specialised to it, and what they miss is put under the constructor again.
//
//   match x case (#a _, true) -> ...  case (#b, _) -> ...     misses   (#a _, false)
//
// Literals never exhaust a column; only their absence (`_`) is reported for them.
#include "check/check.h"

// A pattern with the surface details gone.  Tuples and records are one constructor.
typedef struct Cell Cell;
typedef SLICE(Cell *) Cells;
struct Cell {
	enum { CELL_WILD, CELL_CONSTR, CELL_BOOL, CELL_RECORD, CELL_LIT } kind;
	Name name;              // CELL_CONSTR; CELL_LIT: the literal's text
	bool value;             // CELL_BOOL
	Cells args;             // CELL_CONSTR, CELL_RECORD
	Ty *type;               // CELL_RECORD: for printing
};
typedef SLICE(Cells) Rows;
typedef VEC(Cells) RowVec;
typedef VEC(Cell *) CellVec;

static Cell wild = {.kind = CELL_WILD};

enum { MAX_MISSING = 8 };       // that many examples are enough for a message

static Name literal_key(const Expr *e, bool negative)
{
	switch (e->kind) {
	case EX_NEG:
		return literal_key(e->inner, !negative);
	case EX_PAREN:
		return literal_key(e->inner, negative);
	case EX_INT:
		return name_of(text("%s%llu", negative ? "-" : "",
		                    (unsigned long long)e->int_lit.value));
	case EX_CHAR:
		return name_of(text("%s%u", negative ? "-" : "", e->char_lit));
	case EX_FLOAT:
		return name_of(text("%s%.17g", negative ? "-" : "", e->float_lit.value));
	default:
		bug("pattern literal of kind %d", e->kind);
	}
}

static Cell *cell_of(const Pat *);

static Cell *record_cell(const Pat *p)
{
	Ty *t = ty_resolve(p->type);
	if (t->kind != TY_RECORD)
		return &wild;           // an error was reported for it
	Cells args = {NEW_ARRAY(Cell *, t->record.len), t->record.len};
	for (int i = 0; i < args.len; i++)
		args.at[i] = &wild;
	FieldPats fields = pat_fields(p);
	for EACH(FieldPat, f, fields) {
		const TyField *field = ty_field(t, f->name);
		if (field)
			args.at[field - t->record.at] = cell_of(f->pat);
	}
	return NEW(Cell, .kind = CELL_RECORD, .args = args, .type = t);
}

static Cell *cell_of(const Pat *p)
{
	switch (p->kind) {
	case PAT_NAME:
	case PAT_WILD:
		return &wild;
	case PAT_LIT:
		if (p->lit->kind == EX_BOOL)
			return NEW(Cell, .kind = CELL_BOOL, .value = p->lit->bool_lit);
		return NEW(Cell, .kind = CELL_LIT, .name = literal_key(p->lit, false));
	case PAT_TUPLE:
	case PAT_RECORD:
		return record_cell(p);
	case PAT_CONSTR: {
		Cells args = {NEW_ARRAY(Cell *, p->constr.args.len), p->constr.args.len};
		for (int i = 0; i < args.len; i++)
			args.at[i] = cell_of(p->constr.args.at[i]);
		return NEW(Cell, .kind = CELL_CONSTR, .name = p->constr.name, .args = args);
	}
	case PAT_ASCRIBE: case PAT_ATTR: case PAT_PAREN:
		return cell_of(p->inner);
	}
	bug("pattern of kind %d", p->kind);
}

static void show_cell(Str *s, const Cell *c, bool atomic)
{
	switch (c->kind) {
	case CELL_WILD:
		str_putc(s, '_');
		return;
	case CELL_BOOL:
		str_puts(s, c->value ? "true" : "false");
		return;
	case CELL_LIT:
		str_puts(s, c->name);
		return;
	case CELL_CONSTR: {
		bool paren = atomic && c->args.len > 0;
		str_printf(s, "%s#%s", paren ? "(" : "", c->name);
		for EACH(Cell *, a, c->args) {
			str_putc(s, ' ');
			show_cell(s, *a, true);
		}
		str_puts(s, paren ? ")" : "");
		return;
	}
	case CELL_RECORD: {
		bool tuple = ty_is_tuple(c->type);
		str_putc(s, tuple ? '(' : '{');
		for (int i = 0; i < c->args.len; i++) {
			str_puts(s, i ? ", " : "");
			if (!tuple)
				str_printf(s, "%s = ", c->type->record.at[i].name);
			show_cell(s, c->args.at[i], false);
		}
		str_putc(s, tuple ? ')' : '}');
		return;
	}
	}
}

// The rest of a row after its first cell, preceded by `args` and, if those are too few, wildcards.
static Cells row_with(Cells args, int n_args, Cells row)
{
	Cells r = {NEW_ARRAY(Cell *, n_args + row.len - 1), n_args + row.len - 1};
	for (int i = 0; i < n_args; i++)
		r.at[i] = i < args.len ? args.at[i] : &wild;
	for (int i = 1; i < row.len; i++)
		r.at[n_args + i - 1] = row.at[i];
	return r;
}

static bool same_head(const Cell *a, const Cell *b)
{
	return a->kind == b->kind && a->name == b->name && a->value == b->value;
}

// The rows whose first cell can match `head`, with its arguments in place of the cell.
static Rows specialise(Rows rows, const Cell *head, int n_args)
{
	RowVec out = {0};
	for EACH(Cells, row, rows) {
		Cell *c = row->at[0];
		if (c->kind == CELL_WILD || same_head(c, head))
			VEC_PUSH(&out, row_with(c->args, n_args, *row));
	}
	return VEC_SLICE(Rows, out);
}

static Rows default_rows(Rows rows)
{
	RowVec out = {0};
	for EACH(Cells, row, rows)
		if (row->at[0]->kind == CELL_WILD)
			VEC_PUSH(&out, (Cells){row->at + 1, row->len - 1});
	return VEC_SLICE(Rows, out);
}

static Tys tys_with(Tys first, Tys rest)
{
	Tys r = {NEW_ARRAY(Ty *, first.len + rest.len - 1), first.len + rest.len - 1};
	for (int i = 0; i < first.len; i++)
		r.at[i] = first.at[i];
	for (int i = 1; i < rest.len; i++)
		r.at[first.len + i - 1] = rest.at[i];
	return r;
}

static void missing(Rows rows, Tys types, RowVec *out);

// What is missing under one constructor, put back under it.
static void missing_under(Rows rows, const Cell *head, Tys args, Tys types, RowVec *out)
{
	RowVec under = {0};
	missing(specialise(rows, head, args.len), tys_with(args, types), &under);
	for EACH(Cells, w, under) {
		Cell *c = NEW(Cell, .kind = head->kind, .name = head->name, .value = head->value,
		              .type = head->type, .args = {w->at, args.len});
		Cells row = {NEW_ARRAY(Cell *, types.len), types.len};
		row.at[0] = c;
		for (int i = 1; i < types.len; i++)
			row.at[i] = w->at[args.len + i - 1];
		if (out->len < MAX_MISSING)
			VEC_PUSH(out, row);
	}
}

static bool has_head(Rows rows)
{
	for EACH(Cells, row, rows)
		if (row->at[0]->kind != CELL_WILD)
			return true;
	return false;
}

static void missing_constrs(Rows rows, Ty *t, Tys types, RowVec *out)
{
	if (t->kind == TY_SUM) {
		for EACH(TyConstr, c, t->sum)
			missing_under(rows, &(Cell){.kind = CELL_CONSTR, .name = c->name}, c->args,
			              types, out);
	} else {
		for (int b = 0; b < 2; b++)
			missing_under(rows, &(Cell){.kind = CELL_BOOL, .value = b == 1}, (Tys){0},
			              types, out);
	}
}

// Appends rows that no row of `rows` covers; none exactly if they are exhaustive.
static void missing(Rows rows, Tys types, RowVec *out)
{
	if (out->len >= MAX_MISSING)
		return;
	if (types.len == 0) {
		if (rows.len == 0)
			VEC_PUSH(out, (Cells){0});
		return;
	}
	Ty *t = ty_resolve(types.at[0]);
	if (t->kind == TY_ERROR)
		return;                 // an error was reported for it
	bool heads = has_head(rows);
	if (t->kind == TY_RECORD && heads) {
		Tys args = {NEW_ARRAY(Ty *, t->record.len), t->record.len};
		for (int i = 0; i < args.len; i++)
			args.at[i] = t->record.at[i].type;
		missing_under(rows, &(Cell){.kind = CELL_RECORD, .type = t}, args, types, out);
		return;
	}
	bool finite = t->kind == TY_SUM || (t->kind == TY_PRIM && t->prim == PT_BOOL);
	if (finite && heads) {
		missing_constrs(rows, t, types, out);
		return;
	}
	// Nothing, or only literals, in this column: what the wildcard rows miss is missing for
	// every value without a row of its own.
	RowVec rest = {0};
	missing(default_rows(rows), (Tys){types.at + 1, types.len - 1}, &rest);
	for EACH(Cells, w, rest) {
		Cells row = {NEW_ARRAY(Cell *, types.len), types.len};
		row.at[0] = &wild;
		for (int i = 1; i < types.len; i++)
			row.at[i] = w->at[i - 1];
		if (out->len < MAX_MISSING)
			VEC_PUSH(out, row);
	}
}

static const char *show_missing(const RowVec *rows)
{
	Str s = {0};
	for EACH(Cells, row, *rows) {
		str_puts(&s, "\n  ");
		show_cell(&s, row->at[0], false);
	}
	return str_text(&s);
}

static void check_cases(const Expr *e)
{
	RowVec rows = {0};
	for EACH(Case, c, e->match.cases) {
		Cell **cell = NEW_ARRAY(Cell *, 1);
		*cell = cell_of(c->pat);
		VEC_PUSH(&rows, (Cells){cell, 1});
	}
	Ty *type = e->match.of->type;
	RowVec out = {0};
	missing(VEC_SLICE(Rows, rows), (Tys){&type, 1}, &out);
	if (out.len)
		fail(e->span, "unmatched-cases", "Unmatched cases in match expression:%s",
		     show_missing(&out));
}

static void check_irrefutable(const Pat *p)
{
	if (!p || !p->type)
		return;
	Cell *cell = cell_of(p);
	if (cell->kind == CELL_WILD)
		return;
	Cells row = {&cell, 1};
	Ty *type = p->type;
	RowVec out = {0};
	missing((Rows){&row, 1}, (Tys){&type, 1}, &out);
	if (!out.len)
		return;
	Diag *d = diag_error(p->span, "refutable-pattern",
	                     "Refutable pattern not allowed here.\nUnmatched cases:%s",
	                     show_missing(&out));
	diag_note(d,
	          "Hint: name the value, and distinguish cases by \"match x case %s -> ... case _ "
	          "-> ...\".",
	          show_pat(p));
	fail_diag(d);
}

static void visit(Walk *w, Expr *e)
{
	for (;;) {
		switch (e->kind) {
		case EX_MATCH:
			check_cases(e);
			break;
		case EX_LET:            // a long chain of lets is a loop here
			check_irrefutable(e->let.pat);
			visit(w, e->let.value);
			e = e->let.body;
			continue;
		case EX_LET_FUN:
			for EACH(Pat *, p, e->let_fun.pats)
				check_irrefutable(*p);
			break;
		case EX_LAMBDA:
			for EACH(Pat *, p, e->lambda.pats)
				check_irrefutable(*p);
			break;
		case EX_LOOP:
			check_irrefutable(e->loop.pat);
			check_irrefutable(e->loop.elem);
			break;
		default:                // nothing to say about the others
			break;
		}
		walk_expr(w, e);
		return;
	}
}

void match_expr(const Expr *e)
{
	Walk w = {.expr = visit};
	visit(&w, (Expr *)e);
}

void match_val(const ValDecl *d)
{
	for EACH(Pat *, p, d->pats)
		check_irrefutable(*p);
	match_expr(d->body);
}
