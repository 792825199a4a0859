import { expect, test } from 'vitest'

import type { AssistantPart } from '../../../src/generate/content.ts'
import { isWrapped } from '../../../src/generate/signatures.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { decode, encode, encodedResult, request, decodedResult } from './codec.ts'
import { reply, thought, weather } from './replies.ts'
import { startAccount } from './sandbox.ts'

const result = { type: 'function_call_output', call_id: 'call_1', output: 'sunny' }

/** The answer as it is read when the client sends its items back in the next request. */
function sentBack(...content: AssistantPart[]) {
  const { body } = encodedResult(reply(content, { reason: 'tool_calls' }))
  const output = body.output as object[]
  const [turn] = decode({ input: [...output, result] }).turns
  return { output, content: turn?.role === 'assistant' ? turn.content : [] }
}

test('the signature of another dialect goes through the client in a token and comes back', () => {
  const { output, content } = sentBack(thought, weather)
  const [item] = output as { encrypted_content: string }[]
  expect(isWrapped(item?.encrypted_content ?? '')).toBe(true)
  expect(content).toEqual([thought, weather])
})

test('a signed call comes back signed, behind which its signature stood as an item', () => {
  const signed = { ...weather, signature: { dialect: 'generate-content', value: 'CtIB' } } as const
  const other = { ...weather, id: 'call_9', arguments: '{}' } as const
  const { output, content } = sentBack(signed, other)
  expect(output).toMatchObject([
    { type: 'function_call', call_id: 'call_1' },
    { type: 'reasoning', summary: [] },
    { type: 'function_call', call_id: 'call_9' },
  ])
  expect(content).toEqual([signed, other])
})

test('so does a signed text, also one without a word', () => {
  const signature = { dialect: 'generate-content', value: 'CtIB' }
  const said = { type: 'text', text: 'Hello', signature } as const
  expect(sentBack(said, weather).content).toEqual([said, weather])
  const empty = { type: 'text', text: '', signature } as const
  expect(sentBack(weather, empty).content).toEqual([weather, empty])
})

test('a text behind a signed one is another message, so that the signature stays where it was', () => {
  const said = {
    type: 'text',
    text: 'Hello',
    signature: { dialect: 'generate-content', value: 'Ct' },
  } as const
  const more = { type: 'text', text: ' there' } as const
  expect(sentBack(said, more).content).toEqual([said, more])
})

test('a signature whose provider knows it by another id keeps that id', () => {
  const own = {
    ...thought,
    signature: { dialect: 'responses', value: 'sealed', id: 'rs_theirs' },
  } as const
  expect(sentBack(own, weather).content).toEqual([own, weather])
})

test("an account's own thoughts go back to it as they came, with their id", async () => {
  await using account = await startAccount()
  const asked = request({
    reasoning: { effort: 'low', show: true },
    tools: [{ kind: 'function', name: 'weather' }],
  })
  const raw = await account.ask(asked, 'sandbox/think+tool')
  const { content } = (decodedResult(raw) as GenerateResult).choices[0] ?? { content: [] }
  const [first] = raw.output as { id: string; encrypted_content: string }[]
  expect(content[0]).toMatchObject({
    type: 'reasoning',
    form: 'summary',
    signature: { dialect: 'responses', value: first?.encrypted_content, id: first?.id },
  })
  const [callId = ''] = content.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []))
  const next = request({
    turns: [
      ...asked.turns,
      { role: 'assistant', content },
      { role: 'tool', results: [{ callId, content: [] }] },
    ],
  })
  expect(encode(next).input).toMatchObject([{}, { type: 'reasoning', id: first?.id }, {}, {}])
  await expect(account.ask(next)).resolves.toMatchObject({ status: 'completed' })
})

test('of other thoughts nothing goes to an account', () => {
  const unsigned = { type: 'reasoning', form: 'raw', text: 'secret' } as const
  const { input } = encode({
    turns: [
      { role: 'user', content: [] },
      { role: 'assistant', content: [thought, unsigned, { type: 'text', text: 'Hi' }] },
    ],
  })
  expect(JSON.stringify(input)).not.toMatch(/secret|Let me see|EqQB/)
})

test('a token that cannot be read is dropped', () => {
  const input = [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gw1.!!!' },
    { role: 'user', content: 'hi' },
  ]
  expect(decode({ input }).turns).toMatchObject([{ role: 'user' }])
})

test('thoughts told both plainly and in summary stay one item', () => {
  const item = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'short' }],
    content: [{ type: 'reasoning_text', text: 'long' }],
    encrypted_content: 'sealed',
  }
  const { turns, fields } = decode({ input: [{ role: 'user', content: 'hi' }, item] })
  expect(fields.reasoning_history).toBe('input[1]')
  expect(encode({ turns }).input).toMatchObject([{}, item])
})
