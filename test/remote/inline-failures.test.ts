import type { ServerResponse } from 'node:http'

import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { serving } from './files.ts'
import { asking, fileAt, imageAt, startGallery, takesNoUrls } from './gallery.ts'
import { refusalOf } from './refusal.ts'

const fields = {
  image_url: 'messages[3].content[1].image_url',
  file_url: 'messages[3].content[2].file.file_data',
}

/** Says nothing about `/silent`, does not know `/gone`, and has a picture everywhere else. */
function moody(response: ServerResponse, path: string): void {
  if (path === '/gone') response.writeHead(404).end()
  else if (path !== '/silent') serving()(response)
}

test.each([
  ['http://media.example/a.png', 'its URL must be https'],
  ['https://me:secret@media.example/a.png', 'its URL must not contain credentials'],
  ['https://169.254.169.254/latest', 'its host has no public address'],
  ['nonsense', 'it is not a valid URL'],
])('a client is told which field is wrong, and why (%s)', async (url, why) => {
  await using gallery = await startGallery(moody)

  const image = await refusalOf(gallery.inline(asking([imageAt(url)], fields), takesNoUrls))
  const file = await refusalOf(gallery.inline(asking([fileAt(url)], fields), takesNoUrls))
  const unnamed = await refusalOf(gallery.inline(asking([fileAt(url)]), takesNoUrls))

  const invalid = { code: 'invalid_value', status: 400, kind: 'invalid' }
  expect(image).toMatchObject({ ...invalid, param: fields.image_url })
  expect(image.message).toContain(`\`${fields.image_url}\` cannot be fetched`)
  expect(file).toMatchObject({ ...invalid, param: fields.file_url })
  expect(unnamed).toMatchObject({ ...invalid, param: 'file_url' })
  for (const { message } of [image, file, unnamed]) {
    expect(message).toContain(why)
    expect(message).not.toContain('secret')
  }
})

test('a client with several URLs is told which one is wrong', async () => {
  await using gallery = await startGallery(moody)
  const images = ['/a.png', '/b.png', '/gone'].map((path) => imageAt(gallery.url(path)))

  const refusal = await refusalOf(gallery.inline(asking(images, fields), takesNoUrls))

  expect(refusal.param).toBe('messages')
  expect(refusal.message).toBe(
    '`messages` (image_url number 3) cannot be fetched from media.example: its host replied with status 404.',
  )
})

test('a file that cannot be had ends the fetches of the others', async () => {
  await using gallery = await startGallery(moody, { concurrencyOfRequest: 2 })
  const paths = ['/silent', '/gone', '/a.png', '/b.png']
  const images = paths.map((path) => imageAt(gallery.url(path)))

  const refusal = await refusalOf(gallery.inline(asking(images, fields), takesNoUrls))

  expect(refusal.message).toContain('its host replied with status 404')
  expect(gallery.asked()).not.toContain('/a.png')
  expect(gallery.connections()).toBe(2)
  await until(() => gallery.open.size === 0)
})

test('a client that leaves ends all fetches, those too that have not begun', async () => {
  await using gallery = await startGallery(() => {}, { concurrencyOfRequest: 2 })
  const images = ['/0', '/1', '/2', '/3'].map((path) => imageAt(gallery.url(path)))
  const client = new AbortController()

  const refused = refusalOf(gallery.inline(asking(images, fields), takesNoUrls, client.signal))
  await until(() => gallery.requests.length === 2)
  client.abort()

  expect((await refused).code).toBe('client_closed_request')
  expect(gallery.connections()).toBe(2)
  await until(() => gallery.open.size === 0)
})

test('a client that has left already has nothing fetched', async () => {
  await using gallery = await startGallery(moody)
  const request = asking([imageAt(gallery.url('/a.png'))], fields)

  const refusal = await refusalOf(gallery.inline(request, takesNoUrls, AbortSignal.abort()))

  expect(refusal.code).toBe('client_closed_request')
  expect(gallery.connections()).toBe(0)
})
