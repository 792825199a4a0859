import type { LedgerRow } from '../../contract/ledger-row.ts'
import { formatUsd } from '../../lib/usd.ts'
import { type Ledger, cursorForm, responseJobId } from '../../stores/ledger.ts'
import type { AdminBuilder } from '../builder.ts'
import { checkCursor, complexityOfWalk, effortOfWalk, namedAfter } from '../connections.ts'
import { noteMissingProcesses } from '../incomplete.ts'
import { listLedger } from '../ledger-pages.ts'
import { actorOf } from '../principal.ts'
import type { EndedExchange, LiveExchange } from '../processes/exchanges.ts'
import { gatherOne } from '../processes/remote-exchanges.ts'
import { readStore } from '../read-store.ts'
import { enumsOf, knownIn, unknownCosts } from './enums.ts'
import { checkLength } from './exchanges.ts'
import { edgesOf } from './edges.ts'

const authScopes = { viewer: true }

/** An exchange with what is known about it. */
interface KnownExchange {
  readonly id: string
  readonly live: (LiveExchange & { readonly processId: string }) | undefined
  readonly ended: (EndedExchange & { readonly processId: string }) | undefined
  readonly ledger: readonly LedgerRow[]
}

/** Adds `ledger` and `exchange`: the attempts that the store has. */
export function addLedger(builder: AdminBuilder): void {
  const row = addRow(builder)
  const { exchangeOutcome } = enumsOf(builder)
  const filter = builder.inputType('LedgerFilter', {
    description: 'All members that are given must apply.',
    fields: (t) => ({
      from: t.field({ type: 'DateTime', description: 'The first moment.' }),
      to: t.field({ type: 'DateTime', description: 'The moment behind the last.' }),
      outcome: t.field({ type: [exchangeOutcome], description: 'Any of the outcomes.' }),
      minMs: t.int({ description: 'The least duration of the call.' }),
      keyId: t.id(),
      team: t.id(),
      model: t.string({ description: 'The name after aliases.' }),
      accountId: t.id(),
    }),
  })
  builder.queryField('ledger', (t) =>
    t.connection(
      {
        type: row,
        // While the store is away, the others of the operation are answered.
        nullable: true,
        description:
          'The attempts of the last 30 days, the newest first. A page with a filter may be short; its cursor leads on.',
        authScopes,
        complexity: complexityOfWalk,
        args: { filter: t.arg({ type: filter, required: false }) },
        resolve: (_root, { filter: given, ...page }, context) =>
          readStore(context, (signal) => {
            checkCursor(page, cursorForm)
            const wanted = Object.fromEntries(
              Object.entries(given ?? {}).filter(([, value]) => value !== null),
            )
            return listLedger(context.services.running.store.ledger(), page, wanted, signal)
          }),
      },
      ...namedAfter('LedgerRow'),
    ),
  )
  addExchange(builder, row)
}

