import { describe, expect, test } from 'vitest'

import { compileSnapshot } from '../../src/accounts/compile.ts'
import { checkConfiguration } from '../../src/configuration/resolve.ts'
import { createGateway } from '../../src/gateway.ts'
import type { GatewayPlugin } from '../../src/contract/plugin.ts'

function problemsOf(plugins: unknown, file = 'dragoman.config.ts') {
  return checkConfiguration({ plugins }, { env: {}, file }).problems
}

const told = (plugins: unknown) =>
  problemsOf(plugins).map(({ path, message, fix }) => `${path}: ${message} / ${fix}`)

test('a mistyped hook names the one that was meant', () => {
  const plugins = [
    { name: 'guard', onevents() {} },
    { name: 'log', onEnded() {} },
  ]

  expect(told(plugins)).toEqual([
    'plugins[0].onevents: unknown hook "onevents" / did you mean "onEvents"?',
    'plugins[1].onEnded: unknown hook "onEnded" / did you mean "onEnd"?',
  ])
})

test('a hook that nobody could have meant is answered with those that there are', () => {
  expect(told([{ name: 'x', onWebSocketUpgrade() {} }])[0]).toMatch(
    /^plugins\[0\]\.onWebSocketUpgrade: .* \/ use one of onExchange, .*onEvents, .*onDispose$/,
  )
})

test('hooks are functions', () => {
  expect(told([{ name: 'x', onCall: 3, onEnd: null, onEvents: undefined }])).toEqual([
    'plugins[0].onCall: must be a function, but is 3 / write onCall(input) { ... }',
    'plugins[0].onEnd: must be a function, but is null / write onEnd(input) { ... }',
  ])
})

test('tasks and probes are functions by name', () => {
  expect(told([{ name: 'x', tasks: [], probes: { queue: 3 } }])).toEqual([
    'plugins[0].probes.queue: must be a function / write probes: { queue: () => ({ ok: true }) }',
    'plugins[0].tasks: must be an object of functions / write tasks: { refresh: async ({ signal }) => { ... } }',
  ])
})

test('names are unique', () => {
  expect(told([{ name: 'x' }, { name: 'y' }, { name: 'x' }])).toEqual([
    'plugins[2].name: is "x", which is also the name of plugins[0] / give each plugin a name of its own',
  ])
})

const example = "for example { name: 'mine', onEnd: ({ exchange }) => console.log(exchange.id) }"

test.each([
  { plugin: {}, wrong: 'has no name' },
  { plugin: { onEnd() {} }, wrong: 'has no name' },
  { plugin: { name: '' }, wrong: 'has no name' },
  { plugin: { name: 3 }, wrong: 'its name is not a string' },
  { plugin: 'x', wrong: 'is "x"' },
  { plugin: null, wrong: 'is null' },
])('what is no plugin is answered with one to copy: it $wrong', ({ plugin, wrong }) => {
  const message = `must be a plugin: an object with a name and hooks, but ${wrong}`
  expect(told([plugin])).toEqual([`plugins[0]: ${message} / ${example}`])
})

test('what makes a plugin is to be called', () => {
  expect(told([() => ({ name: 'x' })])).toEqual([
    'plugins[0]: must be a plugin: an object with a name and hooks, but is a function / call the function, if it returns a plugin',
  ])
})

test('dialects are a list', () => {
  expect(told([{ name: 'x', dialects: { name: 'shout' } }])).toEqual([
    'plugins[0].dialects: is not a list of dialects / write dialects: [...]',
  ])
})

test('plugins that are no list are told of once', () => {
  expect(told({ name: 'x' })).toEqual([
    expect.stringMatching(/^plugins: must be a list of plugins, but is an object/),
  ])
})

describe('a plugin that is an instance of a class', () => {
  class Base {
    readonly name = 'mine'
    once() {}
    onCall({ next }: { next: () => unknown }) {
      return next()
    }
  }

  test('has its hooks from there', () => {
    class Mine extends Base {
      onEnd() {}
    }
    expect(told([new Mine()])).toEqual([])
  })

  test('is looked through as well', () => {
    class Mine extends Base {
      onEvent() {}
    }
    expect(told([new Mine()])).toEqual([
      'plugins[0].onEvent: unknown hook "onEvent" / did you mean "onEvents"?',
    ])
  })
})

test('a gateway that code puts together is held to the same', () => {
  const plugins = [{ name: 'x', onevents() {} }, { name: 'x' }] as GatewayPlugin[]
  const { snapshot } = compileSnapshot([], {}, [])

  expect(() => createGateway({ plugins, snapshot })).toThrow(
    /2 problems[^]*plugins\[0\]\.onevents[^]*did you mean "onEvents"\?[^]*plugins\[1\]\.name/,
  )
})

test.each<[string, object, string]>([
  [
    'has operations and no errors for clients',
    { id: 'half', operations: [], credential: () => undefined },
    'error: must be a function: clients call the operations of this dialect / write error(...) { ... }, or leave operations out for a dialect that only accounts speak',
  ],
  [
    'is for accounts alone and formats errors of clients',
    { id: 'half', upstream: {}, error: () => ({}) },
    'error: is for clients, and this dialect has no operations: only accounts speak it / remove it, or add operations: [...]',
  ],
  [
    'has no side at all',
    { id: 'half' },
    'upstream: is missing, and so is operations: neither accounts nor clients speak it / write upstream: { ... }',
  ],
  ['has no name', { upstream: {} }, "id: must be a text / write id: 'mine'"],
])('a dialect that %s is refused at the start', (_how, dialect, problem) => {
  expect(told([{ name: 'x', dialects: [dialect] }])).toEqual([`plugins[0].dialects[0].${problem}`])
})
