import { GoogleGenAI as GoogleGenAI1 } from 'genai-1'
import OpenAI6 from 'openai-6'
import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { clientsOf } from './clients.ts'
import { errorMessage, framesOf, greet, post, readAll } from './requests.ts'

describe('a newcomer says something and hears it back', () => {
  test('through responses', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox)
    const response = await openai.responses.create({ model: 'any-name', input: 'hi there' })
    expect(response.output_text).toBe('You said: hi there')
    expect(response.id).toMatch(/^resp_a_/)
    expect(response.usage).toMatchObject({ input_tokens: 2, output_tokens: 4, total_tokens: 6 })

    const stream = openai.responses.stream({ model: 'any-name', input: 'hi there' })
    const types: string[] = []
    for await (const event of stream) types.push(event.type)
    expect((await stream.finalResponse()).output_text).toBe('You said: hi there')
    expect([...new Set(types)]).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
  })

  test('through chat completions', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox, 'sandbox-key-b')
    const messages = [{ role: 'user' as const, content: 'hi there' }]
    const completion = await openai.chat.completions.create({ model: 'm', messages })
    expect(completion.choices[0]?.message.content).toBe('You said: hi there')
    expect(completion.system_fingerprint).toBe('fp_sandbox_b')
    expect(completion.usage?.total_tokens).toBe(6)

    const stream = openai.chat.completions.stream({
      model: 'm',
      messages,
      n: 2,
      stream_options: { include_usage: true },
    })
    const final = await stream.finalChatCompletion()
    const texts = final.choices.map((choice) => choice.message.content)
    expect(texts).toEqual(['You said: hi there', 'You said: hi there'])
    expect(final.usage?.completion_tokens).toBe(8)
  })

  test('through messages, with the SDK of either credential form and API version', async () => {
    await using sandbox = await startSandbox()
    const { anthropic, anthropicBefore1 } = clientsOf(sandbox)
    const request = {
      model: 'm',
      max_tokens: 100,
      messages: [{ role: 'user' as const, content: 'hi there' }],
    }
    const message = await anthropic.messages.create(request)
    expect(message.content).toMatchObject([{ type: 'text', text: 'You said: hi there' }])
    expect(message.id).toMatch(/^msg_a_/)
    expect(message._request_id).toMatch(/^req_/)
    const newer = await anthropic.messages.stream(request).finalMessage()
    const older = await anthropicBefore1.messages.stream(request).finalMessage()
    for (const final of [newer, older]) {
      expect(final.content).toMatchObject([{ type: 'text', text: 'You said: hi there' }])
      expect(final.usage).toMatchObject({ input_tokens: 2, output_tokens: 4 })
    }
    const versions = sandbox.requests.map(({ headers }) => headers['anthropic-version'])
    expect(versions).toEqual(['2026-10-21', '2026-10-21', '2023-06-01'])
  })

  test('through generateContent, under each API version of the SDKs', async () => {
    await using sandbox = await startSandbox()
    const { genai } = clientsOf(sandbox)
    const genai1 = new GoogleGenAI1({
      apiKey: 'sandbox-key-a',
      httpOptions: { baseUrl: sandbox.url },
    })
    const vertex = new GoogleGenAI1({
      vertexai: true,
      apiKey: 'sandbox-key-a',
      httpOptions: { baseUrl: sandbox.url },
    })
    for (const client of [genai, genai1, vertex]) {
      const request = { model: 'pub/m', contents: 'hi there' }
      const reply = await client.models.generateContent(request)
      expect(reply.text).toBe('You said: hi there')
      expect(reply.responseId).toMatch(/^a-/)
      expect(reply.modelVersion).toBe('pub/m')
      let text = ''
      for await (const chunk of await client.models.generateContentStream(request))
        text += chunk.text ?? ''
      expect(text).toBe('You said: hi there')
    }
    expect(sandbox.requests.map(({ url }) => url.split('/')[1])).toEqual([
      'v1',
      'v1',
      'v1beta',
      'v1beta',
      'v1beta1',
      'v1beta1',
    ])
  })
})

test('an older OpenAI SDK reads the same streams', async () => {
  await using sandbox = await startSandbox()
  const openai = new OpenAI6({ apiKey: 'sandbox-key-a', baseURL: `${sandbox.url}/v1` })
  const final = await openai.responses.stream({ model: 'm', input: 'hi' }).finalResponse()
  expect(final.output_text).toBe('You said: hi')
})

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
