import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that the account received. */
export interface AccountRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Whether the gateway closed the connection before the end of the reply. */
  aborted: boolean
}

/** An upstream server that a test controls. */
export interface FakeAccount extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  readonly requests: readonly AccountRequest[]
}

/** Writes the reply to a request. */
export type Answer = (response: ServerResponse, request: AccountRequest) => void | Promise<void>

/** Starts an upstream server that replies with `answer`, valid or not. */
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

/** Replies with JSON. A string is sent unchanged. */
export function answerJson(
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}

/** Replies with a stream, one write per piece. */
export function answerStream(
  pieces: readonly (string | Buffer)[],
  { contentType = 'text/event-stream' }: { contentType?: string } = {},
): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': contentType })
    for (const piece of pieces) response.write(piece)
    response.end()
  }
}
