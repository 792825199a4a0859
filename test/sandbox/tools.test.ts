import { expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { clientsOf } from './clients.ts'

const schema = {
  type: 'object' as const,
  properties: {
    city: { type: 'string' },
    days: { type: 'integer', minimum: 3 },
    unit: { enum: ['celsius', 'fahrenheit'] },
    note: { type: 'string' },
  },
  required: ['city', 'days', 'unit'],
}

const example = { city: 'example', days: 3, unit: 'celsius' }

test('responses: a forced tool is called, and its output answered', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const tools = [
    { type: 'function' as const, name: 'weather', parameters: schema, strict: false },
    { type: 'custom' as const, name: 'shout' },
  ]
  const asked = { model: 'm', input: 'hi', tools, tool_choice: 'required' as const }
  const plain = await openai.responses.create(asked)
  const streamed = await openai.responses.stream(asked).finalResponse()
  for (const response of [plain, streamed])
    expect(response.output).toMatchObject([
      { type: 'function_call', name: 'weather', arguments: JSON.stringify(example) },
    ])

  const [call] = plain.output
  if (call?.type !== 'function_call') throw new Error('expected a call')
  const answered = await openai.responses.create({
    model: 'm',
    previous_response_id: plain.id,
    input: [{ type: 'function_call_output', call_id: call.call_id, output: 'sunny' }],
    tools,
  })
  expect(answered.output_text).toBe('The tool answered: sunny')

  const custom = { ...asked, tool_choice: { type: 'custom' as const, name: 'shout' } }
  expect((await openai.responses.create(custom)).output).toMatchObject([
    { type: 'custom_tool_call', name: 'shout', input: 'example' },
  ])
})

test('chat completions: the tool runner goes round and comes to an end', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const seen: unknown[] = []
  const runner = openai.chat.completions.runTools({
    model: 'sandbox/tool+tools=2',
    stream: true,
    messages: [{ role: 'user', content: 'hi' }],
    tools: [
      {
        type: 'function',
        function: {
          name: 'weather',
          description: 'tells the weather',
          parameters: schema,
          parse: JSON.parse,
          function: (input: unknown) => {
            seen.push(input)
            return 'sunny'
          },
        },
      },
    ],
  })
  expect(await runner.finalContent()).toBe('The tool answered: sunny; sunny')
  expect(seen).toEqual([example, example])
})

test('messages: a tool use is streamed, and its result answered', async () => {
  await using sandbox = await startSandbox()
  const { anthropic } = clientsOf(sandbox)
  const tools = [{ name: 'weather', input_schema: schema }]
  const request = {
    model: 'm',
    max_tokens: 100,
    tools,
    tool_choice: { type: 'tool' as const, name: 'weather' },
    messages: [{ role: 'user' as const, content: 'hi' }],
  }
  const message = await anthropic.messages.stream(request).finalMessage()
  expect(message.stop_reason).toBe('tool_use')
  const [use] = message.content
  expect(use).toMatchObject({ type: 'tool_use', name: 'weather', input: example })
  if (use?.type !== 'tool_use') throw new Error('expected a tool use')

  const answered = await anthropic.messages.create({
    ...request,
    tool_choice: { type: 'auto' },
    messages: [
      ...request.messages,
      { role: 'assistant', content: message.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, content: 'sunny' }] },
    ],
  })
  expect(answered.content).toMatchObject([{ text: 'The tool answered: sunny' }])
})

test('generateContent: several calls at once are complete parts', async () => {
  await using sandbox = await startSandbox()
  const { genai } = clientsOf(sandbox)
  const config = {
    tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: schema }] }],
  }
  const calls: unknown[] = []
  const stream = await genai.models.generateContentStream({
    model: 'sandbox/tool+tools=2',
    contents: 'hi',
    config,
  })
  for await (const chunk of stream) calls.push(...(chunk.functionCalls ?? []))
  expect(calls).toMatchObject([
    { name: 'weather', args: example },
    { name: 'weather', args: example },
  ])

  const answered = await genai.models.generateContent({
    model: 'sandbox/tool',
    config,
    contents: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ functionCall: { name: 'weather', args: example } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'weather', response: { output: 'sunny' } } }],
      },
    ],
  })
  expect(answered.text).toBe('The tool answered: sunny')
})
