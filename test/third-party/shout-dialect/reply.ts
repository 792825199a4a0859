import {
  failedOutcome,
  type JsonObject,
  knownUsage,
  type Outcome,
  stringAt,
} from '../../../src/dialect-kit/index.ts'
import { decodeFailure } from './codec/decode-reply/failure.ts'
import { decodeTally } from './codec/tally.ts'

/** The meaning of a whole reply, and of the event that ends a stream. */
export function shoutOutcome(json: unknown): Outcome {
  const reply = (json ?? {}) as JsonObject
  const failure = decodeFailure(reply)
  if (failure) return failedOutcome(failure.status, { message: failure.message })
  const id = stringAt(reply, 'id')
  const isCut = reply.end === 'limit' || reply.end === 'muzzled'
  return {
    status: isCut ? 'incomplete' : 'completed',
    fault: 'none',
    ...(id !== undefined && { produced: { kind: 'shout', id, model: stringAt(reply, 'voice') } }),
    usage: knownUsage(decodeTally(reply.tally)),
  }
}
