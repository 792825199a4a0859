import {
  type OTLPExporterNodeConfigBase,
  convertLegacyHttpOptions,
} from '@opentelemetry/otlp-exporter-base/node-http'

import type { Collector } from './export-in-time.ts'

/** A collector, and the option of an exporter whose connections can be dropped. */
export interface ConnectedCollector extends Collector {
  readonly httpAgentOptions: NonNullable<OTLPExporterNodeConfigBase['httpAgentOptions']>
}

/**
 * The collector of a signal, as `OTEL_EXPORTER_OTLP_*` say, also for an exporter that has `httpAgentOptions`.
 * `url`: goes before the address of the environment.
 */
export function collectorOf(signal: Collector['signal'], url?: string): ConnectedCollector {
  const options = convertLegacyHttpOptions(
    url === undefined ? {} : { url },
    signal.toUpperCase(),
    `v1/${signal}`,
    {},
  )
  const agents: { destroy(): void }[] = []
  return {
    signal,
    host: URL.parse(options.url)?.host || 'the collector',
    timeoutMs: options.timeoutMillis,
    async httpAgentOptions(protocol) {
      const agent = await options.agentFactory(protocol)
      agents.push(agent)
      return agent
    },
    drop() {
      // An agent opens new connections afterwards.
      for (const agent of agents) agent.destroy()
    },
  }
}
