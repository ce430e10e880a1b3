// SPDX-License-Identifier: GPL-2.0
/* The socket to the module: see link.h. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/tcp_abt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "abt.h"
#include "link.h"

/* The kernel fills at most so much at a time [bytes]. */
#define ANSWER_ROOM	32768

/* Room for decisions that come while we print others [bytes]. */
#define LISTEN_ROOM	(4 << 20)

static struct mnl_socket *netlink;
static uint16_t family;
static uint32_t group;
static char answers[ANSWER_ROOM];

/* One request's answers. */
struct exchange {
	answer_t each;
	void *to;
	bool torn;
	char said[256];		/* by the kernel, of an error */
};

static int on_answer(const struct nlmsghdr *answer, void *data)
{
	struct exchange *exchange = data;

	if (exchange->each)
		exchange->each(answer, exchange->to);
	return MNL_CB_OK;
}

/* Keep the kernel's own words, which stand behind so many bytes. */
static void keep_said(struct exchange *exchange, const struct nlmsghdr *answer, size_t skip)
{
	const struct nlattr *attr;

	if (answer->nlmsg_flags & NLM_F_ACK_TLVS)
		mnl_attr_for_each(attr, answer, skip)
			if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
				snprintf(exchange->said, sizeof(exchange->said), "%s",
					 mnl_attr_get_str(attr));
}

static int on_error(const struct nlmsghdr *answer, void *data)
{
	const struct nlmsgerr *error = mnl_nlmsg_get_payload(answer);
	size_t skip = sizeof(*error);

	if (!error->error)
		return MNL_CB_STOP;
	if (!(answer->nlmsg_flags & NLM_F_CAPPED))
		skip += MNL_ALIGN(error->msg.nlmsg_len) - sizeof(error->msg);
	keep_said(data, answer, skip);
	errno = -error->error;
	return MNL_CB_ERROR;
}

/* The end of a dump carries an error as well. */
static int on_done(const struct nlmsghdr *answer, void *data)
{
	int error = mnl_nlmsg_get_payload_len(answer) >= sizeof(int) ?
			    *(const int *)mnl_nlmsg_get_payload(answer) : 0;

	if (error >= 0)
		return MNL_CB_STOP;
	keep_said(data, answer, sizeof(error));
	errno = -error;
	return MNL_CB_ERROR;
}

/* libmnl would give a torn dump up; we note that it is, and read on. */
static void accept_torn(struct exchange *exchange, int size)
{
	struct nlmsghdr *at;

	for (at = (struct nlmsghdr *)answers; mnl_nlmsg_ok(at, size); at = mnl_nlmsg_next(at, &size)) {
		exchange->torn |= !!(at->nlmsg_flags & NLM_F_DUMP_INTR);
		at->nlmsg_flags &= ~NLM_F_DUMP_INTR;
	}
}

/* Return: -1 with errno. */
static int exchange_run(struct request *request, struct exchange *exchange)
{
	static mnl_cb_t control[NLMSG_MIN_TYPE] = {
		[NLMSG_ERROR] = on_error,
		[NLMSG_DONE] = on_done,
	};
	int status = MNL_CB_OK;

	if (mnl_socket_sendto(netlink, request->header, request->header->nlmsg_len) < 0)
		return -1;
	while (status > MNL_CB_STOP) {
		ssize_t size = mnl_socket_recvfrom(netlink, answers, sizeof(answers));

		if (size < 0)
			return -1;
		accept_torn(exchange, size);
		status = mnl_cb_run2(answers, size, request->header->nlmsg_seq,
				     mnl_socket_get_portid(netlink), on_answer, exchange,
				     control, NLMSG_MIN_TYPE);
	}
	return status;
}

