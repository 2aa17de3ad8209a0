// The command-line options that executables for GPUs have in addition to those of others.
#ifndef RD_GPU_OPTIONS_H
#define RD_GPU_OPTIONS_H
#include "../c/options.h"
#include "config.h"

// @chunk device_options: options device_config
RD_FUN void rd_opt_device(struct rd_settings *s, const char *arg)
{
	futhark_context_config_set_device(s->cfg, arg);
}

RD_FUN int rd_option_size(const struct rd_settings *s, const char *what, const char *arg)
{
	int64_t n = rd_option_int(s, what, arg);
	if (n < 1 || n > INT_MAX)
		rd_die(s, "%s needs a positive integer, not %s\n", what, arg);
	return (int)n;
}

RD_FUN void rd_opt_block_size(struct rd_settings *s, const char *arg)
{
	int n = rd_option_size(s, "--default-thread-block-size", arg);
	futhark_context_config_set_default_thread_block_size(s->cfg, n);
}

RD_FUN void rd_opt_grid_size(struct rd_settings *s, const char *arg)
{
	int n = rd_option_size(s, "--default-num-thread-blocks", arg);
	futhark_context_config_set_default_grid_size(s->cfg, n);
}

RD_FUN void rd_opt_tile_size(struct rd_settings *s, const char *arg)
{
	int n = rd_option_size(s, "--default-tile-size", arg);
	futhark_context_config_set_default_tile_size(s->cfg, n);
}

RD_FUN void rd_opt_threshold(struct rd_settings *s, const char *arg)
{
	int n = rd_option_size(s, "--default-threshold", arg);
	futhark_context_config_set_default_threshold(s->cfg, n);
}

RD_FUN void rd_opt_unified_memory(struct rd_settings *s, const char *arg)
{
	int64_t n = rd_option_int(s, "--unified-memory", arg);
	if (n < 0 || n > 2)
		rd_die(s, "--unified-memory needs 0, 1 or 2, not %s\n", arg);
	futhark_context_config_set_unified_memory(s->cfg, (int)n);
}

// Writes the texts of all kernels to a file, and ends the program.
RD_FUN void rd_opt_dump_program(struct rd_settings *s, const char *path)
{
	const char *text = futhark_context_config_get_program(s->cfg);
	if (!text || !rd_write_file(path, text, strlen(text)))
		rd_die(s, "Cannot write %s: %s\n", path, strerror(errno));
	exit(0);
}

RD_FUN void rd_opt_load_program(struct rd_settings *s, const char *path)
{
	struct rd_bytes text = rd_read_file(path);
	if (!text.at)
		rd_die(s, "Cannot read %s: %s\n", path, strerror(errno));
	futhark_context_config_set_program(s->cfg, text.at);
	free(text.at);
}

RD_FUN void rd_opt_load_binary(struct rd_settings *s, const char *path)
{
	rd_set_string(&s->cfg->device->load_from, path);
}

// Makes a context, which writes the file, and ends the program.
RD_FUN void rd_opt_dump_binary(struct rd_settings *s, const char *path)
{
	struct futhark_context *ctx;
	char *error;
	rd_set_string(&s->cfg->device->dump_to, path);
	ctx = futhark_context_new(s->cfg);
	error = ctx ? futhark_context_get_error(ctx) : NULL;
	if (!ctx || error)
		rd_die(s, "%s\n", error ? error : "Out of memory.");
	futhark_context_free(ctx);
	exit(0);
}

RD_FUN void rd_opt_build_option(struct rd_settings *s, const char *arg)
{
	rd_add_build_option(s->cfg, arg);
}

#define RD_COMMON_DEVICE_OPTIONS \
	{'d', "device", "NAME", "Use the first device whose name contains NAME, or #k for the k-th.", \
	 rd_opt_device}, \
	{0, "default-thread-block-size", "INT", "Default number of threads per block.", \
	 rd_opt_block_size}, \
	{0, "default-group-size", "INT", "Same as --default-thread-block-size.", rd_opt_block_size}, \
	{0, "default-num-thread-blocks", "INT", "Default number of thread blocks.", \
	 rd_opt_grid_size}, \
	{0, "default-num-groups", "INT", "Same as --default-num-thread-blocks.", rd_opt_grid_size}, \
	{0, "default-tile-size", "INT", "Default tile size.", rd_opt_tile_size}, \
	{0, "default-threshold", "INT", "Default value of threshold parameters.", \
	 rd_opt_threshold}, \
	{0, "unified-memory", "0|1|2", "Use unified memory if 1 (default 0).", \
	 rd_opt_unified_memory},

// @chunk opencl_options: device_options opencl_config
RD_FUN void rd_opt_platform(struct rd_settings *s, const char *arg)
{
	futhark_context_config_set_platform(s->cfg, arg);
}

RD_FUN void rd_opt_list_devices(struct rd_settings *s, const char *arg)
{
	(void)arg;
	futhark_context_config_list_devices(s->cfg);
	exit(0);
}

#define RD_DEVICE_OPTIONS RD_COMMON_DEVICE_OPTIONS \
	{'p', "platform", "NAME", "Use the first platform whose name contains NAME.", \
	 rd_opt_platform}, \
	{0, "list-devices", NULL, "List all devices and exit.", rd_opt_list_devices}, \
	{0, "dump-opencl", "FILE", "Write the kernel source to this file and exit.", rd_opt_dump_program}, \
	{0, "load-opencl", "FILE", "Use the kernel source in this file.", rd_opt_load_program}, \
	{0, "dump-opencl-binary", "FILE", "Write the compiled kernels to this file and exit.", \
	 rd_opt_dump_binary}, \
	{0, "load-opencl-binary", "FILE", "Use the compiled kernels in this file.", \
	 rd_opt_load_binary}, \
	{0, "build-option", "OPT", "Pass OPT to the kernel compiler.", \
	 rd_opt_build_option},

// @chunk cuda_options: device_options cuda_config
RD_FUN void rd_opt_no_graphs(struct rd_settings *s, const char *arg)
{
	(void)arg;
	s->cfg->device->no_graphs = true;
}

#define RD_DEVICE_OPTIONS RD_COMMON_DEVICE_OPTIONS \
	{0, "dump-cuda", "FILE", "Write the kernel source to this file and exit.", rd_opt_dump_program}, \
	{0, "load-cuda", "FILE", "Use the kernel source in this file.", rd_opt_load_program}, \
	{0, "dump-ptx", "FILE", "Write the PTX of the kernels to this file and exit.", \
	 rd_opt_dump_binary}, \
	{0, "load-ptx", "FILE", "Use the PTX in this file.", rd_opt_load_binary}, \
	{0, "nvrtc-option", "OPT", "Pass OPT to the kernel compiler.", \
	 rd_opt_build_option}, \
	{0, "no-graphs", NULL, "Launch each kernel separately instead of using CUDA graphs.", rd_opt_no_graphs},
// @end
#endif
