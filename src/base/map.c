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

// The entry of a key in a map without index.
static inline MapEntry *find_linear(const Map *m, const void *key)
{
	for (MapEntry *e = m->entries, *end = e + m->len; e < end; e++)
		if (e->key == key)
			return e;
	return NULL;
}

// The place of a key in the index, or where it would be put.
static inline uint32_t *slot_of(const Map *m, const void *key)
{
	uint32_t i = hash_pointer(key) & m->mask;
	while (m->index[i] && m->entries[m->index[i] - 1].key != key)
		i = (i + 1) & m->mask;
	return &m->index[i];
}

MapEntry *map_find(const Map *m, const void *key)
{
	if (!m->index)
		return m->len ? find_linear(m, key) : NULL;
	uint32_t e = *slot_of(m, key);
	return e ? &m->entries[e - 1] : NULL;
}

static void rebuild_index(Map *m)
{
	uint32_t size = m->index ? (m->mask + 1) * 4 : 4 * LINEAR;
	m->index = NEW_ARRAY(uint32_t, size);
	m->mask = size - 1;
	for (int e = 0; e < m->len; e++) {
		uint32_t i = hash_pointer(m->entries[e].key) & m->mask;
		while (m->index[i])
			i = (i + 1) & m->mask;
		m->index[i] = (uint32_t)e + 1;
	}
}

void map_put(Map *m, const void *key, void *val)
{
	uint32_t *slot = m->index ? slot_of(m, key) : NULL;
	MapEntry *e = slot ? (*slot ? &m->entries[*slot - 1] : NULL)
	            : m->len ? find_linear(m, key) : NULL;
	if (e) {
		e->val = val;
		return;
	}
	if (m->len == m->cap)
		vec_grow((void **)&m->entries, &m->cap, sizeof *m->entries);
	m->entries[m->len++] = (MapEntry){key, val};
	if (slot)
		*slot = (uint32_t)m->len;
	if (m->index ? (uint32_t)m->len > m->mask / 2 : m->len > LINEAR)
		rebuild_index(m);
}
