import { textsOf } from '../../app/search-texts.ts'
import type { JobPartsFragment } from './operations.generated.ts'

/** The states of jobs, in the order of a choice. */
export const jobStates = ['QUEUED', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED'] as const
type JobState = JobPartsFragment['state']

/** What the page Jobs shows, in its address. */
export interface JobsSearch {
  readonly state?: JobState | undefined
  readonly keyId?: string | undefined
  readonly accountId?: string | undefined
  /** The cursor of the page. */
  readonly after?: string | undefined
  /** The job whose detail is open. */
  readonly id?: string | undefined
}

const names = ['keyId', 'accountId', 'after', 'id'] as const

/** Reads the search parameters of the page. */
export function readJobsSearch(search: Record<string, unknown>): JobsSearch {
  const state = jobStates.find((one) => one === search['state'])
  return {
    ...(state && { state }),
    ...textsOf(search, names),
  }
}
