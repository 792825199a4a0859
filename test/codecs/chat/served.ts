import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { OpenAI as OpenAI4 } from 'openai-4'
import { OpenAI as OpenAI5 } from 'openai-5'
import { OpenAI as OpenAI6 } from 'openai-6'
import { OpenAI as OpenAI7 } from 'openai-7'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { contextFor } from './asking.ts'
import { framesTo } from '../frame-sink.ts'

/** All official SDKs of this dialect that are in use. */
export const sdks = [
  ['openai 4', OpenAI4 as unknown as typeof OpenAI7],
  ['openai 5', OpenAI5 as unknown as typeof OpenAI7],
  ['openai 6', OpenAI6 as unknown as typeof OpenAI7],
  ['openai 7', OpenAI7],
] as const

export type Sdk = typeof OpenAI7

/** Who streams with a helper: version 4 kept it among what was new. */
export function helperOf(client: OpenAI7): OpenAI7['chat']['completions'] {
  const { completions } = client.chat
  if ('stream' in completions) return completions
  const { beta } = client as unknown as { beta: { chat: OpenAI7['chat'] } }
  return beta.chat.completions
}

/** What is answered: JSON to those who ask for it, these events to the others. */
export interface Served {
  readonly result: GenerateResult
  readonly events: readonly GenerateEvent[]
  /** Where the stream fails instead of going on. */
  readonly failure?: GatewayError
}

/** A gateway that answers everything with the same reply. */
export async function serve({ result, events, failure }: Served, Client: Sdk) {
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      if (body.stream !== true) {
        response.setHeader('content-type', 'application/json')
        const { body: json } = chatCodec.encodeResult(result, contextFor(body))
        return response.end(JSON.stringify(json))
      }
      const write = (frames: string) => void response.write(frames)
      const encoder = chatCodec.encodeEvents(contextFor(body), framesTo(write))
      response.setHeader('content-type', encoder.contentType ?? '')
      response.write(encoder.keepAlive?.() ?? '')
      for (const event of events) if (event.type !== 'error') encoder.encode(event)
      if (failure) encoder.fail(failure)
      return response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const baseURL = `http://127.0.0.1:${port}/v1`
  return {
    client: new Client({ apiKey: 'k', baseURL, maxRetries: 0 }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readBody(request: AsyncIterable<Buffer>): Promise<JsonObject> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString()) as JsonObject
}
