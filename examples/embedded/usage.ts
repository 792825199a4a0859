import { definePlugin, type GatewayPlugin } from 'dragoman'

export interface Usage {
  readonly plugin: GatewayPlugin
  /** Tokens by the id of the API key, since the start of the process. */
  byKey(): Readonly<Record<string, Tokens>>
}

export interface Tokens {
  input: number
  output: number
}

/** Counts the tokens of all attempts. The number of keys bounds what it keeps. */
export function createUsage(): Usage {
  const counted = new Map<string, Tokens>()
  const plugin = definePlugin({
    name: 'usage',
    onOutcome({ exchange, outcome: { usage } }) {
      const { keyId } = exchange.caller
      const tokens = counted.get(keyId) ?? { input: 0, output: 0 }
      tokens.input += usage?.inputTokens ?? 0
      tokens.output += usage?.outputTokens ?? 0
      counted.set(keyId, tokens)
    },
  })
  return { plugin, byKey: () => Object.fromEntries(counted) }
}
