import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../src/lib/json/object.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { askedOf } from './asking.ts'
import { dialectNames } from './clients/index.ts'
import { questions } from './kernel.ts'

const look = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' }

/** A turn of Messages in which a tool failed, with two blocks of words. */
const failed = {
  role: 'user',
  content: [
    {
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      is_error: true,
      content: ['no', 'way'].map((text) => ({ type: 'text', text })),
    },
  ],
}

const thought = { type: 'thinking', thinking: 'a secret thought', signature: 'c2ln' }
const hello = { role: 'user', content: 'Hello' }

const ofMessages = (account: (typeof dialectNames)[number], body: JsonObject) =>
  askedOf({ client: 'messages', account, stream: false, body })

describe('requests that others translate wrongly and this gateway does not', () => {
  test.each(['chat', 'responses', 'messages'] as const)(
    'LiteLLM #16910, #18847: a Gemini client streams, and a %s account is told so once',
    async (account) => {
      const body = { stream: true, ...questions.generate }
      const { body: bytes } = await askedOf({ client: 'generate', account, stream: true, body })
      expect((bytes as Buffer).toString().match(/"stream":/g)).toEqual(['"stream":'])
    },
  )

  test('LiteLLM 0f08a122: a choice of no tool is asked for as such', async () => {
    const body = { tool_choice: { type: 'none' } }
    expect((await ofMessages('chat', body)).json.tool_choice).toBe('none')
    expect((await ofMessages('responses', body)).json.tool_choice).toBe('none')
    const { json } = await ofMessages('generate', body)
    expect(json.toolConfig).toMatchObject({ functionCallingConfig: { mode: 'NONE' } })
  })

  test('LiteLLM 0f08a122: one result stays one, with all its words, and says that it failed', async () => {
    const { json } = await ofMessages('chat', {
      messages: [hello, { role: 'assistant', content: [look] }, failed],
    })
    const results = (json.messages as JsonObject[]).filter(({ role }) => role === 'tool')
    expect(results).toHaveLength(1)
    expect(results[0]?.content).toMatch(/error.*no\s*way/is)
  })

  test('LiteLLM 0f08a122: a document is sent along', async () => {
    const body = { messages: [{ role: 'user', content: [{ type: 'document', source: pdf }] }] }
    for (const account of ['chat', 'responses', 'generate'] as const) {
      const { json } = await ofMessages(account, body)
      expect(JSON.stringify(json), account).toContain(pdf.data)
    }
  })

  test('LiteLLM 7a00394b: thoughts are not replayed as what the assistant said', async () => {
    const answer = { role: 'assistant', content: [thought, { type: 'text', text: 'Hi' }] }
    for (const account of ['chat', 'responses', 'generate'] as const) {
      const { json } = await ofMessages(account, { messages: [hello, answer, hello] })
      expect(JSON.stringify(json), account).not.toContain(thought.thinking)
    }
  })

  test('LiteLLM 7a00394b: a tool that must be called is `required`, and words stay before calls', async () => {
    const { json } = await ofMessages('responses', {
      tool_choice: { type: 'any' },
      messages: [
        hello,
        { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, look] },
        failed,
      ],
    })
    expect(json.tool_choice).toBe('required')
    expect((json.input as JsonObject[]).slice(1, 3)).toMatchObject([
      { role: 'assistant' },
      { type: 'function_call' },
    ])
  })

  test('Portkey google: empty arguments are an empty object, and a result has the name of its call', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '' } }
    const messages = [
      { role: 'system', content: 'One.' },
      {
        role: 'system',
        content: [
          { type: 'text', text: 'Two.' },
          { type: 'text', text: 'Three.' },
        ],
      },
      hello,
      { role: 'assistant', content: 'I look.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'stars' },
    ]
    const { json } = await askedOf({
      client: 'chat',
      account: 'generate',
      stream: false,
      body: { messages },
    })
    expect(json.contents).toMatchObject([
      { role: 'user' },
      { role: 'model', parts: [{ text: 'I look.' }, { functionCall: { name: 'look', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'look' } }] },
    ])
    expect(JSON.stringify(json.systemInstruction)).toMatch(/One\..*Two\..*Three\./)
  })

  test('Portkey google: thinking is asked for in one spelling', async () => {
    const body = { reasoning_effort: 'high' }
    const { json } = await askedOf({ client: 'chat', account: 'generate', stream: false, body })
    expect(JSON.stringify(json).match(/thinking_?config/gi)).toEqual(['thinkingConfig'])
  })

  test('Portkey anthropic: no beta is asked for that nobody wants', async () => {
    for (const client of dialectNames) {
      const { headers } = await askedOf({ client, account: 'messages', stream: false })
      expect(Object.keys(headers), client).not.toContain('anthropic-beta')
    }
  })

  test("Portkey: the gateway's own errors have the form of the client's dialect", async () => {
    await using gateway = await createTestGateway()
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': gateway.key, 'anthropic-version': '2023-06-01' },
      body: JSON.stringify(questions.messages),
    })
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: expect.any(String) as unknown, message: expect.any(String) as unknown },
    })
  })
})
