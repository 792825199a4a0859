import {
  ROOT_CONTEXT,
  type Context,
  type SpanContext,
  type TextMapPropagator,
  defaultTextMapGetter,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api'
import type { IncomingHttpHeaders } from 'node:http'

import type { ClientRequest } from '../../contract/request.ts'
import type { IncomingPolicy } from '../settings.ts'

/** Where the trace of an exchange begins. */
interface TraceOrigin {
  /** The context of the client's span, if it is the parent; otherwise a new trace begins. */
  readonly context: Context
  /** The client's span, if the new trace only links to it. */
  readonly link?: SpanContext
}

/** The options of `createOriginOf`. */
interface IncomingOptions {
  /** Absent: `trust` for requests through a trusted proxy, otherwise `link`. */
  readonly policy: IncomingPolicy | undefined
  /** Absent: the configuration of the SDK reads no trace of clients. */
  readonly propagator: Pick<TextMapPropagator, 'fields' | 'extract'> | undefined
}

const newTrace: TraceOrigin = { context: ROOT_CONTEXT }

/** A loop: this runs for each request, and nearly none has a trace. */
function hasOneOf(headers: IncomingHttpHeaders, names: readonly string[]): boolean {
  for (const name of names) if (headers[name] !== undefined) return true
  return false
}

/**
 * Returns the function that reads a client's trace from its request. A client that is not trusted can
 * neither have its trace sampled nor add spans to a trace: its own is linked, without its state. A baggage
 * is never read.
 */
export function createOriginOf(
  options: IncomingOptions,
): (request: Pick<ClientRequest, 'headers' | 'isProxied'>) => TraceOrigin {
  const { policy, propagator } = options
  if (policy === 'ignore' || !propagator) return () => newTrace
  const fields = propagator.fields().filter((name) => name !== 'baggage')
  const read = (headers: IncomingHttpHeaders): SpanContext | undefined => {
    const carrier = Object.fromEntries(fields.map((name) => [name, headers[name]]))
    const context = propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter)
    const found = trace.getSpanContext(context)
    return found && isSpanContextValid(found) ? found : undefined
  }
  return ({ headers, isProxied }) => {
    const remote = hasOneOf(headers, fields) ? read(headers) : undefined
    if (!remote) return newTrace
    if ((policy ?? (isProxied ? 'trust' : 'link')) === 'trust') {
      return { context: trace.setSpanContext(ROOT_CONTEXT, remote) }
    }
    const { traceId, spanId, traceFlags } = remote
    return { context: ROOT_CONTEXT, link: { traceId, spanId, traceFlags, isRemote: true } }
  }
}
