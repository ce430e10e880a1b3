/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's circular lists, as far as paths use them. */
#ifndef SHIM_LINUX_LIST_H
#define SHIM_LINUX_LIST_H

#include <linux/kernel.h>

struct list_head {
	struct list_head *next, *prev;
};

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list;
	list->prev = list;
}

static inline bool list_empty(const struct list_head *list)
{
	return list->next == list;
}

static inline void list_del_init(struct list_head *entry)
{
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
	INIT_LIST_HEAD(entry);
}

static inline void list_add_tail(struct list_head *entry, struct list_head *list)
{
	entry->prev = list->prev;
	entry->next = list;
	list->prev->next = entry;
	list->prev = entry;
}

#define LIST_HEAD(name)	struct list_head name = { &(name), &(name) }

#define list_first_entry(head, type, member)	container_of((head)->next, type, member)

static inline void list_move_tail(struct list_head *entry, struct list_head *list)
{
	list_del_init(entry);
	list_add_tail(entry, list);
}

#define list_for_each_entry_safe(pos, n, head, member)				\
	for (pos = container_of((head)->next, __typeof__(*pos), member),	\
	     n = container_of(pos->member.next, __typeof__(*pos), member);	\
	     &pos->member != (head);						\
	     pos = n, n = container_of(n->member.next, __typeof__(*n), member))

#endif /* SHIM_LINUX_LIST_H */
