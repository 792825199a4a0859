import { expect, test, vi } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { addressesOf, withoutAdmin } from './dragoman.ts'
import { headersAt, placeWith, secret } from './plugin-modules.ts'

vi.setConfig({ testTimeout: 60_000 })

test('a timer of a module that throws later ends neither the first process nor a worker', async () => {
  const later = `export default () => {
    setInterval(() => { throw new Error('restless in ' + (process.send ? 'a worker' : 'the first')) }, 200)
    return { name: 'later' }
  }`
  await using place = await placeWith([{ use: './a.mjs' }], { 'a.mjs': later })
  const server = place.start(`--workers 2 ${withoutAdmin}`)
  const { clients } = await addressesOf(server)
  await server.said(/"plugin":"\.\/a\.mjs".*restless in a worker/)
  await server.said(/"plugin":"\.\/a\.mjs".*restless in the first/)
  expect((await headersAt(clients)).get('content-type')).toContain('json')
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  expect(server.output.stderr).not.toContain('a new worker replaces it')
})

test('a reload makes a plugin again only if its options have changed', async () => {
  const counting = `let made = 0
    export const options = { '~standard': { validate: (value) => ({ value }) } }
    export default ({ limit }) => (process.stderr.write('made ' + ++made + ' of ' + limit + '\\n'), { name: 'a' })`
  const entry = (limit: number) => [{ use: './a.mjs', options: { limit } }]
  await using place = await placeWith(entry(1), { 'a.mjs': counting })
  const server = place.start(withoutAdmin)
  await addressesOf(server)
  const reloads = () => server.output.stderr.split('configuration reloaded').length - 1
  server.child.kill('SIGHUP')
  await until(() => reloads() === 1)
  expect(server.output.stderr).not.toContain('made 2')
  expect(server.output.stderr).not.toContain('after a restart')
  const config = { keys: [{ id: 'team', secret }], plugins: entry(2) }
  await place.write('dragoman.config.json', JSON.stringify(config))
  await server.said(/take effect after a restart.*"plugins"/)
  expect(server.output.stderr).toContain('made 2 of 2')
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
})
