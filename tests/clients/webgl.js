// SPDX-License-Identifier: MIT
//
// What npm's package gl has in C++, without a build for Windows: the class below its JavaScript, here as calls into ANGLE's
// libEGL.dll and libGLESv2.dll. It takes the place of the module `bindings`. gl2.json has the functions and constants of the
// header gl2.h (gl_conformance.py). Names of methods and what they take are those that package's JavaScript calls.
'use strict'

const koffi = require('koffi')
const path = require('path')
const header = require('./gl2.json')

const folder = path.dirname(process.execPath)
const egl = koffi.load(path.join(folder, 'libEGL.dll'))
const gles = koffi.load(path.join(folder, 'libGLESv2.dll'))

// ---- EGL ----

const EGL = {
  getDisplay: egl.func('eglGetDisplay', 'int64', ['int64']),
  initialize: egl.func('eglInitialize', 'uint32', ['int64', 'void *', 'void *']),
  chooseConfig: egl.func('eglChooseConfig', 'uint32', ['int64', 'void *', 'void *', 'int32', 'void *']),
  createContext: egl.func('eglCreateContext', 'int64', ['int64', 'int64', 'int64', 'void *']),
  createPbufferSurface: egl.func('eglCreatePbufferSurface', 'int64', ['int64', 'int64', 'void *']),
  makeCurrent: egl.func('eglMakeCurrent', 'uint32', ['int64', 'int64', 'int64', 'int64']),
  destroyContext: egl.func('eglDestroyContext', 'uint32', ['int64', 'int64']),
  destroySurface: egl.func('eglDestroySurface', 'uint32', ['int64', 'int64'])
}
const EGL_NONE = 0x3038
const CONFIG = new Int32Array([0x3033, 1, 0x3024, 8, 0x3023, 8, 0x3022, 8, 0x3021, 8, 0x3025, 24, 0x3026, 8, EGL_NONE])
const CONTEXT = new Int32Array([0x3098, 2, EGL_NONE])
const SURFACE = new Int32Array([0x3057, 1, 0x3056, 1, EGL_NONE])

let display = null
let config = null
let current = null

function start () {
  display = EGL.getDisplay(0)
  const configs = new BigInt64Array(1)
  const count = new Int32Array(1)
  if (!EGL.initialize(display, null, null) || !EGL.chooseConfig(display, CONFIG, configs, 1, count) || count[0] !== 1) {
    throw new Error('ANGLE does not start')
  }
  config = configs[0]
}

// ---- OpenGL ES ----

const GL = {}
for (const [name, [result, parameters]] of Object.entries(header.functions)) {
  GL[name] = gles.func(name, result, parameters)
}
const shaderSource = gles.func('glShaderSource', 'void', ['uint32', 'int32', 'const char **', 'void *'])
const byName = {
  getAttribLocation: gles.func('glGetAttribLocation', 'int32', ['uint32', 'str']),
  getUniformLocation: gles.func('glGetUniformLocation', 'int32', ['uint32', 'str'])
}
const bindAttribLocation = gles.func('glBindAttribLocation', 'void', ['uint32', 'uint32', 'str'])

const K = header.constants
const WEBGL = {
  UNPACK_FLIP_Y_WEBGL: 0x9240,
  UNPACK_PREMULTIPLY_ALPHA_WEBGL: 0x9241,
  CONTEXT_LOST_WEBGL: 0x9242,
  UNPACK_COLORSPACE_CONVERSION_WEBGL: 0x9243,
  BROWSER_DEFAULT_WEBGL: 0x9244,
  DEPTH_STENCIL: 0x84F9,
  DEPTH_STENCIL_ATTACHMENT: 0x821A
}

const CONVERT = {
  float: value => +value,
  int64: value => Math.trunc(+value || 0),
  uint8: value => value ? 1 : 0,
  uint32: value => value >>> 0,
  int32: value => value | 0
}

const bytesOf = data => data instanceof ArrayBuffer
  ? new Uint8Array(data)
  : new Uint8Array(data.buffer, data.byteOffset, data.byteLength)

