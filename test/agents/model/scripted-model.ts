/** A model that calls a tool, waits for what it says and repeats that: the sandbox, told so. */

import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { startSandbox } from '../../../src/sandbox/index.ts'
import { objectionsTo } from './strict-chat.ts'
import { orderFor, type Order, type Script } from './order.ts'

/** A request as the account received it, and what became of it. */
export interface ModelRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
  readonly told: Order['told']
  status: number
  /** The answer, where it was a refusal. */
  refusal: string
}

export interface ScriptedModel extends AsyncDisposable {
  /** The bare origin; it speaks all four dialects. */
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
      const callsSoFar = requests.filter(({ told }) => told === 'call').length
      const order = orderFor(body, script, callsSoFar)
      const request = { method, url, headers, body, told: order.told, status: 0, refusal: '' }
      requests.push(request)
      const objections = script.isStrict && body !== '' ? objectionsTo(JSON.parse(body)) : []
      if (objections.length > 0) return refuse(request, objections, response)
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

function refuse(
  request: ModelRequest,
  objections: readonly string[],
  response: ServerResponse,
): void {
  request.status = 400
  request.refusal = objections.join('; ')
  const error = { message: request.refusal, type: 'invalid_request_error' }
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
}

interface Pass {
  readonly target: string
  readonly request: ModelRequest
  readonly order: Order
  readonly response: ServerResponse
}

function passOn({ target, request, order, response }: Pass): void {
  const { method, headers } = request
  const { 'content-length': _, 'transfer-encoding': __, ...kept } = headers as NodeJS.Dict<string>
  const length = String(Buffer.byteLength(order.body))
  const asked = ask(target, {
    method,
    headers: { ...kept, 'content-length': length, 'x-sandbox': order.directives },
  })
  asked.once('response', (answer) => {
    request.status = answer.statusCode ?? 0
    response.writeHead(request.status, answer.headers)
    if (request.status >= 400) answer.on('data', (chunk: Buffer) => (request.refusal += chunk))
    if (order.example === undefined) answer.pipe(response)
    else void passWithExample(answer, order.example, response)
  })
  asked.once('error', () => response.destroy())
  response.once('close', () => asked.destroy())
  asked.end(order.body)
}

/** The sandbox calls tools that take text with the word `example`. */
async function passWithExample(
  answer: IncomingMessage,
  example: string,
  response: ServerResponse,
): Promise<void> {
  const said = await text(answer)
  response.end(said.replaceAll('"example"', JSON.stringify(example)))
}
