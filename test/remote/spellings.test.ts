import { expect, test } from 'vitest'

import { createRemoteFetch } from '../../src/remote/fetch.ts'
import { png, serving } from './files.ts'
import { startMediaHost } from './media-host.ts'
import { refusalOf } from './refusal.ts'

/** An URL makes plain addresses of them all. */
const loopback = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '0x7f000001',
  '0x7f.0.0.1',
  '00000177.0x0.1',
  '%31%32%37.0.0.1',
  '127。0。0。1',
  '１２７.0.0.1',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
]

const names = ['localhost', 'LOCALHOST', 'localhost.']

test.each([...loopback, ...names])('a client does not get to loopback as %s', async (host) => {
  await using inside = await startMediaHost(serving())
  const fetch = createRemoteFetch({ allowHttp: true })

  const refusal = await refusalOf(fetch(`http://${host}:${inside.port}/a.png`))

  expect(refusal).toMatchObject({ code: 'invalid_value', status: 400, param: 'url' })
  expect(refusal.message).not.toMatch(/\d/)
  expect(inside.connections()).toBe(0)
})

test.each(loopback)('a client gets to loopback as %s where it is allowed', async (host) => {
  await using inside = await startMediaHost(serving())
  const fetch = createRemoteFetch({ allowHttp: true, allow: [inside.address] })

  const { bytes } = await fetch(`http://${host}:${inside.port}/a.png`)

  expect(bytes).toEqual(png)
})

test.each([
  'https://[::1]/',
  'https://[::]/',
  'https://[::7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fe80::1]/',
  'https://[fd00:ec2::254]/latest/meta-data',
  'https://169.254.169.254/latest/meta-data',
  'https://0/',
  'https://10.0.0.1:8443/',
])('a client that asks for %s is refused', async (url) => {
  const refusal = await refusalOf(createRemoteFetch()(url))

  expect(refusal.message).toMatch(/^`url` cannot be fetched: its host has no public address\. Send/)
})

test.each([
  ['https://[fe80::1%25eth0]/', 'it is not a valid URL'],
  ['https://256.1.1.1/', 'it is not a valid URL'],
  ['/a.png', 'it is not a valid URL'],
  ['', 'it is not a valid URL'],
  ['https://', 'it is not a valid URL'],
  ['http://media.example/a.png', 'its URL must be https'],
  ['file:///etc/passwd', 'its URL must be https'],
  ['ftp://media.example/a.png', 'its URL must be https'],
  ['data:image/png;base64,AAAA', 'its URL must be https'],
  ['https://user@media.example/', 'its URL must not contain credentials'],
  ['https://:secret@media.example/', 'its URL must not contain credentials'],
])('a client that asks for %s is told why it cannot', async (url, why) => {
  const field = { param: 'image_url', label: '`image_url`' }
  const refusal = await refusalOf(createRemoteFetch()(url, undefined, { field }))

  expect(refusal).toMatchObject({ code: 'invalid_value', status: 400, param: 'image_url' })
  expect(refusal.message).toContain(why)
  expect(refusal.message).not.toContain('secret')
})
