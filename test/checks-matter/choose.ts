import type { Mutation } from './mutation.ts'

/** The mutations whose subject and name have all of these words. Throws with the words if none has. */
export function chooseMutations(
  all: readonly Mutation[],
  words: readonly string[],
): readonly Mutation[] {
  const chosen = all.filter(({ subject, name }) =>
    words.every((word) => `${subject}: ${name}`.includes(word)),
  )
  if (chosen.length > 0) return chosen
  const filter = words.map((word) => JSON.stringify(word)).join(' and ')
  throw new Error(`No check has ${filter} in its subject and name.`)
}
