import { type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { imageEncoders } from '../../src/sandbox/media/image.ts'
import { dialectOf } from '../requests/service.ts'
import { type HostileFrame, hostileFrames } from './frames.ts'
import { type HostileReply, hostileReplies, largestFrame, largestReply } from './replies.ts'
import { answerLargeEvent, answerStream, hostileStreams } from './streams.ts'
import { dialects } from '../requests/dialects.ts'

/** An account that reads all and answers each dialect with its smallest reply. */
export interface BriefAccount extends AsyncDisposable {
  readonly url: string
}

const edited = {
  created: 1,
  data: [{ b64_json: imageEncoders.png({ text: 'a', width: 8, height: 8 }).toString('base64') }],
}

/**
 * Starts an account that stores nothing of its requests. Below `/replies/NAME` it gives the hostile reply
 * of this name: as an event if the client asks for a stream. Below `/events/SIZE` it streams one large event.
 */
export async function startBriefAccount(): Promise<BriefAccount> {
  const server = createServer((request, response) => {
    const [, name] = /^\/replies\/([^/]+)/.exec(request.url ?? '') ?? []
    request.resume().on('end', () => {
      const hostile = name === undefined ? undefined : hostileReplies.get(decodeURIComponent(name))
      if (hostile) return answerHostile(response, hostile, request.headers.accept)
      const [, framed = ''] = /^\/frames\/([^/]+)/.exec(request.url ?? '') ?? []
      const frame = hostileFrames.get(decodeURIComponent(framed))
      if (frame) return answerFrame(response, frame)
      const [, streamed = ''] = /^\/streams\/([^/]+)/.exec(request.url ?? '') ?? []
      const stream = hostileStreams.get(decodeURIComponent(streamed))
      if (stream) return answerStream(response, stream)
      const [, size] = /^\/events\/(\d+)/.exec(request.url ?? '') ?? []
      if (size !== undefined) return answerLargeEvent(response, Number(size))
      response.writeHead(200, { 'content-type': 'application/json' })
      const isEdit = request.url?.endsWith('/images/edits')
      response.end(JSON.stringify(isEdit ? edited : dialects[dialectOf(request.url ?? '')].reply))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answerHostile(
  response: ServerResponse,
  { json, isEvent }: HostileReply,
  accept = '',
): void {
  if (isEvent) return void response.end(`data: ${json(largestFrame)}`)
  const isStream = accept.includes('event-stream')
  const type = isStream ? 'text/event-stream' : 'application/json'
  response.writeHead(200, { 'content-type': type })
  response.end(isStream ? `data: ${json(largestFrame)}\n\n` : json(largestReply))
}

function answerFrame(response: ServerResponse, { contentType, stream }: HostileFrame): void {
  response.writeHead(200, { 'content-type': contentType })
  response.end(stream())
}
