import { Readable } from 'node:stream'

import type { Exclusion } from '../src/contract/call.ts'
import type { Ended, Received } from '../src/contract/exchange.ts'
import type { Reply } from '../src/contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'
import {
  type ShownAttempt,
  type ShownFallback,
  shownAttempts,
  shownFallbacks,
  translatedTo,
} from '../src/kit/attempts.ts'
import { formatUsd } from '../src/lib/usd.ts'
import { exclusionsOf } from '../src/route/exclusions.ts'

/** The routing of a call, as JSON in the header `x-dragoman-route`. */
interface RouteDescription {
  /** The rule that selected the account; `null` if the call was not routed. */
  readonly rule: string | null
  /** The account of the last attempt. */
  readonly account: string | null
  /** The dialect of that account, if the call was translated. */
  readonly account_dialect?: string
  /** The models that the call has left for another one. */
  readonly fallbacks?: readonly ShownFallback[]
  readonly attempts: number
  /** One entry for each attempt. */
  readonly attempted: readonly ShownAttempt[]
  readonly excluded: readonly ListedExclusion[]
  /** The number of excluded accounts that are not listed. */
  readonly omitted?: number
}

interface ListedExclusion {
  readonly account: string
  /** A model that the call has left. Absent: the last one. */
  readonly model?: string
  readonly by: string
  readonly reason: string
  /** The field of the request that the account does not support. */
  readonly field?: string
}

/** Limits the header: proxies often allow 8 KB for all headers. */
const maxListed = 20

/**
 * Adds `x-dragoman-route` to replies: the rule that selected the account, and the excluded accounts. Replies that are
 * not streamed get `x-dragoman-cost` too. The request must have the header `x-dragoman-explain`, and its key must allow it. Routing is unaffected.
 */
export function explain(): GatewayPlugin {
  return definePlugin({
    name: 'explain',
    onExchange({ exchange, next }) {
      const value = exchange.request.headers['x-dragoman-explain']
      return value === undefined || isNo(String(value)) ? next() : explainRoute(exchange, next)
    },
  })
}

function isNo(text: string): boolean {
  return ['', '0', 'false'].includes(text.trim().toLowerCase())
}

async function explainRoute(exchange: Received, next: () => Promise<Reply>): Promise<Reply> {
  const reply = await next()
  if (!(exchange as Ended).caller?.mayExplain) return reply
  const cost = reply.body instanceof Readable ? undefined : costOf(exchange)
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'x-dragoman-route': toAsciiJson(routeOf(exchange)),
      ...(cost !== undefined && { 'x-dragoman-cost': cost }),
    },
  }
}

/** What all attempts have cost, in USD. `undefined`: a video, which costs at its end. */
function costOf({ progress: { former, attempt, job } }: Ended): string | undefined {
  if (job) return undefined
  let sum = 0
  for (const { spend } of attempt ? [...former, attempt] : former) {
    if (typeof spend?.cost === 'string') return 'unknown'
    sum += spend?.cost ?? 0
  }
  return formatUsd(sum)
}

function routeOf(exchange: Ended): RouteDescription {
  const { routing, attempt, attempts, left } = exchange.progress
  const dialect = translatedTo(exchange)
  const before = left.flatMap(({ model, excluded: list }) =>
    list.map((one) => listedExclusion(one, model)),
  )
  const excluded = [...before, ...exclusionsOf(exchange).map((one) => listedExclusion(one))]
  const omitted = excluded.length - maxListed
  return {
    rule: routing?.decidedBy ?? null,
    account: attempt?.candidate.account.id ?? null,
    ...(dialect !== undefined && { account_dialect: dialect }),
    ...(left.length > 0 && { fallbacks: shownFallbacks(exchange.progress) }),
    attempts,
    attempted: shownAttempts(exchange.progress),
    excluded: excluded.slice(0, maxListed),
    ...(omitted > 0 && { omitted }),
  }
}

function listedExclusion(
  { account, by, reason, field }: Exclusion,
  model?: string,
): ListedExclusion {
  return {
    account,
    ...(model !== undefined && { model: bounded(model) }),
    by,
    reason: bounded(reason),
    ...(field && { field: bounded(field) }),
  }
}

/** Clients choose the names of fields, which may be long. Characters. */
const maxLength = 200

function bounded(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}...` : text
}

/** JSON in printable ASCII, which a header requires; account ids may have other characters. */
function toAsciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
