import { expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { clientsOf } from './clients.ts'

const person = {
  type: 'object' as const,
  properties: {
    name: { type: 'string' },
    born: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { $ref: '#/$defs/tag' } },
    age: { type: ['null', 'integer'] },
  },
  required: ['name', 'born', 'tags', 'age'],
  additionalProperties: false,
  $defs: { tag: { anyOf: [{ const: 'nice' }, { const: 'new' }] } },
}

const example = { name: 'example', born: '2026-01-01', tags: ['nice'], age: 1 }

test('structured output satisfies the schema in every dialect', async () => {
  await using sandbox = await startSandbox()
  const { openai, anthropic, genai } = clientsOf(sandbox)
  const messages = [{ role: 'user' as const, content: 'hi' }]

  const response = await openai.responses.create({
    model: 'm',
    input: 'hi',
    text: { format: { type: 'json_schema', name: 'person', schema: person, strict: true } },
  })
  expect(JSON.parse(response.output_text)).toEqual(example)

  const chat = openai.chat.completions.stream({
    model: 'm',
    messages,
    response_format: { type: 'json_schema', json_schema: { name: 'person', schema: person } },
  })
  expect(JSON.parse((await chat.finalContent()) ?? '')).toEqual(example)

  const message = await anthropic.messages
    .stream({
      model: 'm',
      max_tokens: 100,
      messages,
      output_config: { format: { type: 'json_schema', schema: person } },
    })
    .finalText()
  expect(JSON.parse(message)).toEqual(example)

  const reply = await genai.models.generateContent({
    model: 'm',
    contents: 'hi',
    config: { responseMimeType: 'application/json', responseJsonSchema: person },
  })
  expect(JSON.parse(reply.text ?? '')).toEqual(example)
})

test('responses: reasoning is summarised and encrypted on request, and taken back', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const request = {
    model: 'm',
    store: false,
    reasoning: { effort: 'low' as const, summary: 'auto' as const },
    include: ['reasoning.encrypted_content' as const],
  }
  const first = await openai.responses.stream({ ...request, input: 'hi' }).finalResponse()
  expect(first.output).toMatchObject([
    { type: 'reasoning', summary: [{ text: 'The user wrote: hi' }] },
    { type: 'message' },
  ])
  expect(first.usage?.output_tokens_details.reasoning_tokens).toBe(4)

  const [reasoning] = first.output
  if (reasoning?.type !== 'reasoning') throw new Error('expected reasoning')
  const input = [reasoning, { role: 'user' as const, content: 'and now?' }]
  expect((await openai.responses.create({ ...request, input })).status).toBe('completed')

  const foreign = clientsOf(sandbox, 'sandbox-key-b').openai
  await expect(foreign.responses.create({ ...request, input })).rejects.toMatchObject({
    status: 400,
    code: 'invalid_encrypted_content',
  })
})

test('messages: only the account that thought a thought takes it back, and only unchanged', async () => {
  await using sandbox = await startSandbox()
  const { anthropic } = clientsOf(sandbox)
  const ask = { role: 'user' as const, content: 'hi' }
  const request = {
    model: 'm',
    max_tokens: 2000,
    thinking: { type: 'enabled' as const, budget_tokens: 1024 },
  }
  const { content } = await anthropic.messages
    .stream({ ...request, messages: [ask] })
    .finalMessage()
  expect(content).toMatchObject([
    { type: 'thinking', thinking: 'The user wrote: hi' },
    { type: 'text', text: 'You said: hi' },
  ])

  const messages = [ask, { role: 'assistant' as const, content }, ask]
  expect((await anthropic.messages.create({ ...request, messages })).role).toBe('assistant')

  const refused = { status: 400, message: expect.stringContaining('signature') }
  const foreign = clientsOf(sandbox, 'sandbox-key-b').anthropic
  await expect(foreign.messages.create({ ...request, messages })).rejects.toMatchObject(refused)
  const changed = structuredClone(messages)
  Object.assign(changed[1]!.content[0]!, { thinking: 'something else' })
  await expect(anthropic.messages.create({ ...request, messages: changed })).rejects.toMatchObject(
    refused,
  )
})

test('signatures outlive the sandbox that issued them', async () => {
  const ask = { role: 'user' as const, content: 'hi' }
  const thought = await (async () => {
    await using sandbox = await startSandbox()
    const { anthropic } = clientsOf(sandbox)
    const model = 'sandbox/think'
    return (await anthropic.messages.create({ model, max_tokens: 100, messages: [ask] })).content
  })()
  await using sandbox = await startSandbox()
  const { anthropic } = clientsOf(sandbox)
  const messages = [ask, { role: 'assistant' as const, content: thought }, ask]
  const answer = await anthropic.messages.create({ model: 'm', max_tokens: 100, messages })
  expect(answer.stop_reason).toBe('end_turn')
})

test('generateContent: thoughts are marked, and a chat sends their signatures back', async () => {
  await using sandbox = await startSandbox()
  const { genai } = clientsOf(sandbox)
  const config = { thinkingConfig: { includeThoughts: true } }
  const chat = genai.chats.create({ model: 'm', config })
  const first = await chat.sendMessage({ message: 'hi' })
  const parts = first.candidates?.[0]?.content?.parts ?? []
  expect(parts[0]).toMatchObject({ thought: true, text: 'The user wrote: hi' })
  expect(parts.at(-1)?.thoughtSignature).toBeTruthy()
  expect(first.text).toBe('You said: hi')
  expect((await chat.sendMessage({ message: 'again' })).text).toBe('You said: again')

  const foreign = clientsOf(sandbox, 'sandbox-key-b').genai
  const contents = [...chat.getHistory(), { role: 'user', parts: [{ text: 'and now?' }] }]
  await expect(foreign.models.generateContent({ model: 'm', contents })).rejects.toThrow(
    'Thought signature is not valid',
  )
})

test('chat completions: thinking aloud comes as reasoning_content', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const { choices } = await openai.chat.completions.create({
    model: 'm',
    reasoning_effort: 'high',
    messages: [{ role: 'user', content: 'hi' }],
  })
  expect(choices[0]?.message).toMatchObject({ reasoning_content: 'The user wrote: hi' })
})
