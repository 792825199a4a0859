import { describe, expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { ask, chaining, connect, refusal, ways } from '../chaining/asking.ts'
import { preferB } from '../chaining/stage.ts'
import { deleteResponse, own } from '../chaining/stored.ts'
import { waiting } from './fleet.ts'
import { keptGrounds, startKept, wordsTold } from './stage.ts'

const cannotTell = chaining(
  503,
  'previous_response_lookup_unavailable',
  'The previous response cannot be looked up at the moment.',
  'true',
)

describe.concurrent.for(keptGrounds())('on $name, a store', ({ sdk, open, speaks }) => {
  test.for(ways)('that cannot be read tells so, and never "not found" ($way)', async (way) => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const { id } = await ask(client, {}, way)
    stage.broken.reads = true

    const asked = () => refusal(sdk, ask(client, { previous_response_id: id }, way))
    expect(await asked()).toEqual(cannotTell)
    const unreadable = own(503, 'The response cannot be looked up at the moment.', {
      code: 'lookup_unavailable',
      shouldRetry: 'true',
    })
    expect(await refusal(sdk, client.responses.retrieve(id))).toEqual(unreadable)
    expect(await refusal(sdk, client.responses.inputItems.list(id).then())).toEqual(unreadable)
    expect(stage.sandbox.requests).toHaveLength(1)

    stage.broken.reads = false
    expect((await ask(client, { previous_response_id: id }, way)).output_text).toBe('a')
  })

  test.for(ways)('that cannot be written costs neither reply nor chain ($way)', async (way) => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    stage.broken.writes = true

    const first = await ask(client, { input: 'one apple' }, way)
    stage.configure(preferB)
    const second = await ask(client, { input: 'two', previous_response_id: first.id }, way)
    expect([first, second].map(({ output_text }) => output_text)).toEqual(['a', 'a'])
    expect(await client.responses.retrieve(second.id)).toMatchObject({ output_text: 'a' })
    // Each together with the one item that it is made of.
    expect(await waiting(stage.gateway)).toBe(2)

    stage.broken.writes = false
    await until(async () => (await waiting(stage.gateway)) === 0)
    await ask(client, { input: 'three', previous_response_id: second.id }, way)
    expect(wordsTold(stage, 'one apple', 'two', 'three')).toEqual(['one apple', 'two', 'three'])
    expect(stage.asked('b')).toEqual([])
  })

  test('that cannot forget a response says so, and has it still', async () => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    stage.broken.writes = true
    const { id } = await ask(client)

    expect(await refusal(sdk, deleteResponse(client, id))).toEqual(
      own(503, 'The response cannot be changed at the moment.', {
        code: 'lookup_unavailable',
        shouldRetry: 'true',
      }),
    )
    expect(await client.responses.retrieve(id)).toMatchObject({ id })

    stage.broken.writes = false
    await deleteResponse(client, id)
    expect((await refusal(sdk, client.responses.retrieve(id))).status).toBe(404)
  })
})
