import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as the account received it. */
export interface AccountRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The gateway closed the connection before it had the whole answer. */
  aborted: boolean
}

export interface FakeAccount extends AsyncDisposable {
  /** The bare origin. */
  readonly url: string
  readonly requests: readonly AccountRequest[]
}

export type Answer = (response: ServerResponse, request: AccountRequest) => void | Promise<void>

/** An account that answers whatever a test wants, right or wrong. */
export async function startFakeAccount(answer: Answer): Promise<FakeAccount> {
  const requests: AccountRequest[] = []
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const request: AccountRequest = {
        method: message.method ?? '',
        url: message.url ?? '',
        headers: message.headers,
        body: Buffer.concat(chunks),
        aborted: false,
      }
      requests.push(request)
      response.once('close', () => (request.aborted = !response.writableFinished))
      void answer(response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers with JSON. */
export function answerJson(
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}

/** Answers with an event stream, one write for each of these pieces. */
export function answerStream(pieces: readonly (string | Buffer)[]): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) response.write(piece)
    response.end()
  }
}
