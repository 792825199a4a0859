/** The smallest honest proxy on `node:http` and undici: reads, parses, forwards, passes back. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Pool, type Dispatcher } from 'undici'

const [port, upstreamPort] = process.argv.slice(2).map(Number)
const upstream = new Pool(`http://127.0.0.1:${upstreamPort}`, { connections: 64 })

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => forward(request, response, Buffer.concat(chunks)))
})
server.listen(port, '127.0.0.1')
// A clean end, so that a profile of this process gets written.
process.once('SIGTERM', () => process.exit(0))

function forward(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const { model } = JSON.parse(body.toString()) as { model?: unknown }
  if (typeof model !== 'string') {
    response.writeHead(400).end()
    return
  }
  const headers = { 'content-type': 'application/json', authorization: 'Bearer upstream' }
  upstream.dispatch({ path: request.url!, method: 'POST', headers, body }, passBack(response))
}

function passBack(response: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller) {
      response.on('drain', () => controller.resume())
      response.on('close', () => {
        if (!response.writableFinished) controller.abort(new Error('the client left'))
      })
    },
    onResponseStart(_controller, status, headers) {
      delete headers['connection']
      delete headers['keep-alive']
      delete headers['transfer-encoding']
      response.writeHead(status, headers)
    },
    onResponseData(controller, chunk) {
      if (!response.write(chunk)) controller.pause()
    },
    onResponseEnd() {
      response.end()
    },
    onResponseError() {
      response.destroy()
    },
  }
}
