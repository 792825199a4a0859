import { expect, test, vi } from 'vitest'

import pipeline from '../../config/gateway.config.ts'
import { loadPlugins } from '../../src/configuration/plugins/load.ts'
import { listen } from '../../src/http/listen.ts'
import { createLog, noLines } from '../../src/lib/log.ts'
import { type RunningGateway, startGateway } from '../../src/runtime/start-gateway.ts'
import { addressesOf, withoutAdmin, openPlace, type Place } from './dragoman.ts'
import { headersAt, installZod, placeWith, secret, stamp } from './plugin-modules.ts'

vi.setConfig({ testTimeout: 60_000 })

/** The problems that `check` prints: each with its path, its message and its fix. */
async function problemsOf(place: Place): Promise<string[]> {
  const { code, stderr } = await place.call('check')
  expect(code).toBe(3)
  const found = stderr.matchAll(/^ {2}(\S.*)\n {4}(.*)\n {4}fix: (.*)$/gm)
  return Array.from(found, ([, path, message, fix]) => `${path}: ${message} / ${fix}`)
}

async function listening({ listener, proxies }: RunningGateway) {
  const opened = await listen(listener, { host: '127.0.0.1', port: 0, proxies })
  return {
    url: opened.url,
    async [Symbol.asyncDispose]() {
      opened.closeNow()
      await opened.close()
    },
  }
}

test('a configuration in JSON has a plugin of a module beside it, with options that name secrets', async () => {
  const options = { text: 'ok', times: 3, token: 'env:STAMP_TOKEN' }
  await using place = await placeWith([{ use: './stamp.ts', options }], { 'stamp.ts': stamp })
  await installZod(place)
  const server = place.start(withoutAdmin, { STAMP_TOKEN: 'x'.repeat(20) })
  const { clients } = await addressesOf(server)
  const headers = await headersAt(clients)
  expect(headers.get('x-stamp')).toBe('okokok')
  expect(headers.get('x-length')).toBe('20')
})

test('a configuration in YAML has a plugin of an installed package', async () => {
  await using place = await placeWith([], {
    'node_modules/@acme/stamp/package.json': JSON.stringify({
      name: '@acme/stamp',
      type: 'module',
      exports: { '.': { import: './index.js' } },
    }),
    'node_modules/@acme/stamp/index.js': `import { definePlugin } from 'dragoman'
      export const plugin = async () => definePlugin({
        name: 'acme',
        onExchange: async ({ next }) => ({ ...(await next()), headers: { 'x-stamp': 'acme' } }),
      })`,
    'other/dragoman.config.yaml': `plugins:\n  - use: '@acme/stamp'\n`,
  })
  const server = place.start(`--config other/dragoman.config.yaml ${withoutAdmin}`)
  const { clients } = await addressesOf(server)
  expect((await headersAt(clients)).get('x-stamp')).toBe('acme')
})

test('a configuration in TypeScript has both, and the plugins keep their order', async () => {
  await using place = await openPlace()
  await place.write('second.mjs', `export default { name: 'second' }`)
  await place.write(
    'dragoman.config.mjs',
    `export default { plugins: [{ name: 'first' }, { use: './second.mjs' }, { name: 'third' }] }`,
  )
  const { stdout, code } = await place.call('config print --json')
  expect(code).toBe(0)
  const names = (JSON.parse(stdout) as { path: string; value: string }[]).filter(({ path }) =>
    path.startsWith('plugins'),
  )
  expect(names.map(({ path, value }) => `${path} ${value}`)).toEqual([
    'plugins[0].name first',
    'plugins[1].name second',
    'plugins[1].use ./second.mjs',
    'plugins[2].name third',
  ])
})

