import type { AdminBuilder } from '../builder.ts'

const message = 'Why, in words for people.'

/** Adds the failures that the unions of all acts share. */
export function addFailures(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  builder.objectType('NotFound', {
    description: 'Nothing of this id exists.',
    authScopes,
    fields: (t) => ({ message: t.exposeString('message', { description: message }) }),
  })
  builder.objectType('Conflict', {
    description: 'The state of the thing, or a concurrent change, prevents the act.',
    authScopes,
    fields: (t) => ({ message: t.exposeString('message', { description: message }) }),
  })
  builder.objectType('ManagedByFile', {
    description: 'The configuration file has it, and the file wins.',
    authScopes,
    fields: (t) => ({
      message: t.exposeString('message', { description: message }),
      fix: t.exposeString('fix', { description: 'What to do instead.' }),
    }),
  })
  builder.objectType('Problem', {
    description: 'A problem of a configuration or an input.',
    authScopes,
    fields: (t) => ({
      path: t.exposeString('path', { description: 'The place, such as `accounts[2].baseUrl`.' }),
      message: t.exposeString('message'),
      fix: t.exposeString('fix'),
    }),
  })
  builder.objectType('Invalid', {
    description: 'The input has problems.',
    authScopes,
    fields: (t) => ({
      message: t.exposeString('message', { description: message }),
      problems: t.field({ type: ['Problem'], resolve: ({ problems }) => [...problems] }),
    }),
  })
  builder.objectType('StoreUnavailable', {
    description: 'The store does not answer.',
    authScopes,
    fields: (t) => ({ message: t.exposeString('message', { description: message }) }),
  })
}
