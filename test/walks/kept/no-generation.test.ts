import { describe, expect, test } from 'vitest'

import { ask, connect, refusal, ways } from '../chaining/asking.ts'
import { model } from '../chaining/stage.ts'
import { foreign, newest, startKept } from './stage.ts'

const speaksNow = { a: { speaks: ['responses'] } }

describe.concurrent.for(foreign)('before accounts that speak %s, a client', (speaks) => {
  describe.for([
    { now: 'still', changes: {} },
    { now: 'no more: they speak Responses', changes: speaksNow },
  ])('that knows what is kept, $now', ({ changes }) => {
    test.for([{ path: '/responses/input_tokens' }, { path: '/responses/compact' }])(
      'is told that $path cannot start from it',
      async ({ path }) => {
        await using stage = await startKept(speaks)
        const client = connect(stage)
        const { id } = await ask(client)
        const conversation = await client.conversations.create()
        stage.configure(changes)

        const post = (body: object) =>
          refusal(newest, client.post(path, { body: { model, ...body } }))
        expect(await post({ previous_response_id: id, input: 'hi' })).toMatchObject({
          status: 400,
          body: { code: 'invalid_value', param: 'previous_response_id' },
        })
        expect(await post({ conversation: conversation.id, input: 'hi' })).toMatchObject({
          status: 400,
          body: { code: 400, param: 'conversation' },
        })
        expect(stage.sandbox.requests).toHaveLength(1)
      },
    )

    test.for(ways)('is told that nothing is made in the background ($way)', async (way) => {
      await using stage = await startKept(speaks)
      const client = connect(stage)
      const { id } = await ask(client)
      stage.configure(changes)

      const asked = ask(client, { background: true, previous_response_id: id }, way)

      expect(await refusal(newest, asked)).toMatchObject({
        status: 400,
        body: { param: 'background' },
      })
      expect(stage.sandbox.requests).toHaveLength(1)
    })
  })

  test.for(ways)('is told that nothing is made in the background ($way)', async (way) => {
    await using stage = await startKept(speaks)

    const asked = ask(connect(stage), { background: true }, way)

    expect(await refusal(newest, asked)).toMatchObject({
      status: 400,
      body: { code: 400, param: 'background' },
    })
    expect(stage.sandbox.requests).toEqual([])
  })
})
