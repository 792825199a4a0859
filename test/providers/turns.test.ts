import { expect, test } from 'vitest'

import { ThinkTags } from '../../plugins/dialects/chat/codec/decode-reply/think-tags.ts'
import type { BodyChanges } from '../../src/contract/adaptation.ts'
import { changeBody } from '../../src/upstream/adapt.ts'

/** The members of a body after some changes, and what is lost. */
function changed(body: object | string, changes: BodyChanges) {
  const lost: string[] = []
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const bytes = changeBody(Buffer.from(text), changes, (field) => lost.push(field))
  return { body: JSON.parse(bytes.toString()) as Record<string, unknown>, lost }
}

function turn(message: object, turns: BodyChanges['turns']) {
  const { body, lost } = changed({ messages: [message] }, { turns: turns! })
  return { turn: (body['messages'] as object[])[0], lost }
}

const answer = { role: 'assistant', content: 'hello' }
const thought = 'a "thought"\n'

test.each([
  ['reasoning', 'reasoning_content'],
  ['reasoning_content', 'reasoning'],
] as const)('reasoning goes back as %s', (own, other) => {
  const changes = { reasoning: own }
  const expected = { turn: { ...answer, [own]: thought }, lost: [] }
  expect(turn({ ...answer, [other]: thought }, changes)).toEqual(expected)
  expect(turn({ ...answer, [own]: thought }, changes)).toEqual(expected)
  expect(turn({ ...answer, [own]: thought, [other]: thought }, changes)).toEqual(expected)
  expect(turn({ ...answer, [own]: '', [other]: thought }, changes)).toEqual(expected)
  expect(turn({ ...answer, [other]: null }, changes).turn).toEqual(answer)
  expect(turn({ role: 'user', content: 'x', [other]: 'y' }, changes).turn).toHaveProperty(other)
})

const part = { type: 'thinking', thinking: [{ type: 'text', text: thought }] }
const text = { type: 'text', text: 'hello' }

test.each([
  ['hello', [part, text]],
  ['', [part]],
  [null, [part]],
  [[], [part]],
  [[text], [part, text]],
])('reasoning goes back as a part before %j', (content, expected) => {
  const { turn: found } = turn(
    { role: 'assistant', content, reasoning: thought },
    { reasoning: 'thinking' },
  )
  expect(found).toEqual({ role: 'assistant', content: expected })
})

test('reasoning goes back as a part of an answer without content', () => {
  const calls = { role: 'assistant', tool_calls: [] }
  const found = turn({ ...calls, reasoning_content: thought }, { reasoning: 'thinking' })
  expect(found.turn).toEqual({ ...calls, content: [part] })
})

test('reasoning goes back in tags', () => {
  const changes = { reasoning: 'think-tags' } as const
  const tags = `<think>\n${thought}\n</think>\n\n`
  const of = (content: unknown) => turn({ ...answer, content, reasoning: thought }, changes).turn
  expect(of('hello')).toEqual({ ...answer, content: `${tags}hello` })
  expect(of(null)).toEqual({ ...answer, content: tags })
  expect(of([text])).toEqual({ ...answer, content: [{ type: 'text', text: tags }, text] })
})

test('answers without reasoning have an empty one where the provider wants it', () => {
  const changes = { reasoning: 'reasoning_content', needsReasoning: 'calls' } as const
  expect(turn(answer, changes).turn).toEqual(answer)
  const calls = { ...answer, tool_calls: [{ id: 'a' }] }
  expect(turn(calls, changes).turn).toEqual({ ...calls, reasoning_content: '' })
  expect(turn({ ...calls, reasoning: 'x' }, changes).turn).toEqual({
    ...calls,
    reasoning_content: 'x',
  })
  const all = { ...changes, needsReasoning: 'answers' } as const
  expect(turn(answer, all).turn).toEqual({ ...answer, reasoning_content: '' })
})

