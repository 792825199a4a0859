import type { EncodedResult, ReplyContext } from '../../../../../src/contract/codec.ts'
import { eventsOf } from '../../../../../src/generate/replay.ts'
import type { ErrorEvent, GenerateEvent } from '../../../../../src/generate/events.ts'
import type { GenerateResult } from '../../../../../src/generate/result.ts'
import { Frames } from './frames.ts'
import { ResponseWriter } from './response-writer.ts'

/** Encodes a result as the response object that a stream of it would end with. */
export function encodeResult(result: GenerateResult, context: ReplyContext): EncodedResult {
  const writer = new ResponseWriter(context, new Frames())
  for (const event of eventsOf(result)) if (!isError(event)) writer.encode(event)
  return { body: writer.response ?? {}, id: writer.id, items: writer.itemIds }
}

function isError(event: GenerateEvent): event is ErrorEvent {
  return event.type === 'error'
}
