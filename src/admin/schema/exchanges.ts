import type { InputRef } from '@pothos/core'

import { addAct } from '../act.ts'
import type { AdminBuilder } from '../builder.ts'
import { checkCursor, complexityOfWalk, namedAfter, pageOf } from '../connections.ts'
import { isFailure } from '../failures.ts'
import { noteMissingProcesses, noteOmitted } from '../incomplete.ts'
import { actorOf } from '../principal.ts'
import { cancelExchange } from '../processes/acts.ts'
import type { ExchangeFilter, ExchangeOutcome } from '../processes/exchange-filter.ts'
import { type EndedExchange, type LiveExchange, ageOf } from '../processes/exchanges.ts'
import {
  gatherInFlight,
  gatherRecent,
  longestWord,
  recentCursor,
  recentCursorForm,
} from '../processes/remote-exchanges.ts'
import { badInput } from '../store-errors.ts'
import { formatUsd } from '../../lib/usd.ts'
import { enumsOf, knownIn, unknownCosts } from './enums.ts'
import { exchangeStages } from '../processes/exchange-schema.ts'
import { type Placed, exchangeInterface } from './exchange-details.ts'

const authScopes = { viewer: true }

/** A filter as GraphQL has it. */
interface FilterInput {
  readonly keyId?: string | null | undefined
  readonly accountId?: string | null | undefined
  readonly model?: string | null | undefined
  readonly dialect?: string | null | undefined
  readonly team?: string | null | undefined
  readonly triedAccountId?: string | null | undefined
  readonly outcome?: readonly ExchangeOutcome[] | null | undefined
  readonly minMs?: number | null | undefined
  readonly from?: number | null | undefined
  readonly to?: number | null | undefined
}

/** Adds `exchanges` and `recent`, and the act that cancels an exchange. */
export function addExchanges(builder: AdminBuilder): void {
  const filter = builder.inputType('ExchangeFilter', {
    description: 'All members that are given must apply.',
    fields: (t) => ({
      keyId: t.id(),
      accountId: t.id(),
      model: t.string({ description: 'As the client wrote it.' }),
      dialect: t.string(),
      team: t.id(),
      triedAccountId: t.id({ description: 'The account of any attempt.' }),
      outcome: t.field({
        type: [enumsOf(builder).exchangeOutcome],
        description: 'Any of the outcomes. Exchanges in flight have none but RETRIED.',
      }),
      minMs: t.int({ description: 'The least duration, or age.' }),
      from: t.field({ type: 'DateTime', description: 'The first moment of their beginning.' }),
      to: t.field({ type: 'DateTime', description: 'The moment behind the last.' }),
    }),
  })
  const exchange = exchangeInterface(builder)
  const live = liveExchange(builder, exchange)
  builder.queryField('exchanges', (t) =>
    t.field({
      type: [live],
      description:
        'The exchanges in flight of all processes, the oldest first, at most 200 of each. `extensions.incomplete` says how many there are if it shows fewer, and names the processes that did not answer within two seconds.',
      authScopes,
      complexity: 100,
      args: { filter: t.arg({ type: filter, required: false }) },
      async resolve(_root, args, context, info) {
        const filter = filterOf(args.filter)
        const { services, principal } = context
        const found = await gatherInFlight(services.processes, actorOf(principal), filter)
        const { exchanges, unanswered, omitted } = found
        noteMissingProcesses(context, info, unanswered)
        noteOmitted(context, info, { shown: exchanges.length, omitted })
        return [...exchanges]
      },
    }),
  )
  addRecent(builder, filter, endedExchange(builder, exchange))
  addCancel(builder)
}

/** A filter without the members that are null. Throws `GraphQLError` for one that is too long. */
export function filterOf(filter: FilterInput | null | undefined): ExchangeFilter {
  const given = Object.entries(filter ?? {}).filter(([, value]) => value !== null)
  for (const [name, value] of given) {
    if (typeof value === 'string') checkLength(`filter.${name}`, value)
  }
  return Object.fromEntries(given)
}

/** Checks a text of a question. Throws `GraphQLError` for one that is too long. */
export function checkLength(name: string, text: string | null | undefined): void {
  if ((text?.length ?? 0) > longestWord)
    throw badInput(`\`${name}\` has ${longestWord} characters at most.`)
}

type ExchangeInterface = ReturnType<typeof exchangeInterface>

