// What GPU programs have in addition to the common interface: functions that configure the device,
// the run-time in rts/gpu, and the kernels that are part of every such program.
#include "gen/api.h"

bool is_gpu(const char *backend)
{
	return strcmp(backend, "opencl") == 0 || strcmp(backend, "cuda") == 0;
}

const char *raw_type(const char *backend)
{
	return strcmp(backend, "opencl") == 0 ? "cl_mem "
	     : strcmp(backend, "cuda") == 0 ? "CUdeviceptr " : "unsigned char *";
}

// ---- The header ----

#define CONFIG "struct futhark_context_config *cfg"
static const char device_part[] =
	"\n// The device\n"
	"\n"
	"void futhark_context_config_set_device(" CONFIG ", const char *s);\n"
	"void futhark_context_config_set_unified_memory(" CONFIG ", int flag);\n"
	"void futhark_context_config_set_default_thread_block_size(" CONFIG ", int size);\n"
	"void futhark_context_config_set_default_group_size(" CONFIG ", int size);\n"
	"void futhark_context_config_set_default_grid_size(" CONFIG ", int size);\n"
	"void futhark_context_config_set_default_num_groups(" CONFIG ", int size);\n"
	"void futhark_context_config_set_default_tile_size(" CONFIG ", int size);\n"
	"void futhark_context_config_set_default_threshold(" CONFIG ", int size);\n"
	"const char *futhark_context_config_get_program(" CONFIG ");\n"
	"void futhark_context_config_set_program(" CONFIG ", const char *s);\n";
// The types are those of CL/cl.h, which may be included before or after.
static const char opencl_part[] =
	"typedef struct _cl_command_queue *cl_command_queue;\n"
	"typedef struct _cl_mem *cl_mem;\n"
	"void futhark_context_config_set_platform(" CONFIG ", const char *s);\n"
	"void futhark_context_config_select_device_interactively(" CONFIG ");\n"
	"void futhark_context_config_list_devices(" CONFIG ");\n"
	"void futhark_context_config_set_command_queue(" CONFIG ", cl_command_queue queue);\n"
	"cl_command_queue futhark_context_get_command_queue(struct futhark_context *ctx);\n"
	"void futhark_context_config_add_build_option(" CONFIG ", const char *option);\n"
	"void futhark_context_config_dump_binary_to(" CONFIG ", const char *path);\n"
	"void futhark_context_config_load_binary_from(" CONFIG ", const char *path);\n";
static const char cuda_part[] =
	"typedef unsigned long long CUdeviceptr;\n"
	"void futhark_context_config_add_nvrtc_option(" CONFIG ", const char *option);\n"
	"void futhark_context_config_dump_ptx_to(" CONFIG ", const char *path);\n"
	"void futhark_context_dump_ptx_to(" CONFIG ", const char *path);\n"
	"void futhark_context_config_load_ptx_from(" CONFIG ", const char *path);\n";

static bool is_cuda(const GenOptions *o)
{
	return strcmp(o->backend, "cuda") == 0;
}

void device_put_header(Str *s, const GenOptions *o)
{
	str_puts(s, device_part);
	str_puts(s, is_cuda(o) ? cuda_part : opencl_part);
}

// ---- The source ----

void device_put_defines(Str *s, const GenOptions *o)
{
	str_printf(s, "#define RD_GPU\n#define RD_%s\n", is_cuda(o) ? "CUDA" : "OPENCL");
}

void device_use(Rts *rts, const GenOptions *o)
{
	rts_use(rts, "device_copy");
	rts_use(rts, is_cuda(o) ? "cuda_config" : "opencl_config");
	if (o->kind != GEN_LIBRARY)
		rts_use(rts, is_cuda(o) ? "cuda_options" : "opencl_options");
}

void device_put_builtin(Str *s)
{
	Rts kernels = {0};
	Str body = {0};
	rts_use(&kernels, "builtin_kernels");
	rts_put(&body, &kernels);
	str_puts(s, "\nstatic const char *rd_builtin_text(void)\n{\n\treturn");
	put_c_lines(s, str_text(&body));
	str_puts(s, ";\n}\n");
}
