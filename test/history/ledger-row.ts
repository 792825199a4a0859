import type { LedgerRow } from '../../src/contract/ledger-row.ts'

/** A row of a call that succeeded. */
export function ledgerRow(changes: Partial<LedgerRow> = {}): LedgerRow {
  return {
    exchange: `req_${Math.random()}`,
    attempt: 1,
    at: Date.now(),
    keyId: 'test',
    operation: 'chat.create',
    dialect: 'chat',
    model: 'gpt-a',
    accountId: 'a',
    upstreamModel: 'gpt-a',
    status: 'completed',
    fault: 'none',
    usage: 'reported',
    tokens: { inputTokens: 10, outputTokens: 3 },
    costNano: 1_000,
    ms: 120,
    reply: { status: 200, end: 'complete', stream: false, ms: 130, firstOutputMs: 90 },
    ...changes,
  }
}
