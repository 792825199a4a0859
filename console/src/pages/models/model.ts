import type { StateLook } from '../../ui/State.tsx'
import type { ModelsQuery } from './operations.generated.ts'

/** A model as its page has it. */
export type Model = ModelsQuery['models']['edges'][number]['node']

/** An account of a model. */
export type ModelAccount = Model['accounts']['edges'][number]['node']

/** An alias of the file or the store. */
export type Alias = ModelsQuery['aliases'][number]

/** Whether calls of a model get to an account. */
export function modelLook({ available, served, accounts }: Model): StateLook {
  if (!served) return { word: 'No account', shape: 'ring', tone: 'none' }
  if (!available) return { word: 'Not served now', shape: 'cross', tone: 'bad' }
  const isPartly = accounts.edges.some(({ node }) => node.enabled && !node.available)
  return isPartly
    ? { word: 'Partly', shape: 'half', tone: 'warn' }
    : { word: 'Served', shape: 'dot', tone: 'ok' }
}

/** Whether calls of a model get to one of its accounts. */
export function modelAccountLook({ enabled, available }: ModelAccount): StateLook {
  if (!enabled) return { word: 'Off', shape: 'ring', tone: 'none' }
  return available
    ? { word: 'Takes them', shape: 'dot', tone: 'ok' }
    : { word: 'Does not', shape: 'cross', tone: 'bad' }
}
