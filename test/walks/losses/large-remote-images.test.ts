import { beforeAll, describe, expect, test } from 'vitest'

import { files } from '../../remote/files.ts'
import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { bodyOf, startMixed } from './mixed.ts'
import { errorIn } from './pairs.ts'
import { startPictureHost, trustPictureHosts } from './picture-host.ts'

beforeAll(trustPictureHosts)

const limit = 8 * 1024 * 1024
const mebibyte = 1024 * 1024

/** A picture of this many bytes. */
function picture(bytes: number): Buffer {
  return Buffer.concat([files['image/png'], Buffer.alloc(bytes)], bytes)
}

/** A Chat client that shows pictures by URL to a gateway with one account that takes none. */
async function show(bytes: number, contents: (url: string) => object[], options: object = {}) {
  await using host = await startPictureHost(picture(bytes), 'image/png')
  await using mixed = await startMixed(
    { only: { form: form.generate } },
    { remote: { allow: [host.address] }, ...options },
  )
  const messages = [{ role: 'user', content: contents(`${host.url}/a.png`) }]
  const response = await ask(mixed.gateway, form.chat, { stream: false, fields: { messages } })
  const { requests } = mixed.accounts.only
  return {
    response,
    text: await response.text(),
    sent: requests.length > 0 ? JSON.stringify(bodyOf(mixed.accounts.only).contents) : undefined,
  }
}

const image = (url: string) => ({ type: 'image_url', image_url: { url } })
const words = { type: 'text', text: 'What is this?' }

describe.each([limit + 1, 21 * mebibyte])('a picture of %i bytes by URL', (bytes) => {
  test('is discarded and named, and the rest arrives', async () => {
    const { response, sent } = await show(bytes, (url) => [words, image(url)])
    expect(response.status).toBe(200)
    expect(response.headers.get('x-dragoman-losses')).toBe('messages[0].content[1]')
    expect(sent).toContain('What is this?')
    expect(sent).not.toContain('inlineData')
  })

  test('is refused where losses are', async () => {
    const options = { losses: 'reject' }
    const { response, text, sent } = await show(bytes, (url) => [words, image(url)], options)
    expect(response.status).toBe(400)
    expect(errorIn(form.chat, text)['message']).toContain(
      '`messages[0].content[1]`: image above 8 MB',
    )
    expect(sent).toBeUndefined()
  })
})

test('a picture of 8 MiB by URL is shown', async () => {
  const { response, sent } = await show(limit, (url) => [words, image(url)])
  expect(response.status).toBe(200)
  expect(response.headers.get('x-dragoman-losses')).toBeNull()
  expect(sent).toContain('inlineData')
})

test('every place of a discarded picture is named', async () => {
  const { response } = await show(limit + 1, (url) => [image(url), words, image(url)])
  expect(response.headers.get('x-dragoman-losses')).toBe(
    'messages[0].content[0], messages[0].content[2]',
  )
})

test('discarded pictures do not count towards the size of all files', async () => {
  const { response } = await show(9 * mebibyte, (url) => [
    words,
    ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => image(url + name)),
  ])
  expect(response.status).toBe(200)
  expect(response.headers.get('x-dragoman-losses')?.split(', ')).toHaveLength(7)
})

test('a limit of the operator below 8 MB refuses the picture, as before', async () => {
  await using host = await startPictureHost(picture(limit + 1), 'image/png')
  await using mixed = await startMixed(
    { only: { form: form.generate } },
    { remote: { maxBytes: mebibyte, allow: [host.address] } },
  )
  const messages = [{ role: 'user', content: [words, image(`${host.url}/a.png`)] }]
  const response = await ask(mixed.gateway, form.chat, { stream: false, fields: { messages } })
  expect(response.status).toBe(400)
  expect(mixed.accounts.only.requests).toHaveLength(0)
})
