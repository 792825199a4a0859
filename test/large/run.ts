import { createHash } from 'node:crypto'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { imageEncoders } from '../../src/sandbox/media/image.ts'
import { until } from '../../src/testing/until.ts'
import { type OwnProcess, startOwnProcess } from '../walks/forms/own-process.ts'

/**
 * The largest edit that the contract allows, 16 images of just under 50 MB: what it takes of the
 * gateway's memory, and what is left on disk afterwards.
 *
 *     npm run test:large
 */

const MiB = 1024 * 1024
const images = 16
const imageBytes = 50 * MiB - 1
const allowedBytes = 200_000_000
const boundary = 'a-large-edit'

const png = imageEncoders.png({ text: 'a picture', width: 64, height: 64 })
// Readers of images do not mind what comes behind the end of one.
const padding = Buffer.alloc(MiB, 'dragoman')

/** An edit as clients send it; `partName` decides whether it can go on byte for byte. */
function* edit(partName: (index: number) => string): Generator<Buffer> {
  for (let index = 0; index < images; index++) {
    const disposition = `form-data; name="${partName(index)}"; filename="${index}.png"`
    yield Buffer.from(
      `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: image/png\r\n\r\n`,
    )
    yield png
    for (let left = imageBytes - png.length; left > 0; left -= padding.length) {
      yield padding.subarray(0, Math.min(left, padding.length))
    }
    yield Buffer.from('\r\n')
  }
  yield textPart('prompt', 'put them together')
  yield textPart('model', 'gpt-image-1')
  yield Buffer.from(`--${boundary}--\r\n`)
}

function textPart(name: string, value: string): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`
  return Buffer.from(`${head}${value}\r\n`)
}

interface Received {
  readonly bytes: number
  readonly digest: string
}

/** An account that keeps nothing of what it gets but its digest, and answers what it is told to. */
async function startAccount() {
  const received: Received[] = []
  const answer = { status: 200, waits: false }
  const server = createServer((message, response) => {
    const digest = createHash('sha256')
    let bytes = 0
    message.on('data', (chunk: Buffer) => {
      digest.update(chunk)
      bytes += chunk.length
    })
    message.on('end', () => {
      received.push({ bytes, digest: digest.digest('hex') })
      if (answer.waits) return
      const body = answer.status === 200 ? { data: [{ b64_json: 'AAAA' }] } : { error: {} }
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function send(
  { url, key }: OwnProcess,
  partName: (index: number) => string,
  signal = AbortSignal.timeout(300_000),
): Promise<{ status: number | undefined; sent: Received }> {
  const digest = createHash('sha256')
  let bytes = 0
  const sending = request(`${url}/v1/images/edits`, {
    method: 'POST',
    signal,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  })
  const answered = new Promise<number | undefined>((resolve, reject) => {
    sending.on('error', reject)
    sending.once('response', (response) => resolve(response.resume().statusCode))
  })
  const counted = function* () {
    for (const piece of edit(partName)) {
      digest.update(piece)
      bytes += piece.length
      yield piece
    }
  }
  await Promise.all([pipeline(Readable.from(counted()), sending), answered])
  return { status: await answered, sent: { bytes, digest: digest.digest('hex') } }
}

function check(holds: boolean, what: string): void {
  console.log(`${holds ? 'holds' : 'FAILS'}  ${what}`)
  if (!holds) process.exitCode = 1
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`

const spool = await mkdtemp(join(tmpdir(), 'large-'))
await using _ = { [Symbol.asyncDispose]: () => rm(spool, { recursive: true }) }
await using account = await startAccount()

async function startGateway(): Promise<OwnProcess> {
  return startOwnProcess({
    spool,
    accounts: [
      {
        id: 'one',
        provider: 'openai-compatible',
        speaks: ['images'],
        baseUrl: `${account.url}/v1`,
        models: ['gpt-image-1'],
      },
    ],
  })
}

async function isClear(gateway: OwnProcess, after: string): Promise<void> {
  await until(async () => (await gateway.spooled()) === 0)
  check((await readdir(spool)).length === 0, `nothing is left in the spool after ${after}`)
}

async function measure(what: string, partName: (index: number) => string): Promise<void> {
  await using gateway = await startGateway()
  const idle = await gateway.markMemory()
  const { status, sent } = await send(gateway, partName)
  const growth = (await gateway.peakMemory()) - idle
  const [got] = account.received.splice(0)
  check(status === 200, `${what}: ${images} images, ${megabytes(sent.bytes)}, are answered`)
  const isSame = what === 'rewritten' || got?.digest === sent.digest
  check(isSame && (got?.bytes ?? 0) > images * imageBytes, `${what}: the account has all of it`)
  check(
    growth < allowedBytes,
    `${what}: ${megabytes(growth)} above ${megabytes(idle)} of an idle gateway at the peak`,
  )
  await isClear(gateway, 'success')
}

await measure('byte for byte', () => 'image[]')
await measure('rewritten', (index) => `image.${index}`)

{
  await using gateway = await startGateway()
  account.answer.status = 500
  const { status } = await send(gateway, () => 'image[]')
  check(status === 500, 'an account’s error is told')
  await isClear(gateway, 'an error')

  account.answer.waits = true
  account.received.length = 0
  const leaving = new AbortController()
  const left = send(gateway, () => 'image[]', leaving.signal).catch(() => 'left')
  await until(() => account.received.length === 1, 120_000)
  check((await gateway.spooled()) > images * imageBytes, 'a waiting client’s images are spooled')
  leaving.abort()
  check((await left) === 'left', 'the client has left')
  await isClear(gateway, 'an abort')
}
