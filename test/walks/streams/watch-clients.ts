import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { until } from '../../../src/testing/until.ts'

export interface ClientWatch {
  readonly plugin: GatewayPlugin
  /** Resolves when the gateway knows that every client it has met has left. */
  allGone(): Promise<void>
}

/** Knows what the gateway knows of its clients' connections. */
export function watchClients(): ClientWatch {
  const clients: { readonly gone: boolean }[] = []
  return {
    plugin: definePlugin({
      name: 'watch-clients',
      onExchange({ exchange, next }) {
        clients.push(exchange.client)
        return next()
      },
    }),
    allGone: () => until(() => clients.length > 0 && clients.every(({ gone }) => gone)),
  }
}
