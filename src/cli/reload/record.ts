import { basename } from 'node:path'

import { type Log, describeError } from '../../lib/log.ts'
import type { AuditLog } from '../../audit/log.ts'

/** How a reload has ended. */
interface ReloadEnd {
  readonly result: 'DONE' | 'FAILED'
  readonly message?: string
  readonly after?: Readonly<Record<string, unknown>>
}

/** Writes the audit record of a reload that begins. The returned function writes how it has ended. */
type RecordReload = () => Promise<(end: ReloadEnd) => Promise<void>>

/**
 * Writes reloads of a configuration file to the audit log. Neither function rejects: a reload may be what
 * mends the store, so that it happens without a record too, which the log then says.
 */
export function recordReloads(
  auditOf: () => Promise<Pick<AuditLog, 'begin'>>,
  file: string | undefined,
  log: Log,
): RecordReload {
  const failed = (error: unknown) =>
    log.error('the reload is not in the audit log', describeError(error))
  return async () => {
    try {
      const audit = await auditOf()
      // Imported late: a gateway that never reloads has no use for it.
      const { gatewayItself } = await import('../audit/act.ts')
      const end = await audit.begin({
        ...gatewayItself,
        action: 'configuration.reload',
        target: { type: 'configuration', id: basename(file ?? '') },
      })
      return (ended) => end(ended).catch(failed)
    } catch (error) {
      failed(error)
      return async () => {}
    }
  }
}
