import { SpanStatusCode, type Attributes, type Span } from '@opentelemetry/api'

import type { Ended } from '../../contract/exchange.ts'
import type { TracedStage } from '../../contract/trace.ts'
import { knownKeyId } from '../../kit/refused-key.ts'
import { exclusionsOf } from '../../route/exclusions.ts'
import { authFailureOf } from '../metrics/events.ts'
import { addExclusion } from './exclusion-event.ts'
import type { Maker } from './maker.ts'
import { routeAttributes } from './route-attributes.ts'
import type { StoreReads } from './store-reads.ts'

/** When the stages of an exchange ended, by `performance.now()`. */
export type StageTimes = Partial<Record<TracedStage, number>>

/** What is known of the stages of an exchange. */
interface Stages {
  readonly times: StageTimes
  /** The look-ups in the store that have spans. */
  readonly reads: StoreReads | undefined
  /** When the exchange ended, by `performance.now()`. */
  readonly endedAt: number
}

/** Makes the spans of the stages that an exchange went through, after its end. */
export function addStageSpans(
  maker: Maker,
  parent: Span,
  exchange: Ended,
  { times, reads, endedAt }: Stages,
): void {
  const { startChild, detail, clock } = maker
  const add = (name: string, start: number, end: number | undefined, attributes: Attributes) => {
    const span = startChild(name, { startTime: clock(start), attributes }, parent)
    if (end === undefined) span.setStatus({ code: SpanStatusCode.ERROR })
    return { span, end: () => span.end(clock(end ?? endedAt)) }
  }
  const { receivedAt, operation, dialect } = exchange
  const { authenticated, understood, routed } = times
  if (detail === 'full' && operation?.auth === 'key') {
    const auth = authAttributes(exchange, authenticated !== undefined)
    add('dragoman.auth', receivedAt, authenticated, auth).end()
    // An operation that the gateway serves itself reads no call.
    if (authenticated !== undefined && operation.capability !== undefined) {
      const attributes = {
        'dragoman.dialect': dialect?.id,
        ...decodeAttributes(exchange, understood),
      }
      add('dragoman.decode', authenticated, understood, attributes).end()
    }
  }
  if (detail === 'minimal' || understood === undefined) return
  const { error, attempt } = exchange.progress
  // A plugin may reply before an account is chosen, and a job names its account, which may fail.
  if (routed === undefined && (error === undefined || attempt)) return
  const isUnrouted = routed === undefined || error?.code === 'no_account_available'
  const route = add('dragoman.route', understood, routed, routeAttributes(exchange))
  if (isUnrouted) route.span.setStatus({ code: SpanStatusCode.ERROR })
  for (const one of exclusionsOf(exchange, mostExcluded)) {
    addExclusion(route.span, one, exchange, clock(routed ?? endedAt))
  }
  reads?.addSpans(maker, route.span, endedAt)
  route.end()
}

/** Milliseconds that the body took to be read and checked; `undefined` if it was refused. */
export function decodeMsOf({ authenticated, understood }: StageTimes): number | undefined {
  if (authenticated === undefined || understood === undefined) return undefined
  return Math.round((understood - authenticated) * 1_000) / 1_000
}

/** A pool may have any number of accounts, and a span has at most 128 events. */
const mostExcluded = 50

function authAttributes(exchange: Ended, isAuthenticated: boolean): Attributes {
  const keyId = knownKeyId(exchange)
  return {
    'dragoman.auth.result': authResultOf(exchange, isAuthenticated),
    ...(keyId !== undefined && { 'dragoman.key.id': keyId }),
  }
}

function authResultOf(exchange: Ended, isAuthenticated: boolean): string {
  const failure = authFailureOf(exchange)
  if (!isAuthenticated) return failure ?? 'error'
  return failure === 'scope' ? failure : 'ok'
}

function decodeAttributes({ progress }: Ended, understood: number | undefined): Attributes {
  const { bytesIn, error } = progress
  return {
    'http.request.body.size': bytesIn,
    ...(understood === undefined && error && { 'dragoman.validation.error': error.code }),
  }
}
