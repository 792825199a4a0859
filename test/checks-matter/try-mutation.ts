import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Mutation } from './mutation.ts'
import { runTests } from './vitest.ts'
import type { Workshop } from './workshop.ts'

/** Whether the tests noticed that a check was disabled. */
export interface Verdict {
  readonly mutation: Mutation
  /** The test that failed. */
  readonly killedBy?: string
  /** Why the check is not known to matter. */
  readonly problem?: string
}

/**
 * Disables one check and runs its tests. Tests of `failing`, which fail with the check in place, say
 * nothing about it.
 */
export async function tryMutation(
  workshop: Workshop,
  mutation: Mutation,
  failing: ReadonlySet<string>,
): Promise<Verdict> {
  const { file, find, replace, tests } = mutation
  const source = await readFile(join(workshop.folder, file), 'utf8')
  const count = source.split(find).length - 1
  if (count !== 1) return { mutation, problem: `stands ${count} times in ${file}: ${find}` }
  const mutated = source.replace(find, () => replace)
  return await workshop.withFile(file, mutated, async () => {
    let problem = 'no test failed'
    for await (const { name, state, trouble } of runTests(workshop.folder, tests)) {
      if (state === 'failed' && !failing.has(name)) return { mutation, killedBy: name }
      if (trouble) problem = `${name}: ${trouble}`
    }
    return { mutation, problem }
  })
}
