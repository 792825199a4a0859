import { textsOf } from '../../app/search-texts.ts'
import { isMoment } from '../../format/time.ts'

/** What the page Audit shows, in its address. */
export interface AuditSearch {
  readonly action?: string | undefined
  readonly actor?: string | undefined
  readonly target?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** The cursor of the page. */
  readonly after?: string | undefined
  /** The act whose detail is open. */
  readonly open?: string | undefined
}

const names = ['action', 'actor', 'target', 'after', 'open'] as const

/** Reads the search parameters of the page. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const { from, to } = search
  return {
    ...textsOf(search, names),
    ...(isMoment(from) && { from }),
    ...(isMoment(to) && { to }),
  }
}
