import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { readBody } from '../src/body/read-body.ts'
import { defaultLimits, defaultTimeouts } from '../src/contract/limits.ts'
import { MemoryPool } from '../src/exchange/memory-pool.ts'
import { createTicker } from '../src/lib/ticker.ts'

const chunk = Buffer.alloc(64 * 1024, 'x')
const chunks = 64
const senders = 10

const request = {
  method: 'POST',
  path: '/',
  query: '',
  headers: { 'content-length': String(chunks * chunk.length) },
  remoteAddress: '127.0.0.1',
}

test('large bodies that arrive at once are taken in small parts, each in a turn of the event loop', async () => {
  let arrived = 0
  let most = 0
  const count = () => {
    most = Math.max(most, arrived)
    arrived = 0
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const ticker = createTicker()
  const pool = new MemoryPool({ ...defaultLimits, memoryBytes: 1e9 })
  const read = () => {
    let left = chunks
    const stream = new Readable({
      highWaterMark: 1,
      read() {
        arrived += chunk.length
        this.push(left-- > 0 ? chunk : null)
      },
    })
    const lease = pool.lease('key')
    return readBody(
      { ...request, stream },
      { ...defaultLimits, ...defaultTimeouts },
      ticker,
      () => lease,
    )
  }
  const bodies = await Promise.all(Array.from({ length: senders }, read))
  most = Math.max(most, arrived)
  clearImmediate(next)
  ticker.close()
  expect(bodies.map((body) => body.length)).toEqual(Array(senders).fill(chunks * chunk.length))
  expect(most).toBeLessThan(6 * 1024 * 1024)
})
