import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { GoogleGenAI as GoogleGenAI1 } from 'genai-1'
import { GoogleGenAI as GoogleGenAI2 } from 'genai-2'
import { GoogleGenAI as GoogleGenAI3 } from 'genai-3'

import { generateCodec } from '../../../plugins/dialects/generate/codec/index.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { context } from './codec.ts'
import { framesTo } from '../frame-sink.ts'

export const versions = ['v1', 'v2', 'v3'] as const

/** A server whose answers are written by the codec: streamed where a stream is asked for. */
export async function serve(
  result: GenerateResult,
  events: readonly GenerateEvent[] = eventsOf(result),
) {
  const bodies: string[] = []
  const server = createServer((asked, answer) => {
    let body = ''
    asked.setEncoding('utf8').on('data', (text: string) => (body += text))
    asked.once('end', () => {
      bodies.push(body)
      const isStream = asked.url?.includes(':streamGenerateContent') === true
      answer.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json')
      answer.end(isStream ? streamed(events) : whole(result))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = { apiKey: 'k', httpOptions: { baseUrl } }
  return {
    /** What clients sent. */
    bodies,
    clients: {
      v1: new GoogleGenAI1(options),
      v2: new GoogleGenAI2(options),
      v3: new GoogleGenAI3(options),
    },
    aiSdk: createGoogleGenerativeAI({ baseURL: `${baseUrl}/v1beta`, apiKey: 'k' }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A stream so slow that it is kept alive after each event. */
function streamed(events: readonly GenerateEvent[]): string {
  let frames = ''
  const encoder = generateCodec.encodeEvents(
    context(),
    framesTo((more) => (frames += more)),
  )
  for (const event of events) {
    if (event.type === 'error') continue
    if (event.type !== 'finish') frames += encoder.keepAlive?.()
    encoder.encode(event)
  }
  return frames
}

function whole(result: GenerateResult): string {
  return JSON.stringify(generateCodec.encodeResult(result, context()).body)
}
