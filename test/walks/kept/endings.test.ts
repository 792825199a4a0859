import { describe, expect, test } from 'vitest'

import { ask, connect, notFound, refusal, ways } from '../chaining/asking.ts'
import { foreign, startKept } from './stage.ts'

const held = {
  chat: 'sandbox/text=no+finish=content_filter',
  messages: 'sandbox/refuse',
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

      const asked = ask(client, { model, previous_response_id: given.id }, way)
      const refused = asked.catch((error: unknown) => error)

      const again = await client.responses.retrieve(given.id)
      expect(again.output).toEqual(given.output)
      if (given.status === 'completed') {
        // A refusal in words is an answer like any other.
        expect(given.output[0]).toMatchObject({ content: [{ type: 'refusal' }] })
        expect(await refused).toMatchObject({ previous_response_id: given.id })
        return
      }
      expect(again).toMatchObject({ status: 'incomplete', incomplete_details: { reason: why } })
      expect(await refused).toMatchObject({ status: 400, code: 'previous_response_not_found' })
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
    expect(await refusalOf(client.responses.retrieve(id))).toBe(404)
    const { OpenAI } = sdkOf(client)
    const asked = ask(client, { model, previous_response_id: id })
    expect(await refusal({ OpenAI } as never, asked)).toEqual(notFound(id))
  })
})

async function refusalOf(asked: Promise<unknown>): Promise<unknown> {
  const error: unknown = await asked.catch((thrown: unknown) => thrown)
  return (error as { status?: unknown }).status
}

function sdkOf(client: object) {
  return { OpenAI: client.constructor as never }
}
