import { expect, test } from 'vitest'

import type { UserPart } from '../../src/generate/content.ts'
import { files, serving } from './files.ts'
import { asking, contentOf, fileAt, imageAt, startGallery, takesNoUrls } from './gallery.ts'
import { refusalOf } from './refusal.ts'

const pdf = files['application/pdf']
const page = Buffer.from('<p>This link has expired.</p>')

test.each<[string, string, Buffer, (url: string) => UserPart]>([
  ['picture', 'application/pdf', pdf, imageAt],
  ['picture', 'text/html', page, imageAt],
  ['file', 'image/png', files['image/png'], fileAt],
  ['PDF', 'text/html', page, (url) => fileAt(url, 'application/pdf')],
  ['text', 'application/pdf', pdf, (url) => fileAt(url, 'text/plain')],
])('a %s that turns out to be %s is refused', async (_, type, bytes, partAt) => {
  await using gallery = await startGallery(serving(bytes, { 'content-type': type }))
  const request = asking([partAt(gallery.url('/a'))])

  const refusal = await refusalOf(gallery.inline(request, takesNoUrls))

  expect(refusal).toMatchObject({ code: 'invalid_value', status: 400 })
  expect(refusal.message).toContain(`from media.example: its content type is ${type}, not one of`)
})

test.each<[string, string, (url: string) => UserPart]>([
  ['image/png', 'image/jpeg', (url) => ({ ...imageAt(url), mediaType: 'image/jpeg' })],
  ['text/plain', 'text/csv', (url) => fileAt(url, 'text/csv')],
  ['application/pdf', 'nonsense', (url) => fileAt(url, 'nonsense')],
] as const)('a file is the %s that it is, though announced as %s', async (type, _, partAt) => {
  const bytes = new Map(Object.entries(files)).get(type)
  await using gallery = await startGallery(serving(bytes, { 'content-type': type }))

  const inlined = await gallery.inline(asking([partAt(gallery.url('/a'))]), takesNoUrls)

  expect(contentOf(inlined)).toMatchObject([{ mediaType: type }])
})

test('a host is asked for what the part may be', async () => {
  await using gallery = await startGallery((response, path) =>
    path === '/a.png'
      ? serving()(response)
      : serving(pdf, { 'content-type': 'application/pdf' })(response),
  )
  const image = imageAt(gallery.url('/a.png'))
  const file = fileAt(gallery.url('/b.pdf'), 'application/pdf')

  await gallery.inline(asking([image]), takesNoUrls)
  await gallery.inline(asking([file]), takesNoUrls)

  expect(gallery.requests.map(({ headers }) => headers.accept)).toEqual([
    'image/png, image/jpeg, image/gif, image/webp, image/*;q=0.5',
    'application/pdf',
  ])
})

test('an URL that is both a picture and a file cannot be both', async () => {
  await using gallery = await startGallery(serving())
  const url = gallery.url('/a.png')
  const request = asking([imageAt(url), fileAt(url)], {
    image_url: 'input[0].content[0].image_url',
    file_url: 'input[0].content[1].file_url',
  })

  const refusal = await refusalOf(gallery.inline(request, takesNoUrls))

  expect(refusal.param).toBe('input[0].content[1].file_url')
  expect(refusal.message).toContain('its content type is image/png')
  expect(gallery.asked()).toEqual(['/a.png'])
})
