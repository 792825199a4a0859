import type { AuditEntry } from '../../admin/audit.ts'
import { type Log, describeError } from '../../lib/log.ts'
import type { Store } from '../../stores/store.ts'

/** How a reload has ended. */
interface ReloadEnd {
  readonly result: 'DONE' | 'FAILED'
  readonly message?: string
  readonly after?: Readonly<Record<string, unknown>>
}

/** Where reloads are recorded. */
export interface ReloadAudit {
  readonly store: Pick<Store, 'records'>
  /** Called with each record that is written. */
  readonly onRecord: (entry: AuditEntry) => void
}

/** Writes the audit record of a reload that begins. The returned function writes how it has ended. */
type RecordReload = () => Promise<(end: ReloadEnd) => Promise<void>>

/**
 * Writes reloads of a configuration file to the audit log. Neither function rejects: a reload may be what
 * mends the store, so that it happens without a record too, which the log then says.
 */
export function recordReloads(
  { store, onRecord }: ReloadAudit,
  file: string | undefined,
  log: Log,
): RecordReload {
  const failed = (error: unknown) =>
    log.error('the reload is not in the audit log', describeError(error))
  return async () => {
    try {
      // Imported late: a gateway that never reloads has no use for it.
      const { createAuditLog } = await import('../../admin/audit.ts')
      const { gatewayItself } = await import('../audit/act.ts')
      const audit = createAuditLog({
        store,
        onRecord(entry) {
          log.info('audit', { audit: entry })
          onRecord(entry)
        },
      })
      const end = await audit.begin({
        ...gatewayItself,
        action: 'configuration.reload',
        target: { type: 'configuration', id: file ?? '' },
      })
      return (ended) => end(ended).catch(failed)
    } catch (error) {
      failed(error)
      return async () => {}
    }
  }
}
