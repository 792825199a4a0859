import type { Candidate } from './accounts/account.ts'
import { rankCandidates, type Ranking } from './candidates.ts'
import type { Routed, Understood } from './exchange.ts'
import type { Declined } from './plugin.ts'
import { enterRouted } from './stages.ts'
import type { Environment } from './upstream/environment.ts'

/** The account that all requests of an operation go to: chosen when the first is sent. */
export interface OneAccount {
  /** Rejects with `GatewayError` where there is none. */
  routed(): Promise<Routed>
  /** Something is being sent to it. */
  sending(): void
  /**
   * It cannot be had, as a request tells that had sent so much to it: the next one is chosen. Throws
   * `GatewayError` where other requests were sent to it, since nobody else goes on with those.
   */
  decline(candidate: Candidate, declined: Declined, sent: number): void
}

export function createOneAccount(
  exchange: Understood,
  { hooks }: Pick<Environment, 'hooks'>,
): OneAccount {
  let ranking: Ranking | undefined
  let present: Candidate | undefined
  let chosen: Promise<Routed> | undefined
  let sentInAll = 0

  async function choose(): Promise<Routed> {
    ranking ??= await rankCandidates(exchange, hooks)
    present = ranking.next()
    if (!present) throw ranking.nobodyLeft()
    return enterRouted(exchange, present, 1)
  }

  return {
    routed: () => (chosen ??= choose()),
    sending: () => void sentInAll++,
    decline(candidate, declined, sent) {
      sentInAll -= sent
      // A request beside this one may have said so before.
      if (candidate !== present) return
      ranking?.exclude(candidate, declined)
      if (ranking && sentInAll > 0) throw ranking.nobodyLeft()
      present = undefined
      chosen = undefined
    },
  }
}
