/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, made by lab/spec.py --write of kmod/control/tcp_abt.yaml */
#ifndef TCP_ABT_WORDS_GEN_H
#define TCP_ABT_WORDS_GEN_H

/* The words of values, in their order, NULL at the end. */
extern const char *const tcp_abt_mode_words[];
extern const char *const tcp_abt_policy_words[];
extern const char *const tcp_abt_path_state_words[];
extern const char *const tcp_abt_share_words[];
extern const char *const tcp_abt_alpha_signal_words[];
extern const char *const tcp_abt_reason_words[];

#endif /* TCP_ABT_WORDS_GEN_H */
