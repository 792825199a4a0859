import type { z } from 'zod'

import type { Exclusion, LeftModel } from '../../contract/call.ts'
import type { Ended } from '../../contract/exchange.ts'
import { lossesOfExchange } from '../../exchange/deliver.ts'
import { exclusionsOf } from '../../route/exclusions.ts'
import type { exchangeFacts } from './exchange-schema.ts'
import { owned, shownText } from './shown-text.ts'

type Facts = Readonly<z.infer<typeof exchangeFacts>>

/** The longest lists that are shown. */
const mostExclusions = 10
const mostLosses = 20

type RouteFacts = Pick<Facts, 'left' | 'excluded' | 'excludedCount' | 'losses' | 'lossCount'>

/** The values of nearly all exchanges. */
export const plainRoute: RouteFacts = {
  left: [],
  excluded: [],
  excludedCount: 0,
  losses: [],
  lossCount: 0,
}

/** Writes the parts of a route that few exchanges have. */
export function writeRoute(
  facts: { -readonly [Name in keyof RouteFacts]: RouteFacts[Name] },
  exchange: Ended,
): void {
  const { left } = exchange.progress
  const excluded = remarkable(exchange)
  const losses = lossesOfExchange(exchange)
  facts.left = left.length === 0 ? plainRoute.left : left.slice(-mostExclusions).map(shownModel)
  facts.excluded = excluded.length === 0 ? plainRoute.excluded : shownExclusions(excluded, exchange)
  facts.excludedCount = excluded.length
  facts.losses =
    losses.length === 0
      ? plainRoute.losses
      : losses.slice(0, mostLosses).map(({ field, reason }) => ({
          field: shownText(field, exchange) ?? '',
          reason: owned(reason) ?? '',
        }))
  facts.lossCount = losses.length

  function shownModel({ model, next, on, error, excluded: without }: LeftModel) {
    return {
      model: shownText(model, exchange) ?? '',
      next: shownText(next, exchange) ?? '',
      on,
      error,
      excluded: shownExclusions(without, exchange),
    }
  }
}

const nothing: readonly Exclusion[] = []

/**
 * The exclusions that say why an exchange got its account, or none. That a resource belongs to another account is no
 * news for a call that was served.
 */
function remarkable(exchange: Ended): readonly Exclusion[] {
  const { routing, attempts, error } = exchange.progress
  if (!routing) return nothing
  if (error && attempts === 0) return exclusionsOf(exchange)
  return routing.pinned && !error ? nothing : routing.excludedSoFar
}

function shownExclusions(all: readonly Exclusion[], exchange: Ended): Facts['excluded'] {
  return all
    .slice(0, mostExclusions)
    .map(({ account, by, reason, kind, untilMs, status, field }) => ({
      account,
      by,
      reason: shownText(reason, exchange) ?? '',
      kind,
      untilMs,
      status,
      field: shownText(field, exchange),
    }))
}
