import { expect, test } from 'vitest'

import { codecs, decode } from '../samples/index.ts'

const penalties = { presence_penalty: 0.5, frequency_penalty: -0.5 }
const request = decode('chat', penalties)

/** What an account of this model gets, and which losses the client reads. */
function encode(model: string, asked = request) {
  const losses: string[] = []
  const { body } = codecs.responses.encodeRequest(asked, model, (field) => void losses.push(field))
  return { body, losses }
}

test.each(['gpt-5.4', 'openai/gpt-4.1', 'chatgpt-4o-latest'])(
  'an account of OpenAI is not asked for penalties, which its reference does not have: %s',
  (model) => {
    const { body, losses } = encode(model)
    expect(body).not.toHaveProperty('presence_penalty')
    expect(body).not.toHaveProperty('frequency_penalty')
    expect(losses).toEqual(['presence_penalty', 'frequency_penalty'])
  },
)

test('no penalty is no loss', () => {
  const none = decode('chat', { presence_penalty: 0, frequency_penalty: 0 })
  expect(encode('gpt-5.4', none).losses).toEqual([])
})

test.each(['llama-4', 'gpt-oss-120b', 'grok-5'])(
  'an account of Open Responses gets the penalties: %s',
  (model) => expect(encode(model)).toMatchObject({ body: penalties, losses: [] }),
)
