import { setTimeout as sleep } from 'node:timers/promises'

import { expect, test, onTestFinished } from 'vitest'

import { createTicker } from '../../src/lib/ticker.ts'
import { until } from '../../src/testing/until.ts'
import { formOf } from './forms.ts'
import { openSpool, read } from './reading.ts'

const MiB = 1024 * 1024

const large = formOf([{ name: 'image', filename: 'a.png', content: Buffer.alloc(3 * MiB, 1) }])

test.each(['gzip', 'br', 'identity, gzip', 'nothing-known'])(
  'a form that is encoded with %s is refused',
  async (encoding) => {
    const headers = { 'content-encoding': encoding }
    await expect(read([large], { headers })).rejects.toMatchObject({ status: 415 })
  },
)

test('a form that is not encoded may say so', async () => {
  using kept = await read([large], { headers: { 'content-encoding': 'identity' } })
  expect(kept.form.size).toBe(large.length)
})

test('what is announced as too large is refused before it is read', async () => {
  const headers = { 'content-length': String(5 * MiB) }
  await expect(read(never(), { headers, limits: { formBytes: MiB } })).rejects.toMatchObject({
    status: 413,
  })
  await expect(read(never(), { headers, spool: openSpool(4 * MiB) })).rejects.toMatchObject({
    status: 413,
    code: 'request_too_large',
  })
  await expect(read(never(), { headers, spool: occupied() })).rejects.toMatchObject({
    status: 503,
    code: 'spool_full',
    retry: true,
  })
})

/** A spool in which another key's form has taken so much that 4 MiB of eight are left. */
function occupied() {
  const spool = openSpool(8 * MiB)
  const other = spool.begin('other')
  other.write(Buffer.alloc(4 * MiB))?.catch(() => {})
  onTestFinished(() => other[Symbol.dispose]())
  return spool
}

test('a form that does not tell its size gets the same answers', async () => {
  const larger = formOf([{ name: 'image', filename: 'a.png', content: Buffer.alloc(5 * MiB, 1) }])
  const pieces = [larger.subarray(0, 2 * MiB), larger.subarray(2 * MiB)]
  const never = { status: 413, code: 'request_too_large' }
  await expect(read(pieces, { spool: openSpool(4 * MiB) })).rejects.toMatchObject(never)
  await expect(read(pieces, { spool: occupied() })).rejects.toMatchObject({ status: 503 })
  using kept = await read(pieces, { spool: openSpool(6 * MiB) })
  expect(kept.form.size).toBe(larger.length)
})

test.each([
  ['is too large', { limits: { formBytes: 2 * MiB } }, 413],
  ['has a part that is too large', { limits: { formPartBytes: 2 * MiB } }, 413],
  ['would never fit', { spool: openSpool(2 * MiB) }, 413],
  ['is encoded', { headers: { 'content-encoding': 'gzip' } }, 415],
  ['has another boundary', { headers: { 'content-type': 'multipart/form-data; boundary=b' } }, 400],
])('a form that %s leaves nothing in the spool', async (_, options, status) => {
  const { spool = openSpool() } = options as { spool?: ReturnType<typeof openSpool> }
  await expect(read([large], { ...options, spool })).rejects.toMatchObject({ status })
  await until(() => spool.bytes === 0)
})

test('a client that stops sending is told so, and leaves nothing in the spool', async () => {
  const spool = openSpool()
  const stalled = (async function* () {
    yield large.subarray(0, 2 * MiB)
    await sleep(60_000, undefined, { ref: false })
  })()
  const reading = read(stalled, { spool, limits: { requestBodyMs: 50 } })
  await expect(reading).rejects.toMatchObject({ status: 408 })
  await until(() => spool.bytes === 0)
})

test('a client that is still sending when the gateway ends is told so', async () => {
  const spool = openSpool()
  const ticker = createTicker(20)
  const reading = read(never(), { spool, ticker })
  ticker.interrupt()
  await expect(reading).rejects.toMatchObject({ status: 503, code: 'draining' })
})

test('a client that breaks off leaves nothing in the spool', async () => {
  const spool = openSpool()
  const breaking = (async function* () {
    yield large.subarray(0, 2 * MiB)
    throw new Error('The connection is gone.')
  })()
  await expect(read(breaking, { spool })).rejects.toMatchObject({ status: 499 })
  await until(() => spool.bytes === 0)
})

async function* never(): AsyncGenerator<Buffer> {
  await sleep(60_000, undefined, { ref: false })
  yield large
}
