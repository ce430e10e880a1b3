# SPDX-License-Identifier: GPL-2.0
#
# tcp_abt: `make` builds kmod/tcp_abt.ko, `make help` lists the other targets.

KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
LAB ?= packaged
KERNEL ?= 6.12
SUITE ?= bookworm
SIZE ?= scaled
HOST ?= 0

top := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
kbuild = $(MAKE) -C $(KDIR) M=$(top)

.DEFAULT_GOAL := modules
.PHONY: modules install clean help help-all setup setup-packages test demo scenario grid claims tables stale model-test kselftest programs matrix coverage scale threads lines epochs crowds recent np-sched cost cost-where toe-profile sdp-sweep papers netlink-fuzz watched upstream abt abt-test install-abt fuzz check torture soak mutants headers version-test monitoring-test docs-test deb rpm deb-test fleet-test ansible-test kmm-test variants

modules: headers
	$(kbuild) modules

install: modules
	$(kbuild) modules_install
	depmod -b '$(INSTALL_MOD_PATH)/' -a "$$(cat $(KDIR)/include/config/kernel.release)"

abt:
	@$(MAKE) --no-print-directory -C $(top)/abt

abt-test:
	@$(MAKE) --no-print-directory -C $(top)/abt test

version-test: abt
	@$(top)/deploy/packaging/tests/version $(top)/out/abt/abt

install-abt:
	@$(MAKE) --no-print-directory -C $(top)/abt install

monitoring-test: abt
	@$(top)/deploy/monitoring/check $(top)/out/abt/abt

kmm-test:
	@$(top)/deploy/fleet/kmm/check

docs-test: abt
	@$(top)/docs/check $(top)/out/abt/abt

deb:
	@$(top)/deploy/packaging/build $(top)/out/packages

rpm:
	@$(top)/deploy/packaging/rpm/build $(top)/out/packages-rpm

deb-test: setup-packages deb
	@$(top)/deploy/packaging/test $(KERNEL) $(top)/out/packages $(top)/out/deb-test-$(SUITE)-$(KERNEL) $(SUITE)

headers:
	@test -f $(KDIR)/Makefile || { \
	  echo "No kernel build tree at $(KDIR)." >&2; \
	  echo "For the kernel $(KVER): apt-get install linux-headers-$(KVER)" >&2; \
	  echo "For another one: make KDIR=/path/to/its/build/tree" >&2; \
	  exit 1; }

# On machines of their own: two hosts and a router between them.
fleet-test: setup-packages deb
	@for test in $(or $(T),packages ansible hosts); do \
	  $(top)/deploy/fleet/tests/$$test $(KERNEL) $(top)/out/packages $(top)/out/fleet-$$test-$(KERNEL) || exit 1; done

ansible-test:
	@$(top)/deploy/fleet/ansible/check

# By name, not through Kbuild: the headers it was built with may be gone.
clean:
	@find $(top)/kmod $(top)/netem_scenarios/papers \( -name '*.o' -o -name '*.ko' -o -name '*.mod' -o -name '*.mod.c' \
	  -o -name '.*.cmd' -o -name modules.order \) -delete
	@rm -f $(addprefix $(top)/,Module.symvers modules.order .module-common.o .*.cmd)
	@$(MAKE) --no-print-directory -C $(top)/selftests/model clean

setup:
	@$(top)/lab/setup

setup-packages:
	@$(top)/lab/setup packages

test:
	@$(top)/lab/test

# What needs no kernel to be booted.
check:
	@$(top)/lab/test set-up scripts version docs words-test words monitoring ansible 'build-*' coccicheck contract-test contract layers layout checkpatch kernel-doc

# All kselftests, where a mistake is noticed at once; T: some of these steps.
torture: setup abt
	@$(top)/lab/test $(addprefix torture-,$(or $(T),model repeat lab 6.12-rest 6.1-rest 7.3-debug 6.12-packaged 6.1-packaged 6.12-arm64-packaged 6.12-debug-smp 7.3-debug-smp 7.3-kcsan-smp paths paths-smp soak-smp))

# Virtual minutes of mixed traffic there, with everything else at random.
soak: setup abt
	@$(top)/lab/lab --lab virtual --kernel 7.3-debug --timeout 14400 --out $(top)/out/soak \
	  -- env SOAK_MINUTES='$(SOAK_MINUTES)' SOAK_SEED='$(SOAK_SEED)' $(top)/selftests/run.sh soak

mutants: setup abt
	@$(top)/selftests/mutation/run

variants: setup
	@$(top)/lab/variants $(V)

model-test:
	@$(MAKE) --no-print-directory -C $(top)/selftests/model

fuzz:
	@$(MAKE) --no-print-directory -C $(top)/selftests/model fuzz

kselftest: setup abt programs
	@$(top)/lab/lab --ynl --lab $(LAB) --kernel $(KERNEL) --timeout 3000 \
	  --out $(top)/out/kselftest-$(KERNEL) -- $(top)/selftests/run.sh

programs:
	@$(MAKE) --no-print-directory -s -C $(top)/selftests
	@$(MAKE) --no-print-directory -s -C $(top)/netem_scenarios