test('ids of calls and of their results become the same short ones', () => {
  const messages = [
    { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function' }, { id: 'AbCdEf123' }] },
    { role: 'tool', tool_call_id: 'call_1', content: 'x' },
  ]
  const { body } = changed({ messages }, { turns: { callIds: /^[A-Za-z0-9]{9}$/ } })
  const [call, result] = body['messages'] as [
    { tool_calls: { id: string }[] },
    { tool_call_id: string },
  ]
  expect(call.tool_calls[0]?.id).toMatch(/^[A-Za-z0-9]{9}$/)
  expect(result.tool_call_id).toBe(call.tool_calls[0]?.id)
  expect(call.tool_calls[1]?.id).toBe('AbCdEf123')
})

test('a member of turns is dropped, named once, and stays in results of tools', () => {
  const messages = [
    { role: 'user', name: 'a', content: 'x' },
    { name: 'b', role: 'user', content: 'x' },
    { role: 'assistant', content: 'x', name: null },
    { role: 'tool', name: 'c', content: 'x' },
  ]
  const { body, lost } = changed({ messages }, { turns: { drop: { name: 'why' } } })
  expect(JSON.stringify(body)).not.toMatch(/"name":(?!"c")/)
  expect(lost).toEqual(['messages[0].name'])
})

test.each(['{"messages":"x"}', '{"messages":[1,"a",null,[]]}', '{"messages":[{}]}'])(
  'turns of another form stay as they are: %s',
  (body) => {
    const turns = { reasoning: 'thinking', callIds: /x/, needsReasoning: 'answers' } as const
    expect(changed(body, { turns, roles: { a: 'b' } }).body).toEqual(JSON.parse(body))
  },
)

test('a value has another form, or the nearest one', () => {
  const changes: BodyChanges = {
    replace: {
      tool_choice: { required: { tool_choice: 'any' } },
      temperature: { 0: { do_sample: false } },
      logprobs: { false: {} },
    },
    nearest: { effort: { medium: 'high' }, top: { 20: 8 } },
  }
  expect(changed('{"tool_choice":"required","temperature":0.0,"logprobs":false}', changes)).toEqual(
    { body: { tool_choice: 'any', do_sample: false }, lost: [] },
  )
  expect(changed({ temperature: 1, effort: 'medium', logprobs: true, top: 20 }, changes)).toEqual({
    body: { temperature: 1, effort: 'high', logprobs: true, top: 8 },
    lost: ['effort', 'top'],
  })
  expect(changed({ temperature: 0, do_sample: true }, changes).body).toEqual({ do_sample: true })
})

test('the nearest value stands under another name', () => {
  const changes = { nearest: { effort: { medium: 'high' } }, rename: { effort: 'power' } }
  expect(changed({ effort: 'medium' }, changes).body).toEqual({ power: 'high' })
  expect(changed({ effort: 'medium', power: 'x' }, changes).body).toEqual({ power: 'x' })
})

test('the last answer is marked as one to continue', () => {
  const turns = { continued: 'prefix' }
  const { body } = changed({ messages: [answer, answer] }, { turns })
  expect(body['messages']).toEqual([answer, { ...answer, prefix: true }])
  expect(turn({ ...answer, prefix: false }, turns).turn).toEqual({ ...answer, prefix: false })
  expect(turn({ role: 'user' }, turns).turn).toEqual({ role: 'user' })
})

test('reasoning is left out where a provider takes none', () => {
  const found = turn(
    { ...answer, reasoning: thought, reasoning_content: '' },
    { reasoning: 'none' },
  )
  expect(found).toEqual({ turn: answer, lost: [] })
})

test('a member without which the request means something else is refused', () => {
  const changes = { refuse: { tools: 'there are none' } }
  expect(() => changed({ tools: [1] }, changes)).toThrow('`tools`: there are none')
  expect(changed({ tools: [], a: 1 }, changes)).toEqual({ body: { a: 1 }, lost: [] })
})

/** What is thought and what is answered, in a text that comes in these pieces. */
function divided(pieces: readonly string[]) {
  const found = { reasoning_content: '', content: '' }
  const tags = new ThinkTags({
    append(field, piece) {
      if (field === 'content' || field === 'reasoning_content') found[field] += piece
    },
  })
  for (const piece of pieces) tags.add(piece)
  tags.end()
  return [found.reasoning_content, found.content]
}

test.each([
  ['<think>\nso\n</think>\n\nhello', '\nso\n', 'hello'],
  ['<think>a</b></think>x<think>', 'a</b>', 'x<think>'],
  ['hello <think>no</think>', '', 'hello <think>no</think>'],
  ['<think>cut </thi', 'cut </thi', ''],
  ['<thin', '', '<thin'],
  ['  \n<think>a</think>', 'a', ''],
  [`${' '.repeat(300)}x`, '', `${' '.repeat(300)}x`],
])('thoughts in the text are found wherever a stream is cut: %j', (whole, thoughts, content) => {
  for (let at = 0; at <= whole.length; at++)
    expect(divided([whole.slice(0, at), whole.slice(at)])).toEqual([thoughts, content])
  expect(divided(whole.split(''))).toEqual([thoughts, content])
})
