# SPDX-License-Identifier: GPL-2.0
# Time of a message by size in the adapter's model, for three transfer modes. Of DIR/model.tsv (make sdp-sweep).
load "look.gp"
width = 900
height = 460
load "terminal.gp"
table = sprintf("%s/model.tsv", dir)
array label[4] = ["Bcopy: all of it takes the sending host's CPU", "Read Zcopy", "Write Zcopy", "Zcopy, of the sending host's CPU"]
array tint[4] = [colour[1], colour[2], colour[3], "#707070"]
array dash[4] = [1, 1, 1, 2]
array fields[4] = [2, 3, 4, 6]
set title "{/:Bold Transfer modes of SDP in the model of the adapter}\n{/*0.85 a message from when it is given to when it has arrived}"
set logscale x 2
set logscale y
set xrange [11:1.5e6]
set yrange [1:9000]
set xtics ("16" 16, "256" 256, "4 Ki" 4096, "64 Ki" 65536, "1 Mi" 1048576)
set ytics ("1" 1, "10" 10, "100" 100, "1,000" 1000)
set xlabel "message [bytes]"
set ylabel "time [us]"
set key left top Left reverse samplen 3
plot for [i = 1:4] table using 1:(column(fields[i]) / 1000) skip 1 with lines lw 2.2 dt dash[i] lc rgb tint[i] title label[i]
