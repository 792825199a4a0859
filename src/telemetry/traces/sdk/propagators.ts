import type { TextMapPropagator } from '@opentelemetry/api'
import {
  CompositePropagator,
  W3CTraceContextPropagator,
  getStringListFromEnv,
} from '@opentelemetry/core'

import { loadOptional } from './optional-package.ts'

interface B3Package {
  readonly B3Propagator: new (options?: { injectEncoding: unknown }) => TextMapPropagator
  readonly B3InjectEncoding: { readonly MULTI_HEADER: unknown }
}

/**
 * The forms of a trace in headers, by `OTEL_PROPAGATORS`; `undefined` for none. A baggage is never read or
 * sent. Rejects for a form that the gateway does not know.
 */
export async function propagatorFromEnv(): Promise<TextMapPropagator | undefined> {
  const wanted = new Set(getStringListFromEnv('OTEL_PROPAGATORS') ?? [])
  if (wanted.size === 0) wanted.add('tracecontext')
  if (wanted.has('none')) return undefined
  wanted.delete('baggage')
  const propagators = await Promise.all([...wanted].map(propagatorOf))
  if (propagators.length <= 1) return propagators[0]
  return new CompositePropagator({ propagators })
}

async function propagatorOf(name: string): Promise<TextMapPropagator> {
  if (name === 'tracecontext') return new W3CTraceContextPropagator()
  if (name !== 'b3' && name !== 'b3multi') {
    throw new Error('OTEL_PROPAGATORS: use tracecontext, b3, b3multi, baggage or none')
  }
  const { B3Propagator, B3InjectEncoding } = (await loadOptional(
    '@opentelemetry/propagator-b3',
    '3.1.0',
  )) as B3Package
  if (name === 'b3') return new B3Propagator()
  return new B3Propagator({ injectEncoding: B3InjectEncoding.MULTI_HEADER })
}