matrix:
	@$(top)/lab/matrix

upstream: setup
	@dir=$$($(top)/selftests/upstream/build.py) && $(top)/lab/lab --lab virtual \
	  --kernel 7.3-upstream --timeout 3000 --out $(top)/out/upstream -- $(top)/selftests/upstream/run.sh $$dir $(T)

netlink-fuzz: setup abt
	@$(top)/lab/lab --ynl --lab virtual --kernel 7.3-debug --timeout 5400 \
	  --out $(top)/out/netlink-fuzz -- env ABT_FUZZ=1000000 $(top)/selftests/run.sh netlink

# By a clock that counts instructions: a list takes the time that it takes a processor.
watched: setup abt programs
	@$(top)/lab/lab --lab count --kernel $(KERNEL) --mem 10G --timeout 5400 --out $(top)/out/watched \
	  -- env $(and $(CONNS),PORTS=25 EACH=$$(($(CONNS) / 25))) WAIT_SECONDS=3000 LIMIT_SECONDS=30000 $(top)/selftests/run.sh watched

coverage: setup abt
	@$(top)/lab/coverage $(S)

scale: LAB = vm
scale: setup abt
	@$(top)/selftests/model/scale $(top)/out/scale
	@$(top)/lab/lab --lab $(LAB) --kernel $(KERNEL) --cpus 1 --mem 3G --timeout 600 \
	  --out $(top)/out/scale-$(KERNEL) -- $(top)/selftests/run.sh scale

threads: setup
	@$(top)/selftests/model/threads $(top)/out/threads

lines: setup
	@$(top)/selftests/model/lines $(top)/out/lines

epochs: setup
	@$(top)/selftests/model/epochs $(top)/out/epochs

crowds: setup abt programs
	@$(top)/lab/lab --lab virtual --kernel 7.3 --build coverage --timeout 3000 --out $(top)/out/crowds \
	  -- env LIMIT_SECONDS=3000 $(top)/selftests/run.sh crowds

recent: setup
	@$(top)/selftests/model/recent $(top)/out/recent

np-sched: setup
	@$(top)/selftests/model/np_sched $(top)/out/np_sched

cost: setup
	@$(top)/selftests/cost/cost

cost-where: setup
	@$(top)/selftests/cost/where

toe-profile: setup
	@$(top)/netem_scenarios/papers/toe_profile/run

sdp-sweep: setup
	@$(top)/netem_scenarios/papers/sdp_sweep/run

papers: setup
	@$(top)/netem_scenarios/papers/all $(if $(filter 1,$(SCENARIOS)),--scenarios)

# 7.3 is a kernel of the virtual lab's alone: the machines of the others are Debian's.
demo: LAB = virtual
demo: KERNEL = $(if $(filter virtual,$(LAB)),7.3,6.12)
demo:
	@$(top)/netem_scenarios/demo $(if $(filter 1,$(HOST)),host,$(LAB)) $(KERNEL)

scenario: setup
	@$(top)/netem_scenarios/launch '$(S)' $(SIZE) $(if $(HOSTS),hosts '$(HOSTS)',$(LAB) $(KERNEL)) $(top)/out/$(S)-$(SIZE)$(if $(HOSTS),-hosts)

grid: setup
	@$(top)/netem_scenarios/launch grid full virtual 7.3 $(top)/out/grid

claims: setup
	@$(top)/netem_scenarios/claims $(S)

tables: setup
	@$(top)/netem_scenarios/tables $(S)

stale: setup abt
	@$(top)/lab/stale

help:
	@echo 'tcp_abt: adaptive TCP buffer tuning as a loadable module'
	@echo
	@echo 'Build and use'
	@echo '  make                  build kmod/tcp_abt.ko for the running kernel'
	@echo '  make install          install the module (root)'
	@echo '  make abt              build the command abt, out/abt/abt'
	@echo '  make install-abt      install the command with its manual (root)'
	@echo '  make deb              build the Debian packages, out/packages/'
	@echo '  make rpm             the same sources as RPM packages; built here, not run'
	@echo 'Try'
	@echo '  make demo             four FTP uploads, with the module and without'
	@echo '  make scenario S=NAME  run one scenario of netem_scenarios/'
	@echo 'Change'
	@echo '  make check            the checks that boot no kernel'
	@echo '  make kselftest        the kselftests in one kernel  [KERNEL=6.12|6.1]'
	@echo '  make test             all checks and tests'
	@echo '  make clean            remove what was built'
	@echo
	@echo 'make help-all lists every target. Results are written to out/.'

