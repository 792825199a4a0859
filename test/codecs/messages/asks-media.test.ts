import { describe, expect, it } from 'vitest'

import type { FilePart, ImagePart } from '../../../src/generate/content.ts'
import { write } from './codec.ts'

function blocksOf(...content: (FilePart | ImagePart)[]) {
  return write({ turns: [{ role: 'user', content }] }).messages[0]!.content
}

describe('an account of messages that is shown something', () => {
  it('gets images by their bytes or address', () => {
    expect(
      blocksOf(
        {
          type: 'image',
          mediaType: 'image/jpg',
          source: { kind: 'data', base64: 'eA==' },
          detail: 'high',
        },
        { type: 'image', source: { kind: 'url', url: 'https://x.org/a.png' } },
      ),
    ).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'eA==' } },
      { type: 'image', source: { type: 'url', url: 'https://x.org/a.png' } },
    ])
  })

  it('gets PDFs with the name of the file as their title', () => {
    expect(
      blocksOf(
        {
          type: 'file',
          mediaType: 'application/pdf',
          source: { kind: 'data', base64: 'eA==' },
          name: 'a.pdf',
        },
        { type: 'file', source: { kind: 'url', url: 'https://x.org/b.pdf' }, context: 'Old.' },
      ),
    ).toEqual([
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'eA==' },
        title: 'a.pdf',
      },
      {
        type: 'document',
        source: { type: 'url', url: 'https://x.org/b.pdf' },
        context: 'Old.',
      },
    ])
  })

  it('gets files of text as text', () => {
    const csv = Buffer.from('a,b\n1,2').toString('base64')
    expect(
      blocksOf(
        {
          type: 'file',
          mediaType: 'text/csv; charset=utf-8',
          source: { kind: 'data', base64: csv },
        },
        { type: 'file', mediaType: 'text/plain', source: { kind: 'text', text: 'Words.' } },
      ),
    ).toEqual([
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'a,b\n1,2' },
      },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Words.' } },
    ])
  })

  it.each<FilePart | ImagePart>([
    { type: 'image', mediaType: 'image/tiff', source: { kind: 'data', base64: 'eA==' } },
    { type: 'image', source: { kind: 'url', url: 'gs://bucket/a.png' } },
    { type: 'file', mediaType: 'application/zip', source: { kind: 'data', base64: 'eA==' } },
    { type: 'file', mediaType: 'text/csv', source: { kind: 'url', url: 'https://x.org/a.csv' } },
  ])('cannot be shown $mediaType $source.kind', (part) => {
    expect(() => blocksOf(part)).toThrow(expect.objectContaining({ code: 'invalid_value' }))
  })

  it('sees again what a model of another kind has drawn', () => {
    const { messages } = write({
      turns: [
        { role: 'user', content: [{ type: 'text', text: 'Draw.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Here:' },
            { type: 'image', mediaType: 'image/png', source: { kind: 'data', base64: 'eA==' } },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'Nice.' }] },
      ],
    })
    expect(messages.slice(1)).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'Here:' }] },
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'eA==' } },
          { type: 'text', text: 'Nice.' },
        ],
      },
    ])
  })
})
