import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { dailySteps } from '../daily-rows.ts'
import { writers } from './accounts/index.ts'
import { anyCut, anySaid } from './any-said.ts'
import { dialectNames, readers } from './clients/index.ts'
import { approach, exchangeOf } from './kernel.ts'
import { relayed, replied } from './relayed.ts'
import { meaningOf, whatWasSaid } from './said-to.ts'

const pairs = dialectNames.flatMap((account) =>
  dialectNames.map((client) => [client, account] as const),
)

describe.each(pairs)('what a %s client reads of a %s account', (client, account) => {
  test('is what the account said, streamed or not', async () => {
    const streaming = exchangeOf({ client, account, stream: true })
    const waiting = exchangeOf({ client, account, stream: false })
    await fc.assert(
      fc.asyncProperty(anySaid, anyCut, async (said, cut) => {
        const frames = writers[account].frames(said, cut).map((frame) => Buffer.from(frame))
        const streamed = relayed(frames, await approach(streaming))
        const whole = await replied(writers[account].body(said), await approach(waiting))

        const read = readers[client].stream(streamed.wire)
        const expected = whatWasSaid(said, { client, account })
        expect(meaningOf(read)).toEqual(expected)
        expect(meaningOf(readers[client].body(whole.body!))).toEqual(expected)
        expect(new Set(read.calls.map(({ id }) => id)).size).toBe(said.calls.length)
        expect(streamed.outcome?.status).toBe(whole.outcome.status)
        expect(streamed.outcome?.usage).toEqual(whole.outcome.usage)
      }),
      { numRuns: dailySteps(60) },
    )
  })
})
