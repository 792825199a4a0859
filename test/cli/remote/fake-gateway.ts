import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** What a server that is no gateway of this version got. */
export interface Visit {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: { readonly query?: string; readonly variables?: Record<string, unknown> }
}

/** A server at which a test decides what is answered. */
export interface FakeGateway extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly visits: readonly Visit[]
}

type Answer = (response: ServerResponse, visit: Visit) => void

/** Starts it, on a free port unless one is named. */
export async function startFakeGateway(answer: Answer, port = 0): Promise<FakeGateway> {
  const visits: Visit[] = []
  const server = createServer((request, response) => {
    void readText(request).then((text) => {
      const body = (text === '' ? {} : JSON.parse(text)) as Visit['body']
      const { authorization } = request.headers
      const visit = { path: request.url ?? '', authorization, body }
      visits.push(visit)
      answer(response, visit)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    visits,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/** Answers with JSON. */
export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
