# SPDX-License-Identifier: GPL-2.0
#
# tcp_abt: `make` builds kmod/tcp_abt.ko, `make help` lists the rest.

KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
LAB ?= vm
KERNEL ?= 6.12
SIZE ?= scaled
HOST ?= 0

top := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
kbuild = $(MAKE) -C $(KDIR) M=$(top)

.DEFAULT_GOAL := modules
.PHONY: modules install clean help setup test demo scenario grid model-test kselftest coverage headers

modules: headers
	$(kbuild) modules

install: modules
	$(kbuild) modules_install
	depmod -b '$(INSTALL_MOD_PATH)/' -a "$$(cat $(KDIR)/include/config/kernel.release)"

headers:
	@test -f $(KDIR)/Makefile || { \
	  echo "No kernel build tree at $(KDIR)." >&2; \
	  echo "For the kernel $(KVER): apt-get install linux-headers-$(KVER)" >&2; \
	  echo "For another one: make KDIR=/path/to/its/build/tree" >&2; \
	  exit 1; }

# By name, not through Kbuild: the headers it was built with may be gone.
clean:
	@find $(top)/kmod \( -name '*.o' -o -name '*.ko' -o -name '*.mod' -o -name '*.mod.c' \
	  -o -name '.*.cmd' -o -name modules.order \) -delete
	@rm -f $(addprefix $(top)/,Module.symvers modules.order .module-common.o .*.cmd)
	@$(MAKE) --no-print-directory -C $(top)/selftests/model clean

setup:
	@$(top)/selftests/lab/setup

test:
	@$(top)/selftests/lab/test

model-test:
	@$(MAKE) --no-print-directory -C $(top)/selftests/model

kselftest: setup
	@$(top)/selftests/lab/lab --lab $(LAB) --kernel $(KERNEL) --timeout 900 \
	  --out $(top)/out/kselftest-$(KERNEL) -- $(top)/selftests/run.sh

coverage: setup
	@$(top)/selftests/lab/coverage $(S)

demo:
	@$(top)/netem_scenarios/demo $(if $(filter 1,$(HOST)),host,$(LAB)) $(KERNEL)

scenario: setup
	@$(top)/netem_scenarios/launch '$(S)' $(SIZE) $(LAB) $(KERNEL) $(top)/out/$(S)-$(SIZE)

grid: setup
	@$(top)/netem_scenarios/launch grid full virtual 7.3 $(top)/out/grid

help:
	@echo 'tcp_abt: adaptive TCP buffer tuning as a loadable module'
	@echo
	@echo '  make                 build kmod/tcp_abt.ko for the running kernel'
	@echo '  make KDIR=DIR        the same for another kernel build tree (ARCH=um for a UML tree)'
	@echo '  make install         install the module for the kernel it was built for (root)'
	@echo '  make clean           remove what was built in this tree'
	@echo '  make setup           install the tools that demo and test need (says which first)'
	@echo '  make demo            four FTP uploads, four variants, one figure, in a VM'
	@echo '  make demo HOST=1     the same on this machine itself (root; inserts the module here)'
	@echo '  make scenario S=NAME one scenario  [LAB=vm|host] [KERNEL=6.12|6.1] [SIZE=scaled|paper]'
	@echo '  make grid            every path from a slow LAN to a satellite, stock, hand-tuned and tcp_abt (an hour or more)'
	@echo '  make test            everything: builds, checks, model tests, kselftests in lab kernels'
	@echo '  make model-test      the arithmetic alone, in user space'
	@echo '  make kselftest       the kselftests in one lab kernel  [KERNEL=6.12|6.1]'
	@echo '  make coverage        which lines of the module tests and scenarios run  [S="NAME..."]'
	@echo '  make help            this text'
	@echo
	@echo 'Kernels, tools and builds are cached in $${TCP_ABT_CACHE:-$${XDG_CACHE_HOME:-~/.cache}/tcp_abt};'
	@echo 'results are written to out/.'