void request_begin(struct request *request, uint8_t command, uint16_t flags)
{
	static uint32_t sequence;
	struct genlmsghdr *generic;

	if (!sequence)
		sequence = time(NULL);
	request->header = mnl_nlmsg_put_header(request->room);
	request->header->nlmsg_type = family;
	request->header->nlmsg_flags = NLM_F_REQUEST | flags;
	request->header->nlmsg_seq = sequence++;
	generic = mnl_nlmsg_put_extra_header(request->header, sizeof(*generic));
	generic->cmd = command;
	generic->version = TCP_ABT_FAMILY_VERSION;
}

/* Advice about an error. */
static const char *advice(int error)
{
	switch (error) {
	case EPERM:
	case EACCES:
		return " (needs root, or CAP_NET_ADMIN in this network namespace)";
	case EOPNOTSUPP:
		return " (the module is older than this command: install both of one version)";
	default:
		return "";
	}
}

bool request_send(struct request *request, answer_t each, void *to)
{
	struct exchange exchange = { .each = each, .to = to };

	if (exchange_run(request, &exchange) < 0)
		die("%s%s", *exchange.said ? exchange.said : strerror(errno), advice(errno));
	return !exchange.torn;
}

/* The family's number, and that of its group. */
static void on_group(const struct nlattr *nest)
{
	const struct nlattr *attr;
	const char *name = "";
	uint32_t id = 0;

	mnl_attr_for_each_nested(attr, nest) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GRP_NAME)
			name = mnl_attr_get_str(attr);
		if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GRP_ID)
			id = mnl_attr_get_u32(attr);
	}
	if (!strcmp(name, "decisions"))
		group = id;
}

static void on_family(const struct nlmsghdr *answer, void *to)
{
	const struct nlattr *attr, *nest;

	(void)to;
	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			family = mnl_attr_get_u16(attr);
		if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GROUPS)
			mnl_attr_for_each_nested(nest, attr)
				on_group(nest);
	}
}

bool link_find(void)
{
	struct exchange exchange = { .each = on_family };
	struct request request;
	int one = 1;

	netlink = mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	if (!netlink || mnl_socket_bind(netlink, 0, MNL_SOCKET_AUTOPID))
		die("netlink socket: %s", strerror(errno));
	/* kernels that know no extended errors still answer */
	mnl_socket_setsockopt(netlink, NETLINK_EXT_ACK, &one, sizeof(one));
	mnl_socket_setsockopt(netlink, NETLINK_CAP_ACK, &one, sizeof(one));
	family = GENL_ID_CTRL;
	request_begin(&request, CTRL_CMD_GETFAMILY, NLM_F_ACK);
	mnl_attr_put_strz(request.header, CTRL_ATTR_FAMILY_NAME, TCP_ABT_FAMILY_NAME);
	return exchange_run(&request, &exchange) >= 0;
}

void link_open(void)
{
	if (link_find())
		return;
	if (errno == ENOENT)
		die("the module tcp_abt is not loaded: modprobe tcp_abt, or insmod kmod/tcp_abt.ko where it was built");
	die("asking for tcp_abt: %s", strerror(errno));
}

int link_listen(void)
{
	int room = LISTEN_ROOM;

	/* without the right to more, the usual buffer has to do */
	if (setsockopt(mnl_socket_get_fd(netlink), SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)))
		setsockopt(mnl_socket_get_fd(netlink), SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	if (mnl_socket_setsockopt(netlink, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)))
		die("listening to decisions: %s%s", strerror(errno), advice(errno));
	return mnl_socket_get_fd(netlink);
}

void link_take(answer_t each, void *to)
{
	struct exchange exchange = { .each = each, .to = to };
	ssize_t size = mnl_socket_recvfrom(netlink, answers, sizeof(answers));

	if (size < 0 && errno == ENOBUFS)
		each(NULL, to);
	else if (size < 0 && errno != EINTR)
		die("listening to decisions: %s", strerror(errno));
	else if (size > 0)
		mnl_cb_run(answers, size, 0, 0, on_answer, &exchange);
}
