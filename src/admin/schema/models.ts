import { GraphQLError } from 'graphql'

import { followedAccounts } from '../accounts/catch-up.ts'
import type { AdminBuilder } from '../builder.ts'
import { complexityOfPage, complexityOfSearch, namedAfter, pageOf } from '../connections.ts'
import { catchUpWith } from '../read-store.ts'
import { type ModelAccount, type ModelView, listAccountsOf, listModels } from '../models.ts'

/** In characters. */
const longestSearch = 200

/** Adds the models that callers can name. */
export function addModels(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const kind = builder.enumType('ModelKind', {
    description: 'PATTERN: names with stars, such as gpt-*, which an account accepts.',
    values: ['MODEL', 'PATTERN', 'ALIAS'] as const,
  })
  const account = builder.objectRef<ModelAccount>('ModelAccount').implement({
    description: 'An account that has a model.',
    authScopes,
    fields: (t) => ({
      accountId: t.exposeID('accountId'),
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
  const filter = builder.inputType('ModelFilter', {
    fields: (t) => ({ search: t.string({ description: 'What the names begin with.' }) }),
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
        async resolve(_root, { filter: wanted, ...page }, context) {
          const { services } = context
          const search = searchOf(wanted?.search)
          await catchUpWith(context, 'models', followedAccounts(services), services.running.aliases)
          return pageOf(
            page,
            ({ name }: ModelView) => name,
            (part) => listModels(services, { ...part, search }),
          )
        },
      },
      ...namedAfter('Model'),
    ),
  )
}

function searchOf(search: string | null | undefined): string {
  if ((search?.length ?? 0) <= longestSearch) return search ?? ''
  throw new GraphQLError(`\`search\` has at most ${longestSearch} characters.`, {
    extensions: { code: 'BAD_USER_INPUT' },
  })
}
