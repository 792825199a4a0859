import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { until } from '../../src/testing/until.ts'
import { type AdminGateway, startAdminGateway } from '../admin/admin-gateway.ts'

/** The credential of the account, the keys of the callers, and what only a capture of `team-a` may have. */
export const secrets = {
  account: 'up-canary-4f1c9b2e',
  a: 'caller-canary-a-81ad',
  b: 'caller-canary-b-55c0',
}

/** One exchange of a capture. */
interface CapturedExchange {
  readonly key_id: string
  readonly request: {
    readonly body?: string
    readonly bytes?: number
    readonly form?: readonly object[]
    readonly headers: Record<string, string>
  }
  readonly reply: {
    readonly status: number
    readonly body?: string
    readonly bytes?: number
    readonly cut?: boolean
  }
}

/** The last line of a process about a capture. */
export interface CaptureEnd {
  readonly capture: string
  readonly ended: string
  readonly exchanges: number
  readonly dropped: number
}

/** A gateway with two callers, and a directory for captures. */
export interface CaptureStage extends AsyncDisposable {
  readonly gateway: AdminGateway
  readonly directory: string
  /** Sends a chat of a caller; resolves with the status and the text of the reply. */
  chat(caller: 'a' | 'b', content: string, more?: object): Promise<{ status: number; text: string }>
  /** Sends a form or another body of a caller. */
  send(
    caller: 'a' | 'b',
    path: string,
    body: FormData | string,
    headers?: Record<string, string>,
  ): Promise<Response>
  /** Ends the gateway before the stage. */
  stopGateway(): Promise<void>
  /** All files of the directory: their texts together. */
  text(): Promise<string>
  exchanges(): Promise<CapturedExchange[]>
  /** How captures ended, by their files. */
  ends(): Promise<CaptureEnd[]>
  modes(): Promise<number[]>
  /** Starts a capture; resolves with its id once this process has it. */
  start(input: object): Promise<string>
}

/** Starts it. `captures`: the name of the directory, in an empty one; false permits no capture. */
export async function startCaptureStage({
  captures = 'captures',
  maxBytes,
}: { captures?: string | false; maxBytes?: number } = {}): Promise<CaptureStage> {
  await using opening = new AsyncDisposableStack()
  const place = await mkdtemp(join(tmpdir(), 'dragoman-capture-'))
  opening.defer(() => rm(place, { recursive: true, force: true }))
  const upstream = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  opening.defer(() => void upstream.close())
  opening.defer(() => upstream.closeAllConnections())
  const { port } = upstream.address() as AddressInfo
  const directory = join(place, captures || 'captures')
  const gateway = await startAdminGateway({
    keys: [
      { id: 'team-a', secret: secrets.a },
      { id: 'team-b', secret: secrets.b },
    ],
    accounts: [
      {
        id: 'up',
        provider: 'openai-compatible',
        baseUrl: `http://127.0.0.1:${port}/v1`,
        apiKey: secrets.account,
        models: ['m', 'refusing', 'telling'],
      },
    ],
    passthrough: [{ path: '/v1/vector_stores', account: 'up' }],
    capture: captures !== false && { directory, ...(maxBytes && { maxBytes }) },
  })
  const texts = async () => {
    const names = await readdir(directory).catch(() => [])
    return Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
  }
  const lines = async () =>
    (await texts())
      // The last line may be under way.
      .flatMap((text) => text.split('\n').slice(0, -1))
      .map((line) => JSON.parse(line) as CapturedExchange | CaptureEnd)
  let isStopped = false
  const stopGateway = async () => {
    if (!isStopped) await gateway[Symbol.asyncDispose]()
    isStopped = true
  }
  opening.defer(stopGateway)
  const opened = opening.move()
  return {
    gateway,
    directory,
    async chat(caller, content, more = {}) {
      const response = await fetch(`${gateway.url}/v1/chat/completions?key=query-canary-77`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secrets[caller]}`,
          'content-type': 'application/json',
          'x-private': 'header-canary-66',
        },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], ...more }),
      })
      return { status: response.status, text: await response.text() }
    },
    send: (caller, path, body, headers = {}) =>
      fetch(gateway.url + path, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${secrets[caller]}` },
        body,
      }),
    stopGateway,
    text: async () => (await texts()).join(''),
    exchanges: async () => (await lines()).filter((line) => 'request' in line),
    ends: async () => (await lines()).filter((line) => 'ended' in line),
    async modes() {
      const names = await readdir(directory)
      const found = await Promise.all(names.map((name) => stat(join(directory, name))))
      return found.map(({ mode }) => mode & 0o777)
    },
    async start(input) {
      const { data } = await gateway.graph<{ startCapture: { capture: { id: string } } }>(
        `mutation ($input: StartCaptureInput!) {
          startCapture(input: $input) { ... on StartCaptureSuccess { capture { id } } }
        }`,
        { input: { reason: 'to debug', ...input } },
      )
      const { id } = data.startCapture.capture
      await until(() => gateway.log.some((line) => line['capture'] === id))
      return id
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** An account that repeats its credential in refusals, what it was asked in replies, and as `telling` both. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  if (request.headers['content-type']?.startsWith('multipart/')) {
    response.writeHead(200, { 'content-type': 'application/json' })
    return void response.end(JSON.stringify({ created: 1, data: [{ b64_json: '' }] }))
  }
  if (request.url === '/v1/vector_stores') return void response.end('passed')
  const body = JSON.parse(Buffer.concat(chunks).toString()) as {
    model: string
    stream?: boolean
    messages: { content: string }[]
  }
  const base = { id: 'chatcmpl-1', created: 1, model: body.model }
  const told = body.model === 'telling' ? ` by ${request.headers.authorization}` : ''
  const content = `echo of ${body.messages.at(-1)?.content}${told}`
  if (body.model === 'refusing') {
    response.writeHead(400, { 'content-type': 'application/json' })
    const message = `no ${request.headers.authorization}`
    response.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }))
  } else if (body.stream) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const frame = (delta: object, finish_reason: string | null) =>
      `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
    response.write(frame({ role: 'assistant', content }, null))
    response.end(`${frame({}, 'stop')}data: [DONE]\n\n`)
  } else {
    const message = { role: 'assistant', content }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        ...base,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      }),
    )
  }
}
