# SPDX-License-Identifier: GPL-2.0
# A flow on a path that changes: RTT, receive buffer and goodput over time, one above the other, a line a variant.
load "style.gp"
width = 900
height = 960
load "terminal.gp"
set multiplot layout 3, 1 title sprintf("{/:Bold %s}\n{/*0.85 %s}", title_text, where_text) margins char 11, char 2, char 3.8, char 5.5 spacing char 2, char 2
set xrange [0:last_s * 1.02]
set yrange [0:*]
set key top right Left reverse samplen 1.6 noenhanced
# columns of sockets.tsv by name
place(name) = int(system(sprintf("head -1 '%s' | tr '\\t' '\\n' | grep -nx '%s' | cut -d: -f1", file(word(variants, 1), "sockets"), name)))
rtt = place("rtt_us")
buffer = place("rcvbuf")
set format x ""
set ylabel "smoothed RTT\n[ms]"
plot for [i = 1:words(variants)] file(word(variants, i), "sockets") skip 1 \
         using 1:(column(rtt) / 1e3) with lines lw 2.2 lc rgb colour[i] title word(variants, i)
unset key
set ylabel "receive buffer\n[MB of truesize]"
plot for [i = 1:words(variants)] file(word(variants, i), "sockets") skip 1 \
         using 1:(column(buffer) / 1e6) with lines lw 2.2 lc rgb colour[i] notitle
set format x "%g"
set xlabel "time [s]" offset 0, 0.4
set ylabel "goodput\n[Mbit/s]"
plot for [i = 1:words(variants)] file(word(variants, i), "goodput") skip 1 using 1:2 with lines lw 2.2 lc rgb colour[i] notitle
unset multiplot
