import type { StateLook } from '../../ui/State.tsx'
import type { AuditQuery } from './operations.generated.ts'

/** An entry of the audit log. */
export type AuditEntry = NonNullable<AuditQuery['audit']>['edges'][number]['node']

/** How the result of an act looks. */
export function lookOf(result: AuditEntry['result']): StateLook {
  if (result === 'DONE') return { word: 'Done', shape: 'check', tone: 'ok' }
  if (result === 'STARTED') return { word: 'Begun', shape: 'quarter', tone: 'warn' }
  if (result === 'REFUSED') return { word: 'Refused', shape: 'triangle', tone: 'warn' }
  return { word: 'Failed', shape: 'cross', tone: 'bad' }
}
