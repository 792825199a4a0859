import { describe, expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { refusing, serving } from '../walks/failover/pool.ts'
import { form } from '../walks/streams/forms.ts'
import type { AccountSettings } from '../walks/streams/scripted.ts'
import { type Pair, type PairOptions, startPair } from './pair.ts'

const { chat, responses } = form

/** The times of the circuit's opening, with the jitter that may be added and taken away. */
const surely = (milliseconds: number) => milliseconds * 1.2 + 1
const notYet = (milliseconds: number) => milliseconds * 0.8 - 1

async function askOften(pair: Pair, times: number): Promise<void> {
  for (let call = 0; call < times; call++) await pair.ask()
}

/** `a` is asked first, and fails until its circuit is open. */
async function startOpen(options: PairOptions = {}): Promise<Pair> {
  const pair = await startPair(chat, { b: { priority: 1 }, ...options })
  pair.a.script = refusing(500)
  await askOften(pair, 5)
  expect(pair.a.requests).toHaveLength(5)
  return pair
}

const circuitLines = ({ gateway }: Pair) =>
  gateway.log.map(({ msg }) => String(msg)).filter((text) => text.startsWith('circuit'))

describe('an account that fails five times in a row', () => {
  test('is not asked any more, and clients are served by the other one', async () => {
    await using pair = await startOpen()

    expect(await pair.ask()).toMatchObject({ status: 200, account: 'b' })

    expect(pair.a.requests).toHaveLength(5)
    expect(pair.gateway.log).toMatchObject([
      {
        level: 'warn',
        msg: 'circuit opened: 5 of 5 calls got 500',
        account: 'a',
        family: 'chat',
      },
    ])
    expect((await pair.gateway.logged(6))[5]).toMatchObject({
      attempts: 1,
      excluded: [
        { account: 'a', by: 'account-health', reason: 'circuit open: 5 of 5 calls got 500' },
      ],
    })
  })

  test('is still asked by clients of another family', async () => {
    await using pair = await startOpen()
    pair.a.script = serving(responses)

    expect(await pair.ask({ form: responses })).toMatchObject({ status: 200, account: 'a' })
  })

  test('is asked once more when its time is over, and by everybody when it works', async () => {
    let time = Date.now()
    await using pair = await startOpen({ now: () => time })
    pair.a.script = serving(chat)

    time += notYet(10_000)
    expect(await pair.ask()).toMatchObject({ account: 'b' })
    time += surely(10_000) - notYet(10_000)
    expect(await pair.ask()).toMatchObject({ account: 'a' })
    expect(await pair.ask()).toMatchObject({ account: 'a' })

    expect(circuitLines(pair)).toEqual([
      'circuit opened: 5 of 5 calls got 500',
      'circuit half-open: one call probes the account',
      'circuit closed: the account works again',
    ])
  })

  test('stays away twice as long after each trial that fails', async () => {
    let time = Date.now()
    await using pair = await startOpen({ now: () => time })

    for (const openMs of [10_000, 20_000, 40_000, 80_000, 120_000, 120_000]) {
      const asked = pair.a.requests.length
      time += notYet(openMs)
      expect(await pair.ask()).toMatchObject({ status: 200, account: 'b' })
      expect(pair.a.requests).toHaveLength(asked)
      time += surely(openMs) - notYet(openMs)
      expect(await pair.ask()).toMatchObject({ status: 200, account: 'b' })
      expect(pair.a.requests).toHaveLength(asked + 1)
    }
  })

  test('stays away over a reload that does not change it', async () => {
    await using pair = await startOpen()
    const [a, b] = pair.settings as [AccountSettings, AccountSettings]

    pair.gateway.reload({ accounts: [a, { ...b, weight: 2 }] })
    expect(await pair.ask()).toMatchObject({ status: 200, account: 'b' })
    expect(pair.a.requests).toHaveLength(5)
    pair.a.script = serving(chat)
    pair.gateway.reload({ accounts: [{ ...a, apiKey: 'another-key' }, b] })

    expect(await pair.ask()).toMatchObject({ status: 200, account: 'a' })
  })

  test('answers a client whose chain it has with a clear no', async () => {
    await using pair = await startPair(responses, { b: { priority: 1 } })
    pair.a.script = answerJson({ ...responses.reply, id: 'resp_of_a' })
    const { json } = await pair.ask()
    pair.a.script = refusing(500)
    await askOften(pair, 5)

    const chained = await pair.ask({ fields: { previous_response_id: json['id'] } })

    expect(chained).toMatchObject({
      status: 503,
      json: { error: { code: 'previous_response_account_unavailable' } },
    })
    expect(chained.headers.get('x-should-retry')).toBe('false')
    expect(pair.a.requests).toHaveLength(6)
  })
})

test('when all circuits are open the client is told when to come again', async () => {
  await using pair = await startPair(chat)
  for (const account of [pair.a, pair.b]) account.script = refusing(503)
  await askOften(pair, 5)
  const asked = pair.a.requests.length + pair.b.requests.length

  const reply = await pair.ask()

  expect(asked).toBe(10)
  expect(reply.status).toBe(503)
  const seconds = Number(reply.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(4)
  expect(seconds).toBeLessThanOrEqual(12)
  expect(reply.headers.get('x-should-retry')).not.toBe('false')
  expect(pair.a.requests.length + pair.b.requests.length).toBe(asked)
})
