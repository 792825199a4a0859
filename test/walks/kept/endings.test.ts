import { describe, expect, test } from 'vitest'

import { ask, connect, notContinued, notFound, refusal, ways } from '../chaining/asking.ts'
import { foreign, newest, startKept } from './stage.ts'

/** An answer that was held back without a word. */
const held = {
  chat: 'sandbox/text=no+finish=content_filter',
  messages: 'sandbox/text=no+finish=refusal',
  generate: 'sandbox/text=no+finish=SAFETY',
} as const

describe.concurrent.for(foreign)('before accounts that speak %s', (speaks) => {
  describe.for(ways)('a client ($way)', (way) => {
    test.for([
      { why: 'max_output_tokens', model: 'sandbox/words=90', max_output_tokens: 16 },
      { why: 'content_filter', model: held[speaks], max_output_tokens: null },
    ])('can ask for a response that was cut by $why, but not go on from it', async (kind) => {
      const { why, model, max_output_tokens } = kind
      await using stage = await startKept(speaks)
      const client = connect(stage)
      const given = await ask(client, { model, max_output_tokens }, way)

      expect(await client.responses.retrieve(given.id)).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: why },
        output: given.output,
      })
      const asked = ask(client, { model, previous_response_id: given.id }, way)
      expect(await refusal(newest, asked)).toEqual(notContinued(given.id))
    })

    test('gets the same of a response whose tokens nobody counted', async () => {
      await using stage = await startKept(speaks)
      const client = connect(stage)
      const model = 'sandbox/whoami+nousage'
      const given = await ask(client, { model }, way)

      expect(await client.responses.retrieve(given.id)).toMatchObject({
        status: 'completed',
        usage: given.usage,
      })
      expect(await ask(client, { model, previous_response_id: given.id }, way)).toMatchObject({
        status: 'completed',
      })
    })
  })

  test.for([
    { how: 'broke off', model: 'sandbox/words=40+cut=6' },
    { how: 'ended early', model: 'sandbox/words=40+eof=6' },
    { how: 'told of an error', model: 'sandbox/words=40+error=6' },
  ])('a client finds nothing of a stream that $how', async ({ model }) => {
    await using stage = await startKept(speaks)
    const client = connect(stage)
    let id = ''
    const failed = async () => {
      for await (const event of await client.responses.create({ model, input: 'hi', stream: true }))
        if (event.type === 'response.created') id = event.response.id
    }
    await failed().catch(() => {})

    expect(id).toMatch(/^resp_/)
    expect((await refusal(newest, client.responses.retrieve(id))).status).toBe(404)
    const asked = ask(client, { model, previous_response_id: id })
    expect(await refusal(newest, asked)).toEqual(notFound(id))
  })
})
