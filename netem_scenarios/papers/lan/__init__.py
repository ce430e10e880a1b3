# SPDX-License-Identifier: GPL-2.0
"""A LAN with tcp_abt beside one without: the short plans of sdp_sweep and toe_profile, in one boot."""
