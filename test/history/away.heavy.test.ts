import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { readSeries } from '../../src/history/series.ts'
import { openStore } from '../../src/stores/open.ts'
import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { answers, costOfReply } from './stage.ts'

test('pitfall 10: a killed process loses none but its last rows, and its minute is not told as complete', async () => {
  await using directory = await temporaryDirectory()
  await using account = await startFakeAccount(answers)
  const url = `file:${directory.path}`
  using started = await startProcess(url, account.url)
  const { child, address } = started
  const ids: (string | null)[] = []
  const call = async () => {
    const response = await fetch(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer test-secret', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-a', messages: [{ role: 'user', content: 'hi' }] }),
    })
    await response.arrayBuffer()
    expect(response.status).toBe(200)
    ids.push(response.headers.get('x-request-id'))
  }
  for (let index = 0; index < 200; index++) await call()
  const store = await openStore(url, { cwd: '/' })
  await using _closing = { [Symbol.asyncDispose]: () => store.close() }
  const minute = (at: number) => Math.floor(at / 60_000) * 60_000
  const wholeOf = async () => {
    const part = { step: 'minute' as const, from: minute(Date.now()) - 120_000, to: Date.now() }
    const found: Record<string, number> = {}
    for await (const page of store.ledger().sums({ ...part, of: 'all' }))
      for (const { sums } of page)
        for (const [name, amount] of Object.entries(sums))
          found[name] = (found[name] ?? 0) + (amount ?? 0)
    return found
  }
  await until(async () => (await wholeOf())['begun'] !== undefined)
  const rowsNow = () => store.ledger().rows({ limit: 1_000 })
  // A write waits for no further call.
  await until(async () => (await rowsNow()).length === 200)
  for (let index = 0; index < 100; index++) await call()
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  const rows = await rowsNow()
  expect(rows.length).toBeGreaterThanOrEqual(200)
  // One call came after the other: the first ones have their rows.
  expect(new Set(rows.map(({ exchange }) => exchange))).toEqual(new Set(ids.slice(0, rows.length)))
  const sums = await wholeOf()
  expect(sums).toMatchObject({ calls: rows.length, costNano: rows.length * costOfReply })
  expect(sums['begun']).toBeGreaterThan(sums['counted'] ?? 0)
  // Some minutes later a reader knows that nobody will end that minute.
  const at = rows.at(-1)!.at
  const question = { metric: 'CALLS', by: undefined, filter: {}, top: 8, step: 'minute' } as const
  const range = { from: minute(at), to: minute(at) + 1, now: at + 600_000 }
  const series = await readSeries(store.ledger(), { ...question, ...range })
  expect(series?.lines[0]?.points).toEqual([{ at: minute(at), value: null, isComplete: false }])
})

async function startProcess(store: string, account: string) {
  const script = fileURLToPath(new URL('./killed-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, store, account], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [address] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    child,
    address: String(address).trim(),
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}
