import { describe, expect, test } from 'vitest'

import type { ToolCallPart, ToolResult } from '../../../src/generate/content.ts'
import type { Turn } from '../../../src/generate/request.ts'
import { encoded } from './asking.ts'

interface Message {
  readonly role: string
  readonly content?: unknown
  readonly tool_call_id?: string
  readonly tool_calls?: { readonly id: string }[]
}

const call = (id: string): ToolCallPart => ({
  type: 'tool_call',
  id,
  name: 'look',
  kind: 'function',
  arguments: '{}',
})

const said = (callId: string, text: string): ToolResult => ({
  callId,
  content: [{ type: 'text', text }],
})

const user: Turn = { role: 'user', content: [{ type: 'text', text: 'Hi' }] }
const calling = (...ids: string[]): Turn => ({ role: 'assistant', content: ids.map(call) })
const results = (...all: ToolResult[]): Turn => ({ role: 'tool', results: all })

function messagesFor(...turns: Turn[]): Message[] {
  return encoded({ turns: [user, ...turns] }).messages as Message[]
}

describe('an account that is told what tools said', () => {
  test('reads the results of parallel calls in the order of the calls, before anything else', () => {
    const messages = messagesFor(calling('a', 'b'), user, results(said('b', '2'), said('a', '1')))

    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Hi'],
      ['assistant', null],
      ['tool', '1'],
      ['tool', '2'],
      ['user', 'Hi'],
    ])
  })

  test('reads one message for a result of several blocks, not several with the same id', () => {
    const blocks: ToolResult = {
      callId: 'a',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    }

    expect(messagesFor(calling('a'), results(blocks)).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'one\ntwo' },
    ])
  })

  test('is told in words that a tool failed, so that is_error is not lost', () => {
    const failed = { ...said('a', 'no such file'), failed: true }

    expect(messagesFor(calling('a'), results(failed))[2]).toEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: 'Error: no such file',
    })
  })

  test('sees the pictures of a result in a message after all results', () => {
    const shown: ToolResult = {
      callId: 'a',
      content: [
        { type: 'image', source: { kind: 'data', base64: 'iVBO' }, mediaType: 'image/png' },
      ],
    }
    const messages = messagesFor(calling('a', 'b'), results(shown, said('b', '2')))

    expect(messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'See the next message.' },
      { role: 'tool', tool_call_id: 'b', content: '2' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'From the result of the tool call a:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } },
        ],
      },
    ])
  })

  test('finds results under ids that no account would take', () => {
    const long = `toolu/${'x'.repeat(300)}`
    const [, answer, result] = messagesFor(calling(long), results(said(long, 'ok')))

    expect(result?.tool_call_id).toMatch(/^[A-Za-z0-9_-]{1,40}$/)
    expect(answer?.tool_calls).toMatchObject([{ id: result?.tool_call_id }])
  })

  test('tells calls of one answer apart that share an id', () => {
    const [, answer, first, second] = messagesFor(
      calling('same', 'same'),
      results(said('same', '1'), said('same', '2')),
    )

    expect(answer?.tool_calls?.map(({ id }) => id)).toEqual([
      first?.tool_call_id,
      second?.tool_call_id,
    ])
    expect(first?.tool_call_id).not.toBe(second?.tool_call_id)
    expect([first?.content, second?.content]).toEqual(['1', '2'])
  })

  test('reads calls that follow one another in messages of their own, parallel ones in one', () => {
    const roles = (...turns: Turn[]) => messagesFor(...turns).map(({ role }) => role)
    const [a, b] = [results(said('a', '1')), results(said('b', '2'))]

    expect(roles(calling('a'), a, calling('b'), b)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ])
    expect(roles(calling('a'), calling('b'), b, a)).toEqual(['user', 'assistant', 'tool', 'tool'])
  })

  test('has an answer to every call, and a result without a call as a text', () => {
    expect(messagesFor(calling('a'), results(said('gone', 'late'))).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'No result.' },
      { role: 'user', content: 'The result of a tool call gone:\nlate' },
    ])
  })
})
