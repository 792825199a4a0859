import { describe, expect, test } from 'vitest'

import { accountOf, ask, chaining, connect, refusal, ways } from './asking.ts'
import { allGrounds } from './grounds.ts'
import { type Changes, startStage } from './stage.ts'

const unavailable = (why: string) =>
  chaining(
    503,
    'previous_response_account_unavailable',
    `The account that produced the previous response cannot be used: ${why}.`,
    'false',
  )

const reasons: { reason: string; changes: Changes; why: string }[] = [
  { reason: 'is disabled', changes: { a: { enabled: false } }, why: 'it is disabled' },
  {
    reason: 'has left the pool of the model',
    changes: { a: { models: ['other/*'] } },
    why: 'it no longer serves this model',
  },
  {
    reason: 'is configured no more',
    changes: { a: undefined },
    why: 'it is no longer configured',
  },
  {
    reason: 'does not speak the protocol any more',
    changes: { a: { speaks: ['chat'] } },
    why: 'it no longer speaks this dialect',
  },
]

/** So many failures in a row open a circuit. */
const failures = 5

describe.for(allGrounds())('on $name, a client that continues a response', ({ sdk, open }) => {
  describe.for(ways)('($way) whose account', ({ stream }) => {
    test.for(reasons)('$reason is told so, once', async ({ changes, why }) => {
      await using stage = await startStage(open)
      const { id } = await ask(connect(stage, sdk), {}, { stream })
      stage.configure(changes)

      const insisting = connect(stage, sdk, { maxRetries: 2 })
      const asked = ask(insisting, { previous_response_id: id }, { stream })

      expect(await refusal(sdk, asked)).toEqual(unavailable(why))
      expect(await stage.gateway.logged(2)).toHaveLength(2)
      expect(stage.asked('b')).toEqual([])
    })

    test('has an open circuit is told so, once', async () => {
      await using stage = await startStage(open)
      const client = connect(stage, sdk)
      const { id } = await ask(client, {}, { stream })
      const failing = { stream, headers: { 'x-sandbox': 'status=500' } }
      const continued = { previous_response_id: id }
      for (let time = 0; time < failures; time++) {
        const { status, body } = await refusal(sdk, ask(client, continued, failing))
        expect({ status, body }).toMatchObject({ status: 500, body: { code: 500 } })
      }

      const insisting = connect(stage, sdk, { maxRetries: 2 })
      const asked = ask(insisting, continued, failing)

      const why = 'circuit open: 5 of 5 calls got 500'
      expect(await refusal(sdk, asked)).toEqual(unavailable(why))
      expect(await stage.gateway.logged(failures + 2)).toHaveLength(failures + 2)
      expect(stage.asked('a')).toHaveLength(1 + failures)
      expect(stage.asked('b')).toEqual([])
    })
  })

  test('is served again when its account is there again', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { id } = await ask(client)
    stage.configure({ a: { enabled: false } })
    await refusal(sdk, ask(client, { previous_response_id: id }))
    stage.configure({})

    expect(accountOf(await ask(client, { previous_response_id: id }))).toBe('a')
  })
})
