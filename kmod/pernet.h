/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_PERNET_H
#define ABT_PERNET_H

int abt_pernet_register(void);
void abt_pernet_unregister(void);

#endif /* ABT_PERNET_H */
