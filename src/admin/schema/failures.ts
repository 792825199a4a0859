import { findAccount } from '../accounts/find.ts'
import type { AdminBuilder } from '../builder.ts'
import type { AdminContext } from '../context.ts'
import type { ActFailure } from '../failures.ts'
import { findKeyView } from '../keys.ts'
import { findLimitView } from '../limit-views.ts'
import { findPriceView } from '../prices.ts'
import { listTeamViews } from '../teams.ts'

/** Adds the failures that the unions of all acts share. */
export function addFailures(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const failure = builder.interfaceRef<ActFailure>('ActFailure').implement({
    description: 'An act did not happen. Any mutation may answer any of these.',
    authScopes,
    fields: (t) => ({
      message: t.exposeString('message', { description: 'Why, in words for people.' }),
    }),
  })
  const common = { authScopes, interfaces: [failure] }
  builder.objectType('NotFound', { ...common, description: 'Nothing of this id exists.' })
  builder.objectType('Conflict', {
    ...common,
    description:
      'The state of the thing, or a concurrent change, prevents the act. After a change, the thing as it is now.',
    // The types of the things belong to other files.
    fields: (t) => {
      const present = (
        type: string,
        name: 'Account' | 'Key' | 'Limit' | 'Price' | 'Team',
        find: (context: AdminContext, id: string) => unknown,
      ) =>
        t.field({
          type: name as never,
          nullable: true,
          resolve: ({ about }, _args, context) =>
            (about?.type === type ? find(context, about.id) : undefined) as never,
        })
      return {
        account: present('account', 'Account', ({ services }, id) => findAccount(services, id)),
        key: present('key', 'Key', ({ services }, id) => findKeyView(services, id)),
        limit: present('limit', 'Limit', ({ services }, id) => findLimitView(services, id)),
        price: present('price', 'Price', ({ services }, id) => findPriceView(services, id)),
        team: present('team', 'Team', ({ services }, id) =>
          listTeamViews(services).find((team) => team.id === id),
        ),
      }
    },
  })
  builder.objectType('ManagedByFile', {
    ...common,
    description: 'The configuration file has it, and the file wins.',
    fields: (t) => ({ fix: t.exposeString('fix', { description: 'What to do instead.' }) }),
  })
  builder.objectType('Problem', {
    description: 'A problem of a configuration or an input.',
    authScopes,
    fields: (t) => ({
      path: t.exposeString('path', { description: 'The place, such as `accounts[2].baseUrl`.' }),
      message: t.exposeString('message'),
      fix: t.exposeString('fix'),
      processIds: t.idList({
        description:
          'The processes whose configuration has it. Empty: a problem of an input, or of the process that has the list.',
        resolve: ({ processIds = [] }) => [...processIds],
      }),
    }),
  })
  builder.objectType('Invalid', {
    ...common,
    description: 'The input has problems.',
    fields: (t) => ({
      problems: t.field({ type: ['Problem'], resolve: ({ problems }) => [...problems] }),
    }),
  })
  builder.objectType('StoreUnavailable', { ...common, description: 'The store does not answer.' })
}
