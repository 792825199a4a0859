import type { ForwardOperation, Observer } from '../dialect.ts'
import type { Outcome, Routed } from '../exchange.ts'
import { createOutbound } from '../outbound.ts'
import type { Outbound } from '../plugin.ts'
import type { GatewayError } from '../errors.ts'
import type { MaybePromise } from '../maybe-promise.ts'

/** How one attempt speaks to its account: what it is asked, and how its answer is read. */
export interface Approach {
  readonly outbound: Outbound
  /** Of a streamed answer; made anew for each request that is sent. */
  observer(): Observer
  /**
   * A complete JSON answer of a 2xx status. The attempt goes on until it is read, and no deadline of
   * the gateway's ends that.
   */
  read(json: unknown): MaybePromise<ReadReply>
  /** A failure as the client is told of it. */
  tell?(error: GatewayError): GatewayError
  /** What there is to write down before the last bytes leave, besides what plugins do. */
  remember?(): Promise<void> | undefined
}

/** What an answer means, and the client's bytes where they are not the account's own. */
export interface ReadReply {
  readonly outcome: Outcome
  readonly body?: Buffer
  /** Where it is not the account's own. */
  readonly status?: number
  /** Those of the account's that pass go before them. */
  readonly headers?: Readonly<Record<string, string>>
  /** The failure was made of the answer here: the account told of none. */
  readonly failedHere?: boolean
}

/** The client's bytes go out, and the account's come back. */
export function approachNatively(exchange: Routed, { forward }: ForwardOperation): Approach {
  const { upstream, name } = exchange.candidate.dialect
  if (!upstream) throw new Error(`Dialect "${name}" has no upstream side.`)
  return {
    outbound: createOutbound(exchange, forward.target(exchange), upstream),
    observer: () => forward.observer(exchange),
    read: (json) => ({ outcome: forward.outcome(json, exchange) }),
  }
}
