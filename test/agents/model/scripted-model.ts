/** A model that calls a tool, waits for what it says and repeats that: the sandbox, told so. */

import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startSandbox } from '../../../src/testing/index.ts'
import { pinTool } from './pin-tool.ts'

/** What the model is to do. */
export interface Script {
  readonly tool: string
  readonly input: Record<string, unknown>
  /** What only the tool knows: a request that holds it carries the tool's result. */
  readonly word: string
}

/** A request as the account received it, and what became of it. */
export interface ModelRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly told: Told
  status: number
  /** The answer, where it was a refusal. */
  refusal: string
}

/** `called` the tool, `finished` after its result, or `chatted` where neither was asked for. */
export type Told = 'called' | 'finished' | 'chatted'

export interface ScriptedModel extends AsyncDisposable {
  readonly url: string
  readonly apiKey: string
  readonly requests: readonly ModelRequest[]
}

export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const sandbox = await startSandbox()
  const requests: ModelRequest[] = []
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const { method = '', url = '', headers } = message
      const order = orderFor(body, script)
      const request = { method, url, headers, body, told: order.told, status: 0, refusal: '' }
      requests.push(request)
      passOn({ target: sandbox.url + url, request, order, response })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: sandbox.accounts[0]!.key,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await sandbox.close()
    },
  }
}

interface Order {
  readonly told: Told
  readonly body: string
  /** What the sandbox is told, in its own words. */
  readonly directives: string
}

function orderFor(body: string, { tool, input, word }: Script): Order {
  body=JSON.stringify({...parsed(body),client_metadata:undefined})
  if (body.includes(word)) return { told: 'finished', body, directives: `text=The file says ${word}` }
  const request = parsed(body)
  if (!pinTool(request, tool, input)) return { told: 'chatted', body, directives: '' }
  return { told: 'called', body: JSON.stringify(request), directives: `tool=${tool}` }
}

function parsed(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>
  } catch {
    return {}
  }
}

interface Pass {
  readonly target: string
  readonly request: ModelRequest
  readonly order: Order
  readonly response: ServerResponse
}

function passOn({ target, request, order, response }: Pass): void {
  const { 'content-length': _, 'transfer-encoding': __, ...headers } = request.headers
  const length = { 'content-length': Buffer.byteLength(order.body) }
  const asked = ask(target, {
    method: request.method,
    headers: { ...headers, ...length, 'x-sandbox': order.directives },
  })
  asked.once('response', (answer) => {
    request.status = answer.statusCode ?? 0
    response.writeHead(request.status, answer.headers)
    if (request.status >= 400) answer.on('data', (chunk: Buffer) => (request.refusal += chunk))
    answer.pipe(response)
  })
  asked.once('error', () => response.destroy())
  response.once('close', () => asked.destroy())
  asked.end(order.body)
}
