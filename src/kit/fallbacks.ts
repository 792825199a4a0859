import type { Fallback, ResolvedModel } from '../contract/call.ts'
import type { Understood } from '../contract/exchange.ts'

/**
 * The fallbacks that a caller may use, in their order. A key that may use the alias may use them all, as it may the model
 * of the alias; another one needs each model in its scope.
 */
export function fallbacksOf({
  model: { requested, fallbacks },
  caller,
}: Pick<Understood, 'model' | 'caller'>): readonly Fallback[] {
  if (!fallbacks || caller.mayUse(requested)) return fallbacks ?? none
  return fallbacks.filter(({ model }) => caller.mayUse(model.name))
}

const none: readonly Fallback[] = []

/** The fallback of this platform model, as the model of the call; `undefined` if the call has none. */
export function fallbackNamed(
  exchange: Pick<Understood, 'model' | 'caller'>,
  name: string,
): ResolvedModel | undefined {
  const found = fallbacksOf(exchange).find(({ model }) => model.name === name)
  return found && standIn(exchange.model, found)
}

/** The model that stands in for the asked one. The name that the client wrote stays. */
export function standIn(asked: ResolvedModel, { model }: Fallback): ResolvedModel {
  const { name, replyModel, strategy = asked.strategy } = model
  const shown = asked.replyModel ?? replyModel
  return { ...asked, name, ...(shown && { replyModel: shown }), ...(strategy && { strategy }) }
}
