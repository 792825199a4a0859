import type { Received, ToldJob } from '../exchange.ts'
import type { Job } from './job.ts'

/** Tells of a job to whoever looks on at the exchange, in place of what was told before. */
export function tellJob(
  { progress }: Received,
  { id, accountId, requested, model, status, error, withheld }: Job,
  { stale = false, madeOf }: Partial<Pick<ToldJob, 'stale' | 'madeOf'>> = {},
): void {
  progress.job = {
    id,
    account: accountId,
    model: { requested, name: model },
    status,
    error: error && (withheld ? 'moderation_blocked' : error.code),
    stale,
    madeOf,
  }
}

/** Tells of a job that is to be made of this one, which its client knows as `madeOf`. */
export function tellSource(
  { progress }: Received,
  { accountId, requested, model }: Job,
  madeOf: string,
): void {
  progress.job = { account: accountId, model: { requested, name: model }, stale: false, madeOf }
}
