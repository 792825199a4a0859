import { expect, test } from 'vitest'

import type { RemoteFetch } from '../../src/contract/services.ts'
import { createRemoteFetch } from '../../src/remote/fetch.ts'
import type { RemoteOptions } from '../../src/remote/options.ts'
import { files, png, serving } from './files.ts'
import { type MediaHost, startMediaHost } from './media-host.ts'
import { refusalOf } from './refusal.ts'

/** A host that serves bytes with a content type, and somebody who may fetch them. */
async function stage(
  bytes: Buffer,
  type?: string,
  options: RemoteOptions = {},
): Promise<MediaHost & { fetched(): ReturnType<RemoteFetch> }> {
  const host = await startMediaHost(
    serving(bytes, type === undefined ? {} : { 'content-type': type }),
  )
  const fetch = createRemoteFetch({
    allowHttp: true,
    allow: [host.address],
    ...options,
  })
  return { ...host, fetched: () => fetch(host.url) }
}

test.each(Object.entries(files))('a file of %s is fetched', async (mediaType, bytes) => {
  await using host = await stage(bytes, mediaType)

  expect(await host.fetched()).toEqual({ bytes, mediaType })
})

test.each([
  ['IMAGE/PNG', png, 'image/png'],
  ['image/png; name="a.png"', png, 'image/png'],
  ['image/jpg', files['image/jpeg'], 'image/jpeg'],
  ['application/x-pdf;v=1', files['application/pdf'], 'application/pdf'],
])('a host may call it %s', async (type, bytes, mediaType) => {
  await using host = await stage(bytes, type)

  expect(await host.fetched()).toEqual({ bytes, mediaType })
})

test.each(['video/mp4', 'application/zip', 'application/octet-stream', 'imagex/png'])(
  'a file of %s is refused',
  async (type) => {
    await using host = await stage(png, type)

    const refusal = await refusalOf(host.fetched())

    expect(refusal).toMatchObject({ code: 'invalid_value', status: 400, param: 'url' })
    expect(refusal.message).toBe(
      `\`url\` cannot be fetched: its content type is ${type}, ` +
        'not one of image/*, application/pdf, text/*, application/json, application/xml, application/yaml, audio/*.',
    )
  },
)

test.each([undefined, '', 'image', 'image/png, text/html', '<b>/x', `image/${'x'.repeat(200)}`])(
  'a file of an unknown type is refused (%s)',
  async (type) => {
    await using host = await stage(png, type)

    const refusal = await refusalOf(host.fetched())

    expect(refusal.message).toContain('its host states no content type')
  },
)

test.each([
  ['image/png', Buffer.from('{"secret": "AKIA0123456789"}')],
  ['image/png', files['image/jpeg']],
  ['image/webp', Buffer.from('RIFF....WAVEfmt ')],
  ['image/gif', Buffer.from('GIF88a')],
  ['application/pdf', Buffer.from('<html>%PDF-')],
])('a file that is not the %s that its host says is refused', async (type, bytes) => {
  await using host = await stage(bytes, type)

  const refusal = await refusalOf(host.fetched())

  expect(refusal.message).toBe(
    `\`url\` cannot be fetched: its content is not ${type}, the type that its host states.`,
  )
})

test.each([
  ['text/plain', Buffer.from('Grüße')],
  ['text/plain; charset=UTF-8', Buffer.from('Grüße')],
  ['text/plain; charset=iso-8859-1', Buffer.from('Grüße', 'latin1')],
  ['text/plain; charset="utf-16le"', Buffer.from('Grüße', 'utf16le')],
])('text is in UTF-8, whatever it was written in (%s)', async (type, bytes) => {
  await using host = await stage(bytes, type)

  expect(await host.fetched()).toEqual({ bytes: Buffer.from('Grüße'), mediaType: 'text/plain' })
})

test.each([
  ['text/plain', 'utf-8'],
  ['text/plain; charset=klingon', 'klingon'],
])('text that cannot be read is refused (%s)', async (type, charset) => {
  await using host = await stage(Buffer.from('Grüße', 'latin1'), type)

  const refusal = await refusalOf(host.fetched())

  expect(refusal.message).toContain(`its content is not text in ${charset}`)
})

test.each([
  ['image/avif', Buffer.from('....ftypavif')],
  ['text/html', Buffer.from('<p>Hello</p>')],
  ['text/csv', Buffer.from('a,b')],
  ['audio/wav', Buffer.from('RIFF....WAVEfmt ')],
])('a file of %s is fetched too, whether or not the account knows it', async (type, bytes) => {
  await using host = await stage(bytes, type)

  expect(await host.fetched()).toEqual({ bytes, mediaType: type })
})

test.each(['image/png', 'text/plain', 'audio/wav'])(
  'an empty file is refused (%s)',
  async (type) => {
    await using host = await stage(Buffer.alloc(0), type)

    expect((await refusalOf(host.fetched())).message).toBe('`url` cannot be fetched: it is empty.')
  },
)

test('an operator may accept other types', async () => {
  const json = Buffer.from('{}')
  const mediaTypes = { file: ['application/json'], image: [], audio: [] }
  await using host = await stage(json, 'application/json', { mediaTypes })
  await using other = await stage(png, 'image/png', { mediaTypes })

  expect(await host.fetched()).toEqual({ bytes: json, mediaType: 'application/json' })
  expect((await refusalOf(other.fetched())).message).toContain('not one of application/json.')
})
