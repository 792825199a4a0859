import { standby } from '../../accounts/looks.ts'
import type { StateLook } from '../../ui/State.tsx'
import type {
  ListedAccountFragment,
  ListedModelFragment,
  ModelsQuery,
} from './operations.generated.ts'

/** A model as the list has it. */
export type Model = ListedModelFragment

/** A model as its detail has it. */
export type OpenModel = NonNullable<ModelsQuery['open']>['edges'][number]['node']

/** An account of the model of the detail. */
export type ModelAccount = OpenModel['all']['edges'][number]['node']

/** What a model costs at an account. */
export type ModelPrice = ListedAccountFragment['price']

/** An alias of the file or the store. */
export type Alias = ModelsQuery['aliases'][number]

/** Whether calls of a model get to an account. */
export function modelLook({ available, served, standIn, accounts }: Model): StateLook {
  if (!available && standIn) return { word: 'By a fallback', shape: 'half', tone: 'warn' }
  if (!served) {
    const word = accounts.edges.length > 0 ? 'All disabled' : 'No account'
    return { word, shape: 'cross', tone: 'bad' }
  }
  if (!available) return { word: 'Not served now', shape: 'cross', tone: 'bad' }
  const isPartly = accounts.edges.some(({ node }) => node.enabled && !node.available)
  return isPartly
    ? { word: 'Partly', shape: 'half', tone: 'warn' }
    : { word: 'Served', shape: 'dot', tone: 'ok' }
}

/** Whether calls of a model get to one of its accounts. */
export function modelAccountLook({ enabled, available, chance }: ModelAccount): StateLook {
  if (!enabled) return { word: 'Disabled', shape: 'ring', tone: 'none' }
  if (available && chance === 0) return standby
  return available
    ? { word: 'Serving', shape: 'dot', tone: 'ok' }
    : { word: 'No calls', shape: 'cross', tone: 'bad' }
}

/** In the order of the gateway, by the names of `kinds` in `SetAlias`. */
export const fallbackKinds = {
  UNAVAILABLE: 'no account of it can serve the call',
  RATE_LIMITED: 'it is at a rate limit',
  CONTEXT_LENGTH: 'the prompt is too long for it',
  REFUSED: 'it refuses the request',
  BUDGET: 'a budget is used up',
} as const
