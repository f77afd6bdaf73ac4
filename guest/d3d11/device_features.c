/* SPDX-License-Identifier: MIT
 *
 * CheckFeatureSupport, CheckFormatSupport and CheckMultisampleQualityLevels.
 */
#include "guest/d3d11/device.h"
#include "guest/d3d11/format.h"

#include <string.h>

#define LAST_FORMAT ((unsigned)DXGI_FORMAT_V408)

/* What came with feature level 10_1. */
static UINT bits_above_10_0(UINT format)
{
    const UINT gathers = D3D11_FORMAT_SUPPORT_SHADER_GATHER | D3D11_FORMAT_SUPPORT_SHADER_GATHER_COMPARISON;
    return gathers |
           (rt_format_has((DXGI_FORMAT)format, RT_FORMAT_SNORM) ? (UINT)D3D11_FORMAT_SUPPORT_BLENDABLE : 0);
}

UINT rt_device_format_support(const struct rt_device *device, UINT format)
{
    uint32_t support, support2;
    umd_check_format_support(device->adapter->umd, format, &support, &support2);
    if (device->level < D3D_FEATURE_LEVEL_10_1)
        support &= ~bits_above_10_0(format);
    return support;
}

HRESULT STDMETHODCALLTYPE rt_device_check_format_support(ID3D11Device5 *self, DXGI_FORMAT format,
                                                         UINT *support)
{
    if (!support)
        return E_INVALIDARG;
    *support = rt_device_format_support(rt_device_of(self), format);
    return *support ? S_OK : E_FAIL;
}

HRESULT STDMETHODCALLTYPE rt_device_check_sample_levels1(ID3D11Device5 *self, DXGI_FORMAT format, UINT count,
                                                         UINT flags, UINT *levels)
{
    if (!levels || (unsigned)format > LAST_FORMAT)
        return E_INVALIDARG;
    *levels = 0;
    if (count == 0 || count > D3D11_MAX_MULTISAMPLE_SAMPLE_COUNT)
        return E_FAIL;
    /* Tiled resources have no samples, as there are no tiled resources. */
    if (!(flags & D3D11_CHECK_MULTISAMPLE_QUALITY_LEVELS_TILED_RESOURCE))
        *levels = umd_check_multisample_quality_levels(rt_device_of(self)->adapter->umd, format, count);
    return S_OK;
}

HRESULT STDMETHODCALLTYPE rt_device_check_sample_levels(ID3D11Device5 *self, DXGI_FORMAT format, UINT count,
                                                        UINT *levels)
{
    return rt_device_check_sample_levels1(self, format, count, 0, levels);
}

/* ---- Features ------------------------------------------------------------------------------------------ */

typedef HRESULT answer(const struct rt_device *device, void *data);

static const struct aerogpu_ext_features *features_of(const struct rt_device *device)
{
    return umd_adapter_features(device->adapter->umd);
}

static HRESULT threading(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_THREADING *out = data;
    (void)device;
    out->DriverConcurrentCreates = TRUE;
    out->DriverCommandLists = TRUE;
    return S_OK;
}

static HRESULT doubles(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_DOUBLES *out = data;
    out->DoublePrecisionFloatShaderOps = features_of(device)->double_precision_shaders != 0;
    return S_OK;
}

static HRESULT format_support(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_FORMAT_SUPPORT *out = data;
    out->OutFormatSupport = rt_device_format_support(device, out->InFormat);
    return out->OutFormatSupport ? S_OK : E_FAIL;
}

static HRESULT format_support2(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_FORMAT_SUPPORT2 *out = data;
    uint32_t bits, bits2;
    umd_check_format_support(device->adapter->umd, out->InFormat, &bits, &bits2);
    out->OutFormatSupport2 = bits2;
    return bits ? S_OK : E_FAIL;
}

static HRESULT compute_on_10(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_D3D10_X_HARDWARE_OPTIONS *out = data;
    (void)device;
    out->ComputeShaders_Plus_RawAndStructuredBuffers_Via_Shader_4_x = TRUE;
    return S_OK;
}

