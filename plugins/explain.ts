import type { Exclusion } from '../src/contract/call.ts'
import type { Ended, Received } from '../src/contract/exchange.ts'
import type { Reply } from '../src/contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'
import { translatedTo } from '../src/kit/translated-to.ts'

/** How a call was routed, as a client that may know is told in `x-dragoman-route`. */
interface Route {
  /** What decided between the accounts; `null` where the call never came so far. */
  readonly rule: string | null
  /** The account that was asked last. */
  readonly account: string | null
  /** What that account speaks, where the call was translated for it. */
  readonly account_dialect?: string
  readonly attempts: number
  readonly excluded: readonly LeftOut[]
  /** So many more were left out than are listed. */
  readonly omitted?: number
}

interface LeftOut {
  readonly account: string
  readonly by: string
  readonly reason: string
  /** What the client asked for and the account cannot be asked for. */
  readonly field?: string
}

/** Headers have limits; proxies often allow no more than 8 KB for all of them. */
const mostListed = 20

/**
 * Tells a client that sends `x-dragoman-explain`, and whose key may know, which rule chose the account
 * and which accounts were left out. The call itself runs as any other.
 */
export function explain(): GatewayPlugin {
  return definePlugin({
    name: 'explain',
    onExchange({ exchange, next }) {
      const asked = exchange.request.headers['x-dragoman-explain']
      return asked === undefined || isNo(String(asked)) ? next() : explained(exchange, next)
    },
  })
}

function isNo(text: string): boolean {
  return ['', '0', 'false'].includes(text.trim().toLowerCase())
}

async function explained(exchange: Received, next: () => Promise<Reply>): Promise<Reply> {
  const reply = await next()
  if (!(exchange as Ended).caller?.mayExplain) return reply
  return { ...reply, headers: { ...reply.headers, 'x-dragoman-route': ascii(routeOf(exchange)) } }
}

function routeOf(exchange: Ended): Route {
  const { routing, attempt, attempts } = exchange.progress
  const dialect = translatedTo(exchange)
  const excluded = routing ? [...routing.excluded, ...disabledAccounts(exchange)] : []
  const omitted = excluded.length - mostListed
  return {
    rule: routing?.decidedBy ?? null,
    account: attempt?.candidate.account.id ?? null,
    ...(dialect !== undefined && { account_dialect: dialect }),
    attempts,
    excluded: excluded.slice(0, mostListed).map((exclusion) => leftOut(exclusion)),
    ...(omitted > 0 && { omitted }),
  }
}

/** An operator took these out, so they were no candidates. */
function disabledAccounts({ snapshot, model, dialect, operation }: Ended): Exclusion[] {
  if (!model?.name || !dialect || !operation) return []
  const isTranslated = operation.capability === 'generate' && dialect.generate !== undefined
  return snapshot.accounts
    .filter(({ enabled }) => !enabled)
    .filter(({ models }) => models.upstreamName(model.name) !== undefined)
    .filter(({ speaks }) => isTranslated || speaks.includes(dialect.id))
    .map(({ id }) => ({ account: id, by: 'operator', reason: 'it is disabled' }))
}

function leftOut({ account, by, reason, field }: Exclusion): LeftOut {
  return { account, by, reason: bounded(reason), ...(field && { field: bounded(field) }) }
}

/** Fields may be named by clients. */
const longest = 200

function bounded(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}...` : text
}

/** JSON that a header can carry, whatever operators call their accounts. */
function ascii(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