// Parameters with several values, or with others than integers: how they are asked for.
const LISTS = {
  [K.MAX_VIEWPORT_DIMS]: ['glGetIntegerv', Int32Array, 2],
  [K.SCISSOR_BOX]: ['glGetIntegerv', Int32Array, 4],
  [K.VIEWPORT]: ['glGetIntegerv', Int32Array, 4],
  [K.ALIASED_LINE_WIDTH_RANGE]: ['glGetFloatv', Float32Array, 2],
  [K.ALIASED_POINT_SIZE_RANGE]: ['glGetFloatv', Float32Array, 2],
  [K.DEPTH_RANGE]: ['glGetFloatv', Float32Array, 2],
  [K.BLEND_COLOR]: ['glGetFloatv', Float32Array, 4],
  [K.COLOR_CLEAR_VALUE]: ['glGetFloatv', Float32Array, 4],
  [K.COLOR_WRITEMASK]: ['glGetBooleanv', Uint8Array, 4]
}
const BOOLEANS = new Set([K.BLEND, K.CULL_FACE, K.DEPTH_TEST, K.DEPTH_WRITEMASK, K.DITHER, K.POLYGON_OFFSET_FILL,
  K.SAMPLE_COVERAGE, K.SAMPLE_COVERAGE_INVERT, K.SAMPLE_ALPHA_TO_COVERAGE, K.SCISSOR_TEST, K.STENCIL_TEST])
const FLOATS = new Set([K.DEPTH_CLEAR_VALUE, K.LINE_WIDTH, K.POLYGON_OFFSET_FACTOR, K.POLYGON_OFFSET_UNITS,
  K.SAMPLE_COVERAGE_VALUE, 0x84FF])
const STRINGS = new Set([K.VENDOR, K.RENDERER, K.VERSION, K.EXTENSIONS, K.SHADING_LANGUAGE_VERSION])

const COMPONENTS = {
  [K.ALPHA]: 1, [K.LUMINANCE]: 1, [K.LUMINANCE_ALPHA]: 2, [K.RGB]: 3, [K.RGBA]: 4
}

class WebGLRenderingContext {
  constructor () {
    if (display === null) start()
    const hidden = {
      eglContext: EGL.createContext(display, config, 0, CONTEXT),
      eglSurface: EGL.createPbufferSurface(display, config, SURFACE),
      nativeError: 0,
      flipsRows: false,
      premultiplies: false,
      colorSpace: WEBGL.BROWSER_DEFAULT_WEBGL,
      rowAlignment: 4
    }
    for (const [name, value] of Object.entries(hidden)) {
      Object.defineProperty(this, name, { value, writable: true, enumerable: false })
    }
    if (!this.eglContext || !this.eglSurface) throw new Error('no context')
    makeCurrent(this)
  }
}

function makeCurrent (context) {
  if (current === context) return
  if (!EGL.makeCurrent(display, context.eglSurface, context.eglSurface, context.eglContext)) {
    throw new Error('a context cannot be made current')
  }
  current = context
}

// ---- Methods that are functions of the header ----

const proto = WebGLRenderingContext.prototype
for (const [name, [result, parameters]] of Object.entries(header.functions)) {
  if (parameters.includes('void *')) continue
  const call = GL[name]
  const converters = parameters.map(type => CONVERT[type])
  proto[name[2].toLowerCase() + name.slice(3)] = function (...values) {
    makeCurrent(this)
    const got = call(...converters.map((convert, i) => convert(values[i])))
    return result === 'void' ? undefined : result === 'uint8' ? !!got : got
  }
}

// ---- Methods of their own ----

const integer = () => new Int32Array(1)

function made (generate) {
  return function () {
    const names = new Uint32Array(1)
    generate(1, names)
    return names[0]
  }
}

function deleted (destroy) {
  return name => destroy(1, new Uint32Array([name]))
}

function oneInteger (get) {
  return (target, parameter) => {
    const value = integer()
    get(target >>> 0, parameter >>> 0, value)
    return value[0]
  }
}

function textOf (getParameter, lengthParameter, getText) {
  return object => {
    const name = object | 0
    const length = integer()
    const written = integer()
    getParameter(name, lengthParameter, length)
    const text = Buffer.alloc(Math.max(length[0], 1))
    getText(name, text.length, written, text)
    return text.toString('latin1', 0, written[0])
  }
}

function active (get) {
  return (program, index) => {
    const text = Buffer.alloc(512)
    const length = integer()
    const size = integer()
    const type = new Uint32Array(1)
    get(program >>> 0, index >>> 0, text.length, length, size, type, text)
    return length[0] > 0 ? { size: size[0], type: type[0], name: text.toString('latin1', 0, length[0]) } : null
  }
}