static HRESULT options(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_D3D11_OPTIONS *out = data;
    const struct aerogpu_ext_features *features = features_of(device);
    *out = (D3D11_FEATURE_DATA_D3D11_OPTIONS){
        .OutputMergerLogicOp = features->logic_operations != 0,
        .UAVOnlyRenderingForcedSampleCount = features->forced_sample_count != 0,
        .DiscardAPIsSeenByDriver = TRUE,
        .FlagsForUpdateAndCopySeenByDriver = TRUE,
        .ClearView = features->clear_view != 0,
        .ConstantBufferPartialUpdate = TRUE,
        .ConstantBufferOffsetting = TRUE,
        .MapNoOverwriteOnDynamicConstantBuffer = TRUE,
        .MapNoOverwriteOnDynamicBufferSRV = TRUE,
        .ExtendedDoublesShaderInstructions = features->double_precision_shaders != 0,
    };
    return S_OK;
}

static HRESULT architecture(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_ARCHITECTURE_INFO *out = data;
    (void)device;
    out->TileBasedDeferredRenderer = FALSE;
    return S_OK;
}

static HRESULT d3d9_options(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_D3D9_OPTIONS *out = data;
    (void)device;
    out->FullNonPow2TextureSupport = TRUE;
    return S_OK;
}

static HRESULT precision(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_SHADER_MIN_PRECISION_SUPPORT *out = data;
    (void)device;
    *out = (D3D11_FEATURE_DATA_SHADER_MIN_PRECISION_SUPPORT){0, 0};
    return S_OK;
}

static HRESULT shadows(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_D3D9_SHADOW_SUPPORT *out = data;
    (void)device;
    out->SupportsDepthAsTextureWithLessEqualComparisonFilter = TRUE;
    return S_OK;
}

/* No minimum and maximum filters, no tiles. */
static HRESULT options1(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_D3D11_OPTIONS1 *out = data;
    *out = (D3D11_FEATURE_DATA_D3D11_OPTIONS1){
        .TiledResourcesTier = D3D11_TILED_RESOURCES_NOT_SUPPORTED,
        .MapOnDefaultBuffers = device->level >= D3D_FEATURE_LEVEL_11_0,
        .ClearViewAlsoSupportsDepthOnlyFormats = features_of(device)->clear_view != 0,
    };
    return S_OK;
}

static HRESULT simple_instancing(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_D3D9_SIMPLE_INSTANCING_SUPPORT *out = data;
    (void)device;
    out->SimpleInstancingSupported = TRUE;
    return S_OK;
}

static HRESULT markers(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_MARKER_SUPPORT *out = data;
    (void)device;
    out->Profile = FALSE;
    return S_OK;
}

static HRESULT d3d9_options1(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_D3D9_OPTIONS1 *out = data;
    (void)device;
    *out = (D3D11_FEATURE_DATA_D3D9_OPTIONS1){TRUE, TRUE, TRUE, TRUE};
    return S_OK;
}

static HRESULT options2(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_D3D11_OPTIONS2 *out = data;
    *out = (D3D11_FEATURE_DATA_D3D11_OPTIONS2){
        .TypedUAVLoadAdditionalFormats = features_of(device)->typed_uav_load_additional_formats != 0,
        .TiledResourcesTier = D3D11_TILED_RESOURCES_NOT_SUPPORTED,
        .ConservativeRasterizationTier = D3D11_CONSERVATIVE_RASTERIZATION_NOT_SUPPORTED,
    };
    return S_OK;
}

static HRESULT options3(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_D3D11_OPTIONS3 *out = data;
    (void)device;
    out->VPAndRTArrayIndexFromAnyShaderFeedingRasterizer = FALSE;
    return S_OK;
}

static HRESULT addresses(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT *out = data;
    (void)device;
    *out = (D3D11_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT){32, 32};
    return S_OK;
}

static HRESULT options4(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_D3D11_OPTIONS4 *out = data;
    (void)device;
    out->ExtendedNV12SharedTextureSupported = FALSE;
    return S_OK;
}

