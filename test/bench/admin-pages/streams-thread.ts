/**
 * A thread with the account that drips frames and with its clients, so that neither works on the event loop
 * of the gateway.
 */

import { once } from 'node:events'
import { type ServerResponse, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

import type { StreamsOrder, StreamsReport } from './streams.ts'

const frameMs = 200

const port = parentPort!
let frames = 0
let open = 0
let longestGapMs = 0

const frame = chunkOf({ content: 'word ' })

function chunkOf(delta: object): string {
  const chunk = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'drip',
    choices: [{ index: 0, delta, finish_reason: null }],
  }
  return `data: ${JSON.stringify(chunk)}\n\n`
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(chunkOf({ role: 'assistant', content: '' }))
  let timer: NodeJS.Timeout | undefined
  // Out of step with each other, as streams of clients are.
  const start = setTimeout(() => {
    timer = setInterval(() => response.write(frame), frameMs)
  }, Math.random() * frameMs)
  response.on('close', () => {
    clearTimeout(start)
    clearInterval(timer)
  })
}

const server = createServer((incoming, response) => {
  let text = ''
  incoming.setEncoding('utf8')
  incoming.on('data', (part: string) => (text += part))
  incoming.on('end', () => {
    if ((JSON.parse(text) as { stream?: boolean }).stream) return drip(response)
    // A pause of the account that outlasts the bench.
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '3600' })
    response.end('{"error":{"message":"Slow down.","type":"rate_limit_error","code":null}}')
  })
})

function send({ url, key }: StreamsOrder, path: string, body: object) {
  const sent = request(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      'anthropic-version': '2023-06-01',
    },
    agent: false,
  })
  sent.end(JSON.stringify({ ...body, messages: [{ role: 'user', content: 'Speak.' }] }))
  return sent
}

async function stream(order: StreamsOrder, index: number): Promise<void> {
  // Every second one is translated.
  const path = index % 2 === 0 ? '/v1/chat/completions' : '/v1/messages'
  const sent = send(order, path, { model: 'drip', stream: true, max_tokens: 100_000 })
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`A stream began with ${response.statusCode}.`)
  open++
  let last = performance.now()
  response.on('data', () => {
    const now = performance.now()
    longestGapMs = Math.max(longestGapMs, now - last)
    last = now
    frames++
  })
  response.on('close', () => open--)
  await once(response, 'data')
}

/** Each of these accounts refuses one call, so that it pauses. */
async function pause(order: StreamsOrder, model: string): Promise<void> {
  const [response] = (await once(send(order, '/v1/chat/completions', { model }), 'response')) as [
    import('node:http').IncomingMessage,
  ]
  response.resume()
  await once(response, 'end')
}

async function start(order: StreamsOrder): Promise<void> {
  for (const model of order.pausedModels) await pause(order, model)
  await Promise.all(Array.from({ length: order.streams }, (_, index) => stream(order, index)))
  port.postMessage('running')
}

port.on('message', (message: StreamsOrder | 'report') => {
  if (message !== 'report') return void start(message)
  const report: StreamsReport = { open, frames, longestGapMs }
  ;[frames, longestGapMs] = [0, 0]
  port.postMessage(report)
})

server.listen(0, '127.0.0.1', () => {
  port.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
