/** How many accounts there are of each kind, as lists of accounts count them. */
export interface AccountCounts {
  readonly countsByServes: readonly { readonly serves: string; readonly count: number }[]
  readonly countsByState: readonly { readonly state: string; readonly count: number }[]
}

/** How many accounts get no calls, how many only some, and how many are disabled, which is no trouble. */
export function troubleOf({ countsByServes, countsByState }: AccountCounts): {
  readonly without: number
  readonly partly: number
  readonly disabled: number
} {
  const serving = (wanted: string) =>
    countsByServes.find(({ serves }) => serves === wanted)?.count ?? 0
  const disabled = countsByState.find(({ state }) => state === 'DISABLED')?.count ?? 0
  return { without: serving('NOTHING') - disabled, partly: serving('SOME'), disabled }
}
