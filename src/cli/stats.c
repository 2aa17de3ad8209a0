// Statistics of run times: means, confidence intervals, and when enough has been measured.
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

double mean_of(const Times *t)
{
	double sum = 0;
	for EACH(int64_t, x, *t)
		sum += (double)*x;
	return t->len ? sum / t->len : 0;
}

static double deviation_of(const Times *t)
{
	double mean = mean_of(t), sum = 0;
	for EACH(int64_t, x, *t)
		sum += ((double)*x - mean) * ((double)*x - mean);
	return t->len > 1 ? sqrt(sum / (t->len - 1)) : 0;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

// By the bootstrap: the means of samples drawn from the sample.  The draws are always the same.
void confidence_interval(const Times *t, double *lo, double *hi)
{
	enum { RESAMPLES = 1000, MOST = 1000 };
	double means[RESAMPLES];
	Rng rng = {.state = 1};
	int n = t->len < MOST ? t->len : MOST;
	*lo = *hi = mean_of(t);
	if (t->len < 2)
		return;
	// a mean of all of them varies less than one of n
	double narrower = sqrt((double)n / t->len);
	for (int i = 0; i < RESAMPLES; i++) {
		double sum = 0;
		for (int k = 0; k < n; k++)
			sum += (double)t->at[rng_next(&rng) % (uint64_t)t->len];
		means[i] = mean_of(t) + (sum / n - mean_of(t)) * narrower;
	}
	qsort(means, RESAMPLES, sizeof *means, by_value);
	*lo = means[RESAMPLES / 40];
	*hi = means[RESAMPLES - 1 - RESAMPLES / 40];
}

// Of neighbours; 0 for a constant.
static double autocorrelation(const Times *t)
{
	double mean = mean_of(t), above = 0, below = 0;
	for (int i = 0; i < t->len; i++) {
		double d = (double)t->at[i] - mean;
		below += d * d;
		if (i + 1 < t->len)
			above += d * ((double)t->at[i + 1] - mean);
	}
	return below > 0 ? above / below : 0;
}

// The more one run says about the next, the smaller the standard error has to be; but times are
// whole microseconds, and there is no use in knowing their mean far better than that.
bool has_converged(const Times *t)
{
	static const struct { double correlation, error; } enough[] = {
		{0.95, 0.0010}, {0.75, 0.0015}, {0.65, 0.0025}, {0.45, 0.0050}, {0.05, 0.0100},
	};
	double mean = mean_of(t), correlation = fabs(autocorrelation(t));
	double error = deviation_of(t) / sqrt(t->len);
	if (error < 0.05 || t->len < 2)
		return true;
	error /= mean;
	for (size_t i = 0; i < sizeof enough / sizeof *enough; i++)
		if (correlation < enough[i].correlation && error < enough[i].error)
			return true;
	return false;
}
