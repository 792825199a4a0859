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

const names = ['action', 'actor', 'target', 'from', 'to', 'after', 'open'] as const

/** Reads the search parameters of the page. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name]
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  )
}
