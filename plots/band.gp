# SPDX-License-Identifier: GPL-2.0
# ATBT's band: 1, 2 and 4 congestion windows and the send buffer over time, a panel a flow, under the last variant. All in the
# buffer's terms, truesize: a window is cwnd x mss x what a byte costs in this send queue at that moment (wmem / queued).
load "style.gp"
variant = word(variants, words(variants))
flows = system(sprintf("awk -F'\\t' 'NR==1 {for (i = 1; i <= NF; i++) if ($i == \"flow\") c = i} NR>1 && !seen[$c]++ {print $c}' '%s/flows.tsv'", dir))
n = words(flows)
columns = (n > 2) ? 3 : n
rows = int(ceil(real(n) / columns))
width = 400 * columns + 60
height = 290 * rows + 150
load "terminal.gp"
# t, cwnd [bytes of truesize], send buffer
band(flow) = sprintf("< awk -F'\\t' -v OFS='\\t' -v f='%s' 'NR==1 {for (i = 1; i <= NF; i++) c[$i] = i} $2 == f && $c[\"queued\"] > 0 {print $1, $c[\"cwnd\"] * $c[\"mss\"] * $c[\"wmem\"] / $c[\"queued\"], $c[\"sndbuf\"]}' '%s'", flow, file(variant, "sockets"))
set multiplot layout rows, columns title sprintf("{/:Bold Congestion windows and send buffer of each flow, %s}\n{/*0.85 %s}", literal(variant), where_text) \
    margins screen 106.0 / width, screen 1 - 20.0 / width, screen 96.0 / height, screen 1 - 100.0 / height spacing screen 90.0 / width, screen 80.0 / height
set xrange [0:last_s * 1.02]
set format y "%.0s %cB"
set key at screen 0.5, screen 8.0 / height center bottom horizontal maxrows 1 Left reverse samplen 1.8
do for [i = 1:n] {
    set title word(flows, i) offset 0, -0.6 noenhanced
    if (i > 1) { unset key }
    if (i > n - columns) { set xlabel "time [s]" offset 0, 0.5 }
    set yrange [*:*] # stats heeds it
    stats band(word(flows, i)) using 3 nooutput
    set yrange [0:STATS_max * 1.6]
    plot band(word(flows, i)) using 1:(2 * $2):(4 * $2) with filledcurves lc rgb "#CFE3F1" title "2 to 4 cwnd", \
         "" using 1:2 with lines lw 1.2 lc rgb colour[3] title "cwnd", \
         "" using 1:(2 * $2) with lines lw 0.8 lc rgb colour[6] notitle, \
         "" using 1:(4 * $2) with lines lw 0.8 lc rgb colour[6] notitle, \
         "" using 1:3 with steps lw 2 lc rgb colour[2] title "send buffer"
}
unset multiplot
