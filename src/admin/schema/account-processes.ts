import type { AccountExclusion } from '../../contract/call.ts'
import type { AdminBuilder } from '../builder.ts'
import {
  type PlacedAccount,
  accountIn,
  cutIn,
  exclusionsBehind,
  silentIn,
} from '../processes/everywhere.ts'

/** Adds `Account.processes`: what the processes say of an account. */
export function addAccountProcesses(builder: AdminBuilder): void {
  const authScopes = { viewer: true }
  const placed = builder.objectRef<PlacedAccount>('AccountInProcess').implement({
    description: 'An account as one process knows it.',
    authScopes,
    fields: (t) => ({
      processId: t.exposeID('processId'),
      inFlight: t.expose('inFlight', { type: 'Count' }),
      calls: t.expose('calls', { type: 'Count' }),
      failures: t.expose('failures', { type: 'Count' }),
      exclusions: t.field({
        type: ['AccountExclusion' as never],
        description: 'What keeps it out of all calls or of some, the gravest first, at most 10.',
        resolve: ({ exclusions }) => exclusions as AccountExclusion[] as never,
      }),
      moreExclusions: t.field({
        type: 'Count',
        description: 'How many, at least, `exclusions` leaves out.',
        resolve: exclusionsBehind,
      }),
    }),
  })
  // The type of accounts belongs to another file.
  builder.objectField('Account' as never, 'processes', (t) =>
    t.field({
      type: [placed],
      description: 'The processes in which it is in use or in trouble.',
      authScopes,
      // A number alone would count ten of them.
      complexity: { field: 3, multiplier: 1 },
      async resolve(account, _args, { services: { processes }, unanswered, incomplete }) {
        const { id } = account as { readonly id: string }
        const view = await processes.view()
        for (const silent of silentIn(view)) unanswered.add(silent)
        for (const one of cutIn(view, processes.id, id)) incomplete.add(one)
        const all = [...accountIn(view, id)]
        for (const one of all) if (exclusionsBehind(one) > 0) incomplete.add(one.processId)
        return all
      },
    }),
  )
}
