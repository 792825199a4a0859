import { expect, test, vi } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { addressesOf, withoutAdmin, openPlace, statusWithKey } from './dragoman.ts'
import {
  secret,
  placeWithAccount,
  workersOf,
  haveReloaded,
  openConnection,
} from './running-workers.ts'

// Each of these starts three processes or more, and all of them at once.
vi.setConfig({ testTimeout: 90_000 })

test.concurrent('workers share ports, keys and store; one that is killed is replaced', async () => {
  await using sandbox = await startSandbox()
  await using place = await placeWithAccount(sandbox.url)
  const server = place.start(`${withoutAdmin} --workers 2`)
  const { clients } = await addressesOf(server)
  await until(async () => (await workersOf(server.child.pid)).length === 2)
  const before = await workersOf(server.child.pid)

  const issued = await place.call('keys create late')
  const late = issued.stdout.trim()
  await until(async () => {
    const answers = Array.from({ length: 8 }, () => statusWithKey(clients, late))
    return (await Promise.all(answers)).every((status) => status === 200)
  })

  await haveReloaded(server)
  const connections = await Promise.all(Array.from({ length: 40 }, () => openConnection(clients)))
  process.kill(Number(before[0]), 'SIGKILL')
  await until(() => connections.some(({ socket }) => socket.closed))
  // The system gives each connection to one of the two at random.
  expect(connections.every(({ socket }) => socket.closed)).toBe(false)
  await server.said(/Worker \d ended \(SIGKILL\); a new worker replaces it/)
  for (let asked = 0; asked < 20; asked++) expect(await statusWithKey(clients, secret)).toBe(200)
  await until(async () => {
    const now = await workersOf(server.child.pid)
    return now.length === 2 && !now.includes(before[0] ?? '')
  })

  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0 })
})

test.concurrent('what cannot be shared or counted is refused', async () => {
  await using place = await openPlace()
  const memory = await place.run(`${withoutAdmin} --workers 2 --store memory:`)
  expect(memory).toMatchObject({ code: 1 })
  expect(memory.stderr).toContain('memory:')
  for (const words of ['--workers 0', '--workers many']) {
    const { code, stderr } = await place.run(`${withoutAdmin} ${words}`)
    expect([code, stderr]).toEqual([1, expect.stringContaining('--workers must be a whole number')])
  }
  const { code, stderr } = await place.run(withoutAdmin, { DRAGOMAN_WORKERS: '1.5' })
  expect([code, stderr]).toEqual([1, expect.stringContaining('DRAGOMAN_WORKERS must be')])
})
