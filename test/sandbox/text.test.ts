import { expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { clientsOf } from './clients.ts'
import { errorMessage, framesOf, greet, post, readAll } from './requests.ts'

test('each stream is framed as its provider frames it', async () => {
  await using sandbox = await startSandbox()
  const streamOf = async (dialect: Parameters<typeof greet>[0]) =>
    (await readAll(await post(sandbox, greet(dialect, 'm', true)))).text

  const responses = await streamOf('responses')
  expect(responses).toMatch(/^event: response\.created\ndata: \{"type":"response\.created"/)
  expect(responses).not.toContain('[DONE]')
  const numbers = framesOf(responses).map((data) => JSON.parse(data).sequence_number)
  expect(numbers).toEqual(numbers.map((_, index) => index))

  const chat = await streamOf('chat-completions')
  expect(chat).not.toContain('event:')
  expect(chat).toMatch(/data: \[DONE\]\n\n$/)

  const messages = await streamOf('messages')
  expect(messages).toMatch(/^event: message_start\n.*\n\nevent: ping\ndata: \{"type":"ping"\}\n\n/)
  expect(messages).toMatch(/event: message_stop\ndata: \{"type":"message_stop"\}\n\n$/)

  const gemini = await streamOf('generate-content')
  expect(gemini).not.toContain('event:')
  expect(framesOf(gemini).map((data) => JSON.parse(data).candidates[0].finishReason)).toEqual([
    undefined,
    undefined,
    undefined,
    'STOP',
  ])
})

test('generateContent streams a JSON array unless it is asked for SSE', async () => {
  await using sandbox = await startSandbox()
  const request = greet('generate-content', 'm', true)
  const path = request.path.replace('?alt=sse', '')
  const response = await post(sandbox, { ...request, path })
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  const chunks = (await response.json()) as unknown[]
  expect(chunks).toHaveLength(4)
})

test('usage in chat streams is told only to those who ask for it', async () => {
  await using sandbox = await startSandbox()
  const silent = await readAll(await post(sandbox, greet('chat-completions', 'm', true)))
  expect(silent.text).not.toContain('usage')

  const asked = await post(sandbox, greet('chat-completions', 'm', true), {
    body: { stream_options: { include_usage: true } },
  })
  const chunks = framesOf((await readAll(asked)).text).slice(0, -1)
  const [last, ...others] = chunks.map((data) => JSON.parse(data)).toReversed()
  expect(last).toMatchObject({ choices: [], usage: { total_tokens: 6 } })
  expect(others.every((chunk) => chunk.usage === null)).toBe(true)
})

test('texts end where the limits and stop sequences say', async () => {
  await using sandbox = await startSandbox()
  const { openai, anthropic, genai } = clientsOf(sandbox)
  const messages = [{ role: 'user' as const, content: 'one two three four' }]

  const chat = { model: 'm', messages, max_completion_tokens: 3 }
  const { choices } = await openai.chat.completions.create(chat)
  expect(choices[0]).toMatchObject({
    finish_reason: 'length',
    message: { content: 'You said: one' },
  })

  const stop = { model: 'm', max_tokens: 50, messages, stop_sequences: [' three'] }
  expect(await anthropic.messages.create(stop)).toMatchObject({
    stop_reason: 'stop_sequence',
    stop_sequence: ' three',
    content: [{ text: 'You said: one two' }],
  })

  const reply = await genai.models.generateContent({
    model: 'm',
    contents: 'one two three four',
    config: { maxOutputTokens: 2 },
  })
  expect(reply.candidates?.[0]?.finishReason).toBe('MAX_TOKENS')

  const response = await openai.responses.create({
    model: 'sandbox/words=50',
    input: 'hi',
    max_output_tokens: 16,
  })
  expect(response).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
  })
})

test('tokens can be counted before anything is asked', async () => {
  await using sandbox = await startSandbox()
  const { openai, anthropic, genai } = clientsOf(sandbox)
  const counted = await openai.responses.inputTokens.count({ model: 'm', input: 'one two three' })
  expect(counted).toMatchObject({ object: 'response.input_tokens', input_tokens: 3 })
  const messages = [{ role: 'user' as const, content: 'one two three' }]
  expect(await anthropic.messages.countTokens({ model: 'm', messages })).toMatchObject({
    input_tokens: 3,
  })
  const google = await genai.models.countTokens({ model: 'm', contents: 'one two three' })
  expect(google.totalTokens).toBe(3)
})

test('each provider lists its models in its own form', async () => {
  await using sandbox = await startSandbox()
  const { openai, anthropic, genai } = clientsOf(sandbox)
  const names: string[][] = [[], [], []]
  for await (const model of openai.models.list()) names[0]!.push(model.id)
  for await (const model of anthropic.models.list()) names[1]!.push(model.id)
  for await (const model of await genai.models.list()) names[2]!.push(model.name ?? '')
  expect(names[0]).toContain('sandbox/echo')
  expect(names[1]).toEqual(names[0])
  expect(names[2]).toEqual(names[0]!.map((name) => `models/${name}`))

  expect((await openai.models.retrieve('acme/m')).id).toBe('acme/m')
  expect((await anthropic.models.retrieve('acme/m')).id).toBe('acme/m')
  expect((await genai.models.get({ model: 'acme/m' })).name).toBe('models/acme/m')
})

test('the root explains itself, and what does not exist is not found', async () => {
  await using sandbox = await startSandbox()
  expect(await (await fetch(sandbox.url)).text()).toContain('halfeof')
  expect((await fetch(`${sandbox.url}/healthz`)).status).toBe(200)
  const unknown = await fetch(`${sandbox.url}/v1/nothing`)
  expect(unknown.status).toBe(404)
  expect(await errorMessage(unknown)).toContain('/v1/nothing')
  expect((await fetch(`${sandbox.url}/v1/chat/completions`)).status).toBe(405)
})
