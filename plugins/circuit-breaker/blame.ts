/** Failures by the keys of their calls; `undefined` if the account could not be reached. */
type FailuresByKey = ReadonlyMap<string | undefined, number>

/** The key of nearly all failures: the others have fewer than `enough`. `undefined` if there is no such key. */
export function keyToBlame(failures: FailuresByKey, enough: number): string | undefined {
  let key: string | undefined
  let most = 0
  let total = 0
  for (const [one, count] of failures) {
    total += count
    if (count > most) [key, most] = [one, count]
  }
  return total - most < enough ? key : undefined
}
