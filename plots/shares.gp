# SPDX-License-Identifier: GPL-2.0
# What each flow has of a pool, and what it makes of it: receive buffer and goodput in the steady part, and how long its transfer took; a bar
# for each variant, a column of panels for each value of the scenario's first axis.
load "style.gp"
table = dir."/flows.tsv"
unique(name) = system(sprintf("awk -F'\\t' 'NR==1 {for (i = 1; i <= NF; i++) if ($i == \"%s\") c = i} NR>1 && !seen[$c]++ {print $c}' '%s'", name, table))
axis = system(sprintf("head -1 '%s' | cut -f1", table))
cells = unique(axis)
flows = unique("flow")
n = words(variants)
columns = words(cells)
width = 520 * columns + 80
height = 860
load "terminal.gp"
# flow's place and this metric, of one variant in one cell
of(cell, variant, name) = sprintf("< awk -F'\\t' -v OFS='\\t' -v x='%s' -v v='%s' 'NR==1 {for (i = 1; i <= NF; i++) c[$i] = i; next} !($c[\"flow\"] in at) {at[$c[\"flow\"]] = k++} $1 == x && $c[\"variant\"] == v {print at[$c[\"flow\"]], $c[\"%s\"]}' '%s'", cell, variant, name, table)
array what[3] = ["rcvbuf_steady_bytes", "steady_mbps", "took_s"]
array label[3] = ["receive buffer [MB]", "goodput [Mbit/s]", "transfer took [s]"]
array unit[3] = [1e6, 1, 1]
array top[3] = [0, 0, 0]
do for [row = 1:3] {
    do for [p = 1:columns] {
        do for [i = 1:n] {
            stats of(word(cells, p), word(variants, i), what[row]) using ($2 / unit[row]) nooutput
            top[row] = (STATS_max > top[row]) ? STATS_max : top[row]
        }
    }
}
bar = 0.8 / n
beside(i) = (i - (n + 1) / 2.0) * bar
set boxwidth bar * 0.92
set style fill solid 0.9 noborder
set multiplot layout 3, columns rowsfirst title sprintf("{/:Bold %s}\n{/*0.85 %s}", title_text, where_text) margins char 10, char 2, char 2.5, char 7 spacing char 2, char 2.2
set xrange [-0.6:words(flows) - 0.4]
set xtics (word(flows, 1) 0) scale 0 noenhanced
do for [i = 2:words(flows)] { set xtics add (word(flows, i) i - 1) }
set key at screen 0.5, screen 0.905 center vertical maxrows 1 Left reverse samplen 0.8 noenhanced
do for [row = 1:3] {
    set yrange [0:top[row] * 1.1]
    set ytics top[row] > 30 ? 10 : top[row] > 5 ? 5 : 0.5
    do for [p = 1:columns] {
        if (row == 1) { set title sprintf("%s: %s", axis, word(cells, p)) noenhanced offset 0, -0.7 } else { unset title }
        if (p == 1) { set ylabel label[row] offset 0, 0; set format y "%g" } else { unset ylabel; set format y "" }
        if (row == 1 && p == 1) { set key } else { unset key }
        plot for [i = 1:n] of(word(cells, p), word(variants, i), what[row]) using ($1 + beside(i)):($2 / unit[row]) with boxes lc rgb colour[i] title word(variants, i)
    }
}
unset multiplot