static HRESULT shader_cache(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_SHADER_CACHE *out = data;
    (void)device;
    out->SupportFlags = D3D11_SHADER_CACHE_SUPPORT_NONE;
    return S_OK;
}

static HRESULT options5(const struct rt_device *device, void *data)
{
    D3D11_FEATURE_DATA_D3D11_OPTIONS5 *out = data;
    (void)device;
    out->SharedResourceTier = D3D11_SHARED_RESOURCE_TIER_0;
    return S_OK;
}

static const struct {
    answer *answer;
    UINT size;
} features[] = {
    [D3D11_FEATURE_THREADING] = {threading,         sizeof(D3D11_FEATURE_DATA_THREADING)                    },
    [D3D11_FEATURE_DOUBLES] = {doubles,           sizeof(D3D11_FEATURE_DATA_DOUBLES)                      },
    [D3D11_FEATURE_FORMAT_SUPPORT] = {format_support,    sizeof(D3D11_FEATURE_DATA_FORMAT_SUPPORT)               },
    [D3D11_FEATURE_FORMAT_SUPPORT2] = {format_support2,   sizeof(D3D11_FEATURE_DATA_FORMAT_SUPPORT2)              },
    [D3D11_FEATURE_D3D10_X_HARDWARE_OPTIONS] = {compute_on_10,
                                 sizeof(D3D11_FEATURE_DATA_D3D10_X_HARDWARE_OPTIONS)                        },
    [D3D11_FEATURE_D3D11_OPTIONS] = {options,           sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS)                },
    [D3D11_FEATURE_ARCHITECTURE_INFO] = {architecture,      sizeof(D3D11_FEATURE_DATA_ARCHITECTURE_INFO)            },
    [D3D11_FEATURE_D3D9_OPTIONS] = {d3d9_options,      sizeof(D3D11_FEATURE_DATA_D3D9_OPTIONS)                 },
    [D3D11_FEATURE_SHADER_MIN_PRECISION_SUPPORT] = {precision,
                                 sizeof(D3D11_FEATURE_DATA_SHADER_MIN_PRECISION_SUPPORT)                    },
    [D3D11_FEATURE_D3D9_SHADOW_SUPPORT] = {shadows,           sizeof(D3D11_FEATURE_DATA_D3D9_SHADOW_SUPPORT)          },
    [D3D11_FEATURE_D3D11_OPTIONS1] = {options1,          sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS1)               },
    [D3D11_FEATURE_D3D9_SIMPLE_INSTANCING_SUPPORT] = {simple_instancing,
                                 sizeof(
                                                          D3D11_FEATURE_DATA_D3D9_SIMPLE_INSTANCING_SUPPORT)},
    [D3D11_FEATURE_MARKER_SUPPORT] = {markers,           sizeof(D3D11_FEATURE_DATA_MARKER_SUPPORT)               },
    [D3D11_FEATURE_D3D9_OPTIONS1] = {d3d9_options1,     sizeof(D3D11_FEATURE_DATA_D3D9_OPTIONS1)                },
    [D3D11_FEATURE_D3D11_OPTIONS2] = {options2,          sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS2)               },
    [D3D11_FEATURE_D3D11_OPTIONS3] = {options3,          sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS3)               },
    [D3D11_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT] = {addresses,
                                 sizeof(D3D11_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT)                     },
    [D3D11_FEATURE_D3D11_OPTIONS4] = {options4,          sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS4)               },
    [D3D11_FEATURE_SHADER_CACHE] = {shader_cache,      sizeof(D3D11_FEATURE_DATA_SHADER_CACHE)                 },
    [D3D11_FEATURE_D3D11_OPTIONS5] = {options5,          sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS5)               },
};

HRESULT STDMETHODCALLTYPE rt_device_check_feature(ID3D11Device5 *self, D3D11_FEATURE feature, void *data,
                                                  UINT size)
{
    if ((unsigned)feature >= sizeof(features) / sizeof(features[0]) || !features[feature].answer || !data ||
        size != features[feature].size)
        return E_INVALIDARG;
    return features[feature].answer(rt_device_of(self), data);
}
