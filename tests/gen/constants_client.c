// What a context says right after it was made, and what an entry point without failing constants gives.
#include "constants.h"
#include <stdlib.h>

int main(void)
{
	struct futhark_context_config *cfg = futhark_context_config_new();
	struct futhark_context *ctx = futhark_context_new(cfg);
	char *error = futhark_context_get_error(ctx);
	int64_t out = 0;
	int err = futhark_entry_main(ctx, &out, 3);
	printf("%s\n%d %d\n", error ? error : "no error", err, (int)out);
	free(error);
	futhark_context_free(ctx);
	futhark_context_config_free(cfg);
	return 0;
}
