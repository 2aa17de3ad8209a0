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

static void put_value(Gen *g, Str *out, PrimType t, int n)
{
	const char *v = text("values[%d]", n);
	if (t == PT_BOOL) {
		str_printf(out, "\t\trd_put(ctx, \"%%s\", %s ? \"true\" : \"false\");\n", v);
	} else if (is_float(t)) {
		rts_use(g->rts, text("rd_show_%s", primtype_name[t]));
		rts_use(g->rts, "rd_from_bits_u64");
		str_printf(out, "\t\trd_put(ctx, \"%%s\", rd_show_%s(ctx, "
		           "(%s)rd_from_bits_u64((uint64_t)%s)));\n", primtype_name[t],
		           c_scalar_type(t), v);
	} else {
		str_printf(out, "\t\trd_put(ctx, \"%%%s\", (%slong long)%s);\n",
		           is_signed(t) ? "lld" : "llu", is_signed(t) ? "" : "unsigned ", v);
	}
}

void put_failure_report(Gen *g, Str *out)
{
	rts_use(g->rts, "fail");
	str_puts(out, "static int rd_report_failure(struct futhark_context *ctx, int site, "
	              "const int64_t *values)\n{\n\t(void)values;\n\tctx->message.len = "
	              "0;\n\tswitch (site) {\n");
	for (int i = 0; i < g->device->sites.len; i++) {
		const FailureSite *s = &g->device->sites.at[i];
		int n = 0;
		str_printf(out, "\tcase %d:\n", i);
		for EACH(MsgPart, p, s->msg)
			if (!p->is_val)
				str_printf(out, "\t\trd_put(ctx, \"%%s\", %s);\n",
				           c_string(p->text));
			else if (n < MAX_VALUES)
				put_value(g, out, sub_type(p->val).elem, n++);
		str_printf(out, "\t\treturn rd_fail_said(ctx, %s);\n", x_text(places(g, s->where)));
	}
	str_puts(out,
	         "\tdefault:\n\t\treturn rd_fail(ctx, \"\", \"A kernel failed.\");\n\t}\n}\n\n");
}
