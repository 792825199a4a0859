import { describe, expect, test } from 'vitest'

import type { Turn } from '../../../src/generate/request.ts'
import { encoded } from './asking.ts'

const user = (text: string): Turn => ({ role: 'user', content: [{ type: 'text', text }] })

function messagesFor(...turns: Turn[]) {
  return encoded({ turns }).messages
}

describe('an account that is sent a conversation', () => {
  test('reads every system text where it stands', () => {
    const system = (text: string): Turn => ({ role: 'system', content: [{ type: 'text', text }] })

    expect(messagesFor(system('One.'), system('Two.'), user('Hi'), system('Three.'))).toEqual([
      { role: 'system', content: 'One.' },
      { role: 'system', content: 'Two.' },
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'Three.' },
    ])
  })

  test('reads pictures, sound and documents as parts', () => {
    const [message] = messagesFor({
      role: 'user',
      content: [
        { type: 'text', text: 'See:' },
        { type: 'image', source: { kind: 'data', base64: 'iVBO' }, mediaType: 'image/gif' },
        { type: 'image', source: { kind: 'url', url: 'https://x.test/a' }, detail: 'original' },
        { type: 'audio', source: { kind: 'data', base64: 'UklG' }, mediaType: 'audio/wav' },
        {
          type: 'file',
          source: { kind: 'data', base64: 'JVBE' },
          mediaType: 'application/pdf',
          name: 'a.pdf',
        },
        { type: 'file', source: { kind: 'text', text: 'Body.' }, title: 'T', context: 'C' },
      ],
    }) as [object]

    expect(message).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'See:' },
        { type: 'image_url', image_url: { url: 'data:image/gif;base64,iVBO' } },
        { type: 'image_url', image_url: { url: 'https://x.test/a', detail: 'high' } },
        { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } },
        {
          type: 'file',
          file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' },
        },
        { type: 'text', text: 'T\nC\n\nBody.' },
      ],
    })
  })

  test('reads text and calls of one answer in one message, text not lost beside calls', () => {
    const answer: Turn = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me ' },
        { type: 'tool_call', id: 'a', name: 'look', kind: 'function', arguments: '' },
        { type: 'text', text: 'look.' },
      ],
    }
    const results: Turn = {
      role: 'tool',
      results: [{ callId: 'a', content: [{ type: 'text', text: 'x' }] }],
    }

    expect(messagesFor(user('Hi'), answer, results)).toEqual([
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    ])
  })

  test('reads answers that stand together as one, a refusal too', () => {
    const answer = (type: 'text' | 'refusal', text: string): Turn => ({
      role: 'assistant',
      content: [{ type, text }],
    })

    expect(messagesFor(user('Hi'), answer('text', 'No, '), answer('refusal', 'sorry.'))).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'No, ', refusal: 'sorry.' },
    ])
  })

  test('reads answers as one that only an empty system text stood between', () => {
    const answer = (text: string): Turn => ({
      role: 'assistant',
      content: [{ type: 'text', text }],
    })
    const empty = { type: 'text', text: '' } as const
    const nothing: Turn = { role: 'system', content: [empty, empty] }
    const half: Turn = { role: 'system', content: [empty, { type: 'text', text: 'Be brief.' }] }

    expect(messagesFor(nothing, user('Hi'), answer('Hel'), nothing, answer('lo'), half)).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'system', content: 'Be brief.' },
    ])
  })

  test('has at least one message, whatever is left of a conversation', () => {
    expect(messagesFor()).toEqual([{ role: 'user', content: '' }])
    expect(messagesFor({ role: 'user', content: [] })).toEqual([{ role: 'user', content: '' }])
  })

  test('is shown again what an answer showed, since no answer can hold it', () => {
    const drawn: Turn = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Here.' },
        { type: 'image', source: { kind: 'data', base64: 'iVBO' }, mediaType: 'image/png' },
      ],
    }

    expect(messagesFor(user('Draw'), drawn, user('More'))).toEqual([
      { role: 'user', content: 'Draw' },
      { role: 'assistant', content: 'Here.' },
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } }],
      },
      { role: 'user', content: 'More' },
    ])
  })
})