help-all:
	@echo 'Build and install'
	@echo '  make                 build kmod/tcp_abt.ko (and toe_hybrid.ko, docs/toe.md) for the running kernel'
	@echo '  make KDIR=DIR        the same for another kernel build tree (ARCH=um for a UML tree)'
	@echo '  make install         install the module for the kernel it was built for (root)'
	@echo '  make abt             build the command abt, out/abt/abt'
	@echo '  make install-abt     install it, with its manual and completions (root)  [PREFIX=/usr] [DESTDIR=DIR]'
	@echo '  make deb             build the Debian packages tcp-abt-dkms and tcp-abt-tools, out/packages/'
	@echo '  make clean           remove what was built in this tree'
	@echo '  make setup           install the tools that demo and test need (says which first)'
	@echo
	@echo 'Scenarios and what follows from them (netem_scenarios/)'
	@echo '  make demo            four FTP uploads, four variants, table and figures  [LAB=virtual|packaged|vm] [KERNEL=7.3|6.12|6.1]'
	@echo '  make demo HOST=1     the same on this machine itself (root; inserts the module here)'
	@echo '  make scenario S=NAME one scenario  [LAB=virtual|packaged|vm|host] [KERNEL=7.3|6.12|6.1] [SIZE=scaled|paper], or on two machines  HOSTS=FILE'
	@echo '  make grid            every path from a slow LAN to a satellite, stock, hand-tuned and tcp_abt (an hour or more)'
	@echo '  make claims          does every claim of every scenario hold? one table (over an hour)  [S="NAME..."]'
	@echo '  make tables          tables and figures of the documentation that scenarios are the source of, anew  [S="NAME..."]'
	@echo '  make stale           which tables and figures are of another module: the cheap ones anew, commands for the others'
	@echo '  make papers          the tables and figures of all papers [SCENARIOS=1: the long ones, too]'
	@echo '  make toe-profile     where the time of a send and a receive goes, beside the TOE paper (10 minutes)'
	@echo '  make sdp-sweep       TCP, MSG_ZEROCOPY and sockets over RDMA by message size, beside the SDP paper (20 minutes)'
	@echo '  make np-sched        packet pieces over hardware threads: throughput for ss, ml and mlp (a minute)'
	@echo
	@echo 'Tests (selftests/, lab/)'
	@echo '  make check           the checks that boot no kernel: W=1, sparse, checkpatch, kernel-doc, shellcheck, ruff, mypy, the kernel contract, the layers, the cache lines of records and pools'
	@echo '  make test            everything: builds, checks, model tests, kselftests in lab kernels'
	@echo '  make matrix          what the last make test came to, kernel by kernel, into the README'
	@echo '  make model-test      the arithmetic alone, in user space'
	@echo '  make fuzz            the arithmetic, fed with what libFuzzer comes up with, for ten minutes'
	@echo '  make kselftest       the kselftests in one lab kernel  [KERNEL=6.12|6.1]'
	@echo '  make upstream        the kernel'"'"'s own TCP, TLS and MPTCP tests, without the module and with it  [T=WORD]'
	@echo '  make netlink-fuzz    two million random and damaged netlink messages, with KASAN (half an hour)'
	@echo '  make torture         all kselftests in debug kernels, one processor and two: KASAN, lockdep, kmemleak, KCSAN (hours)  [T=7.3-debug]'
	@echo '  make soak            the same kernel, an hour of mixed traffic and changes at random  [SOAK_MINUTES=75] [SOAK_SEED=N]'
	@echo '  make mutants         deliberate defects, one at a time: which test sees which? (an hour)'
	@echo '  make coverage        which lines of the module tests and scenarios run  [S="NAME..."]'
	@echo '  make variants        builds for kernels configured otherwise: clang, i386, no IPv6, no /proc, real time  [V="NAME..."]'
	@echo
	@echo 'Cost (selftests/cost/, selftests/model/)'
	@echo '  make cost            instructions that the module adds to bulk transfer, requests, connections (10 minutes)'
	@echo '  make cost-where      the functions that these instructions are in, without the module and with it (10 minutes)'
	@echo '  make scale           the work of the pools from 1,000 to 1,000,000 connections; 10,000 in a lab kernel  [KERNEL=6.12|6.1]'
	@echo '  make crowds          full steps and locks of the pools by segment, with up to 8,000 connections (10 minutes)'
	@echo '  make recent          records that are in no slot of recent ones, with up to 100,000 connections'
	@echo '  make threads         the work of the pools with two threads over that of one'
	@echo '  make lines           cache lines of the pools that 1 to 256 processors take from each other'
	@echo '  make epochs          what an epoch costs a path, with up to 100,000 paths and members'
	@echo '  make watched         goodput of a flow beside abt -j conn in a loop  [CONNS=100000] [KERNEL=6.12|6.1]'
	@echo
	@echo 'Packages, fleets and monitoring (deploy/)'
	@echo '  make deb-test        install, use, remove and purge them in a fresh Debian in a VM  [KERNEL=6.12|6.1] [SUITE=bookworm|trixie]'
	@echo '  make ansible-test    the Ansible role: ansible-lint and syntax, a part of make check'
	@echo '  make fleet-test      two hosts and a router in VMs: a long path with the packages, the Ansible role  [KERNEL=6.12|6.1] [T=packages|ansible|hosts|upgrade]'
	@echo '  make kmm-test        the manifests for Kubernetes nodes, against the schema of Kernel Module Management (deploy/fleet/kmm)'
	@echo
	@echo 'Kernels, tools and builds are cached in $${TCP_ABT_CACHE:-$${XDG_CACHE_HOME:-~/.cache}/tcp_abt};'
	@echo 'results are written to out/.'
