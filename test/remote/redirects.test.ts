import { expect, test } from 'vitest'

import { createRemoteFetch } from '../../src/remote/fetch.ts'
import { png, serving } from './files.ts'
import { type MediaHost, startMediaHost } from './media-host.ts'
import { resolving } from './names.ts'
import { refusalOf } from './refusal.ts'

/** `/3` leads to `/2`, and so on; `/0` is a picture. */
function countingDown(status = 302): Promise<MediaHost> {
  return startMediaHost((response, { url }) => {
    const left = Number(url?.slice(1))
    if (left === 0) return serving()(response)
    response.writeHead(status, { location: `${left - 1}`, 'set-cookie': 'a=b' }).end('moved')
  })
}

function redirectingTo(location: string): Promise<MediaHost> {
  return startMediaHost((response) => response.writeHead(302, { location }).end())
}

test.each([301, 302, 303, 307, 308])('a file that moved is found (%i)', async (status) => {
  await using host = await countingDown(status)
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })

  const { bytes } = await fetch(`${host.url}/3`)

  expect(bytes).toEqual(png)
  expect(host.requests.map(({ url }) => url)).toEqual(['/3', '/2', '/1', '/0'])
  for (const { headers } of host.requests) {
    expect(Object.keys(headers).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
  }
})

test('a file that moves too often is not', async () => {
  await using host = await countingDown()
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })

  const refusal = await refusalOf(fetch(`${host.url}/4`))

  expect(refusal.message).toContain('it was redirected more than 3 times')
  expect(host.requests).toHaveLength(4)
})

test('a redirect to a forbidden address is not followed', async () => {
  await using inside = await startMediaHost(serving())
  await using host = await redirectingTo(`${inside.url}/secret-path`)
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })

  const refusal = await refusalOf(fetch(`${host.url}/a.png`))

  expect(refusal.message).toMatch(/^`url` cannot be fetched: its host has no public address\. Send/)
  expect(inside.connections()).toBe(0)
})

test('a redirect to a name that leads to a forbidden address is not followed', async () => {
  await using inside = await startMediaHost(serving())
  await using host = await redirectingTo(`http://db.internal:${inside.port}/`)
  const { asked, lookup } = resolving(['127.0.0.1'])
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address], lookup })

  const refusal = await refusalOf(fetch(`http://media.example:${host.port}/`))

  expect(refusal.message).toContain('from media.example: its host has no public address')
  expect(refusal.message).not.toContain('db.internal')
  expect(asked).toEqual(['media.example', 'db.internal'])
  expect(inside.connections()).toBe(0)
})

test.each([
  ['file:///etc/passwd', 'its URL must be http or https'],
  ['http://user:secret@127.0.0.1/', 'its URL must not contain credentials'],
  ['http://[', 'its redirect has no valid target'],
])('a redirect to %s is not followed', async (location, why) => {
  await using host = await redirectingTo(location)
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })

  const refusal = await refusalOf(fetch(`${host.url}/a.png`))

  expect(refusal.message).toContain(why)
})

test('a redirect without a location is an error', async () => {
  await using host = await startMediaHost((response) => response.writeHead(302).end())
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })

  const refusal = await refusalOf(fetch(`${host.url}/a.png`))

  expect(refusal.message).toContain('its redirect has no valid target')
})
