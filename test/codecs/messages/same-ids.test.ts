import { expect, it } from 'vitest'

import { collect, decodeStream } from './codec.ts'

const start = { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 1 } } }
const call = (index: number) => [
  {
    type: 'content_block_start',
    index,
    content_block: { type: 'tool_use', id: 'toolu_same', name: 'look', input: {} },
  },
  { type: 'content_block_stop', index },
]
const end = [
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
]

it('calls that an account gives one id are told apart, the same way whenever they are read', () => {
  const ids = () =>
    collect(decodeStream([start, ...call(0), ...call(1), ...end]))?.choices[0]?.content.map(
      (part) => (part.type === 'tool_call' ? part.id : undefined),
    )
  const [first, second] = ids() ?? []
  expect(first).toBe('toolu_same')
  expect(second).toMatch(/^call_/)
  expect(ids()).toEqual([first, second])
})
