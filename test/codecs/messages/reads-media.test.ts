import { describe, expect, it } from 'vitest'

import { read } from './codec.ts'

function readBlock(block: Record<string, unknown>) {
  const { turns, fields, extras } = read({ messages: [{ role: 'user', content: [block] }] })
  return { turn: turns[0], fields, extras }
}

const at = 'messages[0].content[0]'

describe('a client of messages that shows something', () => {
  it('shows images by their bytes or address', () => {
    const base64 = { type: 'base64', media_type: 'image/png', data: 'aWNvbg==' }
    const shown = readBlock({ type: 'image', source: base64 })
    expect(shown.turn).toEqual({
      role: 'user',
      content: [
        {
          type: 'image',
          source: { kind: 'data', base64: 'aWNvbg==' },
          mediaType: 'image/png',
          field: at,
        },
      ],
    })
    expect(shown.fields).toEqual({ image_input: at })

    const linked = readBlock({ type: 'image', source: { type: 'url', url: 'https://x.org/a.png' } })
    expect(linked.turn?.role === 'user' && linked.turn.content).toEqual([
      { type: 'image', source: { kind: 'url', url: 'https://x.org/a.png' }, field: at },
    ])
    expect(linked.fields).toEqual({ image_input: at, image_url: at })
  })

  it('shows PDFs by their bytes or address, with a title and a context', () => {
    const source = { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' }
    const shown = readBlock({ type: 'document', source, title: 'Report', context: 'Of 2026' })
    expect(shown.turn?.role === 'user' && shown.turn.content).toEqual([
      {
        type: 'file',
        source: { kind: 'data', base64: 'JVBERg==' },
        mediaType: 'application/pdf',
        title: 'Report',
        context: 'Of 2026',
        field: at,
      },
    ])
    expect(shown.fields).toEqual({ file_input: at, document_context: `${at}.context` })

    const linked = readBlock({
      type: 'document',
      source: { type: 'url', url: 'https://x.org/a.pdf' },
    })
    expect(linked.fields).toEqual({ file_input: at, file_url: at })
  })

  it('shows documents that are text, which every model can read', () => {
    const plain = readBlock({
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'Words.' },
      citations: { enabled: true },
    })
    expect(plain.turn?.role === 'user' && plain.turn.content).toEqual([
      {
        type: 'file',
        source: { kind: 'text', text: 'Words.' },
        mediaType: 'text/plain',
        field: at,
      },
    ])
    expect(plain.fields).toEqual({})
    expect(plain.extras).toMatchObject([{ field: `${at}.citations`, treatment: 'warn' }])

    const made = readBlock({
      type: 'document',
      source: { type: 'content', content: [{ type: 'text', text: 'One.' }] },
    })
    expect(made.turn?.role === 'user' && made.turn.content).toEqual([
      {
        type: 'file',
        source: { kind: 'text', text: 'One.' },
        mediaType: 'text/plain',
        field: at,
      },
    ])
  })

  it('has search results told as text with their title and address', () => {
    const { turn, extras } = readBlock({
      type: 'search_result',
      title: 'Ulm',
      source: 'https://ulm.de',
      content: [{ type: 'text', text: 'A city.' }],
    })
    expect(turn?.role === 'user' && turn.content).toEqual([
      { type: 'text', text: 'Search result: Ulm (https://ulm.de)\nA city.' },
    ])
    expect(extras).toMatchObject([{ field: at, treatment: 'warn' }])
  })

  it('needs an account of its own for files that were uploaded to one', () => {
    const source = { type: 'file', file_id: 'file_1' }
    for (const type of ['image', 'document']) {
      expect(readBlock({ type, source }).extras).toMatchObject([
        { field: `${at}.source`, treatment: 'native' },
      ])
    }
  })
})