const broken: Record<string, [module: string, problem: RegExp]> = {
  'has a syntax error': ['export default {', /cannot be loaded: \S+plugin\.mjs\S* syntax error/],
  throws: ["throw new Error('no licence')", /cannot be loaded: .*: Error: no licence/],
  'imports what is not there': ["import 'not-installed'", /cannot be loaded: .*'not-installed'/],
  'exports nothing': ['', /exports no plugin \/ write export default function plugin/],
  'exports a number': ['export default 3', /exports no plugin/],
  'exports an object without a name': [
    'export default { onEnd() {} }',
    /exports an object without a name \/ write export default \{ name/,
  ],
  'exports a function that throws': [
    "export default () => { throw new Error('no licence') }",
    /failed: Error: no licence/,
  ],
  'exports a function that rejects': [
    "export const plugin = () => Promise.reject(new Error('no licence'))",
    /failed: Error: no licence/,
  ],
  'rejects a promise that no code awaits': [
    "void Promise.reject(new Error('forgotten'))\nexport default { name: 'x' }",
    /failed: Error: forgotten/,
  ],
  'makes a plugin that rejects such a promise': [
    "export default () => { void Promise.reject(new Error('forgotten')); return { name: 'x' } }",
    /failed: Error: forgotten/,
  ],
  'exports options that are no schema': [
    "export const options = { limit: 'number' }\nexport default () => ({ name: 'x' })",
    /no Standard Schema/,
  ],
  'exports a schema and no function': [
    "export const options = { '~standard': { validate: () => ({ value: 1 }) } }\nexport default { name: 'x' }",
    /no function that takes them/,
  ],
  'has a schema that returns nothing': [
    "export const options = { '~standard': { validate() {} } }\nexport default () => ({ name: 'x' })",
    /no Standard Schema/,
  ],
  'has a schema that throws': [
    "export const options = { '~standard': { validate() { throw new Error('odd') } } }\nexport default () => ({ name: 'x' })",
    /failed: Error: odd/,
  ],
}

test.each(Object.entries(broken))('a module that %s is a problem', async (_, [module, problem]) => {
  await using place = await placeWith([{ use: './plugin.mjs' }], { 'plugin.mjs': module })
  const [first, ...more] = await problemsOf(place)
  expect(first).toMatch(/^plugins\[0\]\.use: /)
  expect(first).toMatch(problem)
  expect(more).toEqual([])
})

const hanging: Record<string, [module: string, fault: RegExp]> = {
  module: ['await new Promise(() => {})', /does not end to load within 20 ms/],
  function: ['export default () => new Promise(() => {})', /longer than 20 ms to make the plugin/],
  schema: [
    "export const options = { '~standard': { validate: () => new Promise(() => {}) } }\nexport default () => 1",
    /longer than 20 ms to make the plugin/,
  ],
}

test.each(Object.entries(hanging))(
  'a %s that never ends is a problem',
  async (_, [module, fault]) => {
    await using place = await placeWith([], { 'plugin.mjs': module })
    const file = `${place.path}/dragoman.config.json`
    const config = { plugins: [{ use: './plugin.mjs' }] }
    const loaded = await loadPlugins(config, { file, env: {}, waitMs: 20 })
    const problems = loaded.get(0)?.problems ?? []
    expect(problems.map(({ path }) => path)).toEqual(['plugins[0].use'])
    expect(problems[0]?.message).toMatch(fault)
  },
)

test('options of code may be anything, themselves included', async () => {
  await using place = await placeWith([], {
    'plugin.mjs': `export const options = { '~standard': { validate: (value) => ({ value }) } }
      export default ({ self }) => ({ name: self.self.name })`,
  })
  const options: Record<string, unknown> = { name: 'env:NAME' }
  options.self = options
  const file = `${place.path}/dragoman.config.ts`
  const config = { plugins: [{ use: './plugin.mjs', options }] }
  const loaded = await loadPlugins(config, { file, env: { NAME: 'x' } })
  expect(loaded.get(0)?.problems).toEqual([])
})

test('what the module makes is checked as every plugin is', async () => {
  await using place = await placeWith(
    [{ use: './a.mjs' }, { use: './b.mjs' }, { use: './c.mjs' }],
    {
      'a.mjs': 'export default { name: "x", onevents() {} }',
      'b.mjs': 'export default () => 3',
      'c.mjs': 'export default { name: "access-log" }',
    },
  )
  expect(await problemsOf(place)).toEqual([
    expect.stringMatching(/^plugins\[0\]\.onevents: .*did you mean "onEvents"\?/),
    expect.stringMatching(/^plugins\[1\]: must be a plugin/),
    expect.stringMatching(/^plugins\[2\]\.name: .*a plugin of the gateway/),
  ])
})

test('a reference that names no module is a problem with a fix', async () => {
  const plugins = [
    { use: './gone.ts' },
    { use: 'not-installed' },
    { use: 'near.mjs' },
    { use: 'https://acme.example/x.js' },
    { name: 'inline' },
    { use: './near.mjs', option: {} },
    { use: './near.mjs', options: 'secret-of-the-plugin' },
    'secret-of-the-plugin',
  ]
  await using place = await placeWith(plugins, { 'near.mjs': 'export default { name: "near" }' })
  const problems = await problemsOf(place)
  expect(problems).toEqual([
    expect.stringMatching(/^plugins\[0\]\.use: does not exist: .*gone\.ts/),
    expect.stringMatching(/^plugins\[1\]\.use: cannot be loaded: .*not-installed.* \/ install/),
    expect.stringMatching(/^plugins\[2\]\.use: .* \/ write \.\/near\.mjs/),
    expect.stringMatching(/^plugins\[3\]\.use: must be a path such as/),
    expect.stringMatching(/^plugins\[4\]\.use: is missing/),
    expect.stringMatching(/^plugins\[4\]\.name: unknown setting "name"/),
    expect.stringMatching(/^plugins\[5\]\.option: .*did you mean "options"\?/),
    expect.stringMatching(/^plugins\[6\]\.options: must be an object of options/),
    expect.stringMatching(
      /^plugins\[7\]: must be an object with `use`.*, but is a string \/ for example \{"use"/,
    ),
  ])
  expect(problems.join()).not.toContain('secret-of-the-plugin')
})

const restless = `setInterval(() => { throw new Error('restless module') }, 1)
  await new Promise((end) => setTimeout(end, 20))
  export default { name: 'restless' }`

test('a module whose timers throw while it loads is a problem, and no crash', async () => {
  await using place = await placeWith([{ use: './a.mjs' }], { 'a.mjs': restless })
  const { code, stderr } = await place.run('check')
  expect(code).toBe(3)
  expect(stderr).toMatch(/plugins\[0\]\.use\n {4}failed: Error: restless module/)
})

test('an application embeds a gateway whose plugins are modules', async () => {
  await using place = await placeWith([], { 'stamp.ts': stamp })
  await installZod(place)
  const plugins = [{ use: './stamp.ts', options: { text: 'ok' } }]
  const gateway = await startGateway({
    pipeline,
    config: { store: 'memory:', keys: [{ id: 'team', secret }], plugins },
    cwd: place.path,
    log: createLog({ write: () => {} }),
    lines: noLines,
  })
  await using _ = gateway
  await using listener = await listening(gateway)
  expect((await headersAt(listener.url)).get('x-stamp')).toBe('ok')
})

test('a module that is mended is read again by a reload, and its plugin needs a restart', async () => {
  await using place = await placeWith([], { 'a.mjs': 'throw new Error("not yet")' })
  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  const config = JSON.stringify({ keys: [{ id: 'team', secret }], plugins: [{ use: './a.mjs' }] })
  await place.write('dragoman.config.json', config)
  await server.said(/not reloaded.*plugins\[0\]\.use: cannot be loaded.*not yet/)
  expect((await headersAt(clients)).get('content-type')).toContain('json')
  await place.write('a.mjs', 'export default { name: "a" }')
  server.child.kill('SIGHUP')
  await server.said(/take effect after a restart.*"plugins"/)
})
