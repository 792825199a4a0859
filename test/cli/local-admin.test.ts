import { readdir } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { useLocalAdmin } from '../../src/cli/local-admin.ts'
import { createTerminal } from '../../src/cli/run.ts'
import { doAct } from '../../src/cli/remote/admin.ts'
import { acts } from '../../src/cli/remote/operations.ts'
import { answerJson, startFakeAccount } from '../../src/testing/index.ts'
import { type Place, openPlace } from './dragoman.ts'

async function placeOf(baseUrl: string): Promise<Place> {
  const place = await openPlace()
  const account = { id: 'up', provider: 'openai', baseUrl, apiKey: 'hush', models: ['*'] }
  await place.write('dragoman.config.json', JSON.stringify({ accounts: [account] }))
  return place
}

test('an act on a store that does not exist yet happens once', async () => {
  await using account = await startFakeAccount(answerJson({ object: 'list', data: [] }))
  await using place = await placeOf(`${account.url}/v1`)
  const quiet = { write: () => true, writableLength: 0 }
  const terminal = createTerminal({ stdout: quiet, stderr: quiet, env: {}, cwd: place.path })
  const invocation = { options: {}, operand: undefined, terminal }
  const { outcome } = await useLocalAdmin(invocation, {}, (admin) =>
    doAct(admin, acts.testAccount, { id: 'up' }),
  )
  expect(outcome).toBe('ACCEPTED')
  expect(account.requests).toHaveLength(1)
})

test('an act that needs a record creates no store', async () => {
  await using place = await placeOf('http://127.0.0.1:1/v1')
  for (const words of ['keys revoke a', 'keys rotate a', 'admin-tokens revoke a']) {
    expect([words, (await place.call(words)).code]).toEqual([words, 1])
  }
  expect(await readdir(place.path)).toEqual(['dragoman.config.json'])
  expect((await place.call('accounts disable up')).code).toBe(0)
  expect(await readdir(place.path)).toContain('.dragoman')
})

test('of two commands that create the same record in a store that does not exist yet, one fails', async () => {
  await using place = await placeOf('http://127.0.0.1:1/v1')
  const calls = await Promise.all([1, 2].map(() => place.call('keys create team')))
  expect(calls.map(({ code }) => code).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 1])
  expect(calls.find(({ code }) => code === 1)?.stderr).toMatch(/run this one again|exists/)
})
