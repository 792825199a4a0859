import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { pngOf, serving } from './files.ts'
import { asking, contentOf, fileAt, imageAt, startGallery, takesNoUrls } from './gallery.ts'
import { refusalOf } from './refusal.ts'

const fields = { image_url: 'messages[0].content[0].image_url' }

test('a request with more URLs than allowed is refused before any is fetched', async () => {
  await using gallery = await startGallery(serving(), { maxFiles: 2 })
  const images = ['/0', '/1', '/2'].map((path) => imageAt(gallery.url(path)))

  const refusal = await refusalOf(gallery.inline(asking(images, fields), takesNoUrls))

  expect(refusal).toMatchObject({ code: 'invalid_value', status: 400, param: 'messages' })
  expect(refusal.message).toContain('has 3 remote files')
  expect(refusal.message).toContain('2 are allowed')
  expect(gallery.connections()).toBe(0)
})

test('an URL that is named often counts as one', async () => {
  await using gallery = await startGallery(serving(), { maxFiles: 2 })
  const images = ['/0', '/1', '/0', '/1', '/0'].map((path) => imageAt(gallery.url(path)))

  const inlined = await gallery.inline(asking(images), takesNoUrls)

  expect(contentOf(inlined)).toHaveLength(5)
  expect(gallery.asked()).toHaveLength(2)
  expect(new Set(gallery.asked())).toEqual(new Set(['/0', '/1']))
})

test('an operator may have nothing fetched at all', async () => {
  await using gallery = await startGallery(serving(), { maxFiles: 0 })

  const refusal = await refusalOf(
    gallery.inline(asking([imageAt(gallery.url('/a.png'))], fields), takesNoUrls),
  )

  expect(refusal).toMatchObject({ status: 400, param: fields.image_url })
  expect(gallery.connections()).toBe(0)
})

test.each([
  ['different files', ['/0', '/1']],
  ['one file in several places', ['/0', '/0']],
])('%s are no larger together than allowed', async (_, paths) => {
  const images = (url: (path: string) => string) => paths.map((path) => imageAt(url(path)))
  await using tight = await startGallery(serving(pngOf(60_000)), { maxTotalBytes: 119_999 })
  await using wide = await startGallery(serving(pngOf(60_000)), { maxTotalBytes: 120_000 })

  const refusal = await refusalOf(tight.inline(asking(images(tight.url), fields), takesNoUrls))
  const inlined = await wide.inline(asking(images(wide.url), fields), takesNoUrls)

  expect(refusal).toMatchObject({ code: 'invalid_value', status: 400 })
  expect(refusal.param).toMatch(/^messages/)
  expect(refusal.message).toBe(
    'The remote files of the request are larger than 119999 bytes together.',
  )
  expect(contentOf(inlined)).toHaveLength(2)
  await until(() => tight.open.size === 0)
})

test('files that are slow one after the other are waited for no longer than allowed', async () => {
  await using gallery = await startGallery(
    (response) => {
      setTimeout(() => serving()(response), 80)
    },
    { totalTimeoutMs: 200, concurrencyOfRequest: 1 },
  )
  const images = Array.from({ length: 20 }, (_, index) => imageAt(gallery.url(`/${index}`)))

  const refusal = await refusalOf(gallery.inline(asking(images, fields), takesNoUrls))

  expect(refusal).toMatchObject({ code: 'invalid_value', status: 400 })
  expect(refusal.param).toMatch(/^messages/)
  expect(refusal.message).toBe('The remote files of the request took longer than 0.2 s together.')
  expect(gallery.connections()).toBeLessThan(20)
  await until(() => gallery.open.size === 0)
})

test('a client that has waited too long is told for which file', async () => {
  await using gallery = await startGallery(
    (response, path) => {
      if (path === '/a.png') serving()(response)
    },
    { totalTimeoutMs: 1_000, concurrencyOfRequest: 1 },
  )
  const request = asking([imageAt(gallery.url('/a.png')), fileAt(gallery.url('/silent'))], {
    ...fields,
    file_url: 'messages[0].content[1].file.file_data',
  })

  const refusal = await refusalOf(gallery.inline(request, takesNoUrls))

  expect(refusal.param).toBe('messages[0].content[1].file.file_data')
  expect(refusal.message).toContain('took longer than 1 s together')
})

test('a request fetches only so many files at once', async () => {
  let most = 0
  await using gallery = await startGallery(
    (response) => {
      most = Math.max(most, gallery.open.size)
      setImmediate(() => serving()(response))
    },
    { concurrencyOfRequest: 3 },
  )
  const images = Array.from({ length: 12 }, (_, index) => imageAt(gallery.url(`/${index}`)))

  await gallery.inline(asking(images), takesNoUrls)

  expect(gallery.requests).toHaveLength(12)
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(3)
})
