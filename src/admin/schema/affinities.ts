import type { EnumRef } from '@pothos/core'

import { type AffinityLookup, findAffinities } from '../affinities.ts'
import type { AdminBuilder, AdminTypes } from '../builder.ts'
import type { LookupState } from '../lookup-state.ts'
import { readStore } from '../read-store.ts'
import { badInput } from '../store-errors.ts'
import { whyNoKey } from '../unknown-key.ts'

/** Adds `affinities`: the accounts that calls prefer because earlier ones had something in common. */
export function addAffinities(
  builder: AdminBuilder,
  state: EnumRef<PothosSchemaTypes.ExtendDefaultTypes<AdminTypes>, LookupState, LookupState>,
): void {
  const authScopes = { viewer: true }
  const kind = builder.enumType('AffinityKind', {
    description: 'What calls have in common.',
    values: {
      ITEM: { value: 'item', description: 'An item that an account has produced, by its id.' },
      CACHE: { value: 'cache', description: 'A prompt in the cache of an account, by its key.' },
      SESSION: { value: 'session', description: 'The session of a coding agent.' },
    } as const,
  })
  const affinity = builder.objectRef<AffinityLookup>('Affinity').implement({
    description: 'The account that calls with a value prefer, if it can serve them.',
    authScopes,
    fields: (t) => ({
      kind: t.expose('kind', { type: kind }),
      value: t.exposeString('value'),
      state: t.field({ type: state, resolve: (one) => one.state }),
      accountId: t.id({ nullable: true, resolve: ({ affinity: found }) => found?.account }),
      until: t.field({
        type: 'DateTime',
        nullable: true,
        resolve: ({ affinity: found }) => found?.until,
      }),
    }),
  })
  const values = 'Each value is looked up on its own.'
  builder.queryField('affinities', (t) =>
    t.field({
      type: [affinity],
      // A wrong argument takes no other field of the operation along.
      nullable: true,
      description:
        'Looks affinities up as a call of the key does: first in this process, then in the store.',
      authScopes,
      args: {
        keyId: t.arg.id({ required: true }),
        model: t.arg.string({ description: 'As clients name it; for prompts and sessions.' }),
        itemIds: t.arg.idList({ description: `Ids of tool calls and reasoning items. ${values}` }),
        promptCacheKeys: t.arg.stringList({ description: values }),
        sessions: t.arg.stringList({ description: `The headers of coding agents. ${values}` }),
      },
      // One look-up may be of 100 values.
      complexity: 50,
      resolve: (_root, { keyId, model, ...lists }, context) =>
        readStore(context, async () => {
          const found = await findAffinities(context.services.running, {
            keyId,
            model: model ?? undefined,
            itemIds: lists.itemIds ?? [],
            promptCacheKeys: lists.promptCacheKeys ?? [],
            sessions: lists.sessions ?? [],
          })
          if (found.some((one) => one.state !== 'MISSING')) return found
          const reason = await whyNoKey(context.services, keyId)
          if (reason !== undefined) throw badInput(reason)
          return found
        }),
    }),
  )
}
