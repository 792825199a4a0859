import { describe, expect, test } from 'vitest'

import { anthropicVersions } from './anthropic.ts'
import { collect, startWalk } from './walk.ts'

const question = {
  model: 'sandbox/echo',
  max_tokens: 2000,
  messages: [{ role: 'user' as const, content: 'hi there' }],
}
const hardQuestion = { ...question, thinking: { type: 'enabled' as const, budget_tokens: 1024 } }

const thought = { type: 'thinking', thinking: 'The user wrote: hi there' }
const answer = { type: 'text', text: 'You said: hi there' }

describe.for(anthropicVersions)('$name, messages', ({ connect }) => {
  test('a client that asks gets the answer, its usage and the id of the request', async () => {
    await using walk = await startWalk()
    const message = await connect(walk).messages.create(question)
    expect(message).toMatchObject({ role: 'assistant', stop_reason: 'end_turn' })
    expect(message.content).toMatchObject([answer])
    expect(message.usage).toMatchObject({ input_tokens: 2, output_tokens: 4 })

    const [line] = await walk.gateway.logged(1)
    expect(line).toMatchObject({ route: 'messages.create', account: 'a', status: 200 })
    expect(message._request_id).toBe(line?.request_id)
  })

  test('a client that iterates over a stream sees the text grow until it is complete', async () => {
    await using walk = await startWalk()
    const stream = await connect(walk).messages.create({ ...question, stream: true })
    const events = await collect(stream)
    const deltas = events.map((event) =>
      event.type === 'content_block_delta' && event.delta.type === 'text_delta'
        ? event.delta.text
        : '',
    )
    expect(deltas.join('')).toBe('You said: hi there')
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(['message_start', 'message_stop'])
  })

  test('a client that uses the stream helper has the whole message at its end', async () => {
    await using walk = await startWalk()
    const stream = connect(walk).messages.stream(question)
    const deltas: string[] = []
    stream.on('text', (delta) => void deltas.push(delta))
    const message = await stream.finalMessage()
    expect(deltas).toEqual(['You', ' said:', ' hi', ' there'])
    expect(message).toMatchObject({ content: [answer], stop_reason: 'end_turn' })
    expect(message.usage.output_tokens).toBe(4)
    const [line] = await walk.gateway.logged(1)
    expect(stream.request_id).toBe(line?.request_id)
  })

  test('a client that lets the model think reads the thoughts, and may send them back', async () => {
    await using walk = await startWalk()
    const { messages } = connect(walk)
    const plain = await messages.create(hardQuestion)
    const streamed = await messages.stream(hardQuestion).finalMessage()
    for (const { content } of [plain, streamed]) {
      expect(content).toMatchObject([thought, answer])
      const history = [{ role: 'assistant' as const, content }, ...question.messages]
      const turns = [...question.messages, ...history]
      expect((await messages.create({ ...hardQuestion, messages: turns })).role).toBe('assistant')
    }
  })

  test('a client counts the tokens of what it is about to send', async () => {
    await using walk = await startWalk()
    const { model, messages } = question
    const count = await connect(walk).messages.countTokens({ model, messages })
    expect(count.input_tokens).toBe(2)
    const [line] = await walk.gateway.logged(1)
    expect(line).toMatchObject({ route: 'messages.count_tokens', account: 'a' })
  })
})

const betas = ['interleaved-thinking-2025-05-14', 'context-management-2025-06-27']

describe.for(anthropicVersions)('$name, beta', ({ connect }) => {
  test('a client of a beta is served, and the account hears of the beta', async () => {
    await using walk = await startWalk()
    const { messages } = connect(walk).beta
    const request = { ...question, betas, context_management: { edits: [] } }
    const plain = await messages.create(request)
    const streamed = await messages.stream(request).finalMessage()
    for (const { content } of [plain, streamed])
      expect(content).toMatchObject([{ text: 'You said: hi there' }])

    expect(walk.sandbox.requests).toHaveLength(2)
    for (const { headers } of walk.sandbox.requests)
      expect(headers['anthropic-beta']).toBe(betas.join(','))
  })

  test('a client counts tokens in a beta', async () => {
    await using walk = await startWalk()
    const { model, messages } = question
    const count = await connect(walk).beta.messages.countTokens({ model, messages, betas })
    expect(count.input_tokens).toBe(2)
    expect(walk.sandbox.requests[0]?.headers['anthropic-beta']).toContain(betas.join(','))
  })

  test('a client that names the beta in the query is served, and the account sees it', async () => {
    await using walk = await startWalk()
    const asked = connect(walk).post('/v1/messages?beta=true', { body: question })
    expect(await asked).toMatchObject({ content: [{ text: 'You said: hi there' }] })
    expect(walk.sandbox.requests[0]?.url).toBe('/v1/messages?beta=true')
  })
})
