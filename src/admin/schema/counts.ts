import type { EnumRef, ObjectRef } from '@pothos/core'

import { computedOnce } from '../../lib/computed-once.ts'
import type { AdminBuilder, AdminBuilderTypes } from '../builder.ts'
import type { AdminContext } from '../context.ts'

/** How many things of a list have each state. */
type Counts<State extends string> = ReadonlyMap<State, number>

/** Adds `totalCount` and `countsByState` to the connection of a noun; `count` is asked once in an operation. */
export function addCounts<State extends string, Connection>(
  builder: AdminBuilder,
  {
    noun,
    connection,
    state,
    count,
  }: {
    /** Such as `Account`. */
    readonly noun: string
    readonly connection: ObjectRef<AdminBuilderTypes, Connection>
    readonly state: EnumRef<AdminBuilderTypes, State>
    readonly count: (context: AdminContext) => Promise<Counts<State>>
  },
): void {
  const countOnce = computedOnce(count)
  const entry = builder.objectRef<{ state: State; count: number }>(`${noun}StateCount`).implement({
    description: 'How many have a state.',
    authScopes: { viewer: true },
    fields: (t) => ({
      state: t.field({ type: state, resolve: (one) => one.state as never }),
      count: t.exposeInt('count'),
    }),
  })
  builder.objectFields(connection, (t) => ({
    totalCount: t.int({
      description: 'How many there are, whatever the filter.',
      async resolve(_page, _args, context) {
        const counts = await countOnce(context)
        return [...counts.values()].reduce((total, one) => total + one, 0)
      },
    }),
    countsByState: t.field({
      type: [entry],
      description:
        'How many have each state, whatever the filter; states that none has are left out.',
      // Of a few states.
      complexity: { field: 3, multiplier: 1 },
      resolve: async (_page, _args, context) =>
        Array.from(await countOnce(context), ([one, number]) => ({
          state: one,
          count: number,
        })).filter((one) => one.count > 0),
    }),
  }))
}

/** Counts values. */
export function countEach<Value>(values: Iterable<Value>): Map<Value, number> {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
