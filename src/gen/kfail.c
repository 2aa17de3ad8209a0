// Failures of kernels.
//
//     let (c: cert) = assert ok ("Index [", i, "] out of bounds for array of shape [", n, "].")
//  ->
//     if (!ok) {
//     	if (rd_claim_failure(rd_failures, 3)) {
//     		rd_failures->values[0] = i;
//     		rd_failures->values[1] = n;
//     	}
//     	return;
//     }
//
// The first failure wins.  On the host, rd_report_failure formats its message; device.h says when
// it is called.  Where other threads of the block wait at a barrier, a failed thread sets a mark
// and proceeds to the barrier too (kthreads.c).
#include "gen/kgen.h"

enum { MAX_VALUES = 30 };               // RD_FAILURE_VALUES in rts/gpu/device.h

static CExp bits_of(Gen *g, PrimType t, CExp x)
{
	if (!is_float(t))
		return x_cast("int64_t", x, PREC_ATOM);
	rts_use(g->rts, "kernel_base");
	return x_cast("int64_t", x_call("rd_bits_of_double", x_cast("double", x, PREC_ATOM)),
	              PREC_ATOM);
}

// Only the second round has the number of the site.
void fail_at(Gen *g, const Where *where, Msg msg)
{
	Device *d = g->device;
	int site = d->sites.len, n = 0;
	if (!g->counting)
		VEC_PUSH(&d->sites, (FailureSite){where, msg});
	CExp failures = x_name("rd_failures");
	s_if(g->c, x_call("rd_claim_failure", failures, x_int(site)));
	for EACH(MsgPart, p, msg)
		if (p->is_val && n < MAX_VALUES) {
			s_assign(g->c, x_index(x_field(failures, "values"), x_int(n)),
			         bits_of(g, sub_type(p->val).elem, operand(g, p->val)));
			n++;
		}
	s_close(g->c);
	leave_function(g, NULL);
}

void gen_thread_assert(Gen *g, const Stm *s)
{
	s_if(g->c, x_not(operand(g, s->exp->assert_.cond)));
	fail_at(g, s->where, s->exp->assert_.msg);
	s_close(g->c);
}

void leave_thread(Gen *g)
{
	if (g->thread.held)
		s_do(g->c, x_call("rd_unlock", x_name(g->thread.held)));
	if (g->thread.failed) {
		s_assign(g->c, x_unary("*", x_name("rd_mark"), PREC_ATOM), x_int(1));
		s_goto(g->c, g->thread.failed);
	} else {
		s_return(g->c, g->kernel ? NULL : x_int(1));
	}
	if (g->kernel)
		g->kernel->can_fail = true;
}

// ---- On the host ----

// Adds value n of the failure to the message.
static void report_value(Gen *g, Code *c, PrimType t, int n)
{
	CExp v = x_quote("values[$1]", n);
	const char *format = "\"%s\"";
	if (t == PT_BOOL) {
		v = x_quote("$1 ? $2 : $3", v, x_const("\"true\""), x_const("\"false\""));
	} else if (is_float(t)) {
		rts_use(g->rts, text("rd_show_%s", primtype_name[t]));
		rts_use(g->rts, "rd_from_bits_u64");
		v = x_quote("rd_show_$1(ctx, ($2)rd_from_bits_u64((uint64_t)$3))", primtype_name[t],
		            c_scalar_type(t), v);
	} else {
		format = is_signed(t) ? "\"%lld\"" : "\"%llu\"";
		v = x_cast(is_signed(t) ? "long long" : "unsigned long long", v, PREC_ATOM);
	}
	quote(c, "rd_put(ctx, $1, $2);", x_const(format), v);
}

void put_failure_report(Gen *g, Str *out)
{
	Code c = {0};
	CFun f = {.result = "static int", .name = "rd_report_failure", .body = code_begin(&c)};
	add_param(&f, "struct futhark_context *", "ctx");
	add_param(&f, "int", "site");
	add_param(&f, "const int64_t *", "values");
	rts_use(g->rts, "fail");
	quote(&c, "(void)values; ctx->message.len = 0;");
	s_switch(&c, x_name("site"));
	for (int i = 0; i < g->device->sites.len; i++) {
		const FailureSite *s = &g->device->sites.at[i];
		int n = 0;
		s_case(&c, x_int(i));
		for EACH(MsgPart, p, s->msg)
			if (!p->is_val)
				quote(&c, "rd_put(ctx, $1, $2);", x_const("\"%s\""),
				      x_const(c_string(p->text)));
			else if (n < MAX_VALUES)
				report_value(g, &c, sub_type(p->val).elem, n++);
		quote(&c, "return rd_fail_said(ctx, $1);", places(g, s->where));
		s_close(&c);
	}
	s_case(&c, NULL);
	quote(&c, "return rd_fail(ctx, $1, $2);", x_const("\"\""), x_const("\"A kernel failed.\""));
	s_close(&c);
	s_close(&c);
	check_code(&f);
	fun_print(out, &f, f.name);
}
