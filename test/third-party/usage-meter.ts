import { definePlugin, type GatewayPlugin, type Usage } from '../../src/index.ts'

/** What one attempt has used, and on whose account. */
export interface Meter {
  readonly keyId: string
  readonly account: string
  readonly model: string
  readonly attempt: number
  readonly status: string
  /** Absent where the upstream did not tell. */
  readonly usage: Usage | undefined
}

export interface UsageMeterOptions {
  /** Where readings are kept. The reply ends when it resolves. */
  record(meter: Meter): Promise<void>
  /** Told of every exchange after its last byte. */
  ended?(exchange: { readonly id: string; readonly status: number; readonly end: string }): void
}

/** Writes down what was used before the client has its reply: what is delivered has been counted. */
export function usageMeter({ record, ended }: UsageMeterOptions): GatewayPlugin {
  return definePlugin({
    name: 'usage-meter',
    critical: true,
    async onOutcome({ exchange: { caller, model }, candidate, attempt, outcome }) {
      await record({
        keyId: caller.keyId,
        account: candidate.account.id,
        model: model.name,
        attempt: attempt.number,
        status: outcome.status,
        usage: outcome.usage,
      })
    },
    onEnd({ exchange, summary }) {
      ended?.({ id: exchange.id, status: summary.status, end: summary.end })
    },
  })
}
