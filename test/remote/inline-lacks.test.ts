import { expect, test } from 'vitest'

import type { FeatureSupport } from '../../src/generate/unsupported.ts'
import { findLosses } from '../../src/translate/losses.ts'
import { files, serving } from './files.ts'
import {
  asking,
  contentOf,
  fileAt,
  imageAt,
  startGallery,
  takesNoUrls,
  takesUrls,
} from './gallery.ts'

const kinds = (path: string) =>
  path === '/a.png'
    ? serving()
    : serving(files['application/pdf'], { 'content-type': 'application/pdf' })

const fields = {
  image_input: 'messages[0].content[0]',
  image_url: 'messages[0].content[0].image_url',
  file_input: 'messages[0].content[1]',
  file_url: 'messages[0].content[1].file.file_data',
}

test('an account that takes URLs is given them', async () => {
  await using gallery = await startGallery(serving())
  const request = asking([imageAt(gallery.url('/a.png')), fileAt(gallery.url('/b.pdf'))], fields)

  expect(await gallery.inline(request, takesUrls)).toBe(request)
  expect(gallery.connections()).toBe(0)
})

test('a request without URLs is left as it is', async () => {
  await using gallery = await startGallery(serving())
  const request = asking([
    { type: 'text', text: 'Hello' },
    { type: 'image', source: { kind: 'data', base64: 'AAAA' }, mediaType: 'image/png' },
    { type: 'file', source: { kind: 'text', text: gallery.url('/a.png') } },
  ])

  expect(await gallery.inline(request, takesNoUrls)).toBe(request)
  expect(gallery.connections()).toBe(0)
})

test.each([
  ['image_url', ['data', 'url'], ['/a.png']],
  ['file_url', ['url', 'data'], ['/b.pdf']],
] as const)(
  'an account that lacks %s alone is spared no other URL',
  async (lacked, kept, asked) => {
    await using gallery = await startGallery((response, path) => kinds(path)(response))
    const request = asking([imageAt(gallery.url('/a.png')), fileAt(gallery.url('/b.pdf'))], fields)
    const lacks = { supports: takesUrls.supports.filter((feature) => feature !== lacked) }

    const inlined = await gallery.inline(request, lacks)

    expect(contentOf(inlined).map((part) => 'source' in part && part.source.kind)).toEqual(kept)
    expect(gallery.asked()).toEqual(asked)
    const { [lacked]: gone, ...others } = fields
    expect(inlined.fields).toEqual(others)
    expect(gone).toBe(request.fields[lacked])
  },
)

test('what was inlined is no loss any more', async () => {
  await using gallery = await startGallery((response, path) => kinds(path)(response))
  const request = asking([imageAt(gallery.url('/a.png')), fileAt(gallery.url('/b.pdf'))], fields)

  const inlined = await gallery.inline(request, takesNoUrls)

  expect(findLosses(request, takesNoUrls)).toHaveLength(2)
  expect(findLosses(inlined, takesNoUrls)).toEqual([])
  expect(await gallery.inline(inlined, takesNoUrls)).toBe(inlined)
})

test('nothing is fetched for an account that sees no pictures at all', async () => {
  await using gallery = await startGallery(serving())
  const blind: FeatureSupport = {
    ...takesNoUrls,
    supports: takesNoUrls.supports.filter((feature) => feature !== 'image_input'),
  }
  const request = asking([imageAt(gallery.url('/a.png'))], fields)

  expect(await gallery.inline(request, blind)).toBe(request)
  expect(gallery.connections()).toBe(0)
})
