import { type KnownJobs, followJobs } from '../../jobs/known-jobs.ts'
import type { ShownJob } from '../../jobs/shown-job.ts'
import type { Hub } from './hub.ts'

/** Changes of one second; further ones are left out. */
const mostChanges = 100

/** The longest code of an error, in characters. */
const longestError = 500

/** Watches jobs while subscribers want them. */
interface JobWatch {
  set(isWanted: boolean): void
  /** Says how many changes were left out lately, and makes room for others. To be called each second. */
  look(): void
}

/**
 * Watches the changes of jobs that this process stores: for a client, for an operator, or by itself. Each
 * change is stored by one process, so that subscribers get it once.
 */
export function watchJobs(
  known: Partial<KnownJobs>,
  hub: Pick<Hub, 'emit' | 'leaveOut'>,
  processId: string,
): JobWatch {
  let changes = 0

  function note(job: ShownJob, isForgotten: boolean): void {
    if (++changes > mostChanges) return
    const { id, kind, accountId, keyId, status, progress, error, withheld } = job
    hub.emit({
      type: 'JobChanged',
      processId,
      jobId: id,
      kind,
      accountId,
      keyId,
      state: status,
      progress,
      error: error && (withheld ? 'moderation_blocked' : error.code.slice(0, longestError)),
      forgotten: isForgotten,
    })
  }

  return {
    set(isWanted) {
      followJobs(known, isWanted ? note : undefined)
      if (!isWanted) changes = 0
    },
    look() {
      if (changes > mostChanges) hub.leaveOut('JOBS', changes - mostChanges)
      changes = 0
    },
  }
}
