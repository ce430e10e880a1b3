# SPDX-License-Identifier: GPL-2.0
# TCP memory in use over time (both ends, all connections), with the limit.
load "style.gp"
width = 860
height = 480
load "terminal.gp"
limit = metric(word(variants, 1), "memory_limit_bytes") / 1e6
top = limit
do for [v in variants] { top = (metric(v, "memory_peak_bytes") / 1e6 > top) ? metric(v, "memory_peak_bytes") / 1e6 : top }
set title sprintf("{/:Bold TCP memory in use}\n{/*0.85 %s}", where_text)
set xlabel "time [s]"
set ylabel "TCP memory of all hosts [MB]"
set xrange [0:last_s * 1.02]
set yrange [0:top * 1.3]
set key top right horizontal Left reverse samplen 2 noenhanced
plot limit with lines ls 20 title "limit (tcp_mem)", \
     for [i = 1:words(variants)] file(word(variants, i), "memory") skip 1 \
         using 1:(column(2) / 1e6) with lines lw 2 lc rgb colour[i] title word(variants, i)
