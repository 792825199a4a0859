import { describe, expect, test } from 'vitest'

import { ask, chaining, connect, refusal, ways } from '../chaining/asking.ts'
import type { Changes } from '../chaining/stage.ts'
import { keptGrounds, startKept } from './stage.ts'
import { deleteResponse } from '../chaining/stored.ts'

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
]

/** So many failures in a row open a circuit. */
const failures = 5

describe.concurrent.for(keptGrounds())('on $name, a client whose account', (ground) => {
  const { sdk, open, speaks } = ground

  test.for(reasons)('$reason has what was kept, and no more', async ({ changes, why }) => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk, { maxRetries: 2 })
    const { id } = await ask(client)
    stage.configure(changes)

    for (const { stream } of ways) {
      const asked = ask(client, { previous_response_id: id }, { stream })
      expect(await refusal(sdk, asked)).toEqual(unavailable(why))
    }
    expect(await stage.gateway.logged(3)).toHaveLength(3)
    expect(await client.responses.retrieve(id)).toMatchObject({ id, output_text: 'a' })
    expect((await client.responses.inputItems.list(id)).data).toHaveLength(1)
    await deleteResponse(client, id)
    expect((await refusal(sdk, client.responses.retrieve(id))).status).toBe(404)
    expect(stage.asked('b')).toEqual([])
  })

  test.for(ways)('has an open circuit has what was kept, and no more ($way)', async (way) => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const { id } = await ask(client)
    const continued = () => ask(client, { previous_response_id: id }, way)
    stage.configure({ a: { apiKey: 'sandbox-key-a', baseUrl: 'http://127.0.0.1:1' } })
    for (let time = 0; time < failures; time++) {
      expect(await refusal(sdk, continued())).toEqual(
        chaining(
          503,
          'previous_response_account_unavailable',
          'The account that produced the previous response cannot be used: no connection to it can be made.',
          'true',
        ),
      )
    }

    expect(await refusal(sdk, continued())).toEqual(
      unavailable('circuit open: 5 of 5 calls found no connection'),
    )
    expect(await client.responses.retrieve(id)).toMatchObject({ id })
    expect(stage.asked('b')).toEqual([])
  })
})
