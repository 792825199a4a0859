import type { AdminBuilder } from '../builder.ts'
import type { ActFailure } from '../failures.ts'

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
    description: 'The state of the thing, or a concurrent change, prevents the act.',
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
