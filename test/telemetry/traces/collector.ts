import { type IncomingHttpHeaders, createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { until } from '../../../src/testing/until.ts'
import { type ReceivedSpan, spansIn } from './spans.ts'

/** A collector of traces: an OTLP receiver over HTTP. */
export interface Collector extends AsyncDisposable {
  readonly url: string
  /** All spans of all requests. */
  readonly spans: readonly ReceivedSpan[]
  /** The bytes of all requests. */
  readonly bytes: Buffer
  readonly requests: readonly { readonly url: string; readonly headers: IncomingHttpHeaders }[]
  /** Resolves with the spans of a trace once its first one, which ends last, has arrived. */
  trace(traceId: string | null): Promise<Trace>
}

/** The spans of one trace. */
export interface Trace {
  readonly spans: readonly ReceivedSpan[]
  readonly server: ReceivedSpan
  named(name: string): ReceivedSpan[]
}

/** Starts a collector. `answer` replies in place of it. */
export async function startCollector(
  answer: (response: ServerResponse) => void = (response) => void response.writeHead(200).end(),
): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const bodies: Buffer[] = []
  const requests: { url: string; headers: IncomingHttpHeaders }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      requests.push({ url: request.url ?? '', headers: request.headers })
      bodies.push(body)
      if (request.headers['content-type'] === 'application/x-protobuf') spans.push(...spansIn(body))
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    get bytes() {
      return Buffer.concat(bodies)
    },
    async trace(traceId) {
      const own = () => spans.filter((span) => span.traceId === traceId)
      const isServer = ({ kind }: ReceivedSpan) => kind === 'server'
      await until(() => own().some(isServer))
      const found = own()
      return {
        spans: found,
        server: found.find(isServer) as ReceivedSpan,
        named: (name) => found.filter((span) => span.name === name),
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
