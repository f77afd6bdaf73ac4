# SPDX-License-Identifier: MIT
"""The table of clients."""
import wine_tests

CLIENTS = {client.name: client for client in (
    wine_tests.D3D11,
    wine_tests.D3D10CORE,
)}
