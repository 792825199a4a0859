import { expect, test } from 'vitest'

import { createRemoteFetch } from '../../src/remote/fetch.ts'
import { png, serving } from './files.ts'
import { startMediaHost } from './media-host.ts'
import { resolving } from './names.ts'
import { refusalOf } from './refusal.ts'

test('a name is resolved once: what is checked is what is connected to', async () => {
  await using host = await startMediaHost(serving())
  const { asked, lookup } = resolving(['127.0.0.1'], ['127.0.0.2'])
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address], lookup })

  const { bytes } = await fetch(`http://media.example:${host.port}/a.png`)

  expect(bytes).toEqual(png)
  expect(asked).toEqual(['media.example'])
  expect(host.requests[0]?.headers.host).toBe(`media.example:${host.port}`)
})

test('a name that leads elsewhere the next time is checked the next time', async () => {
  await using host = await startMediaHost(serving())
  const { asked, lookup } = resolving(['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1'])
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address], lookup })
  const url = `http://media.example:${host.port}/a.png`

  await fetch(url)
  const refusal = await refusalOf(fetch(url))
  await fetch(url)

  expect(refusal.code).toBe('invalid_value')
  expect(asked).toHaveLength(3)
  expect(host.requests).toHaveLength(2)
})

test.each([
  ['127.0.0.1'],
  ['::ffff:127.0.0.1'],
  ['::ffff:7f00:1'],
  ['93.184.215.14', '127.0.0.1'],
  ['127.0.0.1', '93.184.215.14'],
  ['2606:4700::1', '127.0.0.1'],
  ['fe80::1%lo'],
])('a name that leads to %s %s is not connected to', async (...addresses) => {
  await using inside = await startMediaHost(serving())
  const { asked, lookup } = resolving(addresses.filter((address) => address !== undefined))
  const fetch = createRemoteFetch({ allowHttp: true, lookup })

  const refusal = await refusalOf(fetch(`http://media.example:${inside.port}/a.png`))

  expect(refusal.message).toBe(
    '`url` cannot be fetched from media.example: its host has no public address, or does not ' +
      'resolve. Send the bytes of the file instead, such as in a `data:` URL, or have the operator ' +
      'list its host in `remote.allow`.',
  )
  expect(asked).toHaveLength(1)
  expect(inside.connections()).toBe(0)
})

test('a host that is allowed by its name is reached by no other name', async () => {
  await using host = await startMediaHost(serving())
  const { lookup } = resolving(['127.0.0.1'])
  const allow = [`media.internal:${host.port}`]
  const fetch = createRemoteFetch({ allowHttp: true, allow, lookup })

  const { bytes } = await fetch(`http://Media.Internal.:${host.port}/a.png`)
  const byOther = await refusalOf(fetch(`http://db.internal:${host.port}/a.png`))
  const byAddress = await refusalOf(fetch(`${host.url}/a.png`))

  expect(bytes).toEqual(png)
  expect(byOther.message).toContain('its host has no public address')
  expect(byAddress.message).toContain('its host has no public address')
  expect(host.connections()).toBe(1)
})

test('a client cannot tell an internal name from one that does not exist', async () => {
  const inside = createRemoteFetch({ lookup: resolving(['10.0.0.7']).lookup })
  const nowhere = createRemoteFetch({ lookup: resolving([]).lookup })
  const url = 'https://db.internal/'

  const refusals = [await refusalOf(inside(url)), await refusalOf(nowhere(url))]

  expect(refusals[0]).toMatchObject({ code: 'invalid_value', param: 'url' })
  expect(refusals[0]?.message).toBe(refusals[1]?.message)
})
