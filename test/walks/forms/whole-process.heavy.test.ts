import { createHash } from 'node:crypto'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { formsPath } from './form-dialect.ts'
import { startOwnProcess } from './own-process.ts'
import { boundary, uploadOf } from './service.ts'
import { MiB, onLinux, accountAt } from './whole-process.ts'

/** An account that keeps nothing but the digest of what it gets, and the length that it was told. */
async function digestingAccount() {
  const seen: { length: string | undefined; digest: string }[] = []
  const server = createServer((message, response) => {
    const digest = createHash('sha256')
    message.on('data', (chunk: Buffer) => digest.update(chunk))
    message.on('end', () => {
      seen.push({ length: message.headers['content-length'], digest: digest.digest('hex') })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"ok"}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    seen,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A form with one file of this size, made as it is sent. */
function* pieces(mebibytes: number): Generator<Buffer> {
  const form = uploadOf(Buffer.from('FILE'))
  const at = form.indexOf('FILE')
  const piece = Buffer.alloc(MiB / 4, 'dragoman')
  yield form.subarray(0, at)
  for (let index = 0; index < 4 * mebibytes; index++) yield piece
  yield form.subarray(at + 4)
}

async function upload({ url, key }: { url: string; key: string }, mebibytes: number) {
  const digest = createHash('sha256')
  const sending = request(url + formsPath, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  })
  const answered = new Promise<number | undefined>((resolve, reject) => {
    sending.on('error', reject)
    sending.once('response', (response) => resolve(response.resume().statusCode))
  })
  const digested = function* () {
    for (const piece of pieces(mebibytes)) {
      digest.update(piece)
      yield piece
    }
  }
  await pipeline(Readable.from(digested()), sending)
  return { status: await answered, digest: digest.digest('hex') }
}

test.runIf(onLinux)(
  'a gateway that has had uploads takes less than 60 MB more for one of 150 MB',
  { timeout: 120_000 },
  async () => {
    await using account = await digestingAccount()
    await using gateway = await startOwnProcess({ accounts: accountAt(account.url) })
    // Node leaves 64 MB of buffers behind before it looks for any to free, whatever passes.
    expect((await upload(gateway, 80)).status).toBe(200)
    const idle = await gateway.markMemory()
    const { status, digest } = await upload(gateway, 150)
    expect(status).toBe(200)
    expect(account.seen.at(-1)?.digest).toBe(digest)
    expect(Number(account.seen.at(-1)?.length)).toBeGreaterThan(150 * MiB)
    const growth = ((await gateway.peakMemory()) - idle) / 1_000_000
    expect(growth).toBeLessThan(60)
    await until(async () => (await gateway.spooled()) === 0)
  },
)
