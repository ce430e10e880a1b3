# SPDX-License-Identifier: GPL-2.0
# What a flow's buffers make of its path: receive buffer and RTT over time, one above the other, a line a variant.
load "style.gp"
width = 860
height = 760
load "terminal.gp"
set multiplot layout 2, 1 title sprintf("{/:Bold %s}\n{/*0.85 %s}", title_text, where_text) margins char 9.5, char 2, char 3.8, char 5.5 spacing char 2, char 4.5
set xrange [0:last_s * 1.02]
set yrange [0:*]
set key at graph 0.5, graph 1.13 center horizontal Left reverse samplen 1.6 noenhanced
# columns of sockets.tsv by name
place(variant, name) = int(system(sprintf("head -1 '%s' | tr '\\t' '\\n' | grep -nx '%s' | cut -d: -f1", file(variant, "sockets"), name)))
array rcvbuf_at[words(variants)]
array rtt_at[words(variants)]
do for [i = 1:words(variants)] {
    rcvbuf_at[i] = place(word(variants, i), "rcvbuf")
    rtt_at[i] = place(word(variants, i), "rtt_us")
}
set ylabel "receive buffer [MB of truesize]"
plot for [i = 1:words(variants)] file(word(variants, i), "sockets") skip 1 \
         using 1:(column(rcvbuf_at[i]) / 1e6) with lines lw 2.2 lc rgb colour[i] title word(variants, i)
set xlabel "time [s]" offset 0, 0.4
set ylabel "smoothed RTT [ms]"
unset key
plot for [i = 1:words(variants)] file(word(variants, i), "sockets") skip 1 \
         using 1:(column(rtt_at[i]) / 1e3) with lines lw 2.2 lc rgb colour[i] notitle
unset multiplot
