import { expect, test } from 'vitest'

import { createRemoteFetch } from '../../src/remote/fetch.ts'
import { until } from '../../src/testing/until.ts'
import { png, serving } from './files.ts'
import { certificate, startMediaHost } from './media-host.ts'
import { resolving } from './names.ts'
import { refusalOf } from './refusal.ts'

const { lookup } = resolving(['127.0.0.1'])

test.each(['media.example', 'MEDIA.example', 'media.example.'])(
  'a file is fetched from %s, which shows its certificate',
  async (name) => {
    await using host = await startMediaHost(serving(), { secure: true })
    const fetch = createRemoteFetch({ allow: [host.address], lookup, ca: certificate })

    const { bytes } = await fetch(`https://${name}:${host.port}/a.png`)

    expect(bytes).toEqual(png)
    await until(() => host.open.size === 0)
  },
)

test('a host that shows the certificate of another is not asked', async () => {
  await using host = await startMediaHost(serving(), { secure: true })
  const fetch = createRemoteFetch({ allow: [host.address], lookup, ca: certificate })

  const byName = await refusalOf(fetch(`https://other.example:${host.port}/a.png`))
  const byAddress = await refusalOf(fetch(`https://${host.address}/a.png`))

  expect(byName.message).toContain('from other.example: the connection to its host failed')
  expect(byAddress.message).toBe('`url` cannot be fetched: the connection to its host failed.')
  expect(host.requests).toHaveLength(0)
  await until(() => host.open.size === 0)
})

test('a host whose certificate nobody vouches for is not asked', async () => {
  await using host = await startMediaHost(serving(), { secure: true })
  const fetch = createRemoteFetch({ allow: [host.address], lookup })

  const refusal = await refusalOf(fetch(`https://media.example:${host.port}/a.png`))

  expect(refusal.message).toContain('the connection to its host failed')
  expect(host.requests).toHaveLength(0)
})

test('a host that speaks no TLS is the error of the client', async () => {
  await using host = await startMediaHost(serving())
  const fetch = createRemoteFetch({ allow: [host.address], lookup })

  const refusal = await refusalOf(fetch(`https://media.example:${host.port}/a.png`))

  expect(refusal).toMatchObject({ code: 'invalid_value', status: 400 })
  expect(host.requests).toHaveLength(0)
})

test.each([false, true])(
  'a redirect from https to http is not followed, http allowed: %s',
  async (allowHttp) => {
    await using plain = await startMediaHost(serving())
    await using host = await startMediaHost(
      (response) => response.writeHead(302, { location: plain.url }).end(),
      { secure: true },
    )
    const allow = [host.address, plain.address]
    const fetch = createRemoteFetch({ allow, allowHttp, lookup, ca: certificate })

    const refusal = await refusalOf(fetch(`https://media.example:${host.port}/a.png`))

    expect(refusal.message).toContain('its URL must be https')
    expect(plain.connections()).toBe(0)
  },
)