// Texels with their rows turned and their colours multiplied, as WebGL's unpacking has it.
function unpacked (context, type, format, width, height, data) {
  const components = COMPONENTS[format] || 4
  const texel = type === K.UNSIGNED_BYTE ? components : type === K.FLOAT ? components * 4 : 2
  const stride = Math.ceil(width * texel / context.rowAlignment) * context.rowAlignment
  const from = bytesOf(data)
  if (!context.flipsRows && !context.premultiplies) return from
  const to = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const row = from.subarray(y * stride, Math.min(from.length, y * stride + width * texel))
    to.set(row, (context.flipsRows ? height - 1 - y : y) * stride)
  }
  const hasAlpha = format === K.RGBA || format === K.LUMINANCE_ALPHA
  if (context.premultiplies && hasAlpha && type === K.UNSIGNED_BYTE) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = y * stride + x * components
        for (let i = 0; i + 1 < components; i++) to[at + i] *= to[at + components - 1] / 255
      }
    }
  }
  return to
}

function parameterOf (parameter) {
  if (parameter === WEBGL.UNPACK_FLIP_Y_WEBGL) return this.flipsRows
  if (parameter === WEBGL.UNPACK_PREMULTIPLY_ALPHA_WEBGL) return this.premultiplies
  if (parameter === WEBGL.UNPACK_COLORSPACE_CONVERSION_WEBGL) return this.colorSpace
  if (STRINGS.has(parameter)) return GL.glGetString(parameter)
  const [get, Kind, count] = LISTS[parameter] ||
    (BOOLEANS.has(parameter)
      ? ['glGetBooleanv', Uint8Array, 1]
      : FLOATS.has(parameter) ? ['glGetFloatv', Float32Array, 1] : ['glGetIntegerv', Int32Array, 1])
  const values = new Kind(Math.max(count, 16))
  GL[get](parameter, values)
  const list = [...values.subarray(0, count)].map(value => Kind === Uint8Array ? !!value : value)
  return count === 1 ? list[0] : list
}

function setPixelStore (parameter, value) {
  if (parameter === WEBGL.UNPACK_FLIP_Y_WEBGL) {
    this.flipsRows = !!value
  } else if (parameter === WEBGL.UNPACK_PREMULTIPLY_ALPHA_WEBGL) {
    this.premultiplies = !!value
  } else if (parameter === WEBGL.UNPACK_COLORSPACE_CONVERSION_WEBGL) {
    this.colorSpace = value
  } else {
    if (parameter === K.UNPACK_ALIGNMENT) this.rowAlignment = value
    GL.glPixelStorei(parameter >>> 0, value | 0)
  }
}

