// SPDX-License-Identifier: MIT
//
// Runs cases of gl-conformance, which the file CLIENT_CASES names a line each, one after the other in this process, and says
// of each `case NAME PASSED FAILED`. `start NAME` goes before: a case that ends the process, or never ends, is the last one.
'use strict'

const fs = require('fs')
const path = require('path')

const SECONDS = 120
const say = line => fs.writeSync(1, line + '\n')

globalThis.console.log = globalThis.console.debug = globalThis.console.warn = globalThis.console.error = () => {}
const createContext = require('gl')
globalThis.WebGLRenderingContext = createContext.WebGLRenderingContext
const folder = path.join(path.dirname(require.resolve('gl-conformance')), 'node-test')
const names = fs.readFileSync(process.env.CLIENT_CASES, 'utf8').split('\n').filter(Boolean)

// What a case counts into. Late callbacks of a case that is over count nothing.
function counter (done) {
  const counts = { passed: 0, failed: 0 }
  let over = false
  const end = () => {
    if (over) return
    over = true
    done(counts)
  }
  return {
    end,
    isOver: () => over,
    tape: {
      pass () { counts.passed += !over },
      fail () { counts.failed += !over },
      end
    }
  }
}

let running = null
// An exception ends a case as a failure.
function thrown (error) {
  if (!running || running.isOver()) return
  say(`exception ${String(error && error.stack).split('\n').slice(0, 3).join(' | ')}`)
  running.tape.fail()
  running.end()
}
process.on('uncaughtException', thrown)

function next (index) {
  if (index === names.length) {
    say('done')
    process.exit(0)
  }
  say(`start ${names[index]}`)
  let timer = null
  const state = counter(({ passed, failed }) => {
    clearTimeout(timer)
    say(`case ${names[index]} ${passed} ${failed}`)
    setTimeout(next, 0, index + 1)
  })
  running = state
  timer = setTimeout(() => {
    say(`late ${names[index]}`)
    state.end()
  }, SECONDS * 1000)
  try {
    require(path.join(folder, `${names[index]}.js`))({ tape: state.tape, createContext })
  } catch (error) {
    thrown(error)
  }
}

next(0)
