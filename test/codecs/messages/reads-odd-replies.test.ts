import { describe, expect, it } from 'vitest'

import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import { neutral, readReply } from './codec.ts'
import { message } from './replies.ts'

describe('a reply that is almost a message', () => {
  it.each([
    ['no content', null, []],
    ['plain text as content', 'Hello.', [{ type: 'text', text: 'Hello.' }]],
    ['empty blocks', [{ type: 'text', text: '' }, { type: 'thinking', thinking: '' }, null], []],
    ['text without more', [{ type: 'text', text: 'a' }], [{ type: 'text', text: 'a' }]],
  ])('is read: %s', (_, content, parts) => {
    expect(readReply(message(content)).choices[0]!.content).toEqual(parts)
  })

  it('gets ids for calls that have none, the same whenever it is read', () => {
    const nameless = { type: 'tool_use', name: 'weather', input: null }
    const read = () => readReply(message([nameless, nameless])).choices[0]!.content
    const [one, two] = read() as readonly { id: string; arguments: string }[]
    expect(one!.id).toMatch(/^call_\w+$/)
    expect(one!.id).not.toBe(two!.id)
    expect(one!.arguments).toBe('{}')
    expect(read()).toEqual([one, two])
  })

  it('is an error where it tells of one', () => {
    const reply = { type: 'error', error: { type: 'overloaded_error', message: 'Busy.' } }
    expect(messagesCodec.decodeResult(reply, neutral())).toEqual({
      type: 'error',
      message: 'Busy.',
      status: 529,
    })
  })

  it('is refused where it is no message at all', () => {
    expect(() => readReply({ choices: [] })).toThrow(
      expect.objectContaining({ code: 'upstream_invalid_reply' }),
    )
  })
})
