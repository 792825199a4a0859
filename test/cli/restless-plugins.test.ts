import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { addressesOf, anyPorts, statusWithKey } from './dragoman.ts'
import { secret, placeWith } from './restless-plugins.ts'

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
  const { code, stderr } = await place.call('check')
  expect(code).toBe(3)
  expect(stderr).toContain('adds `Query.all` without an authorisation decision')
  expect(stderr).toContain('plugins[1].admin\n    must be a function')
  expect(stderr).toContain('plugins[1].probes.a\n    must be a function')
})
