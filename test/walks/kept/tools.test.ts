import type OpenAI from 'openai-7'
import { describe, expect, test } from 'vitest'

import { ask, connect, type Response, ways } from '../chaining/asking.ts'
import { keptGrounds, lastTold, saidIn, startKept, wordsTold } from './stage.ts'

const weather: OpenAI.Responses.Tool = {
  type: 'function',
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  strict: false,
}
const tools = [weather]

describe.concurrent.for(keptGrounds())('on $name, a client with a tool loop', (ground) => {
  const { sdk, open, speaks } = ground

  test.for(ways)('sends nothing but what the tools said ($way)', async (way) => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const model = 'sandbox/tools=2'
    const first = await ask(client, { model, tools, input: 'Is it warm?' }, way)
    const [one, other] = callsIn(first)

    const input = [outputOf(other, 'Rome: 31 degrees'), outputOf(one, 'Oslo: 3 degrees')]
    const second = await ask(client, { model, tools, input, previous_response_id: first.id }, way)
    const third = await ask(
      client,
      { model, tools, input: 'Thanks', tool_choice: 'none', previous_response_id: second.id },
      way,
    )

    expect(second.output_text).toContain('Rome: 31 degrees')
    expect(second.output_text).toContain('Oslo: 3 degrees')
    expect(third.status).toBe('completed')
    expect(wordsTold(stage, 'Thanks', 'Is it warm?', 'The tool answered')).toEqual([
      'Is it warm?',
      'The tool answered',
      'Thanks',
    ])
    const { data } = await client.responses.inputItems.list(third.id, { order: 'asc' })
    expect(saidIn(data)).toEqual([
      'user: Is it warm?',
      'function_call',
      'function_call',
      'function_call_output',
      'function_call_output',
      `assistant: ${second.output_text}`,
      'user: Thanks',
    ])
  })

  test.for(ways)('has its reasoning go back as it was signed ($way)', async (way) => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const model = 'sandbox/think+tool'
    const reasoning = { effort: 'medium' } as const
    const first = await ask(client, { model, tools, reasoning, input: 'Is it warm?' }, way)
    const [call] = callsIn(first)

    const input = [outputOf(call, 'Oslo: 3 degrees')]
    const from = { previous_response_id: first.id }
    const second = await ask(client, { model, tools, reasoning, input, ...from }, way)

    expect(second.status).toBe('completed')
    expect(second.output_text).toContain('Oslo: 3 degrees')
    const signed = first.output.map(signatureIn).filter((signature) => signature !== undefined)
    expect(signed).toHaveLength(1)
    for (const signature of signed) expect(lastTold(stage)).toContain(JSON.stringify(signature))
    expect(lastTold(stage)).not.toContain('gw1.')
  })
})

function callsIn({ output }: Response): OpenAI.Responses.ResponseFunctionToolCall[] {
  return output.filter((item) => item.type === 'function_call')
}

function outputOf(call: OpenAI.Responses.ResponseFunctionToolCall | undefined, output: string) {
  return { type: 'function_call_output', call_id: call?.call_id ?? '', output } as const
}

/** What the account signed (of chat: the name of the field), out of the token that its client sees. */
function signatureIn(item: OpenAI.Responses.ResponseOutputItem): string | undefined {
  if (item.type !== 'reasoning' || !item.encrypted_content) return undefined
  const [mark, token = ''] = item.encrypted_content.split('.')
  expect(mark).toBe('gw1')
  return (JSON.parse(Buffer.from(token, 'base64url').toString()) as { s: string }).s
}
