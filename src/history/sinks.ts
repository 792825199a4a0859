import type { LedgerRow } from '../contract/ledger-row.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import { type Log, describeError } from '../lib/log.ts'
import { inScope } from '../lib/named-scope.ts'

/** Rows that wait for a plugin: further ones are not given to it. */
const mostWaiting = 10_000

/**
 * Gives rows to the plugins that have `onLedger`, to each one batch after another, so that a slow one holds up neither the
 * store nor the others.
 */
export function createSinks(
  plugins: readonly GatewayPlugin[],
  log: Log,
): ((rows: readonly LedgerRow[]) => void) | undefined {
  const sinks = plugins.flatMap((plugin) => (plugin.onLedger ? [createSink(plugin, log)] : []))
  if (sinks.length === 0) return undefined
  return (rows) => {
    for (const give of sinks) give(rows)
  }
}

function createSink(plugin: GatewayPlugin, log: Log): (rows: readonly LedgerRow[]) => void {
  let waiting: LedgerRow[] = []
  let isGiving = false
  let dropped = 0

  async function giveAll(): Promise<void> {
    isGiving = true
    while (waiting.length > 0) {
      const rows = waiting
      waiting = []
      try {
        await inScope(plugin.name, () => giveTo(plugin, rows))
      } catch (error) {
        log.error(`${plugin.name}: onLedger failed`, { rows: rows.length, ...describeError(error) })
      }
      if (dropped > 0) log.error(`${plugin.name}: onLedger is too slow`, { rows: dropped })
      dropped = 0
    }
    isGiving = false
  }

  return (rows) => {
    if (waiting.length + rows.length > mostWaiting) return void (dropped += rows.length)
    waiting.push(...rows)
    if (!isGiving) void giveAll()
  }
}

/** A plugin that throws at once fails as one that rejects. */
async function giveTo(plugin: GatewayPlugin, rows: readonly LedgerRow[]): Promise<void> {
  await plugin.onLedger?.({ rows })
}
