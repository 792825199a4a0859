import { beforeAll, describe, expect, test } from 'vitest'

import { files } from '../../remote/files.ts'
import { ask, receive } from '../streams/asking.ts'
import { type Form, form } from '../streams/forms.ts'
import { bodyOf, startMixed } from './mixed.ts'
import { errorIn } from './pairs.ts'
import { startPictureHost, trustPictureHosts } from './picture-host.ts'

beforeAll(trustPictureHosts)

interface Case {
  readonly client: Form
  /** One that takes the bytes of such a file and no address. */
  readonly account: Form
  readonly type: keyof typeof files
  /** What the client calls the address. */
  readonly field: string
  fields(url: string): Record<string, unknown>
}

const user = (part: object) => ({ role: 'user', content: [part] })

const cases: readonly Case[] = [
  {
    client: form.chat,
    account: form.generate,
    type: 'image/png',
    field: 'messages[0].content[0].image_url',
    fields: (url) => ({ messages: [user({ type: 'image_url', image_url: { url } })] }),
  },
  {
    client: form.responses,
    account: form.generate,
    type: 'image/png',
    field: 'input[0].content[0].image_url',
    fields: (url) => ({ input: [user({ type: 'input_image', image_url: url })] }),
  },
  {
    client: form.messages,
    account: form.generate,
    type: 'image/png',
    field: 'messages[0].content[0]',
    fields: (url) => ({ messages: [user({ type: 'image', source: { type: 'url', url } })] }),
  },
  {
    client: form.messages,
    account: form.chat,
    type: 'application/pdf',
    field: 'messages[0].content[0]',
    fields: (url) => ({ messages: [user({ type: 'document', source: { type: 'url', url } })] }),
  },
  {
    client: form.responses,
    account: form.chat,
    type: 'application/pdf',
    field: 'input[0].content[0].file_url',
    fields: (url) => ({ input: [user({ type: 'input_file', file_url: url })] }),
  },
]

describe.each(cases)('$client.name: $type for $account.name', (one) => {
  const { client, account, type, field, fields } = one
  const start = () => startPictureHost(files[type], type)

  test.each([{ stream: true }, { stream: false }])(
    'the account gets the bytes of a file from a host that is allowed (stream: $stream)',
    async ({ stream }) => {
      await using host = await start()
      await using mixed = await startMixed(
        { only: { form: account } },
        { remote: { allow: [host.address] } },
      )

      const asked = { stream, fields: fields(`${host.url}/file`) }
      const response = await ask(mixed.gateway, client, asked)
      const { text } = await receive(response)

      expect(response.status).toBe(200)
      expect(text).toContain('Hello')
      const sent = JSON.stringify(bodyOf(mixed.accounts.only))
      expect(sent).toContain(files[type].toString('base64'))
      expect(sent).not.toContain(host.url)
      expect(response.headers.has('x-dragoman-losses')).toBe(false)
      const [fetched] = host.requests
      expect(fetched?.headers).not.toHaveProperty('authorization')
      expect(fetched?.headers).not.toHaveProperty('x-api-key')
    },
  )

  test('a host that is not public is not asked, and no account either', async () => {
    await using host = await start()
    await using mixed = await startMixed({ only: { form: account } })

    const asked = { fields: fields(`${host.url}/file`) }
    const response = await ask(mixed.gateway, client, asked)
    const text = await response.text()

    expect(response.status).toBe(400)
    const message = String(errorIn(client, text)['message'])
    expect(message).toContain(`\`${field}`)
    expect(message).toContain('its host has no public address')
    expect(text).not.toContain('127.0.0.1')
    expect(host.connections()).toBe(0)
    expect(mixed.accounts.only.requests).toHaveLength(0)
    expect(response.headers.has('x-dragoman-account')).toBe(false)
    expect((await mixed.gateway.logged(1))[0]).toMatchObject({ status: 400, attempts: 0 })
  })
})

test.each([
  { what: 'are too many', remote: { maxFiles: 0 } },
  { what: 'are too large', remote: { maxBytes: 4 } },
  { what: 'are forbidden', remote: { allow: [], forbid: ['127.0.0.0/8'] } },
])('a client is told of files that $what', async ({ remote }) => {
  await using host = await startPictureHost(files['image/png'], 'image/png')
  await using mixed = await startMixed(
    { only: { form: form.generate } },
    { remote: { allow: [host.address], ...remote } },
  )
  const image = { type: 'image_url', image_url: { url: `${host.url}/a.png` } }

  const asked = { stream: false, fields: { messages: [user(image)] } }
  const response = await ask(mixed.gateway, form.chat, asked)

  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { param: 'messages[0].content[0].image_url' },
  })
  expect(mixed.accounts.only.requests).toHaveLength(0)
})

test('an account that takes addresses gets them, and nothing is fetched', async () => {
  await using host = await startPictureHost(files['image/png'], 'image/png')
  await using mixed = await startMixed({ only: { form: form.messages } })
  const url = `${host.url}/a.png`

  const asked = {
    stream: false,
    fields: { messages: [user({ type: 'image_url', image_url: { url } })] },
  }
  const response = await ask(mixed.gateway, form.chat, asked)

  expect(response.status).toBe(200)
  expect(JSON.stringify(bodyOf(mixed.accounts.only))).toContain(url)
  expect(host.connections()).toBe(0)
})
