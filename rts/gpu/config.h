// The part of the C interface that only GPU programs have: devices, tuning parameters, the sources of
// kernels.
#ifndef RD_CONFIG_H
#define RD_CONFIG_H
#include "../c/api.h"
#include "run.h"

// @chunk device_config: device_run api_config lock
static struct rd_device_config *rd_device_config_new(void)
{
	struct rd_device_config *c = (struct rd_device_config *)calloc(1, sizeof *c);
	int i, n = rd_device_program()->n_params;
	if (!c)
		return NULL;
	c->params = (int64_t *)malloc(((size_t)n + 1) * sizeof *c->params);
	for (i = 0; c->params && i < n; i++)
		c->params[i] = -1;
	return c;
}

static void rd_device_config_free(struct rd_device_config *c)
{
	int i;
	if (!c)
		return;
	for (i = 0; i < c->n_options; i++)
		free(c->options[i]);
	free(c->options);
	free(c->device);
	free(c->platform);
	free(c->program);
	free(c->load_from);
	free(c->dump_to);
	free(c->params);
	free(c);
}

static void rd_set_string(char **to, const char *s)
{
	char *copy = rd_copy_string(s);
	free(*to);
	*to = copy;
}

// ---- Tuning parameters ----

RD_API int futhark_get_tuning_param_count(void)
{
	return rd_device_program()->n_params;
}

RD_API const char *futhark_get_tuning_param_name(int i)
{
	return rd_device_program()->params[i].name;
}

RD_API const char *futhark_get_tuning_param_class(int i)
{
	return rd_device_program()->params[i].class_;
}

// The sizes that parameters have by default can be set by these names too.
RD_API int futhark_context_config_set_tuning_param(struct futhark_context_config *cfg,
                                                   const char *param_name, size_t new_value)
{
	const struct rd_device_program *p = rd_device_program();
	int i, value = new_value > 0x7fffffff ? 0x7fffffff : (int)new_value;
	for (i = 0; i < p->n_params; i++)
		if (strcmp(p->params[i].name, param_name) == 0) {
			cfg->device->params[i] = (int64_t)new_value;
			return 0;
		}
	if (strcmp(param_name, "default_thread_block_size") == 0 ||
	    strcmp(param_name, "default_group_size") == 0)
		cfg->device->block_size = value;
	else if (strcmp(param_name, "default_grid_size") == 0 ||
	         strcmp(param_name, "default_num_groups") == 0)
		cfg->device->grid_size = value;
	else if (strcmp(param_name, "default_tile_size") == 0)
		cfg->device->tile_size = value;
	else if (strcmp(param_name, "default_threshold") == 0)
		cfg->device->threshold = (int64_t)new_value;
	else if (strcmp(param_name, "graphs") == 0)
		cfg->device->no_graphs = new_value == 0;
	else if (strcmp(param_name, "concurrent_kernels") == 0)
		cfg->device->no_concurrent_kernels = new_value == 0;
	else if (strcmp(param_name, "dependent_launches") == 0)
		cfg->device->no_dependent_launches = new_value == 0;
	else
		return 1;
	return 0;
}

RD_API void futhark_context_config_set_default_thread_block_size(struct futhark_context_config *cfg,
                                                                 int size)
{
	cfg->device->block_size = size;
}

RD_API void futhark_context_config_set_default_group_size(struct futhark_context_config *cfg,
                                                          int size)
{
	cfg->device->block_size = size;
}

RD_API void futhark_context_config_set_default_grid_size(struct futhark_context_config *cfg, int size)
{
	cfg->device->grid_size = size;
}

RD_API void futhark_context_config_set_default_num_groups(struct futhark_context_config *cfg,
                                                          int size)
{
	cfg->device->grid_size = size;
}

RD_API void futhark_context_config_set_default_tile_size(struct futhark_context_config *cfg, int size)
{
	cfg->device->tile_size = size;
}

RD_API void futhark_context_config_set_default_threshold(struct futhark_context_config *cfg, int size)
{
	cfg->device->threshold = size;
}

// ---- The device ----

