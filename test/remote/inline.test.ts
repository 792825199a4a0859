import { expect, test } from 'vitest'

import type { GenerateRequest } from '../../src/generate/request.ts'
import { files, png, serving } from './files.ts'
import {
  asking,
  contentOf,
  fileAt,
  imageAt,
  requestOf,
  startGallery,
  takesNoUrls,
} from './gallery.ts'

const pdf = files['application/pdf']
const text = files['text/plain']

const showAll = (type: string, bytes: Buffer) => serving(bytes, { 'content-type': type })

test('an account that takes no URLs is shown the bytes of a picture', async () => {
  await using gallery = await startGallery(serving())
  const url = gallery.url('/a.png?sig=1')
  const request = asking([
    { type: 'text', text: 'What is this?' },
    { ...imageAt(url), detail: 'low' },
  ])

  const inlined = await gallery.inline(request, takesNoUrls)

  expect(contentOf(inlined)).toEqual([
    { type: 'text', text: 'What is this?' },
    {
      type: 'image',
      source: { kind: 'data', base64: png.toString('base64') },
      mediaType: 'image/png',
      detail: 'low',
    },
  ])
  expect(gallery.asked()).toEqual(['/a.png?sig=1'])
})

test.each([
  ['application/pdf', pdf],
  ['text/plain', text],
])('an account that takes no URLs is shown the bytes of a document (%s)', async (type, bytes) => {
  await using gallery = await startGallery(showAll(type, bytes))
  const request = asking([{ ...fileAt(gallery.url('/report')), name: 'report', title: 'Report' }])

  const inlined = await gallery.inline(request, takesNoUrls)

  expect(contentOf(inlined)).toEqual([
    {
      type: 'file',
      source: { kind: 'data', base64: bytes.toString('base64') },
      mediaType: type,
      name: 'report',
      title: 'Report',
    },
  ])
})

test('a sound is fetched where an account takes no URLs of sounds', async () => {
  const wave = Buffer.from('RIFF....WAVEfmt ')
  await using gallery = await startGallery(showAll('audio/wav', wave))
  const source = { kind: 'url', url: gallery.url('/a.wav') } as const
  const request = asking([{ type: 'audio', source, mediaType: 'audio/x-wav' }])

  const inlined = await gallery.inline(request, takesNoUrls)

  expect(contentOf(inlined)).toMatchObject([
    { type: 'audio', source: { base64: wave.toString('base64') }, mediaType: 'audio/wav' },
  ])
})

test('pictures are found in what users, models and tools say', async () => {
  await using gallery = await startGallery(serving())
  const image = imageAt(gallery.url('/a.png'))
  const request = requestOf([
    { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', content: [image] },
    { role: 'assistant', content: [{ ...image }] },
    { role: 'tool', results: [{ callId: '1', content: [{ ...image }], failed: true }] },
  ])
  const before = structuredClone(request)

  const inlined = await gallery.inline(request, takesNoUrls)

  const shown = {
    type: 'image',
    source: { kind: 'data', base64: png.toString('base64') },
    mediaType: 'image/png',
  }
  expect(inlined.turns).toEqual([
    { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', content: [shown] },
    { role: 'assistant', content: [shown] },
    { role: 'tool', results: [{ callId: '1', content: [shown], failed: true }] },
  ])
  expect(gallery.asked()).toEqual(['/a.png'])
  expect(request).toEqual(before)
})

test('a request with several URLs keeps each with its part', async () => {
  const pieces = ['/0', '/1', '/2', '/3', '/4', '/5']
  await using gallery = await startGallery((response, path) => {
    const answer = serving(Buffer.concat([png, Buffer.from(path)]))
    if (path === '/0') setImmediate(answer, response)
    else answer(response)
  })
  const request = asking(pieces.map((path) => imageAt(gallery.url(path))))

  const inlined = await gallery.inline(request, takesNoUrls)

  expect(bytesOf(inlined).map((bytes) => bytes.subarray(png.length).toString())).toEqual(pieces)
})

function bytesOf(request: GenerateRequest): Buffer[] {
  return contentOf(request).map((part) =>
    'source' in part && part.source.kind === 'data'
      ? Buffer.from(part.source.base64, 'base64')
      : Buffer.alloc(0),
  )
}
