import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { addressesOf, withoutAdmin, openPlace } from './dragoman.ts'

const routeFor = async (clients: string, secret: string) => {
  const response = await fetch(`${clients}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'x-dragoman-explain': '1' },
    body: JSON.stringify({ model: 'sandbox/echo', input: 'hi' }),
  })
  expect(response.status).toBe(200)
  await response.body?.cancel()
  return response.headers.get('x-dragoman-route')
}

test('a key issued with --explain is told how its calls are routed, and no other one is', async () => {
  await using sandbox = await startSandbox()
  await using place = await openPlace()
  const account = { id: 'a', provider: 'sandbox', baseUrl: sandbox.url, models: ['*'] }
  const accounts = [{ ...account, apiKey: 'sandbox-key-a' }]
  await place.write('dragoman.config.json', JSON.stringify({ accounts, store: 'file:store' }))
  const curious = await place.call('keys create operator --explain')
  const other = await place.call('keys create team')

  const { clients } = await addressesOf(place.start(withoutAdmin))

  const route = await routeFor(clients, curious.stdout.trim())
  expect(JSON.parse(route ?? '{}')).toMatchObject({ account: 'a', attempts: 1 })
  expect(await routeFor(clients, other.stdout.trim())).toBeNull()
})

test('what was issued is told in JSON, and listed', async () => {
  await using place = await openPlace()
  const created = await place.call('keys create operator --explain --json')
  expect(JSON.parse(created.stdout)).toMatchObject({ id: 'operator', explain: true })
  const listed = await place.call('keys list --json')
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id: 'operator', explain: true }])
})

test('--explain takes no value, and belongs to no other command', async () => {
  await using place = await openPlace()
  const results = await Promise.all([
    place.call('keys create operator --explain=yes'),
    place.call('keys rotate operator --explain'),
  ])
  expect(results.map(({ code }) => code)).toEqual([2, 2])
  const { stdout } = await place.call('keys create --help')
  expect(stdout).toMatch(/--explain +Allow x-dragoman-explain/)
})