RD_API void futhark_context_config_set_device(struct futhark_context_config *cfg, const char *s)
{
	rd_set_string(&cfg->device->device, s);
}

// 0: memory of the device alone (also for 2: where it makes sense); 1: shared with the host.
RD_API void futhark_context_config_set_unified_memory(struct futhark_context_config *cfg, int flag)
{
	cfg->device->unified = flag;
}

// ---- Kernels ----

// The texts of all kernels, in one; the configuration's own.
RD_API const char *futhark_context_config_get_program(struct futhark_context_config *cfg)
{
	const struct rd_device_program *p = rd_device_program();
	if (!cfg->device->program)
		cfg->device->program = rd_joined_texts(p->n_texts, p->texts);
	return cfg->device->program;
}

RD_API void futhark_context_config_set_program(struct futhark_context_config *cfg, const char *s)
{
	rd_set_string(&cfg->device->program, s);
}

static void rd_add_build_option(struct futhark_context_config *cfg, const char *option)
{
	struct rd_device_config *c = cfg->device;
	char **options = (char **)realloc(c->options, ((size_t)c->n_options + 1) * sizeof *options);
	char *copy = options ? rd_copy_string(option) : NULL;
	if (options)
		c->options = options;
	if (copy)
		c->options[c->n_options++] = copy;
}

// @chunk opencl_config: device_config opencl
RD_API void futhark_context_config_set_platform(struct futhark_context_config *cfg, const char *s)
{
	rd_set_string(&cfg->device->platform, s);
}

// Shows the devices on standard output, and reads which one to use from standard input, when a context is
// made.
RD_API void futhark_context_config_select_device_interactively(struct futhark_context_config *cfg)
{
	cfg->device->ask = true;
}

RD_API void futhark_context_config_list_devices(struct futhark_context_config *cfg)
{
	struct futhark_context *ctx = (struct futhark_context *)calloc(1, sizeof *ctx);
	struct rd_device *d = (struct rd_device *)calloc(1, sizeof *d);
	struct rd_api *cl = (struct rd_api *)calloc(1, sizeof *cl);
	if (ctx && d && cl) {
		ctx->cfg = cfg;
		ctx->device = d;
		if (rd_cl_load(ctx, cl) == 0)
			rd_cl_show(cl, stdout, false);
		rd_error_free(ctx->error);
		free(ctx->message.at);
	}
	free(ctx);
	free(d);
	free(cl);
}

RD_API void futhark_context_config_set_command_queue(struct futhark_context_config *cfg,
                                                     cl_command_queue queue)
{
	cfg->device->queue = queue;
}

RD_API cl_command_queue futhark_context_get_command_queue(struct futhark_context *ctx)
{
	return ctx->device && ctx->device->api ? ctx->device->api->queue : NULL;
}

RD_API void futhark_context_config_add_build_option(struct futhark_context_config *cfg,
                                                    const char *option)
{
	rd_add_build_option(cfg, option);
}

RD_API void futhark_context_config_dump_binary_to(struct futhark_context_config *cfg,
                                                  const char *path)
{
	rd_set_string(&cfg->device->dump_to, path);
}

RD_API void futhark_context_config_load_binary_from(struct futhark_context_config *cfg,
                                                    const char *path)
{
	rd_set_string(&cfg->device->load_from, path);
}

// @chunk cuda_config: device_config cuda_caller
RD_API void futhark_context_config_add_nvrtc_option(struct futhark_context_config *cfg,
                                                    const char *option)
{
	rd_add_build_option(cfg, option);
}

RD_API void futhark_context_config_dump_ptx_to(struct futhark_context_config *cfg, const char *path)
{
	rd_set_string(&cfg->device->dump_to, path);
}

RD_API void futhark_context_dump_ptx_to(struct futhark_context_config *cfg, const char *path)
{
	rd_set_string(&cfg->device->dump_to, path);
}

RD_API void futhark_context_config_load_ptx_from(struct futhark_context_config *cfg, const char *path)
{
	rd_set_string(&cfg->device->load_from, path);
}
// @end
#endif
