# SPDX-License-Identifier: GPL-2.0
# Throughput, processor time and their ratio by message size. Of DIR/sdp_sweep.tsv (make sdp-sweep).
load "look.gp"
width = 1100
height = 540
load "terminal.gp"
table = sprintf("%s/sdp_sweep.tsv", dir)
ways = "tcp tcp_abt zerocopy rsockets"
array label[4] = ["TCP", "TCP with tcp\\_abt", "TCP, MSG\\_ZEROCOPY (copied after all)", "rsockets over soft-RoCE"]
array point[4] = [5, 1, 9, 7]
rows(way, column) = sprintf("< awk -F'\\t' '$1 == \"%s\" {print $2 \"\\t\" $%d}' '%s'", way, column, table)

set multiplot title "{/:Bold A stream of messages by their size}\n{/*0.85 both ends on one processor of a billion instructions a second, MTU 1500}"
set tmargin at screen 0.77
set bmargin at screen 0.32
set logscale x 2
set xrange [11:1.5e6]
set xtics ("16" 16, "256" 256, "4Ki" 4096, "64Ki" 65536, "1Mi" 1048576)
set xlabel "message [bytes]"
unset key
array title[3] = ["throughput [Mbit/s]", "CPU of the hosts [% of instructions]", "Mbit/s per 1 % CPU"]
array size[4] = [1.5, 0.9, 0.9, 0.9]
do for [panel = 1:3] {
    set lmargin at screen 0.06 + (panel - 1) * 0.33
    set rmargin at screen 0.31 + (panel - 1) * 0.33
    set title title[panel] offset 0, -0.4
    if (panel == 2) {
        unset logscale y
        set yrange [0:105]
        set format y "%g"
    } else {
        set logscale y
        set yrange [*:*]
        set format y "10^{%T}"
    }
    plot for [i = 1:4] rows(word(ways, i), 2 + panel) using 1:2 with linespoints lw 2 pt point[i] ps size[i] lc rgb colour[i]
}
# A panel with nothing but the key.
unset logscale
set lmargin at screen 0.05
set rmargin at screen 0.98
set tmargin at screen 0.17
set bmargin at screen 0.01
unset border
unset tics
unset xlabel
unset title
set yrange [0:1]
set key center center maxrows 2 Left reverse samplen 2
plot for [i = 1:4] NaN with linespoints lw 2 pt point[i] ps size[i] lc rgb colour[i] title label[i]
unset multiplot
