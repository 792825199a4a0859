import { describe, expect, it } from 'vitest'

import type { Turn } from '../../../src/generate/request.ts'
import { write } from './codec.ts'
import { answered, call, reply, result, say, text, use } from './turns.ts'

describe('an account of messages that has called tools', () => {
  it('gets results directly after their calls and before what the user says', () => {
    const { messages } = write({
      turns: [say('hi'), call('a'), say('Well?'), result('a'), reply('Rain.'), say('Thanks.')],
    })
    expect(messages).toEqual([
      { role: 'user', content: [text('hi')] },
      { role: 'assistant', content: [use('a')] },
      { role: 'user', content: [answered('a'), text('Well?')] },
      { role: 'assistant', content: [text('Rain.')] },
      { role: 'user', content: [text('Thanks.')] },
    ])
  })

  it('gets parallel calls in one answer, their results in the order of the calls', () => {
    const { messages } = write({
      turns: [
        say('hi'),
        reply('I look.'),
        call('a'),
        call('b'),
        result('b', 'sun'),
        result('a'),
        call('c'),
        result('c'),
      ],
    })
    expect(messages).toEqual([
      { role: 'user', content: [text('hi')] },
      { role: 'assistant', content: [text('I look.'), use('a'), use('b')] },
      { role: 'user', content: [answered('a'), answered('b', 'sun')] },
      { role: 'assistant', content: [use('c')] },
      { role: 'user', content: [answered('c')] },
    ])
  })

  it('tells apart calls that share an id, in one turn or in several', () => {
    const { messages } = write({
      turns: [say('hi'), call('a'), result('a', 'one'), call('a'), result('a', 'two')],
    })
    const later = (messages[3]!.content[0] as { id: string }).id
    expect(later).not.toBe('a')
    expect(messages[2]!.content).toEqual([answered('a', 'one')])
    expect(messages[4]!.content).toEqual([answered(later, 'two')])
  })

  it('gets a result for the last call of its id, where an earlier one was never answered', () => {
    const { messages } = write({
      turns: [say('hi'), call('a'), say('Again!'), call('a'), result('a', 'sun')],
    })
    const later = (messages[3]!.content[0] as { id: string }).id
    expect(messages[2]!.content[0]).toMatchObject({ tool_use_id: 'a', is_error: true })
    expect(messages[4]!.content).toEqual([answered(later, 'sun')])
  })

  it('gets ids that it takes, the same for a call and its result', () => {
    const long = `call_x__thought__${'A'.repeat(300)}`
    const { messages } = write({ turns: [say('hi'), call(long), result(long)] })
    const { id } = messages[1]!.content[0] as { id: string }
    expect(id).toMatch(/^[A-Za-z0-9_-]{1,40}$/)
    expect(messages[2]!.content).toEqual([answered(id)])
  })

  it('is told that there is no result of a call that nobody answered', () => {
    const { messages } = write({ turns: [say('hi'), call('a'), say('Never mind.')] })
    expect(messages[2]!.content).toEqual([
      { ...answered('a', 'No result of this call was given.'), is_error: true },
      text('Never mind.'),
    ])
  })

  it('is told in words of a result without a call', () => {
    const { messages } = write({ turns: [say('hi'), result('lost', 'rain')] })
    expect(messages).toEqual([
      { role: 'user', content: [text('hi'), text('Result of the call lost:'), text('rain')] },
    ])
  })

  it('is told that a tool failed, and sees what a tool shows', () => {
    const { messages } = write({
      turns: [
        say('hi'),
        call('a'),
        {
          role: 'tool',
          results: [
            {
              callId: 'a',
              failed: true,
              content: [
                { type: 'text', text: 'Look:' },
                {
                  type: 'image',
                  mediaType: 'image/png',
                  source: { kind: 'data', base64: 'aWNvbg==' },
                },
              ],
            },
          ],
        },
      ],
    })
    expect(messages[2]!.content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'a',
        is_error: true,
        content: [
          text('Look:'),
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aWNvbg==' } },
        ],
      },
    ])
  })

  it('gets arguments that are no object in a marker, which is undone on the way back', () => {
    const turns: Turn[] = [
      say('hi'),
      {
        role: 'assistant',
        content: [
          { type: 'tool_call', id: 'a', name: 'n', kind: 'function', arguments: '{"a":' },
          { type: 'tool_call', id: 'b', name: 'n', kind: 'function', arguments: '' },
        ],
      },
    ]
    expect(write({ turns }).messages[1]!.content).toMatchObject([
      { input: { __unparsed_arguments: '{"a":' } },
      { input: {} },
    ])
  })
})
