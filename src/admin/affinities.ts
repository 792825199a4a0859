import { type AffinityKind, withAffinity } from '../kit/affinity-keys.ts'
import type { KnownAffinity } from '../kit/known-affinities.ts'
import type { RunningGateway } from '../runtime/start-gateway.ts'
import type { LookupState } from './lookup-state.ts'
import { badInput } from './store-errors.ts'
import { isUnavailable } from './unavailable.ts'

/** What calls have in common, so that they go to the same account. */
interface AffinityQuery {
  readonly keyId: string
  /** As clients name it. Prompts and sessions have an affinity for each model. */
  readonly model: string | undefined
  readonly itemIds: readonly string[]
  readonly promptCacheKeys: readonly string[]
  readonly sessions: readonly string[]
}

/** The result of a look-up of an affinity. */
export interface AffinityLookup {
  readonly kind: AffinityKind
  readonly value: string
  readonly state: LookupState
  readonly affinity: KnownAffinity | undefined
}

/** The most affinities of one look-up. */
const most = 100

/**
 * Looks affinities up as a call of the key does. Throws `GraphQLError` for a query without the model
 * that it needs, or with more than 100 values.
 */
export async function findAffinities(
  { shared, accounts }: Pick<RunningGateway, 'shared' | 'accounts'>,
  { keyId, model, itemIds, promptCacheKeys, sessions }: AffinityQuery,
): Promise<AffinityLookup[]> {
  const wanted = [
    ...named('item', itemIds),
    ...named('cache', promptCacheKeys),
    ...named('session', sessions),
  ]
  if (wanted.length > most) throw badInput(`A look-up has at most ${most} values.`)
  if (model === undefined && wanted.some(({ kind }) => kind !== 'item')) {
    throw badInput('Prompts and sessions have an affinity for each `model`: name it.')
  }
  const call = { keyId, model: accounts.snapshot.platformName(model ?? '') }
  try {
    const keys = wanted.map(({ key }) => key)
    const found = (await shared.affinities?.find(call, keys)) ?? []
    return wanted.map(({ kind, value }, index) => {
      const affinity = found[index]
      return { kind, value, state: affinity ? 'FOUND' : 'MISSING', affinity }
    })
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return wanted.map(({ kind, value }) => ({
      kind,
      value,
      state: 'CANNOT_TELL',
      affinity: undefined,
    }))
  }
}

/** The affinity keys of values; blank values have none. */
function named(kind: AffinityKind, values: readonly string[]) {
  return values.flatMap((value) =>
    withAffinity([], kind, value).map((key) => ({ kind, value, key })),
  )
}