const methods = {
  getParameter: parameterOf,
  getError () {
    const error = this.nativeError
    this.nativeError = 0
    return error || GL.glGetError()
  },
  getSupportedExtensions: () => GL.glGetString(K.EXTENSIONS),
  createBuffer: made(GL.glGenBuffers),
  createFramebuffer: made(GL.glGenFramebuffers),
  createRenderbuffer: made(GL.glGenRenderbuffers),
  createTexture: made(GL.glGenTextures),
  deleteBuffer: deleted(GL.glDeleteBuffers),
  deleteFramebuffer: deleted(GL.glDeleteFramebuffers),
  deleteRenderbuffer: deleted(GL.glDeleteRenderbuffers),
  deleteTexture: deleted(GL.glDeleteTextures),
  pixelStorei: setPixelStore,
  texImage2D (target, level, internal, width, height, border, format, type, data) {
    const texels = data
      ? unpacked(this, type, format, width, height, data)
      : new Uint8Array(Math.max(1, width * height * 4 * (type === K.FLOAT ? 4 : 1)))
    GL.glTexImage2D(target, level, internal, width, height, border, format, type, texels)
  },
  texSubImage2D (target, level, x, y, width, height, format, type, data) {
    GL.glTexSubImage2D(target, level, x, y, width, height, format, type, unpacked(this, type, format, width, height, data))
  },
  bufferData (target, data, usage) {
    const bytes = typeof data === 'number' ? null : bytesOf(data)
    GL.glBufferData(target, bytes ? bytes.length : data, bytes && bytes.length ? bytes : null, usage)
  },
  bufferSubData (target, offset, data) {
    const bytes = bytesOf(data)
    GL.glBufferSubData(target, offset, bytes.length, bytes.length ? bytes : null)
  },
  readPixels (x, y, width, height, format, type, data) {
    GL.glReadPixels(x, y, width, height, format, type, bytesOf(data))
  },
  shaderSource: (shader, source) => shaderSource(shader >>> 0, 1, [String(source)], null),
  getShaderInfoLog: textOf(GL.glGetShaderiv, K.INFO_LOG_LENGTH, GL.glGetShaderInfoLog),
  getShaderSource: textOf(GL.glGetShaderiv, K.SHADER_SOURCE_LENGTH, GL.glGetShaderSource),
  getProgramInfoLog: textOf(GL.glGetProgramiv, K.INFO_LOG_LENGTH, GL.glGetProgramInfoLog),
  getShaderParameter (shader, parameter) {
    const value = oneInteger(GL.glGetShaderiv)(shader, parameter)
    return parameter === K.DELETE_STATUS || parameter === K.COMPILE_STATUS ? !!value : value
  },
  getProgramParameter: oneInteger(GL.glGetProgramiv),
  getBufferParameter: oneInteger(GL.glGetBufferParameteriv),
  getRenderbufferParameter: oneInteger(GL.glGetRenderbufferParameteriv),
  getTexParameter (target, parameter) {
    const values = new Float32Array(1)
    if (parameter !== 0x84FE) return oneInteger(GL.glGetTexParameteriv)(target, parameter)
    GL.glGetTexParameterfv(target, parameter, values)
    return values[0]
  },
  getFramebufferAttachmentParameter (target, attachment, parameter) {
    const value = integer()
    GL.glGetFramebufferAttachmentParameteriv(target, attachment, parameter, value)
    return value[0]
  },
  getActiveAttrib: active(GL.glGetActiveAttrib),
  getActiveUniform: active(GL.glGetActiveUniform),
  getAttachedShaders (object) {
    const program = object >>> 0
    const count = integer()
    GL.glGetProgramiv(program, K.ATTACHED_SHADERS, count)
    const shaders = new Uint32Array(Math.max(count[0], 1))
    GL.glGetAttachedShaders(program, shaders.length, count, shaders)
    return [...shaders.subarray(0, count[0])]
  },
  getShaderPrecisionFormat (shader, precision) {
    const range = new Int32Array(2)
    const bits = integer()
    GL.glGetShaderPrecisionFormat(shader, precision, range, bits)
    return { rangeMin: range[0], rangeMax: range[1], precision: bits[0] }
  },
  getUniform (program, location) {
    const values = new Float32Array(16)
    GL.glGetUniformfv(program >>> 0, location | 0, values)
    return [...values]
  },
  getVertexAttrib (slot, parameter) {
    const index = slot >>> 0
    const values = new Float32Array(4)
    if (parameter === K.CURRENT_VERTEX_ATTRIB) {
      GL.glGetVertexAttribfv(index, parameter, values)
      return [...values]
    }
    const value = oneInteger(GL.glGetVertexAttribiv)(index, parameter)
    return parameter === K.VERTEX_ATTRIB_ARRAY_ENABLED || parameter === K.VERTEX_ATTRIB_ARRAY_NORMALIZED ? !!value : value
  },
  getVertexAttribOffset (index, parameter) {
    const value = new BigInt64Array(1)
    GL.glGetVertexAttribPointerv(index, parameter, value)
    return Number(value[0])
  },
  getAttribLocation: (program, name) => byName.getAttribLocation(program >>> 0, String(name)),
  getUniformLocation: (program, name) => byName.getUniformLocation(program >>> 0, String(name)),
  bindAttribLocation: (program, index, name) => bindAttribLocation(program >>> 0, index >>> 0, String(name)),
  uniformMatrix2fv: (location, turned, values) => GL.glUniformMatrix2fv(location, values.length >> 2, turned ? 1 : 0, values),
  uniformMatrix3fv: (location, turned, values) =>
    GL.glUniformMatrix3fv(location, Math.floor(values.length / 9), turned ? 1 : 0, values),
  uniformMatrix4fv: (location, turned, values) => GL.glUniformMatrix4fv(location, values.length >> 4, turned ? 1 : 0, values),
  clearDepth: depth => GL.glClearDepthf(+depth),
  depthRange: (near, far) => GL.glDepthRangef(+near, +far),
  _drawArraysInstanced: (...values) => GL.glDrawArraysInstancedANGLE(...values),
  _drawElementsInstanced: (...values) => GL.glDrawElementsInstancedANGLE(...values),
  _vertexAttribDivisor: (index, divisor) => GL.glVertexAttribDivisorANGLE(index, divisor)
}
for (const [name, method] of Object.entries(methods)) {
  proto[name] = function (...values) {
    makeCurrent(this)
    return method.apply(this, values)
  }
}

proto.destroy = function () {
  if (current === this) {
    EGL.makeCurrent(display, 0, 0, 0)
    current = null
  }
  EGL.destroyContext(display, this.eglContext)
  EGL.destroySurface(display, this.eglSurface)
}

Object.assign(proto, K, WEBGL)

module.exports = () => ({
  WebGLRenderingContext,
  cleanup () {},
  setError (error) {
    if (!this.nativeError) this.nativeError = error
  }
})
