import type { StateLook } from '../../ui/State.tsx'
import type { JobPartsFragment } from './operations.generated.ts'

/** A job as its page has it. */
export type Job = JobPartsFragment

const looks: Readonly<Record<Job['state'], StateLook>> = {
  QUEUED: { word: 'Queued', shape: 'ring', tone: 'none' },
  IN_PROGRESS: { word: 'In progress', shape: 'quarter', tone: 'none' },
  COMPLETED: { word: 'Completed', shape: 'check', tone: 'ok' },
  FAILED: { word: 'Failed', shape: 'cross', tone: 'bad' },
  CANCELLED: { word: 'Cancelled', shape: 'cross', tone: 'none' },
}

/** How the state of a job looks. */
export function jobLook(state: Job['state']): StateLook {
  return looks[state]
}

/** What the kind of a job is called. */
export function jobKind(kind: Job['kind']): string {
  return kind.toLowerCase().replace('_', ' ')
}
