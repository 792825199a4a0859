import { describe, expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { asked, message as plainMessage, usage } from './messages.ts'
import { type Scene, startScene, streamOf } from './scene.ts'

const message = {
  ...plainMessage,
  container: { id: 'container_1', expires_at: '2030-01-01T00:00:00Z' },
}

const { container, ...started } = message
const messageEvents = [
  { type: 'message_start', message: { ...started, content: [] } },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', container }, usage },
  { type: 'message_stop' },
]

describe('the container of a message', () => {
  const ways = [
    { way: 'in one piece', stream: false, answer: answerJson(message) },
    { way: 'streamed', stream: true, answer: streamOf(...messageEvents) },
  ]

  test.each(ways)('belongs to the key that got it ($way)', async ({ stream, answer }) => {
    await using scene = await startScene({}, { a: { provider: 'anthropic' } })
    scene.answer = answer
    expect((await scene.ask('one', '/v1/messages', { ...asked, stream })).status).toBe(200)
    const before = scene.requests.length
    scene.answer = answerJson(message)

    for (const named of ['container_1', { id: 'container_1', skills: [] }]) {
      const body = { ...asked, container: named }
      const refused = await scene.ask('two', '/v1/messages', body)
      expect(refused.status).toBe(400)
      expect(refused.text).toContain("Container with id 'container_1' not found.")
      expect((await scene.ask('two', '/v1/messages/count_tokens', body)).status).toBe(400)
    }
    expect(scene.requests).toHaveLength(before)
    const body = { ...asked, container: 'container_1' }
    expect((await scene.ask('one', '/v1/messages', body)).status).toBe(200)
  })
})

describe('spoken audio', () => {
  const whole = { index: 0, finish_reason: 'stop' }
  const audio = { id: 'audio_1', data: '', transcript: 'ok', expires_at: 1 }
  const reply = { id: 'c', object: 'chat.completion', created: 0, model: 'm' }
  const inOnePiece = answerJson({
    ...reply,
    choices: [{ ...whole, message: { role: 'assistant', audio } }],
  })
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...reply,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  })
  const streamed = streamOf(
    chunk({ role: 'assistant', content: 'a' }),
    chunk({ content: 'b' }),
    chunk({ audio }),
    chunk({}, 'stop'),
  )
  const ways = [
    { way: 'in one piece', stream: false, answer: inOnePiece },
    { way: 'streamed', stream: true, answer: streamed },
  ]

  test.each(ways)('belongs to the key that got it ($way)', async ({ stream, answer }) => {
    await using scene = await startScene({}, { a: { speaks: ['chat'] } })
    const first = { ...asked, modalities: ['text', 'audio'], audio: { voice: 'v', format: 'wav' } }
    scene.answer = answer
    expect((await ask(scene, 'one', { ...first, stream })).status).toBe(200)
    scene.answer = inOnePiece
    const messages = [{ role: 'assistant', audio: { id: 'audio_1' } }, ...asked.messages]
    const before = scene.requests.length

    const refused = await ask(scene, 'two', { ...first, messages })
    expect(refused).toMatchObject({
      status: 400,
      json: { error: { param: 'messages[0].audio.id' } },
    })
    expect(refused.text).toContain("Audio with id 'audio_1' not found.")
    expect(scene.requests).toHaveLength(before)
    expect((await ask(scene, 'one', { ...first, messages })).status).toBe(200)
  })
})

function ask(scene: Scene, key: string, body: object) {
  return scene.ask(key, '/v1/chat/completions', body)
}
