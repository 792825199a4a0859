import { describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { errorMessage, greet, post, type Json } from './requests.ts'

const passedOn = 'internal_chat_message_metadata_passthrough'
const told = { [passedOn]: { turn_id: 'turn_1', create_time: 1.5, content_item_kinds: ['text'] } }
const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }

describe('codex, whose fields no reference has,', () => {
  test('says which installation it is', async () => {
    await using sandbox = await startSandbox()
    const asked = { client_metadata: { 'x-codex-installation-id': 'a3f0' } }
    expect(await refusalOf(sandbox, asked)).toBe('')
  })

  test.each<[string, Json[]]>([
    ['what a user said', [{ ...user, ...told }]],
    [
      'what the model said',
      [
        { type: 'message', role: 'assistant', content: [], phase: 'commentary', ...told },
        { ...user, [passedOn]: null },
      ],
    ],
    [
      'a call and its output',
      [
        { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}', ...told },
        { type: 'function_call_output', call_id: 'call_1', output: 'ok', ...told },
      ],
    ],
  ])('tells the turn of %s', async (_, input) => {
    await using sandbox = await startSandbox()
    expect(await refusalOf(sandbox, { input })).toBe('')
  })

  test('gives reasoning back with null for a content that it never had', async () => {
    await using sandbox = await startSandbox()
    const include = ['reasoning.encrypted_content']
    const thought = await post(sandbox, greet('responses', 'm'), {
      body: { include, reasoning: { effort: 'low' }, store: false },
    })
    const { output } = (await thought.json()) as { output: Json[] }
    const [reasoning, ...rest] = output
    expect(reasoning).toMatchObject({ type: 'reasoning', encrypted_content: expect.anything() })
    const input = [{ ...reasoning, content: null, ...told }, ...rest, user]
    expect(await refusalOf(sandbox, { input })).toBe('')
  })

  test.each<[string, Json, string]>([
    ['metadata that is no text', { client_metadata: { turn: 1 } }, 'client_metadata.turn'],
    ['metadata in a list', { client_metadata: [] }, 'expected an object'],
    [
      'a member of the turn that there is not',
      { input: [{ ...user, [passedOn]: { surprise: 1 } }] },
      `input[0].${passedOn}.surprise`,
    ],
  ])('is refused %s', async (_, body, message) => {
    await using sandbox = await startSandbox()
    expect(await refusalOf(sandbox, body)).toContain(message)
  })
})

async function refusalOf(sandbox: Sandbox, body: Json): Promise<string> {
  return errorMessage(await post(sandbox, greet('responses', 'm'), { body }))
}