function addRow(builder: AdminBuilder) {
  const { attemptOutcome, attemptUsage, exchangeEnd, fault, unknownCost } = enumsOf(builder)
  return builder.objectRef<LedgerRow>('LedgerRow').implement({
    description: 'An attempt at an account, without its content.',
    authScopes,
    fields: (t) => ({
      exchangeId: t.id({
        description: 'The value of `x-request-id`.',
        resolve: ({ exchange }) => exchange,
      }),
      attempt: t.exposeInt('attempt'),
      at: t.expose('at', { type: 'DateTime', description: 'When the exchange ended.' }),
      keyId: t.exposeID('keyId'),
      team: t.id({ nullable: true, resolve: ({ team }) => team }),
      operation: t.exposeString('operation'),
      dialect: t.exposeString('dialect'),
      requestedModel: t.string({
        description: 'As the client named it.',
        resolve: ({ requested, model }) => requested ?? model,
      }),
      model: t.exposeString('model', { description: 'The name after aliases.' }),
      accountId: t.exposeID('accountId'),
      upstreamModel: t.exposeString('upstreamModel'),
      tier: t.string({
        nullable: true,
        description: 'The service tier that served the call, in the words of the account.',
        resolve: ({ tokens }) => tokens?.tier,
      }),
      outcome: t.expose('status', { type: attemptOutcome }),
      fault: t.expose('fault', { type: fault }),
      httpStatus: t.int({ nullable: true, resolve: ({ httpStatus }) => httpStatus }),
      error: t.string({ nullable: true, resolve: ({ error }) => error }),
      usage: t.expose('usage', { type: attemptUsage }),
      tokens: t.field({
        type: 'JSON',
        nullable: true,
        description: 'The counts behind the cost, by class.',
        resolve: ({ tokens }) => tokens,
      }),
      cost: t.string({
        nullable: true,
        description: 'US dollars; null: unknown, see `uncosted`.',
        resolve: ({ costNano }) => (costNano === null ? null : formatUsd(costNano)),
      }),
      uncosted: t.field({
        type: unknownCost,
        nullable: true,
        resolve: ({ uncosted }) => knownIn(unknownCosts, uncosted),
      }),
      priceVersion: t.string({
        nullable: true,
        description:
          'The price of the cost: `published` with the day of the table, `file` or `store` with a hash of the rates, `free`. null: there is none.',
        resolve: ({ priceVersion }) => priceVersion,
      }),
      ms: t.exposeFloat('ms'),
      isLast: t.boolean({
        description: 'Whether no other attempt followed. Only then, the next members are there.',
        resolve: ({ reply }) => reply !== undefined,
      }),
      replyStatus: t.int({ nullable: true, resolve: ({ reply }) => reply?.status }),
      end: t.field({ type: exchangeEnd, nullable: true, resolve: ({ reply }) => reply?.end }),
      stream: t.boolean({ nullable: true, resolve: ({ reply }) => reply?.stream }),
      replyError: t.string({ nullable: true, resolve: ({ reply }) => reply?.error }),
      durationMs: t.float({ nullable: true, resolve: ({ reply }) => reply?.ms }),
      firstOutputMs: t.float({ nullable: true, resolve: ({ reply }) => reply?.firstOutputMs }),
      ...edgesOf(t, {
        account: ({ accountId }) => accountId,
        key: ({ keyId }) => keyId,
        model: (one) => one.model,
      }),
    }),
  })
}

function addExchange(builder: AdminBuilder, row: ReturnType<typeof addRow>): void {
  const known = builder.objectRef<KnownExchange>('KnownExchange').implement({
    description: 'What is known about an exchange.',
    authScopes,
    fields: (t) => ({
      id: t.exposeID('id'),
      live: t.field({
        type: 'LiveExchange' as never,
        nullable: true,
        description: 'Null: it is not in flight.',
        resolve: ({ live }) => live as never,
      }),
      ended: t.field({
        type: 'EndedExchange' as never,
        nullable: true,
        description: 'Null: it is none of the last thousand of a process.',
        resolve: ({ ended }) => ended as never,
      }),
      ledger: t.field({
        type: [row],
        description: 'Its rows of the ledger, the first attempt first.',
        resolve: ({ ledger }) => [...ledger],
      }),
    }),
  })
  builder.queryField('exchange', (t) =>
    t.field({
      type: known,
      nullable: true,
      description:
        'An exchange of any process, in flight or of the last 30 days. Null: it is not known. `extensions.incomplete` names the processes that did not answer within two seconds.',
      authScopes,
      complexity: effortOfWalk,
      args: { id: t.arg.id({ required: true, description: 'The value of `x-request-id`.' }) },
      async resolve(_root, { id }, context, info): Promise<KnownExchange | null> {
        checkLength('id', id)
        const { services, principal } = context
        const [found, ledger] = await Promise.all([
          gatherOne(services.processes, actorOf(principal), id),
          readStore(context, () => attemptsOf(services.running.store.ledger(), id)),
        ])
        noteMissingProcesses(context, info, found.unanswered)
        const { live, ended } = found
        return live || ended || ledger.length > 0 ? { id, live, ended, ledger } : null
      },
    }),
  )
}

/** The rows of an exchange, and the end of the response in the background that it has ordered. */
async function attemptsOf(ledger: Pick<Ledger, 'rowsOf'>, id: string): Promise<LedgerRow[]> {
  const parts = await Promise.all([ledger.rowsOf(id), ledger.rowsOf(responseJobId(id))])
  return parts.flat()
}
