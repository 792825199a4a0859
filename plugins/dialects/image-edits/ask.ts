import type { Forward } from '../../../src/dialect.ts'
import type { ByteEdit, Routed } from '../../../src/exchange.ts'
import { createOutbound } from '../../../src/outbound.ts'
import type { Outbound } from '../../../src/plugin.ts'
import type { Approach } from '../../../src/upstream/approach.ts'
import { ImageObserver } from './observer.ts'
import { readImages } from './reply.ts'
import { imagesIn } from './understood.ts'
import type { Values } from './values.ts'

/** The client's own request to the account, with these edits besides the model's name. */
export function outboundOf(
  exchange: Routed,
  path: string,
  edits: readonly ByteEdit[] = [],
): Outbound {
  const { candidate, request, call } = exchange
  const { upstream, name } = candidate.dialect
  if (!upstream) throw new Error(`Dialect "${name}" has no upstream side.`)
  const edited = { ...exchange, call: { ...call, edits: [...call.edits, ...edits] } }
  return createOutbound(edited, { path, query: request.query }, upstream)
}

/** How the answer to it is read: frames pass as they are, replies with the contract's fields. */
export function approachImages(
  exchange: Routed,
  outbound: Outbound,
  { values, events, now }: { values: Values; events: string; now: () => number },
): Approach {
  return {
    outbound,
    observer: () => new ImageObserver(exchange, events, imagesIn(values)),
    read: (json) => readImages(json, values, now),
  }
}

/** Asked in a way of its own each time. */
export function ownForward(approach: NonNullable<Forward['approach']>): Forward {
  const never = () => {
    throw new Error('Images are asked for in a way of their own.')
  }
  return { approach, target: never, observer: never, outcome: never }
}
