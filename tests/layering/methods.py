#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The README's table of Direct3D 11 methods: every method is in it once, its packets exist, and the scenes
beside them exist and use them."""

import pathlib
import re
import sys

STAGES = ["VS", "HS", "DS", "GS", "PS", "CS"]

DEVICE = """CreateBuffer CreateTexture1D CreateTexture2D CreateTexture3D CreateShaderResourceView
CreateUnorderedAccessView CreateRenderTargetView CreateDepthStencilView CreateInputLayout CreateVertexShader
CreateGeometryShader CreateGeometryShaderWithStreamOutput CreatePixelShader CreateHullShader CreateDomainShader
CreateComputeShader CreateClassLinkage CreateBlendState CreateDepthStencilState CreateRasterizerState
CreateSamplerState CreateQuery CreatePredicate CreateCounter CreateDeferredContext OpenSharedResource
CheckFormatSupport CheckMultisampleQualityLevels CheckCounterInfo CheckCounter CheckFeatureSupport GetPrivateData
SetPrivateData SetPrivateDataInterface GetFeatureLevel GetCreationFlags GetDeviceRemovedReason
GetImmediateContext SetExceptionMode GetExceptionMode""".split()

CONTEXT = """DrawIndexed Draw Map Unmap IASetInputLayout IASetVertexBuffers IASetIndexBuffer DrawIndexedInstanced
DrawInstanced IASetPrimitiveTopology Begin End GetData SetPredication OMSetRenderTargets
OMSetRenderTargetsAndUnorderedAccessViews OMSetBlendState OMSetDepthStencilState SOSetTargets DrawAuto
DrawIndexedInstancedIndirect DrawInstancedIndirect Dispatch DispatchIndirect RSSetState RSSetViewports
RSSetScissorRects CopySubresourceRegion CopyResource UpdateSubresource CopyStructureCount ClearRenderTargetView
ClearUnorderedAccessViewUint ClearUnorderedAccessViewFloat ClearDepthStencilView GenerateMips SetResourceMinLOD
GetResourceMinLOD ResolveSubresource ExecuteCommandList CSSetUnorderedAccessViews CSGetUnorderedAccessViews
IAGetInputLayout IAGetVertexBuffers IAGetIndexBuffer IAGetPrimitiveTopology GetPredication OMGetRenderTargets
OMGetRenderTargetsAndUnorderedAccessViews OMGetBlendState OMGetDepthStencilState SOGetTargets RSGetState
RSGetViewports RSGetScissorRects ClearState Flush GetType GetContextFlags FinishCommandList""".split()
CONTEXT += [f"{stage}{verb}{what}" for stage in STAGES for verb in ("Set", "Get")
            for what in ("Shader", "ShaderResources", "Samplers", "ConstantBuffers")]


def expand(cell):
    """`*` before a name stands for all stages."""
    for word in re.findall(r"\*?\w+", cell):
        yield from (stage + word[1:] for stage in STAGES) if word[0] == "*" else [word]


def main():
    root = pathlib.Path(sys.argv[1])
    headers = "".join((root / "include/aerogpu/abi" / name).read_text() for name in ("cmd.h", "ext.h"))
    packets = set(re.findall(r"AEROGPU_CMD_(\w+)", headers))
    readme = (root / "README.md").read_text()
    table = readme.split("## Direct3D 11, method by method")[1].split("\n## ")[0]
    problems, seen = [], []
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) != 3 or cells[0] in ("Method", "---"):
            continue
        seen += expand(cells[0])
        used = re.findall(r"`([A-Z0-9_]+)`", cells[1])
        problems += [f"{cells[0]}: no packet {name}" for name in used if name not in packets]
        scenes = re.findall(r"`([\w/]+)`", cells[2])
        if not cells[1] or (used and not scenes):
            problems.append(f"{cells[0]}: an empty cell")
        texts = {}
        for scene in scenes:
            path = root / "tests/scenes" / f"{scene}.scene"
            texts[scene] = path.read_text() if path.exists() else ""
            if not any(re.search(rf"\b{name}\b", texts[scene]) for name in used):
                problems.append(f"{cells[0]}: {scene} uses none of {', '.join(used)}")
        problems += [f"{cells[0]}: no scene uses {name}" for name in used
                     if not any(re.search(rf"\b{name}\b", text) for text in texts.values())]
    methods = DEVICE + CONTEXT
    problems += [f"{name} is not in the table" for name in methods if name not in seen]
    problems += [f"{name} is in the table {seen.count(name)} times" for name in set(seen) if seen.count(name) > 1]
    problems += [f"{name} is no method" for name in seen if name not in methods]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
