/** The account that calls with an affinity key prefer. */
export interface KnownAffinity {
  /** The account's id. */
  readonly account: string
  /** When the preference ends, in milliseconds since 1970. */
  readonly until: number
}

/** The affinities as the data path finds them: first those of this process, then those of the store. */
export interface KnownAffinities {
  /**
   * The affinities of the keys (`kind:value`, see `Call.affinity`), in their order; `undefined` where
   * there is none. `model` is the platform model. Rejects with `StoreUnavailable`.
   */
  find(
    call: { readonly keyId: string; readonly model: string },
    keys: readonly string[],
  ): Promise<(KnownAffinity | undefined)[]>
}
