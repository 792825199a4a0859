import type { GenerateCodec } from '../../contract/codec.ts'
import { GatewayError } from '../../contract/errors.ts'
import { callIdsIn } from '../../generate/call-ids.ts'
import { Collector } from '../../generate/collect.ts'
import type { ErrorEvent } from '../../generate/events.ts'
import type { GenerateRequest } from '../../generate/request.ts'
import type { JsonObject } from '../../lib/json/object.ts'
import { PieceEncoder, type PieceWriter } from './piece-encoder.ts'
import { ReplyEvents } from './reply-events.ts'

/** Reads an event of a stream, or a complete reply, and emits its content through `events`. */
export type ReadPiece = (data: JsonObject, request: GenerateRequest, events: ReplyEvents) => void

/** Reads the replies of accounts for dialects whose complete reply is like a stream of one event. */
export function readPieces(read: ReadPiece): Pick<GenerateCodec, 'decodeEvents' | 'decodeResult'> {
  return {
    decodeEvents(request, emit) {
      const events = new ReplyEvents(emit)
      return {
        decode(data) {
          if (!events.isOver) read(data, request, events)
        },
      }
    },
    decodeResult(reply, request) {
      const collector = new Collector()
      const failures: ErrorEvent[] = []
      const events = new ReplyEvents((event) => {
        if (event.type === 'error') failures.push(event)
        else collector.collect(event)
      })
      read(reply, request, events)
      const result = failures[0] ?? collector.result
      if (result) return result
      throw new GatewayError('upstream_invalid_reply', "The upstream's reply is not complete.")
    },
  }
}

/** Writes the replies to clients for such dialects, see `PieceEncoder`. */
export function writePieces(
  writer: PieceWriter,
): Pick<GenerateCodec, 'encodeEvents' | 'encodeResult'> {
  return {
    encodeEvents: (context, sink) => new PieceEncoder(context, sink, writer),
    encodeResult(result, context) {
      const { content = [], stop = { reason: 'stop' } as const } = result.choices[0] ?? {}
      const body = writer.write(context, content, { stop, usage: result.usage })
      return { body, id: context.newId(writer.prefix), items: callIdsIn(result) }
    },
  }
}
