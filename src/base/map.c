// A hash map from pointers to pointers that remembers insertion order, so that walking
// one gives the same order in every run whatever the addresses are.
//
// The entries are a growing array.  Up to 8 of them are searched linearly; past that an
// index of entry numbers plus one (0 is free) is kept with open addressing, at most half full.
#include "base/base.h"

enum { LINEAR = 8 };

static uint32_t hash_pointer(const void *p)
{
	return (uint32_t)((uint64_t)(uintptr_t)p * 0x9E3779B97F4A7C15u >> 32);
}

static inline MapEntry *find(const Map *m, const void *key)
{
	if (!m->index) {
		for (int i = 0; i < m->len; i++)
			if (m->entries[i].key == key)
				return &m->entries[i];
		return NULL;
	}
	for (uint32_t i = hash_pointer(key) & m->mask; m->index[i]; i = (i + 1) & m->mask)
		if (m->entries[m->index[i] - 1].key == key)
			return &m->entries[m->index[i] - 1];
	return NULL;
}

MapEntry *map_find(const Map *m, const void *key)
{
	return find(m, key);
}

static inline void index_entry(Map *m, int e)
{
	uint32_t i = hash_pointer(m->entries[e].key) & m->mask;
	while (m->index[i])
		i = (i + 1) & m->mask;
	m->index[i] = (uint32_t)e + 1;
}

static void rebuild_index(Map *m)
{
	uint32_t size = m->index ? (m->mask + 1) * 2 : 4 * LINEAR;
	m->index = NEW_ARRAY(uint32_t, size);
	m->mask = size - 1;
	for (int e = 0; e < m->len; e++)
		index_entry(m, e);
}

void map_put(Map *m, const void *key, void *val)
{
	MapEntry *e = find(m, key);
	if (e) {
		e->val = val;
		return;
	}
	if (m->len == m->cap)
		vec_grow((void **)&m->entries, &m->cap, sizeof *m->entries);
	m->entries[m->len++] = (MapEntry){key, val};
	if (m->index ? (uint32_t)m->len > m->mask / 2 : m->len > LINEAR)
		rebuild_index(m);
	else if (m->index)
		index_entry(m, m->len - 1);
}
