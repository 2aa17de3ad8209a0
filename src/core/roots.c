// Sets of roots, as slices in ascending order.
#include "core/roots.h"

Roots roots_unite(Roots a, Roots b)
{
	if (!a.len || (a.len == b.len && a.at == b.at))
		return b;
	if (!b.len)
		return a;
	Roots out = {NEW_ARRAY(int, a.len + b.len), 0};
	int i = 0, j = 0;
	while (i < a.len || j < b.len) {
		int x = j == b.len || (i < a.len && a.at[i] <= b.at[j]) ? a.at[i] : b.at[j];
		i += i < a.len && a.at[i] == x;
		j += j < b.len && b.at[j] == x;
		out.at[out.len++] = x;
	}
	return out;
}

bool roots_disjoint(Roots a, Roots b)
{
	for (int i = 0, j = 0; i < a.len && j < b.len;) {
		if (a.at[i] == b.at[j])
			return false;
		if (a.at[i] < b.at[j])
			i++;
		else
			j++;
	}
	return true;
}

void roots_close_loop(RootSets may, RootSets res, const int *marker, int n)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++) {
				int m = marker[j];
				if (m < 0 || roots_disjoint(res.at[i], (Roots){&m, 1}))
					continue;
				Roots more = roots_unite(may.at[i], may.at[j]);
				changed |= more.len != may.at[i].len;
				may.at[i] = more;
			}
	}
}
