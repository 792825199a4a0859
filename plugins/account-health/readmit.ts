import type { AccountState } from './account-state.ts'

/** Stands between a model and what the caller of a sandbox asked of it. */
export const steeringMark = '\n'

/** The model of the name under which its limits are known. */
export function modelOf(limitName: string): string {
  const mark = limitName.indexOf(steeringMark)
  return mark < 0 ? limitName : limitName.slice(0, mark)
}

/**
 * Ends the pauses and refusals of a model, or those of the account and all its models. Returns how many
 * it has ended. `now` is on the plugin's clock.
 */
export function readmit(
  state: AccountState,
  model: string | undefined,
  now: number,
  whole: { readmit(state: AccountState): void },
): number {
  const isMeant = (name: string | undefined) =>
    model === undefined || (name !== undefined && modelOf(name) === model)
  const excluded = state.exclusions(now).filter((one) => isMeant(one.model))
  for (const one of excluded) {
    if (one.model === undefined) whole.readmit(state)
    else state.model(one.model).restore()
  }
  const cooling = state.coolDowns.all(now).filter((one) => isMeant(one.model))
  for (const one of cooling) state.coolDowns.end(one.model)
  return excluded.length + cooling.length
}
