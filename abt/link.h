/* SPDX-License-Identifier: GPL-2.0 */
/* The socket to the module: questions and answers of the generic netlink family tcp_abt. */
#ifndef ABT_LINK_H
#define ABT_LINK_H

#include <linux/netlink.h>
#include <stdbool.h>
#include <stdint.h>

/* Largest message that we send. */
#define REQUEST_ROOM	1024

struct request {
	struct nlmsghdr *header;
	char room[REQUEST_ROOM];
};

/* Opens the socket; dies and says what to do where there is no module. */
void link_open(void);

/* The same, without dying for want of the module. Return: is it loaded? */
bool link_find(void);

void request_begin(struct request *request, uint8_t command, uint16_t flags);

/*
 * Send, and call EACH for each answer. Dies with the kernel's message and advice.
 * Return: false when a dump was torn: some may have come twice.
 */
typedef void (*answer_t)(const struct nlmsghdr *answer, void *to);
bool request_send(struct request *request, answer_t each, void *to);

/* Decisions: join the group, then take what comes. EACH is told NULL for messages that were lost. */
int link_listen(void);			/* Return: the file descriptor to wait for */
void link_take(answer_t each, void *to);

#endif /* ABT_LINK_H */
