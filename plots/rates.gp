# SPDX-License-Identifier: GPL-2.0
# The flows of goodput.tsv, and the largest goodput of any of them in the first n variants.
flows = system(sprintf("head -1 '%s' | cut -f2- | tr '\\t' ' '", file(word(variants, 1), "goodput")))
n_flows = words(flows)
rate_top = 0
do for [i = 1:n] {
    do for [f = 1:n_flows] {
        stats file(word(variants, i), "goodput") skip 1 using (column(f + 1)) nooutput
        rate_top = (STATS_max > rate_top) ? STATS_max : rate_top
    }
}
