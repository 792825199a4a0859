import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { limitStage, secret } from './stage.ts'

test.each(['file', 'Redis'])(
  'what the calls of a killed replica hold on %s is not given back, and nothing is overspent',
  async (kind) => {
    await using redis = kind === 'Redis' ? await startRedis() : undefined
    await using directory = await temporaryDirectory()
    const store = redis?.url ?? `file:${directory.path}`
    const key = [
      { kind: 'tokens', amount: 2_000, window: 'day' },
      { kind: 'requests', amount: 1_000, window: 'day' },
    ]
    await using own = await limitStage({ store, key })
    const script = join(import.meta.dirname, 'killed-process.ts')
    const child = spawn(process.execPath, [script, store, JSON.stringify(key)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const body = {
      stream: true,
      max_tokens: 150,
      messages: [{ role: 'user', content: 'x' }],
    }
    const ask = async (url: string, model: string) => {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, model }),
      })
      await response.text()
      return response.status
    }
    const other = line.toString().trim()
    // Its calls still run when it is killed.
    const killed = Array.from({ length: 4 }, () =>
      ask(other, 'sandbox/words=50+pace=400').catch(() => 'killed' as const),
    )
    await until(async () => Number((await own.limits())[0]!.held) > 500)
    const asked = Array.from({ length: 60 }, (_, index) =>
      ask(index % 2 === 0 ? own.gateway.url : other, 'sandbox/words=50+pace=20').catch(
        () => 'killed' as const,
      ),
    )
    await until(async () => Number((await own.limits())[0]!.held) > 1_000)
    child.kill('SIGKILL')
    await ended
    const statuses = await Promise.all(asked)
    expect(await Promise.all(killed)).toEqual(['killed', 'killed', 'killed', 'killed'])
    expect(statuses.every((one) => one === 'killed' || one === 200 || one === 429)).toBe(true)
    // The own calls have settled; what the killed ones hold stays until it expires, and is charged then.
    let held = NaN
    await until(async () => {
      const before = held
      held = Number((await own.limits())[0]!.held)
      return held === before
    })
    const [tokens] = await own.limits()
    expect(held).toBeGreaterThan(500)
    expect(Number(tokens!.spent) + held).toBeLessThanOrEqual(2_000 + 200)
  },
  60_000,
)
