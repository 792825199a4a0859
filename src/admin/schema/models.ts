import { GraphQLError } from 'graphql'

import { followedAccounts } from '../accounts/catch-up.ts'
import type { AdminBuilder } from '../builder.ts'
import { complexityOfPage, complexityOfSearch, namedAfter, pageOf } from '../connections.ts'
import { noteMissingProcesses } from '../incomplete.ts'
import { catchUpWith } from '../read-store.ts'
import {
  type ModelAccount,
  type ModelView,
  countModels,
  listAccountsOf,
  listModels,
} from '../models.ts'
import type { ModelPrice } from '../model-price.ts'
import { addCounts } from './counts.ts'
import { priceRatesOf } from './prices.ts'
import { edgesOf } from './edges.ts'

/** In characters. */
const longestSearch = 200

/** Adds the models that callers can name. */
export function addModels(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const kind = builder.enumType('ModelKind', {
    description: 'PATTERN: names with stars, such as gpt-*, which an account accepts.',
    values: ['MODEL', 'PATTERN', 'ALIAS'] as const,
  })
  const price = builder.objectRef<ModelPrice>('ModelPrice').implement({
    description: 'What tokens of a model cost now at an account.',
    authScopes,
    fields: (t) => ({
      isFree: t.exposeBoolean('isFree', { description: 'Whether its tokens cost nothing.' }),
      rates: t.field({ type: priceRatesOf(builder), resolve: (one) => one.rates }),
      checkedAt: t.field({
        type: 'DateTime',
        nullable: true,
        description:
          'The day on which a published price was checked. null: an operator has set it.',
        resolve: (one) => one.checkedAt,
      }),
    }),
  })
  const account = builder.objectRef<ModelAccount>('ModelAccount').implement({
    description: 'An account that has a model.',
    authScopes,
    fields: (t) => ({
      accountId: t.exposeID('accountId'),
      ...edgesOf(t, { account: ({ accountId }) => accountId }),
      enabled: t.exposeBoolean('enabled'),
      upstreamModel: t.string({
        nullable: true,
        description: "The account's name of the model. null for a pattern.",
        resolve: (one) => one.upstreamModel,
      }),
      native: t.stringList({
        description: 'The dialects of clients that reach it without translation.',
        resolve: (one) => [...one.native],
      }),
      translated: t.stringList({
        description: 'The dialects of clients that reach it through another dialect.',
        resolve: (one) => [...one.translated],
      }),
      available: t.exposeBoolean('available', {
        description:
          'Whether calls of the model get to it now, in each process and whichever dialect. One at its most calls at once is available.',
      }),
      reason: t.string({
        nullable: true,
        description: 'Why they do not, or why it takes none at this moment. null: it takes them.',
        resolve: (one) => one.reason,
      }),
      until: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When that ends or is tried again.',
        resolve: (one) => one.until,
      }),
      price: t.field({
        type: price,
        nullable: true,
        description: 'null: the model has no price there, or it is a pattern.',
        resolve: (one) => one.price,
      }),
      chance: t.float({
        nullable: true,
        description:
          'The probability that it is asked first, by priority and weight, for calls in a dialect that all of them speak. null: the model has a strategy, or it is a pattern; `explain` knows more.',
        resolve: (one) => one.chance,
      }),
    }),
  })
  const model = builder.objectRef<ModelView>('Model').implement({
    description: 'A name that callers can send, or a pattern of such names.',
    authScopes,
    fields: (t) => ({
      name: t.exposeString('name'),
      kind: t.expose('kind', { type: kind }),
      model: t.exposeString('model', { description: 'The platform model, after aliases.' }),
      served: t.exposeBoolean('served', { description: 'Whether an enabled account has it.' }),
      available: t.exposeBoolean('available', {
        description:
          'Whether calls of it get to an account now, in each process, as the metric dragoman_model_available says.',
      }),
      standIn: t.string({
        nullable: true,
        description:
          'The model that its calls fall back to now. null: it is available, or none stands in.',
        resolve: (one) => one.standIn,
      }),
      failsWith: t.int({
        nullable: true,
        description:
          'The status that its calls get now: 429 while rate limits keep it from all its accounts, 404 if no account has it, otherwise 503, which the dialect messages says as 529. null: they are served, perhaps by another model.',
        resolve: (one) => one.failsWith,
      }),
      accounts: t.connection(
        {
          type: account,
          description: 'The accounts that have it, in the order of their ids.',
          complexity: complexityOfPage,
          resolve: (one, page, { services }) =>
            pageOf(
              page,
              ({ accountId }: ModelAccount) => accountId,
              (part) => listAccountsOf(services, one, part),
            ),
        },
        ...namedAfter('ModelAccount'),
      ),
    }),
  })
  const connection = builder.connectionObject(
    { type: model, name: 'ModelConnection' },
    {
      name: 'ModelEdge',
    },
  )
  const state = builder.enumType('ModelState', {
    description: 'As `Model.available`.',
    values: ['AVAILABLE', 'UNAVAILABLE'] as const,
  })
  addCounts(builder, {
    noun: 'Model',
    connection,
    state,
    async count({ services }) {
      const { total, available } = await countModels(services)
      return new Map([
        ['AVAILABLE', available],
        ['UNAVAILABLE', total - available],
      ] as const)
    },
  })
  const filter = builder.inputType('ModelFilter', {
    fields: (t) => ({
      search: t.string({ description: 'What the names begin with.' }),
      available: t.boolean({ description: 'As `Model.available`.' }),
    }),
  })
  builder.queryField('models', (t) =>
    t.connection(
      {
        type: model,
        description:
          'The models that callers can name, in the order of their names. `extensions.incomplete` names the field while the store is away: then the list is what was known last.',
        authScopes,
        args: { filter: t.arg({ type: filter }) },
        complexity: complexityOfSearch,
        async resolve(_root, { filter: wanted, ...page }, context, info) {
          const { services } = context
          const search = searchOf(wanted?.search)
          const { missing } = await services.processes.cluster()
          noteMissingProcesses(context, info, missing)
          await catchUpWith(context, 'models', followedAccounts(services), services.running.aliases)
          return pageOf(
            page,
            ({ name }: ModelView) => name,
            (part) => listModels(services, { ...part, search, available: wanted?.available }),
          )
        },
      },
      connection,
    ),
  )
}

function searchOf(search: string | null | undefined): string {
  if ((search?.length ?? 0) <= longestSearch) return search ?? ''
  throw new GraphQLError(`\`search\` has at most ${longestSearch} characters.`, {
    extensions: { code: 'BAD_USER_INPUT' },
  })
}
