# SPDX-License-Identifier: GPL-2.0
# Memory in use over time: what the queues at both ends of all flows hold, with the limit. The kernel's own count
# moves in steps of 1 MB per processor, which is too coarse for a short host.
load "style.gp"
width = 860
height = 510
load "terminal.gp"
limit = metric(word(variants, 1), "memory_limit_bytes") / 1e6
set title sprintf("{/:Bold TCP memory in use (the most in brackets)}\n{/*0.85 %s}", where_text)
set xlabel "time [s]"
set ylabel "memory held by all flows [MB]"
set xrange [0:last_s * 1.02]
set yrange [0:limit * 1.1]
set key below height 1 horizontal Left reverse samplen 1.6 noenhanced width -1
plot limit with lines ls 20 title "limit (tcp_mem)", \
     for [i = 1:words(variants)] file(word(variants, i), "memory") skip 1 \
         using 1:(column(3) / 1e6) with lines lw 1.8 lc rgb colour[i] \
         title sprintf("%s (%.1f MB)", word(variants, i), metric(word(variants, i), "held_peak_bytes") / 1e6)
