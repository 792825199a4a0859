import type { ReplyContext } from '../../src/contract/codec.ts'
import type { GatewayError } from '../../src/contract/errors.ts'
import type { GenerateEvent } from '../../src/generate/events.ts'
import { eventsOf } from '../../src/generate/replay.ts'
import type { GenerateResult } from '../../src/generate/result.ts'
import { sse } from '../../src/kit/framing/sse.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import type { Walk } from '../walks/sdk/walk.ts'
import { framesTo } from './frame-sink.ts'
import { codecs, type Name } from './samples/index.ts'

/** What is answered: JSON to those who ask for it, these events to the others. */
interface Reply {
  readonly result: GenerateResult
  /** Default: those of the result. */
  readonly events?: readonly GenerateEvent[]
  /** Where the stream fails instead of going on. */
  readonly failure?: GatewayError
}

/** Has SDKs read what the codec of a dialect writes, in streams so slow that they are kept alive after each event. */
export async function serve(
  name: Name,
  { result, events = eventsOf(result), failure }: Reply,
): Promise<Walk & { bodies(): string[] }> {
  const server = await startFakeAccount((response, request) => {
    const body = JSON.parse(request.body.toString()) as JsonObject
    const isStream = body.stream === true || request.url.includes(':streamGenerateContent')
    const context = contextOf(name, body, isStream)
    if (!isStream) {
      return answerJson(codecs[name].encodeResult(result, context).body)(response, request)
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const encoder = codecs[name].encodeEvents(
      context,
      framesTo((frames) => void response.write(frames)),
    )
    for (const event of events) {
      if (event.type === 'error') continue
      if (event.type !== 'finish') response.write(encoder.keepAlive?.() ?? '')
      encoder.encode(event)
    }
    if (failure) encoder.fail(failure)
    response.end()
  })
  return {
    gateway: { url: server.url, key: 'k' },
    bodies: () => server.requests.map(({ body }) => body.toString()),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  } as unknown as Walk & { bodies(): string[] }
}

function contextOf(name: Name, body: JsonObject, stream: boolean): ReplyContext {
  let ids = 0
  const rawRequest = { body, stream, query: '', headers: {} }
  return {
    rawRequest,
    request: codecs[name].decodeRequest(rawRequest),
    requestId: 'req_of_exchange',
    model: 'house/large',
    now: 1_700_000_000_123,
    framing: sse,
    newId: (prefix) => prefix + String(++ids).padStart(24, '0'),
    drop: () => {},
  }
}
