import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { describe, expect, test } from 'vitest'

import { openStore } from '../../../src/stores/open.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { patiently } from '../patiently.ts'
import { temporaryDirectory } from '../temporary.ts'
import { ask, budget } from './limits.ts'

interface Caller extends AsyncDisposable {
  /** Lets it ask, and resolves with the holds that were admitted. The first of them is settled, with 7. */
  ask(): Promise<readonly string[]>
  kill(): Promise<void>
}

interface Asks {
  readonly count: number
  readonly most: number
  readonly amount: number
  readonly expiresMs?: number
}

async function startCaller(
  url: string,
  name: string,
  { count, most, amount, expiresMs = 600_000 }: Asks,
): Promise<Caller> {
  const words = [url, name, count, most, amount, expiresMs].map(String)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'caller.ts'), ...words], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  await lines.next()
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return {
    async ask() {
      child.stdin.write('go\n')
      return JSON.parse((await lines.next()).value as string) as string[]
    },
    kill,
    [Symbol.asyncDispose]: kill,
  }
}

async function urlOf(kind: string, scene: AsyncDisposableStack): Promise<string> {
  if (kind === 'redis') return scene.use(await startRedis()).url
  return `file:${scene.use(await temporaryDirectory()).path}`
}

describe.each(['file', 'redis'])('processes on the store %s', (kind) => {
  test('64 calls at once of two processes and a budget for 10: no more than 10 are admitted', async () => {
    await using scene = new AsyncDisposableStack()
    const url = await urlOf(kind, scene)
    const store = await openStore(url, { cwd: '/' })
    scene.defer(() => store.close())
    const asks = { count: 32, most: 100, amount: 10 }
    const callers = await Promise.all(
      ['a', 'b'].map(async (name) => scene.use(await startCaller(url, name, asks))),
    )
    const admitted = (await Promise.all(callers.map((caller) => caller.ask()))).flat()
    expect(admitted).toHaveLength(10)
    const meter = store.meter()
    const limit = budget(100)
    // Each process has settled one of its own with 7.
    const settled = new Set(['a', 'b'].map((name) => admitted.find((one) => one.startsWith(name))))
    settled.delete(undefined)
    const held = 10 * (10 - settled.size)
    const spent = 7 * settled.size
    expect(await meter.read('key:a', [limit])).toMatchObject([{ spent, held }])
    // The rest is less than a call asks for: one at a time may begin.
    for (const hold of admitted) {
      await meter.settle({ subject: 'key:a', hold, charges: [{ limit, amount: 10 }] })
    }
    const late = await Promise.all(
      Array.from({ length: 20 }, (_, index) => meter.admit(ask(`late ${index}`, limit, 10))),
    )
    expect(late.filter((one) => one.admitted)).toHaveLength(1)
    await meter.settle({ subject: 'key:a', hold: 'late 0', charges: [{ limit, amount: 10 }] })
    const [state] = await meter.read('key:a', [limit])
    expect(state).toMatchObject({ spent: spent + held + 10 })
    expect(await meter.admit(ask('last', limit, 0))).toMatchObject({ why: 'spent' })
  })

  test('pitfall 3: a process that is killed loses no charge, and its holds become their floors', async () => {
    await using scene = new AsyncDisposableStack()
    const url = await urlOf(kind, scene)
    const store = await openStore(url, { cwd: '/' })
    scene.defer(() => store.close())
    const asks = { count: 5, most: 100, amount: 10, expiresMs: 2_000 }
    const caller = scene.use(await startCaller(url, 'a', asks))
    expect(await caller.ask()).toHaveLength(5)
    await caller.kill()
    const meter = store.meter()
    const limit = budget(100)
    await expect
      .poll(() => patiently(() => meter.read('key:a', [limit])), { timeout: 10_000 })
      .toMatchObject([{ spent: 7 + 4 * 2, held: 0 }])
    await meter.settle({ subject: 'key:a', hold: 'a-4', charges: [{ limit, amount: 3 }] })
    expect(await meter.read('key:a', [limit])).toMatchObject([{ spent: 7 + 3 * 2 + 3 }])
  })
})
