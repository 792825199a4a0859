import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import {
  addressesOf,
  anyPorts,
  openPlace,
  type Place,
  statusWithKey,
  withoutAdmin,
} from './dragoman.ts'

const secret = 'secret-of-this-test'

/** A configuration with these plugins, as the text of a list, and further members. */
async function placeWith(plugins: string, more = ''): Promise<Place> {
  const place = await openPlace()
  await place.write(
    'dragoman.config.mjs',
    `export default {
      keys: [{ id: 'team', secret: '${secret}' }],
      accounts: [{ id: 'a', provider: 'openai', apiKey: 'k', models: ['m'] }],
      plugins: [${plugins}],
      ${more}
    }`,
  )
  return place
}

test.concurrent('errors in the timers and promises of a plugin end neither the process nor a call', async () => {
  await using place = await placeWith(`{
    name: 'restless',
    onStart() {
      setInterval(() => { throw new Error('thrown by a timer') }, 20)
      setInterval(() => void Promise.reject(new Error('rejected by nobody')), 20)
      setImmediate(() => { throw undefined })
    },
  }`)
  const server = place.start(anyPorts)
  const { clients, operators } = await addressesOf(server)
  await server.said(/thrown by a timer/)
  await server.said(/rejected by nobody/)
  for (let count = 0; count < 20; count++) expect(await statusWithKey(clients, secret)).toBe(200)
  // Operators see how many there are, also those that are not logged.
  const defects = async (url: string) =>
    ((await (await fetch(`${url}/readyz?verbose`)).json()) as { defects?: number }).defects
  await until(async () => ((await defects(operators)) ?? 0) > 30)
  expect(await defects(clients)).toBeUndefined()
  server.child.kill('SIGTERM')
  const { code, stderr } = await server.ended
  expect(code).toBe(0)
  // They do not flood the log.
  expect(stderr.split('outside of all calls').length - 1).toBeLessThanOrEqual(20)
}, 60_000)

test.concurrent('a hook whose error is lost in a timer holds its own call, and no other one and no shutdown', async () => {
  await using place = await placeWith(
    `{
    name: 'careless',
    onCall: ({ exchange, next }) => exchange.call.model === 'm'
      ? new Promise((resolve) => setTimeout(() => resolve(undefinedName()), 10))
      : next(),
  }`,
    'timeouts: { drainMs: 500 },',
  )
  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  const leaving = new AbortController()
  const call = fetch(`${clients}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', input: 'Hello' }),
    signal: leaving.signal,
  })
  await server.said(/undefinedName is not defined/)
  expect(await statusWithKey(clients, secret)).toBe(200)
  leaving.abort()
  await expect(call).rejects.toThrow()
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
}, 60_000)

test.concurrent('a start that never ends is reported and left, and operators see it', async () => {
  await using place = await placeWith(`
    { name: 'endless', onStart: () => new Promise(() => {}) },
    { name: 'probed', probes: {
      fine: () => ({ ok: true, message: 'all well' }),
      bad: async () => ({ ok: false }),
      throwing: () => { throw new Error('probe-canary') },
      hanging: () => new Promise(() => {}),
      senseless: () => 'yes',
    } },`)
  const server = place.start(anyPorts)
  const { clients, operators } = await addressesOf(server)
  expect(server.output.stderr).toMatch(/endless: onStart failed.*did not finish within 5000 ms/)
  const ready = await fetch(`${operators}/readyz?verbose`)
  // They inform; the gateway is ready all the same.
  expect(ready.status).toBe(200)
  const failed = { ok: false, message: 'the probe failed' }
  expect(await ready.json()).toMatchObject({
    plugins: {
      endless: { onStart: { ok: false, message: 'has not finished' } },
      probed: {
        fine: { ok: true, message: 'all well' },
        bad: { ok: false },
        throwing: failed,
        hanging: failed,
        senseless: failed,
      },
    },
  })
  expect(await (await fetch(`${clients}/readyz?verbose`)).json()).not.toHaveProperty('plugins')
  expect(await statusWithKey(clients, secret)).toBe(200)
}, 60_000)

const openToAll = `{
  name: 'open',
  admin: (builder) => builder.queryField('all', (t) => t.string({ resolve: () => '' })),
}`

test.concurrent('a gateway does not serve with an addition to the admin API that all could read', async () => {
  await using place = await placeWith(openToAll)
  const { code, stderr } = await place.run(anyPorts)
  expect(code).toBe(3)
  expect(stderr).toContain('plugin "open"')
  expect(stderr).toContain('adds `Query.all` without an authorisation decision')
})

test.concurrent('check names an addition to the admin API that cannot be made', async () => {
  await using place = await placeWith(`
    ${openToAll},
    { name: 'odd', admin: 'schema.graphql', probes: { a: 1 } }`)
  const { code, stderr } = await place.run('check')
  expect(code).toBe(3)
  expect(stderr).toContain('adds `Query.all` without an authorisation decision')
  expect(stderr).toContain('plugins[1].admin\n    must be a function')
  expect(stderr).toContain('plugins[1].probes.a\n    must be a function')
})
