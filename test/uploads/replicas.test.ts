import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { type SecretRecords, createSigner } from '../../src/storage/signer.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { openStore } from '../../src/stores/open.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { put, refusal, startService } from './service.ts'

/** A URL as another gateway has it. */
function at(url: string, gateway: { url: string }): string {
  const { pathname, search } = new URL(url)
  return gateway.url + pathname + search
}

test('replicas of one store take each other’s URLs, also after a restart', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'uploads-store-'))
  const options = { store: `file:${directory}`, uploads: { directory: join(directory, 'files') } }
  const keys = [{ id: 'alice', secret: 'key-of-alice' }]
  let issued: { upload_url: string; visit_url: string; path: string }
  {
    await using first = await startService({ ...options, keys })
    await using second = await createTestGateway({ ...options, keys })
    issued = await first.issue({ path: 'a.txt' })
    expect((await put(at(issued.upload_url, second), 'bytes')).status).toBe(201)
  }
  await using third = await createTestGateway({ ...options, keys })
  expect(await (await fetch(at(issued.visit_url, third))).text()).toBe('bytes')
  expect((await put(at(issued.upload_url, third), 'other')).status).toBe(409)
  await rm(directory, { recursive: true, force: true })
})

test('a gateway of another store takes none of them', async () => {
  await using first = await startService()
  await using second = await startService({ uploads: { directory: first.directory } })
  const { upload_url } = await first.issue({ path: 'a.txt' })
  const elsewhere = at(upload_url, second.gateway)
  expect(await refusal(await put(elsewhere, 'x'))).toEqual([403, 'url_signature_invalid'])
})

test('gateways of one configured secret need no common store', async () => {
  const secret = 'a-secret-of-sufficient-length'
  await using first = await startService({ uploads: { secret } })
  await using second = await startService({ uploads: { secret, directory: first.directory } })
  const { upload_url } = await first.issue({ path: 'a.txt' })
  expect((await put(at(upload_url, second.gateway), 'x')).status).toBe(201)
})

test('replicas that find no secret at the same moment agree on one', async () => {
  const records = openMemoryStore().records<{ readonly secret: string }>('secrets')
  const bothHaveLooked = Promise.withResolvers<void>()
  let looks = 0
  const together: SecretRecords = {
    async get(id) {
      const found = await records.get(id)
      if (++looks === 2) bothHaveLooked.resolve()
      await bothHaveLooked.promise
      return found
    },
    add: (id, value) => records.add(id, value),
  }
  const signers = [1, 2].map(() => createSigner({ records: together, purpose: 'uploads' }))
  const signatures = await Promise.all(signers.map((signer) => signer.sign(['a', 'b'])))
  expect(new Set(signatures).size).toBe(1)
})

test('while the store is away nothing is signed anew, and what is known goes on', async () => {
  await using inner = await closing('memory:')
  const store = breakable(inner.store)
  await using service = await startService({ store })
  const breakIt = (is: boolean) => Object.assign(store.broken, { reads: is, writes: is })
  breakIt(true)
  expect(await refusal(await service.ask({ path: 'a' }))).toEqual([503, 'lookup_unavailable'])
  breakIt(false)
  const { upload_url } = await service.issue({ path: 'a' })
  const replacing = await service.issue({ path: 'a', overwrite: true })
  breakIt(true)
  expect((await put(upload_url, 'x')).status).toBe(201)
  expect(await refusal(await put(replacing.upload_url, 'y'))).toEqual([503, 'lookup_unavailable'])
  expect(await service.onDisk()).toEqual({ complete: 1, incoming: 0 })
})

async function closing(url: string) {
  const store = await openStore(url, { cwd: '.' })
  return { store, [Symbol.asyncDispose]: () => store.close() }
}
