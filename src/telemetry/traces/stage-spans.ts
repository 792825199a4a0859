import type { Attributes, Span } from '@opentelemetry/api'

import type { Ended } from '../../contract/exchange.ts'
import type { StoreRead, TracedStage } from '../../contract/trace.ts'
import { knownKeyId } from '../../exchange/identify.ts'
import { authFailureOf } from '../metrics/events.ts'
import type { SpanMaker } from './maker.ts'
import { exclusionEvents, fallbackEvents, routeAttributes } from './route-span.ts'

/** When the stages of an exchange ended, by `performance.now()`. */
export type StageTimes = Partial<Record<TracedStage, number>>

/** Work that has begun. Times are readings of `performance.now()`. */
interface TimedWork {
  readonly startedAt: number
  endedAt: number | undefined
  hasFailed: boolean
}

/** Notes when `work` ends, and whether it fails. */
export function timed(work: Promise<unknown>): TimedWork {
  const noted: TimedWork = { startedAt: performance.now(), endedAt: undefined, hasFailed: false }
  const end = () => void (noted.endedAt = performance.now())
  work.then(end, () => {
    noted.hasFailed = true
    end()
  })
  return noted
}

/** The facts about the stages of an exchange. Times are readings of `performance.now()`. */
export interface Stages {
  readonly times: StageTimes
  /** The look-ups in the store while an account is chosen. */
  readonly lookups: readonly { readonly name: StoreRead; readonly work: TimedWork }[]
  /** The kind of the store. */
  readonly store: string | undefined
  /** Records of a result that are written before the last bytes go to the client. `id`: the result's id. */
  readonly recordings: readonly { readonly id: string | undefined; readonly work: TimedWork }[]
  /** The binding of the result. */
  readonly binding: { readonly ttlMs: number; readonly isWritten: boolean } | undefined
  readonly endedAt: number
}

/** Makes the spans of the stages that an exchange went through, after its end. */
export function makeStageSpans(
  maker: SpanMaker,
  parent: Span,
  exchange: Ended,
  stages: Stages,
): void {
  const { endedAt } = stages
  const make = (name: string, startedAt: number, end: number | undefined, attributes: Attributes) =>
    maker.make(parent, {
      name,
      startedAt,
      endedAt: end ?? endedAt,
      attributes,
      isError: end === undefined,
    })
  const { receivedAt, operation, dialect } = exchange
  const { authenticated, understood } = stages.times
  if (operation?.auth === 'key') {
    const auth = authAttributes(exchange, authenticated !== undefined)
    make('dragoman.auth', receivedAt, authenticated, auth)
    // An operation that the gateway serves itself reads no call.
    if (authenticated !== undefined && operation.capability !== undefined) {
      make('dragoman.decode', authenticated, understood, {
        'dragoman.dialect': dialect?.id,
        ...decodeAttributes(exchange, understood),
      })
    }
  }
  makeRouteSpan(maker, parent, exchange, stages)
  const { recordings, binding } = stages
  for (const { id, work } of recordings) {
    maker.make(parent, {
      name: 'dragoman.record',
      ...spanTimes(work, endedAt),
      attributes: {
        'gen_ai.response.id': id,
        'dragoman.binding.written': binding?.isWritten,
        'dragoman.binding.ttl': binding && binding.ttlMs / 1_000,
      },
      isError: work.hasFailed || binding?.isWritten === false,
    })
  }
}

/** Work that goes on counts up to the end of the exchange. */
function spanTimes({ startedAt, endedAt }: TimedWork, exchangeEndedAt: number) {
  return { startedAt, endedAt: endedAt ?? exchangeEndedAt }
}

function makeRouteSpan(
  maker: SpanMaker,
  parent: Span,
  exchange: Ended,
  { times: { understood, routed }, lookups, store, endedAt }: Stages,
): void {
  if (understood === undefined) return
  const { error, attempt } = exchange.progress
  // A plugin may reply before an account is chosen, and a job names its account, which may fail.
  if (routed === undefined && (error === undefined || attempt)) return
  const routedAt = routed ?? endedAt
  const route = maker.make(parent, {
    name: 'dragoman.route',
    startedAt: understood,
    endedAt: routedAt,
    attributes: routeAttributes(exchange),
    events: [...fallbackEvents(exchange, routedAt), ...exclusionEvents(exchange, routedAt)],
    isError: routed === undefined || error?.code === 'no_account_available',
  })
  for (const { name, work } of lookups) {
    maker.make(route, {
      name,
      isClient: true,
      ...spanTimes(work, endedAt),
      attributes: { 'db.system.name': store, 'db.operation.name': name },
      isError: work.hasFailed,
    })
  }
}

/** Milliseconds that the body took to be read and checked; `undefined` if it was refused. */
export function decodeMsOf({ authenticated, understood }: StageTimes): number | undefined {
  if (authenticated === undefined || understood === undefined) return undefined
  return Math.round((understood - authenticated) * 1_000) / 1_000
}

function authAttributes(exchange: Ended, isAuthenticated: boolean): Attributes {
  return {
    'dragoman.auth.result': authResultOf(exchange, isAuthenticated),
    'dragoman.key.id': knownKeyId(exchange),
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
