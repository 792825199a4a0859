import type { JsonObject } from '../lib/json/object.ts'

/** The two ids of a resource that has moved: clients keep the first one. */
export interface Renamed {
  /** The id that clients use. */
  readonly id: string
  /** The id at its account. */
  readonly upstreamId: string
}

/** A resource that no call has used yet, so that it can move to the account of the call. */
export interface Relocation {
  /** The body of the request that created it. */
  readonly seed: JsonObject
  /**
   * Records that the resource is on this account now. Rejects with `GatewayError` if the store fails, or
   * if a concurrent call has moved the resource to another account.
   */
  settle(account: string, upstreamId: string): Promise<Renamed>
}
