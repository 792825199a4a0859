import { expect, test } from 'vitest'

import { definePlugin } from '../../src/index.ts'
import { answerJson, createTestGateway, startFakeAccount } from '../../src/testing/index.ts'
import { accountAt, askChat, reply } from './chat.ts'
import { maintenance, type MaintenanceWindow } from './maintenance.ts'

const minute = 60_000

const windowOf = (account: string, from: number, until: number): MaintenanceWindow => ({
  account,
  from: Date.now() + from * minute,
  until: Date.now() + until * minute,
})

async function stagePair(windows: () => readonly MaintenanceWindow[]) {
  const account = await startFakeAccount(answerJson(reply))
  const gateway = await createTestGateway({
    accounts: [accountAt('blue', account.url), accountAt('green', account.url, { priority: 1 })],
    plugins: [maintenance({ windows })],
  })
  return {
    gateway,
    account,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

test('an account that is worked on is not asked, and is asked again afterwards', async () => {
  let windows = [windowOf('blue', -1, 1)]
  await using pair = await stagePair(() => windows)
  const served = async () => (await askChat(pair.gateway)).headers.get('x-dragoman-account')

  expect(await served()).toBe('green')
  windows = [windowOf('blue', -2, -1), windowOf('blue', 1, 2)]
  expect(await served()).toBe('blue')
  expect((await pair.gateway.logged(2))[0]).toMatchObject({ account: 'green', attempts: 1 })
})

test('a client is told when to come back if every account is worked on', async () => {
  await using pair = await stagePair(() => [windowOf('blue', -1, 3), windowOf('green', -1, 1)])
  const response = await askChat(pair.gateway)
  const { error } = (await response.json()) as { error: { message: string } }

  expect(response.status).toBe(503)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect(error.message).toContain('`m`')
  expect(JSON.stringify(error)).not.toMatch(/blue|green|worked on/)
  expect(pair.account.requests).toEqual([])
})

test('verdicts of several plugins add up: one excludes, another prefers', async () => {
  await using account = await startFakeAccount(answerJson(reply))
  const preferred = definePlugin({
    name: 'preferred',
    onCandidates: ({ candidates }) =>
      candidates.map((one) => ({ rank: one.account.id === 'third' ? -1 : 0 })),
  })
  await using gateway = await createTestGateway({
    accounts: ['first', 'second', 'third'].map((id) => accountAt(id, account.url)),
    plugins: [preferred, maintenance({ windows: () => [windowOf('first', -1, 1)] })],
  })
  expect((await askChat(gateway)).headers.get('x-dragoman-account')).toBe('third')
})

test('a plugin judges an empty pool too, and may give a reason of its own', async () => {
  const pools: number[] = []
  const judge = definePlugin({
    name: 'judge',
    onCandidates: ({ candidates }) => void pools.push(candidates.length),
  })
  await using account = await startFakeAccount(answerJson(reply))
  await using gateway = await createTestGateway({
    accounts: [accountAt('only', account.url, { enabled: false })],
    plugins: [judge],
  })
  expect((await askChat(gateway)).status).toBe(503)
  expect(pools).toEqual([0])
})
