import { expect, test } from 'vitest'

import { put, refusal, type Service, startService } from './service.ts'

const minute = 60_000

async function uploaded(service: Service, path = 'cat.png') {
  const descriptor = await service.issue({ path })
  expect((await put(descriptor.upload_url, 'first')).status).toBe(201)
  return descriptor
}

test('URLs end after fifteen minutes', async () => {
  let time = Date.parse('2026-11-21T12:00:00Z')
  await using service = await startService({ now: () => time })
  const { upload_url, visit_url } = await service.issue({ path: 'late.png' })
  const { visit_url: early } = await uploaded(service)

  time += 15 * minute - 1_000
  expect((await fetch(early)).status).toBe(200)
  time += 1_000
  expect(await refusal(await put(upload_url, 'late'))).toEqual([403, 'url_expired'])
  expect(await refusal(await fetch(early))).toEqual([403, 'url_expired'])
  expect(await refusal(await fetch(visit_url))).toEqual([403, 'url_expired'])
  expect(await service.onDisk()).toEqual({ complete: 1, incoming: 0 })
})

const changes: Record<string, (url: URL) => void> = {
  'of another path': (url) => void (url.pathname = url.pathname.replace('cat', 'dog')),
  'of another owner': (url) => void (url.pathname = url.pathname.replace(/[0-9a-f]{32}/, flip)),
  'of a longer life': (url) => url.searchParams.set('expires', '99999999999'),
  'of a larger size': (url) => url.searchParams.set('max', '99999999999'),
  'of no size': (url) => url.searchParams.delete('max'),
  'that may overwrite': (url) => url.searchParams.set('overwrite', '1'),
  'of an overwriting that anybody made up': (url) =>
    url.searchParams.set('overwrite', 'A'.repeat(16)),
  'of a type': (url) => url.searchParams.set('type', 'text/html'),
  'of another signature': (url) => url.searchParams.set('signature', 'A'.repeat(43)),
  'of a longer signature': (url) =>
    url.searchParams.set('signature', `${url.searchParams.get('signature')}A`),
  'of another spelling of the signature': (url) =>
    url.searchParams.set('signature', `${url.searchParams.get('signature')}=`),
  'of the signature twice': (url) =>
    (url.search = url.search.replace(/signature=([^&]+)/, 'signature=A&signature=$1')),
  'without signature': (url) => url.searchParams.delete('signature'),
}

function flip(owner: string): string {
  return (owner.startsWith('0') ? '1' : '0') + owner.slice(1)
}

test.each(Object.keys(changes))('a URL made into one %s is refused', async (name) => {
  await using service = await startService()
  const { upload_url } = await service.issue({ path: 'cat.png' })
  const url = new URL(upload_url)
  changes[name]?.(url)
  expect(url.href).not.toBe(upload_url)
  expect(await refusal(await put(url.href, 'x'))).toEqual([403, 'url_signature_invalid'])
  expect(await service.onDisk().catch(() => 'nothing')).not.toMatchObject({ complete: 1 })
})

test('a URL for reading writes nothing, and one for writing reads nothing', async () => {
  await using service = await startService()
  const { upload_url, visit_url } = await uploaded(service)
  expect(await refusal(await put(visit_url, 'x'))).toEqual([403, 'url_signature_invalid'])
  expect(await refusal(await fetch(upload_url))).toEqual([403, 'url_signature_invalid'])
  expect(await (await fetch(visit_url)).text()).toBe('first')
})

test('a URL that is used again replaces nothing', async () => {
  await using service = await startService()
  const { upload_url, visit_url } = await uploaded(service)
  expect(await refusal(await put(upload_url, 'second'))).toEqual([409, 'already_exists'])
  const again = await service.issue({ path: 'cat.png' })
  expect(await refusal(await put(again.upload_url, 'third'))).toEqual([409, 'already_exists'])
  expect(await (await fetch(visit_url)).text()).toBe('first')
})

test('a URL signed for it replaces a file, once', async () => {
  await using service = await startService()
  const { visit_url } = await uploaded(service)
  const { upload_url } = await service.issue({ path: 'cat.png', overwrite: true })
  expect((await put(upload_url, 'second')).status).toBe(201)
  expect(await (await fetch(visit_url)).text()).toBe('second')
  expect(await refusal(await put(upload_url, 'third'))).toEqual([409, 'already_exists'])
  expect(await (await fetch(visit_url)).text()).toBe('second')
  expect(await service.onDisk()).toEqual({ complete: 1, incoming: 0 })
})

test('each of several such URLs does, however soon one was asked for after the other', async () => {
  const time = Date.parse('2026-11-21T12:00:00Z')
  await using service = await startService({ now: () => time })
  const { visit_url } = await uploaded(service)
  const ask = () => service.issue({ path: 'cat.png', overwrite: true })
  const urls = [(await ask()).upload_url, (await ask()).upload_url, (await ask()).upload_url]
  for (const [index, url] of urls.entries()) {
    expect((await put(url, `version ${index}`)).status).toBe(201)
    expect(await (await fetch(visit_url)).text()).toBe(`version ${index}`)
  }
  for (const url of urls)
    expect(await refusal(await put(url, 'again'))).toEqual([409, 'already_exists'])
})

test('of several uploads to one path at once one wins, and no file is mixed', async () => {
  await using service = await startService()
  const bodies = Array.from({ length: 8 }, (_, index) => String(index).repeat(300_000))
  const urls = await Promise.all(bodies.map(() => service.issue({ path: 'race.bin' })))
  const statuses = await Promise.all(
    bodies.map(async (body, index) => (await put(urls[index]?.upload_url ?? '', body)).status),
  )
  expect(statuses.toSorted((one, other) => one - other)).toEqual([
    201,
    ...Array.from({ length: 7 }, () => 409),
  ])
  const winner = bodies[statuses.indexOf(201)]
  expect(await (await fetch(urls[0]?.visit_url ?? '')).text()).toBe(winner)
  expect(await service.onDisk()).toEqual({ complete: 1, incoming: 0 })
})

test('keys have the same names for files of their own', async () => {
  await using service = await startService()
  const alice = await uploaded(service)
  const bob = await service.issue({ path: 'cat.png' }, 'key-of-bob')
  expect(bob.path).not.toBe(alice.path)
  expect((await fetch(bob.visit_url)).status).toBe(404)
  expect((await put(bob.upload_url, 'of bob')).status).toBe(201)
  expect(await (await fetch(alice.visit_url)).text()).toBe('first')
  expect(await (await fetch(bob.visit_url)).text()).toBe('of bob')
})

test('neither URLs nor paths nor logs tell what a key is called or what was signed', async () => {
  await using service = await startService()
  const { upload_url, visit_url, path } = await uploaded(service)
  for (const text of [upload_url, visit_url, path]) expect(text).not.toMatch(/alice|key-of/)
  const lines = JSON.stringify([await service.gateway.logged(2), service.gateway.log])
  expect(lines).not.toContain(new URL(upload_url).searchParams.get('signature'))
})

test('nobody gets a URL without a key, and nothing is listed', async () => {
  await using service = await startService()
  expect((await service.ask({ path: 'a' }, 'wrong')).status).toBe(401)
  const { upload_url } = await uploaded(service)
  const file = new URL(upload_url)
  const headers = { authorization: 'Bearer key-of-alice' }
  for (const path of ['/v1/files/stored', file.pathname.replace('/cat.png', '')]) {
    expect((await fetch(file.origin + path, { headers })).status).toBe(404)
  }
})
