import { expect, test, vi } from 'vitest'

import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { openPlace } from '../cli/dragoman.ts'
import {
  key,
  startUpstream,
  call,
  askApi,
  saysApi,
  readiness,
  agreement,
  start,
} from './kept-out.ts'

vi.setConfig({ testTimeout: 120_000 })

test('two workers: API, readiness and command line say the same of 401, pause and circuit', async () => {
  const { upstream, accounts } = await startUpstream()
  await using _upstream = upstream
  await using folder = await openPlace()
  const config = { keys: [{ id: 'team', secret: key }], accounts, store: 'file:store' }
  const asked = await start(folder, config, ' --workers 2')
  await call(asked, 'refused')
  await call(asked, 'cooling')
  for (let calls = 0; calls < 12; calls++) await call(asked, 'failing')
  const said = await agreement(asked, 3)
  const kinds = new Set(said.map((line) => (JSON.parse(line) as string[]).slice(0, 2).join(' ')))
  expect([...kinds].toSorted()).toEqual(['cooling cooling', 'failing circuit', 'refused refused'])
  expect(said.join()).toContain('401')
  const states = async () => {
    const { edges } = (await askApi(asked)).data.accounts
    return edges.map(({ node }) => [node.id, node.state, node.serves])
  }
  // Whichever worker answers.
  for (let times = 0; times < 8; times++) {
    expect(await states()).toEqual([
      ['cooling', 'COOLING', 'NOTHING'],
      // Of the only key that calls: it may be to blame.
      ['failing', 'ENABLED', 'SOME'],
      ['refused', 'REFUSED', 'NOTHING'],
    ])
  }
})

test('two replicas on Redis: what one has seen the other says, and a store that is away is told', async () => {
  const { upstream, accounts } = await startUpstream()
  await using _upstream = upstream
  await using redis = await startRedis()
  await using first = await openPlace()
  await using second = await openPlace()
  const config = { keys: [{ id: 'team', secret: key }], accounts, store: redis.url }
  const one = await start(first, config)
  const other = await start(second, config)
  await call(one, 'refused')
  await call(one, 'cooling')
  const said = await agreement(other, 2)
  expect(await agreement(one, 2)).toEqual(said)
  expect(said).toHaveLength(2)
  expect(new Set(said.map((line) => (JSON.parse(line) as string[]).at(-1))).size).toBe(1)
  expect((await askApi(other)).extensions).toBeUndefined()
  const { stdout } = await second.call('accounts list')
  expect(stdout).toMatch(/refused.*401/)

  await redis.kill()
  await until(async () => !(await askApi(other)).data.gateway.processesComplete)
  const answer = await askApi(other)
  expect(answer.data.gateway.store).toEqual({ reachable: false })
  const fields = new Set(answer.extensions?.incomplete.map(({ field }) => field))
  expect([...fields].toSorted()).toEqual(['accounts', 'gateway'])
  // The part of the other process is missing, and the answers say so.
  expect(await saysApi(other)).toEqual([])
  expect(await readiness(other)).toMatchObject({
    store: { reachable: false },
    processes: { silent: [expect.any(String)] },
    kept_out: [],
  })
  const failed = await second.call('accounts list')
  expect(failed.code).not.toBe(0)
  expect(failed.stderr).toContain('store')
})
