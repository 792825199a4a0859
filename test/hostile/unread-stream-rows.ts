import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

import { dialects } from '../requests/dialects.ts'
import { dialectNames } from '../translate/clients/index.ts'
import { type HostileGateway, startCommand } from './gateway.ts'
import { allowedMemory, allowedStall, check, isChosen, keys, send, shown } from './rows.ts'
import { type HostileStream, answerStream, hostileStreams } from './streams.ts'

const name = 'streams at full speed that no client reads'
const times = 300
/** By then all clients of a machine that does nothing else have what their connections hold. */
const settleMs = 20_000
/** Between two looks at what the account has sent, in milliseconds. */
const lookMs = 1_000

/** Many streams of one key, each as fast as the gateway takes it, whose clients read nothing. */
export async function unreadStreams(account: string): Promise<void> {
  for (const client of dialectNames) {
    if (!isChosen(`${client}, ${name}`)) continue
    await using fast = await startFastAccount()
    const at = (id: string, baseUrl: string) => ({
      id,
      provider: 'openai-compatible',
      speaks: ['chat'],
      baseUrl,
      apiKey: 'key',
      models: [id],
    })
    const accounts = [at('fast', `${fast.url}/v1`), at('brief', `${account}/v1`)]
    await using gateway = await startCommand({ keys, accounts })
    const statuses = new Set([await smallCall(gateway)])
    await gateway.mark()
    const streams = Array.from({ length: times }, () => unreadStream(gateway, client))
    const until = performance.now() + settleMs
    do statuses.add(await smallCall(gateway))
    while (!(await fast.isStill()) && gateway.isAlive && performance.now() < until)
    const measures = await gateway.mark()
    check(
      gateway.isAlive &&
        statuses.size === 1 &&
        statuses.has(200) &&
        measures.stall < allowedStall &&
        measures.memory < allowedMemory,
      `${client}, ${times} ${name}: ${(fast.sent() / 1e6).toFixed(0)} MB, another key ${[...statuses].join(', ')}, ${shown(measures)}`,
    )
    for (const stream of streams) stream.destroy()
  }
}

function smallCall(gateway: HostileGateway): Promise<number> {
  const body = JSON.stringify({ ...dialects.chat.request, model: 'brief' })
  return send(gateway, Buffer.from(body), { key: 'two' })
}

function unreadStream({ url }: HostileGateway, client: keyof typeof dialects): ClientRequest {
  const { path, request: fields, credential } = dialects[client]
  const inPath = path.replace('m:generateContent', 'fast:streamGenerateContent?alt=sse')
  const sent = request(url + inPath, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', ...credential('one-secret') },
  })
  sent.on('error', () => {})
  sent.once('response', (response: IncomingMessage) => response.on('error', () => {}))
  sent.end(JSON.stringify({ ...fields, ...(inPath === path && { stream: true, model: 'fast' }) }))
  return sent
}

interface FastAccount extends AsyncDisposable {
  readonly url: string
  /** The bytes sent so far. */
  sent(): number
  /** Whether all streams have begun and none goes on. */
  isStill(): Promise<boolean>
}

/** Small frames in large pieces: to read them is more work than to send them. */
function fastStream(): HostileStream {
  const text = hostileStreams.get('a text without an end')!
  const piece = text.frame('a').repeat(400)
  return { ...text, size: piece.length, frame: () => piece }
}

/** An account that streams a text without an end. */
async function startFastAccount(): Promise<FastAccount> {
  const sockets = new Set<Socket>()
  const stream = fastStream()
  const server = createServer((asked, response) => {
    sockets.add(asked.socket)
    asked.resume().on('end', () => answerStream(response, stream))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sent = () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    async isStill() {
      const before = sent()
      await new Promise((resolve) => setTimeout(resolve, lookMs))
      return sockets.size === times && sent() === before
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
