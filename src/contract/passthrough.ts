/** The methods of requests that may pass. A HEAD passes where a GET does. */
export const passthroughMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Paths whose requests pass to accounts as they are. */
export interface PassthroughRoute {
  /** With `/*` at its end it has all paths below it, too. */
  readonly path: string
  /** The id of the account. Either it or `pool` is there. */
  readonly account?: string | undefined
  /** The ids of accounts, of which one gets each request. */
  readonly pool?: readonly string[] | undefined
  readonly methods: readonly (typeof passthroughMethods)[number][]
  /** The ids of the keys that may use it. Absent: all keys without a scope of models. */
  readonly keys?: readonly string[] | undefined
}
