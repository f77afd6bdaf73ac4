# SPDX-License-Identifier: MIT
"""The table of clients."""
import angle
import dawn
import gl_conformance
import imgui
import sdl
import vkd3d
import webgpu_program
import wine_tests

CLIENTS = {client.name: client for client in (
    wine_tests.D3D11,
    wine_tests.D3D10CORE,
    wine_tests.DXGI,
    wine_tests.DIRECT2D,
    vkd3d.CLIENT,
    angle.OLD_ES2,
    angle.ES2,
    angle.ES3,
    sdl.TESTS_OF_SDL,
    sdl.AUTOMATION_OF_SDL,
    imgui.EXAMPLE,
    dawn.D3D11,
    gl_conformance.CLIENT,
    webgpu_program.CLIENT,
)}
