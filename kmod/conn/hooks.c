// SPDX-License-Identifier: GPL-2.0
/* The hooks that offload/ and control/ register. */
#include "conn/hooks.h"

struct abt_hooks abt_hooks __ro_after_init;

DEFINE_STATIC_KEY_FALSE(abt_hooks_event);
