import { describe, expect, test } from 'vitest'

import { answerJson } from '../../../src/testing/fake-account.ts'
import { accountStage } from './stage.ts'

const numbers = [0.5, -0.25, 1]
const base64 = Buffer.from(new Float32Array(numbers).buffer).toString('base64')

const item = (embedding: unknown, index = 0) => ({ object: 'embedding', index, embedding })
const reply = (...data: object[]) => ({
  object: 'list',
  data,
  model: 'm-1',
  usage: { prompt_tokens: 3, total_tokens: 3 },
})

async function embed(answer: object, fields: object, options = {}) {
  await using stage = await accountStage([answerJson(answer)], options)
  return stage.post({ path: '/v1/embeddings', body: { model: 'm', input: ['a'], ...fields } })
}

describe('whatever form an account answers in', () => {
  test.each([
    ['base64', 'numbers', numbers, base64],
    ['float', 'base64', base64, numbers],
    [undefined, 'base64', base64, numbers],
  ])(
    'a client that asks for %s gets it where the account sends %s',
    async (format, _, sent, got) => {
      const fields = format === undefined ? {} : { encoding_format: format }
      const { json } = await embed(reply(item(sent)), fields)
      expect(json).toEqual(reply(item(got)))
    },
  )

  test.each([
    ['base64', base64],
    ['float', numbers],
  ])('a reply in %s, as asked, passes byte for byte', async (encoding_format, sent) => {
    const text = `{ "data" : [${JSON.stringify(item(sent))}],"object":"list",  "x":1}`
    const { text: got } = await embed(text as unknown as object, { encoding_format })
    expect(got).toBe(text)
  })

  test('items come in the order of the inputs', async () => {
    const { json } = await embed(reply(item([2], 1), item([1], 0)), { input: ['a', 'b'] })
    expect(json.data).toEqual([item([1], 0), item([2], 1)])
  })

  test.each([[['x']], [[]], [3], [null]])(
    '%j is no embedding: another account answers',
    async (sent) => {
      const answers = [answerJson(reply(item(sent))), answerJson(reply(item(numbers)))]
      await using stage = await accountStage(answers)
      const body = { model: 'm', input: ['a'], encoding_format: 'base64' }
      const { json } = await stage.post({ path: '/v1/embeddings', body })
      expect(json).toEqual(reply(item(base64)))
      expect(stage.servers[1]!.requests).toHaveLength(1)
    },
  )

  test('a corrected reply names the model as the client does, if its alias says so', async () => {
    const aliases = { pet: { model: 'm', replyModel: 'client' as const } }
    const { json } = await embed(reply(item(base64)), { model: 'pet' }, { aliases })
    expect(json).toMatchObject({ model: 'pet', data: [{ embedding: numbers }] })
  })

  /** So many embeddings in base64, each of so many numbers. */
  function many(embeddings: number, length: number) {
    const vector = Float32Array.from({ length }, (_, index) => index / 8)
    const text = Buffer.from(vector.buffer).toString('base64')
    return {
      vector,
      input: Array.from({ length: embeddings }, () => 'a'),
      reply: reply(...Array.from({ length: embeddings }, (_, at) => item(text, at))),
    }
  }

  test('a large reply is written anew, whole', async () => {
    const { vector, input, reply: sent } = many(200, 256)
    const { json } = await embed(sent, { input, encoding_format: 'float' })
    expect(json.data).toHaveLength(200)
    expect(json.data.at(-1)).toEqual(item([...vector], 199))
  })

  test.each([
    ['/v1beta/models/m:embedContent', { content: { parts: [{ text: 'a' }] } }],
    ['/v1beta1/publishers/google/models/m:predict', { instances: [{ content: 'a' }] }],
  ])('nor for a client of %s', async (path, body) => {
    const { reply: sent } = many(1, 1_000_001)
    await using stage = await accountStage([answerJson(sent)])
    const { status, text } = await stage.post({ path, body })
    expect([status, text]).toEqual([502, expect.stringContaining('too many numbers')])
  })

  test('more than a million numbers are no text', async () => {
    const { input, reply: sent } = many(1_100, 1_024)
    const { status, json } = await embed(sent, { input, encoding_format: 'float' })
    expect([status, json.error.details[0].code]).toEqual([502, 'upstream_reply_too_large'])
    expect((await embed(sent, { input, encoding_format: 'base64' })).status).toBe(200)
  })
})