function liveExchange(builder: AdminBuilder, exchange: ExchangeInterface) {
  const stage = builder.enumType('ExchangeStage', {
    description:
      'RECEIVING: its request or its key is still being read. ROUTING: it has no account yet, or looks for another one. WAITING: an account has it, and the client has no output. REPLYING: the client gets output.',
    values: exchangeStages,
  })
  return builder.objectRef<Placed<LiveExchange>>('LiveExchange').implement({
    description: 'An exchange in flight, without its content.',
    authScopes,
    interfaces: [exchange],
    fields: (t) => ({
      ageMs: t.field({ type: 'Count', resolve: ageOf }),
      stage: t.expose('stage', { type: stage, nullable: true }),
      outputTokens: t.expose('outputTokens', {
        type: 'Count',
        nullable: true,
        description: 'The tokens of a stream so far, estimated by the gateway.',
      }),
    }),
  })
}

function endedExchange(builder: AdminBuilder, exchange: ExchangeInterface) {
  const { attemptUsage, exchangeEnd, unknownCost } = enumsOf(builder)
  return builder.objectRef<Placed<EndedExchange>>('EndedExchange').implement({
    description: 'An exchange that has ended, without its content.',
    authScopes,
    interfaces: [exchange],
    fields: (t) => ({
      endedAt: t.expose('endedAt', { type: 'DateTime' }),
      durationMs: t.exposeFloat('durationMs'),
      status: t.exposeInt('status', { description: '499: the client left before the reply.' }),
      end: t.expose('end', { type: exchangeEnd }),
      error: t.exposeString('error', {
        nullable: true,
        description: 'The code of the error that the client got.',
      }),
      inputTokens: t.expose('inputTokens', { type: 'Count', nullable: true }),
      outputTokens: t.expose('outputTokens', { type: 'Count', nullable: true }),
      usage: t.expose('usage', {
        type: attemptUsage,
        nullable: true,
        description: 'How the use of its attempts is known, the least known of them.',
      }),
      cost: t.string({
        nullable: true,
        description: 'US dollars, of all attempts; null: unknown, see `uncosted`.',
        resolve: ({ costNano }) => (costNano === undefined ? null : formatUsd(costNano)),
      }),
      uncosted: t.field({
        type: unknownCost,
        nullable: true,
        resolve: ({ uncosted }) => knownIn(unknownCosts, uncosted),
      }),
      jobId: t.exposeID('jobId', { nullable: true }),
      resourceId: t.exposeID('resourceId', {
        nullable: true,
        description:
          'The response, conversation or file that it made, if it is bound to its account: see `binding`.',
      }),
    }),
  })
}

function addRecent(
  builder: AdminBuilder,
  filter: InputRef<FilterInput>,
  ended: ReturnType<typeof endedExchange>,
): void {
  builder.queryField('recent', (t) =>
    t.connection(
      {
        type: ended,
        description:
          'The exchanges that ended last, the newest first: 1,000 of each process. `extensions.incomplete` names the processes that did not answer within two seconds.',
        authScopes,
        complexity: complexityOfWalk,
        args: { filter: t.arg({ type: filter, required: false }) },
        async resolve(_root, args, context, info) {
          let hasMore = false
          const page = await pageOf(args, recentCursor, async ({ after, limit }) => {
            checkLength('after', after)
            checkCursor(args, recentCursorForm)
            const asked = { after, limit, filter: filterOf(args.filter) }
            const { services, principal } = context
            const found = await gatherRecent(services.processes, actorOf(principal), asked)
            noteMissingProcesses(context, info, found.unanswered)
            hasMore = found.isCut
            return found.exchanges
          })
          const { pageInfo } = page
          return {
            ...page,
            pageInfo: { ...pageInfo, hasNextPage: pageInfo.hasNextPage || hasMore },
          }
        },
      },
      ...namedAfter('EndedExchange'),
    ),
  )
}

function addCancel(builder: AdminBuilder): void {
  const input = builder.inputType('CancelExchangeInput', {
    fields: (t) => ({
      id: t.id({ required: true, description: 'The value of `x-request-id`.' }),
      reason: t.string({ required: true, description: 'For the audit record.' }),
    }),
  })
  const success = builder
    .objectRef<{ id: string; processId: string }>('CancelExchangeSuccess')
    .implement({
      authScopes,
      fields: (t) => ({ id: t.exposeID('id'), processId: t.exposeID('processId') }),
    })
  addAct(builder, {
    name: 'cancelExchange',
    description:
      'Ends an exchange, in whichever process it runs. A stream ends with an error in its dialect.',
    role: 'operator',
    action: 'exchange.cancel',
    input,
    success,
    target: ({ id }) => ({ type: 'exchange', id: id.slice(0, 200) }),
    async run({ id }, { services: { processes } }) {
      const result = await cancelExchange(processes, id.slice(0, 200))
      return isFailure(result) ? result : { done: { id, processId: result.processId } }
    },
  })
}
