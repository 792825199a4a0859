import { describe, expect, test } from 'vitest'

import type { GenerateRequest } from '../../src/generate/request.ts'
import { SentenceBuffer, mapJsonTexts, mapTexts } from '../../src/index.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A request with the word in each place whose texts can be changed. */
function requestWith(word: string): GenerateRequest {
  const said = `say ${word}`
  return {
    stream: false,
    turns: [
      { role: 'system', content: [{ type: 'text', text: said }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: said },
          { type: 'file', source: { kind: 'text', text: said }, title: said, context: said },
          {
            type: 'file',
            source: { kind: 'data', base64: base64(said) },
            mediaType: 'text/plain',
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'refusal', text: said },
          { type: 'reasoning', form: 'raw', text: said },
          {
            type: 'tool_call',
            id: 'c',
            name: 'f',
            kind: 'function',
            arguments: JSON.stringify({ a: [said] }),
          },
        ],
      },
      { role: 'tool', results: [{ callId: 'c', content: [{ type: 'text', text: said }] }] },
    ],
    tools: [],
    sampling: {},
    endUser: said,
    metadata: { name: said },
    fields: {},
    extras: [],
  }
}

describe('the texts of a request', () => {
  test('are changed wherever a user writes them', () => {
    const changed = mapTexts(requestWith('secret'), (text) => text.replace('secret', 'nothing'))
    expect(changed).toEqual(requestWith('nothing'))
  })

  const withDocument = (mediaType: string, bytes: Buffer): GenerateRequest => ({
    ...requestWith('hello'),
    turns: [
      {
        role: 'user',
        content: [
          {
            type: 'file',
            source: { kind: 'data', base64: bytes.toString('base64') },
            mediaType,
            field: 'messages[0].content[0]',
          },
        ],
      },
    ],
  })

  test('of a document in another charset are UTF-8 when they are changed, as its type says', () => {
    const request = withDocument('text/csv; charset=iso-8859-1', Buffer.from('wörld', 'latin1'))
    const { turns } = mapTexts(request, (text) => text.replace('wör', 'mün'))
    expect(turns[0]).toMatchObject({
      content: [{ source: { base64: base64('münld') }, mediaType: 'text/csv' }],
    })
    expect(mapTexts(request, (text) => text)).toBe(request)
  })

  test('of a document that is not of its charset are refused, for its reader may find others there', () => {
    const request = withDocument('text/plain; charset=euc-jp', Buffer.from([0x8f, 0x41]))
    expect(() => mapTexts(request, (text) => text)).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'messages[0].content[0]' }),
    )
    const unknown = withDocument('text/plain; charset=utf-7', Buffer.from('+AGg-ello'))
    expect(() => mapTexts(unknown, (text) => text)).toThrow('no text of the charset utf-7')
  })

  test('that stay leave the request the same object', () => {
    const request = requestWith('hello')
    expect(mapTexts(request, (text) => text)).toBe(request)
  })

  test('may become empty', () => {
    const changed = mapTexts(requestWith('secret'), () => '')
    expect(JSON.stringify(changed)).not.toContain('secret')
    expect(changed).toMatchObject({ endUser: '', metadata: { name: '' } })
  })

  test('that are signed reasoning stay', () => {
    const signature = { dialect: 'messages', value: 's' }
    const reasoning = { type: 'reasoning', form: 'raw', text: 'secret', signature } as const
    const turns = [{ role: 'assistant', content: [reasoning] }] as const
    const request = { ...requestWith('hello'), turns }
    expect(mapTexts(request, (text) => text.replace('secret', ''))).toBe(request)
  })
})

describe('the texts of JSON', () => {
  const mask = (text: string) => text.replaceAll(/\d{4}/g, '[####]')

  test('are changed so that it stays JSON', () => {
    const masked = mapJsonTexts('{"card": 1234, "note": ["is \\u0031234"], "n": 5}', mask)
    expect(JSON.parse(masked)).toEqual({ card: '[####]', note: ['is [####]'], n: 5 })
  })

  test('stay byte for byte without a change, and base64 stays', () => {
    const bytes = Buffer.from(Array.from({ length: 300 }, (_, at) => (at * at) % 251))
    const json = `{ "n": 12, "image": "${bytes.toString('base64')}" }`
    expect(mapJsonTexts(json, (text) => text.replaceAll('A', ''))).toBe(json)
  })

  test.each([
    ['words', 'secret_'.repeat(20)],
    ['words of another length', `Secret1${'_secret'.repeat(20)}`],
    ['words of both alphabets', `Secret1${'/secret_'.repeat(20)}x`],
    ['a text behind the head of a URL', `data:secret,${'A1a'.repeat(44)}`],
    ['bytes of text', base64('a secret of 2 people '.repeat(9))],
  ])('that look like base64 but are %s are changed', (_, text) => {
    expect(mapJsonTexts(JSON.stringify([text]), () => '')).toBe('[""]')
  })

  test('that are no JSON are changed as a whole', () => {
    expect(mapJsonTexts('print 1234', mask)).toBe('print [####]')
  })
})

describe('a buffer of sentences', () => {
  test('returns whole sentences, and the rest at the end', () => {
    const buffer = new SentenceBuffer('text')
    expect(['Hel', 'lo. How ', 'are you? Fi', 'ne'].map((text) => buffer.push(text))).toEqual([
      '',
      'Hello. ',
      'How are you? ',
      '',
    ])
    expect(buffer.end()).toBe('Fine')
    expect(buffer.end()).toBe('')
  })

  test('holds the arguments of a tool call until they are whole', () => {
    const buffer = new SentenceBuffer('tool_call')
    expect(buffer.push('{"a": "One. Two. ')).toBe('')
    expect(buffer.push('Three."}')).toBe('')
    expect(buffer.end()).toBe('{"a": "One. Two. Three."}')
  })

  test('returns a long text without the end of a sentence in pieces at spaces', () => {
    const buffer = new SentenceBuffer('text')
    const text = 'word '.repeat(400)
    expect(buffer.push(`${text}wo`)).toBe(text)
    expect(buffer.end()).toBe('wo')
  })
})
